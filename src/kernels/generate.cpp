// From a spec to a kernel: checks the spec and picks the generator of its shape.
#include "kernels/generators.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "ir/optimise.hpp"
#include "kernels/group/prime_loop.hpp"
#include "kernels/user_stage.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t widest = 16;  // lanes of the IR's widest vector
constexpr std::uint32_t output_parameter = 1;

class Check {
public:
    explicit Check(const KernelSpec& spec) : spec_(spec) {}

    void all() const {
        std::uint64_t product = spec_.radices.empty() ? 0 : 1;
        for (const std::uint32_t radix : spec_.radices) product *= radix;
        expect(product == spec_.n && spec_.n > 0, "radices that multiply to n");
        expect(!spec_.loops.empty(), "at least the batch loop");
        for (const Stage& stage : spec_.in.stages) std::visit(*this, stage);
        for (const Stage& stage : spec_.convolution.stages) std::visit(*this, stage);
        for (const Stage& stage : spec_.out.stages) std::visit(*this, stage);
        const bool has_product = !spec_.convolution.stages.empty() &&
                                 std::holds_alternative<SpectrumProduct>(spec_.convolution.stages.front());
        expect(spec_.convolution.channels.is_single() ||
                   (has_product && spec_.convolution.channels.inputs > 0 && spec_.convolution.channels.outputs > 0),
               "a product in the middle for channels");
        const bool has_points =
            splits_parity(spec_) ? spec_.convolution.prime <= spec_.n + 2 : spec_.convolution.prime == spec_.n + 1;
        const KernelSpec& last = last_pass(spec_);
        expect(!spec_.in.has_pairs() || (!spec_.is_second() && may_have_pairs(spec_, true)),
               "pairs of numbers of rows that a thread has whole");
        expect(!spec_.in.has_rows() || (!spec_.is_second() && !spec_.on_chip.next.empty() && may_have_rows(spec_)),
               "rows that a thread has whole, ahead of another pass");
        expect(!last.out.has_rows() || (last.is_second() && last.out.is_real() && last.radices.size() == 1),
               "rows of numbers that a thread has whole, behind another pass");
        expect(!last.out.has_pairs() || (last.out.has_rows() && may_have_pairs(last, false)),
               "pairs of numbers of such rows");
        expect(spec_.convolution.prime == 0 || (has_points && !spec_.convolution.stages.empty()),
               "a convolution of one point less than the prime, or two of at least two points less");
        std::visit(*this, spec_.shape);
        if (!spec_.on_chip.next.empty()) expect_second(spec_.on_chip.next.front());
        if (!spec_.pipeline.next.empty()) expect_trailing(spec_.pipeline.next.front());
        if (spec_.textbook()) expect_textbook(*spec_.textbook());
        if (!spec_.register_rows().empty()) expect_block();
    }

