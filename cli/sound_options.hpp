// What `spectrogram` and `spectrum` share for sounds: options, descriptions, the report.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/draw/ticks.hpp"
#include "cli/io/wav.hpp"
#include "cli/report.hpp"
#include "cli/short_time.hpp"

namespace seiche::cli {

struct SoundOptions {
    std::string window = "hann", precision = "f32";
    std::int64_t length = 0, hop = 0;  ///< 0: the command's default.
};

void add_sound_options(CLI::App& command, SoundOptions& options);

/// Checks and completes the options; `length` and `hop_of_length` (a fraction) are the command's defaults. A default
/// length is cut to the sound's; a given one is not.
ShortTimeOptions resolve(const SoundOptions& options, const io::WavFile& file, std::uint64_t length,
                         double hop_of_length);

/// Opens a sound and passes on what is odd about it.
io::WavFile open_sound(const std::string& path);

/// "hann window of 1024 samples, hop 256 · 48000 Hz, 2 channels".
std::string describe(const ShortTimeOptions& options, const io::WavFile& file);
/// "", or "left" and "right", or "channel 1" ...
std::string channel_label(std::uint32_t channel, std::uint32_t channels);
/// From `low` to `high` Hz, in kHz where that reads better.
draw::Axis frequency_axis(double low, double high);
/// From `range` dB below to the next multiple of 10 dB at or above `highest`.
draw::Axis level_axis(const std::string& label, double highest, double range);

/// One row of the report that people read.
struct Row {
    std::string name, value;
};
void print_rows(const std::vector<Row>& rows);

/// The report of a command that transformed a sound, as text or JSON.
struct SoundReport {
    std::string input;
    std::vector<std::string> outputs;
    const Device& device;
    const io::WavFile& file;
    const ShortTimeOptions& options;
    const ShortTimeFigures& figures;
};
void print_report(const SoundReport& report, bool json);

}  // namespace seiche::cli
