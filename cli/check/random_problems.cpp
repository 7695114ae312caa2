// Problems of every kind, drawn at random, and the classes that results are grouped by.
#include "cli/check/random_problems.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "cli/check/geometry.hpp"
#include "cli/reference/random_data.hpp"

namespace seiche::cli {
namespace {

bool is_prime(std::uint64_t n) {
    if (n < 4) return n > 1;
    for (std::uint64_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return false;
    }
    return true;
}

// At most `limit`, evenly spread in the logarithm, at least 1.
std::uint64_t draw_size(Random& random, std::uint64_t limit) {
    const double turn = static_cast<double>(random.below(1u << 20)) / (1u << 20);
    const auto size = static_cast<std::uint64_t>(std::exp2(turn * std::log2(static_cast<double>(limit) + 1)));
    return std::clamp<std::uint64_t>(size, 1, limit);
}

std::uint64_t draw_length(Random& random, std::uint64_t limit) {
    const std::uint64_t near = draw_size(random, limit);
    switch (random.below(5)) {
        case 0: return std::bit_floor(near);
        case 1: {  // smooth: the next one, which may be beyond the limit
            const std::uint64_t smooth = next_fast_length(near);
            return smooth <= limit ? smooth : std::bit_floor(near);
        }
        case 2: {
            std::uint64_t prime = near;
            while (prime > 2 && !is_prime(prime)) --prime;
            return prime;
        }
        case 3: return 1 + random.below(std::min<std::uint64_t>(limit, 64));
        default: return near;
    }
}

struct ArrayShape {
    std::vector<std::uint64_t> counts;  // elements along each axis
    std::uint64_t batch = 1, real_bytes = 4;
    bool is_real = false;
};

constexpr std::size_t none = ~std::size_t{0};

// A layout in which the axes and the batch lie in any order, with gaps; `contiguous` has the stride 1.
Layout draw_layout(Random& random, const ArrayShape& array, std::size_t contiguous = none) {
    Layout layout;
    const std::size_t rank = array.counts.size();
    std::vector<std::size_t> order(rank + 1);  // fastest first; `rank` stands for the batch
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    if (contiguous != none) std::iter_swap(order.begin(), std::find(order.begin(), order.end(), contiguous));
    layout.strides.resize(rank);
    std::uint64_t stride = random.one_in(4) && contiguous == none ? 2 + random.below(3) : 1;
    for (const std::size_t place : order) {
        const std::uint64_t count = place == rank ? array.batch : array.counts[place];
        (place == rank ? layout.batch_distance : layout.strides[place]) = static_cast<std::int64_t>(stride);
        stride *= count;
        if (random.one_in(3)) stride += random.below(6);
    }
    if (random.one_in(3)) layout.byte_offset = (array.is_real ? 1 : 2) * array.real_bytes * random.below(40);
    return layout;
}

// The same or the default, some of the complex ones planar.
Layout draw_any_layout(Random& random, const ArrayShape& array) {
    const bool planar = !array.is_real && random.one_in(6);
    Layout layout;
    if (!random.one_in(2)) layout = draw_layout(random, array);
    layout.planar = planar;
    if (planar) layout.byte_offset /= 2;
    return layout;
}

// To a multiple of `unit`, and no less where elements lie before the first one.
void align_offset(Layout& layout, std::uint64_t unit) {
    const auto is_below_0 = [](std::int64_t stride) { return stride < 0; };
    const bool goes_back =
        is_below_0(layout.batch_distance) || std::any_of(layout.strides.begin(), layout.strides.end(), is_below_0);
    if (goes_back) layout.byte_offset += unit - 1;
    layout.byte_offset -= layout.byte_offset % unit;
}

// Of an array in several buffers: two to seven of them or so, whatever their bytes.
void draw_parts(Random& random, Problem& problem) {
    const Geometry geometry(problem);
    const auto draw = [&](Layout& layout, bool output) {
        const std::uint64_t real_bytes = stored_bytes(problem.precision, problem.storage);
        const std::uint64_t unit = layout.planar ? real_bytes : 2 * real_bytes;
        const std::uint64_t bytes =
            geometry.elements(output) * (layout.planar ? 1 : geometry.parts(output)) * real_bytes;
        const std::uint64_t units = (bytes - 1) / unit + 1, least = (units - 1) / 7 + 1;
        layout.part_bytes = (least + random.below(least * 3)) * unit;
        if (random.one_in(3)) layout.part_bytes = std::bit_ceil(layout.part_bytes);
        align_offset(layout, unit);
    };
    if (problem.placement == Placement::out_of_place) {
        if (random.one_in(2)) draw(problem.input, false);
        if (problem.input.part_bytes == 0 || random.one_in(2)) draw(problem.output, true);
        return;
    }
    // In place the larger array decides, and only one of the layouts is given, or both.
    const bool output =
        geometry.elements(true) * geometry.parts(true) > geometry.elements(false) * geometry.parts(false);
    Layout& given = problem.kind == Kind::r2c ? problem.output : problem.input;
    Layout& other = problem.kind == Kind::r2c ? problem.input : problem.output;
    draw(given, output);
    other.part_bytes = given.part_bytes;
    const std::uint64_t real_bytes = stored_bytes(problem.precision, problem.storage);
    align_offset(other, given.planar ? real_bytes : 2 * real_bytes);
}

Scale draw_scale(Random& random) {
    switch (random.below(8)) {
        case 0: return Scale::by_n();
        case 1: return Scale::by_sqrt_n();
        case 2: return Scale::factor(0.625 + 0.125 * static_cast<double>(random.below(20)));
        default: return Scale::none();
    }
}

void draw_storage(Random& random, Problem& problem) {
    if (!random.one_in(4)) return;
    if (problem.precision == Precision::f64)
        problem.storage = Storage::f32;
    else
        problem.storage = random.one_in(2) ? Storage::f16 : Storage::bf16;
}

void draw_axes(Random& random, Problem& problem) {
    if (problem.lengths.size() < 2 || random.one_in(2)) return;
    const int rank = static_cast<int>(problem.lengths.size());
    for (int axis = 0; axis < rank; ++axis) {
        if (random.one_in(2)) problem.axes.push_back(random.one_in(2) ? axis : axis - rank);
    }
    if (problem.axes.empty()) problem.axes.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(rank))));
}

