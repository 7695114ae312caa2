// Validation, and the canonical form: every rule of a problem is checked here and nowhere else.
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "problem/images.hpp"
#include "problem/kinds.hpp"
#include "problem/layouts.hpp"
#include "problem/overlap.hpp"
#include "problem/problem.hpp"
#include "problem/pruning.hpp"
#include "problem/stages.hpp"
#include "seiche/error.hpp"
#include "support/double_double.hpp"
#include "support/enumerators.hpp"
#include "support/hash.hpp"
#include "support/layout.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche {

double Scale::value(double n) const {
    switch (rule_) {
        case Rule::none: return 1.0;
        case Rule::by_n: return 1.0 / n;
        case Rule::by_sqrt_n: return 1.0 / std::sqrt(n);
        case Rule::factor: return factor_;
    }
    return 1.0;
}

std::uint64_t next_fast_length(std::uint64_t n) {
    if (n == 0 || n > 1ull << 62)
        throw InvalidProblem("next_fast_length: expected a length from 1 to 2^62, got " + support::to_text(n));
    return support::next_smooth(n);
}

}  // namespace seiche

namespace seiche::problem {

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

std::string indexed(const char* field, std::size_t index) {
    return std::string(field) + "[" + std::to_string(index) + "]";
}

void check_lengths(const Problem& problem, const std::vector<bool>& transformed) {
    std::uint64_t elements = 1;
    const std::uint64_t most = most_bytes / (2 * stored_bytes(problem.precision, Storage::same));  // in a workspace
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        if (problem.lengths[i] == 0) {
            if (transformed[i]) refuse(indexed("lengths", i), "at least 1 along a transformed axis", "0");
            continue;
        }
        if (!support::checked_multiply(elements, problem.lengths[i], elements) || elements > most)
            refuse("lengths", "arrays below 2^63 bytes", support::join_numbers(problem.lengths, "x") + " elements");
    }
}

/// Nothing to say where it is the precision's own.
Storage checked_storage(const Problem& problem) {
    const Storage storage = problem.storage;
    switch (problem.precision) {
        case Precision::f32:
            if (storage == Storage::f32) return Storage::same;
            if (storage == Storage::f64) refuse("storage", "f16, bf16 or f32 with f32 arithmetic", "f64");
            return storage;
        case Precision::f64:
            if (storage == Storage::f64) return Storage::same;
            if (storage != Storage::same && storage != Storage::f32)
                refuse("storage", "f32 or f64 with f64 arithmetic", to_string(storage));
            return storage;
        case Precision::f16:
            if (storage != Storage::same && storage != Storage::f16)
                refuse("storage", "f16, or none, with f16 arithmetic", to_string(storage));
            return Storage::same;
        case Precision::f64x2: break;
    }
    if (storage != Storage::same && storage != Storage::f64)
        refuse("storage", "f64, or none, with f64x2 arithmetic", to_string(storage));
    return storage;
}

/// Real arrays have one half; in place both are the same memory.
void check_planar(const Problem& problem, Canonical& canonical) {
    const bool in_place = problem.placement == Placement::in_place;
    canonical.input_planar = problem.input.planar;
    canonical.output_planar = problem.output.planar;
    for (const bool input : {true, false}) {
        const char* field = input ? "input.planar" : "output.planar";
        const bool planar = input ? canonical.input_planar : canonical.output_planar;
        const bool is_real = input ? canonical.input_is_real : canonical.output_is_real;
        if (planar && is_real) refuse(field, "false, because the array is real", "true");
        if (planar && in_place && (canonical.input_is_real || canonical.output_is_real))
            refuse(field, "false, because a real array shares the memory", "true");
    }
    if (!in_place) return;
    Layout of_one_buffer = problem.output;
    of_one_buffer.part_bytes = 0;
    if (of_one_buffer != Layout{} && canonical.output_planar != canonical.input_planar)
        refuse("output.planar", "what the input has, because the transform is in place",
               canonical.output_planar ? "true" : "false");
    canonical.output_planar = canonical.input_planar;
}

