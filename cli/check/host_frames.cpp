#include "cli/check/host_frames.hpp"

#include <algorithm>
#include <cmath>

#include "cli/reference/host_spectrum.hpp"

namespace seiche::cli {
namespace {

std::int64_t padded_by(const ShortTimeProblem& p) {
    return p.padding == FramePadding::none ? 0 : static_cast<std::int64_t>(p.window.size() / 2);
}

double sample(const ShortTimeProblem& p, const std::vector<double>& signal, std::int64_t at) {
    const auto samples = static_cast<std::int64_t>(p.samples);
    if (p.padding == FramePadding::reflect) at = at < 0 ? -at : at >= samples ? 2 * (samples - 1) - at : at;
    return at < 0 || at >= samples ? 0 : signal[static_cast<std::size_t>(at)];
}

/// A bin's number in an array of spectra.
std::size_t place(const ShortTimeProblem& p, std::uint64_t frame, std::uint64_t bin) {
    return p.order == FrameOrder::frames_first ? frame * p.bins() + bin : bin * p.frames() + frame;
}

std::vector<double> forward(const ShortTimeProblem& p, const std::vector<double>& signal) {
    const std::uint64_t n = p.window.size();
    HostArrayOfPoints lines(p.frames() * n);
    for (std::uint64_t frame = 0; frame < p.frames(); ++frame)
        for (std::uint64_t j = 0; j < n; ++j)
            lines[frame * n + j] =
                p.window[j] * sample(p, signal, static_cast<std::int64_t>(frame * p.hop + j) - padded_by(p));
    transform_axis_on_host(lines, {p.frames(), n}, 1, Direction::forward);
    std::vector<double> numbers(spectra_numbers(p));
    for (std::uint64_t frame = 0; frame < p.frames(); ++frame)
        for (std::uint64_t k = 0; k < p.bins(); ++k) {
            const std::complex<double> bin = lines[frame * n + k];
            const std::size_t at = place(p, frame, k);
            if (p.value == BinValue::complex) {
                numbers[2 * at] = bin.real();
                numbers[2 * at + 1] = bin.imag();
            } else {
                const double power = std::norm(bin);
                numbers[at] = p.value == BinValue::power ? power : 10 * std::log10(std::max(power, 1e-10));
            }
        }
    return numbers;
}

/// Frames times windows over the sum of squared windows. Imaginary parts that a real frame cannot have are ignored.
std::vector<double> inverse(const ShortTimeProblem& p, const std::vector<double>& numbers) {
    const std::uint64_t n = p.window.size();
    HostArrayOfPoints lines(p.frames() * n);
    for (std::uint64_t frame = 0; frame < p.frames(); ++frame)
        for (std::uint64_t k = 0; k < n; ++k) {
            const std::size_t at = place(p, frame, std::min(k, n - k));
            const std::complex<double> bin(numbers[2 * at], numbers[2 * at + 1]);
            const bool is_own_mirror = k == 0 || 2 * k == n;
            lines[frame * n + k] = is_own_mirror ? bin.real() : 2 * k < n ? bin : std::conj(bin);
        }
    transform_axis_on_host(lines, {p.frames(), n}, 1, Direction::inverse);
    std::vector<double> sums(p.samples), squares(p.samples);
    for (std::uint64_t frame = 0; frame < p.frames(); ++frame)
        for (std::uint64_t j = 0; j < n; ++j) {
            const std::int64_t at = static_cast<std::int64_t>(frame * p.hop + j) - padded_by(p);
            if (at < 0 || at >= static_cast<std::int64_t>(p.samples)) continue;
            const auto to = static_cast<std::size_t>(at);
            sums[to] += lines[frame * n + j].real() / static_cast<double>(n) * p.window[j];
            squares[to] += p.window[j] * p.window[j];
        }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = squares[i] > 0 ? sums[i] / squares[i] : 0;
    return sums;
}

}  // namespace

std::uint64_t signal_numbers(const ShortTimeProblem& problem) { return problem.samples; }

std::uint64_t spectra_numbers(const ShortTimeProblem& problem) {
    return problem.frames() * problem.bins() * (problem.value == BinValue::complex ? 2 : 1);
}

double comparable(const ShortTimeProblem& problem, double number) {
    return problem.value == BinValue::decibels ? std::pow(10, number / 10) : number;
}

std::vector<double> frames_on_host(const ShortTimeProblem& problem, const std::vector<double>& numbers) {
    return problem.direction == Direction::forward ? forward(problem, numbers) : inverse(problem, numbers);
}

}  // namespace seiche::cli
