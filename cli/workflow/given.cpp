// Operators and short-time transforms by their own texts, timed and verified as workflows are.
#include <cmath>
#include <string>
#include <utility>

#include "cli/check/check_frames.hpp"
#include "cli/check/host_frames.hpp"
#include "cli/check/host_operator.hpp"
#include "cli/text/failure.hpp"
#include "cli/workflow/prepared.hpp"
#include "cli/workflow/workflow.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {
namespace {

/// Input 0 is transformed; input 1 are the weights, where there are any.
class PreparedOperator : public PreparedWorkflow {
public:
    PreparedOperator(const Device& device, const SpectralProblem& problem, const WorkflowArrays& arrays,
                     const OperatorArguments& arguments)
        : plan_(device, problem) {
        execution_.input = arrays.inputs[0];
        execution_.output = arrays.output;
        if (arrays.inputs.size() > 1) execution_.weights = arrays.inputs[1];
        if (plan_.workspace_bytes() != 0) execution_.workspace = device.allocate(plan_.workspace_bytes());
        Queue queue = device.create_queue();
        arguments.bring(queue, device, execution_.stage_buffers);
        queue.wait();
        execution_.stage_scalars = arguments.scalars;
    }
    void enqueue(Queue& queue) const override { plan_.execute(queue, execution_); }
    std::vector<PlanReport> reports() const override { return {plan_.report()}; }

private:
    SpectralPlan plan_;
    SpectralExecution execution_;
};

class GivenOperator : public Workflow {
public:
    explicit GivenOperator(SpectralProblem problem)
        : Workflow({WorkflowKind::given, {}, {}}), problem_(std::move(problem)), host_(problem_) {
        if (!problem_.load.empty() || !problem_.store.empty())
            throw UsageError("a spectral operator that is timed: expected a middle stage alone");
        if (problem_.storage != Storage::same || problem_.batch == 0)
            throw UsageError(
                "a spectral operator that is timed: expected f32 or f64 without storage=, and a batch of "
                "at least 1, got \"" +
                to_string(problem_) + "\"");
        constexpr std::uint64_t seed = 58;
        Random random(seed);
        arguments_ = random_arguments(random, problem_.middle);
    }
    std::vector<WorkflowInput> inputs() const override {
        std::vector<WorkflowInput> all = {{entries() * host_.input_points() * (is_complex_in() ? 2 : 1)}};
        if (host_.weights() != 0) all.push_back({2 * host_.weights()});
        return all;
    }
    std::uint64_t entries() const override { return problem_.batch; }
    std::uint64_t entry_numbers() const override { return host_.output_points() * (is_complex_out() ? 2 : 1); }
    bool is_double() const override { return problem_.precision == Precision::f64; }
    std::uint64_t points() const override {
        std::uint64_t product = 1;
        for (const std::uint64_t n : problem_.lengths) product *= n;
        return product;
    }
    std::uint64_t bytes() const override { return Workflow::bytes() + arguments_.bytes(); }
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        return std::make_unique<PreparedOperator>(device, problem_, arrays, arguments_);
    }
    std::vector<double> expected(std::uint64_t entry) const override {
        const HostArrayOfPoints taken =
            points_of(0, entry * host_.input_points(), host_.input_points(), is_complex_in());
        const HostArrayOfPoints weights =
            host_.weights() == 0 ? HostArrayOfPoints() : points_of(1, 0, host_.weights(), true);
        std::vector<double> numbers;
        for (const std::complex<double>& point :
             HostOperator(of_entry(problem_, entry)).results(taken, weights, arguments_)) {
            numbers.push_back(point.real());
            if (is_complex_out()) numbers.push_back(point.imag());
        }
        return numbers;
    }

private:
    bool is_complex_in() const { return problem_.numbers == SpectralNumbers::complex; }
    bool is_complex_out() const { return problem_.numbers != SpectralNumbers::real; }
    HostArrayOfPoints points_of(std::size_t input, std::uint64_t first, std::uint64_t count, bool is_complex) const {
        const auto number = numbers_of(input);
        HostArrayOfPoints array(count);
        for (std::uint64_t i = first; i < first + count; ++i)
            array[i - first] = is_complex ? std::complex<double>(number(2 * i), number(2 * i + 1)) : number(i);
        return array;
    }

    SpectralProblem problem_;
    HostOperator host_;
    OperatorArguments arguments_;
};

class GivenFrames : public Workflow {
public:
    explicit GivenFrames(ShortTimeProblem problem)
        : Workflow({WorkflowKind::given, {}, {}}), problem_(std::move(problem)) {}
    std::vector<WorkflowInput> inputs() const override { return {{entries() * numbers_in()}}; }
    std::uint64_t entries() const override { return problem_.batch; }
    std::uint64_t entry_numbers() const override {
        return is_forward() ? spectra_numbers(problem_) : signal_numbers(problem_);
    }
    bool is_double() const override { return problem_.precision == Precision::f64; }
    std::uint64_t points() const override { return problem_.window.size(); }
    double bound() const override { return bound_of(problem_); }
    double comparable(double number) const override { return cli::comparable(problem_, number); }
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        return std::make_unique<PreparedShortTime>(device, problem_, arrays);
    }
    std::vector<double> expected(std::uint64_t entry) const override {
        const auto number = numbers_of(0);
        std::vector<double> taken(numbers_in());
        for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = number(entry * taken.size() + i);
        return frames_on_host(problem_, taken);
    }

private:
    bool is_forward() const { return problem_.direction == Direction::forward; }
    std::uint64_t numbers_in() const { return is_forward() ? signal_numbers(problem_) : spectra_numbers(problem_); }

    ShortTimeProblem problem_;
};

}  // namespace

/// Planned for a device that has everything, so that what makes no sense is refused before one is looked for.
std::unique_ptr<Workflow> make_given_workflow(const std::string& text, const StageOptions& stages) {
    if (is_short_time(text)) {
        ShortTimeProblem problem = short_time_problem(text, {});
        (void)inspect(problem, DeviceLimits());
        return std::make_unique<GivenFrames>(std::move(problem));
    }
    SpectralProblem problem = spectral_problem(text, stages);
    (void)inspect(problem, DeviceLimits());
    return std::make_unique<GivenOperator>(std::move(problem));
}

}  // namespace seiche::cli
