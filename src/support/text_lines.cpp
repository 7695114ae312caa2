// Reading Seiche's own text formats, without a copy of what is read.
#include "support/text_lines.hpp"

#include <algorithm>

#include "seiche/error.hpp"

namespace seiche::support {

TextLines::TextLines(std::string_view text, std::string_view format, std::string_view first)
    : rest_(text), format_(format) {
    const std::string expected = "'" + std::string(first) + "'";
    if (text.empty()) throw InvalidProblem(std::string(format) + ": expected " + expected + ", got nothing");
    const std::string_view got = line();
    expect(got == first, expected, got);
}

std::string_view TextLines::line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return text;
}

std::optional<std::string_view> TextLines::next() {
    while (!rest_.empty()) {
        const std::string_view text = line();
        if (!text.empty() && text.front() != '#') return text;
    }
    return std::nullopt;
}

void TextLines::refuse(const std::string& expected, std::string_view got) const {
    throw InvalidProblem(std::string(format_) + ", line " + std::to_string(number_) + ": expected " + expected +
                         ", got '" + std::string(got) + "'");
}

Columns columns(std::string_view line) {
    Columns parts;
    for (;;) {
        const bool is_last = parts.count + 1 == parts.texts.size();
        const std::size_t end = is_last ? std::string_view::npos : line.find(column_separator);
        parts.texts[parts.count++] = line.substr(0, end);
        if (end == std::string_view::npos) return parts;
        line.remove_prefix(end + column_separator.size());
    }
}

std::string_view next_word(std::string_view& rest) {
    const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
    rest.remove_prefix(begin);
    const std::size_t blank = std::min(rest.find(' '), rest.size()), quote = rest.find('"');
    std::size_t end = blank;
    if (quote < blank) {
        const std::size_t closing = std::min(rest.find('"', quote + 1), rest.size());
        end = std::min(rest.find(' ', closing), rest.size());
    }
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

Field field_of(std::string_view word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    std::string_view value = word.substr(std::min(equals + 1, word.size()));
    const bool is_quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    if (is_quoted) value = value.substr(1, value.size() - 2);
    return {word.substr(0, equals), value, is_quoted};
}

}  // namespace seiche::support
