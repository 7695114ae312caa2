// A compiled spectral operator: the schedules of its execution and, of a convolution, of its kernels' transform.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "exec/executable.hpp"
#include "planner/spectral.hpp"
#include "seiche/convolution.hpp"
#include "seiche/spectral.hpp"

namespace seiche::exec {

/// What a user states.
using SpectralSource = std::variant<SpectralProblem, Convolution>;

/// An operator before it meets a backend: its design, and every kernel generated once.
struct SpectralDraft {
    struct Part {
        std::vector<DraftStep> steps;
        std::array<std::uint64_t, 4> workspace_elements{};  ///< Per batch entry.
        std::uint64_t partial_bytes = 0;                    ///< Likewise.
        /// Entries that go through all steps before the next ones do.
        std::uint64_t at_once = std::numeric_limits<std::uint64_t>::max();
    };
    planner::SpectralDesign design;
    Part preparation, execution;
};

SpectralDraft draft(const SpectralSource& source, const DeviceLimits& limits, const Tuning& tuning);

/// What an execution launches and moves. Times and counts of compilation are left at 0.
PlanReport report(const SpectralDraft& draft, const SpectralSource& source);

/// Interprets every kernel of an execution on random data and counts.
std::vector<AnalysisReport> analyse(const SpectralDraft& draft, const DeviceLimits& limits);
/// Likewise of the preparation, which transforms the kernels.
std::vector<AnalysisReport> analyse_preparation(const SpectralDraft& draft, const DeviceLimits& limits);

/// The arguments of one schedule, already checked. For the preparation: kernels, none, spectra.
struct SpectralArguments {
    runtime::BufferArgument input, spectra, output, workspace;
    std::uint64_t batch = 1;
    StageArguments load = {}, middle = {}, store = {};
    runtime::BufferArgument sums = {};
};

/// Immutable; may be executed from many threads on different queues.
class SpectralExecutable {
public:
    SpectralExecutable(const Device& device, const SpectralSource& source, const Tuning& tuning,
                       const Mutation& mutate = {}, const SavedBinaries& saved = {});

    /// Throws InvalidProblem where the batch needs more buffers, as many as a kernel's argument may have, than the
    /// problem's own.
    void check_parts(std::uint64_t batch) const;
    void prepare(runtime::Queue& queue, const SpectralArguments& arguments) const;
    void execute(runtime::Queue& queue, const SpectralArguments& arguments) const;

    std::uint64_t workspace_bytes(std::uint64_t batch) const { return workspace_bytes(execution_, batch); }
    std::uint64_t preparation_bytes() const { return workspace_bytes(preparation_, 1); }
    std::uint64_t spectrum_bytes() const;

    /// Throws BackendError where the driver does not give a binary away.
    SavedSpectral save() const;

    const Device& device() const { return device_; }
    const SpectralSource& source() const { return source_; }
    const problem::CanonicalSpectral& canonical() const { return design_.spectral; }
    const std::vector<std::uint64_t>& padded_lengths() const { return padded_lengths_; }
    const PlanReport& report() const { return report_; }

private:
    struct LoadedSchedule {
        std::vector<LoadedStep> steps;
        std::array<std::uint64_t, 4> workspace_elements{};
        std::uint64_t partial_bytes = 0;
        std::uint64_t at_once = std::numeric_limits<std::uint64_t>::max();
    };

    std::uint64_t part_bytes(std::uint64_t elements, std::uint64_t batch) const;
    std::uint64_t workspace_bytes(const LoadedSchedule& schedule, std::uint64_t batch) const;
    /// What the user's stage of this side in a step was given.
    const StageArguments& stage_arguments(const LoadedStep& step, expression::Side side,
                                          const SpectralArguments& arguments) const;
    /// One buffer of a stage: the user's, or the plan's own table of positions.
    runtime::BufferArgument stage_buffer(const LoadedStep& step, expression::Side side, std::size_t index,
                                         const SpectralArguments& arguments) const;
    void upload_positions();
    void run(runtime::Queue& queue, const LoadedSchedule& schedule, const SpectralArguments& arguments) const;

    Device device_;
    SpectralSource source_;
    Tuning tuning_;
    Mutation mutate_;
    planner::SpectralDesign design_;
    std::vector<std::uint64_t> padded_lengths_;
    LoadedSchedule preparation_, execution_;
    PlanReport report_;
    std::uint64_t table_bytes_ = 0;
    std::shared_ptr<runtime::Buffer> positions_;  ///< CanonicalSpectral::positions, where there are some.
};

}  // namespace seiche::exec
