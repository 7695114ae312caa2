// Double-double arithmetic as doubles: every value of type dd becomes two of f64, hi and lo, with operations that no
// compiler may contract or reassociate (Dekker, "A floating-point technique for extending the available precision",
// 1971; Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
// arithmetic", 2017). u = 2^-53.
//
// Sums are the 11 operations of their algorithm 5, whose error is at most 3 u^2 (|x| + |y|): where x and y cancel that
// is more than the 3 u^2 |x + y| of algorithm 6, which costs 20. A transform's error is measured against the size of
// all its outputs and every sum of it is one of two orthogonal combinations of its operands, so that it gains nothing
// from the better bound; three quarters of its operations are sums.
//
// A buffer of dd has hi and lo side by side. A shared or private array has all hi, then all lo: two planes, so that
// neighbours stay neighbours and vectors whole.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "ir/optimise.hpp"
#include "ir/print.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

namespace {

constexpr unsigned widest = 16;  // lanes of the widest vector

/// Of a value that is no dd, lo is empty.
struct Parts {
    Value hi, lo;
};

Parts fast_two_sum(Value a, Value b) {
    const Value s = a + b;
    return {s, b - (s - a)};
}

Parts two_sum(Value a, Value b) {
    const Value s = a + b, c = s - a;
    return {s, (a - (s - c)) + (b - c)};
}

Parts two_difference(Value a, Value b) {
    const Value s = a - b, c = s - a;
    return {s, (a - (s - c)) - (b + c)};
}

Parts two_product(Value a, Value b) {
    const Value p = a * b;
    return {p, p.builder().fma(a, b, -p)};
}

Parts sum(Parts x, Parts y) {
    const Parts s = two_sum(x.hi, y.hi);
    return fast_two_sum(s.hi, s.lo + (x.lo + y.lo));
}

Parts difference(Parts x, Parts y) {
    const Parts s = two_difference(x.hi, y.hi);
    return fast_two_sum(s.hi, s.lo + (x.lo - y.lo));
}

bool is_power_of_two(Value x) {
    if (!x.builder().is_constant(x)) return false;
    int exponent = 0;
    return std::abs(std::frexp(x.builder().float_value(x), &exponent)) == 0.5;
}

bool is_zero(Value x) { return x.builder().is_constant(x) && x.builder().float_value(x) == 0; }

/// Algorithm 11, at most 5 u^2 |x y|; a power of two is exact.
Parts product(Parts x, Parts y) {
    if (is_zero(x.lo) && is_power_of_two(x.hi)) std::swap(x, y);
    if (is_zero(y.lo) && is_power_of_two(y.hi)) return {x.hi * y.hi, x.lo * y.hi};
    const Parts p = two_product(x.hi, y.hi);
    return fast_two_sum(p.hi, p.lo + x.hi.builder().fma(x.lo, y.hi, x.hi * y.lo));
}

/// x y + z, the product not rounded to a double-double first: at most 13 u^2 |x y| + 4 u^2 |z|.
Parts product_sum(Parts x, Parts y, Parts z) {
    Builder& build = x.hi.builder();
    const Parts p = two_product(x.hi, y.hi);
    const Value crossed = build.fma(x.lo, y.hi, build.fma(x.hi, y.lo, p.lo));
    const Parts s = two_sum(p.hi, z.hi);
    return fast_two_sum(s.hi, s.lo + (crossed + z.lo));
}

Type doubles(Type type) { return {Scalar::f64, type.lanes}; }

/// first, first + step, ...
std::vector<unsigned> run(unsigned first, unsigned step, unsigned count) {
    std::vector<unsigned> lanes(count);
    for (unsigned k = 0; k < count; ++k) lanes[k] = first + k * step;
    return lanes;
}

class Expander {
public:
    explicit Expander(Kernel kernel) : old_(std::move(kernel)), build_(old_.name), values_(old_.code.size()) {
        Kernel& made = build_.kernel();
        made = old_;
        made.code.clear();
        for (BufferParameter& buffer : made.buffers) {
            if (buffer.element.scalar == Scalar::dd) buffer.element = {Scalar::f64, 2u * buffer.element.lanes};
        }
        for (auto* arrays : {&made.shared, &made.privates}) {
            for (ArraySymbol& array : *arrays) {
                if (array.element.scalar != Scalar::dd) continue;
                array.element = doubles(array.element);
                array.count *= 2;
            }
        }
        build_.make_exact(true);
    }