/// Before sizes are known; check_batch counts them. Both arrays have the canonical form's offsets.
void check_parts(const Problem& problem, Canonical& canonical) {
    canonical.input_part_bytes = problem.input.part_bytes;
    canonical.output_part_bytes = problem.output.part_bytes;
    if (canonical.shares_buffer()) {
        const std::uint64_t both = std::max(canonical.input_part_bytes, canonical.output_part_bytes);
        for (const std::uint64_t given : {canonical.input_part_bytes, canonical.output_part_bytes})
            if (given != 0 && given != both)
                refuse("output.part_bytes", "the input's, or 0, because the transform is in place",
                       support::to_text(canonical.output_part_bytes));
        canonical.input_part_bytes = canonical.output_part_bytes = both;
    }
    for (const bool input : {true, false}) {
        const std::string field = input ? "input" : "output";
        const std::uint64_t bytes = input ? canonical.input_part_bytes : canonical.output_part_bytes;
        const std::uint64_t offset = input ? canonical.input_byte_offset : canonical.output_byte_offset;
        const std::uint64_t unit = input ? canonical.input_alignment() : canonical.output_alignment();
        const std::string rule = "a multiple of " + std::to_string(unit);
        if (bytes % unit != 0) refuse(field + ".part_bytes", rule, support::to_text(bytes));
        if (bytes != 0 && offset % unit != 0)
            refuse(field + ".byte_offset", rule + ", because the array lies in several buffers",
                   support::to_text(offset));
    }
}

/// Scale::value in double-double.
DoubleDouble wide_value(const Scale& scale, std::uint64_t n) {
    const DoubleDouble points(static_cast<long double>(n));
    switch (scale.rule()) {
        case Scale::Rule::by_n: return support::divide(1.0, points);
        case Scale::Rule::by_sqrt_n: return support::divide(1.0, support::square_root(points));
        default: return scale.value(points.hi);
    }
}

DoubleDouble checked_scale(const Problem& problem, const Scale& scale, std::uint64_t n, const char* field) {
    const double value = scale.value(static_cast<double>(n));
    // Half of a small factor's power of two is applied to the input: see spread_scale in planner/lower/stages.cpp.
    if (problem.precision == Precision::f16 && !(std::abs(value) >= 0x1p-28 && std::abs(value) <= 65504))
        refuse(field, "a factor from 2^-28 to 65504 in f16", support::to_text(value));
    const bool narrow = problem.precision == Precision::f32;
    const double stored = narrow ? static_cast<double>(static_cast<float>(value)) : value;
    if (!std::isfinite(stored) || stored == 0.0)
        refuse(field, std::string("a factor that is finite and not 0 in ") + (narrow ? "f32" : "f64"),
               support::to_text(value));
    return problem.precision == Precision::f64x2 ? wide_value(scale, n) : DoubleDouble(value);
}

void sort_loops(std::vector<Loop>& loops) {
    std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
        const auto key = [](const Loop& loop) {
            return std::tuple(support::magnitude(loop.output_stride), support::magnitude(loop.input_stride),
                              loop.output_stride, loop.input_stride);
        };
        return key(a) > key(b);
    });
}

/// From the other end, which becomes the first element of the array.
void reverse(std::uint64_t count, std::int64_t& stride, std::uint64_t element_bytes, std::uint64_t& byte_offset) {
    byte_offset += static_cast<std::uint64_t>(support::times(count - 1, stride)) * element_bytes;
    stride = -stride;
}

/// So that no output stride is below 0: what goes backwards in both arrays goes forwards.
void reverse_loops(Canonical& canonical) {
    for (Loop& loop : canonical.loops) {
        if (loop.output_stride >= 0) continue;
        reverse(loop.count, loop.input_stride, canonical.input_element_bytes(), canonical.input_byte_offset);
        reverse(loop.count, loop.output_stride, canonical.output_element_bytes(), canonical.output_byte_offset);
    }
}

/// The algebra has the fastest first.
void merge_loops(std::vector<Loop>& loops) {
    std::reverse(loops.begin(), loops.end());
    support::coalesce(loops);
    std::reverse(loops.begin(), loops.end());
}

struct BothLayouts {
    ResolvedLayout input, output;
};

std::vector<support::Mode<1>> layout_of(const Canonical& canonical, bool input) {
    std::vector<support::Mode<1>> layout = support::in_array(canonical.loops, input ? 0 : 1);
    for (const Axis& a : canonical.axes)
        layout.push_back(input ? support::Mode<1>{a.input_count(), {a.input_stride}}
                               : support::Mode<1>{a.output_count(), {a.output_stride}});
    return layout;
}

/// In place a c2r reads more than it writes: what another array's results go to.
bool is_input_the_larger(const Canonical& canonical) {
    return canonical.in_place() && canonical.output_is_real && !canonical.input_is_real;
}

