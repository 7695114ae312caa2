// The exchange of points between the stages of the GPU core: which place of shared memory each point takes, and what of
// it need not be written or read.
#include <algorithm>
#include <bit>

#include "kernels/group/group.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// What slot(u) and the exchange's indices come to for one thread, on the host; none where it has no butterfly there.
std::optional<GroupKernel::HostPlace> GroupKernel::host_place(const StageDeal& stage, std::uint32_t u,
                                                              std::uint32_t thread, std::uint32_t leg,
                                                              bool writes) const {
    std::uint32_t sequence = 0, b = 0;
    switch (stage.order) {
        case ThreadOrder::flat: {
            const std::uint32_t flat = thread + u * group_size_;
            sequence = flat / stage.butterflies, b = flat % stage.butterflies;
            if (sequence >= shape_.sequences) return std::nullopt;
            break;
        }
        case ThreadOrder::element_fastest: sequence = thread / shape_.threads, b = thread % shape_.threads; break;
        case ThreadOrder::sequence_fastest: sequence = thread % shape_.sequences, b = thread / shape_.sequences; break;
    }
    const bool is_paired = stage.pairing != Pairing::none;
    if (stage.order != ThreadOrder::flat) b += (is_paired ? u / 2 : u) * shape_.threads;
    if (b >= (is_paired ? (stage.butterflies + 1) / 2 : stage.butterflies)) return std::nullopt;
    if (is_paired && u % 2 == 1) {
        const std::uint32_t other = b > 0 ? stage.butterflies - b : stage.butterflies / 2;
        b = stage.pairing == Pairing::opposite ? other : stage.butterflies - 1 - b;
        if (shape_.has_mirrors_in_group()) sequence = shape_.sequences - 1 - sequence;
    }
    const std::uint32_t place =
        writes ? b / stage.s * stage.radix * stage.s + leg * stage.s + b % stage.s : b + leg * stage.butterflies;
    return HostPlace{sequence, shape_.exchange.chunks == 1 ? place : place % chunk_points()};
}

/// What a subgroup touches at a leg of a slot, and at which places.
AccessPattern GroupKernel::pattern_of(const StageDeal& stage, std::uint32_t slot, std::uint32_t leg,
                                      std::uint32_t first, bool writes) const {
    AccessPattern pattern;
    for (std::uint32_t t = first; t < std::min(group_size_, first + pattern_lanes); ++t)
        if (const auto at = host_place(stage, slot, t, leg, writes))
            pattern.push_back(at->sequence * pitch_ + at->place);
    return pattern;
}

/// What the first and the last subgroup touch at each leg of a stage.
void GroupKernel::add_pattern(const StageDeal& stage, bool writes, bool all_legs,
                              std::vector<AccessPattern>& all) const {
    const std::uint32_t slots = stage.pairing != Pairing::none ? 2 : 1;
    for (const std::uint32_t first : {0u, (group_size_ - 1) / pattern_lanes * pattern_lanes}) {
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            // Of legs that are shifted copies of each other three will do.
            if (!all_legs && leg != 0 && leg != stage.radix / 2 && leg != stage.radix - 1) continue;
            for (std::uint32_t u = 0; u < slots; ++u) all.push_back(pattern_of(stage, u, leg, first, writes));
        }
    }
}

/// What a few of the subgroups touch, at all legs of all slots.
void GroupKernel::add_all_patterns(const StageDeal& stage, bool writes, std::vector<AccessPattern>& all) const {
    constexpr std::uint32_t most_counted = 8;
    const std::uint32_t subgroups = (group_size_ + pattern_lanes - 1) / pattern_lanes;
    const std::uint32_t counted = std::min(subgroups, most_counted);
    for (std::uint32_t i = 0; i < counted; ++i)
        for (std::uint32_t u = 0; u < stage.slots; ++u)
            for (std::uint32_t leg = 0; leg < stage.radix; ++leg)
                all.push_back(pattern_of(stage, u, leg, i * subgroups / counted * pattern_lanes, writes));
}

