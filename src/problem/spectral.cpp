// The rules of spectral operators.
#include "problem/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "expression/program.hpp"
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

/// Of one axis: what is kept of its spectrum's indices, in two ranges where there are negative wave numbers too. Empty:
/// all.
std::vector<Range> indices_of(const SpectralProblem& p, std::size_t axis) {
    const auto n = static_cast<std::int64_t>(p.lengths[axis]);
    const bool is_halved = p.numbers == SpectralNumbers::real && axis + 1 == p.lengths.size();
    const std::int64_t least = is_halved ? 0 : -(n / 2), end = is_halved ? n / 2 + 1 : (n + 1) / 2;
    const ModeRange& modes = p.kept[axis];
    if (modes.begin >= modes.end || modes.begin < least || modes.end > end)
        refuse("kept[" + std::to_string(axis) + "]",
               "begin below end, and wave numbers from " + std::to_string(least) + " to " + std::to_string(end - 1) +
                   ", so that end is at most " + std::to_string(end),
               std::to_string(modes.begin) + " to " + std::to_string(modes.end));
    if (modes.begin == least && modes.end == end) return {};
    const auto index = [&](std::int64_t wave) { return static_cast<std::uint64_t>(wave < 0 ? wave + n : wave); };
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
    expression::Context context{field, side, p.lengths, std::max<std::uint64_t>(p.batch, 1), p.lengths};
    if (side == Side::middle && p.numbers == SpectralNumbers::real) {
        context.halved = p.lengths.size() - 1;
        context.counts.back() = p.lengths.back() / 2 + 1;
    }
    context.is_real = (side == Side::load && p.numbers != SpectralNumbers::complex) ||
                      (side == Side::store && p.numbers == SpectralNumbers::real);
    return checked_text(stage, context);
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
}

}  // namespace

bool CanonicalSpectral::is_in_memory() const {
    return has_weights || part != SpectralPart::whole ||
           std::any_of(axes.begin(), axes.end(), [](const SpectralAxis& a) { return !a.kept.empty(); });
}

std::uint64_t CanonicalSpectral::bins(std::size_t axis) const {
    const std::uint64_t n = axes[axis].least;
    return is_real() && axis + 1 == axes.size() ? n / 2 + 1 : n;
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

std::uint64_t CanonicalSpectral::signal_points() const {
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
    const std::vector<PointRange> input = ranges("input", p.input, p.lengths);
    const std::vector<PointRange> output = ranges("output", p.output, p.lengths);
    if (!p.kept.empty() && p.kept.size() != p.lengths.size())
        refuse("kept", "a range for each of " + std::to_string(p.lengths.size()) + " axes, or none",
               std::to_string(p.kept.size()));
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
    add_stages(p, canonical);
    add_channels(p, canonical);
    canonical.coordinates.resize(p.lengths.size());
    for (std::size_t i = 0; i < p.lengths.size(); ++i) {
        // The halved axis of a real spectrum stays the last one.
        const bool is_last = i + 1 == p.lengths.size();
        std::vector<Range> modes = p.kept.empty() ? std::vector<Range>{} : indices_of(p, i);
        if (p.lengths[i] == 1 && !(is_last && (canonical.axes.empty() || canonical.is_real()))) continue;
        SpectralAxis axis;
        axis.least = p.lengths[i];
        axis.is_cyclic = true;
        axis.origin = input[i].begin;
        axis.signal = input[i].end - input[i].begin;
        axis.first = output[i].begin;
        axis.count = output[i].end - output[i].begin;
        axis.kept = std::move(modes);
        if (p.lengths[i] > 1) canonical.coordinates[i] = {Coordinate::Kind::axis, canonical.axes.size()};
        canonical.axes.push_back(axis);
        canonical.places.push_back(i);
    }
    return canonical;
}

}  // namespace seiche::problem
