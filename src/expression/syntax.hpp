// What a user's text says, word for word: a tree that knows nothing of types or names yet.
#pragma once

#include <string>
#include <vector>

#include "expression/token.hpp"

namespace seiche::expression {

struct Expression {
    enum class Kind : std::uint8_t {
        integer,  ///< `text` is the number.
        real,
        name,
        member,  ///< `.re` or `.im` of operands[0].
        call,    ///< Of the function `text`.
        index,   ///< Element operands[0] of the buffer `text`.
        unary,   ///< `text` is the sign.
        binary,
        choice,  ///< operands[0] ? operands[1] : operands[2]
    };
    Kind kind = Kind::integer;
    std::string text;
    Position position;  ///< Of the word that says what kind it is.
    std::vector<Expression> operands;
};

struct Statement {
    enum class Kind : std::uint8_t { let, store, sum, result };
    Kind kind = Kind::let;
    std::string name;   ///< Of the value, the buffer or the sum.
    Position position;  ///< Of the name; of a result: of `return`.
    Expression index;   ///< Of a store.
    Expression value;
};

struct Syntax {
    std::vector<Statement> statements;
    Position end;
};

/// Throws InvalidProblem with line and column. `field` names the text in messages.
Syntax parse(const std::vector<Token>& tokens, const std::string& field);

}  // namespace seiche::expression
