// Messages as boxes of the sender's and the receiver's arrays, which the receiver takes row by row.
#pragma once

#include <cstdint>
#include <vector>

#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed {

/// What `rank` takes from each rank, where all arrays are dense and row-major after their batch.
std::vector<std::vector<Rows>> plan_rows(const std::vector<Box>& from, const std::vector<Box>& to, std::size_t rank,
                                         std::uint64_t batch, std::uint64_t element_bytes);

/// Whether they take so few copies, and of rows no shorter than these bytes, that packing would not be faster.
bool are_fast(const std::vector<std::vector<Rows>>& rows, std::uint64_t shortest_row);

}  // namespace seiche::distributed
