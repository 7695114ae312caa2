// Completions of command lines for bash, zsh and fish.
#include <algorithm>

#include "cli/command/command_page.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

bool is_long(const std::string& name) { return name.starts_with("--"); }

bool takes_file(const OptionPage& option) {
    return option.value.find("FILE") != std::string::npos || option.value == "FOLDER" || option.value == "PROGRAM";
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

/// In single quotes, for a shell in which `escaped` stands for such a quote.
std::string quoted(const std::string& text, const std::string& escaped) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? escaped : std::string(1, c);
    return out + "'";
}

/// The help's first sentence, or as much of it as there is room for.
std::string brief(const std::string& help) {
    constexpr std::size_t most = 72;
    std::string text = help.substr(0, std::min({help.find(". "), help.find("; "), help.find(" (")}));
    if (text.size() <= most) return text;
    return text.substr(0, text.rfind(' ', most)) + " ...";
}

/// A shell function's name: "_seiche_study" of "seiche study".
std::string function_of(const std::string& name) {
    std::string text = "_" + name;
    for (char& c : text)
        if (c == ' ' || c == '-') c = '_';
    return text;
}

std::string first_line(const CommandPage& program, const std::string& shell) {
    return "Completions of " + program_file(program.name) + " for " + shell + ", made from its options.\n";
}

