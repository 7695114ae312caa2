// A spec as text, and the counts that follow from it.
#include "kernels/contract/spec.hpp"

#include <algorithm>
#include <numeric>

#include "support/text.hpp"

namespace seiche::kernels {

namespace {

struct StageText {
    std::string operator()(const SwapParts&) const { return "swap"; }
    std::string operator()(const Multiply& m) const { return "scale(" + support::to_text(m.factor.hi) + ")"; }
    std::string operator()(const FourStepTwiddle& t) const { return "twiddle(" + std::to_string(t.length) + ")"; }
    std::string operator()(const Chirp& c) const { return "chirp(" + std::to_string(c.length) + ")"; }
    std::string operator()(const ChirpSpectrum& c) const {
        return "spectrum(" + std::to_string(c.length) + "," + std::to_string(c.padded) +
               (c.results ? "," + std::to_string(c.results) : "") + ")";
    }
    std::string operator()(const UserProgram& u) const { return "user(" + u.program->text + ")"; }
    std::string operator()(const RaderSpectrum& r) const {
        return "spectrum(" + std::to_string(r.prime) + (r.padded ? " " + std::to_string(r.padded) : "") + ")";
    }
    std::string operator()(const SpectrumProduct& p) const {
        return std::string(p.magnitude != 0 ? "phase" : p.conjugated ? "correlate" : "product");
    }
    std::string operator()(const Turn& t) const { return "turn(" + std::to_string(t.length) + ")"; }
    std::string operator()(const OneSided&) const { return "one-sided"; }
};

std::string stages(const char* name, const std::vector<Stage>& list) {
    std::string text;
    for (const Stage& stage : list) text += (text.empty() ? "" : "+") + std::visit(StageText{}, stage);
    return text.empty() ? text : std::string(" ") + name + "=" + text;
}

struct ShapeText {
    std::string operator()(const GroupShape& g) const {
        const SharedExchange& e = g.exchange;
        return " threads=" + std::to_string(g.threads) + " sequences=" + std::to_string(g.sequences) +
               " exchange=" + (e.components == 2 ? "full" : "split") +
               (e.chunks > 1 ? " chunks=" + std::to_string(e.chunks) : "") + (g.is_scalarised ? " scalarised" : "") +
               (g.twiddle_products ? " twiddle-products" : "") +
               (e.neighbours > 1 ? " neighbours=" + std::to_string(e.neighbours) : "") +
               (g.has_mirrors_in_thread() ? " mirrors-in-thread" : "") +
               (g.registers.rematerialises_indices ? " rematerialises-indices" : "") +
               (g.has_mirrors_in_group() ? " mirrors-in-group" : "") + (e.whole_points ? " whole-points" : "") +
               (g.has_parts_in_lanes() ? " parts-in-lanes" : "") +
               (g.pairs_in_turn() ? " prime-loop=" + std::to_string(g.pairs_in_turn()) : "") +
               (g.has_core_loop() ? " core-loop" : "") +
               (g.sequences_of_thread() > 1 ? " sequences-of-thread=" + std::to_string(g.sequences_of_thread()) : "") +
               (e.holds_parity ? " parity-in-shared" : "") +
               (g.groups_per_cluster > 1 ? " cluster=" + std::to_string(g.groups_per_cluster) : "") +
               (g.tile ? " tile=" + std::to_string(g.sequences * g.groups_per_cluster / g.tile->transposed) : "");
    }
    std::string operator()(const SimdShape& b) const {
        return " lanes=" + std::to_string(b.lanes) + (b.across ? " across sequences" : " along butterflies") +
               " units=" + std::to_string(b.units_per_group);
    }
};

std::string storage(const KernelSpec& spec) {
    std::string planar = spec.in.is_planar() ? " planar-in" : "";
    if (spec.out.is_planar()) planar += " planar-out";
    if (!spec.is_converted()) return planar;
    const auto name = [&](Storage s) {
        switch (s) {
            case Storage::f16: return "f16";
            case Storage::bf16: return "bf16";
            case Storage::f32: return "f32";
            case Storage::f64: return "f64";
            case Storage::same: break;
        }
        return seiche::to_string(spec.precision);
    };
    return planar + " storage=" + name(spec.in.storage) + "," + name(spec.out.storage);
}

std::string kept(const char* name, const Kept& side) {
    std::string text;
    for (const Range& range : side.ranges)
        text += (text.empty() ? name : ",") + std::to_string(range.begin) + "-" + std::to_string(range.end);
    return text;
}

const char* place_name(Places places) {
    switch (places) {
        case Places::strided: return "strided";
        case Places::blocks: return "blocks";
        case Places::neighbours: return "neighbours";
        case Places::reversed: break;
    }
    return "reversed";
}

struct WorkText {
    std::string operator()(const Butterflies& b) const {
        const std::string places = std::string(" ") + place_name(b.from) + "->" + place_name(b.to);
        return (b.moves_only ? "move" : "butterflies") + std::string(" radix=") + std::to_string(b.radix) + places +
               " stride=" + std::to_string(b.stride) + " root=" + std::to_string(b.root) +
               (b.twiddles_first ? " in-time" : " in-frequency") + (b.by_block ? " by-block" : "");
    }
    std::string operator()(const SplitButterflies& s) const { return "split block=" + std::to_string(s.block); }
    std::string operator()(const CoprimeButterflies& c) const {
        return "coprime-butterflies radix=" + std::to_string(c.radix);
    }
    std::string operator()(const Level& l) const { return "level blocks=" + std::to_string(l.blocks); }
    std::string operator()(const BlockLevels& l) const {
        return "block-levels blocks=" + std::to_string(l.blocks) + " points=" + std::to_string(l.points) +
               (l.groups > 1 ? " cluster=" + std::to_string(l.groups) : "") + scopes(l.subgroup, l.parts);
    }
    std::string operator()(const FlaggedLevels& l) const {
        return "flagged-levels points=" + std::to_string(l.points) +
               (l.cluster > 1 ? " cluster=" + std::to_string(l.cluster) : "") + scopes(l.subgroup, l.parts);
    }
    static std::string scopes(std::uint32_t subgroup, std::uint32_t parts) {
        return (subgroup > 1 ? " subgroup=" + std::to_string(subgroup) : "") +
               (parts > 1 ? " parts=" + std::to_string(parts) : "");
    }
    std::string operator()(const Clearing& c) const { return "clear counters=" + std::to_string(c.counters); }
    std::string operator()(const Reversal&) const { return "bit-reversal"; }
    std::string operator()(const Copying&) const { return "copy"; }
    std::string operator()(const Sums&) const { return "sums"; }
    std::string operator()(const MatrixRows& m) const { return "matrix rows=" + std::to_string(m.rows); }
    std::string operator()(const ChunkStages& c) const {
        return "chunks=" + std::to_string(c.chunks) + "x" + std::to_string(c.chunk) +
               " stride=" + std::to_string(c.stride) + " stages=" + std::to_string(c.first) + "-" +
               std::to_string(c.first + c.stages - 1) + " pattern=" + std::to_string(c.pattern()) +
               (c.reversed ? " reversed" : "") + (c.transposed ? " transposed" : "") +
               (c.banks ? " padded=" + std::to_string(c.banks) : "");
    }
    std::string operator()(const Transposition& t) const {
        return "transpose " + std::to_string(t.rows) + "x" + std::to_string(t.columns);
    }
};

std::string textbook_text(const KernelSpec& spec) {
    static constexpr const char* methods[] = {"", "", " on-the-fly", " native", " recurrence"};
    const Textbook& book = *spec.textbook();
    const auto& shape = std::get<GroupShape>(spec.shape);
    return std::string("textbook ") + seiche::to_string(spec.precision) + storage(spec) +
           " length=" + std::to_string(book.length) + " " + std::visit(WorkText{}, book.work) +
           methods[static_cast<std::size_t>(book.twiddles)] + (book.inverse ? " inverse" : "") +
           " group=" + std::to_string(shape.threads * shape.sequences) +
           (book.lines > 1 ? " lines=" + std::to_string(book.lines) + (book.lines_first ? " first" : "") : "") +
           " strides=" + std::to_string(spec.in.stride) + "," + std::to_string(spec.out.stride) +
           (spec.in_place ? " in-place" : "") + stages("store", spec.out.stages);
}

std::string register_rows_text(const KernelSpec& spec) {
    std::string text = std::string("block ") + seiche::to_string(spec.precision) + storage(spec);
    for (const RowAxis& axis : spec.register_rows())
        text += std::string(" ") + to_string(axis.map.kind) + " " + std::to_string(axis.map.length) +
                " strides=" + std::to_string(axis.input_stride) + "," + std::to_string(axis.output_stride);
    return text + std::visit(ShapeText{}, spec.shape) + (spec.in_place ? " in-place" : "") +
           stages("store", spec.out.stages) + (spec.movement_only ? " movement-only" : "");
}

}  // namespace

std::string to_string(const KernelSpec& spec) {
    if (spec.textbook()) return textbook_text(spec);
    if (!spec.register_rows().empty()) return register_rows_text(spec);
    std::string text = spec.in.map()    ? std::string(to_string(spec.in.map()->kind)) + " "
                       : spec.out.map() ? std::string(to_string(spec.out.map()->kind)) + " "
                                        : "c2c ";
    text += seiche::to_string(spec.precision);
    text += storage(spec);
    text += " n=" + std::to_string(spec.n) + " radices=";
    for (std::size_t i = 0; i < spec.radices.size(); ++i) text += (i ? "x" : "") + std::to_string(spec.radices[i]);
    text += std::visit(ShapeText{}, spec.shape);
    text += " strides=" + std::to_string(spec.in.stride) + "," + std::to_string(spec.out.stride);
    if (spec.in.run > 1) text += " runs-in=" + std::to_string(spec.in.run);
    if (spec.in.has_halves()) text += " halves-in";
    if (spec.out.has_halves()) text += " halves-out";
    if (spec.in.has_rows() && !spec.is_second()) text += spec.in.has_pairs() ? " rows-in in pairs" : " rows-in";
    if (spec.in.has_pairs() && !spec.in.has_rows() && !spec.is_second()) text += " pairs-in";
    if (spec.out.has_rows()) text += spec.out.has_pairs() ? " rows-out in pairs" : " rows-out";
    text += kept(" kept-in=", spec.in.kept) + kept(" kept-out=", spec.out.kept);
    if (!spec.convolution.channels.is_single())
        text += " channels=" + std::to_string(spec.convolution.channels.inputs) + "x" +
                std::to_string(spec.convolution.channels.outputs);
    if (spec.convolution.prime) text += " prime=" + std::to_string(spec.convolution.prime);
    text +=
        stages("load", spec.in.stages) + stages("middle", spec.convolution.stages) + stages("store", spec.out.stages);
    if (spec.in.folded()) text += std::string(" folded-in(") + to_string(spec.in.folded()->kind) + ")";
    if (spec.out.folded()) text += std::string(" folded-out(") + to_string(spec.out.folded()->kind) + ")";
    const auto bins = [](const RealMap& map) {
        return std::string(to_string(map.kind)) + (is_of_plane(map) ? " of a plane)" : ")");
    };
    if (spec.in.bins()) text += " bins-in(" + bins(*spec.in.bins());
    if (spec.out.bins()) text += " bins-out(" + bins(*spec.out.bins());
    if (spec.overlap_add())
        text += " overlap-add frames=" + std::to_string(spec.overlap_add()->frames) +
                " hop=" + std::to_string(spec.overlap_add()->hop) +
                " advance=" + std::to_string(spec.overlap_add()->advance);
    if (const ModeMatrix* matrix = spec.mode_matrix())
        text += " modes, " + std::to_string(matrix->outputs_of_thread) + " outputs of " +
                std::to_string(matrix->arrays_of_thread) + " arrays a thread" +
                (matrix->is_input_dense ? ", dense" : "") + (matrix->is_adjoint ? ", adjoint" : "");
    else if (const ModeGradient* gradient = spec.mode_gradient())
        text += " gradient of modes, " + std::to_string(gradient->inputs_of_thread) + " inputs and " +
                std::to_string(gradient->outputs_of_thread) + " outputs a thread";
    else if (const auto* copy = std::get_if<ModeCopy>(&spec.work))
        text += copy->is_output_dense ? " modes gathered" : " modes scattered";
    else if (spec.bin_pass())
        text += " bins, groups=" + std::to_string(spec.bin_pass()->groups);
    else if (spec.sum_partials())
        text += " sums of " + std::to_string(spec.sum_partials()->count) + " parts";
    else if (spec.texel_points() != 0)
        text += " texels";
    else if (spec.is_repacking())
        text += spec.in.map() ? " pack" : " unpack";
    if (spec.convolution.sums)
        text += std::string(" sums=") + seiche::to_string(spec.convolution.sums->precision) +
                (spec.convolution.sums->of_group ? " of groups" : "");
    if (spec.movement_only) text += " movement-only";
    if (!spec.on_chip.next.empty()) text += ", then " + to_string(spec.on_chip.next.front());
    if (spec.slices.sequences != 0) text += " slice=" + std::to_string(spec.slices.sequences);
    if (spec.slices.run != 0)
        text += " in runs of " + std::to_string(spec.slices.run) + " every " + std::to_string(spec.slices.period);
    if (!spec.pipeline.next.empty())
        text += " prefetch=" + std::to_string(spec.pipeline.prefetch_distance) +
                (spec.in.hint == ir::CacheHint::streaming ? " streaming" : "") + ", pipelined with " +
                to_string(spec.pipeline.next.front());
    return text;
}

bool comes_mirrored(const RealMap& map, bool input) {
    if (map.kind == Kind::dct1 || map.kind == Kind::dst1) return false;
    if ((input ? load_way(map.kind) : store_way(map.kind)) != RealWay::placed) return false;
    return map.length % 2 == 0;
}

bool is_mirrored(const KernelSpec& spec, bool input) {
    const RealMap* map = spec.side(input).map();
    return map && !spec.side(input).is_real() && comes_mirrored(*map, input);
}

bool can_exchange_in_chunks(const std::vector<std::uint32_t>& radices, std::uint32_t chunks) {
    return chunks == 1 ||
           (chunks > 1 && !radices.empty() &&
            std::all_of(radices.begin() + 1, radices.end(), [&](std::uint32_t radix) { return radix % chunks == 0; }));
}

namespace {

/// All that passes through shared memory are the points of one core.
bool has_shared_memory_to_itself(const KernelSpec& spec) {
    return spec.has_core() && spec.runs_once() && spec.has_ordered_points() && spec.is_alone_on_chip();
}

}  // namespace

bool can_exchange_in_chunks(const KernelSpec& spec, std::uint32_t chunks) {
    return chunks == 1 || (has_shared_memory_to_itself(spec) && can_exchange_in_chunks(spec.radices, chunks));
}

bool can_exchange_neighbours(const std::vector<std::uint32_t>& radices, std::uint32_t neighbours) {
    std::uint32_t n = 1;
    for (const std::uint32_t radix : radices) n *= radix;
    const auto has_neighbours = [&](std::uint32_t radix) { return n / radix % neighbours == 0; };
    return neighbours == 1 || (radices.size() > 1 && radices.front() % neighbours == 0 &&
                               std::all_of(radices.begin(), radices.end(), has_neighbours));
}

bool can_exchange_neighbours(const KernelSpec& spec, std::uint32_t neighbours) {
    return neighbours == 1 || (has_shared_memory_to_itself(spec) && spec.pipeline.next.empty() &&
                               can_exchange_neighbours(spec.radices, neighbours));
}

bool has_fours(Kind kind) {
    return kind == Kind::dct2 || kind == Kind::dst2 || kind == Kind::dct3 || kind == Kind::dst3;
}

bool may_pair_in_thread(const RealMap& map, bool input) {
    const bool has_twos = map.kind == Kind::r2c || map.kind == Kind::c2r || map.kind == Kind::r2hc ||
                          map.kind == Kind::hc2r || map.kind == Kind::dht;
    if ((!has_twos && !has_fours(map.kind)) || map.length % 2 != 0) return false;
    return (input ? load_way(map.kind) : store_way(map.kind)) == RealWay::spectrum;
}

bool has_pairs_in_thread(const KernelSpec& spec, bool input) {
    const RealMap* map = spec.side(input).map();
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    return shape && shape->has_mirrors_in_thread() && map && may_pair_in_thread(*map, input);
}

namespace {

/// Whether each number of a point is one element of the signal: not of type I, nor of types II to IV of odd length.
bool has_own_elements(const RealMap& map) {
    const bool is_type_1 = map.kind == Kind::dct1 || map.kind == Kind::dst1;
    const bool is_type_4 = map.kind == Kind::dct4 || map.kind == Kind::dst4;
    return !is_type_1 && (map.length % 2 == 0 || (!is_type_4 && !has_fours(map.kind)));
}

}  // namespace

bool moves_own_elements(const KernelSpec& spec, bool input) {
    constexpr std::uint32_t least_run_bytes = 64;
    const RealMap* map = spec.side(input).map();
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    if (!map || !shape || spec.convolution.prime != 0 || !has_own_elements(*map)) return false;
    const RealWay way = input ? load_way(map->kind) : store_way(map->kind);
    if (way == RealWay::spectrum) return false;
    const ThreadOrder order = input ? shape->load_order : shape->store_order;
    const std::uint64_t run = shape->threads * 2 * stored_bytes(spec.precision, Storage::same);
    return order == ThreadOrder::sequence_fastest || (way == RealWay::natural && run >= least_run_bytes);
}

std::uint32_t Channels::spectrum(std::uint32_t output, std::uint32_t input) const {
    if (!symmetric) return output * inputs + input;
    const std::uint32_t row = std::min(output, input), column = std::max(output, input);
    return row * inputs - row * (row + 1) / 2 + column;
}

const SpectrumProduct* spectrum_product(const KernelSpec& spec) {
    for (const std::vector<Stage>* side : {&pass_with_middle(spec).convolution.stages, &spec.out.stages})
        for (const Stage& stage : *side)
            if (const auto* product = std::get_if<SpectrumProduct>(&stage)) return product;
    return nullptr;
}

std::uint32_t element_bytes(const KernelSpec& spec, bool input) {
    const std::uint64_t real = stored_bytes(spec.precision, spec.side(input).storage);
    return static_cast<std::uint32_t>(spec.side(input).is_real() ? real : 2 * real);
}

std::uint32_t access_bytes(const KernelSpec& spec, bool input) {
    const std::uint32_t element = element_bytes(spec, input);
    return spec.side(input).is_planar() ? element / 2 : element;
}

std::vector<std::size_t> row_axis_order(const KernelSpec& spec) {
    if (spec.register_rows().size() == 3) return {2, 0, 1};
    return {0, 1};
}

std::uint64_t numbers_of_rows(const KernelSpec& spec) {
    std::uint64_t numbers = 1;
    for (const RowAxis& axis : spec.register_rows()) numbers *= axis.map.length;
    return numbers;
}

std::uint64_t rows_of_axis(const KernelSpec& spec, std::size_t axis) {
    return numbers_of_rows(spec) / spec.register_rows()[axis].map.length;
}

std::uint64_t sequences_per_batch(const KernelSpec& spec) {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i + 1 < spec.loops.size(); ++i) count *= spec.loops[i].count;
    return count;
}

