#include "planner/fuse/slices.hpp"

#include <algorithm>
#include <iterator>

#include "support/layout.hpp"

namespace seiche::planner {

using kernels::KernelSpec;
using kernels::Loop;
using support::Mode;

std::uint64_t stored_elements(const KernelSpec& spec) {
    return spec.out.map() ? kernels::stored_elements(*spec.out.map()) : spec.n;
}

bool works_in_place(const KernelSpec& spec) {
    const auto stays = [](const Loop& loop) { return loop.input_stride == loop.output_stride; };
    if (spec.out.bins()) {
        const Loop& columns = spec.loops.front();
        return !spec.out.is_real() && columns.input_stride == spec.out.stride &&
               spec.in.stride == support::times(columns.count, spec.out.stride) && spec.in.offset == spec.out.offset &&
               std::all_of(spec.loops.begin() + 1, spec.loops.end(), stays);
    }
    return !spec.in.bins() && spec.in.stride == spec.out.stride && spec.in.offset == spec.out.offset &&
           std::all_of(spec.loops.begin(), spec.loops.end(), stays);
}

namespace {

/// What repeats the first `sequences` of the loops, if these fill memory without gaps. The batch counts 0, since it may
/// differ between executions.
std::optional<std::vector<Mode<1>>> beyond(const KernelSpec& spec, bool is_output, std::uint64_t sequences) {
    const auto parts = support::divide(std::vector<Loop>(spec.loops.begin(), spec.loops.end() - 1), sequences);
    if (!parts) return std::nullopt;
    const std::size_t array = is_output ? 1 : 0;
    std::vector<Mode<1>> inside = support::in_array(parts->first, array);
    inside.push_back({is_output ? stored_elements(spec) : spec.n, {spec.side(!is_output).stride}});
    if (!support::is_dense(std::move(inside))) return std::nullopt;
    std::vector<Mode<1>> outside = support::in_array(parts->second, array);
    support::coalesce(outside);
    outside.push_back({0, {strides_of(spec.loops.back())[array]}});
    return outside;
}

bool is_even(const kernels::Folded* fold) { return !fold || !fold->is_odd(); }

/// r2c's spectrum or type II's, or of what undoes them.
bool is_of(const kernels::RealMap* bins, Kind complex, Kind cosine, Kind sine) {
    return !bins || bins->kind == complex || bins->kind == cosine || bins->kind == sine;
}

/// The first may make complex numbers of real ones, points of a spectrum, or of folded numbers; the second a spectrum
/// or folded numbers, or both cores of a padded convolution.
bool may_be_sliced(const KernelSpec& spec, bool is_first) {
    const auto is_simple = [](const kernels::Stage& stage) {
        return !std::holds_alternative<kernels::UserProgram>(stage) &&
               !std::holds_alternative<kernels::SpectrumProduct>(stage);
    };
    const bool has_map = spec.in.map() || spec.out.map();
    const bool is_r2c = spec.out.map() && spec.out.map()->kind == Kind::r2c && spec.out.map()->loop < 0;
    const bool has_plain_middle =
        is_first ? spec.convolution.stages.empty()
                 : std::all_of(spec.convolution.stages.begin(), spec.convolution.stages.end(), is_simple);
    const bool stores_numbers =
        !is_first && (spec.out.folded() || (spec.out.bins() && spec.out.bins()->kind != Kind::r2c));
    return has_plain_middle && (!has_map || (is_first && is_r2c)) && is_even(spec.in.folded()) &&
           is_even(spec.out.folded()) && !(is_first ? spec.out.folded() : spec.in.folded()) &&
           is_of(spec.in.bins(), Kind::c2r, Kind::dct3, Kind::dst3) &&
           is_of(spec.out.bins(), Kind::r2c, Kind::dct2, Kind::dst2) &&
           !(is_first ? spec.out.bins() : spec.in.bins()) && !spec.textbook() && !spec.is_repacking() &&
           (is_first || !spec.in.is_real()) && (stores_numbers || !spec.out.is_real()) && !spec.in.has_halves() &&
           !spec.out.has_halves() && spec.convolution.prime == 0 && spec.precision != Precision::f64x2 &&
           std::all_of(spec.in.stages.begin(), spec.in.stages.end(), is_simple) &&
           std::all_of(spec.out.stages.begin(), spec.out.stages.end(), is_simple);
}

/// Two passes behind a third, or of an axis with so many neighbours: points interleave, and a run of neighbours is a
/// slice.
std::optional<Slices> find_interleaved(const KernelSpec& a, const KernelSpec& b) {
    const bool has_points = !a.in.bins() && !b.out.bins() && !a.out.map() && a.on_chip.next.empty();
    if (a.loops.size() < 3 || b.loops.size() < 2 || !has_points) return std::nullopt;
    const Loop &beside = a.loops[0], &left = a.loops[1];
    // The second's loop over the first's results may be one of its own, beside that of the neighbours.
    const bool are_apart = b.loops.size() == a.loops.size();
    Loop results = b.loops[0];
    if (are_apart && results.count == beside.count &&
        b.loops[1].input_stride == support::times(results.count, results.input_stride))
        results.count *= b.loops[1].count;
    const auto others = b.loops.begin() + (are_apart ? 2 : 1);
    const auto is_same = [](const Loop& x, const Loop& y) {
        return x.count == y.count && x.output_stride == y.input_stride;
    };
    const bool is_axis = results.count == beside.count * a.n && left.count == b.n &&
                         results.input_stride == beside.output_stride &&
                         a.out.stride == support::times(beside.count, beside.output_stride) &&
                         left.output_stride == support::times(a.n, a.out.stride) && b.in.stride == left.output_stride;
    if (!is_axis || !support::is_affine(a.loops) || !support::is_affine(b.loops) ||
        std::distance(others, b.loops.end()) != std::ssize(a.loops) - 2 ||
        !std::equal(a.loops.begin() + 2, a.loops.end() - 1, others, is_same) ||
        a.loops.back().output_stride != b.loops.back().input_stride)
        return std::nullopt;
    return Slices{left.count, a.n, beside.count};
}

bool is_chain(const Step& first, const Step& second) {
    const KernelSpec &a = first.spec, &b = second.spec;
    const KernelSpec& last = kernels::last_pass(a);
    return first.target == second.source && may_be_sliced(a, true) && may_be_sliced(last, true) &&
           may_be_sliced(b, false) && b.on_chip.next.empty() && a.out.offset == b.in.offset &&
           a.out.storage == b.in.storage && a.out.kept.ranges.empty() && b.in.kept.ranges.empty();
}

bool stays(const Step& second) {
    return second.source == second.target && second.spec.in_place && works_in_place(second.spec);
}

/// The first pass, in place: each sequence, or what a group has on chip, is stored where it was.
bool is_stored_where_it_lies(const KernelSpec& a) {
    const bool is_complex = !a.in.map() && !a.out.map() && !a.in.bins() && !a.in.folded() && !a.in.is_real();
    return is_complex && a.in.offset == kernels::last_pass(a).out.offset && a.in.storage == a.out.storage &&
           a.in.is_planar() == a.out.is_planar() && (!a.on_chip.next.empty() || works_in_place(a));
}

/// To where the first one loads, complex elements as they lie.
bool returns(const Step& first, const Step& second, bool is_in_place) {
    const KernelSpec &a = first.spec, &b = second.spec;
    const bool are_given = first.source <= Role::output && second.target <= Role::output;
    const bool is_same = first.source == second.target || (is_in_place && are_given);
    return is_same && !a.in_place && !b.in_place && a.on_chip.next.empty() && !a.in.map() && !a.out.map() &&
           !a.in.bins() && !b.out.bins() && !b.out.folded() && !a.in.is_real() && a.in.offset == b.out.offset &&
           a.in.storage == b.out.storage && a.in.is_planar() == b.out.is_planar();
}

std::optional<Slices> find_whole(const KernelSpec& first, const KernelSpec& b) {
    const KernelSpec& a = kernels::last_pass(first);
    std::uint64_t sequences = 1;
    for (std::size_t i = 0; i + 1 < b.loops.size(); ++i) {
        sequences *= b.loops[i].count;
        const std::uint64_t points = sequences * b.n, each = stored_elements(a);
        if (points % each != 0) continue;
        const auto ahead = beyond(a, true, points / each), behind = beyond(b, false, sequences);
        if (!ahead || !behind || *ahead != *behind) continue;
        if (first.on_chip.next.empty() || points % first.n == 0)
            return Slices{first.on_chip.next.empty() ? points / each : points / first.n, sequences, 0};
    }
    return std::nullopt;
}

bool are_other_arrays(const Step& first, const Step& last, bool is_in_place) {
    const bool are_given = first.source <= Role::output && last.target <= Role::output;
    return first.source != last.target && !(is_in_place && are_given);
}

/// Slices of one batch entry, whose elements a loads from where c stores them.
bool are_same_entries(const KernelSpec& a, std::uint64_t slice_of_a, const KernelSpec& c, std::uint64_t slice_of_c) {
    const bool are_entries =
        a.loops.size() == 2 && c.loops.size() == 2 && slice_of_a == a.loops[0].count && slice_of_c == c.loops[0].count;
    return are_entries && a.in.offset == c.out.offset && a.in.stride == c.out.stride &&
           a.loops[0].input_stride == c.loops[0].output_stride &&
           a.loops.back().input_stride == c.loops.back().output_stride && a.in.storage == c.out.storage &&
           a.in.is_planar() == c.out.is_planar() && a.in.is_real() == c.out.is_real();
}

/// From folded numbers, or to such, by way of points in memory of their own.
bool has_between(const Step& first, const Step& second, const Slices& slices, bool is_in_place) {
    const KernelSpec &a = first.spec, &b = second.spec;
    const bool is_given = first.target <= Role::output && is_in_place;
    const bool has_own = first.source != first.target && second.target != first.target && !is_given;
    return (a.in.folded() || b.out.folded()) && has_own && a.on_chip.next.empty() && !a.out.is_planar() &&
           !b.in.is_planar() &&
           (are_other_arrays(first, second, is_in_place) || are_same_entries(a, slices.first, b, slices.second));
}

}  // namespace

std::optional<std::uint64_t> find_third(const Step& first, const Step& second, const Step& third, const Slices& slices,
                                        bool is_in_place) {
    const KernelSpec &a = first.spec, &b = second.spec, &c = third.spec;
    const bool is_behind = second.target == third.source && first.source != second.target &&
                           third.target != second.target && b.out.offset == c.in.offset &&
                           b.out.storage == c.in.storage && b.out.kept.ranges.empty() && c.in.kept.ranges.empty() &&
                           !c.in_place && !c.in.is_planar() && !c.out.bins() && c.on_chip.next.empty() &&
                           may_be_sliced(c, false);
    const std::uint64_t points = slices.second * b.n, sequences = points / c.n;
    if (!stays(second) || a.in_place || !a.on_chip.next.empty() || slices.beside != 0 || !is_behind ||
        points % c.n != 0)
        return std::nullopt;
    const auto ahead = beyond(b, true, slices.second), behind = beyond(c, false, sequences);
    if (!ahead || !behind || *ahead != *behind) return std::nullopt;
    const bool may = are_other_arrays(first, third, is_in_place) || are_same_entries(a, slices.first, c, sequences);
    return may ? std::optional(sequences) : std::nullopt;
}

std::optional<Slices> find_slices(const Step& first, const Step& second, const SliceQuestion& question) {
    if (!is_chain(first, second)) return std::nullopt;
    const KernelSpec &a = first.spec, &b = second.spec;
    if (question.are_interleaved) return stays(second) && !a.in_place ? find_interleaved(a, b) : std::nullopt;
    std::optional<Slices> between = find_whole(a, b);
    if (between && has_between(first, second, *between, question.is_in_place)) {
        between->has_between = true;
        return between;
    }
    if (!between || (!stays(second) && !returns(first, second, question.is_in_place))) return std::nullopt;
    if (stays(second) && !a.in_place) return between;
    // What is stored, by either pass, is where the first has read the same slice.
    const KernelSpec& last = kernels::last_pass(a);
    const std::uint64_t sequences = a.on_chip.next.empty() ? between->first : between->first * a.n / last.n;
    const auto loaded = beyond(a, false, between->first);
    const auto stored = a.in_place ? beyond(last, true, sequences) : beyond(b, true, between->second);
    const bool is_alike = a.in_place ? is_stored_where_it_lies(a) : true;
    return is_alike && loaded && stored && *loaded == *stored ? between : std::nullopt;
}

}  // namespace seiche::planner
