// Races: what the analyser takes for ordered, and what not, in shared memory, across clusters and between groups.
#include <gtest/gtest.h>

#include "ir/analyse.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

void effect(Builder& b, Op op) { b.effect(instruction(op, {}, {})); }

/// Reverses 64 values through shared memory with `between` between store and load, `rounds` times.
Analysis reverse(std::initializer_list<Op> between, std::uint32_t rounds = 1) {
    Builder b("reverse");
    b.kernel().launch.group = {64, 1, 1};
    const auto out = output(b, "out", Scalar::u32);
    const auto tile = b.shared_array("tile", Scalar::u32, 64);
    const Value t = b.thread_id();
    // One after the other, because the order in which a call's arguments are built is the compiler's choice.
    const Value place = wide(t);
    const Value zero = u32(b, 0), one = u32(b, 1), last = u32(b, rounds), partner = u32(b, 63) - t;
    b.begin_loop(zero, last, one);
    b.shared_store(tile, t, t);
    for (const Op op : between) effect(b, op);
    b.global_store(out, place, b.shared_load(tile, partner, Scalar::u32));
    b.end_loop();
    std::vector<std::uint32_t> to(64);
    return analyse(b.finish(), launch_of({bound(to)}));
}

TEST(analyse_races, missing_barrier) {
    const Analysis a = reverse({});
    EXPECT_EQ(a.shared_races, 64u) << "every load meets another thread's store";
    EXPECT_EQ(a.global_races, 0u);
    ASSERT_EQ(a.findings.size(), 1u);
    EXPECT_EQ(
        a.findings[0].find(
            "race in shared memory: shared_store %7 by thread 63 of group (0, 0, 0) and shared_load %8 by thread 0"),
        0u)
        << a.findings[0];
}

TEST(analyse_races, a_barrier_orders) {
    EXPECT_EQ(reverse({Op::group_barrier}).shared_races, 0u);
    // The second round stores over what others may still be reading.
    EXPECT_EQ(reverse({Op::group_barrier}, 2).shared_races, 64u);
    EXPECT_EQ(reverse({Op::group_barrier}, 3).shared_races, 128u);
}

TEST(analyse_races, a_subgroup_is_no_excuse_without_its_barrier) {
    const auto neighbours = [](bool with_barrier, std::uint32_t mask) {
        Builder b("neighbours");
        b.kernel().launch.group = {64, 1, 1};
        const auto out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 64);
        const Value t = b.thread_id();
        b.shared_store(tile, t, t);
        if (with_barrier) effect(b, Op::subgroup_barrier);
        b.global_store(out, wide(t), b.shared_load(tile, t ^ u32(b, mask), Scalar::u32));
        std::vector<std::uint32_t> to(64);
        return analyse(b.finish(), launch_of({bound(to)})).shared_races;
    };
    EXPECT_EQ(neighbours(false, 1), 64u);
    EXPECT_EQ(neighbours(true, 1), 0u);
    EXPECT_EQ(neighbours(true, 32), 64u) << "the partner is in another subgroup";
}

/// 64 threads in subgroups of 8: a barrier of parts of so many threads, and a partner so far away.
TEST(analyse_races, a_barrier_of_a_part_orders_that_part_alone) {
    const auto races = [](std::uint32_t part, std::uint32_t apart) {
        Builder b("parts");
        b.kernel().launch.group = {64, 1, 1};
        const auto out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 64);
        const Value t = b.thread_id();
        b.shared_store(tile, t, t);
        b.part_barrier(part);
        b.global_store(out, wide(t), b.shared_load(tile, t ^ u32(b, apart), Scalar::u32));
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<std::uint32_t> to(64);
        MachineModel machine;
        machine.subgroup_size = 8;
        return analyse(kernel, launch_of({bound(to)}), machine).shared_races;
    };
    for (const std::uint32_t part : {8u, 16u, 32u})
        for (const std::uint32_t apart : {1u, 4u, 8u, 16u, 32u})
            EXPECT_EQ(races(part, apart), apart < part ? 0u : 64u) << part << " " << apart;
}

