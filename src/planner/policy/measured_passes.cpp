// How passes are found in the tables.
#include "planner/policy/measured_passes.hpp"
#include "planner/device_model.hpp"

#include <algorithm>

#include "planner/fuse/pipeline.hpp"
#include "planner/measured/built_in.hpp"
#include "planner/measured/rules.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

namespace {

using measured::Form;
using measured::Key;
using measured::Number;
using measured::Row;
using measured::Topic;
using measured::When;

std::uint64_t bytes_of(const AxisQuestion& q) { return q.n * 2 * real_bytes(q.precision); }

/// Whether the batch is what a row is for.
bool is_for(const Row& row, const AxisQuestion& q) {
    if (row.when == When::always) return true;
    if (row.when == When::pipelined || !leaves_pipelining_open(*q.tuning)) return false;
    return row.when == When::large_batch ? is_worth_pipelining(q.sequences * bytes_of(q), *q.limits)
                                         : can_pay_to_pipeline(bytes_of(q), q.sequences, *q.limits);
}

const Row* find_passes(Form form, const AxisQuestion& q, std::uint32_t longest, bool has_batch) {
    const std::optional<Number> number = measured::number_of(q.precision, q.problem.is_16_bit);
    if (!number) return nullptr;
    return measured::find(*q.limits, {Topic::passes, form, *number, q.n}, [&](const Row& row) {
        return std::ranges::max(row.lengths) <= longest && is_for(row, q) && (!has_batch || row.when != When::always);
    });
}

std::vector<std::uint64_t> passes_of(const Row* row) {
    if (!row) return {};
    const std::vector<std::uint32_t> lengths = row->all_lengths();
    return {lengths.begin(), lengths.end()};
}

}  // namespace

std::vector<std::uint32_t> measured_passes(const AxisQuestion& q) {
    const bool is_whole = q.problem.is_alone && q.may_be_lone && !q.is_strided;
    if (!is_whole) return {};
    const Row* row = find_passes(Form::c2c, q, longest_pass(*q.limits, q.precision, true), false);
    return row ? row->all_lengths() : std::vector<std::uint32_t>{};
}

std::vector<std::uint64_t> measured_passes_for_bins(bool stores_bins, const AxisQuestion& q) {
    if (!q.problem.is_alone || q.problem.is_16_bit) return {};
    const std::uint32_t longest = longest_split_pass(*q.limits, q.precision);
    return passes_of(find_passes(stores_bins ? Form::r2c : Form::c2r, q, longest, true));
}

std::vector<std::uint64_t> measured_lone_passes_for_bins(const AxisQuestion& q) {
    const std::optional<Number> number = measured::number_of(q.precision);
    if (!number) return {};
    return passes_of(measured::find(*q.limits, {Topic::passes, Form::r2c, *number, q.n},
                                    [](const Row& row) { return row.when == When::always; }));
}

std::vector<std::uint64_t> measured_pair_for_bins(const AxisQuestion& q) {
    return passes_of(measured::find(*q.limits, {Topic::passes, Form::r2c, Number::f32, q.n},
                                    [](const Row& row) { return row.when == When::pipelined; }));
}

std::vector<std::uint64_t> measured_passes_of_folded(Kind kind, const AxisQuestion& q) {
    const bool is_whole = q.problem.is_alone && !q.problem.is_16_bit && !q.problem.is_in_place && !q.is_strided;
    const std::optional<Form> form = measured::form_of(kind);
    if (!is_whole || !form || kind == Kind::r2c || kind == Kind::c2r || q.tuning->groups_per_cluster != 0) return {};
    return passes_of(find_passes(*form, q, longest_split_pass(*q.limits, q.precision), true));
}

}  // namespace seiche::planner
