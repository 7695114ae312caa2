// Integers of any size: text, balanced digits, and carrying. Digits of base 10^k or 16^k need no conversion of radix.
#include "cli/number/digits.hpp"

#include <algorithm>

#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::number {
namespace {

constexpr std::string_view numerals = "0123456789abcdef";
constexpr std::uint64_t mersenne61 = (std::uint64_t{1} << 61) - 1;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The value of a numeral, 16 or more if it is none.
unsigned numeral(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return 16;
}

std::int64_t power(unsigned base, unsigned k) {
    std::int64_t value = 1;
    for (unsigned i = 0; i < k; ++i) value *= base;
    return value;
}

[[noreturn]] void refuse_character(const std::string& what, std::string_view text, std::size_t at, unsigned base) {
    const std::string kind = base == 10 ? "a decimal digit" : "a hexadecimal digit";
    throw Failure(what + ": expected " + kind + " as character " + std::to_string(at + 1) + ", got " +
                  (at < text.size() ? "'" + printable(text.substr(at, 1)) + "'" : std::string("the end")));
}

}  // namespace

Integer parse_integer(std::string_view text, unsigned base, const std::string& what) {
    std::size_t at = 0, end = text.size();
    while (end > 0 && is_space(text[end - 1])) --end;
    while (at < end && is_space(text[at])) ++at;
    text = text.substr(0, end);
    Integer value;
    if (at < end && (text[at] == '-' || text[at] == '+')) value.negative = text[at++] == '-';
    if (base == 16 && end - at > 1 && text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X')) at += 2;
    if (at == end) refuse_character(what, text, at, base);
    value.digits.reserve(end - at);
    for (; at < end; ++at) {
        const unsigned digit = numeral(text[at]);
        if (digit >= base) refuse_character(what, text, at, base);
        if (!value.digits.empty() || digit != 0) value.digits += numerals[digit];
    }
    if (value.digits.empty()) value = {false, "0"};
    return value;
}

std::string to_text(const Integer& value) { return (value.negative ? "-" : "") + value.digits; }

std::vector<std::int32_t> balanced_digits(const Integer& value, unsigned base, unsigned k) {
    const std::int64_t unit = power(base, k);
    const std::size_t length = value.digits.size();
    std::vector<std::int32_t> digits;
    digits.reserve(length / k + 2);
    std::int64_t carried = 0;
    for (std::size_t end = length; end > 0; end -= std::min<std::size_t>(end, k)) {
        std::int64_t digit = 0;
        for (std::size_t i = end > k ? end - k : 0; i < end; ++i) digit = digit * base + numeral(value.digits[i]);
        digit += carried;
        carried = 2 * digit > unit ? 1 : 0;
        digits.push_back(static_cast<std::int32_t>(digit - carried * unit));
    }
    if (carried != 0) digits.push_back(1);
    return digits;
}

std::vector<std::int32_t> balanced_digits(std::int64_t value, unsigned bits) {
    __extension__ using Wide = __int128;
    const Wide unit = Wide{1} << bits;
    std::vector<std::int32_t> digits;
    for (Wide rest = value; rest != 0;) {
        Wide digit = rest & (unit - 1);
        if (2 * digit >= unit) digit -= unit;
        digits.push_back(static_cast<std::int32_t>(digit));
        rest = (rest - digit) >> bits;
    }
    return digits;
}

Integer carry(const std::vector<std::int64_t>& values, unsigned base, unsigned k) {
    const std::int64_t unit = power(base, k);
    std::string reversed;  // least significant first
    reversed.reserve(values.size() * k + 20);
    std::int64_t carried = 0;
    for (const std::int64_t value : values) {
        const std::int64_t sum = value + carried;
        std::int64_t digit = sum % unit;
        if (digit < 0) digit += unit;
        carried = (sum - digit) / unit;
        for (unsigned i = 0; i < k; ++i, digit /= base) reversed += numerals[static_cast<std::size_t>(digit % base)];
    }
    for (; carried > 0; carried /= base) reversed += numerals[static_cast<std::size_t>(carried % base)];
    while (reversed.size() > 1 && reversed.back() == '0') reversed.pop_back();
    if (reversed.empty()) reversed = "0";
    std::reverse(reversed.begin(), reversed.end());
    return {false, reversed};
}

std::uint64_t product_of_residues(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % mersenne61);
}

std::uint64_t residue(const Integer& value, unsigned base) {
    std::uint64_t rest = 0;
    for (const char c : value.digits) rest = (product_of_residues(rest, base) + numeral(c)) % mersenne61;
    return value.negative && rest != 0 ? mersenne61 - rest : rest;
}

}  // namespace seiche::cli::number
