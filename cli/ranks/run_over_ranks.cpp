// What commands with ranks do in a build that has them.
#include <sstream>
#include <utility>

#include "cli/ranks/group.hpp"
#include "cli/ranks/group_options.hpp"
#include "cli/ranks/timed_ranks.hpp"
#include "cli/system/child_process.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {

RankGroup group_of(const GroupOptions& options, const std::string& device) {
    RankGroup group;
    group.devices = options.devices;
    if (!options.devices.empty() && !device.empty()) throw UsageError("--devices: expected no --device beside it");
    if (!device.empty()) group.devices = {device};
    group.mpi = options.mpi;
    if (options.mpi && options.ranks != 0) throw UsageError("--mpi: expected no --ranks beside it, which mpiexec says");
    if (!options.mpi && !options.mpi_library.empty()) throw UsageError("--mpi-library: expected --mpi beside it");
    group.ranks = options.ranks != 0         ? static_cast<int>(options.ranks)
                  : group.devices.size() > 1 ? static_cast<int>(group.devices.size())
                                             : 2;
    group.mpi_library = options.mpi_library;
    group.transport = options.transport;
    return group;
}

namespace {

/// The same command for each rank, by a launcher, which says how many there are.
void launch(const RankedWork& work, const RankedOptions& options) {
    const GroupOptions& group = options.group;
    if (group.ranks == 0) throw UsageError("--launcher: expected --ranks beside it");
    if (group.mpi) throw UsageError("--launcher: expected no --mpi beside it, which it is for");
    std::vector<std::string> command;
    std::istringstream words(group.launcher);
    for (std::string word; words >> word;) command.push_back(word);
    if (command.empty()) throw UsageError("--launcher: expected a program such as mpiexec, got nothing");
    for (std::string word : {std::string("-n"), std::to_string(group.ranks), own_path(), work.command})
        command.push_back(std::move(word));
    command.insert(command.end(), work.problems.begin(), work.problems.end());
    command.emplace_back("--mpi");
    const auto add = [&](const char* option, const std::string& value) {
        if (value.empty()) return;
        command.emplace_back(option);
        command.push_back(value);
    };
    add("--mpi-library", group.mpi_library);
    add("--transport", group.transport);
    add("--device", work.device);
    for (const std::string& device : group.devices) add("--devices", device);
    if (work.command == "bench") add("--repeat", std::to_string(work.repeat));
    if (options.pencils) command.emplace_back("--pencils");
    if (options.natural) command.emplace_back("--natural");
    const int status = run_program(command);
    if (status != 0) throw Failure("--launcher: expected all ranks to be right, got status " + std::to_string(status));
}

}  // namespace

void run_over_ranks(const RankedWork& work, const RankedOptions& options) {
    if (work.problems.empty()) throw UsageError("--ranks: expected a PROBLEM such as '64x48x40 r2c', got none");
    if (!options.group.launcher.empty()) {
        launch(work, options);
        return;
    }
    if (options.group.ranks == 0 && !options.group.mpi)
        throw UsageError("--devices, --transport, --pencils and --natural: expected --ranks or --mpi beside them");
    for (const std::string& problem : work.problems) {
        TimedRanks how;
        how.problem = problem;
        how.group = group_of(options.group, work.device);
        how.repeat = work.repeat;
        how.pencils = options.pencils;
        how.natural = options.natural;
        if (!time_ranks(how, "seiche"))
            throw Failure("--ranks: expected all ranks to be right, got what is said above");
    }
}

}  // namespace seiche::cli
