// A plan as these interfaces ask for it, and the same as problems of Seiche.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "abi.hpp"
#include "seiche/problem.hpp"

namespace seiche::compat {

/// What is transformed, and in which numbers.
struct Elements {
    Kind kind = Kind::c2c;
    Precision precision = Precision::f32;
    Storage storage = Storage::same;
};
/// Throws Refused for a number that is no type.
Elements elements_of_type(int type);
/// Of input, output and arithmetic. Throws Refused for a combination that is none.
Elements elements_of_data(int input, int output, int execution);

/// One array in the advanced layout.
struct ArrayLayout {
    std::array<std::int64_t, 3> embed{};
    std::int64_t stride = 1, distance = 0;
};

struct PlanRequest {
    int rank = 0;
    std::array<std::int64_t, 3> n{};
    bool is_basic = true;  ///< Rows one after the other, without the two below.
    ArrayLayout input, output;
    Elements elements;
    std::int64_t batch = 1;
};

/// Of the arguments of a ...Many function, with `Number` int or long long. Both embeds are null (the basic layout, in
/// which strides and distances say nothing) or none is. Throws Refused where a pointer is null or the rank is not 1
/// to 3.
template <class Number>
PlanRequest request_of(int rank, const Number* n, const Number* inembed, Number istride, Number idist,
                       const Number* onembed, Number ostride, Number odist, const Elements& elements, Number batch);

/// One plan of these interfaces is two of Seiche's, since only an execution says whether it is in place.
struct Problems {
    Problem out_of_place;
    /// None: the two arrays lie so that results would overwrite what has not been read.
    std::optional<Problem> in_place;
    /// Where both arrays have their elements at the same bytes. If not, results are collected in a work area first.
    bool lie_alike = true;
};
/// `scale` is the factor of both directions. Throws Refused for sizes, strides and distances that make no sense.
Problems problems_of(const PlanRequest& request, std::optional<double> scale);

}  // namespace seiche::compat
