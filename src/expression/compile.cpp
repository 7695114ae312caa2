// The compiler: walks the nodes of a program in order and appends their operations to a kernel.
#include "expression/compile.hpp"

#include <algorithm>

#include "expression/whole.hpp"
#include "seiche/error.hpp"

namespace seiche::expression {

using ir::Complex;
using ir::Op;
using ir::Scalar;
using ir::Value;

Scalar scalar_type(StageType type) {
    switch (type) {
        case StageType::f16: return Scalar::f16;
        case StageType::f32: return Scalar::f32;
        case StageType::f64: return Scalar::f64;
        case StageType::i8: return Scalar::i8;
        case StageType::u8: return Scalar::u8;
        case StageType::i16: return Scalar::i16;
        case StageType::u16: return Scalar::u16;
        case StageType::i32: return Scalar::i32;
        case StageType::u32: return Scalar::u32;
    }
    return Scalar::none;
}

namespace {

bool has_sign(StageType type) { return type == StageType::i8 || type == StageType::i16 || type == StageType::i32; }

/// The operation of a kind that is one operation on real numbers.
Op real_op(Kind kind) {
    switch (kind) {
        case Kind::square_root: return Op::sqrt;
        case Kind::exponential: return Op::exp;
        case Kind::logarithm: return Op::log;
        case Kind::sine: return Op::sin;
        case Kind::cosine: return Op::cos;
        case Kind::sine_pi: return Op::sinpi;
        case Kind::cosine_pi: return Op::cospi;
        case Kind::floor: return Op::floor;
        case Kind::arc_tangent: return Op::atan2;
        case Kind::power: return Op::pow;
        case Kind::absolute: return Op::abs;
        case Kind::negate: return Op::neg;
        case Kind::add: return Op::add;
        case Kind::subtract: return Op::sub;
        case Kind::multiply: return Op::mul;
        case Kind::divide: return Op::div;
        case Kind::minimum: return Op::min;
        case Kind::maximum: return Op::max;
        case Kind::equal: return Op::equal;
        case Kind::not_equal: return Op::not_equal;
        case Kind::less: return Op::less;
        case Kind::less_equal: return Op::less_equal;
        case Kind::quotient: return Op::div;
        case Kind::remainder: return Op::mod;
        default: throw InternalError("a stage: expected a kind that is one operation");
    }
}

bool is_comparison(Kind kind) { return kind >= Kind::equal && kind <= Kind::less_equal; }

class Compiler {
public:
    Compiler(ir::Builder& builder, const Program& program, const Inputs& inputs)
        : builder_(builder),
          program_(program),
          inputs_(inputs),
          wholes_(builder),
          real_(inputs.value.re.type().scalar),
          lanes_(inputs.value.re.type().lanes),
          ranges_(ranges(program, program.batch_limit)),
          results_(program.nodes.size()) {}

    Complex run() {
        for (at_ = 0; at_ < program_.nodes.size(); ++at_) results_[at_] = visit(program_.nodes[at_]);
        for (const Store& store : program_.stores) write(store);
        if (inputs_.terms)
            for (const Sum& sum : program_.sums) inputs_.terms->push_back(results_[sum.value].value);
        if (program_.result == no_node) return {};
        const Result& result = results_[program_.result];
        if (program_.is_real) return {in_lanes(result.value, lanes_), {}};
        return {in_lanes(result.complex.re, lanes_), in_lanes(result.complex.im, lanes_)};
    }

private:
    /// What a node comes to: of real numbers and conditions `value`, of whole ones `value` with the node's range.
    struct Result {
        Value value;
        Complex complex;
        Value narrow;  // of a whole number with sign that was loaded: itself in i32
    };

    const Result& operand(const Node& node, unsigned k) const { return results_[node.operands[k]]; }
    Value real(const Node& node, unsigned k) const { return operand(node, k).value; }
    Complex complex(const Node& node, unsigned k) const { return operand(node, k).complex; }
    Whole whole(std::uint32_t id) const { return {results_[id].value, ranges_[id]}; }
    Whole whole(const Node& node, unsigned k) const { return whole(node.operands[k]); }
    /// What is the same in all lanes beside what is not.
    Value in_lanes(Value x, unsigned lanes) { return x.type().lanes == lanes ? x : builder_.splat(x, lanes); }
    void match(Value& a, Value& b) {
        const unsigned lanes = std::max(a.type().lanes, b.type().lanes);
        a = in_lanes(a, lanes);
        b = in_lanes(b, lanes);
    }
    void match(Complex& a, Complex& b) {
        match(a.re, b.re);
        match(a.im, b.im);
    }
    Complex matched(Complex x) {
        match(x.re, x.im);
        return x;
    }
    Value chosen(Value condition, Value a, Value b) {
        match(a, b);
        return builder_.select(condition, a, b);
    }
    Type operand_type(const Node& node, unsigned k) const { return program_.nodes[node.operands[k]].type; }

