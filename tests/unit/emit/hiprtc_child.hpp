// The system's hiprtc, which tests load in a child process.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/hip/hiprtc.hpp"

namespace seiche::test {

/// The compiler of the system; the library that forwards is no such.
inline std::vector<std::string> system_hiprtc() {
    std::vector<std::string> candidates;
    for (const char* runtime : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"})
        for (const std::string& name : runtime::hip::hiprtc_candidates(runtime)) candidates.push_back(name);
    return candidates;
}

/// What a child process exits with that finds no compiler.
constexpr int no_compiler = 77;

inline bool hiprtc_here() {
    testing::FLAGS_gtest_death_test_style = "fast";
    static const bool here = [] {
        const auto is_there = [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != no_compiler; };
        bool there = false;
        const auto note = [&](int status) {
            there = is_there(status);
            return true;
        };
        EXPECT_EXIT(std::_Exit(runtime::hip::load_hiprtc(system_hiprtc()).problem.empty() ? 0 : no_compiler), note, "");
        return there;
    }();
    return here;
}

}  // namespace seiche::test