/// What a stage writes or reads: few of it where it is one of many things that share their places.
void GroupKernel::add_side(const StageDeal& stage, bool writes, Counted counted,
                           std::vector<AccessPattern>& all) const {
    if (counted == Counted::most) return add_all_patterns(stage, writes, all);
    const auto is_paired = [](const StageDeal& one) { return one.pairing != Pairing::none; };
    add_pattern(stage, writes, std::any_of(stages_.begin(), stages_.end(), is_paired), all);
}

/// Of what is exchanged between stages. A prime's places are as good as random, whatever the swizzle: they have no
/// pattern here.
void GroupKernel::add_exchange_patterns(Counted counted, std::vector<AccessPattern>& all) {
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
        if (keeps_points(i + 1)) continue;
        if (!takes_logarithms(stages_[i])) add_side(stages_[i], true, counted, all);
        if (!takes_logarithms(stages_[i + 1])) add_side(stages_[i + 1], false, counted, all);
    }
}

/// Of a plane's bins, and of the points that they are made of or become.
void GroupKernel::add_bins_patterns(Counted counted, std::vector<AccessPattern>& all) {
    if (is_of_plane(spec_.in.bins())) {
        add_plane_patterns(all);
        add_side(stages_.front(), false, counted, all);
    }
    if (is_of_plane(spec_.out.bins())) {
        add_side(stages_.back(), true, counted, all);
        add_plane_patterns(all);
    }
}

std::vector<AccessPattern> GroupKernel::patterns() {
    std::vector<AccessPattern> all;
    add_bins_patterns(Counted::few, all);
    add_exchange_patterns(Counted::few, all);
    if (has_real_map()) {
        const auto add = [&](const StageDeal& stage, bool writes) {
            if (!takes_logarithms(stage) && stage.pairing == Pairing::none) add_side(stage, writes, Counted::few, all);
        };
        add(stages_.front(), false);
        add(stages_.back(), true);
        add_real_patterns(all);
    }
    return all;
}

void GroupKernel::choose_exchange() {
    if (!exchanges()) return;
    choose_layout();
    declare_planes(exchange_extent());
}

void GroupKernel::choose_layout() {
    choose_places(patterns());
    if (may_be_apart()) choose_pitch(most_room(), [this] { return patterns(); });
    if (may_have_rooms()) choose_blocks(shape_.exchange.padding);
}

/// Of other lengths than powers of two, whose exclusive-or is free; where each place is that of a sequence and its
/// point.
bool GroupKernel::may_be_apart() const {
    const bool is_fused = spec_.is_second() || !spec_.on_chip.next.empty();
    const bool has_real_places = has_real_map() && spec_.convolution.prime != 0;
    return !power_of_two_ && shape_.sequences > 1 && shape_.exchange.chunks == 1 && !shape_.is_scalarised &&
           !has_real_places && !is_fused;
}

/// Elements between and within the sequences of a pass that shares its group with another, at most: an eighth, of which
/// the planner leaves room (planner::bytes_held); where passes have threads of their own one between them. 0: none.
std::uint32_t GroupKernel::most_room_in_group(bool have_own_threads) const {
    const bool has_bins = spec_.in.bins() || spec_.out.bins(), is_cluster = shape_.groups_per_cluster > 1;
    const auto may_be_apart = [](const RealMap* bins) { return !bins || is_of_plane(bins); };
    if (shape_.tile || shape_.is_scalarised || power_of_two_ || shape_.sequences < 2 || (is_cluster && has_bins))
        return 0;
    if (have_own_threads) return is_cluster ? 0 : 1;
    const bool is_of_points =
        shape_.exchange.neighbours == 1 && may_be_apart(spec_.in.bins()) && may_be_apart(spec_.out.bins());
    return is_of_points && !std::has_single_bit(shape_.sequences * spec_.n) ? spec_.n / 8 : 0;
}

