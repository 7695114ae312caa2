// Where the elements of a problem's transforms lie in its buffers, worked out here independently of the library.
#include "cli/check/geometry.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr std::size_t none = ~std::size_t{0};

bool is_halved(Kind kind) { return kind == Kind::r2c || kind == Kind::c2r; }

bool is_conjugated(const Problem& problem) { return problem.kind == Kind::hfft || problem.kind == Kind::ihfft; }

/// An hfft is a c2r of the conjugated array, an ihfft the conjugated array of an r2c.
Kind kind_of(const Problem& problem) {
    if (problem.kind == Kind::hfft) return Kind::c2r;
    return problem.kind == Kind::ihfft ? Kind::r2c : problem.kind;
}

Direction opposite(Direction direction) {
    return direction == Direction::forward ? Direction::inverse : Direction::forward;
}

struct AxisKinds {
    std::vector<std::optional<Kind>> of;  // nothing for an axis that is not transformed
    std::size_t halved = none;
};

AxisKinds axis_kinds(const Problem& problem) {
    const std::size_t rank = problem.lengths.size();
    const auto place = [rank](int axis) {
        return static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis);
    };
    std::vector<std::size_t> listed;
    for (const int axis : problem.axes) listed.push_back(place(axis));
    for (std::size_t axis = 0; problem.axes.empty() && axis < rank; ++axis) listed.push_back(axis);
    AxisKinds kinds{std::vector<std::optional<Kind>>(rank)};
    for (std::size_t i = 0; i < listed.size(); ++i)
        kinds.of.at(listed[i]) = problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds.at(i);
    if (!is_halved(kind_of(problem))) return kinds;
    for (const std::size_t axis : listed) kinds.of[axis] = Kind::c2c;
    kinds.halved = problem.halved_axis ? place(*problem.halved_axis) : listed.back();
    kinds.of.at(kinds.halved) = kind_of(problem);
    return kinds;
}

struct Array {
    std::vector<std::uint64_t> counts, strides;  // strides, and what is between arrays, modulo 2^64
    std::uint64_t batch = 0, offset = 0;
};

// |stride|
std::uint64_t size_of(std::uint64_t stride) { return stride >> 63 != 0 ? 0 - stride : stride; }

// The layout with its defaults filled in.
Array resolve(const Layout& layout, const std::vector<std::uint64_t>& counts, std::uint64_t element_bytes) {
    Array array{counts, std::vector<std::uint64_t>(counts.size()), 0, layout.byte_offset / element_bytes};
    std::uint64_t reach = 0, dense = 1, rows = 0;
    for (std::size_t axis = counts.size(); axis-- > 0;) {
        array.strides[axis] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides.at(axis));
        dense *= counts[axis];
        reach += (counts[axis] - 1) * size_of(array.strides[axis]);
        rows = std::max(rows, counts[axis] * size_of(array.strides[axis]));
    }
    array.batch =
        layout.batch_distance == 0 ? std::max(reach + 1, rows) : static_cast<std::uint64_t>(layout.batch_distance);
    return array;
}

// Strides are equal where elements are more than one.
bool lie_alike(const Array& a, const Array& b) {
    for (std::size_t axis = 0; axis < a.counts.size(); ++axis)
        if (a.counts[axis] > 1 && a.strides[axis] != b.strides[axis]) return false;
    return true;
}

// The output in place of arrays of one shape: what is left empty of its layout follows from the input.
Array following(const Problem& problem, const Array& in, std::uint64_t element_bytes) {
    Layout layout = problem.output;
    if (layout.strides.empty()) layout.strides = problem.input.strides;
    Array out = resolve(layout, problem.lengths, element_bytes);
    if (layout.batch_distance == 0 && lie_alike(in, out)) out.batch = in.batch;
    if (layout.byte_offset == 0 && lie_alike(in, out)) out.offset = in.offset;
    return out;
}

struct Halved {
    std::vector<std::uint64_t> real_counts, complex_counts;
    std::size_t axis = none;
    std::uint64_t real_bytes = 4;
};

// The strides of the real array that lies in the complex one.
std::vector<std::int64_t> doubled(std::vector<std::int64_t> strides, std::size_t halved) {
    for (std::int64_t& stride : strides) stride *= 2;
    strides.at(halved) = 1;
    return strides;
}

