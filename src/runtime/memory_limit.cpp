// Control groups of Linux: "Control Group v2" and "Memory Resource Controller" of the kernel's documentation.
#include "runtime/memory_limit.hpp"

#include <fstream>
#include <string>

#include "support/text.hpp"

namespace seiche::runtime {

namespace fs = std::filesystem;

namespace {

/// 0: there is no such file, or it says "max".
std::uint64_t limit_in(const fs::path& file) {
    std::string text;
    std::ifstream(file) >> text;
    const auto limit = support::parse_unsigned(text);
    constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;  // version 1 says 2^63 less a page
    return limit && *limit < unlimited ? static_cast<std::uint64_t>(*limit) : 0;
}

/// Of the group at `path` below `root` and of those above. In a container the path may be the host's, and the files
/// of the own group lie in the root.
std::uint64_t least_limit(const fs::path& root, const fs::path& path, const char* file) {
    std::uint64_t least = limit_in(root / file);
    fs::path at = root;
    for (const fs::path& part : path.relative_path()) {
        at /= part;
        const std::uint64_t limit = limit_in(at / file);
        if (limit != 0 && (least == 0 || limit < least)) least = limit;
    }
    return least;
}

}  // namespace

std::uint64_t control_group_limit(const fs::path& membership, const fs::path& groups) {
    std::ifstream lines(membership);
    std::uint64_t least = 0;
    for (std::string line; std::getline(lines, line);) {  // "0::/a/b" of version 2, "4:memory:/a/b" of version 1
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path path = line.substr(second + 1);
        std::uint64_t limit = 0;
        if (controllers == ",,") limit = least_limit(groups, path, "memory.max");
        if (controllers.find(",memory,") != std::string::npos)
            limit = least_limit(groups / "memory", path, "memory.limit_in_bytes");
        if (limit != 0 && (least == 0 || limit < least)) least = limit;
    }
    return least;
}

}  // namespace seiche::runtime
