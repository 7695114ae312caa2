#include "kernels/group/on_chip.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/group/core_run.hpp"
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

ir::Kernel build_fused(const KernelSpec& spec) {
    GroupKernel first(spec), next(spec.on_chip.next.front(), first);
    const std::vector<KernelSpec>& behind = next.pass().spec.on_chip.next;
    const std::size_t loops = behind.empty() ? 1 : 2;
    first.pass().frame.joins_loops = next.pass().frame.joins_loops = loops == 2 || is_halved(spec);
    FusedPasses passes(first, next);
    passes.take_whole_transforms(loops);
    std::optional<GroupKernel> third;
    std::uint32_t extent = passes.choose_layout();
    if (!behind.empty()) {
        third.emplace(behind.front(), first);
        third->pass().frame.joins_loops = true;
        FusedPasses last(next, *third);
        last.take_whole_transforms(loops);
        extent = std::max(extent, last.choose_layout_behind());
    }
    first.pass().exchange.declare(extent);
    passes.run();
    if (third) FusedPasses(next, *third).transpose_and_run();
    (third ? *third : next).store();
    return first.pass().frame.builder.finish();
}

bool FusedPasses::have_own_threads() const {
    return !to_.spec.on_chip.next.empty() || is_halved(from_.spec) || from_.spec.on_chip.own_threads;
}

/// Of a pass of one stage, which exchanges nothing but bins, no more than the next one's, or than its rows take that
/// come by way of it.
std::uint32_t FusedPasses::choose_layout() {
    std::uint32_t own = 0;
    if (const std::uint32_t padding = have_own_threads() ? 0 : from_.layout.most_padding_in_group(false)) {
        own = from_.layout.choose_apart(padding);
    } else {
        from_.layout.choose_swizzle(from_.layout.patterns());
        if (from_.threads.stages().size() > 1 || is_of_plane(from_.spec.in.bins())) own = from_.layout.extent();
    }
    const std::uint32_t of_rows =
        from_.spec.in.has_rows() ? from_.shape.sequences * pitch_of_rows(elements_of_row(from_.spec)) : 0;
    return std::max({own, of_rows, choose_layout_behind()});
}

std::uint32_t FusedPasses::choose_layout_behind() {
    SharedLayout& layout = to_.layout;
    if (to_.spec.on_chip.next.empty() && to_.spec.out.has_rows()) {
        layout.choose_rows(pitch_of_rows(transpose_.columns));
        return layout.extent();
    }
    const bool own_threads = from_.spec.is_second() || have_own_threads();
    const std::uint32_t padding = layout.most_padding_in_group(own_threads);
    if (padding != 0 && !own_threads) {
        const auto patterns = [&] { return transposed_patterns(SharedLayout::Counted::most); };
        layout.choose_swizzle(patterns());
        layout.choose_pitch(padding, patterns);
        layout.keep_for_transpose();
        const std::uint32_t extent = layout.extent();
        return std::max(extent, layout.choose_apart(padding));
    }
    const auto all_patterns = [&] {
        std::vector<AccessPattern> all = layout.patterns();
        for (const AccessPattern& pattern : transposed_patterns(SharedLayout::Counted::few)) all.push_back(pattern);
        return all;
    };
    // Places that both passes have are kept in registers from one to the other, and may spill (measured: docs/lab,
    // LAB-0010). Of mirrored columns each place is recomputed, and the simplest swizzle takes the least.
    layout.choose_swizzle(all_patterns(), to_.shape.has_mirrors_in_group() ? nullptr : &from_.layout);
    if (padding != 0) layout.choose_pitch(padding, all_patterns);
    return layout.extent();
}

void FusedPasses::run() {
    first_.load();
    CoreRun(from_, first_.registers()).run(0, from_.threads.stages().size());
    transpose_and_run();
}

