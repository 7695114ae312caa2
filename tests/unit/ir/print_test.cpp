// The printer's text, whole, for a kernel with every kind of line.
#include "ir/print.hpp"

#include <gtest/gtest.h>

#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

TEST(print, types) {
    EXPECT_EQ(to_string(Type(Scalar::f32)), "f32");
    EXPECT_EQ(to_string(Type(Scalar::u64, 2)), "u64x2");
    EXPECT_EQ(to_string(Type(Scalar::boolean)), "bool");
    EXPECT_EQ(to_string(Type(Scalar::bf16, 16)), "bf16x16");
}

TEST(print, kernel_with_brackets_predicates_and_symbols) {
    Builder b("scale");
    b.kernel().comment = "out = 0.5 in";
    b.kernel().launch.group = {4, 1, 1};
    const auto in = b.buffer({"in", Scalar::f32, Access::read, true, false});
    const auto out = b.buffer({"out", Scalar::f32, Access::write, false, true});
    const Value count = b.scalar("count", Scalar::u32);
    const auto tile = b.shared_array("tile", Scalar::f32, 4);
    const Value t = b.thread_id();
    const Value inside = b.less(t, count);
    const Value x = b.global_load(in, wide(t), Scalar::f32, inside);
    const Value zero = u32(b, 0), three = u32(b, 3), one = u32(b, 1);
    b.begin_loop(zero, three, one);
    b.shared_store(tile, t, x);
    b.end_loop();
    b.begin_if(b.compare(Op::equal, count, u32(b, 4)));
    b.group_barrier();
    b.begin_else();
    b.global_store(out, wide(t), x * 0.5, inside);
    b.end_if();
    EXPECT_EQ(print(b.finish()),
              "kernel scale\n"
              "  // out = 0.5 in\n"
              "  group 4 x 1 x 1\n"
              "  buffer in : f32 read table\n"
              "  buffer out : f32 write may_alias\n"
              "  scalar count : u32\n"
              "  shared tile : f32[4]\n"
              "  %0 = parameter u32 count\n"
              "  %1 = thread_id u32 x\n"
              "  %2 = less bool %1, %0\n"
              "  %3 = convert u64 %1\n"
              "  %4 = global_load f32 in %3 if %2\n"
              "  %5 = constant u32 0\n"
              "  %6 = constant u32 3\n"
              "  %7 = constant u32 1\n"
              "  %8 = loop_begin u32 %5, %6, %7\n"
              "    shared_store f32 tile %1, %4\n"
              "  loop_end\n"
              "  %11 = constant u32 4\n"
              "  %12 = equal bool %0, %11\n"
              "  if_begin %12\n"
              "    group_barrier\n"
              "  if_else\n"
              "    %16 = constant f32 0.5\n"
              "    %17 = mul f32 %4, %16\n"
              "    global_store f32 out %3, %17 if %2\n"
              "  if_end\n");
}

}  // namespace
}  // namespace seiche::ir::test
