// Programs that load the array's element of a mode before the user's stage, and store it behind that.
#include "expression/elements.hpp"

#include <algorithm>
#include <string>

namespace seiche::expression {

namespace {

constexpr std::uint64_t most_entries = std::uint64_t{1} << 32;  // kernels count sequences in 32 bits

/// Appends nodes to a program.
class Appender {
public:
    explicit Appender(Program& program) : program_(program) {}

    std::uint32_t leaf(Kind kind, Type type, std::uint32_t symbol = 0) {
        Node node{kind, type};
        node.symbol = symbol;
        return add(node);
    }
    std::uint32_t whole(std::uint64_t value) {
        Node node{Kind::constant, Type::integer};
        node.integer = static_cast<std::int64_t>(value);
        return add(node);
    }
    std::uint32_t of(Kind kind, Type type, std::array<std::uint32_t, 3> operands) {
        Node node{kind, type};
        node.operands = operands;
        return add(node);
    }
    std::uint32_t whole_of(Kind kind, std::uint32_t a, std::uint32_t b) {
        return of(kind, Type::integer, {a, b, no_node});
    }
    /// The other program's nodes; its values become `value`, unless there is none.
    std::vector<std::uint32_t> append(const Program& other, std::uint32_t value) {
        std::vector<std::uint32_t> moved;
        for (Node node : other.nodes) {
            for (std::uint32_t& operand : node.operands)
                if (operand != no_node) operand = moved[operand];
            const bool is_given = node.kind == Kind::value && value != no_node;
            moved.push_back(is_given ? value : add(node));
        }
        return moved;
    }

private:
    std::uint32_t add(const Node& node) {
        program_.nodes.push_back(node);
        return static_cast<std::uint32_t>(program_.nodes.size() - 1);
    }
    Program& program_;
};

/// Of the point's mode, along one axis.
std::uint32_t place_along(Appender& nodes, const ModePlaces::Axis& axis, std::uint32_t number) {
    const std::uint32_t index = nodes.leaf(Kind::index, Type::integer, number);
    const std::uint32_t behind =
        axis.begin == 0 ? index : nodes.whole_of(Kind::subtract, index, nodes.whole(axis.begin));
    if (axis.gap == 0) return behind;
    const std::uint32_t is_first = nodes.of(Kind::less, Type::boolean, {index, nodes.whole(axis.reach), no_node});
    const std::uint32_t beyond = nodes.whole_of(Kind::subtract, behind, nodes.whole(axis.gap));
    return nodes.of(Kind::choose, Type::integer, {is_first, behind, beyond});
}

/// Of the point's mode in the box of all that there are.
std::uint32_t place_in_box(Appender& nodes, const ModePlaces& places) {
    std::uint32_t sum = no_node;
    std::uint64_t stride = 1;
    for (std::size_t i = places.axes.size(); i-- > 0; stride *= places.axes[i].count) {
        if (places.axes[i].count == 1) continue;
        std::uint32_t own = place_along(nodes, places.axes[i], static_cast<std::uint32_t>(i));
        if (stride != 1) own = nodes.whole_of(Kind::multiply, own, nodes.whole(stride));
        sum = sum == no_node ? own : nodes.whole_of(Kind::add, sum, own);
    }
    return sum == no_node ? nodes.whole(0) : sum;
}

/// The element of the array; below 0 where it has not the mode. Declares the table.
std::uint32_t element_of(Program& program, const ModePlaces& places) {
    Appender nodes(program);
    const std::uint32_t in_box = place_in_box(nodes, places);
    const std::uint32_t batch = nodes.leaf(Kind::batch, Type::integer);
    const std::uint32_t first = nodes.whole_of(Kind::multiply, batch, nodes.whole(places.modes));
    if (places.positions == 0) return nodes.whole_of(Kind::add, in_box, first);
    const std::uint32_t position = nodes.of(Kind::load, Type::integer, {in_box, no_node, no_node});
    program.nodes.back().symbol = static_cast<std::uint32_t>(program.buffers.size());
    program.buffers.push_back({positions_name, StageType::i32, places.positions});
    program.written.push_back(false);
    const std::uint32_t at = nodes.whole_of(Kind::add, position, first), zero = nodes.whole(0);
    const std::uint32_t is_there = nodes.of(Kind::less_equal, Type::boolean, {zero, position, no_node});
    return nodes.of(Kind::choose, Type::integer, {is_there, at, position});
}

std::string text_of(const ModePlaces& places) {
    std::string text = "modes";
    for (const ModePlaces::Axis& axis : places.axes)
        text += " " + std::to_string(axis.begin) + "+" + std::to_string(axis.count) + "@" + std::to_string(axis.reach) +
                "+" + std::to_string(axis.gap);
    return text + " of " + std::to_string(places.modes) + (places.positions == 0 ? "; " : " packed; ");
}

void load_elements(const Program* own, const ModePlaces& places, Program& program) {
    const std::uint32_t at = element_of(program, places);
    Appender nodes(program);
    program.result = nodes.of(Kind::call, Type::complex, {at, no_node, no_node});
    if (own) program.result = nodes.append(*own, program.result)[own->result];
    program.reads_value = false;  // the kernel's own
}

/// Where the user's stage returns nothing the array stays as it is.
void store_elements(const Program* own, const ModePlaces& places, Program& program) {
    Appender nodes(program);
    std::uint32_t value = no_node;
    if (own) {
        const std::vector<std::uint32_t> moved = nodes.append(*own, no_node);
        for (Store& store : program.stores) {
            store.index = moved[store.index];
            store.value = moved[store.value];
        }
        if (own->result == no_node) return;
        value = moved[own->result];
    } else {
        value = nodes.leaf(Kind::value, Type::complex);
        program.reads_value = true;
    }
    program.stores.push_back({the_array, element_of(program, places), value});
    program.result = no_node;
}

}  // namespace

Program find_elements(const Program* own, const ModePlaces& places, const Context& context) {
    Program program;
    if (own) program = *own;
    program.nodes.clear();
    program.text = text_of(places) + program.text;
    program.counts = context.counts;
    program.batch_limit = own ? std::min(own->batch_limit, most_entries) : most_entries;
    context.side == Side::load ? load_elements(own, places, program) : store_elements(own, places, program);
    return program;
}

bool finds_its_elements(const Program& program) {
    return !program.function && std::any_of(program.stores.begin(), program.stores.end(),
                                            [](const Store& store) { return store.buffer == the_array; });
}

}  // namespace seiche::expression