    void operator()(const SwapParts&) const {}
    void operator()(const Multiply&) const {}
    void operator()(const FourStepTwiddle& t) const {
        expect_loop(t.loop);
        expect(t.length >= sequence_points(spec_, spec_.in.stages) * spec_.loops[t.loop].count,
               "a twiddle as long as the points of its loop");
    }
    void operator()(const Chirp& c) const { expect_chirp_loop(c.loop); }
    void operator()(const OneSided& o) const {
        expect_chirp_loop(o.loop);
        expect(o.middle == 0 || std::holds_alternative<GroupShape>(spec_.shape), "an even length in groups alone");
    }
    void operator()(const ChirpSpectrum& c) const {
        expect_chirp_loop(c.loop);
        expect(c.results <= c.length && c.padded >= c.length,
               "a spectrum with room for the points, of at most as many results");
        expect(spec_.n <= c.padded / c.element_stride, "a spectrum as long as the points");
    }
    void operator()(const UserProgram& u) const {
        const bool has_place =
            u.side == expression::Side::load ? &u == user_stage(spec_.in.stages) : &u == user_stage(spec_.out.stages);
        expect(u.program && has_place, "one user stage on a side, made for that side");
        for (const LogicalIndex& index : u.axes)
            for (const LogicalIndex::Part& part : index.parts)
                expect(part.loop < spec_.loops.size() + spec_.register_rows().size(),
                       "a loop " + std::to_string(part.loop));
    }
    void operator()(const RaderSpectrum& r) const {
        expect(r.prime == spec_.convolution.prime && (r.padded == 0 || r.padded == spec_.n),
               "the spectrum of its prime");
        const auto* shape = std::get_if<GroupShape>(&spec_.shape);
        expect(r.padded == 0 ||
                   (shape && shape->exchange.chunks == 1 && !spec_.in.map() && !spec_.out.map() && spec_.n > 1),
               "a group whose points are whole sequences for a prime's even and odd part");
    }
    void operator()(const SpectrumProduct& p) const {
        expect(p.loop_strides.size() == spec_.loops.size(), "a stride in the spectra for each loop");
        expect(p.magnitude == 0 || (spec_.precision != Precision::f64x2 && spec_.convolution.channels.is_single()),
               "a magnitude of one channel in f32 or f64");
    }
    void operator()(const Turn& t) const {
        if (t.loop != -1) expect_loop(t.loop);
    }
    void operator()(const GroupShape& shape) const {
        expect(shape.threads > 0 && shape.sequences > 0, "threads and sequences above 0");
        expect(shape.exchange.components == 1 || shape.exchange.components == 2, "one or two planes");
        expect(can_exchange_in_chunks(spec_, shape.exchange.chunks), "pieces that divide the radices after the first");
        const bool is_paired = is_mirrored(spec_, true) || is_mirrored(spec_, false);
        expect(!shape.has_mirrors_in_thread() ||
                   (spec_.convolution.stages.empty() && (spec_.radices.size() > 1 || !is_paired)),
               "bins that meet at the end of one core, in a stage of their own");
        const bool has_plane = is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins());
        const bool has_bins = !has_plane && (spec_.in.bins() || spec_.out.bins());
        expect(!has_plane || has_plane_of_bins(shape), "bins of a plane at the end of two passes of whole transforms");
        expect(!shape.has_mirrors_in_group() || has_plane ||
                   (has_bins ? has_columns_of_bins(shape) : has_mirrored_columns(shape)),
               "mirrored columns that meet in a group of both");
        expect(!has_bins || shape.has_mirrors_in_group(), "columns that meet where a pass has bins");
        if (shape.has_parts_in_lanes() || shape.pairs_in_turn() != 0) expect_turns(shape);
        if (shape.has_core_loop()) expect_loop_of_core(shape);
        const bool deals_in = !spec_.radices.empty() && spec_.radices.front() == 1;
        const bool deals_out = !spec_.radices.empty() && spec_.radices.back() == 1;
        expect(spec_.convolution.prime == 0 ||
                   (deals_in != (spec_.in.map() != nullptr) && deals_out != (spec_.out.map() != nullptr)),
               "a radix of 1 at each end of a prime's core without a real map, to deal its points, and only there");
    }
    void expect_turns(const GroupShape& shape) const {
        constexpr std::uint32_t subgroup = 32;
        const std::uint32_t pairs = doubles_pairs(spec_.n) ? (spec_.n - 1) / 4 : (spec_.n - 1) / 2;
        expect(shape.exchange.components == 2 && shape.exchange.chunks == 1 && !shape.exchange.whole_points &&
                   shape.load_order == ThreadOrder::flat && shape.store_order == ThreadOrder::flat &&
                   spec_.radices == std::vector<std::uint32_t>{1, spec_.n, 1} && spec_.convolution.stages.empty() &&
                   spec_.on_chip.next.empty() && spec_.pipeline.next.empty() && !spec_.in.map() && !spec_.out.map() &&
                   support::is_prime(spec_.n) && shape.pairs_in_turn() <= pairs,
               "a prime's butterfly between two deals for pairs in turns of a loop, at most all of them");
        expect(shape.threads == (shape.has_parts_in_lanes() ? 2u : 1u) &&
                   (!shape.has_parts_in_lanes() || 2 * shape.sequences % subgroup == 0),
               "a thread for each sequence of a loop, or two and whole subgroups for parts in lanes");
    }
    void expect_loop_of_core(const GroupShape& shape) const {
        const std::vector<std::vector<std::uint32_t>> runs = core_runs(spec_);
        const bool is_one_text = spec_.n > 1 && runs.size() == 2 && runs.front() == runs.back();
        const bool is_one_order = shape.load_order == shape.store_order || spec_.radices.back() == 1;
        expect(
            is_one_text && is_one_order && spec_.convolution.channels.is_single() && spec_.on_chip.next.empty() &&
                spec_.pipeline.next.empty() && !spec_.is_second(),
            "a convolution of one channel whose radices and orders are the same from either end for a core in a loop");
    }
    void operator()(const BundleShape& shape) const {
        expect(!spec_.in.folded() && !spec_.out.folded() && !spec_.in.bins() && !spec_.out.bins(),
               "a group where elements are folded or bins meet");
        expect(std::has_single_bit(shape.lanes) && shape.lanes <= widest, "a power of two of at most 16 lanes");
        expect(shape.units_per_group > 0, "units above 0");
    }

