// The table of functions.
#include "expression/functions.hpp"

#include <array>

namespace seiche::expression {

namespace {

constexpr double per_ln2 = 1.4426950408889634074, per_ln10 = 0.43429448190325182765;

constexpr std::array<Function, 25> functions{{{"abs", 1, Signature::magnitude, Kind::absolute},
                                              {"arg", 1, Signature::of_complex, Kind::arc_tangent},
                                              {"atan2", 2, Signature::real, Kind::arc_tangent},
                                              {"ceil", 1, Signature::ceiling, Kind::floor},
                                              {"complex", 2, Signature::to_complex, Kind::make_complex},
                                              {"conj", 1, Signature::conjugate, Kind::conjugate},
                                              {"cos", 1, Signature::real, Kind::cosine},
                                              {"cospi", 1, Signature::real, Kind::cosine_pi},
                                              {"div", 2, Signature::whole, Kind::quotient},
                                              {"exp", 1, Signature::real, Kind::exponential},
                                              {"floor", 1, Signature::real, Kind::floor},
                                              {"int", 1, Signature::rounding, Kind::to_integer},
                                              {"log", 1, Signature::logarithm, Kind::logarithm, 1},
                                              {"log10", 1, Signature::logarithm, Kind::logarithm, per_ln10},
                                              {"log2", 1, Signature::logarithm, Kind::logarithm, per_ln2},
                                              {"max", 2, Signature::numeric, Kind::maximum},
                                              {"min", 2, Signature::numeric, Kind::minimum},
                                              {"mod", 2, Signature::whole, Kind::remainder},
                                              {"norm", 1, Signature::of_complex, Kind::add},
                                              {"pow", 2, Signature::real, Kind::power},
                                              {"round", 1, Signature::nearest, Kind::floor},
                                              {"select", 3, Signature::choice, Kind::choose},
                                              {"sin", 1, Signature::real, Kind::sine},
                                              {"sinpi", 1, Signature::real, Kind::sine_pi},
                                              {"sqrt", 1, Signature::real, Kind::square_root}}};

}  // namespace

const Function* find_function(std::string_view name) {
    for (const Function& function : functions) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

std::string function_names() {
    std::string names;
    for (const Function& function : functions) names += (names.empty() ? "" : ", ") + std::string(function.name);
    return names;
}

}  // namespace seiche::expression
