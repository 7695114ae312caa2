// Commands and their options. CLI11 parses them, in one source alone: it takes a compiler seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/command/command_page.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace seiche::cli {

/// An option of a command, as it is being described.
class Option {
public:
    Option required();
    /// The help shows the value that it has now.
    Option capture_default_str();
    /// One argument may hold several values, with this between them.
    Option delimiter(char between);
    Option expected(int count);
    Option allow_extra_args(bool allowed);
    Option excludes(Option other);
    /// What its value is called in the help: "FILE", for which shells complete names of files, "N", "HZ".
    Option value(const std::string& name);
    /// The heading that it stands below in the help; with an empty one it is not shown.
    Option group(const std::string& heading);
    Option one_of(const std::vector<std::string>& values);
    Option positive();
    Option not_negative();
    /// A whole number from `least` to `most`, both included.
    Option within(std::int64_t least, std::int64_t most);
    /// "16k", "2.4M" and "64Ki" stand for 16000, 2400000 and 65536. Bounds are of what they stand for.
    Option quantity();

private:
    friend class Command;
    explicit Option(CLI::Option* option) : option_(option) {}
    CLI::Option* option_;
};

/// A command. It lives as long as the CommandLine that it belongs to; copies stand for the same.
class Command {
public:
    Command add_subcommand(const std::string& name, const std::string& help);
    /// The heading that commands stand below in the help, of those that are added from now on.
    void heading(const std::string& text) { heading_ = text; }
    /// T: a text, an integer, a floating-point number, std::optional or std::vector of one (command_line.cpp has the
    /// list).
    template <class T>
    Option add_option(const std::string& names, T& value, const std::string& help = {});
    /// An option that `set` is given the word of.
    Option add_word(const std::string& name, std::function<void(const std::string&)> set, const std::string& help);
    Option add_flag(const std::string& name, bool& value, const std::string& help = {});
    /// What stands below the options; broken into lines as the help is wide. An empty line parts paragraphs.
    void footer(const std::string& text);
    /// What the command does, once all is read.
    void callback(std::function<void()> work);
    /// Whether the option of this name was given.
    bool has(const std::string& name) const;

protected:
    explicit Command(CLI::App* app) : app_(app) {}
    CLI::App* app_;

private:
    std::string heading_ = "Commands";
};

/// A program's whole command line.
class CommandLine : public Command {
public:
    /// With `has_commands` one of them must be named.
    CommandLine(const std::string& help, const std::string& program, const std::string& version,
                bool has_commands = true);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    /// All that it says of its commands and options, those without a heading left out.
    CommandPage page() const;
    /// Reads the arguments, the program's name not among them, and runs the command that they name; --help and
    /// --version print and return, and so does `--generate WHAT [COMMAND]`, by which a build makes the manual's page
    /// (man), the pages of the documentation (markdown) and completions (bash, zsh, fish). Throws UsageError for what
    /// it cannot read.
    void run(std::vector<std::string> arguments);

private:
    void generate(const std::vector<std::string>& arguments) const;

    std::unique_ptr<CLI::App> owned_;
    std::string version_;
};

/// `--device NAME`.
void add_device_option(Command& command, std::string& device);
/// `--json`.
void add_json_option(Command& command, bool& json);

}  // namespace seiche::cli
