// Inverse short-time transforms in one kernel: groups transform frames and add them where they overlap.
#pragma once

#include <optional>

#include "exec/draft.hpp"
#include "exec/executable.hpp"

namespace seiche::exec {

/// Spectra of frames of real signals. Signal b's frame t has bin k at element b frames (length / 2 + 1) + t
/// frame_stride + k bin_stride.
struct InverseFrames {
    std::vector<double> window;  ///< As long as a frame.
    std::uint64_t frames = 1, hop = 1;
    std::uint64_t begin = 0, samples = 1;  ///< Of the result, counted from the first frame's first.
    std::uint64_t frame_stride = 1, bin_stride = 1;
    std::uint64_t batch = 1;
    Precision precision = Precision::f32;

    std::uint64_t length() const { return window.size(); }
    std::uint64_t spectrum_elements() const { return frames * (length() / 2 + 1); }
};

/// Its kernel. Nothing where a group of this device cannot have as many frames as that takes: then frames go through
/// memory.
std::optional<DraftStep> draft_overlap_add(const InverseFrames& inverse, const DeviceLimits& limits,
                                           const Tuning& tuning);

/// What the kernel moves for the batch.
PlanReport report(const DraftStep& step, const InverseFrames& inverse);
std::vector<AnalysisReport> analyse(const DraftStep& step, const InverseFrames& inverse, const DeviceLimits& limits);

/// The kernel made ready to run. Immutable.
class OverlapAddExecutable {
public:
    OverlapAddExecutable(const Device& device, const DraftStep& step, const InverseFrames& inverse,
                         const SavedBinaries& saved = {});
    /// `step`: as it was drafted. Throws BackendError where the driver does not give a binary away.
    SavedPart save(const Device& device, const DraftStep& step) const;
    void execute(runtime::Queue& queue, const runtime::BufferArgument& input, const runtime::BufferArgument& output,
                 std::uint64_t batch) const;
    const PlanReport& report() const { return report_; }

private:
    LoadedStep step_;
    PlanReport report_;
    std::uint64_t table_bytes_ = 0;
};

}  // namespace seiche::exec
