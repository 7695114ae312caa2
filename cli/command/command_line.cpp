// Commands and their options.
#include "cli/command/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command/progress.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr std::size_t help_width = 79, help_column = 30, command_column = 15;

/// Help of lines that every terminal has room for.
class Help : public CLI::Formatter {
public:
    Help() {
        column_width(help_column);
        label("SUBCOMMAND", "COMMAND");
        label("Positionals", "Arguments");
        label("FLOAT", "NUMBER");
        label("INT", "N");
        label("UINT", "N");
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
    }
    std::string make_subcommand(const CLI::App* command) const override {
        return entry(command->get_name(), command->get_description(), command_column);
    }
    std::string make_description(const CLI::App* app) const override {
        return wrapped(app->get_description(), help_width) + "\n";
    }
    std::string make_usage(const CLI::App* app, std::string name) const override {
        const std::string usage = CLI::Formatter::make_usage(app, std::move(name));
        return wrapped(usage.substr(0, usage.find_last_not_of('\n') + 1), help_width - 4, 4) + "\n";
    }
    std::string make_footer(const CLI::App* app) const override {
        const std::string footer = app->get_footer();
        return footer.empty() ? footer : wrapped(footer, help_width) + "\n";
    }

private:
    /// A name, and what it means beside it, or below where the name is long.
    static std::string entry(const std::string& name, const std::string& meaning, std::size_t column = help_column) {
        std::string text = "  " + wrapped(name, help_width - 6, 4);
        if (meaning.empty()) return text + "\n";
        const std::size_t last = text.size() - (text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
        if (last + 1 < column && last == text.size())
            text.resize(column, ' ');
        else
            text += "\n" + std::string(column, ' ');
        return text + wrapped(meaning, help_width - column, column) + "\n";
    }
};

/// The words that are options of the command.
std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

/// The word where a command is expected; none where there is no such word.
std::optional<std::string> word_of_command(const std::vector<std::string>& arguments) {
    for (const std::string& word : arguments)
        if (word.empty() || word[0] != '-') return word;
    return std::nullopt;
}

/// Before the command's own work, since the parser runs it as it reads.
void add_quiet(CLI::App& app) {
    app.add_flag_callback(
        "--quiet", [] { set_quiet(true); }, "Say nothing but the results that were asked for, and failures");
}

bool is_number(const std::string& text, double& value) {
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

/// What CLI11 says of a command line, in the words of this program.
std::string message_of(const CLI::ParseError& error, const CLI::App& app) {
    const CLI::App* command = &app;
    for (const CLI::App* chosen : app.get_subcommands()) command = chosen;
    const std::string hint =
        " (see " + (command == &app ? "" : app.get_name() + " " + command->get_name() + " ") + "--help)";
    std::string text = one_line(error.what());
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        std::string words;
        for (const std::string& word : app.remaining(true)) {
            if (word.size() > 2 && word.starts_with("--")) {
                const std::string name = word.substr(0, word.find('='));
                return "unknown option '" + printable(name) + "'" + did_you_mean(name, option_names(*command)) + hint;
            }
            words += (words.empty() ? "'" : ", '") + printable(word) + "'";
        }
        return "expected no more arguments, got " + words + hint;
    }
    const std::string unread = "Could not convert: ";
    const std::size_t value = text.find(" = ");
    if (text.starts_with(unread) && value != std::string::npos)
        text = text.substr(unread.size(), value - unread.size()) + ": expected a number of its kind, got '" +
               printable(text.substr(value + 3)) + "'";
    if (text == "A subcommand is required") text = "expected a command";
    return text + hint;
}

}  // namespace

