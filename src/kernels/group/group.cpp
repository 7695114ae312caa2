// The GPU core: Stockham's autosort transform with the points in registers and shared memory for exchange only
// (Stockham, "High-speed convolution and correlation", 1966; Govindaraju et al., "High performance discrete Fourier
// transforms on graphics processors", 2008).
//
// A stage of radix r has n/r butterflies. Butterfly b = q s + p (s: product of the radices before) takes points b + j
// n/r and leaves its results at q r s + k s + p. Every stage may deal its butterflies to the threads in another order.
//
// A convolution runs the core twice (Bluestein, "A linear filtering approach to the computation of discrete Fourier
// transform", 1970; Rader, "Discrete Fourier transforms when the number of data samples is prime", 1968). The second
// run begins with the radix that ended the first, so that a thread goes on with the points that it has.
#include "kernels/group/group.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "kernels/butterfly.hpp"
#include "kernels/generators.hpp"
#include "kernels/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

GroupKernel::GroupKernel(const KernelSpec& spec, Frame frame)
    : frame_(std::move(frame)), spec_(spec), shape_(std::get<GroupShape>(spec.shape)) {
    group_size_ = shape_.threads * shape_.sequences;
    if (spec.is_second()) {
        launched_ = frame_.builder.kernel().launch.group[0];
    } else {
        launched_ = threads_of_group(spec);
        if (leaves_registers())
            frame_.builder.bound_threads(launched_);
        else
            frame_.builder.kernel().launch.group = {launched_, 1, 1};
    }
    if (fills_registers()) frame_.builder.keep_products();
    ir::LaunchAttributes& launch = frame_.builder.kernel().launch;
    launch.cluster = {shape_.groups_per_cluster, 1, 1};
    launch.min_groups_per_unit = shape_.min_groups_per_unit;
    deal_stages();
}

/// Where groups are to fill a unit with threads, each has 32 registers: there stages make an index anew, where the
/// compiler would put aside what folded ones share. So it would of columns that meet, which have two indices each, in
/// clusters and in the largest groups: 16 bytes of r2c of 2^17 numbers (none), 192 of 2^22 (80).
bool GroupKernel::leaves_registers() const {
    constexpr std::uint32_t threads_of_unit = 2048, largest_group = 1024;
    const auto meet = [](const KernelSpec& spec) { return std::get<GroupShape>(spec.shape).has_mirrors_in_group(); };
    const bool have_two = meet(spec_) || (!spec_.on_chip.next.empty() && meet(spec_.on_chip.next.front()));
    if (have_two && (shape_.groups_per_cluster > 1 || group_size_ >= largest_group)) return false;
    return !shape_.rematerialises_indices && shape_.min_groups_per_unit * group_size_ < threads_of_unit;
}

/// Columns of doubles of a prime whose threads have a radix of 23 or more: with rows' addresses in registers 1381
/// points spilled 100 bytes (16) and 3163 308 (256), on an H100 0.93 and 0.88 times as fast.
bool GroupKernel::fills_registers() const {
    constexpr std::uint32_t large = 23;
    return spec_.convolution.prime != 0 && spec_.precision == Precision::f64 &&
           shape_.load_order == ThreadOrder::sequence_fastest &&
           std::any_of(spec_.radices.begin(), spec_.radices.end(), [](std::uint32_t r) { return r >= large; });
}

ir::Kernel GroupKernel::build() {
    if (!spec_.pipeline.next.empty()) return build_trailing();
    if (!spec_.on_chip.next.empty()) return build_fused();
    choose_exchange();
    if (!spec_.convolution.channels.is_single()) {
        run_channels();
        return frame_.builder.finish();
    }
    run_once();
    if (loads_parts_of_lines()) hint_loads(ir::CacheHint::line);
    return frame_.builder.finish();
}