    Kernel run() {
        for (id_ = 0; id_ < old_.code.size(); ++id_) {
            const Instruction& i = old_.code[id_];
            values_[id_] = has_double_double(i) ? expand(i) : Parts{copy(i), {}};
        }
        return build_.finish();
    }

private:
    [[noreturn]] void fault(const std::string& what) const {
        throw InternalError("kernel '" + old_.name + "', " + op_name(old_.code[id_].op) + " %" + std::to_string(id_) +
                            ": " + what);
    }

    bool has_double_double(const Instruction& i) const {
        if (i.type.scalar == Scalar::dd) return true;
        for (const ValueId v : i.operands) {
            if (v != no_value && old_.code[v].type.scalar == Scalar::dd) return true;
        }
        return false;
    }

    Parts parts(const Instruction& i, unsigned k) const { return values_[i.operands[k]]; }
    /// Of an operand that is no dd; empty: it is missing.
    Value whole(const Instruction& i, unsigned k) const {
        return i.operands[k] == no_value ? Value{} : values_[i.operands[k]].hi;
    }

    /// Brackets are the builder's business: what was numbered inside is not known outside.
    Value copy(const Instruction& i) {
        switch (i.op) {
            case Op::loop_begin: return build_.begin_loop(whole(i, 0), whole(i, 1), whole(i, 2));
            case Op::loop_end: build_.end_loop(); return {};
            case Op::if_begin: build_.begin_if(whole(i, 0)); return {};
            case Op::if_else: build_.begin_else(); return {};
            case Op::if_end: build_.end_if(); return {};
            default: return like(i, i.type, {whole(i, 0), whole(i, 1), whole(i, 2), whole(i, 3)});
        }
    }

    /// The same instruction with another type and other operands.
    Value like(const Instruction& i, Type type, const std::array<Value, 4>& operands) {
        Instruction same = i;
        same.type = type;
        for (std::size_t k = 0; k < operands.size(); ++k) same.operands[k] = operands[k].id();
        return build_.effect(same);
    }

    Parts expand(const Instruction& i) {
        switch (op_kind(i.op)) {
            case OpKind::lanes: return rearrange(i);
            case OpKind::memory: return i.op == Op::global_load || i.op == Op::global_store ? global(i) : planes(i, 0);
            case OpKind::cluster: return planes(i, 1);
            case OpKind::subgroup: {
                const Type type = doubles(i.type);
                return {like(i, type, {parts(i, 0).hi, whole(i, 1), {}, {}}),
                        like(i, type, {parts(i, 0).lo, whole(i, 1), {}, {}})};
            }
            default: return arithmetic(i);
        }
    }

    Parts arithmetic(const Instruction& i) {
        switch (i.op) {
            case Op::constant:
                return {build_.constant(doubles(i.type), std::bit_cast<double>(i.immediate)),
                        build_.constant(doubles(i.type), 0)};
            case Op::add: return sum(parts(i, 0), parts(i, 1));
            case Op::sub: return difference(parts(i, 0), parts(i, 1));
            case Op::mul: return product(parts(i, 0), parts(i, 1));
            case Op::mad: return product_sum(parts(i, 0), parts(i, 1), parts(i, 2));
            case Op::neg: return {-parts(i, 0).hi, -parts(i, 0).lo};
            case Op::select:
                return {build_.select(whole(i, 0), parts(i, 1).hi, parts(i, 2).hi),
                        build_.select(whole(i, 0), parts(i, 1).lo, parts(i, 2).lo)};
            case Op::convert: return convert(i);
            case Op::bitcast: return split(whole(i, 0));
            default: fault("is not defined for double-double numbers");
        }
    }

    Parts convert(const Instruction& i) {
        const Type from = old_.code[i.operands[0]].type;
        if (from.scalar == Scalar::dd) {
            const bool fits = i.type.scalar == Scalar::f64 || i.type.is_integer();
            if (!fits) fault("a double-double number becomes a double or an integer, not " + to_string(i.type));
            return {build_.convert(parts(i, 0).hi, i.type.scalar), {}};  // hi is the nearest double
        }
        const bool fits = from.scalar == Scalar::f64 || from.scalar == Scalar::f32 || from.scalar == Scalar::u32;
        if (!fits) fault("a double-double number is made of f64, f32 or u32, not " + to_string(from));
        return {build_.convert(whole(i, 0), Scalar::f64), build_.constant(doubles(i.type), 0)};
    }

