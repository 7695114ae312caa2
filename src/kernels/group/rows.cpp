// Rows that a thread has whole (RowAccess::rows), of real numbers in pairs (paired_rows), two
// neighbouring ones to an access. Threads that load their own rows ask for a sector each, of which the first cache has
// what they ask for next; of longer rows it has not, and stores would be of parts of sectors: so that these pass
// through shared memory, and come from and go to memory in its order.
#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// In pairs.
Value GroupKernel::pair_origin(Value sequence, Side side) {
    std::vector<std::int64_t> strides;
    for (const Loop& loop : spec_.loops)
        strides.push_back((side == Side::input ? loop.input_stride : loop.output_stride) / 2);
    const std::int64_t offset = spec_.side(side).offset;
    return frame_.distance(sequence, strides) + static_cast<std::uint64_t>(offset / 2);
}

void GroupKernel::load_pairs() {
    ir::Builder& build = frame_.builder;
    const StageDeal& stage = stages_.front();
    const ir::Type stored = build.kernel().buffers[frame_.in].element;
    const Value zero = build.constant(frame_.real, 0);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value is_live = exists(where), from = pair_origin(sequence(where), Side::input);
        for (std::uint64_t j = 0; j < stage.radix / 2; ++j) {
            const Value pair = build.global_load(frame_.in, from + j, stored, is_live);
            for (const unsigned lane : {0u, 1u})
                points_.push_back({build.convert(build.extract(pair, lane), frame_.real.scalar), zero});
        }
    }
}

/// From one row's pairs in shared memory to the next one's: an odd count meets in no bank twice.
std::uint32_t GroupKernel::pitch_of_rows(std::uint32_t elements) { return elements | 1; }

/// Of as many elements of each row, number `first` plus the thread's, in memory's order.
GroupKernel::RowElement GroupKernel::row_element(std::uint64_t first, std::uint64_t each) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t total = each * shape_.sequences;
    const Value flat = build.thread_id() + first;
    RowElement of{flat / each, {}, flat % each, {}, {}};
    if (first + launched_ > total) of.exists = build.less(flat, frame_.u32(total));
    of.sequence = first_sequence() + of.row;
    of.live = both(of.exists, frame_.total ? build.less(of.sequence, frame_.total) : Value{});
    return of;
}

/// At the places of the rows that threads have whole, as many elements of each: what(place, which of its own, whether
/// there is one).
void GroupKernel::at_own_rows(const StageDeal& stage, std::size_t each, std::uint32_t pitch,
                              const std::function<void(Value, std::size_t, Value)>& what) {
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value row = where.sequence_in_group * std::uint64_t{pitch};
        for (std::size_t j = 0; j < each; ++j) what(row + std::uint64_t{j}, u * each + j, where.exists);
    }
}

/// Elements of a row as they come: points, or pairs of numbers.
std::uint32_t GroupKernel::elements_of_row() const { return spec_.in.has_pairs() ? spec_.n / 2 : spec_.n; }

void GroupKernel::load_rows() {
    ir::Builder& build = frame_.builder;
    const StageDeal& stage = stages_.front();
    const std::uint32_t each = elements_of_row(), pitch = pitch_of_rows(each);
    const ir::Type stored = build.kernel().buffers[frame_.in].element;
    std::vector<RowElement> elements;
    std::vector<Complex> loaded, rows(std::size_t{stage.slots} * each);
    for (std::uint64_t first = 0; first < std::uint64_t{each} * shape_.sequences; first += launched_) {
        const RowElement& of = elements.emplace_back(row_element(first, each));
        const Value element = frame_.widen(of.element);
        if (!spec_.in.has_pairs()) {
            loaded.push_back(frame_.load(frame_.origin(of.sequence, Side::input) + element, 1, of.live));
            continue;
        }
        const Value pair =
            build.global_load(frame_.in, pair_origin(of.sequence, Side::input) + element, stored, of.live);
        const auto number = [&](unsigned lane) { return build.convert(build.extract(pair, lane), frame_.real.scalar); };
        loaded.push_back({number(0), number(1)});
    }
    for (const Round& round : rounds()) {
        if (exchanged_) build.group_barrier();
        exchanged_ = true;
        for (const Part part : round.parts)
            for (std::size_t i = 0; i < elements.size(); ++i)
                put(part, elements[i].row * std::uint64_t{pitch} + elements[i].element, loaded[i], elements[i].exists);
        build.group_barrier();
        for (const Part part : round.parts)
            at_own_rows(stage, each, pitch,
                        [&](Value at, std::size_t i, Value exists) { get(part, at, rows[i], exists); });
    }
    const Value zero = build.constant(frame_.real, 0);
    for (const Complex& element : rows) {
        if (!spec_.in.has_pairs()) points_.push_back(element);
        if (spec_.in.has_pairs()) points_.insert(points_.end(), {{element.re, zero}, {element.im, zero}});
    }
}

