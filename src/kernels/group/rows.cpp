// Rows that a thread has whole (RowAccess::rows), of real numbers in pairs (paired_rows), two
// neighbouring ones to an access. Threads that load their own rows ask for a sector each, of which the first cache has
// what they ask for next; of longer rows it has not, and stores would be of parts of sectors: so that these pass
// through shared memory, and come from and go to memory in its order.
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

class WholeRows : Pass {
public:
    explicit WholeRows(const Pass& pass) : Pass(pass) {}
    void load_pairs(std::vector<Complex>& points) const;
    void load(std::vector<Complex>& points) const;
    void store(const std::vector<Complex>& points) const;

private:
    struct RowElement {
        Value row, sequence, element;  // of the group, of the launch, within it
        Value exists, live;            // in the group; of a row that there is
    };
    struct StoredNumbers {
        Value place, at;     // of a pair in shared memory; in memory
        Value exists, live;  // in the group; of a row that there is
        Value is_second;     // of the pair only this number is stored; empty: both are
        Complex pair;
    };
    Value pair_origin(Value sequence, Side side) const;
    RowElement row_element(std::uint64_t first, std::uint64_t each) const;
    template <class Visit>
    void at_own_rows(const CoreStage& stage, std::size_t each, std::uint32_t pitch, const Visit& visit) const;
    std::vector<StoredNumbers> stored_numbers() const;
    std::vector<Complex> row_pairs(const std::vector<Complex>& points) const;
};

/// In pairs.
Value WholeRows::pair_origin(Value sequence, Side side) const {
    std::vector<std::int64_t> strides;
    for (const Loop& loop : spec.loops)
        strides.push_back((side == Side::input ? loop.input_stride : loop.output_stride) / 2);
    const std::int64_t offset = spec.side(side).offset;
    return frame.distance(sequence, strides) + static_cast<std::uint64_t>(offset / 2);
}

void WholeRows::load_pairs(std::vector<Complex>& points) const {
    ir::Builder& build = frame.builder;
    const CoreStage& stage = threads.first();
    const ir::Type stored = build.kernel().buffers[frame.in].element;
    const Value zero = build.constant(frame.real, 0);
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = threads.butterfly(stage, u);
        const Value is_live = threads.exists(where), from = pair_origin(threads.sequence(where), Side::input);
        for (std::uint64_t j = 0; j < stage.radix / 2; ++j) {
            const Value pair = build.global_load(frame.in, from + j, stored, is_live);
            for (const unsigned lane : {0u, 1u})
                points.push_back({build.convert(build.extract(pair, lane), frame.real.scalar), zero});
        }
    }
}

/// Of as many elements of each row, number `first` plus the thread's, in memory's order.
WholeRows::RowElement WholeRows::row_element(std::uint64_t first, std::uint64_t each) const {
    ir::Builder& build = frame.builder;
    const std::uint64_t total = each * shape.sequences;
    const Value flat = build.thread_id() + first;
    RowElement of{flat / each, {}, flat % each, {}, {}};
    if (first + threads.launched() > total) of.exists = build.less(flat, frame.u32(total));
    of.sequence = sequences.first() + of.row;
    of.live = both(of.exists, frame.total ? build.less(of.sequence, frame.total) : Value{});
    return of;
}

/// At the places of the rows that threads have whole, as many elements of each: visit(place, which of its own, whether
/// there is one).
template <class Visit>
void WholeRows::at_own_rows(const CoreStage& stage, std::size_t each, std::uint32_t pitch, const Visit& visit) const {
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = threads.butterfly(stage, u);
        const Value row = where.sequence_in_group * std::uint64_t{pitch};
        for (std::size_t j = 0; j < each; ++j) visit(row + std::uint64_t{j}, u * each + j, where.exists);
    }
}

