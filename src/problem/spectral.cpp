// The rules of spectral operators.
#include "problem/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "expression/program.hpp"
#include "problem/spectral_kinds.hpp"
#include "problem/stages.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche {

const char* to_string(SpectralNumbers numbers) noexcept {
    switch (numbers) {
        case SpectralNumbers::real: return "real";
        case SpectralNumbers::complex: return "complex";
        case SpectralNumbers::analytic: break;
    }
    return "analytic";
}

const char* to_string(SpectralOrder order) noexcept {
    return order == SpectralOrder::points_first ? "points-first" : "spectrum-first";
}

const char* to_string(SpectralPart part) noexcept {
    switch (part) {
        case SpectralPart::whole: return "whole";
        case SpectralPart::forward: return "forward";
        case SpectralPart::inverse: return "inverse";
        case SpectralPart::gradient: break;
    }
    return "gradient";
}

std::string to_string(const SpectralProblem& p) {
    std::string text = support::join_numbers(p.lengths, "x");
    text += std::string(" ") + to_string(p.numbers) + " " + to_string(p.precision);
    if (p.storage != Storage::same) text += std::string(" storage=") + to_string(p.storage);
    if (p.batch != 1) text += " batch=" + std::to_string(p.batch);
    const auto add = [&text](const char* name, const std::vector<PointRange>& ranges) {
        for (std::size_t i = 0; i < ranges.size(); ++i)
            text += (i == 0 ? std::string(" ") + name + "=" : ",") + std::to_string(ranges[i].begin) + "-" +
                    std::to_string(ranges[i].end);
    };
    add("input", p.input);
    add("output", p.output);
    if (p.scale != 1.0) text += " scale=" + support::to_text(p.scale);
    for (std::size_t i = 0; i < p.kept.size(); ++i)
        text += (i == 0 ? " kept=" : ",") + std::to_string(p.kept[i].begin) + ":" + std::to_string(p.kept[i].end);
    if (p.channels != SpectralChannels{})
        text += " channels=" + std::to_string(p.channels.inputs) + "x" + std::to_string(p.channels.outputs);
    if (p.channels.adjoint) text += " adjoint";
    if (p.part != SpectralPart::whole) text += std::string(" part=") + to_string(p.part);
    for (std::size_t i = 0; i < p.kinds.size(); ++i)
        text += (i == 0 ? " kinds=" : ",") + std::string(to_string(p.kinds[i]));
    if (p.order != SpectralOrder::points_first) text += std::string(" ") + to_string(p.order);
    if (!p.packed.empty() && !p.lengths.empty())
        text += " packed=" + std::to_string(p.packed.size() / p.lengths.size());
    if (p.sums_in_f64) text += " sums=f64";
    return text;
}

}  // namespace seiche

namespace seiche::problem {

namespace {

using expression::Program;
using expression::Side;

constexpr std::uint64_t longest = std::uint64_t{1} << 30;
constexpr std::size_t most_arguments = 16;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem("spectral." + field + ": expected " + rule + ", got " + got);
}

void check_lengths(const SpectralProblem& p) {
    if (p.lengths.empty()) refuse("lengths", "at least one", "none");
    std::uint64_t points = 1;
    for (std::size_t i = 0; i < p.lengths.size(); ++i) {
        if (p.lengths[i] == 0 || p.lengths[i] > longest)
            refuse("lengths[" + std::to_string(i) + "]", "1 to 2^30", std::to_string(p.lengths[i]));
        if (!support::checked_multiply(points, p.lengths[i], points) || points > std::uint64_t{1} << 48)
            refuse("lengths", "at most 2^48 points", support::join_numbers(p.lengths, "x"));
    }
}

/// One for each axis; all points where none is given.
std::vector<PointRange> ranges(const char* field, const std::vector<PointRange>& given,
                               const std::vector<std::uint64_t>& lengths) {
    if (!given.empty() && given.size() != lengths.size())
        refuse(field, "a range for each of " + std::to_string(lengths.size()) + " axes, or none",
               std::to_string(given.size()));
    std::vector<PointRange> all = given;
    for (std::size_t i = all.size(); i < lengths.size(); ++i) all.push_back({0, lengths[i]});
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].begin >= all[i].end || all[i].end > lengths[i])
            refuse(std::string(field) + "[" + std::to_string(i) + "]",
                   "begin below end, and end at most " + std::to_string(lengths[i]),
                   std::to_string(all[i].begin) + " to " + std::to_string(all[i].end));
    return all;
}