std::uint64_t sequences_per_group(const KernelSpec& spec) {
    if (const GroupShape* group = std::get_if<GroupShape>(&spec.shape)) return group->sequences;
    const SimdShape& simd = std::get<SimdShape>(spec.shape);
    return std::uint64_t{simd.units_per_group} * (simd.across ? simd.lanes : 1);
}

std::uint32_t sum_count(const KernelSpec& spec) {
    const CyclicConvolution& middle = pass_with_middle(spec).convolution;
    if (!middle.sums) return 0;
    for (const Stage& stage : middle.stages)
        if (const auto* user = std::get_if<UserProgram>(&stage))
            return static_cast<std::uint32_t>(user->program->sums.size());
    return 0;
}

std::uint64_t partials_per_batch(const KernelSpec& spec) {
    const KernelSpec& pass = pass_with_middle(spec);
    if (pass.bin_pass()) return pass.bin_pass()->groups;
    const std::uint64_t sequences = sequences_per_batch(pass);
    return pass.convolution.sums->of_group ? sequences / sequences_per_group(pass) : sequences;
}

ModeGroups::ModeGroups(const KernelSpec& spec) {
    const auto quotient = [](std::uint64_t all, std::uint64_t each) { return (all + each - 1) / each; };
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const ModeGradient* gradient = spec.mode_gradient();
    const std::uint64_t of_thread = gradient ? gradient->outputs_of_thread : spec.mode_matrix()->outputs_of_thread;
    modes = quotient(sequences_per_batch(spec), sequences_per_group(spec));
    outputs = quotient(spec.convolution.channels.outputs, of_thread * (shape ? shape->threads : 1));
    arrays_each = gradient ? gradient->inputs_of_thread : spec.mode_matrix()->arrays_of_thread;
    if (gradient) inputs = spec.convolution.channels.inputs;
}

