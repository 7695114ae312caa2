// Convolution plans: where a picture was moved to, by phase correlation, and the picture blurred by a kernel that is
// transformed once for many pictures.
#include <seiche/seiche.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

using Pixels = std::vector<float>;

constexpr std::size_t rows = 120, columns = 160;

Pixels drawn(double x0, double y0) {  // discs and stripes, moved and continued around the borders
    Pixels pixels;
    for (std::size_t i = 0; i < rows * columns; ++i) {
        const double x = std::fmod(static_cast<double>(i % columns) - x0 + 2.0 * columns, columns);
        const double y = std::fmod(static_cast<double>(i / columns) - y0 + 2.0 * rows, rows);
        const double discs =
            (std::hypot(x - 50, y - 40) < 20 ? 0.5 : 0.0) + (std::hypot(x - 110, y - 80) < 9 ? 0.3 : 0.0);
        pixels.push_back(static_cast<float>(discs + 0.2 * std::sin(x * y / 300)));
    }
    return pixels;
}

bool find_shift(const seiche::Device& device) {
    seiche::Convolution convolution;
    convolution.signal = convolution.kernel = {rows, columns};
    convolution.mode = seiche::ConvolutionMode::circular;
    convolution.product = seiche::ConvolutionProduct::phase;
    const seiche::ConvolutionPlan plan(device, convolution);
    const Pixels map = plan.convolve(drawn(37, 21), drawn(0, 0));
    const auto peak = std::max_element(map.begin(), map.end());
    const auto at = static_cast<std::size_t>(peak - map.begin());
    std::printf("moved by %zu to the right and %zu down, peak %.4f\n", at % columns, at / columns, double(*peak));
    return at == 21 * columns + 37 && std::fabs(*peak - 1) < 1e-3;
}

bool blur(const seiche::Device& device) {
    constexpr std::size_t side = 9, half = side / 2, pictures = 3;
    Pixels kernel;
    for (std::size_t i = 0; i < side * side; ++i) {
        const double x = double(i % side) - half, y = double(i / side) - half;
        kernel.push_back(static_cast<float>(std::exp(-(x * x + y * y) / 8) / 24.5));
    }
    seiche::Convolution convolution;
    convolution.signal = {rows, columns};
    convolution.kernel = {side, side};
    convolution.mode = seiche::ConvolutionMode::same;  // as large as the pictures, zeros beyond their borders
    convolution.batch = pictures;
    Pixels input;
    for (std::size_t p = 0; p < pictures; ++p)
        for (const float pixel : drawn(10.0 * double(p), 5.0 * double(p))) input.push_back(pixel);
    const seiche::ConvolutionPlan plan(device, convolution);
    const Pixels blurred = plan.convolve(input, kernel);
    double error = 0, energy = 0;
    for (std::size_t i = 0; i < blurred.size(); i += 7) {  // some pixels, by the definition
        const std::size_t row = i / columns % rows, column = i % columns;
        double sum = 0;
        for (std::size_t k = 0; k < side * side; ++k) {
            const std::size_t y = row + half - k / side, x = column + half - k % side;  // wraps where it is negative
            if (y < rows && x < columns)
                sum += double(kernel[k]) * double(input[i / (rows * columns) * rows * columns + y * columns + x]);
        }
        error += std::pow(blurred[i] - sum, 2);
        energy += sum * sum;
    }
    std::printf("%zu pictures blurred, padded to %llu x %llu: error %.1e\n", pictures,
                static_cast<unsigned long long>(plan.padded_lengths()[1]),
                static_cast<unsigned long long>(plan.padded_lengths()[0]), std::sqrt(error / energy));
    return error < 1e-12 * energy;
}

int main() try {
    const seiche::Device device = seiche::Device::open();
    return find_shift(device) && blur(device) ? 0 : 1;
} catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()) > 0;
}
