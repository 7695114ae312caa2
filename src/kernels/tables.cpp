// Which constant tables a kernel needs, and where they lie in its table buffer.
#include "kernels/tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/real/real_map.hpp"
#include "kernels/textbook/textbook.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

namespace {

/// Of f64, where factors of longer butterflies have no registers. Measured: LAB-0028.
constexpr std::uint32_t most_merged_of_f64 = 8;

struct Entries {
    std::uint64_t operator()(const StageTwiddles& t) const {
        return std::uint64_t{t.radix - 1} * std::max(t.s, t.lanes);
    }
    std::uint64_t operator()(const MergedTwiddles& t) const { return std::uint64_t{t.radix / 2} * t.s; }
    std::uint64_t operator()(const PowerTable& t) const { return t.count; }
    std::uint64_t operator()(const BlockTwiddles& t) const { return std::uint64_t{t.rows} * t.blocks; }
    std::uint64_t operator()(const LaneTwiddles& t) const { return std::uint64_t{t.rows} * t.lanes; }
    std::uint64_t operator()(const ChirpTable& t) const { return t.length; }
    std::uint64_t operator()(const RootTable& t) const { return t.count; }
    std::uint64_t operator()(const SpectrumTable& t) const { return t.padded; }
    std::uint64_t operator()(const RaderSpectrumTable& t) const { return t.padded ? 2 * t.padded : t.prime - 1; }
    std::uint64_t operator()(const RaderPlaces& t) const { return t.prime; }
    std::uint64_t operator()(const WindowTable& t) const {
        return t.entry == WindowTable::Entry::pair ? t.window.size() / 2 : t.window.size();
    }
};

class Collector {
public:
    explicit Collector(const KernelSpec& spec) : spec_(spec), simd_(std::get_if<SimdShape>(&spec.shape)) {}

    std::vector<TableSection> collect() {
        if (spec_.textbook()) {
            for (const TableContent& content : textbook_tables(*spec_.textbook())) append(content, 1);
            return sections_;
        }
        if (!spec_.movement_only) add_arithmetic();
        if (spec_.in.map()) add_all(load_roots(spec_, *spec_.in.map()));
        if (spec_.out.map()) add_all(store_roots(spec_, *spec_.out.map()));
        for (const RealMap* map : {spec_.in.bins(), spec_.out.bins()})
            if (map) add_all(column_roots(spec_, *map));
        if (spec_.in.folded() && spec_.in.folded()->is_odd()) add_all(load_roots(spec_, odd_map(*spec_.in.folded())));
        if (spec_.out.folded() && spec_.out.folded()->is_odd())
            add_all(store_roots(spec_, odd_map(*spec_.out.folded())));
        if (spec_.convolution.prime) append(RaderPlaces{spec_.convolution.prime}, 1);
        if (spec_.overlap_add())
            for (const bool has_squares : {false, true}) append(window_table(spec_, has_squares), 1);
        return sections_;
    }

private:
    void add_arithmetic() {
        const std::vector<std::vector<std::uint32_t>> runs = core_runs(spec_);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            std::uint32_t s = 1;
            for (const std::uint32_t radix : runs[i]) {
                if (radix > 1 && s > 1) add_stage(radix, s, twiddle_copy(spec_, i));
                s *= radix;
            }
        }
        for (const auto* stages : {&spec_.in.stages, &spec_.convolution.stages, &spec_.out.stages}) {
            side_ = stages;
            for (const Stage& stage : *stages) std::visit([this](const auto& value) { add(value); }, stage);
        }
    }

    void add_all(const std::vector<RootTable>& roots) {
        for (const RootTable& table : roots) {
            if (is_factored(spec_, table))
                append_powers(table.length);
            else
                append(table, 1);
        }
    }

    void append_powers(std::uint64_t length) {
        const std::uint64_t step = power_table_step(length);
        append(PowerTable{length, 1, step}, 1);
        append(PowerTable{length, step, (length + step - 1) / step}, 1);
    }

    void append(const TableContent& content, std::uint32_t split) {
        for (const TableSection& known : sections_) {
            if (known.content == content) return;
        }
        const std::uint64_t offset = table_entries(sections_);
        sections_.push_back({content, std::visit(Entries{}, content), offset, split});
    }

    void add_stage(std::uint32_t radix, std::uint32_t s, std::uint32_t copy) {
        const bool along = simd_ && !simd_->across && simd_->lanes > 1;
        const std::uint32_t lanes = along ? simd_->lanes : 1;
        if (merges_twiddles(spec_, radix))
            append(MergedTwiddles{radix, s, copy}, 1);
        else
            append(StageTwiddles{radix, s, lanes, copy}, lanes);
    }

