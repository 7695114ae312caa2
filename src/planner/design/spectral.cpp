// The policy of convolutions: padded lengths that are cheap, blocks for long signals, one kernel for the product and
// the transforms on both of its sides.
#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/design/design.hpp"
#include "planner/design/spectral_kinds.hpp"
#include "planner/design/spectral_modes.hpp"
#include "planner/device_model.hpp"
#include "planner/fuse/group_axes.hpp"
#include "planner/model/costs.hpp"
#include "planner/model/fusing.hpp"
#include "planner/model/passes.hpp"
#include "planner/model/processors.hpp"
#include "planner/policy/butterflies.hpp"
#include "planner/policy/cost.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/shape.hpp"
#include "planner/spectral.hpp"
#include "problem/bounds.hpp"
#include "seiche/error.hpp"
#include "support/fma.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

using problem::CanonicalSpectral;
using problem::SpectralAxis;

struct Context {
    const CanonicalSpectral& spectral;
    const DeviceLimits& limits;
    const Tuning& tuning;
    bool is_right_angled = false;

    std::uint64_t core_of(std::uint64_t n) const { return is_right_angled ? n / 2 : n; }
    AxisQuestion question(std::uint64_t n, bool is_strided) const {
        AxisQuestion q{0, n, is_strided, spectral.precision, 1, &limits, &tuning};
        q.sequences = spectral.batch * std::max(spectral.inputs, spectral.outputs);
        return q;
    }
};

void check(const Context& context) {
    const Tuning& t = context.tuning;
    const std::string what = context.spectral.kernels != 0 ? "a convolution" : "a spectral operator";
    if (!t.radices.empty() || !t.passes.empty() || t.algorithm != Algorithm::any || t.padded_length != 0)
        throw Unsupported("tuning.radices, passes, algorithm and padded_length: expected none of them for " + what);
    if (!t.recipe.empty() || t.twiddles != TwiddleMethod::any)
        throw Unsupported("tuning.recipe and twiddles: expected neither for " + what);
    if (t.groups_per_cluster != 0)
        throw Unsupported("tuning.groups_per_cluster: expected 0 for " + what + ", got " +
                          std::to_string(t.groups_per_cluster));
    const CanonicalSpectral& c = context.spectral;
    if (c.sums() != 0 && c.sum_precision == Precision::f64 && !context.limits.fp64)
        throw Unsupported("sums in f64 on a device without fp64: expected a device with it, or f32");
    if (t.trailing_passes) throw Unsupported("tuning.trailing_passes: expected false for " + what + ", got true");
}

/// The core of a pass that runs twice; nothing where it does not fit on chip.
std::optional<Stockham> twice(const Context& context, std::uint64_t n, bool is_strided) {
    const AxisQuestion q = context.question(n, is_strided);
    const CoreQuestion core{n, is_strided, true, q.precision};
    if (n > std::numeric_limits<std::uint32_t>::max() || !has_butterflies(q, n) || !fits_one_pass(core, context.limits))
        return std::nullopt;
    return choose_core(q, core);
}

/// Both transforms of so many elements in one pass that moves `moved` of them in and out, together.
std::optional<double> cost_in_one_pass(const Context& context, std::uint64_t n, std::uint64_t moved) {
    const std::uint64_t points = context.core_of(n);
    const std::optional<Stockham> core = twice(context, points, false);
    if (!core) return std::nullopt;
    return cost(Pass{static_cast<std::uint32_t>(context.core_of(moved) / 2), Algorithm::bluestein, *core},
                context.question(points, false));
}

/// Whether a real convolution may be negacyclic: of one axis, and not circular.
bool may_be_right_angled(const CanonicalSpectral& c) {
    return c.is_real() && c.axes.size() == 1 && !c.axes.front().is_cyclic && !c.is_spectrum &&
           (c.block < 2 || c.block % 2 == 0);
}

std::uint64_t core_points(const Context& context, std::size_t axis, std::uint64_t n) {
    const std::size_t axes = context.spectral.axes.size();
    const bool is_halved = context.spectral.is_real() && axes > 1 && axis + 1 == axes;
    return is_halved ? kernels::real_core(Kind::r2c, n).points : context.core_of(n);
}

