// Random problems: lengths of every class, and layouts of every shape that the interface allows.
#include "tests/accuracy/sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>
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

/// One of a problem's arrays.
struct ArrayShape {
    std::vector<std::uint64_t> counts;  // elements along each axis
    std::uint64_t batch = 1;
    std::uint64_t element_bytes = 8;
};

/// Strides in a random order of the axes and the batch, each at random looser than dense; with `contiguous` that axis
/// first, at stride 1.
Layout random_layout(const ArrayShape& array, std::mt19937_64& random, std::optional<std::size_t> contiguous = {}) {
    const std::size_t rank = array.counts.size();
    std::vector<std::size_t> order(rank + 1);  // `rank` stands for the batch
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    if (contiguous) std::iter_swap(order.begin(), std::find(order.begin(), order.end(), *contiguous));
    Layout layout;
    layout.strides.resize(rank);
    std::uint64_t stride = contiguous ? 1 : between(random, 1, 3);
    for (const std::size_t i : order) {
        (i == rank ? layout.batch_distance : layout.strides[i]) = static_cast<std::int64_t>(stride);
        stride = stride * (i == rank ? array.batch : array.counts[i]) + between(random, 0, 3);
    }
    layout.byte_offset = between(random, 0, 5) * array.element_bytes;
    return layout;
}

/// Rank, lengths, some of the axes, batch.
Problem random_shape(std::size_t rank, Precision precision, std::mt19937_64& random) {
    constexpr std::uint64_t longest[] = {300, 40, 12, 7};
    Problem problem;
    problem.precision = precision;
    for (std::size_t a = 0; a < rank; ++a) problem.lengths.push_back(between(random, 1, longest[rank - 1]));
    for (std::size_t a = 0; a < rank; ++a)
        if (random() % 2) problem.axes.push_back(static_cast<int>(a) - (random() % 2 ? static_cast<int>(rank) : 0));
    std::shuffle(problem.axes.begin(), problem.axes.end(), random);
    const std::uint64_t array = std::accumulate(problem.lengths.begin(), problem.lengths.end(), std::uint64_t{1},
                                                [](std::uint64_t a, std::uint64_t b) { return a * b; });
    problem.batch = between(random, 1, std::max<std::uint64_t>(1, std::min<std::uint64_t>(20, 4096 / array)));
    return problem;
}

/// The transformed axes in the order in which the problem lists them.
std::vector<int> listed_axes(const Problem& problem) {
    std::vector<int> axes = problem.axes;
    for (std::size_t a = 0; problem.axes.empty() && a < problem.lengths.size(); ++a)
        axes.push_back(static_cast<int>(a));
    return axes;
}

std::uint64_t real_bytes(const Problem& problem) { return problem.precision == Precision::f32 ? 4 : 8; }

void draw_halved_layouts(Problem& problem, std::size_t halved, std::mt19937_64& random) {
    const bool r2c = problem.kind == Kind::r2c;
    ArrayShape real{problem.lengths, problem.batch, real_bytes(problem)}, complex = real;
    complex.counts[halved] = problem.lengths[halved] / 2 + 1;
    complex.element_bytes *= 2;
    if (random() % 3 == 0) {
        problem.placement = Placement::in_place;
        if (random() % 3 == 0) {  // whatever the two have to do with each other
            problem.input = random_layout(r2c ? real : complex, random);
            problem.output = random_layout(r2c ? complex : real, random);
            return;
        }
        // The default is right if the halved axis is contiguous; the real numbers' layout follows from the other.
        if (halved + 1 != problem.lengths.size() || random() % 2)
            (r2c ? problem.output : problem.input) = random_layout(complex, random, halved);
        return;
    }
    if (random() % 4) problem.input = random_layout(r2c ? real : complex, random);
    if (random() % 4) problem.output = random_layout(r2c ? complex : real, random);
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
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < count; ++i) {
        Problem problem = random_shape(1 + i % 4, precision, random);
        const ArrayShape array{problem.lengths, problem.batch, 2 * real_bytes(problem)};
        problem.forward_scale = random_scale(random);
        problem.inverse_scale = random_scale(random);
        if (random() % 4) problem.input = random_layout(array, random);
        if (random() % 2) problem.placement = Placement::in_place;
        if (problem.placement == Placement::in_place ? random() % 3 == 0 : random() % 4 != 0)
            problem.output = random_layout(array, random);
        problems.push_back(problem);
    }
    return problems;
}

