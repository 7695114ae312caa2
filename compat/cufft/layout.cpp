#include "layout.hpp"

#include <limits>
#include <string>

#include "entry.hpp"

namespace seiche::compat {

namespace {

std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        throw Refused{invalid_size, "the arrays have more elements than a 64-bit number counts"};
    return result;
}

void check_sizes(const PlanRequest& request) {
    std::int64_t count = request.batch;
    if (request.batch <= 0)
        throw Refused{invalid_size, "the batch is " + std::to_string(request.batch) + ", expected at least 1"};
    for (int axis = 0; axis < request.rank; ++axis) {
        const std::int64_t n = request.n[static_cast<std::size_t>(axis)];
        if (n <= 0) throw Refused{invalid_size, "a length is " + std::to_string(n) + ", expected at least 1"};
        count = product(count, n);
    }
    // The largest element has 16 bytes, and a padded row two numbers more.
    product(count, 64);
}

/// Of an input rows may lie over each other, as in an embed of 0; results may not.
void check_layout(const ArrayLayout& layout, const PlanRequest& request, const char* which, std::int64_t least_embed) {
    const auto expect = [which](const char* what, std::int64_t value, std::int64_t least) {
        if (value < least)
            throw Refused{invalid_value, std::string(which) + " " + what + " is " + std::to_string(value) +
                                             ", expected at least " + std::to_string(least)};
    };
    expect("stride", layout.stride, 1);
    expect("distance", layout.distance, 1);
    for (int axis = 1; axis < request.rank; ++axis)
        expect("embed", layout.embed[static_cast<std::size_t>(axis)], least_embed);
}

/// Strides of the advanced layout, slowest axis first.
std::vector<std::int64_t> strides_of(const ArrayLayout& layout, int rank) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(rank));
    std::int64_t stride = layout.stride;
    for (int axis = rank - 1; axis >= 0; --axis) {
        strides[static_cast<std::size_t>(axis)] = stride;
        if (axis > 0) stride = product(stride, layout.embed[static_cast<std::size_t>(axis)]);
    }
    return strides;
}

Layout layout_of(const ArrayLayout& layout, const PlanRequest& request) {
    Layout result;
    result.strides = strides_of(layout, request.rank);
    if (request.batch > 1) result.batch_distance = layout.distance;
    return result;
}

/// Whether the elements of both arrays are at the same bytes: of a real and a complex one, a pair of numbers at each.
bool lie_alike(const Problem& problem, const PlanRequest& request) {
    const bool has_real = problem.kind != Kind::c2c;
    const auto factor = [has_real](bool is_real) { return has_real && !is_real ? 2 : 1; };
    const int in = factor(problem.kind == Kind::r2c), out = factor(problem.kind == Kind::c2r);
    const std::size_t last = problem.lengths.size() - 1;
    for (std::size_t axis = 0; axis <= last; ++axis) {
        if (problem.lengths[axis] == 1) continue;
        const std::int64_t a = problem.input.strides[axis], b = problem.output.strides[axis];
        if (has_real && axis == last ? a != 1 || b != 1 : product(a, in) != product(b, out)) return false;
    }
    return request.batch == 1 ||
           product(problem.input.batch_distance, in) == product(problem.output.batch_distance, out);
}

Problem basic_problem(const PlanRequest& request, std::optional<double> scale) {
    Problem problem;
    for (int axis = 0; axis < request.rank; ++axis)
        problem.lengths.push_back(static_cast<std::uint64_t>(request.n[static_cast<std::size_t>(axis)]));
    problem.batch = static_cast<std::uint64_t>(request.batch);
    problem.kind = request.elements.kind;
    problem.precision = request.elements.precision;
    problem.storage = request.elements.storage;
    // As these interfaces have it: programs copy a spectrum of several axes that they still want, but not one of one.
    problem.may_overwrite_input = problem.kind == Kind::c2r && request.rank > 1;
    if (scale) problem.forward_scale = problem.inverse_scale = Scale::factor(*scale);
    return problem;
}

}  // namespace

