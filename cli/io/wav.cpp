// Sound in RIFF/WAVE, RIFX and RF64 files, read as a stream with every length checked (EBU Tech 3306; Microsoft,
// "Multimedia Programming Interface and Data Specifications 1.0", 1991; "Multiple Channel Audio Data and WAVE Files",
// 2007).
#include "cli/io/wav.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "cli/io/companding.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

constexpr std::uint32_t unknown_size = 0xFFFFFFFF;  // in RF64: look in the ds64 chunk
constexpr std::uint64_t chunk_header = 8;
constexpr unsigned pcm_tag = 1, float_tag = 3, a_law_tag = 6, mu_law_tag = 7, extensible_tag = 0xFFFE;

std::uint64_t little(const unsigned char* at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

std::uint64_t big(const unsigned char* at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | at[i];
    return value;
}

/// The number that a sample's bits stand for.
double sample(std::uint64_t stored, const WavFormat& format) {
    if (format.coding != WavCoding::linear)
        return expand(static_cast<std::uint8_t>(stored), format.coding == WavCoding::mu_law ? Law::mu : Law::a);
    if (format.is_float)
        return format.bits == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(stored))
                                 : std::bit_cast<double>(stored);
    if (format.bits == 8) return (static_cast<double>(stored) - 128.0) / 128.0;     // the only unsigned kind
    const auto aligned = static_cast<std::uint32_t>(stored << (32 - format.bits));  // sign bit on top
    return static_cast<double>(static_cast<std::int32_t>(aligned)) * 0x1p-31;
}

}  // namespace

WavFile::WavFile(const std::string& path) : file_(path) {
    read_riff_header();
    read_chunks();
}

std::uint64_t WavFile::number(const unsigned char* at, std::size_t bytes) const noexcept {
    return is_big_endian_ ? big(at, bytes) : little(at, bytes);
}

void WavFile::remark(const std::string& what) { remark_ += (remark_.empty() ? "" : "; ") + what; }

void WavFile::read_riff_header() {
    std::array<unsigned char, 12> head{};
    if (file_.bytes() < head.size())
        file_.refuse("expected a WAV file, got " + std::to_string(file_.bytes()) + " bytes");
    file_.read(head.data(), head.size(), "the RIFF header");
    const auto* text = reinterpret_cast<const char*>(head.data());
    const std::string_view id(text, 4), form(text + 8, 4);
    is_rf64_ = id == "RF64" || id == "BW64";
    is_big_endian_ = id == "RIFX";
    if ((id != "RIFF" && !is_rf64_ && !is_big_endian_) || form != "WAVE")
        file_.refuse("expected a WAV file (RIFF, RIFX or RF64), got '" + printable(id) + "' '" + printable(form) + "'");
    end_ = number(head.data() + 4, 4) + chunk_header;
    if (is_rf64_) {
        const Chunk sizes = next_chunk();
        if (sizes.id != "ds64") file_.refuse("expected the ds64 chunk first, got '" + printable(sizes.id) + "'");
        read_sizes64(sizes.bytes);
    }
}

WavFile::Chunk WavFile::next_chunk() {
    std::array<unsigned char, chunk_header> head{};
    file_.read(head.data(), head.size(), "a chunk header");
    return {std::string(reinterpret_cast<const char*>(head.data()), 4), number(head.data() + 4, 4)};
}

void WavFile::read_sizes64(std::uint64_t bytes) {
    std::array<unsigned char, 28> sizes{};
    if (bytes < sizes.size()) file_.refuse("expected a ds64 chunk of at least 28 bytes, got " + std::to_string(bytes));
    file_.read(sizes.data(), sizes.size(), "the ds64 chunk");
    const std::uint64_t riff = little(sizes.data(), 8);
    if (end_ == unknown_size + chunk_header) end_ = std::min(riff, ~std::uint64_t{0} - chunk_header) + chunk_header;
    data_bytes64_ = little(sizes.data() + 8, 8);
    const std::uint64_t rest = bytes - sizes.size();
    if (rest > file_.left()) file_.refuse("truncated: the ds64 chunk goes beyond the end");
    file_.seek(std::min(file_.position() + rest + bytes % 2, file_.bytes()));
}

