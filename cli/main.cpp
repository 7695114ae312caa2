// The command line tool `seiche`.
#include <string>
#include <utility>
#include <vector>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/launch/companion.hpp"
#include "cli/launch/run.hpp"
#include "cli/system/system.hpp"
#include "seiche/version.hpp"

namespace {

void run(std::vector<std::string> arguments, int& status) {
    using namespace seiche::cli;
    if (run_companion(arguments, status)) return;
    const std::vector<std::string> program = take_program_of_run(arguments);
    CommandLine app("Fourier transforms on any GPU, for files and for measuring", "seiche",
                    std::string("seiche ") + seiche::version());
    app.heading("Transform and change files");
    add_transform(app);
    add_spectrogram(app);
    add_spectrum(app);
    add_resample(app);
    add_convolve(app);
    add_filter(app);
    app.heading("Multiply numbers");
    add_polymul(app);
    add_bigmul(app);
    app.heading("Look at devices and plans");
    add_devices(app);
    add_plan(app);
    add_explain(app);
    add_emit(app);
    add_features(app);
    app.heading("Check and measure");
    add_check(app);
    add_bench(app);
    add_tune(app);
    app.heading("Keep compiled kernels");
    add_cache(app);
    add_pack(app);
    app.heading("Run other programs");
    add_run(app, program, status);
    add_companions(app);
    app.heading("Help");
    add_help(app);
    add_completion(app);
    app.footer(
        "`seiche help COMMAND` prints the options of a command.\n\n"
        "Results go to standard output; notes and errors go to standard error, one line each. The exit status is 0 "
        "for success, 1 if the work failed and 2 if the command line is wrong. $SEICHE_DEVICE names the default "
        "device. Rates, frequencies and counts may have a suffix: k, M and G are powers of 1000, Ki, Mi and Gi of "
        "1024.");
    app.run(std::move(arguments));
}

}  // namespace

int main(int argc, char** argv) {
    int status = seiche::cli::ok;
    const int own = seiche::cli::guarded([&] { run(seiche::cli::start_process(argc, argv), status); });
    return own != seiche::cli::ok ? own : status;
}
