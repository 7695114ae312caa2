// `seiche spectrum` in two halves: of a recording and of a picture.
#pragma once

#include <string>

#include "cli/io/outputs.hpp"
#include "cli/sound/sound_options.hpp"

namespace seiche::cli {

struct SpectrumCommand {
    std::string input, device, channels = "luminance";
    Outputs outputs;
    SoundOptions sound;
    RecordingOptions recording;
    bool density = false, phase = false, json = false;
};

/// Welch's estimate: the mean power of overlapping frames.
void spectrum_of_recording(const SpectrumCommand& command);
/// The centred two-dimensional transform.
void spectrum_of_picture(const SpectrumCommand& command);

}  // namespace seiche::cli
