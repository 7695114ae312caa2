// Commands and their options.
#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "cli/failure.hpp"
#include "cli/text.hpp"

namespace seiche::cli {

Option Option::required() { return Option(option_->required()); }
Option Option::capture_default_str() { return Option(option_->capture_default_str()); }
Option Option::delimiter(char between) { return Option(option_->delimiter(between)); }
Option Option::expected(int count) { return Option(option_->expected(count)); }
Option Option::allow_extra_args(bool allowed) { return Option(option_->allow_extra_args(allowed)); }
Option Option::excludes(Option other) { return Option(option_->excludes(other.option_)); }
Option Option::group(const std::string& heading) { return Option(option_->group(heading)); }
Option Option::one_of(std::initializer_list<std::string> values) {
    return Option(option_->check(CLI::IsMember(std::vector<std::string>(values))));
}
Option Option::one_of(std::initializer_list<int> values) {
    return Option(option_->check(CLI::IsMember(std::vector<int>(values))));
}
Option Option::positive() { return Option(option_->check(CLI::PositiveNumber)); }
Option Option::not_negative() { return Option(option_->check(CLI::NonNegativeNumber)); }
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

Command Command::add_subcommand(const std::string& name, const std::string& help) {
    return Command(app_->add_subcommand(name, help));
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
    return Option(app_->add_option_function<std::string>(name, set, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) {
    return Option(app_->add_flag(name, value, help));
}

void Command::footer(const std::string& text) { app_->footer(text); }
void Command::callback(std::function<void()> work) { app_->callback(std::move(work)); }
bool Command::has(const std::string& name) const { return app_->get_option(name)->count() != 0; }

CommandLine::CommandLine(const std::string& help, const std::string& program, const std::string& version,
                         bool has_commands)
    : Command(nullptr), owned_(std::make_unique<CLI::App>(help, program)) {
    app_ = owned_.get();
    app_->set_version_flag("--version", version);
    if (has_commands) app_->require_subcommand(1);
    app_->get_formatter()->column_width(34);
    app_->allow_windows_style_options(false);  // a path may begin with a slash there too
}

CommandLine::~CommandLine() = default;

void CommandLine::run(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // the parser takes them from the back
    try {
        app_->parse(arguments);  // runs the command's callback
    } catch (const CLI::Success& request) {
        app_->exit(request);  // --help, --version
    } catch (const CLI::ParseError& error) {
        throw UsageError(std::string(error.what()) + " (see --help)");
    }
}

}  // namespace seiche::cli
