// A constant of the model that differs between floats and doubles.
#pragma once

#include "seiche/problem.hpp"

namespace seiche::planner {

/// `floats` is for every precision but f64: where a rule knows one of the two only, it names that one.
template <class T>
struct ByPrecision {
    T floats, doubles;

    constexpr T of(Precision precision) const { return precision == Precision::f64 ? doubles : floats; }
};

}  // namespace seiche::planner