void FusedPasses::transpose_and_run() {
    to_.exchange.share(from_.exchange);
    transpose();
    to_.passage.pass_loaded(next_.registers().points);
    CoreRun(to_, next_.registers()).run(0, to_.threads.stages().size());
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

/// Result p + leg s of the stage that ends the core. With conjugate pairs in the second pass row k of n is in
/// the group of its mirror, n - k, and counted from its other end; row n / 2 is beside row 0.
template <class Arithmetic, class Index>
FusedPasses::RowOf<Index> FusedPasses::mirrored_row(Index p, std::uint64_t leg, const Arithmetic& on) const {
    using Condition = typename Arithmetic::Condition;
    const CoreStage& stage = from_.threads.last();
    const ConstantOf<Index> half = transpose_.rows / 2, all = from_.spec.n,
                            ahead = static_cast<ConstantOf<Index>>(leg * stage.s);
    const bool has_halves = stage.radix % 2 == 0, is_steady = has_halves && half % stage.s == 0;
    if (is_steady && 2 * leg < stage.radix) return {on.number(ahead / half), p + ahead % half};
    const Index k = p + ahead;
    const Condition is_beside_0 = on.equal(k, all / 2);
    const Index back = on.select(is_beside_0, on.number(0), on.number(all) - k);
    const Condition is_low = on.less(k, all / 2);
    const Index mirrored = !has_halves ? on.select(is_low, k, back) : 2 * leg < stage.radix ? k : back;
    const Index low = mirrored % half, high = on.number(transpose_.rows - 1) - low;
    const Index row = !has_halves ? on.select(is_low, low, high) : 2 * leg < stage.radix ? low : high;
    return {mirrored / half, row};
}

/// Places in the second pass's order, as write() finds them and as its first stage reads them.
std::vector<AccessPattern> FusedPasses::transposed_patterns(SharedLayout::Counted counted) const {
    const std::uint32_t pitch = from_.layout.pitch(), s = from_.threads.last().s;
    const std::uint64_t rows = transpose_.rows, all_rows = rows * transpose_.ranks;
    std::vector<AccessPattern> all;
    from_.layout.add_patterns(from_.threads.last(), true, counted, all);
    for (AccessPattern& pattern : all) {
        std::erase_if(pattern, [&](std::uint32_t at) { return at % pitch >= all_rows; });
        for (std::uint32_t& at : pattern) {
            const std::uint32_t result = at % pitch;
            const auto in = in_transform<std::uint64_t>(from_.spec, at / pitch, 0);
            const std::uint64_t row = to_.shape.has_mirrors_in_group()
                                          ? mirrored_row(result % s, result / s, HostIndex{}).row
                                          : result % rows;
            const std::uint64_t number = in.transform * from_transform_ + row * from_row_ + in.beside;
            at = static_cast<std::uint32_t>(number * to_.layout.pitch() + in.sequence);
        }
    }
    std::erase_if(all, [](const AccessPattern& pattern) { return pattern.empty(); });
    to_.layout.add_patterns(to_.threads.first(), false, counted, all);
    return all;
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
    const CoreStage& stage = to_.threads.first();
    Registers& registers = next_.registers();
    registers.points.assign(stage.points(), {});
    CoreStage columns_of_next;  // the sequences, as points of the next pass: the first ones, if not all
    columns_of_next.butterflies = transpose_.columns * transpose_.ranks;
    columns_of_next.redistributes = columns_of_next.butterflies < to_.spec.n;
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

/// Result k of column q goes to row k: of a stage that ends a core k is p + leg s, p below s, so that where s divides
/// the rows of a group the rank and the way from the first leg's place are constants.
void FusedPasses::write(Component component) const {
    ir::Builder& build = frame_.builder;
    const CoreStage& stage = from_.threads.last();
    const std::vector<Complex>& points = first_.registers().points;
    const std::uint64_t rows = transpose_.rows, all_rows = rows * transpose_.ranks, all_columns = to_.layout.pitch();
    const bool is_steady = rows % stage.s == 0;
    const bool is_disjoint = std::has_single_bit(all_columns * rows * from_row_);
    const KernelIndex on{frame_, from_.sequences, 0};
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = from_.threads.butterfly(stage, u);
        const Value p = place_in_run(from_.shape, stage, where);
        const InTransform<Value> in = in_transform(from_.spec, where.sequence_in_group, frame_.u32(0));
        Value column = in.sequence;
        if (transpose_.ranks > 1) column = column + build.cluster_rank() * std::uint64_t{transpose_.columns};
        if (from_.shape.has_mirrors_in_group()) column = frame_.loop_index(from_.threads.sequence(where), 0);
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            const std::uint64_t ahead = std::uint64_t{leg} * stage.s;
            if (ahead >= all_rows) continue;
            const Complex& point = points[u * stage.radix + leg];
            if (to_.shape.has_mirrors_in_group()) {
                const RowOf<Value> row = mirrored_row(p, leg, on);
                const Value at = to_.layout.at(row.row * all_columns + column);
                from_.exchange.put_for(transpose_.ranks > 1 ? row.rank : Value{}, component, at, point, where.owns);
                continue;
            }
            const Value result = p + ahead;
            const Value row = in.transform * from_transform_ + (is_steady ? p : result % rows) * from_row_ + in.beside;
            const std::uint64_t constant = is_steady ? ahead % rows * from_row_ * all_columns : 0;
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
