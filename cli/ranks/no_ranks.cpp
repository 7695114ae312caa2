// In place of transforms over several ranks, where the tool is built without them.
#include "cli/ranks/group_options.hpp"
#include "cli/ranks/plan_ranks.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {

namespace {

[[noreturn]] void refuse(const char* option) {
    throw Unsupported(std::string(option) +
                      ": this program was built without SEICHE_BUILD_DISTRIBUTED, which takes Linux");
}

}  // namespace

void plan_over_ranks(const std::string& /*problem*/, const RanksOptions& /*options*/, const LimitsOptions& /*limits*/,
                     bool /*json*/) {
    refuse("--ranks");
}

void measure_fabric_file(const std::string& /*path*/, const GroupOptions& /*group*/, const std::string& /*device*/,
                         bool /*json*/) {
    refuse("--fabric");
}

void run_over_ranks(const RankedWork& /*work*/, const RankedOptions& /*options*/) { refuse("--ranks"); }

}  // namespace seiche::cli
