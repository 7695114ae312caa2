#include "kernels/group/core_run.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/group/ways.hpp"
#include "kernels/sums.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

void CoreRun::run(std::size_t begin, std::size_t end) {
    const std::vector<CoreStage>& stages = threads.stages();
    for (std::size_t i = begin; i < end; ++i) {
        if (i > begin && !stages[i].keeps) exchange_points(i - 1, i);
        if (spec.movement_only) continue;
        compute(i);
        if (i + 1 < stages.size() && stages[i + 1].keeps && spec.convolution.channels.is_single()) turn();
    }
}

void CoreRun::run_loop(std::size_t first) {
    ir::Builder& build = frame.builder;
    exchange.mark_used();  // so that the second turn waits for those who may still read what the first one wrote
    const auto count = static_cast<std::uint32_t>(registers_.points.size());
    const std::uint32_t array = build.private_array("kept", frame.real, 2 * count + 2);
    const auto each = [&](const auto& body) {
        for (std::uint32_t i = 0; i < count; ++i) body(registers_.points[i], 2 * i);
        if (spec.convolution.prime) body(registers_.beside, 2 * count);
    };
    const auto keep = [&] {
        each([&](const Complex& point, std::uint32_t at) {
            build.private_store(array, frame.u32(at), point.re);
            build.private_store(array, frame.u32(at + 1), point.im);
        });
    };
    const auto fetch = [&] {
        each([&](Complex& point, std::uint32_t at) {
            point = {build.private_load(array, frame.u32(at), frame.real),
                     build.private_load(array, frame.u32(at + 1), frame.real)};
        });
    };
    keep();
    const Value turn_of_two = build.begin_loop(frame.u32(0), frame.u32(2), frame.u32(1));
    fetch();
    for (std::size_t i = first; i <= threads.turn(); ++i) {
        if (i > first) exchange_points(i - 1, i);
        if (!spec.movement_only) compute(i);
    }
    keep();
    build.begin_if(build.compare(ir::Op::equal, turn_of_two, frame.u32(0)));
    if (!spec.movement_only) turn();
    keep();
    build.end_if();
    build.end_loop();
    fetch();
}

/// Of butterfly u: entries of its stage's table, or products of those of the step below j and of what is
/// left.
Factors CoreRun::factors(const CoreStage& stage, std::uint32_t u) const {
    const std::uint32_t neighbours = shape.exchange.neighbours, own = u % neighbours;
    const ThreadButterfly where = threads.butterfly(stage, u - own);
    const Value p = place_in_run(shape, stage, where);
    const auto entry = [=, &frame = frame](const TableContent& table, std::size_t row) {
        const Value at = p + std::uint64_t{row} * stage.s;
        if (neighbours == 1) return frame.table_entry(table, at, where.exists);
        const Complex all = frame.table_run(table, at, neighbours);
        return Complex{frame.builder.extract(all.re, own), frame.builder.extract(all.im, own)};
    };
    if (merges_twiddles(spec, stage.radix))
        return [=](std::size_t row) { return entry(MergedTwiddles{stage.radix, stage.s, stage.copy}, row); };
    const bool has_products = shape.is_scalarised || shape.twiddle_products;
    const std::size_t step = has_products ? static_cast<std::size_t>(std::sqrt(stage.radix)) : 1;
    return [=](std::size_t j) {
        const StageTwiddles table{stage.radix, stage.s, 1, stage.copy};
        const std::size_t rest = j % step;
        if (rest == 0 || j < step) return entry(table, j - 1);
        return entry(table, j - rest - 1) * entry(table, rest - 1);
    };
}

/// The barrier hides what they take to come.
void CoreRun::fetch_factors(const CoreStage& stage) const {
    if (!shape.registers.prefetches_twiddles || stage.s == 1 || spec.movement_only ||
        !merges_twiddles(spec, stage.radix))
        return;
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const Factors factor = factors(stage, u);
        for (std::uint32_t row = 0; row < stage.radix / 2; ++row) factor(row);
    }
}

void CoreRun::compute(std::size_t i) {
    const CoreStage& stage = threads.stages()[i];
    if (stage.radix == 1) return;
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const auto begin = registers_.points.begin() + std::ptrdiff_t{u} * stage.radix;
        std::vector<Complex> x(begin, begin + stage.radix);
        const Products products = shape.is_scalarised ? Products::apart : Products::fused;
        if (stage.s == 1)
            x = butterfly(frame.builder, x, products);
        else if (merges_twiddles(spec, stage.radix))
            x = merged_butterfly(frame.builder, x, factors(stage, u));
        else
            x = butterfly(frame.builder, x, factors(stage, u), products);
        std::copy(x.begin(), x.end(), begin);
    }
}