/// Bytes that one access moves to or from shared memory.
unsigned GroupKernel::bytes_exchanged() const {
    const unsigned number = std::min(type_bytes(frame_.real), 8u);  // a double-double lies in two planes of doubles
    return exchanges_points() ? 2 * number : number;
}

/// Elements between and within sequences of a length that is no power of two: an eighth of one, of short ones up to
/// half.
std::uint32_t GroupKernel::most_room() const {
    constexpr std::uint32_t short_room = 16;
    return std::max(spec_.n / 8, std::min(spec_.n / 2, short_room));
}

/// Room between sequences, instead of within them, where that leaves as few wavefronts: a place is then a base and a
/// constant.
void GroupKernel::choose_pitch(std::uint32_t most, const std::function<std::vector<AccessPattern>()>& patterns) {
    const unsigned bytes = bytes_exchanged();
    const Swizzle together = swizzle_, apart{Swizzle::Rule::none, 0, 0, together.mask};
    std::uint64_t least = wavefronts(patterns(), together, bytes) + 1;
    std::uint32_t best = places_of_sequence();
    for (pitch_ = best; pitch_ <= places_of_sequence() + std::min(most, together.mask); ++pitch_) {
        const std::uint64_t count = wavefronts(patterns(), apart, bytes);
        if (count >= least) continue;
        least = count;
        best = pitch_;
        swizzle_ = apart;
    }
    pitch_ = best;
}

void GroupKernel::choose_places(const std::vector<AccessPattern>& patterns, const Swizzle* other_than) {
    if (shape_.is_scalarised) return;
    // Of two passes in one kernel, whose crossing may meet in as many banks as there are.
    const bool is_fused = spec_.is_second() || !spec_.on_chip.next.empty();
    const ExclusiveOr allowed = power_of_two_ ? ExclusiveOr::free
                                : is_fused    ? ExclusiveOr::where_worthwhile
                                              : ExclusiveOr::never;
    swizzle_ = choose_swizzle(patterns, bytes_exchanged(), allowed, other_than);
}

/// Elements of a plane.
std::uint32_t GroupKernel::exchange_extent() const {
    const std::uint32_t beside = spec_.convolution.prime ? (pitch_ - spec_.n) + shape_.sequences : 0;
    const std::uint32_t ahead = pitch_ * (shape_.sequences - 1);
    return std::max(swizzle_.extent(ahead + chunk_points() + beside), ahead + widest_);
}

void GroupKernel::declare_planes(std::uint32_t extent) {
    if (exchanges_points()) {
        const std::uint32_t points = shape_.exchange.neighbours;
        plane_[0] = frame_.builder.shared_array("points", frame_.complex.with_lanes(2 * points), extent / points);
        return;
    }
    if (shape_.has_parts_in_lanes()) extent = extent_of_parts(extent);
    if (has_real_map() || shape_.has_parts_in_lanes()) {
        plane_[0] = plane_[1] = frame_.builder.shared_array("planes", frame_.real, 2 * extent);
        plane_offset_[1] = extent;
        return;
    }
    plane_[0] = frame_.builder.shared_array(shape_.exchange.components == 2 ? "real" : "plane", frame_.real, extent);
    plane_[1] = shape_.exchange.components == 2 ? frame_.builder.shared_array("imag", frame_.real, extent) : plane_[0];
}

void GroupKernel::put(Part part, Value at, const Complex& point, Value predicate) {
    ir::Builder& build = frame_.builder;
    switch (part) {
        case Part::real: build.shared_store(plane_[0], at + plane_offset_[0], point.re, predicate); break;
        case Part::imaginary: build.shared_store(plane_[1], at + plane_offset_[1], point.im, predicate); break;
        case Part::whole: build.shared_store(plane_[0], at, build.compose({point.re, point.im}), predicate); break;
    }
}

