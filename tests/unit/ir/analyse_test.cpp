// The analyser on kernels whose conflicts, sectors, bytes and mistakes were counted by hand.
#include "ir/analyse.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "ir/liveness.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

/// Every thread stores and loads back one value of `type` in shared memory at an index made from its number.
Analysis shared_access(Type type, std::uint32_t count, const std::function<Value(Value)>& index,
                       std::uint32_t threads = 32) {
    Builder b("shared");
    b.kernel().launch.group = {threads, 1, 1};
    const auto out = output(b, "out", type);
    const auto tile = b.shared_array("tile", type.scalar, count);
    const Value t = b.thread_id(), at = index(t);
    b.shared_store(tile, at, b.splat(b.convert(t, type.scalar), type.lanes));
    b.global_store(out, wide(t), b.shared_load(tile, at, type));
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::byte> memory(threads * type_bytes(type));
    return analyse(kernel, launch_of({bound(memory)}));
}

TEST(analyse_conflicts, unit_stride_has_none) {
    const Analysis a = shared_access(
        Scalar::f32, 64, [](Value t) { return t; }, 64);
    EXPECT_EQ(a.shared_wavefronts, 4u);  // two subgroups store, two load
    EXPECT_EQ(a.shared_wavefronts_ideal, 4u);
    EXPECT_EQ(a.shared_bytes_written, 256u);
    EXPECT_EQ(a.shared_bytes_read, 256u);
    EXPECT_EQ(a.shared_races, 0u);
    EXPECT_EQ(a.uninitialised_reads, 0u);
    EXPECT_TRUE(a.findings.empty());
}

TEST(analyse_conflicts, strides_of_words) {
    for (const std::uint32_t stride : {2u, 3u, 4u, 8u, 16u, 32u, 33u}) {
        const Analysis a = shared_access(Scalar::u32, 32 * 33, [stride](Value t) { return t * std::uint64_t{stride}; });
        const std::uint64_t ways = stride % 2 == 1 ? 1 : stride;  // gcd(stride, 32)
        EXPECT_EQ(a.shared_wavefronts, 2 * ways) << "stride " << stride;
        EXPECT_EQ(a.shared_wavefronts_ideal, 2u);
    }
}

TEST(analyse_conflicts, wide_accesses_are_served_in_parts) {
    const auto two = [](std::uint64_t stride) {
        return shared_access(Type(Scalar::f32, 2), 64 * 16, [=](Value t) { return t * stride; });
    };
    EXPECT_EQ(two(2).shared_wavefronts, 2u * 2u);  // 16 lanes fill the banks: none
    EXPECT_EQ(two(2).shared_wavefronts_ideal, 2u * 2u);
    EXPECT_EQ(two(4).shared_wavefronts, 2u * 2u * 2u);    // every second pair of banks: 2 ways in each half
    EXPECT_EQ(two(32).shared_wavefronts, 2u * 2u * 16u);  // one pair of banks: 16 ways
    EXPECT_EQ(two(32).shared_wavefronts_ideal, 2u * 2u);
    const auto four = [](std::uint64_t stride) {
        return shared_access(Type(Scalar::f32, 4), 32 * 16, [=](Value t) { return t * stride; });
    };
    EXPECT_EQ(four(4).shared_wavefronts, 2u * 4u);  // 8 lanes fill the banks
    EXPECT_EQ(four(8).shared_wavefronts, 2u * 4u * 2u);
    const Analysis f64 = shared_access(Scalar::f64, 64, [](Value t) { return t * 2_u; });
    EXPECT_EQ(f64.shared_wavefronts, 2u * 2u * 2u);
}

