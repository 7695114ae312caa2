// Vectors of points: between interleaved memory and separate real and imaginary lanes.
#pragma once

#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// One vector from as many scalars (or equal vectors) as it has lanes; their count is a power of two.
ir::Value compose_lanes(const std::vector<ir::Value>& parts);

/// `lanes` complex numbers from consecutive memory at `index` (in elements of the buffer: complex numbers or their
/// parts).
ir::Complex load_interleaved(ir::Builder& builder, std::uint32_t buffer, ir::Value index, unsigned lanes,
                             ir::Value predicate);
/// The other way, into a buffer of complex numbers.
void store_interleaved(ir::Builder& builder, std::uint32_t buffer, ir::Value index, ir::Complex x, ir::Value predicate);

/// The r vectors v, seen as rows of chunks of `chunk` lanes, read column by column: chunk 0 of every vector, then chunk
/// 1, ...
std::vector<ir::Value> interleave(ir::Builder& builder, const std::vector<ir::Value>& v, unsigned chunk);

}  // namespace seiche::kernels
