// `seiche spectrogram`: the level of a recording over time and frequency, as a picture or as numbers.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command/commands.hpp"
#include "cli/draw/heatmap.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/outputs.hpp"
#include "cli/sound/sound_options.hpp"
#include "cli/sound/sound_words.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t default_length = 1024;
constexpr double default_hop_of_length = 0.25, decibel_range = 80;

struct SpectrogramCommand {
    std::string input, device, colour_map = "inferno", decibels, frequencies, size;
    std::vector<std::string> outputs;
    SoundOptions sound;
    RecordingOptions recording;
    bool log = false, mel = false, json = false;
};

/// What of the levels the picture shows, and how.
struct View {
    draw::Axis frequency;
    std::optional<std::pair<double, double>> decibels;  ///< None: below the highest.
    double range = decibel_range;
    draw::ColourMap map = draw::ColourMap::inferno;
    std::optional<draw::PictureSize> size;
};

std::optional<draw::PictureSize> parse_size(const std::string& text) {
    if (text.empty()) return std::nullopt;
    constexpr std::int64_t longest = 32767;
    const std::size_t by = text.find('x');
    if (by == std::string::npos) throw UsageError("--size: expected WIDTHxHEIGHT, got '" + printable(text) + "'");
    const std::int64_t width = parse_integer(text.substr(0, by), "--size"),
                       height = parse_integer(text.substr(by + 1), "--size");
    if (std::min(width, height) < 1 || std::max(width, height) > longest)
        throw UsageError("--size: expected sides from 1 to " + std::to_string(longest) + ", got " + printable(text));
    return draw::PictureSize{static_cast<std::size_t>(width), static_cast<std::size_t>(height)};
}

/// "80": so many dB below the highest level; "-100:-20": from one to the other.
void set_decibels(View& view, const std::string& text) {
    if (text.empty()) return;
    const char* const end = text.data() + text.size();
    double range = 0;
    const auto result = std::from_chars(text.data(), end, range);
    if (result.ec != std::errc{} || result.ptr != end) {
        view.decibels = parse_range("--db-range", text);
        return;
    }
    if (!(range > 0 && range <= 1000)) throw UsageError("--db-range: expected more than 0 dB, got " + printable(text));
    view.range = range;
}

/// Of all frequencies that there are, those that were asked for.
draw::Axis frequency_axis_of(const SpectrogramCommand& command, const io::Recording& file, const Bins& bins) {
    const double half = file.rate() / 2;
    double low = file.is_two_sided() ? bins.at(-0.5) : 0;
    double high = file.is_two_sided() ? bins.at(static_cast<double>(bins.count) - 0.5) : half;
    if (!command.frequencies.empty()) {
        const auto [wanted_low, wanted_high] = parse_range("--frequency-range", command.frequencies);
        if (wanted_low >= high || wanted_high <= low)
            throw Failure("--frequency-range: expected a part of " + hertz_text(low) + " to " + hertz_text(high) +
                          ", which '" + file.path() + "' has, got " + command.frequencies);
        low = std::max(low, wanted_low);
        high = std::min(high, wanted_high);
    }
    const char* const option = command.log ? "--log" : "--mel";
    if ((command.log || command.mel) && low < 0)
        throw UsageError(std::string(option) + ": expected frequencies from 0 on, got " + hertz_text(low) +
                         " (see --frequency-range)");
    if (command.log && low < bins.step / 2) low = std::min(bins.step, high / 2);  // where there is something to see
    draw::Axis axis = frequency_axis(low, high);
    if (command.log) axis.scale = draw::Scale::log;
    if (command.mel) {
        axis.scale = draw::Scale::mel;
        axis.label += ", mel scale";
    }
    return axis;
}

View view_of(const SpectrogramCommand& command, const io::Recording& file, const Bins& bins) {
    View view;
    if (command.log && command.mel) throw UsageError("expected one of --log and --mel, got both");
    const std::optional<draw::ColourMap> map = draw::colour_map(command.colour_map);
    if (!map)
        throw UsageError("--colour-map: expected one of " + draw::colour_map_names() + ", got '" +
                         printable(command.colour_map) + "'");
    view.map = *map;
    view.size = parse_size(command.size);
    set_decibels(view, command.decibels);
    view.frequency = frequency_axis_of(command, file, bins);
    return view;
}

/// The picture's cells. Of all frames and frequencies that fall into a cell the strongest shows, so that a click or a
/// whistle does not vanish from a long sound, and memory stays bounded.
class Picture {
public:
    Picture(const View& view, const Bins& bins, std::uint64_t frames, const Channels& channels)
        : view_(view), frames_(frames) {
        if (channels.count > most_channels)
            throw Failure("expected at most " + std::to_string(most_channels) + " channels for a picture, got " +
                          std::to_string(channels.count) + ": write .npy or .csv instead, or --mixdown");
        const auto count = static_cast<std::uint32_t>(channels.count);
        const draw::PictureSize plot = draw::plot_pixels(count, count > 1, view.size);
        columns_ = std::min<std::uint64_t>(frames, plot.width);
        set_rows(bins, plot.height);
        for (std::uint32_t c = 0; c < count; ++c)
            panels_.push_back({channel_label(c, channels), rows_.size(), columns_,
                               std::vector<float>(rows_.size() * columns_, 0.0f)});
    }

