// Numbers to text and back, the same in every locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seiche::cli {

/// `value` with `decimals` digits after the point.
std::string fixed(double value, int decimals);
/// `value` with `digits` significant digits in the shorter of plain and scientific notation.
std::string significant(double value, int digits);
/// The shortest text that reads back as the same value.
std::string shortest(float value);
std::string shortest(double value);
/// "12.3 MiB".
std::string byte_text(std::uint64_t bytes);

/// Reads the whole of `text` as an integer, perhaps with a suffix (words.hpp); throws UsageError that names `what`.
std::int64_t parse_integer(std::string_view text, const std::string& what);
/// Reads integers separated by commas.
std::vector<std::int64_t> parse_integers(std::string_view text, const std::string& what);

/// Line breaks and other control characters replaced by spaces.
std::string one_line(std::string_view text);
/// Valid UTF-8 without control characters; what is neither becomes '?'.
std::string printable(std::string_view text);
/// The lower-case extension of a path, with its dot; empty if there is none.
std::string extension(const std::string& path);

}  // namespace seiche::cli
