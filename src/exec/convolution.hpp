// A compiled convolution: the schedules of its kernels' transform and of its execution.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "exec/executable.hpp"
#include "planner/convolution.hpp"
#include "seiche/convolution.hpp"

namespace seiche::exec {

/// A convolution before it meets a backend: its design, and every kernel generated once.
struct ConvolutionDraft {
    struct Part {
        std::vector<DraftStep> steps;
        std::array<std::uint64_t, 3> workspace_elements{};  ///< Per batch entry.
    };
    planner::ConvolutionDesign design;
    Part preparation, execution;
};

ConvolutionDraft draft(const Convolution& convolution, const DeviceLimits& limits, const Tuning& tuning);

/// What an execution launches and moves. Times and counts of compilation are left at 0.
PlanReport report(const ConvolutionDraft& draft, const Convolution& convolution);

/// Interprets every kernel of an execution on random data and counts.
std::vector<AnalysisReport> analyse(const ConvolutionDraft& draft, const DeviceLimits& limits);
/// Likewise of the preparation, which transforms the kernels.
std::vector<AnalysisReport> analyse_preparation(const ConvolutionDraft& draft, const DeviceLimits& limits);

/// The arguments of one schedule, already checked. For the preparation: kernels, none, spectra.
struct ConvolutionArguments {
    runtime::BufferArgument input, spectra, output, workspace;
    std::uint64_t batch = 1;
};

/// Immutable; may be executed from many threads on different queues.
class ConvolutionExecutable {
public:
    ConvolutionExecutable(const Device& device, const Convolution& convolution, const Tuning& tuning,
                          const Mutation& mutate = {}, const SavedBinaries& saved = {});

    /// Throws InvalidProblem where the batch needs more buffers, as many as a kernel's argument may have, than the
    /// problem's own.
    void check_parts(std::uint64_t batch) const;
    void prepare(runtime::Queue& queue, const ConvolutionArguments& arguments) const;
    void execute(runtime::Queue& queue, const ConvolutionArguments& arguments) const;

    std::uint64_t workspace_bytes(std::uint64_t batch) const { return workspace_bytes(execution_, batch); }
    std::uint64_t preparation_bytes() const { return workspace_bytes(preparation_, 1); }
    std::uint64_t spectrum_bytes() const;

    /// Throws BackendError where the driver does not give a binary away.
    SavedConvolution save() const;

    const Device& device() const { return device_; }
    const Convolution& convolution() const { return convolution_; }
    const problem::CanonicalConvolution& canonical() const { return design_.convolution; }
    const std::vector<std::uint64_t>& padded_lengths() const { return padded_lengths_; }
    const PlanReport& report() const { return report_; }

private:
    struct LoadedSchedule {
        std::vector<LoadedStep> steps;
        std::array<std::uint64_t, 3> workspace_elements{};
    };

    std::uint64_t part_bytes(std::uint64_t elements, std::uint64_t batch) const;
    std::uint64_t workspace_bytes(const LoadedSchedule& schedule, std::uint64_t batch) const;
    void run(runtime::Queue& queue, const LoadedSchedule& schedule, const ConvolutionArguments& arguments) const;

    Device device_;
    Convolution convolution_;
    Tuning tuning_;
    Mutation mutate_;
    planner::ConvolutionDesign design_;
    std::vector<std::uint64_t> padded_lengths_;
    LoadedSchedule preparation_, execution_;
    PlanReport report_;
    std::uint64_t table_bytes_ = 0;
};

}  // namespace seiche::exec