    void take(std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers) {
        const std::uint64_t column = frame * columns_ / frames_;
        for (std::uint64_t r = 0; r < rows_.size(); ++r) {
            float& cell = panels_[channel].values[r * columns_ + column];
            for (std::uint64_t k = rows_[r].first; k < rows_[r].last; ++k) {
                const auto power = static_cast<float>(powers[k]);
                if (std::isnan(power) || power > cell) cell = power;  // a NaN stays, as nothing is greater
            }
        }
    }

    draw::Heatmap heatmap(const io::Recording& file, const ShortTimeOptions& options) && {
        draw::Heatmap map;
        map.title = path_of(file.path()).filename().string();
        map.subtitle = describe(options, file);
        // A cell reaches half a hop to each side of its frame's middle.
        map.x = time_axis(options.middle(-0.5) / file.rate(),
                          options.middle(static_cast<double>(frames_) - 0.5) / file.rate());
        map.y = view_.frequency;
        map.map = view_.map;
        map.size = view_.size;
        float highest = -INFINITY;
        for (draw::Panel& panel : panels_)
            for (float& value : panel.values) {
                value = std::isfinite(value) ? static_cast<float>(decibels(static_cast<double>(value))) : NAN;
                highest = std::fmax(highest, value);
            }
        map.colour = level_axis("level (dBFS)", static_cast<double>(highest), view_.range);
        if (view_.decibels) map.colour = {map.colour.label, view_.decibels->first, view_.decibels->second};
        map.panels = std::move(panels_);
        return map;
    }

private:
    static constexpr std::uint32_t most_channels = 32;

    /// Frequencies from one to before another.
    struct Row {
        std::uint64_t first = 0, last = 0;
    };

    /// Which frequencies fall on each row of pixels: those between its edges, or the nearest.
    void set_rows(const Bins& bins, std::size_t pixels) {
        const auto last = static_cast<double>(bins.count - 1), per_row = 1 / static_cast<double>(pixels);
        const auto place = [&](double fraction) {  // among the bins
            return (draw::value_at(view_.frequency, fraction) / view_.frequency.per_hertz - bins.first) / bins.step;
        };
        for (std::size_t r = 0; r < pixels; ++r) {
            const auto row = static_cast<double>(r);
            const double low = std::ceil(place(row * per_row)), high = std::ceil(place((row + 1) * per_row)),
                         middle = std::clamp(std::round(place((row + 0.5) * per_row)), 0.0, last);
            const bool has_own = low < high && low <= last && high > 0;
            const double first = has_own ? std::max(low, 0.0) : middle;
            rows_.push_back({static_cast<std::uint64_t>(first),
                             static_cast<std::uint64_t>(has_own ? std::min(high, last + 1) : middle + 1)});
        }
    }

    View view_;
    std::uint64_t frames_, columns_ = 1;
    std::vector<Row> rows_;
    std::vector<draw::Panel> panels_;  ///< Powers until they are drawn.
};

/// Levels as an array (channels, frequencies, frames). In Fortran order the frames come last, so it can be streamed.
class NpyStream {
public:
    NpyStream(const std::string& path, const io::NpyHeader& header) : file_(path), channels_(header.shape[0]) {
        file_.write(io::npy_preamble(header));
        frame_.resize(header.shape[0] * header.shape[1]);
    }
    void take(std::uint32_t channel, const std::vector<double>& powers) {
        for (std::size_t k = 0; k < powers.size(); ++k)
            frame_[k * channels_ + channel] = static_cast<float>(decibels(powers[k]));
        if (channel + 1 == channels_) file_.write(frame_.data(), frame_.size() * sizeof(float));
    }
    void commit() { file_.commit(); }

private:
    io::OutputFile file_;
    std::size_t channels_;
    std::vector<float> frame_;
};

/// A row for each frame of each channel: channel, time, levels.
class CsvStream {
public:
    CsvStream(const std::string& path, const io::Recording& file, const ShortTimeOptions& options)
        : file_(path), rate_(file.rate()), channels_{options.channels(file), !file.is_radio()}, options_(options) {
        std::string head = "channel,time_s";
        const Bins bins = frequency_bins(file, options.length);
        for (std::uint64_t k = 0; k < bins.count; ++k) head += "," + shortest(bins.at(static_cast<double>(k)));
        file_.write(head + "\n");
    }
    void take(std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers) {
        std::string row =
            channel_name(channel, channels_) + "," + shortest(options_.middle(static_cast<double>(frame)) / rate_);
        for (const double power : powers) row += "," + shortest(static_cast<float>(decibels(power)));
        file_.write(row + "\n");
    }
    void commit() { file_.commit(); }

private:
    io::OutputFile file_;
    double rate_;
    Channels channels_;
    ShortTimeOptions options_;
};

