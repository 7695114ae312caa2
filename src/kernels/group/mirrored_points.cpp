// The GPU core between real arrays whose elements stand in the order of types II to IV: where a thread has points j and
// m - 1 - j of the core's m points, what neighbours in memory becomes the two of them, and nothing has to pass through
// shared memory on its way (the orders: Makhoul, "A fast cosine transform in one and two dimensions", 1980).
#include <algorithm>

#include "kernels/group/ways.hpp"

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

class MirroredPoints : Pass {
public:
    explicit MirroredPoints(const Pass& pass) : Pass(pass) {}
    void load(std::vector<Complex>& points) const;
    void store(const std::vector<Complex>& points) const;
    void load_columns(std::vector<Complex>& points) const;
    void store_columns(std::vector<Complex>& points) const;

private:
    struct MirroredPair {
        std::size_t low = 0, high = 0;  // of the points: element j below the middle, and m - 1 - j
        Value element;                  // j
        Slot slot;                      // that has point j
        Value is_not_middle;            // j is not m - 1 - j; empty: never
    };
    /// Pairs of numbers in memory.
    struct Places {
        Value first, second, has_second;
    };
    std::vector<MirroredPair> pairs(const CoreStage& stage) const;
    Places mirrored_places(const MirroredPair& pair, Kind kind) const;
    Places places_of_columns(const MirroredPair& pair, const Folded& fold) const;
    PointPair load_pair(const MirroredPair& pair, Kind kind) const;
    void store_pair(const PointPair& points, const MirroredPair& pair, Kind kind, const Places& places) const;
};

std::vector<MirroredPoints::MirroredPair> MirroredPoints::pairs(const CoreStage& stage) const {
    std::vector<MirroredPair> all;
    for (std::uint32_t u = 0; u < stage.slots; u += 2) {
        const Slot forwards = threads.slot(stage, u), backwards = threads.slot(stage, u + 1);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint32_t opposite = stage.radix - 1 - j;
            const std::size_t own = std::size_t{u} * stage.radix + j;
            const std::size_t other = std::size_t{u + 1} * stage.radix + opposite;
            const bool is_low = j <= opposite;
            const Slot& low = is_low ? forwards : backwards;
            const std::uint64_t leg = std::uint64_t{std::min(j, opposite)} * stage.butterflies;
            MirroredPair pair{is_low ? own : other, is_low ? other : own, low.butterfly + leg, low, {}};
            if (j == opposite && stage.butterflies % 2 != 0)
                pair.is_not_middle = frame.builder.compare(ir::Op::not_equal, pair.element, frame.u32(spec.n / 2));
            all.push_back(pair);
        }
    }
    return all;
}

/// Which pairs of numbers in memory a pair of points makes or is made of. A point that is its own mirror has one.
MirroredPoints::Places MirroredPoints::mirrored_places(const MirroredPair& pair, Kind kind) const {
    if (is_type_4(kind)) return {pair.element, frame.u32(spec.n - 1) - pair.element, pair.is_not_middle};
    const Value doubled = pair.element * std::uint64_t{2};
    return {doubled, doubled + std::uint64_t{1}, pair.is_not_middle};
}

PointPair MirroredPoints::load_pair(const MirroredPair& pair, Kind kind) const {
    const Value origin = frame.origin(threads.sequence(pair.slot), Side::input);
    const Value predicate = both(threads.exists(pair.slot), pair.slot.owns);
    const auto load = [&](Value point, Value when) {
        return frame.load(frame.address(origin, point, 0, Side::input), 1, both(predicate, when));
    };
    const auto choose = [&](Value when, Value a, Value b) { return when ? frame.builder.select(when, a, b) : a; };
    const Places places = mirrored_places(pair, kind);
    const Value has_second = places.has_second;
    Numbers numbers{load(places.first, {}), load(places.second, has_second)};
    if (is_type_4(kind)) {
        numbers.second = {choose(has_second, numbers.second.re, numbers.first.re),
                          choose(has_second, numbers.second.im, numbers.first.im)};
        return points_of(kind, numbers);
    }
    PointPair points = points_of(kind, numbers);
    points.low.im = choose(has_second, points.low.im, negated_if(kind == Kind::dst2, numbers.first.im));
    return points;
}

