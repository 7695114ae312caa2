// The verifier refuses each class of malformed kernel, and names the instruction at fault.
#include "ir/verify.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "seiche/error.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

/// What verify says about the kernel that `write` builds; empty if it accepts it.
std::string verdict(
    const std::function<void(Builder&)>& write, const std::function<void(Kernel&)>& spoil = [](Kernel&) {}) {
    Builder b("k");
    b.kernel().launch.group = {8, 1, 1};
    input(b, "in", Scalar::f32);
    output(b, "out", Scalar::f32);
    both(b, "flags", Scalar::u32);
    b.shared_array("tile", Scalar::f32, 16);
    b.private_array("kept", Scalar::u32, 2);
    write(b);
    Kernel kernel = b.kernel();
    spoil(kernel);
    try {
        verify(kernel);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "";
}

void expect_refused(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << "got: '" << message << "'";
}

TEST(verify, accepts_a_sound_kernel) {
    EXPECT_EQ(verdict([](Builder& b) {
                  const Value t = b.thread_id();
                  b.private_store(4 - 4, u32(b, 0), u32(b, 7));
                  b.begin_loop(u32(b, 0), b.private_load(0, u32(b, 0), Scalar::u32), u32(b, 1));
                  b.shared_store(0, t, b.global_load(0, wide(t), Scalar::f32));
                  b.group_barrier();
                  b.global_store(1, wide(t), b.shared_load(0, t, Scalar::f32));
                  b.end_loop();
              }),
              "");
}

TEST(verify, names_the_instruction) {
    const std::string message =
        verdict([](Builder& b) { b.effect(instruction(Op::shared_load, Scalar::f32, {b.integer(Scalar::u64, 1)})); });
    expect_refused(message, "kernel 'k', shared_load %1: index: expected u32, got u64");
}

TEST(verify, refuses_wrong_operands) {
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::add, Scalar::u32, {b.thread_id()})); }),
                   "operand 1 is missing");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::neg, Scalar::u32, {b.thread_id(), b.thread_id()}));
                   }),
                   "one too many");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::neg, Scalar::u32, {Value(&b, 5)})); }),
                   "not defined before");
    expect_refused(verdict([](Builder& b) {
                       const Value barrier = b.effect(instruction(Op::group_barrier, {}, {}));
                       b.effect(instruction(Op::neg, Scalar::u32, {barrier}));
                   }),
                   "makes no value");
}

TEST(verify, narrow_integers_are_only_loaded_stored_and_converted) {
    const auto narrow = [](Builder& b) { return b.convert(u32(b, 3), Scalar::u8); };
    EXPECT_EQ(verdict([&](Builder& b) { b.convert(narrow(b), Scalar::f32); }), "");
    expect_refused(verdict([&](Builder& b) {
                       b.effect(instruction(Op::add, Scalar::u8, {narrow(b), narrow(b)}));
                   }),
                   "is not defined for u8");
    expect_refused(verdict([&](Builder& b) { b.compare(Op::less, narrow(b), narrow(b)); }), "converted only");
    expect_refused(verdict([&](Builder& b) {
                       b.select(b.less(b.thread_id(), u32(b, 1)), narrow(b), b.convert(u32(b, 4), Scalar::u8));
                   }),
                   "is not defined for u8");
    expect_refused(verdict([&](Builder& b) { b.convert(b.constant(Scalar::f32, 1.0), Scalar::i16); }),
                   "one of 32 bits");
}

TEST(verify, refuses_wrong_types) {
    const auto two = [](Op op, Type type, Type a, Type c) {
        return verdict([=](Builder& b) { b.effect(instruction(op, type, {b.integer(a, 1), b.integer(c, 1)})); });
    };
    expect_refused(two(Op::add, Scalar::u32, Scalar::u32, Scalar::u64), "operand: expected u32, got u64");
    expect_refused(two(Op::less, Scalar::u32, Scalar::u32, Scalar::u32), "result: expected bool, got u32");
    expect_refused(two(Op::mod, Scalar::i32, Scalar::i32, Scalar::i32), "is not defined for i32");
    expect_refused(two(Op::bit_and, Scalar::f32, Scalar::f32, Scalar::f32), "is not defined for f32");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::sqrt, Scalar::u32, {b.thread_id()})); }),
                   "is not defined for u32");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::bitcast, Scalar::u64, {b.thread_id()})); }),
                   "number of bytes");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::splat, Type(Scalar::u32, 3), {b.thread_id()})); }),
                   "3 lanes");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::extract, Scalar::u32, {b.thread_id()}, 0, 1)); }),
                   "no such lane");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::compose, Type(Scalar::u32, 4), {b.thread_id(), b.thread_id()}));
                   }),
                   "do not add up");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::shuffle, Scalar::u32, {b.thread_id()})); }),
                   "no such pattern");
}

