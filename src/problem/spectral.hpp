// Spectral operators made canonical: checked once, axes that do not matter dropped, what is asked of padded lengths
// computed. A convolution is one whose middle is a product with the spectra of its kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "problem/problem.hpp"
#include "seiche/convolution.hpp"
#include "seiche/spectral.hpp"

namespace seiche::problem {

/// One axis. The cyclic result of `length` points, the signal at points origin to origin + signal - 1 and a kernel from
/// point 0 on, is right from `first` to first + count - 1.
struct SpectralAxis {
    std::uint64_t signal = 1, kernel = 1;
    std::uint64_t least = 1;   ///< Of the length.
    bool is_cyclic = false;    ///< The length is `least`, no other.
    std::uint64_t origin = 0;  ///< Of a correlation, so that the first lag that is wanted is point 0.
    std::uint64_t first = 0, count = 1;
    std::vector<Range> kept = {};  ///< Of the spectrum's indices, sorted and apart; empty: all.
    Kind kind = Kind::c2c;         ///< Forward: c2c of a periodic axis, the halved one too, or real-to-real.
    bool operator==(const SpectralAxis&) const = default;
};

/// The user's stages; null: none.
struct SpectralStages {
    std::shared_ptr<const expression::Program> load, middle, store;
    bool operator==(const SpectralStages& other) const {
        const auto same = [](const auto& a, const auto& b) { return a == b || (a && b && *a == *b); };
        return same(load, other.load) && same(middle, other.middle) && same(store, other.store);
    }
};

/// Two operators with equal canonical forms have the same answer.
struct CanonicalSpectral {
    std::vector<SpectralAxis> axes;   ///< Slowest first. None has a length of 1, but where there is only one.
    std::vector<std::size_t> places;  ///< Which of the user's axes each is.
    std::uint32_t inputs = 1, outputs = 1;
    std::uint64_t kernels = 1;  ///< 0: the middle has no product.
    ChannelMatrix channels = ChannelMatrix::full;
    ConvolutionProduct product = ConvolutionProduct::convolve;
    SpectralNumbers numbers = SpectralNumbers::real;
    bool is_spectrum = false;  ///< The kernels are given in frequency.
    bool has_weights = false;  ///< A matrix of weights leads from inputs to outputs, for each kept mode.
    SpectralStages stages;
    Precision sum_precision = Precision::f32;  ///< Of the middle stage's sums.
    std::vector<Coordinate> coordinates;       ///< Of stages: where each of the user's axes went.
    double scale = 1.0;
    Precision precision = Precision::f32;
    Storage storage = Storage::same;
    std::uint64_t batch = 1;                ///< What is planned for, at least 1.
    std::uint64_t default_batch = 1;        ///< The problem's, 0 for none; an execution may have another.
    std::uint64_t batch_limit = unlimited;  ///< With more, an index of a stage could leave its buffer.
    std::uint64_t block = 0;
    SpectralOrder order = SpectralOrder::points_first;
    SpectralStages own;        ///< As the user stated them; `stages` may find the modes of an array beside that.
    std::uint64_t packed = 0;  ///< Modes of an array that lists them; 0: it is dense.
    /// Of such an array, by place in the box of its modes: where it has each, below 0 where it has not.
    std::shared_ptr<const std::vector<std::int32_t>> positions;
    bool is_adjoint = false;  ///< Weights are [outputs][inputs], and conjugated.
    SpectralPart part = SpectralPart::whole;

    bool begins_with_spectrum() const { return order == SpectralOrder::spectrum_first; }
    /// The stages of both ends find the modes of an array, which is not a box of neighbours.
    bool finds_modes() const;
    bool has_signal_in() const { return part == SpectralPart::whole || part == SpectralPart::forward; }
    bool has_signal_out() const { return part == SpectralPart::whole || part == SpectralPart::inverse; }
    bool input_is_real() const { return has_signal_in() && numbers != SpectralNumbers::complex; }
    bool output_is_real() const { return has_signal_out() && numbers == SpectralNumbers::real; }
    /// The last of several axes has half of a spectrum.
    bool is_real() const { return numbers == SpectralNumbers::real; }
    std::uint64_t stored_bytes() const { return seiche::stored_bytes(precision, storage); }
    std::uint64_t input_element_bytes() const { return (input_is_real() ? 1 : 2) * stored_bytes(); }
    std::uint64_t output_element_bytes() const { return (output_is_real() ? 1 : 2) * stored_bytes(); }
    /// The spectrum lies in memory between the transforms, of which each is one by itself.
    bool is_in_memory() const;
    bool has_real_kinds() const;             ///< Of some axis.
    bool is_real_to_real() const;            ///< Of all: bins are real numbers.
    bool is_halved(std::size_t axis) const;  ///< Of a spectrum in memory: the last periodic axis of a real one.
    std::uint64_t bins(std::size_t axis) const;
    std::uint64_t kept_bins(std::size_t axis) const;
    std::uint64_t modes() const;  ///< Kept, of one channel.
    /// Of the gradient, those of the output's gradient.
    std::uint64_t weight_bytes(std::uint64_t batch_count) const;
    std::size_t sums() const { return stages.middle ? stages.middle->sums.size() : 0; }
    std::uint64_t sum_bytes(std::uint64_t batch_count) const {
        return batch_count * sums() * seiche::stored_bytes(sum_precision, Storage::same);
    }
    std::uint64_t signal_points() const;
    std::uint64_t kernel_points() const;  ///< Elements of one kernel as it is given.
    std::uint64_t result_points() const;
    std::uint64_t input_bytes(std::uint64_t batch_count) const;
    std::uint64_t kernel_bytes() const;
    std::uint64_t output_bytes(std::uint64_t batch_count) const;
};

/// `count` points of an axis from `begin` on, as an axis says that they are kept; none: all of it.
std::vector<Range> kept_of_axis(std::uint64_t begin, std::uint64_t count, std::uint64_t length);

/// Throws InvalidProblem naming the field, the rule and the value.
CanonicalSpectral normalise(const SpectralProblem& problem);
// spectral_order.cpp
/// What `packed` lists: the range of wave numbers along each axis. Throws InvalidProblem.
std::vector<ModeRange> box_of_packed(const SpectralProblem& problem);
/// Makes stages that find the modes of the arrays, where that is needed. The axes are there already.
void find_modes(const SpectralProblem& problem, CanonicalSpectral& canonical);

}  // namespace seiche::problem
