// Words of a user's text, each with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seiche::expression {

/// Counted from 1; columns in characters.
struct Position {
    std::uint32_t line = 1, column = 1;
};

/// Throws InvalidProblem: "FIELD: line L, column C: expected EXPECTED, got GOT".
[[noreturn]] void refuse(const std::string& field, Position at, const std::string& expected, const std::string& got);

struct Token {
    enum class Kind : std::uint8_t { name, integer, real, sign, end };
    Kind kind = Kind::end;
    std::string text;  ///< As written; of the end: empty.
    Position position;
    /// For messages: the text in quotes, or what stands for the end.
    std::string described() const { return kind == Kind::end ? "the end of the text" : "'" + text + "'"; }
};

/// The words of the text, the end last; comments (// and /* */) are left out. `field` names the text in messages.
std::vector<Token> tokens(std::string_view text, const std::string& field);

}  // namespace seiche::expression