void WavFile::read_chunks() {
    bool has_format = false;
    while (file_.left() >= chunk_header) {
        Chunk chunk = next_chunk();
        if (chunk.id == "data") {
            if (!has_format) file_.refuse("malformed: no 'fmt ' chunk before the sound");
            return find_frames(is_rf64_ && chunk.bytes == unknown_size ? data_bytes64_ : chunk.bytes);
        }
        if (chunk.bytes > file_.left())
            file_.refuse("truncated or malformed: chunk '" + printable(chunk.id) + "' says " +
                         std::to_string(chunk.bytes) + " bytes, " + std::to_string(file_.left()) + " are left");
        const std::uint64_t after = file_.position() + chunk.bytes + chunk.bytes % 2;
        if (chunk.id == "fmt ") {
            if (has_format) file_.refuse("malformed: two 'fmt ' chunks");
            read_format(chunk.bytes);
            has_format = true;
        } else if (chunk.id == "auxi") {
            read_receiver(chunk.bytes);
        }
        file_.seek(std::min(after, file_.bytes()));
    }
    file_.refuse("malformed or truncated: no 'data' chunk");
}

void WavFile::read_format(std::uint64_t bytes) {
    std::array<unsigned char, 40> head{};
    if (bytes < 16) file_.refuse("malformed: the 'fmt ' chunk has " + std::to_string(bytes) + " bytes, expected 16 up");
    const std::uint64_t taken = std::min<std::uint64_t>(bytes, head.size());
    file_.read(head.data(), taken, "the 'fmt ' chunk");
    format_.channels = static_cast<std::uint32_t>(number(head.data() + 2, 2));
    format_.sample_rate = static_cast<std::uint32_t>(number(head.data() + 4, 4));
    frame_bytes_ = number(head.data() + 12, 2);
    format_.bits = static_cast<std::uint32_t>(number(head.data() + 14, 2));
    read_encoding(head.data(), taken);
    check_format();
}

