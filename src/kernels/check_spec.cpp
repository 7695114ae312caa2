// What holds of one pass: its core and sides, its stages, and its shape.
#include "kernels/check_spec.hpp"

#include <algorithm>
#include <bit>

#include "kernels/contract/parameters.hpp"
#include "kernels/group/prime_loop.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t widest = 16;  // lanes of the IR's widest vector

void expect_loop(const KernelSpec& spec, std::int64_t loop) {
    expect(spec, loop >= 0 && loop < static_cast<std::int64_t>(spec.loops.size()), "a loop " + std::to_string(loop));
}

void expect_loop_or_none(const KernelSpec& spec, std::int32_t loop) {
    if (loop != -1) expect_loop(spec, loop);
}

class StageCheck {
public:
    explicit StageCheck(const KernelSpec& spec) : spec_(spec) {}

    void operator()(const SwapParts&) const {}
    void operator()(const Multiply&) const {}
    void operator()(const FourStepTwiddle& t) const {
        expect_loop(spec_, t.loop);
        expect(spec_, t.length >= sequence_points(spec_, spec_.in.stages) * spec_.loops[t.loop].count,
               "a twiddle as long as the points of its loop");
    }
    void operator()(const Chirp& c) const { expect_loop_or_none(spec_, c.loop); }
    void operator()(const OneSided& o) const {
        expect_loop_or_none(spec_, o.loop);
        expect(spec_, o.middle == 0 || std::holds_alternative<GroupShape>(spec_.shape),
               "an even length in a GPU's kernel alone");
    }
    void operator()(const ChirpSpectrum& c) const {
        expect_loop_or_none(spec_, c.loop);
        expect(spec_, c.results <= c.length && c.padded >= c.length,
               "a spectrum with space for the points, of at most as many results");
        expect(spec_, spec_.n <= c.padded / c.element_stride, "a spectrum as long as the points");
    }
    void operator()(const UserProgram& u) const {
        expect(spec_, u.program && &u == user_stage(stages_of(spec_, u.side)),
               "one user stage on a side, made for that side");
        expect(spec_,
               (u.element == UserProgram::Element::mirrored || u.element == UserProgram::Element::halved) ==
                   (u.mirrors != 0),
               "as many mirrored bins as the axis has");
        for (const LogicalIndex& index : u.axes)
            for (const LogicalIndex::Part& part : index.parts)
                expect(spec_, part.loop < spec_.loops.size() + spec_.register_rows().size(),
                       "a loop " + std::to_string(part.loop));
    }
    void operator()(const RaderSpectrum& r) const {
        expect(spec_, r.prime == spec_.convolution.prime && (r.padded == 0 || r.padded == spec_.n),
               "the spectrum of its prime");
        expect(spec_,
               r.padded == 0 || (std::holds_alternative<GroupShape>(spec_.shape) && !spec_.in.map() &&
                                 !spec_.out.map() && spec_.n > 1),
               "a GPU's kernel without a real map for a prime's even and odd part");
    }
    void operator()(const SpectrumProduct& p) const {
        expect(spec_, p.loop_strides.size() == spec_.loops.size(), "a stride in the spectra for each loop");
        expect(spec_,
               p.magnitude == 0 || (spec_.precision != Precision::f64x2 && spec_.convolution.channels.is_single()),
               "a magnitude of one channel in f32 or f64");
    }
    void operator()(const Turn& t) const { expect_loop_or_none(spec_, t.loop); }

private:
    const KernelSpec& spec_;
};

class ShapeCheck {
public:
    explicit ShapeCheck(const KernelSpec& spec) : spec_(spec) {}

