// Structs of the C interface that carry their size: their defaults, and what is checked before they are read.
#include "api/c_structs.hpp"

#include <algorithm>
#include <iterator>

#include "seiche/interop/level_zero.h"
#include "seiche/interop/vulkan.h"

namespace seiche::api {

std::size_t checked_size(const void* given, const char* name) {
    if (given == nullptr) throw InvalidProblem(std::string(name) + ": expected a pointer, got NULL");
    std::size_t size = 0;
    std::memcpy(&size, given, sizeof size);
    // No header has a struct whose end is amid a pointer.
    if (size < sizeof size || size > most_struct_bytes || size % alignof(std::size_t) != 0)
        throw InvalidProblem(std::string(name) +
                             ".struct_size: expected the size of the struct, as its SEICHE_..._INIT " +
                             "or seiche_..._init sets it, got " + std::to_string(size));
    return size;
}

void refuse_unknown_members(const void* given, std::size_t from, std::size_t size, const char* name) {
    const auto* bytes = static_cast<const unsigned char*>(given);
    if (std::any_of(bytes + from, bytes + size, [](unsigned char byte) { return byte != 0; }))
        throw InvalidProblem(std::string(name) + ": expected zero in all members beyond byte " + std::to_string(from) +
                             ", which this version of the library does not know, got a struct of " +
                             std::to_string(size) + " bytes with others");
}

// A struct with its macro and its function.
#define SEICHE_SIZED_STRUCT(type, macro)                   \
    template <>                                            \
    seiche_##type default_struct<seiche_##type>() {        \
        const seiche_##type value = SEICHE_##macro##_INIT; \
        return value;                                      \
    }

#define SEICHE_SIZED_STRUCTS(X)                           \
    X(device_limits, DEVICE_LIMITS)                       \
    X(device_info, DEVICE_INFO)                           \
    X(cache_report, CACHE_REPORT)                         \
    X(layout, LAYOUT)                                     \
    X(stage_function, STAGE_FUNCTION)                     \
    X(stage, STAGE)                                       \
    X(problem, PROBLEM)                                   \
    X(report_summary, REPORT_SUMMARY)                     \
    X(kernel_report, KERNEL_REPORT)                       \
    X(analysis_report, ANALYSIS_REPORT)                   \
    X(flow_node, FLOW_NODE)                               \
    X(flow_step, FLOW_STEP)                               \
    X(kernel_flow, KERNEL_FLOW)                           \
    X(explanation_summary, EXPLANATION_SUMMARY)           \
    X(plan_options, PLAN_OPTIONS)                         \
    X(execution, EXECUTION)                               \
    X(wisdom_entry, WISDOM_ENTRY)                         \
    X(textbook_recipe, TEXTBOOK_RECIPE)                   \
    X(convolution, CONVOLUTION)                           \
    X(convolution_preparation, CONVOLUTION_PREPARATION)   \
    X(convolution_execution, CONVOLUTION_EXECUTION)       \
    X(short_time_problem, SHORT_TIME_PROBLEM)             \
    X(short_time_execution, SHORT_TIME_EXECUTION)         \
    X(spectral_problem, SPECTRAL_PROBLEM)                 \
    X(spectral_execution, SPECTRAL_EXECUTION)             \
    X(emitted_kernel, EMITTED_KERNEL)                     \
    X(emitted_buffer, EMITTED_BUFFER)                     \
    X(emitted_scalar, EMITTED_SCALAR)                     \
    X(emitted_image, EMITTED_IMAGE)                       \
    X(device_function_info, DEVICE_FUNCTION_INFO)         \
    X(level_zero_native_device, LEVEL_ZERO_NATIVE_DEVICE) \
    X(vulkan_native_device, VULKAN_NATIVE_DEVICE)

SEICHE_SIZED_STRUCTS(SEICHE_SIZED_STRUCT)

}  // namespace seiche::api

#define SEICHE_INIT_FUNCTION(type, macro) \
    void seiche_##type##_init(seiche_##type* to, size_t struct_size) { seiche::api::start_struct(to, struct_size); }

extern "C" {
SEICHE_SIZED_STRUCTS(SEICHE_INIT_FUNCTION)
}
