// Work on several threads: everything once, and the first failure.
#include "support/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace seiche::support {
namespace {

TEST(Parallel, DoesEverythingOnce) {
    for (const std::size_t threads : {0u, 1u, 3u, 8u}) {
        std::vector<std::atomic<int>> times(100);
        parallel(times.size(), threads, [&](std::size_t i) { ++times[i]; });
        for (const std::atomic<int>& count : times) EXPECT_EQ(count, 1);
    }
    parallel(0, 4, [](std::size_t) { FAIL(); });
}

TEST(Parallel, ThrowsTheFirstFailureWhenAllIsDone) {
    std::atomic<int> done{0};
    std::string what;
    try {
        parallel(50, 4, [&](std::size_t i) {
            ++done;
            if (i == 7 || i == 31) throw std::runtime_error(std::to_string(i));
        });
    } catch (const std::runtime_error& error) {
        what = error.what();
    }
    EXPECT_EQ(what, "7");
    EXPECT_EQ(done, 50);
}

TEST(Parallel, PartsCoverTheWhole) {
    for (const std::uint64_t count : {0u, 1u, 32768u, 32769u, 1000003u}) {
        std::vector<unsigned char> times(count);
        parallel_parts(count, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t i = begin; i < end; ++i) ++times[i];
        });
        EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(count));
    }
}

}  // namespace
}  // namespace seiche::support
