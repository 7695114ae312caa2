// What each rank does by itself: transforms of its part of the array, and copies from one layout to another, both as
// plans of Seiche.
#pragma once

#include <cstdint>

#include "design.hpp"
#include "regions.hpp"
#include "seiche/distributed/redistribution.hpp"
#include "seiche/plan.hpp"

namespace seiche::distributed {

/// Parts of one shape that lie equally far apart in both arrays, in elements.
struct Repeat {
    std::uint64_t count = 1;
    std::int64_t from_step = 1, to_step = 1;
};

/// Copies `part` from an array to another, and as many more as `repeat` says. Its offsets go to the executions.
struct Copy {
    Plan plan = {};
    std::uint64_t from_bytes = 0, to_bytes = 0;
};

Copy plan_copy(const Device& device, const Element& element, const Box& part, std::uint64_t batch, Memory from,
               Memory to, const Repeat& repeat = {});

/// A transform, and where in both arrays it begins.
struct Transform {
    Plan plan = {};
    std::uint64_t from_bytes = 0, to_bytes = 0;
};

/// The transform of one step on one rank: but for factors, dense and out of place.
Problem local_problem(const Problem& problem, const Shape& shape, const Step& step, std::size_t rank);

/// The transform of one step on one rank, which reads and writes these layouts; their offsets go to the executions.
/// `is_last`: of the steps that transform something, which is where a factor of the problem's is applied.
Transform plan_step(const Device& device, const Problem& problem, const Shape& shape, const Step& step,
                    std::size_t rank, const Memory& from, const Memory& to, bool is_last, bool is_in_place,
                    Directions directions);

}  // namespace seiche::distributed
