// The interpreter's memory: wide and strided accesses, predicates, bounds, private arrays, loops, images, order of
// groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "seiche/error.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

std::vector<float> counting(std::size_t n) {
    std::vector<float> v(n);
    std::iota(v.begin(), v.end(), 1.0f);
    return v;
}

void barrier(Builder& b, Op op) { b.effect(instruction(op, {}, {})); }

std::string failure(const Kernel& kernel, const Launch& launch, const InterpretOptions& options = {}) {
    try {
        interpret(kernel, launch, options);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "";
}

TEST(interpret_memory, reverses_through_shared_memory) {
    for (const unsigned lanes : {1u, 2u, 4u}) {
        Builder b("reverse");
        b.kernel().launch.group = {40, 1, 1};
        const Type type(Scalar::f32, lanes);
        const auto in = input(b, "in", type), out = output(b, "out", type);
        const auto tile = b.shared_array("tile", type, 40);
        const Value t = b.thread_id();
        b.shared_store(tile, t, b.global_load(in, wide(global_thread(b)), type));
        b.group_barrier();
        b.global_store(out, wide(global_thread(b)), b.shared_load(tile, u32(b, 39) - t, type));
        const Kernel kernel = b.finish();
        verify(kernel);
        std::vector<float> from = counting(40 * 50 * lanes), to(from.size());
        interpret(kernel, launch_of({bound(from), bound(to)}, 50));
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::size_t element = i / lanes, group = element / 40;
            ASSERT_EQ(to[i], from[(group * 40 + 39 - element % 40) * lanes + i % lanes]);
        }
    }
}

TEST(interpret_memory, access_wider_than_the_element) {
    Builder b("wide");
    b.kernel().launch.group = {8, 1, 1};
    const auto in = input(b, "in", Scalar::f64), out = output(b, "out", Type(Scalar::f64, 2));
    const Value i = wide(b.thread_id());
    b.global_store(out, i * 2_u, b.global_load(in, i * 3_u, Type(Scalar::f64, 4)));
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<double> from(25), to(32);
    std::iota(from.begin(), from.end(), 0.0);
    interpret(kernel, launch_of({bound(from), bound(to)}));
    for (std::size_t k = 0; k < 32; ++k) EXPECT_EQ(to[k], static_cast<double>(k / 4 * 3 + k % 4));
    from.pop_back();  // thread 7 needs elements 21 to 24
    EXPECT_NE(failure(kernel, launch_of({bound(from), bound(to)}))
                  .find("thread 7 of group (0, 0, 0) reaches element 21 of buffer 'in'"),
              std::string::npos)
        << failure(kernel, launch_of({bound(from), bound(to)}));
}

TEST(interpret_memory, predicates_guard_and_give_zero) {
    Builder b("guarded");
    b.kernel().launch.group = {16, 1, 1};
    const auto in = input(b, "in", Scalar::f32), out = output(b, "out", Scalar::f32);
    const auto tile = b.shared_array("tile", Scalar::f32, 10);
    const Value t = b.thread_id(), inside = b.less(t, u32(b, 10)), odd = b.compare(Op::equal, t & 1_u, u32(b, 1));
    b.shared_store(tile, t, b.global_load(in, wide(t), Scalar::f32, inside) + 1.0, inside);
    const Value back = b.shared_load(tile, t, Scalar::f32, inside);
    b.global_store(out, wide(t), back, odd);
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<float> from = counting(10), to(16, -5.0f);
    interpret(kernel, launch_of({bound(from), bound(to)}));
    for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(to[k], k % 2 == 0 ? -5.0f : k < 10 ? from[k] + 1 : 0.0f);
}

TEST(interpret_memory, names_who_is_out_of_bounds) {
    Builder b("beyond");
    b.kernel().launch.group = {16, 1, 1};
    const auto out = output(b, "out", Scalar::f32);
    const auto tile = b.shared_array("tile", Scalar::f32, 12);
    const Value t = b.thread_id();
    b.shared_store(tile, t, b.constant(Scalar::f32, 1));
    b.global_store(out, wide(t), b.constant(Scalar::f32, 1));
    const Kernel kernel = b.finish();
    std::vector<float> to(16);
    const std::string message = failure(kernel, launch_of({bound(to)}));
    EXPECT_NE(
        message.find(
            "kernel 'beyond', shared_store %2: thread 12 of group (0, 0, 0) reaches element 12 of shared array 'tile', "
            "expected less than 12"),
        std::string::npos)
        << message;
    EXPECT_NE(failure(kernel, launch_of({})).find("launched with 0 buffers, expected 1"), std::string::npos);
}

