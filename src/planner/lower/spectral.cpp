// Lowering of convolutions. The forward transform leaves its last pass to one that multiplies and begins the inverse:
// its core runs twice, with the product between. What is left of that axis's inverse are its first passes transposed:
// pass p takes points q n_p s + k s + k', and leaves them at j m s + q s + k' after the twiddle w_{n_p s}^{j k'}. The
// other axes go back as any inverse transform does.
#include "planner/lower/spectral.hpp"

#include <algorithm>

#include "kernels/contract/generate.hpp"
#include "seiche/error.hpp"
#include "support/layout.hpp"

namespace seiche::planner {

namespace {

/// A loop in source, target and spectra.
using SpectrumLoop = support::Mode<3>;

const problem::Axis& axis_of(const SpectralDesign& design) {
    return design.signal.axes[design.recipe.axes.back().axis];
}

bool is_diagonal(const SpectralDesign& design) { return design.spectral.channels == ChannelMatrix::diagonal; }

/// Outputs whose sums one kernel holds. Those of a symmetric matrix are not the same for every run of them; each
/// product of a phase correlation has its own magnitude.
std::uint32_t outputs_at_once(const SpectralDesign& design) {
    const problem::CanonicalSpectral& c = design.spectral;
    if (is_diagonal(design) || c.product == ConvolutionProduct::phase) return 1;
    if (c.channels == ChannelMatrix::symmetric) return c.outputs;
    std::uint32_t count = std::min(c.outputs, most_sums);
    while (c.outputs % count != 0) --count;
    return count;
}

/// Between which views a fused pass goes, and its own loops: over the results of the passes before it, and over blocks.
struct FusedPass {
    std::size_t axis = 0;
    const View& source;
    const View& target;
    Loop results, block;
};

std::int64_t channel_stride(const View& view) { return view.loops.empty() ? 0 : view.loops.front(); }

/// Fastest first, without the batch.
std::vector<SpectrumLoop> loops_of(const SpectralDesign& d, const FusedPass& pass) {
    const std::uint64_t inputs = d.spectral.inputs, at_once = outputs_at_once(d);
    const auto size = static_cast<std::int64_t>(d.spectrum_points);
    std::vector<SpectrumLoop> loops;
    for (std::size_t i = 0; i < d.signal.axes.size(); ++i) {
        const std::uint64_t count = complex_count(d.signal.axes[i]);
        if (i != pass.axis && count > 1)
            loops.push_back({count, {pass.source.axes[i], pass.target.axes[i], d.signal.axes[i].output_stride}});
    }
    const std::int64_t channel_in = channel_stride(pass.source), channel_out = channel_stride(pass.target);
    if (is_diagonal(d)) {
        loops.push_back({inputs, {channel_in, channel_out, size}});
    } else if (at_once != d.spectral.outputs) {
        loops.push_back({d.spectral.outputs / at_once,
                         {0, support::times(at_once, channel_out), support::times(at_once * inputs, size)}});
    }
    const auto add = [&loops](const Loop& own, std::int64_t in_spectra) {
        if (own.count > 1) loops.push_back({own.count, {own.input_stride, own.output_stride, in_spectra}});
    };
    add(pass.results, axis_of(d).output_stride);
    add(pass.block, 0);
    support::sort_by_stride(loops, 1);
    // A middle stage takes logical indices from them.
    if (pass.results.count == 1 && pass.block.count == 1 && !d.spectral.stages.middle) support::coalesce(loops);
    return loops;
}

std::int32_t find(const KernelSpec& spec, const Loop& loop) {
    return static_cast<std::int32_t>(std::find(spec.loops.begin(), spec.loops.end(), loop) - spec.loops.begin());
}

/// Overlap-save: what each block reads of the signal, and which of its points are results.
void set_blocks(const SpectralDesign& d, std::int32_t loop, KernelSpec& spec) {
    const problem::SpectralAxis& own = d.spectral.axes.front();
    const std::uint64_t before = own.kernel - 1;
    const bool is_correlation = d.spectral.product != ConvolutionProduct::convolve;
    const std::uint64_t skipped = is_correlation ? 0 : before;
    const std::uint64_t origin = is_correlation ? own.origin : before - own.first;  // of the signal in its blocks
    spec.in.kept = {{{origin, origin + own.signal}}, 1, loop, d.step, {}};
    spec.out.kept = {{{skipped, skipped + own.count}}, 1, loop, d.step, kernels::Range{skipped, skipped + d.step}};
    spec.in.offset = -static_cast<std::int64_t>(origin);
    spec.out.offset = -static_cast<std::int64_t>(skipped);
}

kernels::SpectrumProduct product_of(const SpectralDesign& design) {
    kernels::SpectrumProduct product;
    product.conjugated = design.spectral.product != ConvolutionProduct::convolve;
    if (design.spectral.product != ConvolutionProduct::phase) return product;
    product.magnitude = 1.0;
    for (const std::uint64_t length : design.lengths) product.magnitude /= static_cast<double>(length);
    return product;
}

/// Of an axis in one pass: what pruning leaves on either side of it, and the exchange of parts that makes the second
/// core the inverse.
void add_ends_of_lone_pass(Lowering& l, const SpectralDesign& d, const AxisPass& part, const Place& target,
                           KernelSpec& spec) {
    spec.in.offset = l.arrays.offset(l.places.present, true);
    spec.in.kept = l.arrays.kept(part.axis, true);
    const Arrays back(d.result, l.arrays.limits, {Direction::inverse, l.arrays.options.tuning, true, false},
                      Rest::in_input);
    spec.out.kept = back.kept(part.axis, false);
    if (d.is_one_kernel()) spec.out.offset = back.offset({Role::output, target.view}, false);
    if (d.is_right_angled) {
        l.passes.turn_halves(spec, 1, -1, true);
        l.passes.turn_halves(spec, 1, -1, false);
    }
    if (!d.spectral.begins_with_spectrum()) spec.out.stages.push_back(kernels::SwapParts{});
}

/// Of a bin: along the fused axis a result of its last pass, along the others an index of a loop.
std::vector<kernels::LogicalIndex> bin_indices(const SpectralDesign& d, const FusedPass& pass, const KernelSpec& spec) {
    std::vector<kernels::LogicalIndex> all;
    for (const problem::Coordinate& coordinate : d.spectral.coordinates) {
        kernels::LogicalIndex& index = all.emplace_back();
        if (coordinate.kind != problem::Coordinate::Kind::axis) continue;
        const std::size_t i = coordinate.index;
        const Loop other{complex_count(d.signal.axes[i]), pass.source.axes[i], pass.target.axes[i]};
        const bool is_own = i == pass.axis;
        if (is_own) index.element_step = pass.results.count;
        const Loop& loop = is_own ? pass.results : other;
        if (loop.count > 1) index.parts.push_back({static_cast<std::uint32_t>(find(spec, loop)), 1});
    }
    return all;
}

/// What stands between both runs of the core.
void add_middle(const SpectralDesign& d, const FusedPass& pass, const kernels::SpectrumProduct& product,
                KernelSpec& spec) {
    std::vector<Stage>& stages = spec.convolution.stages;
    if (d.spectral.kernels != 0) stages.push_back(product);
    if (d.spectral.begins_with_spectrum()) stages.push_back(kernels::SwapParts{});
    if (d.spectral.stages.middle) {
        kernels::UserProgram user;
        user.side = expression::Side::middle;
        user.program = d.spectral.stages.middle;
        user.axes = bin_indices(d, pass, spec);
        set_pairs_of_bins(d, user);
        stages.push_back(user);
        if (d.spectral.sums() != 0) spec.convolution.sums = kernels::BinSums{d.spectral.sum_precision};
    }
    if (d.middle_scale() != 1.0) stages.push_back(kernels::Multiply{d.middle_scale()});
    if (!d.spectral.begins_with_spectrum()) stages.push_back(kernels::SwapParts{});
}

/// The last pass of the last axis and the first of its inverse, with the product between; in place where no other group
/// reads the same points.
void add_fused_pass(Lowering& l, const SpectralDesign& d, const AxisPass& part, const Place& target) {
    const problem::Axis& axis = axis_of(d);
    const std::int64_t in = l.places.present.view.axes[part.axis], out = target.view.axes[part.axis];
    const FusedPass pass{part.axis,
                         l.places.present.view,
                         target.view,
                         {part.s, in, out},
                         {d.blocks, support::times(d.step, in), support::times(d.step, out)}};
    Step step = l.passes.step_between(l.places.present, target);
    KernelSpec& spec = step.spec;
    spec.out.storage = d.is_one_kernel() ? l.arrays.problem.storage : Storage::same;
    spec.in.set_real(l.places.present.role == Role::input && d.signal.input_is_real);
    spec.out.set_real(d.is_one_kernel() && d.result.output_is_real);
    spec.n = d.fused->n;
    spec.radices = d.fused->radices;
    spec.in.stride = support::times(part.s, in);
    spec.out.stride = support::times(part.s, out);
    kernels::SpectrumProduct product = product_of(d);
    product.element_stride = part.s * static_cast<std::uint64_t>(axis.output_stride);
    for (const auto& [count, strides] : loops_of(d, pass)) {
        spec.loops.push_back({count, strides[0], strides[1]});
        product.loop_strides.push_back(strides[2]);
    }
    spec.loops.push_back(l.passes.batch_loop(l.places.present.view, target.view));
    product.loop_strides.push_back(0);
    spec.in_place = !d.is_one_kernel() && l.places.present.role == target.role;
    add_middle(d, pass, product, spec);
    if (!is_diagonal(d) && d.spectral.kernels > 1)
        spec.convolution.channels = {d.spectral.inputs,
                                     outputs_at_once(d),
                                     d.spectral.channels == ChannelMatrix::symmetric,
                                     static_cast<std::uint64_t>(channel_stride(l.places.present.view)),
                                     static_cast<std::uint64_t>(channel_stride(target.view)),
                                     d.spectrum_points};
    if (part.s > 1) {
        const kernels::FourStepTwiddle twiddle{part.pass->n * part.s,
                                               static_cast<std::uint32_t>(find(spec, pass.results))};
        spec.in.stages.push_back(twiddle);
        spec.out.stages.push_back(twiddle);
    } else {
        add_ends_of_lone_pass(l, d, part, target, spec);
    }
    if (d.blocks > 1) set_blocks(d, find(spec, pass.block), spec);
    l.passes.push(step, {part, l.places.present.view, target.view});
    l.places.present = target;
}

/// The product with the spectra at the end of that step.
void append_product(Lowering& l, const SpectralDesign& d) {
    if (!is_diagonal(d) && d.spectral.kernels > 1)
        throw Unsupported(
            "convolution.signal: expected lengths of small prime factors for a matrix of channels in a "
            "circular convolution, got " +
            std::to_string(d.recipe.axes.back().n));
    KernelSpec& spec = l.passes.steps.back().spec;
    // The result of the last step is the dense spectrum, whose strides those in the spectra are, but for the channels'.
    kernels::SpectrumProduct product = product_of(d);
    product.element_stride = static_cast<std::uint64_t>(spec.out.stride);
    for (const Loop& loop : spec.loops) {
        const bool is_batch = &loop == &spec.loops.back();
        product.loop_strides.push_back(is_batch ? 0 : loop.output_stride);
    }
    spec.out.stages.push_back(product);
}

/// Beside the last step of a transform that is a convolution itself. Its stages are there already.
void append_middle(Lowering& l, const SpectralDesign& d) {
    std::vector<Stage>& stages = l.passes.steps.back().spec.out.stages;
    if (d.spectral.kernels != 0) append_product(l, d);
    for (Stage& stage : stages)
        if (auto* user = std::get_if<kernels::UserProgram>(&stage)) set_pairs_of_bins(d, *user);
    if (d.middle_scale() != 1.0) stages.push_back(kernels::Multiply{d.middle_scale()});
}

}  // namespace

namespace {

Place pass_to_spectrum(Lowering& l, const SpectralDesign& d) {
    const AxisRecipe& last = d.recipe.axes.back();
    for (const AxisRecipe& axis : d.recipe.axes) {
        if (&axis == &last) break;
        add_axis(l, axis);
        l.passes.done[axis.axis] = true;
    }
    const std::vector<AxisPass> parts = l.passes.parts_of(last);
    if (!d.fused) {
        add_axis(l, last);
        return l.places.present;
    }
    const std::size_t first = l.passes.steps.size();
    l.passes.kept_in = l.arrays.kept(last.axis, true);
    for (const AxisPass& part : parts) {
        if (part.is_last()) break;
        KernelSpec& spec = l.passes.add(
            part, l.places.present,
            l.arrays.is_same_memory(l.places.present, l.places.home()) ? l.places.aside() : l.places.home());
        if (part.s == 1) l.passes.keep_input(spec, part);
    }
    for (std::size_t i = first; i < l.passes.steps.size(); ++i)
        l.passes.steps[i].spec.in.set_real(l.arrays.problem.input_is_real && l.passes.steps[i].source == Role::input);
    Place target = l.places.present;
    if (d.is_one_kernel()) {
        target = {Role::output, output_view(d.result)};
    } else {
        // The spectra of all outputs, as dense as those of the inputs.
        target.view = input_view(d.result);
        const bool is_read_again = !is_diagonal(d) && outputs_at_once(d) != d.spectral.outputs;
        if (is_read_again || l.places.present.view.batch != target.view.batch)
            target.role =
                l.arrays.is_same_memory(l.places.present, l.places.home()) ? l.places.aside().role : Role::output;
        const auto elements = static_cast<std::uint64_t>(target.view.batch);
        if (target.role == Role::workspace_a)
            l.places.workspace_a_elements = std::max(l.places.workspace_a_elements, elements);
        if (target.role == Role::workspace_b)
            l.places.workspace_b_elements = std::max(l.places.workspace_b_elements, elements);
    }
    add_fused_pass(l, d, parts.back(), target);
    return l.places.present;
}

}  // namespace

Place to_spectrum(Lowering& l, const SpectralDesign& d) {
    Place place = pass_to_spectrum(l, d);
    if (d.spectral.begins_with_spectrum()) {
        // The first way is the inverse one then: its parts change places before it, and before the middle.
        std::vector<Stage>& load = l.passes.steps.front().spec.in.stages;
        load.insert(load.begin(), kernels::SwapParts{});
        if (!d.fused) l.passes.steps.back().spec.out.stages.push_back(kernels::SwapParts{});
    }
    if (l.arrays.has_stages()) add_user_stages(l);
    if (!d.fused && d.spectral.sums() == 0) append_middle(l, d);
    return place;
}

void from_spectrum(Lowering& l, const SpectralDesign& d, const Place& start) {
    l.arrays.input = start.view;
    l.places.present = {Role::input, l.arrays.input};
    const AxisRecipe& last = d.recipe.axes.back();
    const bool has_others = d.recipe.axes.size() > 1;
    if (d.fused) {
        std::vector<AxisPass> parts = l.passes.parts_of(last);
        parts.pop_back();
        l.passes.kept_out = l.arrays.kept(last.axis, false);
        l.places.is_last_axis = !has_others;
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            const bool ends = part->s == 1 && !has_others;
            KernelSpec& spec =
                l.passes.add_transposed(*part, l.places.present, ends ? l.places.home() : l.places.aside());
            if (part->s != 1) continue;
            if (l.arrays.problem.is_right_angled) l.passes.turn_halves(spec, part->m, l.passes.find_loop(spec), false);
            if (!d.spectral.begins_with_spectrum()) spec.out.stages.push_back(kernels::SwapParts{});
            spec.out.set_real(ends && l.arrays.problem.output_is_real);
            l.passes.keep_transposed_output(spec, *part);
        }
        l.passes.done[last.axis] = true;
    }
    std::vector<AxisRecipe> rest(d.recipe.axes.begin(), d.fused ? d.recipe.axes.end() - 1 : d.recipe.axes.end());
    std::reverse(rest.begin(), rest.end());
    for (AxisRecipe& axis : rest) {
        l.places.is_last_axis = &axis == &rest.back();
        if (axis.kind == Kind::r2c) axis.kind = Kind::c2r;
        add_axis(l, axis);
        l.passes.done[axis.axis] = true;
    }
    if (!d.spectral.begins_with_spectrum()) swap_parts_of_complex(l);
    if (l.arrays.has_stages()) add_user_stages(l);
}

}  // namespace seiche::planner
