// `seiche plan`: the recipe of a problem, its kernels and what they move.
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/profiles.hpp"
#include "cli/report.hpp"
#include "cli/stage_options.hpp"
#include "seiche/inspect.hpp"

namespace seiche::cli {
namespace {

struct PlanCommand {
    std::string problem, device, profile;
    StageOptions stages;
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

Json to_json(const PlanReport& report, const LimitsChoice& choice) {
    Json kernels = Json::array();
    for (const KernelReport& kernel : report.kernels) kernels.push_back(to_json(kernel));
    const double trips = report.ideal_bytes == 0
                             ? 0.0
                             : static_cast<double>(report.moved_bytes) / static_cast<double>(report.ideal_bytes);
    return {{"problem", report.problem},
            {"planned_for", choice.source},
            {"recipe", report.recipe},
            {"kernels", kernels},
            {"workspace_bytes", report.workspace_bytes},
            {"ideal_bytes", report.ideal_bytes},
            {"moved_bytes", report.moved_bytes},
            {"round_trips", trips}};
}

void run(const PlanCommand& command) {
    Problem problem = parse_problem(command.problem);
    declare_stages(command.stages, Direction::forward, problem);
    const LimitsChoice choice = choose_limits(command.device, command.profile);
    const PlanReport report = inspect(problem, choice.limits);
    if (command.json) {
        print_json(to_json(report, choice));
        return;
    }
    std::string text = report.text();
    if (text.empty() || text.back() != '\n') text += '\n';
    std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_plan(CLI::App& app) {
    auto* command = app.add_subcommand("plan", "Show the recipe of a problem, its kernels and what they move");
    auto options = std::make_shared<PlanCommand>();
    command->add_option("PROBLEM", options->problem, "Problem text, e.g. \"1024x1024 c2c f32 batch=16\"")->required();
    command->add_option("--device", options->device, "Plan for this device (default: the default device)");
    command->add_option("--profile", options->profile,
                        "Plan for a well-known device that need not be here: " + profile_names());
    add_stage_options(*command, options->stages, false);
    command->add_flag("--json", options->json, "Print JSON");
    command->footer("Nothing is compiled or run. Stages are those of the forward transform.");
    command->callback([options] { run(*options); });
}

}  // namespace seiche::cli
