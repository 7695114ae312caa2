// Figures of other libraries from a file: measured elsewhere, on the same kind of device, and compared with ours by
// fractions of a copy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/measure/bench_result.hpp"

namespace seiche::cli {

struct TableEntry {
    std::string library, kind, shape;  // "vkfft-1.3.4 (CUDA)", "c2c", "512x512"
    unsigned precision_bits = 0;
    std::uint64_t batch = 1;
    double milliseconds = 0, rate = 0, of_copy = 0, plan_ms = 0;
};

/// Reads CSV whose first line names the columns library, kind, precision_bits, shape, batch, milliseconds, GB_per_s,
/// fraction_of_copy and plan_milliseconds, in any order and beside others. Throws Failure that names the line.
std::vector<TableEntry> read_table(const std::string& path);

/// Of each library the entry with the problem's kind, precision and shape whose batch is nearest. None of a problem
/// that is more than those say: one with other axes, strides, scales or pruning, or in place.
std::vector<BenchRow> table_rows(const std::vector<TableEntry>& table, const BenchResult& result);

}  // namespace seiche::cli
