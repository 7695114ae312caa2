// The rules of convolutions: which part of which cyclic result is the one that is wanted.
#include "problem/convolution.hpp"

#include <algorithm>
#include <string>

#include "problem/kinds.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche {

const char* to_string(ConvolutionMode mode) noexcept {
    switch (mode) {
        case ConvolutionMode::full: return "full";
        case ConvolutionMode::same: return "same";
        case ConvolutionMode::valid: return "valid";
        case ConvolutionMode::circular: return "circular";
        case ConvolutionMode::causal: break;
    }
    return "causal";
}

std::vector<std::uint64_t> result_lengths(const Convolution& convolution) {
    const problem::CanonicalSpectral canonical = problem::normalise(convolution);
    std::vector<std::uint64_t> lengths(convolution.signal.size(), 1);
    for (std::size_t i = 0; i < canonical.axes.size(); ++i) lengths[canonical.places[i]] = canonical.axes[i].count;
    return lengths;
}

std::uint64_t kernel_count(const Convolution& convolution) { return problem::normalise(convolution).kernels; }

}  // namespace seiche

namespace seiche::problem {

namespace {

constexpr std::uint64_t longest = std::uint64_t{1} << 30;
constexpr std::uint32_t most_inputs = 8;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem("convolution." + field + ": expected " + rule + ", got " + got);
}

void check_lengths(const char* field, const std::vector<std::uint64_t>& lengths) {
    std::uint64_t points = 1;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] == 0 || lengths[i] > longest)
            refuse(std::string(field) + "[" + std::to_string(i) + "]", "1 to 2^30", std::to_string(lengths[i]));
        if (!support::checked_multiply(points, lengths[i], points) || points > std::uint64_t{1} << 48)
            refuse(field, "at most 2^48 points", support::join_numbers(lengths, "x"));
    }
}

void check_domain(const Convolution& c) {
    if (c.signal.empty()) refuse("signal", "at least one length", "none");
    check_lengths("signal", c.signal);
    // Divided by its magnitude a bin's weight depends on how far the arrays are padded, which only the user can say.
    if (c.product == ConvolutionProduct::phase && c.mode != ConvolutionMode::circular)
        refuse("mode", "circular for phase correlation", to_string(c.mode));
    if (c.domain == KernelDomain::frequency) {
        if (!c.kernel.empty())
            refuse("kernel", "no lengths in frequency, where they are the signal's",
                   support::join_numbers(c.kernel, "x"));
        if (c.mode != ConvolutionMode::circular)
            refuse("mode", "circular with a kernel in frequency", to_string(c.mode));
        return;
    }
    if (c.kernel.size() != c.signal.size())
        refuse("kernel", "as many lengths as the signal has, " + std::to_string(c.signal.size()),
               std::to_string(c.kernel.size()));
    check_lengths("kernel", c.kernel);
    const bool is_within = c.mode == ConvolutionMode::valid || c.mode == ConvolutionMode::circular;
    for (std::size_t i = 0; is_within && i < c.signal.size(); ++i)
        if (c.kernel[i] > c.signal[i])
            refuse("kernel[" + std::to_string(i) + "]",
                   "at most the signal's " + std::to_string(c.signal[i]) + " in mode " + to_string(c.mode),
                   std::to_string(c.kernel[i]));
}

/// The number of kernels.
std::uint64_t check_channels(const Convolution& c) {
    if (c.inputs == 0) refuse("inputs", "at least 1", "0");
    if (c.outputs == 0) refuse("outputs", "at least 1", "0");
    const std::uint64_t inputs = c.inputs;
    if (c.channels != ChannelMatrix::full && c.inputs != c.outputs)
        refuse("outputs",
               std::string("as many as inputs, ") + std::to_string(c.inputs) + ", in a " +
                   (c.channels == ChannelMatrix::symmetric ? "symmetric" : "diagonal") + " matrix",
               std::to_string(c.outputs));
    if (c.channels != ChannelMatrix::diagonal && c.inputs > most_inputs)
        refuse("inputs", "at most 8 with a full or symmetric matrix", std::to_string(c.inputs));
    if (c.product == ConvolutionProduct::phase && c.channels != ChannelMatrix::diagonal && c.inputs != 1)
        refuse("inputs", "1, or a diagonal matrix, for phase correlation", std::to_string(c.inputs));
    switch (c.channels) {
        case ChannelMatrix::full: return inputs * c.outputs;
        case ChannelMatrix::symmetric: return inputs * (inputs + 1) / 2;
        case ChannelMatrix::diagonal: break;
    }
    return inputs;
}

