// How sounds are spoken of: channels, moments, rates.
#pragma once

#include <cstdint>
#include <string>

namespace seiche::cli {

/// What a recording's channels are.
struct Channels {
    std::uint64_t count = 1;
    bool is_sound = true;  ///< so that two of them are left and right

    bool is_stereo() const { return is_sound && count == 2; }
};
/// "left" and "right" of a stereo sound, else "channel 1", "channel 2" ...; what reports, tables and charts call it.
std::string channel_name(std::uint64_t channel, const Channels& channels);
/// " of the left channel", " of channel 3"; nothing where there is only one.
std::string of_channel(std::uint64_t channel, const Channels& channels);
/// The unit that a time or a frequency of this size is read best in, and how many of it are one second or one hertz.
struct Unit {
    std::string name;
    double per_base = 1;
};
/// s, ms, \u00b5s or ns.
Unit unit_of_time(double seconds);
/// Hz, kHz, MHz or GHz.
Unit unit_of_frequency(double hertz);
/// "44.1 kHz", "2.4 MHz", "8 kHz".
std::string hertz_text(double hertz);
/// "12.5 ms".
std::string time_text(double seconds);
/// "sample 120 (at 2.5 ms)", of the rate in Hz.
std::string place_text(std::uint64_t sample, double rate);

}  // namespace seiche::cli
