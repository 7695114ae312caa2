// The cosine transform of a picture, as in JPEG: blocks of 8 x 8, most of what matters in a few numbers, and back.
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>

int main() {
    try {
        const seiche::Device device = seiche::Device::open();
        const std::size_t side = 8, blocks = 64, size = side * side;

        seiche::Problem problem;
        problem.lengths = {side, side};
        problem.batch = blocks;
        problem.kind = seiche::Kind::dct2;
        problem.orthonormal = true;  // as scipy's norm="ortho": lengths are kept
        const seiche::Plan plan(device, problem);

        std::vector<float> picture(blocks * size);
        for (std::size_t b = 0; b < blocks; ++b)
            for (std::size_t i = 0; i < size; ++i) {
                const float x = static_cast<float>(i % side), y = static_cast<float>(i / side);
                picture[b * size + i] = 100 + 3 * x + 2 * y + std::sin(0.1f * static_cast<float>(b) * x);
            }

        auto coefficients = plan.transform<float>(picture);
        double all = 0, kept = 0;
        for (std::size_t i = 0; i < coefficients.size(); ++i) {
            const std::size_t row = i % size / side, column = i % side;
            const double energy = static_cast<double>(coefficients[i]) * static_cast<double>(coefficients[i]);
            all += energy;
            if (row + column < 4)
                kept += energy;
            else
                coefficients[i] = 0;
        }

        // The inverse of dct2 is dct3: the same plan, the other way.
        const auto again = plan.transform<float>(coefficients, seiche::Direction::inverse);
        float worst = 0;
        for (std::size_t i = 0; i < picture.size(); ++i) worst = std::fmax(worst, std::fabs(again[i] - picture[i]));
        std::printf("on %s: 10 of 64 numbers hold %.4f %% of the energy; largest difference %.2f of 140\n",
                    device.info().name.c_str(), 100 * kept / all, static_cast<double>(worst));
        return kept / all > 0.9999 && worst > 0.0f && worst < 2.0f ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
