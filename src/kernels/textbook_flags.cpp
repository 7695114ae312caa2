// Textbook kernels whose groups wait for each other by counters in memory.
#include <bit>

#include "kernels/textbook.hpp"

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
    declare_shared(work.points);
    const std::uint64_t groups = work.groups(book_.length), far = work.far(book_.length);
    const Value level = item_ / groups, task = item_ % groups;
    build_.begin_if(build_.less(level, frame_.u32(far)));
    far_level(work, level, task);
    build_.begin_else();
    near_levels(work, task);
    build_.end_if();
}

/// A thread for each output, as in Level, but the level is known to the ticket only. Half a block is 2^bits parts.
void TextbookKernel::far_level(const FlaggedLevels& work, Value level, Value task) {
    const auto shifted = [&](Value a, Value by) { return build_.binary(ir::Op::shift_left, a, by); };
    const std::uint64_t points = work.points / 2;
    const Value one = frame_.u32(1), bits = frame_.u32(work.far(book_.length)) - level, half = shifted(one, bits);
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

void TextbookKernel::near_levels(const FlaggedLevels& work, Value task) {
    const Value first = task * std::uint64_t{2}, far = frame_.u32(work.far(book_.length));
    await(work, first, far);
    await(work, first + std::uint64_t{1}, far);
    const Value index = task * std::uint64_t{work.points} + build_.thread_id();
    const Complex own = frame_.load_stored(frame_.address(output_, index, 0, Side::output), {});
    store(index, block_levels(work.near(book_.length), index, own), {});
}

void TextbookKernel::make(const Clearing&) {
    build_.global_store(frame_.counters, frame_.widen(sequence_), frame_.u32(0), exists_);
}

}  // namespace seiche::kernels
