// What people do with Fourier transforms, whole: ready to be timed and verified on any device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/problem/stage_options.hpp"
#include "cli/workflow/workflow_text.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"

namespace seiche::cli {

/// An array that a workflow reads: real numbers, of complex ones two each.
struct WorkflowInput {
    std::uint64_t count = 0;
    std::function<double(std::uint64_t)> value = {};  ///< Number i, which f32 holds exactly; none: random in [-1, 1).
};

/// The memory of one workflow.
struct WorkflowArrays {
    std::vector<Buffer> inputs;
    Buffer output;
};

/// A workflow on a device, by Seiche's plans.
class PreparedWorkflow {
public:
    virtual ~PreparedWorkflow() = default;
    /// All of it, once: what a user calls again and again for new inputs.
    virtual void enqueue(Queue& queue) const = 0;
    /// Of its plans, in the order of execution.
    virtual std::vector<PlanReport> reports() const = 0;
};

class Workflow {
public:
    explicit Workflow(WorkflowText what) : what_(std::move(what)) {}
    virtual ~Workflow() = default;
    Workflow(const Workflow&) = delete;
    Workflow& operator=(const Workflow&) = delete;

    const WorkflowText& what() const { return what_; }
    virtual std::vector<WorkflowInput> inputs() const = 0;
    /// Equal parts of the output that depend on no more than a part of the input: signals, pictures. They lie one
    /// behind the other.
    virtual std::uint64_t entries() const = 0;
    /// Numbers of one entry's output.
    virtual std::uint64_t entry_numbers() const = 0;
    virtual bool is_double() const { return false; }
    /// Of a transform within, by whose logarithm errors grow.
    virtual std::uint64_t points() const = 0;
    /// The error that is right, in units of u sqrt(log2 points).
    virtual double bound() const { return 3.0; }
    /// A number of the output as it is to be compared.
    virtual double comparable(double number) const { return number; }
    /// One at a time and short: enqueued as a graph where the device has such.
    virtual bool is_short() const { return false; }
    virtual std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const = 0;
    /// The output of an entry, from the definition, in double precision at least.
    virtual std::vector<double> expected(std::uint64_t entry) const = 0;

    std::uint64_t number_bytes() const { return is_double() ? 8 : 4; }
    std::uint64_t output_bytes() const { return entries() * entry_numbers() * number_bytes(); }
    /// Of all inputs read once and the output written once.
    virtual std::uint64_t bytes() const;
    /// The numbers of an input, by index.
    std::function<double(std::uint64_t)> numbers_of(std::size_t input) const;

protected:
    /// Number `i` of a random array, in [-1, 1), which f32 holds exactly.
    static double random(std::size_t input, std::uint64_t i);
    std::uint64_t length(std::size_t axis) const { return what_.shape[axis]; }

private:
    WorkflowText what_;
};

/// Throws UsageError for lengths that make no sense together.
std::unique_ptr<Workflow> make_workflow(const WorkflowText& what);

/// A workflow's text, or an operator's with its stages, or a short-time transform's.
std::unique_ptr<Workflow> make_workflow(const std::string& text, const StageOptions& stages);
/// Of the last two.
std::unique_ptr<Workflow> make_given_workflow(const std::string& text, const StageOptions& stages);

/// The kinds, in a file each; for make_workflow.
std::unique_ptr<Workflow> make_convolution_workflow(const WorkflowText& what);
std::unique_ptr<Workflow> make_operator_workflow(const WorkflowText& what);
std::unique_ptr<Workflow> make_frame_workflow(const WorkflowText& what);
std::unique_ptr<Workflow> make_layer_workflow(const WorkflowText& what);

}  // namespace seiche::cli
