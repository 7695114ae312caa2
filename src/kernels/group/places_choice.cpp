#include "kernels/group/places_choice.hpp"

#include <algorithm>
#include <bit>

#include "kernels/group/patterns.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t pattern_lanes = 32;  // of a subgroup

}  // namespace

PlacesChoice::PlacesChoice(const KernelSpec& spec)
    : spec_(spec), shape_(std::get<GroupShape>(spec.shape)), stages_(spec), power_of_two_(std::has_single_bit(spec.n)) {
    places_.own.pitch = places_of_sequence();
    places_.behind_blocks.resize(stages_.stages().size(), 0);
}

/// Of a sequence's points or their chunk; both parts of a prime's are there at once.
std::uint32_t PlacesChoice::places_of_sequence() const {
    return splits_parity(spec_) ? std::max(spec_.n, spec_.convolution.prime - 1) : chunk_points();
}

std::uint32_t PlacesChoice::extent() const {
    const std::uint32_t beside = spec_.convolution.prime ? (places_.own.pitch - spec_.n) + shape_.sequences : 0;
    const std::uint32_t ahead = places_.own.pitch * (shape_.sequences - 1);
    return std::max(places_.own.swizzle.extent(ahead + chunk_points() + beside), ahead + places_.padded_sequence);
}

bool moves_whole_points(const KernelSpec& spec) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    const bool passes = passes_numbers(spec, Side::input) || passes_numbers(spec, Side::output);
    return shape.exchange.components == 2 &&
           ((shape.is_scalarised && !has_real_map(spec)) || (shape.exchange.whole_points && !passes));
}

/// Bytes that one access moves.
unsigned PlacesChoice::bytes_moved() const {
    // A double-double lies in two arrays of doubles.
    const auto number = static_cast<unsigned>(std::min<std::uint64_t>(stored_bytes(spec_.precision, Storage::same), 8));
    return moves_whole_points(spec_) ? 2 * number : number;
}

// -- What subgroups touch.

/// What a subgroup touches at a leg of a slot, and at which places.
AccessPattern PlacesChoice::pattern_of(const CoreStage& stage, std::uint32_t where, std::uint32_t leg,
                                       std::uint32_t first, bool writes) const {
    AccessPattern pattern;
    for (std::uint32_t t = first; t < std::min(stages_.count(), first + pattern_lanes); ++t)
        if (const HostPlace at = place(shape_, stage, where, t, leg, writes, true); at.exists)
            pattern.push_back(at.sequence * places_.own.pitch +
                              (shape_.exchange.chunks == 1 ? at.place : at.place % chunk_points()));
    return pattern;
}

/// What the first and the last subgroup touch at each leg of a stage.
void PlacesChoice::add_few(const CoreStage& stage, bool writes, bool all_legs, std::vector<AccessPattern>& all) const {
    const std::uint32_t per_thread = stage.pairing != Pairing::none ? 2 : 1;
    for (const std::uint32_t first : {0u, (stages_.count() - 1) / pattern_lanes * pattern_lanes}) {
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            // Of legs that are shifted copies of each other three will do.
            if (!all_legs && leg != 0 && leg != stage.radix / 2 && leg != stage.radix - 1) continue;
            for (std::uint32_t u = 0; u < per_thread; ++u) all.push_back(pattern_of(stage, u, leg, first, writes));
        }
    }
}

/// What a few of the subgroups touch, at all legs of all slots.
void PlacesChoice::add_most(const CoreStage& stage, bool writes, std::vector<AccessPattern>& all) const {
    constexpr std::uint32_t most_counted = 8;
    const std::uint32_t subgroups = (stages_.count() + pattern_lanes - 1) / pattern_lanes;
    const std::uint32_t counted = std::min(subgroups, most_counted);
    for (std::uint32_t i = 0; i < counted; ++i)
        for (std::uint32_t u = 0; u < stage.per_thread; ++u)
            for (std::uint32_t leg = 0; leg < stage.radix; ++leg)
                all.push_back(pattern_of(stage, u, leg, i * subgroups / counted * pattern_lanes, writes));
}

void PlacesChoice::add_patterns(const CoreStage& stage, bool writes, Counted counted,
                                std::vector<AccessPattern>& all) const {
    counted == Counted::most ? add_most(stage, writes, all) : add_few(stage, writes, false, all);
}

/// What a stage writes or reads: few of it where it is one of many things that share their places.
void PlacesChoice::add_side(const CoreStage& stage, bool writes, Counted counted,
                            std::vector<AccessPattern>& all) const {
    if (counted == Counted::most) return add_most(stage, writes, all);
    const auto is_paired = [](const CoreStage& one) { return one.pairing != Pairing::none; };
    add_few(stage, writes, std::any_of(stages_.stages().begin(), stages_.stages().end(), is_paired), all);
}

/// Whether the stage's results change hands, and not by a prime's logarithms: these places are as good as random,
/// whatever the swizzle, and have no pattern.
bool PlacesChoice::changes_hands(std::size_t stage) const {
    const std::vector<CoreStage>& stages = stages_.stages();
    return !stages[stage + 1].keeps && !stages_.takes_logarithms(stages[stage]) &&
           !stages_.takes_logarithms(stages[stage + 1]);
}

