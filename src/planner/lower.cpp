// Lowering: a recipe becomes kernel specs, the buffers between them, and the stages that make them one transform.
//
// Pass p of an axis has n_p points, s = n_1 ... n_{p-1} results before it and m = n_{p+1} ... points after it. It takes
// points j m s + q s + k' and leaves them at q n_p s + k s + k' (Stockham at the level of passes), after the twiddle
// w_{n_p s}^{j k'}. With m = 1 both are the same places, so that the last pass of an axis may work in place; the others
// may not.
#include <algorithm>
#include <cmath>
#include <optional>

#include "planner/buffers.hpp"
#include "planner/recipe.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

using kernels::KernelSpec;
using kernels::Loop;
using kernels::Stage;

/// Kernels count sequences in 32 bits; half leaves room for the last group's surplus.
constexpr std::uint64_t most_sequences = std::uint64_t{1} << 31;

class Lowering {
public:
    Lowering(const problem::Canonical& problem, const DeviceLimits& limits, const LowerOptions& options)
        : problem_(problem),
          limits_(limits),
          options_(options),
          input_(input_view(problem)),
          output_(output_view(problem)) {}

    Schedule run(const Recipe& recipe) {
        if (recipe.axes.empty()) {
            copy();
        } else {
            for (const AxisRecipe& axis : recipe.axes) {
                const std::size_t first = schedule_.steps.size();
                add_axis(axis);
                note_growth(axis, first);
            }
            add_outer_stages();
        }
        if (has_stages()) add_user_stages();
        for (Step& step : schedule_.steps) finish(step);
        return schedule_;
    }

private:
    /// Which part of its axis's index a pass transforms.
    struct Part {
        std::size_t axis = 0;
        const Pass* pass = nullptr;
        std::uint64_t s = 1, m = 1;
        bool is_last() const { return m == 1; }
    };
    struct Place {
        Role role = Role::input;
        View view;
    };
    /// The core of a real axis in several passes: the axis has so many points, and they end there if that is given.
    struct Points {
        std::size_t axis = 0;
        std::uint64_t count = 0;
        std::optional<Place> result;
    };

    void copy();
    void add_axis(const AxisRecipe& axis);
    void add_complex(const AxisRecipe& axis);
    void add_real(const AxisRecipe& axis);
    void add_map(const AxisRecipe& axis, const kernels::RealMap& map, const Place& target, bool is_load);
    kernels::RealMap real_map(const AxisRecipe& axis) const;
    std::optional<Place> as_points(const Place& place, const kernels::RealMap& map, bool is_load,
                                   std::size_t axis) const;
    Place result();
    bool is_complex_to_real() const { return problem_.output_is_real && !problem_.input_is_real; }
    Place home();
    Place aside();
    void add_bluestein(const AxisRecipe& axis);
    std::vector<Part> parts_of(const AxisRecipe& axis) const;
    KernelSpec& add_pass(const Part& part, const Place& source, const Place& target);
    static void add_convolution(const Pass& pass, KernelSpec& spec);
    std::vector<Loop> other_loops(std::size_t axis, const View& source, const View& target) const;
    void add_outer_stages();
    void add_user_stages();
    std::vector<kernels::LogicalIndex> logical_indices(std::size_t step, expression::Side side) const;
    bool has_stages() const { return problem_.stages_of(options_.direction) != problem::DirectionStages{}; }
    void note_growth(const AxisRecipe& axis, std::size_t first);
    double spread_scale();
    void finish(Step& step);
    Place workspace(Role role, std::size_t longer, std::uint64_t length);
    bool is_same_memory(const Place& a, const Place& b) const {
        return a.role == b.role || (problem_.in_place() && a.role <= Role::output && b.role <= Role::output);
    }
    Storage storage_of(Role role) const { return role <= Role::output ? problem_.storage : Storage::same; }
    bool is_planar(Role role) const {
        return role == Role::input ? problem_.input_planar : role == Role::output && problem_.output_planar;
    }
    std::int32_t find_loop(const KernelSpec& spec) const;

