#include "exec/overlap_add.hpp"

#include <algorithm>

#include "exec/launch.hpp"
#include "exec/loader.hpp"
#include "exec/step_arguments.hpp"
#include "kernels/contract/generate.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

/// So many frames of a group are transformed by its neighbour as well, for each that is not.
constexpr double most_repeated = 2.0;
/// Groups of a unit whose frames its shared memory should hold, so that one loads while the other computes.
constexpr std::uint64_t resident_groups = 2;
/// For each neighbour of a frame a group has so many: a fifth is then transformed twice.
constexpr std::uint64_t frames_per_neighbour = 5;

problem::Canonical frames_of(const InverseFrames& inverse, std::uint64_t frames) {
    const std::uint64_t length = inverse.length();
    Problem problem;
    problem.lengths = {frames, length};
    problem.axes = {1};
    problem.kind = Kind::c2r;
    problem.precision = inverse.precision;
    problem.batch = inverse.batch;
    problem.input.strides = {static_cast<std::int64_t>(inverse.frame_stride),
                             static_cast<std::int64_t>(inverse.bin_stride)};
    problem.input.batch_distance = static_cast<std::int64_t>(inverse.spectrum_elements());
    return problem::normalise(problem);
}

/// The one pass of so many frames of a group; nothing where there are several passes, or other shapes.
std::optional<planner::Step> planned(const InverseFrames& inverse, std::uint64_t frames, const DeviceLimits& limits,
                                     Tuning tuning) {
    tuning.transforms_per_group = static_cast<std::uint32_t>(frames);
    const problem::Canonical canonical = frames_of(inverse, frames);
    try {
        const planner::Recipe recipe = planner::design(canonical, limits, tuning, Direction::inverse);
        planner::Planned planned = planner::plan(recipe, canonical, limits, {Direction::inverse, tuning});
        if (planned.schedule.steps.size() != 1) return std::nullopt;
        planner::Step step = std::move(planned.schedule.steps.front());
        const auto* shape = std::get_if<kernels::GroupShape>(&step.spec.shape);
        const bool fits = shape && shape->sequences == frames && shape->groups_per_cluster == 1 &&
                          !step.spec.out.map() && step.spec.has_core() && step.spec.is_alone_on_chip() &&
                          step.spec.loops.size() == 2;
        if (!fits) return std::nullopt;
        return step;
    } catch (const Unsupported&) {  // a group of so many frames
        return std::nullopt;
    }
}

/// Makes the pass add its frames.
void add_frames(const InverseFrames& inverse, kernels::OverlapAdd own, planner::Step& step) {
    kernels::KernelSpec& spec = step.spec;
    auto& shape = std::get<kernels::GroupShape>(spec.shape);
    const std::uint64_t frames = shape.sequences, numbers = spec.out.is_real() ? 1 : 2;
    const std::uint64_t groups = frames == own.frames ? 1 : (own.frames - frames + own.advance - 1) / own.advance + 1;
    const auto frame_stride = static_cast<std::int64_t>(inverse.frame_stride);
    spec.loops = {{frames, frame_stride, static_cast<std::int64_t>(inverse.length() / numbers)},
                  {groups, frame_stride, 0},
                  {1, static_cast<std::int64_t>(inverse.spectrum_elements()), 0}};
    spec.name = "overlap_add_n" + std::to_string(spec.n);
    spec.out.access = kernels::RowAccess::element;
    spec.work = kernels::CorePass{std::move(own)};
    const bool are_even = inverse.hop % 2 == 0 && inverse.begin % 2 == 0 && inverse.samples % 2 == 0;
    shape.exchange.whole_points &= are_even && numbers == 2 && shape.exchange.neighbours == 1 && spec.runs_once();
    spec = kernels::complete(std::move(spec));
}

}  // namespace

