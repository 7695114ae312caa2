// An explained plan as text for a terminal, and the words that text and picture share.
#include <algorithm>
#include <cmath>

#include "cli/inspect/explain.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

std::string padded(const std::string& text, std::size_t width) {
    return text.size() >= width ? text : text + std::string(width - text.size(), ' ');
}

std::string count_text(std::uint64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string exchange_text(const Exchange& exchange) {
    std::string text =
        std::string(to_string(exchange.level)) + ", " + byte_text(exchange.bytes_written) + " written and read";
    const std::string shares = exchange_shares(exchange);
    return shares.empty() ? text : text + "; " + shares;
}

/// What a person calls a step; stages are counted from 1 in their kernel.
std::string step_name(const FlowStep& step, std::size_t& stages) {
    switch (step.kind) {
        case FlowKind::split:
        case FlowKind::butterflies: return "stage " + std::to_string(++stages);
        case FlowKind::deal: return "deal";
        case FlowKind::move: return "move";
        case FlowKind::swap_parts: return "swap";
        case FlowKind::multiply: return "multiply";
        case FlowKind::join: return "join";
        case FlowKind::user_stage: return "yours";
        case FlowKind::real_map: break;
    }
    return "map";
}

std::string passes_text(const ExplainedPlan& plan) {
    const Explanation& explanation = plan.explanation;
    std::string text;
    const auto line = [&text](const std::string& name, const std::string& what) {
        text += "  " + padded(name, 11) + what + "\n";
    };
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) {
        const KernelFlow& flow = explanation.kernels[i];
        text += pass_title(explanation, i) + "\n";
        line("who", pass_shape(plan, i));
        const std::string runs = flow.input_run > 1 ? "runs of " + std::to_string(flow.input_run) + " " : "";
        line("load", "global memory to registers, " + byte_text(flow.kernel.bytes_read) + ", " + runs + "points " +
                         std::to_string(flow.input_stride * flow.input_run) + " apart");
        std::size_t stages = 0;
        for (const FlowStep& step : flow.steps) {
            if (step.before.level != MemoryLevel::registers) line("exchange", exchange_text(step.before));
            line(step_name(step, stages), step.text);
        }
        line("store", "registers to global memory, " + byte_text(flow.kernel.bytes_written) + ", points " +
                          std::to_string(flow.output_stride) + " apart");
        text += "\n";
    }
    return text;
}

std::string levels_text(const Explanation& explanation) {
    std::string text = "memory, one execution\n";
    for (const MemoryLevel level :
         {MemoryLevel::global, MemoryLevel::cluster, MemoryLevel::shared, MemoryLevel::scratch}) {
        const LevelBytes bytes = bytes_at(explanation, level);
        if (bytes.read + bytes.written == 0) continue;
        text += "  " + padded(to_string(level), 16) + padded(byte_text(bytes.read) + " read", 18) +
                byte_text(bytes.written) + " written\n";
    }
    return text + "\n";
}

std::string lines_text(const std::vector<std::uint32_t>& lines) {
    std::string text;
    for (const std::uint32_t line : lines) text += (text.empty() ? "" : " ") + std::to_string(line);
    return text;
}

std::string node_text(const FlowNode& node, std::size_t width) {
    std::string text = "    " + padded(lines_text(node.from), width) + " -> " + lines_text(node.to);
    const auto add = [&](const char* what, const std::vector<FlowFactor>& factors) {
        if (std::all_of(factors.begin(), factors.end(), is_one)) return;
        text = padded(text, 2 * width + 8) + "  " + what;
        for (const FlowFactor& factor : factors) text += " " + factor_text(factor);
    };
    add("times", node.factors);
    add("results times", node.after);
    return text;
}