/// Runs that are parts of a cache's lines, whose rest other groups load at the same time. On an H100, of copy: 2^22
/// points, whose runs are sectors, 0.44 and 0.46, 4096 x 4096 0.41 and 0.42, 2^26 as 2048 x 256 x 128 0.37 and 0.386.
bool GroupKernel::loads_parts_of_lines() const {
    constexpr std::uint32_t line = 128;
    const Loop& fastest = spec_.loops.front();
    return shape_.load_order == ThreadOrder::sequence_fastest && !spec_.in.map() && !spec_.in.bins() &&
           fastest.input_stride == 1 && fastest.count > shape_.sequences &&
           shape_.sequences * access_bytes(spec_, true) < line;
}

/// Of points, all that there are by now.
void GroupKernel::hint_loads(ir::CacheHint hint) {
    for (ir::Instruction& i : frame_.builder.kernel().code)
        if (i.op == ir::Op::global_load &&
            (i.symbol == frame_.in || (spec_.in.is_planar() && i.symbol == frame_.in_imag)))
            i.hint = hint;
}

void GroupKernel::run_once() {
    spec_.in.map() ? load_real() : load();
    if (shape_.pairs_in_turn() != 0)
        run_in_places();
    else if (splits_parity(spec_))
        run_parity();
    else if (shape_.has_core_loop())
        run_core_in_loop();
    else
        run_stages(0, stages_.size());
    spec_.out.map() ? store_real() : store();
}

void GroupKernel::run_stages(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (i > 0 && !keeps_points(i)) exchange(i - 1, i);
        if (spec_.movement_only) continue;
        compute(i);
        if (is_convolution_ && i == turn_ && spec_.convolution.channels.is_single()) turn();
    }
}

/// The second run of a convolution's core is the first one's text: between the turns of the loop points are registers.
void GroupKernel::run_core_in_loop() {
    const std::size_t first = stages_.front().is_deal ? 1 : 0;
    run_stages(0, first);
    if (first != 0) exchange(0, first);
    run_turns(first);
    if (stages_.back().is_deal) exchange(stages_.size() - 2, stages_.size() - 1);
}

/// From the points of stage `first` on.
void GroupKernel::run_turns(std::size_t first) {
    ir::Builder& build = frame_.builder;
    exchanged_ = true;  // so that the second turn waits for those who may still read what the first one wrote
    const auto count = static_cast<std::uint32_t>(points_.size());
    const std::uint32_t registers = build.private_array("kept", frame_.real, 2 * count + 2);
    const auto each = [&](const auto& body) {
        for (std::uint32_t i = 0; i < count; ++i) body(points_[i], 2 * i);
        if (spec_.convolution.prime) body(beside_, 2 * count);
    };
    const auto keep = [&] {
        each([&](const Complex& point, std::uint32_t at) {
            build.private_store(registers, frame_.u32(at), point.re);
            build.private_store(registers, frame_.u32(at + 1), point.im);
        });
    };
    const auto fetch = [&] {
        each([&](Complex& point, std::uint32_t at) {
            point = {build.private_load(registers, frame_.u32(at), frame_.real),
                     build.private_load(registers, frame_.u32(at + 1), frame_.real)};
        });
    };
    keep();
    const Value turn_of_two = build.begin_loop(frame_.u32(0), frame_.u32(2), frame_.u32(1));
    fetch();
    for (std::size_t i = first; i <= turn_; ++i) {
        if (i > first) exchange(i - 1, i);
        if (!spec_.movement_only) compute(i);
    }
    keep();
    build.begin_if(build.compare(ir::Op::equal, turn_of_two, frame_.u32(0)));
    if (!spec_.movement_only) turn();
    keep();
    build.end_if();
    build.end_loop();
    fetch();
}

