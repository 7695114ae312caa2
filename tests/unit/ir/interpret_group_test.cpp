// The interpreter's ops between threads and groups: subgroups, clusters, atomics, waits, asynchronous copies, matrices.
#include <gtest/gtest.h>

#include <numeric>

#include "seiche/error.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

void barrier(Builder& b, Op op) { b.effect(instruction(op, {}, {})); }

std::string failure(const Kernel& kernel, const Launch& launch, const InterpretOptions& options = {}) {
    try {
        interpret(kernel, launch, options);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "";
}

TEST(interpret_group, subgroup_shuffles) {
    Builder b("shuffle");
    b.kernel().launch.group = {24, 1, 1};
    b.kernel().launch.required_subgroup_size = 8;
    const auto out = output(b, "out", Type(Scalar::u32, 2));
    const Value t = b.thread_id();
    const Value rotated = b.effect(instruction(Op::subgroup_shuffle, Scalar::u32, {t, (t + 3_u) & 7_u}));
    const Value crossed = b.effect(instruction(Op::subgroup_shuffle_xor, Scalar::u32, {t, u32(b, 5)}));
    b.global_store(out, wide(t), b.compose({rotated, crossed}));
    Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::uint32_t> to(48);
    interpret(kernel, launch_of({bound(to)}));
    for (std::uint32_t k = 0; k < 24; ++k) {
        EXPECT_EQ(to[2 * k], k / 8 * 8 + (k + 3) % 8);
        EXPECT_EQ(to[2 * k + 1], k ^ 5);
    }
    kernel.launch.group = {20, 1, 1};  // the last subgroup is not whole
    EXPECT_NE(failure(kernel, launch_of({bound(to)})).find("which does not exist"), std::string::npos);
}

TEST(interpret_group, matrix_multiply) {
    Builder b("matrix");
    b.kernel().launch.group = {32, 1, 1};
    const auto a = input(b, "a", Scalar::f64), m = input(b, "b", Scalar::f64), c = input(b, "c", Type(Scalar::f64, 2)),
               out = output(b, "out", Type(Scalar::f64, 2));
    const Value t = b.thread_id();
    const Value row = t / 4_u, column = t % 4_u;
    // a is 8 x 4, b is 4 x 8, c is 8 x 8, all row after row.
    const Value x = b.global_load(a, wide(row * 4_u + column), Scalar::f64),
                y = b.global_load(m, wide(column * 8_u + row), Scalar::f64),
                z = b.global_load(c, wide(row * 4_u + column), Type(Scalar::f64, 2));
    b.global_store(out, wide(row * 4_u + column),
                   b.effect(instruction(Op::matrix_multiply, Type(Scalar::f64, 2), {x, y, z})));
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<double> va(32), vb(32), vc(64), to(64);
    for (std::size_t k = 0; k < 64; ++k) {
        if (k < 32) va[k] = static_cast<double>(k * k % 23) - 7, vb[k] = static_cast<double>(k * 7 % 19) - 4;
        vc[k] = static_cast<double>(k);
    }
    interpret(kernel, launch_of({bound(va), bound(vb), bound(vc), bound(to)}));
    for (std::size_t r = 0; r < 8; ++r) {
        for (std::size_t s = 0; s < 8; ++s) {
            double want = vc[r * 8 + s];
            for (std::size_t k = 0; k < 4; ++k) want += va[r * 4 + k] * vb[k * 8 + s];
            EXPECT_EQ(to[r * 8 + s], want);
        }
    }
}

/// Groups of a cluster of 4 hand their tile on to the next, by reading or by writing.
TEST(interpret_group, clusters_exchange_shared_memory) {
    for (const bool by_store : {false, true}) {
        Builder b("ring");
        b.kernel().launch.group = {8, 1, 1};
        b.kernel().launch.cluster = {4, 1, 1};
        const auto out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 8), got = b.shared_array("got", Scalar::u32, 8);
        const Value t = b.thread_id(), next = (b.cluster_rank() + 1_u) & 3_u, mine = b.group_id() * 100_u + t;
        Value value;
        if (by_store) {
            b.effect(instruction(Op::cluster_store, Scalar::u32, {next, t, mine}, got));
            barrier(b, Op::cluster_barrier);
            value = b.shared_load(got, t, Scalar::u32);
        } else {
            b.shared_store(tile, t, mine);
            barrier(b, Op::cluster_barrier);
            value = b.effect(instruction(Op::cluster_load, Scalar::u32, {next, u32(b, 7) - t}, tile));
        }
        barrier(b, Op::cluster_barrier);
        b.global_store(out, wide(global_thread(b)), value);
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<std::uint32_t> to(8 * 12);
        interpret(kernel, launch_of({bound(to)}, 12));
        for (std::uint32_t k = 0; k < to.size(); ++k) {
            const std::uint32_t group = k / 8, cluster = group / 4, rank = group % 4, t0 = k % 8;
            const std::uint32_t from = cluster * 4 + (by_store ? (rank + 3) % 4 : (rank + 1) % 4);
            EXPECT_EQ(to[k], from * 100 + (by_store ? t0 : 7 - t0));
        }
        EXPECT_NE(failure(kernel, launch_of({bound(to)}, 10)).find("not whole clusters"), std::string::npos);
    }
}

