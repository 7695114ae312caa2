// What the commands share for sounds and radio recordings: options, descriptions, the report.
#include "cli/sound/sound_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/io/file_kind.hpp"
#include "cli/io/sigmf.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr const char* in_sound_file = "wav";

bool parse_number(const std::string& word, double& value) {
    const std::string plain = without_suffix(word);
    const char* const end = plain.data() + plain.size();
    const auto result = std::from_chars(plain.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end && std::isfinite(value);
}

/// Seconds, or minutes and seconds as 1:30. Throws UsageError that names the option.
double parse_time(const std::string& option, const std::string& text) {
    const std::size_t colon = text.find(':');
    double minutes = 0, seconds = 0;
    const bool is_time = (colon == std::string::npos || parse_number(text.substr(0, colon), minutes)) &&
                         parse_number(text.substr(colon == std::string::npos ? 0 : colon + 1), seconds);
    if (!is_time || !(minutes >= 0) || !(seconds >= 0))
        throw UsageError(option + ": expected seconds, or minutes:seconds, got '" + printable(text) + "'");
    return 60 * minutes + seconds;
}

/// The samples that were asked for. Throws Failure where there are none.
signal::Part part_of(const SoundOptions& options, const io::Recording& file) {
    const auto samples = [&](double seconds) {  // clamped: no recording is as long
        return static_cast<std::uint64_t>(std::min(std::round(seconds * file.rate()), 9e18));
    };
    signal::Part part{0, file.frames()};
    if (!options.start.empty()) {
        part.first = samples(parse_time("--start", options.start));
        if (part.first >= file.frames())
            throw Failure("--start: expected a time before the end of '" + file.path() + "' at " +
                          time_text(static_cast<double>(file.frames()) / file.rate()) + ", got " + options.start);
        part.count -= part.first;
    }
    if (!options.duration.empty()) {
        const std::uint64_t wanted = samples(parse_time("--duration", options.duration));
        if (wanted == 0) throw UsageError("--duration: expected at least one sample, got " + options.duration);
        part.count = std::min(part.count, wanted);
    }
    return part;
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

/// "2 channels of cs16 around 100 MHz".
std::string radio_text(const io::Recording& file) {
    const std::string many = file.channels() > 1 ? counted(file.channels(), "channel") + " of " : "";
    return many + file.type() + (file.is_two_sided() ? " around " + hertz_text(file.centre()) : "");
}

/// "500 ms to 750 ms, 99.9 MHz to 100.1 MHz: beacon".
std::string text_of(const io::Annotation& annotation, double rate) {
    const double start = static_cast<double>(annotation.start) / rate;
    std::string text = time_text(start);
    if (annotation.count) text += " to " + time_text(start + static_cast<double>(*annotation.count) / rate);
    if (annotation.low && annotation.high)
        text += ", " + hertz_text(*annotation.low) + " to " + hertz_text(*annotation.high);
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

void add_sound_options(Command& command, SoundOptions& options, const std::string& length, const std::string& hop) {
    const char* const group = "Frames of a recording";
    command.add_option("--window", options.window, signal::window_names() + "; periodic, as in scipy.signal.get_window")
        .value("WINDOW")
        .group(group)
        .capture_default_str();
    command.add_option("--length", options.length, "Samples in a frame (default: " + length + ")")
        .group(group)
        .positive()
        .quantity();
    command.add_option("--hop", options.hop, "Samples from the start of a frame to the next (default: " + hop + ")")
        .group(group)
        .positive()
        .quantity();
    command.add_option("--precision", options.precision, "The arithmetic: f32 or f64")
        .value("PRECISION")
        .group(group)
        .one_of({"f32", "f64"})
        .capture_default_str();
    command.add_option("--start", options.start, "Where to begin: seconds, or minutes:seconds")
        .value("TIME")
        .group(group);
    command.add_option("--duration", options.duration, "How much to take: seconds, or minutes:seconds")
        .value("TIME")
        .group(group);
    command.add_flag("--mixdown", options.mixdown, "Use the mean of all channels").group(group);
}

ShortTimeOptions resolve(const SoundOptions& options, const io::Recording& file, std::uint64_t length,
                         double hop_of_length) {
    ShortTimeOptions resolved;
    const std::optional<signal::Window> window = signal::parse_window(options.window);
    if (!window)
        throw UsageError("--window: expected " + signal::window_names() + ", got '" + printable(options.window) + "'");
    resolved.window = *window;
    resolved.part = part_of(options, file);
    resolved.mixdown = options.mixdown;
    resolved.precision = options.precision == "f64" ? Precision::f64 : Precision::f32;
    resolved.length =
        options.length != 0 ? static_cast<std::uint64_t>(options.length) : std::min(length, resolved.part.count);
    if (options.length == 0 && resolved.length < length)
        note("there " + std::string(resolved.part.count == 1 ? "is" : "are") + " only " +
             counted(resolved.part.count, "sample") + ": one frame of all of them");
    const double hop = std::floor(static_cast<double>(resolved.length) * hop_of_length);
    resolved.hop = options.hop != 0 ? static_cast<std::uint64_t>(options.hop)
                                    : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(hop));
    require_one_frame(file, resolved);  // before anything has the size of a frame
    return resolved;
}

void add_recording_options(Command& command, RecordingOptions& options) {
    const char* const group = "Radio recordings";
    command
        .add_option("--iq", options.iq,
                    "Read IN as raw samples of this type. Pairs (in-phase, quadrature): cu8, cs8, cu16, cs16, cu32, "
                    "cs32, cf32, cf64. Real samples: ru8 to rf64. Big-endian: add _be. wav: the two channels of a "
                    "sound file are the pairs")
        .value("TYPE")
        .group(group);
    command
        .add_option("--rate", options.rate,
                    "Samples per second of a raw recording, or of SigMF metadata without a rate")
        .value("HZ")
        .group(group)
        .quantity();
    command
        .add_option("--centre,--center", options.centre,
                    "The radio frequency that was mixed down to 0, where the file does not say it (default: 0)")
        .value("HZ")
        .group(group)
        .quantity();
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
    const std::uint32_t channels = options.channels(file);
    const bool is_mixed = options.mixdown && file.channels() > 1;
    const std::string kind = (file.is_radio() ? radio_text(file)
                              : is_mixed      ? counted(file.channels(), "channel")
                              : channels == 1 ? "mono"
                                              : counted(channels, "channel")) +
                             (is_mixed ? " mixed down" : "");
    return std::string(to_string(options.window)) + " window of " + counted(options.length, "sample") + ", hop " +
           std::to_string(options.hop) + " \u00b7 " + hertz_text(file.rate()) + ", " + kind;
}

std::string channel_label(std::uint32_t channel, const Channels& channels) {
    return channels.count == 1 ? "" : channel_name(channel, channels);
}

draw::Axis frequency_axis(double low, double high) {
    constexpr double most_of_unit = 2000;  // 1500 Hz read better than 1.5 kHz
    const double widest = std::max(std::abs(low), std::abs(high));
    const Unit unit = unit_of_frequency(widest / most_of_unit * 999);
    return {"frequency (" + unit.name + ")", low * unit.per_base, high * unit.per_base, draw::Scale::linear,
            unit.per_base};
}

draw::Axis time_axis(double low, double high) {
    const Unit unit = unit_of_time(std::max(std::abs(low), std::abs(high)));
    return {"time (" + unit.name + ")", low * unit.per_base, high * unit.per_base};
}

std::pair<double, double> parse_range(const std::string& option, const std::string& text) {
    std::pair<double, double> range;
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
        const bool parts = text[at] == ':' || (text[at] == '-' && text[at - 1] != 'e' && text[at - 1] != 'E');
        if (!parts || !parse_number(text.substr(0, at), range.first) ||
            !parse_number(text.substr(at + 1), range.second))
            continue;
        if (range.first < range.second) return range;
        throw UsageError(option + ": expected the lower value first, got '" + printable(text) + "'");
    }
    throw UsageError(option + ": expected LOW:HIGH, got '" + printable(text) + "'");
}

draw::Axis level_axis(const std::string& label, double highest, double range) {
    const double top = std::isfinite(highest) ? 10.0 * std::ceil(highest / 10.0) : 0.0;
    return {label, top - range, top};
}

void print_report(const SoundReport& report, bool json) {
    const io::Recording& file = report.file;
    const std::uint32_t channels = report.options.channels(file);
    const ShortTimeFigures& figures = report.figures;
    if (json) {
        Json json_report = {{"device", device_text(report.device)},
                            {"input", report.input},
                            {"size", {channels, report.options.part.count}},
                            {"output", report.outputs.front()},
                            {"outputs", report.outputs},
                            {"device_milliseconds", figures.device_milliseconds},
                            {"error", figures.error},
                            {"plan_cold_ms", figures.plan_cold_ms},
                            {"plan_warm_ms", figures.plan_warm_ms},
                            {"channels", channels},
                            {"samples", report.options.part.count},
                            {"sample_rate", plain(file.rate())},
                            {"window", to_string(report.options.window)},
                            {"length", report.options.length},
                            {"hop", report.options.hop},
                            {"frames", figures.frames},
                            {"frames_checked", figures.checked}};
        if (report.options.part.first != 0)
            json_report["start_seconds"] = static_cast<double>(report.options.part.first) / file.rate();
        if (figures.not_finite.count != 0)
            json_report["not_finite"] = {
                {"samples", figures.not_finite.count},
                {"first", figures.not_finite.first},
                {"first_seconds", static_cast<double>(figures.not_finite.first) / file.rate()},
                {"channel", channel_name(figures.not_finite.channel, {file.channels(), !file.is_radio()})}};
        if (figures.broken != 0) json_report["frames_not_finite"] = figures.broken;
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
                {"size", counted(report.options.part.count, "sample") + " at " + hertz_text(file.rate()) + ", " +
                             (file.is_radio() ? radio_text(file) : counted(channels, "channel"))},
                {"frames", std::to_string(figures.frames) + " of " + std::to_string(report.options.length) + ", hop " +
                               std::to_string(report.options.hop)},
                {"output", outputs},
                {"device time", fixed(figures.device_milliseconds, 3) + " ms"},
                {"error", significant(figures.error, 3) + " (relative L2 of " + counted(figures.checked, "frame") +
                              " against extended precision)"},
                {"plan time",
                 "cold " + fixed(figures.plan_cold_ms, 1) + " ms, warm " + fixed(figures.plan_warm_ms, 3) + " ms"}});
    print_rows(annotation_rows(file));
}

}  // namespace seiche::cli
