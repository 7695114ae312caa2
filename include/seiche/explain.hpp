// Explanation: what a plan does with every point, step by step, and through which memory points change hands; for
// people, and for pictures.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/inspect.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// What points pass through from one step to the next, nearest first.
enum class MemoryLevel : std::uint8_t {
    registers,  ///< They stay with their thread.
    scratch,    ///< Of one work-item of a CPU, in its first caches.
    shared,     ///< Of a group.
    cluster,    ///< The shared memories of the groups of a cluster.
    global,
};
const char* to_string(MemoryLevel level) noexcept;

/// What a point is multiplied by.
struct FlowFactor {
    std::complex<double> value{1, 0};
    /// The value is exp(-2 pi i exponent / root), in lowest terms; root 0: it is no such root of unity.
    std::uint64_t exponent = 0, root = 1;
};

/// Some lines of the flow graph that meet: result k is after[k] times the sum over j of exp(-2 pi i j k / r) factors[j]
/// point j, of r points. In a join, in a split butterfly and in a real map (see FlowKind) it is something else.
struct FlowNode {
    std::vector<std::uint32_t> from;  ///< Lines before the step.
    std::vector<std::uint32_t> to;    ///< Lines after it.
    std::vector<FlowFactor> factors;  ///< One for each of `from`; empty: all are 1.
    std::vector<FlowFactor> after;    ///< One for each of `to`; empty: all are 1.
    std::uint32_t thread = 0;         ///< That has the butterfly: of its group, where the kernel has groups of threads.
    /// Of a real map: result k is the sum over j of own[k r + j] point j + conjugated[k r + j] conj(point j).
    std::vector<std::complex<double>> own = {}, conjugated = {};
};

enum class FlowKind : std::uint8_t {
    deal,         ///< Points go to other threads, unchanged and in the same order.
    move,         ///< Points go to other lines, unchanged; what no line goes to is 0.
    swap_parts,   ///< Real and imaginary part of every point are exchanged.
    multiply,     ///< Every point by its factor.
    butterflies,  ///< Small transforms.
    join,         ///< Of Rader's algorithm, with points b (beside) and c: b + c, and b + factors[1] c.
    split,  ///< L-shaped, of split radix: points a, b, c, d become a + c, b + d, a - c - i (b - d), a - c + i (b - d).
    real_map,    ///< The numbers of a real kind become points, or come from them.
    user_stage,  ///< A stage of the user's: every point by itself, as its text says; it has no nodes.
};

/// Points that change hands between two steps. The counts by who has a point before and after are of one full group
/// (of a cluster: of one transform) and add up to `points`, which is 0 where they are not known.
struct Exchange {
    MemoryLevel level = MemoryLevel::registers;
    std::uint64_t bytes_written = 0, bytes_read = 0;  ///< Of one execution, for the problem's batch.
    std::uint64_t points = 0;
    std::uint64_t same_thread = 0, same_subgroup = 0, same_group = 0, other_group = 0;
};

struct FlowStep {
    FlowKind kind = FlowKind::butterflies;
    std::string text;             ///< One line: what happens.
    std::uint32_t radix = 1;      ///< Points of a butterfly.
    std::uint64_t stride = 1;     ///< Product of the radices before it in this core.
    std::uint64_t count = 0;      ///< Butterflies of one sequence.
    Exchange before;              ///< How its points come from the step before in the same kernel.
    std::vector<FlowNode> nodes;  ///< Empty without a graph, and where lines go straight on.
    std::uint32_t lines = 0;      ///< After the step.
};

/// One kernel: a pass over memory. Of two passes in one launch each has one.
struct KernelFlow {
    KernelReport kernel;
    std::string source, target;   ///< "input", "output", "workspace a" or "workspace b".
    std::uint64_t points = 0;     ///< Of one sequence on chip.
    std::uint64_t sequences = 0;  ///< Of one array.
    /// Of a textbook recipe: what one thread does at a time, of one sequence (or one group, where it works on chip).
    std::uint64_t items = 0;
    bool is_on_chip = false;
    std::int64_t input_stride = 0;  ///< Elements from one point of a sequence to the next; below 0: it lies before.
    std::int64_t output_stride = 0;
    /// So many points of the input follow each other, the next ones `input_run` strides further on: of a workspace in
    /// runs.
    std::uint32_t input_run = 1;
    std::uint32_t threads = 1;  ///< Of one sequence.
    std::uint64_t sequences_per_group = 1;
    std::uint32_t groups_per_cluster = 1;
    bool is_bundle = false;  ///< A CPU's: a group is one work-item with SIMD registers.
    bool trails = false;     ///< It has no launch of its own, but is close behind the pass before in that one's.
    std::vector<FlowStep> steps;
};

struct Explanation {
    PlanReport plan;
    Direction direction = Direction::forward;  ///< Inverse only where the problem has no other.
    std::vector<KernelFlow> kernels;           ///< Of that direction.
    /// Lines of the flow graph before the first step: the elements of one array that are read, by their places in
    /// memory. Real numbers that a kernel takes two by two are one line, a pair being a complex number; so are those
    /// that it leaves.
    std::uint32_t lines = 0;
    /// Where the lines before the first and after the last step lie, in elements of one array; such a line of two
    /// numbers in pairs. Empty without a graph.
    std::vector<std::uint64_t> places_in, places_out;
    bool has_pairs_in = false, has_pairs_out = false;  ///< A line is two neighbouring real numbers.
    bool has_user_stages = false;
    std::string no_graph;  ///< Why there are no nodes; empty: there are.
};

/// Plans without a device, and says what the plan does. A plan of more than `most_lines` lines has no nodes. Throws as
/// inspect().
Explanation explain(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning = {},
                    std::uint32_t most_lines = 64);

struct FollowedValues {
    /// The values on the lines after each step, by kernel and step, in double precision.
    std::vector<std::vector<std::vector<std::complex<double>>>> steps;
    /// What the plan's own kernels made of the same input, run by the interpreter, in the order of the lines.
    std::vector<std::complex<double>> result;
};

/// Follows an input, one value for each line, through the flow graph, and through the plan's kernels in the
/// interpreter, both without stages of the user's. Throws InvalidProblem for another count of values or an explanation
/// without a graph, and for arrays of another precision than f32 and f64, or with a storage of their own (of images
/// rgba16f).
FollowedValues follow(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning,
                      const std::vector<std::complex<double>>& input);

}  // namespace seiche
SEICHE_EXPORT_END