/// Twice a word from each thread to the next group of a cluster of 4, whose stores are counted.
struct Ring {
    std::uint64_t bytes = 8 * 4;  ///< That are waited for.
    std::uint32_t stores = 2;     ///< The second unless it is waited for behind both.
    bool is_last_waited_for = true;
};

Kernel counted_ring(const Ring& how) {
    Builder b("counted_ring");
    b.kernel().launch.group = {8, 1, 1};
    b.kernel().launch.cluster = {4, 1, 1};
    const auto out = output(b, "out", Scalar::u32);
    const auto got = b.shared_array("got", Scalar::u32, 8);
    const Value t = b.thread_id(), next = (b.cluster_rank() + 1_u) & 3_u;
    Value value = b.group_id() * 100_u + t;
    for (std::uint32_t k = 0; k < how.stores; ++k) {
        b.cluster_ready();
        b.cluster_store(next, got, t, value);
        if (k + 1 == how.stores && !how.is_last_waited_for) break;
        b.cluster_arrivals(how.bytes);
        value = b.shared_load(got, t, Scalar::u32);
    }
    if (!how.is_last_waited_for) b.cluster_ready();
    b.global_store(out, wide(global_thread(b)), value);
    return b.finish();
}

TEST(interpret_group, stores_to_a_cluster_are_counted_where_they_arrive) {
    std::vector<std::uint32_t> to(8 * 12);
    const Launch launch = launch_of({bound(to)}, 12);
    const Kernel kernel = counted_ring({});
    verify(kernel);
    interpret(kernel, launch);
    for (std::uint32_t k = 0; k < to.size(); ++k) {
        const std::uint32_t group = k / 8, from = group / 4 * 4 + (group % 4 + 2) % 4;
        EXPECT_EQ(to[k], from * 100 + k % 8);
    }
    EXPECT_NE(failure(counted_ring({36}), launch).find("waits for 36 bytes, and 32 were stored"), std::string::npos);
    EXPECT_NE(failure(counted_ring({28}), launch).find("waits for 28 bytes, and 32 were stored"), std::string::npos);
    const std::string lost = failure(counted_ring({32, 2, false}), launch);
    EXPECT_NE(lost.find("32 bytes were stored here that nobody waited for"), std::string::npos) << lost;
}

