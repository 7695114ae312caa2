// The options that force what the cost model would choose.
#include "cli/problem/tuning_options.hpp"

#include <string>

#include "seiche/wisdom.hpp"

namespace seiche::cli {

void add_recipe_options(Command& command, Tuning& tuning) {
    const char* const group = "Textbook recipes (docs/tool.md lists them)";
    command
        .add_option("--recipe", tuning.recipe, "A published algorithm instead of the planner's, e.g. stockham-radix-2")
        .group(group);
    command
        .add_word(
            "--twiddles",
            [&tuning](const std::string& method) { tuning.twiddles = parse_tuning("twiddles=" + method).twiddles; },
            "Its roots of unity: table (default), on-the-fly, native or recurrence")
        .group(group);
}

void add_tuning_options(Command& command, Tuning& tuning) {
    const char* const group = "Tuning (default: the cost model chooses; what cannot be had is refused)";
    command
        .add_word(
            "--algorithm",
            [&tuning](const std::string& name) { tuning.algorithm = parse_tuning("algorithm=" + name).algorithm; },
            "How an axis becomes butterflies: direct, rader (of a prime) or bluestein")
        .group(group);
    command.add_option("--padded-length", tuning.padded_length, "Of Bluestein's transform").group(group);
    command.add_option("--radices", tuning.radices, "Butterflies of a transform in one pass, e.g. 16x16x16")
        .delimiter('x')
        .group(group);
    command.add_option("--passes", tuning.passes, "Lengths of the passes over memory, e.g. 256x256")
        .delimiter('x')
        .group(group);
    command
        .add_option("--threads", tuning.threads_per_transform,
                    "Threads of a transform in one pass, or of one kernel's first")
        .group(group);
    command.add_option("--transforms-per-group", tuning.transforms_per_group, "Transforms that a group works on")
        .group(group);
    command
        .add_option("--groups-per-cluster", tuning.groups_per_cluster,
                    "Groups whose shared memories hold a transform of two passes, in one kernel")
        .group(group);
    command.add_option("--vector-lanes", tuning.vector_lanes, "SIMD lanes of a processor's kernels: 1, 2, 4, 8 or 16")
        .group(group);
    command.add_option("--buffer-bytes", tuning.buffer_bytes, "The most that one buffer argument of a kernel may have")
        .group(group);
    command.add_flag("--separate-passes", tuning.separate_passes, "Each pass a kernel of its own").group(group);
    command
        .add_flag("--trailing-passes", tuning.trailing_passes,
                  "Two passes in one launch (Bluestein's three), each pipelined behind the one before")
        .group(group);
    add_recipe_options(command, tuning);
}

}  // namespace seiche::cli
