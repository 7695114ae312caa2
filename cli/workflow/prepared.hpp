// Plans of short-time transforms with their memory, as workflows run them.
#pragma once

#include <vector>

#include "cli/workflow/workflow.hpp"
#include "seiche/short_time.hpp"

namespace seiche::cli {

/// Input 0 is transformed.
class PreparedShortTime : public PreparedWorkflow {
public:
    PreparedShortTime(const Device& device, const ShortTimeProblem& problem, const WorkflowArrays& arrays)
        : plan_(device, problem) {
        execution_.input = arrays.inputs[0];
        execution_.output = arrays.output;
        if (plan_.workspace_bytes() != 0) execution_.workspace = device.allocate(plan_.workspace_bytes());
    }
    void enqueue(Queue& queue) const override { plan_.execute(queue, execution_); }
    std::vector<PlanReport> reports() const override { return {plan_.report()}; }

private:
    ShortTimePlan plan_;
    ShortTimeExecution execution_;
};

}  // namespace seiche::cli
