/* Compiled with the headers of today. */
#include "today.h"

#include <seiche/seiche.h>
#include <string.h>

size_t today_bytes(const char* name) {
#define SEICHE_SIZE(type) \
    if (strcmp(name, #type) == 0) return sizeof(seiche_##type);
    SEICHE_SIZE(device_limits)
    SEICHE_SIZE(device_info)
    SEICHE_SIZE(cache_report)
    SEICHE_SIZE(layout)
    SEICHE_SIZE(stage_function)
    SEICHE_SIZE(stage)
    SEICHE_SIZE(problem)
    SEICHE_SIZE(report_summary)
    SEICHE_SIZE(kernel_report)
    SEICHE_SIZE(analysis_report)
    SEICHE_SIZE(flow_node)
    SEICHE_SIZE(flow_step)
    SEICHE_SIZE(kernel_flow)
    SEICHE_SIZE(explanation_summary)
    SEICHE_SIZE(plan_options)
    SEICHE_SIZE(execution)
    SEICHE_SIZE(wisdom_entry)
    SEICHE_SIZE(textbook_recipe)
    SEICHE_SIZE(convolution)
    SEICHE_SIZE(convolution_preparation)
    SEICHE_SIZE(convolution_execution)
    SEICHE_SIZE(spectral_problem)
    SEICHE_SIZE(spectral_execution)
    SEICHE_SIZE(emitted_kernel)
    SEICHE_SIZE(emitted_buffer)
    SEICHE_SIZE(emitted_scalar)
    SEICHE_SIZE(emitted_image)
    SEICHE_SIZE(device_function_info)
    return 0;
}