void WholeRows::load(std::vector<Complex>& points) const {
    ir::Builder& build = frame.builder;
    const CoreStage& stage = threads.first();
    const std::uint32_t each = elements_of_row(spec), pitch = pitch_of_rows(each);
    const ir::Type stored = build.kernel().buffers[frame.in].element;
    std::vector<RowElement> elements;
    std::vector<Complex> loaded, rows(std::size_t{stage.per_thread} * each);
    for (std::uint64_t first = 0; first < std::uint64_t{each} * shape.sequences; first += threads.launched()) {
        const RowElement& of = elements.emplace_back(row_element(first, each));
        const Value element = frame.widen(of.element);
        if (!spec.in.has_pairs()) {
            loaded.push_back(frame.load(frame.origin(of.sequence, Side::input) + element, 1, of.live));
            continue;
        }
        const Value pair =
            build.global_load(frame.in, pair_origin(of.sequence, Side::input) + element, stored, of.live);
        const auto number = [&](unsigned lane) { return build.convert(build.extract(pair, lane), frame.real.scalar); };
        loaded.push_back({number(0), number(1)});
    }
    for (const Round& round : exchange.rounds()) {
        exchange.wait_for_readers();
        for (const Component one : round.components)
            for (std::size_t i = 0; i < elements.size(); ++i)
                exchange.put(one, elements[i].row * std::uint64_t{pitch} + elements[i].element, loaded[i],
                             elements[i].exists);
        exchange.wait();
        for (const Component one : round.components)
            at_own_rows(stage, each, pitch,
                        [&](Value at, std::size_t i, Value exists) { exchange.get(one, at, rows[i], exists); });
    }
    const Value zero = build.constant(frame.real, 0);
    for (const Complex& element : rows) {
        if (!spec.in.has_pairs()) points.push_back(element);
        if (spec.in.has_pairs()) points.insert(points.end(), {{element.re, zero}, {element.im, zero}});
    }
}

/// In memory's order: pairs, or numbers of them.
std::vector<WholeRows::StoredNumbers> WholeRows::stored_numbers() const {
    ir::Builder& build = frame.builder;
    const bool are_pairs = spec.out.has_pairs();
    const std::uint64_t each = are_pairs ? spec.n / 2 : spec.n;
    std::vector<StoredNumbers> all;
    for (std::uint64_t first = 0; first < each * shape.sequences; first += threads.launched()) {
        const RowElement of = row_element(first, each);
        StoredNumbers numbers;
        numbers.exists = of.exists;
        // Pairs are of rows that are kept whole.
        numbers.live = are_pairs ? of.live : both(of.live, frame.kept(of.element, of.sequence, Side::output));
        const Value pair = are_pairs ? of.element : of.element >> 1;
        numbers.place = of.row * std::uint64_t{layout.pitch()} + pair;
        if (!are_pairs) numbers.is_second = build.compare(ir::Op::equal, of.element & std::uint64_t{1}, frame.u32(1));
        const Value from = are_pairs ? pair_origin(of.sequence, Side::output) : frame.origin(of.sequence, Side::output);
        numbers.at = from + frame.widen(of.element);
        all.push_back(numbers);
    }
    return all;
}

/// What rows' results are, two to a place.
std::vector<Complex> WholeRows::row_pairs(const std::vector<Complex>& points) const {
    const CoreStage& stage = threads.last();
    std::vector<Complex> pairs;
    threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
        const Place place = threads.place(stage, where, leg);
        const Value x = passage.pass(Side::output, points[i], where, place, threads.row_of(stage, i)).re;
        if (leg % 2 == 0)
            pairs.push_back({x, frame.builder.constant(frame.real, 0)});
        else
            pairs.back().im = x;
    });
    return pairs;
}

void WholeRows::store(const std::vector<Complex>& points) const {
    ir::Builder& build = frame.builder;
    const CoreStage& stage = threads.last();
    const std::vector<Complex> pairs = row_pairs(points);
    const std::size_t each = pairs.size() / stage.per_thread;
    std::vector<StoredNumbers> all = stored_numbers();
    for (const Round& round : exchange.rounds()) {
        exchange.wait();
        for (const Component one : round.components)
            at_own_rows(stage, each, layout.pitch(),
                        [&](Value at, std::size_t i, Value exists) { exchange.put(one, at, pairs[i], exists); });
        exchange.wait();
        for (const Component one : round.components)
            for (StoredNumbers& numbers : all) exchange.get(one, numbers.place, numbers.pair, numbers.exists);
    }
    const ir::Scalar stored = build.kernel().buffers[frame.out].element.scalar;
    for (const StoredNumbers& numbers : all) {
        const Complex& pair = numbers.pair;
        if (spec.out.has_pairs())
            build.global_store(frame.out, numbers.at, build.convert(build.compose({pair.re, pair.im}), stored),
                               numbers.live);
        else
            frame.store_real(numbers.at, build.select(numbers.is_second, pair.im, pair.re), numbers.live);
    }
}

}  // namespace

std::uint32_t elements_of_row(const KernelSpec& spec) { return spec.in.has_pairs() ? spec.n / 2 : spec.n; }
void load_pairs(const Pass& pass, std::vector<Complex>& points) { WholeRows(pass).load_pairs(points); }
void load_rows(const Pass& pass, std::vector<Complex>& points) { WholeRows(pass).load(points); }
void store_rows(const Pass& pass, const std::vector<Complex>& points) { WholeRows(pass).store(points); }

}  // namespace seiche::kernels