/// The names of a command's options.
std::vector<std::string> names_of(const CommandPage& page) {
    std::vector<std::string> names;
    for (const OptionPage& option : page.options)
        if (!option.is_argument) names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

// ---- bash

/// What stands for a command in the patterns of the script; the program itself has no word.
std::string bash_cases(const CommandPage& page, const std::string& command) {
    std::string out;
    for (const OptionPage& option : page.options) {
        if (option.is_argument || option.value.empty() || takes_file(option)) continue;
        std::string pattern;
        for (const std::string& name : option.names) pattern += (pattern.empty() ? "" : "|") + command + ":" + name;
        out += "        " + pattern + ") candidates=" + quoted(joined(option.choices, " "), "'\\''") + " ;;\n";
    }
    for (const OptionPage& option : page.options)
        if (!option.is_argument && takes_file(option))
            for (const std::string& name : option.names) out += "        " + command + ":" + name + ") return ;;\n";
    std::string words;
    bool has_files = false;
    for (const OptionPage& option : page.options) {
        has_files = has_files || (option.is_argument && takes_file(option));
        if (option.is_argument && !option.choices.empty()) words = joined(option.choices, " ");
    }
    for (const CommandPage& one : page.commands) words += (words.empty() ? "" : " ") + last_word(one.name);
    out += "        " + command +
           ":*)\n            if [[ $current == -* ]]; then candidates=" + quoted(joined(names_of(page), " "), "'\\''") +
           "\n            else " + (has_files ? "return" : "candidates=" + quoted(words, "'\\''")) + "; fi ;;\n";
    return out;
}

std::string bash_script(const CommandPage& program) {
    const std::string function = function_of(program.name), file = program_file(program.name);
    std::string out = "# " + first_line(program, "bash") + function +
                      "() {\n"
                      "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                      "    local command= candidates= i\n"
                      "    # Readline parts --option=value at the sign.\n"
                      "    if [[ $current == = ]]; then current=\n"
                      "    elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n";
    if (!program.commands.empty())
        out +=
            "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
            "        if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi\n"
            "    done\n";
    out +=
        "    COMPREPLY=()  # with nothing in it the shell completes names of files\n"
        "    case $command:$previous in\n";
    for (const CommandPage& command : program.commands) out += bash_cases(command, last_word(command.name));
    out += bash_cases(program, "") +
           "        *) return ;;\n"
           "    esac\n"
           "    COMPREPLY=($(compgen -W \"$candidates\" -- \"$current\"))\n"
           "    compopt +o default +o bashdefault 2>/dev/null\n"
           "}\n"
           "complete -o bashdefault -o default -F " +
           function + " " + file + "\n";
    return out;
}

// ---- zsh

/// Text within the brackets or between the colons of a specification.
std::string zsh_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string zsh_action(const OptionPage& option) {
    const std::string what = zsh_text(option.is_argument ? option.names.front() : option.value);
    if (!option.choices.empty()) return ":" + what + ":(" + joined(option.choices, " ") + ")";
    return ":" + what + ":" + (takes_file(option) ? "_files" : " ");
}

std::vector<std::string> zsh_options(const CommandPage& page) {
    std::vector<std::string> specifications;
    for (const OptionPage& option : page.options) {
        if (option.is_argument) continue;
        for (const std::string& name : option.names) {
            std::string text = option.is_repeated ? "*" : "(" + joined(option.names, " ") + ")";
            text += name + (option.value.empty() ? "" : is_long(name) ? "=" : "+");
            text += "[" + zsh_text(brief(option.help)) + "]";
            specifications.push_back(text + (option.value.empty() ? "" : zsh_action(option)));
        }
    }
    return specifications;
}

std::string zsh_arguments(const std::vector<std::string>& specifications) {
    std::string out = "    _arguments -s";
    for (const std::string& text : specifications) out += " \\\n        " + quoted(text, "'\\''");
    return out + "\n";
}

std::string zsh_command(const CommandPage& page) {
    std::vector<std::string> specifications = zsh_options(page);
    for (const OptionPage& option : page.options)
        if (option.is_argument) specifications.push_back((option.is_repeated ? "*" : "") + zsh_action(option));
    return function_of(page.name) + "() {\n" + zsh_arguments(specifications) + "}\n";
}

std::string zsh_script(const CommandPage& program) {
    const std::string function = function_of(program.name);
    std::string out = "#compdef " + program_file(program.name) + "\n# " + first_line(program, "zsh");
    if (program.commands.empty()) return out + zsh_command(program) + function + " \"$@\"\n";
    std::string list, cases;
    for (const CommandPage& command : program.commands) {
        const std::string name = last_word(command.name);
        out += zsh_command(command);
        list += "        " + quoted(name + ":" + zsh_text(brief(command.summary)), "'\\''") + "\n";
        cases += "        " + name + ") " + function_of(command.name) + " ;;\n";
    }
    std::vector<std::string> own = zsh_options(program);
    own.insert(own.end(), {"1: :->command", "*:: :->rest"});
    return out + function + "() {\n    local context state state_descr line\n    typeset -A opt_args\n" +
           "    local -a commands=(\n" + list + "    )\n" + zsh_arguments(own) +
           "    case $state in\n    command) _describe command commands ;;\n    rest)\n        case $words[1] in\n" +
           cases + "        esac ;;\n    esac\n}\n" + function + " \"$@\"\n";
}

// ---- fish

std::string fish_options(const CommandPage& page, const std::string& begin) {
    std::string out;
    for (const OptionPage& option : page.options) {
        if (option.is_argument) {
            if (!takes_file(option))
                out += begin + " -f" +
                       (option.choices.empty() ? "" : " -a " + quoted(joined(option.choices, " "), "\\'")) + "\n";
            continue;
        }
        out += begin;
        for (const std::string& name : option.names)
            out += is_long(name) ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.value.empty()) out += takes_file(option) ? " -r -F" : " -x";
        if (!option.choices.empty()) out += " -a " + quoted(joined(option.choices, " "), "\\'");
        out += " -d " + quoted(brief(option.help), "\\'") + "\n";
    }
    return out;
}

std::string fish_script(const CommandPage& program) {
    const std::string begin = "complete -c " + program_file(program.name);
    std::string out = "# " + first_line(program, "fish");
    if (program.commands.empty()) return out + fish_options(program, begin);
    out += fish_options(program, begin + " -n __fish_use_subcommand");
    for (const CommandPage& command : program.commands) {
        const std::string name = last_word(command.name);
        out +=
            begin + " -n __fish_use_subcommand -f -a " + name + " -d " + quoted(brief(command.summary), "\\'") + "\n";
        out += fish_options(command, begin + " -n '__fish_seen_subcommand_from " + name + "'");
    }
    return out;
}

}  // namespace

std::vector<std::string> shells() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const CommandPage& program, const std::string& shell) {
    if (shell == "bash") return bash_script(program);
    if (shell == "zsh") return zsh_script(program);
    if (shell == "fish") return fish_script(program);
    throw UsageError("expected one of " + joined(shells(), ", ") + ", got '" + printable(shell) + "'");
}

}  // namespace seiche::cli
