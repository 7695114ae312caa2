// A user's program: transforms a shifted impulse on the reference device, checks it, and prints the library's version.
#include <seiche/seiche.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

int main() {
    try {
        seiche::Problem problem;
        problem.lengths = {8};
        const seiche::Plan plan(seiche::Device::open("reference"), problem);
        std::vector<std::complex<float>> x(8);
        x[1] = 1.0F;
        const auto y = plan.forward(x);
        for (std::size_t k = 0; k < 8; ++k) {
            const std::complex<double> expected =
                std::polar(1.0, -2.0 * std::acos(-1.0) * static_cast<double>(k) / 8.0);
            if (std::abs(std::complex<double>(y[k]) - expected) > 1e-6) {
                std::printf("wrong value at %zu\n", k);
                return 1;
            }
        }
    } catch (const seiche::Error& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
    std::printf("%s: right\n", seiche::version());
    return 0;
}
