// Shaders made ahead: four transforms of 65536 points in plain Vulkan, from emitted files, without Seiche at run time.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <random>

#include "transform.hpp"

namespace {

constexpr std::size_t points = 65536, batch = 4;

/// The largest error of some elements of the spectra, each by definition; in units of an element of noise.
double worst_error(const std::vector<std::complex<float>>& signal, const std::complex<float>* spectrum) {
    double worst = 0, arc = -2 * std::acos(-1.0) / points;
    for (std::size_t at = 0; at < signal.size(); at += points)
        for (const std::size_t k : {0, 1, 255, 256, 4097, 32768, 40000, 65535}) {
            std::complex<double> sum = -spectrum[at + k];
            for (std::size_t j = 0; j < points; ++j)
                sum +=
                    std::complex<double>(signal[at + j]) * std::polar(1.0, arc * static_cast<double>(j * k % points));
            worst = std::max(worst, std::abs(sum));
        }
    return worst / std::sqrt(points);
}

}  // namespace

// The argument is the description of "65536 f32 batch=4", out of place or in place.
int main(int count, char** arguments) {
    if (count != 2) return std::fprintf(stderr, "usage: %s DESCRIPTION.json\n", arguments[0]), 2;
    try {
        Transform transform(arguments[1]);
        std::vector<std::complex<float>> signal(points * batch);
        std::minstd_rand random;
        std::uniform_real_distribution<float> noise(-1, 1);
        for (auto& sample : signal) sample = {noise(random), noise(random)};
        std::memcpy(transform.array("input"), signal.data(), signal.size() * sizeof signal[0]);
        transform.run();
        const auto* spectrum = reinterpret_cast<const std::complex<float>*>(transform.array("output"));
        const double error = worst_error(signal, spectrum);
        return std::printf("on %s: error %.1e\n", transform.device(), error), error < 1e-6 ? 0 : 1;
    } catch (const engine::NoDevice& reason) {
        return std::printf("%s: skipped\n", reason.what()), 77;
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}
