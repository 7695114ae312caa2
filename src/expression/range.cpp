// How far whole numbers can reach, and what follows for indices and divisions.
#include "expression/range.hpp"

#include <algorithm>

namespace seiche::expression {

namespace {

__extension__ typedef __int128 Wide;

Range between(Wide low, Wide high, bool from_data) {
    Range range;
    range.from_data = from_data;
    // What may leave 64 bits wraps around and can be anything.
    if (low < range.low || high > range.high) return range;
    range.low = static_cast<std::int64_t>(low);
    range.high = static_cast<std::int64_t>(high);
    return range;
}

Range product(const Range& a, const Range& b, bool from_data) {
    const Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low, Wide{a.high} * b.high};
    return between(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4), from_data);
}

Range of_type(StageType type) {
    switch (type) {
        case StageType::i8: return between(-128, 127, true);
        case StageType::u8: return between(0, 255, true);
        case StageType::i16: return between(-32768, 32767, true);
        case StageType::u16: return between(0, 65535, true);
        case StageType::i32: return between(-0x80000000ll, 0x7fffffff, true);
        case StageType::u32: return between(0, 0xffffffffll, true);
        default: break;
    }
    Range any;
    any.from_data = true;
    return any;
}

/// Of a count: from 0 to one below it.
Range below(std::uint64_t count, bool from_data) { return between(0, Wide{count} - 1, from_data); }

class Ranges {
public:
    Ranges(const Program& program, std::uint64_t batch) : program_(program), batch_(batch) {}

    std::vector<Range> run() {
        for (const Node& node : program_.nodes) all_.push_back(of(node));
        return all_;
    }

private:
    const Range& operand(const Node& node, unsigned k) const { return all_[node.operands[k]]; }

    bool from_data(const Node& node) const {
        const bool is_source =
            node.kind == Kind::value || node.kind == Kind::load || node.kind == Kind::scalar || node.kind == Kind::call;
        return is_source || std::any_of(node.operands.begin(), node.operands.end(), [this](std::uint32_t operand) {
                   return operand != no_node && all_[operand].from_data;
               });
    }

    Range of(const Node& node) const {
        Range any;
        any.from_data = from_data(node);
        if (node.type != Type::integer) return any;
        switch (node.kind) {
            case Kind::constant: return between(node.integer, node.integer, false);
            case Kind::index: return below(program_.counts[node.symbol], false);
            case Kind::wave_number: return between(-Wide{node.integer / 2}, Wide{node.integer - 1} / 2, false);
            case Kind::batch: return below(batch_, false);
            case Kind::scalar: return of_type(program_.scalars[node.symbol].type);
            case Kind::load: return of_type(program_.buffers[node.symbol].type);
            // How far a real number reaches is not followed, so an index made from one counts as data.
            case Kind::to_integer: return between(-0x80000000ll, 0x7fffffff, true);
            default: return arithmetic(node, any);
        }
    }

    Range arithmetic(const Node& node, const Range& any) const {
        const bool data = any.from_data;
        const Range& a = operand(node, 0);
        if (node.kind == Kind::negate) return between(-Wide{a.high}, -Wide{a.low}, data);
        if (node.kind == Kind::absolute) {
            const Wide low = a.low < 0 && a.high > 0 ? Wide{0} : std::min(abs(a.low), abs(a.high));
            return between(low, std::max(abs(a.low), abs(a.high)), data);
        }
        const Range& b = operand(node, 1);
        switch (node.kind) {
            case Kind::add: return between(Wide{a.low} + b.low, Wide{a.high} + b.high, data);
            case Kind::subtract: return between(Wide{a.low} - b.high, Wide{a.high} - b.low, data);
            case Kind::multiply: return product(a, b, data);
            case Kind::minimum: return between(std::min(a.low, b.low), std::min(a.high, b.high), data);
            case Kind::maximum: return between(std::max(a.low, b.low), std::max(a.high, b.high), data);
            case Kind::quotient: return b.low < 1 ? any : between(a.low / b.high, a.high / b.low, data);
            case Kind::remainder: return between(0, std::min(a.high, b.high - 1), data);
            case Kind::choose: {
                const Range& c = operand(node, 2);
                return between(std::min(b.low, c.low), std::max(b.high, c.high), data);
            }
            default: return any;
        }
    }

    static Wide abs(std::int64_t x) { return x < 0 ? -Wide{x} : Wide{x}; }

    const Program& program_;
    std::uint64_t batch_;
    std::vector<Range> all_;
};

std::string reach(const Range& range) {
    return "one from " + std::to_string(range.low) + " to " + std::to_string(range.high);
}

/// Indices that depend on data are checked when they are known, on the device; others here, for good.
std::optional<Fault> check_index(const StageBuffer& buffer, std::uint32_t node, const Range& range) {
    if (range.from_data || range.is_within(0, static_cast<std::int64_t>(buffer.count) - 1)) return std::nullopt;
    return Fault{node, "an index from 0 to " + std::to_string(buffer.count - 1) + " into '" + buffer.name + "'",
                 reach(range)};
}

}  // namespace

std::vector<Range> ranges(const Program& program, std::uint64_t batch) { return Ranges(program, batch).run(); }

std::optional<Fault> find_fault(const Program& program, const std::vector<Range>& ranges) {
    for (const Node& node : program.nodes) {
        if (node.kind == Kind::load) {
            const std::uint32_t index = node.operands[0];
            if (auto fault = check_index(program.buffers[node.symbol], index, ranges[index])) return fault;
        }
        if (node.kind != Kind::quotient && node.kind != Kind::remainder) continue;
        if (ranges[node.operands[0]].low < 0)
            return Fault{node.operands[0], "a dividend that is never negative", reach(ranges[node.operands[0]])};
        if (ranges[node.operands[1]].low < 1)
            return Fault{node.operands[1], "a divisor that is always positive", reach(ranges[node.operands[1]])};
    }
    for (const Store& store : program.stores)
        if (auto fault = check_index(program.buffers[store.buffer], store.index, ranges[store.index])) return fault;
    return std::nullopt;
}

}  // namespace seiche::expression