    void operator()(const GroupShape& shape) const {
        expect(spec_, shape.threads > 0 && shape.sequences > 0, "threads and sequences above 0");
        expect(spec_, shape.exchange.components == 1 || shape.exchange.components == 2,
               "one or two components of points in an exchange");
        expect(spec_, can_exchange_in_chunks(spec_, shape.exchange.chunks),
               "chunks that divide the radices but the first");
        expect_mirrors(shape);
        if (shape.prime_loop()) expect_prime_loop(shape, *shape.prime_loop());
        if (shape.has_core_loop()) expect_core_loop(shape);
        if (shape.sequences_of_thread() > 1)
            expect(spec_,
                   spec_.runs_once() && spec_.radices.size() == 1 && shape.threads == 1 &&
                       shape.load_order == ThreadOrder::flat && shape.store_order == ThreadOrder::flat &&
                       spec_.on_chip.own_threads && !spec_.is_second(),
                   "a first pass of one butterfly, beside another with threads of its own, for whole sequences");
        const bool redistributes_in = !spec_.radices.empty() && spec_.radices.front() == 1;
        const bool redistributes_out = !spec_.radices.empty() && spec_.radices.back() == 1;
        expect(spec_,
               spec_.convolution.prime == 0 || (redistributes_in != (spec_.in.map() != nullptr) &&
                                                redistributes_out != (spec_.out.map() != nullptr)),
               "a prime's core that redistributes its points at each end without a real map, and only there");
    }
    void operator()(const SimdShape& shape) const {
        const auto has_elements = [](const MemorySide& side) { return side.has<Points, SplitHalves, MappedReals>(); };
        expect(spec_, has_elements(spec_.in) && has_elements(spec_.out),
               "a GPU's kernel where elements are folded or make conjugate pairs");
        expect(spec_, std::has_single_bit(shape.lanes) && shape.lanes <= widest, "a power of two of at most 16 lanes");
        expect(spec_, shape.units_per_group > 0, "units above 0");
    }

private:
    void expect_mirrors(const GroupShape& shape) const {
        const bool is_paired = is_mirrored(spec_, true) || is_mirrored(spec_, false);
        expect(spec_, !shape.has_mirrors_in_thread() || (spec_.runs_once() && (spec_.radices.size() > 1 || !is_paired)),
               "mirrored points in a thread at the ends of one core, in a stage of their own");
        if (is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins()))
            expect(spec_, has_plane_of_pairs(shape),
                   "conjugate pairs of a plane on the memory side of two fused passes of whole transforms");
        else if ((spec_.in.bins() || spec_.out.bins()) && !shape.has_mirrors_in_group())
            expect(spec_, has_axis_of_pairs(),
                   "mirrored columns in one group where a pass has conjugate pairs, or both passes of a whole axis");
        else if (spec_.in.bins() || spec_.out.bins())
            expect(spec_, shape.has_mirrors_in_group() && has_columns_of_pairs(shape),
                   "mirrored columns in one group where a pass has conjugate pairs");
        else
            expect(spec_, !shape.has_mirrors_in_group() || has_mirrored_columns(shape),
                   "mirrored columns in one group");
    }
    void expect_prime_loop(const GroupShape& shape, const PrimeLoop& loop) const {
        constexpr std::uint32_t subgroup = 32;
        const std::uint32_t pairs = doubles_pairs(spec_.n) ? (spec_.n - 1) / 4 : (spec_.n - 1) / 2;
        expect(spec_,
               shape.exchange.components == 2 && !shape.exchange.whole_points &&
                   shape.load_order == ThreadOrder::flat && shape.store_order == ThreadOrder::flat &&
                   spec_.radices == std::vector<std::uint32_t>{1, spec_.n, 1} && support::is_prime(spec_.n) &&
                   spec_.runs_once() && spec_.has_own_points() && spec_.is_alone_on_chip() &&
                   spec_.pipeline.next.empty() && loop.pairs > 0 && loop.pairs <= pairs,
               "a prime's butterfly between two redistributions for a loop over pairs of results, at most all of them");
        expect(spec_,
               shape.threads == (loop.parts_in_lanes ? 2u : 1u) &&
                   (!loop.parts_in_lanes || 2 * shape.sequences % subgroup == 0),
               "a thread for each sequence of a loop, or two and whole subgroups for parts in lanes");
    }
    void expect_core_loop(const GroupShape& shape) const {
        const std::vector<std::vector<std::uint32_t>> runs = core_runs(spec_);
        const bool is_one_text = spec_.n > 1 && runs.size() == 2 && runs.front() == runs.back();
        const bool is_one_order = shape.load_order == shape.store_order || spec_.radices.back() == 1;
        expect(
            spec_,
            is_one_text && is_one_order && spec_.convolution.channels.is_single() && spec_.is_alone_on_chip() &&
                spec_.pipeline.next.empty(),
            "a convolution of one channel whose radices and orders are the same from either end for a core in a loop");
    }
    /// The columns of a folded side, of which no one is its own mirror.
    bool has_mirrored_columns(const GroupShape& shape) const {
        const bool is_input = spec_.in.folded() != nullptr;
        const MemorySide &side = spec_.side(is_input), &other = spec_.side(!is_input);
        const Folded* fold = side.folded();
        return fold && !side.is_real() && !other.folded() && fold->loop == 0 && divides_mirrors(shape, is_input) &&
               spec_.loops[0].count % shape.sequences == 0 && 2 * spec_.n * spec_.loops[0].count == fold->length;
    }
    /// Columns and the points of each are even, so that no column but 0 and the middle one is its own mirror.
    bool has_columns_of_pairs(const GroupShape& shape) const {
        const bool is_input = spec_.in.bins() != nullptr;
        const MemorySide& other = spec_.side(!is_input);
        const RealMap& map = *spec_.side(is_input).bins();
        return !other.bins() && !other.folded() && map.loop == 0 && divides_mirrors(shape, is_input) &&
               spec_.loops[0].gaps.empty() && spec_.loops[0].count == map.element_stride &&
               map.element_stride % shape.sequences == 0 &&
               spec_.n * map.element_stride == real_core(map.kind, map.length).points;
    }
    /// Both passes of a core, of r2c or c2r, that a group has.
    bool has_axis_of_pairs() const {
        const bool is_input = spec_.in.bins() != nullptr;
        const RealMap& map = *spec_.side(is_input).bins();
        const bool is_at_end =
            is_input ? map.kind == Kind::c2r && spec_.on_chip.own_threads : map.kind == Kind::r2c && spec_.is_second();
        const RealCore core = real_core(map.kind, map.length);
        return is_at_end && core.is_paired && !spec_.side(!is_input).bins() && map.loop == 0 &&
               spec_.loops[0].count == map.element_stride &&
               sequence_points(spec_, spec_.in.stages) * map.element_stride == core.points;
    }
    /// Columns, and butterflies of the stage at that end, come in pairs.
    bool divides_mirrors(const GroupShape& shape, bool is_input) const {
        const std::uint32_t radix = is_input ? spec_.radices.front() : spec_.radices.back();
        return spec_.loops.size() > 1 && spec_.runs_once() && spec_.radices.size() > 1 && spec_.n / radix % 2 == 0 &&
               shape.sequences % 2 == 0;
    }
    /// Groups of a cluster have columns and their mirrors.
    bool has_plane_of_pairs(const GroupShape& shape) const {
        const bool is_input = spec_.in.bins() != nullptr;
        const RealMap& map = *spec_.side(is_input).bins();
        const RealCore core = real_core(map.kind, map.length);
        const bool is_at_end = is_input ? map.kind == Kind::c2r && !spec_.on_chip.next.empty()
                                        : map.kind == Kind::r2c && spec_.is_second();
        return is_at_end && !spec_.side(is_input).is_real() && !spec_.side(!is_input).bins() && core.is_paired &&
               core.points > 1 && spec_.loops.size() > 1 && spec_.loops[0].gaps.empty() &&
               spec_.loops[0].count == core.points && !shape.tile &&
               shape.has_mirrors_in_group() == (shape.groups_per_cluster > 1) &&
               (!shape.has_mirrors_in_group() || shape.sequences % 2 == 0);
    }

    const KernelSpec& spec_;
};