    void add(const SwapParts&) {}
    void add(const OneSided&) {}
    void add(const UserProgram&) {}
    void add(const SpectrumProduct&) {}
    void add(const Multiply&) {}
    void add(const FourStepTwiddle& t) {
        if (lanes_share_outer_indices(spec_) && t.loop == 0) {
            if (const std::optional<BlockTwiddles> blocks = block_twiddles(spec_, t)) append(*blocks, 1);
            append(LaneTwiddles{t.length, twiddle_points(spec_), simd_->lanes}, simd_->lanes);
        }
        if (const std::optional<BlockTwiddles> all = transposed_twiddles(spec_, t)) append(*all, 1);
        for (const BlockTwiddles& rows : twiddle_rows(spec_, t, *side_)) append(rows, 1);
        if (const std::optional<CommonTwiddles> common = common_twiddles(spec_, t, *side_))
            for (const BlockTwiddles& table : common->tables) append(table, 1);
        // Needed beside those too: points whose accesses are scalarised look theirs up, and rows their common factor.
        append_powers(t.length);
    }
    void add(const Chirp& c) { append(ChirpTable{c.length}, 1); }
    void add(const ChirpSpectrum& c) { append(SpectrumTable{c.length, c.padded, c.results}, 1); }
    void add(const RaderSpectrum& r) { append(RaderSpectrumTable{r.prime, r.padded}, 1); }
    void add(const Turn& t) {
        const TurnRoots roots = turn_roots(spec_, t);
        append(roots.elements, 1);
        if (t.loop >= 0) append(roots.loop, 1);
    }

    const KernelSpec& spec_;
    const SimdShape* simd_;
    const std::vector<Stage>* side_ = nullptr;  // the stages that are at work
    std::vector<TableSection> sections_;
};

}  // namespace

WindowTable window_table(const KernelSpec& spec, bool has_squares) {
    const OverlapAdd& own = *spec.overlap_add();
    const auto entry = has_squares          ? WindowTable::Entry::squares
                       : spec.out.is_real() ? WindowTable::Entry::number
                                            : WindowTable::Entry::pair;
    return {own.window, own.hop, own.scale, entry};
}

std::uint64_t power_table_step(std::uint64_t length) {
    const auto bits = static_cast<unsigned>(std::bit_width(length - 1));
    return std::uint64_t{1} << ((bits + 1) / 2);
}

std::uint32_t twiddle_copy(const KernelSpec& spec, std::size_t run) {
    const bool is_wide = spec.precision == Precision::f64 || spec.precision == Precision::f64x2;
    const auto* group = std::get_if<GroupShape>(&spec.shape);
    const bool is_tight = is_wide && group && !group->has_core_loop();
    return (run > 0 && is_tight) || spec.is_second() ? 1 : 0;
}

bool merges_twiddles(const KernelSpec& spec, std::uint32_t radix) {
    if (spec.precision == Precision::f64x2 || !std::has_single_bit(radix) || radix == 1) return false;
    const auto* group = std::get_if<GroupShape>(&spec.shape);
    const bool has_room = spec.precision != Precision::f64 || radix <= most_merged_of_f64;
    return group && !group->is_scalarised && has_room;
}

std::vector<BlockTwiddles> twiddle_rows(const KernelSpec& spec, const FourStepTwiddle& twiddle,
                                        const std::vector<Stage>& side) {
    constexpr std::uint64_t most_entries = std::uint64_t{1} << 16;
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const bool is_load = &side == &spec.in.stages;
    if (is_load && transposed_twiddles(spec, twiddle)) return {};
    if (!shape || (is_load ? shape->load_order : shape->store_order) == ThreadOrder::flat) return {};
    // The stage at memory: a redistribution, or the first or last of the core.
    const std::uint32_t outer = is_load ? spec.radices.front() : spec.radices.back();
    const std::uint32_t radix = is_load || outer == 1 ? outer : core_runs(spec).back().back();
    const std::uint32_t points = radix == 1 ? sequence_points(spec, side) : spec.n;
    const std::uint32_t threads = shape->threads * shape->exchange.neighbours, butterflies = points / radix;
    if (butterflies % threads != 0 || twiddle.length % threads != 0) return {};
    const std::uint64_t length = twiddle.length / threads, count = spec.loops[twiddle.loop].count;
    const std::uint32_t rows = points / threads;
    if (rows * count <= most_entries) return {{length, rows, static_cast<std::uint32_t>(count), 1}};
    const auto run = static_cast<std::uint32_t>(power_table_step(count));
    return {{length, rows, run, 1}, {length, rows, static_cast<std::uint32_t>((count + run - 1) / run), run}};
}

std::optional<BlockTwiddles> transposed_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle) {
    if (!spec.is_second() || spec.runs_once()) return std::nullopt;
    const std::uint32_t points = sequence_points(spec, spec.in.stages);
    const auto sequences = static_cast<std::uint32_t>(spec.loops[static_cast<std::size_t>(twiddle.loop)].count);
    if (spec.convolution.prime != 0) return BlockTwiddles{twiddle.length, sequences, points, 1};
    return BlockTwiddles{twiddle.length, points, sequences, 1};
}

