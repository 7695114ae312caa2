// The GPU core between real arrays whose elements stand in the order of types II to IV: where a thread has points j and
// m - 1 - j of the core's m points, what neighbours in memory becomes the two of them, and nothing has to pass through
// shared memory on its way (the orders: Makhoul, "A fast cosine transform in one and two dimensions", 1980).
#include <algorithm>

#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

bool is_type_4(Kind kind) { return kind == Kind::dct4 || kind == Kind::dst4; }

Value negated_if(bool condition, Value x) { return condition ? -x : x; }

/// Two pairs of neighbouring numbers in memory.
struct Numbers {
    Complex first, second;
};

/// Of type IV the numbers 2 j, 2 j + 1 and 2 (m - 1 - j), 2 (m - 1 - j) + 1; of the others 4 j .. 4 j + 3. An exchange
/// of parts makes points j and m - 1 - j of them, and them of the points.
PointPair points_of(Kind kind, const Numbers& x) {
    switch (kind) {
        case Kind::dct4: return {{x.first.re, x.second.im}, {x.second.re, x.first.im}};
        case Kind::dst4: return {{x.second.im, x.first.re}, {x.first.im, x.second.re}};
        default: break;
    }
    const bool is_sine = kind == Kind::dst2 || kind == Kind::dst3;
    return {{x.first.re, x.second.re}, {negated_if(is_sine, x.second.im), negated_if(is_sine, x.first.im)}};
}

/// turn_after has left the odd elements of type IV negated; the sine transform's sign undoes that.
Numbers numbers_of(Kind kind, const PointPair& z) {
    if (is_type_4(kind)) {
        const bool is_cosine = kind == Kind::dct4;
        return {{z.low.re, negated_if(is_cosine, z.high.im)}, {z.high.re, negated_if(is_cosine, z.low.im)}};
    }
    const bool is_sine = kind == Kind::dst2 || kind == Kind::dst3;
    return {{z.low.re, negated_if(is_sine, z.high.im)}, {z.low.im, negated_if(is_sine, z.high.re)}};
}

}  // namespace

GroupKernel::Slot GroupKernel::paired_slot(const StageDeal& stage, std::uint32_t u, Slot slot) {
    const std::uint32_t pairs = (stage.butterflies + 1) / 2, first = u / 2 * shape_.threads;
    slot.butterfly = slot.lane + std::uint64_t{first};
    slot.lane = {};
    if (first + shape_.threads > pairs) slot.exists = frame_.builder.less(slot.butterfly, frame_.u32(pairs));
    slot.owns = slot.exists;
    if (u % 2 == 0) return slot;
    if (stage.pairing == Pairing::columns) return column_slot(stage, u, slot);
    return stage.pairing == Pairing::opposite ? opposite_slot(stage, u, slot) : mirrored_slot(stage, slot);
}

GroupKernel::Slot GroupKernel::mirrored_slot(const StageDeal& stage, Slot slot) {
    const Value b = slot.butterfly;
    slot.butterfly = frame_.u32(stage.butterflies - 1) - b;
    if (shape_.has_mirrors_in_group())
        slot.sequence_in_group = frame_.u32(shape_.sequences - 1) - slot.sequence_in_group;
    if (stage.butterflies % 2 != 0) {
        const Value middle = frame_.u32(stage.butterflies / 2);
        slot.owns = both(slot.exists, frame_.builder.compare(ir::Op::not_equal, b, middle));
    }
    return slot;
}

std::vector<GroupKernel::MirroredPair> GroupKernel::mirrored_pairs(const StageDeal& stage) {
    std::vector<MirroredPair> pairs;
    for (std::uint32_t u = 0; u < stage.slots; u += 2) {
        const Slot forwards = slot(stage, u), backwards = slot(stage, u + 1);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint32_t opposite = stage.radix - 1 - j;
            const std::size_t own = std::size_t{u} * stage.radix + j;
            const std::size_t other = std::size_t{u + 1} * stage.radix + opposite;
            const bool is_low = j <= opposite;
            const Slot& low = is_low ? forwards : backwards;
            const std::uint64_t leg = std::uint64_t{std::min(j, opposite)} * stage.butterflies;
            MirroredPair pair{is_low ? own : other, is_low ? other : own, low.butterfly + leg, low, {}};
            if (j == opposite && stage.butterflies % 2 != 0)
                pair.is_not_middle = frame_.builder.compare(ir::Op::not_equal, pair.element, frame_.u32(spec_.n / 2));
            pairs.push_back(pair);
        }
    }
    return pairs;
}

/// Which pairs of numbers in memory a pair of points makes or is made of. A point that is its own mirror has one.
GroupKernel::Places GroupKernel::mirrored_places(const MirroredPair& pair, Kind kind) {
    if (is_type_4(kind)) return {pair.element, frame_.u32(spec_.n - 1) - pair.element, pair.is_not_middle};
    const Value doubled = pair.element * std::uint64_t{2};
    return {doubled, doubled + std::uint64_t{1}, pair.is_not_middle};
}