    Parts rearrange(const Instruction& i) {
        const auto each = [&](auto&& make) { return Parts{make(&Parts::hi), make(&Parts::lo)}; };
        switch (i.op) {
            case Op::splat: return each([&](auto part) { return build_.splat(parts(i, 0).*part, i.type.lanes); });
            case Op::extract:
                return each(
                    [&](auto part) { return build_.extract(parts(i, 0).*part, static_cast<unsigned>(i.immediate)); });
            case Op::compose: return each([&](auto part) { return compose(i, part); });
            default: break;
        }
        const Pattern& pattern = old_.patterns[i.immediate];
        const std::vector<unsigned> lanes(pattern.begin(), pattern.begin() + i.type.lanes);
        const bool has_second = i.operands[1] != no_value;
        return each([&](auto part) {
            return build_.shuffle(parts(i, 0).*part, has_second ? parts(i, 1).*part : Value{}, lanes);
        });
    }

    Value compose(const Instruction& i, Value Parts::*part) {
        const auto value = [&](unsigned k) { return parts(i, k).*part; };
        if (i.operands[2] == no_value) return build_.compose({value(0), value(1)});
        if (i.operands[3] == no_value) return build_.compose({value(0), value(1), value(2)});
        return build_.compose({value(0), value(1), value(2), value(3)});
    }

    /// hi, lo, hi, lo, ... apart.
    Parts split(Value pairs) {
        const unsigned lanes = pairs.type().lanes / 2;
        if (lanes == 1) return {build_.extract(pairs, 0), build_.extract(pairs, 1)};
        return {build_.shuffle(pairs, {}, ir::run(0, 2, lanes)), build_.shuffle(pairs, {}, ir::run(1, 2, lanes))};
    }

    /// `count` numbers from lane `first` on, as memory has them.
    Value join(Parts x, unsigned first, unsigned count) {
        const unsigned lanes = x.hi.type().lanes;
        if (lanes == 1) return build_.compose({x.hi, x.lo});
        std::vector<unsigned> pattern(2 * std::size_t{count});
        for (unsigned k = 0; k < 2 * count; ++k) pattern[k] = first + k / 2 + k % 2 * lanes;
        return build_.shuffle(x.hi, x.lo, pattern);
    }

    /// Where a run is twice too wide for a vector it is two.
    Parts global(const Instruction& i) {
        const unsigned element = old_.buffers[i.symbol].element.lanes, lanes = i.type.lanes;
        const unsigned piece = std::min(lanes, widest / 2);
        const Type type(Scalar::f64, 2 * piece);
        const auto index = [&](unsigned first) { return whole(i, 0) + std::uint64_t{first / element}; };
        if (i.op == Op::global_store) {
            for (unsigned first = 0; first < lanes; first += piece)
                like(i, type, {index(first), join(parts(i, 1), first, piece), whole(i, 2), {}});
            return {};
        }
        const Value low = like(i, type, {index(0), whole(i, 1), {}, {}});
        if (piece == lanes) return split(low);
        const Value high = like(i, type, {index(piece), whole(i, 1), {}, {}});
        return {build_.shuffle(low, high, ir::run(0, 2, lanes)), build_.shuffle(low, high, ir::run(1, 2, lanes))};
    }

    /// An access to a shared or private array; operand `index_slot` is its index.
    Parts planes(const Instruction& i, unsigned index_slot) {
        const bool is_private = i.op == Op::private_load || i.op == Op::private_store;
        const ArraySymbol& array = (is_private ? old_.privates : old_.shared)[i.symbol];
        const bool stores = op_stores(i.op);
        const auto plane = [&](Value Parts::*part, std::uint64_t offset) {
            std::array<Value, 4> operands;
            for (unsigned k = 0; k < operands.size(); ++k) operands[k] = whole(i, k);
            operands[index_slot] = operands[index_slot] + offset;
            if (stores) operands[index_slot + 1] = parts(i, index_slot + 1).*part;
            return like(i, doubles(i.type), operands);
        };
        const Value hi = plane(&Parts::hi, 0);
        return {hi, plane(&Parts::lo, array.count)};
    }

    const Kernel old_;
    Builder build_;
    std::vector<Parts> values_;
    ValueId id_ = 0;
};

bool has_double_double(const Kernel& kernel) {
    for (const BufferParameter& buffer : kernel.buffers) {
        if (buffer.element.scalar == Scalar::dd) return true;
    }
    for (const Instruction& i : kernel.code) {
        if (i.type.scalar == Scalar::dd) return true;
    }
    return false;
}

}  // namespace

Kernel expand_double_double(Kernel kernel) {
    return has_double_double(kernel) ? Expander(std::move(kernel)).run() : kernel;
}

}  // namespace seiche::ir
