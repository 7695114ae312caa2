// The rules of types: whole numbers become real ones and real ones complex where an operation needs it, never back.
#include "expression/values.hpp"

#include <algorithm>

namespace seiche::expression {

const char* to_string(Type type) noexcept {
    switch (type) {
        case Type::boolean: return "a condition";
        case Type::integer: return "a whole number";
        case Type::real: return "a real number";
        case Type::complex: return "a complex number";
    }
    return "?";
}

const char* to_string(Side side) noexcept {
    switch (side) {
        case Side::load: return "load";
        case Side::middle: return "middle";
        case Side::store: break;
    }
    return "store";
}

using Id = Values::Id;

void Values::refuse_type(Id id, const std::string& expected) const {
    refuse(field_, position(id), expected, to_string(type(id)));
}

Id Values::make(Kind kind, Type type, std::initializer_list<Id> operands) {
    Node node;
    node.kind = kind;
    node.type = type;
    std::copy(operands.begin(), operands.end(), node.operands.begin());
    program_.nodes.push_back(node);
    positions_.push_back(here_);
    return static_cast<Id>(program_.nodes.size() - 1);
}

Id Values::leaf(Kind kind, Type type, std::uint32_t symbol) {
    const Id id = make(kind, type, {});
    program_.nodes[id].symbol = symbol;
    return id;
}

Id Values::wave_number(std::uint32_t axis, std::uint64_t length) {
    const Id id = leaf(Kind::wave_number, Type::integer, axis);
    program_.nodes[id].integer = static_cast<std::int64_t>(length);
    return id;
}

Id Values::integer(std::int64_t value) {
    const Id id = make(Kind::constant, Type::integer, {});
    program_.nodes[id].integer = value;
    return id;
}

Id Values::real(double value) {
    const Id id = make(Kind::constant, Type::real, {});
    program_.nodes[id].number = value;
    return id;
}

Id Values::load(std::uint32_t buffer, Id index, Type type) {
    const Id id = make(Kind::load, type, {index});
    program_.nodes[id].symbol = buffer;
    return id;
}

Id Values::as(Id id, Type wanted, const std::string& what) {
    if (type(id) == Type::boolean || type(id) > wanted) refuse_type(id, what);
    const Position before = here_;
    here_ = position(id);
    while (type(id) < wanted) id = make(Kind::widen, type(id) == Type::integer ? Type::real : Type::complex, {id});
    here_ = before;
    return id;
}

void Values::require(Id id, Type wanted, const std::string& what) const {
    if (type(id) != wanted) refuse_type(id, what);
}

Id Values::unary(const std::string& sign, Id a) {
    if (sign == "!") {
        require(a, Type::boolean, "a condition after '!'");
        return make(Kind::logical_not, Type::boolean, {a});
    }
    if (type(a) == Type::boolean) refuse_type(a, "a number after '-'");
    return make(Kind::negate, type(a), {a});
}

Id Values::arithmetic(Kind kind, Id a, Id b) {
    const Type common = std::max({type(a), type(b), Type::integer});
    a = as(a, common, "a number");
    b = as(b, common, "a number");
    return make(kind, common, {a, b});
}

Id Values::norm(Id z) {
    const Id re = make(Kind::re, Type::real, {z}), im = make(Kind::im, Type::real, {z});
    const Id re2 = make(Kind::multiply, Type::real, {re, re}), im2 = make(Kind::multiply, Type::real, {im, im});
    return make(Kind::add, Type::real, {re2, im2});
}

/// Always a real or complex quotient; a / b = a conj(b) / |b|^2.
Id Values::divide(Id a, Id b) {
    if (type(b) != Type::complex) {
        a = type(a) == Type::complex ? a : as(a, Type::real, "a number");
        b = as(b, Type::real, "a number");
        return make(Kind::divide, type(a), {a, b});
    }
    a = as(a, Type::complex, "a number");
    const Id turned = make(Kind::conjugate, Type::complex, {b});
    const Id product = make(Kind::multiply, Type::complex, {a, turned});
    const Id size = norm(b);
    return make(Kind::divide, Type::complex, {product, size});
}

Id Values::compare(const std::string& sign, Id a, Id b) {
    const bool is_equality = sign == "==" || sign == "!=";
    if (is_equality && type(a) == Type::boolean && type(b) == Type::boolean)
        return make(sign == "==" ? Kind::equal : Kind::not_equal, Type::boolean, {a, b});
    const Type common = std::max({type(a), type(b), Type::integer});
    const Type order = std::min(common, Type::real);
    a = as(a, order, "a whole or real number to compare");
    b = as(b, order, "a whole or real number to compare");
    if (sign == "==") return make(Kind::equal, Type::boolean, {a, b});
    if (sign == "!=") return make(Kind::not_equal, Type::boolean, {a, b});
    if (sign[0] == '>') std::swap(a, b);
    return make(sign.size() == 1 ? Kind::less : Kind::less_equal, Type::boolean, {a, b});
}

Id Values::binary(const std::string& sign, Id a, Id b) {
    if (sign == "&&" || sign == "||") {
        require(a, Type::boolean, "conditions around '" + sign + "'");
        require(b, Type::boolean, "conditions around '" + sign + "'");
        return make(sign == "&&" ? Kind::logical_and : Kind::logical_or, Type::boolean, {a, b});
    }
    if (sign == "+") return arithmetic(Kind::add, a, b);
    if (sign == "-") return arithmetic(Kind::subtract, a, b);
    if (sign == "*") return arithmetic(Kind::multiply, a, b);
    if (sign == "/") return divide(a, b);
    if (sign == "%") {
        require(a, Type::integer, "whole numbers around '%'");
        require(b, Type::integer, "whole numbers around '%'");
        return make(Kind::remainder, Type::integer, {a, b});
    }
    return compare(sign, a, b);
}

Id Values::choose(Id condition, Id a, Id b) {
    require(condition, Type::boolean, "a condition to choose by");
    if (type(a) == Type::boolean && type(b) == Type::boolean)
        return make(Kind::choose, Type::boolean, {condition, a, b});
    const Type common = std::max({type(a), type(b), Type::integer});
    a = as(a, common, "two numbers or two conditions to choose from");
    b = as(b, common, "two numbers or two conditions to choose from");
    return make(Kind::choose, common, {condition, a, b});
}

Id Values::numeric(const Function& function, const std::vector<Id>& arguments) {
    const std::string what = "a whole or real number for " + std::string(function.name);
    const bool is_whole = std::all_of(arguments.begin(), arguments.end(),
                                      [this](Id argument) { return type(argument) == Type::integer; });
    const Type common = is_whole ? Type::integer : Type::real;
    const Id a = as(arguments[0], common, what);
    return arguments.size() == 1 ? make(function.kind, common, {a})
                                 : make(function.kind, common, {a, as(arguments[1], common, what)});
}

Id Values::call(const Function& function, const std::vector<Id>& arguments) {
    const std::string name(function.name);
    const auto real_argument = [&](std::size_t k) { return as(arguments[k], Type::real, "a real number for " + name); };
    switch (function.signature) {
        case Signature::real:
            if (arguments.size() == 1) return make(function.kind, Type::real, {real_argument(0)});
            return make(function.kind, Type::real, {real_argument(0), real_argument(1)});
        case Signature::numeric: return numeric(function, arguments);
        case Signature::whole:
            for (const Id argument : arguments) require(argument, Type::integer, "whole numbers for " + name);
            return make(function.kind, Type::integer, {arguments[0], arguments[1]});
        case Signature::rounding: return make(function.kind, Type::integer, {real_argument(0)});
        case Signature::of_complex: {
            const Id z = as(arguments[0], Type::complex, "a number for " + name);
            if (name == "norm") return norm(z);
            const Id im = make(Kind::im, Type::real, {z});
            return make(function.kind, Type::real, {im, make(Kind::re, Type::real, {z})});
        }
        case Signature::to_complex: return make(function.kind, Type::complex, {real_argument(0), real_argument(1)});
        case Signature::conjugate:
            return make(function.kind, Type::complex, {as(arguments[0], Type::complex, "a number for " + name)});
        case Signature::magnitude:
            if (type(arguments[0]) != Type::complex) return numeric(function, arguments);
            return make(Kind::square_root, Type::real, {norm(arguments[0])});
        case Signature::logarithm: {
            const Id natural = make(function.kind, Type::real, {real_argument(0)});
            return function.factor == 1 ? natural : make(Kind::multiply, Type::real, {natural, real(function.factor)});
        }
        case Signature::ceiling: {
            const Id mirrored = make(Kind::negate, Type::real, {real_argument(0)});
            return make(Kind::negate, Type::real, {make(Kind::floor, Type::real, {mirrored})});
        }
        case Signature::nearest: {
            // x + 1/2 would be rounded where x is large.
            const Id x = real_argument(0), below = make(Kind::floor, Type::real, {x});
            const Id rest = make(Kind::subtract, Type::real, {x, below});
            const Id goes_up = make(Kind::less_equal, Type::boolean, {real(0.5), rest});
            return make(Kind::choose, Type::real, {goes_up, make(Kind::add, Type::real, {below, real(1)}), below});
        }
        case Signature::choice: return choose(arguments[0], arguments[1], arguments[2]);
    }
    return no_node;
}

}  // namespace seiche::expression