PointPair GroupKernel::load_pair(const MirroredPair& pair, Kind kind) {
    const Value origin = frame_.origin(sequence(pair.slot), Side::input);
    const Value predicate = both(exists(pair.slot), pair.slot.owns);
    const auto load = [&](Value point, Value when) {
        return frame_.load(frame_.address(origin, point, 0, Side::input), 1, both(predicate, when));
    };
    const auto select = [&](Value when, Value a, Value b) { return when ? frame_.builder.select(when, a, b) : a; };
    const Places places = mirrored_places(pair, kind);
    const Value has_second = places.has_second;
    Numbers numbers{load(places.first, {}), load(places.second, has_second)};
    if (is_type_4(kind)) {
        numbers.second = {select(has_second, numbers.second.re, numbers.first.re),
                          select(has_second, numbers.second.im, numbers.first.im)};
        return points_of(kind, numbers);
    }
    PointPair points = points_of(kind, numbers);
    points.low.im = select(has_second, points.low.im, negated_if(kind == Kind::dst2, numbers.first.im));
    return points;
}

/// A butterfly that is its own mirror is in both slots of its thread, but loaded once: the second half of its pairs are
/// the first.
void GroupKernel::load_mirrored() {
    const StageDeal& stage = stages_.front();
    points_.assign(std::size_t{stage.slots} * stage.radix, {});
    const std::vector<MirroredPair> pairs = mirrored_pairs(stage);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto leg = static_cast<std::uint32_t>(i % stage.radix);
        PointPair points = load_pair(pairs[i], spec_.in.map()->kind);
        if (stage.butterflies % 2 != 0 && 2 * leg >= stage.radix) {
            const MirroredPair& twin = pairs[i - leg + (stage.radix - 1 - leg)];
            const auto select = [&](const Complex& own, const Complex& other) -> Complex {
                const Value owns = pairs[i].slot.owns;
                return {frame_.builder.select(owns, own.re, other.re), frame_.builder.select(owns, own.im, other.im)};
            };
            points = {select(points.low, points_[twin.low]), select(points.high, points_[twin.high])};
        }
        points_[pairs[i].low] = points.low;
        points_[pairs[i].high] = points.high;
    }
}

void GroupKernel::store_pair(const MirroredPair& pair, Kind kind, const Places& places) {
    const Value origin = frame_.origin(sequence(pair.slot), Side::output);
    const Value predicate = both(exists(pair.slot), pair.slot.owns);
    const auto store = [&](Value point, Complex numbers, Value when) {
        frame_.store(frame_.address(origin, point, 0, Side::output), numbers, both(predicate, when));
    };
    const Numbers numbers = numbers_of(kind, {points_[pair.low], points_[pair.high]});
    store(places.first, numbers.first, {});
    store(places.second, numbers.second, places.has_second);
}

void GroupKernel::store_mirrored() {
    const Kind kind = spec_.out.map()->kind;
    for (const MirroredPair& pair : mirrored_pairs(stages_.back())) store_pair(pair, kind, mirrored_places(pair, kind));
}

/// Point j of one column and point m - 1 - j of the mirrored one.
GroupKernel::Places GroupKernel::places_of_columns(const MirroredPair& pair, const Folded& fold) {
    const Value j = folded_index(fold, {pair.element, sequence(pair.slot), {}});
    if (is_type_4(fold.kind)) return {j, frame_.u32(fold.length / 2 - 1) - j, {}};
    const Value doubled = j * std::uint64_t{2};
    return {doubled, doubled + std::uint64_t{1}, {}};
}

void GroupKernel::load_columns() {
    const StageDeal& stage = stages_.front();
    const Folded& fold = *spec_.in.folded();
    points_.assign(std::size_t{stage.slots} * stage.radix, {});
    for (const MirroredPair& pair : mirrored_pairs(stage)) {
        const Value origin = frame_.origin(sequence(pair.slot), Side::input);
        const Value predicate = both(exists(pair.slot), pair.slot.owns);
        const auto load = [&](Value point) {
            return frame_.load(frame_.address(origin, point, 0, Side::input), 1, predicate);
        };
        const Places places = places_of_columns(pair, fold);
        const Complex first = load(places.first), second = load(places.second);
        const PointPair points = points_of(fold.kind, {first, second});
        points_[pair.low] = points.low;
        points_[pair.high] = points.high;
    }
}

void GroupKernel::store_columns() {
    const StageDeal& stage = stages_.back();
    const Folded& fold = *spec_.out.folded();
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const Value element = where.butterfly + std::uint64_t{k} * stage.butterflies;
            Complex& point = points_[u * stage.radix + k];
            point = pass_through(spec_.out.stages, point, where, {element, sequence(where), exists(where)}, 0);
        }
    }
    for (const MirroredPair& pair : mirrored_pairs(stage)) store_pair(pair, fold.kind, places_of_columns(pair, fold));
}

}  // namespace seiche::kernels