/// What each thread stores to neighbouring elements, one instruction after the other, an assembler makes one of.
TEST(analyse_conflicts, stores_of_runs_are_merged) {
    const auto stored = [](std::uint64_t stride, std::uint64_t offset, std::uint32_t count, std::uint64_t step = 1) {
        Builder b("runs");
        b.kernel().launch.group = {32, 1, 1};
        const auto tile = b.shared_array("tile", Scalar::f32, 4096);
        const Value t = b.thread_id();
        for (std::uint32_t k = 0; k < count; ++k)
            b.shared_store(tile, t * stride + (offset + k * step), b.convert(t, Scalar::f32));
        const Kernel kernel = b.finish();
        verify(kernel);
        return analyse(kernel, launch_of({}));
    };
    EXPECT_EQ(stored(20, 0, 20).shared_wavefronts, 20u);  // 5 times 16 bytes: 8 lanes fill the banks
    EXPECT_EQ(stored(20, 0, 20).shared_wavefronts_ideal, 20u);
    EXPECT_EQ(stored(20, 0, 20).shared_bytes_written, 20u * 32 * 4);
    EXPECT_EQ(stored(6, 0, 6).shared_wavefronts, 6u);        // 3 times 8 bytes
    EXPECT_EQ(stored(20, 1, 3).shared_wavefronts, 4u + 4u);  // one of 4 bytes, whose lanes meet, and one of 8, likewise
    EXPECT_EQ(stored(21, 0, 20).shared_wavefronts, 20u);     // an odd stride: none is merged, none meet
    EXPECT_EQ(stored(20, 0, 2, 4).shared_wavefronts, 2u * 4u);  // not neighbours
}

TEST(analyse_conflicts, one_address_is_broadcast_and_predicates_count) {
    Builder b("broadcast");
    b.kernel().launch.group = {32, 1, 1};
    const auto out = output(b, "out", Scalar::f32);
    const auto tile = b.shared_array("tile", Scalar::f32, 1024);
    const Value t = b.thread_id();
    b.shared_store(tile, u32(b, 0), b.constant(Scalar::f32, 1), b.compare(Op::equal, t, u32(b, 5)));  // 1 of 1
    b.shared_store(tile, t * 32_u, b.constant(Scalar::f32, 1), b.less(t, u32(b, 4)));                 // 4 of 1
    b.group_barrier();
    b.global_store(out, wide(t), b.shared_load(tile, u32(b, 0), Scalar::f32));  // 1 of 1
    const Kernel kernel = b.finish();
    std::vector<float> to(32);
    const Analysis a = analyse(kernel, launch_of({bound(to)}));
    EXPECT_EQ(a.shared_wavefronts, 6u);
    EXPECT_EQ(a.shared_wavefronts_ideal, 3u);
    EXPECT_EQ(a.barriers, 1u);
    EXPECT_EQ(a.shared_races, 1u) << "threads 0 and 5 both store element 0";
}

TEST(analyse_conflicts, arrays_lie_one_after_the_other) {
    Builder b("two");
    b.kernel().launch.group = {32, 1, 1};
    b.shared_array("first", Scalar::f32, 4);
    const auto second = b.shared_array("second", Scalar::f32, 64);
    const Value t = b.thread_id();
    // Elements 0..15 and 28..43 of the second array: words 4..19 and 32..47, that is banks 4..19 and 0..15: 12 banks
    // twice.
    b.shared_store(second, b.select(b.less(t, u32(b, 16)), t, t + 12_u), b.constant(Scalar::f32, 1));
    const Analysis a = analyse(b.finish(), launch_of({}));
    EXPECT_EQ(a.shared_wavefronts, 2u);
    EXPECT_EQ(a.shared_wavefronts_ideal, 1u);
}

/// Loads one value per thread at stride `stride` and stores it at stride 1.
Analysis global_access(Type type, std::uint64_t stride, std::uint64_t offset = 0, bool table = false) {
    Builder b("global");
    b.kernel().launch.group = {64, 1, 1};
    const auto in = b.buffer({"in", type.scalar, Access::read, table, false});
    const auto out = output(b, "out", type);
    const Value t = wide(global_thread(b));
    b.global_store(out, t, b.global_load(in, t * stride + offset, type));
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::byte> from((256 * stride + offset + type.lanes) * scalar_bytes(type.scalar)),
        to(256 * type_bytes(type));
    return analyse(kernel, launch_of({bound(from), bound(to)}, 4));
}

