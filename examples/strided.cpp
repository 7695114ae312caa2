// Strided data: the columns of a picture with padded rows are transformed, and written as rows of a transposed array.
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>

int main() {
    try {
        const std::uint64_t rows = 64, columns = 48, pitch = 50;  // each row is followed by two elements of padding
        const seiche::Device device = seiche::Device::open();

        seiche::Problem problem;
        problem.lengths = {rows, columns};
        problem.axes = {0};  // along the columns
        problem.input.strides = {static_cast<std::int64_t>(pitch), 1};
        problem.output.strides = {1, static_cast<std::int64_t>(rows)};  // transposed: a column becomes contiguous
        std::printf("%s\n", seiche::to_string(problem).c_str());
        const seiche::Plan plan(device, problem);

        // The last row is not followed by padding: input_bytes tells how much is read.
        std::vector<std::complex<float>> picture(plan.input_bytes() / sizeof(std::complex<float>), NAN);
        for (std::uint64_t r = 0; r < rows; ++r)
            for (std::uint64_t c = 0; c < columns; ++c) picture[r * pitch + c] = r == c ? 1.0f : 0.0f;

        // Column c is an impulse at row c: its spectrum is exp(-2 pi i c k / rows).
        const auto spectra = plan.forward(picture);
        float worst = 0;
        for (std::uint64_t c = 0; c < columns; ++c)
            for (std::uint64_t k = 0; k < rows; ++k) {
                const float angle = -6.2831853f * static_cast<float>(c * k % rows) / static_cast<float>(rows);
                worst = std::fmax(worst, std::abs(spectra[c * rows + k] - std::polar(1.0f, angle)));
            }
        std::printf("largest difference from the exact spectrum: %.1e\n", static_cast<double>(worst));
        return worst < 1e-6f ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
