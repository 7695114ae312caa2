// Lines of Seiche's own text formats (wisdom, tables of measurements): a first line with the format's name and version,
// comments, columns between bars, words such as radices=32x16. What is refused is said with its line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/text.hpp"

namespace seiche::support {

/// The lines of a text one after another, without comments, empty lines and line ends.
class TextLines {
public:
    /// Throws InvalidProblem, which begins with `format`, if the text does not begin with the line `first`.
    TextLines(std::string_view text, std::string_view format, std::string_view first);
    /// The next line; nothing: that was the last.
    std::optional<std::string_view> next();
    std::size_t number() const { return number_; }
    /// Throws InvalidProblem: "wisdom, line 3: expected this, got 'that'".
    [[noreturn]] void refuse(const std::string& expected, std::string_view got) const;
    void expect(bool holds, const std::string& expected, std::string_view got) const {
        if (!holds) refuse(expected, got);
    }

private:
    std::string_view line();

    std::string_view rest_, format_;
    std::size_t number_ = 0;
};

/// Between " | ", at most three; those that are missing are empty.
struct Columns {
    std::array<std::string_view, 3> texts = {};
    std::size_t count = 0;
};
Columns columns(std::string_view line);
inline constexpr std::string_view column_separator = " | ";

/// The next word between spaces, which `rest` then begins behind; empty: there is none. A value in quotes may have
/// spaces.
std::string_view next_word(std::string_view& rest);

/// "name=value"; without "=" the value is empty, and quotes about a value are left out.
struct Field {
    std::string_view name, value;
    bool is_quoted = false;
};
Field field_of(std::string_view word);

/// "32x16x16", calling `take` with each number; false: there is something else in it.
template <class Take>
bool each_length(std::string_view text, Take take) {
    for (;;) {
        const std::size_t end = text.find('x');
        const std::optional<std::uint64_t> number = parse_unsigned(text.substr(0, end));
        if (!number || !take(*number)) return false;
        if (end == std::string_view::npos) return true;
        text.remove_prefix(end + 1);
    }
}

}  // namespace seiche::support
