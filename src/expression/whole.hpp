// Whole numbers of 64 bits with a sign on unsigned values: in 32 bits where their range says that nothing is lost.
#pragma once

#include "expression/range.hpp"
#include "ir/builder.hpp"

namespace seiche::expression {

/// A value and how far it reaches. `value` is u32 where the range fits, otherwise u64 in two's complement.
struct Whole {
    ir::Value value;
    Range range;
};

class Wholes {
public:
    explicit Wholes(ir::Builder& builder) : builder_(builder) {}

    Whole constant(std::int64_t value, const Range& range);
    /// Of an unsigned value, or an i32 one with its sign.
    Whole from(ir::Value value, const Range& range);
    ir::Value wide(const Whole& a);
    /// add, sub or mul.
    Whole arithmetic(ir::Op op, const Whole& a, const Whole& b, const Range& range);
    /// div or mod of numbers that are not negative.
    Whole division(ir::Op op, const Whole& a, const Whole& b, const Range& range);
    Whole negate(const Whole& a, const Range& range);
    Whole absolute(const Whole& a, const Range& range);
    Whole choose(ir::Value condition, const Whole& a, const Whole& b, const Range& range);
    /// equal, not_equal, less or less_equal.
    ir::Value compare(ir::Op op, const Whole& a, const Whole& b);
    ir::Value to_real(const Whole& a, ir::Scalar real);
    /// What does not fit becomes the nearest that does.
    ir::Value to_32_bits(const Whole& a, ir::Scalar target, std::int64_t least, std::int64_t most);

private:
    ir::Value fitted(ir::Value wide_or_narrow, const Range& range);

    ir::Builder& builder_;
};

}  // namespace seiche::expression