    /// Of bin i of n: i below half of them, i - n above (numpy.fft.fftfreq times n).
    Whole wave_number(const Node& node) {
        const std::int64_t n = node.integer;
        const Range bins{0, n - 1, false};
        const Whole index = wholes_.from(inputs_.indices[node.symbol], bins);
        const Whole negative = wholes_.arithmetic(Op::sub, index, wholes_.constant(n, {n, n, false}), {-n, -1, false});
        const std::int64_t half = (n + 1) / 2;
        const Value is_upper = wholes_.compare(Op::less_equal, wholes_.constant(half, {half, half, false}), index);
        return wholes_.choose(is_upper, negative, index, ranges_[at_]);
    }

    Result visit(const Node& node) {
        switch (node.kind) {
            case Kind::value:
                return program_.is_real ? Result{inputs_.value.re, {}, {}} : Result{{}, inputs_.value, {}};
            case Kind::index: return {wholes_.from(inputs_.indices[node.symbol], ranges_[at_]).value, {}, {}};
            case Kind::wave_number: return {wave_number(node).value, {}, {}};
            case Kind::batch: return {wholes_.from(inputs_.batch, ranges_[at_]).value, {}, {}};
            case Kind::scalar: return number(inputs_.scalars[node.symbol], program_.scalars[node.symbol].type);
            case Kind::load: return load(node);
            case Kind::call: return call(node);
            default: break;
        }
        if (is_comparison(node.kind)) return {compare(node), {}, {}};
        switch (node.type) {
            case Type::boolean: return {condition(node), {}, {}};
            case Type::integer: return {integer(node).value, {}, {}};
            case Type::real: return {real(node), {}, {}};
            case Type::complex: return {{}, complex(node), {}};
        }
        return {};
    }

    /// A number as memory or a parameter has it, in the stage's own type.
    Result number(Value stored, StageType type) {
        const Scalar scalar = scalar_type(type);
        if (scalar == Scalar::f16 || scalar == Scalar::f32 || scalar == Scalar::f64)
            return {builder_.convert(stored, real_), {}, {}};
        if (!has_sign(type)) return {wholes_.from(builder_.convert(stored, Scalar::u32), ranges_[at_]).value, {}, {}};
        const Value narrow = builder_.convert(stored, Scalar::i32);
        return {wholes_.from(narrow, ranges_[at_]).value, {}, narrow};
    }

    /// The stage's predicate, and that of an index which only data decides.
    Value allowed(std::uint32_t index, const StageBuffer& buffer) {
        const auto most = static_cast<std::int64_t>(buffer.count) - 1;
        if (ranges_[index].is_within(0, most)) return inputs_.predicate;
        // A negative index is a large one here.
        const Value inside = builder_.less(wholes_.wide(whole(index)), builder_.integer(Scalar::u64, buffer.count));
        return inputs_.predicate ? inputs_.predicate & inside : inside;
    }

    Result load(const Node& node) {
        const StageBuffer& buffer = program_.buffers[node.symbol];
        const Value at = wholes_.wide(whole(node, 0));
        const Value predicate = allowed(node.operands[0], buffer);
        return number(builder_.global_load(inputs_.buffers[node.symbol], at, scalar_type(buffer.type), predicate),
                      buffer.type);
    }

    /// Of an element of the array that the program finds by itself: there is none below 0.
    Value is_element(std::uint32_t index) {
        constexpr std::uint64_t most = std::uint64_t{1} << 62;
        if (!ranges_[index].from_data) return inputs_.predicate;
        const Value is_there = builder_.less(wholes_.wide(whole(index)), builder_.integer(Scalar::u64, most));
        return inputs_.predicate ? inputs_.predicate & is_there : is_there;
    }

    Result element(const Node& node) {
        const ir::Type pair = builder_.kernel().buffers[inputs_.array].element.with_lanes(2);
        const Value at = wholes_.wide(whole(node, 0));
        const Value predicate = is_element(node.operands[0]);
        const Value stored = builder_.convert(builder_.global_load(inputs_.array, at, pair, predicate), real_);
        const Value re = builder_.extract(stored, 0);
        return {{}, {re, builder_.extract(stored, 1)}, {}};
    }

