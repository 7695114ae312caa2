#include "planner/policy/runs.hpp"

#include <algorithm>
#include <bit>

#include "planner/measured/rules.hpp"
#include "planner/model/passes.hpp"

namespace seiche::planner {

namespace {

std::uint64_t sequences_of(const KernelSpec& spec) { return std::get<kernels::GroupShape>(spec.shape).sequences; }

/// Long rows of other lengths are slower with several to a block. Measured: LAB-0117.
bool suits_rows(const KernelSpec& first) {
    const bool is_even = first.n % between_runs::part_of_long_row == 0 && first.n % 7 != 0;
    return first.n <= between_runs::longest_of_any_row || is_even;
}

/// Columns have several sequences a block anyway, and so have passes that a tuning gives them. Rows get as many as make
/// a run of the second pass a line, if a tile holds them.
std::uint64_t sequences_of_first(const Tuning& tuning, const KernelSpec& first, std::uint64_t run_bytes) {
    if (first.in.stride != 1 || tuning.transforms_per_group != 0) return sequences_of(first);
    const std::uint64_t row = std::uint64_t{first.n} * kernels::access_bytes(first, false);
    return std::min(between_runs::line_bytes / run_bytes, between_runs::tile_bytes.of(first.precision) / row);
}

}  // namespace

std::uint32_t choose_runs(const Arrays& arrays, const Schedule& schedule) {
    // Who lends the input has no memory for a workspace.
    if (!holds(Rule::runs_between_passes, arrays.limits) || !may_lie_in_runs(schedule) || arrays.may_use_input())
        return 0;
    const KernelSpec &first = schedule.steps[0].spec, &second = schedule.steps[1].spec;
    const std::uint64_t bytes = kernels::access_bytes(second, true), run_bytes = sequences_of(second) * bytes;
    const std::uint64_t all = std::uint64_t{first.n} * second.n * arrays.problem.batch.count * bytes;
    const bool is_row = first.in.stride == 1, is_part = run_bytes < arrays.limits.sector_bytes;
    const bool is_usual = first.precision == Precision::f32 || first.precision == Precision::f64;
    if (!is_usual || is_part || (is_row && !suits_rows(first)) || run_bytes >= between_runs::line_bytes ||
        all < between_runs::least_caches * arrays.limits.cache_bytes ||
        *std::ranges::max_element(first.radices) > between_runs::largest_radix)
        return 0;
    const bool is_asked = arrays.options.tuning.transforms_per_group != 0;
    if (!is_asked && std::min(first.n, second.n) < between_runs::shortest_pass) return 0;
    const std::uint64_t sequences = sequences_of_first(arrays.options.tuning, first, run_bytes);
    const bool may = sequences > 1 && std::has_single_bit(sequences) && first.loops[0].count % sequences == 0;
    return may ? static_cast<std::uint32_t>(sequences) : 0;
}

}  // namespace seiche::planner
