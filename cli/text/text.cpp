// Numbers to text and back, the same in every locale.
#include "cli/text/text.hpp"

#include <array>
#include <charconv>
#include <filesystem>

#include "cli/text/failure.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

template <class... Arguments>
std::string to_text(Arguments... arguments) {
    std::array<char, 400> buffer;  // a double in fixed notation has at most 309 digits before the point
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), arguments...);
    return result.ec == std::errc{} ? std::string(buffer.data(), result.ptr) : std::string("?");
}

/// Bytes of the UTF-8 sequence at the start of `text`, 0 if it is not valid.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    if (length > 2) {
        const unsigned char second = byte(1);
        const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
        const bool surrogate = first == 0xED && second > 0x9F, beyond = first == 0xF4 && second > 0x8F;
        if (overlong || surrogate || beyond) return 0;
    }
    return length;
}

}  // namespace

std::string fixed(double value, int decimals) {
    std::string text = to_text(value, std::chars_format::fixed, decimals);
    if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);  // no "-0.0"
    return text;
}

std::string significant(double value, int digits) { return to_text(value, std::chars_format::general, digits); }
std::string shortest(float value) { return to_text(value); }
std::string shortest(double value) { return to_text(value); }

std::string byte_text(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024.0 && unit + 1 < units.size()) value /= 1024.0, ++unit;
    const bool whole = value == static_cast<double>(static_cast<std::uint64_t>(value));
    return fixed(value, whole ? 0 : 1) + " " + units[unit];
}

std::int64_t parse_integer(std::string_view text, const std::string& what) {
    std::int64_t value = 0;
    const std::string plain = without_suffix(text);
    const auto result = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (result.ec != std::errc{} || result.ptr != plain.data() + plain.size() || plain.empty())
        throw UsageError(what + ": expected an integer, got '" + printable(text) + "'");
    return value;
}

std::vector<std::int64_t> parse_integers(std::string_view text, const std::string& what) {
    std::vector<std::int64_t> values;
    while (true) {
        const std::size_t comma = text.find(',');
        values.push_back(parse_integer(text.substr(0, comma), what));
        if (comma == std::string_view::npos) return values;
        text.remove_prefix(comma + 1);
    }
}

std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const bool control = length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7F);
        if (length == 0 || control)
            out += '?';
        else
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

std::string extension(const std::string& path) {
    std::string ext = std::filesystem::path(path).extension().string();
    for (char& c : ext)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return ext;
}

}  // namespace seiche::cli
