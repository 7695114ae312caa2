// `seiche explain`: the flow graph of a plan, its passes, who exchanges what at which level of memory, and the DFT
// matrix of a short length, for a person.
#include "cli/inspect/explain.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <random>

#include "cli/check/check_convolutions.hpp"
#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/io/output_file.hpp"
#include "cli/problem/profiles.hpp"
#include "cli/problem/stage_options.hpp"
#include "cli/problem/tuning_options.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

struct ExplainCommand {
    std::string problem, input, output;
    LimitsOptions limits;
    Tuning tuning;
    StageOptions stages;
    std::uint32_t most_lines = 64;
};

/// "0.5", "-2i", "0.5-2i", "i", the whole of `text`; throws UsageError.
std::complex<double> parse_complex(std::string_view text) {
    const std::string stated(text);
    const auto refuse = [&]() -> std::complex<double> {
        throw UsageError("--input: expected numbers such as 0.5 or 0.5-2i with commas between, got '" + stated + "'");
    };
    std::complex<double> value;
    bool has_real = false, has_imaginary = false;
    while (!text.empty()) {
        double sign = 1;
        if (text.front() == '+' || text.front() == '-') {
            sign = text.front() == '-' ? -1 : 1;
            text.remove_prefix(1);
        } else if (has_real || has_imaginary) {
            return refuse();
        }
        double number = 1;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool has_number = read.ec == std::errc();
        if (has_number) text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
        const bool is_imaginary = !text.empty() && (text.front() == 'i' || text.front() == 'j');
        if (is_imaginary) text.remove_prefix(1);
        if (!has_number && !is_imaginary) return refuse();
        bool& has = is_imaginary ? has_imaginary : has_real;
        if (has || !std::isfinite(number)) return refuse();
        has = true;
        value += is_imaginary ? std::complex<double>(0, sign * number) : std::complex<double>(sign * number, 0);
    }
    return has_real || has_imaginary ? value : refuse();
}

std::vector<std::complex<double>> parse_input(const std::string& text) {
    std::vector<std::complex<double>> values;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        std::string_view part = std::string_view(text).substr(at, end - at);
        while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
        values.push_back(parse_complex(part));
        at = end + 1;
    }
    return values;
}

/// A signal by its name, or values.
std::vector<std::complex<double>> stated_input(const std::string& text, std::size_t count) {
    std::vector<std::complex<double>> values(count);
    for (std::size_t j = 0; j < count; ++j) {
        const double turns = static_cast<double>(j) / static_cast<double>(count);
        if (text == "cosine")
            values[j] = std::cos(2 * std::numbers::pi * turns);
        else if (text == "impulse")
            values[j] = j == 0 ? 1 : 0;
        else if (text == "ramp")
            values[j] = static_cast<double>(j);
        else
            return parse_input(text);
    }
    return values;
}

std::vector<std::complex<double>> random_input(std::size_t count) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<std::complex<double>> values(count);
    for (auto& value : values) value = {uniform(engine), uniform(engine)};
    return values;
}

/// The values of lines from what was stated, or from random numbers: of real numbers in pairs two a line.
std::vector<std::complex<double>> input_of_lines(const std::string& stated, const ExplainedPlan& plan) {
    const bool has_pairs = plan.explanation.has_pairs_in;
    const Kind kind = plan.problem.kind;
    const std::size_t lines = plan.explanation.lines;
    std::vector<std::complex<double>> values = stated.empty() ? random_input(has_pairs ? 2 * lines : lines)
                                                              : stated_input(stated, has_pairs ? 2 * lines : lines);
    if (kind == Kind::c2c || kind == Kind::c2r || kind == Kind::hfft) return values;
    for (auto& value : values) {
        if (!stated.empty() && value.imag() != 0)
            throw UsageError("--input: expected real numbers for " + std::string(to_string(kind)) + ", got '" + stated +
                             "'");
        value = value.real();
    }
    if (!has_pairs) return values;
    if (values.size() != 2 * lines)
        throw UsageError("--input: expected " + std::to_string(2 * lines) + " numbers, got " +
                         std::to_string(values.size()));
    for (std::size_t i = 0; i < lines; ++i) values[i] = {values[2 * i].real(), values[2 * i + 1].real()};
    values.resize(lines);
    return values;
}

