// Convolution and correlation in one plan: forward transform, product with the kernel's spectrum and inverse transform,
// fused so that the last axis makes one trip through memory.
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
namespace exec {
class SpectralExecutable;
}
SEICHE_EXPORT_BEGIN

/// Which part of the result is wanted, for a signal of a and a kernel of b points along an axis (as scipy.signal).
enum class ConvolutionMode {
    full,      ///< All a + b - 1 points.
    same,      ///< The a points around its centre: from (b - 1) / 2 on.
    valid,     ///< The a - b + 1 points that see the whole kernel; b <= a.
    circular,  ///< The a points of the cyclic convolution; b <= a.
    causal,    ///< The first a points: none depends on a later one of the signal. Of correlations the lags from 0 on.
};
/// "full", "same", "valid", "circular", "causal".
const char* to_string(ConvolutionMode mode) noexcept;

enum class KernelDomain {
    time,      ///< The kernel's values.
    frequency  ///< Its spectrum as a forward transform of the signal's lengths gives it, unscaled (r2c: the last axis
               ///< halved). Circular only.
};

enum class ConvolutionProduct {
    convolve,   ///< Sum over l of x[k - l] h[l].
    correlate,  ///< Sum over l of x[k + l] conj(h[l]); modes as scipy.signal.correlate, circular: lag k modulo a.
    phase,      ///< Correlate, every bin of the product divided by its magnitude (0 where that is 0): phase correlation
                ///< (Kuglin & Hines 1975). Circular only, since padding would weigh in; f32 and f64.
};

/// Which kernel leads from which input channel to which output channel.
enum class ChannelMatrix {
    full,       ///< output o = sum over i of kernel [o][i] * input i.
    symmetric,  ///< The same with kernel [o][i] = kernel [i][o], stored once: [0][0], [0][1], ... [1][1], [1][2], ...
    diagonal,   ///< output c = kernel [c] * input c.
};

/// A convolution. Arrays are dense and row-major: input [batch][inputs][signal], kernels [kernel count][kernel], output
/// [batch][outputs][result]; real numbers, or complex ones where `complex` is set.
struct Convolution {
    std::vector<std::uint64_t> signal = {};  ///< Lengths, slowest axis first; at most 2^30 each.
    std::vector<std::uint64_t> kernel = {};  ///< Lengths in time; in frequency: empty.
    ConvolutionMode mode = ConvolutionMode::full;
    KernelDomain domain = KernelDomain::time;
    ConvolutionProduct product = ConvolutionProduct::convolve;
    bool complex = false;
    std::uint32_t inputs = 1, outputs = 1;  ///< Channels; at most 8 inputs with a full or symmetric matrix.
    ChannelMatrix channels = ChannelMatrix::full;
    std::uint64_t batch = 1;  ///< How many signals, 0 for none. May be changed at each execution.
    Precision precision = Precision::f32;
    Storage storage = Storage::same;  ///< Of input, kernels and output.
    /// Long one-dimensional signals are cut into blocks that overlap by the kernel's length less one, each of which is
    /// transformed on chip (overlap-save, Stockham 1966). Points of a block; 0: chosen, 1: never.
    std::uint64_t block = 0;
};

/// A convolution as text: "SIGNAL * KERNEL" with lengths as in 512x512, the kernel "spectrum" in frequency, then any of
/// full same valid circular causal, convolve correlate phase, real complex, f32 f64 f64x2 f16 bf16 (the last two: f32
/// on such storage), storage=T batch=N inputs=N outputs=N channels=full|symmetric|diagonal block=N. Throws
/// InvalidProblem for a word that means nothing, or says again what another has said; whether it makes sense is not
/// looked at.
Convolution parse_convolution(const std::string& text);
/// Parsed again it is the same.
std::string to_string(const Convolution& convolution);

/// The lengths of the result, in the order of `signal`. Throws InvalidProblem for a convolution that makes no sense.
std::vector<std::uint64_t> result_lengths(const Convolution& convolution);
/// Kernels in the array of kernels. Throws InvalidProblem.
std::uint64_t kernel_count(const Convolution& convolution);

