// Raw radio recordings: samples without any header, as receivers write them.
#include "cli/io/iq.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

struct NumberName {
    Number number;
    const char* name;
    std::uint64_t bytes;
};
constexpr std::array<NumberName, 8> numbers{{{Number::u8, "u8", 1},
                                             {Number::i8, "s8", 1},
                                             {Number::u16, "u16", 2},
                                             {Number::i16, "s16", 2},
                                             {Number::u32, "u32", 4},
                                             {Number::i32, "s32", 4},
                                             {Number::f32, "f32", 4},
                                             {Number::f64, "f64", 8}}};

const NumberName& row(Number number) noexcept { return numbers[static_cast<std::size_t>(number)]; }

std::uint64_t stored(const unsigned char* at, std::size_t bytes, bool is_big_endian) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | at[is_big_endian ? i : bytes - 1 - i];
    return value;
}

/// Of codes from 0 to `most`, whose middle is no code.
double from_unsigned(std::uint64_t code, double most) { return (static_cast<double>(code) - most / 2) / (most / 2); }

double value_of(std::uint64_t bits, Number number) {
    switch (number) {
        case Number::u8: return from_unsigned(bits, 255);
        case Number::u16: return from_unsigned(bits, 65535);
        case Number::u32: return from_unsigned(bits, 4294967295.0);
        case Number::i8: return static_cast<double>(static_cast<std::int8_t>(bits)) * 0x1p-7;
        case Number::i16: return static_cast<double>(static_cast<std::int16_t>(bits)) * 0x1p-15;
        case Number::i32: return static_cast<double>(static_cast<std::int32_t>(bits)) * 0x1p-31;
        case Number::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        case Number::f64: break;
    }
    return std::bit_cast<double>(bits);
}

}  // namespace

std::string to_string(const IqType& type) {
    return (type.is_complex ? "c" : "r") + std::string(row(type.number).name) + (type.is_big_endian ? "_be" : "");
}

std::uint64_t bytes_of(const IqType& type) noexcept { return (type.is_complex ? 2 : 1) * row(type.number).bytes; }

IqType parse_iq_type(std::string_view name) {
    std::string_view rest = name;
    IqType type;
    const std::size_t underscore = rest.find('_');
    const std::string_view order = underscore == std::string_view::npos ? "" : rest.substr(underscore);
    rest = rest.substr(0, underscore);
    type.is_big_endian = order == "_be";
    type.is_complex = rest.substr(0, 1) == "c";
    const bool has_order = order == "_be" || order == "_le";
    if ((type.is_complex || rest.substr(0, 1) == "r") && (has_order || order.empty())) {
        std::string number(rest.substr(1));
        if (number.substr(0, 1) == "i") number[0] = 's';  // as SigMF names signed integers
        for (const NumberName& candidate : numbers)
            if (number == candidate.name && !(has_order && candidate.bytes == 1)) {
                type.number = candidate.number;
                return type;
            }
    }
    throw Failure(
        "expected cu8, cs8, cu16, cs16, cu32, cs32, cf32 or cf64, the same with r for real samples, or one of more "
        "than 8 bits with _be, got '" +
        printable(name) + "'");
}

void check(const IqFormat& format) {
    constexpr double highest = 1e15;  // Hz; beyond, a frequency axis could not tell its bins apart
    if (!(format.rate > 0 && format.rate <= highest))
        throw Failure("expected a sample rate above 0 and up to 1e15 Hz, got " + shortest(format.rate));
    if (!(std::abs(format.centre) <= highest))
        throw Failure("expected a centre frequency within 1e15 Hz, got " + shortest(format.centre));
}

IqFile::IqFile(const std::string& path, const IqFormat& format) : file_(path), format_(format) {
    const std::uint64_t sample = bytes_of(format.type), frame = sample * format.channels;
    samples_ = file_.bytes() / frame;
    if (samples_ == 0)
        file_.refuse(file_.bytes() == 0 ? "it holds no samples"
                                        : "expected at least " + std::to_string(frame) + " bytes, a sample of " +
                                              to_string(format.type) + ", got " + std::to_string(file_.bytes()));
    if (const std::uint64_t rest = file_.bytes() % frame; rest != 0)
        remark_ = "the last " + std::to_string(rest) + (rest == 1 ? " byte is" : " bytes are") +
                  " no whole sample of " +
                  (format.channels > 1 ? std::to_string(format.channels) + " channels of " : "") +
                  to_string(format.type) + " and left out";
}

std::uint64_t IqFile::read(std::vector<std::complex<double>>& interleaved, std::uint64_t count) {
    count = std::min(count, samples_ - samples_read_);
    const std::uint64_t part = row(format_.type.number).bytes, sample = bytes_of(format_.type);
    interleaved.resize(count * format_.channels);
    raw_.resize(interleaved.size() * sample);
    file_.read(raw_.data(), raw_.size(), "the samples");
    const bool is_float = format_.type.number == Number::f32 || format_.type.number == Number::f64;
    const auto value = [&](const unsigned char* at) {
        return value_of(stored(at, part, format_.type.is_big_endian), format_.type.number);
    };
    for (std::uint64_t i = 0; i < interleaved.size(); ++i) {
        const unsigned char* at = &raw_[i * sample];
        interleaved[i] = {value(at), format_.type.is_complex ? value(at + part) : 0};
        if (is_float && !(std::isfinite(interleaved[i].real()) && std::isfinite(interleaved[i].imag())))
            file_.refuse("expected finite numbers, got " + shortest(interleaved[i].real()) + ", " +
                         shortest(interleaved[i].imag()) + " as sample " +
                         std::to_string(samples_read_ + i / format_.channels) + ": it may not be " +
                         to_string(format_.type));
    }
    samples_read_ += count;
    return count;
}

void IqFile::skip(std::uint64_t count) {
    samples_read_ += std::min(count, samples_ - samples_read_);
    file_.seek(samples_read_ * bytes_of(format_.type) * format_.channels);
}

}  // namespace seiche::cli::io