std::uint64_t groups_per_slice(const KernelSpec& spec) {
    const std::uint64_t per_group = sequences_per_group(spec);
    return (spec.slices.sequences + per_group - 1) / per_group;
}

/// Those behind it take tickets of their own, of which a slice has b and c. At first the second pass takes all, its
/// prefetch distance, and so comes through slices faster than by turns: by c of b + c, which the first has to be ahead
/// as well.
std::uint64_t least_prefetch_distance(const KernelSpec& spec) {
    const std::uint64_t own = groups_per_slice(spec);
    const KernelSpec& second = spec.pipeline.next.front();
    if (second.pipeline.next.empty()) return own;
    const std::uint64_t b = groups_per_slice(second), c = groups_per_slice(second.pipeline.next.front());
    const std::uint64_t of_turn = b / std::gcd(b, c);  // which the second takes at a time
    const std::uint64_t ahead = (second.pipeline.prefetch_distance + of_turn - 1) / of_turn * of_turn + of_turn;
    return own + (own * ahead * c + b * (b + c) - 1) / (b * (b + c));
}

std::uint32_t threads_of_group(const KernelSpec& spec) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    std::uint32_t threads = shape.group_threads();
    for (const KernelSpec& next : spec.on_chip.next) threads = std::max(threads, threads_of_group(next));
    return threads;
}

