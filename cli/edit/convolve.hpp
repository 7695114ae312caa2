// `seiche convolve` by what it is given: arrays, sounds, pictures.
#pragma once

#include <optional>
#include <string>

#include "cli/command/report.hpp"
#include "cli/device/device_convolution.hpp"
#include "cli/sound/whole_sound.hpp"

namespace seiche::cli {

struct ConvolveCommand {
    std::string a, b, output, mode, precision, device;
    std::optional<std::uint64_t> block;
    Loudness loudness;
    bool correlate = false, phase = false, json = false;

    /// A result that is a map of lags, of which the peak is said.
    bool is_correlation() const { return correlate || phase; }
    /// The convolution asked for, of such lengths; `unless_told` is the mode that suits the files. Throws Failure where
    /// B does not fit in A.
    Convolution convolution(const Shape& signal, const Shape& kernel, ConvolutionMode unless_told) const;
    /// The precision that was asked for, else the one that suits the inputs.
    Precision arithmetic(bool wide_input) const {
        if (precision.empty()) return wide_input ? Precision::f64 : Precision::f32;
        return precision == "f64" ? Precision::f64 : Precision::f32;
    }
};

void convolve_arrays(const ConvolveCommand& command);
void convolve_sounds(const ConvolveCommand& command);
void convolve_pictures(const ConvolveCommand& command);

/// What was done; sizes as the kind of file counts them.
struct ConvolveReport {
    const Device& device;
    Convolution convolution;
    Precision precision;
    ConvolutionFigures figures;
    std::optional<Peak> peak;
    std::optional<std::uint64_t> clipped;  ///< Samples; none where nothing is rounded.
    bool is_picture = false;               ///< Sizes are width x height, and shifts to the right and down.
    std::optional<double> gain_db = {};    ///< By which a sound was made louder.
};
/// One line on stdout and, of correlations, one for the peak; or JSON.
void print_report(const ConvolveCommand& command, const ConvolveReport& report);

}  // namespace seiche::cli
