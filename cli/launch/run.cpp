// `seiche run`: the dynamic linker is asked to load Seiche's libraries before all others.
#include "cli/launch/run.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/system/child_process.hpp"
#include "cli/system/environment.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

#ifndef SEICHE_DROP_INS  // from the tool's folder; CMake says where it installs them
#define SEICHE_DROP_INS "../lib/seiche"
#endif

namespace seiche::cli {
namespace {

/// What stands in for one library: files below the folder of drop-in replacements, and the variables they heed.
struct DropIn {
    const char *option, *help, *report_variable, *log_variable, *package;
    std::vector<const char*> files;
};

// Programs ask for one of the two versions by name and never get the other, so that both may be there.
// FFTW's companions call into FFTW's own library and no other, so that they are replaced with it.
const std::array drop_ins{DropIn{"--cufft",
                                 "Replace cuFFT, of CUDA 12 and 13",
                                 "SEICHE_CUFFT_REPORT",
                                 "SEICHE_CUFFT_LOG",
                                 "seiche-cufft",
                                 {"cufft-12/libcufft.so.12", "cufft-11/libcufft.so.11"}},
                          DropIn{"--fftw",
                                 "Replace FFTW 3, double and single precision",
                                 "SEICHE_FFTW_REPORT",
                                 "SEICHE_FFTW_LOG",
                                 "seiche-fftw",
                                 {"fftw/libfftw3.so.3", "fftw/libfftw3f.so.3", "fftw/libfftw3_threads.so.3",
                                  "fftw/libfftw3f_threads.so.3", "fftw/libfftw3_omp.so.3", "fftw/libfftw3f_omp.so.3"}}};

struct RunOptions {
    std::array<bool, drop_ins.size()> chosen{};
    bool report = false, log = false;
    std::vector<std::string> program;  ///< For the help: take_program_of_run takes it before options are read.
};

/// Beside the tool in a build folder, below the prefix where it is installed, or beside its folder in a wheel.
std::filesystem::path folder_of(const DropIn& drop_in) {
    const auto own = path_of(own_path()).parent_path();
    for (const char* const place : {"compat", SEICHE_DROP_INS, "../drop_ins"}) {
        std::error_code error;
        auto folder = std::filesystem::weakly_canonical(own / place, error);
        const auto is_there = [&](const char* file) { return std::filesystem::exists(folder / file, error); };
        if (!error && std::all_of(drop_in.files.begin(), drop_in.files.end(), is_there)) return folder;
    }
    throw Failure(std::string("run ") + drop_in.option + ": there is no " + drop_in.files.front() +
                  " beside this program: expected the package " + drop_in.package +
                  ", or a build for Linux with -DSEICHE_BUILD_COMPAT=ON");
}

std::string preload(const RunOptions& options) {
    std::string list;
    for (std::size_t i = 0; i < drop_ins.size(); ++i) {
        if (!options.chosen[i]) continue;
        const auto folder = folder_of(drop_ins[i]);
        // The dynamic linker takes both for the end of a name.
        if (folder.string().find_first_of(": ") != std::string::npos)
            throw Failure("run: LD_PRELOAD takes no path with a space or a colon, as in '" +
                          printable(folder.string()) + "'");
        for (const char* const file : drop_ins[i].files) list += (list.empty() ? "" : ":") + (folder / file).string();
    }
    if (const std::string others = environment("LD_PRELOAD"); !others.empty()) list += ":" + others;
    return list;
}

int run(const RunOptions& options, const std::vector<std::string>& program) {
    std::vector<std::pair<std::string, std::string>> variables;
    for (std::size_t i = 0; i < drop_ins.size(); ++i) {
        if (!options.chosen[i]) continue;
        if (options.report) variables.emplace_back(drop_ins[i].report_variable, "1");
        if (options.log) variables.emplace_back(drop_ins[i].log_variable, "1");
    }
    if (std::none_of(options.chosen.begin(), options.chosen.end(), [](bool chosen) { return chosen; }))
        throw UsageError("run: expected --cufft or --fftw before the program's name (see seiche run --help)");
    if (program.empty()) throw UsageError("run: expected a program to run (see seiche run --help)");
    variables.emplace_back("LD_PRELOAD", preload(options));
    return run_program(program, variables);
}

}  // namespace

std::vector<std::string> take_program_of_run(std::vector<std::string>& arguments) {
    const auto is_word = [](const std::string& argument) { return argument.empty() || argument.front() != '-'; };
    const auto command = std::find_if(arguments.begin(), arguments.end(), is_word);
    if (command == arguments.end() || *command != "run") return {};
    const auto program = std::find_if(command + 1, arguments.end(), is_word);
    std::vector<std::string> taken(program, arguments.end());
    arguments.erase(program, arguments.end());
    return taken;
}

void add_run(Command& app, const std::vector<std::string>& program, int& status) {
    Command command = app.add_subcommand("run", "Run another program with Seiche in place of its FFT library");
    auto options = std::make_shared<RunOptions>();
    command.add_option("PROGRAM", options->program, "The program to run, and its arguments").value("PROGRAM");
    for (std::size_t i = 0; i < drop_ins.size(); ++i)
        command.add_flag(drop_ins[i].option, options->chosen[i], drop_ins[i].help);
    command.add_flag("--report", options->report,
                     "At the program's end, print how many plans and executions there were, and what was refused");
    command.add_flag("--log", options->log, "Print a line for each call that is refused");
    command.footer(
        "For example: seiche run --cufft --report python train.py\n"
        "\n"
        "The first word that is not an option is the program; all words behind it are the program's own. The exit "
        "status is the program's.\n\n"
        "This works on Linux, through LD_PRELOAD. It does not reach programs that are setuid or statically linked, or "
        "that open the other library by its full path.");
    command.callback([options, program, &status] { status = run(*options, program); });
}

}  // namespace seiche::cli
