// What the fake HIP library remembers, and which of its functions is to fail.
#pragma once

#include <cstdint>
#include <string>

struct FakeHipRecord {
    std::string failing;  ///< This function fails, the others work; empty: none.
    std::string calls;    ///< Names of the calls of launches and of what surrounds them, a space after each.
    std::string options;  ///< Of the last compilation, a space after each.
    std::string function;
    unsigned grid[3] = {}, block[3] = {};
    unsigned shared = 0;
    void* stream = nullptr;
    void* event = nullptr;
    void* first_argument = nullptr;
    int modules = 0, streams = 0, events = 0, allocations = 0, programs = 0;  ///< Alive.
    int device = 0;                                                           ///< The current one.
};

extern "C" FakeHipRecord* fake_hip_record();