Option Option::required() { return Option(option_->required()); }
Option Option::capture_default_str() { return Option(option_->capture_default_str()); }
Option Option::delimiter(char between) { return Option(option_->delimiter(between)); }
Option Option::expected(int count) { return Option(option_->expected(count)); }
Option Option::allow_extra_args(bool allowed) { return Option(option_->allow_extra_args(allowed)); }
Option Option::excludes(Option other) { return Option(option_->excludes(other.option_)); }
Option Option::group(const std::string& heading) { return Option(option_->group(heading)); }
Option Option::one_of(std::initializer_list<std::string> values) {
    const std::vector<std::string> known(values);
    const std::string list = "{" + joined(known, ",") + "}";  // where the help has room for it
    const auto judge = [known](const std::string& text) {
        if (std::find(known.begin(), known.end(), text) != known.end()) return std::string();
        return "expected one of " + joined(known, ", ") + ", got '" + printable(text) + "'" + did_you_mean(text, known);
    };
    return Option(option_->check(
        CLI::Validator(list.size() < help_column ? list : std::string()).operation([judge](std::string& text) {
            return judge(text);
        })));
}
Option Option::one_of(std::initializer_list<int> values) {
    return Option(option_->check(CLI::IsMember(std::vector<int>(values))));
}
Option Option::positive() {
    const auto judge = [](std::string& text) {
        double value = 0;
        const bool is_bad = is_number(text, value) && !(value > 0);
        return is_bad ? "expected a number above 0, got " + text : std::string();
    };
    return Option(option_->check(CLI::Validator(judge, "")));
}
Option Option::not_negative() {
    const auto judge = [](std::string& text) {
        double value = 0;
        const bool is_bad = is_number(text, value) && !(value >= 0);
        return is_bad ? "expected a number of 0 or more, got " + text : std::string();
    };
    return Option(option_->check(CLI::Validator(judge, "")));
}
Option Option::within(std::int64_t least, std::int64_t most) {
    return Option(option_->check([least, most](const std::string& text) {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stopped, fault] = std::from_chars(text.data(), end, value);
        if (fault == std::errc{} && stopped == end && value >= least && value <= most) return std::string();
        return "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", got '" +
               printable(text) + "'";
    }));
}
// A transformation comes before all checks, whatever the order in which they were asked for.
Option Option::quantity() {
    const auto expand = [](std::string& text) {
        text = without_suffix(text);
        return std::string();
    };
    return Option(option_->transform(CLI::Validator(expand, "")));
}

Command Command::add_subcommand(const std::string& name, const std::string& help) {
    CLI::App* const command = app_->add_subcommand(name, help);
    command->group("Commands");
    add_quiet(*command);
    return Command(command);
}

template <class T>
Option Command::add_option(const std::string& names, T& value, const std::string& help) {
    return Option(app_->add_option(names, value, help));
}

#define SEICHE_OPTION(T) template Option Command::add_option(const std::string&, T&, const std::string&)
SEICHE_OPTION(std::string);
SEICHE_OPTION(double);
SEICHE_OPTION(std::int64_t);
SEICHE_OPTION(std::uint32_t);
SEICHE_OPTION(std::uint64_t);
SEICHE_OPTION(std::optional<double>);
SEICHE_OPTION(std::optional<std::int64_t>);
SEICHE_OPTION(std::optional<std::uint32_t>);
SEICHE_OPTION(std::optional<std::uint64_t>);
SEICHE_OPTION(std::optional<std::string>);
SEICHE_OPTION(std::vector<std::string>);
SEICHE_OPTION(std::vector<std::uint32_t>);
SEICHE_OPTION(std::vector<std::uint64_t>);
#undef SEICHE_OPTION

Option Command::add_word(const std::string& name, std::function<void(const std::string&)> set,
                         const std::string& help) {
    const auto set_or_refuse = [set, name](const std::string& word) {
        try {
            set(word);
        } catch (const InvalidProblem& error) {
            const std::string text = error.what();
            throw UsageError(name + ": " + text.substr(text.find(": ") + 2));
        }
    };
    return Option(app_->add_option_function<std::string>(name, set_or_refuse, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
    return Option(app_->add_flag(name, value, help));
}

void Command::footer(const std::string& text) { app_->footer(text); }
void Command::callback(std::function<void()> work) {
    app_->callback([name = app_->get_name(), work = std::move(work)] {
        const Progress progress(name.empty() ? "working" : name);
        work();
    });
}
bool Command::has(const std::string& name) const { return app_->get_option(name)->count() != 0; }

CommandLine::CommandLine(const std::string& help, const std::string& program, const std::string& version,
                         bool has_commands)
    : Command(nullptr), owned_(std::make_unique<CLI::App>(help, program)) {
    app_ = owned_.get();
    app_->formatter(std::make_shared<Help>());  // commands inherit it
    app_->set_version_flag("--version", version);
    add_quiet(*app_);
    if (has_commands) app_->require_subcommand(1);
    app_->allow_windows_style_options(false);  // a path may begin with a slash there too
}

CommandLine::~CommandLine() = default;

void CommandLine::run(std::vector<std::string> arguments) {
    const std::vector<std::string> commands = command_names(*app_);
    const std::optional<std::string> word = word_of_command(arguments);
    if (!commands.empty() && word && std::find(commands.begin(), commands.end(), *word) == commands.end())
        throw UsageError("unknown command '" + printable(*word) + "'" + did_you_mean(*word, commands) +
                         " (see --help)");
    std::reverse(arguments.begin(), arguments.end());  // the parser takes them from the back
    try {
        app_->parse(arguments);  // runs the command's callback
    } catch (const CLI::Success& request) {
        app_->exit(request);  // --help, --version
    } catch (const CLI::ParseError& error) {
        throw UsageError(message_of(error, *app_));
    }
}

}  // namespace seiche::cli