void run(const SpectrogramCommand& command) {
    const Outputs outputs = sort_outputs(command.outputs);
    io::Recording file = open_recording(command.input, command.recording);
    const ShortTimeOptions options = resolve(command.sound, file, default_length, default_hop_of_length);
    require_one_frame(file, options);
    const Bins bins = frequency_bins(file, options.length);
    const View view = view_of(command, file, bins);
    const std::uint64_t frames = options.frames();
    const std::uint32_t channels = options.channels(file);
    std::optional<Picture> picture;
    if (!outputs.png.empty()) picture.emplace(view, bins, frames, Channels{channels, !file.is_radio()});
    const Device device = open_device(command.device);
    require_precision(device, options.precision);
    std::vector<std::unique_ptr<NpyStream>> arrays;
    std::vector<std::unique_ptr<CsvStream>> tables;
    for (const std::string& path : outputs.npy)
        arrays.push_back(std::make_unique<NpyStream>(
            path, io::NpyHeader{io::ElementType::float32, false, true, {channels, bins.count, frames}}));
    for (const std::string& path : outputs.csv) tables.push_back(std::make_unique<CsvStream>(path, file, options));
    const ShortTimeFigures figures = short_time_powers(
        device, file, options, [&](std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers) {
            if (picture) picture->take(frame, channel, powers);
            for (auto& array : arrays) array->take(channel, powers);
            for (auto& table : tables) table->take(frame, channel, powers);
        });
    note_oddities(file, figures, picture ? "are grey" : "have no level");
    if (picture) {
        const draw::Heatmap map = std::move(*picture).heatmap(file, options);
        for (const std::string& path : outputs.png) {
            io::OutputFile png(path);
            draw_heatmap(map, png);
            png.commit();
        }
    }
    for (auto& array : arrays) array->commit();
    for (auto& table : tables) table->commit();
    print_report({command.input, outputs.all, device, file, options, figures}, command.json);
}

void add_picture_options(Command& command, SpectrogramCommand& options) {
    const char* const group = "The picture";
    command.add_option("--frequency-range", options.frequencies, "The frequencies that it shows, in Hz (default: all)")
        .value("LOW:HIGH")
        .group(group);
    command.add_flag("--log", options.log, "Logarithmic frequency axis: all octaves are equally high").group(group);
    command.add_flag("--mel", options.mel, "Mel frequency axis: steps that sound equal are equally high").group(group);
    command
        .add_option("--db-range", options.decibels,
                    "The levels that it shows: so many dB below the highest (default: 80), or LOW:HIGH in dBFS")
        .value("DB")
        .group(group);
    command.add_option("--size", options.size, "Its size in pixels").value("WIDTHxHEIGHT").group(group);
    command.add_option("--colour-map,--color-map", options.colour_map, "Its colours: " + draw::colour_map_names())
        .value("NAME")
        .group(group)
        .capture_default_str();
}

}  // namespace

void add_spectrogram(Command& app) {
    Command command =
        app.add_subcommand("spectrogram", "Draw the level of a sound or a radio recording over time and frequency");
    auto options = std::make_shared<SpectrogramCommand>();
    command
        .add_option("IN", options->input,
                    "A sound (.wav, .flac, .ogg, .mp3, .aiff), a SigMF recording (.sigmf-meta or .sigmf-data), or any "
                    "file with --iq; - reads standard input")
        .value("FILE")
        .required();
    command
        .add_option("-o,--output", options->outputs,
                    "The picture (.png), or the levels as numbers: .npy (float32, shape (channels, frequencies, "
                    "frames)) or .csv; - writes to standard output, as do csv:- and npy:-")
        .value("FILE")
        .required()
        .allow_extra_args(false);
    add_sound_options(command, options->sound, "1024", "a quarter of the length");
    add_picture_options(command, *options);
    add_recording_options(command, options->recording);
    add_device_option(command, options->device);
    add_json_option(command, options->json);
    command.footer(
        "Levels are in dBFS: a full-scale sine has 0 dB, whatever the window. A level is 10 log10(P / 0.5), where P is "
        "scipy.signal.spectrogram(x, rate, window, length, length - hop, detrend=False, scaling='spectrum'). Only "
        "whole frames count; nothing is padded.\n\n"
        "For a radio recording, a level is 10 log10(P) with return_onesided=False: a full-scale complex tone has 0 dB. "
        "Frequencies rise from the lowest to the highest around the centre.\n\n"
        "Files may be larger than memory. Where several frames or frequencies share one pixel, the strongest is "
        "shown. The picture's options do not change the numbers in .npy and .csv.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
