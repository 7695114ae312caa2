// What the fake CUDA driver remembers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct FakeCudaLaunch {
    unsigned grid[3] = {}, block[3] = {}, cluster[3] = {};
    unsigned shared = 0;
    void* stream = nullptr;
    unsigned attributes = 0;
    bool early = false;       ///< Before what is ahead of it has ended.
    void* context = nullptr;  ///< The current one.
    std::string function;
};

struct FakeCudaRecord {
    std::string calls;  ///< Names of calls that need a context, a space after each.
    std::string function, image;
    FakeCudaLaunch launch;
    std::vector<FakeCudaLaunch> launches;
    std::uint64_t first_argument = 0;
    std::uint32_t last_argument = 0;
    unsigned argument_count = 1;  ///< Set by the test before a launch.
    std::string current_calls;    ///< cuCtxPushCurrent and cuCtxPopCurrent, a space after each.
    int contexts = 0, modules = 0, streams = 0, events = 0, allocations = 0, linkers = 0;  ///< Alive.
    std::string assembled;                                                                 ///< The text that came last.
    int dynamic_shared_allowed = 0, any_cluster_size = 0;
    unsigned context_generation = 1;  ///< Another: contexts were destroyed and made anew at the same addresses.
    unsigned largest_cluster = 16;    ///< That the card has room for.
    /// Calls in a context that is not that of the module, stream, event or memory that they name; they fail.
    std::string strayed;
    std::string captured;   ///< What a stream under capture has recorded, a space after each.
    std::string forbidden;  ///< What was called during a capture that does not allow it; it fails.
};

extern "C" FakeCudaRecord* fake_cuda_record();