/// In memory's order: pairs, or numbers of them.
std::vector<GroupKernel::StoredNumbers> GroupKernel::stored_numbers() {
    ir::Builder& build = frame_.builder;
    const bool are_pairs = spec_.out.has_pairs();
    const std::uint64_t each = are_pairs ? spec_.n / 2 : spec_.n;
    std::vector<StoredNumbers> all;
    for (std::uint64_t first = 0; first < each * shape_.sequences; first += launched_) {
        const RowElement of = row_element(first, each);
        StoredNumbers numbers;
        numbers.exists = of.exists;
        numbers.live = of.live;
        const Value pair = are_pairs ? of.element : of.element >> 1;
        numbers.place = of.row * std::uint64_t{pitch_} + pair;
        if (!are_pairs) numbers.is_second = build.compare(ir::Op::equal, of.element & std::uint64_t{1}, frame_.u32(1));
        const Value from =
            are_pairs ? pair_origin(of.sequence, Side::output) : frame_.origin(of.sequence, Side::output);
        numbers.at = from + frame_.widen(of.element);
        all.push_back(numbers);
    }
    return all;
}

/// What rows' results are, two to a place.
std::vector<Complex> GroupKernel::row_pairs() {
    const StageDeal& stage = stages_.back();
    std::vector<Complex> pairs;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const Place place{where.butterfly + std::uint64_t{k} * stage.butterflies, sequence(where), exists(where)};
            const Complex& point = points_[std::size_t{u} * stage.radix + k];
            const Value x = pass_through(spec_.out.stages, point, where, place, row_of(stage, u, k)).re;
            if (k % 2 == 0)
                pairs.push_back({x, frame_.builder.constant(frame_.real, 0)});
            else
                pairs.back().im = x;
        }
    }
    return pairs;
}

void GroupKernel::store_rows() {
    ir::Builder& build = frame_.builder;
    const StageDeal& stage = stages_.back();
    const std::vector<Complex> pairs = row_pairs();
    const std::size_t each = pairs.size() / stage.slots;
    std::vector<StoredNumbers> all = stored_numbers();
    for (const Round& round : rounds()) {
        build.group_barrier();
        for (const Part part : round.parts)
            at_own_rows(stage, each, pitch_,
                        [&](Value at, std::size_t i, Value exists) { put(part, at, pairs[i], exists); });
        build.group_barrier();
        for (const Part part : round.parts)
            for (StoredNumbers& numbers : all) get(part, numbers.place, numbers.pair, numbers.exists);
    }
    const ir::Scalar stored = build.kernel().buffers[frame_.out].element.scalar;
    for (const StoredNumbers& numbers : all) {
        const Complex& pair = numbers.pair;
        if (spec_.out.has_pairs())
            build.global_store(frame_.out, numbers.at, build.convert(build.compose({pair.re, pair.im}), stored),
                               numbers.live);
        else
            frame_.store_real(numbers.at, build.select(numbers.is_second, pair.im, pair.re), numbers.live);
    }
}

}  // namespace seiche::kernels