// Both arrays of an r2c or c2r in place, the real one first. What is left empty of one layout follows from the other.
std::pair<Array, Array> real_in_place(Layout real, Layout complex, const Halved& what) {
    const std::vector<std::uint64_t>& counts = what.complex_counts;
    const bool is_last = std::all_of(counts.begin() + static_cast<std::ptrdiff_t>(what.axis) + 1, counts.end(),
                                     [](std::uint64_t count) { return count == 1; });
    if (real.strides.empty() && complex.strides.empty() && (is_last || what.real_counts[what.axis] == 1)) {
        const Array dense = resolve(complex, counts, 2 * what.real_bytes);
        complex.strides.assign(dense.strides.begin(), dense.strides.end());
    }
    if (real.strides.empty() && !complex.strides.empty()) real.strides = doubled(complex.strides, what.axis);
    if (complex.strides.empty() && !real.strides.empty()) {
        for (const std::int64_t stride : real.strides) complex.strides.push_back(stride / 2 != 0 ? stride / 2 : 1);
        complex.strides[what.axis] = 1;
    }
    Array numbers = resolve(real, what.real_counts, what.real_bytes);
    Array elements = resolve(complex, counts, 2 * what.real_bytes);
    std::vector<std::int64_t> strides(elements.strides.begin(), elements.strides.end());
    Array within = numbers;
    strides = doubled(std::move(strides), what.axis);
    within.strides.assign(strides.begin(), strides.end());
    if (what.real_counts[what.axis] > 1 && elements.strides[what.axis] != 1) return {numbers, elements};
    if (!lie_alike(numbers, within)) return {numbers, elements};
    if (complex.batch_distance == 0 && real.batch_distance != 0)
        elements.batch = static_cast<std::uint64_t>(static_cast<std::int64_t>(numbers.batch) / 2);
    if (real.batch_distance == 0) numbers.batch = 2 * elements.batch;
    if (real.byte_offset == 0) numbers.offset = 2 * elements.offset;
    if (complex.byte_offset == 0) elements.offset = numbers.offset / 2;
    return {numbers, elements};
}

// Elements up to the last one, those before the first included.
std::uint64_t reach(const Array& array, std::uint64_t batch) {
    std::uint64_t last = array.offset;
    const auto add = [&last](std::uint64_t count, std::uint64_t stride) {
        if (stride >> 63 == 0) last += (count - 1) * stride;
    };
    add(batch, array.batch);
    for (std::size_t axis = 0; axis < array.counts.size(); ++axis) add(array.counts[axis], array.strides[axis]);
    return last + 1;
}

// Elements ahead of the lowest one.
std::uint64_t ahead(const Array& array, std::uint64_t batch) {
    std::uint64_t first = array.offset;
    const auto add = [&first](std::uint64_t count, std::uint64_t stride) {
        if (stride >> 63 != 0) first += (count - 1) * stride;
    };
    add(batch, array.batch);
    for (std::size_t axis = 0; axis < array.counts.size(); ++axis) add(array.counts[axis], array.strides[axis]);
    return first;
}

}  // namespace

Geometry::Geometry(const Problem& problem)
    : conjugates_(is_conjugated(problem)), real_bytes_(stored_bytes(problem.precision, problem.storage)) {
    if (problem.batch == 0 || std::find(problem.lengths.begin(), problem.lengths.end(), 0u) != problem.lengths.end())
        throw InvalidProblem("expected a problem with at least one transform, got " + to_string(problem));
    const AxisKinds kinds = axis_kinds(problem);
    const Kind leading = problem.axis_kinds.empty() ? kind_of(problem) : problem.axis_kinds.front();
    input_is_real_ = leading == Kind::r2c || is_real_to_real(leading);
    output_is_real_ = leading == Kind::c2r || is_real_to_real(leading);
    const bool in_place = problem.placement == Placement::in_place;
    std::vector<std::uint64_t> in_counts = problem.lengths, out_counts = problem.lengths;
    if (leading == Kind::c2r) in_counts.at(kinds.halved) = problem.lengths[kinds.halved] / 2 + 1;
    if (leading == Kind::r2c) out_counts.at(kinds.halved) = problem.lengths[kinds.halved] / 2 + 1;
    // What strides count by: of a planar array one half of an element.
    const auto element_bytes = [&](const Layout& layout, bool output) {
        return (layout.planar ? 1 : parts(output)) * real_bytes_;
    };
    Array in = resolve(problem.input, in_counts, element_bytes(problem.input, false));
    Array out = in_place ? following(problem, in, element_bytes(problem.input, true))
                         : resolve(problem.output, out_counts, element_bytes(problem.output, true));
    if (in_place && input_is_real_ != output_is_real_) {
        Halved what{in_counts, out_counts, kinds.halved, real_bytes_};
        if (output_is_real_) std::swap(what.real_counts, what.complex_counts);
        std::tie(in, out) = real_in_place(input_is_real_ ? problem.input : problem.output,
                                          input_is_real_ ? problem.output : problem.input, what);
        if (output_is_real_) std::swap(in, out);
    }
    has_two_layouts_ = in_place && (in.batch != out.batch || in.strides != out.strides || in.offset != out.offset);
    loops_.push_back({problem.batch, in.batch, problem.batch, out.batch});
    for (std::size_t axis = 0; axis < problem.lengths.size(); ++axis) {
        (kinds.of[axis] ? dimensions_ : loops_)
            .push_back({in_counts[axis], in.strides[axis], out_counts[axis], out.strides[axis]});
        if (!kinds.of[axis]) continue;
        shape_.axes.push_back({*kinds.of[axis], problem.lengths[axis]});
        numbers_.push_back(axis);
        points_ *= problem.lengths[axis];
    }
    shape_.orthonormal = problem.orthonormal;
    shape_.orthogonalize = problem.orthogonalize;
    for (const Dimension& loop : loops_) transforms_ *= loop.input_count;
    input_first_ = in.offset;
    output_first_ = out.offset;
    input_offset_ = ahead(in, problem.batch);
    output_offset_ = ahead(out, problem.batch);
    input_elements_ = reach(in, problem.batch);
    output_elements_ = reach(out, problem.batch);
    signal_kept_ = kept_of(problem, false);
    spectrum_kept_ = kept_of(problem, true);
}

