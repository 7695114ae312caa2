// Validation, and the canonical form: every rule of a problem is checked here and nowhere else.
#include <algorithm>
#include <cmath>
#include <string>

#include "problem/overlap.hpp"
#include "problem/problem.hpp"
#include "seiche/error.hpp"
#include "support/hash.hpp"
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

constexpr std::uint64_t most_bytes = (1ull << 63) - 1;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

std::string indexed(const char* field, std::size_t index) {
    return std::string(field) + "[" + std::to_string(index) + "]";
}

void check_lengths(const Problem& problem) {
    if (problem.lengths.empty()) refuse("lengths", "at least one axis", "none");
    std::uint64_t elements = 1;
    const std::uint64_t most = most_bytes / (problem.precision == Precision::f32 ? 8 : 16);
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        if (problem.lengths[i] == 0) refuse(indexed("lengths", i), "at least 1", "0");
        if (!support::checked_multiply(elements, problem.lengths[i], elements) || elements > most)
            refuse("lengths", "arrays below 2^63 bytes", support::join_numbers(problem.lengths, "x") + " elements");
    }
    if (problem.batch == 0) refuse("batch", "at least 1", "0");
}

/// One flag per axis.
std::vector<bool> transformed_axes(const Problem& problem) {
    const auto rank = static_cast<std::int64_t>(problem.lengths.size());
    std::vector<bool> chosen(problem.lengths.size(), problem.axes.empty());
    for (std::size_t i = 0; i < problem.axes.size(); ++i) {
        const std::int64_t axis = problem.axes[i], index = axis < 0 ? axis + rank : axis;
        const std::string given = std::to_string(axis);
        if (index < 0 || index >= rank)
            refuse(indexed("axes", i), "from " + std::to_string(-rank) + " to " + std::to_string(rank - 1), given);
        if (chosen[static_cast<std::size_t>(index)]) refuse(indexed("axes", i), "each axis once", given + " again");
        chosen[static_cast<std::size_t>(index)] = true;
    }
    return chosen;
}

struct ResolvedLayout {
    std::vector<std::uint64_t> strides;
    std::uint64_t distance = 1;
    std::uint64_t byte_offset = 0;
    bool operator==(const ResolvedLayout&) const = default;
};

/// The distance from the first element to the last, or nothing beyond 2^63 - 1.
bool add_reach(std::uint64_t count, std::uint64_t stride, std::uint64_t& reach) {
    std::uint64_t part = 0;
    return support::checked_multiply(count - 1, stride, part) && support::checked_add(reach, part, reach) &&
           reach <= most_bytes;
}

/// `field` is "input" or "output".
ResolvedLayout resolve(const Problem& problem, const Layout& layout, const std::string& field) {
    const std::size_t rank = problem.lengths.size();
    ResolvedLayout resolved;
    resolved.strides.resize(rank);
    if (!layout.strides.empty() && layout.strides.size() != rank)
        refuse(field + ".strides", std::to_string(rank) + " of them, one per axis",
               std::to_string(layout.strides.size()));
    std::uint64_t dense = 1, reach = 0;
    for (std::size_t i = rank; i-- > 0; dense *= problem.lengths[i]) {
        if (layout.strides.empty()) {
            resolved.strides[i] = dense;
        } else {
            if (layout.strides[i] <= 0)
                refuse(field + "." + indexed("strides", i), "at least 1", std::to_string(layout.strides[i]));
            resolved.strides[i] = static_cast<std::uint64_t>(layout.strides[i]);
        }
        if (!add_reach(problem.lengths[i], resolved.strides[i], reach))
            refuse(field + ".strides", "an array below 2^63 bytes", support::join_numbers(resolved.strides, ","));
    }
    if (layout.batch_distance < 0)
        refuse(field + ".batch_distance", "at least 1, or 0 for dense", std::to_string(layout.batch_distance));
    resolved.distance = layout.batch_distance == 0 ? reach + 1 : static_cast<std::uint64_t>(layout.batch_distance);
    const std::uint64_t element = problem.precision == Precision::f32 ? 8 : 16;
    if (layout.byte_offset % element != 0)
        refuse(field + ".byte_offset", "a multiple of the element's " + std::to_string(element) + " bytes",
               support::to_text(layout.byte_offset));
    resolved.byte_offset = layout.byte_offset;
    return resolved;
}

double checked_scale(const Problem& problem, const Scale& scale, std::uint64_t n, const char* field) {
    const double value = scale.value(static_cast<double>(n));
    const bool narrow = problem.precision == Precision::f32;
    const double stored = narrow ? static_cast<double>(static_cast<float>(value)) : value;
    if (!std::isfinite(stored) || stored == 0.0)
        refuse(field, std::string("a factor that is finite and not 0 in ") + (narrow ? "f32" : "f64"),
               support::to_text(value));
    return value;
}

void merge_loops(std::vector<Loop>& loops) {
    std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
        return a.output_stride != b.output_stride ? a.output_stride > b.output_stride : a.input_stride > b.input_stride;
    });
    std::vector<Loop> merged;
    for (const Loop& inner : loops) {
        if (!merged.empty() && merged.back().output_stride == inner.count * inner.output_stride &&
            merged.back().input_stride == inner.count * inner.input_stride)
            merged.back() = {merged.back().count * inner.count, inner.input_stride, inner.output_stride};
        else
            merged.push_back(inner);
    }
    loops = std::move(merged);
}

