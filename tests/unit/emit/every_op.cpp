// Builds kernels of all pure ops.
#include "every_op.hpp"

#include <vector>

namespace seiche::test {

using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::Value;

namespace {

class OpCollector {
public:
    OpCollector(Type type, bool has_functions)
        : type_(type),
          has_functions_(has_functions),
          b_("every_op_" + std::to_string(static_cast<int>(type.scalar)) + "_" + std::to_string(type.lanes)) {
        b_.kernel().comment = "every op of one type";
        const char* names[] = {"a", "b", "c"};
        for (unsigned k = 0; k < 3; ++k) operands_[k] = b_.buffer({names[k], Type(type.scalar), ir::Access::read});
        out_u32_ = b_.buffer({"out", Type(Scalar::u32), ir::Access::write});
    }

    EveryOp run() {
        const Value group = b_.convert(b_.group_id(), Scalar::u64);
        const Value lanes = b_.integer(Scalar::u64, type_.lanes);
        for (unsigned k = 0; k < 3; ++k) value_[k] = b_.global_load(operands_[k], group * lanes, type_);
        if (type_.is_float())
            floating();
        else
            integers();
        both();
        vectors();
        store_all(group);
        return {b_.finish(), results_};
    }

private:
    void keep(const std::string& name, Value value, bool exact = true, bool fused = false) {
        results_.push_back({name, value.type(), exact, fused});
        values_.push_back(value);
    }

    void floating() {
        for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max})
            keep(op_name(op), b_.binary(op, a(), b()));
        for (const Op op : {Op::neg, Op::abs, Op::sqrt, Op::floor})
            keep(op_name(op), b_.unary(op, op == Op::sqrt ? b() : a()));
        keep("fma", b_.fma(a(), b(), c()));
        keep("mad", b_.mad(a(), b(), c()), false, true);
        keep("constant", a() + 0.1);
        keep("negative constant", a() * -1.5);
        if (has_functions_) functions();
        for (const Scalar to : {Scalar::i32, Scalar::u32, Scalar::u64})
            keep("to integer", b_.convert(to == Scalar::i32 ? a() : b(), to));
        keep("to other float", b_.convert(a(), type_.scalar == Scalar::f32 ? Scalar::f64 : Scalar::f32));
        keep("by way of f16", b_.convert(b_.convert(a(), Scalar::f16), Scalar::f32));
        if (type_.scalar == Scalar::f32) keep("by way of bf16", b_.convert(b_.convert(a(), Scalar::bf16), Scalar::f32));
        if (type_.scalar == Scalar::f16) return;  // no integer of its width computes
        const Scalar bits = type_.scalar == Scalar::f32 ? Scalar::u32 : Scalar::u64;
        keep("bitcast", b_.pure(Op::bitcast, Type(bits, type_.lanes), {a()}));
    }

    void functions() {
        for (const Op op : {Op::exp, Op::sin, Op::cos, Op::sinpi, Op::cospi})
            keep(op_name(op), b_.unary(op, a()), false);
        keep("log", b_.unary(Op::log, b()), false);
        keep("pow", b_.binary(Op::pow, b(), c()), false);
        keep("atan2", b_.binary(Op::atan2, a(), c()), false);
    }

    void integers() {
        for (const Op op : {Op::add, Op::sub, Op::mul, Op::min, Op::max, Op::bit_and, Op::bit_or, Op::bit_xor})
            keep(op_name(op), b_.binary(op, a(), b()));
        keep("bit_not", b_.unary(Op::bit_not, a()));
        keep("bit_reverse", b_.unary(Op::bit_reverse, a()));
        keep("shift_left", a() << 3u);
        keep("mad", b_.mad(a(), b(), c()));
        if (type_.scalar != Scalar::i32) {
            keep("shift_right", a() >> 5u);
            keep("div", b_.binary(Op::div, a(), b()));
            keep("mod", b_.binary(Op::mod, a(), b()));
            keep("mul_high", b_.binary(Op::mul_high, a(), b()));
        } else {
            keep("neg", b_.unary(Op::neg, a()));
        }
        for (const Scalar to : {Scalar::i32, Scalar::u32, Scalar::u64, Scalar::f32, Scalar::f64})
            if (to != type_.scalar) keep("to other", b_.convert(a(), to));
        if (type_.scalar != Scalar::i32)
            keep("bitcast", b_.pure(Op::bitcast,
                                    Type(type_.scalar == Scalar::u32 ? Scalar::f32 : Scalar::f64, type_.lanes), {b()}));
    }

