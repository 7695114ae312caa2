// A first transform: the spectrum of a signal of two tones, and back.
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>

int main() {
    try {
        const seiche::Device device =
            seiche::Device::open();  // a GPU if there is one, else the CPU; or set SEICHE_DEVICE
        std::printf("on %s (%s)\n", device.info().name.c_str(), device.info().description.c_str());

        seiche::Problem problem;
        problem.lengths = {1024};
        problem.inverse_scale = seiche::Scale::by_n();  // so that the inverse gives the signal back
        const seiche::Plan plan(device, problem);

        const float turn = 6.2831853f;
        std::vector<std::complex<float>> signal(1024);
        for (int j = 0; j < 1024; ++j) {
            const float t = static_cast<float>(j) / 1024;
            signal[static_cast<std::size_t>(j)] = std::cos(turn * 50 * t) + 0.5f * std::cos(turn * 120 * t);
        }

        const auto spectrum = plan.forward(signal);
        std::printf("|X[50]| = %.1f, |X[120]| = %.1f, |X[60]| = %.1f\n", std::abs(spectrum[50]),
                    std::abs(spectrum[120]), std::abs(spectrum[60]));

        const auto again = plan.inverse(spectrum);
        float worst = 0;
        for (std::size_t j = 0; j < again.size(); ++j) worst = std::fmax(worst, std::abs(again[j] - signal[j]));
        std::printf("largest difference after going there and back: %.1e\n", static_cast<double>(worst));
        const bool right = std::fabs(std::abs(spectrum[50]) - 512) < 0.01f && std::abs(spectrum[60]) < 0.01f;
        return right && worst < 1e-5f ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
