// Spectral operators in one plan: forward transform, a stage for each bin of the spectrum, inverse transform, or the
// other way round, fused so that the last axis makes one trip through memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "seiche/problem.hpp"
#include "seiche/stage.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

SEICHE_EXPORT_END
namespace exec {
class SpectralExecutable;
}
SEICHE_EXPORT_BEGIN

/// Which of a transform's points an array has along one axis: begin .. end-1.
struct PointRange {
    std::uint64_t begin = 0, end = 0;
    friend bool operator==(const PointRange& a, const PointRange& b) { return a.begin == b.begin && a.end == b.end; }
    friend bool operator!=(const PointRange& a, const PointRange& b) { return !(a == b); }
};

/// Which frequencies of an axis are kept: the wave numbers begin .. end-1, negative ones too.
struct ModeRange {
    std::int64_t begin = 0, end = 0;
    friend bool operator==(const ModeRange& a, const ModeRange& b) { return a.begin == b.begin && a.end == b.end; }
    friend bool operator!=(const ModeRange& a, const ModeRange& b) { return !(a == b); }
};

/// A matrix of weights between channels, of its own for every kept mode. 0 and 0: there is none.
struct SpectralChannels {
    std::uint32_t inputs = 0, outputs = 0;
    /// Weights are those of the layer the other way: dense as [outputs][inputs][modes], and used conjugated. So the
    /// gradient of a layer's input needs no copy of its weights.
    bool adjoint = false;
    friend bool operator==(const SpectralChannels& a, const SpectralChannels& b) {
        return a.inputs == b.inputs && a.outputs == b.outputs && a.adjoint == b.adjoint;
    }
    friend bool operator!=(const SpectralChannels& a, const SpectralChannels& b) { return !(a == b); }
};

/// The numbers of both arrays of a spectral operator.
enum class SpectralNumbers {
    real,      ///< Real in and out. The spectrum has n/2 + 1 bins along the last axis, as numpy.fft.rfftn's.
    complex,   ///< Complex in and out; all bins.
    analytic,  ///< Real in, complex out; all bins.
};
/// "real", "complex", "analytic".
const char* to_string(SpectralNumbers numbers) noexcept;

/// What transforms one axis. A real-to-real kind expands the array in the functions of a boundary condition; the kind
/// here is the forward transform's, and the inverse one undoes it (dct3 after dct2, dct2 after dct3, and so dst2 and
/// dst3; the others are their own). docs/reference/spectral.md has the functions and their wave numbers.
enum class SpectralAxisKind {
    periodic,  ///< As `numbers` says.
    dct1,      ///< Kind of problem.hpp has the definitions.
    dct2,
    dct3,
    dct4,
    dst1,
    dst2,
    dst3,
    dst4,
};
/// "periodic", "dct1", ...
const char* to_string(SpectralAxisKind kind) noexcept;
/// With what a spectral operator begins.
enum class SpectralOrder {
    points_first,    ///< Points, their spectrum, points.
    spectrum_first,  ///< A spectrum, its points, a spectrum.
};
/// "points-first", "spectrum-first".
const char* to_string(SpectralOrder order) noexcept;
/// How much of an operator a plan is. Kept modes in memory are complex numbers of the problem's precision, dense as
/// [batch][channels][modes], in the order in which weights have them.
enum class SpectralPart {
    whole,     ///< Signals to signals.
    forward,   ///< Signals to their kept modes, behind the middle stage. Without channels, which are a batch here.
    inverse,   ///< Kept modes to signals, by way of the weights where there are channels.
    gradient,  ///< From kept modes of the input, and of the output's gradient, the gradient of the layer's weights.
};
/// "whole", "forward", "inverse", "gradient".
const char* to_string(SpectralPart part) noexcept;

