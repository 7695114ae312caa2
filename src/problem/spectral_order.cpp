// Operators that begin with a spectrum: which modes their arrays have, and where.
#include <algorithm>
#include <limits>
#include <string>

#include "expression/elements.hpp"
#include "problem/spectral.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::problem {

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem("spectral." + field + ": expected " + rule + ", got " + got);
}

/// Positions are 32-bit numbers, and so is what the table of them has.
constexpr std::uint64_t most_positions = std::numeric_limits<std::int32_t>::max();

/// The axes of the user's, in the user's order: those of length 1 are none of the canonical ones.
expression::ModePlaces places_of(const SpectralProblem& p, const CanonicalSpectral& c) {
    expression::ModePlaces places;
    places.axes.resize(p.lengths.size());
    for (std::size_t i = 0; i < c.axes.size(); ++i) {
        const std::vector<Range>& kept = c.axes[i].kept;
        expression::ModePlaces::Axis& axis = places.axes[c.places[i]];
        axis.count = c.axes[i].signal;
        if (!kept.empty()) axis.begin = kept.front().begin;
        if (kept.size() < 2) continue;
        axis.reach = kept[0].end;
        axis.gap = kept[1].begin - kept[0].end;
    }
    return places;
}

std::uint64_t places_in_box(const expression::ModePlaces& places) {
    std::uint64_t all = 1;
    for (const auto& axis : places.axes) all *= axis.count;
    return all;
}

/// Where each mode of the list is, by its place in the box. Throws InvalidProblem for one that is there twice.
std::vector<std::int32_t> positions_of(const SpectralProblem& p, const expression::ModePlaces& places) {
    const std::uint64_t all = places_in_box(places);
    if (all > most_positions) refuse("packed", "modes in a box of at most 2^31 - 1", std::to_string(all) + " in it");
    std::vector<std::int32_t> positions(all, -1);
    const std::size_t rank = p.lengths.size();
    for (std::size_t mode = 0; mode < p.packed.size() / rank; ++mode) {
        std::uint64_t place = 0;
        for (std::size_t i = 0; i < rank; ++i) {
            const auto& axis = places.axes[i];
            const std::int64_t wave = p.packed[mode * rank + i];
            const std::uint64_t index = static_cast<std::uint64_t>(wave) + (wave < 0 ? p.lengths[i] : 0);
            const std::uint64_t behind = index < axis.reach || axis.gap == 0 ? index : index - axis.gap;
            place = place * axis.count + (axis.count == 1 ? 0 : behind - axis.begin);
        }
        if (positions[place] >= 0)
            refuse("packed", "each mode once",
                   "mode " + std::to_string(mode) + " again, which is " + std::to_string(positions[place]));
        positions[place] = static_cast<std::int32_t>(mode);
    }
    return positions;
}

std::shared_ptr<const expression::Program> finding(const SpectralProblem& p, const CanonicalSpectral& c,
                                                   const expression::ModePlaces& places, expression::Side side) {
    const expression::Program* own = (side == expression::Side::load ? c.stages.load : c.stages.store).get();
    expression::Context context;
    context.side = side;
    context.counts = p.lengths;
    return std::make_shared<expression::Program>(expression::find_elements(own, places, context));
}

}  // namespace

std::vector<ModeRange> box_of_packed(const SpectralProblem& p) {
    const std::size_t rank = p.lengths.size();
    if (p.packed.size() % rank != 0 || p.packed.size() / rank > most_positions)
        refuse("packed", std::to_string(rank) + " wave numbers for each of at most 2^31 - 1 modes",
               std::to_string(p.packed.size()));
    std::vector<ModeRange> box(rank);
    for (std::size_t at = 0; at < p.packed.size(); ++at) {
        const std::size_t i = at % rank;
        const auto n = static_cast<std::int64_t>(p.lengths[i]);
        const std::int64_t least = -(n / 2), most = (n - 1) / 2;
        const std::int64_t wave = p.packed[at];
        if (wave < least || wave > most)
            refuse("packed",
                   "wave numbers from " + std::to_string(least) + " to " + std::to_string(most) + " along axis " +
                       std::to_string(i),
                   std::to_string(wave) + " in mode " + std::to_string(at / rank));
        ModeRange& range = box[i];
        range = at < rank ? ModeRange{wave, wave + 1}
                          : ModeRange{std::min(range.begin, wave), std::max(range.end, wave + 1)};
    }
    return box;
}

void find_modes(const SpectralProblem& p, CanonicalSpectral& canonical) {
    canonical.own = canonical.stages;
    canonical.packed = p.packed.size() / p.lengths.size();
    if (!canonical.finds_modes()) return;
    expression::ModePlaces places = places_of(p, canonical);
    places.modes = places_in_box(places);
    if (canonical.packed != 0) {
        canonical.positions = std::make_shared<const std::vector<std::int32_t>>(positions_of(p, places));
        places.positions = places.modes;
        places.modes = canonical.packed;
    }
    const auto load = finding(p, canonical, places, expression::Side::load);
    canonical.stages.store = finding(p, canonical, places, expression::Side::store);
    canonical.stages.load = load;
}

}  // namespace seiche::problem
