// Packs of compiled kernels.
#include "runtime/pack.hpp"

#include <cstring>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/library.hpp"
#include "runtime/system.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"
#include "support/hash.hpp"

namespace seiche::runtime {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "seiche pack 1\n", magic_of_all = "seiche pack ";
constexpr std::size_t key_digits = 32, word = 8, entry_bytes = key_digits + 3 * word;
constexpr std::size_t header_bytes = magic.size() + 2 * word;
constexpr std::uint64_t most_kernel_bytes = std::uint64_t{256} << 20;  // far beyond any kernel

std::uint64_t checksum(std::span<const std::byte> bytes) {
    support::Hasher hasher;
    hasher.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return hasher.value();
}

void append(std::vector<std::byte>& bytes, std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

void append(std::vector<std::byte>& bytes, std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes.insert(bytes.end(), first, first + text.size());
}

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < word; ++i) value |= static_cast<std::uint64_t>(bytes[at + i]) << (8 * i);
    return value;
}

[[noreturn]] void refuse(const fs::path& file, const std::string& expected, const std::string& got) {
    throw InvalidProblem("kernel pack " + file.string() + ": expected " + expected + ", got " + got);
}

/// Whoever names a pack may name anybody's, but only a file.
InputFile open_file(const fs::path& path) {
    std::string why;
    InputFile file(path, InputFile::Whose::anybodys, why);
    if (!file) refuse(path, "a file that can be read", why.empty() ? "none" : "one that " + why);
    return file;
}

/// Nothing if the file has fewer.
std::optional<std::vector<std::byte>> read_bytes(const InputFile& file, std::uint64_t offset, std::uint64_t count) {
    if (offset > file.bytes() || count > file.bytes() - offset) return std::nullopt;
    std::vector<std::byte> bytes(count);
    if (!file.read(offset, bytes.data(), bytes.size())) return std::nullopt;
    return bytes;
}

/// Of a list as PATH is one.
std::vector<fs::path> files_of(const std::string& list) {
    constexpr char separator = fs::path::preferred_separator == '/' ? ':' : ';';
    std::vector<fs::path> files;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(separator, begin), list.size());
        if (end > begin) files.push_back(path_of(std::string_view(list).substr(begin, end - begin)));
        begin = end + 1;
    }
    return files;
}

using Packs = std::vector<Pack>;

/// Those of the present list; opened anew when it changes.
std::shared_ptr<const Packs> packs() {
    static auto* const mutex = new std::mutex;
    static auto* const known = new std::pair<std::string, std::shared_ptr<const Packs>>("", std::make_shared<Packs>());
    const std::string list = environment("SEICHE_PACK_PATH");
    const std::lock_guard lock(*mutex);
    if (known->first == list) return known->second;
    auto opened = std::make_shared<Packs>();
    for (const fs::path& file : files_of(list)) opened->emplace_back(file);
    *known = {list, opened};
    return opened;
}

}  // namespace

std::vector<std::byte> pack_bytes(const PackedKernels& kernels) {
    std::vector<std::byte> index;
    std::uint64_t offset = header_bytes + kernels.size() * entry_bytes;
    for (const auto& [key, binary] : kernels) {
        if (key.size() != key_digits)
            throw InternalError("packing kernels: expected a key of 32 digits, got '" + key + "'");
        append(index, key);
        append(index, offset);
        append(index, binary.size());
        append(index, checksum(binary));
        offset += binary.size();
    }
    std::vector<std::byte> bytes;
    append(bytes, magic);
    append(bytes, kernels.size());
    append(bytes, checksum(index));
    bytes.insert(bytes.end(), index.begin(), index.end());
    for (const auto& [key, binary] : kernels) bytes.insert(bytes.end(), binary.begin(), binary.end());
    return bytes;
}

Pack::Pack(fs::path path) : path_(std::move(path)) {
    const InputFile file = open_file(path_);
    const auto header = read_bytes(file, 0, header_bytes);
    const bool is_pack = header && std::memcmp(header->data(), magic_of_all.data(), magic_of_all.size()) == 0;
    if (is_pack && std::memcmp(header->data(), magic.data(), magic.size()) != 0)
        refuse(path_, std::string("a pack of format 1, as Seiche ") + seiche::version() + " makes", "one of another");
    if (!header || std::memcmp(header->data(), magic.data(), magic.size()) != 0)
        refuse(path_, "a pack that seiche pack made", "another file");
    const std::uint64_t count = word_at(*header, magic.size());
    const bool fits = count <= (file.bytes() - header_bytes) / entry_bytes;  // a count is not believed, however large
    const auto index = fits ? read_bytes(file, header_bytes, count * entry_bytes) : std::nullopt;
    if (!index || checksum(*index) != word_at(*header, magic.size() + word))
        refuse(path_, "an index that fits its checksum", "another: it is damaged");
    for (std::size_t at = 0; at < index->size(); at += entry_bytes) {
        const std::string key(reinterpret_cast<const char*>(index->data() + at), key_digits);
        const std::size_t numbers = at + key_digits;
        index_[key] = {word_at(*index, numbers), word_at(*index, numbers + word), word_at(*index, numbers + 2 * word)};
    }
}

std::optional<std::vector<std::byte>> Pack::find(const std::string& key) const {
    const auto found = index_.find(key);
    if (found == index_.end()) return std::nullopt;
    const bool may_be = found->second.length <= most_kernel_bytes;
    auto bytes = may_be ? read_bytes(open_file(path_), found->second.offset, found->second.length) : std::nullopt;
    if (!bytes || checksum(*bytes) != found->second.checksum)
        refuse(path_, "kernel " + key + " to fit its checksum", "another: the pack is damaged");
    return bytes;
}

std::optional<std::vector<std::byte>> find_packed(const std::string& key) {
    for (const Pack& pack : *packs())
        if (auto bytes = pack.find(key)) return bytes;
    return std::nullopt;
}

}  // namespace seiche::runtime
