// A sound or a radio recording: samples over time, read as a stream, whatever the file's format.
#include "cli/io/recording.hpp"

namespace seiche::cli::io {

const std::string& Recording::path() const noexcept {
    const auto* iq = std::get_if<IqFile>(&file_);
    return iq ? iq->path() : std::get_if<WavFile>(&file_)->path();
}

std::uint32_t Recording::channels() const noexcept {
    const auto* wav = std::get_if<WavFile>(&file_);
    return wav ? wav->format().channels : 1;
}

std::uint64_t Recording::frames() const noexcept {
    const auto* iq = std::get_if<IqFile>(&file_);
    return iq ? iq->samples() : std::get_if<WavFile>(&file_)->frames();
}

double Recording::rate() const noexcept {
    const auto* iq = std::get_if<IqFile>(&file_);
    return iq ? iq->format().rate : std::get_if<WavFile>(&file_)->format().sample_rate;
}

double Recording::centre() const noexcept {
    const auto* iq = std::get_if<IqFile>(&file_);
    return iq ? iq->format().centre : 0;
}

std::string Recording::type() const {
    const auto* iq = std::get_if<IqFile>(&file_);
    return iq ? to_string(iq->format().type) : "";
}

std::uint64_t Recording::read(std::vector<std::complex<double>>& interleaved, std::uint64_t count) {
    if (auto* iq = std::get_if<IqFile>(&file_)) return iq->read(interleaved, count);
    const std::uint64_t frames = std::get<WavFile>(file_).read(real_, count);
    interleaved.assign(real_.begin(), real_.end());
    return frames;
}

void Recording::skip(std::uint64_t count) {
    std::visit([count](auto& file) { file.skip(count); }, file_);
}

}  // namespace seiche::cli::io