TEST(analyse_sectors, strides) {
    // 8 subgroups; an f32 store of stride 1 takes 4 sectors of each.
    const std::uint64_t stores = 8 * 4;
    const Analysis one = global_access(Scalar::f32, 1);
    EXPECT_EQ(one.sectors, stores + 8 * 4);
    EXPECT_EQ(one.sectors_ideal, stores + 8 * 4);
    EXPECT_EQ(one.bytes_read, 1024u);
    EXPECT_EQ(one.bytes_written, 1024u);
    EXPECT_EQ(one.global_races, 0u);
    EXPECT_EQ(global_access(Scalar::f32, 2).sectors, stores + 8 * 8);
    EXPECT_EQ(global_access(Scalar::f32, 8).sectors, stores + 8 * 32);
    EXPECT_EQ(global_access(Scalar::f32, 100).sectors, stores + 8 * 32);
    EXPECT_EQ(global_access(Scalar::f32, 100).sectors_ideal, stores + 8 * 4);
    EXPECT_EQ(global_access(Scalar::f32, 1, 1).sectors, stores + 8 * 5);  // shifted by 4 bytes: one sector more each
    const Analysis wide16 = global_access(Type(Scalar::f32, 4), 4);
    EXPECT_EQ(wide16.sectors, 2 * 8 * 16u);
    EXPECT_EQ(wide16.sectors_ideal, 2 * 8 * 16u);
    EXPECT_EQ(wide16.bytes_read, 256u * 16u);
}

TEST(analyse_sectors, equal_addresses_count_once_and_tables_apart) {
    const Analysis same = global_access(Scalar::f32, 0);
    EXPECT_EQ(same.bytes_read, 8u * 4u);  // once a subgroup
    EXPECT_EQ(same.sectors, 8u * 4u + 8u);
    const Analysis table = global_access(Scalar::f32, 1, 0, true);
    EXPECT_EQ(table.table_bytes_read, 1024u);
    EXPECT_EQ(table.bytes_read, 0u);
    EXPECT_EQ(table.sectors, 8u * 4u);
}

TEST(analyse_faults, out_of_bounds_is_counted_and_left_out) {
    Builder b("beyond");
    b.kernel().launch.group = {32, 1, 1};
    const auto in = input(b, "in", Scalar::f32), out = output(b, "out", Scalar::f32);
    const auto kept = b.private_array("kept", Scalar::f32, 4);
    const auto tile = b.shared_array("tile", Scalar::f32, 30);
    const Value t = b.thread_id();
    b.shared_store(tile, t, b.global_load(in, wide(t), Scalar::f32));
    b.private_store(kept, u32(b, 4), b.constant(Scalar::f32, 0));
    b.global_store(out, wide(t) * 2_u, b.constant(Scalar::f32, 1));
    std::vector<float> from(20), to(32);
    const Analysis a = analyse(b.finish(), launch_of({bound(from), bound(to)}));
    EXPECT_EQ(a.out_of_bounds, 12u + 2u + 32u + 16u);
    ASSERT_EQ(a.findings.size(), 4u);
    EXPECT_EQ(a.findings[0], "out of bounds: global_load %2 by thread 20 of group (0, 0, 0), 'in' element 20");
    EXPECT_EQ(to[30], 1.0f);
}

TEST(analyse_faults, uninitialised_reads) {
    Builder b("unset");
    b.kernel().launch.group = {32, 1, 1};
    const auto in = input(b, "in", Scalar::f32), out = both(b, "out", Scalar::f32);
    const auto fresh = b.buffer({"fresh", Scalar::f32, Access::write, false, false});
    (void)fresh;
    const auto tile = b.shared_array("tile", Scalar::f32, 64);
    const auto kept = b.private_array("kept", Scalar::f32, 2);
    const Value t = b.thread_id();
    b.shared_store(tile, t, b.global_load(in, wide(t), Scalar::f32));
    b.private_store(kept, t & 1_u, b.constant(Scalar::f32, 1));
    b.group_barrier();
    const Value x = b.shared_load(tile, t + 8_u, Scalar::f32);     // 8 threads read beyond what was written
    const Value y = b.private_load(kept, u32(b, 0), Scalar::f32);  // the 16 odd threads have written element 1 only
    b.global_store(out, wide(t), x + y + b.global_load(out, wide(t), Scalar::f32));
    std::vector<float> from(32), to(32), none(1);
    const Analysis a = analyse(b.finish(), launch_of({bound(from), bound(to), bound(none)}));
    EXPECT_EQ(a.uninitialised_reads, 8u + 16u);
    EXPECT_EQ(a.shared_races, 0u);
    EXPECT_EQ(a.global_races, 0u);
}

