// The C interface of reports and of the analysis of kernels.
#include <memory>

#include "api/c_plan_face.hpp"
#include "seiche/inspect.hpp"

using seiche::api::guard;
using seiche::api::require;
using seiche::api::require_index;
using seiche::api::write_struct;

namespace seiche::api {

seiche_report* handle_of(PlanReport report) {
    std::string text = report.text();
    return new seiche_report{std::move(report), std::move(text)};
}

seiche_kernel_report kernel_in_c(const KernelReport& kernel) {
    auto c = default_struct<seiche_kernel_report>();
    c.name = kernel.name.c_str();
    c.spec = kernel.spec.c_str();
    c.direction = static_cast<seiche_direction>(kernel.direction);
    c.group_size = kernel.group_size;
    c.groups = kernel.groups;
    c.shared_bytes = kernel.shared_bytes;
    c.bytes_read = kernel.bytes_read;
    c.bytes_written = kernel.bytes_written;
    c.table_bytes = kernel.table_bytes;
    c.instructions = kernel.instructions;
    return c;
}

}  // namespace seiche::api

namespace {

const seiche::AnalysisReport& kernel_of(const seiche_analysis* analysis, std::size_t index) {
    require(analysis, "analysis");
    require_index(index, analysis->value.size(), "index");
    return analysis->value[index];
}

}  // namespace

extern "C" {

seiche_status seiche_inspect(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             seiche_report** report) {
    return seiche::api::inspect_as([&] { return seiche::api::problem_of(problem); }, limits, tuning, report);
}

seiche_status seiche_convolution_inspect(const seiche_convolution* convolution, const seiche_device_limits* limits,
                                         const char* tuning, seiche_report** report) {
    return seiche::api::inspect_as([&] { return seiche::api::convolution_of(convolution); }, limits, tuning, report);
}

void seiche_report_release(seiche_report* report) { delete report; }

const char* seiche_report_text(const seiche_report* report) { return report == nullptr ? "" : report->text.c_str(); }

seiche_status seiche_report_get(const seiche_report* report, seiche_report_summary* summary) {
    return guard([&] {
        require(report, "report");
        const seiche::PlanReport& known = report->value;
        auto c = seiche::api::default_struct<seiche_report_summary>();
        c.problem = known.problem.c_str();
        c.recipe = known.recipe.c_str();
        c.replanned = known.replanned.c_str();
        c.kernel_count = known.kernels.size();
        c.axis_count = known.spectrum_digits.size();
        c.workspace_bytes = known.workspace_bytes;
        c.ideal_bytes = known.ideal_bytes;
        c.moved_bytes = known.moved_bytes;
        c.plan_milliseconds = known.plan_milliseconds;
        c.storage_roundings = known.storage_roundings;
        c.compiled = known.compiled;
        c.cached = known.cached;
        c.loaded = known.loaded;
        write_struct(summary, c, "summary");
    });
}

seiche_status seiche_report_kernel(const seiche_report* report, size_t index, seiche_kernel_report* kernel) {
    return guard([&] {
        require(report, "report");
        require_index(index, report->value.kernels.size(), "index");
        write_struct(kernel, seiche::api::kernel_in_c(report->value.kernels[index]), "kernel");
    });
}

seiche_status seiche_report_spectrum_digits(const seiche_report* report, size_t axis, uint64_t* digits, size_t capacity,
                                            size_t* count) {
    return guard([&] {
        require(report, "report");
        require_index(axis, report->value.spectrum_digits.size(), "axis");
        seiche::api::write_numbers(report->value.spectrum_digits[axis], digits, capacity, count);
    });
}

seiche_status seiche_report_spectrum_index(const seiche_report* report, int axis, uint64_t position, uint64_t* index) {
    return guard([&] {
        require(report, "report");
        require(index, "index");
        *index = report->value.spectrum_index(axis, position);
    });
}

seiche_status seiche_analyse(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             seiche_analysis** analysis) {
    return seiche::api::analyse_as([&] { return seiche::api::problem_of(problem); }, limits, tuning, analysis);
}

seiche_status seiche_convolution_analyse(const seiche_convolution* convolution, const seiche_device_limits* limits,
                                         const char* tuning, seiche_analysis** analysis) {
    return seiche::api::analyse_as([&] { return seiche::api::convolution_of(convolution); }, limits, tuning, analysis);
}

void seiche_analysis_release(seiche_analysis* analysis) { delete analysis; }

size_t seiche_analysis_count(const seiche_analysis* analysis) {
    return analysis == nullptr ? 0 : analysis->value.size();
}

seiche_status seiche_analysis_get(const seiche_analysis* analysis, size_t index, seiche_analysis_report* report) {
    return guard([&] {
        const seiche::AnalysisReport& known = kernel_of(analysis, index);
        auto c = seiche::api::default_struct<seiche_analysis_report>();
        c.kernel = known.kernel.c_str();
        c.finding_count = known.findings.size();
        c.out_of_bounds = known.out_of_bounds;
        c.uninitialised_reads = known.uninitialised_reads;
        c.races = known.races;
        c.shared_wavefronts = known.shared_wavefronts;
        c.shared_wavefronts_ideal = known.shared_wavefronts_ideal;
        c.sectors = known.sectors;
        c.sectors_ideal = known.sectors_ideal;
        c.bytes_read = known.bytes_read;
        c.bytes_written = known.bytes_written;
        c.table_bytes_read = known.table_bytes_read;
        c.flops = known.flops;
        c.shared_bytes_read = known.shared_bytes_read;
        c.shared_bytes_written = known.shared_bytes_written;
        c.registers_live = known.registers_live;
        write_struct(report, c, "report");
    });
}

const char* seiche_analysis_finding(const seiche_analysis* analysis, size_t index, size_t finding) {
    if (index >= seiche_analysis_count(analysis)) return nullptr;
    const std::vector<std::string>& findings = analysis->value[index].findings;
    return finding < findings.size() ? findings[finding].c_str() : nullptr;
}

}  // extern "C"