/// Without a device: the report of what would run on one with these limits, and the counts of the same kernels in the
/// interpreter (see seiche/inspect.hpp).
PlanReport inspect(const Convolution& convolution, const DeviceLimits& limits, const Tuning& tuning = {});
std::vector<AnalysisReport> analyse(const Convolution& convolution, const DeviceLimits& limits,
                                    const Tuning& tuning = {});

/// The arguments of a convolution. Nothing of this is part of the plan.
struct ConvolutionExecution {
    BufferView input = {};
    BufferView spectrum = {};   ///< What `prepare` wrote; only read.
    BufferView output = {};     ///< Must not overlap the input.
    BufferView workspace = {};  ///< At least `workspace_bytes(batch)`; may be left empty when that is 0.
    /// None: the convolution's. 0: nothing is done, and no buffer is needed.
    std::optional<std::uint64_t> batch = {};
};

struct ConvolutionPreparation {
    BufferView kernels = {};
    BufferView spectrum = {};   ///< At least `spectrum_bytes()`.
    BufferView workspace = {};  ///< At least `preparation_bytes()`; may be left empty when that is 0.
};

/// A convolution made ready to run on a device. Immutable, and safe to share between threads.
class ConvolutionPlan {
public:
    using Batch = std::optional<std::uint64_t>;  ///< How many signals; none: as many as the convolution has.

    ConvolutionPlan() = default;
    /// Designs, generates, compiles and loads. Throws InvalidProblem, Unsupported or BackendError. Of the tuning only
    /// vector_lanes, threads_per_transform and transforms_per_group apply.
    ConvolutionPlan(const Device& device, const Convolution& convolution, const Tuning& tuning = {});

    /// Enqueues the transform of the kernels into the plan's own form; once for as many executions as are wanted.
    void prepare(Queue& queue, const ConvolutionPreparation& preparation) const;
    /// Enqueues the convolution and returns at once: allocates nothing, compiles nothing, synchronises nothing. Both
    /// throw InvalidProblem when a buffer is missing or too small, with the size needed.
    void execute(Queue& queue, const ConvolutionExecution& execution) const;

    /// Bytes of the buffers; for `batch` signals (none: the convolution's).
    std::uint64_t input_bytes(Batch batch = {}) const;
    std::uint64_t output_bytes(Batch batch = {}) const;
    std::uint64_t workspace_bytes(Batch batch = {}) const;
    std::uint64_t kernel_bytes() const;
    std::uint64_t spectrum_bytes() const;
    std::uint64_t preparation_bytes() const;

    /// Convolves data on the host: copies there and back and waits. T is what the arrays hold: float, double,
    /// DoubleDouble, or complex ones. Throws InvalidProblem where type or counts are others.
    template <class T>
    std::vector<T> convolve(const std::vector<T>& input, const std::vector<T>& kernels) const {
        auto result = host_results<T>(output_bytes());
        run({input.data(), input.size(), HostElementOf<T>::value},
            {kernels.data(), kernels.size(), HostElementOf<T>::value}, result.data());
        return result;
    }
    /// The same for raw memory, for halves, and for real signals with kernels in frequency, which are complex:
    /// `output` has room for `output_bytes()`.
    void run(const HostArray& input, const HostArray& kernels, void* output) const;

    /// The plan as bytes: convolution, tuning and compiled kernels, for `load`, as Plan::save and Plan::load of
    /// plan.hpp.
    std::vector<std::byte> save() const;
    static ConvolutionPlan load(const Device& device, const void* bytes, std::size_t count);
    static ConvolutionPlan load(const Device& device, const std::vector<std::byte>& bytes) {
        return load(device, bytes.data(), bytes.size());
    }

    const Convolution& convolution() const;
    const Device& device() const;
    /// Points that each axis is padded to, in the order of `signal`; of overlap-save those of a block.
    const std::vector<std::uint64_t>& padded_lengths() const;
    /// What an execution launches and moves. `ideal_bytes` is one read of the input and one write of the output.
    const PlanReport& report() const;

    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    explicit ConvolutionPlan(std::shared_ptr<const exec::SpectralExecutable> impl) : impl_(std::move(impl)) {}

    std::shared_ptr<const exec::SpectralExecutable> impl_;
};

}  // namespace seiche
SEICHE_EXPORT_END
