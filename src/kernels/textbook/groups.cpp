// Textbook kernels that work in shared memory: several stages on chunks of a line, products with a matrix,
// transpositions.
#include <algorithm>
#include <bit>

#include "kernels/textbook/textbook.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

void TextbookKernel::declare_shared(std::uint32_t count) {
    shared_re_ = build_.shared_array("shared_re", frame_.real, count);
    shared_im_ = build_.shared_array("shared_im", frame_.real, count);
}

Complex TextbookKernel::take(Value at) {
    return {build_.shared_load(shared_re_, at, frame_.real), build_.shared_load(shared_im_, at, frame_.real)};
}

void TextbookKernel::put(Value at, Complex x, Value when) {
    build_.shared_store(shared_re_, at, x.re, when);
    build_.shared_store(shared_im_, at, x.im, when);
}

Value TextbookKernel::padded(const ChunkStages& work, Value local) {
    return work.banks == 0 ? local : local + local / std::uint64_t{work.banks};
}

/// Butterfly b of stage i of the group's points, with the roots of stage j of the line's.
void TextbookKernel::add_stage(const ChunkStages& work, std::uint32_t stage, Value start) {
    const std::uint64_t span = std::uint64_t{1} << (work.pattern() + stage);
    const Value b = build_.thread_id(), low = b % span + b / span * (2 * span), high = low + span;
    Complex x = take(padded(work, low)), y = take(padded(work, high));
    const std::uint64_t half = std::uint64_t{1} << (work.first + stage);
    if (half > 1) {
        const Value chunk = work.chunks == 1 ? low : low / std::uint64_t{work.chunk} * work.stride;
        const Value place = work.chunks == 1 ? start + low : start + chunk + low % std::uint64_t{work.chunk};
        const std::uint64_t spread = std::uint64_t{1} << (work.stages - 1 - stage);  // all stages share one table
        y = y * twiddle(place % half * spread, 2 * half * spread);
    }
    put(padded(work, low), x + y);
    put(padded(work, high), x - y);
}

void TextbookKernel::make(const ChunkStages& work) {
    const std::uint32_t points = work.points(), threads = std::get<GroupShape>(spec_.shape).threads;
    declare_shared(points + (work.banks == 0 ? 0 : points / work.banks));
    const std::uint64_t each = work.stride / work.chunk;
    const Value start = item_ % each * std::uint64_t{work.chunk} + item_ / each * (work.stride * work.chunks);
    const auto place = [&](Value local) {
        if (work.transposed) return item_ * std::uint64_t{points} + local;
        const std::uint64_t chunk = work.chunk;
        const Value at = work.chunks == 1 ? start + local : start + local / chunk * work.stride + local % chunk;
        return at;
    };
    const Value thread = build_.thread_id();
    for (std::uint64_t at = 0; at < points; at += threads) {
        const Value local = thread + at, from = place(local);
        put(padded(work, local), load(work.reversed ? reversed(from) : from, {}));
    }
    for (std::uint32_t stage = 0; stage < work.stages; ++stage) {
        build_.group_barrier();
        add_stage(work, stage, start);
    }
    build_.group_barrier();
    for (std::uint64_t at = 0; at < points; at += threads) {
        const Value local = thread + at;
        store(place(local), take(padded(work, local)), {});
    }
}

/// The value of the output half a block away, which is in another group of the cluster. Shared memory is written in two
/// halves, in turn: who writes one of them has met everybody who has read it.
Complex TextbookKernel::from_cluster(const BlockLevels& work, std::uint64_t blocks, Value index, Complex own,
                                     std::uint64_t room) {
    const std::uint64_t half = book_.length / blocks / 2;
    const Value sign = frame_.u32(1) - is_second_half(index, blocks) * std::uint64_t{2}, at = build_.thread_id() + room;
    const Value rank = build_.cluster_rank() + sign * (half / work.points);  // modulo 2^32
    build_.cluster_store(rank, shared_re_, at, own.re);
    build_.cluster_store(rank, shared_im_, at, own.im);
    build_.cluster_barrier();
    return take(at);
}

/// Of the least of its parts that has barriers and a whole block.
void TextbookKernel::block_barrier(const BlockLevels& work, std::uint64_t block) {
    const std::uint64_t parts = std::min<std::uint64_t>(work.parts, work.points / block);
    if (block <= work.subgroup)
        build_.subgroup_barrier();
    else if (parts > 1)
        build_.part_barrier(static_cast<std::uint32_t>(work.points / parts));
    else
        build_.group_barrier();
}

