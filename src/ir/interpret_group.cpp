// The interpreter's ops between threads: subgroups, clusters, atomics, asynchronous copies, matrices.
#include <algorithm>

#include "ir/interpret_written.hpp"
#include "support/fma.hpp"

namespace seiche::ir {

namespace {

// ---- Subgroups

/// The lane that a shuffle reads, as a thread of the group.
std::uint32_t source_thread(const Frame& f, const Step& s, std::uint32_t t) {
    const std::uint32_t size = f.program->subgroup_size, lane = t % size;
    const std::uint32_t operand = f.operand<std::uint32_t>(s, 1)[t];
    const std::uint32_t source = s.instruction->op == Op::subgroup_shuffle ? operand : lane ^ operand;
    if (source >= size || t - lane + source >= s.threads) {
        fail(f, s,
             thread_name(f, t) + " reads lane " + std::to_string(source) + " of its subgroup, which does not exist");
    }
    return t - lane + source;
}

template <class T>
void subgroup_shuffle(Frame& f, const Step& s) {
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        const std::uint32_t source = source_thread(f, s, t);
        for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
            f.result<T>(s)[lane * s.threads + t] = f.operand<T>(s, 0)[lane * s.threads + source];
        }
    }
}

/// f64 8x8x4 over 32 lanes, laid out as ops.def says.
void matrix_multiply(Frame& f, const Step& s) {
    if (f.program->subgroup_size != 32 || s.threads % 32 != 0) {
        fail(f, s,
             "needs whole subgroups of 32 threads, got a group of " + std::to_string(s.threads) + " and subgroups of " +
                 std::to_string(f.program->subgroup_size));
    }
    const double* a = f.operand<double>(s, 0);
    const double* b = f.operand<double>(s, 1);
    const double* c = f.operand<double>(s, 2);
    double* result = f.result<double>(s);
    for (std::uint32_t first = 0; first < s.threads; first += 32) {
        for (std::uint32_t l = 0; l < 32; ++l) {
            for (std::uint32_t part = 0; part < 2; ++part) {
                const std::uint32_t row = l / 4, column = 2 * (l % 4) + part;
                double sum = c[part * s.threads + first + l];
                for (std::uint32_t k = 0; k < 4; ++k)
                    sum = support::fma(a[first + row * 4 + k], b[first + column * 4 + k], sum);
                result[part * s.threads + first + l] = sum;
            }
        }
    }
}

// ---- Another group of the cluster

Window neighbour_window(const Frame& f, const Step& s, std::uint32_t t, std::uint32_t rank, std::uint32_t array) {
    if (rank >= f.program->cluster_size) {
        fail(f, s,
             thread_name(f, t) + " reaches for group " + std::to_string(rank) + " of a cluster of " +
                 std::to_string(f.program->cluster_size));
    }
    return shared_window(*f.cluster[rank], array);
}

std::string neighbour_name(const Frame& f, const Step& s, std::uint32_t t) {
    return "shared array '" + f.program->kernel.shared[s.instruction->symbol].name + "' of group " +
           std::to_string(f.operand<std::uint32_t>(s, 0)[t]) + " of the cluster";
}

std::byte* neighbour_address(const Frame& f, const Step& s, std::uint32_t t) {
    const std::uint32_t rank = f.operand<std::uint32_t>(s, 0)[t], index = f.operand<std::uint32_t>(s, 1)[t];
    const Window window = neighbour_window(f, s, t, rank, s.instruction->symbol);
    const std::uint64_t limit = window.limit(s.lanes);
    if (index >= limit) fail_bounds(f, s, t, neighbour_name(f, s, t), index, limit);
    return window.data + std::size_t{index} * window.stride * scalar_bytes(s.instruction->type.scalar);
}

template <Scalar S>
void cluster_load(Frame& f, const Step& s) {
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        const bool active = !s.operands[2].present || f.operand<std::uint8_t>(s, 2)[t] != 0;
        const std::byte* from = active ? neighbour_address(f, s, t) : nullptr;
        for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
            f.result<Stored<S>>(s)[lane * s.threads + t] =
                active ? Memory<S>::get(from + lane * Memory<S>::bytes) : Stored<S>{0};
        }
        const Frame& owner = *f.cluster[active ? f.operand<std::uint32_t>(s, 0)[t] : f.rank];
        if (active && f.program->hooks == nullptr && has_unwritten(owner, {from, s.lanes, Memory<S>::bytes}))
            fail_unwritten(f, s, t, neighbour_name(f, s, t), f.operand<std::uint32_t>(s, 1)[t]);
    }
}

