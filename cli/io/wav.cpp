// Sound in RIFF/WAVE and RF64 files, read as a stream with every length checked (EBU Tech 3306; Microsoft, "Multimedia
// Programming Interface and Data Specifications 1.0", 1991).
#include "cli/io/wav.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "cli/text.hpp"

namespace seiche::cli::io {
namespace {

constexpr std::uint32_t unknown_size = 0xFFFFFFFF;  // in RF64: look in the ds64 chunk
constexpr std::uint64_t chunk_header = 8;

/// A little-endian integer of `bytes` bytes.
std::uint64_t little(const unsigned char* at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

/// One stored sample as a number.
double sample(const unsigned char* at, const WavFormat& format) {
    if (format.is_float) {
        if (format.bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(little(at, 4)));
        return std::bit_cast<double>(little(at, 8));
    }
    if (format.bits == 8) return (static_cast<double>(*at) - 128.0) / 128.0;  // the only unsigned kind
    const std::size_t bytes = format.bits / 8;
    const auto aligned = static_cast<std::uint32_t>(little(at, bytes) << (32 - format.bits));  // sign bit on top
    return static_cast<double>(static_cast<std::int32_t>(aligned)) * 0x1p-31;
}

}  // namespace

WavFile::WavFile(const std::string& path) : file_(path) {
    read_riff_header();
    read_chunks();
}

void WavFile::read_riff_header() {
    std::array<unsigned char, 12> head{};
    if (file_.bytes() < head.size())
        file_.refuse("expected a WAV file, got " + std::to_string(file_.bytes()) + " bytes");
    file_.read(head.data(), head.size(), "the RIFF header");
    const auto* text = reinterpret_cast<const char*>(head.data());
    const std::string_view id(text, 4), form(text + 8, 4);
    is_rf64_ = id == "RF64" || id == "BW64";
    if ((id != "RIFF" && !is_rf64_) || form != "WAVE")
        file_.refuse("expected a WAV file (RIFF or RF64), got '" + printable(id) + "' '" + printable(form) + "'");
    end_ = little(head.data() + 4, 4) + chunk_header;
    if (is_rf64_) {
        const Chunk sizes = next_chunk();
        if (sizes.id != "ds64") file_.refuse("expected the ds64 chunk first, got '" + printable(sizes.id) + "'");
        read_sizes64(sizes.bytes);
    }
    // Some writers count the padding byte of the last chunk without writing it.
    if (end_ > file_.bytes() + 1)
        file_.refuse("truncated: its header says " + std::to_string(end_) + " bytes, the file has " +
                     std::to_string(file_.bytes()));
    if (end_ + 1 < file_.bytes())
        remark_ = std::to_string(file_.bytes() - end_) + " bytes after the end of the sound are ignored";
    end_ = std::min(end_, file_.bytes());
}

WavFile::Chunk WavFile::next_chunk() {
    std::array<unsigned char, chunk_header> head{};
    file_.read(head.data(), head.size(), "a chunk header");
    return {std::string(reinterpret_cast<const char*>(head.data()), 4), little(head.data() + 4, 4)};
}

void WavFile::read_sizes64(std::uint64_t bytes) {
    std::array<unsigned char, 28> sizes{};
    if (bytes < sizes.size()) file_.refuse("expected a ds64 chunk of at least 28 bytes, got " + std::to_string(bytes));
    file_.read(sizes.data(), sizes.size(), "the ds64 chunk");
    const std::uint64_t riff = little(sizes.data(), 8);
    if (riff > file_.bytes())
        file_.refuse("truncated: its header says " + std::to_string(riff) + " bytes, the file has " +
                     std::to_string(file_.bytes()));
    if (end_ == unknown_size + chunk_header) end_ = riff + chunk_header;
    data_bytes64_ = little(sizes.data() + 8, 8);
    const std::uint64_t rest = bytes - sizes.size();
    if (rest > file_.left()) file_.refuse("truncated: the ds64 chunk goes beyond the end");
    file_.seek(file_.position() + rest + bytes % 2);
}

void WavFile::read_chunks() {
    bool has_format = false;
    while (file_.position() + chunk_header <= end_) {
        Chunk chunk = next_chunk();
        if (chunk.id == "data" && is_rf64_ && chunk.bytes == unknown_size) chunk.bytes = data_bytes64_;
        const std::uint64_t left = end_ - std::min(end_, file_.position());
        if (chunk.bytes > left)
            file_.refuse("truncated or malformed: chunk '" + printable(chunk.id) + "' says " +
                         std::to_string(chunk.bytes) + " bytes, " + std::to_string(left) + " are left");
        const std::uint64_t after = file_.position() + chunk.bytes + chunk.bytes % 2;
        if (chunk.id == "fmt ") {
            if (has_format) file_.refuse("malformed: two 'fmt ' chunks");
            read_format(chunk.bytes);
            has_format = true;
        } else if (chunk.id == "data") {
            if (!has_format) file_.refuse("malformed: no 'fmt ' chunk before the sound");
            check_data(chunk.bytes);
            return;
        }
        file_.seek(std::min(after, file_.bytes()));
    }
    file_.refuse("malformed or truncated: no 'data' chunk");
}

void WavFile::read_format(std::uint64_t bytes) {
    constexpr unsigned pcm = 1, ieee_float = 3, extensible = 0xFFFE;
    std::array<unsigned char, 40> head{};
    if (bytes < 16) file_.refuse("malformed: the 'fmt ' chunk has " + std::to_string(bytes) + " bytes, expected 16 up");
    const std::size_t taken = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, head.size()));
    file_.read(head.data(), taken, "the 'fmt ' chunk");
    std::uint64_t tag = little(head.data(), 2);
    if (tag == extensible) {
        constexpr std::string_view guid_tail{"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 14};
        if (taken < head.size()) file_.refuse("malformed: an extensible 'fmt ' chunk of fewer than 40 bytes");
        if (std::string_view(reinterpret_cast<const char*>(head.data()) + 26, 14) != guid_tail)
            file_.refuse("expected PCM or float sound, got an encoding of another maker");
        tag = little(head.data() + 24, 2);
        format_.is_extensible = true;
        format_.channel_mask = static_cast<std::uint32_t>(little(head.data() + 20, 4));
    }
    format_.channels = static_cast<std::uint32_t>(little(head.data() + 2, 2));
    format_.sample_rate = static_cast<std::uint32_t>(little(head.data() + 4, 4));
    frame_bytes_ = little(head.data() + 12, 2);
    format_.bits = static_cast<std::uint32_t>(little(head.data() + 14, 2));
    format_.is_float = tag == ieee_float;
    if (tag != pcm && tag != ieee_float)
        file_.refuse("expected PCM or float sound, got encoding number " + std::to_string(tag));
    const bool known = format_.is_float ? format_.bits == 32 || format_.bits == 64
                                        : format_.bits >= 8 && format_.bits <= 32 && format_.bits % 8 == 0;
    if (!known)
        file_.refuse("expected PCM of 8, 16, 24 or 32 bits or float of 32 or 64, got " + std::to_string(format_.bits) +
                     (format_.is_float ? " bits of float" : " bits of PCM"));
    if (format_.channels == 0 || format_.sample_rate == 0)
        file_.refuse("malformed: " + std::to_string(format_.channels) + " channels at " +
                     std::to_string(format_.sample_rate) + " Hz");
    if (frame_bytes_ != std::uint64_t{format_.channels} * format_.bits / 8)
        file_.refuse("malformed: " + std::to_string(format_.channels) + " channels of " + std::to_string(format_.bits) +
                     " bits do not make blocks of " + std::to_string(frame_bytes_) + " bytes");
}

void WavFile::check_data(std::uint64_t bytes) {
    if (bytes == 0) file_.refuse("it holds no samples");
    if (bytes % frame_bytes_ != 0)
        file_.refuse("truncated or malformed: " + std::to_string(bytes) +
                     " bytes of sound are no multiple of blocks of " + std::to_string(frame_bytes_));
    data_start_ = file_.position();
    frames_ = bytes / frame_bytes_;
}

std::uint64_t WavFile::read(std::vector<double>& interleaved, std::uint64_t count) {
    count = std::min(count, frames_ - frames_read_);
    interleaved.resize(count * format_.channels);
    std::vector<unsigned char> raw(count * frame_bytes_);
    file_.read(raw.data(), raw.size(), "the sound");
    const std::size_t sample_bytes = format_.bits / 8;
    for (std::size_t i = 0; i < interleaved.size(); ++i) interleaved[i] = sample(&raw[i * sample_bytes], format_);
    frames_read_ += count;
    return count;
}

void WavFile::skip(std::uint64_t count) {
    frames_read_ += std::min(count, frames_ - frames_read_);
    file_.seek(data_start_ + frames_read_ * frame_bytes_);
}

}  // namespace seiche::cli::io
