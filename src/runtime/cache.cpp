// The cache of compiled kernels on disk.
#include "runtime/cache.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "runtime/library.hpp"
#include "seiche/cache.hpp"
#include "seiche/version.hpp"
#include "support/hash.hpp"

namespace seiche {
namespace runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "seiche kernel 1\n";
constexpr std::string_view extension = ".kernel";
constexpr std::size_t key_digits = 32;

struct Header {
    std::array<char, magic.size()> magic_text{};
    std::array<char, key_digits> key{};
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;
};

std::uint64_t checksum(const std::vector<std::byte>& bytes) { return support::Hasher().bytes(bytes).value(); }

fs::path entry_path(const fs::path& folder, const std::string& key) { return folder / (key + std::string(extension)); }

}  // namespace

fs::path cache_folder() {
    if (const std::string own = environment("SEICHE_CACHE_DIR"); !own.empty()) return path_of(own);
    const fs::path user = user_cache_folder();
    return user.empty() ? user : user / "seiche";
}

std::string cache_key(const emit::Source& source, const std::string& compiler_version) {
    support::Hasher hasher;
    hasher.number(SEICHE_VERSION_MAJOR).number(SEICHE_VERSION_MINOR).number(SEICHE_VERSION_PATCH);
    hasher.text(compiler_version).number(static_cast<std::uint64_t>(source.dialect));
    hasher.text(source.entry).text(source.architecture).number(source.options.size());
    for (const std::string& option : source.options) hasher.text(option);
    hasher.number(source.words.size());
    for (const std::uint32_t word : source.words) hasher.number(word);
    return hasher.text(source.text).hex();
}

std::optional<std::vector<std::byte>> read_entry(const fs::path& folder, const std::string& key) {
    if (folder.empty()) return std::nullopt;
    std::ifstream file(entry_path(folder, key), std::ios::binary);
    Header header;
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
    const std::string_view found_magic(header.magic_text.data(), magic.size());
    if (found_magic != magic || std::string_view(header.key.data(), key_digits) != key) return std::nullopt;
    // A length that is not the file's is not believed, however large it claims to be.
    std::error_code failed;
    const std::uint64_t size = fs::file_size(entry_path(folder, key), failed);
    if (failed || header.length != size - sizeof header) return std::nullopt;
    std::vector<std::byte> bytes(header.length);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        return std::nullopt;
    if (checksum(bytes) != header.checksum) return std::nullopt;
    return bytes;
}

bool write_entry(const fs::path& folder, const std::string& key, const std::vector<std::byte>& bytes) {
    if (folder.empty() || key.size() != key_digits || !usable_folder(folder)) return false;
    Header header;
    std::memcpy(header.magic_text.data(), magic.data(), magic.size());
    std::memcpy(header.key.data(), key.data(), key_digits);
    header.length = bytes.size();
    header.checksum = checksum(bytes);
    const fs::path temporary = unique_name(folder, "." + key);
    std::ofstream file(temporary, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    std::error_code failed;
    if (file) fs::rename(temporary, entry_path(folder, key), failed);
    if (file && !failed) return true;
    fs::remove(temporary, failed);
    return false;
}

}  // namespace runtime

namespace {

/// Calls `visit` for each entry, and for what a killed process left half written. A folder that cannot be read has
/// none.
template <class Visit>
void for_each_entry(const std::filesystem::path& folder, Visit&& visit) {
    std::error_code failed;
    std::vector<std::filesystem::directory_entry> entries;
    for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
        if (it->path().extension() == runtime::extension || it->path().filename().string().starts_with('.'))
            entries.push_back(*it);
    for (const auto& entry : entries) visit(entry);
}

}  // namespace

CacheReport cache_report() {
    const std::filesystem::path folder = runtime::cache_folder();
    CacheReport report;
    report.folder = folder.string();
    report.writable = !folder.empty() && runtime::could_write(folder);
    for_each_entry(folder, [&](const std::filesystem::directory_entry& entry) {
        std::error_code failed;
        const std::uint64_t size = entry.file_size(failed);
        ++report.entries;
        report.bytes += failed ? 0 : size;
    });
    return report;
}

std::uint64_t clear_cache() {
    std::uint64_t removed = 0;
    for_each_entry(runtime::cache_folder(), [&](const std::filesystem::directory_entry& entry) {
        std::error_code failed;
        if (std::filesystem::remove(entry.path(), failed)) ++removed;
    });
    return removed;
}

}  // namespace seiche