bool has_matrix(const CanonicalSpectral& c) { return c.channels != ChannelMatrix::diagonal && c.kernels > 1; }

/// Whether the last pass of the slowest axis can be the one that multiplies, which alone has a matrix's sums.
bool can_multiply(const Context& context, const AxisRecipe& recipe) {
    const Pass& last = recipe.passes.back();
    if (recipe.padded != 0 || last.algorithm != Algorithm::direct) return false;
    return twice(context, last.n, recipe.passes.size() > 1 || context.spectral.axes.size() > 1).has_value();
}

/// Radices of a lone pass's core that were measured to be faster; empty: none, or the tuning asks for a shape.
std::vector<std::uint32_t> measured_radices(const Context& context, std::uint64_t n) {
    const Tuning& tuning = context.tuning;
    if (tuning.threads_per_transform || tuning.transforms_per_group || has_matrix(context.spectral)) return {};
    return measured_radices_of_convolution(n, context.spectral.precision, context.limits);
}

/// A longer core than `chosen`, where a measured one is faster by more than it is longer. Measured: LAB-0026.
std::uint64_t with_measured_core(const Context& context, std::uint64_t least, std::uint64_t chosen) {
    if (context.spectral.axes.size() != 1 || chosen < user_convolutions::shortest_measured) return chosen;
    const auto padded = static_cast<std::uint64_t>(user_convolutions::most_padding * static_cast<double>(chosen));
    const std::uint64_t most = std::min(user_convolutions::longest_measured, padded);
    for (std::uint64_t n = least; n <= most; ++n)
        if (!measured_radices(context, n).empty()) return n;
    return chosen;
}

/// The cheapest length of small factors from `least` up to the next power of two.
std::uint64_t padded_length(const Context& context, std::size_t axis) {
    const CanonicalSpectral& c = context.spectral;
    const SpectralAxis& own = c.axes[axis];
    if (own.is_cyclic) return own.least;
    const bool is_simd = !has_groups(context.limits);
    const double others =
        static_cast<double>(c.axes.size() - 1) * (is_simd ? simd::other_axes_operations : operation_costs::other_axes);
    const std::uint64_t points = context.is_right_angled ? 2 : 1;  // elements that are one
    const std::uint64_t least = std::max<std::uint64_t>(own.least, 2 * points),
                        most = support::next_power_of_two(least);
    std::uint64_t best = most;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::uint64_t n = least; n <= most; ++n) {
        n = points * support::next_smooth((n + points - 1) / points);
        if (!support::is_smooth(n, user_convolutions::largest_factor)) continue;
        // A SIMD kernel takes neighbouring sequences together for all axes but complex ones that are contiguous.
        const bool is_strided = axis + 1 < c.axes.size() || (is_simd && c.is_real() && c.axes.size() > 1);
        const AxisQuestion q = context.question(core_points(context, axis, n), is_strided);
        const std::optional<AxisRecipe> recipe = design_direct(q);
        if (!recipe || (axis == 0 && has_matrix(c) && !can_multiply(context, *recipe))) continue;
        const double all = cost(*recipe, q) + others * static_cast<double>(n);
        if (all >= lowest) continue;
        lowest = all;
        best = n;
    }
    return points * with_measured_core(context, (least + points - 1) / points, best / points);
}

struct Blocks {
    std::uint64_t length = 0, count = 1, step = 0;
    double cost = std::numeric_limits<double>::infinity();
};

Blocks blocks_of(const Context& context, std::uint64_t length) {
    const SpectralAxis& axis = context.spectral.axes.front();
    Blocks blocks;
    blocks.length = length;
    blocks.step = length - axis.kernel + 1;
    blocks.count = (axis.count + blocks.step - 1) / blocks.step;
    if (const std::optional<double> each = cost_in_one_pass(context, length, length + blocks.step))
        blocks.cost = *each * static_cast<double>(blocks.count);
    return blocks;
}

