// The passes of a schedule as they are added.
//
// Pass p of an axis has n_p points, s = n_1 ... n_{p-1} results before it and m = n_{p+1} ... points after it. It takes
// points j m s + q s + k' and leaves them at q n_p s + k s + k' (Stockham at the level of passes), after the twiddle
// w_{n_p s}^{j k'}. With m = 1 both are the same places, so that the last pass of an axis may work in place; the others
// may not. In pass order (complex_axes.cpp) every pass does.
#include "planner/lower/passes.hpp"

#include <algorithm>

#include "support/layout.hpp"

namespace seiche::planner {

namespace {

void transpose(Step& step) {
    KernelSpec& spec = step.spec;
    std::swap(step.source, step.target);
    std::swap(spec.in, spec.out);
    std::swap(spec.in.stages, spec.out.stages);  // in their order
    for (Loop& loop : spec.loops) std::swap(loop.input_stride, loop.output_stride);
    // The transform itself, a convolution too, is its own transpose.
    if (spec.in.stages.empty() || !std::holds_alternative<kernels::FourStepTwiddle>(spec.in.stages.front())) return;
    spec.out.stages.push_back(spec.in.stages.front());
    spec.in.stages.erase(spec.in.stages.begin());
}

/// The middle and the ends of a convolution that is one kernel. Rader's second core is a forward one too: its outputs
/// are the inverse's, backwards, which makes the order of the store that of the load.
void add_convolution(const Pass& pass, KernelSpec& spec) {
    if (pass.algorithm == Algorithm::rader) {
        spec.convolution.prime = pass.n;
        spec.convolution.stages = {kernels::RaderSpectrum{pass.n, splits_parity(pass) ? pass.core.n : 0}};
    } else if (pass.algorithm == Algorithm::bluestein) {
        spec.in.stages.push_back(kernels::Chirp{pass.n});
        spec.convolution.stages = {kernels::ChirpSpectrum{pass.n, pass.core.n}, kernels::SwapParts{}};
        spec.out.stages = {kernels::SwapParts{}, kernels::Chirp{pass.n}};
    }
}

}  // namespace

std::int32_t Passes::find_loop(const KernelSpec& spec) const {
    const auto found = std::find(spec.loops.begin(), spec.loops.end(), *loop_index);
    return static_cast<std::int32_t>(found - spec.loops.begin());
}

std::vector<Loop> Passes::problem_loops(const View& source, const View& target, std::vector<Loop> loops) const {
    const problem::Canonical& problem = arrays_.problem;
    for (std::size_t i = 0; i < problem.loops.size(); ++i)
        loops.push_back({problem.loops[i].count, source.loops[i], target.loops[i]});
    support::sort_by_stride(loops);
    if (!arrays_.has_stages()) support::coalesce(loops);  // stages take logical indices from them
    return loops;
}

std::vector<Loop> Passes::other_loops(std::size_t axis, const View& source, const View& target) const {
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < arrays_.problem.axes.size(); ++i)
        if (i != axis && complex_count(arrays_.problem.axes[i]) > 1) loops.push_back(axis_loop(i, source, target));
    return problem_loops(source, target, std::move(loops));
}

/// Along another axis: what pruning leaves of the spectrum where that is transformed already, else of the signal.
Loop Passes::axis_loop(std::size_t axis, const View& source, const View& target) const {
    Loop loop{complex_count(arrays_.problem.axes[axis]), source.axes[axis], target.axes[axis]};
    const kernels::Kept own = arrays_.kept(axis, !done[axis]);
    if (own.ranges.empty()) return loop;
    loop.count = 0;
    std::uint64_t reached = 0;
    for (const kernels::Range& range : own.ranges) {
        if (range.begin > reached) loop.gaps.push_back({loop.count, range.begin - reached});
        loop.count += range.end - range.begin;
        reached = range.end;
    }
    return loop;
}

/// Point j of the axis is element j / m of the first pass, and loop q has the remainder.
void Passes::keep_input(KernelSpec& spec, const AxisPass& part) const {
    if (arrays_.problem.is_right_angled) turn_halves(spec, part.m, part.m == 1 ? -1 : find_loop(spec), true);
    spec.in.kept = kept_in;
    if (spec.in.kept.ranges.empty() || part.m == 1) return;
    spec.in.kept.element_stride = part.m;
    spec.in.kept.loop = find_loop(spec);
}

/// Result k s + k' of the axis is element k of the last pass, and loop k' has the remainder.
void Passes::keep_output(KernelSpec& spec, const AxisPass& part) const {
    spec.out.kept = kept_out;
    if (spec.out.kept.ranges.empty() || part.s == 1) return;
    spec.out.kept.element_stride = part.s;
    spec.out.kept.loop = find_loop(spec);
}

Step Passes::step_between(const Place& source, const Place& target) const {
    Step step;
    step.source = source.role;
    step.target = target.role;
    KernelSpec& spec = step.spec;
    spec.precision = arrays_.problem.precision;
    spec.in.storage = arrays_.storage_of(source.role);
    spec.out.storage = arrays_.storage_of(target.role);
    spec.in.set_planar(arrays_.is_planar(source.role));
    spec.out.set_planar(arrays_.is_planar(target.role));
    spec.in.offset = arrays_.offset(source, true);
    spec.out.offset = arrays_.offset(target, false);
    return step;
}

KernelSpec& Passes::push(const Step& step, const PassRecord& record) {
    steps.push_back(step);
    records.push_back(record);
    return steps.back().spec;
}

