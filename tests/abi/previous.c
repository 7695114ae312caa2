/* A program built against the previous header, whose structs lack the last members of today's, runs with the library of
 * today: what it gives is read as far as it goes, and what it gets ends where its structs end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "previous_plan.h"
#include "today.h"

static void fail(const char* what, int line) {
    printf("line %d: %s: %s\n", line, what, seiche_last_error());
    exit(1);
}
#define CHECK(condition) \
    if (!(condition)) fail(#condition, __LINE__)

/* A struct to be filled in, and behind it what must stay. */
#define FILLED(type, MACRO)                \
    struct {                               \
        seiche_##type value;               \
        unsigned char behind[64];          \
    } type = {SEICHE_##MACRO##_INIT, {0}}; \
    memset(type.behind, 0x5a, sizeof type.behind)
#define CHECK_BEHIND(type)                                                             \
    for (size_t i_ = 0; i_ < sizeof type.behind; ++i_) CHECK(type.behind[i_] == 0x5a); \
    CHECK(sizeof(seiche_##type) < today_bytes(#type))

static seiche_device* device;
static seiche_queue* queue;

/* Rows of a padded array, in place, by way of a layout and a stage. */
static void transforms(void) {
    enum { ROWS = 3, POINTS = 8, STRIDE = 10 };
    const uint64_t lengths[] = {ROWS, POINTS};
    const int64_t strides[] = {STRIDE, 1};
    const int axes[] = {1};
    float data[2 * ROWS * STRIDE] = {0};
    uint64_t bytes = 0;
    seiche_plan* plan = NULL;
    seiche_buffer *buffer = NULL, *workspace = NULL;
    seiche_layout layout = SEICHE_LAYOUT_INIT;
    seiche_stage stage = SEICHE_STAGE_INIT;
    seiche_problem problem = seiche_problem_default(2, lengths);
    seiche_plan_options options = SEICHE_PLAN_OPTIONS_INIT;
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    layout.strides = strides;
    stage.text = "return value * 2;";
    problem.axes = axes;
    problem.axis_count = 1;
    problem.placement = SEICHE_IN_PLACE;
    problem.input = &layout;
    problem.forward_load = &stage;
    options.directions = SEICHE_ONLY_FORWARD;
    CHECK(sizeof problem < today_bytes("problem") && sizeof execution < today_bytes("execution"));
    CHECK(sizeof layout < today_bytes("layout") && sizeof stage < today_bytes("stage"));
    CHECK(sizeof options < today_bytes("plan_options"));
    CHECK(seiche_plan_create_with_options(device, &problem, &options, &plan) == SEICHE_OK);
    CHECK(seiche_plan_workspace_bytes(plan, 0, &bytes) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, bytes + 8, &workspace) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, sizeof data, &buffer) == SEICHE_OK);
    for (int r = 0; r < ROWS; ++r) data[2 * (r * STRIDE)] = (float)(r + 1);
    CHECK(seiche_upload(queue, buffer, 0, data, sizeof data) == SEICHE_OK);
    execution.input = buffer;
    execution.workspace = workspace;
    CHECK(seiche_execute(plan, queue, &execution) == SEICHE_OK);
    CHECK(seiche_download(queue, data, buffer, 0, sizeof data) == SEICHE_OK);
    for (int r = 0; r < ROWS; ++r)
        for (int k = 0; k < POINTS; ++k) {
            CHECK(fabsf(data[2 * (r * STRIDE + k)] - 2 * (float)(r + 1)) < 1e-6F);
            CHECK(fabsf(data[2 * (r * STRIDE + k) + 1]) < 1e-6F);
        }
    seiche_buffer_release(buffer);
    seiche_buffer_release(workspace);
    seiche_plan_release(plan);
}

static void convolutions(void) {
    const uint64_t signal = 3, kernel = 2;
    const float x[] = {1, 2, 3}, h[] = {1, 1}, expected[] = {1, 3, 5, 3};
    float y[4] = {0};
    uint64_t spectrum_bytes = 0, preparation_bytes = 0, workspace_bytes = 0;
    seiche_convolution convolution = seiche_convolution_default(1, &signal, &kernel);
    seiche_convolution_preparation preparation = SEICHE_CONVOLUTION_PREPARATION_INIT;
    seiche_convolution_execution execution = SEICHE_CONVOLUTION_EXECUTION_INIT;
    seiche_convolution_plan* plan = NULL;
    seiche_buffer *in = NULL, *kernels = NULL, *spectrum = NULL, *out = NULL, *scratch = NULL;
    CHECK(sizeof convolution < today_bytes("convolution"));
    CHECK(sizeof preparation < today_bytes("convolution_preparation"));
    CHECK(sizeof execution < today_bytes("convolution_execution"));
    CHECK(seiche_convolution_plan_create(device, &convolution, &plan) == SEICHE_OK);
    CHECK(seiche_convolution_plan_spectrum_bytes(plan, &spectrum_bytes) == SEICHE_OK);
    CHECK(seiche_convolution_plan_preparation_bytes(plan, &preparation_bytes) == SEICHE_OK);
    CHECK(seiche_convolution_plan_workspace_bytes(plan, 0, &workspace_bytes) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, sizeof x, &in) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, sizeof h, &kernels) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, sizeof y, &out) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, spectrum_bytes, &spectrum) == SEICHE_OK);
    CHECK(seiche_buffer_create(device, preparation_bytes + workspace_bytes + 8, &scratch) == SEICHE_OK);
    CHECK(seiche_upload(queue, in, 0, x, sizeof x) == SEICHE_OK);
    CHECK(seiche_upload(queue, kernels, 0, h, sizeof h) == SEICHE_OK);
    preparation.kernels = kernels;
    preparation.spectrum = execution.spectrum = spectrum;
    preparation.workspace = execution.workspace = scratch;
    CHECK(seiche_convolution_prepare(plan, queue, &preparation) == SEICHE_OK);
    execution.input = in;
    execution.output = out;
    CHECK(seiche_convolution_execute(plan, queue, &execution) == SEICHE_OK);
    CHECK(seiche_download(queue, y, out, 0, sizeof y) == SEICHE_OK);
    for (int i = 0; i < 4; ++i) CHECK(fabsf(y[i] - expected[i]) < 1e-5F);
    seiche_buffer_release(in);
    seiche_buffer_release(kernels);
    seiche_buffer_release(out);
    seiche_buffer_release(spectrum);
    seiche_buffer_release(scratch);
    seiche_convolution_plan_release(plan);
}

