// Axes whose spectrum is left in pass order: every pass writes where it read, so that none needs a workspace in place
// and the last one has its points side by side (Gentleman & Sande 1966, decimation in frequency, at the level of
// passes).
//
// Pass p has n_p points, s = n_1 ... n_{p-1} results before it and m = n_{p+1} ... points after it. Forward it takes
// points k' n_p m + j m + q, leaves its result k in the place of point j, and multiplies it by w_{n_p m}^{k q}. Digits
// of the frequency thus stand where those of the signal's index stood, the fastest of them slowest. The inverse is the
// same transposed, its last pass first: the twiddle comes before the core.
#include <algorithm>

#include "planner/lowering.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

bool is_in_order(const AxisRecipe& axis, SpectrumOrder order) {
    return order == SpectrumOrder::pass && axis.kind == Kind::c2c && axis.padded == 0 && axis.passes.size() > 1;
}

}  // namespace

std::vector<std::uint64_t> spectrum_digits(const AxisRecipe& axis, const problem::Canonical& problem) {
    if (!is_in_order(axis, problem.spectrum_order)) return {};
    std::vector<std::uint64_t> digits;
    for (const Pass& pass : axis.passes) digits.push_back(pass.n);
    return digits;
}

/// Not the core of a real axis.
bool Lowering::stays_in_order(const AxisRecipe& axis) const { return is_in_order(axis, problem_.spectrum_order); }

void Lowering::add_in_order(const AxisRecipe& axis) {
    const bool is_forward = options_.direction == Direction::forward;
    std::vector<Part> parts = parts_of(axis);
    if (!is_forward) std::reverse(parts.begin(), parts.end());
    for (const Part& part : parts) {
        KernelSpec& spec = add_pass(part, present_, home());
        if (part.s > 1) continue;
        // Points j m + q of the signal; pruning leaves the spectrum whole.
        kernels::Kept& kept = spec.side(is_forward).kept;
        kept = is_forward ? points_kept_in_ : points_kept_out_;
        if (kept.ranges.empty()) continue;
        kept.element_stride = part.m;
        kept.loop = find_loop(spec);
    }
}

/// Over the blocks of results before the pass, which no stage looks at, and over the points after it.
void Lowering::add_staying_loops(const Part& part, std::int64_t in, std::int64_t out, KernelSpec& spec) {
    const std::uint64_t block = part.m * part.pass->n;
    if (part.s > 1) spec.loops.push_back({part.s, support::times(block, in), support::times(block, out)});
    sort_by_stride(spec.loops);
    if (!has_stages()) merge(spec.loops);
    if (part.m == 1) return;
    loop_index_ = Loop{part.m, in, out};
    spec.loops.push_back(*loop_index_);
    sort_by_stride(spec.loops);
}

}  // namespace seiche::planner
