// A sound at another rate. Sample m of the result is at the time m / rate, as sample 0 of the sound is at 0.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "cli/device/device_transform.hpp"
#include "cli/edit/resample.hpp"
#include "cli/io/sound_output.hpp"
#include "cli/sound/sound_kernel.hpp"
#include "cli/sound/whole_sound.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

/// Samples of each channel: what is transformed, into what, and how many of that are kept.
struct Lengths {
    std::uint64_t from = 0, to = 0, kept = 0;
};

/// Steps of `longer` samples, at least so many, of a short list, so that sounds of any length share the compiled
/// kernels of a few: all up to 2^18 samples have one length, all up to 2^20 another, and of more there are two from
/// each power of two to the next.
std::uint64_t listed_steps(std::uint64_t least, std::uint64_t longer) {
    constexpr std::uint64_t first = 1 << 18, second = 1 << 20;
    const auto of_samples = [longer](std::uint64_t samples) {
        return std::bit_ceil(std::max<std::uint64_t>(1, samples / longer));
    };
    if (least <= of_samples(first)) return of_samples(first);
    if (least <= of_samples(second)) return of_samples(second);
    const std::uint64_t power = std::bit_ceil(least);
    return least <= power / 4 * 3 ? power / 4 * 3 : power;
}

/// A sound that is mirrored about its samples has a last one on both grids: after a whole number of the steps that are
/// p samples of one rate and q of the other, at or behind its end. More of it, mirrored too, makes a faster length.
Lengths lengths_of(std::uint64_t frames, std::uint64_t rate, std::uint64_t new_rate, Continuation continuation,
                   bool is_compiled) {
    const std::uint64_t common = std::gcd(rate, new_rate), p = rate / common, q = new_rate / common;
    Lengths lengths;
    lengths.kept = std::max<std::uint64_t>(1, (2 * frames * q + p) / (2 * p));
    if (p == q || continuation == Continuation::periodic) {
        lengths.from = frames;
        lengths.to = lengths.kept;
    } else {
        const std::uint64_t least = (frames + p - 1) / p, longer = std::max(p, q);
        std::uint64_t steps = is_compiled ? listed_steps(least, longer) : next_fast_length(least);
        if (steps * longer + 1 > longest_axis) steps = next_fast_length(least);
        lengths.from = p * steps + 1;
        lengths.to = q * steps + 1;
    }
    return lengths;
}

/// Where sample i of a sound that is mirrored about its first and its last one lies in it.
std::uint64_t mirrored(std::uint64_t i, std::uint64_t frames) {
    if (frames == 1) return 0;
    const std::uint64_t period = 2 * (frames - 1);
    return std::min(i % period, period - i % period);
}

/// All frames of a sound, and mirrored ones beyond its end, `length` in all.
template <class T>
std::vector<T> read_longer(io::SoundFile& file, std::uint64_t length) {
    const std::uint64_t channels = file.format().channels, frames = file.frames();
    std::vector<T> sound = read_sound<T>(file);
    sound.reserve(length * channels);
    for (std::uint64_t i = frames; i < length; ++i)
        for (std::uint64_t c = 0; c < channels; ++c) sound.push_back(sound[mirrored(i, frames) * channels + c]);
    return sound;
}

template <class T>
void run_as(const ResampleCommand& command, io::SoundFile& file, const io::WavFormat& changed, const Lengths& lengths,
            Continuation continuation, const Device& device) {
    require_precision(device, precision_of<T>());
    const std::uint64_t channels = changed.channels;
    ResampleFigures figures;
    std::vector<T> sound = fourier_resample(device, read_longer<T>(file, lengths.from), {lengths.from, channels},
                                            {lengths.to, channels}, continuation, figures);
    sound.resize(lengths.kept * channels);
    const double gain_db = make_loud(command.loudness, io::stored_format(command.output, changed), sound);
    const std::uint64_t clipped = write_sound(command.output, changed, sound, lengths.kept);
    note_clipped_sound(clipped, sound, io::stored_format(command.output, changed), gain_db);
    print_report(command, {device,
                           {channels, file.frames()},
                           {channels, lengths.kept},
                           continuation,
                           precision_of<T>(),
                           figures,
                           clipped,
                           command.loudness.any() ? std::optional<double>(gain_db) : std::nullopt});
}

}  // namespace

void resample_sound(const ResampleCommand& command) {
    if (!command.rate) throw UsageError("expected --rate for a sound, got none");
    io::SoundFile file = open_sound(command.input);
    io::WavFormat changed = file.format();
    // A header says the bytes of a second too, in 32 bits.
    const auto most = static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max() /
                                                (std::uint64_t{changed.channels} * changed.bits / 8));
    if (*command.rate > most)
        throw Failure("--rate: expected at most " + std::to_string(most) + " for " +
                      counted(changed.channels, "channel") + " of " + text_of(changed) + ", got " +
                      std::to_string(*command.rate));
    changed.sample_rate = static_cast<std::uint32_t>(*command.rate);
    const Continuation continuation = command.continuation(Continuation::about_samples, Continuation::about_samples);
    const std::uint64_t rate = file.format().sample_rate;
    const Device device = open_device(command.device);
    const bool is_compiled = device.info().backend != Backend::reference;
    Lengths lengths{longest_axis + 1, 0, 0};
    if (file.frames() <= longest_axis)
        lengths = lengths_of(file.frames(), rate, changed.sample_rate, continuation, is_compiled);
    if (std::max(lengths.from, lengths.to) > longest_axis)
        throw Failure("'" + command.input + "': expected at most 2^28 samples of a channel at either rate, got " +
                      std::to_string(file.frames()) + " at " + std::to_string(rate) + " Hz to bring to " +
                      std::to_string(changed.sample_rate) + " Hz");
    if (continuation == Continuation::periodic && lengths.kept * rate != file.frames() * changed.sample_rate)
        note("the period of " + counted(file.frames(), "sample") + " becomes " + std::to_string(lengths.kept) +
             ", a whole number near its length at " + std::to_string(changed.sample_rate) + " Hz");
    command.arithmetic(is_wide(file.format())) == Precision::f64
        ? run_as<double>(command, file, changed, lengths, continuation, device)
        : run_as<float>(command, file, changed, lengths, continuation, device);
}

}  // namespace seiche::cli
