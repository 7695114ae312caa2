// Convolutions of long signals and of pictures, and phase correlation: plans of seiche/convolution.hpp whose kernels
// are new in each call.
#include <algorithm>
#include <cmath>

#include "cli/reference/host_spectrum.hpp"
#include "cli/text/failure.hpp"
#include "cli/workflow/workflow.hpp"
#include "seiche/convolution.hpp"

namespace seiche::cli {
namespace {

/// The kernels' spectra and the convolution; input 0 are signals, input 1 kernels.
class PreparedConvolution : public PreparedWorkflow {
public:
    PreparedConvolution(const Device& device, const Convolution& convolution, const WorkflowArrays& arrays)
        : plan_(device, convolution) {
        const auto allocated = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); };
        preparation_.kernels = arrays.inputs[1];
        preparation_.spectrum = allocated(plan_.spectrum_bytes());
        preparation_.workspace = allocated(plan_.preparation_bytes());
        execution_.input = arrays.inputs[0];
        execution_.spectrum = preparation_.spectrum;
        execution_.output = arrays.output;
        execution_.workspace = allocated(plan_.workspace_bytes());
    }
    void enqueue(Queue& queue) const override {
        plan_.prepare(queue, preparation_);
        plan_.execute(queue, execution_);
    }
    std::vector<PlanReport> reports() const override { return {plan_.report()}; }

private:
    ConvolutionPlan plan_;
    ConvolutionPreparation preparation_;
    ConvolutionExecution execution_;
};

class ConvolutionWorkflow : public Workflow {
public:
    using Workflow::Workflow;
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        return std::make_unique<PreparedConvolution>(device, convolution(), arrays);
    }

protected:
    virtual Convolution convolution() const = 0;

    /// Points of an input from `first` on, in the corner of an array of zeros.
    HostArrayOfPoints padded(std::size_t input, std::uint64_t first, const std::vector<std::uint64_t>& lengths,
                             const std::vector<std::uint64_t>& all) const {
        std::uint64_t count = 1, size = 1;
        for (const std::uint64_t n : lengths) count *= n;
        for (const std::uint64_t n : all) size *= n;
        const auto number = numbers_of(input);
        HostArrayOfPoints points(size);
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::vector<std::uint64_t> place = place_of(i, lengths);
            std::uint64_t at = 0;
            for (std::size_t axis = 0; axis < all.size(); ++axis) at = at * all[axis] + place[axis];
            points[at] = number(first + i);
        }
        return points;
    }
};

std::vector<double> real_parts(const HostArrayOfPoints& points, std::uint64_t count) {
    std::vector<double> numbers(count);
    for (std::uint64_t i = 0; i < count; ++i) numbers[i] = points[i].real();
    return numbers;
}

/// y[b][d][t] = sum over s of k[d][s] x[b][d][t - s]: what state space models and long convolutions do.
class LongConvolution : public ConvolutionWorkflow {
public:
    using ConvolutionWorkflow::ConvolutionWorkflow;
    std::vector<WorkflowInput> inputs() const override { return {{entries() * length(2)}, {length(1) * length(2)}}; }
    std::uint64_t entries() const override { return length(0) * length(1); }
    std::uint64_t entry_numbers() const override { return length(2); }
    std::uint64_t points() const override { return 2 * length(2); }
    std::vector<double> expected(std::uint64_t entry) const override {
        const std::uint64_t n = length(2);
        HostArrayOfPoints signal = padded(0, entry * n, {n}, {2 * n}),
                          kernel = padded(1, entry % length(1) * n, {n}, {2 * n});
        transform_on_host(kernel, {2 * n}, Direction::forward);
        filter_on_host(signal, {2 * n}, [&](std::uint64_t bin) { return kernel[bin]; });
        return real_parts(signal, n);
    }

protected:
    Convolution convolution() const override {
        Convolution c;
        c.signal = c.kernel = {length(2)};
        c.mode = ConvolutionMode::causal;
        c.inputs = c.outputs = static_cast<std::uint32_t>(length(1));
        c.channels = ChannelMatrix::diagonal;
        c.batch = length(0);
        return c;
    }
};

