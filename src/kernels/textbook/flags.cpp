// Textbook kernels whose groups wait for each other by counters in memory.
#include <bit>

#include "kernels/textbook/textbook.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// Before the counters of the parts: that of the tickets.
constexpr std::uint64_t first_part = 1;

}  // namespace

Value TextbookKernel::counter_of(const FlaggedLevels& work, Value part) {
    const Value line = sequence_ / textbook_items(book_);
    return frame_.widen(line * work.halves(book_.length) + part) + first_part;
}

void TextbookKernel::await(const FlaggedLevels& work, Value part, Value level) {
    build_.wait_until(frame_.counters, counter_of(work, part), level);
}

void TextbookKernel::make(const FlaggedLevels& work) {
    declare_shared((work.cluster > 1 ? 2 : 1) * work.points);
    const std::uint64_t groups = work.groups(book_.length), far = work.far(book_.length);
    const Value level = item_ / groups, task = item_ % groups, is_far = build_.less(level, frame_.u32(far));
    build_.begin_if(is_far);
    far_level(work, level, task);
    build_.begin_else();
    await_near(work, task);
    if (work.cluster == 1) near_levels(work, task, {});
    build_.end_if();
    // Where groups of a cluster meet there may be no branch; those of one have the same level.
    if (work.cluster > 1) near_levels(work, task, build_.unary(ir::Op::bit_not, is_far));
}

/// A thread for each output, as in Level, but the level is known to the ticket only. Half a block is 2^bits parts.
void TextbookKernel::far_level(const FlaggedLevels& work, Value level, Value task) {
    const auto shifted = [&](Value a, Value by) { return build_.binary(ir::Op::shift_left, a, by); };
    const std::uint64_t points = work.points / 2;
    const auto levels = static_cast<std::uint64_t>(std::countr_zero(work.groups(book_.length)));
    const Value one = frame_.u32(1), bits = frame_.u32(levels) - level, half = shifted(one, bits);
    const Value low = task & (half - one), first = task * std::uint64_t{2} - low;
    await(work, first, level);
    await(work, first + half, level);
    const Value is_second = build_.thread_id() / points, at = build_.thread_id() % points;
    const Value own_place = (first + is_second * half) * points + at;
    const Value other_place = (first + (one - is_second) * half) * points + at;
    const Value is_input = build_.compare(ir::Op::equal, level, frame_.u32(0));
    const Value is_output = build_.unary(ir::Op::bit_not, is_input);
    const auto point = [&](Value place) {
        const Complex in = load(place, is_input);
        const Complex out = frame_.load_stored(frame_.address(output_, place, 0, Side::output), is_output);
        return Complex{build_.select(is_input, in.re, out.re), build_.select(is_input, in.im, out.im)};
    };
    const Complex own = point(own_place), other = point(other_place);
    build_.group_barrier();  // all of the group have read what it is about to overwrite
    const Value kmax = is_second * shifted(low * points + at, level);
    store(own_place, sum_or_difference(is_second, kmax, own, other), {});
    build_.signal(frame_.counters, counter_of(work, first + (build_.thread_id() & one) * half), 2);
}

void TextbookKernel::await_near(const FlaggedLevels& work, Value task) {
    const Value first = task * std::uint64_t{2}, far = frame_.u32(work.far(book_.length));
    await(work, first, far);
    await(work, first + std::uint64_t{1}, far);
}

/// `is_near`: the group's level is one of these; no value: it is certain.
void TextbookKernel::near_levels(const FlaggedLevels& work, Value task, Value is_near) {
    const BlockLevels near = work.near(book_.length);
    const Value index = task * std::uint64_t{work.points} + build_.thread_id();
    const Complex loaded = frame_.load_stored(frame_.address(output_, index, 0, Side::output), is_near);
    const Complex own = cluster_levels(near, index, loaded);
    if (is_near) build_.begin_if(is_near);
    store(index, group_levels(near, index, own), {});
    if (is_near) build_.end_if();
}

void TextbookKernel::make(const Clearing&) {
    build_.global_store(frame_.counters, frame_.widen(sequence_), frame_.u32(0), exists_);
}

}  // namespace seiche::kernels
