// How passes are found in the tables.
#include "planner/measured_passes.hpp"
#include "planner/device_model.hpp"

#include <algorithm>

#include "planner/measured/built_in.hpp"
#include "planner/pipeline.hpp"
#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"

namespace seiche::planner {

namespace {

constexpr std::uint32_t points_of_wide_thread = 32;

using measured::Form;
using measured::Key;
using measured::Number;
using measured::Row;
using measured::Topic;
using measured::When;

/// Nothing: no table has rows of such a kind.
std::optional<Form> form_of(Kind kind) {
    switch (kind) {
        case Kind::c2c: return Form::c2c;
        case Kind::r2c: return Form::r2c;
        case Kind::c2r: return Form::c2r;
        case Kind::dct2:
        case Kind::dst2: return Form::dct2;
        case Kind::dct3:
        case Kind::dst3: return Form::dct3;
        case Kind::dct4:
        case Kind::dst4: return Form::dct4;
        default: return std::nullopt;
    }
}

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

const Row* find_pair(const Key& key, const DeviceLimits& limits, measured::Flag flag) {
    return measured::find(limits, key, [flag](const Row& row) { return row.has(flag); });
}

std::vector<std::uint64_t> passes_of(const Row* row) {
    if (!row) return {};
    const std::vector<std::uint32_t> lengths = row->all_lengths();
    return {lengths.begin(), lengths.end()};
}

/// Whether these are the two passes that a row of an axis has.
bool are_of_row(const Row& row, std::uint32_t first) { return row.lengths[0] == first && row.lengths[2] == 0; }

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

bool divide_columns_of_bins(std::uint32_t first, std::uint32_t second, const DeviceLimits& limits) {
    return find_pair({Topic::pair, Form::r2c, Number::f32, first, second}, limits, measured::divides_columns);
}

bool are_faster_apart(Precision precision, std::uint32_t first, std::uint32_t second, const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    return number && find_pair({Topic::pair, Form::c2c, *number, first, second}, limits, measured::is_apart);
}

bool are_measured_to_pipeline(Precision precision, std::uint32_t first, std::uint32_t second, bool is_behind_another,
                              const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    return number && measured::find(limits, {Topic::pair, Form::c2c, *number, first, second}, [&](const Row& row) {
               return row.has(measured::is_pipelined) && row.has(measured::is_behind_another) == is_behind_another;
           });
}

std::uint32_t measured_transforms(Precision precision, std::uint32_t first, std::uint32_t second,
                                  const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return 0;
    const Row* row = measured::find(limits, {Topic::pair, Form::c2c, *number, first, second});
    return row ? row->transforms : 0;
}

std::optional<MeasuredCluster> measured_cluster(Kind kind, Precision precision, std::uint64_t points,
                                                std::uint64_t transforms, const DeviceLimits& limits) {
    const std::optional<Form> form = form_of(kind);
    const std::optional<Number> number = measured::number_of(precision);
    if (!form || !number) return std::nullopt;
    const bool is_large = is_worth_pipelining(transforms * points * 2 * real_bytes(precision), limits);
    const Row* row = measured::find(limits, {Topic::cluster, *form, *number, points}, [&](const Row& one) {
        return one.lengths[1] != 0 && one.groups <= limits.max_cluster_size && (one.when == When::always || is_large);
    });
    return row ? std::optional(MeasuredCluster{row->lengths[0], row->lengths[1], row->groups}) : std::nullopt;
}

std::uint32_t measured_groups(Precision precision, std::uint64_t points, const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return 0;
    const Row* row = measured::find(limits, {Topic::cluster, Form::c2c, *number, points}, [&](const Row& one) {
        return one.lengths[0] == 0 && one.groups <= limits.max_cluster_size;
    });
    return row ? row->groups : 0;
}

std::optional<MeasuredPlane> measured_plane(Kind kind, Precision precision, std::uint64_t rows, std::uint64_t numbers,
                                            const DeviceLimits& limits) {
    const std::optional<Form> form = form_of(kind);
    const std::optional<Number> number = measured::number_of(precision);
    if (!form || !number) return std::nullopt;
    const Row* row = measured::find(limits, {Topic::plane, *form, *number, rows, numbers}, [&](const Row& one) {
        return one.groups <= std::max(1u, limits.max_cluster_size);
    });
    return row ? std::optional(MeasuredPlane{row->groups, row->points == points_of_wide_thread}) : std::nullopt;
}

bool are_measured_for_bins(bool stores_bins, Precision precision, std::uint32_t first, std::uint32_t second,
                           const DeviceLimits& limits) {
    const std::optional<Number> number = measured::number_of(precision);
    if (!number) return false;
    const Form form = stores_bins ? Form::r2c : Form::c2r;
    const auto is_of_batch = [&](const Row& row) {
        return (row.when == When::cached || row.when == When::pipelined) && are_of_row(row, first);
    };
    return find_pair({Topic::pair, form, *number, first, second}, limits, measured::is_pipelined) ||
           measured::find(limits, {Topic::passes, form, *number, std::uint64_t{first} * second}, is_of_batch);
}

std::vector<std::uint64_t> measured_passes_of_folded(Kind kind, const AxisQuestion& q) {
    const bool is_whole = q.problem.is_alone && !q.problem.is_16_bit && !q.problem.is_in_place && !q.is_strided;
    const std::optional<Form> form = form_of(kind);
    if (!is_whole || !form || kind == Kind::r2c || kind == Kind::c2r || q.tuning->groups_per_cluster != 0) return {};
    return passes_of(find_passes(*form, q, longest_split_pass(*q.limits, q.precision), true));
}

bool are_pipelined_as_folded(Kind kind, Precision precision, std::uint32_t first, std::uint32_t second,
                             const DeviceLimits& limits) {
    const std::optional<Form> form = form_of(kind);
    const std::optional<Number> number = measured::number_of(precision);
    if (!form || !number) return false;
    const auto is_one_launch = [&](const Row& row) { return row.launches == 1 && are_of_row(row, first); };
    return find_pair({Topic::pair, *form, *number, first, second}, limits, measured::is_pipelined) ||
           measured::find(limits, {Topic::passes, *form, *number, std::uint64_t{first} * second}, is_one_launch);
}

}  // namespace seiche::planner
