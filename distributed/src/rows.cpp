#include "rows.hpp"

#include "regions.hpp"
#include "seiche/distributed/peers.hpp"

namespace seiche::distributed {

namespace {

/// A loop over parts of a message; distances in bytes.
struct Loop {
    std::uint64_t count = 1, from = 0, to = 0;
};

/// The loops over rows, slowest first, and the bytes of a row.
struct Nest {
    std::vector<Loop> loops;
    std::uint64_t bytes = 0;
};

/// Loops that go on where the next faster one ends are one with it.
Nest nest_of(const Box& part, const Memory& from, const Memory& to, std::uint64_t batch, std::uint64_t element_bytes) {
    Nest nest{{}, element_bytes};
    const auto add = [&](std::uint64_t count, std::int64_t from_step, std::int64_t to_step) {
        const Loop loop{count, static_cast<std::uint64_t>(from_step) * element_bytes,
                        static_cast<std::uint64_t>(to_step) * element_bytes};
        if (count == 1) return;
        if (nest.loops.empty() && loop.from == nest.bytes && loop.to == nest.bytes) {
            nest.bytes *= count;
        } else if (!nest.loops.empty() && loop.from == nest.loops.front().count * nest.loops.front().from &&
                   loop.to == nest.loops.front().count * nest.loops.front().to) {
            nest.loops.front().count *= count;
        } else {
            nest.loops.insert(nest.loops.begin(), loop);
        }
    };
    for (std::size_t axis = part.lower.size(); axis-- > 0;)
        add(part.extent(axis), from.strides[axis], to.strides[axis]);
    add(batch, from.distance, to.distance);
    return nest;
}

/// The two fastest loops in one copy, which is repeated for the slower ones.
std::vector<Rows> rows_of(const Nest& nest, std::uint64_t from, std::uint64_t to) {
    std::vector<Rows> found{{nest.bytes}};
    found[0].from = from;
    found[0].to = to;
    std::size_t left = nest.loops.size();
    if (left > 0) {
        const Loop& loop = nest.loops[--left];
        found[0].rows = loop.count;
        found[0].from_row = loop.from;
        found[0].to_row = loop.to;
    }
    if (left > 0) {
        const Loop& loop = nest.loops[--left];
        found[0].slices = loop.count;
        found[0].from_slice = loop.from;
        found[0].to_slice = loop.to;
    }
    while (left > 0) {
        const Loop& loop = nest.loops[--left];
        const std::vector<Rows> once = found;
        for (std::uint64_t i = 1; i < loop.count; ++i)
            for (Rows rows : once) {
                rows.from += i * loop.from;
                rows.to += i * loop.to;
                found.push_back(rows);
            }
    }
    return found;
}

}  // namespace

std::vector<std::vector<Rows>> plan_rows(const Moved& from, const Moved& to, std::size_t rank, std::uint64_t batch,
                                         std::uint64_t element_bytes) {
    const Order order = row_major(to.arrays[rank].lower.size());
    const Memory own = dense(to.arrays[rank], order, batch);
    std::vector<std::vector<Rows>> found(from.arrays.size());
    for (std::size_t other = 0; other < from.arrays.size(); ++other) {
        const Box part = intersection(from.parts[other], to.parts[rank]);
        if (part.count() * batch == 0) continue;
        const Memory theirs = dense(from.arrays[other], order, batch);
        found[other] = rows_of(nest_of(part, theirs, own, batch, element_bytes),
                               offset_of(theirs, from.arrays[other], part) * element_bytes,
                               offset_of(own, to.arrays[rank], part) * element_bytes);
    }
    return found;
}

bool are_fast(const std::vector<std::vector<Rows>>& rows, std::uint64_t shortest_row) {
    constexpr std::size_t most_copies = 4;
    constexpr std::uint64_t most_step = 0x7fffffff;  // what drivers take from row to row
    for (const std::vector<Rows>& message : rows) {
        if (message.size() > most_copies) return false;
        for (const Rows& part : message)
            if (part.rows > 1 && (part.bytes < shortest_row || part.from_row > most_step || part.to_row > most_step))
                return false;
    }
    return true;
}

void Marks::copy_rows(Queue& queue, const Device& /*to_device*/, const BufferView& to, const Device& /*from_device*/,
                      const BufferView& from, const Rows& rows) {
    for (std::uint64_t slice = 0; slice < rows.slices; ++slice)
        for (std::uint64_t row = 0; row < rows.rows; ++row)
            copy(queue, {to.buffer, to.byte_offset + rows.to + slice * rows.to_slice + row * rows.to_row},
                 {from.buffer, from.byte_offset + rows.from + slice * rows.from_slice + row * rows.from_row},
                 rows.bytes);
}

}  // namespace seiche::distributed
