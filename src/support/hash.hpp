// Hashes that are the same on every machine and in every run: FNV-1a (Fowler, Noll and Vo, 1991) of 64 and 128 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seiche::support {

/// Collects bytes, numbers and texts. Texts are followed by their length, so that ("ab", "c") and ("a", "bc") differ.
class Hasher {
public:
    Hasher& bytes(std::span<const std::byte> data) {
        for (const std::byte b : data) mix(std::to_integer<std::uint8_t>(b));
        return *this;
    }
    Hasher& number(std::uint64_t value) {
        for (int i = 0; i < 8; ++i) mix(static_cast<std::uint8_t>(value >> (8 * i)));
        return *this;
    }
    Hasher& text(std::string_view value) {
        for (const char c : value) mix(static_cast<std::uint8_t>(c));
        return number(value.size());
    }
    std::uint64_t value() const { return narrow_; }
    /// 32 hexadecimal digits, fit for a file name.
    std::string hex() const {
        std::string digits;
        for (int shift = 124; shift >= 0; shift -= 4)
            digits += "0123456789abcdef"[static_cast<unsigned>(wide_ >> shift) & 15u];
        return digits;
    }

private:
    __extension__ typedef unsigned __int128 Wide;

    void mix(std::uint8_t byte) {
        narrow_ = (narrow_ ^ byte) * 0x100000001b3ull;
        wide_ = (wide_ ^ byte) * wide_prime;
    }

    static constexpr Wide wide_prime = (static_cast<Wide>(1) << 88) + 0x13b;
    std::uint64_t narrow_ = 0xcbf29ce484222325ull;
    Wide wide_ = (static_cast<Wide>(0x6c62272e07bb0142ull) << 64) + 0x62b821756295c58dull;
};

}  // namespace seiche::support
