#include "planner/measured/pairs.hpp"

#include <algorithm>

#include "planner/device_model.hpp"
#include "planner/measured/built_in.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/fusing.hpp"

namespace seiche::planner {

namespace {

using measured::Form;
using measured::form_of;
using measured::Key;
using measured::Number;
using measured::Row;
using measured::Topic;
using measured::When;

const Row* find_pair(const Key& key, const DeviceLimits& limits, measured::Flag flag) {
    return measured::find(limits, key, [flag](const Row& row) { return row.has(flag); });
}

/// Whether these are the two passes that a row of an axis has.
bool are_of_row(const Row& row, std::uint32_t first) { return row.lengths[0] == first && row.lengths[2] == 0; }

}  // namespace

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
    return row ? std::optional(MeasuredPlane{row->groups, row->points == fused_threads::largest_radix}) : std::nullopt;
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
