// Where two passes in a row depend on one another slice by slice.
#pragma once

#include <optional>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Sequences of a slice, of the first pass and of the second.
struct Slices {
    std::uint64_t first = 0, second = 0;
    /// Interleaved slices: so many sequences of each pass follow each other in the loops, and a run of them may be a
    /// slice; 0: a slice's sequences are contiguous.
    std::uint64_t beside = 0;
    bool has_between = false;  ///< What lies between the passes is neither the first's input nor the second's output.
};

struct SliceQuestion {
    bool are_interleaved = false;
    bool is_in_place = false;  ///< The problem's input and output are the same memory.
};

/// The smallest independent slices where the second pass works on what the first stores: in place, back to where the
/// first loads, or, of a real-to-real kind, to wherever its results go.
std::optional<Slices> find_slices(const Step& first, const Step& second, const SliceQuestion& question);

/// Sequences of a slice of a third pass, which loads what the second leaves and stores results; empty: its slices
/// differ, or it would overwrite input that is still to be loaded.
std::optional<std::uint64_t> find_third(const Step& first, const Step& second, const Step& third, const Slices& slices,
                                        bool is_in_place);

/// Whether each sequence is stored where it was loaded; of one with bins in its output, each with its mirror.
bool works_in_place(const kernels::KernelSpec& spec);

/// Elements of a sequence in memory that is stored.
std::uint64_t stored_elements(const kernels::KernelSpec& spec);

}  // namespace seiche::planner