KernelSpec& Passes::add(const AxisPass& part, const Place& source, const Place& target) {
    Step step = step_between(source, target);
    KernelSpec& spec = step.spec;
    const std::int64_t in = source.view.axes[part.axis], out = target.view.axes[part.axis];
    spec.n = part.pass->core.n;
    spec.radices = part.pass->core.radices;
    spec.in.stride = support::times(part.input_step(), in);
    spec.out.stride = support::times(part.output_step(), out);
    spec.loops = other_loops(part.axis, source.view, target.view);
    loop_index.reset();
    if (part.stays) {
        add_staying_loops(part, in, out, spec);
    } else {
        add_own_loops(part, in, out, spec);
    }
    spec.loops.push_back(batch_loop(source.view, target.view));
    spec.in_place = arrays_.is_same_memory(source, target);
    const std::uint64_t twiddled = part.stays ? part.m : part.s;
    const bool is_before = !part.stays || arrays_.options.direction == Direction::inverse;  // of the core
    std::optional<kernels::FourStepTwiddle> twiddle;
    if (twiddled > 1) twiddle = {std::uint64_t{part.pass->n} * twiddled, static_cast<std::uint32_t>(find_loop(spec))};
    if (twiddle && is_before) spec.in.stages.push_back(*twiddle);
    add_convolution(*part.pass, spec);
    if (twiddle && !is_before) spec.out.stages.push_back(*twiddle);
    KernelSpec& added = push(step, record(part, source.view, target.view));
    places_.present = target;
    return added;
}

PassRecord Passes::record(const AxisPass& part, const View& source, const View& target) const {
    PassRecord made{part, source, target};
    for (std::size_t i = 0; i < arrays_.problem.axes.size(); ++i) made.others.push_back(axis_loop(i, source, target));
    return made;
}

/// Over the results before the pass and over the points after it.
void Passes::add_own_loops(const AxisPass& part, std::int64_t in, std::int64_t out, KernelSpec& spec) {
    const Loop k{part.s, in, out},
        q{part.m, support::times(part.s, in), support::times(std::uint64_t{part.pass->n} * part.s, out)};
    if (part.s > 1) spec.loops.push_back(k);
    if (part.m > 1) spec.loops.push_back(q);
    if (part.s > 1 || part.m > 1) loop_index = part.s > 1 ? k : q;
    support::sort_by_stride(spec.loops);
}

/// Over the blocks of results before the pass, which no stage looks at, and over the points after it.
void Passes::add_staying_loops(const AxisPass& part, std::int64_t in, std::int64_t out, KernelSpec& spec) {
    const std::uint64_t block = part.m * part.pass->n;
    if (part.s > 1) spec.loops.push_back({part.s, support::times(block, in), support::times(block, out)});
    support::sort_by_stride(spec.loops);
    if (!arrays_.has_stages()) support::coalesce(spec.loops);
    if (part.m == 1) return;
    loop_index = Loop{part.m, in, out};
    spec.loops.push_back(*loop_index);
    support::sort_by_stride(spec.loops);
}

std::vector<AxisPass> Passes::parts_of(const AxisRecipe& axis) const {
    std::vector<AxisPass> parts;
    std::uint64_t s = 1, m = axis.padded ? axis.padded : axis.n;
    for (const Pass& pass : axis.passes) {
        m /= pass.n;
        parts.push_back({axis.axis, &pass, s, m, arrays_.stays_in_order(axis)});
        s *= pass.n;
    }
    return parts;
}

/// Of a right-angle convolution. The store's exchange of parts makes the conjugate of the factor.
void Passes::turn_halves(KernelSpec& spec, std::uint64_t columns, std::int32_t loop, bool is_load) const {
    const kernels::Turn turn{4 * arrays_.problem.axes.front().length, 1, 0, columns, loop};
    spec.side(is_load).elements = kernels::SplitHalves{};
    if (is_load) {
        spec.in.stages.insert(spec.in.stages.begin(), turn);
    } else {
        spec.out.stages.push_back(turn);
    }
}

/// Of a transposed first pass, result j m + q of the axis is element j, and loop q has the remainder.
void Passes::keep_transposed_output(KernelSpec& spec, const AxisPass& part) const {
    spec.out.kept = kept_out;
    if (spec.out.kept.ranges.empty()) return;
    spec.out.kept.element_stride = part.m;
    spec.out.kept.loop = find_loop(spec);
}

KernelSpec& Passes::add_transposed(const AxisPass& part, const Place& source, const Place& target) {
    add(part, target, source);
    Step& step = steps.back();
    transpose(step);
    records.back().part.is_transposed = true;
    std::swap(records.back().source, records.back().target);
    for (Loop& loop : records.back().others) std::swap(loop.input_stride, loop.output_stride);
    if (loop_index) std::swap(loop_index->input_stride, loop_index->output_stride);
    step.spec.in.offset = arrays_.offset(source, true);
    step.spec.out.offset = arrays_.offset(target, false);
    step.spec.in.storage = arrays_.storage_of(source.role);
    step.spec.out.storage = arrays_.storage_of(target.role);
    places_.present = target;
    return step.spec;
}

const PassRecord& Passes::record_of(const KernelSpec& spec) const {
    const auto step =
        std::find_if(steps.begin(), steps.end(), [&spec](const Step& each) { return &each.spec == &spec; });
    return records[static_cast<std::size_t>(step - steps.begin())];
}

Passes::Mark Passes::mark() const {
    return {steps.size(), places_.present, places_.workspace_a_elements, places_.workspace_b_elements, loop_index};
}

void Passes::return_to(const Mark& mark) {
    steps.resize(mark.count);
    records.resize(mark.count);
    places_.present = mark.present;
    places_.workspace_a_elements = mark.workspace_a_elements;
    places_.workspace_b_elements = mark.workspace_b_elements;
    loop_index = mark.loop_index;
}

}  // namespace seiche::planner