std::string graph_text(const ExplainedPlan& plan) {
    const Explanation& explanation = plan.explanation;
    if (!explanation.no_graph.empty()) return "flow graph\n  " + explanation.no_graph + "\n\n";
    std::string text = "flow graph: " + count_text(explanation.lines, "line") +
                       (explanation.has_pairs_in ? ", pairs of neighbouring numbers" : "") +
                       "; points on lines -> results on lines, w8^3 is exp(-2 pi i 3 / 8)\n";
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) {
        std::size_t stages = 0;
        for (const FlowStep& step : explanation.kernels[i].steps) {
            const std::string name = step_name(step, stages);
            if (step.nodes.empty()) continue;
            text += "  pass " + std::to_string(i + 1) + ", " + name + ": " + step.text + "\n";
            std::size_t width = 0;
            for (const FlowNode& node : step.nodes) width = std::max(width, lines_text(node.from).size());
            for (const FlowNode& node : step.nodes) text += node_text(node, width) + "\n";
        }
    }
    return text + "\n";
}

struct Column {
    std::string title;
    std::vector<std::complex<double>> values;
};

/// A column where values change: before the first step, and after each that does something.
std::vector<Column> value_columns(const ExplainedPlan& plan) {
    std::vector<Column> columns{{"input", plan.input}};
    const bool has_several = plan.explanation.kernels.size() > 1;
    for (std::size_t i = 0; i < plan.explanation.kernels.size(); ++i) {
        std::size_t stages = 0;
        const std::vector<FlowStep>& steps = plan.explanation.kernels[i].steps;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            const std::string name = step_name(steps[s], stages);
            if (steps[s].nodes.empty() && steps[s].kind != FlowKind::swap_parts) continue;
            columns.push_back(
                {(has_several ? "pass " + std::to_string(i + 1) + " " : "") + name, plan.values->steps[i][s]});
        }
    }
    return columns;
}

