// What `seiche bench` measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/check/verify.hpp"
#include "cli/measure/spread.hpp"

namespace seiche::cli {

/// Where and when a result was measured.
struct BenchOrigin {
    std::string device;  // "cuda:0"
    std::string backend, description, driver, version;
    std::string measured;  // "2026-11-24T23:05:59Z"
};

struct BenchRow {
    std::string name, description;
    Spread milliseconds;
    double rate = 0;             // GB/s, each byte read once and written once
    double of_copy = 0;          // of the faster copy of as many bytes
    double of_best_copy = 0;     // of the faster of that and the large copies
    double speed_of_seiche = 0;  // its time over ours: above 1 we are faster
    double plan_ms = 0;
    bool from_table = false;  // of figures that were measured elsewhere
};

/// Rows of copies of as many bytes: the backend's own, and by a kernel of ours.
inline constexpr const char *own_copy = "copy", *copy_kernel = "copy-kernel";
inline bool is_copy(const std::string& name) { return name == own_copy || name == copy_kernel; }

struct BenchResult {
    std::string problem, recipe;
    std::string tuning;                // what was forced, or wisdom had, as to_string(Tuning); empty: nothing
    std::vector<std::string> against;  // the peers that were asked for
    bool movement = false;             // likewise
    bool cached_input = false;         // likewise
    bool in_graph = false;             // likewise
    unsigned repeat = 0;
    BenchOrigin origin;
    double large_copy = 0;                 // GB/s, in that run: of the faster one
    std::string large_copy_by = own_copy;  // which that is
    std::string yardstick = own_copy;      // which of the copies of as many bytes is the faster one
    Accuracy accuracy;
    std::uint32_t compiled = 0, kernels = 0;
    double plan_first_ms = 0, plan_again_us = 0;
    double mark = 0;                  // of a suite: the fraction of the best copy to reach; 0: none
    std::vector<BenchRow> rows;       // the first is ours
    std::vector<std::string> absent;  // peers that cannot run it, and why
    bool is_complete = true;          // no peer is absent for want of the program that runs it
};

}  // namespace seiche::cli
