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

/// Of a whole axis, or of mirrored columns: there points are j of one column and m - 1 - j of the other.
class MirroredPoints : Pass {
public:
    MirroredPoints(const Pass& pass, Side side)
        : Pass(pass),
          side_(side),
          stage_(side == Side::input ? threads.first() : threads.last()),
          fold_(spec.side(side).folded()),
          kind_(fold_ ? fold_->kind : spec.side(side).map()->kind) {}
    void load(std::vector<Complex>& points) const;
    void store(const std::vector<Complex>& results) const;

private:
    struct MirroredPair {
        std::size_t low = 0, high = 0;  // of the points: element j below the middle, and m - 1 - j
        Value element;                  // j
        ThreadButterfly where;          // that has point j
        Value is_not_middle;            // j is not m - 1 - j; empty: never
    };
    /// Pairs of numbers in memory.
    struct Places {
        Value first, second, has_second;
    };
    std::vector<MirroredPair> pairs() const;
    Places places_of(const MirroredPair& pair) const;
    PointPair load_pair(const MirroredPair& pair) const;
    void store_pair(const PointPair& points, const MirroredPair& pair) const;

    Side side_;
    const CoreStage& stage_;
    const Folded* fold_;  // of columns
    Kind kind_;
};

std::vector<MirroredPoints::MirroredPair> MirroredPoints::pairs() const {
    std::vector<MirroredPair> all;
    for (std::uint32_t u = 0; u < stage_.per_thread; u += 2) {
        const ThreadButterfly forwards = threads.butterfly(stage_, u), backwards = threads.butterfly(stage_, u + 1);
        for (std::uint32_t j = 0; j < stage_.radix; ++j) {
            const std::uint32_t opposite = stage_.radix - 1 - j;
            const std::size_t own = std::size_t{u} * stage_.radix + j;
            const std::size_t other = std::size_t{u + 1} * stage_.radix + opposite;
            const bool is_low = j <= opposite;
            const ThreadButterfly& low = is_low ? forwards : backwards;
            const std::uint64_t leg = std::uint64_t{std::min(j, opposite)} * stage_.butterflies;
            MirroredPair pair{is_low ? own : other, is_low ? other : own, low.butterfly + leg, low, {}};
            if (j == opposite && stage_.butterflies % 2 != 0)
                pair.is_not_middle = frame.builder.compare(ir::Op::not_equal, pair.element, frame.u32(spec.n / 2));
            all.push_back(pair);
        }
    }
    return all;
}

/// Which pairs of numbers in memory a pair of points makes or is made of. A point that is its own mirror has one.
MirroredPoints::Places MirroredPoints::places_of(const MirroredPair& pair) const {
    const Value j =
        fold_ ? folded_index(frame, *fold_, {pair.element, threads.sequence(pair.where), {}}) : pair.element;
    const std::uint64_t points = fold_ ? fold_->length / 2 : spec.n;
    const Value has_second = fold_ ? Value{} : pair.is_not_middle;
    if (is_type_4(kind_)) return {j, frame.u32(points - 1) - j, has_second};
    const Value doubled = j * std::uint64_t{2};
    return {doubled, doubled + std::uint64_t{1}, has_second};
}

PointPair MirroredPoints::load_pair(const MirroredPair& pair) const {
    const Value origin = frame.origin(threads.sequence(pair.where), side_);
    const Value predicate = both(threads.exists(pair.where), pair.where.owns);
    const auto load = [&](Value point, Value when) {
        return frame.load(frame.address(origin, point, 0, side_), 1, both(predicate, when));
    };
    const auto choose = [&](Value when, Value a, Value b) { return when ? frame.builder.select(when, a, b) : a; };
    const Places places = places_of(pair);
    const Value has_second = places.has_second;
    Numbers numbers{load(places.first, {}), load(places.second, has_second)};
    if (is_type_4(kind_)) {
        numbers.second = {choose(has_second, numbers.second.re, numbers.first.re),
                          choose(has_second, numbers.second.im, numbers.first.im)};
        return points_of(kind_, numbers);
    }
    PointPair points = points_of(kind_, numbers);
    points.low.im = choose(has_second, points.low.im, negated_if(kind_ == Kind::dst2, numbers.first.im));
    return points;
}

/// A butterfly that is its own mirror is both of its thread's, but loaded once: the second half of its pairs are
/// the first.
void MirroredPoints::load(std::vector<Complex>& points) const {
    const std::uint32_t r = stage_.radix;
    points.assign(stage_.points(), {});
    const std::vector<MirroredPair> all = pairs();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t leg = i % r;
        PointPair own = load_pair(all[i]);
        if (!fold_ && stage_.butterflies % 2 != 0 && 2 * leg >= r) {
            const MirroredPair& twin = all[i - leg + (r - 1 - leg)];
            own = {select(all[i].where.owns, own.low, points[twin.low]),
                   select(all[i].where.owns, own.high, points[twin.high])};
        }
        points[all[i].low] = own.low;
        points[all[i].high] = own.high;
    }
}

void MirroredPoints::store_pair(const PointPair& points, const MirroredPair& pair) const {
    const Places places = places_of(pair);
    const Value origin = frame.origin(threads.sequence(pair.where), side_);
    const Value predicate = both(threads.exists(pair.where), pair.where.owns);
    const auto store = [&](Value point, Complex numbers, Value when) {
        frame.store(frame.address(origin, point, 0, side_), numbers, both(predicate, when));
    };
    const Numbers numbers = numbers_of(kind_, points);
    store(places.first, numbers.first, {});
    store(places.second, numbers.second, places.has_second);
}

/// Points of columns pass the stages of the side on their way out.
void MirroredPoints::store(const std::vector<Complex>& results) const {
    std::vector<Complex> points = results;
    if (fold_)
        threads.for_each_point(stage_, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
            points[i] = passage.pass(side_, points[i], where, threads.place(stage_, where, leg), 0);
        });
    for (const MirroredPair& pair : pairs()) store_pair({points[pair.low], points[pair.high]}, pair);
}

}  // namespace

void load_mirrored(const Pass& pass, std::vector<Complex>& points) { MirroredPoints(pass, Side::input).load(points); }
void store_mirrored(const Pass& pass, const std::vector<Complex>& points) {
    MirroredPoints(pass, Side::output).store(points);
}

}  // namespace seiche::kernels
