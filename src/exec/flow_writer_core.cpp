// The core: butterflies by Stockham's order, what lies between the runs of a convolution, and between two passes of one
// kernel.
#include "exec/flow_writer.hpp"

namespace seiche::exec {

using kernels::CoreStage;
using kernels::KernelSpec;
using kernels::Stage;

namespace {

std::string stage_text(const CoreStage& stage) {
    const std::string count = std::to_string(stage.butterflies), radix = std::to_string(stage.radix),
                      length = std::to_string(std::uint64_t{stage.radix} * stage.s), s = std::to_string(stage.s);
    std::string text = count + (stage.butterflies == 1 ? " butterfly" : " butterflies") + " of radix " + radix;
    if (stage.butterflies == 1) return stage.s == 1 ? text : text + ", times w" + length + "^(j p)";
    text += ": points b + " + count + " j";
    if (stage.s == 1) return text + " to places " + radix + " b + k";
    text += ", times w" + length + "^(j p), to places ";
    if (stage.butterflies == stage.s) return text + "p + " + s + " k, p = b";
    return text + length + " q + p + " + s + " k, b = " + s + " q + p";
}

/// Convolutions of a sequence.
std::uint64_t cores_of(const KernelSpec& spec) { return kernels::splits_parity(spec) ? 2 : 1; }

std::string transpose_text(const KernelSpec& spec) {
    const KernelSpec& second = spec.on_chip.next.front();
    const kernels::OnChipTranspose way = kernels::transpose_of(spec);
    const std::uint64_t columns = std::uint64_t{way.columns} * way.ranks, rows = std::uint64_t{way.rows} * way.ranks;
    std::string text = "result k of sequence q becomes point q of sequence k";
    if (rows < kernels::sequence_points(spec, spec.in.stages)) text += ", k = 0 .. " + std::to_string(rows - 1);
    if (second.convolution.prime != 0) return text + " and goes to its logarithm's place, point 0 beside them";
    if (columns < second.n) text += "; points from " + std::to_string(columns) + " on are 0";
    return text;
}

constexpr const char* join_text = "the sum of all points is frequency 0; point 0 is added to every other";

}  // namespace

void FlowWriter::write_core(const KernelSpec& spec) {
    const std::uint64_t sequences = kernels::sequences_per_batch(spec) * question_.problem.batch.count;
    const Distribution distribution{spec, kernels::core_stages(spec), question_.limits.subgroup_size, sequences};
    bool is_second_run = false;
    const bool has_parity = kernels::splits_parity(spec);
    // A prime's points that come from another pass are in the convolution's order by then.
    const std::size_t first = spec.is_second() && spec.convolution.prime != 0 ? 1 : 0;
    for (std::size_t i = first; i < distribution.stages.size(); ++i) {
        const CoreStage& stage = distribution.stages[i];
        if (has_parity && i == 1) add_parity(spec, exchange_before(distribution, i));
        if (has_parity && i + 1 == distribution.stages.size()) add_parity(spec, exchange_of_parity(distribution));
        if (stage.keeps && !is_second_run) {
            turn(spec);
            is_second_run = true;
        }
        FlowStep& step = stage.radix == 1 ? add(FlowKind::deal, "points are dealt to other threads")
                                          : add(FlowKind::butterflies, stage_text(stage));
        step.radix = stage.radix;
        step.stride = stage.s;
        step.count = stage.butterflies;
        if (i == 0)
            step.before =
                spec.in.has_rows() ? rows_exchange(spec, true, sequences) : map_exchange(spec, true, sequences);
        else if (i > first && (i > 1 || !has_parity))
            step.before = exchange_before(distribution, i);
        if (has_graph_ && stage.radix > 1) write_butterflies(distribution, stage, step);
    }
}

/// The even and the odd part of a prime's points, or from their convolutions the frequencies.
void FlowWriter::add_parity(const KernelSpec& spec, const Exchange& before) {
    const std::uint32_t points = (spec.convolution.prime - 1) / 2;
    FlowStep& step = add(FlowKind::butterflies, "places j of both convolutions: their sum and their difference");
    step.radix = 2;
    step.count = points;
    step.before = before;
    for (std::uint64_t q = 0; has_graph_ && q < kernels::sequences_per_batch(spec); ++q)
        for (std::uint32_t j = 0; j < points; ++j) {
            const std::vector<std::uint32_t> pair{core_line(spec, q, j), core_line(spec, q, std::uint64_t{spec.n} + j)};
            step.nodes.push_back({pair, pair, {}, {}, 0});
        }
}

void FlowWriter::write_butterflies(const Distribution& distribution, const CoreStage& stage, FlowStep& step) const {
    const KernelSpec& spec = distribution.spec;
    const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape);
    const std::uint64_t parts = cores_of(spec), cores = kernels::sequences_per_batch(spec) * parts;
    std::vector<std::uint32_t> threads;
    if (knows_threads(spec, stage)) threads = kernels::threads_of_places(*shape, stage, false);
    for (std::uint64_t core = 0; core < cores; ++core)
        for (std::uint64_t b = 0; b < stage.butterflies; ++b) {
            FlowNode node;
            const std::uint64_t q = core / parts, first = core % parts * spec.n;
            const std::uint64_t p = b % stage.s, results = kernels::place_of_results(stage, b, p);
            for (std::uint32_t j = 0; j < stage.radix; ++j) {
                node.from.push_back(core_line(spec, q, first + b + std::uint64_t{j} * stage.butterflies));
                node.to.push_back(core_line(spec, q, first + results + std::uint64_t{j} * stage.s));
                if (stage.s > 1) node.factors.push_back(root_of_unity(j * p, std::uint64_t{stage.radix} * stage.s));
            }
            if (!threads.empty()) node.thread = threads[kernels::sequence_in_group(spec, q) * std::size_t{spec.n} + b];
            step.nodes.push_back(std::move(node));
        }
}