TEST(analyse_races, two_groups_write_one_address) {
    Builder b("both");
    b.kernel().launch.group = {8, 1, 1};
    const auto out = output(b, "out", Scalar::u32);
    b.global_store(out, wide(b.thread_id()), b.group_id());
    std::vector<std::uint32_t> to(8);
    const Analysis a = analyse(b.finish(), launch_of({bound(to)}, 3));
    EXPECT_EQ(a.global_races, 16u) << "8 elements, written again by the second and the third group";
    ASSERT_EQ(a.findings.size(), 1u);
    EXPECT_NE(a.findings[0].find("race in global memory: global_store %"), std::string::npos) << a.findings[0];
}

TEST(analyse_races, in_place_is_sound_where_each_thread_keeps_to_itself) {
    for (const std::uint32_t shift : {0u, 1u}) {
        Builder b("in_place");
        b.kernel().launch.group = {8, 1, 1};
        const auto in = b.buffer({"in", Scalar::u32, Access::read, false, true}),
                   out = b.buffer({"out", Scalar::u32, Access::write, false, true});
        const Value i = wide(global_thread(b));
        b.global_store(out, i + std::uint64_t{shift}, b.global_load(in, i, Scalar::u32));
        std::vector<std::uint32_t> memory(17);
        const Analysis a = analyse(b.finish(), launch_of({bound(memory), bound(memory)}, 2));
        EXPECT_EQ(a.global_races > 0, shift == 1) << a.global_races;
    }
}

TEST(analyse_races, clusters) {
    const auto exchange = [](bool before, bool after) {
        Builder b("ring");
        b.kernel().launch.group = {32, 1, 1};
        b.kernel().launch.cluster = {4, 1, 1};
        const auto out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 32);
        const Value t = b.thread_id(), next = (b.cluster_rank() + 1_u) & 3_u;
        b.shared_store(tile, t, t);
        effect(b, before ? Op::cluster_barrier : Op::group_barrier);
        b.global_store(out, wide(global_thread(b)),
                       b.effect(instruction(Op::cluster_load, Scalar::u32, {next, t}, tile)));
        effect(b, after ? Op::cluster_barrier : Op::group_barrier);
        b.shared_store(tile, t, t);
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<std::uint32_t> to(32 * 8);
        return analyse(kernel, launch_of({bound(to)}, 8));
    };
    EXPECT_EQ(exchange(true, true).shared_races, 0u);
    EXPECT_EQ(exchange(true, false).shared_races, 2u * 4u * 32u) << "each store meets a neighbour's read";
    EXPECT_GT(exchange(false, true).shared_races + exchange(false, true).uninitialised_reads, 0u);
}

TEST(analyse_races, counted_stores) {
    const auto exchange = [](bool is_behind_reads) {
        Builder b("counted");
        b.kernel().launch.group = {32, 1, 1};
        b.kernel().launch.cluster = {4, 1, 1};
        const auto out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 32);
        const Value t = b.thread_id(), next = (b.cluster_rank() + 1_u) & 3_u;
        b.shared_store(tile, t, t);
        b.group_barrier();
        if (!is_behind_reads) b.cluster_ready();
        const Value before = b.shared_load(tile, u32(b, 31) - t, Scalar::u32);
        if (is_behind_reads) b.cluster_ready();
        b.cluster_store(next, tile, t, before);
        b.cluster_arrivals(32 * 4);
        b.global_store(out, wide(global_thread(b)), b.shared_load(tile, t, Scalar::u32));
        std::vector<std::uint32_t> to(32 * 8);
        return analyse(b.finish(), launch_of({bound(to)}, 8));
    };
    EXPECT_EQ(exchange(true).shared_races, 0u);
    EXPECT_GT(exchange(false).shared_races, 0u) << "who reads late finds what a neighbour stored";
}

/// A producer hands data to the next group through a flag: how carefully is a parameter.
struct Handover {
    bool barrier = true, release = true, wait = true;
};
Analysis hand_over(const Handover& how) {
    Builder b("handover");
    b.kernel().launch.group = {16, 1, 1};
    b.kernel().launch.cooperative = true;
    const auto data = both(b, "data", Scalar::u32), flags = both(b, "flags", Scalar::u32);
    const Value t = b.thread_id(), g = b.group_id(), own = wide(g + 1_u);
    if (how.wait) b.effect(instruction(Op::wait_until, {}, {wide(g), u32(b, 1)}, flags));
    const Value x = b.global_load(data, wide(g * 16_u + (u32(b, 15) - t)), Scalar::u32);
    b.global_store(data, wide((g + 1_u) * 16_u + t), x + 1_u);
    if (how.barrier) b.group_barrier();
    Instruction tell =
        instruction(Op::atomic_store, Scalar::u32, {own, u32(b, 1), b.compare(Op::equal, t, u32(b, 0))}, flags);
    tell.order = how.release ? Order::release : Order::relaxed;
    tell.scope = Scope::device;
    b.effect(tell);
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::uint32_t> memory(16 * 6), flag(6, 0);
    flag[0] = 1;
    return analyse(kernel, launch_of({bound(memory), bound(flag)}, 5));
}

