// Numbers to text and back through charconv, which knows no locale.
#include "support/text.hpp"

#include <charconv>

namespace seiche::support {

namespace {

template <class T>
std::optional<T> parse(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class... Arguments>
std::string print(Arguments... arguments) {
    char digits[400];  // the longest double in fixed notation has 309 digits before the point
    const auto result = std::to_chars(digits, digits + sizeof digits, arguments...);
    return {digits, result.ptr};
}

}  // namespace

std::string to_text(std::uint64_t value) { return print(value); }
std::string to_text(std::int64_t value) { return print(value); }
std::string to_text(double value) { return print(value); }
std::string to_fixed(double value, int digits) { return print(value, std::chars_format::fixed, digits); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) { return parse<std::uint64_t>(text); }
std::optional<std::int64_t> parse_signed(std::string_view text) { return parse<std::int64_t>(text); }
std::optional<double> parse_double(std::string_view text) { return parse<double>(text); }

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> words(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<std::string_view> parts;
    for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
        const std::size_t end = text.find_first_of(blanks, begin);
        parts.push_back(text.substr(begin, end - begin));
        begin = end == std::string_view::npos ? end : text.find_first_not_of(blanks, end);
    }
    return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i != 0) text += separator;
        text += parts[i];
    }
    return text;
}

}  // namespace seiche::support
