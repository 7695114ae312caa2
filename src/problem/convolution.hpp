// A convolution made canonical: checked once, axes that do not matter dropped, what it asks of padded lengths computed.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/problem.hpp"
#include "seiche/convolution.hpp"

namespace seiche::problem {

/// One axis of a convolution. The cyclic result of `length` points, the signal at points origin to origin + signal - 1
/// and the kernel from point 0 on, is right from `first` to first + count - 1.
struct ConvolvedAxis {
    std::uint64_t signal = 1, kernel = 1;
    std::uint64_t least = 1;   ///< Of the length.
    bool is_cyclic = false;    ///< The length is `least`, no other.
    std::uint64_t origin = 0;  ///< Of a correlation, so that the first lag that is wanted is point 0.
    std::uint64_t first = 0, count = 1;
    bool operator==(const ConvolvedAxis&) const = default;
};

/// Two convolutions with equal canonical forms have the same answer.
struct CanonicalConvolution {
    std::vector<ConvolvedAxis> axes;  ///< Slowest first. None has a length of 1, but where there is only one.
    std::vector<std::size_t> places;  ///< Which of Convolution::signal each axis is.
    std::uint32_t inputs = 1, outputs = 1;
    std::uint64_t kernels = 1;
    ChannelMatrix channels = ChannelMatrix::full;
    ConvolutionProduct product = ConvolutionProduct::convolve;
    bool is_real = true;
    bool is_spectrum = false;  ///< The kernels are given in frequency.
    Precision precision = Precision::f32;
    Storage storage = Storage::same;
    std::uint64_t batch = 1;          ///< What is planned for, at least 1.
    std::uint64_t default_batch = 1;  ///< The convolution's, 0 for none; an execution may have another.
    std::uint64_t block = 0;

    std::uint64_t stored_bytes() const { return seiche::stored_bytes(precision, storage); }
    std::uint64_t element_bytes() const { return (is_real ? 1 : 2) * stored_bytes(); }
    std::uint64_t signal_points() const;
    std::uint64_t kernel_points() const;  ///< Elements of one kernel as it is given.
    std::uint64_t result_points() const;
    std::uint64_t input_bytes(std::uint64_t batch_count) const;
    std::uint64_t kernel_bytes() const;
    std::uint64_t output_bytes(std::uint64_t batch_count) const;
};

/// Throws InvalidProblem naming the field, the rule and the value.
CanonicalConvolution normalise(const Convolution& convolution);

}  // namespace seiche::problem