TEST(analyse_races, groups_that_wait_for_each_other) {
    EXPECT_EQ(hand_over({}).global_races, 0u);
    EXPECT_EQ(hand_over({true, false, true}).global_races, 4u * 16u) << "a relaxed store publishes nothing";
    EXPECT_EQ(hand_over({false, true, true}).global_races, 4u * 16u) << "the flag may overtake other threads' stores";
    EXPECT_EQ(hand_over({true, true, false}).global_races, 4u * 16u) << "nobody waits";
}

TEST(analyse_races, atomics_do_not_race_with_each_other) {
    for (const bool plain : {false, true}) {
        Builder b("count");
        b.kernel().launch.group = {8, 1, 1};
        const auto sums = both(b, "sums", Scalar::u32);
        b.effect(instruction(Op::atomic_add, Scalar::u32, {u64(b, 0), u32(b, 1)}, sums));
        if (plain) b.global_store(sums, u64(b, 0), u32(b, 3), b.compare(Op::equal, b.thread_id(), u32(b, 0)));
        std::vector<std::uint32_t> memory(1);
        EXPECT_EQ(analyse(b.finish(), launch_of({bound(memory)}, 2)).global_races > 0, plain);
    }
}

TEST(analyse_races, asynchronous_copies) {
    const auto copy = [](bool wait, bool barrier, bool early) {
        Builder b("copy");
        b.kernel().launch.group = {32, 1, 1};
        const auto in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 32);
        const Value t = b.thread_id();
        b.effect(instruction(Op::async_copy, {}, {t, wide(t)}, tile, in));
        effect(b, Op::async_commit);
        if (wait) b.effect(instruction(Op::async_wait, {}, {}, 0, 0));
        if (barrier) b.group_barrier();
        b.global_store(out, wide(t), b.shared_load(tile, u32(b, 31) - t, Scalar::u32));
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<std::uint32_t> from(32), to(32);
        InterpretOptions options;
        options.async_early = early;
        return analyse(kernel, launch_of({bound(from), bound(to)}), {}, options);
    };
    for (const bool early : {true, false}) {
        EXPECT_EQ(copy(true, true, early).shared_races, 0u);
        EXPECT_EQ(copy(true, true, early).uninitialised_reads, 0u);
        EXPECT_EQ(copy(true, true, early).bytes_read, 128u);
        EXPECT_EQ(copy(true, true, early).sectors, 8u);
        EXPECT_EQ(copy(true, false, early).shared_races, 32u) << "a wait is for one's own copies only";
        EXPECT_EQ(copy(false, true, early).shared_races, 32u) << "a barrier does not wait for copies";
    }
}

TEST(analyse_races, bulk_copies_are_waited_for_by_all) {
    for (const bool wait : {true, false}) {
        Builder b("bulk");
        b.kernel().launch.group = {32, 1, 1};
        const auto in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, 32);
        const Value t = b.thread_id();
        b.effect(instruction(Op::async_bulk_copy, {}, {u32(b, 0), u64(b, 4), u32(b, 32)}, tile, in));
        effect(b, Op::async_commit);
        if (wait) b.effect(instruction(Op::async_wait, {}, {}, 0, 0));
        b.global_store(out, wide(t), b.shared_load(tile, u32(b, 31) - t, Scalar::u32));
        std::vector<std::uint32_t> from(36), to(32);
        const Analysis a = analyse(b.finish(), launch_of({bound(from), bound(to)}));
        EXPECT_EQ(a.shared_races, wait ? 0u : 32u);
        EXPECT_EQ(a.bytes_read, 128u);
        EXPECT_EQ(a.sectors, 4u + 5u) << "the copy begins inside a sector";
    }
}

}  // namespace
}  // namespace seiche::ir::test
