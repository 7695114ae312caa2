// How much workspace plans may take, for random problems on every device: at most as many complex numbers of the
// arithmetic as the larger array has, and none where the input may be overwritten. What needs more is told by kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {
namespace {

using planner::AxisRecipe;
using problem::Canonical;

constexpr std::uint64_t most_points = std::uint64_t{1} << 24;

/// Most are products of small primes, and a few reach beyond what a group has on chip.
std::string lengths(Random& random) {
    const std::uint64_t rank = 1 + random.below(3);
    std::uint64_t points = 1;
    std::string text;
    for (std::uint64_t axis = 0; axis < rank; ++axis) {
        std::uint64_t length = random.number(rank == 1 ? 22 : 11);
        if (!random.once_in(3)) {
            const std::uint64_t wanted = length;
            for (length = 1; length < wanted;) length *= std::vector<std::uint64_t>{2, 2, 2, 3, 5, 7}[random.below(6)];
        }
        points *= length;
        text += (axis == 0 ? "" : "x") + std::to_string(length);
    }
    return points <= most_points ? text : "4096";
}

std::string workspace_problem(Random& random) {
    std::string text = lengths(random);
    const std::string other =
        random.of({"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc"});
    text += " " + (random.once_in(4) ? other : random.of({"c2c", "r2c", "c2r"})) + random.of({" f32", " f64"});
    if (random.once_in(3)) text += " batch=" + std::to_string(2 + random.below(99));
    if (random.once_in(4)) text += " axes=" + std::to_string(random.below(3));
    return text + random.of({"", " overwrite-input", " in-place", ""});
}

/// Complex numbers of the larger array.
double array_elements(const Canonical& c) {
    double input = c.input_is_real ? 0.5 : 1, output = c.output_is_real ? 0.5 : 1;
    for (const problem::Axis& axis : c.axes) {
        input *= static_cast<double>(axis.input_count());
        output *= static_cast<double>(axis.output_count());
    }
    return std::max(input, output) * static_cast<double>(c.transforms_per_array());
}

/// Elements become points and results on chip.
bool is_one_pass(const AxisRecipe& axis) {
    return axis.passes.size() == 1 && (axis.kind == Kind::c2c || axis.in_one_pass || axis.one_sided);
}

/// How many times the array's numbers an axis needs beside input and output.
double arrays_of(const AxisRecipe& axis, const Canonical& c) {
    const bool is_complex = axis.kind == Kind::c2c, is_halved = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
    // Odd lengths and types I have as many complex points as real elements, which neither array has space for.
    const double points = is_complex ? 1 : 2 * static_cast<double>(axis.n) / static_cast<double>(axis.length);
    const bool has_space = points < 1.5;
    const bool has_two = axis.passes.size() > 2 || !axis.one_sided;  // a map, or passes that change places
    // Pairs of real numbers are points only along an axis whose elements lie side by side; and folded elements lie
    // elsewhere than the points that they become.
    const problem::Axis& own = c.axes[axis.axis];
    const bool has_pairs = own.input_stride == 1 && own.output_stride == 1, is_folded = !is_complex && !is_halved;
    if (axis.padded != 0) {
        const double padded = points * static_cast<double>(axis.padded) / static_cast<double>(axis.n);
        const bool is_beside_real = is_complex && c.input_is_real != c.output_is_real;
        const bool is_all = !is_beside_real && (is_complex || (is_halved && has_space && has_pairs));
        return (axis.passes.size() > 2 ? 2 : 1) * padded + (is_all ? 0 : points);
    }
    const double beside = c.axes.size() > 1 ? 1 : 0;  // what other axes leave
    if (!has_space) return beside + (has_two ? 2 * points : points);
    // Beside a real axis complex numbers lie in a workspace, from which two passes come back by way of another.
    const bool leaves = is_complex ? c.input_is_real != c.output_is_real : !has_pairs || (is_folded && c.in_place());
    return !is_one_pass(axis) && leaves ? 2 : 1;
}

double most_arrays(const planner::Recipe& recipe, const Canonical& c) {
    double most = 0;
    for (const AxisRecipe& axis : recipe.axes) most = std::max(most, arrays_of(axis, c));
    const bool is_alone = recipe.axes.size() == 1;
    const auto is_free = [&](const AxisRecipe& axis) {
        const bool is_halved = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
        const bool has_space = axis.kind == Kind::c2c || (is_halved && axis.length % 2 == 0);
        const problem::Axis& own = c.axes[axis.axis];
        const bool has_pairs = !is_halved || (own.input_stride == 1 && own.output_stride == 1);
        // Beside a real axis complex numbers have space in one of the arrays alone, and two passes need both.
        const bool is_beside_real = !is_alone && c.input_is_real != c.output_is_real;
        return axis.padded == 0 && (is_one_pass(axis) || (has_space && has_pairs && !is_beside_real));
    };
    return c.may_overwrite_input && std::ranges::all_of(recipe.axes, is_free) ? 0 : most;
}

TEST(Workspace, HasAtMostOneArray) {
    std::uint64_t free = 0, tried = 0;
    run("workspaces", {30000}, [&](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        const std::string text = workspace_problem(random);
        input.is("'" + text + "' for " + device.name);
        const Canonical c = problem::normalise(parse_problem(text));
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            if (!c.has(direction)) continue;
            const planner::Recipe design = planner::design(c, device.limits, {}, direction);
            const planner::Planned planned = planner::plan(design, c, device.limits, {direction, {}});
            const double elements = static_cast<double>(planned.schedule.workspace_a_elements) +
                                    static_cast<double>(planned.schedule.workspace_b_elements);
            const double most = most_arrays(planned.recipe, c), array = array_elements(c);
            // Counters of pipelined passes take up to a few per mille of long arrays, and whole sectors of short ones.
            if (elements > (most + 0.004) * array + 4096)
                input.fail(std::to_string(elements / array) + " arrays, expected at most " + std::to_string(most));
            ++tried;
            free += elements == 0;
        }
    });
    EXPECT_GT(tried, 100u);
    EXPECT_GT(free, tried / 4);
}

}  // namespace
}  // namespace seiche::fuzz