template <Scalar S>
void cluster_store(Frame& f, const Step& s) {
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        if (s.operands[3].present && f.operand<std::uint8_t>(s, 3)[t] == 0) continue;
        std::byte* to = neighbour_address(f, s, t);
        f.cluster[f.operand<std::uint32_t>(s, 0)[t]]->arrived += s.lanes * Memory<S>::bytes;
        for (std::uint32_t lane = 0; lane < s.lanes; ++lane) {
            Memory<S>::put(to + lane * Memory<S>::bytes, f.operand<Stored<S>>(s, 2)[lane * s.threads + t]);
        }
        note_ones(*f.cluster[f.operand<std::uint32_t>(s, 0)[t]], {to, s.lanes, Memory<S>::bytes});
    }
}

// ---- Atomics: always sequentially consistent, which allows no more than any order that was asked for.

template <class T>
T* atomic_address(const Frame& f, const Step& s, std::uint32_t t) {
    const Window window = global_window(f, s.instruction->symbol);
    const std::uint64_t index = f.operand<std::uint64_t>(s, 0)[t], limit = window.limit(1);
    if (index >= limit) {
        fail_bounds(f, s, t, "buffer '" + f.program->kernel.buffers[s.instruction->symbol].name + "'", index, limit);
    }
    std::byte* address = window.data + index * window.stride * sizeof(T);
    if (reinterpret_cast<std::uintptr_t>(address) % sizeof(T) != 0)
        fail(f, s, "works on a buffer that is not aligned to its elements");
    return reinterpret_cast<T*>(address);
}

template <class T, Op op>
void atomic(Frame& f, const Step& s) {
    constexpr unsigned predicate = op == Op::atomic_load ? 1 : 2;
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        const bool active = !s.operands[predicate].present || f.operand<std::uint8_t>(s, predicate)[t] != 0;
        T old = 0;
        if (active) {
            T* address = atomic_address<T>(f, s, t);
            if constexpr (op == Op::atomic_load)
                old = __atomic_load_n(address, __ATOMIC_SEQ_CST);
            else {
                const T value = f.operand<T>(s, 1)[t];
                if constexpr (op == Op::atomic_add)
                    old = __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
                else if constexpr (op == Op::atomic_exchange)
                    old = __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
                else
                    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
            }
        }
        if constexpr (op != Op::atomic_store) f.result<T>(s)[t] = old;
    }
}

template <class T>
Action choose_atomic(Op op) {
    switch (op) {
        case Op::atomic_add: return &atomic<T, Op::atomic_add>;
        case Op::atomic_exchange: return &atomic<T, Op::atomic_exchange>;
        case Op::atomic_load: return &atomic<T, Op::atomic_load>;
        default: return &atomic<T, Op::atomic_store>;
    }
}

// ---- Asynchronous copies. They are done at once, or when a wait or the end of the kernel demands them.

void move(const Frame& f, const PendingCopy& copy) {
    const Instruction& i = *copy.step->instruction;
    const std::size_t scalar = scalar_bytes(f.program->kernel.shared[i.symbol].element.scalar);
    const auto scalars = static_cast<unsigned>(copy.bytes / scalar);
    if (i.op == Op::async_neighbour_copy && f.program->hooks == nullptr) {
        const ArraySymbol& array = f.program->kernel.shared[i.symbol];
        const unsigned unwritten = first_unwritten(f, {copy.from, scalars, scalar});
        const auto before = static_cast<std::uint64_t>(copy.from - shared_window(f, i.symbol).data) / scalar;
        if (unwritten < scalars)
            fail_unwritten(f, *copy.step, copy.thread, "shared array '" + array.name + "'",
                           (before + unwritten) / array.element.lanes);
    }
    std::memmove(copy.to, copy.from, copy.bytes);
    note_ones(*copy.owner, {copy.to, scalars, scalar});
}

void land(Frame& f, const PendingCopy& copy) {
    if (!f.async_early) move(f, copy);
    if (f.program->hooks != nullptr) f.program->hooks->landed(f, copy);
}

void issue(Frame& f, const PendingCopy& copy) {
    if (f.async_early) move(f, copy);
    if (f.program->hooks != nullptr) f.program->hooks->issued(f, copy);
    if (!f.async_early || f.program->hooks != nullptr) f.copies.push_back(copy);
}

/// The step itself, not the changed copy that the analyser may be running: a pending copy outlives that.
const Step* current_step(const Frame& f) { return &f.program->body[f.pc]; }

