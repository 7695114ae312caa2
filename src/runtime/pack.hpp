// Packs: compiled kernels of many plans in one file that is only read, so that processes in thousands compile nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seiche::runtime {

/// By their keys (cache_key).
using PackedKernels = std::map<std::string, std::vector<std::byte>>;

/// "seiche pack 1" and a line end, the count of kernels and a checksum of the index; the index: of each kernel its key,
/// offset, length and checksum, by rising key; the kernels.
std::vector<std::byte> pack_bytes(const PackedKernels& kernels);

/// An open pack. The index is in memory, kernels are read when they are asked for.
class Pack {
public:
    /// Throws InvalidProblem for a file that cannot be read, is no pack or has a damaged index. Whose file it is does
    /// not matter: whoever names a pack trusts it.
    explicit Pack(std::filesystem::path path);
    /// Nothing if the pack has no such kernel. Throws InvalidProblem for one that is damaged.
    std::optional<std::vector<std::byte>> find(const std::string& key) const;
    std::size_t kernels() const { return index_.size(); }

private:
    struct Entry {
        std::uint64_t offset = 0, length = 0, checksum = 0;
    };
    std::filesystem::path path_;
    std::map<std::string, Entry> index_;
};

/// From the packs that SEICHE_PACK_PATH names, the first that has it; nothing where none has, or none is named. Files
/// are apart by ':' (on Windows by ';') and opened once. Throws as Pack does.
std::optional<std::vector<std::byte>> find_packed(const std::string& key);

}  // namespace seiche::runtime
