// The places of passes in one kernel.
#include <algorithm>
#include <deque>

#include "kernels/generators.hpp"
#include "kernels/group/places_choice.hpp"
#include "kernels/group/transpose_map.hpp"
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

namespace {

using Counted = PlacesChoice::Counted;

/// Of a pass and the next one on chip.
class OnChipPlaces {
public:
    OnChipPlaces(PlacesChoice& from, PlacesChoice& to) : from_(from), to_(to), map_(from.spec(), to.spec()) {}

    /// Chooses the places of both: the extent.
    std::uint32_t choose();
    /// Those of the next one alone.
    std::uint32_t choose_behind();

private:
    bool have_own_threads() const;
    bool have_convolution() const;
    std::vector<AccessPattern> transposed_patterns(Counted counted) const;

    PlacesChoice &from_, &to_;
    TransposeMap map_;
};

bool OnChipPlaces::have_own_threads() const {
    return !to_.spec().on_chip.next.empty() || is_halved(from_.spec()) || from_.spec().on_chip.own_threads;
}

bool OnChipPlaces::have_convolution() const { return !from_.spec().runs_once() || !to_.spec().runs_once(); }

/// Of a pass of one stage, which exchanges nothing but bins, no more than the next one's, or than its rows take that
/// come by way of it.
std::uint32_t OnChipPlaces::choose() {
    std::uint32_t own = 0;
    if (const std::uint32_t padding = have_own_threads() ? 0 : from_.most_padding_in_group(false)) {
        own = from_.choose_apart(padding);
    } else if (have_convolution()) {
        own = from_.choose_apart(from_.most_padding_in_group(true));
    } else {
        from_.choose_swizzle(from_.patterns());
        if (from_.stages().stages().size() > 1 || is_of_plane(from_.spec().in.bins())) own = from_.extent();
    }
    const std::uint32_t of_rows =
        from_.spec().in.has_rows() ? from_.shape().sequences * pitch_of_rows(elements_of_row(from_.spec())) : 0;
    return std::max({own, of_rows, choose_behind()});
}

std::uint32_t OnChipPlaces::choose_behind() {
    PlacesChoice& next = to_;
    if (to_.spec().on_chip.next.empty() && to_.spec().out.has_rows()) {
        next.choose_rows(pitch_of_rows(map_.crossing.columns));
        return next.extent();
    }
    if (to_.spec().convolution.prime != 0)  // whose logarithms have no pattern
        return std::max(next.extent(), next.choose_apart(next.most_padding_in_group(true)));
    const bool own_threads = from_.spec().is_second() || have_own_threads();
    const std::uint32_t padding = next.most_padding_in_group(own_threads);
    if (padding != 0 && !own_threads) {
        const auto patterns = [&] { return transposed_patterns(Counted::most); };
        next.choose_swizzle(patterns());
        next.choose_pitch(padding, patterns);
        next.keep_for_transpose();
        const std::uint32_t extent = next.extent();
        return std::max(extent, next.choose_apart(padding));
    }
    const auto all_patterns = [&] {
        std::vector<AccessPattern> all = next.patterns();
        for (const AccessPattern& pattern : transposed_patterns(Counted::few)) all.push_back(pattern);
        return all;
    };
    // Places that both passes have are kept in registers from one to the other, and may spill (measured: docs/lab,
    // LAB-0010). Where columns meet each place is computed anew, and the simplest swizzle takes the least.
    next.choose_swizzle(all_patterns(), to_.shape().has_mirrors_in_group() ? nullptr : &from_);
    if (padding != 0) next.choose_pitch(padding, all_patterns);
    return next.extent();
}

/// Places in the second pass's order, as write() finds them and as its first stage reads them.
std::vector<AccessPattern> OnChipPlaces::transposed_patterns(Counted counted) const {
    const std::uint32_t pitch = from_.pitch(), s = from_.stages().last().s;
    const std::uint64_t rows = map_.crossing.rows, all_rows = rows * map_.crossing.ranks;
    std::vector<AccessPattern> all;
    from_.add_patterns(from_.stages().last(), true, counted, all);
    for (AccessPattern& pattern : all) {
        std::erase_if(pattern, [&](std::uint32_t at) { return at % pitch >= all_rows; });
        for (std::uint32_t& at : pattern) {
            const std::uint32_t result = at % pitch;
            const auto in = in_transform<std::uint64_t>(from_.spec(), at / pitch, 0);
            const std::uint64_t row =
                to_.shape().has_mirrors_in_group()
                    ? map_.mirrored_row(from_.stages().last(), result % s, result / s, HostIndex{}).row
                    : result % rows;
            const std::uint64_t number = in.transform * map_.transform_stride + row * map_.row_stride + in.beside;
            at = static_cast<std::uint32_t>(number * to_.pitch() + in.sequence);
        }
    }
    std::erase_if(all, [](const AccessPattern& pattern) { return pattern.empty(); });
    to_.add_patterns(to_.stages().first(), false, counted, all);
    return all;
}

void keep(KernelSpec& spec, const PlacesChoice& choice) {
    std::get<GroupShape>(spec.shape).exchange.places = choice.places();
}

/// Of a pass, and of those that follow it on chip: the extent.
std::uint32_t choose_on_chip(KernelSpec& spec) {
    std::deque<PlacesChoice> passes;
    passes.emplace_back(spec);
    for_each_then(spec, [&](KernelSpec& next) { passes.emplace_back(next); });
    std::uint32_t extent = 0;
    if (passes.size() > 1) {
        extent = OnChipPlaces(passes[0], passes[1]).choose();
        for (std::size_t i = 2; i < passes.size(); ++i)
            extent = std::max(extent, OnChipPlaces(passes[i - 1], passes[i]).choose_behind());
    } else if (passes.front().exchanges()) {
        passes.front().choose();
        extent = passes.front().extent();
    }
    keep(spec, passes.front());
    std::size_t i = 0;
    for_each_then(spec, [&](KernelSpec& next) { keep(next, passes[++i]); });
    return extent;
}

}  // namespace

void choose_places(KernelSpec& spec) {
    std::uint32_t extent = 0;
    for (KernelSpec* pass = &spec;; pass = &pass->pipeline.next.front()) {
        extent = std::max(extent, choose_on_chip(*pass));
        if (pass->pipeline.next.empty()) break;
    }
    std::get<GroupShape>(spec.shape).exchange.places->extent = extent;
}

}  // namespace seiche::kernels