bool is_followable(const ExplainedPlan& plan) {
    const Problem& p = plan.problem;
    const bool has_halves = p.input.image == ImageFormat::rgba16f || p.output.image == ImageFormat::rgba16f;
    return plan.explanation.no_graph.empty() && p.storage == Storage::same && !has_halves &&
           (p.precision == Precision::f32 || p.precision == Precision::f64);
}

double distance(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b) {
    double fault = 0, energy = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        fault += std::norm(a[i] - b[i]);
        energy += std::norm(a[i]);
    }
    return energy > 0 ? std::sqrt(fault / energy) : std::sqrt(fault);
}

/// The input, or random numbers, goes through graph and kernels: a graph that is not the plan's is never shown.
void follow_values(const ExplainCommand& command, const DeviceLimits& limits, ExplainedPlan& plan) {
    plan.has_input = !command.input.empty();
    if (!plan.has_input && !is_followable(plan)) return;
    if (!plan.explanation.no_graph.empty())
        throw UsageError("--input: expected a plan with a flow graph, got " + plan.explanation.no_graph);
    plan.input = input_of_lines(command.input, plan);
    plan.values = follow(plan.problem, limits, command.tuning, plan.input);
    plan.difference = distance(plan.values->steps.back().back(), plan.values->result);
    constexpr double most = 1e-4;  // rounding of f32 is far below, a wrong line far above
    if (!(plan.difference < most))
        throw Failure("a defect of Seiche: the flow graph and the plan's kernels differ by " +
                      significant(plan.difference, 3) + ", expected less than 0.0001");
}

void write(const ExplainCommand& command, const ExplainedPlan& plan) {
    if (command.output.empty()) {
        print(explain_text(plan));
        return;
    }
    const draw::Scene scene = explain_picture(plan);
    if (extension(command.output) == ".png") {
        draw::Canvas canvas(scene.width, scene.height);
        draw_on(canvas, scene);
        io::OutputFile file(command.output);
        canvas.write_png(file);
        file.commit();
        return;
    }
    io::OutputFile file(command.output);
    file.write(to_svg(scene));
    file.commit();
}

void run(const ExplainCommand& command) {
    const std::string end = extension(command.output);
    if (!command.output.empty() && end != ".svg" && end != ".png")
        throw UsageError("--output: expected a file named *.svg or *.png, got '" + command.output + "'");
    if (is_convolution(command.problem))
        throw UsageError("expected the problem of a transform, such as 8 or '64 f64', got the convolution '" +
                         command.problem + "'");
    ExplainedPlan plan;
    plan.problem = parse_problem(command.problem);
    // The direction that is explained.
    declare_stages(command.stages, default_direction(plan.problem), plan.problem);
    const LimitsChoice choice = choose_limits(command.limits);
    plan.planned_for = choice.source;
    plan.explanation = explain(plan.problem, choice.limits, command.tuning, command.most_lines);
    follow_values(command, choice.limits, plan);
    write(command, plan);
}

}  // namespace

void add_explain(Command& app) {
    Command command =
        app.add_subcommand("explain", "Explain a plan to a reader: its passes, data exchanges and flow graph");
    auto options = std::make_shared<ExplainCommand>();
    command.add_option("PROBLEM", options->problem, "A length or a transform, e.g. 8 or \"4x4 f64\"")
        .value("PROBLEM")
        .required();
    command
        .add_option("--input", options->input,
                    "Follow these values through all stages: cosine (one period), impulse, ramp, or numbers such as "
                    "1,0.5,0,0.5-2i")
        .value("VALUES");
    command.add_option("-o,--output", options->output, "Draw a picture, .svg or .png, instead of printing text")
        .value("FILE");
    command
        .add_option("--lines", options->most_lines,
                    "The largest flow graph to show, in lines, at most 1024 (default: 64)")
        .within(1, 1024);
    add_limits_options(command, options->limits, "Plan for this device (default: the default device)");
    add_tuning_options(command, options->tuning);
    add_stage_options(command, options->stages, false);
    command.footer(
        "Nothing is compiled. The graph shows the plan that would run. Its numbers are compared with the plan's own "
        "kernels, run by the interpreter. For the classical graph of 8 points: seiche explain 8 --radices 2x2x2 "
        "--input cosine.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