/// One input after the other adds its products to the sums for the outputs, which stay in registers; then one output
/// after the other goes through the second core.
void GroupKernel::run_channels() {
    const auto& stage = std::get<SpectrumProduct>(spec_.convolution.stages.front());
    const StageDeal& last = stages_[turn_];
    const std::vector<Stage> rest(spec_.convolution.stages.begin() + 1, spec_.convolution.stages.end());
    std::vector<std::vector<Complex>> sums(spec_.convolution.channels.outputs);
    for (channel_ = 0; channel_ < spec_.convolution.channels.inputs; ++channel_) {
        points_.clear();
        load();
        run_stages(0, turn_ + 1);
        for (std::uint32_t output = 0; output < spec_.convolution.channels.outputs; ++output) {
            std::vector<Complex>& sum = sums[output];
            const std::uint64_t start =
                spec_.convolution.channels.spectrum(output, channel_) * spec_.convolution.channels.spectrum_stride;
            for (std::uint32_t u = 0; u < last.slots; ++u) {
                const Slot where = slot(last, u);
                for (std::uint32_t k = 0; k < last.radix; ++k) {
                    const Value element = where.butterfly + std::uint64_t{k} * last.butterflies;
                    const Complex& x = points_[u * last.radix + k];
                    Complex own = x;
                    if (!spec_.movement_only) {
                        const Value at = frame_.spectrum_address(stage, element, sequence(where)) + start;
                        own = product(frame_, stage, x, frame_.spectrum_run(at, 1, exists(where)));
                    }
                    channel_ == 0 ? sum.push_back(own) : void(sum[u * last.radix + k] = sum[u * last.radix + k] + own);
                }
            }
        }
    }
    for (channel_ = 0; channel_ < spec_.convolution.channels.outputs; ++channel_) {
        points_ = sums[channel_];
        for (Complex& point : points_) point = apply(frame_, rest, point, {});
        run_stages(turn_ + 1, stages_.size());
        store();
    }
}

Value GroupKernel::origin(Value sequence, Side side) {
    const std::uint64_t stride =
        side == Side::input ? spec_.convolution.channels.input_stride : spec_.convolution.channels.output_stride;
    return frame_.origin(sequence, side) + channel_ * stride;
}

void GroupKernel::deal_stages() {
    is_convolution_ = !spec_.convolution.stages.empty();
    const std::vector<std::vector<std::uint32_t>> runs = core_runs(spec_);
    if (is_convolution_ && spec_.n > 1 && spec_.radices.front() == 1) add_deal(true);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        turn_ = stages_.size() - 1;
        add_core(runs[run], twiddle_copy(spec_, run));
    }
    if (is_convolution_ && spec_.n > 1 && spec_.radices.back() == 1) add_deal(false);
    for (const bool input : {true, false}) {
        StageDeal& end = input ? stages_.front() : stages_.back();
        deal_kept_points(end, input);
        if (is_mirrored(spec_, input)) end.pairing = Pairing::mirrored;
        if (has_pairs_in_thread(spec_, input)) end.pairing = Pairing::opposite;
        if (shape_.has_mirrors_in_group() && spec_.side(input).folded()) end.pairing = Pairing::mirrored;
        if (const auto& bins = spec_.side(input).bins(); bins && !is_of_plane(*bins)) end.pairing = Pairing::columns;
    }
    for (StageDeal& stage : stages_) {
        stage.slots = slots_of(stage);
        // A prime's core is one from end to end: the points beside it stay in their thread.
        const bool ends = &stage == &stages_.back() && !(spec_.convolution.prime && spec_.out.map());
        stage.order = ends ? shape_.store_order : shape_.load_order;
        const bool may_be_flat =
            stage.is_deal ? shape_.sequences > 1 : stage.radix == 1 && spec_.n % shape_.threads == 0;
        if (stage.order == ThreadOrder::flat && !may_be_flat) stage.order = ThreadOrder::element_fastest;
    }
    check_orders();
    power_of_two_ = std::has_single_bit(spec_.n);
    pitch_ = places_of_sequence();
}

