// `seiche plan`: the recipe of a problem, its kernels and what they move; plans kept in files.
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "cli/check/check_convolutions.hpp"
#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"
#include "cli/problem/profiles.hpp"
#include "cli/problem/stage_options.hpp"
#include "cli/problem/tuning_options.hpp"
#include "cli/problem/wisdom_file.hpp"
#include "cli/ranks/plan_ranks.hpp"
#include "cli/text/text.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "seiche/short_time.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {
namespace {

struct PlanCommand {
    std::string problem, save, load, wisdom;
    LimitsOptions limits;
    StageOptions stages;
    Tuning tuning;
    RanksOptions ranks;
    bool json = false;
};

Json to_json(const KernelReport& kernel) {
    return {{"name", kernel.name},
            {"spec", kernel.spec},
            {"direction", kernel.direction == Direction::forward ? "forward" : "inverse"},
            {"groups", kernel.groups},
            {"group_size", kernel.group_size},
            {"shared_bytes", kernel.shared_bytes},
            {"bytes_read", kernel.bytes_read},
            {"bytes_written", kernel.bytes_written},
            {"table_bytes", kernel.table_bytes},
            {"instructions", kernel.instructions}};
}

Json to_json(const PlanReport& report, const std::string& planned_for) {
    Json kernels = Json::array();
    for (const KernelReport& kernel : report.kernels) kernels.push_back(to_json(kernel));
    const double trips = report.ideal_bytes == 0
                             ? 0.0
                             : static_cast<double>(report.moved_bytes) / static_cast<double>(report.ideal_bytes);
    Json json{{"problem", report.problem},
              {"planned_for", planned_for},
              {"recipe", report.recipe},
              {"spectrum_digits", report.spectrum_digits},
              {"kernels", kernels},
              {"workspace_bytes", report.workspace_bytes},
              {"ideal_bytes", report.ideal_bytes},
              {"moved_bytes", report.moved_bytes},
              {"round_trips", trips}};
    if (report.compiled + report.cached + report.loaded != 0) {  // a plan that can run
        json["compiled"] = report.compiled;
        json["cached"] = report.cached;
        json["loaded"] = report.loaded;
        json["replanned"] = report.replanned;
    }
    return json;
}

Convolution convolution_of(const PlanCommand& command) {
    if (command.stages.any()) throw UsageError("a convolution: expected no stages, which transforms have");
    return parse_convolution(command.problem);
}

Problem problem_of(const PlanCommand& command) {
    if (command.problem.empty()) throw UsageError("expected a PROBLEM, or a saved plan with --load");
    Problem problem = parse_problem(command.problem);
    declare_stages(command.stages, default_direction(problem), problem);
    return problem;
}

std::vector<std::byte> read_saved(const std::string& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // kernels of some MiB, and the problem
    io::InputFile file(path);
    if (file.bytes() > most_bytes) file.refuse("expected a saved plan, got " + byte_text(file.bytes()));
    std::vector<std::byte> bytes(static_cast<std::size_t>(file.bytes()));
    file.read(bytes.data(), bytes.size(), "saved plan");
    return bytes;
}

/// Which says what is saved.
bool begins_with(const std::vector<std::byte>& saved, std::string_view start) {
    return saved.size() >= start.size() && std::memcmp(saved.data(), start.data(), start.size()) == 0;
}

/// The report of a plan that can run, and its bytes where they are to be kept.
template <class AnyPlan>
PlanReport kept(const PlanCommand& command, const AnyPlan& plan) {
    if (!command.save.empty()) {
        const std::vector<std::byte> bytes = plan.save();
        io::OutputFile file(command.save);
        file.write(bytes.data(), bytes.size());
        file.commit();
    }
    return plan.report();
}

/// From a file, into a file, or both.
PlanReport make(const PlanCommand& command, const Device& device, const Tuning& tuning) {
    if (!command.load.empty()) {
        const std::vector<std::byte> saved = read_saved(command.load);
        try {
            if (begins_with(saved, "seiche convolution")) return kept(command, ConvolutionPlan::load(device, saved));
            if (begins_with(saved, "seiche short-time")) return kept(command, ShortTimePlan::load(device, saved));
            if (begins_with(saved, "seiche spectral")) return kept(command, SpectralPlan::load(device, saved));
            return kept(command, Plan::load(device, saved));
        } catch (const InvalidProblem& error) {  // the file's fault, not the command line's
            throw Failure("'" + command.load + "': " + message_of(error));
        }
    }
    if (is_convolution(command.problem)) return kept(command, ConvolutionPlan(device, convolution_of(command), tuning));
    if (is_short_time(command.problem))
        return kept(command, ShortTimePlan(device, short_time_problem(command.problem, command.stages), tuning));
    if (is_spectral(command.problem))
        return kept(command, SpectralPlan(device, spectral_problem(command.problem, command.stages), tuning));
    PlanOptions how;
    how.tuning = tuning;
    return kept(command, Plan(device, problem_of(command), how));
}

void print(const PlanCommand& command, const PlanReport& report, const std::string& planned_for) {
    if (command.json) {
        print_json(to_json(report, planned_for));
        return;
    }
    std::string text = report.text();
    if (text.empty() || text.back() != '\n') text += '\n';
    cli::print(text);
}

/// What a text is that is no transform's; null: it is one.
const char* kind_of(const std::string& problem) {
    if (is_convolution(problem)) return "a convolution";
    if (is_short_time(problem)) return "a short-time transform";
    return is_spectral(problem) ? "a spectral operator" : nullptr;
}

/// The wisdom to use, which nothing else is forced beside.
Wisdom wisdom_for(const PlanCommand& command) {
    if (command.wisdom.empty()) return {};
    if (!(command.tuning == Tuning{})) throw UsageError("--wisdom: expected no other tuning beside it");
    if (!command.load.empty() || kind_of(command.problem) != nullptr)
        throw UsageError("--wisdom: expected a transform's PROBLEM, got " +
                         std::string(!command.load.empty() ? "a saved plan" : kind_of(command.problem)));
    return read_wisdom(command.wisdom);
}

void run_on_fabric(const PlanCommand& command) {
    if (!command.save.empty() || !command.load.empty() || !command.wisdom.empty() || !(command.tuning == Tuning{}) ||
        command.stages.any())
        throw UsageError("--ranks: expected no --save, --load, --wisdom, tuning or stages beside it");
    if (command.problem.empty() || kind_of(command.problem) != nullptr)
        throw UsageError("--ranks: expected the PROBLEM of a transform, got " +
                         std::string(command.problem.empty() ? "none" : kind_of(command.problem)));
    plan_over_ranks(command.problem, command.ranks, command.limits, command.json);
}

void run(const PlanCommand& command) {
    if (command.ranks.any()) {
        run_on_fabric(command);
        return;
    }
    const bool is_made = !command.save.empty() || !command.load.empty();
    if (!is_made && command.wisdom.empty()) {
        // What is asked for is read before a device is looked for.
        const auto inspected = [&](const auto& problem) {
            const LimitsChoice choice = choose_limits(command.limits);
            print(command, inspect(problem, choice.limits, command.tuning), choice.source);
        };
        if (is_convolution(command.problem))
            inspected(convolution_of(command));
        else if (is_short_time(command.problem))
            inspected(short_time_problem(command.problem, command.stages));
        else if (is_spectral(command.problem))
            inspected(spectral_problem(command.problem, command.stages));
        else
            inspected(problem_of(command));
        return;
    }
    if (!command.limits.profile.empty() || !command.limits.device_profile.empty())
        throw UsageError(
            "--save, --load and --wisdom: expected a device that is here, got --profile or --device-profile");
    if (!command.load.empty() && !command.problem.empty())
        throw UsageError("expected a PROBLEM or a saved plan with --load, got both");
    if (!command.load.empty() && !(command.tuning == Tuning{}))
        throw UsageError("--load: expected no tuning, a saved plan has its own");
    const Device opened = open_device(command.limits.device);
    const Wisdom wisdom = wisdom_for(command);
    const Device device = with_table_of(wisdom, opened);
    const Tuning tuning =
        command.wisdom.empty() ? command.tuning : tuning_of(wisdom, device.info(), problem_of(command));
    print(command, is_made ? make(command, device, tuning) : inspect(problem_of(command), device.limits(), tuning),
          device.info().name);
}

}  // namespace

