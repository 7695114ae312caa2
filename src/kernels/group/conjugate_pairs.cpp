// The GPU core beside the spectrum of a real kind, whose numbers bins k and m - k of the core make, or are made of.
// Where one thread has both, nothing has to pass through shared memory.
//
// Of a whole axis butterfly p of B of the last stage has bins p + q B, butterfly B - p their mirrors (of the first
// stage: points). Butterfly 0 is its own mirror; its thread has butterfly B / 2 beside it, which is another such, if B
// is even.
//
// In the first or last of several passes bins k and m - k are element e of column c and element n - 1 - e of column
// s - c, of s columns of n points. A group has mirrored columns, and a thread their mirrored butterflies. Columns 0 and
// s / 2 are their own mirrors and take the places of each other's: butterfly b of column 0 has B - b for its mirror, as
// above, and the other one B - 1 - b.
#include <array>
#include <optional>

#include "kernels/group/ways.hpp"
#include "kernels/real/bin_pairs.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

struct BinPair {
    std::size_t low = 0, high = 0;  // of the points: bins k and m - k
    std::size_t first_high = 0;     // bin m - k in the thread of butterfly 0
    Value is_first;                 // it is that thread; empty: never
    LowBin bin;
    Value sequence, exists;
};

/// Conjugate pairs in one thread, loaded or stored on one side of a pass. A pair is two numbers of the spectrum, or
/// four of types II and III (has_fours).
class ThreadBins : Pass {
public:
    ThreadBins(const Pass& pass, Side side)
        : Pass(pass),
          side_(side),
          stage_(side == Side::input ? threads.first() : threads.last()),
          is_of_columns_(spec.side(side).bins() != nullptr),
          map_(is_of_columns_ ? *spec.side(side).bins() : *spec.side(side).map()) {}

    void load(std::vector<Complex>& points) const {
        points.assign(stage_.points(), {});
        has_fours(map_.kind) ? load_fours(points) : load_twos(points);
    }
    void store(const std::vector<Complex>& points) const {
        has_fours(map_.kind) ? store_fours(points) : store_twos(points);
    }

private:
    /// The pairs of bins of butterflies u and u + 1, one for each leg.
    std::vector<BinPair> pairs(std::uint32_t u) const { return is_of_columns_ ? column_pairs(u) : axis_pairs(u); }
    std::vector<BinPair> axis_pairs(std::uint32_t u) const;
    std::vector<BinPair> column_pairs(std::uint32_t u) const;
    BinPair pair_at(std::uint32_t u, std::uint32_t q, const ThreadButterfly& forwards) const;
    bool is_own(std::uint32_t q) const { return q < (stage_.radix + 1) / 2; }
    std::uint32_t leg_of(std::uint32_t q) const { return is_own(q) ? q : stage_.radix - 1 - q; }
    std::optional<std::size_t> middle_bin() const;
    Complex read(const BinPair& front, Value origin, Value element, Value exists) const;
    std::array<Value, 4> load_numbers(const BinPair& pair) const;
    void load_fours(std::vector<Complex>& points) const;
    void load_twos(std::vector<Complex>& points) const;
    PointPair points_of(const BinPair& pair, const std::vector<Complex>& points) const;
    void store_bin(const BinPair& pair, const SpectrumElement& element) const;
    void store_fours(const std::vector<Complex>& points) const;
    void store_twos(const std::vector<Complex>& points) const;

    Side side_;
    const CoreStage& stage_;
    bool is_of_columns_;
    const RealMap& map_;
};

BinPair ThreadBins::pair_at(std::uint32_t u, std::uint32_t q, const ThreadButterfly& forwards) const {
    const std::uint32_t r = stage_.radix, leg = leg_of(q);
    const std::size_t own = std::size_t{u} * r, other = own + r;
    BinPair pair;
    pair.low = (is_own(q) ? own : other) + leg;
    pair.high = (is_own(q) ? other : own) + r - 1 - leg;
    pair.first_high = is_own(q) ? own + (r - leg) % r : other + r - 1 - leg;
    pair.sequence = threads.sequence(forwards);
    pair.exists = threads.exists(forwards);
    pair.bin.exists = forwards.exists;
    return pair;
}