/// Butterflies that a thread has.
std::uint32_t GroupKernel::slots_of(const StageDeal& stage) const {
    const auto each = [&](std::uint32_t count) {
        return (count + stride() - 1) / stride() * shape_.exchange.neighbours;
    };
    return stage.pairing == Pairing::none ? each(stage.butterflies) : 2 * each((stage.butterflies + 1) / 2);
}

void GroupKernel::add_core(const std::vector<std::uint32_t>& radices, std::uint32_t copy) {
    std::uint32_t s = 1;
    for (const std::uint32_t radix : radices) {
        StageDeal stage;
        stage.radix = radix;
        stage.s = s;
        stage.butterflies = spec_.n / radix;
        stage.copy = copy;
        s *= radix;
        stages_.push_back(stage);
    }
}

/// A stage of radix 1 that has fewer points than the core.
void GroupKernel::deal_kept_points(StageDeal& end, bool input) const {
    const std::uint32_t points = dealt_points(spec_, input);
    if (stages_.size() == 1 || end.radix != 1 || points >= end.butterflies) return;
    end.butterflies = points;
    end.is_deal = true;
}

void GroupKernel::add_deal(bool input) {
    StageDeal stage;
    stage.butterflies = dealt_points(spec_, input);
    stage.is_deal = true;
    stages_.push_back(stage);
}

void GroupKernel::check_orders() const {
    const bool one_turns = is_convolution_ && stages_[turn_].order != stages_[turn_ + 1].order;
    if (one_turns || (stages_.size() == 1 && shape_.load_order != shape_.store_order)) {
        throw InternalError("kernel '" + spec_.name + "': one stage cannot load and store in different orders");
    }
}

GroupKernel::Slot GroupKernel::slot(const StageDeal& stage, std::uint32_t u) {
    const Value thread = frame_.builder.thread_id();
    if (stage.order == ThreadOrder::flat) {
        const std::uint64_t points = stage.butterflies;
        const Value flat = thread + std::uint64_t{u} * group_size_;
        Slot result{flat / points, flat % points, {}, {}, {}, {}, flat};
        if (std::uint64_t{u + 1} * group_size_ > points * shape_.sequences) {
            result.exists = frame_.builder.less(flat, frame_.u32(points * shape_.sequences));
        }
        result.exists = both(result.exists, is_at_work());
        result.owns = result.exists;
        return result;
    }
    const bool elements_first = stage.order == ThreadOrder::element_fastest;
    const std::uint64_t threads = shape_.threads, sequences = shape_.sequences, neighbours = shape_.exchange.neighbours;
    const Value lane = elements_first ? thread % threads : thread / sequences;
    Slot result;
    result.sequence_in_group = elements_first ? thread / threads : thread % sequences;
    result.lane = lane * neighbours + frame_.u32(u % neighbours);
    if (stage.pairing != Pairing::none) return paired_slot(stage, u, result);
    const std::uint64_t row = u / neighbours;
    result.block = lane + row * threads;
    result.butterfly = result.lane + row * stride();
    if ((row + 1) * stride() > stage.butterflies) {
        result.exists = frame_.builder.less(result.block, frame_.u32(stage.butterflies / neighbours));
    }
    result.exists = both(result.exists, is_at_work());
    result.owns = result.exists;
    return result;
}

/// The thread is one of those that the pass has; empty: all are.
Value GroupKernel::is_at_work() {
    return group_size_ < launched_ ? frame_.builder.less(frame_.builder.thread_id(), frame_.u32(group_size_)) : Value{};
}

/// Empty where all points from `leg` on are let through by chirps and kept.
Value GroupKernel::inside(const StageDeal& stage, std::uint64_t leg, const std::vector<Stage>& side,
                          const Place& place) {
    const Side where = &side == &spec_.in.stages ? Side::input : Side::output;
    const Value is_kept =
        keeps(stage, leg, where) == Keeps::all ? Value{} : frame_.kept(place.element, place.sequence, where);
    return both(lets_through(stage, leg, side) == Keeps::all ? Value{} : within(frame_, side, place), is_kept);
}

