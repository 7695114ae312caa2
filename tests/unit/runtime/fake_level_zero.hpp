// What the fake Level Zero loader remembers, and which of its functions is to fail. Its devices are like an Arc A770
// and a stack of a Max 1550, as Intel's driver describes those.
#pragma once

#include <cstdint>
#include <string>

struct FakeLevelZeroRecord {
    std::string failing;  ///< This function fails, the others work; empty: none.
    std::string calls;    ///< What was appended to command lists, a space after each.
    std::string kernel;   ///< Name of the last that was made.
    const void* list = nullptr;
    unsigned grid[3] = {}, group[3] = {};
    const void* first_buffer = nullptr;  ///< Arguments 0 and 1 of the last launch.
    std::uint64_t first_offset = 0;
    unsigned ordinal = ~0u;           ///< Of the queue group of the last command list.
    unsigned format = ~0u;            ///< Of the last module.
    std::uint64_t device_bytes = 0;   ///< Of the last allocation.
    std::uint64_t tick = 0xfffffff0;  ///< The device's clock of 32 bits, 1 GHz; an event takes 25 ticks.
    bool no_gpu = false;              ///< What is listed is a CPU.
    bool no_doubles = false;
    bool only_wide = false;  ///< Subgroups have 32 lanes and no others.
    int contexts = 0, modules = 0, kernels = 0, logs = 0, lists = 0, pools = 0, events = 0,
        allocations = 0;  ///< Alive.
    int freed_early = 0;  ///< Things given up while work was under way.
    bool busy = false;    ///< Work was appended that nobody has waited for.
};

extern "C" FakeLevelZeroRecord* fake_level_zero_record();
