// Lowering of what is done beside the transform: the directions' exchange of parts, scales, the user's stages.
#include <algorithm>
#include <cmath>

#include "planner/lower/lowering.hpp"

namespace seiche::planner {

namespace {

/// A pass that leaves f16 between others already applies its share of a scale below 1, by a power of two, so that what
/// is scaled down in the end does not overflow half-way. Where arithmetic is in f16 too, half of the scale is applied
/// to the input: what grows by sqrt(N), as noise does, then stays as large as it is, and no factor is so small that it
/// loses digits. Gives what the last pass must undo.
double spread_scale(Lowering& l) {
    const problem::Canonical& problem = l.arrays.problem;
    const double scale = std::abs(problem.scale(l.arrays.options.direction).hi);
    if (problem.precision == Precision::f16 && scale < 1.0) {
        const int share = static_cast<int>(-std::log2(scale) / 2);
        // A map alone has no stages on its points' way in; what comes after it is as good.
        const auto first = std::find_if(l.passes.steps.begin(), l.passes.steps.end(),
                                        [](const Step& step) { return !step.spec.is_repacking(); });
        std::vector<Stage>& load = first->spec.in.stages;
        if (share > 0) load.insert(load.begin(), kernels::Multiply{std::ldexp(1.0, -share)});
        return std::ldexp(1.0, share);
    }
    if (problem.storage != Storage::f16 || scale >= 1.0 || problem.n < 2) return 1.0;
    const double per_octave = -std::log2(scale) / std::log2(static_cast<double>(problem.n));
    double grown = 0;
    int applied = 0;
    for (Step& step : l.passes.steps) {
        grown += l.passes.records[static_cast<std::size_t>(&step - l.passes.steps.data())].octaves;
        const int share = static_cast<int>(per_octave * grown) - applied;
        if (&step == &l.passes.steps.back() || l.arrays.storage_of(step.target) == Storage::same || share < 1) continue;
        step.spec.out.stages.push_back(kernels::Multiply{std::ldexp(1.0, -share)});
        applied += share;
    }
    return std::ldexp(1.0, applied);
}

/// Of a point that the step loads: j m s + q s + k'; of one that it stores: q n_p s + k s + k'; of a transposed pass
/// the other way round. In pass order it is the position, of both. Of folded elements it is the element, wherever its
/// point is.
std::vector<kernels::LogicalIndex> logical_indices(const Lowering& l, std::size_t step, expression::Side side) {
    const KernelSpec& spec = l.passes.steps[step].spec;
    const PassRecord& record = l.passes.records[step];
    const AxisPass& own = record.part;
    const auto part = [&spec](const Loop& loop, std::uint64_t unit) {
        // No two loops are equal: points of the target do not overlap.
        const auto found = std::find(spec.loops.begin(), spec.loops.end(), loop);
        return kernels::LogicalIndex::Part{static_cast<std::uint32_t>(found - spec.loops.begin()), unit};
    };
    const bool is_load = side == expression::Side::load;
    const bool is_folded = is_load ? spec.in.folded() != nullptr : spec.out.folded() != nullptr;
    std::vector<kernels::LogicalIndex> all;
    for (const problem::Coordinate& coordinate : l.arrays.problem.coordinates) {
        kernels::LogicalIndex& index = all.emplace_back();
        const std::size_t i = coordinate.index;
        if (coordinate.kind == problem::Coordinate::Kind::loop) {
            index.parts.push_back(
                part({l.arrays.problem.loops[i].count, record.source.loops[i], record.target.loops[i]}, 1));
        } else if (coordinate.kind == problem::Coordinate::Kind::axis && !spec.register_rows().empty()) {
            // Of a block the loops beyond the kernel's are its axes, the fastest first.
            index.parts.push_back(
                {static_cast<std::uint32_t>(spec.loops.size() + spec.register_rows().size() - 1 - i), 1});
        } else if (coordinate.kind == problem::Coordinate::Kind::axis && i != own.axis) {
            index.parts.push_back(part(record.others[i], 1));
        } else if (coordinate.kind == problem::Coordinate::Kind::axis && is_folded) {
            index.element_step = 1;
        } else if (coordinate.kind == problem::Coordinate::Kind::axis && own.stays) {
            const std::uint64_t in = record.source.axes[i], out = record.target.axes[i], block = own.m * own.pass->n;
            index.element_step = own.m;
            if (own.s > 1) index.parts.push_back(part({own.s, block * in, block * out}, block));
            if (own.m > 1) index.parts.push_back(part({own.m, in, out}, 1));
        } else if (coordinate.kind == problem::Coordinate::Kind::axis) {
            const std::uint64_t in = record.source.axes[i], out = record.target.axes[i];
            const std::uint64_t done = own.pass ? own.s * own.pass->n : own.s;  // a map alone is no pass
            // What a transposed pass loads lies as what others store.
            const std::uint64_t load = own.is_transposed ? done : own.s, store = own.is_transposed ? own.s : done;
            index.element_step = is_load != own.is_transposed ? own.m * own.s : own.s;
            if (own.s > 1) index.parts.push_back(part({own.s, in, out}, 1));
            if (own.m > 1) index.parts.push_back(part({own.m, load * in, store * out}, is_load ? load : store));
        }
    }
    return all;
}

/// The stage of one side in the step that touches the user's array. Real numbers without a map are loaded and stored
/// two by two, as the points that they are, or one by one, of which each is a point.
kernels::UserProgram user_program(const Lowering& l, std::size_t step, expression::Side side) {
    const problem::Canonical& problem = l.arrays.problem;
    using Element = kernels::UserProgram::Element;
    const bool is_load = side == expression::Side::load;
    const problem::DirectionStages& stages = problem.stages_of(l.arrays.options.direction);
    const KernelSpec& spec = l.passes.steps[step].spec;
    kernels::UserProgram user;
    user.side = side;
    user.program = is_load ? stages.load : stages.store;
    user.axes = logical_indices(l, step, side);
    if (spec.side(is_load).map() || spec.side(is_load).folded()) {
        user.element = Element::mapped;
    } else if (spec.side(is_load).is_real()) {
        user.element = Element::number;
    } else if (user.program->is_real) {
        user.element = Element::part;
        const problem::Coordinate own{problem::Coordinate::Kind::axis, l.passes.records[step].part.axis};
        const auto found = std::find(problem.coordinates.begin(), problem.coordinates.end(), own);
        user.paired = static_cast<std::uint32_t>(found - problem.coordinates.begin());
        kernels::LogicalIndex& index = user.axes[user.paired];
        index.element_step *= 2;
        for (kernels::LogicalIndex::Part& part : index.parts) part.step *= 2;
    }
    return user;
}

}  // namespace

/// What passes of padded length or between elements and points do lies in workspaces, until the axis is done.
void note_growth(Lowering& l, const AxisRecipe& axis, std::size_t first) {
    std::vector<PassRecord>& records = l.passes.records;
    if (axis.kind != Kind::c2c || axis.padded != 0) {
        const std::uint64_t n = axis.kind == Kind::c2c ? axis.n : logical_length(axis.kind, axis.length);
        records.back().octaves = std::log2(static_cast<double>(std::max<std::uint64_t>(n, 1)));
        return;
    }
    for (std::size_t i = first; i < records.size(); ++i)
        records[i].octaves = std::log2(
            static_cast<double>(kernels::sequence_points(l.passes.steps[i].spec, l.passes.steps[i].spec.in.stages)));
}

/// Swaps real and imaginary parts before the first pass of a complex axis and behind the last.
void swap_parts_of_complex(Lowering& l) {
    const std::vector<PassRecord>& records = l.passes.records;
    const auto is_complex = [](const PassRecord& record) { return record.is_complex; };
    const auto first = std::find_if(records.begin(), records.end(), is_complex);
    if (first == records.end()) return;
    const auto last = std::find_if(records.rbegin(), records.rend(), is_complex);
    std::vector<Stage>& load = l.passes.steps[static_cast<std::size_t>(first - records.begin())].spec.in.stages;
    load.insert(load.begin(), kernels::SwapParts{});
    l.passes.steps[static_cast<std::size_t>(records.rend() - last) - 1].spec.out.stages.push_back(kernels::SwapParts{});
}

/// The inverse of complex axes is their forward transform between two exchanges of parts.
void add_outer_stages(Lowering& l) {
    DoubleDouble scale = l.arrays.problem.scale(l.arrays.options.direction);
    scale.hi *= spread_scale(l);  // not 1 for 16-bit storage alone, whose factors are doubles
    if (scale != 1.0) l.passes.steps.back().spec.out.stages.push_back(kernels::Multiply{scale});
    if (l.arrays.options.direction == Direction::forward) return;
    swap_parts_of_complex(l);
}

/// Outermost: the user sees the problem's own data.
void add_user_stages(Lowering& l) {
    const problem::DirectionStages& stages = l.arrays.problem.stages_of(l.arrays.options.direction);
    using expression::Side;
    if (stages.load) {
        std::vector<Stage>& load = l.passes.steps.front().spec.in.stages;
        load.insert(load.begin(), user_program(l, 0, Side::load));
    }
    if (stages.store) {
        const std::size_t last = l.passes.steps.size() - 1;
        l.passes.steps[last].spec.out.stages.push_back(user_program(l, last, Side::store));
    }
}

}  // namespace seiche::planner
