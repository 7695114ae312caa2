// Commands as pages of the documentation, which are written by the program and compared with it by a test.
#include <algorithm>

#include "cli/command/command_page.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr std::size_t page_width = 118;

/// Text that Markdown takes as it is; between backticks it does so by itself.
std::string plain(const std::string& text) {
    std::string out;
    bool is_code = false;
    for (const char c : text) {
        is_code = is_code != (c == '`');
        if (!is_code && std::string_view("*_<>|\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string options_of(const CommandPage& page) {
    std::string out;
    for (const std::string& group : groups_of(page.options)) {
        out += "\n## " + wrapped(plain(group), page_width) + "\n\n";
        for (const OptionPage& option : page.options)
            if (option.group == group)
                out += "- " + wrapped(code(heading_of(option)) + ": " + plain(meaning_of(option)), page_width - 2, 2) +
                       "\n";
    }
    return out;
}

}  // namespace

std::string markdown_page(const CommandPage& page) {
    std::string out = "# " + page.name + "\n\n" + wrapped(plain(page.summary) + ".", page_width) + "\n\n```\n" +
                      wrapped(usage_of(page), page_width - 4, 4) + "\n```\n";
    out += options_of(page);
    for (const std::string& group : groups_of(page.commands)) {
        out += "\n## " + group + "\n\n";
        for (const CommandPage& command : page.commands) {
            const std::string name = last_word(command.name);
            if (command.group == group)
                out += "- " +
                       wrapped("[" + code(name) + "](" + name + ".md): " + plain(command.summary) + ".", page_width - 2,
                               2) +
                       "\n";
        }
    }
    if (!page.footer.empty()) out += "\n## Notes\n\n" + wrapped(plain(page.footer), page_width) + "\n";
    return out;
}

}  // namespace seiche::cli
