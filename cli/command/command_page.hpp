// What a program says of its commands and options. The help, the manual's page, the reference of the documentation and
// the completions of shells are all made from it, and it is read off the option parser: so they cannot differ.
#pragma once

#include <string>
#include <vector>

namespace seiche::cli {

struct OptionPage {
    std::vector<std::string> names;  ///< {"-o", "--output"}; of an argument its name alone.
    std::string value;               ///< What its value is called: "FILE". Empty: it takes none.
    std::vector<std::string> choices;
    std::string preset;  ///< The value that it has by default, where the parser knows it.
    std::vector<std::string> excludes;
    std::string help, group;
    bool is_argument = false, is_required = false, is_repeated = false;
};

struct CommandPage {
    std::string name;  ///< With the program's: "seiche transform".
    std::string summary, group;
    std::vector<OptionPage> options;  ///< Arguments come first.
    std::string footer;
    std::vector<CommandPage> commands;
};

/// "seiche transform [OPTIONS] -o FILE IN".
std::string usage_of(const CommandPage& page);
/// "-o, --output FILE"; "IN".
std::string heading_of(const OptionPage& option);
/// The help with what the parser knows beside it: choices that the help does not name, the default, what it excludes.
std::string meaning_of(const OptionPage& option);
/// The headings of the options or of the commands, in order, each once.
std::vector<std::string> groups_of(const std::vector<OptionPage>& options);
std::vector<std::string> groups_of(const std::vector<CommandPage>& commands);
/// The command's own name: "transform" of "seiche transform".
std::string last_word(const std::string& name);

/// The file of a program: "seiche-study" of "seiche study".
std::string program_file(const std::string& name);

/// What --help prints, in lines that every terminal has room for.
std::string help_text(const CommandPage& page);
/// The program with all its commands as a page of the manual, in roff's man macros.
std::string manual_page(const CommandPage& program, const std::string& version);
/// A command as a page of the documentation; a program with commands as the list of them.
std::string markdown_page(const CommandPage& page);

/// What a shell completes the program's command line by; `shell` is one of shells(). Throws UsageError for others.
std::string completion_script(const CommandPage& program, const std::string& shell);
std::vector<std::string> shells();

}  // namespace seiche::cli
