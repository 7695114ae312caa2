// Integers of any size: text, balanced digits, and carrying. Digits of base 10^k or 16^k need no conversion of radix.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seiche::cli::number {

struct Integer {
    bool negative = false;  ///< Never of 0.
    std::string digits;     ///< '0' ... '9', 'a' ... 'f', most significant first, without leading zeros; "0" for 0.
    friend bool operator==(const Integer&, const Integer&) = default;
};

/// Reads a sign, and in base 16 perhaps 0x, and digits; white space around them is allowed. Throws Failure that names
/// `what` and the first wrong character with its position, counted from 1.
Integer parse_integer(std::string_view text, unsigned base, const std::string& what);
std::string to_text(const Integer& value);

/// The digits of |value| in base^k, least significant first, each in [-base^k / 2, base^k / 2]: half as large as plain
/// ones and of both signs, so that their convolution stays small. One digit for each k characters, and perhaps one
/// more.
std::vector<std::int32_t> balanced_digits(const Integer& value, unsigned base, unsigned k);

/// The digits of `value` in base 2^bits, likewise balanced, up to its last that is not 0; each in [-2^bits / 2,
/// 2^bits / 2). `bits` from 2 to 30.
std::vector<std::int32_t> balanced_digits(std::int64_t value, unsigned bits);

/// The integer sum of values[i] base^(k i), which must not be negative. Each |value| at most 2^62.
Integer carry(const std::vector<std::int64_t>& values, unsigned base, unsigned k);

/// Arithmetic modulo the prime 2^61 - 1, by which a product is checked; the sign included.
std::uint64_t residue(const Integer& value, unsigned base);
std::uint64_t product_of_residues(std::uint64_t a, std::uint64_t b);

}  // namespace seiche::cli::number
