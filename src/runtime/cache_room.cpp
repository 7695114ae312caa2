// How large the cache on disk may be, and what goes when it is full.
#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>

#include "runtime/cache.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;
constexpr std::string_view extension = ".kernel";
constexpr std::size_t key_digits = 32;

bool is_key(std::string_view text) {
    return text.size() == key_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_entry_name(std::string_view name) {
    return name.ends_with(extension) && is_key(name.substr(0, name.size() - extension.size()));
}

/// As unique_name makes them of "." and a key.
bool is_unfinished_name(std::string_view name) {
    return name.size() > key_digits + 1 && name[0] == '.' && is_key(name.substr(1, key_digits)) &&
           name[key_digits + 1] == '.';
}

/// By now it is written, or its writer is gone.
bool is_abandoned(const CacheFile& file) {
    return !file.is_entry && file.used < fs::file_time_type::clock::now() - std::chrono::hours(1);
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    std::uint64_t unit = 1;
    const std::size_t suffix = text.empty() ? std::string_view::npos : std::string_view("KMG").find(text.back());
    if (suffix != std::string_view::npos) {
        unit = std::uint64_t{1024} << (10 * suffix);
        text.remove_suffix(1);
    }
    const auto count = support::parse_unsigned(text);
    if (!count || *count > std::numeric_limits<std::uint64_t>::max() / unit) return std::nullopt;
    return *count * unit;
}

std::uint64_t cache_limit() {
    const std::string text = environment("SEICHE_CACHE_MAX");
    if (text.empty()) return default_limit;
    const auto limit = parse_bytes(text);
    if (!limit)
        throw InvalidProblem("SEICHE_CACHE_MAX: expected a number of bytes, or of K, M or G, such as 500M, got '" +
                             text + "'");
    return *limit;
}

std::vector<CacheFile> cache_files(const fs::path& folder) {
    std::vector<CacheFile> files;
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
        const std::string name = it->path().filename().string();
        const bool is_entry = is_entry_name(name);
        std::error_code gone;  // meanwhile
        if ((!is_entry && !is_unfinished_name(name)) || fs::is_directory(it->symlink_status(gone))) continue;
        CacheFile file{it->path(), 0, fs::file_time_type::min(), is_entry};
        if (it->is_regular_file(gone) && !it->is_symlink(gone)) {
            file.bytes = it->file_size(gone);
            if (!gone) file.used = it->last_write_time(gone);
        }
        if (gone) continue;
        files.push_back(std::move(file));
    }
    return files;
}

std::uint64_t make_room(const fs::path& folder, std::uint64_t limit) {
    std::vector<CacheFile> files = cache_files(folder);
    std::uint64_t sum = 0;
    for (const CacheFile& file : files) sum += file.bytes;
    std::sort(files.begin(), files.end(), [](const CacheFile& a, const CacheFile& b) { return a.used < b.used; });
    const std::uint64_t most = sum > limit ? limit - limit / 10 : limit;
    for (const CacheFile& file : files) {
        const bool goes = file.is_entry ? sum > most : is_abandoned(file);
        if (!goes) continue;
        std::error_code failed;
        fs::remove(file.path, failed);
        if (!failed) sum -= file.bytes;  // by this process or another
    }
    return sum;
}

}  // namespace seiche::runtime
