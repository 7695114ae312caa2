#include "planner/measured/rules.hpp"

#include "planner/device_model.hpp"
#include "planner/measured/built_in.hpp"
#include "planner/model/pipelining.hpp"

namespace seiche::planner {

bool holds(Rule rule, const DeviceLimits& limits) {
    const measured::Row* row = measured::find(limits, measured::key_of(rule));
    return row && row->has(measured::does_hold);
}

bool is_worth_pipelining(std::uint64_t bytes, const DeviceLimits& limits) {
    return limits.waits_for_groups && bytes >= cached_slices::least_caches * limits.cache_bytes &&
           holds(Rule::pipelined_passes, limits);
}

bool can_pay_to_pipeline(std::uint64_t slice_bytes, std::uint64_t slices, const DeviceLimits& limits) {
    const std::uint64_t of_cache = has_unbounded_registers(limits) ? cached_slices::elsewhere : cached_slices::usual;
    return of_cache * slice_bytes <= limits.cache_bytes && slices >= cached_slices::least &&
           is_worth_pipelining(slices * slice_bytes, limits);
}

}  // namespace seiche::planner
