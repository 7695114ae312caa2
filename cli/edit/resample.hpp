// `seiche resample` by what it is given: an array, a sound, a picture.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/command/report.hpp"
#include "cli/device/fourier_resample.hpp"
#include "cli/sound/whole_sound.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

struct ResampleCommand {
    std::string input, output, precision, device;
    std::optional<std::int64_t> count, axis, rate;  ///< Of arrays the first two, of sounds the last.
    std::optional<std::string> size;                ///< Of pictures, as `scale`.
    std::optional<double> scale;
    Loudness loudness;
    bool periodic = false, symmetric = false, json = false;

    /// The continuation that was asked for: `mirrored` where it is symmetric.
    Continuation continuation(Continuation unless_told, Continuation mirrored) const {
        return periodic ? Continuation::periodic : symmetric ? mirrored : unless_told;
    }
    /// The precision that was asked for, else the one that suits the input.
    Precision arithmetic(bool wide_input) const {
        if (precision.empty()) return wide_input ? Precision::f64 : Precision::f32;
        return precision == "f64" ? Precision::f64 : Precision::f32;
    }
};

void resample_sound(const ResampleCommand& command);
void resample_picture(const ResampleCommand& command);

/// What was done, for --json; sizes as the kind of file counts them.
struct ResampleReport {
    const Device& device;
    Json size, new_size;
    Continuation continuation;
    Precision precision;
    ResampleFigures figures;
    std::optional<std::uint64_t> clipped;  ///< Samples; none where nothing is rounded.
    std::optional<double> gain_db = {};    ///< By which a sound was made louder.
};
void print_report(const ResampleCommand& command, const ResampleReport& report);

}  // namespace seiche::cli
