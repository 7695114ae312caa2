// A form becomes a seiche::Problem.
#include "translate.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace seiche_fftw {

namespace {

constexpr seiche::Precision precision = sizeof(Real) == sizeof(float) ? seiche::Precision::f32 : seiche::Precision::f64;

seiche::Kind kind_of(seiche_fftw_r2r_kind kind) {
    switch (kind) {
        case FFTW_R2HC: return seiche::Kind::r2hc;
        case FFTW_HC2R: return seiche::Kind::hc2r;
        case FFTW_DHT: return seiche::Kind::dht;
        case FFTW_REDFT00: return seiche::Kind::dct1;
        case FFTW_REDFT01: return seiche::Kind::dct3;
        case FFTW_REDFT10: return seiche::Kind::dct2;
        case FFTW_REDFT11: return seiche::Kind::dct4;
        case FFTW_RODFT00: return seiche::Kind::dst1;
        case FFTW_RODFT01: return seiche::Kind::dst3;
        case FFTW_RODFT10: return seiche::Kind::dst2;
        case FFTW_RODFT11: return seiche::Kind::dst4;
    }
    return seiche::Kind::r2hc;
}

std::size_t axis_count(const Form& form) { return form.many.size() + form.dims.size(); }

const Dimension& axis(const Form& form, std::size_t i) {
    return i < form.many.size() ? form.many[i] : form.dims[i - form.many.size()];
}

std::ptrdiff_t count(const Form& form, std::size_t i, bool input) {
    if (i < form.many.size()) return form.many[i].n;
    const std::size_t dim = i - form.many.size();
    return input ? form.in_count(dim) : form.out_count(dim);
}

/// Everything but where elements lie. Repetitions are axes that are not transformed, ahead of the others.
seiche::Problem problem_of(const Form& form) {
    seiche::Problem problem;
    problem.precision = precision;
    for (std::size_t i = 0; i < axis_count(form); ++i)
        problem.lengths.push_back(static_cast<std::uint64_t>(axis(form, i).n));
    problem.axes.resize(form.dims.size());
    std::iota(problem.axes.begin(), problem.axes.end(), static_cast<int>(form.many.size()));
    switch (form.type) {
        case Type::dft: problem.kind = seiche::Kind::c2c; break;
        case Type::r2c: problem.kind = seiche::Kind::r2c; break;
        case Type::c2r: problem.kind = seiche::Kind::c2r; break;
        case Type::r2r:
            for (const auto kind : form.kinds) problem.axis_kinds.push_back(kind_of(kind));
            problem.kind = problem.axis_kinds.front();
            break;
    }
    if (form.type == Type::r2c || form.type == Type::c2r) problem.halved_axis = problem.axes.back();
    return problem;
}

/// An array by its pointer: elements of strides below 0 lie before it.
struct SideLayout {
    seiche::Layout layout;
    std::uint64_t before = 0, behind = 0;  ///< Bytes; of a split array, of each part.
};

std::optional<SideLayout> side_layout(const Form& form, bool input) {
    SideLayout made;
    const Side side = input ? form.in : form.out;
    const std::ptrdiff_t unit = side == Side::interleaved ? 2 : 1;
    const std::uint64_t bytes = static_cast<std::uint64_t>(unit) * sizeof(Real);
    made.behind = bytes;
    for (std::size_t i = 0; i < axis_count(form); ++i) {
        const auto steps = static_cast<std::uint64_t>(count(form, i, input) - 1);
        const std::ptrdiff_t reals = input ? axis(form, i).in : axis(form, i).out;
        // A single element may lie anywhere; problems that differ in such a stride alone are to be the same plan.
        const std::ptrdiff_t stride = axis(form, i).n == 1 ? 1 : reals / unit;
        if (stride == 0 && (!input || form.is_in_place)) return std::nullopt;
        made.layout.strides.push_back(stride);
        (stride < 0 ? made.before : made.behind) += steps * static_cast<std::uint64_t>(std::abs(stride)) * bytes;
    }
    made.layout.planar = side == Side::split;
    return made;
}

/// Dense strides for an array whose axes lie in the order of the caller's.
struct Packed {
    std::vector<std::int64_t> strides;  ///< In elements.
    std::uint64_t elements = 1;
    bool is_as_given = true;
};

Packed packed(const Form& form, bool input) {
    std::vector<std::size_t> order(axis_count(form));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto given = [&](std::size_t i) { return input ? axis(form, i).in : axis(form, i).out; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(given(a)) > std::abs(given(b)); });
    Packed made;
    const Side side = input ? form.in : form.out;
    const std::ptrdiff_t unit = side == Side::interleaved ? 2 : 1;
    made.is_as_given = side != Side::split;
    made.strides.assign(axis_count(form), 1);
    for (std::size_t k = order.size(); k-- > 0;) {
        const std::size_t i = order[k];
        const std::ptrdiff_t n = count(form, i, input);
        made.strides[i] = static_cast<std::int64_t>(made.elements);
        if (n > 1 && given(i) != made.strides[i] * unit) made.is_as_given = false;
        made.elements *= static_cast<std::uint64_t>(n);
    }
    return made;
}

}  // namespace