std::vector<std::size_t> listed_axes(const Problem& problem) {
    const std::size_t rank = problem.lengths.size();
    std::vector<std::size_t> axes;
    for (const int axis : problem.axes)
        axes.push_back(static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis));
    for (std::size_t axis = 0; problem.axes.empty() && axis < rank; ++axis) axes.push_back(axis);
    return axes;
}

// A real-to-real kind of the list, or another for a length that it has not.
Kind draw_real_kind(Random& random, const std::vector<Kind>& kinds, std::uint64_t length) {
    std::vector<Kind> fitting;
    for (const Kind kind : kinds) {
        if (is_real_to_real(kind) && (kind != Kind::dct1 || length > 1)) fitting.push_back(kind);
    }
    return fitting.empty() ? Kind::dct2 : fitting[random.below(fitting.size())];
}

// The axes' kinds and the placement of a halved problem: the complex array in place has the halved axis contiguous.
void draw_halved(Random& random, Problem& problem) {
    const std::vector<std::size_t> axes = listed_axes(problem);
    std::size_t halved = axes.back();
    if (random.one_in(2)) {
        halved = axes[random.below(axes.size())];
        problem.halved_axis = static_cast<int>(halved);
    }
    const std::uint64_t real_bytes = stored_bytes(problem.precision, problem.storage);
    const bool forward = problem.kind == Kind::r2c;
    const ArrayShape real{problem.lengths, problem.batch, real_bytes, true};
    ArrayShape complex{problem.lengths, problem.batch, real_bytes, false};
    complex.counts[halved] = problem.lengths[halved] / 2 + 1;
    if (random.one_in(3)) {
        problem.placement = Placement::in_place;
        if (halved + 1 != problem.lengths.size() || random.one_in(2))
            (forward ? problem.output : problem.input) = draw_layout(random, complex, halved);
    } else {
        problem.input = draw_any_layout(random, forward ? real : complex);
        problem.output = draw_any_layout(random, forward ? complex : real);
    }
    (forward ? problem.forward_scale : problem.inverse_scale) = draw_scale(random);
}