namespace {

/// Of a sequence, to or from another pass on chip: of a convolution those of its transform.
std::uint32_t passed_points(const KernelSpec& spec) { return sequence_points(spec, spec.in.stages); }

}  // namespace

OnChipTranspose transpose_of(const KernelSpec& spec) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    const KernelSpec& next = spec.on_chip.next.front();
    const bool are_beside = spec.on_chip.transposed_loop == 1;
    const auto sequences_of = [&](const KernelSpec& pass, std::uint32_t points) {
        return shape.tile ? points : static_cast<std::uint32_t>(pass.loops[spec.on_chip.transposed_loop].count);
    };
    OnChipTranspose transpose;
    transpose.beside = are_beside ? static_cast<std::uint32_t>(spec.loops[0].count) : 1;
    transpose.ranks = shape.groups_per_cluster;
    transpose.columns = sequences_of(spec, passed_points(next)) / transpose.ranks;
    transpose.rows = sequences_of(next, passed_points(spec)) / transpose.ranks;
    transpose.transforms =
        are_beside ? shape.sequences / (transpose.columns * transpose.beside) : transforms_per_group(spec);
    return transpose;
}

std::size_t loops_on_chip(const KernelSpec& spec) {
    std::size_t loops = 1;
    for (const KernelSpec* pass = &spec; !pass->on_chip.next.empty(); pass = &pass->on_chip.next.front())
        loops = std::max<std::size_t>(loops, pass->on_chip.transposed_loop + 1);
    return loops;
}

