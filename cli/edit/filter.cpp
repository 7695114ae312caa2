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

void add_filter(Command& app) {
    Command command = app.add_subcommand("filter", "Filter a sound by frequency; blur, sharpen or outline a picture");
    auto options = std::make_shared<FilterCommand>();
    command
        .add_option(
            "FILE", options->input,
            "A sound (.wav, .flac, .ogg, .mp3, .aiff) or a picture (.png, .jpg, .webp, .tif); - for standard input")
        .required();
    command
        .add_option(
            "-o,--output", options->output,
            "The file to write: .wav, .flac, .aiff, .ogg, .mp3, or .png, .jpg, .webp, .tif; - for standard output")
        .required();
    command.add_option("--lowpass", options->lowpass, "Of a sound: what is below this frequency in Hz stays")
        .quantity();
    command.add_option("--highpass", options->highpass, "What is above this frequency stays").quantity();
    command.add_option("--bandpass", options->bandpass, "What is between stays: LOW-HIGH");
    command.add_option("--bandstop", options->bandstop, "What is between goes: LOW-HIGH");
    const Option taps =
        command.add_option("--taps", options->taps, "Length of the filter, odd; instead of --transition").quantity();
    command
        .add_option("--transition", options->transition,
                    "Hz from what stays to what goes, half on each side of the frequency (default: half of the "
                    "distance between the frequencies, 0 and half the rate)")
        .excludes(taps)
        .quantity();
    command.add_option("--attenuation", options->attenuation,
                       "dB by which what goes is weaker, 21 to 180 (default: 60)");
    command.add_option("--gaussian", options->gaussian, "Of a picture: blur with this standard deviation in pixels");
    command.add_option("--box", options->box, "The mean of N x N pixels");
    command.add_option("--sharpen", options->sharpen, "Add what a blur of 1 pixel takes away, so many times");
    command.add_flag("--sobel", options->sobel, "How steep the picture is");
    command.add_option("--kernel", options->kernel,
                       "A kernel of your own: .npy, or a file of the same kind (a picture: divided by its sum)");
    command
        .add_option("--precision", options->precision,
                    "f32 or f64 (default: f32; f64 of sounds with more than 16 bits but float32)")
        .one_of({"f32", "f64"});
    add_loudness_options(command, options->loudness);
    command.add_option("--device", options->device, "Device name, see `seiche devices`");
    command.add_flag("--json", options->json, "Print figures as JSON");
    command.footer(
        "Frequencies may be written as 3.4k. Filters of sounds are windowed sincs with Kaiser's window; nothing is "
        "delayed, and before and after the "
        "sound\n"
        "there is silence. Pictures are mirrored at their borders. Samples beyond what the file can hold are clipped;\n"
        "a note says how many, and of a sound by which --gain none would be.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
