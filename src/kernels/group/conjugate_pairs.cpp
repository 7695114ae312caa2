// The GPU core beside the spectrum of types II and III, whose numbers bins k and m - k of the core make, or are made
// of: butterfly p of B of the last stage has bins p + q B, butterfly B - p their mirrors (of the first stage: points),
// and where one thread has both, nothing has to pass through shared memory. Butterfly 0 is its own mirror; its thread
// has butterfly B / 2 beside it, which is another such, if B is even.
#include "kernels/group/group.hpp"
#include "kernels/real/bin_pairs.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

GroupKernel::Slot GroupKernel::opposite_slot(const StageDeal& stage, std::uint32_t u, Slot slot) {
    ir::Builder& build = frame_.builder;
    const Value p = slot.butterfly;
    slot.butterfly = frame_.u32(stage.butterflies) - p;
    if (u != 1) return slot;
    const bool is_even = stage.butterflies % 2 == 0;
    const Value is_first = build.compare(ir::Op::equal, p, frame_.u32(0));
    slot.butterfly = build.select(is_first, frame_.u32(is_even ? stage.butterflies / 2 : 0), slot.butterfly);
    if (!is_even) slot.owns = both(slot.exists, build.compare(ir::Op::not_equal, p, frame_.u32(0)));
    return slot;
}

/// The pairs of bins of slots u and u + 1, one for each leg.
std::vector<GroupKernel::BinPair> GroupKernel::bin_pairs(const StageDeal& stage, std::uint32_t u) {
    ir::Builder& build = frame_.builder;
    const Slot forwards = slot(stage, u), backwards = slot(stage, u + 1);
    const std::uint32_t r = stage.radix, half = (r + 1) / 2;
    const std::size_t own = std::size_t{u} * r, other = own + r;
    std::vector<BinPair> pairs;
    for (std::uint32_t q = 0; q < r; ++q) {
        const bool is_own = q < half;
        const std::uint32_t leg = is_own ? q : r - 1 - q;
        BinPair pair;
        pair.low = (is_own ? own : other) + leg;
        pair.high = (is_own ? other : own) + r - 1 - leg;
        pair.sequence = sequence(forwards);
        pair.exists = exists(forwards);
        pair.bin.k = (is_own ? forwards : backwards).butterfly + std::uint64_t{leg} * stage.butterflies;
        pair.bin.exists = forwards.exists;
        pairs.push_back(pair);
        if (u != 0) continue;
        BinPair& first = pairs.back();
        if (!is_own && stage.butterflies % 2 != 0) {  // butterfly 0 is alone in its thread
            first.exists = both(first.exists, backwards.owns);
            continue;
        }
        first.is_first = build.compare(ir::Op::equal, forwards.butterfly, frame_.u32(0));
        first.first_high = is_own ? own + (r - leg) % r : other + r - 1 - leg;
        if (q == 0) first.bin.is_zero = first.is_first;
    }
    return pairs;
}

/// Bin m / 2 among the first slots' points, if there is one: in the thread that has bin 0.
std::optional<std::size_t> GroupKernel::middle_bin(const StageDeal& stage) {
    if (stage.radix % 2 == 0) return stage.radix / 2;
    if (stage.butterflies % 2 == 0) return stage.radix + (stage.radix - 1) / 2;
    return std::nullopt;
}

Complex GroupKernel::select(Value condition, Complex a, Complex b) {
    return {frame_.builder.select(condition, a.re, b.re), frame_.builder.select(condition, a.im, b.im)};
}

std::array<Value, 4> GroupKernel::load_numbers(const RealMap& map, const BinPair& pair) {
    const Value origin = frame_.origin(pair.sequence, Side::input);
    const std::array<SpectrumPlace, 4> places = bin_places(frame_, map, pair.bin);
    std::array<Value, 4> numbers;
    for (std::size_t i = 0; i < 4; ++i) {
        const Value kept = frame_.kept(places[i].element, pair.sequence, Side::input);
        const Value predicate = both(both(pair.exists, places[i].exists), kept);
        const Value x = frame_.load_real(frame_.address(origin, places[i].element, 0, Side::input), 1, predicate);
        const MappedElement element{places[i].element, pair.sequence, predicate};
        numbers[i] = apply_to_element(frame_, spec_.in.stages, element, {x, {}}).re;
    }
    return numbers;
}

void GroupKernel::load_bins() {
    has_fours((spec_.in.bins() ? spec_.in.bins() : spec_.in.map())->kind) ? load_fours() : load_twos();
}

void GroupKernel::store_bins() {
    has_fours((spec_.out.bins() ? spec_.out.bins() : spec_.out.map())->kind) ? store_fours() : store_twos();
}

void GroupKernel::load_fours() {
    const StageDeal& stage = stages_.front();
    const RealMap& map = spec_.in.bins() ? *spec_.in.bins() : *spec_.in.map();
    points_.assign(std::size_t{stage.slots} * stage.radix, {});
    std::vector<BinPair> pairs;
    std::vector<std::array<Value, 4>> numbers;
    for (std::uint32_t u = 0; u < stage.slots; u += 2)
        for (const BinPair& pair : spec_.in.bins() ? column_pairs(stage, u) : bin_pairs(stage, u)) {
            pairs.push_back(pair);
            numbers.push_back(load_numbers(map, pair));
        }
    std::vector<CoreBins> bins;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        bins.push_back(bins_of_numbers(frame_, map, pairs[i].bin, numbers[i]));
        points_[pairs[i].low] = bins[i].points.low;
        points_[pairs[i].high] = bins[i].points.high;
    }
    // Where the first butterflies' thread has others: both of its halves, once all are known.
    for (std::size_t i = 0; i < stage.radix; ++i) {
        const BinPair& pair = pairs[i];
        if (!pair.is_first || pair.first_high == pair.low) continue;  // bin 0 is alone
        points_[pair.first_high] = select(pair.is_first, bins[i].points.high, points_[pair.first_high]);
    }
    if (const std::optional<std::size_t> middle = middle_bin(stage))
        points_[*middle] = select(pairs.front().is_first, bins.front().middle, points_[*middle]);
}

void GroupKernel::store_fours() {
    const StageDeal& stage = stages_.back();
    const RealMap& map = spec_.out.bins() ? *spec_.out.bins() : *spec_.out.map();
    const std::optional<std::size_t> middle = middle_bin(stage);
    for (std::uint32_t u = 0; u < stage.slots; u += 2) {
        for (const BinPair& pair : spec_.out.bins() ? column_pairs(stage, u) : bin_pairs(stage, u)) {
            PointPair points{points_[pair.low], points_[pair.high]};
            if (pair.is_first) points.high = select(pair.is_first, points_[pair.first_high], points.high);
            const std::array<SpectrumPlace, 4> places = bin_places(frame_, map, pair.bin);
            const std::array<Value, 4> numbers =
                numbers_of_bins(frame_, map, pair.bin, points, middle ? std::optional(points_[*middle]) : std::nullopt);
            for (std::size_t i = 0; i < 4; ++i)
                store_bin_element(pair, {places[i].element, {numbers[i], {}}, places[i].exists});
        }
    }
}

}  // namespace seiche::kernels