void draw_real_to_real(Random& random, Problem& problem, const std::vector<Kind>& kinds) {
    const std::vector<std::size_t> axes = listed_axes(problem);
    const bool mixed = random.one_in(2);
    for (const std::size_t axis : axes) {
        const bool again = !mixed && (problem.kind != Kind::dct1 || problem.lengths[axis] > 1);
        problem.axis_kinds.push_back(again ? problem.kind : draw_real_kind(random, kinds, problem.lengths[axis]));
    }
    problem.kind = problem.axis_kinds.front();
    problem.orthonormal = random.one_in(4);
}

// One or two blocks of an axis of so many elements that leave something.
void draw_blocks(Random& random, std::size_t axis, std::uint64_t count, std::vector<Block>& blocks) {
    if (count < 2) return;
    const std::uint64_t kept = random.below(count);  // in no block
    for (std::uint64_t i = 0; i < 1 + random.below(2); ++i) {
        Block block{static_cast<int>(axis), random.below(count), 0};
        block.end = block.begin + 1 + random.below(count - block.begin);
        if (block.begin <= kept && kept < block.end) (random.one_in(2) ? block.begin : block.end) = kept;
        if (block.begin == kept) ++block.begin;
        if (block.begin < block.end) blocks.push_back(block);
    }
}

void draw_pruning(Random& random, Problem& problem) {
    const std::vector<std::size_t> axes = listed_axes(problem);
    const bool is_halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
    const std::size_t rank = problem.lengths.size();
    const std::size_t halved =
        !is_halved ? none
        : problem.halved_axis
            ? (static_cast<std::size_t>(*problem.halved_axis) + (*problem.halved_axis < 0 ? rank : 0)) % rank
            : axes.back();
    for (const std::size_t axis : axes) {
        const std::uint64_t n = problem.lengths[axis];
        if (random.one_in(2)) draw_blocks(random, axis, n, problem.signal_zeros);
        if (n > 1 && random.one_in(4))
            draw_blocks(random, axis, axis == halved ? n / 2 + 1 : n, problem.spectrum_zeros);
    }
}

// After all else, so that the rest of a problem is what it was before there were these.
void draw_freedoms(Random& random, Problem& problem) {
    const bool has_spectrum = !is_real_to_real(problem.kind) && problem.spectrum_zeros.empty();
    if (random.one_in(4) && has_spectrum) problem.spectrum_order = SpectrumOrder::pass;
    problem.may_overwrite_input = problem.placement == Placement::out_of_place && random.one_in(4);
}

