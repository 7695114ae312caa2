// The cost model: operations of butterflies and twiddles, and moves of points, in one unit.
#include "planner/policy/cost.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <cmath>

#include "planner/model/costs.hpp"
#include "planner/model/processors.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

namespace {

bool is_simd(const AxisQuestion& q) { return !has_groups(*q.limits); }

struct Prices {
    double memory, exchange, scattered;
};

Prices prices(const AxisQuestion& q) {
    if (scalarises_accesses(*q.limits))
        return {operation_costs::scalarised_memory, operation_costs::scalarised_exchange,
                operation_costs::scalarised_scattered};
    return {operation_costs::memory, operation_costs::exchange, operation_costs::scattered};
}

}  // namespace

namespace {

/// One run of a core on a GPU: idle threads of a stage wait for the others.
double gpu_run(const Pass& pass, const AxisQuestion& q) {
    const bool twice = pass.algorithm != Algorithm::direct;
    const std::uint32_t n = pass.core.n;
    const std::uint32_t threads = threads_for_core(pass.core.radices, {n, q.is_strided, twice, q.precision}, *q.limits);
    const double text = operations_of_thread(pass.core.radices, n, threads);
    const double doublings = std::max(0.0, std::log2(threads / operation_costs::threads_without_waiting));
    const double waiting = twice ? operation_costs::waiting * doublings : 0;
    const double exchanges = prices(q).exchange * (1 + waiting) * n * static_cast<double>(pass.core.radices.size() - 1);
    const double longest = operation_costs::longest_text;
    return threads * text * (1 + std::max(0.0, text - longest) / longest) + exchanges;
}

double simd_run(const Pass& pass) {
    double sum = 0;
    std::uint32_t s = 1;
    for (const std::uint32_t r : pass.core.radices) {
        const double twiddles = s > 1 ? operations_per_twiddle * (r - 1) : 0;
        sum += pass.core.n / r * (operations_of_butterfly(r) + twiddles) + simd::stage_operations * pass.core.n;
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
    const double middle = is_convolution ? operation_costs::convolution_middle * parts * pass.core.n : 0;
    if (is_simd(q)) return (core + middle) / simd_lanes_of(pass, q) + simd::memory_operations * pass.n;
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
