// What a problem transforms, worked out from the public Problem alone: its axes and their kinds, where its elements
// lie, and the error that the contract allows.
#include "tests/accuracy/shape.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace seiche::accuracy {

namespace {

std::size_t place_of(int axis, const Problem& problem) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(problem.lengths.size()) : axis);
}

/// The kind of each axis of the problem; nothing for one that is not transformed.
std::vector<std::optional<Kind>> kinds_by_axis(const Problem& problem) {
    std::vector<std::size_t> listed;
    for (const int axis : problem.axes) listed.push_back(place_of(axis, problem));
    for (std::size_t i = 0; problem.axes.empty() && i < problem.lengths.size(); ++i) listed.push_back(i);
    std::vector<std::optional<Kind>> kinds(problem.lengths.size());
    const bool halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
    for (std::size_t i = 0; i < listed.size(); ++i)
        kinds[listed[i]] = halved ? Kind::c2c : problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds[i];
    if (halved) kinds[problem.halved_axis ? place_of(*problem.halved_axis, problem) : listed.back()] = problem.kind;
    return kinds;
}

/// The elements of one array along each axis of the problem.
std::vector<std::uint64_t> counts_of(const Problem& problem, Kind halved) {
    std::vector<std::uint64_t> counts = problem.lengths;
    const auto kinds = kinds_by_axis(problem);
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (kinds[i] == halved) counts[i] = counts[i] / 2 + 1;
    return counts;
}

struct Array {
    std::vector<std::uint64_t> counts, strides;  // modulo 2^64, and so is the distance
    std::uint64_t distance = 0, first = 0;
};

std::uint64_t size_of(std::uint64_t stride) { return stride >> 63 != 0 ? 0 - stride : stride; }

Array array_of(const Layout& layout, const std::vector<std::uint64_t>& counts, std::uint64_t element_bytes) {
    Array array{counts, std::vector<std::uint64_t>(counts.size()), 0, layout.byte_offset / element_bytes};
    std::uint64_t dense = 1, reach = 0, rows = 0;
    for (std::size_t i = counts.size(); i-- > 0; dense *= counts[i]) {
        array.strides[i] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides[i]);
        reach += (counts[i] - 1) * size_of(array.strides[i]);
        rows = std::max(rows, counts[i] * size_of(array.strides[i]));
    }
    array.distance =
        layout.batch_distance == 0 ? std::max(reach + 1, rows) : static_cast<std::uint64_t>(layout.batch_distance);
    return array;
}

