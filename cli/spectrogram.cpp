// `seiche spectrogram`: the level of a recording over time and frequency, as a picture or as numbers.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/draw/heatmap.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/outputs.hpp"
#include "cli/sound_options.hpp"
#include "cli/system.hpp"
#include "cli/text.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t default_length = 1024;
constexpr double default_hop_of_length = 0.25, decibel_range = 80;

struct SpectrogramCommand {
    std::string input, device;
    std::vector<std::string> outputs;
    SoundOptions sound;
    RecordingOptions recording;
    bool json = false;
};

/// The picture's cells. Of all frames and frequencies that fall into a cell the strongest shows, so that a click or a
/// whistle does not vanish from a long sound, and memory stays bounded.
class Picture {
public:
    Picture(std::uint64_t frames, std::uint64_t bins, std::uint32_t channels)
        : frames_(frames), columns_(std::min(frames, most_columns)), rows_(std::min(bins, most_rows)) {
        if (channels > most_channels)
            throw Failure("expected at most " + std::to_string(most_channels) + " channels for a picture, got " +
                          std::to_string(channels) + ": write .npy or .csv instead");
        for (std::uint32_t c = 0; c < channels; ++c)
            panels_.push_back(
                {channel_label(c, channels), rows_, columns_, std::vector<float>(rows_ * columns_, 0.0f)});
    }

    void take(std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers) {
        const std::uint64_t column = frame * columns_ / frames_;
        for (std::uint64_t k = 0; k < powers.size(); ++k) {
            float& cell = panels_[channel].values[k * rows_ / powers.size() * columns_ + column];
            const auto power = static_cast<float>(powers[k]);
            if (std::isnan(power) || power > cell) cell = power;  // a NaN stays, as nothing is greater
        }
    }

    draw::Heatmap heatmap(const io::Recording& file, const ShortTimeOptions& options) && {
        const double rate = file.rate(), n = static_cast<double>(options.length),
                     hop = static_cast<double>(options.hop);
        const Bins bins = frequency_bins(file, options.length);
        draw::Heatmap map;
        map.title = path_of(file.path()).filename().string();
        map.subtitle = describe(options, file);
        // A cell reaches half a hop and half a bin to each side of its frame's middle and its frequency.
        const double start = (n - hop) / 2 / rate;
        map.x = {"time (s)", start, start + static_cast<double>(frames_) * hop / rate};
        map.y = frequency_axis(bins.at(-0.5), bins.at(static_cast<double>(bins.count) - 0.5));
        float highest = -INFINITY;
        for (draw::Panel& panel : panels_)
            for (float& value : panel.values) {
                value = static_cast<float>(decibels(static_cast<double>(value)));
                highest = std::fmax(highest, value);
            }
        map.colour = level_axis("level (dBFS)", static_cast<double>(highest), decibel_range);
        map.panels = std::move(panels_);
        return map;
    }

private:
    static constexpr std::uint64_t most_columns = 1560, most_rows = 760;  // pixels of a plot
    static constexpr std::uint32_t most_channels = 32;
    std::uint64_t frames_, columns_, rows_;
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
        : file_(path), rate_(file.rate()), options_(options) {
        std::string head = "channel,time_s";
        const Bins bins = frequency_bins(file, options.length);
        for (std::uint64_t k = 0; k < bins.count; ++k) head += "," + shortest(bins.at(static_cast<double>(k)));
        file_.write(head + "\n");
    }
    void take(std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers) {
        const double middle =
            static_cast<double>(frame) * static_cast<double>(options_.hop) + static_cast<double>(options_.length) / 2;
        std::string row = std::to_string(channel) + "," + shortest(middle / rate_);
        for (const double power : powers) row += "," + shortest(static_cast<float>(decibels(power)));
        file_.write(row + "\n");
    }
    void commit() { file_.commit(); }

private:
    io::OutputFile file_;
    double rate_;
    ShortTimeOptions options_;
};

void run(const SpectrogramCommand& command) {
    const Outputs outputs = sort_outputs(command.outputs);
    io::Recording file = open_recording(command.input, command.recording);
    const ShortTimeOptions options = resolve(command.sound, file, default_length, default_hop_of_length);
    require_one_frame(file, options);
    const std::uint64_t frames = (file.frames() - options.length) / options.hop + 1,
                        bins = frequency_bins(file, options.length).count;
    const std::uint32_t channels = file.channels();
    std::optional<Picture> picture;
    if (!outputs.png.empty()) picture.emplace(frames, bins, channels);
    const Device device = open_device(command.device);
    require_precision(device, options.precision);
    std::vector<std::unique_ptr<NpyStream>> arrays;
    std::vector<std::unique_ptr<CsvStream>> tables;
    for (const std::string& path : outputs.npy)
        arrays.push_back(std::make_unique<NpyStream>(
            path, io::NpyHeader{io::ElementType::float32, false, true, {channels, bins, frames}}));
    for (const std::string& path : outputs.csv) tables.push_back(std::make_unique<CsvStream>(path, file, options));
    const ShortTimeFigures figures = short_time_powers(
        device, file, options, [&](std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers) {
            if (picture) picture->take(frame, channel, powers);
            for (auto& array : arrays) array->take(channel, powers);
            for (auto& table : tables) table->take(frame, channel, powers);
        });
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

}  // namespace

void add_spectrogram(Command& app) {
    Command command =
        app.add_subcommand("spectrogram", "Draw the level of a sound or a radio recording over time and frequency");
    auto options = std::make_shared<SpectrogramCommand>();
    command
        .add_option("IN", options->input,
                    "A sound (.wav, .flac, .ogg, .mp3, .aiff) of any channels and any length; a SigMF recording "
                    "(.sigmf-meta or .sigmf-data); any file with --iq; - for standard input")
        .required();
    command
        .add_option("-o,--output", options->outputs,
                    "The picture (.png), or the levels: .npy (float32, shape (channels, frequencies, frames)) or "
                    ".csv; - for standard output (csv:- and npy:- too); may be given several times")
        .required()
        .allow_extra_args(false);
    add_sound_options(command, options->sound);
    add_recording_options(command, options->recording);
    command.add_option("--device", options->device, "Device name, see `seiche devices`");
    command.add_flag("--json", options->json, "Print figures as JSON");
    command.footer(
        "Defaults: --length 1024 --hop length/4. Levels are in dBFS: a full-scale sine has 0 dB, whatever the window.\n"
        "They are 10 log10(P / 0.5) with P of scipy.signal.spectrogram(x, rate, window, length, length - hop,\n"
        "detrend=False, scaling='spectrum'): only whole frames count, nothing is padded. Of a radio recording they "
        "are\n"
        "10 log10(P) with return_onesided=False, the frequencies in rising order around the centre: a full-scale\n"
        "complex tone has 0 dB. Files larger than memory are read as a stream. The picture shows the 80 dB\n"
        "below the highest level; where several frames or frequencies fall on one pixel, the strongest shows.");
    command.callback([options] { run(*options); });
}

}  // namespace seiche::cli