static void devices(void) {
    seiche_device_list* list = NULL;
    FILLED(device_info, DEVICE_INFO);
    FILLED(device_limits, DEVICE_LIMITS);
    FILLED(cache_report, CACHE_REPORT);
    CHECK(seiche_devices(&list) == SEICHE_OK && seiche_device_list_count(list) > 0);
    CHECK(seiche_device_list_get(list, 0, &device_info.value) == SEICHE_OK);
    CHECK(seiche_device_list_get_limits(list, 0, &device_limits.value) == SEICHE_OK);
    CHECK(seiche_device_get_info(device, &device_info.value) == SEICHE_OK);
    CHECK(strcmp(device_info.value.name, "reference") == 0);
    CHECK(seiche_device_get_limits(device, &device_limits.value) == SEICHE_OK);
    CHECK(seiche_get_cache_report(&cache_report.value) == SEICHE_OK && cache_report.value.folder != NULL);
    CHECK_BEHIND(device_info);
    CHECK_BEHIND(device_limits);
    CHECK_BEHIND(cache_report);
    seiche_device_list_release(list);
}

static void reports(const seiche_problem* problem, const seiche_device_limits* limits) {
    seiche_report* report = NULL;
    seiche_analysis* analysis = NULL;
    seiche_explanation* explanation = NULL;
    FILLED(report_summary, REPORT_SUMMARY);
    FILLED(kernel_report, KERNEL_REPORT);
    FILLED(analysis_report, ANALYSIS_REPORT);
    FILLED(explanation_summary, EXPLANATION_SUMMARY);
    FILLED(kernel_flow, KERNEL_FLOW);
    FILLED(flow_step, FLOW_STEP);
    FILLED(flow_node, FLOW_NODE);
    CHECK(seiche_inspect(problem, limits, NULL, &report) == SEICHE_OK);
    CHECK(seiche_report_get(report, &report_summary.value) == SEICHE_OK && report_summary.value.kernel_count == 2);
    CHECK(seiche_report_kernel(report, 1, &kernel_report.value) == SEICHE_OK && kernel_report.value.groups != 0);
    CHECK(seiche_analyse(problem, limits, NULL, &analysis) == SEICHE_OK);
    CHECK(seiche_analysis_get(analysis, 0, &analysis_report.value) == SEICHE_OK && analysis_report.value.flops != 0);
    CHECK(seiche_explain(problem, limits, NULL, 64, &explanation) == SEICHE_OK);
    CHECK(seiche_explanation_get(explanation, &explanation_summary.value) == SEICHE_OK);
    CHECK(explanation_summary.value.lines == 16);
    CHECK(seiche_explanation_kernel(explanation, 0, &kernel_flow.value) == SEICHE_OK);
    for (size_t step = 0; step < kernel_flow.value.step_count; ++step) {
        CHECK(seiche_explanation_step(explanation, 0, step, &flow_step.value) == SEICHE_OK);
        for (size_t node = 0; node < flow_step.value.node_count; ++node)
            CHECK(seiche_explanation_node(explanation, 0, step, node, &flow_node.value) == SEICHE_OK);
    }
    CHECK(flow_node.value.from_count != 0);
    CHECK_BEHIND(report_summary);
    CHECK_BEHIND(kernel_report);
    CHECK_BEHIND(analysis_report);
    CHECK_BEHIND(explanation_summary);
    CHECK_BEHIND(kernel_flow);
    CHECK_BEHIND(flow_step);
    CHECK_BEHIND(flow_node);
    seiche_report_release(report);
    seiche_analysis_release(analysis);
    seiche_explanation_release(explanation);
}