std::vector<BinPair> ThreadBins::axis_pairs(std::uint32_t u) const {
    const ThreadButterfly forwards = threads.butterfly(stage_, u), backwards = threads.butterfly(stage_, u + 1);
    std::vector<BinPair> all;
    for (std::uint32_t q = 0; q < stage_.radix; ++q) {
        BinPair& pair = all.emplace_back(pair_at(u, q, forwards));
        pair.bin.k = (is_own(q) ? forwards : backwards).butterfly + std::uint64_t{leg_of(q)} * stage_.butterflies;
        if (u != 0) continue;
        if (!is_own(q) && stage_.butterflies % 2 != 0) {  // butterfly 0 is alone in its thread
            pair.exists = both(pair.exists, backwards.owns);
            continue;
        }
        pair.is_first = frame.builder.compare(ir::Op::equal, forwards.butterfly, frame.u32(0));
        if (q == 0) pair.bin.is_zero = pair.is_first;
    }
    return all;
}

std::vector<BinPair> ThreadBins::column_pairs(std::uint32_t u) const {
    const ThreadButterfly forwards = threads.butterfly(stage_, u), backwards = threads.butterfly(stage_, u + 1);
    const Value own_column = frame.loop_index(threads.sequence(forwards), 0);
    const Value other_column = frame.loop_index(threads.sequence(backwards), 0);
    Value is_first;
    if (u == 0)
        is_first = frame.builder.compare(ir::Op::equal, own_column, frame.u32(0)) &
                   frame.builder.compare(ir::Op::equal, forwards.butterfly, frame.u32(0));
    std::vector<BinPair> all;
    for (std::uint32_t q = 0; q < stage_.radix; ++q) {
        BinPair& pair = all.emplace_back(pair_at(u, q, forwards));
        pair.is_first = is_first;
        pair.bin.element = (is_own(q) ? forwards : backwards).butterfly + std::uint64_t{leg_of(q)} * stage_.butterflies;
        pair.bin.column = is_own(q) ? own_column : other_column;
        pair.bin.k = pair.bin.element * map_.element_stride + pair.bin.column;
        if (q == 0) pair.bin.is_zero = is_first;
    }
    return all;
}

/// Bin m / 2 among the first butterflies' points, if there is one: in the thread that has bin 0.
std::optional<std::size_t> ThreadBins::middle_bin() const {
    if (stage_.radix % 2 == 0) return stage_.radix / 2;
    if (stage_.butterflies % 2 == 0) return stage_.radix + (stage_.radix - 1) / 2;
    return std::nullopt;
}

// -- Types II and III, whose bins have two numbers each.

std::array<Value, 4> ThreadBins::load_numbers(const BinPair& pair) const {
    const Value origin = frame.origin(pair.sequence, side_);
    const std::array<SpectrumPlace, 4> places = bin_places(frame, map_, pair.bin);
    std::array<Value, 4> numbers;
    for (std::size_t i = 0; i < 4; ++i) {
        const Value kept = frame.kept(places[i].element, pair.sequence, side_);
        const Value predicate = both(both(pair.exists, places[i].exists), kept);
        const Value x = frame.load_real(frame.address(origin, places[i].element, 0, side_), 1, predicate);
        const MappedElement element{places[i].element, pair.sequence, predicate};
        numbers[i] = apply_to_element(frame, spec.in.stages, element, {x, {}}).re;
    }
    return numbers;
}

void ThreadBins::load_fours(std::vector<Complex>& points) const {
    std::vector<BinPair> all;
    std::vector<std::array<Value, 4>> numbers;
    for (std::uint32_t u = 0; u < stage_.per_thread; u += 2)
        for (const BinPair& pair : pairs(u)) {
            all.push_back(pair);
            numbers.push_back(load_numbers(pair));
        }
    std::vector<CoreBins> bins;
    for (std::size_t i = 0; i < all.size(); ++i) {
        bins.push_back(bins_of_numbers(frame, map_, all[i].bin, numbers[i]));
        points[all[i].low] = bins[i].points.low;
        points[all[i].high] = bins[i].points.high;
    }
    // Where the first butterflies' thread has others: both of its halves, once all are known.
    for (std::size_t i = 0; i < stage_.radix; ++i) {
        const BinPair& pair = all[i];
        if (!pair.is_first || pair.first_high == pair.low) continue;  // bin 0 is alone
        points[pair.first_high] = select(pair.is_first, bins[i].points.high, points[pair.first_high]);
    }
    if (const std::optional<std::size_t> middle = middle_bin())
        points[*middle] = select(all.front().is_first, bins.front().middle, points[*middle]);
}