void check_convolution(const KernelSpec& spec) {
    const CyclicConvolution& convolution = spec.convolution;
    const bool has_product = !spec.runs_once() && std::holds_alternative<SpectrumProduct>(convolution.stages.front());
    expect(spec,
           convolution.channels.is_single() || has_mode_channels(spec) ||
               (has_product && convolution.channels.inputs > 0 && convolution.channels.outputs > 0),
           "a product between both runs of the core for channels");
    const bool has_points = splits_parity(spec) ? convolution.prime <= spec.n + 2 : convolution.prime == spec.n + 1;
    expect(spec, convolution.prime == 0 || (has_points && !spec.runs_once()),
           "a convolution of one point less than the prime, or two of at least two points less");
}

void check_row_access(const KernelSpec& spec) {
    const KernelSpec& last = last_pass(spec);
    expect(spec, !spec.in.has_pairs() || (!spec.is_second() && may_have_pairs(spec, true)),
           "pairs of numbers of rows that a thread has whole");
    expect(spec, !spec.in.has_rows() || (!spec.is_second() && !spec.on_chip.next.empty() && may_have_rows(spec)),
           "rows that a thread has whole, ahead of another pass");
    expect(spec, !last.out.has_rows() || (last.is_second() && last.out.is_real() && last.radices.size() == 1),
           "rows of numbers that a thread has whole, behind another pass");
    expect(spec, !last.out.has_pairs() || (last.out.has_rows() && may_have_pairs(last, false)),
           "pairs of numbers of such rows");
}

