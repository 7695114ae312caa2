// Passes share kernels and launches as the recipe says.
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/lower/lowering.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

void share(Arrays& arrays, Schedule& schedule, const Sharing& sharing) {
    Tuning& tuning = arrays.options.tuning;
    const bool is_in_place = arrays.problem.in_place();
    if (sharing.fusion) {
        tuning.groups_per_cluster = sharing.fusion->groups;
        arrays.fused_threads = sharing.fusion->threads;
        if (!fuse_as(sharing.fusion->as, schedule, is_in_place, arrays.limits, with_threads(arrays)))
            throw InternalError("a recipe whose passes cannot be one kernel");
    }
    if (sharing.pipelining && !pipeline_as(*sharing.pipelining, schedule, is_in_place, arrays.limits, tuning))
        throw InternalError("a recipe whose passes cannot share a launch");
}

}  // namespace seiche::planner
