// Commands and their options.
#include "cli/command/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/command/progress.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

/// The name that the validator of Option::one_of goes by; its description has the values, with commas between.
constexpr const char* choices_name = "choices";

std::vector<std::string> choices_of(CLI::Option& option) {
    std::vector<std::string> choices;
    try {
        std::istringstream list(option.get_validator(choices_name)->get_description());
        for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
    } catch (const CLI::OptionNotFound&) {  // it has no such validator
    }
    return choices;
}

OptionPage page_of(CLI::Option& option) {
    OptionPage page;
    page.is_argument = option.get_positional();
    if (page.is_argument) page.names = {option.get_name(true)};
    for (const std::string& name : option.get_snames()) page.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) page.names.push_back("--" + name);
    page.choices = choices_of(option);
    if (option.get_items_expected_max() != 0) {
        page.value = option.get_type_name();
        if (!page.choices.empty()) page.value.resize(page.value.size() - joined(page.choices, ",").size() - 1);
        if (page.value == "FLOAT") page.value = "NUMBER";
        if (page.value == "INT" || page.value == "UINT") page.value = "N";
        page.preset = option.get_default_str();
    }
    page.is_repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
    if (page.is_repeated && option.get_delimiter() != '\0' && !page.is_argument) {
        page.value += std::string(1, option.get_delimiter()) + "...";
        page.is_repeated = false;
    }
    page.is_required = option.get_required();
    for (const CLI::Option* other : option.get_excludes()) page.excludes.push_back(other->get_name(false, false));
    page.help = option.get_description();
    page.group = page.is_argument ? "Arguments" : option.get_group();
    return page;
}

/// `name` has the program's before it.
CommandPage page_of(CLI::App& app, const std::string& name) {
    CommandPage page{name, app.get_description(), app.get_group(), {}, app.get_footer(), {}};
    for (CLI::Option* option : app.get_options())
        if (!option->get_group().empty()) page.options.push_back(page_of(*option));
    std::stable_partition(page.options.begin(), page.options.end(),
                          [](const OptionPage& option) { return option.is_argument; });
    // Those that every command has say least of it.
    std::stable_partition(page.options.begin(), page.options.end(), [](const OptionPage& option) {
        return option.names.back() != "--help" && option.names.back() != "--quiet" &&
               option.names.back() != "--version";
    });
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        if (!command->get_group().empty()) page.commands.push_back(page_of(*command, name + " " + command->get_name()));
    return page;
}

class Help : public CLI::FormatterBase {
public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
        return help_text(page_of(const_cast<CLI::App&>(*app), name));  // its validators are not for constant options
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
        "--quiet", [] { set_quiet(true); }, "Print only results and errors: no notes, no progress");
}

bool is_number(const std::string& text, double& value) {
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end;
}

std::string unknown_option(const std::string& name, const CLI::App& app) {
    return "unknown option '" + printable(name) + "'" + did_you_mean(name, option_names(app));
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
            if (word.size() > 1 && word[0] == '-' && word != "--") {
                const std::string name = word.substr(0, word.find('='));
                return unknown_option(name, *command) + hint;
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
Option Option::value(const std::string& name) { return Option(option_->type_name(name)); }
Option Option::one_of(const std::vector<std::string>& known) {
    const auto judge = [known](const std::string& text) {
        if (std::find(known.begin(), known.end(), text) != known.end()) return std::string();
        return "expected one of " + joined(known, ", ") + ", got '" + printable(text) + "'" + did_you_mean(text, known);
    };
    const auto check = [judge](std::string& text) { return judge(text); };
    return Option(option_->check(CLI::Validator(joined(known, ",")).operation(check).name(choices_name)));
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
    command->group(heading_);
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

void add_device_option(Command& command, std::string& device) {
    command
        .add_option("--device", device,
                    "The device to compute on, e.g. cuda:0 or cpu; `seiche devices` lists them (default: "
                    "$SEICHE_DEVICE, else the first GPU, else the first CPU device)")
        .value("NAME");
}

void add_json_option(Command& command, bool& json) {
    command.add_flag("--json", json, "Print the report as JSON on standard output");
}

CommandLine::CommandLine(const std::string& help, const std::string& program, const std::string& version,
                         bool has_commands)
    : Command(nullptr), owned_(std::make_unique<CLI::App>(help, program)), version_(version) {
    app_ = owned_.get();
    app_->formatter(std::make_shared<Help>());            // commands inherit it,
    app_->set_help_flag("-h,--help", "Print this help");  // and this
    app_->set_version_flag("--version", version, "Print the version");
    add_quiet(*app_);
    if (has_commands) app_->require_subcommand(1);
    app_->allow_windows_style_options(false);  // a path may begin with a slash there too
}

CommandLine::~CommandLine() = default;

CommandPage CommandLine::page() const { return page_of(*app_, app_->get_name()); }

void CommandLine::generate(const std::vector<std::string>& arguments) const {
    const CommandPage program = page();
    const std::string what = arguments.empty() ? "" : arguments.front();
    const std::string name = arguments.size() > 1 ? program.name + " " + arguments[1] : program.name;
    const auto is_asked = [&name](const CommandPage& command) { return command.name == name; };
    const auto command = std::find_if(program.commands.begin(), program.commands.end(), is_asked);
    if (name != program.name && command == program.commands.end())
        throw UsageError("--generate: unknown command '" + printable(arguments[1]) + "'");
    if (what == "man")
        print(manual_page(program, version_));
    else if (what == "markdown")
        print(markdown_page(command == program.commands.end() ? program : *command));
    else
        print(completion_script(program, what));
}

void CommandLine::run(std::vector<std::string> arguments) {
    if (!arguments.empty() && arguments.front() == "--generate") {
        generate({arguments.begin() + 1, arguments.end()});
        return;
    }
    const std::vector<std::string> commands = command_names(*app_);
    const std::optional<std::string> word = word_of_command(arguments);
    if (!commands.empty() && !word)
        for (const std::string& option : arguments)
            if (app_->get_option_no_throw(option) == nullptr)
                throw UsageError(unknown_option(option, *app_) + " (see --help)");
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
