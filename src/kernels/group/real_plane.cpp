// A plane of real numbers in one kernel. Two neighbours of a row are a point, z[r][j] = x[r][2 j] + i x[r][2 j + 1],
// and the points are a complex plane of n rows and m columns, which both passes transform as any other
// (OnChip). What makes rows' bins of their points (Cooley, Lewis & Welch, "The fast Fourier transform
// algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms", 1970) is linear but
// for a conjugation, and that turns around the frequencies of the other axis: bin (e, c) of the plane's half spectrum
// and bin (-e, m - c) are made of points (e, c) and (-e, m - c) of its transform, and these of them. So bins meet
// behind the last pass of r2c, or before the first of c2r, in the shared memory through which its stages exchange, and
// m + 1 columns, mostly an odd count, are nobody's sequences. Of c2r the points of column 0 are made of columns 0 and
// m; what of these is no spectrum of real numbers is left out, as it is where rows are a pass of their own.
#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

Complex half_of(Frame& frame, Complex x) { return x * frame.builder.constant(frame.real, 0.5); }

}  // namespace

std::uint32_t GroupKernel::plane_transforms() const {
    const std::uint64_t columns = spec_.loops[0].count;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, shape_.sequences / columns));
}

/// Items of so many columns and elements in each transform, dealt to the threads one by one, neighbours in rows. Where
/// these come in whole rows a thread's items are a constant count of them ahead of the first.
std::vector<GroupKernel::PlaneItem> GroupKernel::plane_items(std::uint64_t columns, std::uint64_t elements) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t transforms = plane_transforms(), total = columns * elements * transforms;
    const bool has_rows = group_size_ % columns == 0;
    const std::uint64_t rows = group_size_ / columns;
    std::vector<PlaneItem> all;
    for (std::uint64_t first = 0; first < total; first += group_size_) {
        const Value flat = build.thread_id() + first, row = (has_rows ? build.thread_id() : flat) / columns;
        const std::uint64_t ahead = has_rows ? first / columns : 0;
        PlaneItem item;
        item.pair = (has_rows ? build.thread_id() : flat) % columns;
        if (transforms == 1) {
            item.transform = frame_.u32(0);
            item.element = row;
            item.ahead = ahead;
            item.is_disjoint = power_of_two_ && std::has_single_bit(rows);
        } else if (has_rows && rows % elements == 0) {
            item.transform = row / elements + ahead / elements;
            item.element = row % elements;
        } else {
            item.transform = (row + ahead) / elements;
            item.element = (row + ahead) % elements;
        }
        item.mirrored = frame_.u32(spec_.n) - item.element;
        if (item.ahead == 0)
            item.mirrored =
                build.select(build.compare(ir::Op::equal, item.element, frame_.u32(0)), frame_.u32(0), item.mirrored);
        if (first + group_size_ > total) item.exists = build.less(flat, frame_.u32(total));
        item.sequence = plane_origin(item.transform);
        item.live = frame_.total ? both(build.less(item.sequence, frame_.total), item.exists) : item.exists;
        all.push_back(item);
    }
    return all;
}

/// The first sequence of one of the group's transforms.
Value GroupKernel::plane_origin(Value transform) {
    const std::uint64_t columns = spec_.loops[0].count;
    const std::uint64_t of_cluster = std::uint64_t{shape_.sequences} * shape_.groups_per_cluster;
    return group_id() / std::uint64_t{shape_.groups_per_cluster} * of_cluster + transform * columns;
}

/// Columns c and m - c, c below the middle. Among the groups of a cluster, each of which has columns and their mirrors,
/// the middle one takes the place of column 0's, which is its own.
std::vector<GroupKernel::PlaneItem> GroupKernel::plane_bins() {
    ir::Builder& build = frame_.builder;
    const std::uint64_t columns = spec_.loops[0].count, each = shape_.sequences / plane_transforms();
    const Value none = frame_.u32(0);
    std::vector<PlaneItem> all = plane_items((each + 1) / 2, spec_.n);
    for (PlaneItem& item : all) {
        item.column = item.low = item.pair;
        if (shape_.columns_meet)
            item.column = item.pair + group_id() % std::uint64_t{shape_.groups_per_cluster} * (each / 2);
        item.is_first = build.compare(ir::Op::equal, item.column, none);
        const Value mirror = frame_.u32(shape_.columns_meet ? each - 1 : columns) - item.pair;
        item.high = build.select(item.is_first, none, mirror);
    }
    return all;
}

