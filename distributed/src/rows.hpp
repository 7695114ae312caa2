// Messages as boxes of the sender's and the receiver's arrays, which the receiver takes row by row.
#pragma once

#include <cstdint>
#include <vector>

#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed {

/// Arrays by rank, and the parts of them that are moved.
struct Moved {
    const std::vector<Box>& arrays;
    const std::vector<Box>& parts;
};

/// What `rank` takes from each rank, where all arrays are dense and row-major after their batch.
std::vector<std::vector<Rows>> plan_rows(const Moved& from, const Moved& to, std::size_t rank, std::uint64_t batch,
                                         std::uint64_t element_bytes);

/// Whether they take so few copies, and of rows no shorter than these bytes, that packing would not be faster.
bool are_fast(const std::vector<std::vector<Rows>>& rows, std::uint64_t shortest_row);

}  // namespace seiche::distributed
