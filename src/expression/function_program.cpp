// The program of a stage that is a compiled function: where the point is in its array, and a call for it.
#include <limits>

#include "expression/program.hpp"
#include "seiche/error.hpp"
#include "support/hash.hpp"

namespace seiche::expression {

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

/// A name goes into the text of a kernel as it is.
bool is_name(const std::string& text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    for (const char c : text)
        if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
    return !text.empty() && is_letter(text.front());
}

std::string shown(const std::string& symbol) {
    constexpr std::size_t most = 80;
    std::string text = "'";
    for (const char c : symbol.substr(0, most)) text += c >= ' ' && c < 0x7f ? c : '?';
    return text + "'";
}

void check_forms(const StageFunction& function, const std::string& field) {
    const std::string own = field + ".function";
    if (function.code.empty() && function.host == nullptr) refuse(own, "code or a function of the host", "neither");
    if (function.code.empty()) {
        if (!function.symbol.empty()) refuse(own + ".code", "the code that has " + shown(function.symbol), "none");
    } else if (!is_name(function.symbol)) {
        refuse(own + ".symbol", "the name of a function in the code, of letters, digits and _", shown(function.symbol));
    }
}

ir::ExternalFunction external(const StageFunction& function) {
    ir::ExternalFunction result{function.symbol, nullptr, {}, function.host};
    if (function.code.empty()) return result;
    result.code = std::make_shared<const std::vector<std::byte>>(function.code);
    result.code_hash = support::Hasher().bytes(function.code).hex();
    return result;
}

class Places {
public:
    explicit Places(Program& program) : nodes_(program.nodes) {}

    std::uint32_t leaf(Kind kind, Type type, std::uint32_t symbol = 0) {
        Node node{kind, type};
        node.symbol = symbol;
        return add(node);
    }
    std::uint32_t of(Kind kind, Type type, std::uint32_t a, std::uint32_t b = no_node) {
        Node node{kind, type};
        node.operands[0] = a;
        node.operands[1] = b;
        return add(node);
    }
    /// Adds index times stride to a sum, which may be none yet.
    std::uint32_t with(std::uint32_t sum, std::uint32_t index, std::int64_t stride) {
        const std::uint32_t term = stride == 1 ? index : of(Kind::multiply, Type::integer, index, number(stride));
        return sum == no_node ? term : of(Kind::add, Type::integer, sum, term);
    }
    std::uint32_t number(std::int64_t value) {
        Node node{Kind::constant, Type::integer};
        node.integer = value;
        return add(node);
    }

private:
    std::uint32_t add(const Node& node) {
        nodes_.push_back(node);
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    std::vector<Node>& nodes_;
};

std::uint32_t index_in_array(Places& places, const Context& context, const ArrayPlace& place) {
    std::uint32_t sum = place.first != 0 ? places.number(place.first) : no_node;
    for (std::uint32_t axis = 0; axis < context.counts.size(); ++axis)
        if (context.counts[axis] > 1 && place.strides[axis] != 0)
            sum = places.with(sum, places.leaf(Kind::index, Type::integer, axis), place.strides[axis]);
    if (place.distance != 0) sum = places.with(sum, places.leaf(Kind::batch, Type::integer), place.distance);
    return sum == no_node ? places.number(0) : sum;
}

}  // namespace

Program function_program(const StageFunction& function, const Context& context, const ArrayPlace& place) {
    check_forms(function, context.field);
    Program program;
    program.function = external(function);
    program.text =
        "call " + (function.symbol.empty() ? "of the host" : function.symbol + " " + program.function->code_hash);
    program.counts = context.counts;
    program.is_real = context.is_real;
    program.reads_value = true;
    program.batch_limit = std::numeric_limits<std::uint64_t>::max();
    const Type type = context.is_real ? Type::real : Type::complex;
    Places places(program);
    const std::uint32_t index = index_in_array(places, context, place);
    if (context.side == Side::load)
        program.result = places.of(Kind::call, type, index);
    else
        program.stores.push_back({the_array, index, places.leaf(Kind::value, type)});
    return program;
}

}  // namespace seiche::expression