Elements elements_of_type(int type) {
    switch (type) {
        case type_c2c: return {Kind::c2c, Precision::f32, Storage::same};
        case type_r2c: return {Kind::r2c, Precision::f32, Storage::same};
        case type_c2r: return {Kind::c2r, Precision::f32, Storage::same};
        case type_z2z: return {Kind::c2c, Precision::f64, Storage::same};
        case type_d2z: return {Kind::r2c, Precision::f64, Storage::same};
        case type_z2d: return {Kind::c2r, Precision::f64, Storage::same};
        default: throw Refused{invalid_type, "the type is " + std::to_string(type) + ", which is none"};
    }
}

Elements elements_of_data(int input, int output, int execution) {
    struct Row {
        int real, complex;
        Precision precision;
        Storage storage;
    };
    static constexpr Row rows[] = {{data_r32f, data_c32f, Precision::f32, Storage::same},
                                   {data_r64f, data_c64f, Precision::f64, Storage::same},
                                   {data_r16f, data_c16f, Precision::f32, Storage::f16},
                                   {data_r16bf, data_c16bf, Precision::f32, Storage::bf16}};
    for (const Row& row : rows) {
        if (execution != row.complex && execution != row.real) continue;
        if (input == row.complex && output == row.complex && execution == row.complex)
            return {Kind::c2c, row.precision, row.storage};
        if (input == row.real && output == row.complex) return {Kind::r2c, row.precision, row.storage};
        if (input == row.complex && output == row.real) return {Kind::c2r, row.precision, row.storage};
    }
    throw Refused{invalid_type, "input, output and execution type are " + std::to_string(input) + ", " +
                                    std::to_string(output) + " and " + std::to_string(execution) +
                                    ": expected them of one precision, and one array complex"};
}

template <class Number>
PlanRequest request_of(int rank, const Number* n, const Number* inembed, Number istride, Number idist,
                       const Number* onembed, Number ostride, Number odist, const Elements& elements, Number batch) {
    if (rank < 1 || rank > 3)
        throw Refused{invalid_value, "the rank is " + std::to_string(rank) + ", expected 1, 2 or 3"};
    if (n == nullptr) throw Refused{invalid_value, "the lengths are a null pointer"};
    PlanRequest request;
    request.rank = rank;
    request.elements = elements;
    request.batch = batch;
    for (int axis = 0; axis < rank; ++axis) request.n[static_cast<std::size_t>(axis)] = n[axis];
    if ((inembed == nullptr) != (onembed == nullptr))
        throw Refused{invalid_value, "one embed is a null pointer: expected both, or none"};
    request.is_basic = inembed == nullptr;
    if (request.is_basic) return request;
    const auto take = [&](ArrayLayout& layout, const Number* embed, Number stride, Number distance) {
        for (int axis = 0; axis < rank; ++axis) layout.embed[static_cast<std::size_t>(axis)] = embed[axis];
        layout.stride = stride;
        layout.distance = distance;
    };
    take(request.input, inembed, istride, idist);
    take(request.output, onembed, ostride, odist);
    return request;
}

template PlanRequest request_of(int, const int*, const int*, int, int, const int*, int, int, const Elements&, int);
template PlanRequest request_of(int, const long long*, const long long*, long long, long long, const long long*,
                                long long, long long, const Elements&, long long);

Problems problems_of(const PlanRequest& request, std::optional<double> scale) {
    check_sizes(request);
    Problems problems{basic_problem(request, scale), std::nullopt, true};
    Problem& out_of_place = problems.out_of_place;
    if (!request.is_basic) {
        check_layout(request.input, request, "the input's", 0);
        check_layout(request.output, request, "the output's", 1);
        out_of_place.input = layout_of(request.input, request);
        out_of_place.output = layout_of(request.output, request);
        problems.lie_alike = lie_alike(out_of_place, request);
        if (out_of_place.kind != Kind::c2c && !problems.lie_alike) return problems;
    }
    problems.in_place = out_of_place;
    problems.in_place->placement = Placement::in_place;
    return problems;
}

}  // namespace seiche::compat