TEST(interpret_group, atomics) {
    Builder b("atomics");
    b.kernel().launch.group = {10, 1, 1};
    const auto sums = both(b, "sums", Scalar::u64), out = output(b, "out", Scalar::u64);
    const Value t = b.thread_id(), inside = b.less(t, u32(b, 7)), i = wide(global_thread(b));
    const Value old = b.effect(instruction(Op::atomic_add, Scalar::u64, {u64(b, 1), u64(b, 2), inside}, sums));
    b.effect(instruction(Op::atomic_store, Scalar::u64, {u64(b, 2), u64(b, 9)}, sums));
    const Value loaded = b.effect(instruction(Op::atomic_load, Scalar::u64, {u64(b, 2)}, sums));
    b.effect(instruction(Op::atomic_exchange, Scalar::u64, {u64(b, 0), loaded, inside}, sums));
    b.global_store(out, i, old);
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::uint64_t> memory{0, 1000, 0}, to(100);
    interpret(kernel, launch_of({bound(memory), bound(to)}, 10));
    EXPECT_EQ(memory, (std::vector<std::uint64_t>{9, 1000 + 2 * 7 * 10, 9}));
    const std::uint64_t sum = std::accumulate(to.begin(), to.end(), std::uint64_t{0});
    EXPECT_EQ(sum, 70u * 1000u + 2u * (69u * 70u / 2u)) << "each old value once, nothing where the predicate is false";
}

/// Group g waits until group g - 1 has said that it is done.
Kernel chain(bool backwards) {
    Builder b("chain");
    const auto flags = both(b, "flags", Scalar::u32), out = both(b, "out", Scalar::u32);
    const Value g = b.group_id(), index = wide(backwards ? g + 1_u : g);
    b.effect(instruction(Op::wait_until, {}, {index, u32(b, 1)}, flags));
    const Value before = b.global_load(out, index, Scalar::u32);
    const Value own = wide(backwards ? g : g + 1_u);
    b.global_store(out, own, before * 2_u + 1_u);
    b.effect(instruction(Op::atomic_store, Scalar::u32, {own, u32(b, 1)}, flags));
    return b.finish();
}

TEST(interpret_group, waiting_groups_take_turns) {
    for (const bool backwards : {false, true}) {
        Kernel kernel = chain(backwards);
        verify(kernel);
        kernel.launch.cooperative = true;
        std::vector<std::uint32_t> flags(21, 0), out(21, 0);
        flags[backwards ? 20 : 0] = 1;
        interpret(kernel, launch_of({bound(flags), bound(out)}, 20));
        for (std::uint32_t k = 0; k <= 20; ++k) EXPECT_EQ(out[backwards ? 20 - k : k], (1u << k) - 1);
    }
}

TEST(interpret_group, deadlocks_are_reported) {
    Kernel kernel = chain(false);
    std::vector<std::uint32_t> flags(21, 0), out(21, 0);
    InterpretOptions options;
    options.resident = 20;
    const std::string nobody = failure(kernel, launch_of({bound(flags), bound(out)}, 20), options);
    EXPECT_NE(nobody.find("deadlock"), std::string::npos) << nobody;
    // With one group under way at a time and another order than that of the chain it cannot end either, unless all are
    // resident.
    flags[0] = 1;
    options.resident = 1;
    EXPECT_NE(failure(kernel, launch_of({bound(flags), bound(out)}, 20), options).find("not begun"), std::string::npos);

    Builder b("left");
    b.kernel().launch.cluster = {2, 1, 1};
    b.begin_if(b.compare(Op::equal, b.group_id(), u32(b, 0)));
    barrier(b, Op::cluster_barrier);
    b.end_if();
    EXPECT_NE(failure(b.finish(), launch_of({}, 2)).find("deadlock: group (0, 0, 0) waits at a cluster barrier"),
              std::string::npos);
}

Instruction element_copy(Value to, Value from, std::uint32_t tile, std::uint32_t buffer, std::uint16_t width,
                         Value predicate = {}) {
    Instruction i = instruction(Op::async_copy, {}, {to, from, predicate}, tile, buffer);
    i.width = width;
    return i;
}

