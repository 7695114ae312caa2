// What the commands share for sounds and radio recordings: options, descriptions, the report.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/command_line.hpp"
#include "cli/command/report.hpp"
#include "cli/draw/ticks.hpp"
#include "cli/io/recording.hpp"
#include "cli/sound/short_time.hpp"
#include "cli/sound/sound_words.hpp"

namespace seiche::cli {

struct SoundOptions {
    std::string window = "hann", precision = "f32", start, duration;
    std::int64_t length = 0, hop = 0;  ///< 0: the command's default.
    bool mixdown = false;
};

/// The defaults of the length and the hop, which are the command's, in words.
void add_sound_options(Command& command, SoundOptions& options, const std::string& length, const std::string& hop);

/// What a raw recording does not say of itself.
struct RecordingOptions {
    std::string iq;  ///< The type of its samples; empty: the file's name tells its format.
    std::optional<double> rate, centre;
};

void add_recording_options(Command& command, RecordingOptions& options);

/// True if the input is one that `open_recording` reads.
bool is_recording(const std::string& path, const RecordingOptions& options);

/// Opens a sound or a radio recording and passes on what is odd about it. Throws UsageError for options that do not
/// suit the kind of file.
io::Recording open_recording(const std::string& path, const RecordingOptions& options);

/// Checks and completes the options; `length` and `hop_of_length` (a fraction) are the command's defaults. A default
/// length is cut to the recording's; a given one is not.
ShortTimeOptions resolve(const SoundOptions& options, const io::Recording& file, std::uint64_t length,
                         double hop_of_length);

/// Two numbers with a colon between them, or a minus sign where both are positive, perhaps with suffixes (words.hpp).
/// Throws UsageError that names the option.
std::pair<double, double> parse_range(const std::string& option, const std::string& text);

/// "hann window of 1024 samples, hop 256 · 48 kHz, 2 channels"; of a radio recording "... · 2.4 MHz, cu8 around
/// 100 MHz".
std::string describe(const ShortTimeOptions& options, const io::Recording& file);
/// What a chart calls a channel: nothing where there is only one.
std::string channel_label(std::uint32_t channel, const Channels& channels);
/// From `low` to `high` Hz, in kHz, MHz or GHz where that reads better.
draw::Axis frequency_axis(double low, double high);
/// From `low` to `high` seconds, in ms, µs or ns where that reads better.
draw::Axis time_axis(double low, double high);
/// From `range` dB below to the next multiple of 10 dB at or above `highest`.
draw::Axis level_axis(const std::string& label, double highest, double range);

/// The report of a command that transformed a recording, as text or JSON.
struct SoundReport {
    std::string input;
    std::vector<std::string> outputs;
    const Device& device;
    const io::Recording& file;
    const ShortTimeOptions& options;
    const ShortTimeFigures& figures;
};
void print_report(const SoundReport& report, bool json);

}  // namespace seiche::cli
