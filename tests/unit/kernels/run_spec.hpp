// How the tests of this folder run a spec's kernel: what it stores, and that it has no race.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "exec/tables.hpp"
#include "ir/analyse.hpp"
#include "ir/optimise.hpp"
#include "kernels/contract/spec.hpp"
#include "kernels/generators.hpp"
#include "kernels/tables.hpp"
#include "run.hpp"

namespace seiche::test {

struct Run {
    std::vector<float> results;
    std::uint64_t shared_bytes = 0;
    std::size_t instructions = 0;
};

/// Of `batch` sequences of f32, each of as many points as the batch's loop says.
inline Run run_of(const kernels::KernelSpec& spec, std::uint64_t batch) {
    SCOPED_TRACE(kernels::to_string(spec));
    const ir::Kernel kernel = ir::optimise(kernels::generate(kernels::complete(spec)));
    ir::verify(kernel);
    const std::uint64_t points = spec.loops.front().input_stride;
    std::vector<float> x(2 * batch * points), y(x.size(), NAN);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 7919 + 13) % 1009) / 1009 - 0.5f;
    std::vector<std::byte> table = exec::table_bytes(kernels::tables(spec), spec.precision);
    ir::Launch launch;
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(spec, batch)), 1, 1};
    launch.buffers = {bound(x), bound(y)};
    if (!table.empty()) launch.buffers.push_back(bound(table));
    launch.scalars = {batch};
    const ir::Analysis analysis = ir::analyse(kernel, launch);
    EXPECT_EQ(analysis.shared_races + analysis.global_races + analysis.out_of_bounds + analysis.uninitialised_reads, 0u)
        << (analysis.findings.empty() ? "" : analysis.findings.front());
    return {y, ir::shared_bytes(kernel), kernel.code.size()};
}

/// Every number is stored, and the same in both.
inline void expect_same_bits(const Run& a, const Run& b, const kernels::KernelSpec& spec) {
    SCOPED_TRACE(kernels::to_string(spec));
    ASSERT_EQ(a.results.size(), b.results.size());
    EXPECT_TRUE(std::none_of(a.results.begin(), a.results.end(), [](float x) { return std::isnan(x); }));
    EXPECT_EQ(std::memcmp(a.results.data(), b.results.data(), a.results.size() * sizeof(float)), 0);
}

}  // namespace seiche::test
