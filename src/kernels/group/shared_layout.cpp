#include "kernels/group/shared_layout.hpp"

#include <algorithm>
#include <bit>

#include "kernels/group/ways.hpp"

namespace seiche::kernels {

using ir::Value;

namespace {

constexpr std::uint32_t pattern_lanes = 32;  // of a subgroup

}  // namespace

SharedLayout::SharedLayout(Frame& frame, const KernelSpec& spec, const Threads& threads)
    : frame_(frame),
      spec_(spec),
      shape_(std::get<GroupShape>(spec.shape)),
      threads_(threads),
      power_of_two_(std::has_single_bit(spec.n)),
      pitch_(places_of_sequence()),
      paddings_(threads.stages().size(), 0) {}

// -- Places.

Value SharedLayout::points_of(const CoreStage& stage, const ThreadButterfly& where) const {
    if (!where.flat || threads_.first().order != ThreadOrder::flat)
        return where.sequence_in_group * std::uint64_t{pitch_} + where.butterfly;
    return where.flat + where.sequence_in_group * std::uint64_t{pitch_ - stage.butterflies};
}

Value SharedLayout::results_of(const CoreStage& stage, const ThreadButterfly& where, std::uint32_t padding) const {
    const Value p = place_in_run(shape_, stage, where);
    const Value in_sequence = place_of_results(stage, where.butterfly, p, padding);
    return stage.radix == 1 && stage.s == 1 ? points_of(stage, where)
                                            : where.sequence_in_group * std::uint64_t{pitch_} + in_sequence;
}

Value SharedLayout::padding_ahead(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where,
                                  std::uint32_t padding) const {
    const std::uint64_t s = stage.s, stride = butterfly_stride(shape_);
    const bool is_whole = where.lane && stride % s == 0;
    if (!is_whole) return where.butterfly / s * std::uint64_t{padding};
    return where.lane / s * std::uint64_t{padding} +
           std::uint64_t{u / shape_.exchange.neighbours} * (stride / s) * padding;
}

Value SharedLayout::beside(Value sequence_in_group) const {
    return sequence_in_group + std::uint64_t{pitch_} * shape_.sequences;
}

/// Of a sequence's points or their chunk; both parts of a prime's are there at once.
std::uint32_t SharedLayout::places_of_sequence() const {
    return splits_parity(spec_) ? std::max(spec_.n, spec_.convolution.prime - 1) : chunk_points();
}

std::uint32_t SharedLayout::extent() const {
    const std::uint32_t beside = spec_.convolution.prime ? (pitch_ - spec_.n) + shape_.sequences : 0;
    const std::uint32_t ahead = pitch_ * (shape_.sequences - 1);
    return std::max(swizzle_.extent(ahead + chunk_points() + beside), ahead + widest_);
}

bool SharedLayout::moves_whole_points() const {
    const bool passes = passes_numbers(spec_, Side::input) || passes_numbers(spec_, Side::output);
    return shape_.exchange.components == 2 &&
           ((shape_.is_scalarised && !has_real_map(spec_)) || (shape_.exchange.whole_points && !passes));
}

/// Bytes that one access moves.
unsigned SharedLayout::bytes_moved() const {
    const unsigned number = std::min(type_bytes(frame_.real), 8u);  // a double-double lies in two arrays of doubles
    return moves_whole_points() ? 2 * number : number;
}

void SharedLayout::swap(std::optional<Places>& with) {
    if (!with) return;
    std::swap(swizzle_, with->swizzle);
    std::swap(pitch_, with->pitch);
}

// -- What subgroups touch.

/// What a subgroup touches at a leg of a butterfly, and at which places.
AccessPattern SharedLayout::pattern_of(const CoreStage& stage, std::uint32_t u, std::uint32_t leg, std::uint32_t first,
                                       bool writes) const {
    AccessPattern pattern;
    for (std::uint32_t t = first; t < std::min(threads_.count(), first + pattern_lanes); ++t)
        if (const HostPlace at = place(shape_, stage, u, t, leg, writes, true); at.exists)
            pattern.push_back(at.sequence * pitch_ +
                              (shape_.exchange.chunks == 1 ? at.place : at.place % chunk_points()));
    return pattern;
}

/// What the first and the last subgroup touch at each leg of a stage.
void SharedLayout::add_few(const CoreStage& stage, bool writes, bool all_legs, std::vector<AccessPattern>& all) const {
    const std::uint32_t butterflies = stage.pairing != Pairing::none ? 2 : 1;
    for (const std::uint32_t first : {0u, (threads_.count() - 1) / pattern_lanes * pattern_lanes}) {
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            // Of legs that are shifted copies of each other three will do.
            if (!all_legs && leg != 0 && leg != stage.radix / 2 && leg != stage.radix - 1) continue;
            for (std::uint32_t u = 0; u < butterflies; ++u) all.push_back(pattern_of(stage, u, leg, first, writes));
        }
    }
}