/// scipy.signal.fftconvolve(picture, kernel, "same") of each picture.
class ImageConvolution : public ConvolutionWorkflow {
public:
    using ConvolutionWorkflow::ConvolutionWorkflow;
    std::vector<WorkflowInput> inputs() const override {
        return {{entries() * entry_numbers()}, {kernel(0) * kernel(1)}};
    }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return length(1) * length(2); }
    std::uint64_t points() const override { return entry_numbers(); }
    std::vector<double> expected(std::uint64_t entry) const override {
        const std::vector<std::uint64_t> own = {length(1), length(2)};
        std::vector<std::uint64_t> all;
        for (std::size_t axis = 0; axis < 2; ++axis)
            all.push_back((own[axis] + kernel(axis) - 1 + 63) / 64 * 64);  // quick to transform
        HostArrayOfPoints picture = padded(0, entry * entry_numbers(), own, all),
                          spectrum = padded(1, 0, {kernel(0), kernel(1)}, all);
        transform_on_host(spectrum, all, Direction::forward);
        filter_on_host(picture, all, [&](std::uint64_t bin) { return spectrum[bin]; });
        std::vector<double> result;
        result.reserve(entry_numbers());
        for (std::uint64_t y = 0; y < own[0]; ++y)
            for (std::uint64_t x = 0; x < own[1]; ++x)
                result.push_back(picture[(y + (kernel(0) - 1) / 2) * all[1] + x + (kernel(1) - 1) / 2].real());
        return result;
    }

protected:
    Convolution convolution() const override {
        Convolution c;
        c.signal = {length(1), length(2)};
        c.kernel = {kernel(0), kernel(1)};
        c.mode = ConvolutionMode::same;
        c.batch = length(0);
        return c;
    }

private:
    std::uint64_t kernel(std::size_t axis) const { return what().second[axis]; }
};

/// Of pairs of pictures, each with one of its own: every bin of the cross-power spectrum divided by its magnitude.
class PhaseCorrelation : public ConvolutionWorkflow {
public:
    using ConvolutionWorkflow::ConvolutionWorkflow;
    std::vector<WorkflowInput> inputs() const override {
        // A large number each keeps bins away from 0, whose phase rounding decides.
        const auto pictures = [points = points()](std::size_t input) {
            return WorkflowInput{0, [points, input](std::uint64_t i) {
                                     const double large = 4 * std::floor(std::sqrt(static_cast<double>(points)));
                                     return i % points == points / 3 ? large : random(input, i);
                                 }};
        };
        std::vector<WorkflowInput> all = {pictures(0), pictures(1)};
        for (WorkflowInput& input : all) input.count = entries() * points();
        return all;
    }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return points(); }
    std::uint64_t points() const override { return length(1) * length(2); }
    std::vector<double> expected(std::uint64_t entry) const override {
        const std::vector<std::uint64_t> own = {length(1), length(2)};
        HostArrayOfPoints first = padded(0, entry * points(), own, own), second = padded(1, entry * points(), own, own);
        transform_on_host(first, own, Direction::forward);
        transform_on_host(second, own, Direction::forward);
        for (std::size_t bin = 0; bin < first.size(); ++bin) {
            first[bin] *= std::conj(second[bin]);
            const double magnitude = std::abs(first[bin]);
            first[bin] = magnitude == 0 ? 0 : first[bin] / (magnitude * static_cast<double>(points()));
        }
        transform_on_host(first, own, Direction::inverse);
        return real_parts(first, points());
    }

protected:
    Convolution convolution() const override {
        Convolution c;
        c.signal = c.kernel = {length(1), length(2)};
        c.mode = ConvolutionMode::circular;
        c.product = ConvolutionProduct::phase;
        c.inputs = c.outputs = static_cast<std::uint32_t>(length(0));
        c.channels = ChannelMatrix::diagonal;
        return c;
    }
};

}  // namespace

std::unique_ptr<Workflow> make_convolution_workflow(const WorkflowText& what) {
    if (what.kind == WorkflowKind::long_convolution) return std::make_unique<LongConvolution>(what);
    if (what.kind == WorkflowKind::phase_correlation) return std::make_unique<PhaseCorrelation>(what);
    return std::make_unique<ImageConvolution>(what);
}

}  // namespace seiche::cli