/// Threads write all but the last place of an array of pairs and read all places, the last one if they are told to.
template <class T>
Kernel leaves_one_unwritten(Scalar scalar, const T& stored, bool in_shared) {
    Builder b("unset");
    b.kernel().launch.group = {4, 1, 1};
    const Type type(scalar, 2);
    const auto out = output(b, "out", type);
    const Value asked = b.scalar("asked", Scalar::u32), t = b.thread_id();
    const Value x = b.splat(scalar == Scalar::u32 ? b.integer(scalar, static_cast<std::uint64_t>(stored))
                                                  : b.constant(scalar, static_cast<double>(stored)),
                            2);
    if (in_shared) {
        const auto tile = b.shared_array("tile", type, 5);
        b.shared_store(tile, t, x);
        b.global_store(out, wide(t), b.shared_load(tile, t, type));
        const Value is_asked = b.compare(Op::equal, asked, u32(b, 1));
        b.global_store(out, wide(t), b.shared_load(tile, t + 1_u, type, b.less(t, u32(b, 3)) | is_asked));
    } else {
        const auto own = b.private_array("own", type, 2);
        b.private_store(own, u32(b, 0), x);
        b.global_store(out, wide(t), b.private_load(own, asked, type));
    }
    return b.finish();
}

TEST(interpret_memory, reads_of_what_nothing_has_written_are_errors) {
    const auto expect_found = [](const Kernel& kernel, std::size_t bytes, const std::string& says) {
        verify(kernel);
        std::vector<std::byte> to(bytes * 8);
        Launch launch = launch_of({bound(to)});
        launch.scalars = {0};
        EXPECT_EQ(failure(kernel, launch), "");
        launch.scalars = {1};
        const std::string message = failure(kernel, launch);
        EXPECT_NE(message.find(says), std::string::npos) << message;
    };
    for (const bool in_shared : {true, false}) {
        const std::string says = in_shared
                                     ? "thread 3 of group (0, 0, 0) reads element 4 of shared array 'tile', which"
                                     : "thread 0 of group (0, 0, 0) reads element 1 of private array 'own', which";
        // What a kernel stores may look as what it has not.
        expect_found(leaves_one_unwritten(Scalar::u32, 0xffffffffu, in_shared), 4, says + " nothing has written");
        expect_found(leaves_one_unwritten(Scalar::u32, 7, in_shared), 4, says);
        for (const double stored : {1.0, std::numeric_limits<double>::quiet_NaN()})
            for (const Scalar scalar : {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64})
                expect_found(leaves_one_unwritten(scalar, stored, in_shared), scalar_bytes(scalar), says);
    }
}

TEST(interpret_memory, reads_across_a_cluster_of_what_nothing_has_written_are_errors) {
    for (const bool by_copy : {false, true})
        for (const bool is_written : {true, false}) {
            Builder b("across");
            b.kernel().launch.group = {8, 1, 1};
            b.kernel().launch.cluster = {2, 1, 1};
            const auto out = output(b, "out", Scalar::f32);
            const auto tile = b.shared_array("tile", Scalar::f32, 8), got = b.shared_array("got", Scalar::f32, 8);
            const Value t = b.thread_id(), other = u32(b, 1) - b.cluster_rank();
            const Value all = b.less(t, u32(b, is_written ? 8 : 7));
            b.shared_store(tile, t, b.convert(t, Scalar::f32), all);
            barrier(b, Op::cluster_barrier);
            Value value;
            if (by_copy) {
                b.effect(
                    instruction(Op::async_neighbour_copy, {}, {other, u32(b, 0), u32(b, 0), u32(b, 8)}, tile, got));
                barrier(b, Op::async_commit);
                b.effect(instruction(Op::async_wait, {}, {}, 0, 0));
                barrier(b, Op::cluster_barrier);
                value = b.shared_load(got, t, Scalar::f32);
            } else {
                value = b.effect(instruction(Op::cluster_load, Scalar::f32, {other, t}, tile));
                barrier(b, Op::cluster_barrier);
            }
            b.global_store(out, wide(global_thread(b)), value);
            const Kernel kernel = b.finish();
            verify(kernel);
            std::vector<float> to(16);
            const std::string message = failure(kernel, launch_of({bound(to)}, 2));
            if (is_written)
                EXPECT_EQ(message, "");
            else
                EXPECT_NE(message.find("reads element 7 of shared array 'tile'"), std::string::npos) << message;
        }
}