Storage checked_storage(const Convolution& c) {
    if (c.precision == Precision::f16)
        refuse("precision", "f32, f64 or f64x2, because products of spectra leave the range of halves", "f16");
    Problem same;
    same.lengths = {1};
    same.precision = c.precision;
    same.storage = c.storage;
    if (c.product == ConvolutionProduct::phase && c.precision == Precision::f64x2)
        refuse("precision", "f32 or f64 for phase correlation", "f64x2");
    return normalise(same).storage;
}

SpectralAxis axis_of(const Convolution& c, std::size_t i) {
    SpectralAxis axis;
    const std::uint64_t a = axis.signal = c.signal[i];
    const bool is_spectrum = c.domain == KernelDomain::frequency;
    const std::uint64_t b = axis.kernel = is_spectrum ? a : c.kernel[i];
    const bool is_correlation = c.product != ConvolutionProduct::convolve;
    switch (c.mode) {
        case ConvolutionMode::full: axis.count = a + b - 1; break;
        case ConvolutionMode::same:
            // scipy's centre of the full result, also where the kernel is the longer one.
            axis.count = a;
            axis.first = (b - 1) / 2;
            break;
        case ConvolutionMode::causal:
            axis.count = a;
            axis.first = is_correlation ? b - 1 : 0;
            break;
        case ConvolutionMode::valid:
            axis.count = a - b + 1;
            axis.first = b - 1;
            break;
        case ConvolutionMode::circular:
            axis.count = axis.least = a;
            axis.is_cyclic = true;
            return axis;
    }
    if (is_correlation) {
        // The first lag that is wanted becomes point 0; those before it fold back behind the last that is.
        axis.origin = b - 1 - axis.first;
        axis.least = std::max({a + axis.origin, axis.count + axis.first, b});
        axis.first = 0;
        return axis;
    }
    // Points of the full result from `least` on fold back onto its first ones, which must not be wanted.
    axis.least = std::max({axis.first + axis.count, a + b - 1 - axis.first, a, b});
    return axis;
}

}  // namespace

CanonicalSpectral normalise(const Convolution& c) {
    support::check_enumerators(c);
    check_domain(c);
    CanonicalSpectral canonical;
    canonical.kernels = check_channels(c);
    canonical.inputs = c.inputs;
    canonical.outputs = c.outputs;
    canonical.channels = c.inputs == 1 && c.outputs == 1 ? ChannelMatrix::full : c.channels;
    canonical.product = c.product;
    canonical.numbers = c.complex ? SpectralNumbers::complex : SpectralNumbers::real;
    canonical.is_spectrum = c.domain == KernelDomain::frequency;
    canonical.precision = c.precision;
    canonical.storage = checked_storage(c);
    canonical.batch = std::max<std::uint64_t>(c.batch, 1);
    canonical.default_batch = c.batch;
    canonical.block = c.block;
    for (std::size_t i = 0; i < c.signal.size(); ++i) {
        const SpectralAxis axis = axis_of(c, i);
        // The halved axis of a real spectrum stays the last one.
        const bool is_halved = canonical.is_spectrum && canonical.is_real() && i + 1 == c.signal.size();
        const bool is_needed = axis.least > 1 || is_halved || (i + 1 == c.signal.size() && canonical.axes.empty());
        if (!is_needed) continue;
        canonical.axes.push_back(axis);
        canonical.places.push_back(i);
    }
    if (c.block > 1) {
        if (canonical.axes.size() != 1 || canonical.axes.front().is_cyclic)
            refuse("block", "0 or 1 for a cyclic convolution or one of several axes", std::to_string(c.block));
        if (c.block < canonical.axes.front().kernel)
            refuse("block", "at least the kernel's " + std::to_string(canonical.axes.front().kernel) + " points",
                   std::to_string(c.block));
        if (c.block > longest) refuse("block", "at most 2^30 points", std::to_string(c.block));
    }
    return canonical;
}

}  // namespace seiche::problem
