// Sounds written to FLAC, AIFF, Ogg Vorbis and MP3, through libsndfile.
#include "cli/io/encoded_sound.hpp"

#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "cli/io/output_file.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

/// What is encoded goes to a file without a name first, since encoders go back to their headers.
struct Scratch {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{unnamed_file(), std::fclose};
    std::uint64_t position = 0, bytes = 0;
};

// libsndfile's callbacks, which must not throw.
sf_count_t on_length(void* scratch) { return static_cast<sf_count_t>(static_cast<Scratch*>(scratch)->bytes); }
sf_count_t on_tell(void* scratch) { return static_cast<sf_count_t>(static_cast<Scratch*>(scratch)->position); }
sf_count_t on_seek(sf_count_t offset, int whence, void* user) {
    auto* scratch = static_cast<Scratch*>(user);
    const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_END ? scratch->bytes : scratch->position;
    const auto wanted = static_cast<sf_count_t>(base) + offset;
    if (wanted < 0 || !go_to(scratch->file.get(), static_cast<std::uint64_t>(wanted))) return -1;
    scratch->position = static_cast<std::uint64_t>(wanted);
    return wanted;
}
sf_count_t on_read(void* to, sf_count_t count, void* user) {
    auto* scratch = static_cast<Scratch*>(user);
    if (!go_to(scratch->file.get(), scratch->position)) return 0;
    const std::size_t got = std::fread(to, 1, static_cast<std::size_t>(count), scratch->file.get());
    on_seek(static_cast<sf_count_t>(scratch->position + got), SEEK_SET, user);
    return static_cast<sf_count_t>(got);
}
sf_count_t on_write(const void* from, sf_count_t count, void* user) {
    auto* scratch = static_cast<Scratch*>(user);
    const std::size_t put = std::fwrite(from, 1, static_cast<std::size_t>(count), scratch->file.get());
    scratch->position += put;
    scratch->bytes = std::max(scratch->bytes, scratch->position);
    return static_cast<sf_count_t>(put);
}

/// How the samples are stored: as floats that the encoder takes, or as integers of so many bits.
struct Storage {
    int format = 0;
    std::uint32_t integer_bits = 0;  ///< 0: floats.
    std::string lost;
};

Storage aiff_storage(const WavFormat& format) {
    if (format.coding != WavCoding::linear)
        return {SF_FORMAT_AIFF | (format.coding == WavCoding::mu_law ? SF_FORMAT_ULAW : SF_FORMAT_ALAW), 0, {}};
    if (format.is_float) return {SF_FORMAT_AIFF | (format.bits == 32 ? SF_FORMAT_FLOAT : SF_FORMAT_DOUBLE), 0, {}};
    constexpr std::array kinds{SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32};
    return {SF_FORMAT_AIFF | kinds[format.bits / 8 - 1], format.significant_bits(), {}};
}

Storage flac_storage(const WavFormat& format) {
    Storage storage;
    storage.integer_bits = flac_bits(format);
    const std::uint32_t bytes = (storage.integer_bits + 7) / 8;
    storage.format = SF_FORMAT_FLAC | (bytes == 1   ? SF_FORMAT_PCM_S8
                                       : bytes == 2 ? SF_FORMAT_PCM_16
                                                    : SF_FORMAT_PCM_24);
    if (format.is_float || format.significant_bits() > storage.integer_bits)
        storage.lost = "samples became PCM of 24 bits, the most that FLAC has";
    return storage;
}

Storage storage_of(const std::string& extension, const WavFormat& format) {
    if (extension == ".flac") return flac_storage(format);
    if (extension == ".ogg") return {SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0, {}};
    if (extension == ".mp3") return {SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 0, {}};
    return aiff_storage(format);
}

}  // namespace

struct EncodedSound::Encoder {
    OutputFile output;
    Scratch scratch;
    SF_VIRTUAL_IO calls{on_length, on_seek, on_read, on_write, on_tell};
    SNDFILE* sound = nullptr;
    Storage storage;
    std::uint32_t channels = 0;
    std::uint64_t clipped = 0;
    std::vector<int> integers;

