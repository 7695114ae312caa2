// The first or last of several passes beside the spectrum of a real kind: bins k and m - k of the core are element e of
// column c and element n - 1 - e of column s - c, of s columns of n points. A group has mirrored columns, and a thread
// their mirrored butterflies, so that what the two bins make, or are made of, is in its registers. Columns 0 and s / 2
// are their own mirrors and take the places of each other's: butterfly b of column 0 has B - b for its mirror, as in
// group/conjugate_pairs.cpp, and the other one B - 1 - b.
#include "kernels/group/group.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// Whether the group has columns 0 and s / 2.
Value GroupKernel::has_own_mirrors() {
    const Value place = group_id() % (spec_.loops[0].count / shape_.sequences);
    return frame_.builder.compare(ir::Op::equal, place, frame_.u32(0));
}

GroupKernel::Slot GroupKernel::column_slot(const StageDeal& stage, std::uint32_t u, Slot slot) {
    ir::Builder& build = frame_.builder;
    const Value b = slot.butterfly, own = slot.sequence_in_group, has_own = has_own_mirrors();
    const std::uint64_t last = shape_.sequences - 1;
    const Value is_column_0 = has_own & build.compare(ir::Op::equal, own, frame_.u32(0));
    const Value is_middle = has_own & build.compare(ir::Op::equal, own, frame_.u32(last));
    slot.sequence_in_group = build.select(is_column_0 | is_middle, own, frame_.u32(last) - own);
    slot.butterfly = build.select(is_column_0, frame_.u32(stage.butterflies), frame_.u32(stage.butterflies - 1)) - b;
    if (u != 1) return slot;
    const Value is_first = is_column_0 & build.compare(ir::Op::equal, b, frame_.u32(0));
    slot.butterfly = build.select(is_first, frame_.u32(stage.butterflies / 2), slot.butterfly);
    return slot;
}

/// The pairs of bins of slots u and u + 1, one for each leg.
std::vector<GroupKernel::BinPair> GroupKernel::column_pairs(const StageDeal& stage, std::uint32_t u) {
    const RealMap& map = spec_.in.bins() ? *spec_.in.bins() : *spec_.out.bins();
    const Slot forwards = slot(stage, u), backwards = slot(stage, u + 1);
    const Value own_column = frame_.loop_index(sequence(forwards), 0);
    const Value other_column = frame_.loop_index(sequence(backwards), 0);
    Value is_first;
    if (u == 0)
        is_first = frame_.builder.compare(ir::Op::equal, own_column, frame_.u32(0)) &
                   frame_.builder.compare(ir::Op::equal, forwards.butterfly, frame_.u32(0));
    const std::uint32_t r = stage.radix, half = (r + 1) / 2;
    const std::size_t own = std::size_t{u} * r, other = own + r;
    std::vector<BinPair> pairs;
    for (std::uint32_t q = 0; q < r; ++q) {
        const bool is_own = q < half;
        const std::uint32_t leg = is_own ? q : r - 1 - q;
        BinPair pair;
        pair.low = (is_own ? own : other) + leg;
        pair.high = (is_own ? other : own) + r - 1 - leg;
        pair.is_first = is_first;
        pair.first_high = is_own ? own + (r - leg) % r : other + r - 1 - leg;
        pair.sequence = sequence(forwards);
        pair.exists = exists(forwards);
        pair.bin.element = (is_own ? forwards : backwards).butterfly + std::uint64_t{leg} * stage.butterflies;
        pair.bin.column = is_own ? own_column : other_column;
        pair.bin.k = pair.bin.element * map.element_stride + pair.bin.column;
        pair.bin.exists = forwards.exists;
        if (q == 0) pair.bin.is_zero = is_first;
        pairs.push_back(pair);
    }
    return pairs;
}

/// Of a spectrum whose elements are the bins, of a whole axis or of columns.
void GroupKernel::load_twos() {
    const RealMap& map = spec_.in.bins() ? *spec_.in.bins() : *spec_.in.map();
    const StageDeal& stage = stages_.front();
    points_.assign(std::size_t{stage.slots} * stage.radix, {});
    for (std::uint32_t u = 0; u < stage.slots; u += 2) {
        const std::vector<BinPair> pairs = spec_.in.bins() ? column_pairs(stage, u) : bin_pairs(stage, u);
        const BinPair& front = pairs.front();
        const Value origin = frame_.origin(front.sequence, Side::input);
        const auto read = [&](Value element, Value exists) -> Complex {
            const Value at = frame_.address(origin, element, 0, Side::input);
            const Value predicate = both(exists, frame_.kept(element, front.sequence, Side::input));
            const Complex x =
                spec_.in.is_real() ? Complex{frame_.load_real(at, 1, predicate), {}} : frame_.load(at, 1, predicate);
            return apply_to_element(frame_, spec_.in.stages, {element, front.sequence, predicate}, x);
        };
        std::vector<PointPair> points;
        for (const BinPair& pair : pairs) {
            const auto read_own = [&](Value element, Value when) { return read(element, both(pair.exists, when)); };
            points.push_back(load_column_pair(frame_, map, pair.bin, read_own));
            points_[pair.low] = points.back().low;
            points_[pair.high] = points.back().high;
        }
        if (u != 0) continue;
        // In the thread that has bin 0: both of the halves of its butterflies, once all are known.
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (!pairs[i].is_first || pairs[i].first_high == pairs[i].low) continue;  // bin 0 is alone
            points_[pairs[i].first_high] = select(pairs[i].is_first, points[i].high, points_[pairs[i].first_high]);
        }
        const std::optional<std::size_t> at = middle_bin(stage);
        if (!at) continue;
        const Value has_it = both(front.exists, front.is_first);
        const Complex middle =
            load_middle(frame_, map, [&](Value element, Value when) { return read(element, both(has_it, when)); });
        points_[*at] = select(front.is_first, middle, points_[*at]);
    }
}

/// An element on its way out; of a pass of several its points have not been through the pass's stages.
void GroupKernel::store_bin_element(const BinPair& pair, const SpectrumElement& element) {
    const Value zero = frame_.builder.constant(frame_.real, 0);
    Complex x = element.value;
    if (spec_.out.bins()) x = apply(frame_, spec_.out.stages, x.im ? x : Complex{x.re, zero}, {});
    if (spec_.out.is_real()) x.im = {};
    store_element({{}, pair.sequence, {}, {}, pair.exists}, {element.index, x, element.exists});
}

void GroupKernel::store_twos() {
    const RealMap& map = spec_.out.bins() ? *spec_.out.bins() : *spec_.out.map();
    const StageDeal& stage = stages_.back();
    const std::optional<std::size_t> middle = middle_bin(stage);
    for (std::uint32_t u = 0; u < stage.slots; u += 2) {
        const std::vector<BinPair> pairs = spec_.out.bins() ? column_pairs(stage, u) : bin_pairs(stage, u);
        for (const BinPair& pair : pairs) {
            PointPair points{points_[pair.low], points_[pair.high]};
            if (pair.is_first) points.high = select(pair.is_first, points_[pair.first_high], points.high);
            for (const SpectrumElement& element : store_column_pair(frame_, map, pair.bin, points))
                store_bin_element(pair, element);
        }
        if (u != 0 || !middle) continue;
        const BinPair& first = pairs.front();
        for (const SpectrumElement& element : store_middle(frame_, map, points_[*middle], first.is_first))
            store_bin_element(first, element);
    }
}

}  // namespace seiche::kernels
