// What all workflows share: their inputs and which file makes them.
#include "cli/workflow/workflow.hpp"

#include "cli/reference/random_data.hpp"

namespace seiche::cli {

std::uint64_t Workflow::bytes() const {
    std::uint64_t numbers = 0;
    for (const WorkflowInput& input : inputs()) numbers += input.count;
    return numbers * number_bytes() + output_bytes();
}

double Workflow::random(std::size_t input, std::uint64_t i) {
    const auto bits = static_cast<std::int64_t>(splitmix((input + 1) * 0x9e3779b97f4a7c15u + i));
    return static_cast<double>(bits >> 40) / static_cast<double>(1 << 23);
}

std::function<double(std::uint64_t)> Workflow::numbers_of(std::size_t input) const {
    if (auto value = inputs()[input].value) return value;
    return [input](std::uint64_t i) { return random(input, i); };
}

std::unique_ptr<Workflow> make_workflow(const WorkflowText& what) {
    switch (what.kind) {
        case WorkflowKind::long_convolution:
        case WorkflowKind::image_convolution:
        case WorkflowKind::phase_correlation: return make_convolution_workflow(what);
        case WorkflowKind::range_doppler:
        case WorkflowKind::istft:
        case WorkflowKind::stft_power: return make_frame_workflow(what);
        case WorkflowKind::fourier_layer: return make_layer_workflow(what);
        default: return make_operator_workflow(what);
    }
}

std::unique_ptr<Workflow> make_workflow(const std::string& text, const StageOptions& stages) {
    return is_workflow(text) ? make_workflow(parse_workflow(text)) : make_given_workflow(text, stages);
}

}  // namespace seiche::cli
