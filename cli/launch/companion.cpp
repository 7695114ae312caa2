// Programs beside the tool that it runs as commands of its own.
#include "cli/launch/companion.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/system/child_process.hpp"
#include "cli/system/environment.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {
namespace {

struct Companion {
    const char *name, *program, *variable, *option, *help;
};

constexpr std::array companions{
    Companion{"study", "seiche-study", "SEICHE_STUDY", "SEICHE_BUILD_STUDY",
              "Rebuild five published FFT systems, time them, and write a report"},
    Companion{"ocean", "seiche-ocean", "SEICHE_OCEAN", "SEICHE_BUILD_OCEAN",
              "Draw a sea of Tessendorf waves, and time its transforms"},
};

std::string path_of_program(const Companion& companion) {
    if (std::string path = environment(companion.variable); !path.empty()) return path;
    const auto own = path_of(own_path());
    auto path = own.parent_path() / path_of(companion.program);
    path += own.extension();
    if (!std::filesystem::exists(path))
        throw Failure("there is no " + std::string(companion.program) + " beside this program: build it with -D" +
                      companion.option + "=ON, or set " + companion.variable + " to where it is");
    return path.string();
}

}  // namespace

void add_companions(Command& app) {
    for (const Companion& companion : companions) app.add_subcommand(companion.name, companion.help);
}

bool run_companion(const std::vector<std::string>& arguments, int& status) {
    const auto end = arguments.end();
    const auto name = std::find_if(arguments.begin(), end, [](const auto& word) { return word != "--quiet"; });
    const bool is_help = name != end && *name == "help" && name + 1 != end;
    for (const Companion& companion : companions) {
        if (name == end || (is_help ? name[1] : *name) != companion.name) continue;
        std::vector<std::string> command{path_of_program(companion)};
        command.insert(command.end(), arguments.begin(), name);
        if (is_help) command.push_back("--help");
        command.insert(command.end(), name + (is_help ? 2 : 1), end);
        status = run_program(command);
        return true;
    }
    return false;
}

}  // namespace seiche::cli
