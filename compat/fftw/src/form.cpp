// Arguments of planners become one form. Nothing is planned here.
#include "form.hpp"

#include <algorithm>
#include <utility>

namespace seiche_fftw {

namespace {

/// More bytes than this are in no array; sums of a few such numbers still fit.
constexpr std::ptrdiff_t most_reals = std::ptrdiff_t{1} << 52;

bool multiply(std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t& product) {
    return !__builtin_mul_overflow(a, b, &product) && product <= most_reals && product >= -most_reals;
}

bool is_even(std::ptrdiff_t number) { return number % 2 == 0; }

Side usual_side(Type type, bool is_input) {
    if (type == Type::dft) return Side::interleaved;
    if (type == Type::r2r) return Side::real;
    return (type == Type::r2c) == is_input ? Side::real : Side::interleaved;
}

/// Whether parts that a caller gives apart are the halves of interleaved numbers: 1 in order, -1 swapped, 0 not.
int interleaving(const Real* re, const Real* im, bool has_even_strides) {
    if (!has_even_strides) return 0;
    if (im == re + 1) return 1;
    return re == im + 1 ? -1 : 0;
}

bool has_even_strides(const Form& form, bool input) {
    const auto is_fine = [&](const Dimension& dim) { return dim.n == 1 || is_even(input ? dim.in : dim.out); };
    return std::all_of(form.dims.begin(), form.dims.end(), is_fine) &&
           std::all_of(form.many.begin(), form.many.end(), is_fine);
}

/// Complex numbers whose parts were given apart, as what they are.
void settle_split(Form& form, const Arrays& arrays) {
    const bool in_apart = form.in == Side::interleaved && arrays.in_imaginary != nullptr;
    const bool out_apart = form.out == Side::interleaved && arrays.out_imaginary != nullptr;
    int in = in_apart ? interleaving(arrays.in, arrays.in_imaginary, has_even_strides(form, true)) : 1;
    int out = out_apart ? interleaving(arrays.out, arrays.out_imaginary, has_even_strides(form, false)) : 1;
    const bool are_swapped = form.type == Type::dft && in == -1 && out == -1;
    // In place both sides are told in the same words.
    if (!are_swapped && form.is_in_place && form.type == Type::dft && (in != 1 || out != 1)) in = out = 0;
    form.is_swapped = form.is_inverse = are_swapped;
    if (in_apart && !are_swapped && in != 1) form.in = Side::split;
    if (out_apart && !are_swapped && out != 1) form.out = Side::split;
}

bool are_same(const Arrays& arrays) {
    if (arrays.in != arrays.out) return false;
    // Of a real array beside a split complex one the first pointers say it.
    return arrays.in_imaginary == nullptr || arrays.out_imaginary == nullptr ||
           arrays.in_imaginary == arrays.out_imaginary;
}

bool takes_kinds(Form& form, const seiche_fftw_r2r_kind* kinds) {
    if (form.type != Type::r2r) return true;
    if (!form.dims.empty() && kinds == nullptr) return false;
    for (std::size_t i = 0; i < form.dims.size(); ++i) {
        const int kind = static_cast<int>(kinds[i]);
        if (kind < FFTW_R2HC || kind > FFTW_RODFT11) return false;
        if (kind == FFTW_REDFT00 && form.dims[i].n < 2) return false;
        form.kinds.push_back(kinds[i]);
    }
    return true;
}

/// Whether the lengths are such that every element has an address.
bool is_within_reach(const Form& form) {
    std::ptrdiff_t points = 2, reach = 2;
    for (const auto* dims : {&form.dims, &form.many})
        for (const Dimension& dim : *dims) {
            std::ptrdiff_t in = 0, out = 0;
            const std::ptrdiff_t steps = std::max<std::ptrdiff_t>(dim.n, 1);
            if (!multiply(points, steps, points) || !multiply(steps, dim.in, in) || !multiply(steps, dim.out, out))
                return false;
            reach += std::max(std::abs(in), std::abs(out));
            if (reach > most_reals) return false;
        }
    return true;
}

/// Dimensions of one element change nothing, but where the transform of one element is no copy.
void drop_single(Form& form) {
    const auto is_single = [](const Dimension& dim) { return dim.n == 1; };
    form.many.erase(std::remove_if(form.many.begin(), form.many.end(), is_single), form.many.end());
    if (form.type == Type::dft)
        form.dims.erase(std::remove_if(form.dims.begin(), form.dims.end(), is_single), form.dims.end());
    if ((form.type == Type::r2c || form.type == Type::c2r)) {
        if (form.dims.empty()) form.dims.push_back({1, 2, 2});
        form.dims.erase(std::remove_if(form.dims.begin(), form.dims.end() - 1, is_single), form.dims.end() - 1);
    }
}

std::optional<Form> finished(Form form, const CommonArguments& common) {
    form.flags = common.flags;
    form.is_in_place = are_same(common.arrays);
    if (!takes_kinds(form, common.kinds) || !is_within_reach(form)) return std::nullopt;
    settle_split(form, common.arrays);
    if (form.type == Type::dft && common.sign != FFTW_FORWARD) form.is_inverse = true;
    drop_single(form);
    return form;
}

Form started(const CommonArguments& common) {
    Form form;
    form.type = common.type;
    form.in = usual_side(common.type, true);
    form.out = usual_side(common.type, false);
    return form;
}

/// Reals between neighbours of an array of such a side whose elements are given apart.
std::ptrdiff_t reals_of(Side side, const Real* imaginary) {
    return side == Side::interleaved && imaginary == nullptr ? 2 : 1;
}

template <class Dim>
std::optional<Form> form_of_guru(const CommonArguments& common, int rank, const Dim* dims, int howmany_rank,
                                 const Dim* howmany_dims) {
    if (rank < 0 || howmany_rank < 0) return std::nullopt;
    if ((rank > 0 && dims == nullptr) || (howmany_rank > 0 && howmany_dims == nullptr)) return std::nullopt;
    Form form = started(common);
    const std::ptrdiff_t in = reals_of(form.in, common.arrays.in_imaginary);
    const std::ptrdiff_t out = reals_of(form.out, common.arrays.out_imaginary);
    const auto take = [&](std::vector<Dimension>& list, const Dim& dim) {
        Dimension made{dim.n, 0, 0};
        if (!multiply(dim.is, in, made.in) || !multiply(dim.os, out, made.out)) return false;
        list.push_back(made);
        return true;
    };
    for (int i = 0; i < rank; ++i)
        if (dims[i].n < 1 || !take(form.dims, dims[i])) return std::nullopt;
    for (int i = 0; i < howmany_rank; ++i)
        if (howmany_dims[i].n < 0 || !take(form.many, howmany_dims[i])) return std::nullopt;
    return finished(std::move(form), common);
}

/// Elements of an array's row along a dimension where no embedding is given. A real array in place has room for the
/// complex row.
std::ptrdiff_t usual_row(const Form& form, const CommonArguments& common, std::ptrdiff_t n, bool is_last, bool input) {
    if (!is_last || (form.type != Type::r2c && form.type != Type::c2r)) return n;
    const bool is_complex = (input ? form.in : form.out) != Side::real;
    if (is_complex) return n / 2 + 1;
    return are_same(common.arrays) ? 2 * (n / 2 + 1) : n;
}

}  // namespace

std::optional<Form> make_form(const CommonArguments& common, const ManyArguments& many) {
    if (many.rank < 0 || many.howmany < 0 || (many.rank > 0 && many.n == nullptr)) return std::nullopt;
    Form form = started(common);
    const std::ptrdiff_t in_reals = form.in == Side::interleaved ? 2 : 1;
    const std::ptrdiff_t out_reals = form.out == Side::interleaved ? 2 : 1;
    std::ptrdiff_t in = many.in_stride * in_reals, out = many.out_stride * out_reals;
    form.dims.resize(static_cast<std::size_t>(many.rank));
    for (int i = many.rank - 1; i >= 0; --i) {
        const std::ptrdiff_t n = many.n[i];
        const bool is_last = i == many.rank - 1;
        if (n < 1) return std::nullopt;
        form.dims[static_cast<std::size_t>(i)] = {n, in, out};
        const std::ptrdiff_t in_row = many.in_embed ? many.in_embed[i] : usual_row(form, common, n, is_last, true);
        const std::ptrdiff_t out_row = many.out_embed ? many.out_embed[i] : usual_row(form, common, n, is_last, false);
        if (i > 0 && (!multiply(in, in_row, in) || !multiply(out, out_row, out))) return std::nullopt;
    }
    form.many.push_back({many.howmany, many.in_distance * in_reals, many.out_distance * out_reals});
    return finished(std::move(form), common);
}

std::optional<Form> make_form(const CommonArguments& common, int rank, const seiche_fftw_iodim* dims, int howmany_rank,
                              const seiche_fftw_iodim* howmany_dims) {
    return form_of_guru(common, rank, dims, howmany_rank, howmany_dims);
}

std::optional<Form> make_form(const CommonArguments& common, int rank, const seiche_fftw_iodim64* dims,
                              int howmany_rank, const seiche_fftw_iodim64* howmany_dims) {
    return form_of_guru(common, rank, dims, howmany_rank, howmany_dims);
}

std::uint64_t Form::points() const {
    std::uint64_t points = 1;
    for (const auto* list : {&dims, &many})
        for (const Dimension& dim : *list) points *= static_cast<std::uint64_t>(dim.n);
    return points;
}

std::ptrdiff_t Form::in_count(std::size_t dim) const {
    return type == Type::c2r && dim + 1 == dims.size() ? dims[dim].n / 2 + 1 : dims[dim].n;
}

std::ptrdiff_t Form::out_count(std::size_t dim) const {
    return type == Type::r2c && dim + 1 == dims.size() ? dims[dim].n / 2 + 1 : dims[dim].n;
}

Arrays Form::arranged(const Arrays& given) const {
    if (!is_swapped) return given;
    return {given.in_imaginary, given.in, given.out_imaginary, given.out};
}

std::string Form::text() const {
    constexpr const char* kind_names[] = {"r2hc",    "hc2r",    "dht",     "redft00", "redft01", "redft10",
                                          "redft11", "rodft00", "rodft01", "rodft10", "rodft11"};
    std::string text = type == Type::dft   ? (is_inverse ? "c2c+" : "c2c-")
                       : type == Type::r2c ? "r2c"
                       : type == Type::c2r ? "c2r"
                                           : "r2r";
    const auto add = [&](const Dimension& dim) {
        text += " " + std::to_string(dim.n) + ":" + std::to_string(dim.in) + ":" + std::to_string(dim.out);
    };
    for (std::size_t i = 0; i < dims.size(); ++i) {
        add(dims[i]);
        if (type == Type::r2r) text += std::string(":") + kind_names[kinds[i]];
    }
    for (std::size_t i = 0; i < many.size(); ++i) {
        text += " x";
        add(many[i]);
    }
    if (in == Side::split) text += " split-in";
    if (out == Side::split) text += " split-out";
    if (is_in_place) text += " in-place";
    return text;
}

}  // namespace seiche_fftw