/// Of what is written over: the output, or in place the larger of both.
void check_overlap(const Problem& problem, const BothLayouts& layouts, Canonical& canonical) {
    const bool input = is_input_the_larger(canonical);
    const std::vector<support::Mode<1>> places = layout_of(canonical, input);
    const std::optional<bool> overlap = overlaps(places);
    if (!overlap || *overlap) {
        // In place the strides at fault may follow from those of the other array.
        const bool is_given = !(input ? problem.input : problem.output).strides.empty();
        const bool other_is_given = !(input ? problem.output : problem.input).strides.empty();
        const bool names_input = input != (!is_given && other_is_given);
        const ResolvedLayout& named = names_input ? layouts.input : layouts.output;
        refuse(names_input ? "input.strides" : "output.strides",
               canonical.in_place() ? "elements that do not overlap, because the transform is in place"
                                    : "elements that do not overlap",
               support::join_numbers(named.strides, ",") + " for " + support::join_numbers(problem.lengths, "x") +
                   (overlap ? "" : " (too entangled to decide)"));
    }
    const ResolvedLayout& layout = input ? layouts.input : layouts.output;
    canonical.batch_limit = copies_without_overlap(places, support::magnitude(layout.distance));
}

std::uint64_t elements(const Canonical& c, std::uint64_t batch_count, bool input) {
    if (batch_count == 0) return 0;
    std::uint64_t reach = 0;
    bool fits = true;
    for (const Axis& a : c.axes)
        fits = fits &&
               add_reach(input ? a.input_count() : a.output_count(), input ? a.input_stride : a.output_stride, reach);
    for (const Loop& l : c.loops) fits = fits && add_reach(l.count, input ? l.input_stride : l.output_stride, reach);
    fits = fits && add_reach(batch_count, input ? c.batch.input_distance : c.batch.output_distance, reach);
    const std::uint64_t offset = input ? c.input_byte_offset : c.output_byte_offset;
    const std::uint64_t parts = (input ? c.input_planar : c.output_planar) ? 2 : 1;
    const std::uint64_t element = parts * (input ? c.input_element_bytes() : c.output_element_bytes());
    if (!fits || offset > most_bytes || reach + 1 > (most_bytes - offset) / element)
        refuse(input ? "input" : "output", "an extent below 2^63 bytes",
               "a batch of " + support::to_text(batch_count) + " arrays that reaches beyond");
    return reach + 1;
}

/// Before the first element of the first array; in arrays that `elements` has counted.
std::uint64_t elements_before(const Canonical& c, std::uint64_t batch_count, bool input) {
    std::uint64_t reach = 0;
    const auto add = [&](std::uint64_t count, std::int64_t stride) {
        if (stride < 0 && count > 1) add_reach(count, stride, reach);
    };
    for (const Axis& a : c.axes) input ? add(a.input_count(), a.input_stride) : add(a.output_count(), a.output_stride);
    for (const Loop& l : c.loops) add(l.count, input ? l.input_stride : l.output_stride);
    add(batch_count, input ? c.batch.input_distance : c.batch.output_distance);
    return reach;
}

/// Offsets as the user gave them must leave room for what lies before the first element.
void check_room_before(const Canonical& c) {
    for (const bool input : {true, false}) {
        elements(c, c.batch.count, input);
        const std::uint64_t offset = input ? c.input_byte_offset : c.output_byte_offset;
        const std::uint64_t least =
            elements_before(c, c.batch.count, input) * (input ? c.input_element_bytes() : c.output_element_bytes());
        if (offset < least)
            refuse(input ? "input.byte_offset" : "output.byte_offset",
                   "at least " + support::to_text(least) +
                       ", because strides below 0 put elements so far before the first one",
                   support::to_text(offset));
    }
}

/// Of an execution, whose arrays may be more than the problem's.
void check_arrays_before(const Canonical& c, std::uint64_t batch_count) {
    for (const bool input : {true, false}) {
        const std::int64_t distance = input ? c.batch.input_distance : c.batch.output_distance;
        if (distance >= 0) continue;
        const std::uint64_t room = (input ? c.input_first() : c.output_first()) - elements_before(c, 1, input);
        const std::uint64_t most = room / support::magnitude(distance) + 1;
        if (batch_count <= most) continue;
        const std::string field = input ? "input" : "output";
        std::string expected = "at most " + support::to_text(most) + ", because " + field;
        expected.append(".byte_offset leaves no room for more arrays before the first (").append(field);
        expected.append(".batch_distance is ").append(std::to_string(distance)).append(")");
        refuse("batch", expected, support::to_text(batch_count));
    }
}

