// The options that force what the cost model would choose.
#include "cli/problem/tuning_options.hpp"

#include <string>

#include "seiche/wisdom.hpp"

namespace seiche::cli {

void add_recipe_options(Command& command, Tuning& tuning) {
    const char* const group = "Textbook recipes (docs/how-to/tool-recipes.md)";
    command
        .add_option("--recipe", tuning.recipe,
                    "Use a published algorithm instead of the planner's choice, e.g. stockham-radix-2")
        .value("NAME")
        .group(group);
    command
        .add_word(
            "--twiddles",
            [&tuning](const std::string& method) { tuning.twiddles = parse_tuning("twiddles=" + method).twiddles; },
            "Where its roots of unity come from: table (default), on-the-fly, native or recurrence")
        .value("METHOD")
        .group(group);
}

namespace {

void add_kernel_options(Command& command, Tuning& tuning, const char* group) {
    command.add_option("--threads", tuning.threads_per_transform, "Threads per transform, in a plan of one pass")
        .group(group);
    command.add_option("--transforms-per-group", tuning.transforms_per_group, "Transforms per thread group")
        .group(group);
    command
        .add_option("--groups-per-cluster", tuning.groups_per_cluster,
                    "Thread groups per cluster, whose shared memories together hold a transform of two passes")
        .group(group);
    command.add_option("--vector-lanes", tuning.vector_lanes, "SIMD lanes on a processor: 1, 2, 4, 8 or 16")
        .group(group);
    command
        .add_option("--buffer-bytes", tuning.buffer_bytes,
                    "The largest buffer argument of a kernel, in bytes; longer arrays are bound in parts")
        .group(group);
    command.add_flag("--separate-passes", tuning.separate_passes, "One kernel per pass; no passes are fused")
        .group(group);
    command
        .add_flag("--trailing-passes", tuning.trailing_passes,
                  "Pipeline two passes (Bluestein's three) in one launch: each starts on tiles that the pass before "
                  "has finished")
        .group(group);
}

}  // namespace

void add_tuning_options(Command& command, Tuning& tuning) {
    const char* const group = "Tuning (default: chosen by the cost model)";
    command
        .add_word(
            "--algorithm",
            [&tuning](const std::string& name) { tuning.algorithm = parse_tuning("algorithm=" + name).algorithm; },
            "The algorithm of an axis: direct (mixed radix), rader (for primes) or bluestein")
        .value("NAME")
        .group(group);
    command.add_option("--padded-length", tuning.padded_length, "Length of the convolution in Bluestein's algorithm")
        .group(group);
    command.add_option("--radices", tuning.radices, "Radices of a transform in one pass, e.g. 16x16x16")
        .delimiter('x')
        .group(group);
    command.add_option("--passes", tuning.passes, "Lengths of the passes over memory, e.g. 256x256")
        .delimiter('x')
        .group(group);
    add_kernel_options(command, tuning, group);
    add_recipe_options(command, tuning);
}

}  // namespace seiche::cli