TEST(analyse_faults, output_memory_is_not_input) {
    // The same memory under two names: what is only written has no content until then, even if read through the other.
    Builder b("peek");
    b.kernel().launch.group = {32, 1, 1};
    const auto out = b.buffer({"out", Scalar::f32, Access::write, false, true});
    const auto view = b.buffer({"view", Scalar::f32, Access::read, false, true});
    const Value t = wide(b.thread_id());
    b.global_store(out, t + 16_u, b.global_load(view, t, Scalar::f32));
    std::vector<float> memory(64);
    Launch launch = launch_of({bound(memory), bound(memory)});
    launch.buffers[1].bytes = 32 * 4;
    const Analysis a = analyse(b.finish(), launch);
    EXPECT_EQ(a.uninitialised_reads, 0u);
    EXPECT_EQ(a.global_races, 16u) << "threads 0 to 15 write what threads 16 to 31 have read";
}

TEST(analyse_work, flops_and_loops) {
    Builder b("work");
    b.kernel().launch.group = {16, 1, 1};
    const auto in = input(b, "in", Type(Scalar::f32, 2)), out = output(b, "out", Type(Scalar::f32, 2));
    const Value i = wide(global_thread(b)), x = b.global_load(in, i, Type(Scalar::f32, 2));
    b.begin_loop(u32(b, 0), u32(b, 5), u32(b, 1));
    b.global_store(out, i, b.fma(x, x + x, x));  // 2 lanes of 2 + 1
    b.group_barrier();
    b.end_loop();
    const Kernel kernel = b.finish();
    std::vector<float> from(96), to(96);
    const Analysis a = analyse(kernel, launch_of({bound(from), bound(to)}, 3));
    EXPECT_EQ(a.flops, 3u * 16u * 5u * 6u);
    EXPECT_EQ(a.barriers, 15u);
    EXPECT_EQ(a.bytes_written, 5u * 3u * 16u * 8u);
    EXPECT_EQ(a.global_races, 0u);
}

TEST(analyse_work, registers) {
    Builder b("registers");
    const auto in = input(b, "in", Scalar::f64), out = output(b, "out", Scalar::f64);
    std::vector<Value> v;
    for (std::uint64_t k = 0; k < 6; ++k)
        v.push_back(b.global_load(in, u64(b, k), Scalar::f64));  // constant indices are free
    Value sum = v[0];
    for (std::size_t k = 1; k < 6; ++k) sum = sum + v[k];
    b.global_store(out, u64(b, 0), sum);
    std::vector<double> from(6), to(1);
    EXPECT_EQ(analyse(b.finish(), launch_of({bound(from), bound(to)})).registers_live, 12u);
}

// Pairs of which one lane each is needed to the end: a lane is its vector's registers, and indices do not count.
TEST(Liveness, of_numbers_takes_lanes_as_their_vectors) {
    Builder b("pairs");
    const Type pair(Scalar::f32, 2);
    const auto in = input(b, "in", pair), out = output(b, "out", Scalar::f32);
    std::vector<Value> lanes;
    for (std::uint64_t k = 0; k < 3; ++k) lanes.push_back(b.extract(b.global_load(in, u64(b, k), pair), 0));
    const Value index = wide(b.thread_id());
    for (const Value lane : lanes) b.global_store(out, index, lane);
    EXPECT_EQ(numbers_live(b.finish()), 6u);
}

}  // namespace
}  // namespace seiche::ir::test
