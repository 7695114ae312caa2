#include "kernels/group/on_chip.hpp"

#include <algorithm>
#include <bit>
#include <deque>

#include "kernels/group/core_run.hpp"
#include "kernels/group/ways.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

ir::Kernel build_fused(const KernelSpec& spec) {
    std::deque<GroupKernel> passes;
    passes.emplace_back(spec);
    for_each_then(spec, [&](const KernelSpec& next) { passes.emplace_back(next, passes.front()); });
    const std::size_t loops = loops_on_chip(spec);
    const bool joins_loops = passes.size() > 2 || is_halved(spec);
    for (GroupKernel& pass : passes) pass.pass().frame.joins_loops = joins_loops;
    for (std::size_t i = 1; i < passes.size(); ++i) FusedPasses(passes[i - 1], passes[i]).take_whole_transforms(loops);
    passes.front().pass().exchange.declare();
    FusedPasses(passes[0], passes[1]).run();
    for (std::size_t i = 2; i < passes.size(); ++i) FusedPasses(passes[i - 1], passes[i]).transpose_and_run();
    passes.back().store();
    return passes.front().pass().frame.builder.finish();
}

void FusedPasses::run() {
    first_.load();
    CoreRun(from_, first_.registers()).run(0, from_.threads.stages().size());
    transpose_and_run();
}

void FusedPasses::transpose_and_run() {
    to_.exchange.share(from_.exchange);
    transpose();
    if (!takes_logarithms()) to_.passage.pass_loaded(next_.registers().points);
    CoreRun(to_, next_.registers()).run(takes_logarithms() ? 1 : 0, to_.threads.stages().size());
}

void FusedPasses::take_whole_transforms(std::size_t loops) {
    std::uint64_t of_transform = 1;
    for (std::size_t i = 0; i < loops; ++i) of_transform *= from_.spec.loops[i].count;
    const std::uint32_t loop = from_.spec.on_chip.transposed_loop;
    if (from_.shape.tile || from_.shape.sequences <= of_transform)
        frame_.total = {};
    else
        to_.frame.total = frame_.total / from_.spec.loops[loop].count * to_.spec.loops[loop].count;
}

/// Before a write: nobody reads what it overwrites any more. After it: it is there.
void FusedPasses::meet() const {
    transpose_.ranks > 1 ? frame_.builder.cluster_barrier() : frame_.builder.group_barrier();
}

/// Bytes of a round that each group of a cluster gets; 0: that is not the same for all, since the last of them have
/// fewer transforms.
std::uint64_t FusedPasses::cluster_bytes(const Round& round) const {
    if (transpose_.ranks == 1 || to_.frame.total || frame_.total) return 0;
    const std::uint64_t points = std::uint64_t{transpose_.rows} * transpose_.columns * transpose_.ranks *
                                 transpose_.transforms * transpose_.beside;
    const std::uint64_t numbers = round.components.front() == Component::both ? 2 : round.components.size();
    return points * numbers * type_bytes(frame_.real);
}

void FusedPasses::transpose() const {
    const CoreStage& stage = to_.threads.stages()[takes_logarithms() ? 1 : 0];
    Registers& registers = next_.registers();
    registers.points.assign(stage.points(), {});
    CoreStage columns_of_next;  // the sequences, as points of the next pass: the first ones, if not all
    columns_of_next.butterflies = transpose_.columns * transpose_.ranks;
    columns_of_next.redistributes = takes_logarithms() || columns_of_next.butterflies < to_.spec.n;
    const std::vector<Round> all = from_.exchange.rounds();
    to_.layout.swap_transposed();
    for (const Round& round : all) {
        const std::uint64_t bytes = cluster_bytes(round);
        // A neighbour's memory is there once the neighbour runs.
        if (bytes != 0)
            frame_.builder.cluster_ready();
        else if (from_.exchange.is_used() || transpose_.ranks > 1)
            meet();
        from_.exchange.mark_used();
        to_.exchange.mark_used();
        for (const Component component : round.components) write(component);
        if (bytes != 0) {
            if (&round == &all.back()) to_.passage.fetch_row_factors();
            frame_.builder.cluster_arrivals(bytes);
        } else {
            meet();
        }
        for (const Component component : round.components)
            to_.exchange.read(stage, columns_of_next, component, registers);
    }
    to_.layout.swap_transposed();
}

