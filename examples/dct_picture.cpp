// A picture from few numbers: each block of 8 x 8 pixels keeps only its largest cosine coefficients, as in JPEG.
// dct_picture [IN.pgm [OUT.pgm]]: of a binary grey picture, else of one that it draws; OUT.pgm is made of 8 of 64.
#include <seiche/seiche.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <utility>

struct Picture {
    std::size_t rows = 256, columns = 320;
    std::vector<float> pixels;  // 0 to 255, row by row
};

Picture drawn() {  // a disc on a slope, and ripples
    Picture p;
    for (std::size_t i = 0; i < p.rows * p.columns; ++i) {
        const double x = static_cast<double>(i % p.columns), y = static_cast<double>(i / p.columns);
        const double disc = std::hypot(x - 120, y - 110) < 70 ? 80 : 0, ripples = 20 * std::sin(x * x / 600 + y / 9);
        p.pixels.push_back(static_cast<float>(std::round(40 + x / 4 + disc + ripples)));
    }
    return p;
}

Picture read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    Picture p;
    std::string magic, white;
    (file >> magic >> p.columns >> p.rows >> white).get();
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (magic != "P5" || white != "255" || (p.columns | p.rows) % 8 != 0 || bytes.size() != p.columns * p.rows)
        throw std::runtime_error(path + ": expected a P5 picture of 8 bits, sides multiples of 8, without comments");
    for (const char byte : bytes) p.pixels.push_back(static_cast<unsigned char>(byte));
    return p;
}

// Leaves the `count` largest of each block and returns the energy of the others.
double keep_largest(std::vector<float>& values, std::size_t columns, std::size_t count) {
    double dropped = 0;
    for (std::size_t b = 0; b < values.size() / 64; ++b) {
        float* const corner = values.data() + b / (columns / 8) * 8 * columns + b % (columns / 8) * 8;
        std::vector<float*> block(64);
        for (std::size_t i = 0; i < 64; ++i) block[i] = corner + i / 8 * columns + i % 8;
        std::sort(block.begin(), block.end(), [](auto a, auto b) { return std::fabs(*a) > std::fabs(*b); });
        for (std::size_t i = count; i < 64; ++i) dropped += std::pow(std::exchange(*block[i], 0.0f), 2);
    }
    return dropped;
}

int main(int argc, char** argv) try {
    const Picture picture = argc > 1 ? read(argv[1]) : drawn();
    seiche::Problem problem;
    problem.lengths = {picture.rows / 8, 8, picture.columns / 8, 8};  // blocks as they lie: no pixel is moved
    problem.axes = {1, 3};
    problem.kind = seiche::Kind::dct2;
    problem.orthonormal = true;  // what is dropped is as large as the error that it makes
    const seiche::Plan plan(seiche::Device::open(), problem);
    const auto coefficients = plan.transform<float>(picture.pixels);
    bool right = true;
    for (const unsigned count : {1U, 2U, 4U, 8U, 16U, 32U, 64U}) {
        auto kept = coefficients;
        const double dropped = keep_largest(kept, picture.columns, count);
        const auto again = plan.transform<float>(kept, seiche::Direction::inverse);
        double error = 0;
        for (std::size_t i = 0; i < again.size(); ++i) error += std::pow(again[i] - picture.pixels[i], 2);
        const double peak = 255.0 * 255.0 * static_cast<double>(again.size());
        std::printf("%2u of 64 numbers: PSNR %6.2f dB\n", count, 10 * std::log10(peak / error));
        right = right && std::fabs(error - dropped) < 1e-4 * dropped + 1e-11 * peak;
        if (argc < 3 || count != 8) continue;
        std::ofstream file(argv[2], std::ios::binary);
        file << "P5\n" << picture.columns << " " << picture.rows << "\n255\n";
        for (const float v : again) file.put(static_cast<char>(std::lround(std::clamp(v, 0.0f, 255.0f))));
        if (!file.flush()) throw std::runtime_error(std::string(argv[2]) + ": cannot be written");
    }
    return right ? 0 : 1;
} catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()) > 0;
}
