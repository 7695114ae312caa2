// Is 2^p - 1 prime? s = 4, then s = s^2 - 2 for p - 2 times, and it is where 2^p - 1 divides s (E. Lucas 1878; D. H.
// Lehmer, "An extended theory of Lucas' functions", 1930). Squaring by transforms is exact:
// docs/explanation/bigmul.md.
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using Words = std::vector<std::int64_t>;  // base 2^16, the lowest first

// Leaves words from 0 to 2^16 - 1; the sum must not be negative and must fit.
void carry(Words& x) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        const std::int64_t up = x[i] >> 16;
        x[i] -= up * 65536;
        x[i + 1] += up;
    }
}

// x mod 2^p plus x / 2^p: the same modulo 2^p - 1.
void fold(Words& x, std::size_t p) {
    Words sum(x.size());
    const std::size_t word = p / 16, bit = p % 16;
    for (std::size_t i = 0; i < word; ++i) sum[i] = x[i];
    sum[word] = x[word] & ((std::int64_t{1} << bit) - 1);
    for (std::size_t i = word; i < x.size(); ++i) {
        const std::int64_t above = i + 1 < x.size() ? x[i + 1] : 0;
        sum[i - word] += (x[i] >> bit) | ((above << (16 - bit)) & 0xFFFF);
    }
    carry(sum);
    x = sum;
}

bool is_mersenne_prime(const seiche::Device& device, std::size_t p) {
    const double words = std::floor(static_cast<double>(p) / 16) + 1, log2_n = std::ceil(std::log2(2 * words));
    const auto n = static_cast<std::uint64_t>(std::exp2(log2_n));
    // Words from -2^15 to 2^15: the sum of the squares, times the rounding of three transforms of log2_n levels.
    const double bound = words * 0x1p30 * (39 * log2_n + 4) * 0x1p-53 * 1.000001;
    if (bound >= 0.5) throw std::runtime_error("p is too large for words of 16 bits");
    seiche::Problem problem;
    problem.lengths = {n};
    problem.precision = seiche::Precision::f64;
    const seiche::Plan plan(device, problem);
    Words s(n);
    s[0] = 4;
    for (std::size_t step = 2; step < p; ++step) {
        std::vector<std::complex<double>> x(n);
        for (std::size_t i = 0, up = 0; i < n; ++i) {
            const std::int64_t word = s[i] + static_cast<std::int64_t>(up);
            up = word > 32768 ? 1 : 0;
            x[i] = static_cast<double>(word - (up != 0 ? 65536 : 0));
        }
        auto spectrum = plan.forward(x);
        for (auto& value : spectrum) value *= value;
        x = plan.inverse(spectrum);
        for (std::size_t i = 0; i < n; ++i) s[i] = std::llround(x[i].real() / static_cast<double>(n));
        s[0] -= 3;  // - 2, and + 2^p - 1, so that nothing is negative
        s[p / 16] += std::int64_t{1} << (p % 16);
        carry(s);
        for (int i = 0; i < 3; ++i) fold(s, p);  // now at most 2^p - 1
    }
    Words all_ones(n);  // 2^p - 1, which is 0 too
    for (std::size_t i = 0; i < p; ++i) all_ones[i / 16] |= std::int64_t{1} << (i % 16);
    return s == Words(n) || s == all_ones;
}

int main(int argc, char** argv) try {
    const seiche::Device device = seiche::Device::open();
    if (argc > 1) return std::printf("%d\n", is_mersenne_prime(device, std::strtoul(argv[1], nullptr, 10))) < 0;
    int wrong = 0;
    for (const auto& [p, is_prime] : {std::pair{127, true}, {131, false}, {2203, true}, {2207, false}, {4423, true}}) {
        const bool found = is_mersenne_prime(device, static_cast<std::size_t>(p));
        wrong += found != is_prime;
        std::printf("2^%d - 1 is %s\n", p, found ? "prime" : "composite");
    }
    return wrong;
} catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()) > 0;
}