/// Of one axis: what these are of its spectrum's indices, in two ranges where there are negative wave numbers too.
/// Empty: all.
std::vector<Range> indices_of(const SpectralProblem& p, std::size_t axis, const ModeRange& modes) {
    const auto n = static_cast<std::int64_t>(p.lengths[axis]);
    const bool is_halved = halved_axis(p) == axis, has_signs = !is_halved && !is_real_to_real(forward_kind(p, axis));
    const std::int64_t first = least_wave_number(forward_kind(p, axis));
    const std::int64_t least = has_signs ? -(n / 2) : first;
    const std::int64_t end = is_halved ? n / 2 + 1 : has_signs ? (n + 1) / 2 : first + n;
    if (modes.begin >= modes.end || modes.begin < least || modes.end > end)
        refuse("kept[" + std::to_string(axis) + "]",
               "begin below end, and wave numbers from " + std::to_string(least) + " to " + std::to_string(end - 1) +
                   ", so that end is at most " + std::to_string(end),
               std::to_string(modes.begin) + " to " + std::to_string(modes.end));
    if (modes.begin == least && modes.end == end) return {};
    const auto index = [&](std::int64_t wave) {
        return static_cast<std::uint64_t>(wave < 0 ? wave + n : wave - first);
    };
    if (modes.begin >= 0 || modes.end <= 0) return {{index(modes.begin), index(modes.end - 1) + 1}};
    return {{0, index(modes.end)}, {index(modes.begin), static_cast<std::uint64_t>(n)}};
}

void add_channels(const SpectralProblem& p, CanonicalSpectral& canonical) {
    constexpr std::uint32_t most_channels = 1u << 16;
    const auto& [inputs, outputs, is_adjoint] = p.channels;
    if (p.channels == SpectralChannels{}) return;
    if (inputs == 0 || outputs == 0 || std::max(inputs, outputs) > most_channels)
        refuse("channels", "1 to 65536 inputs and outputs, or 0 of both for none",
               std::to_string(inputs) + " and " + std::to_string(outputs));
    canonical.has_weights = true;
    canonical.is_adjoint = is_adjoint;
    canonical.inputs = inputs;
    canonical.outputs = outputs;
}

/// What a part has no use for.
void check_part(const SpectralProblem& p) {
    if (p.part == SpectralPart::whole) return;
    const bool is_forward = p.part == SpectralPart::forward, is_inverse = p.part == SpectralPart::inverse;
    const std::string of_part = std::string(" for part=") + to_string(p.part);
    const auto expect = [&](bool holds, const char* field, const char* rule, const std::string& got) {
        if (!holds) refuse(field, rule + of_part, got);
    };
    expect(p.order == SpectralOrder::points_first, "order", "points-first", to_string(p.order));
    expect(!has_real_kinds(p), "kinds", "periodic axes", "real-to-real ones");
    expect(p.storage == Storage::same, "storage", "same", to_string(p.storage));
    expect(is_forward || p.input.empty(), "input", "no ranges", "some");
    expect(is_inverse || p.output.empty(), "output", "no ranges", "some");
    expect(is_forward || p.load == UserStage{}, "load", "no stage", "one");
    expect(is_forward || p.middle == UserStage{}, "middle", "no stage", "one");
    expect(is_inverse || p.store == UserStage{}, "store", "no stage", "one");
    expect(!is_forward || p.scale == 1.0, "scale", "1", support::to_text(p.scale));
    expect(!is_forward || p.channels == SpectralChannels{}, "channels", "none, as they are a batch", "some");
    if (p.part != SpectralPart::gradient) return;
    expect(p.channels.inputs != 0 && !p.channels.adjoint, "channels", "inputs and outputs, not adjoint", "others");
    expect(p.numbers != SpectralNumbers::analytic, "numbers", "real or complex", "analytic");
}

Storage checked_storage(const SpectralProblem& p) {
    if (p.precision != Precision::f32 && p.precision != Precision::f64)
        refuse("precision", "f32 or f64, which stages compute in", to_string(p.precision));
    Problem same;
    same.lengths = {1};
    same.precision = p.precision;
    same.storage = p.storage;
    return normalise(same).storage;
}

void check_count(const SpectralProblem& p) {
    std::size_t buffers = 0, scalars = 0;
    for (const UserStage* stage : {&p.load, &p.middle, &p.store}) {
        buffers += stage->buffers.size();
        scalars += stage->scalars.size();
    }
    if (buffers > most_arguments)
        refuse("load, middle and store", "at most 16 buffers in all", std::to_string(buffers));
    if (scalars > most_arguments)
        refuse("load, middle and store", "at most 16 scalars in all", std::to_string(scalars));
}