/// Blocks for overlap-save; a count of 1 where the signal as a whole is cheaper.
Blocks choose_blocks(const Context& context, std::uint64_t whole) {
    const CanonicalSpectral& c = context.spectral;
    const SpectralAxis& axis = c.axes.front();
    if (c.axes.size() != 1 || axis.is_cyclic || c.block == 1 || (c.block == 0 && has_matrix(c))) return {};
    if (c.block > 1) {
        const Blocks forced = blocks_of(context, c.block);
        if (forced.cost == std::numeric_limits<double>::infinity())
            throw Unsupported("convolution.block: expected a product of small primes that fits on chip, got " +
                              std::to_string(c.block));
        return forced.count > 1 ? forced : Blocks{};
    }
    Blocks best;
    const auto on_chip = cost_in_one_pass(context, whole, axis.signal + axis.count);
    if (on_chip) {
        best.cost = *on_chip;
    } else {
        const AxisQuestion q = context.question(context.core_of(whole), false);
        if (const std::optional<AxisRecipe> recipe = design_direct(q)) best.cost = 2 * planner::cost(*recipe, q);
    }
    for (std::uint64_t n = support::next_power_of_two(2 * axis.kernel); n < whole; n *= 2) {
        const Blocks blocks = blocks_of(context, n);
        if (blocks.cost < best.cost && blocks.count > 1) best = blocks;
    }
    return best.count > 1 ? best : Blocks{};
}

problem::Canonical common(const SpectralDesign& d) {
    problem::Canonical canonical;
    canonical.precision = d.spectral.precision;
    canonical.storage = d.spectral.storage;
    canonical.is_compact = true;
    canonical.is_right_angled = d.is_right_angled;
    for (const std::uint64_t length : d.lengths) canonical.n *= length;
    if (d.is_right_angled) canonical.n /= 2;
    return canonical;
}

std::uint64_t bins(const SpectralDesign& d, std::size_t axis) {
    const std::size_t axes = d.lengths.size();
    const bool is_halved = d.spectral.is_real() && axes > 1 && axis + 1 == axes;
    if (d.is_right_angled) return d.lengths[axis] / 2;
    return is_halved ? d.lengths[axis] / 2 + 1 : d.lengths[axis];
}

/// Between a compact array of these counts and the dense spectrum.
struct Side {
    std::vector<std::uint64_t> begins, counts;
    std::uint64_t channels = 1, batch = 1;
    std::uint64_t spectrum_distance = 0;
    Kind halved = Kind::c2c;
};

problem::Canonical canonical_of(const SpectralDesign& d, const Side& side, bool is_forward) {
    problem::Canonical canonical = common(d);
    canonical.input_is_real = is_forward && d.spectral.input_is_real();
    canonical.output_is_real = !is_forward && d.spectral.output_is_real();
    const std::size_t axes = d.lengths.size();
    std::int64_t own = 1, spectrum = 1;
    canonical.axes.resize(axes);
    for (std::size_t i = axes; i-- > 0;) {
        problem::Axis& axis = canonical.axes[i];
        axis.length = d.is_right_angled ? d.lengths[i] / 2 : d.lengths[i];
        axis.input_stride = is_forward ? own : spectrum;
        axis.output_stride = is_forward ? spectrum : own;
        axis.kind = d.spectral.is_real() && axes > 1 && i + 1 == axes ? side.halved : Kind::c2c;
        axis.signal_kept = problem::kept_of_axis(side.begins[i], side.counts[i], d.lengths[i]);
        if (!d.spectral.axes[i].kept.empty()) axis.signal_kept = d.spectral.axes[i].kept;
        own = support::times(side.counts[i], own);
        spectrum = support::times(bins(d, i), spectrum);
    }
    const std::int64_t in = is_forward ? own : spectrum, out = is_forward ? spectrum : own;
    if (side.channels > 1) canonical.loops.push_back({side.channels, in, out});
    const std::int64_t distance = support::times(side.channels, own);
    const auto of_spectrum = static_cast<std::int64_t>(side.spectrum_distance);
    canonical.batch = {side.batch, is_forward ? distance : of_spectrum, is_forward ? of_spectrum : distance};
    return canonical;
}

