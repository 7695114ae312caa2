// Rows of real numbers that a thread has whole (KernelSpec::input_pairs, output_rows): two neighbouring numbers are one
// access. Threads load their own rows, of which the first cache has what neighbours ask for next; they would store
// parts of sectors, so that results pass through shared memory, two to a place, and go to memory in its order.
#include "kernels/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// In pairs.
Value GroupKernel::pair_origin(Value sequence, Side side) {
    std::vector<std::uint64_t> strides;
    for (const Loop& loop : spec_.loops)
        strides.push_back((side == Side::input ? loop.input_stride : loop.output_stride) / 2);
    const std::int64_t offset = side == Side::input ? spec_.input_offset : spec_.output_offset;
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

/// In memory's order: pairs, or numbers of them.
std::vector<GroupKernel::StoredNumbers> GroupKernel::stored_numbers() {
    ir::Builder& build = frame_.builder;
    const bool are_pairs = spec_.output_pairs;
    const std::uint64_t each = are_pairs ? spec_.n / 2 : spec_.n, total = each * shape_.sequences;
    std::vector<StoredNumbers> all;
    for (std::uint64_t first = 0; first < total; first += launched_) {
        const Value flat = build.thread_id() + first, row = flat / each, element = flat % each;
        StoredNumbers numbers;
        if (first + launched_ > total) numbers.exists = build.less(flat, frame_.u32(total));
        const Value sequence = first_sequence() + row;
        const Value is_there = frame_.total ? build.less(sequence, frame_.total) : Value{};
        numbers.live = both(numbers.exists, is_there);
        const Value pair = are_pairs ? element : element >> 1;
        numbers.place = row * std::uint64_t{pitch_} + pair;
        if (!are_pairs) numbers.is_second = build.compare(ir::Op::equal, element & std::uint64_t{1}, frame_.u32(1));
        const Value from = are_pairs ? pair_origin(sequence, Side::output) : frame_.origin(sequence, Side::output);
        numbers.at = from + frame_.widen(element);
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
            const Value x = pass_through(spec_.store, point, where, place, row_of(stage, u, k)).re;
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
        for (const Part part : round.parts) {
            for (std::uint32_t u = 0; u < stage.slots; ++u) {
                const Slot where = slot(stage, u);
                const Value row = where.sequence_in_group * std::uint64_t{pitch_};
                for (std::size_t j = 0; j < each; ++j) put(part, row + j, pairs[u * each + j], where.exists);
            }
        }
        build.group_barrier();
        for (const Part part : round.parts)
            for (StoredNumbers& numbers : all) get(part, numbers.place, numbers.pair, numbers.exists);
    }
    const ir::Scalar stored = build.kernel().buffers[frame_.out].element.scalar;
    for (const StoredNumbers& numbers : all) {
        const Complex& pair = numbers.pair;
        if (spec_.output_pairs)
            build.global_store(frame_.out, numbers.at, build.convert(build.compose({pair.re, pair.im}), stored),
                               numbers.live);
        else
            frame_.store_real(numbers.at, build.select(numbers.is_second, pair.im, pair.re), numbers.live);
    }
}

}  // namespace seiche::kernels
