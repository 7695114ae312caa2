// The C interface of explanations.
#include <memory>

#include "api/c_handles.hpp"
#include "seiche/explain.hpp"

struct seiche_explanation {
    seiche::Explanation value;
};
struct seiche_followed_values {
    seiche::FollowedValues value;
};

using seiche::api::guard;
using seiche::api::name_of;
using seiche::api::require;
using seiche::api::require_index;
using seiche::api::write_struct;

namespace {

// So that a C program reads the explanation's own memory.
static_assert(sizeof(seiche::FlowFactor) == sizeof(seiche_flow_factor) &&
              offsetof(seiche::FlowFactor, exponent) == offsetof(seiche_flow_factor, exponent) &&
              offsetof(seiche::FlowFactor, root) == offsetof(seiche_flow_factor, root));

const seiche_flow_factor* factors_of(const std::vector<seiche::FlowFactor>& factors) {
    return reinterpret_cast<const seiche_flow_factor*>(factors.data());
}

/// A complex number is its two parts in memory, as the standard says.
const double* pairs_of(const std::vector<std::complex<double>>& values) {
    return reinterpret_cast<const double*>(values.data());
}

const seiche::KernelFlow& kernel_of(const seiche_explanation* explanation, std::size_t kernel) {
    require(explanation, "explanation");
    require_index(kernel, explanation->value.kernels.size(), "kernel");
    return explanation->value.kernels[kernel];
}

const seiche::FlowStep& step_of(const seiche_explanation* explanation, std::size_t kernel, std::size_t step) {
    const seiche::KernelFlow& flow = kernel_of(explanation, kernel);
    require_index(step, flow.steps.size(), "step");
    return flow.steps[step];
}

void give(const std::vector<std::complex<double>>& values, const double** pairs, std::size_t* count) {
    require(pairs, "pairs");
    require(count, "count");
    *pairs = pairs_of(values);
    *count = values.size();
}

}  // namespace