/// The user's spectra as they lie, dense like the plan's.
problem::Canonical copy_of_spectra(const SpectralDesign& d) {
    problem::Canonical canonical = common(d);
    canonical.is_compact = false;
    std::int64_t stride = 1;
    for (std::size_t i = d.lengths.size(); i-- > 0; stride = support::times(bins(d, i), stride))
        if (bins(d, i) > 1) canonical.loops.push_back({bins(d, i), stride, stride});
    if (d.spectral.kernels > 1) canonical.loops.push_back({d.spectral.kernels, stride, stride});
    const std::int64_t all = support::times(d.spectral.kernels, stride);
    canonical.batch = {1, all, all};
    return canonical;
}

/// The half spectra of real signals of one axis, to their values in time.
problem::Canonical spectra_to_time(const SpectralDesign& d) {
    problem::Canonical canonical = common(d);
    canonical.is_compact = false;
    canonical.output_is_real = true;
    const auto n = static_cast<std::int64_t>(d.lengths.front()), half = n / 2 + 1;
    const std::uint64_t kernels = d.spectral.kernels;
    canonical.axes.push_back({d.lengths.front(), 1, 1, Kind::c2r});
    if (kernels > 1) canonical.loops.push_back({kernels, half, n});
    canonical.batch = {1, support::times(kernels, half), support::times(kernels, n)};
    canonical.inverse_scale = 1.0 / static_cast<double>(n);
    return canonical;
}

void set_kernel(SpectralDesign& d) {
    const CanonicalSpectral& c = d.spectral;
    const double scale = c.product == ConvolutionProduct::phase ? 1.0 : 1.0 / static_cast<double>(d.signal.n);
    if (c.is_spectrum && (!c.is_real() || c.axes.size() > 1)) {
        d.kernel = copy_of_spectra(d);
    } else {
        Side side;
        for (const SpectralAxis& axis : c.axes) {
            side.begins.push_back(0);
            side.counts.push_back(axis.kernel);
        }
        side.channels = c.kernels;
        side.spectrum_distance = d.spectrum_points * c.kernels;
        side.halved = Kind::r2c;
        d.kernel = canonical_of(d, side, true);
        if (c.is_spectrum) d.kernel_in_time = {spectra_to_time(d), {}};
    }
    d.kernel.forward_scale = scale;
    if (c.precision == Precision::f64x2) {
        // 1 / N to twice the digits: the remainder of the rounded quotient is exact.
        const double n = static_cast<double>(d.signal.n);
        d.kernel.forward_scale = DoubleDouble{scale, -support::fma(scale, n, -1.0) / n};
        if (d.kernel_in_time) d.kernel_in_time->problem.inverse_scale = d.kernel.forward_scale;
    }
}

void set_ends(SpectralDesign& d) {
    const CanonicalSpectral& c = d.spectral;
    Side from, to;
    for (const SpectralAxis& axis : c.axes) {
        from.begins.push_back(axis.origin);
        from.counts.push_back(axis.signal);
        to.begins.push_back(axis.first);
        to.counts.push_back(axis.count);
    }
    from.channels = c.inputs;
    to.channels = c.outputs;
    from.batch = to.batch = c.batch;
    from.spectrum_distance = to.spectrum_distance = std::max(c.inputs, c.outputs) * d.spectrum_points;
    from.halved = Kind::r2c;
    to.halved = Kind::c2r;
    d.signal = canonical_of(d, from, true);
    d.result = canonical_of(d, to, false);
    d.signal.coordinates = d.result.coordinates = c.coordinates;
}