    const problem::Canonical& problem_;
    const DeviceLimits& limits_;
    const LowerOptions& options_;
    View input_, output_;
    Place present_{Role::input, input_};
    std::optional<Points> points_;
    Schedule schedule_;
    /// What add_pass was told of each step.
    struct PassRecord {
        Part part;
        View source, target;
    };
    std::vector<PassRecord> records_;
    std::vector<std::size_t> complex_steps_;  // those of c2c axes
    std::vector<double> octaves_;             // by which each step may make its data grow
    std::optional<Loop> loop_index_;          // the pass's own loop (q or k') of the last add_pass
};

std::int32_t Lowering::find_loop(const KernelSpec& spec) const {
    const auto found = std::find(spec.loops.begin(), spec.loops.end(), *loop_index_);
    return static_cast<std::int32_t>(found - spec.loops.begin());
}

Lowering::Place Lowering::workspace(Role role, std::size_t longer, std::uint64_t length) {
    Place place{role, workspace_view(problem_, longer, length)};
    std::uint64_t& elements =
        role == Role::workspace_a ? schedule_.workspace_a_elements : schedule_.workspace_b_elements;
    elements = std::max(elements, place.view.batch);
    return place;
}

/// Loops that lie as one in source and target become one.
void merge(std::vector<Loop>& loops) {
    for (std::size_t i = 0; i + 1 < loops.size();) {
        Loop& inner = loops[i];
        const Loop& outer = loops[i + 1];
        if (outer.input_stride == inner.count * inner.input_stride &&
            outer.output_stride == inner.count * inner.output_stride) {
            inner.count *= outer.count;
            loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        } else {
            ++i;
        }
    }
}

void sort_by_stride(std::vector<Loop>& loops) {
    std::stable_sort(loops.begin(), loops.end(),
                     [](const Loop& a, const Loop& b) { return a.input_stride < b.input_stride; });
}

std::vector<Loop> Lowering::other_loops(std::size_t axis, const View& source, const View& target) const {
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < problem_.axes.size(); ++i) {
        const std::uint64_t count = complex_count(problem_.axes[i]);
        if (i != axis && count > 1) loops.push_back({count, source.axes[i], target.axes[i]});
    }
    for (std::size_t i = 0; i < problem_.loops.size(); ++i) {
        loops.push_back({problem_.loops[i].count, source.loops[i], target.loops[i]});
    }
    sort_by_stride(loops);
    if (!has_stages()) merge(loops);  // stages take logical indices from them
    return loops;
}

KernelSpec& Lowering::add_pass(const Part& part, const Place& source, const Place& target) {
    Step step;
    step.source = source.role;
    step.target = target.role;
    KernelSpec& spec = step.spec;
    const std::uint64_t in = source.view.axes[part.axis], out = target.view.axes[part.axis];
    spec.precision = problem_.precision;
    spec.input_storage = storage_of(source.role);
    spec.output_storage = storage_of(target.role);
    spec.input_planar = is_planar(source.role);
    spec.output_planar = is_planar(target.role);
    spec.n = part.pass->core.n;
    spec.radices = part.pass->core.radices;
    spec.input_stride = part.m * part.s * in;
    spec.output_stride = part.s * out;
    spec.loops = other_loops(part.axis, source.view, target.view);
    loop_index_.reset();
    const Loop k{part.s, in, out}, q{part.m, part.s * in, std::uint64_t{part.pass->n} * part.s * out};
    if (part.s > 1) spec.loops.push_back(k);
    if (part.m > 1) spec.loops.push_back(q);
    if (part.s > 1 || part.m > 1) loop_index_ = part.s > 1 ? k : q;
    sort_by_stride(spec.loops);
    spec.loops.push_back({problem_.batch.count, source.view.batch, target.view.batch});
    spec.in_place = source.role == target.role ||
                    (problem_.in_place() && source.role <= Role::output && target.role <= Role::output);
    if (part.s > 1)
        spec.load.push_back(
            kernels::FourStepTwiddle{part.pass->n * part.s, static_cast<std::uint32_t>(find_loop(spec))});
    add_convolution(*part.pass, spec);
    schedule_.steps.push_back(step);
    records_.push_back({part, source.view, target.view});
    present_ = target;
    return schedule_.steps.back().spec;
}