Problem draw_transform(Random& random, const DrawLimits& limits) {
    Problem problem;
    if (limits.fp64 && random.one_in(2)) problem.precision = Precision::f64;
    draw_storage(random, problem);
    // Most are small: a large one takes as long as a hundred others.
    std::uint64_t room = random.one_in(8) ? limits.points : std::min<std::uint64_t>(limits.points, 1u << 15);
    const std::size_t rank = random.one_in(2) ? 1 : 1 + random.below(4);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        problem.lengths.push_back(draw_length(random, room));
        room = std::max<std::uint64_t>(room / problem.lengths.back(), 1);
    }
    for (std::size_t i = rank; i > 1; --i) std::swap(problem.lengths[i - 1], problem.lengths[random.below(i)]);
    problem.batch = random.one_in(4) ? 1 : draw_size(random, room);
    draw_axes(random, problem);
    if (!limits.kinds.empty()) problem.kind = limits.kinds[random.below(limits.kinds.size())];
    const bool prunes = random.one_in(6);
    if (problem.kind == Kind::r2c || problem.kind == Kind::c2r) {
        draw_halved(random, problem);
        if (prunes) draw_pruning(random, problem);
        return problem;
    }
    const bool real = is_real_to_real(problem.kind);
    if (real) draw_real_to_real(random, problem, limits.kinds);
    const ArrayShape array{problem.lengths, problem.batch, stored_bytes(problem.precision, problem.storage), real};
    problem.input = draw_any_layout(random, array);
    if (random.one_in(3)) {
        problem.placement = Placement::in_place;
    } else {
        problem.output = draw_any_layout(random, array);
    }
    if (prunes) draw_pruning(random, problem);
    if (problem.orthonormal) return problem;
    problem.forward_scale = draw_scale(random);
    problem.inverse_scale = draw_scale(random);
    return problem;
}

// Of a problem in place a layout for each array, so that elements of one lie anywhere among those of the other.
void draw_two_layouts(Random& random, Problem& problem) {
    const std::uint64_t real_bytes = stored_bytes(problem.precision, problem.storage);
    const bool is_real = is_real_to_real(problem.kind);
    ArrayShape in{problem.lengths, problem.batch, real_bytes, is_real || problem.kind == Kind::r2c};
    ArrayShape out{problem.lengths, problem.batch, real_bytes, is_real || problem.kind == Kind::c2r};
    if (problem.kind == Kind::r2c || problem.kind == Kind::c2r) {
        const std::size_t rank = problem.lengths.size();
        const int named = problem.halved_axis ? *problem.halved_axis : static_cast<int>(listed_axes(problem).back());
        const auto halved = static_cast<std::size_t>(named < 0 ? named + static_cast<int>(rank) : named);
        (problem.kind == Kind::r2c ? out : in).counts[halved] = problem.lengths[halved] / 2 + 1;
    }
    const bool planar = problem.input.planar;
    problem.input = draw_layout(random, in);
    problem.output = draw_layout(random, out);
    problem.input.planar = problem.output.planar = planar;
    // One that is 0 follows from the other where arrays lie alike.
    if (problem.input.byte_offset == 0 || problem.output.byte_offset == 0)
        for (Layout* const layout : {&problem.input, &problem.output})
            layout->byte_offset -= layout->byte_offset % (2 * real_bytes);
    if (!planar) return;
    problem.input.byte_offset /= 2;
    problem.output.byte_offset /= 2;
}

// What came later, with random numbers of its own, so that the rest of a problem is what it was before there was this.
void draw_later(Random& random, Problem& problem) {
    if (problem.placement == Placement::in_place && random.one_in(3)) draw_two_layouts(random, problem);
    problem.orthogonalize = is_real_to_real(problem.kind) && !problem.orthonormal && random.one_in(4);
}

// Some axes, or the batch, from their other end: the same memory, of which another element is the first. `fixed` stays
// as it is.
void reverse_some(Random& random, Layout& layout, const ArrayShape& array, std::size_t fixed = none) {
    const std::uint64_t element_bytes = (array.is_real || layout.planar ? 1 : 2) * array.real_bytes;
    if (layout.strides.empty()) {
        std::int64_t dense = 1;
        layout.strides.resize(array.counts.size());
        for (std::size_t axis = array.counts.size(); axis-- > 0; dense *= static_cast<std::int64_t>(array.counts[axis]))
            layout.strides[axis] = dense;
        layout.batch_distance = dense;
    }
    const auto reverse = [&](std::uint64_t count, std::int64_t& stride) {
        layout.byte_offset += (count - 1) * static_cast<std::uint64_t>(stride) * element_bytes;
        stride = -stride;
    };
    for (std::size_t axis = 0; axis < array.counts.size(); ++axis)
        if (random.one_in(2) && axis != fixed) reverse(array.counts[axis], layout.strides[axis]);
    if (layout.batch_distance != 0 && random.one_in(2)) reverse(array.batch, layout.batch_distance);
}