/// One column that the first group of a cluster has: 0 with the elements up to the middle, or that in the middle with
/// all of them.
std::vector<GroupKernel::PlaneItem> GroupKernel::plane_column(std::uint64_t column) {
    const std::uint64_t each = shape_.sequences / plane_transforms();
    std::vector<PlaneItem> all = plane_items(1, column == 0 ? spec_.n / 2 + 1 : spec_.n);
    for (PlaneItem& item : all) {
        if (shape_.columns_meet) {
            item.exists = both(item.exists, has_own_mirrors());
            item.live = both(item.live, has_own_mirrors());
        }
        item.column = frame_.u32(column);
        item.low = item.high = frame_.u32(column == 0 ? 0 : shape_.columns_meet ? each - 1 : column);
        const Value ahead = frame_.u32(item.ahead);
        item.is_other = frame_.builder.compare(ir::Op::not_equal, item.element + ahead, item.mirrored - ahead);
    }
    return all;
}

/// The middle column, of an even count.
std::vector<GroupKernel::PlaneItem> GroupKernel::plane_middle() {
    const std::uint64_t columns = spec_.loops[0].count;
    return columns % 2 == 0 ? plane_column(columns / 2) : std::vector<PlaneItem>{};
}

/// Of the element, or of its mirror.
Value GroupKernel::plane_place(const PlaneItem& item, Value column, bool is_mirrored) {
    const std::uint64_t each = shape_.sequences / plane_transforms();
    const Value first = (item.transform * each + column) * std::uint64_t{pitch_};
    if (is_mirrored) return swizzle_.apply(first + item.mirrored - frame_.u32(item.ahead), 0, power_of_two_);
    return swizzle_.apply(first + item.element, static_cast<std::uint32_t>(item.ahead), item.is_disjoint);
}

Value GroupKernel::plane_address(const PlaneItem& item, bool is_mirrored, Value column, Side side) {
    const bool is_input = side == Side::input;
    // Modulo 2^64, where a stride may be below 0.
    const auto down = static_cast<std::uint64_t>(spec_.side(is_input).stride);
    const auto along =
        static_cast<std::uint64_t>(is_input ? spec_.loops[0].input_stride : spec_.loops[0].output_stride);
    constexpr std::uint64_t most = 0xffffffff;
    const bool is_narrow = down <= most && along <= most && spec_.n * down + plane_map().length * along <= most;
    const Value element = is_mirrored ? item.mirrored : item.element;
    const Value offset = is_narrow ? frame_.widen(element * down + column * along)
                                   : frame_.widen(element) * down + frame_.widen(column) * along;
    const std::uint64_t ahead = item.ahead * down;
    return (frame_.origin(item.sequence, side) + offset) + (is_mirrored ? 0 - ahead : ahead);
}

// -- From points to bins.

void GroupKernel::store_plane() {
    const std::vector<PlaneItem> bins = plane_bins(), middle = plane_middle();
    std::vector<PointPair> points(bins.size()), own(middle.size());
    const std::vector<Complex> results = points_;
    exchange_layout(bins_layout_);
    for (const Round& round : rounds()) {
        frame_.builder.group_barrier();
        points_ = results;
        for (const Part part : round.parts) write_part(stages_.back(), {}, part);
        frame_.builder.group_barrier();
        for (const Part part : round.parts) {
            for (std::size_t i = 0; i < bins.size(); ++i) {
                get(part, plane_place(bins[i], bins[i].low, false), points[i].low, bins[i].exists);
                get(part, plane_place(bins[i], bins[i].high, true), points[i].high, bins[i].exists);
            }
            for (std::size_t i = 0; i < middle.size(); ++i)
                get(part, plane_place(middle[i], middle[i].low, true), own[i].low, middle[i].exists);
        }
    }
    exchange_layout(bins_layout_);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const PlaneItem& item = bins[i];
        const std::vector<SpectrumElement> elements =
            store_column_pair(frame_, plane_map(), {item.column, {}, item.exists}, points[i]);
        store_in_plane(item, false, elements[0]);
        store_in_plane(item, true, elements[1]);
    }
    for (std::size_t i = 0; i < middle.size(); ++i)
        store_in_plane(middle[i], false, {middle[i].column, conj(own[i].low), {}});
}

