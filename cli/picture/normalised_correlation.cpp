// Correlations of planes made comparable: each lag divided by how much there is under the pattern (J. P. Lewis, "Fast
// normalized cross-correlation", 1995).
#include "cli/picture/normalised_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seiche::cli {
namespace {

/// Rows and columns from one to before another.
struct Window {
    std::uint64_t top = 0, bottom = 0, left = 0, right = 0;
};

/// Sums over rectangles of a plane, in four look-ups each.
class Sums {
public:
    Sums(const std::vector<double>& plane, std::uint64_t height, std::uint64_t width, bool are_squares)
        : stride_(width + 1), sums_((height + 1) * (width + 1)) {
        for (std::uint64_t y = 0; y < height; ++y) {
            double row = 0;
            for (std::uint64_t x = 0; x < width; ++x) {
                const double value = plane[y * width + x];
                row += are_squares ? value * value : value;
                sums_[(y + 1) * stride_ + x + 1] = sums_[y * stride_ + x + 1] + row;
            }
        }
    }
    double over(const Window& w) const {
        return at(w.bottom, w.right) - at(w.top, w.right) - at(w.bottom, w.left) + at(w.top, w.left);
    }
    double all() const { return sums_.back(); }

private:
    double at(std::uint64_t y, std::uint64_t x) const { return sums_[y * stride_ + x]; }

    std::uint64_t stride_;
    std::vector<double> sums_;
};

/// What of n elements lies under b of a pattern at a lag: from, to before. Of a circular axis it may be two pieces, of
/// which the second begins at 0.
struct Cover {
    std::uint64_t from = 0, to = 0, wrapped = 0;
};

Cover cover(ConvolutionMode mode, std::uint64_t i, std::uint64_t n, std::uint64_t b) {
    if (mode == ConvolutionMode::circular) return {i, std::min(i + b, n), i + b > n ? i + b - n : 0};
    const auto first = mode == ConvolutionMode::full   ? static_cast<std::int64_t>(b - 1)
                       : mode == ConvolutionMode::same ? static_cast<std::int64_t>(b - 1 - (b - 1) / 2)
                                                       : 0;
    const std::int64_t lag = static_cast<std::int64_t>(i) - first, end = lag + static_cast<std::int64_t>(b);
    const auto within = [n](std::int64_t at) {
        return static_cast<std::uint64_t>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(n)));
    };
    return {within(lag), within(end), 0};
}

double sum_over(const Sums& sums, const Cover& rows, const Cover& columns) {
    double sum = sums.over({rows.from, rows.to, columns.from, columns.to});
    if (rows.wrapped > 0) sum += sums.over({0, rows.wrapped, columns.from, columns.to});
    if (columns.wrapped > 0) sum += sums.over({rows.from, rows.to, 0, columns.wrapped});
    if (rows.wrapped > 0 && columns.wrapped > 0) sum += sums.over({0, rows.wrapped, 0, columns.wrapped});
    return sum;
}

}  // namespace

template <class T>
void normalise(const Convolution& convolution, const std::vector<double>& picture, const std::vector<double>& pattern,
               std::vector<T>& correlation) {
    const Shape &size = convolution.signal, &kernel = convolution.kernel, result = result_lengths(convolution);
    const Sums sums(picture, size[0], size[1], false), squares(picture, size[0], size[1], true);
    double energy = 0;
    for (const double value : pattern) energy += value * value;
    const double points = static_cast<double>(kernel[0]) * static_cast<double>(kernel[1]);
    // Transforms err in proportion to the whole picture; beside that, less says nothing.
    const double error = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
    const double least = error * error * squares.all();
    for (std::uint64_t y = 0; y < result[0]; ++y) {
        const Cover rows = cover(convolution.mode, y, size[0], kernel[0]);
        for (std::uint64_t x = 0; x < result[1]; ++x) {
            const Cover columns = cover(convolution.mode, x, size[1], kernel[1]);
            const double sum = sum_over(sums, rows, columns);
            const double own = sum_over(squares, rows, columns) - sum * sum / points;
            T& value = correlation[y * result[1] + x];
            if (!(own > least) || !(energy > 0))
                value = 0;
            else
                value = static_cast<T>(std::clamp(static_cast<double>(value) / std::sqrt(own * energy), -1.0, 1.0));
        }
    }
}
template void normalise(const Convolution&, const std::vector<double>&, const std::vector<double>&,
                        std::vector<float>&);
template void normalise(const Convolution&, const std::vector<double>&, const std::vector<double>&,
                        std::vector<double>&);

}  // namespace seiche::cli