/// Two batches; the shared memory is read after the first was waited for and again after the second.
TEST(interpret_group, async_copies_early_and_late) {
    for (const bool early : {true, false}) {
        Builder b("copies");
        b.kernel().launch.group = {4, 1, 1};
        const auto in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 16);
        const Value t = b.thread_id();
        b.shared_store(tile, t + 8_u, u32(b, 0xffffffffu));  // looks like what nothing has written
        barrier(b, Op::group_barrier);
        b.effect(element_copy(t * 2_u, wide(t) * 2_u, tile, in, 2));
        barrier(b, Op::async_commit);
        b.effect(element_copy(t + 8_u, wide(t) + 8_u, tile, in, 1, b.less(t, u32(b, 3))));
        barrier(b, Op::async_commit);
        b.effect(instruction(Op::async_wait, {}, {}, 0, 1));
        barrier(b, Op::group_barrier);
        b.global_store(out, wide(t), b.shared_load(tile, u32(b, 7) - t, Scalar::u32));
        b.global_store(out, wide(t) + 4_u, b.shared_load(tile, t + 8_u, Scalar::u32));
        b.effect(instruction(Op::async_wait, {}, {}, 0, 0));
        barrier(b, Op::group_barrier);
        b.global_store(out, wide(t) + 8_u, b.shared_load(tile, t + 8_u, Scalar::u32));
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<std::uint32_t> from(16), to(12);
        std::iota(from.begin(), from.end(), 50u);
        InterpretOptions options;
        options.async_early = early;
        interpret(kernel, launch_of({bound(from), bound(to)}), options);
        const std::uint32_t unset = 0xffffffffu;
        const std::vector<std::uint32_t> first = {57, 56, 55, 54}, second = {58, 59, 60, unset};
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(to[k], first[k]);
            EXPECT_EQ(to[4 + k], early ? second[k] : unset);
            EXPECT_EQ(to[8 + k], second[k]);
        }
    }
}

TEST(interpret_group, bulk_and_neighbour_copies) {
    for (const bool early : {true, false}) {
        Builder b("bulk");
        b.kernel().launch.group = {8, 1, 1};
        b.kernel().launch.cluster = {2, 1, 1};
        const auto in = input(b, "in", Scalar::f32), out = output(b, "out", Scalar::f32);
        const auto tile = b.shared_array("tile", Scalar::f32, 8), received = b.shared_array("received", Scalar::f32, 8);
        const Value t = b.thread_id();
        b.effect(instruction(Op::async_bulk_copy, {}, {u32(b, 0), wide(b.group_id()) * 8_u, u32(b, 8)}, tile, in));
        barrier(b, Op::async_commit);
        b.effect(instruction(Op::async_wait, {}, {}, 0, 0));
        const Value other = u32(b, 1) - b.cluster_rank();
        b.effect(instruction(Op::async_neighbour_copy, {}, {other, u32(b, 2), u32(b, 1), u32(b, 5)}, tile, received));
        barrier(b, Op::async_commit);
        b.effect(instruction(Op::async_wait, {}, {}, 0, 0));
        barrier(b, Op::cluster_barrier);
        const Value filled = b.binary(Op::bit_and, b.compare(Op::less_equal, u32(b, 2), t), b.less(t, u32(b, 7)));
        b.global_store(out, wide(global_thread(b)), b.shared_load(received, t, Scalar::f32, filled));
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<float> from(32), to(32);
        std::iota(from.begin(), from.end(), 1.0f);
        InterpretOptions options;
        options.async_early = early;
        interpret(kernel, launch_of({bound(from), bound(to)}, 4), options);
        for (std::size_t k = 0; k < 32; ++k) {
            const std::size_t other_group = (k / 8) ^ 1, at = k % 8;
            EXPECT_EQ(to[k], at >= 2 && at < 7 ? from[other_group * 8 + at - 1] : 0.0f);
        }
    }
}

}  // namespace
}  // namespace seiche::ir::test
