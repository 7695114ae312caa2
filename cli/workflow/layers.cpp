// Layers of Fourier neural operators: kept modes and a matrix over channels.
#include "cli/reference/host_spectrum.hpp"
#include "cli/system/in_parallel.hpp"
#include "cli/text/failure.hpp"
#include "cli/workflow/workflow.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {
namespace {

/// The input, and the weights, complex.
class PreparedLayer : public PreparedWorkflow {
public:
    PreparedLayer(const Device& device, const SpectralProblem& problem, const WorkflowArrays& arrays)
        : plan_(device, problem) {
        execution_.input = arrays.inputs[0];
        execution_.weights = arrays.inputs[1];
        execution_.output = arrays.output;
        if (plan_.workspace_bytes() != 0) execution_.workspace = device.allocate(plan_.workspace_bytes());
    }
    void enqueue(Queue& queue) const override { plan_.execute(queue, execution_); }
    std::vector<PlanReport> reports() const override { return {plan_.report()}; }

private:
    SpectralPlan plan_;
    SpectralExecution execution_;
};

/// Batch, channels, rows and columns; of rows so many modes of each sign, of columns so many from 0 on.
class FourierLayer : public Workflow {
public:
    using Workflow::Workflow;
    std::vector<WorkflowInput> inputs() const override {
        return {{entries() * entry_numbers()}, {2 * channels() * channels() * modes()}};
    }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return channels() * points(); }
    std::uint64_t points() const override { return length(2) * length(3); }
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        SpectralProblem p;
        p.lengths = {length(2), length(3)};
        p.batch = entries();
        const auto rows = static_cast<std::int64_t>(what().second[0]);
        p.kept = {{-rows, rows}, {0, static_cast<std::int64_t>(what().second[1])}};
        p.channels = {static_cast<std::uint32_t>(channels()), static_cast<std::uint32_t>(channels())};
        return std::make_unique<PreparedLayer>(device, p, arrays);
    }
    std::vector<double> expected(std::uint64_t entry) const override {
        const std::vector<std::uint64_t> lengths = {length(2), length(3)};
        const auto number = numbers_of(0), weight = numbers_of(1);
        std::vector<HostArrayOfPoints> kept;  // by channel
        for (std::uint64_t c = 0; c < channels(); ++c) {
            HostArrayOfPoints array(points());
            for (std::uint64_t i = 0; i < points(); ++i) array[i] = number((entry * channels() + c) * points() + i);
            transform_on_host(array, lengths, Direction::forward);
            HostArrayOfPoints& own = kept.emplace_back();
            for (std::uint64_t mode = 0; mode < modes(); ++mode) own.push_back(array[bin_of(mode)]);
        }
        std::vector<double> result;
        result.reserve(entry_numbers());
        for (std::uint64_t output = 0; output < channels(); ++output) {
            HostArrayOfPoints array(points());
            in_ranges(modes(), 0, [&](std::size_t first, std::size_t end) {
                for (std::size_t mode = first; mode < end; ++mode) {
                    std::complex<double> sum;
                    for (std::uint64_t input = 0; input < channels(); ++input) {
                        const std::uint64_t at = 2 * ((input * channels() + output) * modes() + mode);
                        sum += kept[input][mode] * std::complex<double>(weight(at), weight(at + 1));
                    }
                    array[bin_of(mode)] = sum * times(mode) / static_cast<double>(points());
                }
            });
            // As irfft2 of a spectrum with zeros: the real part, where bins stand for their mirrors too.
            transform_on_host(array, lengths, Direction::inverse);
            for (const std::complex<double>& point : array) result.push_back(point.real());
        }
        return result;
    }

private:
    std::uint64_t channels() const { return length(1); }
    std::uint64_t modes() const { return 2 * what().second[0] * what().second[1]; }
    std::uint64_t bin_of(std::uint64_t mode) const {
        const std::uint64_t rows = what().second[0], columns = what().second[1], row = mode / columns;
        return (row < rows ? row : length(2) - 2 * rows + row) * length(3) + mode % columns;
    }
    double times(std::uint64_t mode) const {
        const std::uint64_t column = mode % what().second[1];
        return column == 0 || 2 * column == length(3) ? 1 : 2;
    }
};

}  // namespace

std::unique_ptr<Workflow> make_layer_workflow(const WorkflowText& what) {
    const std::uint64_t rows = what.second[0], columns = what.second[1];
    if (2 * rows > what.shape[2] || columns > what.shape[3] / 2 + 1)
        throw UsageError("fourier-layer: expected at most half of the rows' modes and columns 0 to n/2, got '" +
                         to_string(what) + "'");
    return std::make_unique<FourierLayer>(what);
}

}  // namespace seiche::cli
