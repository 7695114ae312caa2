// Numbers to text and back, whatever the locale; lists and words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seiche::support {

std::string to_text(std::uint64_t value);
std::string to_text(std::int64_t value);
/// The shortest text that reads back as the same number.
std::string to_text(double value);
/// With `digits` after the point.
std::string to_fixed(double value, int digits);

/// The whole of `text` as a number in decimal; nothing if there is anything else in it or it does not fit.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
std::optional<std::int64_t> parse_signed(std::string_view text);
std::optional<double> parse_double(std::string_view text);

/// Between separators; an empty text has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Between runs of spaces and tabs and line ends.
std::vector<std::string_view> words(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Numbers with a separator between them.
template <class Range>
std::string join_numbers(const Range& numbers, std::string_view separator) {
    std::string text;
    for (const auto& number : numbers) {
        if (!text.empty()) text += separator;
        text += std::to_string(number);
    }
    return text;
}

}  // namespace seiche::support
