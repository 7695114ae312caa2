// A plane of real numbers in one kernel. Two neighbours of a row are a point, z[r][j] = x[r][2 j] + i x[r][2 j + 1],
// and the points are a complex plane of n rows and m columns, which both passes transform as any other
// (OnChip). What makes rows' bins of their points (Cooley, Lewis & Welch, "The fast Fourier transform
// algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms", 1970) is linear but
// for a conjugation, and that turns around the frequencies of the other axis: bin (e, c) of the plane's half spectrum
// and bin (-e, m - c) are made of points (e, c) and (-e, m - c) of its transform, and these of them. Pairs meet
// behind the last pass of r2c, or before the first of c2r, in the shared memory through which its stages exchange, and
// m + 1 columns, mostly an odd count, are nobody's sequences. Of c2r the points of column 0 are made of columns 0 and
// m; what of these is no spectrum of real numbers is left out, as it is where rows are a pass of their own.
#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/group/patterns.hpp"
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

Complex half_of(Frame& frame, Complex x) { return x * frame.builder.constant(frame.real, 0.5); }

std::uint32_t transforms_of(const KernelSpec& spec, const GroupShape& shape) {
    const std::uint64_t columns = spec.loops[0].count;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, shape.sequences / columns));
}

/// Bins (e, c) and (-e, m - c) of a plane's spectrum, and the points that make them: (element, low) and (mirrored,
/// high), columns counted as the group has them.
struct PlaneItem {
    Value transform, pair;    // of the group
    Value element, mirrored;  // e less `ahead`, -e and `ahead`
    std::uint64_t ahead = 0;
    bool is_disjoint = false;  // element and `ahead` have no bit in common
    Value column, low, high;   // c, and where the group has c and m - c
    Value is_first;            // c is 0; empty: it is known
    Value is_other;            // the second point is another than the first; empty: it is
    Value sequence;            // the first of the transform
    Value exists, live;        // as an item; of a transform that there is
};

class PlaneBins : Pass {
public:
    explicit PlaneBins(const Pass& pass)
        : Pass(pass),
          map_(spec.in.bins() ? *spec.in.bins() : *spec.out.bins()),
          transforms_(transforms_of(spec, shape)),
          columns_(spec.loops[0].count),
          each_(shape.sequences / transforms_) {}
    void load(std::vector<Complex>& points) const;
    void store(const std::vector<Complex>& points) const;

private:
    Value origin(Value transform) const;
    std::vector<PlaneItem> items(std::uint64_t columns, std::uint64_t elements) const;
    std::vector<PlaneItem> bins() const;
    std::vector<PlaneItem> column(std::uint64_t column) const;
    std::vector<PlaneItem> middle_column() const;
    Value place(const PlaneItem& item, Value column, bool is_mirrored) const;
    Value address(const PlaneItem& item, bool is_mirrored, Value column, Side side) const;
    void store_bin(const PlaneItem& item, bool is_mirrored, const SpectrumElement& bin) const;
    PointPair load_bins(PlaneItem& item) const;
    PointPair load_edge(const PlaneItem& item) const;

    const RealMap& map_;
    std::uint64_t transforms_, columns_, each_;  // of the group; columns of a transform; of the group's, in each
};

/// Items of so many columns and elements in each transform, distributed to the threads one by one, neighbours in rows.
/// Where these come in whole rows a thread's items are a constant count of them ahead of the first.
std::vector<PlaneItem> PlaneBins::items(std::uint64_t columns, std::uint64_t elements) const {
    ir::Builder& build = frame.builder;
    const std::uint64_t total = columns * elements * transforms_;
    const bool has_rows = threads.count() % columns == 0;
    const std::uint64_t rows = threads.count() / columns;
    std::vector<PlaneItem> all;
    for (std::uint64_t first = 0; first < total; first += threads.count()) {
        const Value flat = build.thread_id() + first, row = (has_rows ? build.thread_id() : flat) / columns;
        const std::uint64_t ahead = has_rows ? first / columns : 0;
        PlaneItem item;
        item.pair = (has_rows ? build.thread_id() : flat) % columns;
        if (transforms_ == 1) {
            item.transform = frame.u32(0);
            item.element = row;
            item.ahead = ahead;
            item.is_disjoint = layout.is_power_of_two() && std::has_single_bit(rows);
        } else if (has_rows && rows % elements == 0) {
            item.transform = row / elements + ahead / elements;
            item.element = row % elements;
        } else {
            item.transform = (row + ahead) / elements;
            item.element = (row + ahead) % elements;
        }
        item.mirrored = frame.u32(spec.n) - item.element;
        if (item.ahead == 0)
            item.mirrored =
                build.select(build.compare(ir::Op::equal, item.element, frame.u32(0)), frame.u32(0), item.mirrored);
        if (first + threads.count() > total) item.exists = build.less(flat, frame.u32(total));
        item.sequence = origin(item.transform);
        item.live = frame.total ? both(build.less(item.sequence, frame.total), item.exists) : item.exists;
        all.push_back(item);
    }
    return all;
}