/// The middle and the ends of a convolution that is one kernel. Rader's second core is a forward one too: its outputs
/// are the inverse's, backwards, which makes the order of the store that of the load.
void Lowering::add_convolution(const Pass& pass, KernelSpec& spec) {
    if (pass.algorithm == Algorithm::rader) {
        spec.prime = pass.n;
        spec.middle = {kernels::RaderSpectrum{pass.n}};
    } else if (pass.algorithm == Algorithm::bluestein) {
        spec.load.push_back(kernels::Chirp{pass.n});
        spec.middle = {kernels::ChirpSpectrum{pass.n, pass.core.n}, kernels::SwapParts{}};
        spec.store = {kernels::SwapParts{}, kernels::Chirp{pass.n}};
    }
}

std::vector<Lowering::Part> Lowering::parts_of(const AxisRecipe& axis) const {
    std::vector<Part> parts;
    std::uint64_t s = 1, m = axis.padded ? axis.padded : axis.n;
    for (const Pass& pass : axis.passes) {
        m /= pass.n;
        parts.push_back({axis.axis, &pass, s, m});
        s *= pass.n;
    }
    return parts;
}

/// What a real axis is in this direction.
kernels::RealMap Lowering::real_map(const AxisRecipe& axis) const {
    // r2c and c2r have one direction; the others' inverse is another kind.
    const bool is_other = is_real_to_real(axis.kind) && options_.direction == Direction::inverse;
    return {is_other ? inverse_of(axis.kind) : axis.kind, axis.length, problem_.orthonormal, 1, -1};
}

/// Real memory whose pairs of numbers are the points of the core as they lie.
std::optional<Lowering::Place> Lowering::as_points(const Place& place, const kernels::RealMap& map, bool is_load,
                                                   std::size_t axis) const {
    const kernels::RealWay way = is_load ? kernels::load_way(map.kind) : kernels::store_way(map.kind);
    const std::uint64_t offset = is_load ? problem_.input_byte_offset : problem_.output_byte_offset;
    const bool is_paired = kernels::real_core(map.kind, map.length).is_paired;
    if (way != kernels::RealWay::natural || !is_paired || offset % (2 * problem_.stored_bytes()) != 0)
        return std::nullopt;
    const std::optional<View> view = complex_view(place.view, axis, problem_);
    return view ? std::optional(Place{place.role, *view}) : std::nullopt;
}

void Lowering::add_real(const AxisRecipe& axis) {
    const kernels::RealMap map = real_map(axis);
    const Place target = map.kind == Kind::c2r ? Place{Role::output, output_} : home();
    const std::optional<Place> points_in = as_points(present_, map, true, axis.axis);
    const std::optional<Place> points_out = as_points(target, map, false, axis.axis);
    const std::size_t first = schedule_.steps.size() + (axis.in_one_pass || points_in ? 0 : 1);
    if (axis.in_one_pass) {
        KernelSpec& spec = add_pass({axis.axis, &axis.passes.front(), 1, 1}, points_in ? *points_in : present_,
                                    points_out ? *points_out : target);
        spec.input_real = map.kind != Kind::c2r && !points_in;
        spec.output_real = map.kind != Kind::r2c && !points_out;
        if (!points_in) spec.load_map = map;
        if (!points_out) spec.store_map = map;
    } else {
        points_ = Points{axis.axis, axis.n, points_out};
        if (points_in) {
            present_ = *points_in;
        } else {
            add_map(axis, map, aside(), true);
        }
        add_complex(axis);
    }
    if (kernels::real_core(map.kind, map.length).is_inverse) {
        std::vector<Stage>& load = schedule_.steps[first].spec.load;
        load.insert(load.begin(), kernels::SwapParts{});
        schedule_.steps.back().spec.store.push_back(kernels::SwapParts{});
    }
    if (!axis.in_one_pass && !points_out) add_map(axis, map, target, false);
    points_.reset();
    present_ = target;
}

