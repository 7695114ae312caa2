// The lexer: names, numbers and signs with line and column.
#include <array>
#include <cstddef>

#include "expression/token.hpp"
#include "seiche/error.hpp"

namespace seiche::expression {

void refuse(const std::string& field, Position at, const std::string& expected, const std::string& got) {
    throw InvalidProblem(field + ": line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
                         ": expected " + expected + ", got " + got);
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A character for a message; what cannot be printed as its code.
std::string printable(char c) {
    if (c >= ' ' && c <= '~') return std::string("'") + c + "'";
    constexpr std::string_view digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    return std::string("the byte 0x") + digits[code >> 4] + digits[code & 15u];
}

class Lexer {
public:
    Lexer(std::string_view text, const std::string& field) : text_(text), field_(field) {}

    std::vector<Token> run() {
        std::vector<Token> all;
        for (skip_blank(); at_ < text_.size(); skip_blank()) all.push_back(next());
        all.push_back({Token::Kind::end, "", position_});
        return all;
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void advance() {
        const auto byte = static_cast<unsigned char>(text_[at_++]);
        if (byte == '\n')
            position_ = {position_.line + 1, 1};
        else if ((peek() & 0xc0) != 0x80)  // the next byte is not the rest of a UTF-8 character
            ++position_.column;
    }

    void skip_blank() {
        while (at_ < text_.size()) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                advance();
            } else if (c == '/' && peek(1) == '/') {
                while (at_ < text_.size() && peek() != '\n') advance();
            } else if (c == '/' && peek(1) == '*') {
                skip_comment();
            } else {
                return;
            }
        }
    }

    void skip_comment() {
        const Position start = position_;
        advance();
        advance();
        while (at_ < text_.size() && !(peek() == '*' && peek(1) == '/')) advance();
        if (at_ == text_.size()) refuse(field_, start, "a comment that is closed by */", "the end of the text");
        advance();
        advance();
    }

    Token next() {
        const Position start = position_;
        const std::size_t first = at_;
        const Token::Kind kind = scan();
        return {kind, std::string(text_.substr(first, at_ - first)), start};
    }

    Token::Kind scan() {
        if (is_letter(peek())) {
            while (is_letter(peek()) || is_digit(peek())) advance();
            return Token::Kind::name;
        }
        if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
        static constexpr std::array<std::string_view, 6> pairs{"<=", ">=", "==", "!=", "&&", "||"};
        for (const std::string_view pair : pairs) {
            if (text_.substr(at_, 2) != pair) continue;
            advance();
            advance();
            return Token::Kind::sign;
        }
        constexpr std::string_view signs = "+-*/%<>=!?:;,.()[]";
        if (signs.find(peek()) == std::string_view::npos)
            refuse(field_, position_, "a name, a number or one of " + std::string(signs), printable(peek()));
        advance();
        return Token::Kind::sign;
    }

    Token::Kind number() {
        bool is_real = false;
        while (is_digit(peek())) advance();
        if (peek() == '.') {
            is_real = true;
            advance();
            while (is_digit(peek())) advance();
        }
        if (peek() == 'e' || peek() == 'E') {
            is_real = true;
            advance();
            if (peek() == '+' || peek() == '-') advance();
            if (!is_digit(peek())) refuse(field_, position_, "the digits of an exponent", described_here());
            while (is_digit(peek())) advance();
        }
        if (is_letter(peek())) refuse(field_, position_, "the end of a number", described_here());
        return is_real ? Token::Kind::real : Token::Kind::integer;
    }

    std::string described_here() const { return at_ < text_.size() ? printable(peek()) : "the end of the text"; }

    std::string_view text_;
    const std::string& field_;
    std::size_t at_ = 0;
    Position position_;
};

}  // namespace

std::vector<Token> tokens(std::string_view text, const std::string& field) { return Lexer(text, field).run(); }

}  // namespace seiche::expression