PointPair ThreadBins::points_of(const BinPair& pair, const std::vector<Complex>& points) const {
    PointPair own{points[pair.low], points[pair.high]};
    if (pair.is_first) own.high = select(pair.is_first, points[pair.first_high], own.high);
    return own;
}

void ThreadBins::store_fours(const std::vector<Complex>& points) const {
    const std::optional<std::size_t> middle = middle_bin();
    for (std::uint32_t u = 0; u < stage_.per_thread; u += 2) {
        for (const BinPair& pair : pairs(u)) {
            const PointPair own = points_of(pair, points);
            const std::array<SpectrumPlace, 4> places = bin_places(frame, map_, pair.bin);
            const std::array<Value, 4> numbers =
                numbers_of_bins(frame, map_, pair.bin, own, middle ? std::optional(points[*middle]) : std::nullopt);
            for (std::size_t i = 0; i < 4; ++i)
                store_bin(pair, {places[i].element, {numbers[i], {}}, places[i].exists});
        }
    }
}

// -- Spectra whose elements are the bins.

Complex ThreadBins::read(const BinPair& front, Value origin, Value element, Value exists) const {
    const Value at = frame.address(origin, element, 0, side_);
    const Value predicate = both(exists, frame.kept(element, front.sequence, side_));
    const Complex x = spec.in.is_real() ? Complex{frame.load_real(at, 1, predicate), {}} : frame.load(at, 1, predicate);
    return apply_to_element(frame, spec.in.stages, {element, front.sequence, predicate}, x);
}

void ThreadBins::load_twos(std::vector<Complex>& points) const {
    for (std::uint32_t u = 0; u < stage_.per_thread; u += 2) {
        const std::vector<BinPair> all = pairs(u);
        const BinPair& front = all.front();
        const Value origin = frame.origin(front.sequence, side_);
        const auto reader = [&](Value has_it) {
            return [&, has_it](Value element, Value when) { return read(front, origin, element, both(has_it, when)); };
        };
        std::vector<PointPair> own;
        for (const BinPair& pair : all) {
            own.push_back(load_column_pair(frame, map_, pair.bin, reader(pair.exists)));
            points[pair.low] = own.back().low;
            points[pair.high] = own.back().high;
        }
        if (u != 0) continue;
        // In the thread that has bin 0: both of the halves of its butterflies, once all are known.
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!all[i].is_first || all[i].first_high == all[i].low) continue;  // bin 0 is alone
            points[all[i].first_high] = select(all[i].is_first, own[i].high, points[all[i].first_high]);
        }
        const std::optional<std::size_t> at = middle_bin();
        if (!at) continue;
        const Complex middle = load_middle(frame, map_, reader(both(front.exists, front.is_first)));
        points[*at] = select(front.is_first, middle, points[*at]);
    }
}

/// An element on its way out; of a pass of several its points have not been through the pass's stages.
void ThreadBins::store_bin(const BinPair& pair, const SpectrumElement& element) const {
    const Value zero = frame.builder.constant(frame.real, 0);
    Complex x = element.value;
    if (is_of_columns_) x = apply(frame, spec.out.stages, x.im ? x : Complex{x.re, zero}, {});
    if (spec.out.is_real()) x.im = {};
    store_element(*this, pair.sequence, pair.exists, {element.index, x, element.exists});
}

void ThreadBins::store_twos(const std::vector<Complex>& points) const {
    const std::optional<std::size_t> middle = middle_bin();
    for (std::uint32_t u = 0; u < stage_.per_thread; u += 2) {
        const std::vector<BinPair> all = pairs(u);
        for (const BinPair& pair : all)
            for (const SpectrumElement& element : store_column_pair(frame, map_, pair.bin, points_of(pair, points)))
                store_bin(pair, element);
        if (u != 0 || !middle) continue;
        const BinPair& first = all.front();
        for (const SpectrumElement& element : store_middle(frame, map_, points[*middle], first.is_first))
            store_bin(first, element);
    }
}

}  // namespace

void load_bins(const Pass& pass, std::vector<Complex>& points) { ThreadBins(pass, Side::input).load(points); }
void store_bins(const Pass& pass, const std::vector<Complex>& points) { ThreadBins(pass, Side::output).store(points); }

}  // namespace seiche::kernels