/// Which of the elements from `leg` on, one for each butterfly, lie in one of the ranges of the axis's indices, in
/// whatever sequence.
GroupKernel::Keeps GroupKernel::lie_in(const std::vector<Range>& ranges, const AxisIndex& index, const StageDeal& stage,
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

/// Which of the points from `leg` on, one for each butterfly, are kept.
GroupKernel::Keeps GroupKernel::keeps(const StageDeal& stage, std::uint64_t leg, Side side) const {
    const Kept& which = spec_.side(side).kept;
    if (which.ranges.empty()) return Keeps::all;
    const Keeps kept = lie_in(which.ranges, {which.element_stride, which.loop, which.loop_step}, stage, leg);
    if (!which.own) return kept;
    const Keeps own = lie_in({*which.own}, {}, stage, leg);
    return kept == Keeps::none || own == Keeps::none ? Keeps::none : kept == own ? kept : Keeps::some;
}

/// Which of them the side's chirps let through.
GroupKernel::Keeps GroupKernel::lets_through(const StageDeal& stage, std::uint64_t leg,
                                             const std::vector<Stage>& side) const {
    Keeps all = Keeps::all;
    for (const Stage& one : side) {
        const auto* chirp = std::get_if<Chirp>(&one);
        if (!chirp || all == Keeps::none) continue;
        const Keeps own = lie_in({{0, chirp->length}}, {chirp->element_stride, chirp->loop, 1}, stage, leg);
        all = own == Keeps::none ? own : all == own ? all : Keeps::some;
    }
    return all;
}

void GroupKernel::load() {
    if (spec_.in.bins()) {
        is_of_plane(*spec_.in.bins()) ? load_plane() : load_bins();
        pass_loaded();
        return;
    }
    if (shape_.has_mirrors_in_group() && spec_.in.folded()) {
        load_columns();
        pass_loaded();
        return;
    }
    if (spec_.in.has_rows()) {
        load_rows();
        pass_loaded();
        return;
    }
    if (spec_.in.has_pairs()) {
        load_pairs();
        pass_loaded();
        return;
    }
    if (moves_neighbours(Side::input)) {
        load_neighbours();
        pass_loaded();
        return;
    }
    load_points();
    pass_loaded();
}

/// Each point by itself.
void GroupKernel::load_points() {
    const StageDeal& stage = stages_.front();
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const bool in_run = is_one_run(stage, Side::input);
        const Value sequence_index = sequence(where);
        const Value is_live = in_run ? exists_in_run(stage, u) : exists(where);
        const Value origin = in_run ? Value{} : this->origin(sequence_index, Side::input);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            if (is_empty(stage, leg, Side::input)) {
                points_.push_back(frame_.builder.complex_constant(frame_.real, 0, 0));
                continue;
            }
            const Place place{where.butterfly + leg, sequence_index, is_live};
            if (spec_.in.has_halves()) {
                points_.push_back(load_halves(stage, leg, where, place));
                continue;
            }
            const Value predicate = both(is_live, inside(stage, leg, spec_.in.stages, place));
            if (spec_.in.folded()) {
                points_.push_back(load_folded({place, leg, leg + stage.butterflies, origin, predicate}));
                continue;
            }
            const Value at =
                in_run ? address_in_run(where, Side::input) : frame_.address(origin, where.butterfly, leg, Side::input);
            points_.push_back(frame_.load(at, 1, predicate));
        }
    }
}

/// Through the load stages.
void GroupKernel::pass_loaded() {
    const StageDeal& stage = stages_.front();
    std::size_t at = 0;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        for (std::uint32_t j = 0; j < stage.radix; ++j, ++at) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            if (is_empty(stage, leg, Side::input)) continue;
            const Place place{where.butterfly + std::uint64_t{j} * stage.butterflies, sequence(where), exists(where)};
            points_[at] = pass_through(spec_.in.stages, points_[at], where, place, row_of(stage, u, j));
        }
    }
}