extern "C" {

const char* seiche_memory_level_name(seiche_memory_level level) {
    return name_of<seiche::MemoryLevel>(level, SEICHE_MEMORY_GLOBAL);
}

seiche_status seiche_explain(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                             uint32_t most_lines, seiche_explanation** explanation) {
    return guard([&] {
        require(explanation, "explanation");
        *explanation = nullptr;
        *explanation =
            new seiche_explanation{seiche::explain(seiche::api::problem_of(problem), seiche::api::limits_of(limits),
                                                   seiche::api::tuning_of(tuning), most_lines)};
    });
}

void seiche_explanation_release(seiche_explanation* explanation) { delete explanation; }

seiche_status seiche_explanation_get(const seiche_explanation* explanation, seiche_explanation_summary* summary) {
    return guard([&] {
        require(explanation, "explanation");
        const seiche::Explanation& known = explanation->value;
        auto c = seiche::api::default_struct<seiche_explanation_summary>();
        c.direction = static_cast<seiche_direction>(known.direction);
        c.lines = known.lines;
        c.kernel_count = known.kernels.size();
        c.places_in = known.places_in.data();
        c.places_in_count = known.places_in.size();
        c.places_out = known.places_out.data();
        c.places_out_count = known.places_out.size();
        c.no_graph = known.no_graph.c_str();
        c.has_pairs_in = known.has_pairs_in;
        c.has_pairs_out = known.has_pairs_out;
        c.has_user_stages = known.has_user_stages;
        write_struct(summary, c, "summary");
    });
}

seiche_status seiche_explanation_get_report(const seiche_explanation* explanation, seiche_report** report) {
    return guard([&] {
        require(report, "report");
        *report = nullptr;
        require(explanation, "explanation");
        *report = seiche::api::handle_of(explanation->value.plan);
    });
}

seiche_status seiche_explanation_kernel(const seiche_explanation* explanation, size_t kernel,
                                        seiche_kernel_flow* flow) {
    return guard([&] {
        const seiche::KernelFlow& known = kernel_of(explanation, kernel);
        auto c = seiche::api::default_struct<seiche_kernel_flow>();
        c.source = known.source.c_str();
        c.target = known.target.c_str();
        c.step_count = known.steps.size();
        c.points = known.points;
        c.sequences = known.sequences;
        c.items = known.items;
        c.input_stride = known.input_stride;
        c.output_stride = known.output_stride;
        c.sequences_per_group = known.sequences_per_group;
        c.threads = known.threads;
        c.groups_per_cluster = known.groups_per_cluster;
        c.is_on_chip = known.is_on_chip;
        c.is_bundle = known.is_bundle;
        c.trails = known.trails;
        write_struct(flow, c, "flow");
    });
}

seiche_status seiche_explanation_kernel_report(const seiche_explanation* explanation, size_t kernel,
                                               seiche_kernel_report* report) {
    return guard(
        [&] { write_struct(report, seiche::api::kernel_in_c(kernel_of(explanation, kernel).kernel), "report"); });
}

seiche_status seiche_explanation_step(const seiche_explanation* explanation, size_t kernel, size_t step,
                                      seiche_flow_step* flow) {
    return guard([&] {
        const seiche::FlowStep& known = step_of(explanation, kernel, step);
        auto c = seiche::api::default_struct<seiche_flow_step>();
        c.text = known.text.c_str();
        c.kind = static_cast<seiche_flow_kind>(known.kind);
        c.radix = known.radix;
        c.stride = known.stride;
        c.count = known.count;
        c.node_count = known.nodes.size();
        c.exchange_bytes_written = known.before.bytes_written;
        c.exchange_bytes_read = known.before.bytes_read;
        c.exchange_points = known.before.points;
        c.exchange_same_thread = known.before.same_thread;
        c.exchange_same_subgroup = known.before.same_subgroup;
        c.exchange_same_group = known.before.same_group;
        c.exchange_other_group = known.before.other_group;
        c.exchange_level = static_cast<seiche_memory_level>(known.before.level);
        c.lines = known.lines;
        write_struct(flow, c, "flow");
    });
}

seiche_status seiche_explanation_node(const seiche_explanation* explanation, size_t kernel, size_t step, size_t node,
                                      seiche_flow_node* flow) {
    return guard([&] {
        const seiche::FlowStep& known_step = step_of(explanation, kernel, step);
        require_index(node, known_step.nodes.size(), "node");
        const seiche::FlowNode& known = known_step.nodes[node];
        auto c = seiche::api::default_struct<seiche_flow_node>();
        c.from = known.from.data();
        c.from_count = known.from.size();
        c.to = known.to.data();
        c.to_count = known.to.size();
        c.factors = factors_of(known.factors);
        c.factor_count = known.factors.size();
        c.after = factors_of(known.after);
        c.after_count = known.after.size();
        c.own = pairs_of(known.own);
        c.own_count = known.own.size();
        c.conjugated = pairs_of(known.conjugated);
        c.conjugated_count = known.conjugated.size();
        c.thread = known.thread;
        write_struct(flow, c, "flow");
    });
}

seiche_status seiche_follow(const seiche_problem* problem, const seiche_device_limits* limits, const char* tuning,
                            const double* input, size_t lines, seiche_followed_values** values) {
    return guard([&] {
        require(values, "values");
        *values = nullptr;
        seiche::api::require_array(input, lines, SIZE_MAX, "input");
        const seiche::Problem asked = seiche::api::problem_of(problem);
        std::vector<std::complex<double>> numbers;
        for (std::size_t i = 0; i < lines; ++i) numbers.emplace_back(input[2 * i], input[2 * i + 1]);
        *values = new seiche_followed_values{
            seiche::follow(asked, seiche::api::limits_of(limits), seiche::api::tuning_of(tuning), numbers)};
    });
}

void seiche_followed_values_release(seiche_followed_values* values) { delete values; }

seiche_status seiche_followed_values_step(const seiche_followed_values* values, size_t kernel, size_t step,
                                          const double** pairs, size_t* count) {
    return guard([&] {
        require(values, "values");
        require_index(kernel, values->value.steps.size(), "kernel");
        require_index(step, values->value.steps[kernel].size(), "step");
        give(values->value.steps[kernel][step], pairs, count);
    });
}

seiche_status seiche_followed_values_result(const seiche_followed_values* values, const double** pairs, size_t* count) {
    return guard([&] {
        require(values, "values");
        give(values->value.result, pairs, count);
    });
}

}  // extern "C"