/// A butterfly that is its own mirror is in both slots of its thread, but loaded once: the second half of its pairs are
/// the first.
void MirroredPoints::load(std::vector<Complex>& points) const {
    const CoreStage& stage = threads.first();
    points.assign(stage.points(), {});
    const std::vector<MirroredPair> all = pairs(stage);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto leg = static_cast<std::uint32_t>(i % stage.radix);
        PointPair own = load_pair(all[i], spec.in.map()->kind);
        if (stage.butterflies % 2 != 0 && 2 * leg >= stage.radix) {
            const MirroredPair& twin = all[i - leg + (stage.radix - 1 - leg)];
            own = {select(all[i].slot.owns, own.low, points[twin.low]),
                   select(all[i].slot.owns, own.high, points[twin.high])};
        }
        points[all[i].low] = own.low;
        points[all[i].high] = own.high;
    }
}

void MirroredPoints::store_pair(const PointPair& points, const MirroredPair& pair, Kind kind,
                                const Places& places) const {
    const Value origin = frame.origin(threads.sequence(pair.slot), Side::output);
    const Value predicate = both(threads.exists(pair.slot), pair.slot.owns);
    const auto store = [&](Value point, Complex numbers, Value when) {
        frame.store(frame.address(origin, point, 0, Side::output), numbers, both(predicate, when));
    };
    const Numbers numbers = numbers_of(kind, points);
    store(places.first, numbers.first, {});
    store(places.second, numbers.second, places.has_second);
}

void MirroredPoints::store(const std::vector<Complex>& points) const {
    const Kind kind = spec.out.map()->kind;
    for (const MirroredPair& pair : pairs(threads.last()))
        store_pair({points[pair.low], points[pair.high]}, pair, kind, mirrored_places(pair, kind));
}

/// Point j of one column and point m - 1 - j of the mirrored one.
MirroredPoints::Places MirroredPoints::places_of_columns(const MirroredPair& pair, const Folded& fold) const {
    const Value j = folded_index(frame, fold, {pair.element, threads.sequence(pair.slot), {}});
    if (is_type_4(fold.kind)) return {j, frame.u32(fold.length / 2 - 1) - j, {}};
    const Value doubled = j * std::uint64_t{2};
    return {doubled, doubled + std::uint64_t{1}, {}};
}

void MirroredPoints::load_columns(std::vector<Complex>& points) const {
    const CoreStage& stage = threads.first();
    const Folded& fold = *spec.in.folded();
    points.assign(stage.points(), {});
    for (const MirroredPair& pair : pairs(stage)) {
        const Value origin = frame.origin(threads.sequence(pair.slot), Side::input);
        const Value predicate = both(threads.exists(pair.slot), pair.slot.owns);
        const auto load = [&](Value point) {
            return frame.load(frame.address(origin, point, 0, Side::input), 1, predicate);
        };
        const Places places = places_of_columns(pair, fold);
        const Complex first = load(places.first), second = load(places.second);
        const PointPair own = points_of(fold.kind, {first, second});
        points[pair.low] = own.low;
        points[pair.high] = own.high;
    }
}

void MirroredPoints::store_columns(std::vector<Complex>& points) const {
    const CoreStage& stage = threads.last();
    const Folded& fold = *spec.out.folded();
    threads.for_each_point(stage, [&](const Slot& where, std::uint32_t i, std::uint32_t leg) {
        points[i] = passage.pass(Side::output, points[i], where, threads.place(stage, where, leg), 0);
    });
    for (const MirroredPair& pair : pairs(stage))
        store_pair({points[pair.low], points[pair.high]}, pair, fold.kind, places_of_columns(pair, fold));
}

}  // namespace

void load_mirrored(const Pass& pass, std::vector<Complex>& points) { MirroredPoints(pass).load(points); }
void store_mirrored(const Pass& pass, const std::vector<Complex>& points) { MirroredPoints(pass).store(points); }
void load_columns(const Pass& pass, std::vector<Complex>& points) { MirroredPoints(pass).load_columns(points); }
void store_columns(const Pass& pass, std::vector<Complex> points) { MirroredPoints(pass).store_columns(points); }

}  // namespace seiche::kernels