TEST(verify, refuses_wrong_symbols_and_rights) {
    const auto load = [](std::uint32_t buffer, Type type) {
        return verdict([=](Builder& b) { b.effect(instruction(Op::global_load, type, {u64(b, 0)}, buffer)); });
    };
    EXPECT_EQ(load(0, Type(Scalar::f32, 4)), "");
    expect_refused(load(9, Scalar::f32), "no such buffer");
    expect_refused(load(1, Scalar::f32), "only written");
    expect_refused(load(0, Scalar::f64), "an access as f64 to elements of f32");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::global_store, Scalar::f32, {u64(b, 0), b.constant(Scalar::f32, 1)}, 0));
                   }),
                   "only read");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::shared_load, Scalar::f32, {u32(b, 0)}, 1)); }),
                   "no such array");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::image_load, Type(Scalar::f32, 4), {u32(b, 0), u32(b, 0)}));
                   }),
                   "no such image");
    expect_refused(verdict([](Builder&) {}, [](Kernel& k) { k.shared[0].name = "in"; }), "'in' is empty or taken");
    expect_refused(verdict([](Builder&) {}, [](Kernel& k) { k.shared[0].element = Scalar::boolean; }),
                   "cannot be of type bool");
    expect_refused(verdict([](Builder&) {}, [](Kernel& k) { k.launch.group[1] = 0; }), "at least 1");
}

TEST(verify, refuses_what_is_not_visible) {
    expect_refused(verdict([](Builder& b) {
                       b.begin_if(b.compare(Op::equal, b.group_id(), u32(b, 0)));
                       const Value inner = b.global_load(0, u64(b, 0), Scalar::f32);
                       b.end_if();
                       b.global_store(1, u64(b, 0), inner);
                   }),
                   "inside brackets that are closed");
}

TEST(verify, refuses_broken_brackets) {
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::loop_end, {}, {})); }), "not open");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::if_else, {}, {})); }), "no if before");
    expect_refused(verdict([](Builder& b) { b.effect(instruction(Op::if_begin, {}, {b.boolean(true)})); }),
                   "is not closed");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::if_begin, {}, {b.boolean(true)}));
                       b.effect(instruction(Op::loop_end, {}, {}));
                   }),
                   "not open");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::loop_begin, Scalar::u32, {u32(b, 0), u32(b, 1), u32(b, 0)}));
                   }),
                   "step is not 0");
}

TEST(verify, refuses_divergent_control) {
    expect_refused(verdict([](Builder& b) {
                       b.begin_if(b.less(b.thread_id(), u32(b, 3)));
                       b.end_if();
                   }),
                   "may differ between threads");
    expect_refused(verdict([](Builder& b) {
                       b.begin_loop(u32(b, 0), b.thread_id(), u32(b, 1));
                       b.end_loop();
                   }),
                   "may differ between threads");
    expect_refused(verdict([](Builder& b) {  // a private array that was given something divergent
                       b.private_store(0, u32(b, 0), b.thread_id());
                       b.begin_loop(u32(b, 0), b.private_load(0, u32(b, 0), Scalar::u32), u32(b, 1));
                       b.end_loop();
                   }),
                   "may differ between threads");
    expect_refused(verdict([](Builder& b) {
                       b.effect(instruction(Op::wait_until, {}, {wide(b.thread_id()), u32(b, 1)}, 2));
                   }),
                   "may differ between threads");
}

TEST(verify, cluster_barrier_needs_the_whole_cluster) {
    const auto in_if = [](Builder& b, Value condition) {
        b.begin_if(condition);
        b.effect(instruction(Op::cluster_barrier, {}, {}));
        b.end_if();
    };
    const auto clustered = [](Kernel& k) { k.launch.cluster = {2, 1, 1}; };
    const auto by_group = [&](Builder& b) { in_if(b, b.compare(Op::equal, b.group_id(), u32(b, 0))); };
    const auto by_parameter = [&](Builder& b) {
        in_if(b, b.compare(Op::equal, b.scalar("n", Scalar::u32), u32(b, 0)));
    };
    expect_refused(verdict(by_group, clustered), "not every group of the cluster");
    EXPECT_EQ(verdict(by_parameter, clustered), "");
    EXPECT_EQ(verdict(by_group), "") << "a cluster of one group";
}