/// Forward transform, a stage for each bin, inverse transform. Arrays are dense and row-major: input [batch][input
/// points], output [batch][output points]. Without a middle stage the output is the input times `scale`.
struct SpectralProblem {
    std::vector<std::uint64_t> lengths = {};  ///< Of both transforms, slowest axis first; 1 to 2^30 each.
    /// One range for each axis. What the input lacks counts as 0, and what the output lacks is not computed, nor moved.
    /// Empty: all points.
    std::vector<PointRange> input = {}, output = {};
    SpectralNumbers numbers = SpectralNumbers::real;
    /// Stages (docs/reference/stages.md): of each point of the input, of each bin between the transforms, of each point
    /// of the output. The middle one sees the bin's `value`, its indices i0, i1, ... in the spectrum, and its wave
    /// numbers k0, k1, ..., which are negative in the upper half of a whole axis (numpy.fft.fftfreq times n); along an
    /// axis of dct1 or dct2 they are the index, of dst1 or dst2 one more, of the other kinds half a one more. It has to
    /// return, and stores nothing. It may sum real numbers over the bins, up to 8 (`sum energy = norm(value);`), all
    /// of them: those that half of a real spectrum leaves out too. At most 16 buffers and 16 scalars in all three; one
    /// name is one argument.
    UserStage load = {}, middle = {}, store = {};
    double scale = 1.0;                    ///< Of the output, beside 1/N of the transforms.
    std::uint64_t batch = 1;               ///< How many arrays, 0 for none. May be changed at each execution.
    Precision precision = Precision::f32;  ///< f32 or f64.
    Storage storage = Storage::same;       ///< Of input and output.
    /// One range for each axis: wave numbers as numpy.fft.fftfreq(n) * n has them, from -(n/2) to (n-1)/2, or, along
    /// the halved axis of a real spectrum, from 0 to n/2. The other bins are 0, and neither computed nor moved; the
    /// middle stage does not see them. Empty: all.
    std::vector<ModeRange> kept = {};
    /// Arrays are [batch][channels][points] then, and each kept mode of output o is the sum over inputs i of the mode
    /// of input i times weight [i][o][mode], behind the middle stage. Weights are arguments of an execution.
    SpectralChannels channels = {};
    /// One for each axis; empty: all periodic. Real numbers only, and no channels. Where all are real-to-real, bins are
    /// real numbers; else they are complex, and the last periodic axis is the halved one. The first transform takes the
    /// real-to-real axes before the periodic ones. Beside real-to-real axes periodic ones have all of their points, and
    /// beside periodic axes real-to-real ones keep all of their modes.
    std::vector<SpectralAxisKind> kinds = {};
    /// With spectrum_first both arrays are spectra, and numbers are complex: all bins, or the modes of `kept`, dense,
    /// along each axis those of wave numbers from 0 on before the negative ones, or those of `packed`. The inverse
    /// transform comes first, then the middle stage, which sees each point of the grid and its indices, then the
    /// forward one. The other stages see modes, whose indices are those of the whole spectrum. No stage sees wave
    /// numbers; `input`, `output`, `channels` and `kinds` stay empty.
    SpectralOrder order = SpectralOrder::points_first;
    /// With spectrum_first, in place of `kept`: the modes of an array, none twice, in the array's order. Of each the
    /// wave number along each axis, one mode after the other. The arrays are [batch][modes].
    std::vector<std::int64_t> packed = {};
    /// Of f32: what the middle stage sums (`sum energy = norm(value);`) is added and given in f64. Sums of f64 are so
    /// anyway.
    bool sums_in_f64 = false;
    /// Fields that a part has no use for are refused. The gradient is that of whole(input): for each mode, the sum over
    /// the batch of the conjugate of the input's times that of the output's gradient, times `scale` / N, and doubled
    /// where a bin of a halved axis stands for its mirror. Its arrays are modes [batch][inputs][modes], by
    /// SpectralExecution::weights [batch][outputs][modes], and the result [inputs][outputs][modes].
    SpectralPart part = SpectralPart::whole;
};

/// E.g. "256x256 real f32 batch=16 input=0-200,0-256 scale=0.5 kept=-16:16,0:16 channels=32x32", or
/// "64x64 real f32 kinds=dct2,periodic": without its stages, which are no words of it, and of `packed` the count of
/// modes alone: "packed=4169".
std::string to_string(const SpectralProblem& problem);
/// The way back: lengths, then in any order real, complex or analytic, f32 or f64, spectrum-first, adjoint, storage=T
/// batch=N scale=X part=P, channels=IxO, input=, output= and kept= with a range for each axis, kinds= with a kind for
/// each axis, sums=f64. Throws InvalidProblem for a word that means nothing, or says again what another has said;
/// whether it makes sense is not looked at.
SpectralProblem parse_spectral(const std::string& text);

/// Without a device: the report of what would run on one with these limits, and the counts of the same kernels in the
/// interpreter (see seiche/inspect.hpp).
PlanReport inspect(const SpectralProblem& problem, const DeviceLimits& limits, const Tuning& tuning = {});
std::vector<AnalysisReport> analyse(const SpectralProblem& problem, const DeviceLimits& limits,
                                    const Tuning& tuning = {});

