// FNV-1a of 64 bits (Fowler, Noll and Vo, 1991), mixed at the end so that its first digits serve alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace seiche::guard {

class Hash {
public:
    Hash& text(std::string_view value) {
        for (const char c : value) mix(static_cast<std::uint8_t>(c));
        return number(value.size());
    }
    Hash& number(std::uint64_t value) {
        for (int i = 0; i < 8; ++i) mix(static_cast<std::uint8_t>(value >> (8 * i)));
        return *this;
    }
    /// The first hexadecimal digits, at most 16.
    std::string digits(unsigned count) const {
        std::uint64_t z = state_;
        z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdull;
        z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ull;
        z ^= z >> 33;
        std::string text;
        for (unsigned i = 0; i < count; ++i) text += "0123456789abcdef"[z >> (60 - 4 * i) & 15u];
        return text;
    }

private:
    void mix(std::uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001b3ull; }
    std::uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace seiche::guard