/// Result `row` of column `column`, through the stages that the next pass loads with.
Complex FusedPasses::passed(const Complex& result, Value row, Value column, Value exists) const {
    Complex x = result;
    for (const Stage& stage : to_.spec.in.stages) {
        const auto* twiddle = std::get_if<FourStepTwiddle>(&stage);
        if (!twiddle) {
            x = apply(to_.frame, {stage}, x, {column, {}, exists});
            continue;
        }
        const BlockTwiddles all = *transposed_twiddles(to_.spec, *twiddle);
        if (!to_.spec.movement_only)
            x = x * to_.frame.table_entry(all, row * std::uint64_t{all.blocks} + column, exists);
    }
    return x;
}

Value FusedPasses::place_in_core(Value row, Value column, Value exists) const {
    return to_.layout.at(to_.exchange.place_by_logarithm({row, column, exists, exists, {}, {}, {}}, true));
}

/// Result k of column q goes to row k: of a stage that ends a core k is p + leg s, p below s, so that where s divides
/// the rows of a group the rank and the way from the first leg's place are constants.
void FusedPasses::write(Component component) const {
    ir::Builder& build = frame_.builder;
    const CoreStage& stage = from_.threads.last();
    const std::vector<Complex>& points = first_.registers().points;
    const std::uint64_t rows = transpose_.rows, all_rows = rows * transpose_.ranks, all_columns = to_.layout.pitch();
    const bool is_steady = rows % stage.s == 0;
    const bool is_disjoint = std::has_single_bit(all_columns * rows * map_.row_stride);
    const KernelIndex on{frame_, from_.sequences, 0};
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = from_.threads.butterfly(stage, u);
        const Value p = stage.redistributes ? where.butterfly : place_in_run(from_.shape, stage, where);
        const InTransform<Value> in = in_transform(from_.spec, where.sequence_in_group, frame_.u32(0));
        Value column = in.sequence;
        if (transpose_.ranks > 1) column = column + build.cluster_rank() * std::uint64_t{transpose_.columns};
        if (from_.shape.has_mirrors_in_group()) column = frame_.loop_index(from_.threads.sequence(where), 0);
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            const std::uint64_t ahead = std::uint64_t{leg} * stage.s;
            if (ahead >= all_rows) continue;
            const Complex& point = points[u * stage.radix + leg];
            if (to_.shape.has_mirrors_in_group()) {
                const RowOf<Value> row = map_.mirrored_row(stage, p, leg, on);
                const Value at = to_.layout.at(row.row * all_columns + column);
                from_.exchange.put_for(transpose_.ranks > 1 ? row.rank : Value{}, component, at, point, where.owns);
                continue;
            }
            const Value result = p + ahead;
            if (takes_logarithms()) {
                const Value exists = ahead + stage.s > all_rows
                                         ? both(where.owns, build.less(result, frame_.u32(all_rows)))
                                         : where.owns;
                const Value row = in.transform * map_.transform_stride + result;
                from_.exchange.put(component, place_in_core(row, column, where.owns),
                                   passed(point, result, column, exists), exists);
                continue;
            }
            const Value row =
                in.transform * map_.transform_stride + (is_steady ? p : result % rows) * map_.row_stride + in.beside;
            const std::uint64_t constant = is_steady ? ahead % rows * map_.row_stride * all_columns : 0;
            const Value at = to_.layout.at(row * all_columns + column, static_cast<std::uint32_t>(constant),
                                           is_steady && is_disjoint);
            Value rank, is_taken = where.owns;
            if (transpose_.ranks > 1) rank = is_steady ? frame_.u32(ahead / rows) : result / rows;
            if (ahead + stage.s > all_rows)
                is_taken = both(is_taken, build.less(result, frame_.u32(static_cast<std::uint32_t>(all_rows))));
            from_.exchange.put_for(rank, component, at, point, is_taken);
        }
    }
}

}  // namespace seiche::kernels
