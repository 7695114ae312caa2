// A sound, whatever its file's format.
#include "cli/io/sound_file.hpp"

#include "cli/io/file_kind.hpp"

namespace seiche::cli::io {
namespace {

std::variant<WavFile, DecodedSound> open_any(const std::string& path) {
    InputFile file(path);
    if (format_of(file) == Format::decoded_sound) return DecodedSound(std::move(file));
    try {
        return WavFile(path);
    } catch (const UnknownEncoding& unknown) {
        // WAV holds what other formats do too: what the library does not know either is refused as it was.
        try {
            return DecodedSound(std::move(file));
        } catch (const Failure&) {
            throw Failure(unknown.what());
        }
    }
}

}  // namespace

SoundFile::SoundFile(const std::string& path) : file_(open_any(path)) {}

const WavFormat& SoundFile::format() const noexcept {
    const auto* wav = std::get_if<WavFile>(&file_);
    return wav ? wav->format() : std::get_if<DecodedSound>(&file_)->format();
}

const std::string& SoundFile::path() const noexcept {
    const auto* wav = std::get_if<WavFile>(&file_);
    return wav ? wav->path() : std::get_if<DecodedSound>(&file_)->path();
}

std::uint64_t SoundFile::frames() const noexcept {
    const auto* wav = std::get_if<WavFile>(&file_);
    return wav ? wav->frames() : std::get_if<DecodedSound>(&file_)->frames();
}

const std::string& SoundFile::remark() const noexcept {
    const auto* wav = std::get_if<WavFile>(&file_);
    return wav ? wav->remark() : std::get_if<DecodedSound>(&file_)->remark();
}

std::optional<double> SoundFile::centre() const noexcept {
    const auto* wav = std::get_if<WavFile>(&file_);
    return wav ? wav->centre() : std::nullopt;
}

std::uint64_t SoundFile::read(std::vector<double>& interleaved, std::uint64_t count) {
    return std::visit([&](auto& file) { return file.read(interleaved, count); }, file_);
}

void SoundFile::skip(std::uint64_t count) {
    std::visit([count](auto& file) { file.skip(count); }, file_);
}

}  // namespace seiche::cli::io
