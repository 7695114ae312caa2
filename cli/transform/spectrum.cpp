// `seiche spectrum`: the spectrum of a recording or a picture; here are the options and Welch's estimate of a recording
// (Peter D. Welch, "The use of fast Fourier transform for the estimation of power spectra", 1967).
#include "cli/transform/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/command/commands.hpp"
#include "cli/draw/line_chart.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t default_length = 4096;
constexpr double default_hop_of_length = 0.5;

/// Levels by channel and frequency.
using Levels = std::vector<std::vector<double>>;

/// What a table calls a channel.
std::string column_name(std::size_t channel, const Channels& channels) {
    std::string name = channel_name(channel, channels);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

std::string unit(const ShortTimeOptions& options) { return options.density ? "dBFS/Hz" : "dBFS"; }

void write_picture(const std::string& path, const io::Recording& file, const ShortTimeOptions& options,
                   const Levels& levels) {
    constexpr double least_range = 60, most_range = 140;  // dB
    const Bins bins = frequency_bins(file, options.length);
    const auto channels = static_cast<std::uint32_t>(levels.size());
    double highest = -INFINITY, lowest = INFINITY;
    draw::LineChart chart;
    for (std::uint32_t c = 0; c < channels; ++c) {
        for (const double level : levels[c]) {
            highest = std::fmax(highest, level);
            if (std::isfinite(level)) lowest = std::fmin(lowest, level);
        }
        chart.curves.push_back({channel_label(c, {channels, !file.is_radio()}), levels[c]});
    }
    const double range = std::isfinite(highest) ? 10 * std::ceil((highest - lowest) / 10) + 10 : 0;
    chart.title = path_of(file.path()).filename().string();
    chart.subtitle = "mean power \u00b7 " + describe(options, file);
    chart.x = frequency_axis(bins.at(0), bins.at(static_cast<double>(bins.count - 1)));
    if (bins.count == 1) {  // of one sample: a point in the middle, or at the left of what a sound can have
        const double half = file.rate() / 2;
        chart.x = frequency_axis(file.is_two_sided() ? bins.first - half : 0, bins.first + half);
        chart.only = bins.first * chart.x.per_hertz;
    }
    chart.y = level_axis("level (" + unit(options) + ")", highest, std::clamp(range, least_range, most_range));
    io::OutputFile png(path);
    draw_line_chart(chart, png);
    png.commit();
}

void write_csv(const std::string& path, const io::Recording& file, const ShortTimeOptions& options,
               const Levels& levels) {
    std::string text = "frequency_hz";
    for (std::size_t c = 0; c < levels.size(); ++c)
        text += "," + column_name(c, {levels.size(), !file.is_radio()}) + (options.density ? "_dbfs_per_hz" : "_dbfs");
    const Bins bins = frequency_bins(file, options.length);
    for (std::size_t k = 0; k < levels[0].size(); ++k) {
        text += "\n" + shortest(bins.at(static_cast<double>(k)));
        for (const auto& channel : levels) text += "," + shortest(channel[k]);
    }
    io::OutputFile csv(path);
    csv.write(text + "\n");
    csv.commit();
}

void write_npy(const std::string& path, const Levels& levels) {
    io::OutputFile npy(path);
    npy.write(io::npy_preamble({io::ElementType::float64, false, false, {levels.size(), levels[0].size()}}));
    for (const auto& channel : levels) npy.write(channel.data(), channel.size() * sizeof(double));
    npy.commit();
}

}  // namespace

void spectrum_of_recording(const SpectrumCommand& command) {
    io::Recording file = open_recording(command.input, command.recording);
    ShortTimeOptions options = resolve(command.sound, file, default_length, default_hop_of_length);
    options.density = command.density;
    const std::uint32_t channels = options.channels(file);
    require_one_frame(file, options);
    const Device device = open_device(command.device);
    require_precision(device, options.precision);
    Levels levels(channels, std::vector<double>(frequency_bins(file, options.length).count));
    std::vector<std::uint64_t> counts(channels);  // of the frames whose powers are numbers
    const ShortTimeFigures figures = short_time_powers(
        device, file, options, [&](std::uint64_t, std::uint32_t channel, const std::vector<double>& powers) {
            if (!is_sound(powers)) return;
            ++counts[channel];
            for (std::size_t k = 0; k < powers.size(); ++k) levels[channel][k] += powers[k];
        });
    note_oddities(file, figures, "left out of the mean");
    if (std::count(counts.begin(), counts.end(), 0u) == channels)
        throw Failure("'" + file.path() + "': expected a frame of finite samples, got none");
    for (std::uint32_t c = 0; c < channels; ++c)
        for (double& level : levels[c]) level = counts[c] == 0 ? NAN : decibels(level / static_cast<double>(counts[c]));
    for (const std::string& path : command.outputs.png) write_picture(path, file, options, levels);
    for (const std::string& path : command.outputs.csv) write_csv(path, file, options, levels);
    for (const std::string& path : command.outputs.npy) write_npy(path, levels);
    print_report({command.input, command.outputs.all, device, file, options, figures}, command.json);
}