/// Between the cores, in the registers of the thread that goes on with the points. Of a prime, only the thread with
/// frequency 0 has a point beside them; all others have 0 there.
void CoreRun::turn() {
    const CoreStage& stage = threads.stages()[threads.turn()];
    std::vector<Complex>& points = registers_.points;
    Complex& beside = registers_.beside;
    const Complex sum = points.front();
    if (spec.convolution.sums) begin_sums(frame, spec);
    threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
        const Value sequence = threads.sequence(where), element = threads.element(stage, where, leg);
        const Value entry = parity_ ? element + parity_ * std::uint64_t{spec.n} : element;
        points[i] = apply(frame, spec.convolution.stages, points[i], {entry, sequence, where.exists});
    });
    if (spec.convolution.sums) store_sums();
    if (!spec.convolution.prime) return;
    if (!parity_) {
        points.front() = points.front() + beside;
        beside = beside + sum;
        return;
    }
    const Value is_even = frame.builder.compare(ir::Op::equal, parity_, frame.u32(0));
    points.front() = points.front() + select(is_even, beside, frame.builder.complex_constant(frame.real, 0, 0));
    beside = select(is_even, beside + sum, beside);
}

/// Of the points that threads of a sequence, or of the group, have at the turn. A thread has points of one sequence.
void CoreRun::store_sums() {
    const CoreStage& stage = threads.stages()[threads.turn()];
    const ThreadButterfly where = threads.butterfly(stage, 0);
    const Value thread = frame.builder.thread_id();
    const std::uint32_t launched = threads.launched(), sums = sum_count(spec);
    const auto is_first = [&](Value position) { return frame.builder.compare(ir::Op::equal, position, frame.u32(0)); };
    if (spec.convolution.sums->of_group) {
        add_among_threads(frame, {launched, 1, thread, thread, launched});
        return store_partials(frame, frame.widen(sequences.group_id()) * std::uint64_t{sums}, is_first(thread));
    }
    const bool elements_first = stage.order != ThreadOrder::sequence_fastest;
    const Value position =
        elements_first ? thread % std::uint64_t{shape.threads} : thread / std::uint64_t{shape.sequences};
    add_among_threads(frame, {shape.threads, elements_first ? 1 : shape.sequences, position, thread, launched});
    store_partials(frame, frame.widen(threads.sequence(where)) * std::uint64_t{sums},
                   both(is_first(position), threads.exists(where)));
}

/// Whether each thread writes the places that it read for this stage: those of whole sequences.
bool CoreRun::rewrites_own_places(std::size_t stage) const {
    const std::vector<CoreStage>& stages = threads.stages();
    return stage > 0 && stages[stage].butterflies == 1 && !stages[stage].keeps &&
           !threads.takes_logarithms(stages[stage - 1]);
}

void CoreRun::exchange_points(std::size_t from, std::size_t to) {
    const CoreStage &stage = threads.stages()[from], &next = threads.stages()[to];
    Registers after{std::vector<Complex>(next.points()), registers_.beside};
    const std::vector<Round> all = exchange.rounds();
    for (const Round& round : all) {
        const bool overwrites_own = &round == &all.front() && rewrites_own_places(from);
        overwrites_own ? exchange.mark_used() : exchange.wait_for_readers();
        const Blocks blocks{round.chunk, layout.padding_behind(from)};
        for (const Component component : round.components) exchange.write(stage, next, component, registers_, blocks);
        if (&round == &all.back()) fetch_factors(next);
        exchange.wait();
        for (const Component component : round.components) exchange.read(next, stage, component, after, blocks);
    }
    registers_ = after;
}

namespace {

/// The sum of an input's products with its spectrum, for one output.
void add_products(const Pass& pass, const SpectrumProduct& product_stage, std::uint64_t start, bool is_first,
                  const std::vector<Complex>& points, std::vector<Complex>& sum) {
    Frame& frame = pass.frame;
    const CoreStage& last = pass.threads.stages()[pass.threads.turn()];
    pass.threads.for_each_point(last, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
        const Value element = pass.threads.element(last, where, leg);
        Complex own = points[i];
        if (!pass.spec.movement_only) {
            const Value at = frame.spectrum_address(product_stage, element, pass.threads.sequence(where)) + start;
            own = product(frame, product_stage, own, frame.spectrum_run(at, 1, pass.threads.exists(where)));
        }
        is_first ? sum.push_back(own) : void(sum[i] = sum[i] + own);
    });
}

}  // namespace

void run_channels(const Pass& pass) {
    const CyclicConvolution& convolution = pass.spec.convolution;
    const Channels& channels = convolution.channels;
    const auto& stage = std::get<SpectrumProduct>(convolution.stages.front());
    const std::vector<Stage> rest(convolution.stages.begin() + 1, convolution.stages.end());
    const std::size_t second = pass.threads.turn() + 1;
    std::vector<std::vector<Complex>> sums(channels.outputs);
    Registers registers;
    for (std::uint32_t input = 0; input < channels.inputs; ++input) {
        pass.sequences.choose_channel(input);
        load_points(pass, registers);
        CoreRun(pass, registers).run(0, second);
        for (std::uint32_t output = 0; output < channels.outputs; ++output)
            add_products(pass, stage, channels.spectrum(output, input) * channels.spectrum_stride, input == 0,
                         registers.points, sums[output]);
    }
    for (std::uint32_t output = 0; output < channels.outputs; ++output) {
        pass.sequences.choose_channel(output);
        registers.points = sums[output];
        for (Complex& point : registers.points) point = apply(pass.frame, rest, point, {});
        CoreRun(pass, registers).run(second, pass.threads.stages().size());
        store_points(pass, registers);
    }
}

}  // namespace seiche::kernels
