// The ranks whose work stands for all where every rank counts for itself: all of a few, some of many, the same on each.
#pragma once

#include <cstddef>
#include <vector>

namespace seiche::distributed {

inline std::vector<std::size_t> sample(std::size_t ranks, std::size_t most = 64) {
    std::vector<std::size_t> found;
    const std::size_t count = ranks < most ? ranks : most;
    for (std::size_t i = 0; i < count; ++i) found.push_back(i * ranks / count);
    return found;
}

}  // namespace seiche::distributed
