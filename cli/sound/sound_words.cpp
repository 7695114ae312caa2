// How sounds are spoken of: channels, moments, rates.
#include "cli/sound/sound_words.hpp"

#include <cmath>

#include "cli/text/text.hpp"

namespace seiche::cli {

std::string channel_name(std::uint64_t channel, const Channels& channels) {
    if (channels.is_stereo()) return channel == 0 ? "left" : "right";
    return "channel " + std::to_string(channel + 1);
}

std::string of_channel(std::uint64_t channel, const Channels& channels) {
    if (channels.count == 1) return "";
    return channels.is_stereo() ? " of the " + channel_name(channel, channels) + " channel"
                                : " of " + channel_name(channel, channels);
}

Unit unit_of_time(double seconds) {
    const double size = std::fabs(seconds);
    if (size >= 1 || size == 0) return {"s", 1};
    if (size >= 1e-3) return {"ms", 1e3};
    if (size >= 1e-6) return {"\u00b5s", 1e6};
    return {"ns", 1e9};
}

Unit unit_of_frequency(double hertz) {
    const double size = std::fabs(hertz);
    if (size < 1e3) return {"Hz", 1};
    if (size < 1e6) return {"kHz", 1e-3};
    if (size < 1e9) return {"MHz", 1e-6};
    return {"GHz", 1e-9};
}

std::string hertz_text(double hertz) {
    const Unit unit = unit_of_frequency(hertz);
    return significant(hertz * unit.per_base, 10) + " " + unit.name;
}

std::string time_text(double seconds) {
    const Unit unit = unit_of_time(seconds);
    return significant(seconds * unit.per_base, 6) + " " + unit.name;
}

std::string place_text(std::uint64_t sample, double rate) {
    return "sample " + std::to_string(sample) + " (at " + time_text(static_cast<double>(sample) / rate) + ")";
}

}  // namespace seiche::cli