/// Whether a plane's operator may be one kernel. What its axes keep begins at the columns' first point: an on-chip
/// transpose moves the first ones.
bool may_be_on_chip(const Context& context, const SpectralDesign& d) {
    const CanonicalSpectral& c = d.spectral;
    Tuning others = context.tuning;
    others.movement_only = false;
    others.transforms_per_group = 0;
    others.buffer_bytes = 0;
    const std::uint32_t largest = largest_prime(context.limits, c.precision);
    const auto is_direct = [](const AxisRecipe& axis) {
        return axis.padded == 0 && axis.passes.size() == 1 && axis.passes.front().algorithm == Algorithm::direct;
    };
    const auto has_gap = [](const SpectralAxis& axis) { return axis.kept.size() > 1; };
    if (std::any_of(c.axes.begin(), c.axes.end(), has_gap)) return false;
    return d.fused && c.axes.size() == 2 && !has_matrix(c) && is_gpu(context.limits) && others == Tuning{} &&
           (c.precision == Precision::f32 || c.precision == Precision::f64) && c.storage == Storage::same &&
           c.input_is_real() == c.output_is_real() && c.axes.front().origin == 0 && c.axes.front().first == 0 &&
           std::all_of(d.recipe.axes.begin(), d.recipe.axes.end(), is_direct) &&
           std::all_of(d.lengths.begin(), d.lengths.end(),
                       [largest](std::uint64_t n) { return support::is_smooth(n, largest); });
}

/// Whether all that a plane's operator computes is in one group, where that is faster than three kernels. Real rows
/// have one-sided spectra there, whose arithmetic is a complex row's. Measured: LAB-0120.
bool is_plane_on_chip(const Context& context, const SpectralDesign& d) {
    if (!may_be_on_chip(context, d)) return false;
    const CanonicalSpectral& c = d.spectral;
    const std::uint64_t points = d.lengths[0] * d.lengths[1], planes = c.batch * c.inputs;
    const bool is_few = planes < context.limits.compute_units;
    if (points > operators_on_chip::most_points_of_reals && (c.is_real() || is_few)) return false;
    if (points * 2 * stored_bytes(c.precision, Storage::same) > operators_on_chip::most_bytes) return false;
    const auto one_sided = c.is_real() ? std::optional<std::size_t>(0) : std::nullopt;
    GroupAxes axes = axes_of_group({d.lengths[1], d.lengths[0]}, one_sided, c.precision);
    axes.is_operator = true;
    return holds(axes, context.limits);
}

/// The recipe of the rows of such a plane.
AxisRecipe rows_on_chip(const Context& context, const SpectralDesign& d, const AxisRecipe& rows) {
    AxisQuestion question = context.question(d.lengths[rows.axis], false);
    question.axis = rows.axis;
    return design_rows_of_group(d.signal.axes[rows.axis], question);
}

/// The user's stages of both ends. A middle one that has no kernel of its own ends the way to the spectrum.
void set_stages(SpectralDesign& d) {
    const problem::SpectralStages& stages = d.spectral.stages;
    problem::DirectionStages& to = d.signal.stages[static_cast<std::size_t>(Direction::forward)];
    problem::DirectionStages& back = d.result.stages[static_cast<std::size_t>(Direction::inverse)];
    to.load = stages.load;
    if (d.is_one_kernel())
        to.store = stages.store;
    else
        back.store = stages.store;
    if (!d.fused && d.spectral.sums() == 0) to.store = stages.middle;
}

/// Of blocks a whole block is the transform, whatever of the signal is in it.
void set_blocks(SpectralDesign& d, const Blocks& blocks) {
    d.blocks = blocks.count;
    d.step = blocks.step;
    d.signal.axes.front().signal_kept.clear();
    d.result.axes.front().signal_kept.clear();
}

