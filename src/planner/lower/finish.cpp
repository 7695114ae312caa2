// What is decided when all passes are known: which of them share a kernel or a launch, and the shape of every kernel.
#include "planner/fuse.hpp"
#include "planner/lower/lowering.hpp"
#include "planner/measured_cores.hpp"
#include "planner/parts.hpp"
#include "planner/pipeline.hpp"
#include "planner/register_rows.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

/// Kernels count sequences in 32 bits; half leaves space for the surplus of the last group.
constexpr std::uint64_t most_sequences = std::uint64_t{1} << 31;

/// The third axis of a cube behind its planes, which a block has on chip.
bool pipeline_planes(const Arrays& arrays, Schedule& schedule) {
    if (!arrays.options.tuning.trailing_passes || schedule.steps.size() < 3) return false;
    Schedule fused = schedule;
    Tuning of_group = arrays.options.tuning;
    of_group.groups_per_cluster = 1;
    if (!fuse_where_it_pays(fused, arrays.problem.in_place(), arrays.limits, of_group) ||
        !pipeline_passes(fused, arrays.problem.in_place(), arrays.limits, arrays.options.tuning) ||
        fused.steps[1].spec.on_chip.next.empty())
        return false;
    schedule = fused;
    return true;
}

/// By now it is known which passes have kernels of their own.
void take_measured_radices(const Arrays& arrays, KernelSpec& spec) {
    const Tuning& tuning = arrays.options.tuning;
    if (!tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group) return;
    if (const std::optional<MeasuredCore> core = measured_core(spec, arrays.limits)) spec.radices = core->radices;
}

/// The core's points, or those of a block's axes, the slowest first.
std::string lengths_of(const KernelSpec& spec) {
    if (spec.register_rows().empty()) return std::to_string(spec.n);
    std::vector<std::uint64_t> lengths;
    for (const kernels::RowAxis& axis : spec.register_rows()) lengths.insert(lengths.begin(), axis.map.length);
    return support::join_numbers(lengths, "x");
}

/// The shape and the name of a kernel.
void finish_step(const Arrays& arrays, std::size_t number, KernelSpec& spec) {
    const bool is_forward = arrays.problem.as_planned(arrays.options.direction) == Direction::forward;
    spec.name =
        std::string(is_forward ? "forward" : "inverse") + "_" + std::to_string(number) + "_n" + lengths_of(spec);
    spec.movement_only = arrays.options.tuning.movement_only;
    const std::uint64_t sequences = kernels::sequences_per_batch(spec);
    if (sequences > most_sequences) {
        throw Unsupported("a pass of " + lengths_of(spec) +
                          " points: expected at most 2^31 sequences in an array, got " + std::to_string(sequences));
    }
    const auto take_for_then = [&spec] {
        kernels::for_each_then(spec, [&](KernelSpec& next) {
            next.movement_only = spec.movement_only;
            next.loops.back().count = 0;
        });
    };
    if (!spec.register_rows().empty()) {
        choose_shape_of_rows(spec, arrays.limits, arrays.options.tuning);
    } else if (spec.textbook()) {
        // The text says which thread has what.
    } else if (!spec.pipeline.next.empty()) {
        for (KernelSpec* pass = &spec; !pass->pipeline.next.empty();) {
            pass = &pass->pipeline.next.front();
            pass->movement_only = spec.movement_only;
            pass->loops.back().count = 0;
        }
        take_for_then();
    } else if (spec.on_chip.next.empty()) {
        take_measured_radices(arrays, spec);
        choose_shape(spec, arrays.limits, arrays.options.tuning, sequences * arrays.problem.batch.count);
    } else {
        (spec.on_chip.own_threads ? choose_group_shape : choose_fused_shape)(spec, arrays.limits,
                                                                             arrays.options.tuning);
        take_for_then();
    }
    spec.loops.back().count = 0;  // the batch is an argument of the launch: plans that differ in it share kernels
}

}  // namespace

void fuse(Arrays& arrays, Schedule& schedule, std::uint32_t groups) {
    const bool is_asked = arrays.options.tuning.groups_per_cluster != 0;
    if (is_asked) fuse_passes(schedule, arrays.problem.in_place(), arrays.limits, arrays.options.tuning);
    if (is_asked || groups == 0 || arrays.options.tuning.trailing_passes) return;
    arrays.options.tuning.groups_per_cluster = groups;
    fuse_where_it_pays(schedule, arrays.problem.in_place(), arrays.limits, arrays.options.tuning);
}

void pipeline(const Arrays& arrays, Schedule& schedule) {
    const Tuning& tuning = arrays.options.tuning;
    const bool are_whole = are_arrays_whole(schedule, arrays.problem, arrays.limits, tuning);
    if ((are_whole && (pipeline_planes(arrays, schedule) ||
                       pipeline_passes(schedule, arrays.problem.in_place(), arrays.limits, tuning))) ||
        !tuning.trailing_passes)
        return;
    const std::string name = "tuning.trailing_passes: ";
    if (!are_whole)
        throw Unsupported(name + "expected arrays of one buffer, of which a kernel takes at most " +
                          std::to_string(bytes_of_part(arrays.limits, tuning)) + " bytes here, got longer ones");
    if (arrays.limits.vectors != Vectors::subgroups)
        throw Unsupported(name + "expected a GPU, whose groups have many threads, got " + arrays.limits.architecture);
    const std::size_t passes = schedule.steps.size();
    throw Unsupported(name +
                      "expected two passes of complex points in a row, the second in place or back to where the first "
                      "began, or the two of types II to IV, in groups of as many threads, got " +
                      std::to_string(passes) + (passes == 1 ? " pass" : " passes of which no two are so"));
}

void finish(const Arrays& arrays, Schedule& schedule) {
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) finish_step(arrays, i, schedule.steps[i].spec);
}

}  // namespace seiche::planner