std::optional<CommonTwiddles> common_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle,
                                              const std::vector<Stage>& side) {
    constexpr std::uint64_t most_entries = std::uint64_t{1} << 15, most_of_pipelined = std::uint64_t{1} << 12;
    const bool is_pipelined = spec.slices.sequences != 0;
    const bool is_tight = spec.follows == Follows::conjugate_pairs && spec.precision == Precision::f64;
    if ((!spec.is_second() && !is_pipelined) || is_tight || !std::has_single_bit(twiddle.length)) return std::nullopt;
    if (twiddle_rows(spec, twiddle, side).empty()) return std::nullopt;
    const auto& shape = std::get<GroupShape>(spec.shape);
    const std::uint32_t lanes = shape.threads * shape.exchange.neighbours;
    const std::uint64_t count = spec.loops[static_cast<std::size_t>(twiddle.loop)].count;
    const auto sequences = static_cast<std::uint32_t>(count);
    const bool is_along =
        (&side == &spec.in.stages ? shape.load_order : shape.store_order) == ThreadOrder::element_fastest;
    if (lanes * count <= (is_pipelined ? most_of_pipelined : most_entries)) {
        if (is_along) return CommonTwiddles{{{twiddle.length, sequences, lanes, 1}}, true};
        return CommonTwiddles{{{twiddle.length, lanes, sequences, 1}}, false};
    }
    if (!is_pipelined || is_along) return std::nullopt;
    const auto run = static_cast<std::uint32_t>(power_table_step(count));
    const auto runs = static_cast<std::uint32_t>((count + run - 1) / run);
    return CommonTwiddles{{{twiddle.length, lanes, run, 1}, {twiddle.length, lanes, runs, run}}, false};
}

std::uint32_t row_step(const KernelSpec& spec, const FourStepTwiddle& twiddle, std::uint32_t rows) {
    constexpr std::uint32_t most_rows = 16, registers_per_unit = 65536;
    const bool is_wide = spec.precision == Precision::f64 || spec.precision == Precision::f64x2;
    // A thread takes about as many registers beside its points as for them.
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const std::uint64_t registers = shape ? std::uint64_t{spec.n} * shape->sequences * (is_wide ? 8 : 4) : 0;
    const bool has_company = 2 * registers <= registers_per_unit,
               is_by_itself = !spec.is_second() && spec.slices.sequences == 0;
    if (has_company && is_by_itself) return rows;
    if (rows > most_rows || (is_wide && !std::has_single_bit(twiddle.length))) return rows;
    return static_cast<std::uint32_t>(std::sqrt(rows));
}

std::uint32_t twiddle_points(const KernelSpec& spec) { return std::max(spec.n, sequence_points(spec, spec.in.stages)); }

TurnRoots turn_roots(const KernelSpec& spec, const Turn& turn) {
    return {{turn.length, turn.step * turn.element_stride, turn.offset, twiddle_points(spec)},
            {turn.length, turn.step, 0, turn.loop < 0 ? 1 : spec.loops[static_cast<std::size_t>(turn.loop)].count}};
}

std::optional<BlockTwiddles> block_twiddles(const KernelSpec& spec, const FourStepTwiddle& twiddle) {
    constexpr std::uint64_t most_entries = std::uint64_t{1} << 18;
    const std::uint32_t lanes = std::get<SimdShape>(spec.shape).lanes;
    const std::uint64_t blocks = spec.loops[0].count / lanes;
    const std::uint32_t points = twiddle_points(spec);
    if (blocks * points > most_entries) return std::nullopt;
    return BlockTwiddles{twiddle.length, points, static_cast<std::uint32_t>(blocks), lanes};
}

bool lanes_share_outer_indices(const KernelSpec& spec) {
    const SimdShape* simd = std::get_if<SimdShape>(&spec.shape);
    return simd && simd->across && spec.loops.size() > 1 && spec.loops[0].count % simd->lanes == 0;
}

std::vector<TableSection> tables(const KernelSpec& spec) {
    if (spec.on_chip.next.empty() && spec.pipeline.next.empty()) return Collector(spec).collect();
    KernelSpec first = spec;
    if (!spec.on_chip.next.empty()) first.out.stages.clear();  // the second's
    first.on_chip.next.clear();
    first.pipeline.next.clear();
    std::vector<TableSection> all = tables(first);
    for (const std::vector<KernelSpec>* more : {&spec.on_chip.next, &spec.pipeline.next}) {
        if (more->empty()) continue;
        for (TableSection section : tables(more->front())) {
            const auto is_same = [&](const TableSection& known) { return known.content == section.content; };
            if (std::any_of(all.begin(), all.end(), is_same)) continue;
            section.offset = table_entries(all);
            all.push_back(section);
        }
    }
    return all;
}

std::uint64_t table_entries(const std::vector<TableSection>& sections) {
    return sections.empty() ? 0 : sections.back().offset + sections.back().entries;
}

const TableSection& find_section(const std::vector<TableSection>& sections, const TableContent& content) {
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const TableSection& s) { return s.content == content; });
    if (found == sections.end()) throw InternalError("a kernel's tables: expected the section that it reads, got none");
    return *found;
}

}  // namespace seiche::kernels
