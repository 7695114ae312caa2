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

/// "150000 100000" of version 2, microseconds of time in each period; 0: there is no such file, or it says "max".
double processors_in(const fs::path& file) {
    double time = 0, period = 0;
    std::ifstream numbers(file);
    return numbers >> time >> period && time > 0 && period > 0 ? time / period : 0;
}

/// The same of version 1, which has a file for each, and a time of -1 where there is no limit.
double processors_in(const fs::path& time_file, const fs::path& period_file) {
    double time = 0, period = 0;
    return std::ifstream(time_file) >> time && std::ifstream(period_file) >> period && time > 0 && period > 0
               ? time / period
               : 0;
}

/// 0 stands for no limit.
template <class Number>
Number less(Number a, Number b) {
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/// The least of what `limit_of` says of the group at `path` below `root` and of those above. In a container the path
/// may be the host's, and the files of the own group lie in the root.
template <class LimitOf>
auto least_limit(const fs::path& root, const fs::path& path, const LimitOf& limit_of) {
    auto least = limit_of(root);
    fs::path at = root;
    for (const fs::path& part : path.relative_path()) {
        at /= part;
        least = less(least, limit_of(at));
    }
    return least;
}

/// Calls `take` with the controllers of each group that the process is in, between commas, and with its path.
template <class Take>
void for_each_group(const fs::path& membership, const Take& take) {
    std::ifstream lines(membership);
    for (std::string line; std::getline(lines, line);) {  // "0::/a/b" of version 2, "4:memory:/a/b" of version 1
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        take("," + line.substr(first + 1, second - first - 1) + ",", fs::path(line.substr(second + 1)));
    }
}

bool is_version_2(const std::string& controllers) { return controllers == ",,"; }

}  // namespace

std::uint64_t control_group_limit(const fs::path& membership, const fs::path& groups) {
    std::uint64_t least = 0;
    for_each_group(membership, [&](const std::string& controllers, const fs::path& path) {
        const auto limit_of = [&](const char* file) {
            return [file](const fs::path& at) { return limit_in(at / file); };
        };
        if (is_version_2(controllers)) least = less(least, least_limit(groups, path, limit_of("memory.max")));
        if (controllers.find(",memory,") != std::string::npos)
            least = less(least, least_limit(groups / "memory", path, limit_of("memory.limit_in_bytes")));
    });
    return least;
}

double control_group_processors(const fs::path& membership, const fs::path& groups) {
    double least = 0;
    for_each_group(membership, [&](const std::string& controllers, const fs::path& path) {
        if (is_version_2(controllers))
            least = less(least,
                         least_limit(groups, path, [](const fs::path& at) { return processors_in(at / "cpu.max"); }));
        if (controllers.find(",cpu,") != std::string::npos)
            least = less(least, least_limit(groups / "cpu", path, [](const fs::path& at) {
                             return processors_in(at / "cpu.cfs_quota_us", at / "cpu.cfs_period_us");
                         }));
    });
    return least;
}

}  // namespace seiche::runtime
