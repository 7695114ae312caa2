// A workflow as a careful user composes it from another library, in this process and on the same arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/workflow/workflow.hpp"

namespace seiche::cli {

/// A composition that is ready to run on a queue. It reads the workflow's inputs and leaves them as they are.
class WorkflowRival {
public:
    virtual ~WorkflowRival() = default;
    virtual void enqueue() = 0;
    /// Fills with NaN where its results go.
    virtual void poison() = 0;
    /// The numbers of one entry's output as they lie in the workflow's own, f32 or f64; waits.
    virtual void read(std::uint64_t entry, void* to) = 0;
    /// "cufft-12.0.0: pad, r2c, product, c2r".
    virtual std::string description() const = 0;
};

/// The libraries that this build has compositions of.
const std::vector<std::string>& workflow_rivals();

/// Workflow, arrays and queue must outlive it. Throws Failure that says why there is none.
std::unique_ptr<WorkflowRival> make_workflow_rival(const std::string& library, const Workflow& workflow,
                                                   const WorkflowArrays& arrays, const Device& device,
                                                   const Queue& queue);

/// What `enqueue` puts into the queue as a graph of the device, one launch of which is enqueued by what this returns;
/// empty where the device, or this build, has no graphs.
std::function<void()> as_graph(const Device& device, const Queue& queue, const std::function<void()>& enqueue);

}  // namespace seiche::cli
