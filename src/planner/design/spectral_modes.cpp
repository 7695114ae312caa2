// Spectral operators whose spectrum is in memory, because of it only some modes are kept, or a matrix of weights leads
// from channel to channel: both transforms are those of any other problem, pruned.
#include "planner/design/spectral_modes.hpp"

#include <algorithm>

#include "planner/design/design.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using problem::CanonicalSpectral;

/// Elements of an axis in memory. What is not kept is never touched, but passes leave other points there on their way;
/// not so behind the rows, where indices end with the last one that is kept.
std::uint64_t places_of(const CanonicalSpectral& c, std::size_t axis, bool has_short_rows) {
    const std::vector<problem::Range>& kept = c.axes[axis].kept;
    return has_short_rows && axis + 1 == c.axes.size() && !kept.empty() ? kept.back().end : c.bins(axis);
}

/// Between a compact array of signals or results and their spectra.
problem::Canonical canonical_of(const CanonicalSpectral& c, bool has_short_rows, bool is_forward) {
    problem::Canonical canonical;
    canonical.precision = c.precision;
    canonical.storage = c.storage;
    canonical.is_compact = true;
    canonical.input_is_real = is_forward && c.input_is_real();
    canonical.output_is_real = !is_forward && c.output_is_real();
    std::int64_t own = 1, spectrum = 1;
    for (std::size_t i = c.axes.size(); i-- > 0;) {
        const problem::SpectralAxis& given = c.axes[i];
        const bool is_halved = c.is_real() && i + 1 == c.axes.size();
        const std::uint64_t count = is_forward ? given.signal : given.count;
        problem::Axis axis;
        axis.length = given.least;
        axis.input_stride = is_forward ? own : spectrum;
        axis.output_stride = is_forward ? spectrum : own;
        if (is_halved) axis.kind = is_forward ? Kind::r2c : Kind::c2r;
        axis.signal_kept = problem::kept_of_axis(is_forward ? given.origin : given.first, count, given.least);
        axis.spectrum_kept = given.kept;
        canonical.n *= given.least;
        if (is_halved || given.least > 1) canonical.axes.insert(canonical.axes.begin(), axis);
        own = support::times(count, own);
        spectrum = support::times(places_of(c, i, has_short_rows), spectrum);
    }
    const std::uint64_t channels = is_forward ? c.inputs : c.outputs;
    const auto loop = [&](std::uint64_t times) {
        const std::int64_t in = support::times(times, own), of_spectrum = support::times(times, spectrum);
        return is_forward ? std::pair(in, of_spectrum) : std::pair(of_spectrum, in);
    };
    const auto [in, out] = loop(1);
    if (channels > 1) canonical.loops.push_back({channels, in, out});
    const auto [distance_in, distance_out] = loop(channels);
    canonical.batch = {c.batch, distance_in, distance_out};
    canonical.coordinates = c.coordinates;
    return canonical;
}

SpectralDesign design_with(const CanonicalSpectral& spectral, bool has_short_rows, const DeviceLimits& limits,
                           const Tuning& tuning) {
    SpectralDesign d;
    d.spectral = spectral;
    for (std::size_t i = 0; i < spectral.axes.size(); ++i) {
        d.lengths.push_back(spectral.axes[i].least);
        d.spectrum_points *= places_of(spectral, i, has_short_rows);
    }
    d.signal = canonical_of(spectral, has_short_rows, true);
    d.result = canonical_of(spectral, has_short_rows, false);
    const problem::SpectralStages& stages = spectral.stages;
    problem::DirectionStages& to = d.signal.stages[static_cast<std::size_t>(Direction::forward)];
    to.load = stages.load;
    if (spectral.sums() == 0) to.store = stages.middle;
    d.result.stages[static_cast<std::size_t>(Direction::inverse)].store = stages.store;
    d.result.inverse_scale = d.middle_scale();
    d.result.may_overwrite_input = true;
    if (spectral.has_signal_in()) d.recipe = planner::design(d.signal, limits, tuning);
    if (spectral.has_signal_out()) d.result_recipe = planner::design(d.result, limits, tuning);
    return d;
}

/// Whether the halved axis is one kernel each way that there is, the first and the last.
bool has_whole_rows(const SpectralDesign& d) {
    const auto is_whole = [](const AxisRecipe& axis) {
        return axis.kind != Kind::c2c && axis.passes.size() == 1 && axis.padded == 0 &&
               (axis.in_one_pass || axis.one_sided);
    };
    const auto has_one = [&](const Recipe& recipe) { return std::ranges::any_of(recipe.axes, is_whole); };
    return d.spectral.is_real() && (!d.spectral.has_signal_in() || has_one(d.recipe)) &&
           (!d.spectral.has_signal_out() || has_one(d.result_recipe));
}

}  // namespace

SpectralDesign design_in_memory(const CanonicalSpectral& spectral, const DeviceLimits& limits, const Tuning& tuning) {
    SpectralDesign d = design_with(spectral, false, limits, tuning);
    if (spectral.axes.back().kept.empty() || !has_whole_rows(d)) return d;
    SpectralDesign compact = design_with(spectral, true, limits, tuning);
    return has_whole_rows(compact) ? compact : d;
}

}  // namespace seiche::planner