void TextbookKernel::make(const BlockLevels& work) {
    declare_shared((work.groups > 1 ? 2 : 1) * work.points);
    const Value index = item_ * std::uint64_t{work.points} + build_.thread_id();
    const Complex own = load(index, {});
    if (work.groups > 1) build_.cluster_barrier();  // nobody writes to a group that has not begun
    store(index, group_levels(work, index, cluster_levels(work, index, own)), {});
}

/// Those whose halves are in different groups of the cluster.
Complex TextbookKernel::cluster_levels(const BlockLevels& work, Value index, Complex own) {
    std::uint64_t room = 0;
    for (std::uint64_t blocks = work.blocks; book_.length / blocks / 2 >= work.points; blocks *= 2) {
        own = levelled(index, blocks, own, from_cluster(work, blocks, index, own, room));
        room = work.points - room;
    }
    return own;
}

/// In a group a thread writes where it has read, at first to its own place: nobody else reads or writes there before
/// the level's barrier, whose block need therefore be no larger than the level's.
Complex TextbookKernel::group_levels(const BlockLevels& work, Value index, Complex own) {
    const bool is_odd = std::countr_zero(work.groups) % 2 != 0;  // levels of the cluster, which have the other half
    const std::uint64_t room = is_odd ? work.points : 0;
    std::uint64_t turned = 0;
    for (std::uint64_t blocks = work.blocks * work.groups; blocks < book_.length; blocks *= 2) {
        const std::uint64_t half = book_.length / blocks / 2;
        const Value thread = build_.thread_id();
        const auto place = [&](std::uint64_t mask) { return (thread ^ frame_.u32(mask)) + room; };
        put(place(turned), own);
        block_barrier(work, 2 * half);
        turned ^= half;
        own = levelled(index, blocks, own, take(place(turned)));
    }
    return own;
}

/// A tile of inputs is read once by the group; each thread has one row of the matrix.
void TextbookKernel::make(const MatrixRows& work) {
    constexpr std::uint32_t all = 0, part = 1;
    const std::uint64_t n = book_.length, rows = work.rows;
    const BlockTwiddles matrix{n, length(), length(), 1};
    declare_shared(work.rows);
    held_ = build_.private_array("held", frame_.real, 4);
    const Value thread = build_.thread_id(), row = item_ * rows + thread;
    const Value is_row = build_.less(row, frame_.u32(n));
    const Complex zero = build_.complex_constant(frame_.real, 0, 0);
    hold(all, zero);
    const Value tile = build_.begin_loop(frame_.u32(0), frame_.u32(n), frame_.u32(rows));
    const Value column = tile + thread;
    put(thread, load(column, build_.less(column, frame_.u32(n))));
    build_.group_barrier();
    hold(part, zero);
    const Value end = build_.binary(ir::Op::min, tile + rows, frame_.u32(n));
    const Value j = build_.begin_loop(tile, end, frame_.u32(1));
    const Complex w = frame_.table_entry(matrix, j * n + row, is_row);
    hold(part, held(part) + take(j - tile) * (book_.inverse ? conj(w) : w));
    build_.end_loop();
    hold(all, held(all) + held(part));
    build_.group_barrier();
    build_.end_loop();
    store(row, held(all), is_row);
}

void TextbookKernel::make(const Transposition& work) {
    const std::uint64_t across = transposed_tile(work.columns), down = transposed_tile(work.rows);
    const std::uint64_t wide = work.columns / across, matrix = work.rows * work.columns;
    declare_shared(static_cast<std::uint32_t>(down * (across + 1)));  // no two numbers of a column in one bank
    const std::uint64_t tiles = matrix / (across * down);
    const Value tile = item_ % tiles, origin = item_ / tiles * matrix, thread = build_.thread_id();
    const Value column = tile % wide * across, row = tile / wide * down;
    const Value x = thread % across, y = thread / across;
    put(y * (across + 1) + x, load(origin + (row + y) * work.columns + column + x, {}));
    build_.group_barrier();
    const Value u = thread % down, v = thread / down;
    store(origin + (column + v) * work.rows + row + u, take(u * (across + 1) + v), {});
}

}  // namespace seiche::kernels
