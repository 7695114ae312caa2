// What the fake CUDA driver remembers.
#pragma once

#include <cstdint>
#include <string>

struct FakeCudaLaunch {
    unsigned grid[3] = {}, block[3] = {}, cluster[3] = {};
    unsigned shared = 0;
    void* stream = nullptr;
    unsigned attributes = 0;
};

struct FakeCudaRecord {
    std::string calls;  ///< Names of calls that need a context, a space after each.
    std::string function, image;
    FakeCudaLaunch launch;
    std::uint64_t first_argument = 0;
    std::uint32_t last_argument = 0;
    unsigned argument_count = 1;  ///< Set by the test before a launch.
    int contexts = 0, modules = 0, streams = 0, allocations = 0;
    int dynamic_shared_allowed = 0, any_cluster_size = 0;
};

extern "C" FakeCudaRecord* fake_cuda_record();