Complex GroupKernel::product_of(const std::vector<Complex>& factors) {
    Complex all = factors.front();
    for (std::size_t i = 1; i < factors.size(); ++i) all = all * factors[i];
    return all;
}

/// `row`: the point is element lane + stride() row of its sequence.
Complex GroupKernel::pass_through(const std::vector<Stage>& side, Complex x, const Slot& where, const Place& place,
                                  std::uint32_t row) {
    for (const Stage& stage : side) {
        const auto* twiddle = std::get_if<FourStepTwiddle>(&stage);
        std::vector<Complex> factors;
        if (twiddle && !spec_.movement_only) factors = row_factors(*twiddle, side, where, place, row);
        x = factors.empty() ? apply(frame_, {stage}, x, place) : x * product_of(factors);
    }
    return x;
}

/// What the twiddle of a row is the product of: what all rows share, then entries of the row below it that the step
/// divides and of what is left. Nothing: twiddle_rows has none.
std::vector<Complex> GroupKernel::row_factors(const FourStepTwiddle& twiddle, const std::vector<Stage>& side,
                                              const Slot& where, const Place& place, std::uint32_t row) {
    const std::vector<BlockTwiddles> tables = twiddle_rows(spec_, twiddle, side);
    if (tables.empty()) return {};
    const Value q = frame_.loop_index(place.sequence, twiddle.loop);
    // Of one table, or of one within a run of sequences and one of runs.
    const auto column = [&](const std::vector<BlockTwiddles>& all, const BlockTwiddles& table) {
        return all.size() == 1 ? q : table.block > 1 ? q / table.block : q % table.blocks;
    };
    std::vector<Complex> factors;
    if (const std::optional<CommonTwiddles> common = common_twiddles(spec_, twiddle, side)) {
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

/// Of the butterfly in slot u: entries of its stage's table, or products of those of the step below j and of what is
/// left.
Factors GroupKernel::factors(const StageDeal& stage, std::uint32_t u) {
    const std::uint32_t neighbours = shape_.exchange.neighbours, own = u % neighbours;
    const Slot where = slot(stage, u - own);
    const Value p = place_in_run(stage, where);
    const auto entry = [=, this](const TableContent& table, std::size_t row) {
        const Value at = p + std::uint64_t{row} * stage.s;
        if (neighbours == 1) return frame_.table_entry(table, at, where.exists);
        const Complex all = frame_.table_run(table, at, neighbours);
        return Complex{frame_.builder.extract(all.re, own), frame_.builder.extract(all.im, own)};
    };
    if (merges_twiddles(spec_, stage.radix))
        return [=](std::size_t row) { return entry(MergedTwiddles{stage.radix, stage.s, stage.copy}, row); };
    const bool has_products = shape_.is_scalarised || shape_.twiddle_products;
    const std::size_t step = has_products ? static_cast<std::size_t>(std::sqrt(stage.radix)) : 1;
    return [=](std::size_t j) {
        const StageTwiddles table{stage.radix, stage.s, 1, stage.copy};
        const std::size_t rest = j % step;
        if (rest == 0 || j < step) return entry(table, j - 1);
        return entry(table, j - rest - 1) * entry(table, rest - 1);
    };
}

/// While points lie in shared memory, their registers have room for the factors, and the barrier hides what those take
/// to come. Kernels of two passes need the room for what the passes share: 2^15 points, fused in clusters, take 2 %
/// longer so, and f64 100000, trailing, 4 %; alone 2^14 points take 3 % less and c2r of 8192 numbers 19 %. Of f64 the
/// factors spill.
void GroupKernel::fetch_factors(const StageDeal& stage) {
    const bool is_of_two = spec_.is_second() || !spec_.on_chip.next.empty() || spec_.slices.sequences != 0;
    const bool has_room = !is_of_two && type_bytes(frame_.real) <= 4;
    if (!has_room || stage.s == 1 || spec_.movement_only || !merges_twiddles(spec_, stage.radix)) return;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Factors factor = factors(stage, u);
        for (std::uint32_t row = 0; row < stage.radix / 2; ++row) factor(row);
    }
}

void GroupKernel::compute(std::size_t i) {
    const StageDeal& stage = stages_[i];
    if (stage.radix == 1) return;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const auto begin = points_.begin() + std::ptrdiff_t{u} * stage.radix;
        std::vector<Complex> x(begin, begin + stage.radix);
        const Products products = shape_.is_scalarised ? Products::apart : Products::fused;
        if (stage.s == 1)
            x = butterfly(frame_.builder, x, products);
        else if (merges_twiddles(spec_, stage.radix))
            x = merged_butterfly(frame_.builder, x, factors(stage, u));
        else
            x = butterfly(frame_.builder, x, factors(stage, u), products);
        std::copy(x.begin(), x.end(), begin);
    }
}