std::string values_text(const ExplainedPlan& plan) {
    constexpr std::size_t width = 18;
    const std::vector<Column> columns = value_columns(plan);
    std::size_t rows = 0;
    std::string text = "values on the lines after each step\n  " + padded("line", 6);
    for (const Column& column : columns) {
        text += padded(column.title, width);
        rows = std::max(rows, column.values.size());
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    for (std::size_t row = 0; row < rows; ++row) {
        std::string line = "  " + padded(std::to_string(row), 6);
        for (const Column& column : columns) {
            double scale = 0;
            for (const auto& value : column.values) scale = std::max(scale, std::abs(value));
            line += padded(row < column.values.size() ? value_text(column.values[row], scale) : "", width);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text + "\n";
}

std::string result_text(const ExplainedPlan& plan) {
    const std::vector<std::complex<double>>& last = plan.values->steps.back().back();
    double scale = 0;
    for (const auto& value : last) scale = std::max(scale, std::abs(value));
    std::size_t width = 9;
    for (std::size_t i = 0; i < last.size(); ++i) width = std::max(width, line_name(plan, i, false).size());
    std::string text = "result\n";
    for (std::size_t i = 0; i < last.size(); ++i)
        text += "  " + padded(line_name(plan, i, false), width + 1) + "= " + value_text(last[i], scale) + "\n";
    return text + "\n";
}

std::string matrix_text(const ExplainedPlan& plan) {
    const std::string why = why_no_matrix(plan);
    if (!why.empty()) return "DFT matrix\n  " + why + "\n";
    const std::uint64_t n = plan.problem.lengths[0];
    std::string text = "DFT matrix: X[k] is the sum over j of w" + std::to_string(n) +
                       "^(j k) x[j]; exponents j k modulo " + std::to_string(n) + "\n  k\\j ";
    for (std::uint64_t j = 0; j < n; ++j) text += padded(std::to_string(j), 3);
    text.erase(text.find_last_not_of(' ') + 1);
    for (std::uint64_t k = 0; k < n; ++k) {
        std::string line = "  " + padded(std::to_string(k), 4);
        for (std::uint64_t j = 0; j < n; ++j) line += padded(std::to_string(j * k % n), 3);
        line.erase(line.find_last_not_of(' ') + 1);
        text += "\n" + line;
    }
    return text + "\n";
}

}  // namespace

std::string pass_title(const Explanation& explanation, std::size_t kernel) {
    const KernelFlow& flow = explanation.kernels[kernel];
    return "pass " + std::to_string(kernel + 1) + " of " + std::to_string(explanation.kernels.size()) + ": " +
           (flow.trails ? "pipelined behind it in the same launch" : flow.kernel.name) + ", " + flow.source + " to " +
           flow.target;
}

std::string pass_shape(const ExplainedPlan& plan, std::size_t kernel) {
    const KernelFlow& flow = plan.explanation.kernels[kernel];
    const std::string sequences =
        count_text(flow.sequences * plan.problem.batch, "sequence") + " of " + count_text(flow.points, "point");
    if (flow.items != 0)
        return count_text(flow.kernel.groups, "group") + " of " + count_text(flow.kernel.group_size, "thread") + "; " +
               sequences + ", " +
               (flow.is_on_chip ? count_text(flow.items, "group") + " each"
                                : count_text(flow.items, "thread") + " each");
    if (flow.is_bundle)
        return count_text(flow.kernel.groups, "work-item") + " with SIMD registers; " + sequences + ", up to " +
               std::to_string(flow.sequences_per_group) + " each";
    return count_text(flow.kernel.groups, "group") + " of " + count_text(flow.kernel.group_size, "thread") +
           (flow.groups_per_cluster > 1 ? ", clusters of " + std::to_string(flow.groups_per_cluster) : "") + "; " +
           sequences + ", up to " + std::to_string(flow.sequences_per_group) + " a group, " +
           count_text(flow.threads, "thread") + " each";
}

std::string exchange_shares(const Exchange& exchange) {
    if (exchange.points == 0) return "";
    std::string text;
    const auto share = [&](std::uint64_t points, const char* whose) {
        if (points == 0) return;
        const double percent = 100 * static_cast<double>(points) / static_cast<double>(exchange.points);
        text += (text.empty() ? "" : ", ") + fixed(percent, percent < 10 ? 1 : 0) + " % " + whose;
    };
    share(exchange.same_thread, "stay with their thread");
    share(exchange.same_subgroup, "go to another of its subgroup");
    share(exchange.same_group, exchange.level == MemoryLevel::cluster ? "stay in their group" : "to another subgroup");
    share(exchange.other_group, "to another group");
    return text;
}

std::string value_text(std::complex<double> value, double scale, int digits) {
    constexpr double nothing = 1e-12;  // of the largest value beside it: rounding of doubles
    const auto part = [&](double x) {
        return std::abs(x) <= nothing * scale ? std::string("0") : significant(x, digits);
    };
    const std::string re = part(value.real()), im = part(value.imag());
    if (im == "0") return re;
    const std::string tail = (im == "1" ? "" : im == "-1" ? "-" : im) + "i";
    if (re == "0") return tail;
    return re + (im.front() == '-' ? "" : "+") + tail;
}

bool is_one(const FlowFactor& factor) { return factor.root == 1; }

std::string factor_text(const FlowFactor& factor) {
    if (factor.root == 0) return value_text(factor.value, std::abs(factor.value));
    if (factor.root == 1) return "1";
    if (factor.root == 2) return "-1";
    if (factor.root == 4) return factor.exponent == 1 ? "-i" : "i";
    return "w" + std::to_string(factor.root) + "^" + std::to_string(factor.exponent);
}

namespace {

/// Elements of one array along each axis, real numbers counted one by one.
std::vector<std::uint64_t> lengths_on(const ExplainedPlan& plan, bool input) {
    const Problem& problem = plan.problem;
    std::vector<std::uint64_t> lengths = problem.lengths;
    if (problem.kind != (input ? Kind::c2r : Kind::r2c)) return lengths;
    const int last = problem.axes.empty() ? -1 : problem.axes.back();
    const int halved = problem.halved_axis.value_or(last);
    std::uint64_t& n =
        lengths[static_cast<std::size_t>(halved < 0 ? halved + static_cast<int>(lengths.size()) : halved)];
    n = n / 2 + 1;
    return lengths;
}

/// "[1,2]" of the element that lies there in a dense array.
std::string indices_text(const ExplainedPlan& plan, std::uint64_t place, bool input) {
    const std::vector<std::uint64_t> lengths = lengths_on(plan, input);
    const bool is_spectrum = (plan.explanation.direction == Direction::forward) != input;
    std::string text;
    for (std::size_t axis = lengths.size(); axis-- > 0; place /= lengths[axis]) {
        const std::uint64_t position = place % lengths[axis];
        const std::uint64_t index =
            is_spectrum ? plan.explanation.plan.spectrum_index(static_cast<int>(axis), position) : position;
        text = std::to_string(index) + (text.empty() ? "" : ",") + text;
    }
    return "[" + text + "]";
}

}  // namespace

std::string line_name(const ExplainedPlan& plan, std::uint64_t line, bool input) {
    const std::string letter = input ? "x" : "X";
    const Explanation& explanation = plan.explanation;
    const Problem& problem = plan.problem;
    const std::uint64_t place = (input ? explanation.places_in : explanation.places_out)[line];
    const bool has_pairs = input ? explanation.has_pairs_in : explanation.has_pairs_out;
    // In place rows of numbers have room for those of bins, and an output without strides has the input's.
    const bool in_place = problem.placement == Placement::in_place;
    const bool follows = in_place && !input && problem.output.strides.empty();
    const bool is_dense = (input || follows ? problem.input : problem.output).strides.empty() &&
                          (!in_place || (problem.kind != Kind::r2c && problem.kind != Kind::c2r));
    if (!is_dense) return letter + " " + std::to_string(place);
    if (!has_pairs) return letter + indices_text(plan, place, input);
    return letter + indices_text(plan, 2 * place, input) + "+i" + letter + indices_text(plan, 2 * place + 1, input);
}

std::string why_no_matrix(const ExplainedPlan& plan) {
    const Problem& problem = plan.problem;
    if (problem.lengths.size() != 1) return "of several axes it is left out";
    if (problem.lengths[0] > longest_matrix)
        return "of " + std::to_string(problem.lengths[0]) + " rows it is left out, at most " +
               std::to_string(longest_matrix) + " are shown";
    if (problem.kind != Kind::c2c && problem.kind != Kind::r2c) return "left out: the kind is not a complex transform";
    return "";
}

LevelBytes bytes_at(const Explanation& explanation, MemoryLevel level) {
    LevelBytes sum;
    for (const KernelFlow& flow : explanation.kernels) {
        if (level == MemoryLevel::global) {
            sum.read += flow.kernel.bytes_read;
            sum.written += flow.kernel.bytes_written;
        }
        for (const FlowStep& step : flow.steps)
            if (step.before.level == level) {
                sum.read += step.before.bytes_read;
                sum.written += step.before.bytes_written;
            }
    }
    return sum;
}

std::string checked_text(const ExplainedPlan& plan) {
    return std::string("checked: ") + (plan.has_input ? "the input" : "an input of random numbers") +
           ", followed through this graph, gives what the plan's kernels give in the interpreter, " +
           (plan.explanation.has_user_stages ? "both without the user's stages, within " : "within ") +
           significant(plan.difference, 2) + " (relative)";
}

std::string explain_text(const ExplainedPlan& plan) {
    std::string text = "problem    " + plan.explanation.plan.problem + "\nrecipe     " + plan.explanation.plan.recipe +
                       "\nplanned    for " + plan.planned_for + "\n\n";
    text += passes_text(plan) + levels_text(plan.explanation) + graph_text(plan);
    if (plan.has_input) text += values_text(plan) + result_text(plan);
    text += matrix_text(plan);
    if (plan.values) text += "\n" + checked_text(plan) + "\n";
    return text;
}

}  // namespace seiche::cli
