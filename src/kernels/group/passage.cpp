#include "kernels/group/passage.hpp"

#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;
using Prefetch = FourStepTwiddle::Prefetch;

namespace {

/// What a number of a frame, or two side by side, are multiplied by before frames are added.
Complex windowed(Frame& frame, const Complex& x, const Place& place) {
    const Complex window = frame.table_entry(window_table(frame.spec, false), place.element, place.exists);
    return {x.re * window.re, frame.spec.out.is_real() ? x.im : x.im * window.im};
}

Complex product_of(const std::vector<Complex>& factors) {
    Complex all = factors.front();
    for (std::size_t i = 1; i < factors.size(); ++i) all = all * factors[i];
    return all;
}

}  // namespace

Value Passage::inside(const CoreStage& stage, std::uint64_t leg, Side side, const Place& place) const {
    const Value is_kept =
        keeps(stage, leg, side) == Keeps::all ? Value{} : frame_.kept(place.element, place.sequence, side);
    return both(lets_through(stage, leg, side) == Keeps::all ? Value{} : within(frame_, spec_.side(side).stages, place),
                is_kept);
}

/// Which of the elements from `leg` on, one for each butterfly, lie in one of the ranges of the axis's indices, in
/// whatever sequence.
Keeps Passage::lie_in(const std::vector<Range>& ranges, const AxisIndex& index, const CoreStage& stage,
                      std::uint64_t leg) const {
    std::uint64_t reach = 1;  // of the loop's indices
    if (index.loop >= 0) {
        const auto loop = static_cast<std::size_t>(index.loop);
        if (loop + 1 == spec_.loops.size()) return Keeps::some;  // a batch of any size
        reach += (spec_.loops[loop].count - 1 + skipped(spec_.loops[loop])) * index.loop_step;
    }
    const std::uint64_t begin = leg * index.element_stride;
    const std::uint64_t end = (leg + stage.butterflies - 1) * index.element_stride + reach;
    bool touches = false;
    for (const Range& range : ranges) {
        if (range.begin <= begin && end <= range.end) return Keeps::all;
        touches = touches || (range.begin < end && begin < range.end);
    }
    return touches ? Keeps::some : Keeps::none;
}

Keeps Passage::keeps(const CoreStage& stage, std::uint64_t leg, Side side) const {
    const Kept& which = spec_.side(side).kept;
    if (which.ranges.empty()) return Keeps::all;
    const Keeps kept = lie_in(which.ranges, {which.element_stride, which.loop, which.loop_step}, stage, leg);
    if (!which.own) return kept;
    const Keeps own = lie_in({*which.own}, {}, stage, leg);
    return kept == Keeps::none || own == Keeps::none ? Keeps::none : kept == own ? kept : Keeps::some;
}

/// Which of them the side's chirps let through.
Keeps Passage::lets_through(const CoreStage& stage, std::uint64_t leg, Side side) const {
    Keeps all = Keeps::all;
    for (const Stage& one : spec_.side(side).stages) {
        const auto* chirp = std::get_if<Chirp>(&one);
        if (!chirp || all == Keeps::none) continue;
        const Keeps own = lie_in({{0, chirp->length}}, {chirp->element_stride, chirp->loop, 1}, stage, leg);
        all = own == Keeps::none ? own : all == own ? all : Keeps::some;
    }
    return all;
}

bool Passage::is_empty(const CoreStage& stage, std::uint64_t leg, Side side) const {
    if (lets_through(stage, leg, side) == Keeps::none) return true;
    if (keeps(stage, leg, side) != Keeps::none) return false;
    return !spec_.side(side).has_halves() || keeps(stage, leg + spec_.n, side) == Keeps::none;
}

void Passage::pass_loaded(std::vector<Complex>& points) const {
    const CoreStage& stage = threads_.first();
    threads_.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
        if (is_empty(stage, std::uint64_t{leg} * stage.butterflies, Side::input)) return;
        points[i] = pass(Side::input, points[i], where, threads_.place(stage, where, leg), threads_.row_of(stage, i));
    });
}

Complex Passage::pass(Side side, Complex x, const ThreadButterfly& where, const Place& place, std::uint32_t row) const {
    for (const Stage& stage : spec_.side(side).stages) {
        const auto* twiddle = std::get_if<FourStepTwiddle>(&stage);
        std::vector<Complex> factors;
        if (twiddle && !spec_.movement_only) factors = row_factors(*twiddle, side, where, place, row);
        x = factors.empty() ? apply(frame_, {stage}, x, place) : x * product_of(factors);
    }
    return side == Side::output && spec_.overlap_add() ? windowed(frame_, x, place) : x;
}

/// What the twiddle of a row is the product of: what all rows share, then entries of the row below it that the step
/// divides and of what is left. Nothing: twiddle_rows has none.
std::vector<Complex> Passage::row_factors(const FourStepTwiddle& twiddle, Side side, const ThreadButterfly& where,
                                          const Place& place, std::uint32_t row) const {
    if (const auto all = side == Side::input ? transposed_twiddles(spec_, twiddle) : std::nullopt) {
        const Value at = place.element * std::uint64_t{all->blocks} + frame_.loop_index(place.sequence, twiddle.loop);
        return {frame_.table_entry(*all, at, place.exists)};
    }
    const std::vector<Stage>& stages = spec_.side(side).stages;
    const std::vector<BlockTwiddles> tables = twiddle_rows(spec_, twiddle, stages);
    if (tables.empty()) return {};
    const Value q = frame_.loop_index(place.sequence, twiddle.loop);
    // Of one table, or of one within a run of sequences and one of runs.
    const auto column = [&](const std::vector<BlockTwiddles>& all, const BlockTwiddles& table) {
        return all.size() == 1 ? q : table.block > 1 ? q / table.block : q % table.blocks;
    };
    std::vector<Complex> factors;
    if (const std::optional<CommonTwiddles> common = common_twiddles(spec_, twiddle, stages)) {
        for (const BlockTwiddles& table : common->tables) {
            const std::uint64_t blocks = table.blocks;
            const Value at =
                common->is_along ? q * blocks + where.lane : where.lane * blocks + column(common->tables, table);
            factors.push_back(frame_.table_entry(table, at, place.exists));
        }
    } else {
        const Value at = exponent(frame_, twiddle.length, where.lane, q);
        factors.push_back(power(frame_, twiddle.length, at, place.exists));
    }
    for (const BlockTwiddles& table : tables) {
        const std::uint32_t step = row_step(spec_, twiddle, table.rows);
        const Value at = column(tables, table);
        for (const std::uint32_t part : {row - row % step, row % step})
            if (part != 0)
                factors.push_back(frame_.table_entry(table, at + std::uint64_t{part} * table.blocks, place.exists));
    }
    return factors;
}

void Passage::fetch_row_factors() const {
    if (spec_.movement_only) return;
    const CoreStage& stage = threads_.first();
    for (const Stage& passed : spec_.in.stages) {
        const auto* twiddle = std::get_if<FourStepTwiddle>(&passed);
        if (!twiddle || twiddle->prefetch == Prefetch::nothing) continue;
        threads_.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
            const std::vector<Complex> factors =
                row_factors(*twiddle, Side::input, where, threads_.place(stage, where, leg), threads_.row_of(stage, i));
            if (twiddle->prefetch == Prefetch::products && !factors.empty()) product_of(factors);
        });
    }
}

}  // namespace seiche::kernels