SpectralDesign design(const Context& context) {
    const CanonicalSpectral& spectral = context.spectral;
    SpectralDesign d;
    d.spectral = spectral;
    d.is_right_angled = context.is_right_angled;
    for (std::size_t i = 0; i < spectral.axes.size(); ++i) d.lengths.push_back(padded_length(context, i));
    const Blocks blocks = choose_blocks(context, d.lengths.front());
    if (blocks.count > 1) d.lengths = {blocks.length};
    for (std::size_t i = 0; i < d.lengths.size(); ++i) d.spectrum_points *= bins(d, i);
    set_ends(d);
    if (blocks.count > 1) set_blocks(d, blocks);
    if (spectral.kernels != 0) set_kernel(d);
    // Shapes of kernels are no matter of the recipe but for these fields, which every step may take or leave.
    Tuning tuning = context.tuning;
    tuning.separate_passes = d.lengths.size() < 3;  // the middle lies between them
    d.recipe = planner::design(d.signal, context.limits, tuning);
    if (!d.kernel.axes.empty()) d.kernel_recipe = planner::design(d.kernel, context.limits, tuning);
    if (d.kernel_in_time) d.kernel_in_time->recipe = planner::design(d.kernel_in_time->problem, context.limits, tuning);
    const AxisRecipe& last = d.recipe.axes.back();
    const bool sums_by_itself = spectral.sums() != 0 && !has_groups(context.limits);
    if (last.padded == 0 && last.passes.back().algorithm == Algorithm::direct && !sums_by_itself) {
        const bool is_strided = last.passes.size() > 1 || d.recipe.axes.size() > 1;
        d.fused = twice(context, last.passes.back().n, is_strided);
        std::vector<std::uint32_t> measured;
        if (d.fused && !is_strided) measured = measured_radices(context, d.fused->n);
        if (!measured.empty()) d.fused->radices = measured;
    }
    d.is_plane_on_chip = is_plane_on_chip(context, d);
    if (d.is_plane_on_chip && spectral.is_real())
        d.recipe.axes.front() = rows_on_chip(context, d, d.recipe.axes.front());
    set_stages(d);
    return d;
}

/// Of a matrix of channels a CPU's kernels have the sums for their outputs beside the two arrays of the core.
DeviceLimits without_room_for_sums(DeviceLimits limits, const CanonicalSpectral& c) {
    if (has_groups(limits) || !has_matrix(c)) return limits;
    const std::uint32_t sums = c.channels == ChannelMatrix::symmetric ? c.outputs : std::min(c.outputs, most_sums);
    limits.shared_bytes = limits.shared_bytes / (2 + sums) * 2;
    return limits;
}

}  // namespace

SpectralDesign design(const CanonicalSpectral& spectral, const DeviceLimits& limits, const Tuning& tuning) {
    problem::check_tuning(tuning);
    problem::check_limits(limits);
    problem::check_size(spectral);
    const DeviceLimits of_cores = without_room_for_partials(without_room_for_sums(limits, spectral), spectral);
    const Context context{spectral, of_cores, tuning, may_be_right_angled(spectral)};
    check(context);
    if (spectral.has_real_kinds()) return design_by_kinds(spectral, limits, tuning);
    if (spectral.is_in_memory()) return design_in_memory(spectral, limits, tuning);
    SpectralDesign d = design(context);
    if (d.fused || !d.is_right_angled) return d;
    return design(Context{spectral, of_cores, tuning});  // the product has no kernel of its own to turn points in
}

std::string to_string(const SpectralDesign& d) {
    if (d.spectral.has_real_kinds())
        return "(spectral " + (d.real_axes ? to_string(d.real_axes->there.recipe) + " " : std::string()) +
               to_string(d.recipe) + " " + std::to_string(d.spectral.modes()) + " modes " + to_string(d.result_recipe) +
               (d.real_axes ? " " + to_string(d.real_axes->back.recipe) : "") + ")";
    if (d.spectral.is_in_memory()) {
        const problem::CanonicalSpectral& c = d.spectral;
        std::string text = c.part == SpectralPart::gradient ? "(spectral gradient" : "(spectral";
        if (c.has_signal_in()) text += " " + to_string(d.recipe);
        text += " " + std::to_string(c.modes()) + " modes";
        if (c.has_weights) text += " " + std::to_string(c.inputs) + "x" + std::to_string(c.outputs) + " channels";
        if (c.has_signal_out()) text += " " + to_string(d.result_recipe);
        return text + ")";
    }
    Recipe recipe = d.recipe;
    if (d.fused) recipe.axes.back().passes.back().core = *d.fused;
    std::string text = (d.spectral.kernels != 0 ? "(convolve " : "(spectral ") + to_string(recipe);
    if (d.blocks > 1) text += " " + std::to_string(d.blocks) + " blocks";
    if (d.is_right_angled) text += " right-angle";
    if (d.is_plane_on_chip) text += " on-chip";
    return text + (d.fused ? ")" : " unfused)");
}

}  // namespace seiche::planner