void GroupKernel::get(Part part, Value at, Complex& point, Value predicate) {
    ir::Builder& build = frame_.builder;
    switch (part) {
        case Part::real: point.re = build.shared_load(plane_[0], at + plane_offset_[0], frame_.real, predicate); break;
        case Part::imaginary:
            point.im = build.shared_load(plane_[1], at + plane_offset_[1], frame_.real, predicate);
            break;
        case Part::whole: {
            const Value both = build.shared_load(plane_[0], at, frame_.complex, predicate);
            point = {build.extract(both, 0), build.extract(both, 1)};
            break;
        }
    }
}

/// The place of point e of a prime: that of its logarithm; point 0 lies behind all sequences.
Value GroupKernel::place_by_logarithm(const Slot& where, Holds holds) {
    ir::Builder& build = frame_.builder;
    const Value logarithm =
        spec_.movement_only
            ? where.butterfly - frame_.u32(1)
            : build.convert(frame_.table_entry(RaderPlaces{spec_.convolution.prime}, where.butterfly, where.exists).re,
                            ir::Scalar::u32);
    const Value at = where.sequence_in_group * std::uint64_t{pitch_} + logarithm;
    if (holds == Holds::not_point_0) return at;
    const Value is_zero = build.compare(ir::Op::equal, where.butterfly, frame_.u32(0));
    return build.select(is_zero, place_beside(where.sequence_in_group), at);
}

Value GroupKernel::place_beside(Value sequence_in_group) {
    return sequence_in_group + std::uint64_t{pitch_} * shape_.sequences;
}

void GroupKernel::put_beside(const StageDeal& stage, Part part) {
    const Slot first = slot(stage, 0);
    const Value at = swizzle_.apply(place_beside(first.sequence_in_group), 0, false);
    put(part, at, beside_, frame_.builder.compare(ir::Op::equal, first.butterfly, frame_.u32(0)));
}

void GroupKernel::get_beside(const StageDeal& stage, Part part) {
    const Slot first = slot(stage, 0);
    const Value at = swizzle_.apply(place_beside(first.sequence_in_group), 0, false);
    get(part, at, beside_, frame_.builder.compare(ir::Op::equal, first.butterfly, frame_.u32(0)));
}

/// In shared memory, of a sequence's points or their piece; both parts of a prime's are there at once.
std::uint32_t GroupKernel::places_of_sequence() const {
    return splits_parity(spec_) ? std::max(spec_.n, spec_.convolution.prime - 1) : chunk_points();
}

/// Results of butterfly b lie in the piece b / (butterflies / pieces), whatever the leg: later radices are its
/// multiples.
GroupKernel::InPiece GroupKernel::in_piece(const StageDeal& stage, std::uint32_t u, const Slot& where,
                                           std::uint32_t piece) {
    if (shape_.exchange.chunks == 1) return {};
    const std::uint32_t run = stage.butterflies / shape_.exchange.chunks, first = u * shape_.threads;
    if (stage.order != ThreadOrder::flat && first / run == (first + shape_.threads - 1) / run)
        return {first / run == piece, {}};
    return {true, frame_.builder.compare(ir::Op::equal, where.butterfly / std::uint64_t{run}, frame_.u32(piece))};
}