std::optional<DraftStep> draft_overlap_add(const InverseFrames& inverse, const DeviceLimits& limits,
                                           const Tuning& tuning) {
    const std::uint64_t length = inverse.length(), neighbours = (length + inverse.hop - 1) / inverse.hop - 1;
    const std::uint64_t frame_bytes = length * stored_bytes(inverse.precision, Storage::same);
    if (limits.vectors != Vectors::subgroups || inverse.begin + inverse.samples >= std::uint64_t{1} << 31)
        return std::nullopt;
    const std::uint64_t most = std::min<std::uint64_t>(
        limits.shared_bytes, std::max(limits.shared_bytes_per_unit, limits.shared_bytes) / resident_groups);
    std::uint64_t frames =
        std::min(std::max(frames_per_neighbour * neighbours + 1, std::uint64_t{8}), most / frame_bytes);
    if (tuning.transforms_per_group != 0) frames = tuning.transforms_per_group;
    frames = std::min(frames, inverse.frames);
    const auto pays = [&] {
        const bool has_all = frames == inverse.frames;
        return frames > 1 &&
               (has_all || static_cast<double>(frames) <
                               (1 + most_repeated) * static_cast<double>(frames - std::min(frames, neighbours)));
    };
    for (; pays(); frames -= std::max<std::uint64_t>(1, frames / 8)) {
        std::optional<planner::Step> step = planned(inverse, frames, limits, tuning);
        if (!step) continue;
        kernels::OverlapAdd own;
        own.frames = inverse.frames;
        own.hop = static_cast<std::uint32_t>(inverse.hop);
        own.advance = static_cast<std::uint32_t>(frames - std::min(neighbours, frames - 1));
        own.begin = inverse.begin;
        own.end = inverse.begin + inverse.samples;
        own.scale = 1.0 / static_cast<double>(length);
        own.window = inverse.window;
        add_frames(inverse, std::move(own), *step);
        DraftStep drafted = draft_step(*step);
        if (ir::shared_bytes(*drafted.kernel) <= limits.shared_bytes) return drafted;
    }
    return std::nullopt;
}

PlanReport report(const DraftStep& step, const InverseFrames& inverse) {
    const std::uint64_t pair = 2 * stored_bytes(inverse.precision, Storage::same);
    PlanReport result;
    result.recipe = "(overlap-add " + std::to_string(inverse.length()) + ")";
    result.kernels.push_back(report_step(step, Direction::inverse, inverse.batch));
    result.moved_bytes = result.kernels.front().bytes_read + result.kernels.front().bytes_written;
    result.ideal_bytes = inverse.batch * (inverse.spectrum_elements() * pair + inverse.samples * pair / 2);
    return result;
}

OverlapAddExecutable::OverlapAddExecutable(const Device& device, const DraftStep& step, const InverseFrames& inverse,
                                           const SavedBinaries& saved)
    : report_(exec::report(step, inverse)) {
    Loader loader(device, inverse.precision, {}, saved);
    loader.add(step, step_);
    step_.is_last = true;
    loader.load(report_);
    table_bytes_ = loader.table_bytes();
}

SavedPart OverlapAddExecutable::save(const Device& device, const DraftStep& step) const {
    SavedPart part{table_bytes_, {}};
    keep_kernel(*device.impl(), source_of(device, {}, step), part.kernels);
    return part;
}

void OverlapAddExecutable::execute(runtime::Queue& queue, const runtime::BufferArgument& input,
                                   const runtime::BufferArgument& output, std::uint64_t batch) const {
    Parameters parameters;
    for_each_argument(step_.planned, !step_.table.empty(), [&](const StepArgument& own) {
        if (own.parameter == kernels::Parameter::table) return parameters.add(step_.table);
        parameters.add(own.parameter == kernels::Parameter::input ? input : output);
    });
    parameters.add_scalar(kernels::sequences_per_batch(step_.planned.spec) * batch);
    launch(queue, step_, batch, parameters);
}

}  // namespace seiche::exec
