// What `spectrogram` and `spectrum` share for sounds: options, descriptions, the report.
#include "cli/sound_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/text.hpp"

namespace seiche::cli {
namespace {

signal::Window parse_window(const std::string& name) {
    for (const auto window : {signal::Window::hann, signal::Window::hamming, signal::Window::blackman})
        if (name == to_string(window)) return window;
    return signal::Window::rect;
}

}  // namespace

void add_sound_options(CLI::App& command, SoundOptions& options) {
    command.add_option("--window", options.window, "hann, hamming, blackman or rect; periodic")
        ->check(CLI::IsMember({"hann", "hamming", "blackman", "rect"}))
        ->capture_default_str();
    command.add_option("--length", options.length, "Samples in a frame")->check(CLI::PositiveNumber);
    command.add_option("--hop", options.hop, "Samples from one frame to the next")->check(CLI::PositiveNumber);
    command.add_option("--precision", options.precision, "f32 or f64")
        ->check(CLI::IsMember({"f32", "f64"}))
        ->capture_default_str();
}

ShortTimeOptions resolve(const SoundOptions& options, const io::WavFile& file, std::uint64_t length,
                         double hop_of_length) {
    ShortTimeOptions resolved;
    resolved.window = parse_window(options.window);
    resolved.precision = options.precision == "f64" ? Precision::f64 : Precision::f32;
    resolved.length =
        options.length != 0 ? static_cast<std::uint64_t>(options.length) : std::min(length, file.frames());
    if (options.length == 0 && resolved.length < length)
        note("the sound has only " + std::to_string(file.frames()) + " samples: one frame of all of them");
    const double hop = std::floor(static_cast<double>(resolved.length) * hop_of_length);
    resolved.hop = options.hop != 0 ? static_cast<std::uint64_t>(options.hop)
                                    : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(hop));
    return resolved;
}

io::WavFile open_sound(const std::string& path) {
    io::WavFile file(path);
    if (!file.remark().empty()) note("'" + path + "': " + file.remark());
    return file;
}

std::string describe(const ShortTimeOptions& options, const io::WavFile& file) {
    const std::uint32_t channels = file.format().channels;
    return std::string(to_string(options.window)) + " window of " + std::to_string(options.length) + " samples, hop " +
           std::to_string(options.hop) + " \u00b7 " + std::to_string(file.format().sample_rate) + " Hz, " +
           (channels == 1 ? std::string("mono") : std::to_string(channels) + " channels");
}

std::string channel_label(std::uint32_t channel, std::uint32_t channels) {
    if (channels == 1) return "";
    if (channels == 2) return channel == 0 ? "left" : "right";
    return "channel " + std::to_string(channel + 1);
}

draw::Axis frequency_axis(double low, double high) {
    constexpr double kilo = 1000, most_hertz = 2000;
    if (high <= most_hertz) return {"frequency (Hz)", low, high};
    return {"frequency (kHz)", low / kilo, high / kilo};
}

draw::Axis level_axis(const std::string& label, double highest, double range) {
    const double top = std::isfinite(highest) ? 10.0 * std::ceil(highest / 10.0) : 0.0;
    return {label, top - range, top};
}

void print_rows(const std::vector<Row>& rows) {
    constexpr std::size_t column = 14;
    std::string text;
    for (const Row& row : rows) text += row.name + std::string(column - row.name.size(), ' ') + row.value + "\n";
    std::fputs(text.c_str(), stdout);
}

void print_report(const SoundReport& report, bool json) {
    const io::WavFormat& format = report.file.format();
    const ShortTimeFigures& figures = report.figures;
    if (json) {
        print_json({{"device", device_text(report.device)},
                    {"input", report.input},
                    {"size", {format.channels, report.file.frames()}},
                    {"output", report.outputs.front()},
                    {"outputs", report.outputs},
                    {"device_milliseconds", figures.device_milliseconds},
                    {"error", figures.error},
                    {"plan_cold_ms", figures.plan_cold_ms},
                    {"plan_warm_ms", figures.plan_warm_ms},
                    {"channels", format.channels},
                    {"samples", report.file.frames()},
                    {"sample_rate", format.sample_rate},
                    {"window", to_string(report.options.window)},
                    {"length", report.options.length},
                    {"hop", report.options.hop},
                    {"frames", figures.frames},
                    {"frames_checked", figures.checked}});
        return;
    }
    std::string outputs;
    for (const std::string& output : report.outputs) outputs += (outputs.empty() ? "" : ", ") + output;
    print_rows(
        {{"device", device_text(report.device)},
         {"input", report.input},
         {"size", std::to_string(report.file.frames()) + " samples at " + std::to_string(format.sample_rate) + " Hz, " +
                      std::to_string(format.channels) + (format.channels == 1 ? " channel" : " channels")},
         {"frames", std::to_string(figures.frames) + " of " + std::to_string(report.options.length) + ", hop " +
                        std::to_string(report.options.hop)},
         {"output", outputs},
         {"device time", fixed(figures.device_milliseconds, 3) + " ms"},
         {"error", significant(figures.error, 3) + " (relative L2 of " + std::to_string(figures.checked) +
                       " frames against extended precision)"},
         {"plan time",
          "cold " + fixed(figures.plan_cold_ms, 1) + " ms, warm " + fixed(figures.plan_warm_ms, 3) + " ms"}});
}

}  // namespace seiche::cli