/// Sums `rounds` products in a private array, by loops whose bounds are parameters: for i in [1, n) step s: sum[i & 1]
/// += i * x.
TEST(interpret_memory, loops_carry_private_arrays) {
    for (const bool divergent : {false, true}) {
        Builder b("sum");
        b.kernel().launch.group = {4, 1, 1};
        const auto out = output(b, "out", Scalar::u32);
        const auto sums = b.private_array("sums", Scalar::u32, 2);
        const Value n = b.scalar("n", Scalar::u32), step = b.scalar("step", Scalar::u32);
        const Value x = divergent ? b.thread_id() : b.group_id();
        b.private_store(sums, u32(b, 0), u32(b, 0));
        b.private_store(sums, u32(b, 1), u32(b, 0));
        const Value i = b.begin_loop(u32(b, 1), n, step);
        const Value inner = b.begin_loop(u32(b, 0), u32(b, 2), u32(b, 1));
        b.private_store(sums, i & 1_u, b.private_load(sums, i & 1_u, Scalar::u32) + i * x + inner);
        b.end_loop();
        b.end_loop();
        const Value which = b.thread_id() & 1_u;  // an index that differs between threads
        b.global_store(out, wide(global_thread(b)), b.private_load(sums, which, Scalar::u32));
        const Kernel kernel = b.finish();
        verify(kernel);
        for (const std::uint32_t steps : {1u, 3u, 100u}) {
            std::vector<std::uint32_t> to(12);
            Launch launch = launch_of({bound(to)}, 3);
            launch.scalars = {20, steps};
            interpret(kernel, launch);
            for (std::uint32_t k = 0; k < 12; ++k) {
                std::uint32_t want[2] = {0, 0};
                for (std::uint32_t j = 1; j < 20; j += steps) want[j & 1] += 2 * j * (divergent ? k % 4 : k / 4) + 1;
                EXPECT_EQ(to[k], want[k & 1]) << "step " << steps << ", thread " << k;
            }
        }
    }
}

TEST(interpret_memory, loops_that_end_at_the_last_number_do_not_wrap) {
    Builder b("edge");
    const auto out = both(b, "out", Scalar::u32);
    b.begin_loop(u32(b, 0xfffffff0u), u32(b, 0xffffffffu), u32(b, 4));
    b.global_store(out, u64(b, 0), b.global_load(out, u64(b, 0), Scalar::u32) + 1_u);
    b.end_loop();
    std::vector<std::uint32_t> to(1, 0);
    interpret(b.finish(), launch_of({bound(to)}));
    EXPECT_EQ(to[0], 4u);
}

TEST(interpret_memory, branches) {
    Builder b("branch");
    b.kernel().launch.group = {4, 1, 1};
    const auto out = output(b, "out", Scalar::u32);
    const Value i = wide(global_thread(b)), which = b.group_id();
    b.begin_if(b.compare(Op::equal, which, u32(b, 0)));
    b.global_store(out, i, u32(b, 10));
    b.begin_else();
    b.begin_if(b.compare(Op::equal, which, u32(b, 1)));
    b.global_store(out, i, u32(b, 20));
    b.end_if();
    b.end_if();
    b.begin_if(b.compare(Op::equal, which, u32(b, 2)));
    b.global_store(out, i, u32(b, 30));
    b.end_if();
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<std::uint32_t> to(16, 1);
    interpret(kernel, launch_of({bound(to)}, 4));
    for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(to[k], (std::vector<std::uint32_t>{10, 20, 30, 1})[k / 4]);
}