const KernelSpec& pass_with_middle(const KernelSpec& spec) {
    const KernelSpec* found = &spec;
    const auto is_given = [](const Stage& stage) {
        return std::holds_alternative<SpectrumProduct>(stage) || std::holds_alternative<UserProgram>(stage);
    };
    for_each_then(spec, [&](const KernelSpec& next) {
        if (std::any_of(next.convolution.stages.begin(), next.convolution.stages.end(), is_given)) found = &next;
    });
    return *found;
}

bool may_have_pairs(const KernelSpec& pass, bool input) {
    const auto is_even = [&](const Loop& loop) {
        return (input ? loop.input_stride : loop.output_stride) % 2 == 0 && loop.gaps.empty();
    };
    return pass.side(input).is_real() && pass.radices.size() == 1 && pass.n % 2 == 0 && pass.side(input).stride == 1 &&
           pass.side(input).kept.ranges.empty() && pass.side(input).offset % 2 == 0 &&
           pass.side(input).storage == Storage::same && std::all_of(pass.loops.begin(), pass.loops.end(), is_even);
}

namespace {

/// The user's stage takes no point: the array may be missing, and nothing that is moved to shared memory is wanted.
bool ignores_points(const std::vector<Stage>& load) {
    return std::any_of(load.begin(), load.end(), [](const Stage& stage) {
        const auto* user = std::get_if<UserProgram>(&stage);
        return user && (!user->program->reads_value || user->program->function);
    });
}

}  // namespace