/// Of one point these kinds give the point itself.
bool is_copy_at_length_1(Kind kind) {
    return kind == Kind::c2c || kind == Kind::dht || kind == Kind::r2hc || kind == Kind::hc2r;
}

/// The order of what has a spectrum; where pruning looks at the spectrum it means frequencies.
SpectrumOrder checked_order(const Problem& problem) {
    if (problem.spectrum_order == SpectrumOrder::natural) return problem.spectrum_order;
    const Kind kind = leading_kind(problem);
    if (is_real_to_real(kind)) refuse("spectrum_order", "natural, because the kind has no spectrum", to_string(kind));
    if (is_conjugated(problem.kind))
        refuse("spectrum_order", "natural, because the spectrum is real", to_string(problem.kind));
    if (!problem.spectrum_zeros.empty())
        refuse("spectrum_zeros", "none with spectrum_order pass",
               std::to_string(problem.spectrum_zeros.size()) + " blocks");
    return problem.spectrum_order;
}

/// Whether every element of the input has memory of its own, in as many arrays as an execution may have.
bool is_input_apart(const Canonical& canonical) {
    const std::vector<support::Mode<1>> places = layout_of(canonical, true);
    const std::uint64_t distance = support::magnitude(canonical.batch.input_distance);
    return overlaps(places) == false && copies_without_overlap(places, distance) == unlimited;
}

/// Says of the canonical form whether there are two layouts in place.
BothLayouts resolve_both(const Problem& problem, const std::vector<Kind>& kinds, Canonical& canonical) {
    const bool in_place = problem.placement == Placement::in_place;
    const bool may_broadcast = !in_place || !problem.output.strides.empty();
    Array in{"input",      &problem.input, problem.lengths, canonical.input_element_bytes(), canonical.input_image,
             may_broadcast};
    Array out{"output", &problem.output, problem.lengths, canonical.output_element_bytes(), canonical.output_image};
    std::size_t halved = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i] != Kind::r2c && kinds[i] != Kind::c2r) continue;
        halved = i;
        (kinds[i] == Kind::r2c ? out : in).counts[i] = problem.lengths[i] / 2 + 1;
    }
    if (!in_place) return {resolve(in), resolve(out)};
    if (canonical.input_is_real == canonical.output_is_real) {
        const LayoutsInPlace both = resolve_in_place(in, out);
        canonical.has_two_layouts = both.are_two;
        return {both.input, both.output};
    }
    const RealInPlace both =
        canonical.input_is_real ? resolve_real_in_place(in, out, halved) : resolve_real_in_place(out, in, halved);
    canonical.has_two_layouts = both.are_two;
    return canonical.input_is_real ? BothLayouts{both.real, both.complex} : BothLayouts{both.complex, both.real};
}

/// An array without elements is planned as one that has a single element along its axes of length 0.
Problem with_elements(const Problem& problem) {
    Problem filled = problem;
    for (std::uint64_t& length : filled.lengths) length = std::max<std::uint64_t>(length, 1);
    return filled;
}

/// Signal, spectrum and directions by the names of the planned kinds.
void name_as_planned(Canonical& canonical) {
    if (!canonical.is_conjugated) return;
    std::swap(canonical.forward_scale, canonical.inverse_scale);
    std::swap(canonical.stages[0], canonical.stages[1]);
    for (Axis& axis : canonical.axes) std::swap(axis.signal_kept, axis.spectrum_kept);
}

}  // namespace

std::uint64_t Canonical::stored_bytes() const { return seiche::stored_bytes(precision, storage); }

bool Canonical::has(Direction d) const {
    for (const Axis& axis : axes) {
        if (axis.kind == (d == Direction::forward ? Kind::c2r : Kind::r2c)) return false;
    }
    return true;
}

std::uint64_t Canonical::transforms_per_array() const { return support::size(loops); }

