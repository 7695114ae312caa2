// `seiche filter`: frequencies of a sound let through or held back, a picture blurred, sharpened or searched for edges;
// here are the options.
#include "cli/edit/filter.hpp"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/command/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

using Given = std::pair<const char*, bool>;

void refuse(const std::vector<Given>& options, const char* files) {
    for (const auto& [name, given] : options)
        if (given) throw UsageError(std::string(name) + ": only for " + files);
}

/// Exactly one of them.
void require_one(const std::vector<Given>& options, const std::string& what) {
    std::string all, found;
    int count = 0;
    for (const auto& [name, given] : options) {
        all += (all.empty() ? "" : ", ") + std::string(name);
        if (!given) continue;
        ++count;
        found += (found.empty() ? "" : " and ") + std::string(name);
    }
    if (count != 1)
        throw UsageError("expected one of " + all + " for " + what + ", got " + (count == 0 ? "none" : found));
}

void run(const FilterCommand& command) {
    const io::FileKind kind = io::kind_of(command.input);
    if (kind != io::FileKind::sound && kind != io::FileKind::picture)
        throw UsageError("expected an input that is a sound or a picture, got '" + command.input + "'");
    output_kind(command.output, kind);
    const std::vector<Given> bands = {{"--lowpass", command.lowpass.has_value()},
                                      {"--highpass", command.highpass.has_value()},
                                      {"--bandpass", command.bandpass.has_value()},
                                      {"--bandstop", command.bandstop.has_value()}},
                             shapes = {{"--gaussian", command.gaussian.has_value()},
                                       {"--box", command.box.has_value()},
                                       {"--sharpen", command.sharpen.has_value()},
                                       {"--sobel", command.sobel}},
                             details = {{"--taps", command.taps.has_value()},
                                        {"--transition", command.transition.has_value()},
                                        {"--attenuation", command.attenuation.has_value()}};
    const bool is_sound = kind == io::FileKind::sound;
    if (!is_sound && command.loudness.any()) throw UsageError("--gain and --normalise: only for sounds");
    refuse(is_sound ? shapes : bands, is_sound ? "pictures" : "sounds");
    if (!is_sound) refuse(details, "sounds");
    if (!command.kernel.empty()) refuse(details, "filters that are designed, not for --kernel");
    std::vector<Given> choices = is_sound ? bands : shapes;
    choices.emplace_back("--kernel", !command.kernel.empty());
    require_one(choices, is_sound ? "a sound" : "a picture");
    is_sound ? filter_sound(command) : filter_picture(command);
}

}  // namespace

void print_report(const FilterCommand& command, const FilterReport& report) {
    if (!command.json) {
        const std::string line = report.filter + ": " + report.size + ", " + to_string(report.precision) + ", " +
                                 fixed(report.figures.device_milliseconds, 3) + " ms\n";
        print_report_text(line);
        return;
    }
    Json json = {{"device", device_text(report.device)}, {"input", command.input}, {"output", command.output}};
    json.update(report.facts);
    json.update({{"padded", report.figures.padded},
                 {"precision", to_string(report.precision)},
                 {"device_milliseconds", report.figures.device_milliseconds},
                 {"plan_ms", report.figures.plan_ms},
                 {"clipped", report.clipped}});
    print_json(json);
}

namespace {

void add_sound_filters(Command& command, FilterCommand& options) {
    const char* const group = "Filters for sounds";
    command.add_option("--lowpass", options.lowpass, "Keep frequencies below this one")
        .value("HZ")
        .group(group)
        .quantity();
    command.add_option("--highpass", options.highpass, "Keep frequencies above this one")
        .value("HZ")
        .group(group)
        .quantity();
    command.add_option("--bandpass", options.bandpass, "Keep the frequencies between these two")
        .value("LOW-HIGH")
        .group(group);
    command.add_option("--bandstop", options.bandstop, "Remove the frequencies between these two")
        .value("LOW-HIGH")
        .group(group);
    const Option taps =
        command.add_option("--taps", options.taps, "Length of the filter in samples, odd").group(group).quantity();
    command
        .add_option("--transition", options.transition,
                    "Width of the transition band, centred on the frequency, where the amplitude is half (default: "
                    "half of the smallest distance between 0, the frequencies and half the rate)")
        .value("HZ")
        .group(group)
        .excludes(taps)
        .quantity();
    command.add_option("--attenuation", options.attenuation, "Stopband attenuation, 21 to 180 dB (default: 60)")
        .value("DB")
        .group(group);
}

void add_picture_filters(Command& command, FilterCommand& options) {
    const char* const group = "Filters for pictures";
    command
        .add_option("--gaussian", options.gaussian,
                    "Blur with a Gaussian of this standard deviation in pixels, up to 500")
        .value("SIGMA")
        .group(group);
    command.add_option("--box", options.box, "Replace each pixel by the mean of N x N pixels").group(group);
    command
        .add_option("--sharpen", options.sharpen,
                    "Unsharp masking: add so many times the difference from a Gaussian blur of 1 pixel")
        .value("AMOUNT")
        .group(group);
    command.add_flag("--sobel", options.sobel, "Show the edges: the magnitude of Sobel's gradient").group(group);
}

}  // namespace

void add_filter(Command& app) {
    Command command =
        app.add_subcommand("filter", "Filter a sound by frequency; blur or sharpen a picture, or show its edges");
    auto options = std::make_shared<FilterCommand>();
    command
        .add_option("FILE", options->input,
                    "A sound (.wav, .flac, .ogg, .mp3, .aiff) or a picture (.png, .jpg, .webp, .tif); - reads "
                    "standard input")
        .value("FILE")
        .required();
    command
        .add_option("-o,--output", options->output,
                    "A file of the same kind: .wav, .flac, .aiff, .ogg, .mp3, or .png, .jpg, .webp, .tif; - writes to "
                    "standard output")
        .value("FILE")
        .required();
    add_sound_filters(command, *options);
    add_picture_filters(command, *options);
    command
        .add_option("--kernel", options->kernel,
                    "Your own kernel: an array (.npy), or a file of the same kind (a picture is divided by its sum)")
        .value("FILE");
    command
        .add_option("--precision", options->precision,
                    "The arithmetic: f32 or f64 (default: f64 for sounds of more than 16 bits, except float32; else "
                    "f32)")
        .value("PRECISION")
        .one_of({"f32", "f64"});
    add_loudness_options(command, options->loudness);
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "Frequencies may have a suffix: 3.4k. The filters for sounds are windowed sincs with a Kaiser window. They do "
        "not delay the sound; before and after it there is silence. Pictures are mirrored at their borders.\n\n"
        "Samples outside the file's range are clipped. A note says how many, and for a sound the largest --gain that "
        "clips none.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
