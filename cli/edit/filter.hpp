// `seiche filter` by what it is given: a sound, a picture.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/command/report.hpp"
#include "cli/device/device_convolution.hpp"
#include "cli/sound/whole_sound.hpp"

namespace seiche::cli {

struct FilterCommand {
    std::string input, output, kernel, precision, device;
    std::optional<double> lowpass, highpass;        ///< Hz, as all of sounds.
    std::optional<std::string> bandpass, bandstop;  ///< "LOW-HIGH".
    std::optional<double> transition, attenuation;  ///< Hz, dB.
    std::optional<std::int64_t> taps;
    std::optional<double> gaussian, sharpen;  ///< Of pictures: pixels, a factor.
    std::optional<std::int64_t> box;
    Loudness loudness;
    bool sobel = false, json = false;

    /// The precision that was asked for, else the one that suits the input.
    Precision arithmetic(bool wide_input) const {
        if (precision.empty()) return wide_input ? Precision::f64 : Precision::f32;
        return precision == "f64" ? Precision::f64 : Precision::f32;
    }
};

void filter_sound(const FilterCommand& command);
void filter_picture(const FilterCommand& command);

/// What was done.
struct FilterReport {
    const Device& device;
    std::string filter;  ///< In words.
    Json facts;          ///< The same as numbers, for JSON.
    std::string size;    ///< "3 channels of 44100 samples", "640 x 480 pixels".
    Precision precision;
    ConvolutionFigures figures;
    std::uint64_t clipped = 0;
};
/// One line on stdout, or JSON.
void print_report(const FilterCommand& command, const FilterReport& report);

}  // namespace seiche::cli