std::vector<bool> Geometry::kept_of(const Problem& problem, bool spectrum) const {
    const std::vector<Block>& blocks = spectrum ? problem.spectrum_zeros : problem.signal_zeros;
    if (blocks.empty()) return {};
    const bool is_output = spectrum == has(Direction::forward);
    std::vector<bool> kept{true};
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const std::uint64_t count = is_output ? dimensions_[i].output_count : dimensions_[i].input_count;
        std::vector<bool> line(count, true), next;
        for (const Block& block : blocks) {
            const auto axis = static_cast<std::size_t>(
                block.axis < 0 ? block.axis + static_cast<int>(problem.lengths.size()) : block.axis);
            for (std::uint64_t j = block.begin; axis == numbers_[i] && j < block.end; ++j) line.at(j) = false;
        }
        for (const bool outer : kept)
            for (const bool own : line) next.push_back(outer && own);
        kept = std::move(next);
    }
    return kept;
}

std::uint64_t Geometry::logical_points() const {
    std::uint64_t points = 1;
    for (const KindAxis& axis : shape_.axes) points *= logical_length(axis.kind, axis.length);
    return points;
}

bool Geometry::has(Direction direction) const {
    const Direction own = conjugates_ ? opposite(direction) : direction;
    const Kind other = own == Direction::forward ? Kind::c2r : Kind::r2c;
    return std::none_of(shape_.axes.begin(), shape_.axes.end(), [&](const KindAxis& a) { return a.kind == other; });
}

KindShape Geometry::shape(Direction direction) const {
    KindShape shape = shape_;
    shape.direction = conjugates_ ? opposite(direction) : direction;
    for (KindAxis& axis : shape.axes)
        if (direction == Direction::inverse && is_real_to_real(axis.kind)) axis.kind = inverse_of(axis.kind);
    return shape;
}

std::uint64_t Geometry::elements_of_transform(bool output) const {
    std::uint64_t count = 1;
    for (const Dimension& axis : dimensions_) count *= output ? axis.output_count : axis.input_count;
    return count;
}

std::uint64_t Geometry::first_position(std::uint64_t t, bool output) const {
    std::uint64_t base = output ? output_first_ : input_first_;
    for (std::size_t i = loops_.size(); i-- > 0; t /= loops_[i].input_count) {
        base += t % loops_[i].input_count * (output ? loops_[i].output_stride : loops_[i].input_stride);
    }
    return base;
}

bool Geometry::is_consecutive(bool output) const {
    std::uint64_t inner = 1;
    for (std::size_t i = dimensions_.size(); i-- > 0;) {
        const std::uint64_t count = output ? dimensions_[i].output_count : dimensions_[i].input_count;
        if (count > 1 && (output ? dimensions_[i].output_stride : dimensions_[i].input_stride) != inner) return false;
        inner *= count;
    }
    return true;
}

bool Geometry::is_apart(bool output) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;  // stride and count
    for (const auto* dimensions : {&dimensions_, &loops_})
        for (const Dimension& one : *dimensions)
            steps.emplace_back(size_of(output ? one.output_stride : one.input_stride),
                               output ? one.output_count : one.input_count);
    std::sort(steps.begin(), steps.end());
    std::uint64_t reach = 1;  // of all shorter steps together
    for (const auto& [stride, count] : steps) {
        if (count == 1) continue;
        if (stride < reach) return false;
        reach += (count - 1) * stride;
    }
    return true;
}

void Geometry::positions(const Run& run, bool output, std::vector<std::uint64_t>& positions) const {
    struct Step {
        std::uint64_t count, stride, index;
    };
    std::vector<Step> steps;  // fastest first
    std::uint64_t place = first_position(run.transform, output), rest = run.first;
    for (std::size_t axis = dimensions_.size(); axis-- > 0;) {
        const Dimension& one = dimensions_[axis];
        const std::uint64_t count = output ? one.output_count : one.input_count;
        steps.push_back({count, output ? one.output_stride : one.input_stride, rest % count});
        place += steps.back().index * steps.back().stride;
        rest /= count;
    }
    positions.resize(run.end - run.first);
    for (std::uint64_t& position : positions) {
        position = place;
        for (Step& step : steps) {  // to the next one, as an odometer goes
            place += step.stride;
            if (++step.index < step.count) break;
            place -= step.count * step.stride;
            step.index = 0;
        }
    }
}

}  // namespace seiche::cli