/// The address of `count` elements from `index` on in a window; checks both ends.
std::byte* stretch(const Frame& f, const Step& s, std::uint32_t t, const Window& window, std::uint64_t index,
                   std::uint64_t count) {
    const Type element = f.program->kernel.shared[s.instruction->symbol].element;
    const std::uint64_t scalars = count * element.lanes, limit = window.scalars / window.stride;
    if (index > limit || scalars > window.scalars - index * window.stride) {
        fail_bounds(f, s, t, "the source or the target of a copy of " + std::to_string(count) + " elements", index,
                    limit);
    }
    return window.data + index * window.stride * scalar_bytes(element.scalar);
}

std::uint64_t stretch_bytes(const Frame& f, const Step& s, std::uint64_t count) {
    return count * type_bytes(f.program->kernel.shared[s.instruction->symbol].element);
}

void async_copy(Frame& f, const Step& s) {
    const Window to = shared_window(f, s.instruction->symbol);
    const Window from = global_window(f, static_cast<std::uint32_t>(s.instruction->immediate));
    const std::uint64_t width = s.instruction->width;
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        if (s.operands[2].present && f.operand<std::uint8_t>(s, 2)[t] == 0) continue;
        issue(f, {current_step(f), t, f.batches, stretch(f, s, t, to, f.operand<std::uint32_t>(s, 0)[t], width),
                  stretch(f, s, t, from, f.operand<std::uint64_t>(s, 1)[t], width), stretch_bytes(f, s, width), &f});
    }
}

void async_bulk_copy(Frame& f, const Step& s) {
    const Window to = shared_window(f, s.instruction->symbol);
    const Window from = global_window(f, static_cast<std::uint32_t>(s.instruction->immediate));
    const std::uint32_t count = *f.operand<std::uint32_t>(s, 2);
    issue(f, {current_step(f), 0, f.batches, stretch(f, s, 0, to, *f.operand<std::uint32_t>(s, 0), count),
              stretch(f, s, 0, from, *f.operand<std::uint64_t>(s, 1), count), stretch_bytes(f, s, count), &f});
}

void async_neighbour_copy(Frame& f, const Step& s) {
    const std::uint32_t rank = *f.operand<std::uint32_t>(s, 0), count = *f.operand<std::uint32_t>(s, 3);
    const Window to = neighbour_window(f, s, 0, rank, static_cast<std::uint32_t>(s.instruction->immediate));
    const Window from = shared_window(f, s.instruction->symbol);
    issue(f, {current_step(f), 0, f.batches, stretch(f, s, 0, to, *f.operand<std::uint32_t>(s, 1), count),
              stretch(f, s, 0, from, *f.operand<std::uint32_t>(s, 2), count), stretch_bytes(f, s, count),
              f.cluster[rank]});
}

void async_commit(Frame& f, const Step&) { ++f.batches; }

void async_wait(Frame& f, const Step& s) {
    const std::uint64_t under_way = s.instruction->immediate;
    const std::uint64_t done = f.batches > under_way ? f.batches - under_way : 0;
    const auto first_left = std::stable_partition(f.copies.begin(), f.copies.end(),
                                                  [done](const PendingCopy& c) { return c.batch < done; });
    std::for_each(f.copies.begin(), first_left, [&f](const PendingCopy& copy) { land(f, copy); });
    f.copies.erase(f.copies.begin(), first_left);
}

}  // namespace

Action group_action(const Instruction& i) {
    switch (i.op) {
        case Op::subgroup_shuffle:
        case Op::subgroup_shuffle_xor:
            switch (stored_bytes(i.type.scalar)) {
                case 1: return &subgroup_shuffle<std::uint8_t>;
                case 4: return &subgroup_shuffle<std::uint32_t>;
                default: return &subgroup_shuffle<std::uint64_t>;
            }
        case Op::matrix_multiply: return &matrix_multiply;
        case Op::cluster_load: return with_scalar(i.type.scalar, []<Scalar S>() -> Action { return &cluster_load<S>; });
        case Op::cluster_store:
            return with_scalar(i.type.scalar, []<Scalar S>() -> Action { return &cluster_store<S>; });
        case Op::atomic_add:
        case Op::atomic_exchange:
        case Op::atomic_load:
        case Op::atomic_store:
            return stored_bytes(i.type.scalar) == 8 ? choose_atomic<std::uint64_t>(i.op)
                                                    : choose_atomic<std::uint32_t>(i.op);
        case Op::async_copy: return &async_copy;
        case Op::async_bulk_copy: return &async_bulk_copy;
        case Op::async_neighbour_copy: return &async_neighbour_copy;
        case Op::async_commit: return &async_commit;
        case Op::async_wait: return &async_wait;
        default: return nullptr;
    }
}

}  // namespace seiche::ir
