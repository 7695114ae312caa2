// The shape and the name of every kernel, when it is known which passes share one.
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/register_rows.hpp"
#include "planner/lower/lowering.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

/// Kernels count sequences in 32 bits; half leaves space for the surplus of the last group.
constexpr std::uint64_t most_sequences = std::uint64_t{1} << 31;

/// The core's points, or those of a block's axes, the slowest first.
std::string lengths_of(const KernelSpec& spec) {
    if (spec.register_rows().empty()) return std::to_string(spec.n);
    std::vector<std::uint64_t> lengths;
    for (const kernels::RowAxis& axis : spec.register_rows()) lengths.insert(lengths.begin(), axis.map.length);
    return support::join_numbers(lengths, "x");
}

/// The shape and the name of a kernel.
Refusal finish_step(const Arrays& arrays, std::size_t number, KernelSpec& spec) {
    const bool is_forward = arrays.problem.as_planned(arrays.options.direction) == Direction::forward;
    spec.name =
        std::string(is_forward ? "forward" : "inverse") + "_" + std::to_string(number) + "_n" + lengths_of(spec);
    spec.movement_only = arrays.options.tuning.movement_only;
    const std::uint64_t sequences = kernels::sequences_per_batch(spec);
    if (sequences > most_sequences) {
        return "a pass of " + lengths_of(spec) + " points: expected at most 2^31 sequences in an array, got " +
               std::to_string(sequences);
    }
    const auto take_for_then = [&spec] {
        kernels::for_each_then(spec, [&](KernelSpec& next) {
            next.movement_only = spec.movement_only;
            next.loops.back().count = 0;
        });
    };
    Refusal refusal;
    if (!spec.register_rows().empty()) {
        refusal = choose_shape_of_rows(spec, arrays.limits, arrays.options.tuning);
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
        refusal = choose_shape(spec, arrays.limits, arrays.options.tuning, sequences * arrays.problem.batch.count);
    } else {
        refusal = spec.on_chip.own_threads ? choose_group_shape(spec, arrays.limits, arrays.options.tuning)
                                           : choose_fused_shape(spec, arrays.limits, with_threads(arrays));
        take_for_then();
    }
    spec.loops.back().count = 0;  // the batch is an argument of the launch: plans that differ in it share kernels
    return refusal;
}

}  // namespace

Tuning with_threads(const Arrays& arrays) {
    Tuning tuning = arrays.options.tuning;
    if (tuning.threads_per_transform == 0) tuning.threads_per_transform = arrays.fused_threads;
    return tuning;
}

Refusal finish(const Arrays& arrays, Schedule& schedule) {
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        if (Refusal refusal = finish_step(arrays, i, schedule.steps[i].spec)) return refusal;
    return std::nullopt;
}

}  // namespace seiche::planner
