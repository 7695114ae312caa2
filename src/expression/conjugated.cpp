// Programs that conjugate points. A load stage comes first, then the conjugate of its result; a store stage takes the
// conjugate as its value.
#include "expression/program.hpp"

namespace seiche::expression {

namespace {

constexpr const char* text = "return conj(value);";

std::uint32_t append(std::vector<Node>& nodes, std::uint32_t operand) {
    Node node{Kind::conjugate, Type::complex};
    node.operands[0] = operand;
    nodes.push_back(node);
    return static_cast<std::uint32_t>(nodes.size() - 1);
}

/// Every value is followed by its conjugate, which takes its place.
Program with_value_conjugated(Program program) {
    std::vector<Node> nodes;
    std::vector<std::uint32_t> moved;  // by the old number
    const auto move = [&moved](std::uint32_t& node) {
        if (node != no_node) node = moved[node];
    };
    for (Node node : program.nodes) {
        for (std::uint32_t& operand : node.operands) move(operand);
        nodes.push_back(node);
        moved.push_back(static_cast<std::uint32_t>(nodes.size() - 1));
        if (node.kind == Kind::value) moved.back() = append(nodes, moved.back());
    }
    for (Store& store : program.stores) {
        move(store.index);
        move(store.value);
    }
    move(program.result);
    program.nodes = std::move(nodes);
    return program;
}

}  // namespace

Program conjugated(const Program* own, const Context& context) {
    if (own == nullptr) return check(UserStage(text), context);
    Program program = *own;
    if (context.side == Side::store) {
        program = with_value_conjugated(std::move(program));
        program.text = "value = conj(value); " + program.text;
    } else {
        program.result = append(program.nodes, program.result);
        program.text += " conj";
    }
    return program;
}

bool is_conjugation(const Program& program) {
    return program.nodes.size() == 2 && program.result == 1 && program.nodes[0].kind == Kind::value &&
           program.nodes[1].kind == Kind::conjugate;
}

}  // namespace seiche::expression
