// What the commands share for sounds and radio recordings: options, descriptions, the report.
#include "cli/sound_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/io/sigmf.hpp"
#include "cli/text.hpp"

namespace seiche::cli {
namespace {

signal::Window parse_window(const std::string& name) {
    for (const auto window : {signal::Window::hann, signal::Window::hamming, signal::Window::blackman})
        if (name == to_string(window)) return window;
    return signal::Window::rect;
}

io::WavFile open_sound(const std::string& path) {
    io::WavFile file(path);
    if (!file.remark().empty()) note("'" + path + "': " + file.remark());
    return file;
}

io::IqFile open_raw(const std::string& path, const RecordingOptions& options) {
    if (io::is_sigmf(path)) throw UsageError("--iq: expected none for SigMF, whose metadata say the type");
    if (!options.rate) throw UsageError("--iq: expected --rate too, the samples per second");
    const io::IqFormat format{io::parse_iq_type(options.iq), *options.rate, options.centre.value_or(0)};
    try {
        check(format);
    } catch (const Failure& failure) {
        throw UsageError(failure.what());
    }
    return io::IqFile(path, format);
}

/// A whole number as an integer, so that JSON has 8000 and not 8000.0.
Json plain(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

/// "2400000 Hz": a whole number in full.
std::string plain_hertz(double value) { return plain(value).dump() + " Hz"; }

}  // namespace

void add_sound_options(Command& command, SoundOptions& options) {
    command.add_option("--window", options.window, "hann, hamming, blackman or rect; periodic")
        .one_of({"hann", "hamming", "blackman", "rect"})
        .capture_default_str();
    command.add_option("--length", options.length, "Samples in a frame").positive();
    command.add_option("--hop", options.hop, "Samples from one frame to the next").positive();
    command.add_option("--precision", options.precision, "f32 or f64").one_of({"f32", "f64"}).capture_default_str();
}

ShortTimeOptions resolve(const SoundOptions& options, const io::Recording& file, std::uint64_t length,
                         double hop_of_length) {
    ShortTimeOptions resolved;
    resolved.window = parse_window(options.window);
    resolved.precision = options.precision == "f64" ? Precision::f64 : Precision::f32;
    resolved.length =
        options.length != 0 ? static_cast<std::uint64_t>(options.length) : std::min(length, file.frames());
    if (options.length == 0 && resolved.length < length)
        note("the recording has only " + std::to_string(file.frames()) + " samples: one frame of all of them");
    const double hop = std::floor(static_cast<double>(resolved.length) * hop_of_length);
    resolved.hop = options.hop != 0 ? static_cast<std::uint64_t>(options.hop)
                                    : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(hop));
    return resolved;
}

void add_recording_options(Command& command, RecordingOptions& options) {
    command
        .add_option("--iq", options.iq,
                    "IN is a raw radio recording: little-endian pairs (in phase, quadrature) of this type")
        .one_of({"cu8", "cs8", "cs16", "cf32", "cf64"});
    command.add_option("--rate", options.rate, "Samples per second of a raw recording, or where SigMF says none");
    command.add_option("--centre", options.centre,
                       "Radio frequency in Hz that was mixed down to 0; likewise (default 0)");
}

bool is_recording(const std::string& path, const RecordingOptions& options) {
    return !options.iq.empty() || io::is_sigmf(path) || extension(path) == ".wav";
}

io::Recording open_recording(const std::string& path, const RecordingOptions& options) {
    if (!options.iq.empty()) return io::Recording(open_raw(path, options));
    if (io::is_sigmf(path)) return io::Recording(io::open_sigmf(path, options.rate, options.centre));
    if (options.rate || options.centre)
        throw UsageError(std::string(options.rate ? "--rate" : "--centre") + ": only for radio recordings");
    return io::Recording(open_sound(path));
}

std::string describe(const ShortTimeOptions& options, const io::Recording& file) {
    const std::uint32_t channels = file.channels();
    const std::string kind = file.is_two_sided() ? file.type() + " around " + plain_hertz(file.centre())
                             : channels == 1     ? "mono"
                                                 : std::to_string(channels) + " channels";
    return std::string(to_string(options.window)) + " window of " + std::to_string(options.length) + " samples, hop " +
           std::to_string(options.hop) + " \u00b7 " + plain_hertz(file.rate()) + ", " + kind;
}

std::string channel_label(std::uint32_t channel, std::uint32_t channels) {
    if (channels == 1) return "";
    if (channels == 2) return channel == 0 ? "left" : "right";
    return "channel " + std::to_string(channel + 1);
}

draw::Axis frequency_axis(double low, double high) {
    constexpr double kilo = 1e3, mega = 1e6, most_of_unit = 2000;
    const double widest = std::max(std::abs(low), std::abs(high));
    if (widest <= most_of_unit) return {"frequency (Hz)", low, high};
    if (widest <= most_of_unit * kilo) return {"frequency (kHz)", low / kilo, high / kilo};
    return {"frequency (MHz)", low / mega, high / mega};
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
    const io::Recording& file = report.file;
    const std::uint32_t channels = file.channels();
    const ShortTimeFigures& figures = report.figures;
    if (json) {
        Json json_report = {{"device", device_text(report.device)},
                            {"input", report.input},
                            {"size", {channels, file.frames()}},
                            {"output", report.outputs.front()},
                            {"outputs", report.outputs},
                            {"device_milliseconds", figures.device_milliseconds},
                            {"error", figures.error},
                            {"plan_cold_ms", figures.plan_cold_ms},
                            {"plan_warm_ms", figures.plan_warm_ms},
                            {"channels", channels},
                            {"samples", file.frames()},
                            {"sample_rate", plain(file.rate())},
                            {"window", to_string(report.options.window)},
                            {"length", report.options.length},
                            {"hop", report.options.hop},
                            {"frames", figures.frames},
                            {"frames_checked", figures.checked}};
        if (file.is_two_sided()) json_report.update({{"iq", file.type()}, {"centre", plain(file.centre())}});
        print_json(json_report);
        return;
    }
    std::string outputs;
    for (const std::string& output : report.outputs) outputs += (outputs.empty() ? "" : ", ") + output;
    print_rows(
        {{"device", device_text(report.device)},
         {"input", report.input},
         {"size", std::to_string(file.frames()) + " samples at " + plain_hertz(file.rate()) + ", " +
                      (file.is_two_sided() ? file.type() + " around " + plain_hertz(file.centre())
                                           : std::to_string(channels) + (channels == 1 ? " channel" : " channels"))},
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