// Strides below 0, with random numbers of their own. In place only of arrays that follow from one layout, or of two.
void draw_signs(Random& random, Problem& problem) {
    const std::uint64_t real_bytes = stored_bytes(problem.precision, problem.storage);
    const bool is_r2c = problem.kind == Kind::r2c, is_c2r = problem.kind == Kind::c2r;
    const bool is_real = is_real_to_real(problem.kind), in_place = problem.placement == Placement::in_place;
    ArrayShape in{problem.lengths, problem.batch, real_bytes, is_real || is_r2c};
    ArrayShape out{problem.lengths, problem.batch, real_bytes, is_real || is_c2r};
    std::size_t halved = none;
    if (is_r2c || is_c2r) {
        const std::size_t rank = problem.lengths.size();
        const int named = problem.halved_axis ? *problem.halved_axis : static_cast<int>(listed_axes(problem).back());
        halved = static_cast<std::size_t>(named < 0 ? named + static_cast<int>(rank) : named);
        (is_r2c ? out : in).counts[halved] = problem.lengths[halved] / 2 + 1;
    }
    const bool has_input = !problem.input.strides.empty(), has_output = !problem.output.strides.empty();
    if (!in_place) {
        if (random.one_in(2)) reverse_some(random, problem.input, in);
        if (random.one_in(2)) reverse_some(random, problem.output, out);
    } else if (has_input && has_output) {
        reverse_some(random, problem.input, in);
        reverse_some(random, problem.output, out);
        // One that is 0 follows from the other where arrays lie alike.
        for (Layout* const layout : {&problem.input, &problem.output}) align_offset(*layout, 2 * real_bytes);
    } else if (has_input || (!is_r2c && !is_c2r)) {
        reverse_some(random, problem.input, in, halved);
    } else if (has_output) {
        reverse_some(random, problem.output, out, halved);
    }
}

}  // namespace

Problem draw_problem(std::uint64_t seed, std::uint64_t index, const DrawLimits& limits) {
    Random random(splitmix(seed) ^ splitmix(~index));
    Problem problem = draw_transform(random, limits);
    draw_freedoms(random, problem);
    Random of_later(splitmix(~seed) ^ splitmix(index));
    draw_later(of_later, problem);
    Random of_signs(splitmix(splitmix(seed)) ^ splitmix(index));
    if (of_signs.one_in(4)) draw_signs(of_signs, problem);
    Random of_parts(splitmix(seed) ^ splitmix(index));  // of its own, so that the rest is drawn as it always was
    if (of_parts.one_in(5)) draw_parts(of_parts, problem);
    return problem;
}

std::string class_of(const Problem& problem) {
    std::size_t rank = 0;
    bool power_of_two = true, smooth = true;
    std::string kind;
    const Geometry geometry(problem);
    for (const KindAxis& axis : geometry.axes()) {
        const std::uint64_t n = axis.length;
        rank += n > 1 ? 1 : 0;
        power_of_two = power_of_two && std::has_single_bit(n);
        smooth = smooth && next_fast_length(n) == n;
        const bool counts = is_real_to_real(axis.kind) || axis.kind == problem.kind;
        if (counts && kind.empty()) kind = std::string(to_string(axis.kind)) + " ";
        if (counts && kind != std::string(to_string(axis.kind)) + " ") kind = "mixed ";
    }
    if (problem.kind == Kind::c2c) kind.clear();
    if (rank > 1) return kind + (smooth ? "n-D" : "n-D Bluestein");
    if (power_of_two) return kind + "1-D power of two";
    return kind + (smooth ? "1-D smooth" : "1-D Bluestein");
}

}  // namespace seiche::cli