/// One stage, checked.
std::shared_ptr<const Program> program(const SpectralProblem& p, const UserStage& stage, Side side) {
    const std::string field = std::string("spectral.") + expression::to_string(side);
    const bool is_middle = side == Side::middle;
    expression::Context context{field, side, p.lengths, std::max<std::uint64_t>(p.batch, 1), p.lengths};
    if (is_middle) {
        const std::optional<std::size_t> halved = halved_axis(p);
        if (halved) context.counts[*halved] = p.lengths[*halved] / 2 + 1;
        context.is_real = has_real_kinds(p) && !halved;
    }
    context.is_real = context.is_real || (side == Side::load && p.numbers != SpectralNumbers::complex) ||
                      (side == Side::store && p.numbers == SpectralNumbers::real);
    // A stage between the transforms returns what its point becomes; points have no wave numbers.
    const bool has_waves = is_middle && p.order == SpectralOrder::points_first;
    if (is_middle && !has_waves) context.side = Side::load;
    return checked_text(stage, context, has_waves ? wave_numbers(p) : std::vector<expression::WaveNumber>());
}

void add_stages(const SpectralProblem& p, CanonicalSpectral& canonical) {
    check_count(p);
    SpectralStages& stages = canonical.stages;
    stages = {program(p, p.load, Side::load), program(p, p.middle, Side::middle), program(p, p.store, Side::store)};
    check_agreement(stages.load.get(), "load", stages.middle.get(), "spectral.middle");
    check_agreement(stages.load.get(), "load", stages.store.get(), "spectral.store");
    check_agreement(stages.middle.get(), "middle", stages.store.get(), "spectral.store");
    for (const auto& stage : {stages.load, stages.middle, stages.store})
        if (stage) canonical.batch_limit = std::min(canonical.batch_limit, stage->batch_limit);
    if (canonical.sums() != 0 && has_real_kinds(p))
        refuse("middle", "no sums beside real-to-real kinds", "'" + canonical.stages.middle->sums.front().name + "'");
    if (p.sums_in_f64 && canonical.sums() == 0) refuse("sums_in_f64", "a middle stage that sums", "none");
    if (canonical.sums() != 0 && p.sums_in_f64) canonical.sum_precision = Precision::f64;
    if (canonical.sums() != 0 && p.precision == Precision::f64) canonical.sum_precision = Precision::f64;
}

/// What has no meaning where the spectrum comes first, and where it does not.
void check_order(const SpectralProblem& p) {
    if (p.order == SpectralOrder::points_first) {
        if (!p.packed.empty()) refuse("packed", "none unless the order is spectrum-first", "some");
        return;
    }
    const auto expect = [](bool holds, const char* field, const char* rule, const char* got) {
        if (!holds) refuse(field, std::string(rule) + " with the order spectrum-first", got);
    };
    expect(p.numbers == SpectralNumbers::complex, "numbers", "complex", seiche::to_string(p.numbers));
    expect(p.input.empty(), "input", "none", "ranges");
    expect(p.output.empty(), "output", "none", "ranges");
    expect(p.channels == SpectralChannels{}, "channels", "none", "some");
    expect(p.packed.empty() || p.kept.empty(), "packed", "none beside kept", "both");
}

/// Of arrays that are spectra: how many modes there are along the axis, and where they begin.
void set_modes(SpectralAxis& axis) {
    axis.signal = axis.kept.empty() ? axis.least : 0;
    for (const Range& range : axis.kept) axis.signal += range.end - range.begin;
    axis.count = axis.signal;
    axis.first = axis.origin = axis.kept.empty() ? 0 : axis.kept.front().begin;
}

}  // namespace

bool CanonicalSpectral::is_in_memory() const {
    if (begins_with_spectrum()) return false;
    return has_weights || part != SpectralPart::whole || has_real_kinds() ||
           std::any_of(axes.begin(), axes.end(), [](const SpectralAxis& a) { return !a.kept.empty(); });
}

bool CanonicalSpectral::has_real_kinds() const {
    return std::any_of(axes.begin(), axes.end(), [](const SpectralAxis& a) { return a.kind != Kind::c2c; });
}

bool CanonicalSpectral::is_real_to_real() const {
    return std::all_of(axes.begin(), axes.end(), [](const SpectralAxis& a) { return a.kind != Kind::c2c; });
}

bool CanonicalSpectral::is_halved(std::size_t axis) const {
    const auto is_periodic = [](const SpectralAxis& a) { return a.kind == Kind::c2c; };
    return is_real() && is_periodic(axes[axis]) &&
           std::none_of(axes.begin() + static_cast<std::ptrdiff_t>(axis) + 1, axes.end(), is_periodic);
}

std::uint64_t CanonicalSpectral::bins(std::size_t axis) const {
    const std::uint64_t n = axes[axis].least;
    return is_halved(axis) ? n / 2 + 1 : n;
}

std::uint64_t CanonicalSpectral::kept_bins(std::size_t axis) const {
    if (axes[axis].kept.empty()) return bins(axis);
    std::uint64_t count = 0;
    for (const Range& range : axes[axis].kept) count += range.end - range.begin;
    return count;
}

std::uint64_t CanonicalSpectral::modes() const {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) count *= kept_bins(i);
    return count;
}

