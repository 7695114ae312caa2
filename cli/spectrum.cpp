// `seiche spectrum`: the spectrum of a sound or a picture; here are the options and Welch's estimate of a sound
// (Peter D. Welch, "The use of fast Fourier transform for the estimation of power spectra", 1967).
#include "cli/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/draw/line_chart.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/text.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t default_length = 4096;
constexpr double default_hop_of_length = 0.5;

/// Levels by channel and frequency.
using Levels = std::vector<std::vector<double>>;

std::string unit(const ShortTimeOptions& options) { return options.density ? "dBFS/Hz" : "dBFS"; }

void write_picture(const std::string& path, const io::WavFile& file, const ShortTimeOptions& options,
                   const Levels& levels) {
    constexpr double least_range = 60, most_range = 140;  // dB
    const double rate = file.format().sample_rate, n = static_cast<double>(options.length);
    double highest = -INFINITY, lowest = INFINITY;
    draw::LineChart chart;
    for (std::uint32_t c = 0; c < levels.size(); ++c) {
        for (const double level : levels[c]) {
            highest = std::fmax(highest, level);
            if (std::isfinite(level)) lowest = std::fmin(lowest, level);
        }
        chart.curves.push_back({channel_label(c, file.format().channels), levels[c]});
    }
    const double range = std::isfinite(highest) ? 10 * std::ceil((highest - lowest) / 10) + 10 : 0;
    chart.title = std::filesystem::path(file.path()).filename().string();
    chart.subtitle = "mean power \u00b7 " + describe(options, file);
    chart.x = frequency_axis(0, std::floor(n / 2) * rate / n);
    chart.y = level_axis("level (" + unit(options) + ")", highest, std::clamp(range, least_range, most_range));
    io::OutputFile png(path);
    draw_line_chart(chart, png);
    png.commit();
}

void write_csv(const std::string& path, const io::WavFile& file, const ShortTimeOptions& options,
               const Levels& levels) {
    std::string text = "frequency_hz";
    for (std::size_t c = 0; c < levels.size(); ++c)
        text += ",channel_" + std::to_string(c) + (options.density ? "_dbfs_per_hz" : "_dbfs");
    const double bin = file.format().sample_rate / static_cast<double>(options.length);
    for (std::size_t k = 0; k < levels[0].size(); ++k) {
        text += "\n" + shortest(static_cast<double>(k) * bin);
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

void spectrum_of_sound(const SpectrumCommand& command) {
    io::WavFile file = open_sound(command.input);
    ShortTimeOptions options = resolve(command.sound, file, default_length, default_hop_of_length);
    options.density = command.density;
    require_one_frame(file, options);
    const Device device = open_device(command.device);
    require_precision(device, options.precision);
    Levels levels(file.format().channels, std::vector<double>(options.length / 2 + 1));
    const ShortTimeFigures figures = short_time_powers(
        device, file, options, [&](std::uint64_t, std::uint32_t channel, const std::vector<double>& powers) {
            for (std::size_t k = 0; k < powers.size(); ++k) levels[channel][k] += powers[k];
        });
    for (auto& channel : levels)
        for (double& level : channel) level = decibels(level / static_cast<double>(figures.frames));
    for (const std::string& path : command.outputs.png) write_picture(path, file, options, levels);
    for (const std::string& path : command.outputs.csv) write_csv(path, file, options, levels);
    for (const std::string& path : command.outputs.npy) write_npy(path, levels);
    print_report({command.input, command.outputs.all, device, file, options, figures}, command.json);
}

namespace {

struct Parsed {
    SpectrumCommand command;
    std::vector<std::string> outputs;
    CLI::App* app = nullptr;
};

/// An option that says nothing about this kind of input is a mistake.
void refuse_options(const CLI::App& app, const std::vector<std::string>& names, const std::string& why) {
    for (const std::string& name : names)
        if (app.get_option(name)->count() != 0) throw UsageError(std::string(name).append(": only for ").append(why));
}

void run(Parsed& parsed) {
    parsed.command.outputs = sort_outputs(parsed.outputs);
    const std::string kind = extension(parsed.command.input);
    if (kind == ".wav") {
        refuse_options(*parsed.app, {"--channels", "--phase"}, "pictures");
        spectrum_of_sound(parsed.command);
    } else if (kind == ".png") {
        refuse_options(*parsed.app, {"--window", "--length", "--hop", "--density"}, "sounds");
        spectrum_of_picture(parsed.command);
    } else {
        throw UsageError("expected an input that ends in .png or .wav, got '" + parsed.command.input + "'");
    }
}

}  // namespace

void add_spectrum(CLI::App& app) {
    auto* command = app.add_subcommand("spectrum", "The spectrum of a picture or a sound");
    auto parsed = std::make_shared<Parsed>();
    parsed->app = command;
    SpectrumCommand& options = parsed->command;
    command->add_option("IN", options.input, "A .png picture or a .wav sound")->required();
    command->add_option("-o,--output", parsed->outputs, "A .png picture, or numbers as .csv or .npy; may be repeated")
        ->required()
        ->allow_extra_args(false);
    command
        ->add_option("--channels", options.channels,
                     "Of a picture: luminance (Rec. 709 weights of the stored values), r, g, b, or each of the three")
        ->check(CLI::IsMember({"luminance", "r", "g", "b", "each"}))
        ->capture_default_str();
    command->add_flag("--phase", options.phase, "Of a picture: the phase in radians instead of the level");
    add_sound_options(*command, options.sound);
    command->add_flag("--density", options.density, "Of a sound: level per Hz (dBFS/Hz) instead of a sine's (dBFS)");
    command->add_option("--device", options.device, "Device name, see `seiche devices`");
    command->add_flag("--json", options.json, "Print figures as JSON");
    command->footer(
        "A sound: Welch's estimate, --length 4096 --hop length/2 by default; 10 log10(P / 0.5) with P of\n"
        "scipy.signal.welch(x, rate, window, length, length - hop, detrend=False, scaling='spectrum' or 'density').\n"
        ".npy: float64, shape (channels, frequencies).\n"
        "A picture: 20 log10(|F| / pixels) of the two-dimensional transform F of values from 0 to 1, centred as\n"
        "numpy.fft.fftshift does; a white picture has 0 dB at frequency 0. Transparency is ignored. .npy: float32,\n"
        "shape (height, width), with --channels each (3, height, width). In the picture the vertical frequency counts\n"
        "upward and, where several frequencies fall on one pixel, the strongest shows (of phases the nearest).");
    command->callback([parsed] { run(*parsed); });
}

}  // namespace seiche::cli
