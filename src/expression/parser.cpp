// The parser: recursive descent, one function for each rule of the grammar in docs/reference/grammar.md.
#include <array>
#include <string_view>
#include <utility>

#include "expression/syntax.hpp"

namespace seiche::expression {

namespace {

constexpr unsigned deepest = 100;  // brackets within brackets; each takes a few frames of the stack

/// Binary signs by falling width of what they hold together.
constexpr std::array<std::array<std::string_view, 4>, 6> levels{
    {{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}};

class Parser {
public:
    Parser(const std::vector<Token>& tokens, const std::string& field) : tokens_(tokens), field_(field) {}

    Syntax run() {
        Syntax syntax;
        while (present().kind != Token::Kind::end) syntax.statements.push_back(statement());
        syntax.end = present().position;
        return syntax;
    }

private:
    const Token& present() const { return tokens_[at_]; }
    bool is(std::string_view text) const {
        return (present().kind == Token::Kind::sign || present().kind == Token::Kind::name) && present().text == text;
    }
    bool accept(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    [[noreturn]] void fail(const std::string& expected) const {
        refuse(field_, present().position, expected, present().described());
    }
    void expect(std::string_view text) {
        if (!accept(text)) fail("'" + std::string(text) + "'");
    }
    Token take(Token::Kind kind, const char* what) {
        if (present().kind != kind) fail(what);
        return tokens_[at_++];
    }

    Statement statement() {
        Statement result;
        if (accept("let")) {
            const Token name = take(Token::Kind::name, "a name");
            result.name = name.text;
            result.position = name.position;
        } else if (accept("store")) {
            const Token name = take(Token::Kind::name, "the name of a buffer");
            result.kind = Statement::Kind::store;
            result.name = name.text;
            result.position = name.position;
            expect("[");
            result.index = expression();
            expect("]");
        } else if (is("sum")) {
            ++at_;
            const Token name = take(Token::Kind::name, "the name of a sum");
            result.kind = Statement::Kind::sum;
            result.name = name.text;
            result.position = name.position;
        } else if (is("return")) {
            result.kind = Statement::Kind::result;
            result.position = present().position;
            ++at_;
        } else {
            fail("let, store, sum or return");
        }
        if (result.kind != Statement::Kind::result) expect("=");
        result.value = expression();
        if (present().kind != Token::Kind::end) expect(";");
        return result;
    }

    Expression expression() {
        if (++depth_ > deepest) refuse(field_, present().position, "at most 100 brackets within brackets", "more");
        Expression condition = binary(0);
        if (is("?")) {
            Expression choice{Expression::Kind::choice, "?", present().position, {}};
            ++at_;
            choice.operands.push_back(std::move(condition));
            choice.operands.push_back(expression());
            expect(":");
            choice.operands.push_back(expression());
            condition = std::move(choice);
        }
        --depth_;
        return condition;
    }

    Expression binary(std::size_t level) {
        if (level == levels.size()) return unary();
        Expression left = binary(level + 1);
        for (std::string_view sign = sign_of(level); !sign.empty(); sign = sign_of(level)) {
            Expression both{Expression::Kind::binary, std::string(sign), present().position, {}};
            ++at_;
            both.operands.push_back(std::move(left));
            both.operands.push_back(binary(level + 1));
            left = std::move(both);
        }
        return left;
    }

    std::string_view sign_of(std::size_t level) const {
        for (const std::string_view sign : levels[level]) {
            if (!sign.empty() && is(sign)) return sign;
        }
        return {};
    }

    Expression unary() {
        if (!is("-") && !is("!")) return postfix();
        if (++depth_ > deepest) refuse(field_, present().position, "at most 100 signs in a row", "more");
        Expression result{Expression::Kind::unary, present().text, present().position, {}};
        ++at_;
        result.operands.push_back(unary());
        --depth_;
        return result;
    }

    Expression postfix() {
        Expression result = primary();
        while (is(".")) {
            ++at_;
            const Token part = take(Token::Kind::name, "re or im");
            if (part.text != "re" && part.text != "im") refuse(field_, part.position, "re or im", part.described());
            Expression member{Expression::Kind::member, part.text, part.position, {}};
            member.operands.push_back(std::move(result));
            result = std::move(member);
        }
        return result;
    }

    Expression primary() {
        const Token token = present();
        if (accept("(")) {
            Expression inner = expression();
            expect(")");
            return inner;
        }
        if (token.kind == Token::Kind::end || token.kind == Token::Kind::sign) fail("a value");
        ++at_;
        if (token.kind == Token::Kind::integer) return {Expression::Kind::integer, token.text, token.position, {}};
        if (token.kind == Token::Kind::real) return {Expression::Kind::real, token.text, token.position, {}};
        if (accept("(")) return call(token);
        if (!accept("[")) return {Expression::Kind::name, token.text, token.position, {}};
        Expression element{Expression::Kind::index, token.text, token.position, {}};
        element.operands.push_back(expression());
        expect("]");
        return element;
    }

    Expression call(const Token& name) {
        Expression result{Expression::Kind::call, name.text, name.position, {}};
        if (accept(")")) return result;
        do result.operands.push_back(expression());
        while (accept(","));
        if (!accept(")")) fail("',' or ')'");
        return result;
    }

    const std::vector<Token>& tokens_;
    const std::string& field_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
};

}  // namespace

Syntax parse(const std::vector<Token>& tokens, const std::string& field) { return Parser(tokens, field).run(); }

}  // namespace seiche::expression
