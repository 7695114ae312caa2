// What a sound is convolved with, and a sound's channels one after the other.
#include "cli/sound/sound_kernel.hpp"

#include <cmath>

#include "cli/command/report.hpp"
#include "cli/io/file_kind.hpp"
#include "cli/sound/whole_sound.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {

io::SoundFile open_sound(const std::string& path) {
    io::SoundFile file(path);
    if (!file.remark().empty()) note("'" + file.path() + "': " + file.remark());
    return file;
}

template <class T>
std::vector<T> planar(const std::vector<T>& interleaved, std::uint64_t channels) {
    const std::uint64_t frames = interleaved.size() / channels;
    std::vector<T> result(interleaved.size());
    for (std::uint64_t c = 0; c < channels; ++c)
        for (std::uint64_t i = 0; i < frames; ++i) result[c * frames + i] = interleaved[i * channels + c];
    return result;
}
template std::vector<float> planar(const std::vector<float>&, std::uint64_t);
template std::vector<double> planar(const std::vector<double>&, std::uint64_t);

SoundKernel::SoundKernel(const std::string& path, const io::SoundFile& sound) : path_(path) {
    const io::FileKind kind = io::kind_of(path);
    if (kind == io::FileKind::sound) {
        sound_ = std::make_unique<io::SoundFile>(open_sound(path));
        const io::WavFormat& format = sound_->format();
        if (format.sample_rate != sound.format().sample_rate)
            throw Failure("'" + path + "': expected " + std::to_string(sound.format().sample_rate) + " Hz as '" +
                          sound.path() + "' has, got " + std::to_string(format.sample_rate) +
                          " Hz (seiche resample changes it)");
        channels_ = format.channels;
        samples_ = sound_->frames();
        is_wide_ = cli::is_wide(format);
    } else if (kind == io::FileKind::array) {
        open_array();
    } else {
        throw UsageError("expected a kernel that is a sound or an .npy array, got '" + path + "'");
    }
    const std::uint32_t channels = sound.format().channels;
    if (channels_ != 1 && channels_ != channels)
        throw Failure("'" + path + "': expected 1 channel" +
                      (channels == 1 ? "" : " or the " + std::to_string(channels)) + " as '" + sound.path() +
                      "' has, got " + std::to_string(channels_));
}

void SoundKernel::open_array() {
    array_ = std::make_unique<io::NpyFile>(path_);
    const io::NpyHeader& header = array_->header();
    const std::size_t rank = header.shape.size();
    if (rank != 1 && rank != 2)
        throw Failure("'" + path_ + "': expected the shape (samples,) or (channels, samples), got " +
                      counted(rank, "axis", "axes"));
    if (io::is_complex(header.type))
        throw Failure("'" + path_ + "': expected real numbers for a sound, got " + to_string(header.type));
    if (io::element_count(header.shape) == 0) throw Failure("'" + path_ + "': expected at least one number, got none");
    channels_ = rank == 2 ? header.shape[0] : 1;
    samples_ = header.shape.back();
    is_wide_ = header.type == io::ElementType::float64 || io::is_integer(header.type);
}

template <class T>
std::vector<T> SoundKernel::read() {
    if (sound_) return planar(read_sound<T>(*sound_), channels_);
    std::vector<T> values;
    for (const std::complex<T>& value : array_->read<T>()) {
        values.push_back(value.real());
        if (!std::isfinite(values.back())) throw Failure("'" + path_ + "': expected finite numbers, got another");
    }
    const bool is_turned = array_->header().fortran_order && array_->header().shape.size() == 2;
    return is_turned ? planar(values, channels_) : values;
}
template std::vector<float> SoundKernel::read();
template std::vector<double> SoundKernel::read();

}  // namespace seiche::cli
