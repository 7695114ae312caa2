// Poisson's equation in a rectangle, -(u_xx + u_yy) = f with u = 0 on its border, by sine transforms: they turn the
// five-point formula into a division for each pair of waves (R. W. Hockney, "A fast direct solution of Poisson's
// equation using Fourier analysis", 1965). With cosines, dct2 for dst1, the border would let nothing through (Neumann).
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>

// A solution that is made up, and what it solves: u = a(x) b(y), a = x (1 - x) e^x, b = y - y^3.
double exact(double x, double y) { return x * (1 - x) * std::exp(x) * (y - y * y * y); }
double source(double x, double y) {
    return (3 * x + x * x) * std::exp(x) * (y - y * y * y) + x * (1 - x) * std::exp(x) * 6 * y;
}

// What (2 u[i] - u[i-1] - u[i+1]) / h^2 multiplies wave k of n points between the borders by.
double eigenvalue(std::size_t k, std::size_t n) {
    const double h = 1.0 / static_cast<double>(n + 1), wave = std::acos(-1.0) * static_cast<double>(k + 1) * h;
    return std::pow(2 / h * std::sin(wave / 2), 2);
}

// The largest error on a grid of so many points between the borders.
double solve(const seiche::Device& device, std::size_t rows, std::size_t columns) {
    seiche::Problem problem;
    problem.lengths = {rows, columns};
    problem.kind = seiche::Kind::dst1;  // its own inverse
    problem.inverse_scale = seiche::Scale::by_n();
    problem.precision = seiche::Precision::f64;
    const seiche::Plan plan(device, problem);

    const auto x = [&](std::size_t i) { return static_cast<double>(i + 1) / static_cast<double>(columns + 1); };
    const auto y = [&](std::size_t j) { return static_cast<double>(j + 1) / static_cast<double>(rows + 1); };
    std::vector<double> field(rows * columns);
    for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t i = 0; i < columns; ++i) field[j * columns + i] = source(x(i), y(j));

    auto waves = plan.transform<double>(field);
    for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t i = 0; i < columns; ++i)
            waves[j * columns + i] /= eigenvalue(j, rows) + eigenvalue(i, columns);
    field = plan.transform<double>(waves, seiche::Direction::inverse);

    double worst = 0;
    for (std::size_t j = 0; j < rows; ++j)
        for (std::size_t i = 0; i < columns; ++i)
            worst = std::fmax(worst, std::fabs(field[j * columns + i] - exact(x(i), y(j))));
    return worst;
}

int main() {
    try {
        const seiche::Device device = seiche::Device::open();
        double error = 0, gain = 0;
        for (std::size_t n = 15; n < 128; n = 2 * n + 1) {  // the step is halved
            const double finer = solve(device, n, 2 * n + 1);
            gain = error / finer;
            error = finer;
            std::printf("%4zu x %4zu points: largest error %.3e", n, 2 * n + 1, error);
            std::printf(gain > 0 ? ", %.3f times as small\n" : "\n", gain);
        }
        // The formula's error goes with the square of the step, until rounding shows.
        return std::fabs(gain - 4) < 0.02 && error < 1e-6 ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
