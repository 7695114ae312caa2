// The cost model: operations of butterflies and twiddles, and moves of points, in one unit.
#include "planner/policy/cost.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <cmath>

#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

namespace {

/// Per point, in operations: an H200's ratio of arithmetic to memory and shared memory; a prime's scattered places have
/// bank conflicts. Measured: LAB-0031.
constexpr double gpu_memory = 110, gpu_exchange = 30, gpu_scattered = 80;
/// The same for scalarised accesses, lane by lane beside vector arithmetic. Measured: LAB-0031.
constexpr double lane_memory = 1100, lane_exchange = 480, lane_scattered = 480;
/// A SIMD kernel's point between scratch and a register; in and out of memory with a transposition.
constexpr double simd_stage = 4, simd_memory = 16;
/// Each doubling of a convolution's threads beyond 64 makes exchanges wait longer. Measured: LAB-0026.
constexpr double gpu_waiting = 0.6;
/// Operations of a core in one thread from which its code outgrows the instruction caches.
constexpr double gpu_text = 800;

bool is_simd(const AxisQuestion& q) { return !has_groups(*q.limits); }

struct Prices {
    double memory, exchange, scattered;
};

Prices prices(const AxisQuestion& q) {
    if (scalarises_accesses(*q.limits)) return {lane_memory, lane_exchange, lane_scattered};
    return {gpu_memory, gpu_exchange, gpu_scattered};
}

}  // namespace

namespace {

/// One run of a core on a GPU: idle threads of a stage wait for the others.
double gpu_run(const Pass& pass, const AxisQuestion& q) {
    const bool twice = pass.algorithm != Algorithm::direct;
    const std::uint32_t n = pass.core.n;
    const std::uint32_t threads = threads_for_core(pass.core.radices, {n, q.is_strided, twice, q.precision}, *q.limits);
    const double text = operations_of_thread(pass.core.radices, n, threads);
    const double waiting = twice ? gpu_waiting * std::max(0.0, std::log2(threads / 64.0)) : 0;
    const double exchanges = prices(q).exchange * (1 + waiting) * n * static_cast<double>(pass.core.radices.size() - 1);
    return threads * text * (1 + std::max(0.0, text - gpu_text) / gpu_text) + exchanges;
}

double simd_run(const Pass& pass) {
    double sum = 0;
    std::uint32_t s = 1;
    for (const std::uint32_t r : pass.core.radices) {
        const double twiddles = s > 1 ? operations_per_twiddle * (r - 1) : 0;
        sum += pass.core.n / r * (operations_of_butterfly(r) + twiddles) + simd_stage * pass.core.n;
        s *= r;
    }
    return sum;
}

/// Sequences that share a SIMD register, or lanes of one that is not full.
double simd_lanes_of(const Pass& pass, const AxisQuestion& q) {
    const std::uint32_t lanes = simd_lanes(*q.limits, q.precision);
    const std::vector<std::uint32_t> reversed(pass.core.radices.rbegin(), pass.core.radices.rend());
    std::uint32_t along = q.is_strided ? 1 : lanes;
    const auto fills = [&] {
        return fills_lanes(pass.core.n, pass.core.radices, along) && fills_lanes(pass.core.n, reversed, along);
    };
    while (along > 1 && !fills()) along /= 2;
    return std::max<double>(along, static_cast<double>(std::min<std::uint64_t>(lanes, q.sequences)));
}

}  // namespace

double cost(const Pass& pass, const AxisQuestion& q) {
    const bool is_convolution = pass.algorithm != Algorithm::direct;
    const double parts = splits_parity(pass) ? 2 : 1;
    const double core = (is_convolution ? 2 * parts : 1) * (is_simd(q) ? simd_run(pass) : gpu_run(pass, q));
    const double middle = is_convolution ? 6.0 * parts * pass.core.n : 0;
    if (is_simd(q)) return (core + middle) / simd_lanes_of(pass, q) + simd_memory * pass.n;
    // A prime's conjugate pairs are in scattered places anyway.
    const bool is_prime = pass.algorithm == Algorithm::rader;
    const Prices price = prices(q);
    const bool has_map = q.has_map() && !(q.is_one_sided && pass.algorithm == Algorithm::bluestein);
    const double ends = is_prime ? 2 * price.scattered : has_map ? 2 * price.exchange : 0;
    return core + middle + ends * pass.n + price.memory * pass.n;
}

double cost(const AxisRecipe& recipe, const AxisQuestion& q) {
    const std::uint64_t n = recipe.padded ? recipe.padded : recipe.n;
    double sum = 0;
    for (const Pass& pass : recipe.passes) sum += static_cast<double>(n / pass.n) * cost(pass, q);
    if (!recipe.padded) return sum;
    // All but the last run once each way; that is the convolution in between.
    const Pass& last = recipe.passes.back();
    Pass turning = last;
    turning.algorithm = Algorithm::bluestein;
    const double count = static_cast<double>(n / last.n);
    return 2 * (sum - count * cost(last, q)) + count * cost(turning, q);
}

}  // namespace seiche::planner
