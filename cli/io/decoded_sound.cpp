// Sounds in FLAC, Ogg, MP3, AIFF and their like, and WAV of other encodings than PCM, through libsndfile.
#include "cli/io/decoded_sound.hpp"

#include <sndfile.h>

#include <algorithm>

#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

/// The samples of a WAV file that holds what the decoder gives.
void set_samples(WavFormat& format, int subtype) {
    format.bits = 16;
    switch (subtype) {
        case SF_FORMAT_PCM_S8:
        case SF_FORMAT_PCM_U8: format.bits = 8; break;
        case SF_FORMAT_ALAC_20:
            format.bits = 24;
            format.valid_bits = 20;
            break;
        case SF_FORMAT_DWVW_12: format.valid_bits = 12; break;
        case SF_FORMAT_PCM_24:
        case SF_FORMAT_ALAC_24:
        case SF_FORMAT_DWVW_24: format.bits = 24; break;
        case SF_FORMAT_PCM_32:
        case SF_FORMAT_ALAC_32: format.bits = 32; break;
        case SF_FORMAT_DOUBLE:
            format.bits = 64;
            format.is_float = true;
            break;
        case SF_FORMAT_ULAW:
        case SF_FORMAT_ALAW:
            format.bits = 8;
            format.coding = subtype == SF_FORMAT_ULAW ? WavCoding::mu_law : WavCoding::a_law;
            break;
        case SF_FORMAT_FLOAT:
        case SF_FORMAT_VORBIS:
        case SF_FORMAT_OPUS:
        case SF_FORMAT_MPEG_LAYER_I:
        case SF_FORMAT_MPEG_LAYER_II:
        case SF_FORMAT_MPEG_LAYER_III:
            format.bits = 32;
            format.is_float = true;
            break;
        default: break;  // all others decode to 16 bits
    }
}

// libsndfile's callbacks, which must not throw.
sf_count_t on_length(void* file) { return static_cast<sf_count_t>(static_cast<InputFile*>(file)->bytes()); }
sf_count_t on_tell(void* file) { return static_cast<sf_count_t>(static_cast<InputFile*>(file)->position()); }
sf_count_t on_write(const void*, sf_count_t, void*) { return 0; }
sf_count_t on_read(void* to, sf_count_t count, void* file) {
    if (count <= 0) return 0;
    return static_cast<sf_count_t>(static_cast<InputFile*>(file)->read_some(to, static_cast<std::uint64_t>(count)));
}
sf_count_t on_seek(sf_count_t offset, int whence, void* user) {
    auto* file = static_cast<InputFile*>(user);
    const auto size = static_cast<sf_count_t>(file->bytes());
    const sf_count_t base = whence == SEEK_SET   ? 0
                            : whence == SEEK_END ? size
                                                 : static_cast<sf_count_t>(file->position());
    if (offset < -base || offset > size - base) return -1;
    file->seek(static_cast<std::uint64_t>(base + offset));
    return base + offset;
}

}  // namespace

struct DecodedSound::Decoder {
    InputFile file;
    SF_VIRTUAL_IO calls{on_length, on_seek, on_read, on_write, on_tell};
    SNDFILE* sound = nullptr;

    explicit Decoder(InputFile f) : file(std::move(f)) {}
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() {
        if (sound != nullptr) sf_close(sound);
    }
    /// From the beginning, whatever was done before.
    SF_INFO open() {
        const SilentErrors silent;  // a damaged MP3 makes its decoder talk
        if (sound != nullptr) sf_close(sound);
        file.seek(0);
        SF_INFO info{};
        sound = sf_open_virtual(&calls, SFM_READ, &info, &file);
        if (sound == nullptr) file.refuse("damaged or unknown sound: " + one_line(sf_strerror(nullptr)));
        return info;
    }
    bool can_seek(std::uint64_t frame) const {
        const SilentErrors silent;
        return sf_seek(sound, static_cast<sf_count_t>(frame), SEEK_SET) == static_cast<sf_count_t>(frame);
    }
    sf_count_t decode(double* to, sf_count_t frames) const {
        const SilentErrors silent;
        return sf_readf_double(sound, to, frames);
    }
};

DecodedSound::DecodedSound(InputFile file) : decoder_(std::make_unique<Decoder>(std::move(file))) {
    const SF_INFO info = decoder_->open();
    if (info.channels < 1 || info.samplerate < 1)
        decoder_->file.refuse("damaged sound: " + std::to_string(info.channels) + " channels at " +
                              std::to_string(info.samplerate) + " Hz");
    format_.channels = static_cast<std::uint32_t>(info.channels);
    format_.sample_rate = static_cast<std::uint32_t>(info.samplerate);
    set_samples(format_, info.format & SF_FORMAT_SUBMASK);
    count_frames(info.frames < 0 ? 0 : static_cast<std::uint64_t>(info.frames));
    if (frames_ == 0) decoder_->file.refuse("it holds no samples");
}

DecodedSound::~DecodedSound() = default;
DecodedSound::DecodedSound(DecodedSound&&) noexcept = default;
DecodedSound& DecodedSound::operator=(DecodedSound&&) noexcept = default;

const std::string& DecodedSound::path() const noexcept { return decoder_->file.path(); }

/// A header may claim more than is there, or nothing: unless the last frame can be read, all are decoded and counted.
void DecodedSound::count_frames(std::uint64_t claimed) {
    constexpr std::uint64_t most_per_byte = 1 << 16, block = 1 << 14;
    std::vector<double> frames(format_.channels);
    const bool plausible = claimed > 0 && claimed / most_per_byte <= decoder_->file.bytes();
    if (plausible && decoder_->can_seek(claimed - 1) && decoder_->decode(frames.data(), 1) == 1 &&
        decoder_->can_seek(0)) {
        frames_ = claimed;
        return;
    }
    decoder_->open();  // a decoder that failed may not go on
    frames.resize(block * format_.channels);
    for (sf_count_t got = 1; got > 0; frames_ += static_cast<std::uint64_t>(got))
        got = std::max<sf_count_t>(0, decoder_->decode(frames.data(), block));
    decoder_->open();
    remark_ = plausible ? "cut short or damaged: its header says " + std::to_string(claimed) + " samples, " +
                              std::to_string(frames_) + " can be read"
                        : "its header does not say how long it is, as of a stream: read to the end";
}

std::uint64_t DecodedSound::read(std::vector<double>& interleaved, std::uint64_t count) {
    count = std::min(count, frames_ - frames_read_);
    interleaved.resize(count * format_.channels);
    std::uint64_t done = 0;
    while (done < count) {
        const sf_count_t got =
            decoder_->decode(interleaved.data() + done * format_.channels, static_cast<sf_count_t>(count - done));
        if (got <= 0)
            decoder_->file.refuse("damaged sound: nothing can be decoded behind sample " +
                                  std::to_string(frames_read_ + done));
        done += static_cast<std::uint64_t>(got);
    }
    frames_read_ += count;
    return count;
}

void DecodedSound::skip(std::uint64_t count) {
    frames_read_ += std::min(count, frames_ - frames_read_);
    if (frames_read_ < frames_ && !decoder_->can_seek(frames_read_))
        decoder_->file.refuse("damaged sound: cannot go to sample " + std::to_string(frames_read_));
}

}  // namespace seiche::cli::io