    Result call(const Node& node) {
        if (!program_.function) return element(node);
        const Value at = wholes_.wide(whole(node, 0));
        const ir::Type type(real_, program_.is_real ? 1 : 2);
        const Value element =
            builder_.call_load(inputs_.function, inputs_.array, at, inputs_.pointer, type, inputs_.predicate);
        if (program_.is_real) return {element, {}, {}};
        const Value re = builder_.extract(element, 0);
        return {{}, {re, builder_.extract(element, 1)}, {}};
    }

    void write_to_array(const Store& store) {
        const Result& point = results_[store.value];
        const Value value = program_.is_real ? point.value : builder_.compose({point.complex.re, point.complex.im});
        if (!program_.function) {
            const Value at = wholes_.wide(whole(store.index));
            const Scalar scalar = builder_.kernel().buffers[inputs_.array].element.scalar;
            const Value stored = builder_.convert(value, scalar);
            return builder_.global_store(inputs_.array, at, stored, is_element(store.index));
        }
        builder_.call_store(inputs_.function, inputs_.array, wholes_.wide(whole(store.index)), value, inputs_.pointer,
                            inputs_.predicate);
    }

    void write(const Store& store) {
        if (store.buffer == the_array) return write_to_array(store);
        const StageBuffer& buffer = program_.buffers[store.buffer];
        const Value at = wholes_.wide(whole(store.index));
        const Value stored = to_stored(store.value, buffer.type);
        builder_.global_store(inputs_.buffers[store.buffer], at, stored, allowed(store.index, buffer));
    }

    /// Real numbers become whole ones by rounding, halves up; what does not fit becomes the nearest that does, a NaN 0.
    Value to_stored(std::uint32_t id, StageType type) {
        const Scalar scalar = scalar_type(type);
        const bool is_unsigned = type == StageType::u32;
        const Scalar word = is_unsigned ? Scalar::u32 : Scalar::i32;
        std::int64_t least = 0, most = 0;
        switch (type) {
            case StageType::i8: least = -128, most = 127; break;
            case StageType::u8: most = 255; break;
            case StageType::i16: least = -32768, most = 32767; break;
            case StageType::u16: most = 65535; break;
            case StageType::i32: least = -0x80000000ll, most = 0x7fffffff; break;
            case StageType::u32: most = 0xffffffffll; break;
            default: return builder_.convert(results_[id].value, scalar);
        }
        if (program_.nodes[id].type == Type::integer)
            return builder_.convert(wholes_.to_32_bits(whole(id), word, least, most), scalar);
        Value rounded = builder_.convert(nearest(results_[id].value), word);  // saturates
        if (scalar != word) {
            rounded = builder_.binary(Op::max, rounded, builder_.integer(word, static_cast<std::uint64_t>(least)));
            rounded = builder_.binary(Op::min, rounded, builder_.integer(word, static_cast<std::uint64_t>(most)));
        }
        return builder_.convert(rounded, scalar);
    }

    /// The next whole number; x + 1/2 would be rounded where x is large.
    Value nearest(Value x) {
        const Value below = builder_.unary(Op::floor, x);
        const Value goes_up = builder_.compare(Op::less_equal, builder_.constant(real_, 0.5), x - below);
        return builder_.select(goes_up, below + 1.0, below);
    }

    Value compare(const Node& node) {
        const Op op = real_op(node.kind);
        if (operand_type(node, 0) == Type::integer) return wholes_.compare(op, whole(node, 0), whole(node, 1));
        return builder_.compare(op, real(node, 0), real(node, 1));
    }

    Value condition(const Node& node) {
        switch (node.kind) {
            case Kind::logical_not: return builder_.unary(Op::bit_not, real(node, 0));
            case Kind::logical_and: return real(node, 0) & real(node, 1);
            case Kind::logical_or: return real(node, 0) | real(node, 1);
            default: break;  // choose
        }
        const Value first = real(node, 0) & real(node, 1);
        return first | (builder_.unary(Op::bit_not, real(node, 0)) & real(node, 2));
    }