void add_plan(Command& app) {
    Command command =
        app.add_subcommand("plan", "Show a problem's plan: its recipe, its kernels and the bytes they move");
    auto options = std::make_shared<PlanCommand>();
    command
        .add_option(
            "PROBLEM", options->problem,
            "A transform, e.g. \"1024x1024 c2c f32 batch=16\", a convolution, e.g. \"48000 * 1001 same f32\", a "
            "spectral operator, e.g. \"256x256 real f32\", or a short-time transform, e.g. \"48000 frames=1024/256\"")
        .value("PROBLEM");
    add_limits_options(command, options->limits, "Plan for this device (default: the default device)");
    command.add_option("--save", options->save, "Compile the plan and write it with its kernels to this file")
        .value("FILE");
    command.add_option("--load", options->load, "Read the plan from such a file instead of planning PROBLEM")
        .value("FILE");
    command.add_option("--wisdom", options->wisdom, "Use the tuning in this file, which `seiche tune` wrote")
        .value("FILE");
    add_stage_options(command, options->stages, false);
    add_middle_stage_option(command, options->stages);
    add_tuning_options(command, options->tuning);
    add_ranks_options(command, options->ranks);
    add_json_option(command, options->json);
    command.footer(
        "Nothing is compiled or run without --save or --load. A plan that is loaded on the device, driver and version "
        "that saved it needs no compiling. Elsewhere it is planned again, and the report says why. Load only files "
        "that you trust: they hold machine code. Stages are those of the forward transform.\n\n"
        "Over several ranks (--ranks, --fabric) nothing need be there: the time is that of a model, the bytes of each "
        "step over the speeds of the file.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
