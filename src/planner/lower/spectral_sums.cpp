// Sums over the bins of a spectral operator: a pass of its own over a spectrum in memory, where the middle stage has no
// kernel that could sum, and the step that adds the parts of each array's sums.
#include <algorithm>
#include <bit>

#include "kernels/contract/generate.hpp"
#include "kernels/contract/parameters.hpp"
#include "planner/device_model.hpp"
#include "planner/lower/spectral.hpp"
#include "seiche/error.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using problem::CanonicalSpectral;

constexpr std::uint32_t threads_of_sums = 256, bins_of_thread = 8;
constexpr std::uint64_t least_bins_of_simd_group = 512;

std::uint32_t threads_for(std::uint64_t numbers, const DeviceLimits& limits) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>({std::bit_ceil(numbers), threads_of_sums, limits.max_group_size}));
}

/// A loop over bins, and what it counts: an axis of the canonical form, or none.
struct BinLoop {
    kernels::Loop loop;
    std::optional<std::size_t> axis;
};

/// Fastest first, without the batch.
std::vector<BinLoop> loops_over_bins(const SpectralDesign& d, const View& view) {
    const CanonicalSpectral& c = d.spectral;
    std::vector<BinLoop> loops;
    for (std::size_t i = 0; i < d.signal.axes.size(); ++i) {
        const std::uint64_t bins = complex_count(d.signal.axes[i]);
        kernels::Loop loop = loop_of_modes(bins, c.axes[i].kept, view.axes[i]);
        if (loop.count > 1 || !loop.gaps.empty()) loops.push_back({std::move(loop), i});
    }
    if (c.inputs > 1) loops.push_back({{c.inputs, view.loops.front(), view.loops.front()}, std::nullopt});
    std::stable_sort(loops.begin(), loops.end(), [](const BinLoop& a, const BinLoop& b) {
        return support::magnitude(a.loop.input_stride) < support::magnitude(b.loop.input_stride);
    });
    return loops;
}

/// Which loop has the index along each of the problem's axes.
std::vector<kernels::LogicalIndex> indices_of(const SpectralDesign& d, const std::vector<BinLoop>& loops) {
    std::vector<kernels::LogicalIndex> all;
    for (const problem::Coordinate& coordinate : d.spectral.coordinates) {
        kernels::LogicalIndex& index = all.emplace_back();
        if (coordinate.kind != problem::Coordinate::Kind::axis) continue;
        for (std::uint32_t i = 0; i < loops.size(); ++i)
            if (loops[i].axis == coordinate.index) index.parts.push_back({i, 1});
    }
    return all;
}

/// Groups that have an array, whatever the batch is.
void choose_shape_of_bins(const DeviceLimits& limits, KernelSpec& spec) {
    const std::uint64_t bins = kernels::sequences_per_batch(spec);
    std::uint64_t of_group = least_bins_of_simd_group;
    if (has_groups(limits)) {
        kernels::GroupShape shape;
        shape.threads = threads_for(bins, limits);
        of_group = std::uint64_t{shape.threads} * bins_of_thread;
        spec.shape = shape;
    } else {
        // A thread adds them one after the other: as many parts as bins of each lose the least.
        while (of_group * of_group < bins) of_group *= 2;
        spec.shape = kernels::SimdShape{};
    }
    spec.work = kernels::BinPass{(bins + of_group - 1) / of_group};
}

/// Of a pass by itself, whose groups may have sequences of one array alone.
void add_within_groups(KernelSpec& spec) {
    const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape);
    const bool has_own_sequences = shape && spec.has_core() && spec.is_alone_on_chip() && spec.pipeline.next.empty() &&
                                   spec.slices.sequences == 0 && !shape->tile && !shape->has_mirrors_in_group() &&
                                   !spec.in.folded() && !spec.out.folded();
    if (has_own_sequences && kernels::sequences_per_batch(spec) % shape->sequences == 0)
        spec.convolution.sums->of_group = true;
}

