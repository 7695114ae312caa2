// Random problems: lengths of every class, and layouts of every shape that the interface allows.
#include "tests/accuracy/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

namespace seiche::accuracy {

namespace {

std::uint64_t between(std::mt19937_64& random, std::uint64_t low, std::uint64_t high) {
    return low + random() % (high - low + 1);
}

Scale random_scale(std::mt19937_64& random) {
    switch (random() % 6) {
        case 0: return Scale::by_n();
        case 1: return Scale::by_sqrt_n();
        case 2: return Scale::factor(-0.3);
        default: return Scale::none();
    }
}

Problem dense(std::uint64_t length, const SampleLimits& limits, Precision precision, std::mt19937_64& random) {
    Problem problem;
    problem.lengths = {length};
    problem.precision = precision;
    // The mean over the outputs of one long transform steadies the figure as 64 short ones do.
    problem.batch = std::clamp<std::uint64_t>(limits.points / length, 1, 64);
    problem.placement = random() % 2 ? Placement::in_place : Placement::out_of_place;
    problem.forward_scale = random_scale(random);
    problem.inverse_scale = random_scale(random);
    return problem;
}

/// Strides in a random order of the axes and the batch, each at random looser than dense.
Layout random_layout(const Problem& problem, std::mt19937_64& random) {
    const std::size_t rank = problem.lengths.size();
    std::vector<std::size_t> order(rank + 1);  // `rank` stands for the batch
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Layout layout;
    layout.strides.resize(rank);
    std::uint64_t stride = between(random, 1, 3);
    for (const std::size_t i : order) {
        (i == rank ? layout.batch_distance : layout.strides[i]) = static_cast<std::int64_t>(stride);
        stride = stride * (i == rank ? problem.batch : problem.lengths[i]) + between(random, 0, 3);
    }
    layout.byte_offset = between(random, 0, 5) * (problem.precision == Precision::f32 ? 8 : 16);
    return layout;
}

}  // namespace

std::uint64_t sample_seed() {
    const char* text = std::getenv("SEICHE_TEST_SEED");
    return text == nullptr ? 20240607 : std::strtoull(text, nullptr, 10);
}

bool full_sweep() {
    const char* text = std::getenv("SEICHE_TEST_FULL");
    return text != nullptr && std::string(text) == "1";
}

std::vector<Problem> length_sample(const SampleLimits& limits, Precision precision, std::mt19937_64& random) {
    std::vector<Problem> problems;
    const auto add = [&](std::uint64_t n) { problems.push_back(dense(n, limits, precision, random)); };
    for (std::uint64_t n = 1; n <= limits.every_length_to; ++n) add(n);
    if (limits.every_length_to < 4096)
        for (std::uint64_t i = 0; i < limits.short_lengths; ++i) add(between(random, limits.every_length_to + 1, 4096));
    for (std::uint64_t i = 0; i < limits.long_lengths; ++i) {
        std::uniform_real_distribution<double> exponent(12, std::log2(static_cast<double>(limits.longest)));
        const auto n = static_cast<std::uint64_t>(std::exp2(exponent(random))) + 1;
        // A third each: any length (nearly always Bluestein), a smooth one, a power of two. The judge takes long over
        // large primes.
        if (i % 3 == 0)
            add(std::min<std::uint64_t>(n, 1u << 17));
        else
            add(std::min(i % 3 == 1 ? next_fast_length(n) : std::uint64_t{1} << std::ilogb(static_cast<double>(n)),
                         limits.longest));
    }
    return problems;
}

std::vector<Problem> layout_sample(std::size_t count, Precision precision, std::mt19937_64& random) {
    constexpr std::uint64_t longest[] = {300, 40, 12, 7};
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < count; ++i) {
        Problem problem;
        problem.precision = precision;
        const std::size_t rank = 1 + i % 4;
        for (std::size_t a = 0; a < rank; ++a) problem.lengths.push_back(between(random, 1, longest[rank - 1]));
        for (std::size_t a = 0; a < rank; ++a)
            if (random() % 2) problem.axes.push_back(static_cast<int>(a) - (random() % 2 ? static_cast<int>(rank) : 0));
        const std::uint64_t array = std::accumulate(problem.lengths.begin(), problem.lengths.end(), std::uint64_t{1},
                                                    [](std::uint64_t a, std::uint64_t b) { return a * b; });
        problem.batch = between(random, 1, std::max<std::uint64_t>(1, std::min<std::uint64_t>(20, 4096 / array)));
        problem.forward_scale = random_scale(random);
        problem.inverse_scale = random_scale(random);
        if (random() % 4) problem.input = random_layout(problem, random);
        if (random() % 2)
            problem.placement = Placement::in_place;
        else if (random() % 4)
            problem.output = random_layout(problem, random);
        problems.push_back(problem);
    }
    return problems;
}

}  // namespace seiche::accuracy