/// Many values live at once, born and dying in mixed order: registers must not be handed out twice.
TEST(interpret_memory, registers_of_many_live_values) {
    Builder b("many");
    b.kernel().launch.group = {33, 1, 1};
    const auto in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
    const Value i = wide(b.thread_id());
    std::vector<Value> v;
    for (std::uint64_t k = 0; k < 40; ++k) v.push_back(b.global_load(in, i + 33 * k, Scalar::u32) * (2 * k + 1));
    for (std::size_t k = 0; k + 7 < v.size(); k += 3) v[k] = v[k] * v[k + 7] + v[(k * 5) % 40];
    Value sum = u32(b, 0);
    for (std::size_t k = 0; k < v.size(); ++k) sum = sum * 31_u + v[(k * 17) % 40];
    b.global_store(out, i, sum);
    const Kernel kernel = b.finish();
    std::vector<std::uint32_t> from(33 * 40), to(33);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<std::uint32_t>(k * 2654435761u);
    interpret(kernel, launch_of({bound(from), bound(to)}));
    for (std::size_t t = 0; t < 33; ++t) {
        std::vector<std::uint32_t> w;
        for (std::uint32_t k = 0; k < 40; ++k) w.push_back(from[t + 33 * k] * (2 * k + 1));
        for (std::size_t k = 0; k + 7 < w.size(); k += 3) w[k] = w[k] * w[k + 7] + w[(k * 5) % 40];
        std::uint32_t want = 0;
        for (std::size_t k = 0; k < w.size(); ++k) want = want * 31u + w[(k * 17) % 40];
        ASSERT_EQ(to[t], want);
    }
}

TEST(interpret_memory, images) {
    Builder b("image");
    b.kernel().launch.group = {6, 1, 1};
    b.kernel().images = {{"from", ImageFormat::rg32f, Access::read}, {"to", ImageFormat::rgba32f, Access::write}};
    const Value t = b.thread_id(), x = t % 3_u, y = t / 3_u;
    const Value texel = b.effect(instruction(Op::image_load, Type(Scalar::f32, 4), {x, y}, 0));
    b.effect(instruction(Op::image_store, Type(Scalar::f32, 4), {u32(b, 2) - x, y, texel, b.less(t, u32(b, 5))}, 1));
    const Kernel kernel = b.finish();
    verify(kernel);
    std::vector<float> from = counting(12), to(24, -1);
    Launch launch;
    launch.images = {{from.data(), 3, 2}, {to.data(), 3, 2}};
    interpret(kernel, launch);
    for (std::size_t k = 0; k < 6; ++k) {
        const std::size_t target = k / 3 * 3 + 2 - k % 3;
        const std::vector<float> got(to.begin() + static_cast<long>(target * 4),
                                     to.begin() + static_cast<long>(target * 4 + 4));
        EXPECT_EQ(got, k < 5 ? (std::vector<float>{from[2 * k], from[2 * k + 1], 0, 1}) : std::vector<float>(4, -1));
    }
    launch.images[0].height = 1;
    EXPECT_NE(failure(kernel, launch).find("texel (0, 1) of image 'from', which is 3 by 1"), std::string::npos);
}

/// Each group writes which one it is in the order of an atomic counter.
TEST(interpret_memory, the_seed_decides_the_order_of_groups) {
    Builder b("order");
    const auto counter = both(b, "counter", Scalar::u32), out = output(b, "out", Scalar::u32);
    const Value place = b.effect(instruction(Op::atomic_add, Scalar::u32, {u64(b, 0), u32(b, 1)}, counter));
    b.global_store(out, wide(place), b.group_id());
    const Kernel kernel = b.finish();
    const auto order = [&](std::uint64_t seed, unsigned threads) {
        std::vector<std::uint32_t> count(1, 0), to(64);
        InterpretOptions options;
        options.seed = seed;
        options.threads = threads;
        interpret(kernel, launch_of({bound(count), bound(to)}, 64), options);
        return to;
    };
    EXPECT_EQ(order(3, 1), order(3, 1));
    EXPECT_NE(order(3, 1), order(4, 1));
    auto all = order(5, 8);
    std::sort(all.begin(), all.end());
    for (std::uint32_t k = 0; k < 64; ++k) EXPECT_EQ(all[k], k);
}

}  // namespace
}  // namespace seiche::ir::test
