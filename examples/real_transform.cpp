// Real arrays: the spectrum of a real signal and the way back, and a cosine transform with an orthogonal matrix.
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>

int main() {
    try {
        const seiche::Device device = seiche::Device::open();
        const std::size_t n = 1000;
        std::vector<float> signal(n);
        for (std::size_t j = 0; j < n; ++j)
            signal[j] = std::cos(6.2831853f * 37.0f * static_cast<float>(j) / static_cast<float>(n));

        seiche::Problem problem;
        problem.lengths = {n};
        problem.kind = seiche::Kind::r2c;  // forward only: n numbers in, n/2 + 1 values out
        const auto spectrum = seiche::Plan(device, problem).transform<std::complex<float>>(signal);

        problem.kind = seiche::Kind::c2r;  // inverse only
        problem.inverse_scale = seiche::Scale::by_n();
        const auto again = seiche::Plan(device, problem).transform<float>(spectrum, seiche::Direction::inverse);

        problem.kind = seiche::Kind::dct2;  // its inverse is dct3
        problem.inverse_scale = seiche::Scale::none();
        problem.orthonormal = true;
        const auto cosines = seiche::Plan(device, problem).transform<float>(signal);

        float worst = 0, energy = 0, kept = 0;
        for (std::size_t j = 0; j < n; ++j) {
            worst = std::max(worst, std::fabs(again[j] - signal[j]));
            energy += signal[j] * signal[j];
            kept += cosines[j] * cosines[j];
        }
        std::printf("%s: peak %.1f at 37, back within %.1e, energy %.3f and %.3f\n", device.info().name.c_str(),
                    static_cast<double>(spectrum[37].real()), static_cast<double>(worst), static_cast<double>(energy),
                    static_cast<double>(kept));
        const bool right =
            std::fabs(spectrum[37].real() - 500) < 0.01f && worst < 1e-5f && std::fabs(energy - kept) < 0.01f;
        return right ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
