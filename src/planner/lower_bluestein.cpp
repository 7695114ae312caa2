// Lowering of Bluestein's transform whose padded convolution does not fit on chip: the passes of its forward transform,
// the last of which multiplies by the chirp's spectrum and begins the inverse, then the others transposed, backwards
// (lower_convolution.cpp has the same of a user's convolution). Of two passes that is three kernels.
#include "planner/lowering.hpp"

namespace seiche::planner {

using kernels::KernelSpec;

/// The last pass works in place: its core runs twice, and what it multiplies its results by lies as they do.
void Lowering::add_turning_pass(const AxisRecipe& axis, const Part& part) {
    KernelSpec& spec = add_pass(part, present_, present_);
    spec.convolution.stages = {kernels::ChirpSpectrum{axis.n, axis.padded, part.s, find_loop(spec)},
                               kernels::SwapParts{}};
    spec.out.stages = spec.in.stages;  // the twiddle
}

void Lowering::add_bluestein(const AxisRecipe& axis) {
    const std::vector<Part> parts = parts_of(axis);
    const auto other = [&] {
        const Role role = other_workspace();
        return workspace(role, axis.axis, axis.padded);
    };
    for (const Part& part : parts) {
        if (part.is_last()) break;
        KernelSpec& spec = add_pass(part, present_, other());
        if (part.s != 1) continue;
        spec.in.stages.push_back(kernels::Chirp{axis.n, part.m, find_loop(spec)});
        keep_input(spec, part);
    }
    // The last pass is not in place: of c2r the results' own workspace may be the one that has the padded points.
    const auto apart = [&] {
        const Place place = result();
        const bool is_taken = place.role > Role::output && place.role == present_.role;
        return is_taken ? workspace(other_workspace(), 0, 0) : place;
    };
    add_turning_pass(axis, parts.back());
    for (auto part = parts.rbegin() + 1; part != parts.rend(); ++part) {
        KernelSpec& spec = add_transposed_pass(*part, present_, part->s == 1 ? apart() : other());
        if (part->s != 1) continue;
        spec.out.stages.push_back(kernels::SwapParts{});
        spec.out.stages.push_back(kernels::Chirp{axis.n, part->m, find_loop(spec)});
        keep_transposed_output(spec, *part);
    }
}

}  // namespace seiche::planner
