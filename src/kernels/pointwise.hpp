// Stages: what is done to each point between memory and the core.
#pragma once

#include "kernels/frame.hpp"

namespace seiche::kernels {

/// Which point of which sequence a value is. `element` and `sequence` are u32 scalars.
struct Place {
    ir::Value element;
    ir::Value sequence;
    ir::Value exists;  ///< False where there is no such point and no table may be read for it; empty: always.
    std::uint32_t run =
        1;  ///< Lanes of a value that are consecutive elements from `element` on; 1: all lanes are the same element.
};

/// Of two conditions, empty ones hold always.
inline ir::Value both(ir::Value a, ir::Value b) { return !a ? b : !b ? a : a & b; }
inline ir::Complex select(ir::Value condition, const ir::Complex& a, const ir::Complex& b) {
    ir::Builder& build = condition.builder();
    return {build.select(condition, a.re, b.re), build.select(condition, a.im, b.im)};
}

/// True where the stages let the point take part; empty when they always do.
ir::Value within(Frame& frame, const std::vector<Stage>& stages, const Place& place);

/// Passes a point through the stages. `x` may have lanes, which share the element and the sequence's loop indices, or
/// are a run of elements; a FourStepTwiddle takes no run.
ir::Complex apply(Frame& frame, const std::vector<Stage>& stages, ir::Complex x, const Place& place);

/// A point times its element of a spectrum, as the stage has it.
ir::Complex product(Frame& frame, const SpectrumProduct& stage, ir::Complex x, ir::Complex spectrum);

/// The exponent j q of a four-step twiddle, for j, q (u32) with j q < length; u64 where the product needs it.
ir::Value exponent(Frame& frame, std::uint64_t length, ir::Value element, ir::Value q);

/// Where a four-step twiddle has a power for the point: not in what a convolution is padded with. Empty: always.
ir::Value twiddled(Frame& frame, const Place& place);

/// exp(-2 pi i exponent / length) from two tables; exponent u32 or u64, below length where the predicate holds.
ir::Complex power(Frame& frame, std::uint64_t length, ir::Value exponent, ir::Value predicate);

/// The index of Chirp and ChirpSpectrum: u32, or u64 where the padded points reach beyond.
ir::Value chirp_index(Frame& frame, std::uint64_t element_stride, std::int32_t loop, const Place& place);

}  // namespace seiche::kernels
