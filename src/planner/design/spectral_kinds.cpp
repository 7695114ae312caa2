// Spectral operators with real-to-real axes, whose spectrum is in memory. One transform takes these axes, between real
// arrays; periodic axes beside them are a transform of their own, between real numbers and the spectrum, which comes
// second, so that the first one moves real numbers alone. The middle is the end of the way to the spectrum.
#include "planner/design/spectral_kinds.hpp"

#include <algorithm>
#include <array>

#include "planner/design/design.hpp"
#include "support/layout.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using problem::CanonicalSpectral;
using problem::Coordinate;

/// One of an operator's transforms.
struct Transform {
    bool has_real_axes = false;  ///< It takes the real-to-real axes; else the periodic ones.
    Direction direction = Direction::forward;

    bool is_forward() const { return direction == Direction::forward; }
    bool takes(const problem::SpectralAxis& axis) const { return (axis.kind != Kind::c2c) == has_real_axes; }
};

/// The element counts of one axis in the array at the user's end, and at the spectrum's.
struct Counts {
    std::uint64_t outer = 1, inner = 1;
};

Counts counts_of(const CanonicalSpectral& c, std::size_t i, const Transform& t) {
    const problem::SpectralAxis& given = c.axes[i];
    if (!t.has_real_axes) return {given.least, c.bins(i)};
    return {t.is_forward() ? given.signal : given.count, given.least};
}

problem::Axis axis_of(const CanonicalSpectral& c, std::size_t i, const Transform& t) {
    const problem::SpectralAxis& given = c.axes[i];
    problem::Axis axis;
    axis.length = given.least;
    axis.kind = c.is_halved(i) ? (t.is_forward() ? Kind::r2c : Kind::c2r) : given.kind;
    if (t.has_real_axes)
        axis.signal_kept =
            problem::kept_of_axis(t.is_forward() ? given.origin : given.first, counts_of(c, i, t).outer, given.least);
    axis.spectrum_kept = given.kept;
    return axis;
}

/// Where the user's axes went: `own` has the place of each axis of the operator.
std::vector<Coordinate> coordinates_of(const CanonicalSpectral& c, const std::vector<Coordinate>& own) {
    std::vector<Coordinate> all;
    for (const Coordinate& coordinate : c.coordinates)
        all.push_back(coordinate.kind == Coordinate::Kind::axis ? own[coordinate.index] : Coordinate{});
    return all;
}

/// Loops are from the slowest to the fastest, and merge from the other end.
void merge_loops(std::vector<support::Loop>& loops) {
    std::reverse(loops.begin(), loops.end());
    support::coalesce(loops);
    std::reverse(loops.begin(), loops.end());
}

/// Without its stages.
problem::Canonical canonical_of(const CanonicalSpectral& c, const Transform& t) {
    problem::Canonical canonical;
    canonical.precision = c.precision;
    canonical.storage = t.has_real_axes ? c.storage : Storage::same;
    canonical.is_compact = true;
    canonical.input_is_real = t.has_real_axes || t.is_forward();
    canonical.output_is_real = t.has_real_axes || !t.is_forward();
    std::int64_t outer = 1, inner = 1;
    for (std::size_t i = c.axes.size(); i-- > 0;) {
        const Counts counts = counts_of(c, i, t);
        const std::int64_t in = t.is_forward() ? outer : inner, out = t.is_forward() ? inner : outer;
        if (t.takes(c.axes[i])) {
            problem::Axis axis = axis_of(c, i, t);
            axis.input_stride = in;
            axis.output_stride = out;
            canonical.n *= logical_length(axis.kind, axis.length);
            canonical.axes.insert(canonical.axes.begin(), axis);
        } else if (counts.outer > 1) {
            canonical.loops.insert(canonical.loops.begin(), {counts.outer, in, out});
        }
        outer = support::times(counts.outer, outer);
        inner = support::times(counts.inner, inner);
    }
    canonical.batch = {c.batch, t.is_forward() ? outer : inner, t.is_forward() ? inner : outer};
    canonical.default_batch = c.batch;
    return canonical;
}

void set_coordinates(const CanonicalSpectral& c, const Transform& t, problem::Canonical& canonical) {
    std::vector<Coordinate> own;
    std::size_t axes = 0, loops = 0;
    for (std::size_t i = 0; i < c.axes.size(); ++i) {
        if (t.takes(c.axes[i]))
            own.push_back({Coordinate::Kind::axis, axes++});
        else
            own.push_back(counts_of(c, i, t).outer > 1 ? Coordinate{Coordinate::Kind::loop, loops++} : Coordinate{});
    }
    canonical.coordinates = coordinates_of(c, own);
}

using Program = std::shared_ptr<const expression::Program>;

problem::Canonical with_stages(const CanonicalSpectral& c, const Transform& t, const Program& load,
                               const Program& store) {
    problem::Canonical canonical = canonical_of(c, t);
    canonical.stages[static_cast<std::size_t>(t.direction)] = {load, store};
    set_coordinates(c, t, canonical);
    if (!load && !store) {
        canonical.coordinates.clear();
        merge_loops(canonical.loops);
    }
    return canonical;
}

}  // namespace

SpectralDesign design_by_kinds(const CanonicalSpectral& c, const DeviceLimits& limits, const Tuning& tuning) {
    SpectralDesign d;
    d.spectral = c;
    for (std::size_t i = 0; i < c.axes.size(); ++i) {
        d.lengths.push_back(c.axes[i].least);
        d.spectrum_points *= c.bins(i);
    }
    const problem::SpectralStages& stages = c.stages;
    const bool is_mixed = !c.is_real_to_real();
    const auto real_axes = [&](Direction direction, const Program& load, const Program& store) {
        return with_stages(c, {true, direction}, load, store);
    };
    const auto design = [&](const problem::Canonical& canonical) { return planner::design(canonical, limits, tuning); };
    if (is_mixed) {
        SpectralDesign::RealAxes ends{{real_axes(Direction::forward, stages.load, nullptr), {}},
                                      {real_axes(Direction::inverse, nullptr, stages.store), {}}};
        ends.back.problem.may_overwrite_input = true;
        ends.there.recipe = design(ends.there.problem);
        ends.back.recipe = design(ends.back.problem);
        d.real_axes = std::move(ends);
        d.signal = with_stages(c, {false, Direction::forward}, nullptr, stages.middle);
        d.result = with_stages(c, {false, Direction::inverse}, nullptr, nullptr);
        d.signal.may_overwrite_input = true;
    } else {
        d.signal = real_axes(Direction::forward, stages.load, stages.middle);
        d.result = real_axes(Direction::inverse, nullptr, stages.store);
    }
    d.result.may_overwrite_input = true;
    d.result.inverse_scale = d.middle_scale();
    d.recipe = design(d.signal);
    d.result_recipe = design(d.result);
    return d;
}

}  // namespace seiche::planner