void WavFile::read_encoding(const unsigned char* head, std::uint64_t taken) {
    std::uint64_t tag = number(head, 2);
    if (tag == extensible_tag) {
        constexpr std::string_view guid_tail{"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 14},
            big_tail{"\x00\x00\x00\x10\x80\x00\x00\xAA\x00\x38\x9B\x71", 12};
        if (taken < 40) file_.refuse("malformed: an extensible 'fmt ' chunk of fewer than 40 bytes");
        const std::string_view guid(reinterpret_cast<const char*>(head) + 24, 16);
        // Writers of RIFX do not agree on whether the numbers in an identifier are turned too.
        const bool is_turned = is_big_endian_ && guid.substr(4) == big_tail;
        if (guid.substr(2) != guid_tail && !is_turned)
            file_.refuse("expected PCM or float sound, got an encoding of another maker");
        tag = number(head + 24, is_turned ? 4 : 2);
        format_.is_extensible = true;
        format_.channel_mask = static_cast<std::uint32_t>(number(head + 20, 4));
        format_.valid_bits = static_cast<std::uint32_t>(number(head + 18, 2));
    }
    format_.is_float = tag == float_tag;
    if (tag == mu_law_tag) format_.coding = WavCoding::mu_law;
    if (tag == a_law_tag) format_.coding = WavCoding::a_law;
    if (tag != pcm_tag && tag != float_tag && format_.coding == WavCoding::linear)
        throw UnknownEncoding("'" + path() + "': expected PCM, float, mu-law or A-law sound, got encoding number " +
                              std::to_string(tag));
}

/// What the header says of a sample against itself, and which bits of a stored one count.
void WavFile::check_format() {
    if (format_.channels == 0 || format_.sample_rate == 0)
        file_.refuse("malformed: " + std::to_string(format_.channels) + " channels at " +
                     std::to_string(format_.sample_rate) + " Hz");
    const bool is_pcm = !format_.is_float && format_.coding == WavCoding::linear;
    const std::uint32_t bits = format_.bits;
    const bool known = format_.is_float ? bits == 32 || bits == 64 : is_pcm ? bits >= 1 && bits <= 32 : bits == 8;
    if (!known)
        file_.refuse("expected PCM of 1 to 32 bits, float of 32 or 64, or mu-law or A-law of 8, got " +
                     std::to_string(bits) + " bits");
    const std::uint64_t stored = frame_bytes_ / format_.channels;
    if (frame_bytes_ % format_.channels != 0 || (is_pcm ? stored * 8 < bits || stored > 4 : stored * 8 != bits))
        file_.refuse("malformed: " + std::to_string(format_.channels) + " channels of " + std::to_string(bits) +
                     " bits do not make blocks of " + std::to_string(frame_bytes_) + " bytes");
    format_.bits = static_cast<std::uint32_t>(stored * 8);
    // Without an extension the header's number is that of the bits that count.
    if (!format_.is_extensible || format_.valid_bits > bits || format_.valid_bits == 0) format_.valid_bits = bits;
    if (!is_pcm || format_.valid_bits == format_.bits) format_.valid_bits = 0;
}

/// Two dates of 16 bytes, then the frequency in Hz, as SpectraVue and its successors write them.
void WavFile::read_receiver(std::uint64_t bytes) {
    std::array<unsigned char, 36> head{};
    if (bytes < head.size()) return;
    file_.read(head.data(), head.size(), "the 'auxi' chunk");
    if (const std::uint64_t frequency = number(head.data() + 32, 4); frequency != 0)
        centre_ = static_cast<double>(frequency);
}

/// Whether what is next looks like a chunk: a name of letters and a size that the file holds.
bool WavFile::chunk_follows() {
    if (file_.left() < chunk_header) return false;
    const std::uint64_t here = file_.position();
    const Chunk next = next_chunk();
    const bool is_chunk = next.bytes <= file_.left() &&
                          std::all_of(next.id.begin(), next.id.end(), [](char c) { return c >= ' ' && c <= '~'; });
    file_.seek(here);
    return is_chunk;
}

void WavFile::find_frames(std::uint64_t claimed) {
    constexpr std::uint64_t least_of_stream = 0x7FFF0000;  // what writers put that cannot go back: this and up
    const std::uint64_t left = file_.left();
    std::uint64_t bytes = std::min(claimed, left);
    data_start_ = file_.position();
    if (claimed == 0 && !chunk_follows()) bytes = left;
    const bool is_open = bytes != claimed && (claimed == 0 || claimed >= least_of_stream);
    if (is_open)
        remark("its header does not say how long it is, as of a stream: read to the end");
    else if (bytes != claimed)
        remark("cut short: its header says " + std::to_string(claimed) + " bytes of sound, " + std::to_string(left) +
               " are there");
    frames_ = bytes / frame_bytes_;
    if (frames_ == 0) file_.refuse("it holds no samples");
    if (const std::uint64_t rest = bytes % frame_bytes_; rest != 0)
        remark("the last " + std::to_string(rest) + (rest == 1 ? " byte is" : " bytes are") + " no whole frame of " +
               std::to_string(frame_bytes_) + " and left out");
    const std::uint64_t end = data_start_ + bytes;
    if (is_open || bytes != claimed) return;
    // Some writers count the padding byte of the last chunk without writing it, and some write it without counting.
    if (end_ < end)
        remark("its RIFF size is " + std::to_string(end - end_) + " bytes too small");
    else if (end_ > file_.bytes() + 1)
        remark("cut short behind the sound: its header says " + std::to_string(end_) + " bytes, the file has " +
               std::to_string(file_.bytes()));
    if (const std::uint64_t last = std::max(end_, end); last + 1 < file_.bytes())
        remark(std::to_string(file_.bytes() - last) + " bytes after the end of the sound are ignored");
}

std::uint64_t WavFile::read(std::vector<double>& interleaved, std::uint64_t count) {
    count = std::min(count, frames_ - frames_read_);
    interleaved.resize(count * format_.channels);
    raw_.resize(count * frame_bytes_);
    file_.read(raw_.data(), raw_.size(), "the sound");
    const std::size_t bytes = format_.bits / 8;
    for (std::size_t i = 0; i < interleaved.size(); ++i)
        interleaved[i] = sample(number(&raw_[i * bytes], bytes), format_);
    frames_read_ += count;
    return count;
}

void WavFile::skip(std::uint64_t count) {
    frames_read_ += std::min(count, frames_ - frames_read_);
    file_.seek(data_start_ + frames_read_ * frame_bytes_);
}

}  // namespace seiche::cli::io
