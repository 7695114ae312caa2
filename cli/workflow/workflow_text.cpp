// Reading and writing names of workflows.
#include "cli/workflow/workflow_text.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "cli/problem/text_kind.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

struct KindText {
    WorkflowKind kind;
    const char* name;
    std::size_t rank, second_rank;
    const char* example;
};

constexpr std::array<KindText, 12> kinds = {{
    {WorkflowKind::long_convolution, "long-convolution", 3, 0, "64x768x1024 (batch, channels, samples)"},
    {WorkflowKind::image_convolution, "image-convolution", 3, 2, "32x1024x1024 63x63 (pictures; kernel)"},
    {WorkflowKind::phase_correlation, "phase-correlation", 3, 0, "128x512x512 (pairs of pictures)"},
    {WorkflowKind::poisson, "poisson", 3, 0, "256x256x256"},
    {WorkflowKind::influence, "influence", 3, 0, "96x96x96"},
    {WorkflowKind::transfer_function, "transfer-function", 3, 0, "2048x256x256 (pictures)"},
    {WorkflowKind::matched_filter, "matched-filter", 2, 0, "4096x8192 (signals)"},
    {WorkflowKind::plane_waves, "plane-waves", 4, 0, "64x128x128x128 (bands, grid)"},
    {WorkflowKind::range_doppler, "range-doppler", 3, 0, "64x512x1024 (batch, pulses, samples)"},
    {WorkflowKind::stft_power, "stft-power", 2, 2, "64x480000 1024x256 (signals; frame and hop)"},
    {WorkflowKind::istft, "istft", 2, 2, "64x480000 1024x256 (signals; frame and hop)"},
    {WorkflowKind::fourier_layer, "fourier-layer", 4, 2, "16x32x256x256 32x32 (batch, channels, grid; kept modes)"},
}};

const KindText* find_kind(const std::string& name) {
    const auto* const found =
        std::find_if(kinds.begin(), kinds.end(), [&](const KindText& kind) { return name == kind.name; });
    return found == kinds.end() ? nullptr : found;
}

std::string joined(const std::vector<std::uint64_t>& lengths) {
    std::string text;
    for (const std::uint64_t n : lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
    return text;
}

/// Empty where `word` is no shape of so many lengths from 1 to 2^30.
std::vector<std::uint64_t> shape_of(const std::string& word, std::size_t rank) {
    constexpr std::size_t most_digits = 10;
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    std::vector<std::uint64_t> lengths;
    std::istringstream parts(word);
    for (std::string part; std::getline(parts, part, 'x');) {
        const bool is_number = !part.empty() && part.size() <= most_digits && part[0] != '0' &&
                               part.find_first_not_of("0123456789") == std::string::npos;
        if (!is_number || std::stoull(part) > longest) return {};
        lengths.push_back(std::stoull(part));
    }
    return lengths.size() == rank && word.back() != 'x' ? lengths : std::vector<std::uint64_t>{};
}

}  // namespace

bool is_workflow(const std::string& text) { return find_kind(text.substr(0, text.find(' '))) != nullptr; }

bool is_timed_whole(const std::string& text) { return is_workflow(text) || is_short_time(text) || is_spectral(text); }

WorkflowText parse_workflow(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    const KindText* const kind = words.empty() ? nullptr : find_kind(words.front());
    if (kind == nullptr) throw UsageError("expected the name of a workflow, got '" + printable(text) + "'");
    WorkflowText workflow{kind->kind, {}, {}};
    const std::size_t expected = kind->second_rank == 0 ? 2 : 3;
    if (words.size() == expected) {
        workflow.shape = shape_of(words[1], kind->rank);
        if (kind->second_rank != 0) workflow.second = shape_of(words[2], kind->second_rank);
    }
    if (workflow.shape.empty() || (kind->second_rank != 0 && workflow.second.empty()))
        throw UsageError(std::string(kind->name) + ": expected lengths such as " + kind->example + ", got '" +
                         printable(text) + "'");
    return workflow;
}

std::string to_string(const WorkflowText& workflow) {
    const auto* const kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const KindText& known) { return known.kind == workflow.kind; });
    return std::string(kind->name) + " " + joined(workflow.shape) +
           (workflow.second.empty() ? "" : " " + joined(workflow.second));
}

}  // namespace seiche::cli
