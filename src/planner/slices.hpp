// Where two passes in a row depend on one another slice by slice.
#pragma once

#include <optional>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Sequences of a slice, of the first pass and of the second.
struct Slices {
    std::uint64_t first = 0, second = 0;
    /// Slices interleaved in memory, of one sequence beside others: as many of each pass follow each other in the
    /// loops, and a run of them may be a slice; 0: a slice's sequences follow each other.
    std::uint64_t beside = 0;
};

enum class SliceOrder : std::uint8_t { whole, interleaved };

/// The smallest slices that depend on one another alone, where the second pass works in place on what the first stores.
std::optional<Slices> find_slices(const Step& first, const Step& second, SliceOrder order);

/// Whether each sequence is stored where it was loaded; of one with bins in its output, each with its mirror.
bool works_in_place(const kernels::KernelSpec& spec);

/// Elements of a sequence in memory that is stored.
std::uint64_t stored_elements(const kernels::KernelSpec& spec);

}  // namespace seiche::planner