/// The first sequence of one of the group's transforms.
Value PlaneBins::origin(Value transform) const {
    const std::uint64_t of_cluster = std::uint64_t{shape.sequences} * shape.groups_per_cluster;
    return sequences.group_id() / std::uint64_t{shape.groups_per_cluster} * of_cluster + transform * columns_;
}

/// Columns c and m - c, c below the middle. Among the groups of a cluster, each of which has columns and their mirrors,
/// the middle one takes the place of column 0's, which is its own.
std::vector<PlaneItem> PlaneBins::bins() const {
    ir::Builder& build = frame.builder;
    const Value none = frame.u32(0);
    std::vector<PlaneItem> all = items((each_ + 1) / 2, spec.n);
    for (PlaneItem& item : all) {
        item.column = item.low = item.pair;
        if (shape.has_mirrors_in_group())
            item.column = item.pair + sequences.group_id() % std::uint64_t{shape.groups_per_cluster} * (each_ / 2);
        item.is_first = build.compare(ir::Op::equal, item.column, none);
        const Value mirror = frame.u32(shape.has_mirrors_in_group() ? each_ - 1 : columns_) - item.pair;
        item.high = build.select(item.is_first, none, mirror);
    }
    return all;
}

/// One column that the first group of a cluster has: 0 with the elements up to the middle, or that in the middle with
/// all of them.
std::vector<PlaneItem> PlaneBins::column(std::uint64_t column) const {
    std::vector<PlaneItem> all = items(1, column == 0 ? spec.n / 2 + 1 : spec.n);
    for (PlaneItem& item : all) {
        if (shape.has_mirrors_in_group()) {
            item.exists = both(item.exists, sequences.has_own_mirrors());
            item.live = both(item.live, sequences.has_own_mirrors());
        }
        item.column = frame.u32(column);
        item.low = item.high = frame.u32(column == 0 ? 0 : shape.has_mirrors_in_group() ? each_ - 1 : column);
        const Value ahead = frame.u32(item.ahead);
        item.is_other = frame.builder.compare(ir::Op::not_equal, item.element + ahead, item.mirrored - ahead);
    }
    return all;
}

/// The middle column, of an even count.
std::vector<PlaneItem> PlaneBins::middle_column() const {
    return columns_ % 2 == 0 ? column(columns_ / 2) : std::vector<PlaneItem>{};
}

/// Of the element, or of its mirror.
Value PlaneBins::place(const PlaneItem& item, Value column, bool is_mirrored) const {
    const Value first = (item.transform * each_ + column) * std::uint64_t{layout.pitch()};
    if (is_mirrored) return layout.at_leg(first + item.mirrored - frame.u32(item.ahead), 0);
    return layout.at(first + item.element, static_cast<std::uint32_t>(item.ahead), item.is_disjoint);
}

Value PlaneBins::address(const PlaneItem& item, bool is_mirrored, Value column, Side side) const {
    const bool is_input = side == Side::input;
    // Modulo 2^64, where a stride may be below 0.
    const auto down = static_cast<std::uint64_t>(spec.side(is_input).stride);
    const auto along = static_cast<std::uint64_t>(is_input ? spec.loops[0].input_stride : spec.loops[0].output_stride);
    constexpr std::uint64_t most = 0xffffffff;
    const bool is_narrow = down <= most && along <= most && spec.n * down + map_.length * along <= most;
    const Value element = is_mirrored ? item.mirrored : item.element;
    const Value offset = is_narrow ? frame.widen(element * down + column * along)
                                   : frame.widen(element) * down + frame.widen(column) * along;
    const std::uint64_t ahead = item.ahead * down;
    return (frame.origin(item.sequence, side) + offset) + (is_mirrored ? 0 - ahead : ahead);
}

// -- From points to bins.

void PlaneBins::store(const std::vector<Complex>& results) const {
    const std::vector<PlaneItem> items = bins(), middle = middle_column();
    std::vector<PointPair> points(items.size()), own(middle.size());
    layout.swap_bins();
    for (const Round& round : exchange.rounds()) {
        exchange.wait();
        for (const Component one : round.components) exchange.write(threads.last(), {}, one, {results, {}});
        exchange.wait();
        for (const Component one : round.components) {
            for (std::size_t i = 0; i < items.size(); ++i) {
                exchange.get(one, place(items[i], items[i].low, false), points[i].low, items[i].exists);
                exchange.get(one, place(items[i], items[i].high, true), points[i].high, items[i].exists);
            }
            for (std::size_t i = 0; i < middle.size(); ++i)
                exchange.get(one, place(middle[i], middle[i].low, true), own[i].low, middle[i].exists);
        }
    }
    layout.swap_bins();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const PlaneItem& item = items[i];
        const std::vector<SpectrumElement> elements =
            store_column_pair(frame, map_, {item.column, {}, item.exists}, points[i]);
        store_bin(item, false, elements[0]);
        store_bin(item, true, elements[1]);
    }
    for (std::size_t i = 0; i < middle.size(); ++i)
        store_bin(middle[i], false, {middle[i].column, conj(own[i].low), {}});
}

