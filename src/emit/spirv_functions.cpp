// Sines and cosines where an environment has none that is accurate enough, or none at all: reduced exactly to an eighth
// of a turn, then the Taylor series, which there needs few terms.
#include <numbers>

#include "emit/circular.hpp"
#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Op;
using ir::Scalar;
using ir::Type;

namespace {

constexpr double quarter_turn = std::numbers::pi / 2;

}  // namespace

Id Writer::series(Id squared, Type t, const std::vector<double>& coefficients) {
    const Word fma = *flavour_.function(Op::fma, t.scalar);
    Id sum = floating(t, coefficients.back());
    for (std::size_t k = coefficients.size() - 1; k-- > 0;)
        sum = call(fma, t, {sum, squared, floating(t, coefficients[k])});
    return sum;
}

// x pi = angle + quadrant pi / 2. All steps but the last product are exact.
Writer::Reduced Writer::reduce_half_turns(Id x, Type t) {
    const Word fma = *flavour_.function(Op::fma, t.scalar);
    const Id quarters = call(glsl::RoundEven, t, {op(Code::FAdd, t, {x, x})});
    const Id rest = call(fma, t, {quarters, floating(t, -0.5), x});
    // The count modulo 4, before it becomes an integer.
    const Id whole = call(glsl::Floor, t, {op(Code::FMul, t, {quarters, floating(t, 0.25)})});
    const Id small = call(fma, t, {whole, floating(t, -4.0), quarters});
    return {op(Code::FMul, t, {rest, floating(t, std::numbers::pi)}),
            op(Code::ConvertFToU, Type(Scalar::u32, t.lanes), {small})};
}

// x = angle + quadrant pi / 2, by subtracting the parts of pi / 2 one after the other.
Writer::Reduced Writer::reduce_radians(Id x, Type t) {
    const Word fma = *flavour_.function(Op::fma, t.scalar);
    const Id quarters = call(glsl::RoundEven, t, {op(Code::FMul, t, {x, floating(t, 1.0 / quarter_turn)})});
    Id rest = x;
    for (const double part : quarter_turn_parts(t.scalar == Scalar::f64)) {
        rest = call(fma, t, {quarters, floating(t, -part), rest});
        exact(rest);
    }
    const Id whole = call(glsl::Floor, t, {op(Code::FMul, t, {quarters, floating(t, 0.25)})});
    const Id small = call(fma, t, {whole, floating(t, -4.0), quarters});
    return {rest, op(Code::ConvertFToU, Type(Scalar::u32, t.lanes), {small})};
}

Id Writer::trigonometric(Op function, Id x, Type t) {
    if (t.is_vector()) throw InternalError("spirv: kernel " + kernel_.name + ": a sine of a vector");
    const bool half_turns = function == Op::sinpi || function == Op::cospi;
    const bool sine = function == Op::sin || function == Op::sinpi || function == Op::approx_sin;
    const Reduced reduced = half_turns ? reduce_half_turns(x, t) : reduce_radians(x, t);
    const bool is_double = t.scalar == Scalar::f64;
    const Id squared = op(Code::FMul, t, {reduced.angle, reduced.angle});
    const Id s = op(Code::FMul, t, {series(squared, t, taylor_coefficients(true, is_double)), reduced.angle});
    const Id c = series(squared, t, taylor_coefficients(false, is_double));
    // A cosine is a sine a quarter turn later.
    const Type word = Scalar::u32, truth = Scalar::boolean;
    const Id quadrant = sine ? reduced.quadrant : op(Code::IAdd, word, {reduced.quadrant, u32(1)});
    const auto bit = [&](std::uint64_t mask) {
        return op(Code::INotEqual, truth, {op(Code::BitwiseAnd, word, {quadrant, u32(mask)}), u32(0)});
    };
    const Id value = op(Code::Select, t, {bit(1), c, s});
    return op(Code::Select, t, {bit(2), op(Code::FNegate, t, {value}), value});
}

}  // namespace seiche::emit::spirv
