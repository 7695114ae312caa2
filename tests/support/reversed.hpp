// Problems whose arrays are the same memory, taken from its other end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::test {

/// The array from its other end along those axes (bit i: axis i; the bit behind them: the batch) that `signs` has. Of
/// elements of `element_bytes`, so many along each axis. Strides are those that it has, or dense ones.
inline void reverse(Layout& layout, const std::vector<std::uint64_t>& counts, std::uint64_t batch,
                    std::uint64_t element_bytes, std::uint32_t signs) {
    const std::size_t rank = counts.size();
    std::int64_t dense = 1;
    for (std::size_t i = rank; i-- > 0;) {
        if (layout.strides.size() < rank) layout.strides.insert(layout.strides.begin(), dense);
        dense *= static_cast<std::int64_t>(counts[i]);
    }
    if (layout.batch_distance == 0) layout.batch_distance = dense;
    const auto turn = [&](std::uint64_t count, std::int64_t& stride) {
        layout.byte_offset += (count - 1) * static_cast<std::uint64_t>(stride) * element_bytes;
        stride = -stride;
    };
    for (std::size_t i = 0; i < rank; ++i)
        if (signs >> i & 1) turn(counts[i], layout.strides[i]);
    if (signs >> rank & 1) turn(batch, layout.batch_distance);
}

/// The same of both arrays of a problem, or in place of both at once (of an r2c or c2r: not of the halved axis): the
/// low half of `signs` is for the input, the other 16 bits for the output. Strides that are given are dense beyond the
/// batch, or its distance is given too.
inline Problem reversed(Problem problem, std::uint32_t signs) {
    const std::size_t rank = problem.lengths.size();
    std::vector<std::uint64_t> in = problem.lengths, out = problem.lengths;
    const bool is_r2c = problem.kind == Kind::r2c, is_c2r = problem.kind == Kind::c2r;
    int halved = problem.halved_axis ? *problem.halved_axis : problem.axes.empty() ? -1 : problem.axes.back();
    if (halved < 0) halved += static_cast<int>(rank);
    const auto at = static_cast<std::size_t>(halved);
    if (is_r2c) out[at] = problem.lengths[at] / 2 + 1;
    if (is_c2r) in[at] = problem.lengths[at] / 2 + 1;
    const Kind leading = problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds.front();
    const std::uint64_t number = stored_bytes(problem.precision, problem.storage);
    const std::uint64_t in_bytes = is_r2c || is_real_to_real(leading) || problem.input.planar ? number : 2 * number;
    const std::uint64_t out_bytes = is_c2r || is_real_to_real(leading) || problem.output.planar ? number : 2 * number;
    const std::uint32_t low = signs & 0xffff, high = signs >> 16;
    if (problem.placement == Placement::out_of_place) {
        reverse(problem.input, in, problem.batch, in_bytes, low);
        reverse(problem.output, out, problem.batch, out_bytes, high);
    } else if (is_r2c) {  // the real array follows
        reverse(problem.output, out, problem.batch, out_bytes, low & ~(1u << at));
    } else {
        reverse(problem.input, in, problem.batch, in_bytes, is_c2r ? low & ~(1u << at) : low);
    }
    return problem;
}

}  // namespace seiche::test