/// A pass of its own between elements and points.
void Lowering::add_map(const AxisRecipe& axis, const kernels::RealMap& map, const Place& target, bool is_load) {
    Step step;
    step.source = present_.role;
    step.target = target.role;
    KernelSpec& spec = step.spec;
    spec.precision = problem_.precision;
    spec.input_storage = storage_of(present_.role);
    spec.output_storage = storage_of(target.role);
    spec.radices = {1};
    spec.map_only = true;
    (is_load ? spec.load_map : spec.store_map) = map;
    spec.input_real = is_load && map.kind != Kind::c2r;
    spec.output_real = !is_load && map.kind != Kind::r2c;
    spec.input_planar = is_planar(present_.role);
    spec.output_planar = is_planar(target.role);
    spec.input_stride = present_.view.axes[axis.axis];
    spec.output_stride = target.view.axes[axis.axis];
    spec.loops = other_loops(axis.axis, present_.view, target.view);
    spec.loops.insert(spec.loops.begin(), {kernels::map_item_count(spec), 0, 0});
    spec.loops.push_back({problem_.batch.count, present_.view.batch, target.view.batch});
    if (kernels::map_items(spec) == kernels::MapItem::element) {
        (is_load ? spec.output_real : spec.input_real) = true;
        (is_load ? spec.output_stride : spec.input_stride) *= 2;
        for (Loop& loop : spec.loops) (is_load ? loop.output_stride : loop.input_stride) *= 2;
    }
    schedule_.steps.push_back(step);
    present_ = target;
}

/// Where complex data rest between the axes: in the output, but if that is real, not there.
Lowering::Place Lowering::home() {
    if (!is_complex_to_real()) return {Role::output, output_};
    return problem_.in_place() ? Place{Role::input, input_} : workspace(Role::workspace_a, 0, 0);
}

/// Workspace that holds nothing.
Lowering::Place Lowering::aside() {
    const Role role = present_.role == Role::workspace_a ? Role::workspace_b : Role::workspace_a;
    return points_ ? workspace(role, points_->axis, points_->count) : workspace(role, 0, 0);
}

/// Where a complex transform leaves its results.
Lowering::Place Lowering::result() {
    if (!points_) return home();
    return points_->result ? *points_->result : aside();
}

void Lowering::add_axis(const AxisRecipe& axis) {
    if (axis.kind != Kind::c2c) {
        add_real(axis);
        return;
    }
    const std::size_t first = schedule_.steps.size();
    add_complex(axis);
    for (std::size_t i = first; i < schedule_.steps.size(); ++i) complex_steps_.push_back(i);
}

void Lowering::add_complex(const AxisRecipe& axis) {
    if (axis.padded != 0) {
        add_bluestein(axis);
        return;
    }
    for (const Part& part : parts_of(axis)) {
        const bool needs_other = !part.is_last() && (points_ || is_same_memory(present_, home()));
        add_pass(part, present_, needs_other ? aside() : result());
    }
}

