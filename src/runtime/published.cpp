// What makers publish of chips and no driver says.
#include "runtime/published.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace seiche::runtime {

namespace {

constexpr std::uint32_t nvidia = 0x10de, amd = 0x1002, intel = 0x8086;  // as the PCI-SIG gave them
constexpr std::uint64_t mebi = 1 << 20;

struct Chip {
    std::uint32_t vendor;
    std::string_view name;  ///< Words that follow each other in a device's name.
    std::uint64_t cache_bytes;
};

/// From the documents that profiles/*.json name.
constexpr std::array chips{Chip{nvidia, "H100", 50 * mebi}, Chip{nvidia, "H200", 50 * mebi},
                           Chip{nvidia, "A100", 40 * mebi}, Chip{nvidia, "RTX 5090", 96 * mebi},
                           Chip{nvidia, "T4", 4 * mebi},    Chip{amd, "MI250", 8 * mebi},
                           Chip{amd, "MI300X", 256 * mebi}, Chip{amd, "RX 7900 XTX", 96 * mebi},
                           Chip{intel, "A770", 16 * mebi},  Chip{intel, "Max 1550", 204 * mebi}};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool has_words(std::string_view name, std::string_view words) {
    for (std::size_t at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || !is_of_word(name[at - 1])) && (end == name.size() || !is_of_word(name[end]))) return true;
    }
    return false;
}

}  // namespace

std::uint64_t published_cache_bytes(std::uint32_t vendor, std::string_view device_name) {
    for (const std::string_view part : {"MIG", "Laptop", "Mobile", "Max-Q"})
        if (has_words(device_name, part)) return 0;
    const auto found = std::find_if(chips.begin(), chips.end(), [&](const Chip& chip) {
        return chip.vendor == vendor && has_words(device_name, chip.name);
    });
    return found == chips.end() ? 0 : found->cache_bytes;
}

}  // namespace seiche::runtime
