// Vectors of points: between interleaved memory and separate real and imaginary lanes.
#pragma once

#include <vector>

#include "ir/builder.hpp"

namespace seiche::kernels {

/// One vector from as many scalars (or equal vectors) as it has lanes; their count is a power of two.
ir::Value compose_lanes(const std::vector<ir::Value>& parts);

/// The last lane first.
ir::Complex reversed(ir::Builder& builder, ir::Complex x);

/// `lanes` complex numbers in consecutive memory from `index` on (in elements of the buffer: complex numbers or their
/// parts).
struct InterleavedRun {
    ir::Value index;
    unsigned lanes = 1;
    ir::Value predicate;  ///< Empty: always.
};
/// As memory has them: one vector, or two where one would be too wide.
std::vector<ir::Value> load_pieces(ir::Builder& builder, std::uint32_t buffer, const InterleavedRun& run);
/// Such vectors as real and imaginary parts.
ir::Complex separate(ir::Builder& builder, const std::vector<ir::Value>& pieces);
/// The other way: as memory has them, and into a buffer of complex numbers.
std::vector<ir::Value> interleaved(ir::Builder& builder, ir::Complex x);
void store_pieces(ir::Builder& builder, std::uint32_t buffer, const InterleavedRun& run,
                  const std::vector<ir::Value>& pieces);

/// The r vectors v, seen as rows of chunks of `chunk` lanes, read column by column: chunk 0 of every vector, then chunk
/// 1, ...
std::vector<ir::Value> interleave(ir::Builder& builder, const std::vector<ir::Value>& v, unsigned chunk);

}  // namespace seiche::kernels
