// A sound or a radio recording: samples over time, read as a stream, whatever the file's format.
#include "cli/io/recording.hpp"

#include "cli/text/failure.hpp"

namespace seiche::cli::io {

std::string pair_type(const WavFormat& format) {
    if (format.coding != WavCoding::linear) return format.coding == WavCoding::mu_law ? "mu-law pairs" : "A-law pairs";
    const char* kind = format.is_float ? "cf" : format.bits == 8 ? "cu" : "cs";
    return kind + std::to_string(format.bits);
}

Recording::Recording(PairedSound file) : file_(std::move(file)) {
    const std::uint32_t all = sound()->format().channels;
    if (all % 2 != 0)
        throw Failure("'" + path() + "': expected pairs of channels (in phase, quadrature), got " +
                      std::to_string(all) + (all == 1 ? " channel" : " channels"));
}

const SoundFile* Recording::sound() const noexcept {
    const auto* pairs = std::get_if<PairedSound>(&file_);
    return pairs ? &pairs->file : std::get_if<SoundFile>(&file_);
}

const std::string& Recording::path() const noexcept { return raw() ? raw()->path() : sound()->path(); }

std::uint32_t Recording::channels() const noexcept {
    if (raw()) return raw()->format().channels;
    return sound()->format().channels / (is_radio() ? 2 : 1);
}

std::uint64_t Recording::frames() const noexcept { return raw() ? raw()->samples() : sound()->frames(); }

double Recording::rate() const noexcept { return raw() ? raw()->format().rate : sound()->format().sample_rate; }

double Recording::centre() const noexcept {
    if (raw()) return raw()->format().type.is_complex ? raw()->format().centre : 0;
    const auto* pairs = std::get_if<PairedSound>(&file_);
    return pairs ? pairs->centre : 0;
}

bool Recording::is_two_sided() const noexcept { return raw() ? raw()->format().type.is_complex : is_radio(); }

bool Recording::is_wide() const noexcept {
    if (!raw()) return sound()->format().significant_bits() > (sound()->format().is_float ? 32 : 16);
    const Number number = raw()->format().type.number;
    return number == Number::u32 || number == Number::i32 || number == Number::f64;
}

std::string Recording::type() const {
    if (raw()) return to_string(raw()->format().type);
    return is_radio() ? pair_type(sound()->format()) : "";
}

const std::string& Recording::remark() const noexcept { return raw() ? raw()->remark() : sound()->remark(); }

std::vector<Annotation> Recording::annotations() const {
    return raw() ? raw()->annotations() : std::vector<Annotation>();
}

std::uint64_t Recording::read(std::vector<std::complex<double>>& interleaved, std::uint64_t count) {
    if (auto* iq = std::get_if<IqFile>(&file_)) return iq->read(interleaved, count);
    const std::uint64_t frames = sound()->read(real_, count);
    if (!is_radio()) {
        interleaved.assign(real_.begin(), real_.end());
        return frames;
    }
    interleaved.resize(real_.size() / 2);
    for (std::size_t i = 0; i < interleaved.size(); ++i) interleaved[i] = {real_[2 * i], real_[2 * i + 1]};
    return frames;
}

void Recording::skip(std::uint64_t count) {
    if (auto* iq = std::get_if<IqFile>(&file_)) return iq->skip(count);
    sound()->skip(count);
}

}  // namespace seiche::cli::io
