// The options of transforms over several ranks, which a build without them has too: its reference is the same.
#include "cli/ranks/plan_ranks.hpp"

namespace seiche::cli {

void add_ranks_options(Command& command, RanksOptions& options) {
    constexpr int most_ranks = 65536;
    command
        .add_option("--ranks", options.ranks,
                    "Over so many ranks, a GPU each: each rank's steps, what goes by which link, and the time expected")
        .value("N")
        .within(1, most_ranks);
    command
        .add_option("--fabric", options.fabric,
                    "With --ranks: the cluster's speeds, which `seiche tune --fabric` writes")
        .value("FILE");
    command
        .add_option("--cut", options.cut,
                    "With --ranks: slabs, pencils as \"64x8\" (of so many parts), or best, which compares both")
        .value("CUT")
        .capture_default_str();
    command.add_flag("--natural", options.natural,
                     "With --ranks: the output is cut as the input (default: along another axis, an exchange less)");
}

}  // namespace seiche::cli