/// The same elements, strides where there is one element only apart.
bool lies_as(const Array& a, const Array& b) {
    for (std::size_t i = 0; i < a.counts.size(); ++i)
        if (a.counts[i] > 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

/// In place what is left empty of the output's layout follows from the input.
Array output_in_place(const Problem& problem, const Array& input, std::uint64_t element_bytes) {
    Layout layout = problem.output;
    if (layout.strides.empty()) layout.strides = problem.input.strides;
    Array output = array_of(layout, problem.lengths, element_bytes);
    if (layout.batch_distance == 0 && lies_as(input, output)) output.distance = input.distance;
    if (layout.byte_offset == 0 && lies_as(input, output)) output.first = input.first;
    return output;
}

/// Both arrays of an r2c or c2r in place, from what is given of either.
class HalvedInPlace {
public:
    HalvedInPlace(const Problem& problem, std::size_t halved)
        : halved_(halved),
          real_bytes_(stored_bytes(problem.precision, problem.storage)),
          real_(problem.kind == Kind::r2c ? problem.input : problem.output),
          complex_(problem.kind == Kind::r2c ? problem.output : problem.input),
          counts_(problem.lengths),
          half_counts_(problem.lengths) {
        half_counts_[halved] = counts_[halved] / 2 + 1;
        std::uint64_t inside = 1;
        for (std::size_t i = halved + 1; i < counts_.size(); ++i) inside *= counts_[i];
        const bool is_padded = inside == 1 || counts_[halved] == 1;
        if (complex_.strides.empty() && real_.strides.empty() && is_padded) {
            const Array dense = array_of(complex_, half_counts_, 2 * real_bytes_);
            complex_.strides.assign(dense.strides.begin(), dense.strides.end());
        }
        if (complex_.strides.empty())
            for (const std::int64_t stride : real_.strides) complex_.strides.push_back(stride < 2 ? 1 : stride / 2);
        else if (real_.strides.empty())
            for (std::size_t i = 0; i < counts_.size(); ++i)
                real_.strides.push_back(i == halved ? 1 : 2 * complex_.strides[i]);
    }

    std::pair<Array, Array> real_and_complex() const {
        Array real = array_of(real_, counts_, real_bytes_), complex = array_of(complex_, half_counts_, 2 * real_bytes_);
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            const bool is_alike = i == halved_ ? real.strides[i] == 1 && complex.strides[i] == 1
                                               : real.strides[i] == 2 * complex.strides[i];
            if (counts_[i] > 1 && !is_alike) return {real, complex};
        }
        if (complex_.batch_distance == 0 && real_.batch_distance != 0) complex.distance = real.distance / 2;
        if (real_.batch_distance == 0) real.distance = 2 * complex.distance;
        if (real_.byte_offset == 0) real.first = 2 * complex.first;
        if (complex_.byte_offset == 0) complex.first = real.first / 2;
        return {real, complex};
    }

private:
    std::size_t halved_;
    std::uint64_t real_bytes_;
    Layout real_, complex_;
    std::vector<std::uint64_t> counts_, half_counts_;
};

std::vector<std::vector<std::uint64_t>> addresses_in(const Array& array, const Problem& problem, std::uint64_t batch) {
    const auto kinds = kinds_by_axis(problem);
    std::vector<std::uint64_t> starts, within{0};
    for (std::uint64_t b = 0; b < batch; ++b) starts.push_back(array.first + b * array.distance);
    for (std::size_t i = 0; i < array.counts.size(); ++i) {
        std::vector<std::uint64_t>& list = kinds[i] ? within : starts;
        std::vector<std::uint64_t> longer;
        for (const std::uint64_t address : list)
            for (std::uint64_t j = 0; j < array.counts[i]; ++j) longer.push_back(address + j * array.strides[i]);
        list = std::move(longer);
    }
    std::vector<std::vector<std::uint64_t>> all;
    for (const std::uint64_t start : starts) {
        all.push_back(within);
        for (std::uint64_t& address : all.back()) address += start;
    }
    return all;
}

/// The length of the complex transform inside one axis.
std::uint64_t inner_length(Kind kind, std::uint64_t n) {
    switch (kind) {
        case Kind::c2c: return n;
        case Kind::dct1: return n - 1;
        case Kind::dst1: return n + 1;
        default: return n % 2 == 0 ? n / 2 : n;
    }
}

bool smooth(std::uint64_t n) {
    for (const std::uint64_t p : {2u, 3u, 5u, 7u, 11u, 13u})
        while (n % p == 0) n /= p;
    return n == 1;
}

bool prime(std::uint64_t n) {
    for (std::uint64_t p = 2; p * p <= n; ++p)
        if (n % p == 0) return false;
    return n > 1;
}

/// Whatever way a plan goes, it answers for the best of the published ones for the length.
Way way_of(std::uint64_t n) {
    if (smooth(n)) return Way::smooth;
    return smooth(n - 1) && prime(n) ? Way::rader : Way::bluestein;
}

}  // namespace

bool Shape::is_complex() const {
    return std::all_of(kinds.begin(), kinds.end(), [](Kind k) { return k == Kind::c2c; });
}

bool Shape::real_input() const {
    return std::any_of(kinds.begin(), kinds.end(), [](Kind k) { return k == Kind::r2c || is_real_to_real(k); });
}

bool Shape::real_output() const {
    return std::any_of(kinds.begin(), kinds.end(), [](Kind k) { return k == Kind::c2r || is_real_to_real(k); });
}

std::uint64_t Shape::input_count(std::size_t axis) const {
    return kinds[axis] == Kind::c2r ? lengths[axis] / 2 + 1 : lengths[axis];
}

std::uint64_t Shape::output_count(std::size_t axis) const {
    return kinds[axis] == Kind::r2c ? lengths[axis] / 2 + 1 : lengths[axis];
}

std::uint64_t Shape::points() const {
    std::uint64_t points = 1;
    for (const std::uint64_t n : lengths) points *= n;
    return points;
}