void check_output_overlap(const Problem& problem, const ResolvedLayout& output, Canonical& canonical) {
    std::vector<Dimension> dimensions;
    for (const Axis& a : canonical.axes) dimensions.push_back({a.length, a.output_stride});
    for (const Loop& l : canonical.loops) dimensions.push_back({l.count, l.output_stride});
    const std::optional<bool> overlap = overlaps(dimensions);
    if (!overlap || *overlap)
        refuse("output.strides", "elements that do not overlap",
               support::join_numbers(output.strides, ",") + " for " + support::join_numbers(problem.lengths, "x") +
                   (overlap ? "" : " (too entangled to decide)"));
    canonical.batch_limit = copies_without_overlap(std::move(dimensions), output.distance);
}

std::uint64_t elements(const Canonical& c, std::uint64_t batch_count, bool input) {
    std::uint64_t reach = 0;
    bool fits = batch_count >= 1;
    for (const Axis& a : c.axes) fits = fits && add_reach(a.length, input ? a.input_stride : a.output_stride, reach);
    for (const Loop& l : c.loops) fits = fits && add_reach(l.count, input ? l.input_stride : l.output_stride, reach);
    fits = fits && add_reach(batch_count, input ? c.batch.input_distance : c.batch.output_distance, reach);
    const std::uint64_t offset = input ? c.input_byte_offset : c.output_byte_offset;
    if (!fits || offset > most_bytes || reach + 1 > (most_bytes - offset) / c.element_bytes())
        refuse(input ? "input" : "output", "an extent below 2^63 bytes",
               "a batch of " + support::to_text(batch_count) + " arrays that reaches beyond");
    return reach + 1;
}

}  // namespace

std::uint64_t Canonical::transforms_per_array() const {
    std::uint64_t count = 1;
    for (const Loop& loop : loops) count *= loop.count;
    return count;
}

std::uint64_t Canonical::input_elements(std::uint64_t batch_count) const { return elements(*this, batch_count, true); }
std::uint64_t Canonical::output_elements(std::uint64_t batch_count) const {
    return elements(*this, batch_count, false);
}
std::uint64_t Canonical::input_bytes(std::uint64_t batch_count) const {
    return input_byte_offset + input_elements(batch_count) * element_bytes();
}
std::uint64_t Canonical::output_bytes(std::uint64_t batch_count) const {
    return output_byte_offset + output_elements(batch_count) * element_bytes();
}

Canonical normalise(const Problem& problem) {
    check_lengths(problem);
    const std::vector<bool> transformed = transformed_axes(problem);
    const ResolvedLayout input = resolve(problem, problem.input, "input");
    ResolvedLayout output = input;
    if (problem.placement == Placement::out_of_place) {
        output = resolve(problem, problem.output, "output");
    } else if (problem.output != Layout{} && resolve(problem, problem.output, "output") != input) {
        refuse("output", "the input's layout, or none, because the transform is in place", "another layout");
    }

    Canonical canonical;
    canonical.precision = problem.precision;
    canonical.placement = problem.placement;
    canonical.batch = {problem.batch, input.distance, output.distance};
    canonical.input_byte_offset = input.byte_offset;
    canonical.output_byte_offset = output.byte_offset;
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        const std::uint64_t length = problem.lengths[i];
        if (length == 1) continue;
        if (transformed[i]) {
            canonical.axes.push_back({length, input.strides[i], output.strides[i]});
            canonical.n *= length;
        } else {
            canonical.loops.push_back({length, input.strides[i], output.strides[i]});
        }
    }
    merge_loops(canonical.loops);
    canonical.forward_scale = checked_scale(problem, problem.forward_scale, canonical.n, "forward_scale");
    canonical.inverse_scale = checked_scale(problem, problem.inverse_scale, canonical.n, "inverse_scale");
    check_output_overlap(problem, output, canonical);
    check_batch(canonical, problem.batch);
    return canonical;
}

void check_batch(const Canonical& canonical, std::uint64_t batch_count) {
    if (batch_count == 0) refuse("batch", "at least 1", "0");
    if (batch_count > canonical.batch_limit)
        refuse("batch",
               "at most " + support::to_text(canonical.batch_limit) +
                   ", because outputs overlap beyond (output.batch_distance is " +
                   support::to_text(canonical.batch.output_distance) + ")",
               support::to_text(batch_count));
    elements(canonical, batch_count, true);
    elements(canonical, batch_count, false);
}

std::uint64_t hash(const Canonical& c) {
    support::Hasher hasher;
    const auto scale = [&hasher](double value) { hasher.text(support::to_text(value)); };
    hasher.number(static_cast<std::uint64_t>(c.precision)).number(static_cast<std::uint64_t>(c.placement));
    scale(c.forward_scale);
    scale(c.inverse_scale);
    hasher.number(c.axes.size());
    for (const Axis& a : c.axes) hasher.number(a.length).number(a.input_stride).number(a.output_stride);
    hasher.number(c.loops.size());
    for (const Loop& l : c.loops) hasher.number(l.count).number(l.input_stride).number(l.output_stride);
    hasher.number(c.batch.count).number(c.batch.input_distance).number(c.batch.output_distance);
    return hasher.number(c.input_byte_offset).number(c.output_byte_offset).value();
}

}  // namespace seiche::problem