void check_textbook(const KernelSpec& spec, const Textbook& textbook) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const auto is_pointwise = [](const Stage& stage) {
        return std::holds_alternative<SwapParts>(stage) || std::holds_alternative<Multiply>(stage);
    };
    expect(spec, shape && (shape->sequences == 1 || !works_on_chip(textbook)) && shape->sequences % textbook.lines == 0,
           "a group of whole items");
    expect(spec,
           spec.loops.size() > 1 && spec.loops[0].count == textbook_items(textbook) &&
               spec.loops[0].input_stride == 0 && spec.loops[0].output_stride == 0,
           "a loop over the items of a line");
    expect(spec,
           std::all_of(spec.in.stages.begin(), spec.in.stages.end(), is_pointwise) &&
               std::all_of(spec.out.stages.begin(), spec.out.stages.end(), is_pointwise),
           "no stages but scales");
}

void check_register_rows(const KernelSpec& spec, std::span<const RowAxis> axes) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const auto is_scale = [](const Stage& stage) {
        return std::holds_alternative<Multiply>(stage) || std::holds_alternative<UserProgram>(stage);
    };
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) rows = std::max(rows, rows_of_axis(spec, i));
    expect(spec,
           (axes.size() == 2 || axes.size() == 3) && spec.n == 1 && spec.in.is_real() && spec.out.is_real() && shape &&
               shape->threads == rows && spec.in.stages.size() == (user_stage(spec.in.stages) ? 1 : 0) &&
               axes.front().input_stride == 1 && axes.front().output_stride == 1 &&
               std::all_of(spec.out.stages.begin(), spec.out.stages.end(), is_scale),
           "register-resident rows of two or three axes of real numbers, the first one's neighbours, and a thread for "
           "each row of the axis with the most");
}

/// Of passes over the modes of a spectrum.
void check_modes(const KernelSpec& spec, std::uint32_t outputs_of_thread, std::uint32_t others_of_thread) {
    const Channels& channels = spec.convolution.channels;
    const bool has_points = spec.in.has<Points>() && spec.out.has<Points>() && !spec.in.is_real() &&
                            !spec.out.is_real() && !spec.in.is_planar() && !spec.out.is_planar();
    expect(spec,
           spec.n == 1 && has_points && !spec.in_place && spec.in.stages.empty() && spec.out.stages.empty() &&
               spec.in.kept.ranges.empty() && spec.out.kept.ranges.empty() && spec.runs_once(),
           "complex modes of two arrays without stages");
    expect(spec,
           channels.inputs > 0 && channels.outputs > 0 && !channels.symmetric && outputs_of_thread > 0 &&
               others_of_thread > 0,
           "channels, and outputs and inputs or arrays of a thread");
    const auto* simd = std::get_if<SimdShape>(&spec.shape);
    expect(spec, !simd || simd->across || simd->lanes == 1, "lanes that carry neighbouring modes");
}

bool has_complex_points(const MemorySide& side) {
    return side.has<Points>() && side.format == Format::interleaved && side.stages.empty() && side.kept.ranges.empty();
}

void check_bin_pass(const KernelSpec& spec, const BinPass& bins) {
    expect(spec,
           spec.n == 1 && spec.in_place && bins.groups > 0 && has_complex_points(spec.in) &&
               has_complex_points(spec.out) && spec.convolution.sums && sum_count(spec) > 0,
           "a spectrum in place, whose middle stage has sums");
}

