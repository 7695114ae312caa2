// The command line tool `seiche`.
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "seiche/version.hpp"

namespace {

void run(int argc, char** argv) {
    using namespace seiche::cli;
    CLI::App app{"Seiche: Fourier transforms on any GPU", "seiche"};
    app.set_version_flag("--version", std::string("seiche ") + seiche::version());
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
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
    add_emit(app);
    add_check(app);
    add_bench(app);
    add_cache(app);
    add_features(app);
    try {
        app.parse(argc, argv);  // runs the command's callback
    } catch (const CLI::Success& request) {
        app.exit(request);  // --help, --version
    }
}

}  // namespace

int main(int argc, char** argv) {
    return seiche::cli::guarded([argc, argv] { run(argc, argv); });
}