    void both() {
        for (const Op op : {Op::equal, Op::not_equal, Op::less, Op::less_equal})
            keep(std::string("select by ") + op_name(op), b_.select(b_.compare(op, a(), b()), a(), c()));
        const Value p = b_.compare(Op::less, a(), b()), q = b_.compare(Op::less, b(), c());
        keep("and", b_.select(b_.binary(Op::bit_and, p, q), a(), b()));
        keep("or", b_.select(b_.binary(Op::bit_or, p, q), a(), b()));
        keep("xor", b_.select(b_.binary(Op::bit_xor, p, q), a(), b()));
        keep("not", b_.select(b_.unary(Op::bit_not, p), a(), b()));
    }

    void vectors() {
        const unsigned n = type_.lanes;
        if (n == 1) return;
        keep("extract", b_.extract(a(), n - 1));
        keep("splat", b_.splat(b_.extract(b(), 1), n));
        std::vector<unsigned> reversed, interleaved, first_half;
        for (unsigned k = 0; k < n; ++k) reversed.push_back(n - 1 - k);
        for (unsigned k = 0; k < n; ++k) interleaved.push_back(k / 2 + (k % 2) * n);
        for (unsigned k = 0; k < n / 2; ++k) first_half.push_back(2 * k);
        keep("reversed", b_.shuffle(a(), {}, reversed));
        keep("interleaved", b_.shuffle(a(), b(), interleaved));
        if (n > 2) keep("every second", b_.shuffle(a(), {}, first_half));
        const Value low = b_.shuffle(a(), b(), reversed);
        keep("two operands, one used", low);
        if (n == 2) keep("compose of scalars", b_.compose({b_.extract(a(), 1), b_.extract(b(), 0)}));
        if (n > 2)
            keep("compose of halves", b_.compose({b_.shuffle(a(), {}, first_half), b_.shuffle(b(), {}, first_half)}));
        keep("scalar condition", b_.select(b_.less(b_.extract(a(), 0), b_.extract(b(), 0)), a(), b()));
    }

    // Every result goes through 32-bit words, so that one output buffer serves all types.
    void store_all(Value group) {
        const auto words = [&](Value v) {
            if (v.type().scalar == Scalar::f16) v = b_.convert(v, Scalar::f32);
            const Type t = v.type();
            if (t.scalar == Scalar::u32) return std::vector<Value>{v};
            if (ir::scalar_bytes(t.scalar) == 4)
                return std::vector<Value>{b_.pure(Op::bitcast, Type(Scalar::u32, t.lanes), {v})};
            const Value wide = t.scalar == Scalar::u64 ? v : b_.pure(Op::bitcast, Type(Scalar::u64, t.lanes), {v});
            return std::vector<Value>{b_.convert(wide, Scalar::u32), b_.convert(wide >> 32u, Scalar::u32)};
        };
        const std::uint64_t slot = slot_bytes / 4;
        for (std::size_t r = 0; r < values_.size(); ++r) {
            const Value base = group * (values_.size() * slot) + std::uint64_t{r * slot};
            const std::vector<Value> parts = words(values_[r]);
            for (std::size_t part = 0; part < parts.size(); ++part)
                b_.global_store(out_u32_, base + std::uint64_t{part * slot / 2}, parts[part]);
        }
    }

    Value a() const { return value_[0]; }
    Value b() const { return value_[1]; }
    Value c() const { return value_[2]; }

    Type type_;
    const bool has_functions_;
    ir::Builder b_;
    std::uint32_t operands_[3] = {}, out_u32_ = 0;
    Value value_[3];
    std::vector<OpResult> results_;
    std::vector<Value> values_;
};

}  // namespace

EveryOp every_op(Type type, bool has_functions) { return OpCollector(type, has_functions).run(); }

}  // namespace seiche::test
