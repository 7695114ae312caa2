// The short-time transform of a recording on a device: powers, frame by frame, and how exact they were.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cli/device/device_transform.hpp"
#include "cli/io/recording.hpp"
#include "cli/signal/frames.hpp"
#include "cli/signal/window.hpp"
#include "seiche/device.hpp"

namespace seiche::cli {

struct ShortTimeOptions {
    signal::Window window;
    std::uint64_t length = 1024;
    std::uint64_t hop = 256;
    Precision precision = Precision::f32;
    bool density = false;  ///< Powers per Hz instead of powers of a sine.
    bool mixdown = false;  ///< All channels to one, their mean.
    signal::Part part;     ///< Of the recording.

    std::uint64_t frames() const { return (part.count - length) / hop + 1; }
    std::uint32_t channels(const io::Recording& file) const { return mixdown ? 1 : file.channels(); }
    /// The time of the middle of a frame in the recording, in samples.
    double middle(double frame) const {
        return static_cast<double>(part.first) + frame * static_cast<double>(hop) + static_cast<double>(length) / 2;
    }
};

struct ShortTimeFigures : TransformFigures {
    std::uint64_t frames = 0;
    std::uint64_t checked = 0;                  ///< Frames that were compared with the reference.
    double error = 0;                           ///< Relative L2 error of their transforms.
    signal::FrameReader::NotFinite not_finite;  ///< Samples that are no numbers.
    std::uint64_t broken =
        0;                  ///< Frames of a channel whose powers are no numbers: they see such a sample, or overflow.
    bool is_silent = true;  ///< No power is above 0.
    std::uint32_t channels = 1;
};

/// The frequencies of a spectrum: of a sound 0, rate/length, ... rate/2; of a radio recording `length` of them in
/// rising order, the centre in place length/2.
struct Bins {
    std::uint64_t count = 0;
    double first = 0, step = 0;  ///< Hz
    double at(double k) const { return first + k * step; }
};
Bins frequency_bins(const io::Recording& file, std::uint64_t length);

/// Gets the powers at the frequencies of `frequency_bins` of one frame of one channel, relative to the power of a
/// full-scale tone (a real sine: 0.5; a complex one: 1): 1 is 0 dBFS, or 1/Hz is 0 dBFS/Hz. Frames come in order,
/// channel after channel.
using TakePowers = std::function<void(std::uint64_t frame, std::uint32_t channel, const std::vector<double>& powers)>;

/// Transforms every whole frame. The powers are those of scipy.signal.spectrogram(x, rate, window, length,
/// length - hop, detrend=False, scaling='spectrum' or 'density', mode='psd') divided by that power;
/// of complex samples with return_onesided=False and numpy.fft.fftshift. The recording must have one frame and the
/// device the precision.
ShortTimeFigures short_time_powers(const Device& device, io::Recording& file, const ShortTimeOptions& options,
                                   const TakePowers& take);

/// Throws Failure if the part of the recording is shorter than one frame.
void require_one_frame(const io::Recording& file, const ShortTimeOptions& options);

/// Says on stderr which samples are no numbers, and that a recording is silent, where it is; `fate` is what became of
/// the frames that see one, e.g. "are grey".
void note_oddities(const io::Recording& file, const ShortTimeFigures& figures, const std::string& fate);

/// All powers of a frame are numbers.
bool is_sound(const std::vector<double>& powers);

/// 10 log10 of a relative power; -infinity for none.
double decibels(double power);

}  // namespace seiche::cli