bool may_have_rows(const KernelSpec& pass) {
    const bool loads_all =
        pass.in.has<Points>() && pass.in.kept.ranges.empty() && !ignores_points(pass.in.stages) && pass.runs_once();
    return loads_all && pass.radices.size() == 1 && pass.in.stride == 1 && (pass.in.has_pairs() || !pass.in.is_real());
}

bool is_halved(const KernelSpec& spec) {
    const OnChipTranspose transpose = transpose_of(spec);
    return transpose.columns * transpose.ranks != passed_points(spec.on_chip.next.front()) ||
           transpose.rows * transpose.ranks != passed_points(spec);
}

std::uint32_t transforms_per_group(const KernelSpec& spec) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    if (shape.tile) return shape.sequences * shape.groups_per_cluster / shape.tile->transposed;
    const std::uint64_t columns = spec.loops[0].count;
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, shape.sequences / columns));
}

std::uint64_t transposed_sequence(const KernelSpec& pass, std::uint64_t transform, std::uint64_t transposed,
                                  std::uint64_t sequences) {
    const std::optional<Tile>& tile = std::get<GroupShape>(pass.shape).tile;
    if (!tile || tile->transposed_first) return transform * sequences + transposed;
    return transposed * (sequences_per_batch(pass) / sequences) + transform;
}