void GroupKernel::write_part(const StageDeal& stage, const StageDeal& next, Part part, std::uint32_t piece) {
    if (shape_.exchange.neighbours > 1) return write_neighbours(stage);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const InPiece run = in_piece(stage, u, where, piece);
        if (!run.may_lie) continue;
        if (takes_logarithms(stage)) {
            put(part, swizzle_.apply(place_by_logarithm(where, held(stage, u)), 0, false), points_[u], where.owns);
            continue;
        }
        const Value p = place_in_run(stage, where), q = where.butterfly / std::uint64_t{stage.s};
        const Value in_sequence = q * (std::uint64_t{stage.radix} * stage.s + stage.room_of_results) + p;
        const Value whole = stage.radix == 1 && stage.s == 1
                                ? place_in_plane(stage, where)
                                : where.sequence_in_group * std::uint64_t{pitch_} + in_sequence;
        const std::uint32_t first = piece * chunk_points();
        const Value base = first ? whole - frame_.u32(first) : whole;
        const Value writes = both(where.owns, run.lies);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            if (next.is_deal && k * stage.s >= next.butterflies) continue;
            const Complex point = points_[u * stage.radix + k];
            put(part, swizzle_.apply(base, k * stage.s, power_of_two_), point, writes);
        }
    }
    if (takes_logarithms(next)) put_beside(stage, part);
}

/// Points of a sequence from the first on that a stage leaves in shared memory. Those behind them are 0, and nobody has
/// written them.
std::uint32_t GroupKernel::points_written(const StageDeal& stage) const {
    return stage.is_deal && !takes_logarithms(stage) ? stage.butterflies : spec_.n;
}

void GroupKernel::read_part(const StageDeal& stage, const StageDeal& last, Part part, std::uint32_t piece) {
    ir::Builder& build = frame_.builder;
    if (shape_.exchange.neighbours > 1) return read_neighbours(stage);
    const std::uint32_t written = points_written(last);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        if (takes_logarithms(stage)) {
            get(part, swizzle_.apply(place_by_logarithm(where, held(stage, u)), 0, false), points_[u], where.exists);
            continue;
        }
        Value base = place_in_plane(stage, where);
        if (stage.room_of_points != 0) base = base + room_ahead(stage, u, where);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint32_t leg = j * stage.butterflies;
            if (leg / chunk_points() != piece) continue;
            Complex& point = points_[u * stage.radix + j];
            if (leg >= written) {
                point = build.complex_constant(frame_.real, 0, 0);
                continue;
            }
            const std::uint32_t ahead = leg / stage.s * stage.room_of_points;
            const Value at = swizzle_.apply(base, leg + ahead - piece * chunk_points(), power_of_two_);
            const bool is_whole = leg + stage.butterflies <= written;
            const Value is_point =
                is_whole ? Value{} : build.less(where.butterfly + std::uint64_t{leg}, frame_.u32(written));
            get(part, at, point, both(where.exists, is_point));
        }
    }
    if (takes_logarithms(last)) get_beside(stage, part);
}

/// What of the points is exchanged at once.
std::vector<GroupKernel::Round> GroupKernel::rounds() const {
    std::vector<std::vector<Part>> at_once{{Part::real}, {Part::imaginary}};
    if (shape_.exchange.components == 2) at_once = {{Part::real, Part::imaginary}};
    if (exchanges_points()) at_once = {{Part::whole}};
    std::vector<Round> all;
    for (const std::vector<Part>& parts : at_once) {
        for (std::uint32_t piece = 0; piece < shape_.exchange.chunks; ++piece) all.push_back({parts, piece});
    }
    return all;
}

void GroupKernel::exchange(std::size_t from, std::size_t to) {
    const std::vector<Complex> before = points_;
    std::vector<Complex> after(std::size_t{stages_[to].slots} * stages_[to].radix);
    const std::vector<Round> all = rounds();
    for (const Round& round : all) {
        const bool overwrites_own = &round == &all.front() && rewrites_own_places(from);
        if (exchanged_ && !overwrites_own) frame_.builder.group_barrier();
        exchanged_ = true;
        points_ = before;
        for (const Part part : round.parts) write_part(stages_[from], stages_[to], part, round.piece);
        if (&round == &all.back()) fetch_factors(stages_[to]);
        frame_.builder.group_barrier();
        points_ = after;
        for (const Part part : round.parts) read_part(stages_[to], stages_[from], part, round.piece);
        after = points_;
    }
}

}  // namespace seiche::kernels
