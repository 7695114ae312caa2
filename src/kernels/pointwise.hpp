// Stages: what is done to each point between memory and the core.
#pragma once

#include "kernels/frame.hpp"

namespace seiche::kernels {

/// Which point of which sequence a value is. `element` and `sequence` are u32 scalars.
struct Place {
    ir::Value element;
    ir::Value sequence;
    ir::Value exists;      ///< False where there is no such point and no table may be read for it; empty: always.
};

/// True where the stages let the point take part; empty when they always do.
ir::Value within(Frame& frame, const std::vector<Stage>& stages, const Place& place);

/// Passes a point through the stages. `x` may have lanes that share element and sequence's loop indices; a FourStepTwiddle is
/// applied only to scalars here.
ir::Complex apply(Frame& frame, const std::vector<Stage>& stages, ir::Complex x, const Place& place);

/// exp(-2 pi i exponent / length) from two tables; exponent u32 below length where the predicate holds.
ir::Complex power(Frame& frame, std::uint64_t length, ir::Value exponent, ir::Value predicate);

/// The index of Chirp and ChirpSpectrum.
ir::Value chirp_index(Frame& frame, std::uint64_t element_stride, std::int32_t loop, const Place& place);

}  // namespace seiche::kernels