std::uint64_t CanonicalSpectral::weight_bytes(std::uint64_t batch_count) const {
    if (!has_weights) return 0;
    const std::uint64_t others = part == SpectralPart::gradient ? batch_count : inputs;
    return modes() * others * outputs * 2 * seiche::stored_bytes(precision, Storage::same);
}

bool CanonicalSpectral::finds_modes() const {
    const auto has_gap = [](const SpectralAxis& axis) { return axis.kept.size() > 1; };
    return packed != 0 || (begins_with_spectrum() && std::any_of(axes.begin(), axes.end(), has_gap));
}

std::uint64_t CanonicalSpectral::signal_points() const {
    if (packed != 0) return packed;
    std::uint64_t points = 1;
    for (const SpectralAxis& axis : axes) points *= axis.signal;
    return points;
}

std::uint64_t CanonicalSpectral::kernel_points() const {
    std::uint64_t points = 1;
    for (const SpectralAxis& axis : axes) points *= axis.kernel;
    if (!is_spectrum || !is_real()) return points;
    return points / axes.back().kernel * (axes.back().kernel / 2 + 1);
}

std::uint64_t CanonicalSpectral::result_points() const {
    if (packed != 0) return packed;
    std::uint64_t points = 1;
    for (const SpectralAxis& axis : axes) points *= axis.count;
    return points;
}

std::uint64_t CanonicalSpectral::input_bytes(std::uint64_t batch_count) const {
    return batch_count * inputs * (has_signal_in() ? signal_points() : modes()) * input_element_bytes();
}

std::uint64_t CanonicalSpectral::kernel_bytes() const {
    return kernels * kernel_points() * (is_spectrum ? 2 * stored_bytes() : input_element_bytes());
}

std::uint64_t CanonicalSpectral::output_bytes(std::uint64_t batch_count) const {
    if (part == SpectralPart::gradient) return modes() * inputs * outputs * output_element_bytes();
    return batch_count * outputs * (has_signal_out() ? result_points() : modes()) * output_element_bytes();
}

std::vector<Range> kept_of_axis(std::uint64_t begin, std::uint64_t count, std::uint64_t length) {
    if (begin == 0 && count == length) return {};
    return {{begin, begin + count}};
}

CanonicalSpectral normalise(const SpectralProblem& p) {
    support::check_enumerators(p);
    check_lengths(p);
    check_order(p);
    const std::vector<PointRange> input = ranges("input", p.input, p.lengths);
    const std::vector<PointRange> output = ranges("output", p.output, p.lengths);
    if (!p.kept.empty() && p.kept.size() != p.lengths.size())
        refuse("kept", "a range for each of " + std::to_string(p.lengths.size()) + " axes, or none",
               std::to_string(p.kept.size()));
    check_kinds(p);
    if (!std::isfinite(p.scale)) refuse("scale", "a finite number", std::to_string(p.scale));
    check_part(p);
    CanonicalSpectral canonical;
    canonical.kernels = 0;
    canonical.part = p.part;
    canonical.numbers = p.numbers;
    canonical.scale = p.scale;
    canonical.precision = p.precision;
    canonical.storage = checked_storage(p);
    canonical.batch = std::max<std::uint64_t>(p.batch, 1);
    canonical.default_batch = p.batch;
    canonical.order = p.order;
    add_stages(p, canonical);
    add_channels(p, canonical);
    const std::vector<ModeRange> kept = p.packed.empty() ? p.kept : box_of_packed(p);
    canonical.coordinates.resize(p.lengths.size());
    for (std::size_t i = 0; i < p.lengths.size(); ++i) {
        // The halved axis of a real spectrum stays. Of one point a real-to-real kind is no copy.
        const Kind kind = forward_kind(p, i);
        const bool is_only = i + 1 == p.lengths.size() && canonical.axes.empty();
        std::vector<Range> modes = kept.empty() ? std::vector<Range>{} : indices_of(p, i, kept[i]);
        if (p.lengths[i] == 1 && kind == Kind::c2c && !is_only && halved_axis(p) != i) continue;
        SpectralAxis axis;
        axis.kind = kind;
        axis.least = p.lengths[i];
        axis.is_cyclic = true;
        axis.origin = input[i].begin;
        axis.signal = input[i].end - input[i].begin;
        axis.first = output[i].begin;
        axis.count = output[i].end - output[i].begin;
        axis.kept = std::move(modes);
        if (canonical.begins_with_spectrum()) set_modes(axis);
        if (p.lengths[i] > 1) canonical.coordinates[i] = {Coordinate::Kind::axis, canonical.axes.size()};
        canonical.axes.push_back(axis);
        canonical.places.push_back(i);
    }
    find_modes(p, canonical);
    return canonical;
}

}  // namespace seiche::problem
