// A convolution on a device with its figures: what the commands that convolve files share.
#include "cli/device/device_convolution.hpp"

#include <complex>
#include <optional>
#include <type_traits>
#include <utility>

#include "cli/command/report.hpp"
#include "cli/device/device_transform.hpp"
#include "cli/io/npy.hpp"

namespace seiche::cli {
namespace {

template <class Element>
constexpr bool is_real = std::is_floating_point_v<Element>;

template <class Element>
double height_of(const Element& value) {
    if constexpr (is_real<Element>)
        return static_cast<double>(value);
    else
        return static_cast<double>(std::abs(value));
}

/// The lag that point `i` of an axis stands for.
std::int64_t lag(ConvolutionMode mode, std::uint64_t i, std::uint64_t signal, std::uint64_t kernel) {
    const auto at = static_cast<std::int64_t>(i), a = static_cast<std::int64_t>(signal),
               b = static_cast<std::int64_t>(kernel);
    switch (mode) {
        case ConvolutionMode::full: return at - (b - 1);
        case ConvolutionMode::same: return at - (b - 1) + (b - 1) / 2;
        case ConvolutionMode::valid:
        case ConvolutionMode::causal: return at;
        case ConvolutionMode::circular: break;
    }
    return at < (a + 1) / 2 ? at : at - a;
}

}  // namespace

void set_channels(Convolution& convolution, std::uint64_t channels, std::uint64_t kernels) {
    if (kernels == 1) {
        convolution.batch = channels;
        return;
    }
    convolution.inputs = convolution.outputs = static_cast<std::uint32_t>(channels);
    convolution.channels = ChannelMatrix::diagonal;
}

template <class Element>
std::vector<Element> run_convolution(const Device& device, Convolution convolution, const std::vector<Element>& input,
                                     const std::vector<Element>& kernels, ConvolutionFigures& figures) {
    set_element<Element>(convolution);
    require_precision(device, convolution.precision);
    const double start = now_seconds();
    std::optional<Progress> compiling(std::in_place, "compiling kernels");
    const ConvolutionPlan plan(device, convolution);
    figures.padded = plan.padded_lengths();

    Queue queue = device.create_queue();
    const auto allocated = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); };
    ConvolutionPreparation preparation;
    preparation.kernels = allocated(plan.kernel_bytes());
    preparation.spectrum = allocated(plan.spectrum_bytes());
    preparation.workspace = allocated(plan.preparation_bytes());
    ConvolutionExecution execution;
    execution.input = allocated(plan.input_bytes());
    execution.spectrum = preparation.spectrum;
    execution.output = allocated(plan.output_bytes());
    execution.workspace = allocated(plan.workspace_bytes());
    queue.upload(preparation.kernels, kernels.data(), plan.kernel_bytes());
    queue.upload(execution.input, input.data(), plan.input_bytes());
    if (device.info().backend != Backend::reference) {  // other drivers compile as late as the first run
        plan.prepare(queue, preparation);
        execution.batch = 1;
        plan.execute(queue, execution);
        execution.batch = 0;
    }
    queue.wait();
    figures.plan_ms += 1e3 * (now_seconds() - start);
    compiling.reset();
    const Progress convolving("convolving");
    const Event before = queue.record();
    plan.prepare(queue, preparation);
    plan.execute(queue, execution);
    const Event after = queue.record();
    figures.device_milliseconds += queue.milliseconds(before, after);  // waits
    std::vector<Element> result(plan.output_bytes() / sizeof(Element));
    queue.download(result.data(), execution.output, plan.output_bytes());
    return result;
}

template <class Element>
Peak find_peak(const Convolution& convolution, const std::vector<Element>& result) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < result.size(); ++i)
        if (height_of(result[i]) > height_of(result[best])) best = i;
    const Shape lengths = result_lengths(convolution);
    Peak peak{std::vector<std::int64_t>(lengths.size()), height_of(result[best]), best / io::element_count(lengths)};
    std::uint64_t left = best;
    for (std::size_t axis = lengths.size(); axis-- > 0; left /= lengths[axis])
        peak.shift[axis] =
            lag(convolution.mode, left % lengths[axis], convolution.signal[axis], convolution.kernel[axis]);
    return peak;
}

template std::vector<float> run_convolution(const Device&, Convolution, const std::vector<float>&,
                                            const std::vector<float>&, ConvolutionFigures&);
template std::vector<double> run_convolution(const Device&, Convolution, const std::vector<double>&,
                                             const std::vector<double>&, ConvolutionFigures&);
template std::vector<std::complex<float>> run_convolution(const Device&, Convolution,
                                                          const std::vector<std::complex<float>>&,
                                                          const std::vector<std::complex<float>>&, ConvolutionFigures&);
template std::vector<std::complex<double>> run_convolution(const Device&, Convolution,
                                                           const std::vector<std::complex<double>>&,
                                                           const std::vector<std::complex<double>>&,
                                                           ConvolutionFigures&);
template Peak find_peak(const Convolution&, const std::vector<float>&);
template Peak find_peak(const Convolution&, const std::vector<double>&);
template Peak find_peak(const Convolution&, const std::vector<std::complex<float>>&);
template Peak find_peak(const Convolution&, const std::vector<std::complex<double>>&);

}  // namespace seiche::cli