void PlaneBins::store_bin(const PlaneItem& item, bool is_mirrored, const SpectrumElement& bin) const {
    const Complex x = apply(frame, spec.out.stages, bin.value, {});
    frame.store(address(item, is_mirrored, bin.index, Side::output), x, item.live);
}

// -- From bins to points.

void PlaneBins::load(std::vector<Complex>& points) const {
    std::vector<PlaneItem> all = bins();
    std::vector<PointPair> made;
    for (PlaneItem& item : all) made.push_back(load_bins(item));
    for (PlaneItem& item : column(0)) {
        made.push_back(load_edge(item));
        all.push_back(item);
    }
    const CoreStage& stage = threads.first();
    Registers registers{std::vector<Complex>(stage.points()), {}};
    layout.swap_bins();
    for (const Round& round : exchange.rounds()) {
        exchange.wait_for_readers();
        for (const Component one : round.components) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const PlaneItem& item = all[i];
                exchange.put(one, place(item, item.low, false), made[i].low, item.exists);
                exchange.put(one, place(item, item.high, true), made[i].high, both(item.exists, item.is_other));
            }
        }
        exchange.wait();
        for (const Component one : round.components) exchange.read(stage, {}, one, registers);
    }
    layout.swap_bins();
    points = registers.points;
}

/// In the place of column 0 is the middle one, or none of an odd count. Of the middle one each element is read once, by
/// the item of the point that mirrors it.
PointPair PlaneBins::load_bins(PlaneItem& item) const {
    ir::Builder& build = frame.builder;
    const Value is_first = item.is_first, middle = frame.u32(columns_ / 2);
    item.is_other = build.compare(ir::Op::not_equal, item.column, frame.u32(0));
    if (columns_ % 2 != 0) item.exists = both(item.exists, item.is_other), item.live = both(item.live, item.is_other);
    item.column = build.select(is_first, middle, item.column);
    item.low = build.select(is_first, shape.has_mirrors_in_group() ? frame.u32(each_ - 1) : middle, item.low);
    const auto load = [&](bool is_mirrored, Value column, Value when) {
        return frame.load(address(item, is_mirrored, column, Side::input), 1, both(item.live, when));
    };
    const Complex own = load(false, item.column, item.is_other);
    const Complex high = load(true, mirror(frame, map_, item.column), {}), low = select(is_first, high, own);
    return load_column_pair(frame, map_, {item.column, {}, item.exists}, [&, is_low = true](Value, Value) mutable {
        return std::exchange(is_low, false) ? low : high;
    });
}

/// Columns 0 and m, elements e and -e.
PointPair PlaneBins::load_edge(const PlaneItem& item) const {
    const auto load = [&](std::uint64_t column) {
        const auto at = [&](bool is_mirrored) { return address(item, is_mirrored, frame.u32(column), Side::input); };
        const Complex own = frame.load(at(false), 1, item.live);
        const Complex other = frame.load(at(true), 1, both(item.live, item.is_other));
        // The imaginary part of an element that is its own mirror is ignored, even a NaN.
        const Value zero = frame.builder.constant(frame.real, 0);
        const Value re = own.re + frame.builder.select(item.is_other, other.re, own.re);
        return half_of(frame, {re, frame.builder.select(item.is_other, own.im - other.im, zero)});
    };
    const Complex first = load(0), last = load(columns_);
    const Complex even = first + last, odd = first - last;
    return {even + times_i(odd), conj(even) + times_i(conj(odd))};
}

}  // namespace

void load_plane(const Pass& pass, std::vector<Complex>& points) { PlaneBins(pass).load(points); }
void store_plane(const Pass& pass, const std::vector<Complex>& points) { PlaneBins(pass).store(points); }

/// What the first subgroup touches of columns and their mirrors.
void add_plane_patterns(const KernelSpec& spec, std::uint32_t threads, std::uint32_t pitch,
                        std::vector<AccessPattern>& all) {
    constexpr std::uint32_t subgroup = 32;
    const GroupShape& shape = std::get<GroupShape>(spec.shape);
    const std::uint32_t each = shape.sequences / transforms_of(spec, shape), pairs = (each + 1) / 2;
    AccessPattern low, high;
    for (std::uint32_t t = 0; t < std::min(threads, subgroup); ++t) {
        const std::uint32_t column = t % pairs, element = t / pairs % spec.n;
        const std::uint32_t mirror = column == 0 ? 0 : each - (shape.has_mirrors_in_group() ? 1 : 0) - column;
        low.push_back(column * pitch + element);
        high.push_back(mirror * pitch + (element == 0 ? 0 : spec.n - element));
    }
    all.push_back(low);
    all.push_back(high);
}

}  // namespace seiche::kernels