Step step_of_sums(const CanonicalSpectral& c, std::uint64_t partials, const DeviceLimits& limits) {
    const auto sums = static_cast<std::uint32_t>(c.sums());
    Step step;
    step.source = Role::partials;
    step.target = Role::sums;
    KernelSpec& spec = step.spec;
    spec.name = "sums";
    spec.precision = c.sum_precision;
    spec.radices = {1};
    spec.work = kernels::SumPartials{partials, sums};
    spec.in.set_real(true);
    spec.out.set_real(true);
    spec.loops.push_back({0, support::times(partials, static_cast<std::int64_t>(sums)), sums});
    kernels::GroupShape shape;
    shape.threads = threads_for(partials, limits);
    if (has_groups(limits))
        spec.shape = shape;
    else
        spec.shape = kernels::SimdShape{};
    return step;
}

}  // namespace

DeviceLimits without_room_for_partials(DeviceLimits limits, const CanonicalSpectral& c) {
    if (c.sums() == 0 || !has_groups(limits)) return limits;
    const std::uint64_t most = limits.max_group_size * stored_bytes(c.sum_precision, Storage::same);
    limits.shared_bytes -=
        static_cast<decltype(limits.shared_bytes)>(std::min<std::uint64_t>(most, limits.shared_bytes / 2));
    return limits;
}

void set_pairs_of_bins(const SpectralDesign& d, kernels::UserProgram& user) {
    const CanonicalSpectral& c = d.spectral;
    if (!c.is_real()) return;
    const bool is_whole = d.signal.axes.size() == 1 && !c.is_in_memory();
    if (!is_whole && c.sums() == 0) return;
    using Element = kernels::UserProgram::Element;
    user.element = is_whole ? Element::mirrored : Element::halved;
    user.mirrors = d.lengths.back();
    user.paired = static_cast<std::uint32_t>(c.places.back());
}

Step step_of_bins(const SpectralDesign& d, const Place& place, const DeviceLimits& limits) {
    const CanonicalSpectral& c = d.spectral;
    Step step;
    step.source = step.target = place.role;
    KernelSpec& spec = step.spec;
    spec.name = "bins";
    spec.precision = c.precision;
    spec.radices = {1};
    spec.in_place = true;
    const std::vector<BinLoop> loops = loops_over_bins(d, place.view);
    for (const BinLoop& own : loops) spec.loops.push_back(own.loop);
    spec.loops.push_back({0, place.view.batch, place.view.batch});
    kernels::UserProgram user;
    user.side = expression::Side::middle;
    user.program = c.stages.middle;
    user.axes = indices_of(d, loops);
    set_pairs_of_bins(d, user);
    spec.convolution.stages = {user};
    if (!c.is_in_memory() && d.middle_scale() != 1.0)
        spec.convolution.stages.push_back(kernels::Multiply{d.middle_scale()});
    spec.convolution.sums = kernels::BinSums{c.sum_precision};
    choose_shape_of_bins(limits, spec);
    return step;
}

void add_sums(SpectralSchedule& all, const SpectralDesign& d, const DeviceLimits& limits) {
    const CanonicalSpectral& c = d.spectral;
    if (c.sums() == 0) return;
    const auto step = std::find_if(all.steps.begin(), all.steps.end(),
                                   [](const Step& one) { return kernels::sum_count(one.spec) != 0; });
    if (step == all.steps.end()) throw InternalError("a spectral operator with sums: expected a kernel that sums");
    if (step->spec.convolution.sums) add_within_groups(step->spec);
    const std::uint64_t partials = kernels::partials_per_batch(step->spec);
    step->partials = partials == 1 ? Role::sums : Role::partials;
    if (partials == 1) return;
    all.partial_bytes = partials * c.sum_bytes(1);
    all.steps.push_back(step_of_sums(c, partials, limits));
}

}  // namespace seiche::planner
