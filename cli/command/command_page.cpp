// The words that all pages of a command share, and its help.
#include "cli/command/command_page.hpp"

#include <algorithm>

#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr std::size_t help_width = 79, option_column = 30, command_column = 15;

bool is_part_of_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool names(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_part_of_word(text[at - 1])) && (end == text.size() || !is_part_of_word(text[end])))
            return true;
    }
    return false;
}

template <class Page>
std::vector<std::string> groups(const std::vector<Page>& pages) {
    std::vector<std::string> found;
    for (const Page& page : pages)
        if (std::find(found.begin(), found.end(), page.group) == found.end()) found.push_back(page.group);
    return found;
}

/// A name, and what it means beside it, or below where the name is long.
std::string entry(const std::string& name, const std::string& meaning, std::size_t column) {
    std::string text = "  " + wrapped(name, help_width - 6, 4);
    const bool is_short = text.find('\n') == std::string::npos && text.size() + 1 < column;
    if (is_short)
        text.resize(column, ' ');
    else
        text += "\n" + std::string(column, ' ');
    return text + wrapped(meaning, help_width - column, column) + "\n";
}

}  // namespace

std::string last_word(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

std::string program_file(const std::string& name) {
    std::string file = name;
    std::replace(file.begin(), file.end(), ' ', '-');
    return file;
}

std::vector<std::string> groups_of(const std::vector<OptionPage>& options) { return groups(options); }
std::vector<std::string> groups_of(const std::vector<CommandPage>& commands) { return groups(commands); }

std::string heading_of(const OptionPage& option) {
    std::string text;
    for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + name;
    if (!option.is_argument && !option.value.empty()) text += " " + option.value;
    return text;
}

std::string usage_of(const CommandPage& page) {
    std::string options, arguments;
    for (const OptionPage& option : page.options) {
        if (option.is_argument) {
            const std::string name = option.names.front() + (option.is_repeated ? "..." : "");
            arguments += option.is_required ? " " + name : " [" + name + "]";
        } else if (option.is_required) {
            options += " " + option.names.front() + " " + option.value;
        }
    }
    return page.name + " [OPTIONS]" + options + arguments + (page.commands.empty() ? "" : " COMMAND");
}

std::string meaning_of(const OptionPage& option) {
    std::string notes;
    const auto add = [&notes](const std::string& note) { notes += (notes.empty() ? "" : "; ") + note; };
    const auto is_named = [&option](const std::string& choice) { return names(option.help, choice); };
    if (!std::all_of(option.choices.begin(), option.choices.end(), is_named)) {
        std::string list;
        for (const std::string& choice : option.choices) list += (list.empty() ? "" : ", ") + choice;
        add("one of " + list);
    }
    if (!option.preset.empty()) add("default: " + option.preset);
    if (option.is_required && !option.is_argument) add("required");
    if (option.is_repeated && !option.is_argument) add("may be repeated");
    for (const std::string& other : option.excludes) add("not with " + other);
    return option.help + (notes.empty() ? "" : option.help.empty() ? notes : " (" + notes + ")");
}

std::string help_text(const CommandPage& page) {
    std::string text =
        wrapped(page.summary, help_width) + "\n\n" + wrapped("Usage: " + usage_of(page), help_width - 4, 4) + "\n";
    for (const std::string& group : groups_of(page.options)) {
        text += "\n" + wrapped(group, help_width) + ":\n";
        for (const OptionPage& option : page.options)
            if (option.group == group) text += entry(heading_of(option), meaning_of(option), option_column);
    }
    for (const std::string& group : groups_of(page.commands)) {
        text += "\n" + group + ":\n";
        for (const CommandPage& command : page.commands)
            if (command.group == group) text += entry(last_word(command.name), command.summary, command_column);
    }
    if (!page.footer.empty()) text += "\n" + wrapped(page.footer, help_width) + "\n";
    return text;
}

}  // namespace seiche::cli