/// Between the cores, in the registers of the thread that goes on with the points. Of a prime, only the thread with
/// frequency 0 has a point beside them; all others have 0 there.
void GroupKernel::turn() {
    const StageDeal& stage = stages_[turn_];
    const Complex sum = points_.front();
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value sequence_index = sequence(where);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const Value element = where.butterfly + std::uint64_t{k} * stage.butterflies;
            Complex& point = points_[u * stage.radix + k];
            const Value entry = parity_ ? element + parity_ * std::uint64_t{spec_.n} : element;
            point = apply(frame_, spec_.convolution.stages, point, {entry, sequence_index, where.exists});
        }
    }
    if (!spec_.convolution.prime) return;
    if (!parity_) {
        points_.front() = points_.front() + beside_;
        beside_ = beside_ + sum;
        return;
    }
    const Value is_even = frame_.builder.compare(ir::Op::equal, parity_, frame_.u32(0));
    points_.front() = points_.front() + select(is_even, beside_, frame_.builder.complex_constant(frame_.real, 0, 0));
    beside_ = select(is_even, beside_ + sum, beside_);
}

void GroupKernel::store() {
    if (spec_.out.bins()) {
        is_of_plane(*spec_.out.bins()) ? store_plane() : store_bins();
        return;
    }
    if (shape_.has_mirrors_in_group() && spec_.out.folded()) {
        store_columns();
        return;
    }
    if (spec_.out.has_rows()) {
        store_rows();
        return;
    }
    if (moves_neighbours(Side::output)) {
        store_neighbours();
        return;
    }
    const StageDeal& stage = stages_.back();
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const bool in_run = is_one_run(stage, Side::output);
        const Value sequence_index = sequence(where);
        const Value is_live = in_run ? exists_in_run(stage, u) : exists(where);
        const Value origin = in_run ? Value{} : this->origin(sequence_index, Side::output);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
            if (is_empty(stage, leg, Side::output)) continue;
            const Place place{where.butterfly + leg, sequence_index, is_live};
            const Complex& point = points_[u * stage.radix + k];
            const Complex y = pass_through(spec_.out.stages, point, where, place, row_of(stage, u, k));
            if (spec_.out.has_halves()) {
                store_halves(stage, leg, where, place, y);
                continue;
            }
            const Value predicate = both(is_live, inside(stage, leg, spec_.out.stages, place));
            if (spec_.out.folded()) {
                store_folded({place, leg, leg + stage.butterflies, origin, predicate}, y);
                continue;
            }
            const Value at = in_run ? address_in_run(where, Side::output)
                                    : frame_.address(origin, where.butterfly, leg, Side::output);
            frame_.store(at, y, predicate);
        }
    }
}

ir::Kernel generate_group(const KernelSpec& spec) { return GroupKernel(spec).build(); }

}  // namespace seiche::kernels