static void sources(const seiche_problem* problem, const seiche_device_limits* limits) {
    seiche_emission* emission = NULL;
    seiche_device_function* function = NULL;
    FILLED(emitted_kernel, EMITTED_KERNEL);
    FILLED(emitted_buffer, EMITTED_BUFFER);
    FILLED(emitted_scalar, EMITTED_SCALAR);
    FILLED(device_function_info, DEVICE_FUNCTION_INFO);
    CHECK(seiche_emit_kernels(problem, SEICHE_DIALECT_CUDA, limits, SEICHE_FORWARD, NULL, &emission) == SEICHE_OK);
    CHECK(seiche_emission_kernel(emission, 0, &emitted_kernel.value) == SEICHE_OK);
    CHECK(strstr(emitted_kernel.value.source, emitted_kernel.value.name) != NULL);
    CHECK(seiche_emission_buffer(emission, 0, 0, &emitted_buffer.value) == SEICHE_OK);
    CHECK(strcmp(emitted_buffer.value.holds, "input") == 0);
    CHECK(seiche_emission_scalar(emission, 0, 0, &emitted_scalar.value) == SEICHE_OK);
    CHECK(seiche_emit_device_function(problem, SEICHE_DIALECT_CUDA, limits, SEICHE_FORWARD, NULL, &function) ==
          SEICHE_OK);
    CHECK(seiche_device_function_get(function, &device_function_info.value) == SEICHE_OK);
    CHECK(device_function_info.value.points == 16);
    CHECK_BEHIND(emitted_kernel);
    CHECK_BEHIND(emitted_buffer);
    CHECK_BEHIND(emitted_scalar);
    CHECK_BEHIND(device_function_info);
    seiche_emission_release(emission);
    seiche_device_function_release(function);
}

static void tunings(void) {
    seiche_wisdom* wisdom = NULL;
    seiche_wisdom_entry given = SEICHE_WISDOM_ENTRY_INIT;
    FILLED(wisdom_entry, WISDOM_ENTRY);
    FILLED(textbook_recipe, TEXTBOOK_RECIPE);
    given.device = "a card";
    given.version = seiche_version();
    given.problem = "64 c2c f32";
    given.tuning = "radices=8x8";
    given.milliseconds = 0.5;
    CHECK(seiche_wisdom_parse(NULL, &wisdom) == SEICHE_OK);
    CHECK(seiche_wisdom_set(wisdom, &given) == SEICHE_OK);
    CHECK(seiche_wisdom_get(wisdom, 0, &wisdom_entry.value) == SEICHE_OK && wisdom_entry.value.milliseconds == 0.5);
    CHECK(seiche_textbook_recipe_get(0, &textbook_recipe.value) == SEICHE_OK && textbook_recipe.value.name != NULL);
    CHECK_BEHIND(wisdom_entry);
    CHECK_BEHIND(textbook_recipe);
    seiche_wisdom_release(wisdom);
}

int main(void) {
    const uint64_t length = 16;
    seiche_problem problem;
    seiche_device_limits limits;
    seiche_problem_init(&problem, sizeof problem);
    seiche_device_limits_init(&limits, sizeof limits);
    problem.lengths = &length;
    problem.rank = 1;
    CHECK(seiche_device_open("reference", &device) == SEICHE_OK);
    CHECK(seiche_queue_create(device, &queue) == SEICHE_OK);
    transforms();
    convolutions();
    devices();
    reports(&problem, &limits);
    sources(&problem, &limits);
    tunings();
    seiche_queue_release(queue);
    seiche_device_release(device);
    printf("%s: right\n", seiche_version());
    return 0;
}
