// What memory and what processors a control group leaves to its processes: that of a container, say.
#pragma once

#include <cstdint>
#include <filesystem>

namespace seiche::runtime {

/// The least limit, in bytes, of the group that `membership` names (as Linux' /proc/self/cgroup does) and of those
/// above it, of version 2 or 1, as the files below `groups` (/sys/fs/cgroup) say. 0: there is none, or no such file.
std::uint64_t control_group_limit(const std::filesystem::path& membership, const std::filesystem::path& groups);

/// The same of the time that its processes may have together, in processors: 1.5 for 150 ms in each 100. 0: there is no
/// limit.
double control_group_processors(const std::filesystem::path& membership, const std::filesystem::path& groups);

}  // namespace seiche::runtime
