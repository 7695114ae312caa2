// The functions of the language: what each takes, and the operation that it is.
#pragma once

#include <string_view>

#include "expression/program.hpp"

namespace seiche::expression {

/// How the types of arguments decide the result's.
enum class Signature : std::uint8_t {
    real,        ///< Real numbers to a real one.
    numeric,     ///< Whole numbers to a whole one, otherwise as `real`.
    whole,       ///< Whole numbers to a whole one.
    rounding,    ///< A real number to a whole one.
    of_complex,  ///< A complex number to a real one; made of several operations.
    to_complex,  ///< Two real numbers to a complex one.
    conjugate,   ///< Complex to complex.
    magnitude,   ///< As `numeric`, but of a complex number its absolute value.
    logarithm,   ///< A real number; `factor` times the natural logarithm.
    ceiling,     ///< A real number; -floor(-x).
    nearest,     ///< A real number; floor(x) or one more, halves up.
    choice,      ///< A condition and two values of one type.
};

struct Function {
    std::string_view name;
    unsigned arity = 1;
    Signature signature = Signature::real;
    Kind kind = Kind::constant;
    double factor = 1;
};

/// Null where there is no such function.
const Function* find_function(std::string_view name);
/// All names with commas between.
std::string function_names();

}  // namespace seiche::expression
