// Arrays brought to other lengths by way of their spectrum, on a device.
#pragma once

#include <vector>

#include "cli/device/array.hpp"
#include "seiche/device.hpp"

namespace seiche::cli {

/// How a sequence of n elements goes on beyond its ends, which decides what its spectrum is made of and where the
/// elements of another length lie.
enum class Continuation {
    periodic,       ///< It repeats: r2c and c2r. Element j is at j / n of the period, as in scipy.signal.resample.
    about_samples,  ///< Mirrored about its first and its last element: dct1. Element j is at j / (n - 1) of the way.
    about_edges,    ///< Mirrored half a step beyond them: dct2 and dct3. Element j is at (j + 1/2) / n of the way.
};
/// "periodic", or "symmetric" of both others.
const char* to_string(Continuation continuation) noexcept;

struct ResampleFigures {
    double plan_ms = 0;              ///< Making the plans, wall time.
    double device_milliseconds = 0;  ///< Of all executions, copies to and from the host apart.
};

/// The longest axis that a real transform takes.
constexpr std::uint64_t longest_axis = std::uint64_t{1} << 28;

/// A dense row-major array of real numbers with the shape `to` instead of `from`, of the same rank: along each axis
/// whose length changes the spectrum is cut or continued with zeros. T is float or double. Lengths must be at least 1,
/// of an axis that is mirrored about its samples 2.
template <class T>
std::vector<T> fourier_resample(const Device& device, const std::vector<T>& values, const Shape& from, const Shape& to,
                                Continuation continuation, ResampleFigures& figures);

}  // namespace seiche::cli