void check_sum_partials(const KernelSpec& spec, const SumPartials& partials) {
    expect(spec,
           spec.n == 1 && spec.in.is_real() && spec.out.is_real() && spec.loops.size() == 1 && partials.count > 0 &&
               partials.sums > 0,
           "arrays of partial sums");
}

void check_overlap_add(const KernelSpec& spec, const OverlapAdd& own) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    expect(spec,
           shape && spec.has_core() && spec.is_alone_on_chip() && spec.pipeline.next.empty() &&
               spec.slices.sequences == 0 && spec.loops.size() == 3 && spec.loops[0].count == shape->sequences &&
               shape->groups_per_cluster == 1 && !spec.out.has_pairs() && !spec.out.has_rows() &&
               !spec.is_converted() && spec.out.stride == 1,
           "a pass by itself whose groups have as many sequences as loop 0, for frames that are added");
    const bool has_pairs = shape->exchange.whole_points && !spec.out.is_real();
    expect(spec,
           !has_pairs || (shape->exchange.neighbours == 1 && spec.runs_once() && !spec.out.map() && own.hop % 2 == 0 &&
                          own.begin % 2 == 0 && own.end % 2 == 0),
           "frames, hops and samples of whole pairs where points are exchanged whole");
    const std::uint64_t frames = spec.loops[0].count;
    expect(spec,
           own.hop > 0 && own.advance > 0 && own.frames >= frames && own.begin < own.end && !own.window.empty() &&
               own.end < std::uint64_t{1} << 31 &&
               (spec.loops[1].count == 1 || (own.advance + own.neighbours() <= frames &&
                                             (spec.loops[1].count - 1) * own.advance >= own.frames - frames)),
           "groups that have all frames of their samples");
}

void check_runs(const KernelSpec& spec) {
    const bool has_core = spec.has_core() && spec.runs_once() && std::holds_alternative<GroupShape>(spec.shape);
    expect(spec, spec.out.run == 1, "no runs of points on the output, whose sequences may be such");
    expect(spec,
           spec.in.run == 1 || (has_core && spec.in.has<Points>() && spec.in.run > 0 && spec.n % spec.in.run == 0),
           "runs that divide the points of a GPU's core");
}

}  // namespace

void expect(const KernelSpec& spec, bool holds, const std::string& what) {
    if (!holds) throw InternalError("kernel '" + spec.name + "': expected " + what + ", got " + to_string(spec));
}

void check_spec(const KernelSpec& spec) {
    std::uint64_t product = spec.radices.empty() ? 0 : 1;
    for (const std::uint32_t radix : spec.radices) product *= radix;
    expect(spec, product == spec.n && spec.n > 0, "radices that multiply to n");
    expect(spec, !spec.loops.empty(), "at least the batch loop");
    for (const std::vector<Stage>* stages : {&spec.in.stages, &spec.convolution.stages, &spec.out.stages})
        for (const Stage& stage : *stages) std::visit(StageCheck(spec), stage);
    check_convolution(spec);
    check_row_access(spec);
    check_runs(spec);
    if (spec.overlap_add()) check_overlap_add(spec, *spec.overlap_add());
    std::visit(ShapeCheck(spec), spec.shape);
    if (!spec.on_chip.next.empty()) check_on_chip(spec);
    if (!spec.pipeline.next.empty()) check_pipeline(spec);
    if (spec.textbook()) check_textbook(spec, *spec.textbook());
    if (const ModeMatrix* matrix = spec.mode_matrix())
        check_modes(spec, matrix->outputs_of_thread, matrix->arrays_of_thread);
    if (const ModeGradient* gradient = spec.mode_gradient())
        check_modes(spec, gradient->outputs_of_thread, gradient->inputs_of_thread);
    if (std::holds_alternative<ModeCopy>(spec.work)) check_modes(spec, 1, 1);
    if (spec.bin_pass()) check_bin_pass(spec, *spec.bin_pass());
    if (spec.sum_partials()) check_sum_partials(spec, *spec.sum_partials());
    if (const auto* rows = std::get_if<RegisterRows>(&spec.work)) check_register_rows(spec, rows->all());
}

}  // namespace seiche::kernels