void FlowWriter::turn(const KernelSpec& spec) {
    for (const Stage& stage : spec.convolution.stages) {
        if (std::holds_alternative<kernels::SwapParts>(stage)) {
            add(FlowKind::swap_parts, swap_text);
            continue;
        }
        FlowStep& step = add(FlowKind::multiply, factor_text(stage));
        if (!has_graph_) continue;
        if (const auto* rader = std::get_if<kernels::RaderSpectrum>(&stage))
            multiply_by_rader(*rader, spec, step);
        else
            add_factors(
                {stage, Side(spec), spec.n}, [&](std::uint64_t q, std::uint64_t k) { return core_line(spec, q, k); },
                step);
    }
    if (!has_graph_ && spec.convolution.prime) add(FlowKind::join, join_text);
}

void FlowWriter::multiply_by_rader(const kernels::RaderSpectrum& rader, const KernelSpec& spec, FlowStep& step) {
    const std::uint64_t entries = std::uint64_t{spec.n} * cores_of(spec);
    const std::vector<std::complex<double>> spectrum =
        table_values(kernels::RaderSpectrumTable{rader.prime, rader.padded}, entries);
    for (std::uint64_t q = 0; q < kernels::sequences_per_batch(spec); ++q)
        for (std::uint64_t k = 1; k < entries; ++k) {
            const std::uint32_t line = core_line(spec, q, k);
            step.nodes.push_back({{line}, {line}, {{spectrum[k], 0, 0}}, {}, 0});
        }
    add_join(spec, spectrum.front());
}

void FlowWriter::add_join(const KernelSpec& spec, std::complex<double> spectrum) {
    FlowStep& step = add(FlowKind::join, join_text);
    for (std::uint64_t q = 0; q < kernels::sequences_per_batch(spec); ++q) {
        const std::vector<std::uint32_t> pair{beside_line(spec, q), core_line(spec, q, 0)};
        step.nodes.push_back({pair, pair, {FlowFactor{}, {spectrum, 0, 0}}, {}, 0});
    }
}

void FlowWriter::transpose(const KernelSpec& spec) {
    const KernelSpec& second = spec.on_chip.next.front();
    const kernels::OnChipTranspose way = kernels::transpose_of(spec);
    const std::uint64_t columns = std::uint64_t{way.columns} * way.ranks, rows = std::uint64_t{way.rows} * way.ranks;
    const std::uint64_t beside = way.beside, transforms = kernels::sequences_per_batch(spec) / columns;
    const auto sequence_of = [beside](const KernelSpec& pass, std::uint64_t t, std::uint64_t q, std::uint64_t count) {
        return beside == 1 ? kernels::transposed_sequence(pass, t, q, count)
                           : (t / beside * count + q) * beside + t % beside;
    };
    const bool convolves = !spec.runs_once() || !second.runs_once();
    const bool are_all = !kernels::is_halved(spec) && !convolves;
    if (!are_all) present_ = kernels::sequences_per_batch(second) * points_on_chip(second);
    FlowStep& step = add(FlowKind::move, transpose_text(spec));
    step.before = on_chip_transpose(spec, transforms * question_.problem.batch.count);
    std::vector<std::uint32_t> from, next(has_graph_ && are_all ? present_ : 0);
    const auto for_each = [&](const auto& visit) {
        for (std::uint64_t t = 0; has_graph_ && t < transforms; ++t)
            for (std::uint64_t q = 0; q < columns; ++q)
                for (std::uint64_t k = 0; k < rows; ++k)
                    visit(sequence_of(spec, t, q, columns), q, sequence_of(second, t, k, rows), k);
    };
    for_each([&](std::uint64_t column, std::uint64_t, std::uint64_t, std::uint64_t k) {
        from.push_back(line_of_element(spec, column, k));
    });
    at_.clear();
    if (second.convolution.prime != 0) logarithm_ = logarithms(second.convolution.prime);
    for_each([&](std::uint64_t column, std::uint64_t q, std::uint64_t row, std::uint64_t k) {
        const auto line = are_all ? static_cast<std::uint32_t>(column * rows + k) : line_of_element(second, row, q);
        if (are_all) next[row * second.n + q] = line;
        step.nodes.push_back({{from[step.nodes.size()]}, {line}, {}, {}, 0});
    });
    at_ = std::move(next);
    const Side side(second, second, true);
    add_stages(side, [&](std::uint64_t q, std::uint64_t e) { return line_of_element(second, q, e); });
}

}  // namespace seiche::exec
