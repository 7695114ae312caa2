// How FFTW cuts arrays over the ranks of a communicator: slabs along the first axis, or along the second of an array
// whose first two axes have changed places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "seiche/distributed/box.hpp"

namespace seiche_fftw {

/// The part of `n` elements that a rank has, in blocks of so many (0: as even as blocks are).
struct Part {
    std::ptrdiff_t start = 0, count = 0;
};
Part part_of(std::ptrdiff_t n, std::ptrdiff_t block, int rank, int ranks);

/// An array, with its repetitions, on all ranks. Its elements are real or complex numbers.
struct MpiArray {
    std::vector<std::ptrdiff_t> n;  ///< Slowest axis first.
    std::ptrdiff_t howmany = 1;     ///< Numbers beside each other at each place.
    std::ptrdiff_t block = 0;
    std::size_t cut = 0;           ///< The axis that is cut.
    bool is_swapped = false;       ///< In memory the second axis comes before the first.
    std::ptrdiff_t last_room = 0;  ///< Rows have room for so many; 0: for those of the last axis.
};

/// Nothing where the blocks are too small for the ranks. The repetitions are an axis more, where there are several.
std::optional<std::vector<seiche::distributed::Box>> boxes_of(const MpiArray& array, int ranks);
std::vector<std::uint64_t> lengths_of(const MpiArray& array);

}  // namespace seiche_fftw