/// Forward transform of the chirped, padded sequence; its spectrum times the chirp's; the inverse; the chirp again.
void Lowering::add_bluestein(const AxisRecipe& axis) {
    const std::vector<Part> parts = parts_of(axis);
    const auto other = [&] {
        const Role role = present_.role == Role::workspace_a ? Role::workspace_b : Role::workspace_a;
        return workspace(role, axis.axis, axis.padded);
    };
    for (const Part& part : parts) {
        const bool is_first = part.s == 1;
        const Place target = part.is_last() && !is_first ? present_ : other();
        KernelSpec& spec = add_pass(part, present_, target);
        const std::int32_t loop = find_loop(spec);
        if (is_first) spec.load.push_back(kernels::Chirp{axis.n, part.m, loop});
        if (part.is_last()) spec.store.push_back(kernels::ChirpSpectrum{axis.n, axis.padded, part.s, loop});
    }
    for (const Part& part : parts) {
        const bool is_first = part.s == 1;
        KernelSpec& spec = add_pass(part, present_, part.is_last() ? result() : other());
        const std::int32_t loop = find_loop(spec);
        if (is_first) spec.load.insert(spec.load.begin(), kernels::SwapParts{});
        if (!part.is_last()) continue;
        spec.store.push_back(kernels::SwapParts{});
        spec.store.push_back(kernels::Chirp{axis.n, part.s, loop});
    }
}

void Lowering::copy() {
    const DoubleDouble scale = problem_.scale(options_.direction);
    if (problem_.in_place() && scale == 1.0 && !has_stages()) return;
    Step step;
    if (problem_.input_is_real) {
        step.spec.input_real = step.spec.output_real = true;
        step.spec.load_map = kernels::RealMap{Kind::r2hc, 1, false, 1, -1};
        step.spec.store_map = kernels::RealMap{Kind::hc2r, 1, false, 1, -1};
    }
    step.spec.precision = problem_.precision;
    step.spec.input_storage = step.spec.output_storage = problem_.storage;
    step.spec.input_planar = problem_.input_planar;
    step.spec.output_planar = problem_.output_planar;
    step.spec.radices = {1};
    step.spec.loops = other_loops(problem_.axes.size(), input_, output_);
    step.spec.loops.push_back({problem_.batch.count, input_.batch, output_.batch});
    step.spec.in_place = problem_.in_place();
    if (scale != 1.0) step.spec.store.push_back(kernels::Multiply{scale});
    schedule_.steps.push_back(step);
    records_.push_back({{problem_.axes.size(), nullptr, 1, 1}, input_, output_});
}

/// The inverse of complex axes is their forward transform between two exchanges of parts.
void Lowering::add_outer_stages() {
    DoubleDouble scale = problem_.scale(options_.direction);
    scale.hi *= spread_scale();  // not 1 for halves only, whose factors are doubles
    if (scale != 1.0) schedule_.steps.back().spec.store.push_back(kernels::Multiply{scale});
    if (options_.direction == Direction::forward || complex_steps_.empty()) return;
    std::vector<Stage>& load = schedule_.steps[complex_steps_.front()].spec.load;
    load.insert(load.begin(), kernels::SwapParts{});
    schedule_.steps[complex_steps_.back()].spec.store.push_back(kernels::SwapParts{});
}

