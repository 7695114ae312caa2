// Short-time Fourier transforms of real signals in one plan, and their inverse by least squares.
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
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

SEICHE_EXPORT_END
namespace api {
class ShortTimeTransform;
}
SEICHE_EXPORT_BEGIN

/// What lies beside the signal, so that frame t is around sample t * hop: half a frame at both ends.
enum class FramePadding {
    none,     ///< Nothing: frame t begins with sample t * hop.
    zeros,    ///< Zeros.
    reflect,  ///< The signal mirrored at its first and its last sample, each once, as numpy.pad's "reflect".
};
/// "none", "zeros", "reflect".
const char* to_string(FramePadding padding) noexcept;

/// What is stored of each bin.
enum class BinValue {
    complex,   ///< The bin. What the inverse takes.
    power,     ///< Its squared magnitude, a real number.
    decibels,  ///< 10 log10(max(power, 1e-10)).
};
/// "complex", "power", "decibels".
const char* to_string(BinValue value) noexcept;

/// Which index of the spectra is the slower one.
enum class FrameOrder {
    frames_first,       ///< [batch][frame][bin].
    frequencies_first,  ///< [batch][bin][frame], as torch.stft's and scipy.signal.ShortTimeFFT's.
};
/// "frames-first", "frequencies-first".
const char* to_string(FrameOrder order) noexcept;

/// Of signals [batch][samples]: frames of n samples, each multiplied by the window and transformed to the bins 0 to
/// n / 2, unscaled. The inverse takes such bins and gives the signals back: the least-squares solution, frames times
/// windows over the sum of squared windows, as torch.istft and librosa. Samples behind the last frame are 0.
struct ShortTimeProblem {
    std::uint64_t samples = 0;        ///< Of a signal; with what is padded at least a frame.
    std::vector<double> window = {};  ///< As long as a frame, n: 1 to 2^20.
    std::uint64_t hop = 0;            ///< Samples from one frame to the next; at least 1, of the inverse at most n.
    Direction direction = Direction::forward;
    FramePadding padding = FramePadding::zeros;
    BinValue value = BinValue::complex;  ///< Of the inverse complex.
    FrameOrder order = FrameOrder::frames_first;
    std::uint64_t batch = 1;               ///< Signals; an execution may have fewer, in buffers for all.
    Precision precision = Precision::f32;  ///< f32 or f64.

    /// (samples + what is padded - n) / hop + 1, or 0 where the signal is too short.
    std::uint64_t frames() const;
    std::uint64_t bins() const { return window.size() / 2 + 1; }
};

/// E.g. "480000 frames=1024/256 window=hann f32 batch=64 padding=reflect frequencies-first power": samples, a frame's
/// length and the hop, and what is not the default. A window is named where it is one of hann, hamming, blackman and
/// rectangular, periodic as scipy.signal.get_window's; its values are no words of a text: other windows are "given".
std::string to_string(const ShortTimeProblem& problem);
/// The way back: samples and frames=LENGTH/HOP, then in any order window=NAME (hann where none is named), forward or
/// inverse, f32 or f64, batch=N, padding=none, zeros or reflect, frames-first or frequencies-first, and complex, power
/// or decibels. Throws InvalidProblem for a word that means nothing, or says again what another has said; whether it
/// makes sense is not looked at. `window`: the values for window=given, and for no other.
ShortTimeProblem parse_short_time(const std::string& text, const std::vector<double>& window = {});

/// Without a device: the report of what would run on one with these limits, and the counts of the same kernels in the
/// interpreter (see seiche/inspect.hpp).
PlanReport inspect(const ShortTimeProblem& problem, const DeviceLimits& limits, const Tuning& tuning = {});
std::vector<AnalysisReport> analyse(const ShortTimeProblem& problem, const DeviceLimits& limits,
                                    const Tuning& tuning = {});

/// The arguments of one execution.
struct ShortTimeExecution {
    BufferView input = {};
    BufferView output = {};                   ///< Must not overlap the input.
    BufferView workspace = {};                ///< At least `workspace_bytes()`; may be left empty when that is 0.
    std::optional<std::uint64_t> batch = {};  ///< At most the problem's, which none means. 0: nothing is done.
};

/// A short-time transform, or its inverse, made ready to run on a device. Immutable, and safe to share between threads.
class ShortTimePlan {
public:
    ShortTimePlan() = default;
    /// Throws InvalidProblem, also where the windows leave samples of an inverse undetermined, Unsupported or
    /// BackendError. The tuning is that of the transform.
    ShortTimePlan(const Device& device, const ShortTimeProblem& problem, const Tuning& tuning = {});

    /// Enqueues the transform and returns at once: allocates nothing, compiles nothing, synchronises nothing.
    void execute(Queue& queue, const ShortTimeExecution& execution) const;

    /// Bytes of the buffers for the problem's batch.
    std::uint64_t input_bytes() const;
    std::uint64_t output_bytes() const;
    std::uint64_t workspace_bytes() const;

    /// Transforms data on the host: copies there and back and waits. T and U are what the arrays hold.
    template <class U, class T>
    std::vector<U> apply(const std::vector<T>& input) const {
        auto result = host_results<U>(output_bytes());
        run({input.data(), input.size(), HostElementOf<T>::value}, HostElementOf<U>::value, result.data());
        return result;
    }
    /// The same for raw memory: `output` has room for `output_bytes()`.
    void run(const HostArray& input, HostElement output_element, void* output) const;

    /// The plan as bytes: problem, window, tuning and compiled kernels, for `load`, as Plan::save and Plan::load of
    /// plan.hpp.
    std::vector<std::byte> save() const;
    static ShortTimePlan load(const Device& device, const void* bytes, std::size_t count);
    static ShortTimePlan load(const Device& device, const std::vector<std::byte>& bytes) {
        return load(device, bytes.data(), bytes.size());
    }

    const ShortTimeProblem& problem() const;
    const Device& device() const;
    const PlanReport& report() const;

    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    explicit ShortTimePlan(std::shared_ptr<const api::ShortTimeTransform> impl) : impl_(std::move(impl)) {}

    std::shared_ptr<const api::ShortTimeTransform> impl_;
};

}  // namespace seiche
SEICHE_EXPORT_END
