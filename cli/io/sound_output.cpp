// A sound written in the format that its file's name ends in.
#include "cli/io/sound_output.hpp"

namespace seiche::cli::io {

WavFormat stored_format(const std::string& path, const WavFormat& format) {
    const std::string extension = output_extension(path, ".wav");
    WavFormat stored = format;
    if (extension == ".ogg" || extension == ".mp3") {
        stored.bits = 32;
        stored.valid_bits = 0;
        stored.is_float = true;
    } else if (extension == ".flac") {
        stored.valid_bits = flac_bits(format);
        stored.bits = (stored.valid_bits + 7) / 8 * 8;
        stored.is_float = false;
    } else {
        return stored;
    }
    stored.coding = WavCoding::linear;
    return stored;
}

SoundOutput::SoundOutput(const std::string& path, const WavFormat& format, std::uint64_t frames) {
    const std::string extension = output_extension(path, ".wav");
    if (extension == ".wav")
        wav_.emplace(path, format, frames);
    else
        encoded_.emplace(path, extension, format);
}

void SoundOutput::write(const std::vector<double>& interleaved) {
    wav_ ? wav_->write(interleaved) : encoded_->write(interleaved);
}
void SoundOutput::commit() { wav_ ? wav_->commit() : encoded_->commit(); }
std::uint64_t SoundOutput::clipped() const noexcept { return wav_ ? wav_->clipped() : encoded_->clipped(); }
std::string SoundOutput::lost() const { return wav_ ? "" : encoded_->lost(); }

}  // namespace seiche::cli::io
