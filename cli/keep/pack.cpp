// `seiche pack`: the compiled kernels of many problems in one file.
#include "seiche/pack.hpp"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/io/output_file.hpp"
#include "cli/problem/suites.hpp"
#include "cli/problem/wisdom_file.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

struct PackOptions {
    std::vector<std::string> problems, suites;
    std::string device, output, wisdom;
    bool json = false;
};

void run(const PackOptions& options) {
    std::vector<Problem> problems;
    for (const std::string& text : options.problems) problems.push_back(parse_problem(text));
    for (const std::string& name : options.suites)
        for (const SuiteCase& one : find_suite(name).cases) problems.push_back(parse_problem(one.problem));
    if (problems.empty()) throw UsageError("expected a PROBLEM such as '1024 f32', or --suite");
    const Wisdom wisdom = options.wisdom.empty() ? Wisdom() : read_wisdom(options.wisdom);
    const Device device = with_table_of(wisdom, open_device(options.device));
    io::OutputFile file(options.output);
    Progress progress("packing");
    std::vector<Plan> plans;
    std::size_t kernels = 0, tuned = 0;
    for (const Problem& problem : problems) {
        PlanOptions how;
        how.tuning = tuning_of(wisdom, device.info(), problem);
        tuned += how.tuning == Tuning{} ? 0 : 1;
        plans.emplace_back(device, problem, how);
        kernels += plans.back().report().kernels.size();
        progress.at(static_cast<double>(plans.size()), static_cast<double>(problems.size()));
    }
    const std::vector<std::byte> bytes = pack_kernels(plans);
    file.write(bytes.data(), bytes.size());
    file.commit();
    if (options.json) {
        print_json({{"device", device.info().name},
                    {"problems", problems.size()},
                    {"tuned", tuned},
                    {"kernels", kernels},
                    {"bytes", bytes.size()},
                    {"file", options.output}});
        return;
    }
    if (is_quiet()) return;
    const std::string which = options.wisdom.empty() ? "" : " (" + std::to_string(tuned) + " of them tuned)";
    print_formatted("%s: %s of %s%s, %s\n", options.output.c_str(), counted(kernels, "kernel").c_str(),
                    counted(problems.size(), "problem").c_str(), which.c_str(), byte_text(bytes.size()).c_str());
}

}  // namespace

void add_pack(Command& app) {
    Command command = app.add_subcommand("pack", "Write the compiled kernels of problems to one file");
    auto options = std::make_shared<PackOptions>();
    command.add_option("PROBLEM", options->problems, "Transforms to compile, e.g. \"1024x1024 c2c f32\"")
        .value("PROBLEM");
    command.add_option("--suite", options->suites, "Also the problems of these lists: " + suite_names())
        .value("NAME")
        .delimiter(',');
    command.add_option("-o,--output", options->output, "The pack to write").value("FILE").required();
    command
        .add_option("--wisdom", options->wisdom,
                    "Compile for the tunings in this file, which `seiche tune` wrote; for programs that plan with them")
        .value("FILE");
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "Programs look for kernels in the packs that SEICHE_PACK_PATH names, then in the cache. With the same device, "
        "driver and version of Seiche they compile nothing for these problems, whatever the batch.\n\n"
        "A pack holds machine code: name only packs that you trust.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli
