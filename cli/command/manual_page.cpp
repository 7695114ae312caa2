// A program as a page of the manual (man(7)): the commands one after the other, each with its options.
#include <algorithm>

#include "cli/command/command_page.hpp"

namespace seiche::cli {
namespace {

/// Text that roff takes as it is: no character of it is a command.
std::string literal(const std::string& text) {
    std::string out;
    bool is_first = true;
    for (const char c : text) {
        if (is_first && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\'')
            out += "\\(aq";
        else if (c == '`')
            out += "\\(ga";
        else if (c == '^')
            out += "\\(ha";
        else if (c == '~')
            out += "\\(ti";
        else
            out += c;
        is_first = c == '\n';
    }
    return out;
}

/// In double quotes, as an argument of a macro.
std::string argument(const std::string& text) {
    std::string out;
    for (const char c : literal(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return "\"" + out + "\"";
}

/// Empty lines part paragraphs.
std::string paragraphs(const std::string& text, const std::string& macro) {
    std::string out;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find("\n\n", from), text.size());
        out += macro + "\n" + literal(text.substr(from, end - from)) + "\n";
        from = end + 2;
    }
    return out;
}

std::string options_of(const CommandPage& page, bool with_headings) {
    std::string out;
    for (const std::string& group : groups_of(page.options)) {
        if (with_headings && group != "Options" && group != "Arguments") out += ".PP\n" + literal(group) + ":\n";
        for (const OptionPage& option : page.options)
            if (option.group == group)
                out += ".TP\n.B " + argument(heading_of(option)) + "\n" + literal(meaning_of(option)) + "\n";
    }
    return out;
}

}  // namespace

std::string manual_page(const CommandPage& program, const std::string& version) {
    std::string title = program_file(program.name);
    std::transform(title.begin(), title.end(), title.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    std::string out = ".TH " + argument(title) + " 1 \"\" " + argument(version) + " \"User Commands\"\n";
    out += ".SH NAME\n" + literal(program_file(program.name)) + " \\- " + literal(program.summary) + "\n";
    out += ".SH SYNOPSIS\n.B " + argument(usage_of(program)) + "\n";
    out += ".SH OPTIONS\n" + options_of(program, true);
    if (!program.commands.empty()) out += ".SH COMMANDS\n";
    for (const CommandPage& command : program.commands) {
        out += ".SS " + argument(last_word(command.name)) + "\n" + literal(command.summary) + ".\n.PP\n.B " +
               argument(usage_of(command)) + "\n" + options_of(command, true);
        out += paragraphs(command.footer, ".PP");
    }
    if (!program.footer.empty()) out += ".SH NOTES\n" + paragraphs(program.footer, ".PP");
    return out;
}

}  // namespace seiche::cli