/// What a few of the subgroups touch, at all legs of all butterflies.
void SharedLayout::add_most(const CoreStage& stage, bool writes, std::vector<AccessPattern>& all) const {
    constexpr std::uint32_t most_counted = 8;
    const std::uint32_t subgroups = (threads_.count() + pattern_lanes - 1) / pattern_lanes;
    const std::uint32_t counted = std::min(subgroups, most_counted);
    for (std::uint32_t i = 0; i < counted; ++i)
        for (std::uint32_t u = 0; u < stage.per_thread; ++u)
            for (std::uint32_t leg = 0; leg < stage.radix; ++leg)
                all.push_back(pattern_of(stage, u, leg, i * subgroups / counted * pattern_lanes, writes));
}

void SharedLayout::add_patterns(const CoreStage& stage, bool writes, Counted counted,
                                std::vector<AccessPattern>& all) const {
    counted == Counted::most ? add_most(stage, writes, all) : add_few(stage, writes, false, all);
}

/// What a stage writes or reads: few of it where it is one of many things that share their places.
void SharedLayout::add_side(const CoreStage& stage, bool writes, Counted counted,
                            std::vector<AccessPattern>& all) const {
    if (counted == Counted::most) return add_most(stage, writes, all);
    const auto is_paired = [](const CoreStage& one) { return one.pairing != Pairing::none; };
    add_few(stage, writes, std::any_of(threads_.stages().begin(), threads_.stages().end(), is_paired), all);
}

/// Whether the stage's results change hands, and not by a prime's logarithms: these places are as good as random,
/// whatever the swizzle, and have no pattern.
bool SharedLayout::changes_hands(std::size_t stage) const {
    const std::vector<CoreStage>& stages = threads_.stages();
    return !stages[stage + 1].keeps && !threads_.takes_logarithms(stages[stage]) &&
           !threads_.takes_logarithms(stages[stage + 1]);
}

/// Of what is exchanged between stages.
void SharedLayout::add_exchange_patterns(Counted counted, std::vector<AccessPattern>& all) const {
    const std::vector<CoreStage>& stages = threads_.stages();
    for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
        if (stages[i + 1].keeps) continue;
        if (!threads_.takes_logarithms(stages[i])) add_side(stages[i], true, counted, all);
        if (!threads_.takes_logarithms(stages[i + 1])) add_side(stages[i + 1], false, counted, all);
    }
}

/// Of a plane's bins, and of the points that they are made of or become.
void SharedLayout::add_bins_patterns(Counted counted, std::vector<AccessPattern>& all) const {
    if (is_of_plane(spec_.in.bins())) {
        add_plane_patterns(spec_, threads_, pitch_, all);
        add_side(threads_.first(), false, counted, all);
    }
    if (is_of_plane(spec_.out.bins())) {
        add_side(threads_.last(), true, counted, all);
        add_plane_patterns(spec_, threads_, pitch_, all);
    }
}

std::vector<AccessPattern> SharedLayout::patterns() const {
    std::vector<AccessPattern> all;
    add_bins_patterns(Counted::few, all);
    add_exchange_patterns(Counted::few, all);
    if (has_real_map(spec_)) {
        const auto add = [&](const CoreStage& stage, bool writes) {
            if (!threads_.takes_logarithms(stage) && stage.pairing == Pairing::none)
                add_side(stage, writes, Counted::few, all);
        };
        add(threads_.first(), false);
        add(threads_.last(), true);
        add_real_patterns(frame_, spec_, threads_, pitch_, all);
    }
    return all;
}