std::uint64_t Canonical::input_elements(std::uint64_t batch_count) const { return elements(*this, batch_count, true); }
std::uint64_t Canonical::output_elements(std::uint64_t batch_count) const {
    return elements(*this, batch_count, false);
}
std::uint64_t Canonical::input_elements_before(std::uint64_t batch_count) const {
    return elements_before(*this, batch_count, true);
}
std::uint64_t Canonical::output_elements_before(std::uint64_t batch_count) const {
    return elements_before(*this, batch_count, false);
}
std::uint64_t Canonical::input_begin(std::uint64_t batch_count) const {
    return input_byte_offset - input_elements_before(batch_count) * input_element_bytes();
}
std::uint64_t Canonical::output_begin(std::uint64_t batch_count) const {
    return output_byte_offset - output_elements_before(batch_count) * output_element_bytes();
}
std::uint64_t Canonical::input_base() const { return batch.input_distance < 0 ? 0 : input_begin(1); }
std::uint64_t Canonical::output_base() const { return batch.output_distance < 0 ? 0 : output_begin(1); }
std::uint64_t Canonical::input_half_bytes(std::uint64_t batch_count) const {
    return input_begin(batch_count) + input_elements(batch_count) * input_element_bytes();
}
std::uint64_t Canonical::output_half_bytes(std::uint64_t batch_count) const {
    return output_begin(batch_count) + output_elements(batch_count) * output_element_bytes();
}
std::uint64_t Canonical::input_bytes(std::uint64_t batch_count) const {
    if (batch_count == 0) return 0;
    const std::uint64_t half = input_half_bytes(batch_count);
    return input_planar ? 2 * half - input_begin(batch_count) : half;
}
std::uint64_t Canonical::output_bytes(std::uint64_t batch_count) const {
    if (batch_count == 0) return 0;
    const std::uint64_t half = output_half_bytes(batch_count);
    return output_planar ? 2 * half - output_begin(batch_count) : half;
}

Canonical normalise(const Problem& stated) {
    support::check_enumerators(stated);
    if (stated.lengths.empty()) refuse("lengths", "at least one axis", "none");
    const std::vector<bool> transformed = transformed_axes(stated);
    check_lengths(stated, transformed);
    const Problem problem = with_elements(stated);
    const std::vector<Kind> kinds = axis_kinds(problem, transformed);
    check_pruning(problem, transformed);
    Canonical canonical;
    canonical.precision = problem.precision;
    canonical.storage = checked_storage(problem);
    canonical.placement = problem.placement;
    canonical.orthonormal = problem.orthonormal || problem.orthogonalize;
    canonical.is_conjugated = is_conjugated(problem.kind);
    canonical.is_empty = problem.lengths != stated.lengths;
    canonical.default_batch = problem.batch;
    const Kind kind = leading_kind(problem);
    canonical.input_is_real = kind == Kind::r2c || is_real_to_real(kind);
    canonical.output_is_real = kind == Kind::c2r || is_real_to_real(kind);
    check_planar(problem, canonical);
    add_images(problem, kinds, canonical);
    const BothLayouts layouts = resolve_both(problem, kinds, canonical);
    const auto& [input, output] = layouts;
    canonical.batch = {std::max<std::uint64_t>(problem.batch, 1), input.distance, output.distance};
    canonical.input_byte_offset = input.byte_offset;
    canonical.output_byte_offset = output.byte_offset;
    check_parts(problem, canonical);
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        const std::uint64_t length = problem.lengths[i];
        if (length == 1 && (!transformed[i] || is_copy_at_length_1(kinds[i]))) continue;
        if (transformed[i]) {
            canonical.axes.push_back({length, input.strides[i], output.strides[i], kinds[i]});
            add_pruning(problem, i, canonical.axes.back());
            canonical.n *= logical_length(kinds[i], length);
        } else {
            canonical.loops.push_back({length, input.strides[i], output.strides[i]});
        }
    }
    check_room_before(canonical);
    if (!has_programs(problem)) reverse_loops(canonical);
    const std::vector<Loop> in_order = canonical.loops;
    sort_loops(canonical.loops);
    if (!has_programs(problem)) merge_loops(canonical.loops);
    const Scale ortho = Scale::by_sqrt_n();
    const Scale& forward = problem.orthonormal ? ortho : problem.forward_scale;
    const Scale& inverse = problem.orthonormal ? ortho : problem.inverse_scale;
    canonical.forward_scale = checked_scale(problem, forward, canonical.n, "forward_scale");
    canonical.inverse_scale = checked_scale(problem, inverse, canonical.n, "inverse_scale");
    check_overlap(problem, layouts, canonical);
    check_whole_texels(canonical);
    canonical.spectrum_order = checked_order(problem);
    canonical.may_overwrite_input = problem.may_overwrite_input && !canonical.shares_buffer() &&
                                    !canonical.input_image && !canonical.output_image &&
                                    canonical.storage == Storage::same && is_input_apart(canonical);
    add_stages(problem, kinds, {transformed, in_order}, canonical);
    name_as_planned(canonical);
    check_batch(canonical, canonical.batch.count);
    return canonical;
}

