// Transforms over 1 to 8 ranks that are threads, equal to one device's. More: --count N, from --seed S on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include "case.hpp"

namespace seiche::distributed::test {
namespace {

std::uint64_t count = 60, first_seed = 1;

/// What is wrong on any rank.
std::string fault_of_threads(const Device& device, const Case& one, int ranks) {
    const auto communicators = thread_ranks(ranks, std::chrono::seconds(20));
    std::vector<std::string> faults(communicators.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < communicators.size(); ++rank)
        threads.emplace_back([&, rank] {
            try {
                faults[rank] = fault(device, one, communicators[rank]);
            } catch (const std::exception& error) {
                faults[rank] = one.text() + "\n  rank " + std::to_string(rank) + ": " + error.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : faults)
        if (!text.empty()) return text;
    return {};
}

void run_cases(const char* name, std::uint64_t cases) {
    const Device device = Device::open(name);
    for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
        const int ranks = 1 + static_cast<int>(seed % 8);
        ASSERT_EQ(fault_of_threads(device, random_case(seed, ranks), ranks), "");
    }
}

TEST(ThreadCases, AreEqualToOneDeviceOnTheProcessor) {
    bool has_cpu = false;
    for (const DeviceInfo& info : devices()) has_cpu = has_cpu || (info.backend == Backend::cpu && info.available);
    if (!has_cpu) GTEST_SKIP() << "this build has no device for the processor";
    run_cases("cpu", count);
}

TEST(ThreadCases, AreEqualToOneDeviceInterpreted) { run_cases("reference", count / 10); }

}  // namespace
}  // namespace seiche::distributed::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--count") == 0)
            seiche::distributed::test::count = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--seed") == 0)
            seiche::distributed::test::first_seed = std::strtoull(argv[i + 1], nullptr, 10);
    }
    return RUN_ALL_TESTS();
}