std::uint64_t Shape::logical_points() const {
    std::uint64_t points = 1;
    for (std::size_t i = 0; i < lengths.size(); ++i) points *= logical_length(kinds[i], lengths[i]);
    return points;
}

bool Shape::has(Direction direction) const {
    const Kind other = direction == Direction::forward ? Kind::c2r : Kind::r2c;
    return std::find(kinds.begin(), kinds.end(), other) == kinds.end();
}

Shape Shape::in(Direction direction) const {
    Shape shape = *this;
    if (direction == Direction::inverse)
        for (Kind& kind : shape.kinds)
            if (is_real_to_real(kind)) kind = inverse_of(kind);
    return shape;
}

Shape shape_of(const Problem& problem) {
    Shape shape;
    shape.orthonormal = problem.orthonormal;
    shape.orthogonalize = problem.orthogonalize;
    const auto kinds = kinds_by_axis(problem);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (!kinds[i]) continue;
        shape.lengths.push_back(problem.lengths[i]);
        shape.kinds.push_back(*kinds[i]);
    }
    return shape;
}

Addresses addresses(const Problem& problem, std::uint64_t batch) {
    const Shape shape = shape_of(problem);
    const std::uint64_t real_bytes = stored_bytes(problem.precision, problem.storage);
    const auto element = [&](bool is_real) { return is_real ? real_bytes : 2 * real_bytes; };
    const auto in_counts = counts_of(problem, Kind::c2r), out_counts = counts_of(problem, Kind::r2c);
    const bool in_place = problem.placement == Placement::in_place;
    Array input = array_of(problem.input, in_counts, element(shape.real_input() || problem.input.planar));
    Array output = in_place
                       ? output_in_place(problem, input, element(shape.real_output() || problem.input.planar))
                       : array_of(problem.output, out_counts, element(shape.real_output() || problem.output.planar));
    if (in_place && shape.real_input() != shape.real_output()) {
        const auto kinds = kinds_by_axis(problem);
        const auto halved =
            static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), problem.kind) - kinds.begin());
        std::tie(input, output) = HalvedInPlace(problem, halved).real_and_complex();
        if (problem.kind == Kind::c2r) std::swap(input, output);
    }
    return {addresses_in(input, problem, batch), addresses_in(output, problem, batch)};
}

Size size_of(const Problem& problem) {
    const Shape shape = shape_of(problem);
    Size size;
    size.points = shape.points();
    for (std::size_t i = 0; i < shape.kinds.size(); ++i)
        size.way = std::max(size.way, way_of(inner_length(shape.kinds[i], shape.lengths[i])));
    return size;
}

double unit_roundoff(Precision precision) {
    if (precision == Precision::f16) return 0x1p-11;
    return precision == Precision::f32 ? 0x1p-24 : 0x1p-53;
}

double storage_roundoff(Storage storage) {
    switch (storage) {
        case Storage::f16: return 0x1p-11;
        case Storage::bf16: return 0x1p-8;
        case Storage::f32: return 0x1p-24;
        case Storage::f64: return 0x1p-53;
        case Storage::same: break;
    }
    return 0;
}

double storage_error(const Problem& problem, std::uint32_t roundings) {
    const Shape shape = shape_of(problem);
    const bool is_short =
        std::any_of(shape.lengths.begin(), shape.lengths.end(), [](std::uint64_t n) { return n < 32; });
    const double unit = storage_roundoff(problem.storage);
    return (is_short ? 1 / std::sqrt(3.0) : 0.45) * unit * std::sqrt(static_cast<double>(roundings));
}

double allowed_error(const Problem& problem, bool scaled, Way way) {
    const Shape shape = shape_of(problem);
    const double points = static_cast<double>(std::max<std::uint64_t>(shape.points(), 2));
    const auto maps = static_cast<double>(std::count_if(shape.kinds.begin(), shape.kinds.end(), is_real_to_real));
    const double own = way == Way::smooth ? 1.0 : way == Way::rader ? 2.0 : 2.5;
    return own + 0.5 * maps + (scaled ? 0.5 / std::sqrt(std::log2(points)) : 0.0);
}

}  // namespace seiche::accuracy