private:
    bool has_mirrored_columns(const GroupShape& shape) const {
        const bool is_input = spec_.in.folded() != nullptr;
        const Folded* fold = spec_.side(is_input).folded();
        const std::uint32_t radix = is_input ? spec_.radices.front() : spec_.radices.back();
        return fold && !spec_.side(is_input).is_real() && !(is_input && spec_.out.folded()) && fold->loop == 0 &&
               spec_.loops.size() > 1 && spec_.convolution.stages.empty() && spec_.radices.size() > 1 &&
               spec_.n / radix % 2 == 0 && shape.sequences % 2 == 0 && spec_.loops[0].count % shape.sequences == 0 &&
               2 * spec_.n * spec_.loops[0].count == fold->length;
    }
    /// Columns and the points of each are even, so that no column but 0 and the middle one is its own mirror.
    bool has_columns_of_bins(const GroupShape& shape) const {
        const RealMap& map = spec_.in.bins() ? *spec_.in.bins() : *spec_.out.bins();
        const std::uint32_t radix = spec_.in.bins() ? spec_.radices.front() : spec_.radices.back();
        return !(spec_.in.bins() && (spec_.out.bins() || spec_.out.folded())) &&
               !(spec_.out.bins() && spec_.in.folded()) && map.loop == 0 && spec_.loops.size() > 1 &&
               spec_.loops[0].gaps.empty() && spec_.convolution.stages.empty() && spec_.radices.size() > 1 &&
               spec_.n / radix % 2 == 0 && shape.sequences % 2 == 0 && spec_.loops[0].count == map.element_stride &&
               map.element_stride % shape.sequences == 0 &&
               spec_.n * map.element_stride == real_core(map.kind, map.length).points;
    }
    /// Groups of a cluster have columns and their mirrors.
    bool has_plane_of_bins(const GroupShape& shape) const {
        const RealMap& map = spec_.in.bins() ? *spec_.in.bins() : *spec_.out.bins();
        const RealCore core = real_core(map.kind, map.length);
        const bool is_end = spec_.in.bins()
                                ? map.kind == Kind::c2r && !spec_.on_chip.next.empty() && !spec_.in.is_real()
                                : map.kind == Kind::r2c && spec_.is_second() && !spec_.out.is_real();
        return is_end && !(spec_.in.bins() && spec_.out.bins()) && core.is_paired && core.points > 1 &&
               spec_.loops.size() > 1 && spec_.loops[0].gaps.empty() && spec_.loops[0].count == core.points &&
               !shape.tile && shape.has_mirrors_in_group() == (shape.groups_per_cluster > 1) &&
               (!shape.has_mirrors_in_group() || shape.sequences % 2 == 0);
    }
    void expect(bool holds, const std::string& what) const {
        if (!holds) throw InternalError("kernel '" + spec_.name + "': expected " + what + ", got " + to_string(spec_));
    }
    void expect_loop(std::int64_t loop) const {
        expect(loop >= 0 && loop < static_cast<std::int64_t>(spec_.loops.size()), "a loop " + std::to_string(loop));
    }
    static bool has_bins(const KernelSpec& spec) { return spec.in.bins() || spec.out.bins(); }
    /// Points that come to a second pass: all, or those that it keeps.
    static std::uint64_t crossing_points(const KernelSpec& second) {
        const std::vector<Range>& kept = second.in.kept.ranges;
        return kept.empty() ? second.n : kept.front().end;
    }
    void expect_second(const KernelSpec& second) const {
        const auto *shape = std::get_if<GroupShape>(&spec_.shape), *other = std::get_if<GroupShape>(&second.shape);
        const auto is_plain = [](const KernelSpec& spec) {
            return spec.convolution.stages.empty() && !spec.in.map() && !spec.out.map() && !spec.in.folded() &&
                   !spec.out.folded() && !spec.is_repacking();
        };
        expect(spec_.on_chip.next.size() == 1 && second.is_second() && shape && other &&
                   (second.on_chip.next.empty() ||
                    (!spec_.is_second() && !spec_.in.bins() && !shape->tile && shape->groups_per_cluster == 1)),
               "at most a second pass, or of whole cubes a third, all of groups");
        expect(is_plain(spec_) && is_plain(second) && !spec_.out.bins() && !second.in.bins(),
               "two passes without maps and convolutions, bins on the sides of memory");
        const bool has_columns = (spec_.in.bins() && !is_of_plane(spec_.in.bins())) ||
                                 (second.out.bins() && !is_of_plane(second.out.bins()));
        expect(!has_columns || (!shape->tile && transforms_per_group(spec_) == 1),
               "bins of one transform in a group or a cluster");
        expect(shape->tile.has_value() == other->tile.has_value(), "a tile of both passes or of none");
        if (shape->tile) {
            expect_tile(*shape, sequences_per_batch(spec_), second.n);
            expect_tile(*other, sequences_per_batch(second), spec_.n);
        } else {
            const std::size_t loop = spec_.on_chip.crossing_loop;
            expect(loop < 2 && loop < spec_.loops.size() && loop < second.loops.size() &&
                       spec_.loops[loop].count == crossing_points(second) && second.loops[loop].count <= spec_.n &&
                       second.loops[0].count % crossing_of(spec_).beside == 0,
                   "a second pass whose points are the sequences of the first");
        }
        const Crossing crossing = crossing_of(spec_);
        const std::uint64_t all_columns = std::uint64_t{crossing.columns} * crossing.ranks;
        const std::uint64_t all_rows = std::uint64_t{crossing.rows} * crossing.ranks;
        const bool may_differ =
            spec_.is_second() || !second.on_chip.next.empty() || is_halved(spec_) || spec_.on_chip.own_threads;
        expect(!is_halved(spec_) || (crossing.ranks == 1 && !shape->tile && !has_bins(spec_) && !has_bins(second)),
               "a part of the points that crosses in a group, without bins and tiles");
        expect(may_differ || sequences_per_batch(spec_) * spec_.n == sequences_per_batch(second) * second.n,
               "a second pass of as many points");
        const std::uint64_t columns = std::uint64_t{shape->sequences} * crossing.ranks;
        const std::uint64_t rows = std::uint64_t{other->sequences} * crossing.ranks;
        const std::uint64_t of_columns = all_columns * crossing.beside, of_rows = all_rows * crossing.beside;
        expect(shape->groups_per_cluster == other->groups_per_cluster &&
                   shape->exchange.components == other->exchange.components &&
                   shape->exchange.whole_points == other->exchange.whole_points && columns % of_columns == 0 &&
                   rows % of_rows == 0 && columns / of_columns == rows / of_rows &&
                   (shape->tile || crossing.ranks == 1 || columns == of_columns) &&
                   (shape->threads * shape->sequences == other->threads * other->sequences || may_differ),
               "two passes that divide the same transforms among the same groups and threads");
        Check(second).all();
    }
    void expect_trailing(const KernelSpec& second) const {
        const auto* shape = std::get_if<GroupShape>(&spec_.shape);
        expect(!spec_.in_place || second.in_place || spec_.pipeline.has_between,
               "a trailing pass in place behind one in place");
        expect(second.in_place || spec_.pipeline.has_between ||
                   (spec_.on_chip.next.empty() && !spec_.in.is_real() && !second.out.is_real() &&
                    spec_.in.is_planar() == second.out.is_planar() && spec_.in.storage == second.out.storage),
               "a trailing pass in place, or back to memory of the same elements");
        expect(spec_.on_chip.next.empty() ||
                   (shape && shape->groups_per_cluster == 1 && !shape->tile &&
                    spec_.on_chip.next.front().on_chip.next.empty() && spec_.slices.sequences % shape->sequences == 0),
               "two passes of one group before a trailing one, in whole groups");
        expect_behind(second);
        expect(!has_third_pass(spec_) || (second.in_place && spec_.pipeline.has_between),
               "a third pass behind one in place");
        if (!spec_.pipeline.has_between) return;
        const KernelSpec& last = pass_of_output(spec_);
        expect(spec_.on_chip.next.empty() && !spec_.out.is_planar() && !spec_.out.is_real() && !last.in_place &&
                   !last.in.is_planar() && !last.in.is_real() && last.pipeline.next.empty(),
               "a last pass between memory of interleaved points and the output");
        if (has_third_pass(spec_)) Check(second).expect_behind(last);
    }
    /// Of a pass and one that trails it: what holds wherever that stores.
    void expect_behind(const KernelSpec& second) const {
        const auto *shape = std::get_if<GroupShape>(&spec_.shape), *other = std::get_if<GroupShape>(&second.shape);
        expect(spec_.pipeline.next.size() == 1 && shape && other && second.on_chip.next.empty() &&
                   !user_stage(spec_.in.stages) && !user_stage(spec_.out.stages) && !user_stage(second.in.stages) &&
                   !user_stage(second.out.stages),
               "at most one pass behind another, both of groups and without stages of the user's");
        expect(shape->threads * shape->sequences == other->threads * other->sequences &&
                   shape->exchange.components == other->exchange.components &&
                   shape->exchange.whole_points == other->exchange.whole_points,
               "a trailing pass of as many threads that exchanges its points alike");
        expect(
            has_whole_slices(spec_) && has_whole_slices(second) &&
                sequences_per_batch(spec_) / spec_.slices.sequences ==
                    sequences_per_batch(second) / second.slices.sequences &&
                spec_.pipeline.prefetch_distance >= least_prefetch_distance(spec_),
            "whole slices, as many of both passes, and a prefetch distance with which no group waits for a later one");
        KernelSpec alone = second;
        alone.pipeline.next.clear();
        Check(alone).all();
    }
    static bool has_whole_slices(const KernelSpec& spec) {
        const auto& shape = std::get<GroupShape>(spec.shape);
        const std::uint64_t run = spec.slices.run, period = spec.slices.period;
        const bool are_runs =
            run == 0 || (run % shape.sequences == 0 && spec.slices.sequences % run == 0 && period % run == 0 &&
                         sequences_per_batch(spec) % (period * (spec.slices.sequences / run)) == 0);
        return spec.slices.sequences != 0 && sequences_per_batch(spec) % spec.slices.sequences == 0 && are_runs &&
               (!shape.has_mirrors_in_group() || (spec.slices.sequences % shape.sequences == 0 && run == 0));
    }
    void expect_textbook(const Textbook& textbook) const {
        const auto* shape = std::get_if<GroupShape>(&spec_.shape);
        const auto is_pointwise = [](const Stage& stage) {
            return std::holds_alternative<SwapParts>(stage) || std::holds_alternative<Multiply>(stage);
        };
        expect(shape && (shape->sequences == 1 || !works_on_chip(textbook)) && shape->sequences % textbook.lines == 0,
               "a group of whole items");
        expect(spec_.loops.size() > 1 && spec_.loops[0].count == textbook_items(textbook) &&
                   spec_.loops[0].input_stride == 0 && spec_.loops[0].output_stride == 0,
               "a loop over the items of a line");
        expect(std::all_of(spec_.in.stages.begin(), spec_.in.stages.end(), is_pointwise) &&
                   std::all_of(spec_.out.stages.begin(), spec_.out.stages.end(), is_pointwise),
               "no stages but scales");
    }
    void expect_block() const {
        const auto* shape = std::get_if<GroupShape>(&spec_.shape);
        const auto is_scale = [](const Stage& stage) {
            return std::holds_alternative<Multiply>(stage) || std::holds_alternative<UserProgram>(stage);
        };
        std::uint64_t rows = 0;
        for (std::size_t i = 0; i < spec_.register_rows().size(); ++i) rows = std::max(rows, block_rows(spec_, i));
        expect((spec_.register_rows().size() == 2 || spec_.register_rows().size() == 3) && spec_.n == 1 &&
                   spec_.in.is_real() && spec_.out.is_real() && shape && shape->threads == rows &&
                   spec_.in.stages.size() == (user_stage(spec_.in.stages) ? 1 : 0) &&
                   spec_.register_rows().front().input_stride == 1 &&
                   spec_.register_rows().front().output_stride == 1 &&
                   std::all_of(spec_.out.stages.begin(), spec_.out.stages.end(), is_scale),
               "a block of two or three axes of real numbers, the first one's neighbours, and a thread for each row of "
               "the axis with the most");
    }
    void expect_tile(const GroupShape& shape, std::uint64_t sequences, std::uint32_t crossing) const {
        expect(shape.tile->crossing == crossing && crossing % shape.groups_per_cluster == 0 &&
                   sequences % (std::uint64_t{shape.sequences} * shape.groups_per_cluster) == 0,
               "whole tiles");
    }
    void expect_chirp_loop(std::int32_t loop) const {
        if (loop != -1) expect_loop(loop);
    }

    const KernelSpec& spec_;
};

}  // namespace

ir::Kernel generate(const KernelSpec& spec) {
    Check(spec).all();
    ir::Kernel kernel = spec.textbook()                                  ? generate_textbook(spec)
                        : !spec.register_rows().empty()                  ? generate_block(spec)
                        : spec.texel_points() != 0                       ? generate_texels(spec)
                        : spec.is_repacking()                            ? generate_map(spec)
                        : std::holds_alternative<GroupShape>(spec.shape) ? generate_group(spec)
                                                                         : generate_bundle(spec);
    const UserProgram* user = user_stage(spec.out.stages);
    const bool has_result = !user || user->program->result != expression::no_node;
    if (has_result) return kernel;
    kernel = ir::remove_stores(std::move(kernel), output_parameter);
    // Of a planar output the imaginary half too; it follows that of the input, if there is one.
    return spec.out.is_planar() ? ir::remove_stores(std::move(kernel), output_parameter + (spec.in.is_planar() ? 2 : 1))
                                : kernel;
}

}  // namespace seiche::kernels