std::uint32_t sequence_in_group(const KernelSpec& pass, std::uint64_t sequence) {
    const auto& shape = std::get<GroupShape>(pass.shape);
    if (!shape.tile) return static_cast<std::uint32_t>(sequence % shape.sequences);
    const std::uint64_t in_tile = transforms_per_group(pass), in_group = shape.sequences / in_tile;
    const std::uint64_t beside = sequences_per_batch(pass) / shape.tile->transposed;
    const bool is_first = shape.tile->transposed_first;
    const std::uint64_t transform = (is_first ? sequence / shape.tile->transposed : sequence % beside) % in_tile;
    const std::uint64_t transposed = (is_first ? sequence % shape.tile->transposed : sequence / beside) % in_group;
    const std::uint64_t at = shape.tile->beside ? transposed * in_tile + transform : transform * in_group + transposed;
    return static_cast<std::uint32_t>(at);
}

std::uint32_t sequence_points(const KernelSpec& spec, const std::vector<Stage>& side) {
    if (spec.convolution.prime) return spec.convolution.prime;
    for (const Stage& stage : side) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        if (chirp && chirp->loop < 0 && chirp->element_stride == 1) return static_cast<std::uint32_t>(chirp->length);
    }
    return spec.n;
}

std::uint32_t redistributed_points(const KernelSpec& spec, bool input) {
    const Kept& kept = spec.side(input).kept;
    const std::uint32_t all = sequence_points(spec, spec.side(input).stages);
    const bool has_map = input ? spec.in.map() != nullptr : spec.out.map() != nullptr;
    const bool is_first_part = kept.ranges.size() == 1 && kept.ranges.front().begin == 0 && kept.loop < 0 &&
                               kept.element_stride == 1 && !kept.own;
    if (spec.convolution.prime || has_map || !is_first_part || kept.ranges.front().end >= all) return all;
    const auto count = static_cast<std::uint32_t>(kept.ranges.front().end);
    const Loop& next = spec.loops.front();
    const bool are_together = input ? spec.in.stride == 1 && next.input_stride == std::int64_t{count}
                                    : spec.out.stride == 1 && next.output_stride == std::int64_t{count};
    return are_together || spec.side(input).folded() ? count : all;
}

