// Sound written to RIFF/WAVE files; beyond 4 GiB RF64 (EBU Tech 3306).
#include "cli/io/wav_output.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "cli/io/companding.hpp"

namespace seiche::cli::io {
namespace {

constexpr std::uint64_t largest_riff = 0xFFFFFFFE;  // one more means "look in the ds64 chunk"

void put(std::string& text, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// The body of the 'fmt ' chunk.
std::string format_body(const WavFormat& format) {
    constexpr std::uint64_t pcm = 1, ieee_float = 3, extensible = 0xFFFE;
    constexpr std::string_view guid_tail{"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71", 14};
    constexpr std::uint64_t a_law = 6, mu_law = 7;
    const std::uint64_t tag = format.coding == WavCoding::mu_law  ? mu_law
                              : format.coding == WavCoding::a_law ? a_law
                              : format.is_float                   ? ieee_float
                                                                  : pcm,
                        block = std::uint64_t{format.channels} * format.bits / 8;
    std::string body;
    put(body, format.is_extensible ? extensible : tag, 2);
    put(body, format.channels, 2);
    put(body, format.sample_rate, 4);
    put(body, format.sample_rate * block, 4);
    put(body, block, 2);
    put(body, format.is_extensible ? format.bits : format.significant_bits(), 2);
    if (format.is_extensible) {
        put(body, 22, 2);  // bytes that follow
        put(body, format.significant_bits(), 2);
        put(body, format.channel_mask, 4);
        put(body, tag, 2);
        body += guid_tail;
    } else if (tag != pcm) {
        put(body, 0, 2);
    }
    return body;
}

}  // namespace

std::string wav_preamble(const WavFormat& format, std::uint64_t frames) {
    const std::uint64_t data = frames * format.channels * format.bits / 8;
    const std::string body = format_body(format);
    std::string chunks = "fmt ";
    put(chunks, body.size(), 4);
    chunks += body;
    if (format.is_float || format.coding != WavCoding::linear) {  // all but PCM say how many frames there are
        chunks += "fact";
        put(chunks, 4, 4);
        put(chunks, std::min(frames, largest_riff + 1), 4);
    }
    chunks += "data";
    constexpr std::uint64_t sizes64_bytes = 28, chunk_header = 8;
    const std::uint64_t small_riff = 4 + chunks.size() + 4 + data + data % 2;
    const bool large = small_riff > largest_riff;
    std::string text = large ? "RF64" : "RIFF";
    put(text, large ? largest_riff + 1 : small_riff, 4);
    text += "WAVE";
    if (large) {
        text += "ds64";
        put(text, sizes64_bytes, 4);
        put(text, small_riff + chunk_header + sizes64_bytes, 8);
        put(text, data, 8);
        put(text, frames, 8);
        put(text, 0, 4);  // no table of further chunks
    }
    text += chunks;
    put(text, large ? largest_riff + 1 : data, 4);
    return text;
}

WavOutput::WavOutput(const std::string& path, const WavFormat& format, std::uint64_t frames)
    : file_(path), format_(format), data_bytes_(frames * format.channels * format.bits / 8) {
    file_.write(wav_preamble(format, frames));
}

void WavOutput::encode(double value, unsigned char* to) {
    std::uint64_t bits = 0;
    if (format_.coding != WavCoding::linear) {
        const Compressed held = compress(value, format_.coding == WavCoding::mu_law ? Law::mu : Law::a);
        if (held.clipped) ++clipped_;
        bits = held.code;
    } else if (format_.is_float) {
        bits = format_.bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                  : std::bit_cast<std::uint64_t>(value);
    } else {
        const double full = std::ldexp(1, static_cast<int>(format_.significant_bits()) - 1);
        const double rounded = std::nearbyint(value * full), held = std::clamp(rounded, -full, full - 1);
        if (held != rounded) ++clipped_;
        // The bits that count are the upper ones. Samples of 8 bits are the only unsigned ones.
        const auto step = std::int64_t{1} << (format_.bits - format_.significant_bits());
        bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(held) * step + (format_.bits == 8 ? 128 : 0));
    }
    for (std::uint32_t i = 0; i < format_.bits / 8; ++i) to[i] = static_cast<unsigned char>(bits >> (8 * i) & 0xFF);
}

void WavOutput::write(const std::vector<double>& interleaved) {
    const std::size_t bytes = format_.bits / 8;
    raw_.resize(interleaved.size() * bytes);
    for (std::size_t i = 0; i < interleaved.size(); ++i) encode(interleaved[i], &raw_[i * bytes]);
    file_.write(raw_.data(), raw_.size());
}

void WavOutput::commit() {
    if (data_bytes_ % 2 != 0) file_.write(std::string_view("\0", 1));
    file_.commit();
}

}  // namespace seiche::cli::io