    Whole integer(const Node& node) {
        const Range& range = ranges_[at_];
        switch (node.kind) {
            case Kind::constant: return wholes_.constant(node.integer, range);
            case Kind::to_integer: return wholes_.from(builder_.convert(real(node, 0), Scalar::i32), range);
            case Kind::negate: return wholes_.negate(whole(node, 0), range);
            case Kind::absolute: return wholes_.absolute(whole(node, 0), range);
            case Kind::choose: return wholes_.choose(real(node, 0), whole(node, 1), whole(node, 2), range);
            default: break;
        }
        const Whole a = whole(node, 0), b = whole(node, 1);
        if (node.kind == Kind::minimum) return wholes_.choose(wholes_.compare(Op::less, a, b), a, b, range);
        if (node.kind == Kind::maximum) return wholes_.choose(wholes_.compare(Op::less, b, a), a, b, range);
        if (node.kind == Kind::quotient || node.kind == Kind::remainder)
            return wholes_.division(real_op(node.kind), a, b, range);
        return wholes_.arithmetic(real_op(node.kind), a, b, range);
    }

    Value real(const Node& node) {
        switch (node.kind) {
            case Kind::constant: return builder_.constant(real_, node.number);
            case Kind::widen: {
                const Value narrow = operand(node, 0).narrow;
                return narrow ? builder_.convert(narrow, real_) : wholes_.to_real(whole(node, 0), real_);
            }
            case Kind::re: return complex(node, 0).re;
            case Kind::im: return complex(node, 0).im;
            case Kind::choose: return chosen(real(node, 0), real(node, 1), real(node, 2));
            default: break;
        }
        if (node.operands[1] == no_node) return builder_.unary(real_op(node.kind), real(node, 0));
        Value a = real(node, 0), b = real(node, 1);
        match(a, b);
        return builder_.binary(real_op(node.kind), a, b);
    }

    Complex complex(const Node& node) {
        switch (node.kind) {
            case Kind::widen: return matched({real(node, 0), builder_.constant(real_, 0)});
            case Kind::make_complex: return matched({real(node, 0), real(node, 1)});
            case Kind::conjugate: return conj(complex(node, 0));
            case Kind::negate: return -complex(node, 0);
            case Kind::divide: {
                Complex a = complex(node, 0);
                Value under_re = real(node, 1), under_im = under_re;
                match(a.re, under_re);
                match(a.im, under_im);
                const Value re = a.re / under_re;
                return {re, a.im / under_im};
            }
            default: break;
        }
        if (node.kind == Kind::choose) {
            const Complex a = complex(node, 1), b = complex(node, 2);
            const Value re = chosen(real(node, 0), a.re, b.re);
            return {re, chosen(real(node, 0), a.im, b.im)};
        }
        Complex a = complex(node, 0), b = complex(node, 1);
        match(a, b);
        if (node.kind == Kind::add) return a + b;
        return node.kind == Kind::subtract ? a - b : a * b;
    }

    ir::Builder& builder_;
    const Program& program_;
    const Inputs& inputs_;
    Wholes wholes_;
    Scalar real_;
    unsigned lanes_;
    std::vector<Range> ranges_;
    std::vector<Result> results_;
    std::size_t at_ = 0;
};

bool has_node(const Program& program, Kind kind, std::uint32_t symbol) {
    return std::any_of(program.nodes.begin(), program.nodes.end(),
                       [&](const Node& node) { return node.kind == kind && node.symbol == symbol; });
}

}  // namespace

bool uses_index(const Program& program, std::uint32_t axis) {
    return has_node(program, Kind::index, axis) || has_node(program, Kind::wave_number, axis);
}
bool uses_batch(const Program& program) { return has_node(program, Kind::batch, 0); }

bool is_lane_wise(const Program& program) {
    if (!program.stores.empty() || program.result == no_node) return false;
    std::vector<bool> varies(program.nodes.size());
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
        const Node& node = program.nodes[i];
        const auto differs = [&](unsigned k) { return node.operands[k] != no_node && varies[node.operands[k]]; };
        if (node.kind == Kind::call) return false;
        varies[i] = node.kind == Kind::value || differs(0) || differs(1) || differs(2);
        if (!varies[i]) continue;
        switch (node.kind) {
            case Kind::value:
            case Kind::widen:
            case Kind::re:
            case Kind::im:
            case Kind::make_complex:
            case Kind::conjugate:
            case Kind::negate:
            case Kind::add:
            case Kind::subtract:
            case Kind::multiply:
            case Kind::divide: break;
            case Kind::choose:
                if (differs(0)) return false;
                break;
            default: return false;
        }
    }
    return true;
}

Complex compile(ir::Builder& builder, const Program& program, const Inputs& inputs) {
    return Compiler(builder, program, inputs).run();
}

}  // namespace seiche::expression
