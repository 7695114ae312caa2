// Names of workflows: "long-convolution 64x768x1024". A word, then lengths.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seiche::cli {

enum class WorkflowKind {
    long_convolution,
    image_convolution,
    phase_correlation,
    poisson,
    influence,
    transfer_function,
    matched_filter,
    plane_waves,
    range_doppler,
    stft_power,
    istft,
    fourier_layer,
    given,  ///< No workflow's name: an operator's or a short-time transform's own text.
};

/// What a workflow's text says.
struct WorkflowText {
    WorkflowKind kind = WorkflowKind::poisson;
    std::vector<std::uint64_t> shape;        ///< As many lengths as the kind has.
    std::vector<std::uint64_t> second = {};  ///< Of the kernel, or a frame's length and the hop; else empty.
};

/// Whether the first word is a workflow's name.
bool is_workflow(const std::string& text);
/// Whether what a text says is timed as a workflow is: one, an operator or a short-time transform.
bool is_timed_whole(const std::string& text);
/// Throws UsageError that says what the workflow's text looks like.
WorkflowText parse_workflow(const std::string& text);
/// Parsed again it is the same.
std::string to_string(const WorkflowText& workflow);

}  // namespace seiche::cli