TEST(verify, counted_stores_have_the_shared_memory_to_themselves) {
    const auto clustered = [](Kernel& k) { k.launch.cluster = {2, 1, 1}; };
    struct Steps {
        bool is_ready = true, has_load = false, has_barrier = false, is_in_bracket = false, is_last = false;
    };
    const auto crossing = [](const Steps& steps) {
        return [steps](Builder& b) {
            const std::uint32_t got = b.shared_array("got", Scalar::u32, 8);
            if (steps.has_barrier) b.cluster_barrier();
            if (steps.is_in_bracket) b.begin_if(b.compare(Op::equal, b.scalar("n", Scalar::u32), u32(b, 0)));
            if (steps.is_ready) b.cluster_ready();
            if (steps.has_load) b.shared_load(got, u32(b, 0), Scalar::u32);
            b.cluster_store(u32(b, 0), got, u32(b, 0), u32(b, 1));
            b.cluster_arrivals(4);
            if (steps.is_in_bracket) b.end_if();
            if (steps.is_last) b.cluster_ready();
        };
    };
    EXPECT_EQ(verdict(crossing({}), clustered), "");
    expect_refused(verdict(crossing({false}), clustered), "ready for this store");
    expect_refused(verdict(crossing({true, true}), clustered), "only counted stores");
    expect_refused(verdict(crossing({true, false, true}), clustered), "no barrier of the cluster");
    expect_refused(verdict(crossing({true, false, false, true}), clustered), "not in a bracket");
    expect_refused(verdict(crossing({true, false, false, false, true}), clustered), "nobody waits");
    expect_refused(verdict(
                       [](Builder& b) {
                           b.cluster_ready();
                           b.effect(instruction(Op::cluster_arrivals, {}, {}, 0, 4));
                       },
                       clustered),
                   "a shared array of one u64");
}

TEST(uniformity, levels_of_values) {
    Builder b("k");
    b.kernel().launch.group = {8, 1, 1};
    b.kernel().launch.cluster = {2, 1, 1};
    const auto in = input(b, "in", Scalar::u32);
    const auto memory = both(b, "memory", Scalar::u32);
    const Value n = b.scalar("n", Scalar::u32);
    const Value from_group = b.group_id() + n;
    const Value from_thread = b.thread_id() + n;
    const Value y = b.thread_id(1);  // the extent is 1
    const Value constant_load = b.global_load(in, wide(n), Scalar::u32);
    const Value changing_load = b.global_load(memory, wide(n), Scalar::u32);
    const std::vector<Uniformity> levels = uniformity(b.kernel());
    EXPECT_EQ(levels[n.id()], Uniformity::cluster);
    EXPECT_EQ(levels[from_group.id()], Uniformity::group);
    EXPECT_EQ(levels[from_thread.id()], Uniformity::none);
    EXPECT_EQ(levels[y.id()], Uniformity::cluster);
    EXPECT_EQ(levels[constant_load.id()], Uniformity::cluster);
    EXPECT_EQ(levels[changing_load.id()], Uniformity::none);
}

TEST(verify, a_barrier_of_a_part_divides_its_group) {
    const auto is_sound = [](std::array<std::uint32_t, 3> group, std::uint32_t threads) {
        Builder b("parts");
        b.kernel().launch.group = group;
        b.part_barrier(threads);
        try {
            verify(b.finish());
        } catch (const InternalError&) {
            return false;
        }
        return true;
    };
    EXPECT_TRUE(is_sound({64, 1, 1}, 32));
    EXPECT_TRUE(is_sound({64, 1, 1}, 8));
    EXPECT_FALSE(is_sound({64, 1, 1}, 64)) << "that is the group's";
    EXPECT_FALSE(is_sound({64, 1, 1}, 4)) << "there are not so many barriers";
    EXPECT_FALSE(is_sound({96, 1, 1}, 32)) << "a third";
    EXPECT_FALSE(is_sound({64, 1, 1}, 0));
    EXPECT_FALSE(is_sound({32, 2, 1}, 32)) << "which threads are neighbours is said of one dimension only";
}

}  // namespace
}  // namespace seiche::ir::test