namespace {

struct Parsed {
    SpectrumCommand command;
    std::vector<std::string> outputs;
    std::optional<Command> app;
};

/// An option that says nothing about this kind of input is a mistake.
void refuse_options(const Command& app, const std::vector<std::string>& names, const std::string& why) {
    for (const std::string& name : names)
        if (app.has(name)) throw UsageError(std::string(name).append(": only for ").append(why));
}

void run(Parsed& parsed) {
    parsed.command.outputs = sort_outputs(parsed.outputs);
    if (is_recording(parsed.command.input, parsed.command.recording)) {
        refuse_options(*parsed.app, {"--channels", "--phase"}, "pictures");
        spectrum_of_recording(parsed.command);
    } else if (io::kind_of(parsed.command.input) == io::FileKind::picture) {
        refuse_options(*parsed.app,
                       {"--window", "--length", "--hop", "--density", "--start", "--duration", "--mixdown"},
                       "sounds and radio recordings");
        refuse_options(*parsed.app, {"--rate", "--centre"}, "radio recordings");
        spectrum_of_picture(parsed.command);
    } else {
        throw UsageError("expected a picture, a sound, a SigMF recording, or --iq, got '" + parsed.command.input + "'");
    }
}

}  // namespace

void add_spectrum(Command& app) {
    Command command = app.add_subcommand("spectrum", "Show the spectrum of a picture, a sound or a radio recording");
    auto parsed = std::make_shared<Parsed>();
    parsed->app = command;
    SpectrumCommand& options = parsed->command;
    command
        .add_option("IN", options.input,
                    "A picture (.png, .jpg, .webp, .tif), a sound (.wav, .flac, .ogg, .mp3, .aiff), a SigMF recording "
                    "(.sigmf-meta or .sigmf-data), or any file with --iq; - reads standard input")
        .value("FILE")
        .required();
    command
        .add_option("-o,--output", parsed->outputs,
                    "A picture (.png), or numbers: .csv or .npy; - writes to standard output, as do csv:- and npy:-")
        .value("FILE")
        .required()
        .allow_extra_args(false);
    command
        .add_option("--channels", options.channels,
                    "For a picture: luminance (Rec. 709 weights of the stored values), r, g, b, or each of the three")
        .value("NAME")
        .one_of({"luminance", "r", "g", "b", "each"})
        .capture_default_str();
    command.add_flag("--phase", options.phase, "For a picture: show the phase in radians instead of the level");
    add_sound_options(command, options.sound, "4096", "half of the length");
    add_recording_options(command, options.recording);
    command.add_flag("--density", options.density,
                     "For a recording: show the level per Hz (dBFS/Hz) instead of a tone's level (dBFS)");
    add_device_option(command, options.device);
    add_json_option(command, options.json);
    command.footer(
        "For a sound, the result is Welch's estimate: 10 log10(P / 0.5), where P is scipy.signal.welch(x, rate, "
        "window, length, length - hop, detrend=False, scaling='spectrum'), or 'density' with --density. In .npy it is "
        "float64 of shape (channels, frequencies). For a radio recording it is 10 log10(P) with "
        "return_onesided=False; frequencies rise around the centre. Files may be larger than memory.\n\n"
        "For a picture, the result is 20 log10(|F| / pixels), where F is the two-dimensional transform of values from "
        "0 to 1, centred as by numpy.fft.fftshift: a white picture has 0 dB at frequency 0. Transparency is ignored. "
        "In .npy it is float32 of shape (height, width), or (3, height, width) with --channels each. Vertical "
        "frequencies count downward, as rows do. Where several frequencies share one pixel, the strongest is shown, "
        "or with --phase the nearest.");
    command.callback([parsed] { run(*parsed); });
}

}  // namespace seiche::cli
