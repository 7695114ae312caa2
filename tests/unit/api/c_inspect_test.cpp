// The C interface of reports, analysis, explanation and emission: every value is the one that C++ has.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "seiche/emit.hpp"
#include "seiche/explain.hpp"
#include "seiche/inspect.hpp"
#include "seiche/problem.hpp"
#include "seiche/seiche.h"
#include "seiche/wisdom.hpp"

namespace {

std::string said() { return seiche_last_error(); }

class CInspect : public testing::Test {
protected:
    void TearDown() override { seiche_problem_release(problem); }
    void parse(const char* text) {
        seiche_problem_release(problem);
        ASSERT_EQ(seiche_problem_parse(text, &problem), SEICHE_OK) << said();
        cpp = seiche::parse_problem(text);
    }
    seiche_problem* problem = nullptr;
    seiche::Problem cpp;
};

TEST_F(CInspect, ReportsAreTheCppReports) {
    parse("64x4096 batch=2 axes=1 spectrum-order=pass");
    const char* words = "passes=64x64";
    seiche_device_limits limits = SEICHE_DEVICE_LIMITS_INIT;
    seiche::DeviceLimits cpp_limits;
    limits.compute_units = cpp_limits.compute_units = 80;
    const seiche::PlanReport expected = seiche::inspect(cpp, cpp_limits, seiche::parse_tuning(words));
    seiche_report* report = nullptr;
    ASSERT_EQ(seiche_inspect(problem, &limits, words, &report), SEICHE_OK) << said();
    seiche_report_summary summary = SEICHE_REPORT_SUMMARY_INIT;
    ASSERT_EQ(seiche_report_get(report, &summary), SEICHE_OK);
    EXPECT_EQ(summary.problem, expected.problem);
    EXPECT_EQ(summary.recipe, expected.recipe);
    EXPECT_EQ(summary.moved_bytes, expected.moved_bytes);
    EXPECT_EQ(summary.ideal_bytes, expected.ideal_bytes);
    EXPECT_EQ(summary.workspace_bytes, expected.workspace_bytes);
    ASSERT_EQ(summary.kernel_count, expected.kernels.size());
    for (std::size_t i = 0; i < summary.kernel_count; ++i) {
        seiche_kernel_report kernel = SEICHE_KERNEL_REPORT_INIT;
        ASSERT_EQ(seiche_report_kernel(report, i, &kernel), SEICHE_OK);
        EXPECT_EQ(kernel.name, expected.kernels[i].name);
        EXPECT_EQ(kernel.spec, expected.kernels[i].spec);
        EXPECT_EQ(static_cast<int>(kernel.direction), static_cast<int>(expected.kernels[i].direction));
        EXPECT_EQ(kernel.groups, expected.kernels[i].groups);
        EXPECT_EQ(kernel.group_size, expected.kernels[i].group_size);
        EXPECT_EQ(kernel.bytes_read, expected.kernels[i].bytes_read);
        EXPECT_EQ(kernel.instructions, expected.kernels[i].instructions);
    }
    std::uint64_t digits[4] = {};
    std::size_t count = 0;
    ASSERT_EQ(seiche_report_spectrum_digits(report, 1, digits, 4, &count), SEICHE_OK) << said();
    EXPECT_EQ(std::vector<std::uint64_t>(digits, digits + count), expected.spectrum_digits[1]);
    std::uint64_t index = 0;
    ASSERT_EQ(seiche_report_spectrum_index(report, 1, 70, &index), SEICHE_OK);
    EXPECT_EQ(index, expected.spectrum_index(1, 70));
    seiche_kernel_report kernel = SEICHE_KERNEL_REPORT_INIT;
    EXPECT_EQ(seiche_report_kernel(report, summary.kernel_count, &kernel), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_report_spectrum_digits(report, 2, digits, 4, &count), SEICHE_INVALID_PROBLEM);
    EXPECT_STREQ(seiche_report_text(nullptr), "");
    seiche_report_release(report);
    EXPECT_EQ(seiche_inspect(problem, &limits, "radices=3", &report), SEICHE_UNSUPPORTED);
    EXPECT_EQ(report, nullptr);
}

TEST_F(CInspect, AnalysesAreTheCppAnalyses) {
    parse("256 f64 batch=4");
    const std::vector<seiche::AnalysisReport> expected = seiche::analyse(cpp, {});
    seiche_analysis* analysis = nullptr;
    ASSERT_EQ(seiche_analyse(problem, nullptr, nullptr, &analysis), SEICHE_OK) << said();
    ASSERT_EQ(seiche_analysis_count(analysis), expected.size());
    seiche_analysis_report report = SEICHE_ANALYSIS_REPORT_INIT;
    ASSERT_EQ(seiche_analysis_get(analysis, 0, &report), SEICHE_OK);
    EXPECT_EQ(report.kernel, expected[0].kernel);
    EXPECT_EQ(report.flops, expected[0].flops);
    EXPECT_EQ(report.sectors, expected[0].sectors);
    EXPECT_EQ(report.shared_bytes_written, expected[0].shared_bytes_written);
    EXPECT_EQ(report.registers_live, expected[0].registers_live);
    EXPECT_EQ(report.finding_count, expected[0].findings.size());
    EXPECT_EQ(seiche_analysis_finding(analysis, 0, report.finding_count), nullptr);
    EXPECT_EQ(seiche_analysis_get(analysis, expected.size(), &report), SEICHE_INVALID_PROBLEM);
    seiche_analysis_release(analysis);
}

TEST_F(CInspect, ExplanationsAreTheCppExplanations) {
    parse("16");
    const seiche::Explanation expected = seiche::explain(cpp, {});
    seiche_explanation* explanation = nullptr;
    ASSERT_EQ(seiche_explain(problem, nullptr, nullptr, 64, &explanation), SEICHE_OK) << said();
    seiche_explanation_summary summary = SEICHE_EXPLANATION_SUMMARY_INIT;
    ASSERT_EQ(seiche_explanation_get(explanation, &summary), SEICHE_OK);
    EXPECT_EQ(summary.lines, expected.lines);
    ASSERT_EQ(summary.kernel_count, expected.kernels.size());
    EXPECT_EQ(std::vector<std::uint64_t>(summary.places_out, summary.places_out + summary.places_out_count),
              expected.places_out);
    std::size_t nodes = 0;
    for (std::size_t k = 0; k < summary.kernel_count; ++k) {
        seiche_kernel_flow kernel = SEICHE_KERNEL_FLOW_INIT;
        ASSERT_EQ(seiche_explanation_kernel(explanation, k, &kernel), SEICHE_OK);
        ASSERT_EQ(kernel.step_count, expected.kernels[k].steps.size());
        EXPECT_EQ(kernel.source, expected.kernels[k].source);
        EXPECT_EQ(kernel.points, expected.kernels[k].points);
        seiche_kernel_report report = SEICHE_KERNEL_REPORT_INIT;
        ASSERT_EQ(seiche_explanation_kernel_report(explanation, k, &report), SEICHE_OK);
        EXPECT_EQ(report.name, expected.kernels[k].kernel.name);
        for (std::size_t s = 0; s < kernel.step_count; ++s) {
            const seiche::FlowStep& known = expected.kernels[k].steps[s];
            seiche_flow_step step = SEICHE_FLOW_STEP_INIT;
            ASSERT_EQ(seiche_explanation_step(explanation, k, s, &step), SEICHE_OK);
            EXPECT_EQ(step.text, known.text);
            EXPECT_EQ(static_cast<int>(step.kind), static_cast<int>(known.kind));
            EXPECT_EQ(step.exchange_bytes_read, known.before.bytes_read);
            ASSERT_EQ(step.node_count, known.nodes.size());
            for (std::size_t n = 0; n < step.node_count; ++n, ++nodes) {
                seiche_flow_node node = SEICHE_FLOW_NODE_INIT;
                ASSERT_EQ(seiche_explanation_node(explanation, k, s, n, &node), SEICHE_OK);
                EXPECT_EQ(std::vector<std::uint32_t>(node.from, node.from + node.from_count), known.nodes[n].from);
                ASSERT_EQ(node.factor_count, known.nodes[n].factors.size());
                for (std::size_t f = 0; f < node.factor_count; ++f) {
                    EXPECT_EQ(node.factors[f].im, known.nodes[n].factors[f].value.imag());
                    EXPECT_EQ(node.factors[f].root, known.nodes[n].factors[f].root);
                }
            }
            seiche_flow_node node = SEICHE_FLOW_NODE_INIT;
            EXPECT_EQ(seiche_explanation_node(explanation, k, s, step.node_count, &node), SEICHE_INVALID_PROBLEM);
        }
    }
    EXPECT_GT(nodes, 0u);
    seiche_report* report = nullptr;
    ASSERT_EQ(seiche_explanation_get_report(explanation, &report), SEICHE_OK);
    EXPECT_EQ(seiche_report_text(report), expected.plan.text());
    seiche_report_release(report);
    seiche_explanation_release(explanation);
    EXPECT_STREQ(seiche_memory_level_name(SEICHE_MEMORY_SHARED), to_string(seiche::MemoryLevel::shared));
}

TEST_F(CInspect, ValuesAreFollowed) {
    parse("8");
    double input[16] = {};
    input[2] = 1;  // an impulse at 1
    seiche_followed_values* values = nullptr;
    ASSERT_EQ(seiche_follow(problem, nullptr, nullptr, input, 8, &values), SEICHE_OK) << said();
    const double* pairs = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(seiche_followed_values_result(values, &pairs, &count), SEICHE_OK);
    ASSERT_EQ(count, 8u);
    EXPECT_NEAR(pairs[2 * 2], 0, 1e-7);
    EXPECT_NEAR(pairs[2 * 2 + 1], -1, 1e-7);
    ASSERT_EQ(seiche_followed_values_step(values, 0, 0, &pairs, &count), SEICHE_OK);
    EXPECT_EQ(count, 8u);
    EXPECT_EQ(seiche_followed_values_step(values, 0, 99, &pairs, &count), SEICHE_INVALID_PROBLEM);
    seiche_followed_values_release(values);
    EXPECT_EQ(seiche_follow(problem, nullptr, nullptr, input, 7, &values), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_follow(problem, nullptr, nullptr, nullptr, 8, &values), SEICHE_INVALID_PROBLEM);
}

TEST_F(CInspect, EmissionsAreTheCppEmissions) {
    parse("45 image=rg32f batch=2");
    const auto expected = seiche::emit_kernels(cpp, seiche::Dialect::glsl, {}, seiche::Direction::inverse);
    seiche_emission* emission = nullptr;
    ASSERT_EQ(seiche_emit_kernels(problem, SEICHE_DIALECT_GLSL, nullptr, SEICHE_INVERSE, nullptr, &emission), SEICHE_OK)
        << said();
    ASSERT_EQ(seiche_emission_count(emission), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        seiche_emitted_kernel kernel = SEICHE_EMITTED_KERNEL_INIT;
        ASSERT_EQ(seiche_emission_kernel(emission, k, &kernel), SEICHE_OK);
        EXPECT_EQ(kernel.name, expected[k].name);
        EXPECT_EQ(kernel.source, expected[k].source);
        EXPECT_EQ(kernel.groups, expected[k].groups);
        EXPECT_EQ(kernel.argument_words, expected[k].argument_words);
        ASSERT_EQ(kernel.buffer_count, expected[k].buffers.size());
        ASSERT_EQ(kernel.scalar_count, expected[k].scalars.size());
        ASSERT_EQ(kernel.image_count, expected[k].images.size());
        for (std::size_t i = 0; i < kernel.buffer_count; ++i) {
            seiche_emitted_buffer buffer = SEICHE_EMITTED_BUFFER_INIT;
            ASSERT_EQ(seiche_emission_buffer(emission, k, i, &buffer), SEICHE_OK);
            EXPECT_EQ(buffer.holds, expected[k].buffers[i].holds);
            ASSERT_EQ(buffer.content_bytes, expected[k].buffers[i].contents.size());
            const std::vector<std::byte>& contents = expected[k].buffers[i].contents;
            EXPECT_TRUE(contents.empty() || std::memcmp(buffer.contents, contents.data(), contents.size()) == 0);
        }
        for (std::size_t i = 0; i < kernel.scalar_count; ++i) {
            seiche_emitted_scalar scalar = SEICHE_EMITTED_SCALAR_INIT;
            ASSERT_EQ(seiche_emission_scalar(emission, k, i, &scalar), SEICHE_OK);
            EXPECT_EQ(scalar.name, expected[k].scalars[i].name);
            EXPECT_EQ(scalar.value, expected[k].scalars[i].value);
        }
        seiche_emitted_image image = SEICHE_EMITTED_IMAGE_INIT;
        for (std::size_t i = 0; i < kernel.image_count; ++i) {
            ASSERT_EQ(seiche_emission_image(emission, k, i, &image), SEICHE_OK);
            EXPECT_EQ(image.format, SEICHE_IMAGE_RG32F);
            EXPECT_EQ(image.width, expected[k].images[i].width);
        }
        EXPECT_EQ(seiche_emission_image(emission, k, kernel.image_count, &image), SEICHE_INVALID_PROBLEM);
    }
    seiche_emission_release(emission);
    ASSERT_EQ(seiche_emit_kernels(problem, SEICHE_DIALECT_SPIRV, nullptr, SEICHE_DIRECTION_OF_PLAN, "", &emission),
              SEICHE_OK)
        << said();
    seiche_emitted_kernel kernel = SEICHE_EMITTED_KERNEL_INIT;
    ASSERT_EQ(seiche_emission_kernel(emission, 0, &kernel), SEICHE_OK);
    ASSERT_GT(kernel.word_count, 0u);
    EXPECT_EQ(kernel.words[0], 0x07230203u);
    EXPECT_STREQ(kernel.source, "");
    seiche_emission_release(emission);
    EXPECT_STREQ(seiche_dialect_name(SEICHE_DIALECT_GLSL_ES), to_string(seiche::Dialect::glsl_es));
    EXPECT_EQ(seiche_dialect_is_text(SEICHE_DIALECT_PTX), 1);
    EXPECT_EQ(seiche_dialect_is_text(SEICHE_DIALECT_X86), 0);
    EXPECT_EQ(seiche_dialect_is_text(SEICHE_DIALECT_ARM64), 0);
    EXPECT_EQ(seiche_dialect_is_text(SEICHE_DIALECT_SPIRV), 0);
}

TEST_F(CInspect, DeviceFunctionsAreTheCppFunctions) {
    parse("256 f64");
    const seiche::DeviceFunction expected = seiche::emit_device_function(cpp, seiche::Dialect::cuda, {});
    seiche_device_function* function = nullptr;
    ASSERT_EQ(seiche_emit_device_function(problem, SEICHE_DIALECT_CUDA, nullptr, SEICHE_FORWARD, nullptr, &function),
              SEICHE_OK)
        << said();
    seiche_device_function_info info = SEICHE_DEVICE_FUNCTION_INFO_INIT;
    ASSERT_EQ(seiche_device_function_get(function, &info), SEICHE_OK);
    EXPECT_EQ(info.name, expected.name);
    EXPECT_EQ(info.source, expected.source);
    EXPECT_EQ(info.threads, expected.threads);
    EXPECT_EQ(info.twiddle_bytes, expected.twiddle_bytes);
    seiche_device_function_release(function);
    EXPECT_EQ(seiche_emit_device_function(problem, SEICHE_DIALECT_SPIRV, nullptr, SEICHE_FORWARD, nullptr, &function),
              SEICHE_UNSUPPORTED);
    EXPECT_EQ(function, nullptr);
}

}  // namespace