/// The arguments of one execution. Nothing of this is part of the plan.
struct SpectralExecution {
    BufferView input = {};
    BufferView output = {};     ///< Must not overlap the input.
    BufferView workspace = {};  ///< At least `workspace_bytes(batch)`; may be left empty when that is 0.
    /// None: the problem's. 0: nothing is done, and no buffer is needed.
    std::optional<std::uint64_t> batch = {};
    std::vector<StageBufferArgument> stage_buffers = {};  ///< What the stages name, in any order.
    std::vector<StageScalarArgument> stage_scalars = {};
    /// Where the problem has channels: at least `weight_bytes(batch)`, complex numbers of its precision, dense as
    /// [inputs][outputs][kept modes], along each axis those of wave numbers from 0 on before the negative ones. For
    /// SpectralPart::gradient the modes of the output's gradient, [batch][outputs][kept modes].
    BufferView weights = {};
    /// Where the middle stage has sums: at least `sum_bytes(batch)`, of each array its sums in the text's order.
    BufferView sums = {};
};

/// A spectral operator made ready to run on a device. Immutable, and safe to share between threads.
class SpectralPlan {
public:
    using Batch = std::optional<std::uint64_t>;  ///< How many arrays; none: as many as the problem has.

    SpectralPlan() = default;
    /// Designs, generates, compiles and loads. Throws InvalidProblem, Unsupported or BackendError. Of the tuning only
    /// vector_lanes, threads_per_transform and transforms_per_group apply.
    SpectralPlan(const Device& device, const SpectralProblem& problem, const Tuning& tuning = {});

    /// Enqueues the operator and returns at once: allocates nothing, compiles nothing, synchronises nothing. Throws
    /// InvalidProblem when an argument is missing, too small or of no stage.
    void execute(Queue& queue, const SpectralExecution& execution) const;

    /// Bytes of the buffers; for `batch` arrays (none: the problem's).
    std::uint64_t input_bytes(Batch batch = {}) const;
    std::uint64_t output_bytes(Batch batch = {}) const;
    std::uint64_t workspace_bytes(Batch batch = {}) const;
    std::uint64_t weight_bytes(Batch batch = {}) const;  ///< 0 without channels; of the gradient alone by the batch.
    std::uint64_t sum_bytes(Batch batch = {}) const;     ///< 0 without sums.
    /// Names of the middle stage's sums, in the order that results have.
    std::vector<std::string> sum_names() const;

    /// Applies the operator to data on the host: copies there and back and waits. T and U are what the arrays hold.
    /// Stages that name buffers or have sums need `execute`. Throws InvalidProblem where type or counts are others.
    template <class U, class T>
    std::vector<U> apply(const std::vector<T>& input, const std::vector<StageScalarArgument>& scalars = {}) const {
        auto result = host_results<U>(output_bytes());
        run({input.data(), input.size(), HostElementOf<T>::value}, HostElementOf<U>::value, result.data(), scalars);
        return result;
    }
    /// The same with weights, complex numbers of the problem's precision.
    template <class U, class T, class W>
    std::vector<U> apply(const std::vector<T>& input, const std::vector<W>& weights,
                         const std::vector<StageScalarArgument>& scalars = {}) const {
        auto result = host_results<U>(output_bytes());
        run({input.data(), input.size(), HostElementOf<T>::value},
            {weights.data(), weights.size(), HostElementOf<W>::value}, HostElementOf<U>::value, result.data(), scalars);
        return result;
    }
    /// The same for raw memory: `output` has room for `output_bytes()`.
    void run(const HostArray& input, HostElement output_element, void* output,
             const std::vector<StageScalarArgument>& scalars = {}) const;
    void run(const HostArray& input, const HostArray& weights, HostElement output_element, void* output,
             const std::vector<StageScalarArgument>& scalars = {}) const;

    /// The plan as bytes: problem, tuning and compiled kernels, for `load`, as Plan::save and Plan::load of plan.hpp.
    std::vector<std::byte> save() const;
    static SpectralPlan load(const Device& device, const void* bytes, std::size_t count);
    static SpectralPlan load(const Device& device, const std::vector<std::byte>& bytes) {
        return load(device, bytes.data(), bytes.size());
    }

    const SpectralProblem& problem() const;
    const Device& device() const;
    /// What an execution launches and moves. `ideal_bytes` is one read of the input and one write of the output, and of
    /// what the stages name.
    const PlanReport& report() const;

    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    explicit SpectralPlan(std::shared_ptr<const exec::SpectralExecutable> impl) : impl_(std::move(impl)) {}

    std::shared_ptr<const exec::SpectralExecutable> impl_;
};

}  // namespace seiche
SEICHE_EXPORT_END
