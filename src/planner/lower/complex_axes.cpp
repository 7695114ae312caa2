// Lowering of c2c axes, and of the cores of real ones: passes one after the other, passes that stay in pass order, and
// Bluestein's transform whose padded convolution does not fit on chip.
//
// In pass order every pass writes where it read, so that none needs a workspace in place and the last one has its
// points side by side (Gentleman & Sande 1966, decimation in frequency, at the level of passes). Pass p has n_p points,
// s = n_1
// ... n_{p-1} results before it and m = n_{p+1} ... points after it. Forward it takes points k' n_p m + j m + q, leaves
// its result k in the place of point j, and multiplies it by w_{n_p m}^{k q}. Digits of the frequency thus stand where
// those of the signal's index stood, the fastest of them slowest. The inverse is the same transposed, its last pass
// first: the twiddle comes before the core.
//
// Bluestein: the passes of the padded forward transform, the last of which multiplies by the chirp's spectrum and
// begins the inverse, then the others transposed, backwards (convolution.cpp has the same of a user's convolution). Of
// two passes that is three kernels.
#include "planner/lower/lowering.hpp"

#include <algorithm>

namespace seiche::planner {

namespace {

void add_in_order(Lowering& l, const AxisRecipe& axis) {
    const bool is_forward = l.arrays.options.direction == Direction::forward;
    std::vector<AxisPass> parts = l.passes.parts_of(axis);
    if (!is_forward) std::reverse(parts.begin(), parts.end());
    for (const AxisPass& part : parts) {
        KernelSpec& spec = l.passes.add(part, l.places.present, l.places.home());
        if (part.s > 1) continue;
        // Points j m + q of the signal; pruning leaves the spectrum whole.
        kernels::Kept& kept = spec.side(is_forward).kept;
        kept = is_forward ? l.passes.kept_in : l.passes.kept_out;
        if (kept.ranges.empty()) continue;
        kept.element_stride = part.m;
        kept.loop = l.passes.find_loop(spec);
    }
}

/// The last pass works in place: its core runs twice, and what it multiplies its results by lies as they do.
void add_turning_pass(Lowering& l, const AxisRecipe& axis, const AxisPass& part) {
    KernelSpec& spec = l.passes.add(part, l.places.present, l.places.present);
    spec.convolution.stages = {kernels::ChirpSpectrum{axis.n, axis.padded, part.s, l.passes.find_loop(spec)},
                               kernels::SwapParts{}};
    spec.out.stages = spec.in.stages;  // the twiddle
}

void add_bluestein(Lowering& l, const AxisRecipe& axis) {
    const std::vector<AxisPass> parts = l.passes.parts_of(axis);
    const auto other = [&] {
        const Role role = l.places.other_workspace();
        return l.places.workspace(role, axis.axis, axis.padded);
    };
    for (const AxisPass& part : parts) {
        if (part.is_last()) break;
        KernelSpec& spec = l.passes.add(part, l.places.present, other());
        if (part.s != 1) continue;
        spec.in.stages.push_back(kernels::Chirp{axis.n, part.m, l.passes.find_loop(spec)});
        l.passes.keep_input(spec, part);
    }
    add_turning_pass(l, axis, parts.back());
    for (auto part = parts.rbegin() + 1; part != parts.rend(); ++part) {
        KernelSpec& spec = l.passes.add_transposed(*part, l.places.present, part->s == 1 ? l.places.apart() : other());
        if (part->s != 1) continue;
        spec.out.stages.push_back(kernels::SwapParts{});
        spec.out.stages.push_back(kernels::Chirp{axis.n, part->m, l.passes.find_loop(spec)});
        l.passes.keep_transposed_output(spec, *part);
    }
}

}  // namespace

void add_complex(Lowering& l, const AxisRecipe& axis) {
    if (axis.padded != 0) {
        add_bluestein(l, axis);
        return;
    }
    if (l.arrays.stays_in_order(axis)) {
        add_in_order(l, axis);
        return;
    }
    const std::vector<AxisPass> parts = l.passes.parts_of(axis);
    for (const AxisPass& part : parts) {
        const auto passes_left = static_cast<std::size_t>(&parts.back() - &part);
        KernelSpec& spec = l.passes.add(part, l.places.present, l.places.target_of(passes_left));
        if (part.s == 1) l.passes.keep_input(spec, part);
        if (part.is_last()) l.passes.keep_output(spec, part);
    }
}

void add_axis(Lowering& l, const AxisRecipe& axis) {
    if (axis.kind != Kind::c2c) {
        add_real(l, axis);
        return;
    }
    const std::size_t first = l.passes.steps.size();
    l.passes.kept_in = l.arrays.kept(axis.axis, true);
    l.passes.kept_out = l.arrays.kept(axis.axis, false);
    add_complex(l, axis);
    for (std::size_t i = first; i < l.passes.steps.size(); ++i) {
        l.passes.records[i].is_complex = true;
        Step& step = l.passes.steps[i];  // real numbers as they are: of a convolution of one axis
        step.spec.in.set_real(l.arrays.problem.input_is_real && step.source == Role::input);
        step.spec.out.set_real(l.arrays.problem.output_is_real && step.target == Role::output);
    }
}

}  // namespace seiche::planner
