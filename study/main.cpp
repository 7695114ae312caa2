// seiche-study: rebuilds the systems of five published texts on one device, times them by each text's own protocol, and
// writes a report.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <ctime>
#include <memory>
#include <thread>

#include "cli/command/command_line.hpp"
#include "cli/command/report.hpp"
#include "cli/io/output_file.hpp"
#include "cli/measure/spread.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"
#include "seiche/wisdom.hpp"
#include "study/headline.hpp"
#include "study/texts.hpp"

namespace seiche::study {
namespace {

struct Options {
    std::vector<std::string> texts;
    std::string device, output, chart, opengl;
    Protocol protocol;
    std::optional<std::uint64_t> every;
    bool json = false;
    std::string command;
};

std::string names_of_texts() {
    std::string names;
    for (const Text& text : texts()) names += text.key + ", ";
    return names + "all";
}

std::vector<Text> chosen(const std::vector<std::string>& names) {
    std::vector<Text> result;
    const auto is_named = [&](const std::string& key) {
        return names.empty() || std::find(names.begin(), names.end(), key) != names.end() ||
               std::find(names.begin(), names.end(), "all") != names.end();
    };
    for (const std::string& name : names)
        if (name != "all" &&
            std::none_of(texts().begin(), texts().end(), [&](const Text& text) { return text.key == name; }))
            throw cli::UsageError("TEXT: expected one of " + names_of_texts() + "; got '" + name + "'");
    for (const Text& text : texts())
        if (is_named(text.key)) result.push_back(text);
    return result;
}

void check_lengths(const std::vector<std::uint64_t>& lengths) {
    for (const std::uint64_t n : lengths)
        if (n < 4 || !std::has_single_bit(n))
            throw cli::UsageError("--lengths: expected powers of two from 4 on, got " + std::to_string(n));
}

/// Before hours of measuring.
void check_chart(const std::string& path, const std::vector<Text>& wanted) {
    if (path.empty()) return;
    if (!path.ends_with(".svg"))
        throw cli::UsageError("--chart: expected a name that ends in .svg, got '" + path + "'");
    if (std::none_of(wanted.begin(), wanted.end(), [](const Text& text) { return text.has_recipes; }))
        throw cli::UsageError("--chart: expected a text with algorithms to compare, got " + wanted.front().key +
                              " alone, which describes a library");
}

/// "2026-11-23 01:40 UTC"
std::string now_text() {
    const std::time_t now = std::time(nullptr);
    char text[64];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
    return text;
}

/// The libraries that the text's benchmark has beside it, and those of their kind.
std::vector<std::string> usual_peers(Backend backend) {
    switch (backend) {
        case Backend::cuda: return {"cufft"};
        case Backend::hip: return {"rocfft"};
        case Backend::opencl: return {"clfft", "vkfft"};
        default: return {};
    }
}

/// The device that --opengl names; without it, in a full report of a card, that of the same card, if there is one.
Device opengl_beside(const Options& options, const DeviceInfo& info) {
    if (!options.opengl.empty()) {
        Device named = Device::open(options.opengl);
        if (named.info().backend == Backend::opengl) return named;
        throw cli::UsageError("--opengl: expected a device opengl:..., got '" + options.opengl + "'");
    }
    if (options.protocol.is_quick || !options.protocol.lengths.empty()) return {};
    if (!info.is_gpu || info.backend == Backend::opengl) return {};
    try {
        return Device::open("opengl:" + info.description.substr(0, info.description.find(" (")));
    } catch (const Unsupported&) {
        return {};
    }
}

/// How far ahead of the texts' recipes the automatic plan is.
std::vector<Paragraph> summary_of(const Laboratory& laboratory) {
    std::vector<Paragraph> summary;
    const auto& leads = laboratory.leads();
    if (!leads.empty()) {
        std::vector<double> ratios;
        std::size_t ahead = 0;
        for (const auto& lead : leads) ratios.push_back(lead.ratio), ahead += lead.ratio > 1;
        const auto least = std::min_element(leads.begin(), leads.end(),
                                            [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
        summary.push_back({"Seiche's own plan is ahead of the fastest of the texts' algorithms in " +
                           std::to_string(ahead) + " of " + std::to_string(leads.size()) +
                           " problems: " + cli::significant(cli::spread_of(ratios).median, 3) +
                           " times as fast in the median; least " + cli::significant(least->ratio, 3) + " times (" +
                           least->problem + ", beside " + least->recipe + ")."});
    }
    summary.push_back(
        {"Every answer was checked against extended precision before it was timed. Figures in colour are "
         "printed in the texts; all others were measured for this report."});
    for (const std::string& fault : laboratory.wrong()) summary.push_back({"Wrong answer: " + fault});
    return summary;
}

void write_file(const std::string& path, const std::string& text) {
    cli::io::OutputFile file(path);
    file.write(text);
    file.commit();
}

/// After each text, so that an interrupted run leaves what it had.
void write_report(const Options& options, const Document& document, const Laboratory& laboratory) {
    if (!options.output.empty()) write_file(options.output, html_of(document));
    if (options.chart.empty() || laboratory.races().empty()) return;
    write_file(options.chart, headline_svg(paces_of(laboratory.races()), document.device + ", " + document.date));
}

void run(Options& options) {
    const std::vector<Text> wanted = chosen(options.texts);
    check_lengths(options.protocol.lengths);
    check_chart(options.chart, wanted);
    const Device device = cli::open_device(options.device);
    const bool is_short = options.protocol.is_quick || !device.info().is_gpu;
    options.protocol.every = options.every.value_or(is_short ? 0 : 1);
    if (options.protocol.peers.empty() && !options.protocol.is_quick && options.protocol.lengths.empty())
        options.protocol.peers = usual_peers(device.info().backend);
    options.protocol.opengl = opengl_beside(options, device.info());
    Laboratory laboratory(device, options.protocol);
    Document document;
    document.title = "Five published FFT systems, rebuilt and timed side by side";
    document.device = cli::device_text(device);
    document.driver = device.info().driver;
    document.machine = std::to_string(std::max(1u, std::thread::hardware_concurrency())) + " hardware threads";
    document.date = now_text();
    document.command = options.command;
    document.version = std::string("seiche ") + version();
    document.is_quick = options.protocol.is_quick;
    for (const Text& text : wanted) {
        laboratory.begin(text.key);
        Section section = text.study(laboratory);
        section.seconds = laboratory.end();
        if (!options.json) cli::print(terminal_text(section));
        std::fflush(stdout);
        document.sections.push_back(std::move(section));
        document.summary = summary_of(laboratory);
        write_report(options, document, laboratory);
    }
    if (options.json)
        cli::print(json_of(document));
    else
        cli::print("\n" + document.summary.front().words + "\n");
    if (!options.output.empty()) cli::note("wrote " + options.output);
    if (!options.chart.empty() && laboratory.races().empty())
        throw cli::Failure("--chart: expected times of an algorithm beside those of Seiche's own plan, got none");
    if (!options.chart.empty()) cli::note("wrote " + options.chart);
    if (!laboratory.wrong().empty())
        throw cli::Failure(std::to_string(laboratory.wrong().size()) +
                           " wrong answers, the first: " + laboratory.wrong().front());
}

void run_program(const std::vector<std::string>& arguments) {
    cli::CommandLine app(
        "Rebuild the FFT systems of five published texts, and time each by its text's protocol beside Seiche's plan",
        "seiche study", std::string("seiche ") + version(), false);
    Options options;
    options.command = "seiche study";
    for (const std::string& argument : arguments) options.command += " " + argument;
    app.add_option("TEXT", options.texts, "The texts: " + names_of_texts() + " (default)").value("TEXT");
    cli::add_device_option(app, options.device);
    app.add_flag("--quick", options.protocol.is_quick, "Measure fewer lengths, in about a minute");
    app.add_option("--lengths", options.protocol.lengths, "Measure these powers of two instead of each text's lengths")
        .delimiter(',');
    app.add_option("--every", options.every,
                   "Measure every Nth of vkfft2022's lengths from 2 to 4096 (default: 1 on a GPU; 0, a sample, on a "
                   "CPU and with --quick)");
    app.add_option("--vs", options.protocol.peers,
                   "Other libraries beside mota2022, romero2007 and vkfft2022: fftw, clfft, vkfft, vkfft-vulkan, "
                   "cufft, rocfft (default: cufft on CUDA, rocfft on HIP, clfft and vkfft on OpenCL; none with "
                   "--quick)")
        .value("NAME")
        .delimiter(',');
    app.add_option("--opengl", options.opengl,
                   "The OpenGL device for mota2022's radices in GLSL (default: in a full report of a card, that card)")
        .value("NAME");
    app.add_word(
           "--twiddles",
           [&options](const std::string& method) {
               options.protocol.twiddles = parse_tuning("twiddles=" + method).twiddles;
           },
           "Where roots of unity come from, if the text does not say: table (default), on-the-fly, native or "
           "recurrence")
        .value("METHOD");
    app.add_option("-o,--output", options.output, "Write the report to this HTML file").value("FILE");
    app.add_option("--chart", options.chart,
                   "Draw the speed of Seiche's plan relative to each text's algorithms to this SVG file")
        .value("FILE");
    cli::add_json_option(app, options.json);
    app.footer(
        "The report is one file that needs no other. Figures that a text prints are quoted; if our copy of a text "
        "lacks "
        "a figure's data, the report says so. Other libraries run in seiche-peers.");
    app.callback([&options] { run(options); });
    app.run(arguments);
}

}  // namespace
}  // namespace seiche::study

int main(int argc, char** argv) {
    using namespace seiche;
    return cli::guarded([&] { study::run_program(cli::start_process(argc, argv)); });
}
