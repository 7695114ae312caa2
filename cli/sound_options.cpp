// What the commands share for sounds and radio recordings: options, descriptions, the report.
#include "cli/sound_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/io/file_kind.hpp"
#include "cli/io/sigmf.hpp"
#include "cli/text.hpp"

namespace seiche::cli {
namespace {

constexpr const char* in_sound_file = "wav";

signal::Window parse_window(const std::string& name) {
    for (const auto window : {signal::Window::hann, signal::Window::hamming, signal::Window::blackman})
        if (name == to_string(window)) return window;
    return signal::Window::rect;
}

/// The frequency that a file says and the one that was given, which must not differ.
double settle(std::optional<double> said, std::optional<double> given, const std::string& option) {
    if (said && given && *said != *given)
        throw Failure(option + ": the file says " + shortest(*said) + " Hz, got " + shortest(*given));
    return said ? *said : given.value_or(0);
}

io::Recording open_pairs(const std::string& path, const RecordingOptions& options) {
    io::SoundFile file(path);
    const double rate = file.format().sample_rate;
    settle(rate, options.rate, "--rate");
    const double centre = settle(file.centre(), options.centre, "--centre");
    io::check({{}, rate, centre});
    if (const std::string pairs = io::pair_type(file.format()); options.iq != in_sound_file && pairs != options.iq)
        throw Failure("'" + path + "': expected " + options.iq + " as --iq says, got a sound file of " + pairs +
                      " (--iq wav takes what is there)");
    return io::Recording(io::PairedSound{std::move(file), centre});
}

io::Recording open_raw(const std::string& path, RecordingOptions options) {
    if (io::is_sigmf(path)) throw UsageError("--iq: expected none for SigMF, whose metadata say the type");
    io::IqFormat format;
    try {
        if (options.iq != in_sound_file) {
            format.type = io::parse_iq_type(options.iq);
            options.iq = io::to_string(format.type);
        }
        format.rate = options.rate.value_or(1);
        format.centre = options.centre.value_or(0);
        check(format);
    } catch (const Failure& failure) {
        throw UsageError(std::string("--iq, --rate, --centre: ") + failure.what());
    }
    if (options.iq == in_sound_file) return open_pairs(path, options);
    {
        // A header is no sample.
        io::InputFile file(path);
        if (io::format_of(file) == io::Format::wav) return open_pairs(path, options);
    }
    if (!options.rate) throw UsageError("--iq: expected --rate too, the samples per second");
    return io::Recording(io::IqFile(path, format));
}

/// Opens what the options say.
io::Recording open_any(const std::string& path, const RecordingOptions& options) {
    if (!options.iq.empty()) return open_raw(path, options);
    if (io::is_sigmf(path)) return io::Recording(io::open_sigmf(path, options.rate, options.centre));
    if (options.rate || options.centre)
        throw UsageError(std::string(options.rate ? "--rate" : "--centre") + ": only for radio recordings");
    return io::Recording(io::SoundFile(path));
}

/// A whole number as an integer, so that JSON has 8000 and not 8000.0.
Json plain(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

/// "2400000 Hz": a whole number in full.
std::string plain_hertz(double value) { return plain(value).dump() + " Hz"; }

/// "2 channels of cs16 around 100000000 Hz".
std::string radio_text(const io::Recording& file) {
    const std::string many = file.channels() > 1 ? std::to_string(file.channels()) + " channels of " : "";
    return many + file.type() + (file.is_two_sided() ? " around " + plain_hertz(file.centre()) : "");
}

/// "0.5 s to 0.75 s, 99.9 to 100.1 MHz: beacon".
std::string text_of(const io::Annotation& annotation, double rate) {
    const double start = static_cast<double>(annotation.start) / rate;
    std::string text = significant(start, 6) + " s";
    if (annotation.count) text += " to " + significant(start + static_cast<double>(*annotation.count) / rate, 6) + " s";
    if (annotation.low && annotation.high)
        text += ", " + shortest(*annotation.low) + " to " + shortest(*annotation.high) + " Hz";
    return annotation.text.empty() ? text : text + ": " + annotation.text;
}

Json json_of(const io::Annotation& annotation) {
    Json json = {{"start", annotation.start}};
    if (annotation.count) json["count"] = *annotation.count;
    if (annotation.low) json["low"] = plain(*annotation.low);
    if (annotation.high) json["high"] = plain(*annotation.high);
    if (!annotation.text.empty()) json["text"] = annotation.text;
    return json;
}

/// A row for each annotation, the first of many.
std::vector<Row> annotation_rows(const io::Recording& file) {
    constexpr std::size_t most = 20;
    std::vector<Row> rows;
    const std::vector<io::Annotation> annotations = file.annotations();
    for (const io::Annotation& annotation : annotations) {
        if (rows.size() == most) {
            rows.push_back({"", "and " + std::to_string(annotations.size() - most) + " more, which --json has"});
            break;
        }
        rows.push_back({rows.empty() ? "annotations" : "", text_of(annotation, file.rate())});
    }
    return rows;
}

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
    require_one_frame(file, resolved);  // before anything has the size of a frame
    return resolved;
}

void add_recording_options(Command& command, RecordingOptions& options) {
    command.add_option(
        "--iq", options.iq,
        "IN is a raw radio recording: pairs (in phase, quadrature) of cu8, cs8, cu16, cs16, cu32, cs32, "
        "cf32 or cf64, or real samples of ru8 ... rf64, big-endian with _be; wav: a sound file whose two "
        "channels are the pairs");
    command.add_option("--rate", options.rate, "Samples per second of a raw recording, or where SigMF says none");
    command.add_option("--centre", options.centre,
                       "Radio frequency in Hz that was mixed down to 0; likewise (default 0)");
}

bool is_recording(const std::string& path, const RecordingOptions& options) {
    return !options.iq.empty() || io::is_sigmf(path) || io::kind_of(path) == io::FileKind::sound;
}

io::Recording open_recording(const std::string& path, const RecordingOptions& options) {
    io::Recording file = open_any(path, options);
    if (!file.remark().empty()) note("'" + file.path() + "': " + file.remark());
    return file;
}

std::string describe(const ShortTimeOptions& options, const io::Recording& file) {
    const std::uint32_t channels = file.channels();
    const std::string many = std::to_string(channels) + " channels";
    const std::string kind = file.is_radio() ? radio_text(file) : channels == 1 ? "mono" : many;
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
        if (file.is_radio()) json_report["iq"] = file.type();
        if (file.is_two_sided()) json_report["centre"] = plain(file.centre());
        for (const io::Annotation& annotation : file.annotations())
            json_report["annotations"].push_back(json_of(annotation));
        print_json(json_report);
        return;
    }
    std::string outputs;
    for (const std::string& output : report.outputs) outputs += (outputs.empty() ? "" : ", ") + output;
    print_rows({{"device", device_text(report.device)},
                {"input", report.input},
                {"size", std::to_string(file.frames()) + " samples at " + plain_hertz(file.rate()) + ", " +
                             (file.is_radio() ? radio_text(file)
                                              : std::to_string(channels) + (channels == 1 ? " channel" : " channels"))},
                {"frames", std::to_string(figures.frames) + " of " + std::to_string(report.options.length) + ", hop " +
                               std::to_string(report.options.hop)},
                {"output", outputs},
                {"device time", fixed(figures.device_milliseconds, 3) + " ms"},
                {"error", significant(figures.error, 3) + " (relative L2 of " + std::to_string(figures.checked) +
                              " frames against extended precision)"},
                {"plan time",
                 "cold " + fixed(figures.plan_cold_ms, 1) + " ms, warm " + fixed(figures.plan_warm_ms, 3) + " ms"}});
    print_rows(annotation_rows(file));
}

}  // namespace seiche::cli