/// Of what is exchanged between stages.
void PlacesChoice::add_exchange_patterns(Counted counted, std::vector<AccessPattern>& all) const {
    const std::vector<CoreStage>& stages = stages_.stages();
    for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
        if (stages[i + 1].keeps) continue;
        if (!stages_.takes_logarithms(stages[i])) add_side(stages[i], true, counted, all);
        if (!stages_.takes_logarithms(stages[i + 1])) add_side(stages[i + 1], false, counted, all);
    }
}

/// Of a plane's bins, and of the points that they are made of or become.
void PlacesChoice::add_bins_patterns(Counted counted, std::vector<AccessPattern>& all) const {
    if (is_of_plane(spec_.in.bins())) {
        add_plane_patterns(spec_, stages_.count(), pitch(), all);
        add_side(stages_.first(), false, counted, all);
    }
    if (is_of_plane(spec_.out.bins())) {
        add_side(stages_.last(), true, counted, all);
        add_plane_patterns(spec_, stages_.count(), pitch(), all);
    }
}

std::vector<AccessPattern> PlacesChoice::patterns() const {
    std::vector<AccessPattern> all;
    add_bins_patterns(Counted::few, all);
    add_exchange_patterns(Counted::few, all);
    if (has_real_map(spec_)) {
        const auto add = [&](const CoreStage& stage, bool writes) {
            if (!stages_.takes_logarithms(stage) && stage.pairing == Pairing::none)
                add_side(stage, writes, Counted::few, all);
        };
        add(stages_.first(), false);
        add(stages_.last(), true);
        add_real_patterns(spec_, pitch(), all);
    }
    return all;
}

// -- The choice.

void PlacesChoice::choose() {
    choose_swizzle(patterns());
    if (may_have_pitch()) choose_pitch(most_padding(), [this] { return patterns(); });
    const bool shares = is_fused() || shape_.tile || is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins());
    if (shape_.exchange.padding != 0 && !shares && may_have_blocks()) choose_blocks(shape_.exchange.padding);
}

/// Of other lengths than powers of two, whose exclusive-or is free; where each place is that of a sequence and its
/// point.
bool PlacesChoice::may_have_pitch() const {
    const bool has_real_places = has_real_map(spec_) && spec_.convolution.prime != 0;
    return !power_of_two_ && shape_.sequences > 1 && shape_.exchange.chunks == 1 && !shape_.is_scalarised &&
           !has_real_places && !is_fused();
}

/// An eighth, of which the planner leaves room (planner::bytes_held); where passes have threads of their own one
/// between sequences.
std::uint32_t PlacesChoice::most_padding_in_group(bool have_own_threads) const {
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
std::uint32_t PlacesChoice::most_padding() const {
    constexpr std::uint32_t of_short = 16;
    return std::max(spec_.n / 8, std::min(spec_.n / 2, of_short));
}

/// A place is then a base and a constant.
void PlacesChoice::choose_pitch(std::uint32_t most, const Patterns& patterns) {
    const unsigned bytes = bytes_moved();
    const Swizzle together = places_.own.swizzle, apart{Swizzle::Rule::none, 0, 0, together.mask};
    std::uint64_t least = wavefronts(patterns(), together, bytes) + 1;
    std::uint32_t best = places_of_sequence();
    for (places_.own.pitch = best; places_.own.pitch <= places_of_sequence() + std::min(most, together.mask);
         ++places_.own.pitch) {
        const std::uint64_t count = wavefronts(patterns(), apart, bytes);
        if (count >= least) continue;
        least = count;
        best = places_.own.pitch;
        places_.own.swizzle = apart;
    }
    places_.own.pitch = best;
}

void PlacesChoice::choose_swizzle(const std::vector<AccessPattern>& patterns, const PlacesChoice* other_than) {
    if (shape_.is_scalarised) return;
    // Of two passes in one kernel, whose transpose may meet in as many banks as there are.
    const ExclusiveOr allowed = power_of_two_ ? ExclusiveOr::free
                                : is_fused()  ? ExclusiveOr::where_worthwhile
                                              : ExclusiveOr::never;
    places_.own.swizzle = kernels::choose_swizzle(patterns, bytes_moved(), allowed,
                                                  other_than ? &other_than->places_.own.swizzle : nullptr);
}

std::uint32_t PlacesChoice::choose_apart(std::uint32_t most) {
    std::uint32_t needed = 0;
    const auto choose = [&](void (PlacesChoice::*add)(Counted, std::vector<AccessPattern>&) const) {
        const auto of_pitch = [&] {
            std::vector<AccessPattern> all;
            (this->*add)(Counted::most, all);
            return all;
        };
        places_.own.pitch = places_of_sequence();
        choose_swizzle(of_pitch());
        choose_pitch(most, of_pitch);
    };
    if (is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins())) {
        choose(&PlacesChoice::add_bins_patterns);
        places_.bins = places_.own;
        needed = extent();
    }
    if (stages_.stages().size() < 2) return needed;
    choose(&PlacesChoice::add_exchange_patterns);
    if (may_have_blocks()) choose_blocks(most);
    return std::max(needed, extent());
}

}  // namespace seiche::kernels
