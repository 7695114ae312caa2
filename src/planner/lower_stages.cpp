// Lowering of what is done beside the transform: the directions' exchange of parts, scales, the user's stages.
#include <algorithm>
#include <cmath>

#include "planner/lowering.hpp"

namespace seiche::planner {

/// The inverse of complex axes is their forward transform between two exchanges of parts.
void Lowering::add_outer_stages() {
    DoubleDouble scale = problem_.scale(options_.direction);
    scale.hi *= spread_scale();  // not 1 for halves only, whose factors are doubles
    if (scale != 1.0) schedule_.steps.back().spec.out.stages.push_back(kernels::Multiply{scale});
    if (options_.direction == Direction::forward || complex_steps_.empty()) return;
    std::vector<Stage>& load = schedule_.steps[complex_steps_.front()].spec.in.stages;
    load.insert(load.begin(), kernels::SwapParts{});
    schedule_.steps[complex_steps_.back()].spec.out.stages.push_back(kernels::SwapParts{});
}

/// Of a point that the step loads: j m s + q s + k'; of one that it stores: q n_p s + k s + k'; of a transposed pass
/// the other way round. In pass order it is the position, of both. Of folded elements it is the element, wherever its
/// point is.
std::vector<kernels::LogicalIndex> Lowering::logical_indices(std::size_t step, expression::Side side) const {
    const KernelSpec& spec = schedule_.steps[step].spec;
    const PassRecord& record = records_[step];
    const Part& own = record.part;
    const auto part = [&spec](const Loop& loop, std::uint64_t unit) {
        // No two loops are equal: points of the target do not overlap.
        const auto found = std::find(spec.loops.begin(), spec.loops.end(), loop);
        return kernels::LogicalIndex::Part{static_cast<std::uint32_t>(found - spec.loops.begin()), unit};
    };
    const bool is_load = side == expression::Side::load;
    const bool is_folded = is_load ? spec.in.folded() != nullptr : spec.out.folded() != nullptr;
    std::vector<kernels::LogicalIndex> all;
    for (const problem::Coordinate& coordinate : problem_.coordinates) {
        kernels::LogicalIndex& index = all.emplace_back();
        const std::size_t i = coordinate.index;
        if (coordinate.kind == problem::Coordinate::Kind::loop) {
            index.parts.push_back(part({problem_.loops[i].count, record.source.loops[i], record.target.loops[i]}, 1));
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

/// Outermost: the user sees the problem's own data.
void Lowering::add_user_stages() {
    const problem::DirectionStages& stages = problem_.stages_of(options_.direction);
    using expression::Side;
    if (stages.load) {
        std::vector<Stage>& load = schedule_.steps.front().spec.in.stages;
        load.insert(load.begin(), user_program(0, Side::load));
    }
    if (stages.store) {
        const std::size_t last = schedule_.steps.size() - 1;
        schedule_.steps[last].spec.out.stages.push_back(user_program(last, Side::store));
    }
}

/// The stage of one side in the step that touches the user's array. Real numbers without a map are loaded and stored
/// two by two, as the points that they are, or one by one, of which each is a point.
kernels::UserProgram Lowering::user_program(std::size_t step, expression::Side side) const {
    using Element = kernels::UserProgram::Element;
    const bool is_load = side == expression::Side::load;
    const problem::DirectionStages& stages = problem_.stages_of(options_.direction);
    const KernelSpec& spec = schedule_.steps[step].spec;
    kernels::UserProgram user;
    user.side = side;
    user.program = is_load ? stages.load : stages.store;
    user.axes = logical_indices(step, side);
    if (spec.side(is_load).map() || spec.side(is_load).folded()) {
        user.element = Element::mapped;
    } else if (spec.side(is_load).is_real()) {
        user.element = Element::number;
    } else if (user.program->is_real) {
        user.element = Element::part;
        const problem::Coordinate own{problem::Coordinate::Kind::axis, records_[step].part.axis};
        const auto found = std::find(problem_.coordinates.begin(), problem_.coordinates.end(), own);
        user.paired = static_cast<std::uint32_t>(found - problem_.coordinates.begin());
        kernels::LogicalIndex& index = user.axes[user.paired];
        index.element_step *= 2;
        for (kernels::LogicalIndex::Part& part : index.parts) part.step *= 2;
    }
    return user;
}

/// What passes of padded length or between elements and points do lies in workspaces, until the axis is done.
void Lowering::note_growth(const AxisRecipe& axis, std::size_t first) {
    octaves_.resize(schedule_.steps.size(), 0.0);
    if (axis.kind != Kind::c2c || axis.padded != 0) {
        const std::uint64_t n = axis.kind == Kind::c2c ? axis.n : logical_length(axis.kind, axis.length);
        octaves_.back() = std::log2(static_cast<double>(std::max<std::uint64_t>(n, 1)));
        return;
    }
    for (std::size_t i = first; i < octaves_.size(); ++i)
        octaves_[i] = std::log2(
            static_cast<double>(kernels::sequence_points(schedule_.steps[i].spec, schedule_.steps[i].spec.in.stages)));
}

/// A pass that leaves f16 between others already applies its share of a scale below 1, by a power of two, so that what
/// is scaled down in the end does not overflow half-way. Where arithmetic is in f16 too, half of the scale is applied
/// to the input: what grows by sqrt(N), as noise does, then stays as large as it is, and no factor is so small that it
/// loses digits. Gives what the last pass must undo.
double Lowering::spread_scale() {
    const double scale = std::abs(problem_.scale(options_.direction).hi);
    if (problem_.precision == Precision::f16 && scale < 1.0) {
        const int share = static_cast<int>(-std::log2(scale) / 2);
        // A map alone has no stages on its points' way in; what comes after it is as good.
        const auto first = std::find_if(schedule_.steps.begin(), schedule_.steps.end(),
                                        [](const Step& step) { return !step.spec.is_repacking(); });
        std::vector<Stage>& load = first->spec.in.stages;
        if (share > 0) load.insert(load.begin(), kernels::Multiply{std::ldexp(1.0, -share)});
        return std::ldexp(1.0, share);
    }
    if (problem_.storage != Storage::f16 || scale >= 1.0 || problem_.n < 2) return 1.0;
    const double per_octave = -std::log2(scale) / std::log2(static_cast<double>(problem_.n));
    double grown = 0;
    int applied = 0;
    for (Step& step : schedule_.steps) {
        grown += octaves_[static_cast<std::size_t>(&step - schedule_.steps.data())];
        const int share = static_cast<int>(per_octave * grown) - applied;
        if (&step == &schedule_.steps.back() || storage_of(step.target) == Storage::same || share < 1) continue;
        step.spec.out.stages.push_back(kernels::Multiply{std::ldexp(1.0, -share)});
        applied += share;
    }
    return std::ldexp(1.0, applied);
}

}  // namespace seiche::planner