std::vector<Problem> memory_sample(std::size_t count, Precision precision, std::mt19937_64& random) {
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < count; ++i) {
        Problem problem;
        if (i % 3 == 0) {
            SampleLimits limits;
            limits.points = 1u << 14;
            problem = dense(i % 2 ? between(random, 2, 4096) : std::uint64_t{1} << between(random, 1, 14), limits,
                            precision, random);
        } else {
            problem = random_shape(1 + i % 4, precision, random);
            problem.placement = random() % 2 ? Placement::in_place : Placement::out_of_place;
            problem.forward_scale = random_scale(random);
        }
        const Storage halves[] = {Storage::same, Storage::f16, Storage::bf16};
        const Storage narrow[] = {Storage::same, Storage::f32};
        problem.storage = precision == Precision::f32 ? halves[random() % 3] : narrow[random() % 2];
        const auto layout = [&] {
            const bool planar = problem.storage == Storage::same || random() % 2;
            const std::uint64_t bytes = (planar ? 1 : 2) * stored_bytes(precision, problem.storage);
            Layout result = random() % 2 ? random_layout({problem.lengths, problem.batch, bytes}, random) : Layout{};
            result.planar = planar;
            return result;
        };
        problem.input = layout();
        if (problem.placement == Placement::out_of_place) problem.output = layout();
        problems.push_back(problem);
    }
    return problems;
}

const std::vector<Kind>& trigonometric_kinds() {
    static const std::vector<Kind> kinds{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                         Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};
    return kinds;
}

std::vector<Problem> kind_length_sample(const std::vector<Kind>& kinds, const SampleLimits& limits, Precision precision,
                                        std::mt19937_64& random) {
    const std::uint64_t every = full_sweep() ? 512 : 64, longest = full_sweep() ? limits.longest : 1u << 18;
    const int short_lengths = full_sweep() ? 200 : 12, long_lengths = full_sweep() ? 20 : 4;
    std::vector<Problem> problems;
    for (const Kind kind : kinds) {
        const auto add = [&](std::uint64_t n) {
            Problem problem = dense(n, limits, precision, random);
            problem.kind = kind;
            problem.orthonormal = is_real_to_real(kind) && random() % 4 == 0;
            problem.orthogonalize = is_real_to_real(kind) && random() % 4 == 0;
            if (problem.orthonormal) problem.forward_scale = problem.inverse_scale = Scale::none();
            problems.push_back(problem);
        };
        for (std::uint64_t n = kind == Kind::dct1 ? 2 : 1; n <= every; ++n) add(n);
        for (int i = 0; i < short_lengths; ++i) add(between(random, every + 1, 2048));
        for (int i = 0; i < long_lengths; ++i) {
            std::uniform_real_distribution<double> exponent(11, std::log2(static_cast<double>(longest)));
            const auto n = static_cast<std::uint64_t>(std::exp2(exponent(random)));
            add(i % 2 == 0 ? std::min(next_fast_length(n), longest) : std::min<std::uint64_t>(n, 1u << 17));
        }
    }
    return problems;
}

std::vector<Problem> halved_layout_sample(std::size_t count, Precision precision, std::mt19937_64& random) {
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < count; ++i) {
        Problem problem = random_shape(1 + i % 4, precision, random);
        problem.kind = random() % 2 ? Kind::r2c : Kind::c2r;
        const std::vector<int> axes = listed_axes(problem);
        int halved = axes.back();
        if (random() % 2) problem.halved_axis = halved = axes[random() % axes.size()];
        (problem.kind == Kind::r2c ? problem.forward_scale : problem.inverse_scale) = random_scale(random);
        if (halved < 0) halved += static_cast<int>(problem.lengths.size());
        draw_halved_layouts(problem, static_cast<std::size_t>(halved), random);
        problems.push_back(problem);
    }
    return problems;
}

std::vector<Problem> real_layout_sample(std::size_t count, Precision precision, std::mt19937_64& random) {
    std::vector<Kind> kinds = trigonometric_kinds();
    kinds.insert(kinds.end(), {Kind::dht, Kind::r2hc, Kind::hc2r});
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < count; ++i) {
        Problem problem = random_shape(1 + i % 4, precision, random);
        for (std::uint64_t& n : problem.lengths) n = std::max<std::uint64_t>(n, 2);  // dct1 has no length 1
        problem.kind = kinds[random() % kinds.size()];
        if (random() % 2) {
            for (std::size_t a = 0; a < listed_axes(problem).size(); ++a)
                problem.axis_kinds.push_back(kinds[random() % kinds.size()]);
            problem.kind = problem.axis_kinds.front();
        }
        problem.orthonormal = random() % 4 == 0;
        problem.orthogonalize = random() % 4 == 0;
        if (!problem.orthonormal) {
            problem.forward_scale = random_scale(random);
            problem.inverse_scale = random_scale(random);
        }
        const ArrayShape array{problem.lengths, problem.batch, real_bytes(problem)};
        if (random() % 4) problem.input = random_layout(array, random);
        if (random() % 2) problem.placement = Placement::in_place;
        if (problem.placement == Placement::in_place ? random() % 3 == 0 : random() % 4 != 0)
            problem.output = random_layout(array, random);
        problems.push_back(problem);
    }
    return problems;
}

}  // namespace seiche::accuracy
