// The cache of compiled kernels on disk.
#include "runtime/cache.hpp"

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <span>

#include "runtime/library.hpp"
#include "runtime/system.hpp"
#include "seiche/cache.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"
#include "support/hash.hpp"

namespace seiche {
namespace runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "seiche kernel 1\n";
constexpr std::string_view extension = ".kernel";
constexpr std::size_t key_digits = 32;
/// Far beyond any kernel, and little enough to be read.
constexpr std::uint64_t most_entry_bytes = std::uint64_t{256} << 20;

struct Header {
    std::array<char, magic.size()> magic_text{};
    std::array<char, key_digits> key{};
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;
};

std::uint64_t checksum(const std::vector<std::byte>& bytes) { return support::Hasher().bytes(bytes).value(); }

/// What the text names but has not. A function of the host decides where it is called, and is nobody else's then.
void add_functions(const ir::Kernel& kernel, bool calls_host, support::Hasher& hasher) {
    for (const ir::ExternalFunction& function : kernel.functions) {
        hasher.text(function.symbol).text(function.code_hash);
        if (calls_host) hasher.number(reinterpret_cast<std::uintptr_t>(function.host));
    }
}

fs::path entry_path(const fs::path& folder, const std::string& key) { return folder / (key + std::string(extension)); }

/// The folder that exists, at or above this one.
fs::path existing_part(const fs::path& folder) {
    std::error_code failed;
    fs::path existing = fs::absolute(folder, failed);
    while (!existing.empty() && existing != existing.root_path() && !fs::exists(existing, failed))
        existing = existing.parent_path();
    return existing;
}

/// What this process knows of a folder's size, so that not every entry makes it look at all.
struct Room {
    std::uint64_t bytes = 0;      ///< When it looked last, and what it has written since then.
    std::uint64_t unnoticed = 0;  ///< What it may write until it looks again: others write, too.
};

/// Looks at the folder where what was written may have filled it.
void note_written(const fs::path& folder, std::uint64_t bytes, std::uint64_t limit) {
    static auto* const mutex = new std::mutex;
    static auto* const rooms = new std::map<fs::path, Room>;
    const std::lock_guard lock(*mutex);
    Room& room = (*rooms)[folder];
    room.bytes += bytes;
    if (bytes <= room.unnoticed && room.bytes <= limit) {
        room.unnoticed -= bytes;
        return;
    }
    room = {make_room(folder, limit), limit / 64};
}

/// Why an entry is not used, beyond what InputFile says; empty if it is well.
std::string why_damaged(const InputFile& file, const std::string& key, Header& header) {
    if (file.bytes() < sizeof header || !file.read(0, &header, sizeof header)) return "is cut short";
    const std::string_view found_magic(header.magic_text.data(), magic.size());
    if (found_magic != magic || std::string_view(header.key.data(), key_digits) != key)
        return "is no entry of its name";
    if (file.bytes() - sizeof header > most_entry_bytes) return "is larger than any kernel";
    if (header.length != file.bytes() - sizeof header) return "has not the length that it says";
    return {};
}

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
    if (source.kernel) add_functions(*source.kernel, source.dialect == emit::Dialect::reference, hasher);
    return hasher.text(source.text).hex();
}

std::string why_unusable(const fs::path& folder) {
    if (folder.empty()) return "there is no folder for it: none of the variables that name one is set";
    const fs::path existing = existing_part(folder);
    std::error_code failed;
    if (!fs::is_directory(existing, failed)) return existing.string() + " is no folder";
    if (std::string why = why_untrusted(folder); !why.empty()) return why;
    if (!takes_files(existing)) return existing.string() + " is not writable";
    return cache_limit() == 0 ? "SEICHE_CACHE_MAX is 0" : "";
}

std::optional<std::vector<std::byte>> read_entry(const fs::path& folder, const std::string& key) {
    if (folder.empty() || !why_untrusted(folder).empty()) return std::nullopt;
    std::string why;
    const InputFile file(entry_path(folder, key), InputFile::Whose::only_mine, why);
    Header header;
    if (!file || !why_damaged(file, key, header).empty()) return std::nullopt;
    std::vector<std::byte> bytes(header.length);
    if (!file.read(sizeof header, bytes.data(), bytes.size()) || checksum(bytes) != header.checksum)
        return std::nullopt;
    file.touch();
    return bytes;
}

bool write_entry(const fs::path& folder, const std::string& key, const std::vector<std::byte>& bytes) {
    if (key.size() != key_digits || !why_unusable(folder).empty()) return false;
    const std::uint64_t limit = cache_limit(), size = sizeof(Header) + bytes.size();
    if (bytes.size() > most_entry_bytes || size > limit || !make_private_folder(folder)) return false;
    if (!why_untrusted(folder).empty()) return false;  // somebody was quicker to make it
    Header header;
    std::memcpy(header.magic_text.data(), magic.data(), magic.size());
    std::memcpy(header.key.data(), key.data(), key_digits);
    header.length = bytes.size();
    header.checksum = checksum(bytes);
    const fs::path temporary = unique_name(folder, "." + key);
    if (!write_private_file(temporary, {std::as_bytes(std::span(&header, 1)), bytes})) return false;
    std::error_code failed;
    fs::rename(temporary, entry_path(folder, key), failed);
    if (failed) {
        fs::remove(temporary, failed);
        return false;
    }
    note_written(folder, size, limit);
    return true;
}

}  // namespace runtime

namespace {

/// Why an entry would not be used; empty if it would, but for what its checksum finds.
std::string why_refused(const runtime::CacheFile& entry) {
    std::string why;
    const runtime::InputFile file(entry.path, runtime::InputFile::Whose::only_mine, why);
    runtime::Header header;
    return file ? runtime::why_damaged(file, entry.path.stem().string(), header) : why;
}

}  // namespace

CacheReport cache_report() {
    const std::filesystem::path folder = runtime::cache_folder();
    CacheReport report;
    report.folder = folder.string();
    report.limit_bytes = runtime::cache_limit();
    report.problem = runtime::why_unusable(folder);
    report.writable = report.problem.empty();
    for (const runtime::CacheFile& file : runtime::cache_files(folder)) {
        ++report.entries;
        report.bytes += file.bytes;
        if (!file.is_entry) continue;
        if (const std::string why = why_refused(file); !why.empty())
            report.refused.push_back(file.path.filename().string() + " " + why);
    }
    return report;
}

std::uint64_t clear_cache() {
    std::uint64_t removed = 0;
    for (const runtime::CacheFile& file : runtime::cache_files(runtime::cache_folder())) {
        std::error_code failed;
        if (std::filesystem::remove(file.path, failed)) ++removed;
    }
    return removed;
}

}  // namespace seiche
