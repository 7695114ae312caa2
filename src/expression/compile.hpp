// From a checked program to values of a kernel under construction.
#pragma once

#include <vector>

#include "expression/program.hpp"
#include "ir/builder.hpp"

namespace seiche::expression {

/// The type of a buffer's elements or of a scalar in a kernel.
ir::Scalar scalar_type(StageType type);

/// Whether the text uses an index; those that it does not need not be made.
bool uses_index(const Program& program, std::uint32_t axis);
bool uses_batch(const Program& program);
/// Whether the program may be compiled for several values at once that are alike in all but the value: of that it makes
/// sums and products alone, and it stores nothing.
bool is_lane_wise(const Program& program);

/// What a program computes with, for one point: scalars of one lane. The value may have more where the program is
/// lane-wise; then so has the result.
struct Inputs {
    ir::Complex value;  ///< f32 or f64: all real arithmetic has its type. Of a real array only the real part.
    std::vector<ir::Value> indices;      ///< Along each axis, u32 or u64; may be empty where not used.
    ir::Value batch;                     ///< u32
    std::vector<std::uint32_t> buffers;  ///< The kernel's, in the program's order.
    std::vector<ir::Value> scalars;
    /// Of a program with a function: its number in the kernel, the buffer of the array, what the execution gives (u64).
    std::uint32_t function = 0, array = 0;
    ir::Value pointer;
    ir::Value predicate;  ///< Where this is false the user's buffers are left alone; empty: it never is.
    std::vector<ir::Value>* terms = nullptr;  ///< Where what the program sums goes, in the program's order.
};

/// Appends the program to the kernel. Gives its result, of a real array only the real part; empty values where there is
/// none.
///
/// Whole numbers are of 64 bits with a sign, and travel in 32 bits where their range says that nothing is lost. An
/// index that depends on data and leaves its buffer reads 0 and stores nothing.
ir::Complex compile(ir::Builder& builder, const Program& program, const Inputs& inputs);

}  // namespace seiche::expression