void check_batch(const Canonical& canonical, std::uint64_t batch_count) {
    if (batch_count == 0) return;
    if (batch_count > canonical.batch_limit) {
        const bool input = is_input_the_larger(canonical);
        const Batch& batch = canonical.batch;
        refuse("batch",
               "at most " + support::to_text(canonical.batch_limit) + ", because " + (input ? "inputs" : "outputs") +
                   " overlap beyond (" + (input ? "input" : "output") + ".batch_distance is " +
                   std::to_string(input ? batch.input_distance : batch.output_distance) + ")",
               support::to_text(batch_count));
    }
    if (batch_count > canonical.stage_batch_limit)
        refuse("batch",
               "at most " + support::to_text(canonical.stage_batch_limit) +
                   ", because an index of a stage would leave its buffer beyond",
               support::to_text(batch_count));
    check_texels(canonical, batch_count);
    check_arrays_before(canonical, batch_count);
    const std::uint64_t in = canonical.input_half_bytes(batch_count), out = canonical.output_half_bytes(batch_count);
    for (const bool input : {true, false}) {
        const std::uint64_t bytes = canonical.shares_buffer() ? std::max(in, out) : input ? in : out;
        const std::uint64_t part = input ? canonical.input_part_bytes : canonical.output_part_bytes;
        if (part != 0 && (bytes - 1) / part >= most_parts)
            refuse(input ? "input.part_bytes" : "output.part_bytes",
                   "at least " + support::to_text((bytes - 1) / most_parts + 1) + ", so that " +
                       std::to_string(most_parts) + " buffers hold the " + support::to_text(bytes) +
                       " bytes of a batch of " + support::to_text(batch_count),
                   support::to_text(part));
    }
}

std::uint64_t hash(const Canonical& c) {
    support::Hasher hasher;
    const auto stride = [&hasher](std::int64_t value) { hasher.number(static_cast<std::uint64_t>(value)); };
    const auto scale = [&hasher](DoubleDouble value) {
        hasher.text(support::to_text(value.hi)).text(support::to_text(value.lo));
    };
    hasher.number(static_cast<std::uint64_t>(c.precision)).number(static_cast<std::uint64_t>(c.placement));
    hasher.number(static_cast<std::uint64_t>(c.storage));
    hasher.number(c.input_planar).number(c.output_planar).number(c.has_two_layouts);
    hasher.number(c.input_is_real).number(c.output_is_real).number(c.orthonormal);
    hasher.number(c.is_conjugated).number(c.is_empty).number(c.default_batch);
    hasher.number(static_cast<std::uint64_t>(c.spectrum_order)).number(c.may_overwrite_input);
    scale(c.forward_scale);
    scale(c.inverse_scale);
    hasher.number(c.axes.size());
    for (const Axis& a : c.axes) {
        hasher.number(a.length);
        stride(a.input_stride);
        stride(a.output_stride);
        hasher.number(static_cast<std::uint64_t>(a.kind));
        for (const std::vector<Range>& kept : {a.signal_kept, a.spectrum_kept}) {
            hasher.number(kept.size());
            for (const Range& range : kept) hasher.number(range.begin).number(range.end);
        }
    }
    hasher.number(c.loops.size());
    for (const Loop& l : c.loops) {
        hasher.number(l.count);
        stride(l.input_stride);
        stride(l.output_stride);
    }
    hasher.number(c.batch.count);
    stride(c.batch.input_distance);
    stride(c.batch.output_distance);
    for (const DirectionStages& stages : c.stages)
        for (const auto& program : {stages.load, stages.store}) {
            hasher.text(program ? program->text : "");
            if (!program) continue;
            for (const StageBuffer& b : program->buffers)
                hasher.text(b.name).number(static_cast<std::uint64_t>(b.type)).number(b.count);
        }
    for (const ArrayImage& image : {c.input_image, c.output_image})
        hasher.number(static_cast<std::uint64_t>(image.format)).number(image.width);
    hasher.number(c.input_part_bytes).number(c.output_part_bytes);
    return hasher.number(c.input_byte_offset).number(c.output_byte_offset).value();
}

}  // namespace seiche::problem
