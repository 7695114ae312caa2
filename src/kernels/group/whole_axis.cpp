// A real axis whose core is both passes of one group's kernel: pairs of bins k and m - k meet in the shared memory
// through which the passes exchange, where the core's m points then lie in their own order.
#include "kernels/group/transpose_map.hpp"
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// A pair of bins: which of its transform, and where the transform's points are.
struct AxisItem {
    Value index, first;
    Value sequence;      // the first of the transform
    Value exists, live;  // as an item; of a transform that there is
};

class AxisBins : Pass {
public:
    AxisBins(const Pass& pass, Side side)
        : Pass(pass),
          map_(*spec.side(side).bins()),
          columns_(spec.loops[0].count),
          points_(real_core(map_.kind, map_.length).points) {}
    void load(std::vector<Complex>& points) const;
    void store(const std::vector<Complex>& points) const;

private:
    std::vector<AxisItem> items() const;
    Value place(const ThreadButterfly& where, Value element) const;
    Complex read(const AxisItem& item, Value element, Value when) const;

    const RealMap& map_;
    std::uint64_t columns_, points_;  // of a transform
};

std::vector<AxisItem> AxisBins::items() const {
    ir::Builder& build = frame.builder;
    const std::uint64_t each = spectrum_pairs(map_), transforms = shape.sequences / columns_, total = each * transforms;
    std::vector<AxisItem> all;
    for (std::uint64_t first = 0; first < total; first += threads.launched()) {
        const Value flat = build.thread_id() + first;
        AxisItem item;
        if (first + threads.launched() > total) item.exists = build.less(flat, frame.u32(total));
        const Value own = item.exists ? build.select(item.exists, flat, frame.u32(0)) : flat;
        const Value transform = transforms == 1 ? frame.u32(0) : own / each;
        item.index = transforms == 1 ? own : own % each;
        item.first = transform * points_;
        item.sequence = sequences.first() + transform * columns_;
        item.live = frame.total ? both(build.less(item.sequence, frame.total), item.exists) : item.exists;
        all.push_back(item);
    }
    return all;
}

/// Of element e of column c: point e s + c of its transform, of s columns.
Value AxisBins::place(const ThreadButterfly& where, Value element) const {
    const InTransform<Value> in = in_transform(spec, where.sequence_in_group, frame.u32(0));
    return in.transform * points_ + element * columns_ + in.sequence;
}

void AxisBins::store(const std::vector<Complex>& results) const {
    const CoreStage& stage = threads.last();
    const std::uint32_t count = sequence_points(spec, spec.out.stages);
    const std::vector<AxisItem> all = items();
    std::vector<PointPair> pairs(all.size());
    std::vector<Complex> passed(results.size());
    threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
        if (passage.is_empty(stage, std::uint64_t{leg} * stage.butterflies, Side::output)) return;
        passed[i] =
            passage.pass(Side::output, results[i], where, threads.place(stage, where, leg), threads.row_of(stage, i));
    });
    for (const Round& round : exchange.rounds()) {
        exchange.wait_for_readers();
        threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
            const std::uint64_t ahead = std::uint64_t{leg} * stage.butterflies;
            if (!passed[i].re) return;
            const Value element = where.butterfly + ahead;
            const bool is_whole = ahead + stage.butterflies <= count;
            const Value is_point = is_whole ? Value{} : frame.builder.less(element, frame.u32(count));
            for (const Component one : round.components)
                exchange.put(one, place(where, element), passed[i], both(where.owns, is_point));
        });
        exchange.wait();
        for (const Component one : round.components)
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Value none = frame.u32(0);
                const Value is_zero = frame.builder.compare(ir::Op::equal, all[i].index, none);
                const Value other = frame.builder.select(is_zero, none, mirror(frame, map_, all[i].index));
                exchange.get(one, all[i].first + all[i].index, pairs[i].low, all[i].exists);
                exchange.get(one, all[i].first + other, pairs[i].high, all[i].exists);
            }
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const SpectrumElement& element : store_spectrum_pair(frame, map_, all[i].index, pairs[i]))
            store_element(*this, all[i].sequence, all[i].live, element);
}

Complex AxisBins::read(const AxisItem& item, Value element, Value when) const {
    const Value at = frame.address(frame.origin(item.sequence, Side::input), element, 0, Side::input);
    return frame.load(at, 1, both(item.live, when));
}

void AxisBins::load(std::vector<Complex>& points) const {
    const CoreStage& stage = threads.first();
    const std::vector<AxisItem> all = items();
    std::vector<PointPair> pairs;
    for (const AxisItem& item : all)
        pairs.push_back(load_spectrum_pair(frame, map_, item.index,
                                           [&](Value element, Value when) { return read(item, element, when); }));
    points.assign(stage.points(), {});
    for (const Round& round : exchange.rounds()) {
        exchange.wait_for_readers();
        for (const Component one : round.components)
            for (std::size_t i = 0; i < all.size(); ++i) {
                const Value is_other = both(all[i].exists, has_mirror(frame, map_, all[i].index));
                exchange.put(one, all[i].first + all[i].index, pairs[i].low, all[i].exists);
                exchange.put(one, all[i].first + mirror(frame, map_, all[i].index), pairs[i].high, is_other);
            }
        exchange.wait();
        threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
            const Value element = threads.element(stage, where, leg);
            for (const Component one : round.components)
                exchange.get(one, place(where, element), points[i], where.exists);
        });
    }
}

}  // namespace

bool has_whole_axis(const KernelSpec& spec, Side side) {
    const RealMap* map = spec.side(side).bins();
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    return map && shape && !is_of_plane(*map) && !shape->has_mirrors_in_group();
}

void load_axis(const Pass& pass, std::vector<Complex>& points) { AxisBins(pass, Side::input).load(points); }
void store_axis(const Pass& pass, const std::vector<Complex>& points) { AxisBins(pass, Side::output).store(points); }

}  // namespace seiche::kernels
