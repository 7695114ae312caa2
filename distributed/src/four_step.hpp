// One axis over several ranks: an axis of n = n1 n2 points counts as two axes, between whose transforms ranks exchange
// (Bailey, "FFTs in external or hierarchical memory", 1990). Plain values, the same on every rank.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "design.hpp"
#include "regions.hpp"
#include "seiche/device.hpp"
#include "seiche/plan.hpp"

namespace seiche::distributed {

/// The axis of the problem, in whose place are two axes of n1 and n2 points. Index j of the signal is j1 n2 + j2, and
/// frequency k is k1 + n1 k2. In pass order it is at position k1 n2 + k2.
struct FourStep {
    int axis = 0;
    std::uint64_t n1 = 1, n2 = 1;
};

/// Which of an array's elements follow each other along the axis: `unit` of them along the fast one of its two axes.
struct Fold {
    int axis = 0;
    bool is_first_slow = true;  ///< The slow one is the first of the two.
    std::uint64_t unit = 1;
};

struct Halves;

/// What leads from the input's boxes to the output's: of the problem itself, or of one with an axis more.
struct Route {
    Problem problem = {};
    Shape shape = {};
    Design design = {};
    /// Where the axis is two axes: how, the boxes that are boxes of both arrays, and how these are folded.
    std::optional<FourStep> four_step = {};
    Boxes whole = {};
    Fold input = {}, output = {};
    bool moves_input = false, moves_output = false;  ///< `whole` is other boxes than the caller's.
    std::shared_ptr<const Halves> halves = {};       ///< In place of the design.
};

/// r2c or c2r along one axis of n points by c2c of m = n/2, whose values at k and m - k make the spectrum's at k.
struct Halves {
    Problem problem = {};  ///< For the complex numbers, and how they are cut.
    Boxes boxes = {};
    Route route = {};
    std::vector<Box> reals = {};  ///< Boxes of whole pairs, and whether they are others than the caller's.
    bool moves_reals = false;
    std::vector<Box> mirrored = {};  ///< What each rank needs of the bins 0 to m beside its own, in their order.
};

/// The cheapest. Throws InvalidProblem and Unsupported as `design` does.
Route find_route(const Problem& problem, const Shape& shape, const Boxes& boxes, Decomposition decomposition,
                 const Fabric* fabric, Direction direction);

Memory folded(Memory memory, const Fold& fold);

/// The twiddles of a problem with two axes in place of one, as a store stage: `start` is the first index along the
/// axis that is not transformed.
UserStage twiddle_stage(const Shape& shape, Precision precision, Direction direction);
/// The buffers that it names, on the device.
std::vector<StageBufferArgument> twiddle_tables(const Device& device, const Shape& shape, Precision precision);

/// What names `twiddle`, exp(-2 pi i place / n), in a stage that has named `place`, which is less than n; its buffers,
/// and what is in them.
std::string twiddle_text(std::uint64_t n);
std::vector<StageBuffer> twiddle_buffers(std::uint64_t n, Precision precision);
std::vector<StageBufferArgument> twiddle_tables(const Device& device, std::uint64_t n, Precision precision);

}  // namespace seiche::distributed
