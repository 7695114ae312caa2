// Nodes in the making: appends typed operations to a program, with conversions where a type calls for them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "expression/functions.hpp"
#include "expression/program.hpp"
#include "expression/token.hpp"

namespace seiche::expression {

class Values {
public:
    Values(Program& program, const std::string& field) : program_(program), field_(field) {}

    using Id = std::uint32_t;

    Type type(Id id) const { return program_.nodes[id].type; }
    Position position(Id id) const { return positions_[id]; }
    /// Where the values made from here on stand in the text.
    void stand_at(Position position) { here_ = position; }

    Id integer(std::int64_t value);
    Id wave_number(std::uint32_t axis, std::uint64_t length);
    Id real(double value);
    Id leaf(Kind kind, Type type, std::uint32_t symbol = 0);
    Id make(Kind kind, Type type, std::initializer_list<Id> operands);
    Id load(std::uint32_t buffer, Id index, Type type);

    /// The value as a wider type. Throws InvalidProblem where there is no way from its own.
    Id as(Id id, Type wanted, const std::string& what);
    /// Throws InvalidProblem unless the value has this very type.
    void require(Id id, Type wanted, const std::string& what) const;

    Id unary(const std::string& sign, Id a);
    Id binary(const std::string& sign, Id a, Id b);
    Id choose(Id condition, Id a, Id b);
    Id call(const Function& function, const std::vector<Id>& arguments);
    Id norm(Id z);

private:
    Id arithmetic(Kind kind, Id a, Id b);
    Id divide(Id a, Id b);
    Id compare(const std::string& sign, Id a, Id b);
    Id numeric(const Function& function, const std::vector<Id>& arguments);
    [[noreturn]] void refuse_type(Id id, const std::string& expected) const;

    Program& program_;
    const std::string& field_;
    std::vector<Position> positions_;  // of each node
    Position here_;
};

}  // namespace seiche::expression
