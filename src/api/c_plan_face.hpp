// What the C interfaces of all plans have in common. A handle has the plan as `value`; most also have the text of its
// report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/c_handles.hpp"

namespace seiche::api {

template <class Handle>
using PlanOf = decltype(Handle::value);

/// A handle, with the text of its plan's report where it has that.
template <class Handle>
Handle* with_report(PlanOf<Handle> plan) {
    if constexpr (requires(Handle handle) { handle.report; }) {
        std::string report = plan.report().text();
        return new Handle{std::move(plan), std::move(report)};
    } else {
        return new Handle{std::move(plan)};
    }
}

/// Writes NULL where a plan is to come, and looks at the device.
template <class Handle>
void start(const seiche_device* device, Handle** plan) {
    require(plan, "plan");
    *plan = nullptr;
    require(device, "device");
}

/// Bytes of a plan by one of its questions, which takes what `of` holds: a batch or nothing.
template <class Handle, class... Of>
seiche_status answer(const Handle* plan, std::uint64_t* bytes, std::uint64_t (PlanOf<Handle>::*question)(Of...) const,
                     std::type_identity_t<Of>... of) {
    return guard([&] {
        require(plan, "plan");
        require(bytes, "bytes");
        *bytes = (plan->value.*question)(of...);
    });
}

template <class Handle>
seiche_status save(const Handle* plan, unsigned char** bytes, std::size_t* count) {
    return guard([&] {
        require(bytes, "bytes");
        *bytes = nullptr;
        require(count, "count");
        *count = 0;
        require(plan, "plan");
        const std::vector<std::byte> saved = plan->value.save();
        *bytes = copy_of(saved);
        *count = saved.size();
    });
}

template <class Handle>
seiche_status load(const seiche_device* device, const void* bytes, std::size_t count, Handle** plan) {
    return guard([&] {
        start(device, plan);
        require(bytes, "bytes");
        *plan = with_report<Handle>(PlanOf<Handle>::load(device->value, bytes, count));
    });
}

template <class Handle>
seiche_status get_report(const Handle* plan, seiche_report** report) {
    return guard([&] {
        require(report, "report");
        *report = nullptr;
        require(plan, "plan");
        *report = handle_of(plan->value.report());
    });
}

template <class Handle>
seiche_status get_device(const Handle* plan, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        require(plan, "plan");
        *device = new seiche_device{plan->value.device()};
    });
}

/// The text of what `of` makes from C's struct of a problem.
template <class Of>
seiche_status get_text(const Of& of, char** text) {
    return guard([&] {
        require(text, "text");
        *text = nullptr;
        *text = copy_of(to_string(of()));
    });
}

/// Without a device, of what `of` makes from C's struct of a problem.
template <class Of>
seiche_status inspect_as(const Of& of, const seiche_device_limits* limits, const char* tuning, seiche_report** report) {
    return guard([&] {
        require(report, "report");
        *report = nullptr;
        *report = handle_of(inspect(of(), limits_of(limits), tuning_of(tuning)));
    });
}
template <class Of>
seiche_status analyse_as(const Of& of, const seiche_device_limits* limits, const char* tuning,
                         seiche_analysis** analysis) {
    return guard([&] {
        require(analysis, "analysis");
        *analysis = nullptr;
        *analysis = new seiche_analysis{analyse(of(), limits_of(limits), tuning_of(tuning))};
    });
}

/// Throws InvalidProblem where the output has more elements than there is room for.
inline void require_elements(std::size_t capacity, std::uint64_t needed) {
    if (capacity < needed)
        throw InvalidProblem("capacity: expected at least " + std::to_string(needed) + " elements, got " +
                             std::to_string(capacity));
}

/// The last of the elements that raw memory on the host may have.
inline constexpr int last_host_element = SEICHE_HOST_COMPLEX_F64X2;

/// Raw memory on the host, looked at.
inline HostArray checked_array(const seiche_host_element& element, const void* data, std::size_t count,
                               const char* name, const char* element_name) {
    require_array(data, count, SIZE_MAX, name);
    return {data, count, checked_enum<HostElement>(element, last_host_element, element_name)};
}

/// Throws InvalidProblem where the plan's output does not fit into raw memory of so many bytes.
template <class Handle>
void require_output(const Handle* plan, const void* out, std::size_t out_bytes) {
    require_array(out, out_bytes, SIZE_MAX, "out");
    if (out_bytes < plan->value.output_bytes())
        throw InvalidProblem("out_bytes: expected at least " + std::to_string(plan->value.output_bytes()) + ", got " +
                             std::to_string(out_bytes));
}

}  // namespace seiche::api