    explicit Encoder(const std::string& path) : output(path) {}
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        if (sound != nullptr) sf_close(sound);
    }
    /// Rounded to the bits that are kept, in the upper ones of 32.
    int integer(double value) {
        const double full = std::ldexp(1, static_cast<int>(storage.integer_bits) - 1);
        const double rounded = std::nearbyint(value * full), held = std::clamp(rounded, -full, full - 1);
        if (held != rounded) ++clipped;
        return static_cast<int>(std::ldexp(held, 32 - static_cast<int>(storage.integer_bits)));
    }
};

EncodedSound::EncodedSound(const std::string& path, const std::string& extension, const WavFormat& format)
    : encoder_(std::make_unique<Encoder>(path)) {
    Encoder& e = *encoder_;
    if (!e.scratch.file) throw Failure(std::string("cannot make a temporary file: ") + std::strerror(errno));
    e.storage = storage_of(extension, format);
    e.channels = format.channels;
    SF_INFO info{};
    info.channels = static_cast<int>(format.channels);
    info.samplerate = static_cast<int>(format.sample_rate);
    info.format = e.storage.format;
    if (sf_format_check(&info) != 0) e.sound = sf_open_virtual(&e.calls, SFM_WRITE, &info, &e.scratch);
    if (e.sound == nullptr)
        throw Failure("cannot write " + std::to_string(format.channels) +
                      (format.channels == 1 ? " channel at " : " channels at ") + std::to_string(format.sample_rate) +
                      " Hz to '" + path + "': its encoder takes none such, or this libsndfile has none: write .wav");
    double quality = 0.6;
    if (extension == ".ogg") sf_command(e.sound, SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
    sf_command(e.sound, SFC_SET_CLIPPING, nullptr, SF_TRUE);
}

EncodedSound::~EncodedSound() = default;

void EncodedSound::write(const std::vector<double>& interleaved) {
    constexpr std::size_t most_frames = 4096;  // Vorbis keeps a block on the stack
    Encoder& e = *encoder_;
    const std::size_t step = most_frames * e.channels;
    for (std::size_t at = 0; at < interleaved.size(); at += step) {
        const std::size_t count = std::min(step, interleaved.size() - at);
        sf_count_t put = 0;
        if (e.storage.integer_bits == 0) {
            put = sf_write_double(e.sound, interleaved.data() + at, static_cast<sf_count_t>(count));
        } else {
            e.integers.resize(count);
            for (std::size_t i = 0; i < count; ++i) e.integers[i] = e.integer(interleaved[at + i]);
            put = sf_write_int(e.sound, e.integers.data(), static_cast<sf_count_t>(count));
        }
        if (put != static_cast<sf_count_t>(count)) throw Failure("cannot encode: " + one_line(sf_strerror(e.sound)));
    }
}

void EncodedSound::commit() {
    constexpr std::size_t block = 1 << 16;
    Encoder& e = *encoder_;
    const int failed = sf_close(e.sound);
    e.sound = nullptr;
    std::FILE* const file = e.scratch.file.get();
    if (failed != 0 || std::fflush(file) != 0 || std::ferror(file) != 0 || !go_to(file, 0))
        throw Failure("cannot encode: " + one_line(sf_error_number(failed)));
    std::vector<char> buffer(block);
    for (std::uint64_t left = e.scratch.bytes; left > 0;) {
        const std::size_t got = std::fread(buffer.data(), 1, std::min<std::uint64_t>(block, left), file);
        if (got == 0) throw Failure("cannot read the temporary file");
        e.output.write(buffer.data(), got);
        left -= got;
    }
    e.output.commit();
}

std::uint64_t EncodedSound::clipped() const noexcept { return encoder_->clipped; }
const std::string& EncodedSound::lost() const noexcept { return encoder_->storage.lost; }

}  // namespace seiche::cli::io
