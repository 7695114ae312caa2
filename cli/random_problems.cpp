// Problems of every kind, drawn at random, and the classes that results are grouped by.
#include "cli/random_problems.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "cli/geometry.hpp"
#include "cli/random_data.hpp"

namespace seiche::cli {
namespace {

bool is_prime(std::uint64_t n) {
    if (n < 4) return n > 1;
    for (std::uint64_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return false;
    }
    return true;
}

// At most `limit`, evenly spread in the logarithm, at least 1.
std::uint64_t draw_size(Random& random, std::uint64_t limit) {
    const double turn = static_cast<double>(random.below(1u << 20)) / (1u << 20);
    const auto size = static_cast<std::uint64_t>(std::exp2(turn * std::log2(static_cast<double>(limit) + 1)));
    return std::clamp<std::uint64_t>(size, 1, limit);
}

std::uint64_t draw_length(Random& random, std::uint64_t limit) {
    const std::uint64_t near = draw_size(random, limit);
    switch (random.below(5)) {
        case 0: return std::bit_floor(near);
        case 1: {  // smooth: the next one, which may be beyond the limit
            const std::uint64_t smooth = next_fast_length(near);
            return smooth <= limit ? smooth : std::bit_floor(near);
        }
        case 2: {
            std::uint64_t prime = near;
            while (prime > 2 && !is_prime(prime)) --prime;
            return prime;
        }
        case 3: return 1 + random.below(std::min<std::uint64_t>(limit, 64));
        default: return near;
    }
}

// A layout in which the axes and the batch lie in any order, with gaps.
Layout draw_layout(Random& random, const Problem& problem) {
    Layout layout;
    layout.planar = random.one_in(6);
    if (random.one_in(2)) return layout;
    const std::size_t rank = problem.lengths.size();
    std::vector<std::size_t> order(rank + 1);  // fastest first; `rank` stands for the batch
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    layout.strides.resize(rank);
    std::uint64_t stride = random.one_in(4) ? 2 + random.below(3) : 1;
    for (const std::size_t place : order) {
        const std::uint64_t count = place == rank ? problem.batch : problem.lengths[place];
        (place == rank ? layout.batch_distance : layout.strides[place]) = static_cast<std::int64_t>(stride);
        stride *= count;
        if (random.one_in(3)) stride += random.below(6);
    }
    const std::uint64_t bytes = (layout.planar ? 1 : 2) * stored_bytes(problem.precision, problem.storage);
    if (random.one_in(3)) layout.byte_offset = bytes * random.below(40);
    return layout;
}

Scale draw_scale(Random& random) {
    switch (random.below(8)) {
        case 0: return Scale::by_n();
        case 1: return Scale::by_sqrt_n();
        case 2: return Scale::factor(0.625 + 0.125 * static_cast<double>(random.below(20)));
        default: return Scale::none();
    }
}

void draw_storage(Random& random, Problem& problem) {
    if (!random.one_in(4)) return;
    if (problem.precision == Precision::f64)
        problem.storage = Storage::f32;
    else
        problem.storage = random.one_in(2) ? Storage::f16 : Storage::bf16;
}

void draw_axes(Random& random, Problem& problem) {
    if (problem.lengths.size() < 2 || random.one_in(2)) return;
    const int rank = static_cast<int>(problem.lengths.size());
    for (int axis = 0; axis < rank; ++axis) {
        if (random.one_in(2)) problem.axes.push_back(random.one_in(2) ? axis : axis - rank);
    }
    if (problem.axes.empty()) problem.axes.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(rank))));
}

}  // namespace

Problem draw_problem(std::uint64_t seed, std::uint64_t index, const DrawLimits& limits) {
    Random random(splitmix(seed) ^ splitmix(~index));
    Problem problem;
    if (limits.fp64 && random.one_in(2)) problem.precision = Precision::f64;
    draw_storage(random, problem);
    // Most are small: a large one takes as long as a hundred others.
    std::uint64_t room = random.one_in(8) ? limits.points : std::min<std::uint64_t>(limits.points, 1u << 15);
    const std::size_t rank = random.one_in(2) ? 1 : 1 + random.below(4);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        problem.lengths.push_back(draw_length(random, room));
        room = std::max<std::uint64_t>(room / problem.lengths.back(), 1);
    }
    for (std::size_t i = rank; i > 1; --i) std::swap(problem.lengths[i - 1], problem.lengths[random.below(i)]);
    problem.batch = random.one_in(4) ? 1 : draw_size(random, room);
    draw_axes(random, problem);
    problem.input = draw_layout(random, problem);
    if (random.one_in(3)) {
        problem.placement = Placement::in_place;
    } else {
        problem.output = draw_layout(random, problem);
    }
    problem.forward_scale = draw_scale(random);
    problem.inverse_scale = draw_scale(random);
    return problem;
}

std::string class_of(const Problem& problem) {
    std::size_t rank = 0;
    bool power_of_two = true, smooth = true;
    for (const std::uint64_t n : Geometry(problem).lengths()) {
        rank += n > 1 ? 1 : 0;
        power_of_two = power_of_two && std::has_single_bit(n);
        smooth = smooth && next_fast_length(n) == n;
    }
    if (rank > 1) return smooth ? "n-D" : "n-D Bluestein";
    if (power_of_two) return "1-D power of two";
    return smooth ? "1-D smooth" : "1-D Bluestein";
}

}  // namespace seiche::cli
