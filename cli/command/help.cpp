// `seiche help` and `seiche completion`.
#include <algorithm>
#include <memory>

#include "cli/command/commands.hpp"
#include "cli/command/progress.hpp"

namespace seiche::cli {

void add_help(CommandLine& app) {
    std::vector<std::string> names;
    for (const CommandPage& command : app.page().commands) names.push_back(last_word(command.name));
    names.insert(names.end(), {"help", "completion"});
    Command command = app.add_subcommand("help", "Print the options of a command");
    auto name = std::make_shared<std::string>();
    command.add_option("COMMAND", *name, "The command (default: list all commands)").value("COMMAND").one_of(names);
    command.callback([&app, name] {
        const CommandPage program = app.page();
        const auto is_asked = [&name](const CommandPage& one) { return last_word(one.name) == *name; };
        const auto asked = std::find_if(program.commands.begin(), program.commands.end(), is_asked);
        print(help_text(asked == program.commands.end() ? program : *asked));
    });
}

void add_completion(CommandLine& app) {
    Command command = app.add_subcommand("completion", "Print what makes a shell complete the commands and options");
    auto shell = std::make_shared<std::string>();
    command.add_option("SHELL", *shell, "The shell: bash, zsh or fish").value("SHELL").required().one_of(shells());
    command.footer(
        "Packages install the completions. Without a package: `source <(seiche completion bash)` in ~/.bashrc; "
        "`seiche completion zsh > _seiche` in a folder of $fpath; `seiche completion fish > "
        "~/.config/fish/completions/seiche.fish`.");
    command.callback([&app, shell] { print(completion_script(app.page(), *shell)); });
}

}  // namespace seiche::cli