// -- The choice.

void SharedLayout::choose() {
    choose_swizzle(patterns());
    if (may_have_pitch()) choose_pitch(most_padding(), [this] { return patterns(); });
    const bool shares = is_fused() || shape_.tile || is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins());
    if (shape_.exchange.padding != 0 && !shares && may_have_blocks()) choose_blocks(shape_.exchange.padding);
}

/// Of other lengths than powers of two, whose exclusive-or is free; where each place is that of a sequence and its
/// point.
bool SharedLayout::may_have_pitch() const {
    const bool has_real_places = has_real_map(spec_) && spec_.convolution.prime != 0;
    return !power_of_two_ && shape_.sequences > 1 && shape_.exchange.chunks == 1 && !shape_.is_scalarised &&
           !has_real_places && !is_fused();
}

/// An eighth, of which the planner leaves free (planner::bytes_held); where passes have threads of their own one
/// between sequences.
std::uint32_t SharedLayout::most_padding_in_group(bool have_own_threads) const {
    const bool has_bins = spec_.in.bins() || spec_.out.bins(), is_cluster = shape_.groups_per_cluster > 1;
    const auto may_be_apart = [](const RealMap* bins) { return !bins || is_of_plane(bins); };
    if (shape_.tile || shape_.is_scalarised || power_of_two_ || shape_.sequences < 2 || (is_cluster && has_bins))
        return 0;
    if (have_own_threads) return is_cluster ? 0 : 1;
    const bool is_of_points =
        shape_.exchange.neighbours == 1 && may_be_apart(spec_.in.bins()) && may_be_apart(spec_.out.bins());
    return is_of_points && !std::has_single_bit(shape_.sequences * spec_.n) ? spec_.n / 8 : 0;
}

/// Elements between and within sequences of a length that is no power of two: an eighth of one, of short ones up to
/// half.
std::uint32_t SharedLayout::most_padding() const {
    constexpr std::uint32_t of_short = 16;
    return std::max(spec_.n / 8, std::min(spec_.n / 2, of_short));
}

/// A place is then a base and a constant.
void SharedLayout::choose_pitch(std::uint32_t most, const Patterns& patterns) {
    const unsigned bytes = bytes_moved();
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

void SharedLayout::choose_swizzle(const std::vector<AccessPattern>& patterns, const SharedLayout* other_than) {
    if (shape_.is_scalarised) return;
    // Of two passes in one kernel, whose transpose may meet in as many banks as there are.
    const ExclusiveOr allowed = power_of_two_ ? ExclusiveOr::free
                                : is_fused()  ? ExclusiveOr::where_worthwhile
                                              : ExclusiveOr::never;
    swizzle_ = kernels::choose_swizzle(patterns, bytes_moved(), allowed, other_than ? &other_than->swizzle_ : nullptr);
}

std::uint32_t SharedLayout::choose_apart(std::uint32_t most) {
    std::uint32_t needed = 0;
    const auto choose = [&](void (SharedLayout::*add)(Counted, std::vector<AccessPattern>&) const) {
        const auto of_pitch = [&] {
            std::vector<AccessPattern> all;
            (this->*add)(Counted::most, all);
            return all;
        };
        pitch_ = places_of_sequence();
        choose_swizzle(of_pitch());
        choose_pitch(most, of_pitch);
    };
    if (is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins())) {
        choose(&SharedLayout::add_bins_patterns);
        bins_ = Places{swizzle_, pitch_};
        needed = extent();
    }
    if (threads_.stages().size() < 2) return needed;
    choose(&SharedLayout::add_exchange_patterns);
    if (may_have_blocks()) choose_blocks(most);
    return std::max(needed, extent());
}

void SharedLayout::choose_rows(std::uint32_t pitch) {
    pitch_ = pitch;
    power_of_two_ = false;
}

}  // namespace seiche::kernels
