// Raw IQ recordings: complex samples without any header, as receivers write them.
#include "cli/io/iq.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "cli/failure.hpp"
#include "cli/text.hpp"

namespace seiche::cli::io {
namespace {

struct TypeName {
    IqType type;
    const char* name;
    std::uint64_t part_bytes;
};
constexpr std::array<TypeName, 5> types{{{IqType::cu8, "cu8", 1},
                                         {IqType::cs8, "cs8", 1},
                                         {IqType::cs16, "cs16", 2},
                                         {IqType::cf32, "cf32", 4},
                                         {IqType::cf64, "cf64", 8}}};

const TypeName& row(IqType type) noexcept { return types[static_cast<std::size_t>(type)]; }

std::uint64_t little(const unsigned char* at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | at[i];
    return value;
}

/// One half of a sample as a number.
double part(const unsigned char* at, IqType type) {
    switch (type) {
        case IqType::cu8: return (static_cast<double>(*at) - 128.0) * 0x1p-7;
        case IqType::cs8: return static_cast<double>(static_cast<std::int8_t>(*at)) * 0x1p-7;
        case IqType::cs16: return static_cast<double>(static_cast<std::int16_t>(little(at, 2))) * 0x1p-15;
        case IqType::cf32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(little(at, 4))));
        case IqType::cf64: break;
    }
    return std::bit_cast<double>(little(at, 8));
}

}  // namespace

const char* to_string(IqType type) noexcept { return row(type).name; }
std::uint64_t bytes_of(IqType type) noexcept { return 2 * row(type).part_bytes; }

IqType parse_iq_type(std::string_view name) {
    for (const TypeName& candidate : types)
        if (name == candidate.name) return candidate.type;
    throw Failure("expected cu8, cs8, cs16, cf32 or cf64, got '" + printable(name) + "'");
}

void check(const IqFormat& format) {
    constexpr double highest = 1e15;  // Hz; beyond, a frequency axis could not tell its bins apart
    if (!(format.rate > 0 && format.rate <= highest))
        throw Failure("expected a sample rate above 0 and up to 1e15 Hz, got " + shortest(format.rate));
    if (!(std::abs(format.centre) <= highest))
        throw Failure("expected a centre frequency within 1e15 Hz, got " + shortest(format.centre));
}

IqFile::IqFile(const std::string& path, const IqFormat& format) : file_(path), format_(format) {
    const std::uint64_t bytes = bytes_of(format.type);
    if (file_.bytes() == 0) file_.refuse("it holds no samples");
    if (file_.bytes() % bytes != 0)
        file_.refuse("truncated or of another type: " + std::to_string(file_.bytes()) +
                     " bytes are no multiple of the " + std::to_string(bytes) + " of a sample of " +
                     to_string(format.type));
    samples_ = file_.bytes() / bytes;
}

std::uint64_t IqFile::read(std::vector<std::complex<double>>& to, std::uint64_t count) {
    count = std::min(count, samples_ - samples_read_);
    const std::uint64_t bytes = bytes_of(format_.type), half = bytes / 2;
    to.resize(count);
    raw_.resize(count * bytes);
    file_.read(raw_.data(), raw_.size(), "the samples");
    const bool may_be_wrong = format_.type == IqType::cf32 || format_.type == IqType::cf64;
    for (std::uint64_t i = 0; i < count; ++i) {
        const unsigned char* at = &raw_[i * bytes];
        to[i] = {part(at, format_.type), part(at + half, format_.type)};
        if (may_be_wrong && !(std::isfinite(to[i].real()) && std::isfinite(to[i].imag())))
            file_.refuse("expected finite numbers, got " + shortest(to[i].real()) + ", " + shortest(to[i].imag()) +
                         " as sample " + std::to_string(samples_read_ + i) + ": it may not be " +
                         to_string(format_.type));
    }
    samples_read_ += count;
    return count;
}

void IqFile::skip(std::uint64_t count) {
    samples_read_ += std::min(count, samples_ - samples_read_);
    file_.seek(samples_read_ * bytes_of(format_.type));
}

}  // namespace seiche::cli::io