std::uint32_t scratch_points(const KernelSpec& spec) {
    const SimdShape& shape = std::get<SimdShape>(spec.shape);
    const bool is_real = spec.in.map() || spec.out.map();
    return spec.n + (is_real ? shape.lanes : 0) + (spec.convolution.prime ? (shape.across ? 1 : shape.lanes) : 0);
}

bool splits_parity(const KernelSpec& spec) {
    const auto* rader =
        spec.convolution.stages.empty() ? nullptr : std::get_if<RaderSpectrum>(&spec.convolution.stages.front());
    return rader != nullptr && rader->padded != 0;
}

std::uint32_t points_of_parity(const KernelSpec& spec, std::uint32_t threads) {
    const std::uint32_t points = (spec.convolution.prime - 1) / 2;
    const std::uint32_t butterflies = spec.n / core_runs(spec).front().front();
    return (butterflies + threads - 1) / threads * ((points + butterflies - 1) / butterflies);
}

std::vector<Range> kept_elements(const Kept& kept, std::uint64_t points) {
    if (kept.loop >= 0 || kept.element_stride != 1) return {};
    std::vector<Range> inside;
    for (const Range& range : kept.ranges)
        if (range.begin < points) inside.push_back({range.begin, std::min(range.end, points)});
    return inside;
}

std::uint64_t kept_count(const std::vector<Range>& ranges) {
    std::uint64_t count = 0;
    for (const Range& range : ranges) count += range.end - range.begin;
    return count;
}

std::vector<std::vector<std::uint32_t>> core_runs(const KernelSpec& spec) {
    if (spec.runs_once()) return {spec.radices};
    if (spec.n == 1) return {{1}, {1}};
    std::vector<std::uint32_t> run = spec.radices;
    run.erase(std::remove(run.begin(), run.end(), 1u), run.end());
    return {run, {run.rbegin(), run.rend()}};
}

std::uint64_t groups(const KernelSpec& spec, std::uint64_t batch) {
    if (has_mode_channels(spec)) return ModeGroups(spec).count(batch);
    if (spec.bin_pass()) return spec.bin_pass()->groups * batch;
    const std::uint64_t per_group = sequences_per_group(spec), all = sequences_per_batch(spec) * batch;
    if (spec.slices.sequences == 0) return (all + per_group - 1) / per_group;
    const std::uint64_t own = all / spec.slices.sequences * groups_per_slice(spec);
    return spec.pipeline.next.empty() ? own : own + groups(spec.pipeline.next.front(), batch);
}

}  // namespace seiche::kernels