void GroupKernel::store_in_plane(const PlaneItem& item, bool is_mirrored, const SpectrumElement& bin) {
    const Complex x = apply(frame_, spec_.out.stages, bin.value, {});
    frame_.store(plane_address(item, is_mirrored, bin.index, Side::output), x, item.live);
}

// -- From bins to points.

void GroupKernel::load_plane() {
    std::vector<PlaneItem> all = plane_bins();
    std::vector<PointPair> points;
    for (PlaneItem& item : all) points.push_back(load_plane_bins(item));
    for (PlaneItem& item : plane_column(0)) {
        points.push_back(load_plane_edge(item));
        all.push_back(item);
    }
    const StageDeal& stage = stages_.front();
    points_.assign(std::size_t{stage.slots} * stage.radix, {});
    exchange_layout(bins_layout_);
    for (const Round& round : rounds()) {
        if (exchanged_) frame_.builder.group_barrier();
        exchanged_ = true;
        for (const Part part : round.parts) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const PlaneItem& item = all[i];
                put(part, plane_place(item, item.low, false), points[i].low, item.exists);
                put(part, plane_place(item, item.high, true), points[i].high, both(item.exists, item.is_other));
            }
        }
        frame_.builder.group_barrier();
        for (const Part part : round.parts) read_part(stage, {}, part);
    }
    exchange_layout(bins_layout_);
}

/// In the place of column 0 is the middle one, or none of an odd count. Of the middle one each element is read once, by
/// the item of the point that mirrors it.
PointPair GroupKernel::load_plane_bins(PlaneItem& item) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t columns = spec_.loops[0].count, each = shape_.sequences / plane_transforms();
    const Value is_first = item.is_first, middle = frame_.u32(columns / 2);
    item.is_other = build.compare(ir::Op::not_equal, item.column, frame_.u32(0));
    if (columns % 2 != 0) item.exists = both(item.exists, item.is_other), item.live = both(item.live, item.is_other);
    item.column = build.select(is_first, middle, item.column);
    item.low = build.select(is_first, shape_.columns_meet ? frame_.u32(each - 1) : middle, item.low);
    const auto load = [&](bool is_mirrored, Value column, Value when) {
        return frame_.load(plane_address(item, is_mirrored, column, Side::input), 1, both(item.live, when));
    };
    const Complex own = load(false, item.column, item.is_other);
    const Complex high = load(true, mirror(frame_, plane_map(), item.column), {}), low = select(is_first, high, own);
    return load_column_pair(
        frame_, plane_map(), {item.column, {}, item.exists},
        [&, is_low = true](Value, Value) mutable { return std::exchange(is_low, false) ? low : high; });
}

/// Columns 0 and m, elements e and -e.
PointPair GroupKernel::load_plane_edge(const PlaneItem& item) {
    const auto load = [&](std::uint64_t column) {
        const auto at = [&](bool is_mirrored) {
            return plane_address(item, is_mirrored, frame_.u32(column), Side::input);
        };
        const Complex own = frame_.load(at(false), 1, item.live);
        const Complex other = frame_.load(at(true), 1, both(item.live, item.is_other));
        // The imaginary part of an element that is its own mirror is ignored, even a NaN.
        const Value zero = frame_.builder.constant(frame_.real, 0);
        const Value re = own.re + frame_.builder.select(item.is_other, other.re, own.re);
        return half_of(frame_, {re, frame_.builder.select(item.is_other, own.im - other.im, zero)});
    };
    const Complex first = load(0), last = load(spec_.loops[0].count);
    const Complex even = first + last, odd = first - last;
    return {even + times_i(odd), conj(even) + times_i(conj(odd))};
}

/// What the first subgroup touches of columns and their mirrors.
void GroupKernel::add_plane_patterns(std::vector<AccessPattern>& all) const {
    constexpr std::uint32_t subgroup = 32;
    const std::uint32_t each = shape_.sequences / plane_transforms(), pairs = (each + 1) / 2;
    AccessPattern low, high;
    for (std::uint32_t t = 0; t < std::min(group_size_, subgroup); ++t) {
        const std::uint32_t column = t % pairs, element = t / pairs % spec_.n;
        const std::uint32_t mirror = column == 0 ? 0 : each - (shape_.columns_meet ? 1 : 0) - column;
        low.push_back(column * pitch_ + element);
        high.push_back(mirror * pitch_ + (element == 0 ? 0 : spec_.n - element));
    }
    all.push_back(low);
    all.push_back(high);
}

}  // namespace seiche::kernels