/// Of a point that the step loads: j m s + q s + k'; of one that it stores: q n_p s + k s + k'.
std::vector<kernels::LogicalIndex> Lowering::logical_indices(std::size_t step, expression::Side side) const {
    const KernelSpec& spec = schedule_.steps[step].spec;
    const PassRecord& record = records_[step];
    const Part& own = record.part;
    const auto part = [&spec](std::uint64_t count, std::uint64_t in, std::uint64_t out, std::uint64_t unit) {
        // No two loops are equal: points of the target do not overlap.
        const auto found = std::find(spec.loops.begin(), spec.loops.end(), Loop{count, in, out});
        return kernels::LogicalIndex::Part{static_cast<std::uint32_t>(found - spec.loops.begin()), unit};
    };
    const bool is_load = side == expression::Side::load;
    std::vector<kernels::LogicalIndex> all;
    for (const problem::Coordinate& coordinate : problem_.coordinates) {
        kernels::LogicalIndex& index = all.emplace_back();
        const std::size_t i = coordinate.index;
        if (coordinate.kind == problem::Coordinate::Kind::loop) {
            index.parts.push_back(part(problem_.loops[i].count, record.source.loops[i], record.target.loops[i], 1));
        } else if (coordinate.kind == problem::Coordinate::Kind::axis && i != own.axis) {
            index.parts.push_back(part(problem_.axes[i].length, record.source.axes[i], record.target.axes[i], 1));
        } else if (coordinate.kind == problem::Coordinate::Kind::axis) {
            const std::uint64_t in = record.source.axes[i], out = record.target.axes[i], done = own.s * own.pass->n;
            index.element_step = is_load ? own.m * own.s : own.s;
            if (own.s > 1) index.parts.push_back(part(own.s, in, out, 1));
            if (own.m > 1) index.parts.push_back(part(own.m, own.s * in, done * out, is_load ? own.s : done));
        }
    }
    return all;
}

/// Outermost: the user sees the problem's own data.
void Lowering::add_user_stages() {
    const problem::DirectionStages& stages = problem_.stages_of(options_.direction);
    using expression::Side;
    if (stages.load) {
        std::vector<Stage>& load = schedule_.steps.front().spec.load;
        load.insert(load.begin(), kernels::UserProgram{Side::load, stages.load, logical_indices(0, Side::load)});
    }
    if (stages.store) {
        const std::size_t last = schedule_.steps.size() - 1;
        schedule_.steps[last].spec.store.push_back(
            kernels::UserProgram{Side::store, stages.store, logical_indices(last, Side::store)});
    }
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
            static_cast<double>(kernels::sequence_points(schedule_.steps[i].spec, schedule_.steps[i].spec.load)));
}

/// A pass that leaves f16 between others already applies its share of a scale below 1, by a power of two, so that what
/// is scaled down in the end does not overflow half-way. Gives what the last pass must undo.
double Lowering::spread_scale() {
    const double scale = std::abs(problem_.scale(options_.direction).hi);
    if (problem_.storage != Storage::f16 || scale >= 1.0 || problem_.n < 2) return 1.0;
    const double per_octave = -std::log2(scale) / std::log2(static_cast<double>(problem_.n));
    double grown = 0;
    int applied = 0;
    for (Step& step : schedule_.steps) {
        grown += octaves_[static_cast<std::size_t>(&step - schedule_.steps.data())];
        const int share = static_cast<int>(per_octave * grown) - applied;
        if (&step == &schedule_.steps.back() || storage_of(step.target) == Storage::same || share < 1) continue;
        step.spec.store.push_back(kernels::Multiply{std::ldexp(1.0, -share)});
        applied += share;
    }
    return std::ldexp(1.0, applied);
}

void Lowering::finish(Step& step) {
    KernelSpec& spec = step.spec;
    const std::size_t number = static_cast<std::size_t>(&step - schedule_.steps.data());
    spec.name = std::string(options_.direction == Direction::forward ? "forward" : "inverse") + "_" +
                std::to_string(number) + "_n" + std::to_string(spec.n);
    spec.movement_only = options_.tuning.movement_only;
    const std::uint64_t sequences = kernels::sequences_per_batch(spec);
    if (sequences > most_sequences) {
        throw Unsupported("a pass of " + std::to_string(spec.n) +
                          " points: expected at most 2^31 sequences in an array, got " + std::to_string(sequences));
    }
    choose_shape(spec, limits_, options_.tuning, sequences * problem_.batch.count);
    spec.loops.back().count = 0;  // the batch is an argument of the launch: plans that differ in it share kernels
}

}  // namespace

Schedule lower(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
               const LowerOptions& options) {
    return Lowering(problem, limits, options).run(recipe);
}

}  // namespace seiche::planner
