// In a build without bench/rivals.
#include "cli/text/failure.hpp"
#include "cli/workflow/rival.hpp"

namespace seiche::cli {

const std::vector<std::string>& workflow_rivals() {
    static const std::vector<std::string> none;
    return none;
}

std::unique_ptr<WorkflowRival> make_workflow_rival(const std::string& /*library*/, const Workflow& /*workflow*/,
                                                   const WorkflowArrays& /*arrays*/, const Device& /*device*/,
                                                   const Queue& /*queue*/) {
    throw Failure("this build has no compositions of other libraries (SEICHE_BUILD_BENCH)");
}

std::function<void()> as_graph(const Device& /*device*/, const Queue& /*queue*/,
                               const std::function<void()>& /*enqueue*/) {
    return {};
}

}  // namespace seiche::cli
