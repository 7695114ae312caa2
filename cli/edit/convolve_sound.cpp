// Sounds convolved with sounds or sequences of numbers, each channel for itself.
#include "cli/device/device_transform.hpp"
#include "cli/device/tiled_convolution.hpp"
#include "cli/edit/convolve.hpp"
#include "cli/io/npy.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/sound/sound_kernel.hpp"
#include "cli/sound/whole_sound.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

template <class T>
void run_as(const ConvolveCommand& command, Convolution convolution, io::SoundFile& sound, SoundKernel& kernel) {
    const Device device = open_device(command.device);
    require_precision(device, precision_of<T>());
    const std::uint64_t channels = sound.format().channels;
    set_channels(convolution, channels, kernel.channels());
    ConvolutionFigures figures;
    std::vector<T> result =
        convolve_any_size(device, convolution, planar(read_sound<T>(sound), channels), kernel.read<T>(), figures);
    const std::uint64_t frames = result_lengths(convolution).front();
    ConvolveReport report{device, convolution, precision_of<T>(), figures, std::nullopt, std::nullopt};
    if (command.loudness.any())
        report.gain_db = make_loud(command.loudness, io::stored_format(command.output, sound.format()), result);
    if (output_kind(command.output, command.is_correlation() ? io::FileKind::array : io::FileKind::sound, true) !=
        ".npy") {
        report.clipped = write_sound(command.output, sound.format(), interleaved(result, channels), frames);
        note_clipped_sound(*report.clipped, result, io::stored_format(command.output, sound.format()),
                           report.gain_db.value_or(0));
    } else {
        const io::ElementType type = sizeof(T) == 4 ? io::ElementType::float32 : io::ElementType::float64;
        io::OutputFile file(command.output);
        file.write(io::npy_preamble({type, false, false, {channels, frames}}));
        file.write(result.data(), result.size() * sizeof(T));
        file.commit();
    }
    if (command.is_correlation()) report.peak = find_peak(convolution, result);
    print_report(command, report);
}

}  // namespace

void convolve_sounds(const ConvolveCommand& command) {
    io::SoundFile sound = open_sound(command.a);
    SoundKernel kernel(command.b, sound);
    const Convolution convolution = command.convolution({sound.frames()}, {kernel.samples()}, ConvolutionMode::full);
    command.arithmetic(is_wide(sound.format()) || kernel.is_wide()) == Precision::f64
        ? run_as<double>(command, convolution, sound, kernel)
        : run_as<float>(command, convolution, sound, kernel);
}

}  // namespace seiche::cli
