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
    CommandLine app("Seiche: Fourier transforms on any GPU", "seiche", std::string("seiche ") + seiche::version());
    add_transform(app);
    add_spectrogram(app);
    add_spectrum(app);
    add_resample(app);
    add_convolve(app);
    add_filter(app);
    add_polymul(app);
    add_bigmul(app);
    add_devices(app);
    add_plan(app);
    add_explain(app);
    add_emit(app);
    add_check(app);
    add_bench(app);
    add_cache(app);
    add_pack(app);
    add_tune(app);
    add_features(app);
    add_run(app, program, status);
    add_companions(app);
    app.run(std::move(arguments));
}

}  // namespace

int main(int argc, char** argv) {
    int status = seiche::cli::ok;
    const int own = seiche::cli::guarded([&] { run(seiche::cli::start_process(argc, argv), status); });
    return own != seiche::cli::ok ? own : status;
}
