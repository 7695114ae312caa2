// The command line tool `seiche`.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "cli/system.hpp"
#include "seiche/version.hpp"

namespace {

void run(std::vector<std::string> arguments) {
    using namespace seiche::cli;
    CLI::App app{"Seiche: Fourier transforms on any GPU", "seiche"};
    app.set_version_flag("--version", std::string("seiche ") + seiche::version());
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.allow_windows_style_options(false);  // a path may begin with a slash there too
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
    add_pack(app);
    add_tune(app);
    add_features(app);
    std::reverse(arguments.begin(), arguments.end());  // the parser takes them from the back
    try {
        app.parse(arguments);  // runs the command's callback
    } catch (const CLI::Success& request) {
        app.exit(request);  // --help, --version
    }
}

}  // namespace

int main(int argc, char** argv) {
    return seiche::cli::guarded([argc, argv] { run(seiche::cli::start_process(argc, argv)); });
}