std::optional<DirectProblem> direct_problem(const Form& form) {
    DirectProblem made;
    auto in = side_layout(form, true), out = side_layout(form, false);
    if (!in || !out) return std::nullopt;
    if (form.is_in_place) {  // one memory for both
        constexpr std::uint64_t whole = 2 * sizeof(Real);
        in->before = out->before = (std::max(in->before, out->before) + whole - 1) / whole * whole;
        in->behind = out->behind = std::max(in->behind, out->behind);
    }
    made.problem = problem_of(form);
    made.problem.input = in->layout;
    made.problem.output = out->layout;
    made.problem.input.byte_offset = in->before;
    made.problem.output.byte_offset = out->before;
    made.in_offset = -static_cast<std::ptrdiff_t>(in->before / sizeof(Real));
    made.out_offset = -static_cast<std::ptrdiff_t>(out->before / sizeof(Real));
    made.in_bytes = in->before + in->behind;
    made.out_bytes = out->before + out->behind;
    if (form.is_in_place) made.problem.placement = seiche::Placement::in_place;
    made.problem.may_overwrite_input =
        !form.is_in_place && (form.flags & FFTW_DESTROY_INPUT) != 0 && (form.flags & FFTW_PRESERVE_INPUT) == 0;
    return made;
}

DenseProblem dense_problem(const Form& form) {
    DenseProblem made;
    made.problem = problem_of(form);
    const Packed in = packed(form, true), out = packed(form, false);
    made.problem.input.strides = in.strides;
    made.problem.output.strides = out.strides;
    made.problem.may_overwrite_input = true;
    const std::ptrdiff_t in_unit = form.in == Side::real ? 1 : 2, out_unit = form.out == Side::real ? 1 : 2;
    for (std::size_t i = 0; i < axis_count(form); ++i) {
        made.gather.push_back({count(form, i, true), axis(form, i).in, in.strides[i] * in_unit});
        made.scatter.push_back({count(form, i, false), out.strides[i] * out_unit, axis(form, i).out});
    }
    made.is_input_dense = in.is_as_given;
    made.is_output_dense = out.is_as_given;
    made.in_reals = in.elements * static_cast<std::uint64_t>(in_unit);
    made.out_reals = out.elements * static_cast<std::uint64_t>(out_unit);
    return made;
}

seiche::Direction direction_of(const Form& form) {
    const bool is_inverse = form.type == Type::c2r || (form.type == Type::dft && form.is_inverse);
    return is_inverse ? seiche::Direction::inverse : seiche::Direction::forward;
}

}  // namespace seiche_fftw
