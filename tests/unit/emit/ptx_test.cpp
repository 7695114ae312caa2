// PTX: every op that it can say assembles without a word of complaint for three generations of cards, the rest is
// refused by name, and what matters of the text is as it should be.
#include <gtest/gtest.h>

#include <functional>
#include <regex>

#include "emit/source.hpp"
#include "every_op.hpp"
#include "ir/verify.hpp"
#include "ptxas.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using ir::Builder;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::Value;

emit::Target target_of(const std::string& architecture) {
    emit::Target target;
    target.dialect = emit::Dialect::ptx;
    target.architecture = architecture;
    return target;
}

std::string text_of(const ir::Kernel& kernel, const std::string& architecture = "sm_90") {
    return emit::emit(std::make_shared<ir::Kernel>(kernel), target_of(architecture)).text;
}

void expect_assembles(const ir::Kernel& kernel, const std::string& architecture) {
    const std::string text = text_of(kernel, architecture);
    const Assembly made = assemble(text, architecture);
    EXPECT_TRUE(made.succeeded) << made.log << text;
    EXPECT_EQ(made.log.find("warning"), std::string::npos) << made.log << text;
}

class PtxOps : public testing::TestWithParam<std::tuple<Scalar, unsigned>> {};

TEST_P(PtxOps, assemble) {
    if (!has_ptxas()) GTEST_SKIP() << "no ptxas on this machine";
    const Type type(std::get<0>(GetParam()), std::get<1>(GetParam()));
    for (const char* architecture : {"sm_75", "sm_80", "sm_90"})
        expect_assembles(every_op(type, false).kernel, architecture);
}

INSTANTIATE_TEST_SUITE_P(types, PtxOps,
                         testing::Combine(testing::Values(Scalar::f16, Scalar::f32, Scalar::f64, Scalar::i32,
                                                          Scalar::u32, Scalar::u64),
                                          testing::Values(1u, 4u)));

TEST(PtxKernels, with_everything_beyond_arithmetic_assemble) {
    if (!has_ptxas()) GTEST_SKIP() << "no ptxas on this machine";
    for (const ir::Kernel& kernel :
         {exchange_kernel(), guarded_kernel(), dynamic_shared_kernel(), half_storage_kernel(), narrow_storage_kernel(),
          subgroup_kernel(), atomic_kernel(), ticket_kernel(), scoped_barriers_kernel(true)})
        for (const char* architecture : {"sm_75", "sm_80", "sm_90"}) expect_assembles(kernel, architecture);
    for (const ir::Kernel& kernel : {async_kernel(), matrix_kernel()})
        for (const char* architecture : {"sm_80", "sm_90"}) expect_assembles(kernel, architecture);
    expect_assembles(cluster_kernel(), "sm_90");
}

/// What is thrown, or the text.
std::string refusal(const ir::Kernel& kernel, const std::string& architecture = "sm_90") {
    try {
        return text_of(kernel, architecture);
    } catch (const Unsupported& error) {
        return error.what();
    }
}

TEST(PtxKernels, what_it_lacks_is_refused_by_name) {
    for (const Op op : {Op::sin, Op::cos, Op::sinpi, Op::cospi, Op::exp, Op::log}) {
        Builder b("lacks");
        const auto out = b.buffer({"out", Type(Scalar::f64), ir::Access::read_write});
        const Value index = b.convert(b.group_id(), Scalar::u64);
        b.global_store(out, index, b.unary(op, b.global_load(out, index, Scalar::f64)));
        EXPECT_EQ(refusal(b.finish()), "Unsupported: ptx: kernel lacks: cannot express " + std::string(op_name(op)));
    }
    EXPECT_NE(refusal(cluster_kernel(), "sm_80").find("clusters need sm_90, not sm_80"), std::string::npos);
    EXPECT_NE(refusal(matrix_kernel(), "sm_75").find("cannot express matrix_multiply: it needs sm_80"),
              std::string::npos);
}

/// The text of what `body` makes of a u32 and stores.
std::string of_word(const std::function<Value(Builder&, Value)>& body) {
    Builder b("word");
    const auto in = b.buffer({"in", Type(Scalar::u32)});
    const auto out = b.buffer({"out", Type(Scalar::u32), ir::Access::write});
    const Value index = b.convert(b.thread_id(), Scalar::u64);
    b.global_store(out, index, body(b, b.global_load(in, index, Scalar::u32)));
    b.kernel().launch.group = {64, 1, 1};
    return text_of(b.finish());
}

bool has(const std::string& text, const std::string& pattern) { return std::regex_search(text, std::regex(pattern)); }

TEST(PtxText, divides_by_constants_with_products) {
    const std::string seven = of_word([](Builder&, Value v) { return v / 7u; });
    EXPECT_TRUE(has(seven, "mul.hi.u32 %r\\d+, %r\\d+, 613566757;")) << seven;  // 2^32 / 7 has one bit more
    EXPECT_TRUE(has(seven, "shr.u32 %r\\d+, %r\\d+, 2;")) << seven;
    const std::string five = of_word([](Builder&, Value v) { return v / 5u; });
    EXPECT_TRUE(has(five, "mul.hi.u32 %r\\d+, %r\\d+, 3435973837;")) << five;
    EXPECT_FALSE(has(five, "sub.u32")) << five;
    const std::string eight = of_word([](Builder&, Value v) { return v / 8u + v % 8u; });
    EXPECT_FALSE(has(eight, "mul.hi|mul.lo|div|rem")) << eight;
    const std::string bounded = of_word([](Builder&, Value v) { return (v & 0xffffu) / 7u; });
    EXPECT_FALSE(has(bounded, "sub.u32")) << bounded;
}

TEST(PtxText, has_the_constant_part_of_an_index_in_the_address) {
    Builder b("offsets");
    const auto in = b.buffer({"in", Type(Scalar::f32, 2)});
    const auto out = b.buffer({"out", Type(Scalar::f32, 2), ir::Access::write});
    const Value thread = b.convert(b.thread_id(), Scalar::u64);
    const Value base = b.convert(b.group_id(), Scalar::u64) * std::uint64_t{512} + thread;
    for (unsigned k = 0; k < 4; ++k)
        b.global_store(out, base + std::uint64_t{64} * k,
                       b.global_load(in, base + std::uint64_t{64} * k, Type(Scalar::f32, 2)));
    b.kernel().launch.group = {64, 1, 1};
    const std::string text = text_of(b.finish());
    EXPECT_TRUE(has(text, "ld.global.nc.v2.f32 \\{%f\\d+, %f\\d+\\}, \\[%l\\d+\\+1536\\];")) << text;
    EXPECT_TRUE(has(text, "st.global.v2.f32 \\[%l\\d+\\+512\\]")) << text;
    const std::regex product("m(ul|ad).wide.u32");
    EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), product), std::sregex_iterator()), 4)
        << "of two arrays, the group's and the thread's part: " << text;
}

TEST(PtxText, says_what_a_cache_need_not_keep_and_what_it_needs_more_of) {
    Builder b("hints");
    const auto in = b.buffer({"in", Type(Scalar::f32, 2)});
    const auto out = b.buffer({"out", Type(Scalar::f32, 2), ir::Access::write});
    const Value thread = b.convert(b.thread_id(), Scalar::u64);
    for (const ir::CacheHint hint : {ir::CacheHint::line, ir::CacheHint::streaming}) {
        const Value x = b.global_load(in, thread, Type(Scalar::f32, 2));
        b.kernel().code.back().hint = hint;
        b.global_store(out, thread, x);
        b.kernel().code.back().hint = hint;
    }
    b.kernel().launch.group = {64, 1, 1};
    const ir::Kernel kernel = b.finish();
    const std::string text = text_of(kernel);
    EXPECT_TRUE(has(text, "ld.global.nc.L2::128B.v2.f32")) << text;
    EXPECT_TRUE(has(text, "ld.global.cs.v2.f32")) << text;
    EXPECT_TRUE(has(text, "st.global.v2.f32")) << text;
    EXPECT_TRUE(has(text, "st.global.cs.v2.f32")) << text;
    if (!has_ptxas()) return;
    for (const char* architecture : {"sm_75", "sm_90"}) expect_assembles(kernel, architecture);
}

struct TableLoad {
    std::uint32_t groups = 1;  // of a unit
    bool is_behind_barrier = false;
    ir::Scalar scalar = Scalar::f32;
    std::uint32_t divisor = 8;
};

/// Of a group's table.
std::string of_table(const TableLoad& load) {
    Builder b("table_load");
    ir::BufferParameter parameter{"table", Type(load.scalar)};
    parameter.table = true;
    const auto table = b.buffer(parameter);
    const auto out = b.buffer({"out", Type(load.scalar), ir::Access::write});
    const Value index = b.convert(b.thread_id() % load.divisor, Scalar::u64);
    if (load.is_behind_barrier) b.group_barrier();
    const Value entry = b.global_load(table, index, load.scalar);
    if (!load.is_behind_barrier) b.group_barrier();
    b.global_store(out, index, entry);
    b.kernel().launch.group = {64, 1, 1};
    b.kernel().launch.min_groups_per_unit = load.groups;
    return text_of(b.finish());
}

TEST(PtxText, leaves_loads_of_few_groups_tables_where_they_are) {
    EXPECT_TRUE(has(of_table({1}), "ld.global.f32"));
    EXPECT_TRUE(has(of_table({2}), "ld.global.f32"));
    EXPECT_TRUE(has(of_table({1, true}), "ld.global.nc.f32")) << "stores would hold it up";
    EXPECT_TRUE(has(of_table({1, false, Scalar::f32, 7}), "ld.global.nc.f32")) << "registers are short";
    EXPECT_TRUE(has(of_table({3}), "ld.global.nc.f32")) << "others compute while it waits";
    EXPECT_TRUE(has(of_table({1, false, Scalar::f64}), "ld.global.f64"));
    EXPECT_TRUE(has(of_table({2, false, Scalar::f64}), "ld.global.nc.f64"));
}

TEST(PtxText, contracts_all_but_what_is_exact) {
    for (const bool is_exact : {false, true}) {
        Builder b("exact");
        const auto out = b.buffer({"out", Type(Scalar::f32), ir::Access::read_write});
        const Value index = b.convert(b.group_id(), Scalar::u64), x = b.global_load(out, index, Scalar::f32);
        b.make_exact(is_exact);
        b.global_store(out, index, x * x + x);
        const std::string text = text_of(b.finish());
        EXPECT_EQ(has(text, "mul.rn.f32"), is_exact) << text;
        EXPECT_EQ(has(text, "add.rn.f32"), is_exact) << text;
    }
}

TEST(PtxText, states_the_launch) {
    const std::string text = text_of(cluster_kernel());
    for (const char* part :
         {".version 7.8\n.target sm_90\n", ".maxntid 64\n", ".explicitcluster\n", ".reqnctapercluster 2, 1, 1\n",
          "mapa.shared::cluster.u32", "barrier.cluster.wait.aligned"})
        EXPECT_NE(text.find(part), std::string::npos) << part << text;
    emit::Target target = target_of("sm_120");
    target.waits_for_previous = true;
    ir::Kernel kernel = exchange_kernel();
    kernel.launch.min_groups_per_unit = 3;
    kernel.launch.register_bound = 40;
    const std::string other = emit::emit(std::make_shared<ir::Kernel>(kernel), target).text;
    for (const char* part : {".target sm_90\n", ".minnctapersm 3\n", ".maxnreg 40\n", "griddepcontrol.wait;"})
        EXPECT_NE(other.find(part), std::string::npos) << part << other;
}

TEST(PtxText, counts_what_arrives_from_a_cluster_where_the_assembler_can) {
    emit::Target target = target_of("sm_90");
    const auto kernel = std::make_shared<ir::Kernel>(counted_kernel());
    const std::string barriers = emit::emit(kernel, target).text;
    EXPECT_FALSE(has(barriers, "mbarrier|st\\.async|relaxed")) << barriers;
    EXPECT_TRUE(has(barriers, "barrier\\.cluster\\.arrive\\.aligned")) << barriers;
    target.counts_arrivals = true;
    const std::string text = emit::emit(kernel, target).text;
    for (const char* pattern :
         {"\\.version 8\\.6\n", "@%p\\d+ mbarrier\\.init\\.shared::cta\\.b64 \\[shared_memory\\+512\\], 1;",
          "mbarrier\\.arrive\\.expect_tx\\.shared::cta\\.b64 _, \\[shared_memory\\+512\\], 512;",
          "barrier\\.cluster\\.arrive\\.relaxed\\.aligned;",
          "st\\.async\\.shared::cluster\\.mbarrier::complete_tx::bytes\\.v2\\.b32",
          "try_wait\\S+ %p\\d+, \\[shared_memory\\+512\\], 0;", "try_wait\\S+ %p\\d+, \\[shared_memory\\+512\\], 1;"})
        EXPECT_TRUE(has(text, pattern)) << pattern << "\n" << text;
    EXPECT_FALSE(has(text, "barrier\\.cluster\\.arrive\\.aligned")) << text;
    if (has_ptxas()) {
        EXPECT_TRUE(assemble(text, "sm_90").succeeded) << assemble(text, "sm_90").log << text;
    }
}

TEST(PtxText, is_chosen_where_it_was_faster) {
    emit::Target target = target_of("sm_90");
    target.dialect = emit::Dialect::cuda;
    target.ptx = emit::PtxUse::where_faster;
    const auto dialect = [&](ir::Kernel kernel) {
        return emit::emit(std::make_shared<ir::Kernel>(std::move(kernel)), target).dialect;
    };
    EXPECT_EQ(dialect(exchange_kernel()), emit::Dialect::ptx);
    EXPECT_EQ(dialect(half_storage_kernel()), emit::Dialect::ptx);
    EXPECT_EQ(dialect(uneven_halves_kernel(1)), emit::Dialect::cuda);
    EXPECT_EQ(dialect(uneven_halves_kernel(1000)), emit::Dialect::ptx) << "NVRTC takes long";
    ir::Kernel lone = lone_kernel();
    EXPECT_EQ(dialect(lone), emit::Dialect::ptx) << "its threads are few";
    lone.launch.group = {320, 1, 1};
    EXPECT_EQ(dialect(lone), emit::Dialect::cuda);
    lone.launch.min_groups_per_unit = 2;
    EXPECT_EQ(dialect(lone), emit::Dialect::ptx);
    ir::Kernel counted = counted_kernel();
    ir::Instruction seven, seventh, half;
    seven.type = seventh.type = Scalar::u32;
    seven.immediate = 7;
    seventh.op = Op::div;
    const auto number = static_cast<ir::ValueId>(counted.code.size());
    seventh.operands = {number, number, ir::no_value, ir::no_value};
    half.type = Scalar::f16;
    counted.code.insert(counted.code.end(), {seven, seventh, half});
    EXPECT_EQ(dialect(counted), emit::Dialect::cuda);
    target.counts_arrivals = true;
    EXPECT_EQ(dialect(counted), emit::Dialect::ptx);
}

TEST(PtxText, gives_zero_where_a_predicate_is_false) {
    const std::string text = text_of(guarded_kernel());
    EXPECT_TRUE(
        has(text, "mov.b32 %f\\d+, 0f00000000;\n(.+\n)*    @!%p\\d+ bra \\$0;\n(.+\n)*    ld.global.+\n(.+\n)*\\$0:\n"))
        << text;
}

TEST(PtxText, has_one_branch_for_shared_accesses_of_one_predicate) {
    Builder b("shared_run");
    b.kernel().launch.group = {32, 1, 1};
    const auto out = b.buffer({"out", Scalar::u32, ir::Access::write});
    const std::uint32_t array = b.shared_array("array", Scalar::u32, 128);
    const Value thread = b.thread_id(), is_low = b.less(thread, b.integer(Scalar::u32, 16));
    for (const std::uint64_t row : {0u, 32u, 64u}) b.shared_store(array, thread + row, thread * (row + 1), is_low);
    b.group_barrier();
    Value sum = b.shared_load(array, thread, Scalar::u32, is_low);
    for (const std::uint64_t row : {32u, 64u}) sum = sum + b.shared_load(array, thread + row, Scalar::u32, is_low);
    b.global_store(out, b.convert(thread, Scalar::u64), sum);
    const ir::Kernel kernel = b.finish();
    const std::string text = text_of(kernel);
    const auto count = [&](const std::string& pattern) {
        const std::regex wanted(pattern);
        return std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), std::sregex_iterator());
    };
    EXPECT_EQ(count("bra "), 2) << text;
    EXPECT_EQ(count("st\\.shared"), 3) << text;
    EXPECT_EQ(count("ld\\.shared"), 3) << text;
    EXPECT_FALSE(has(text, "@%p\\d+ (ld|st).shared")) << text;
    if (has_ptxas()) expect_assembles(kernel, "sm_90");
}

TEST(PtxText, of_a_kernel_that_it_cannot_say_is_cuda_c_where_that_is_allowed) {
    emit::Target target = target_of("sm_90");
    target.dialect = emit::Dialect::cuda;
    target.ptx = emit::PtxUse::wherever_possible;
    const emit::Source plain = emit::emit(std::make_shared<ir::Kernel>(exchange_kernel()), target);
    EXPECT_EQ(plain.dialect, emit::Dialect::ptx);
    EXPECT_NE(plain.text.find(".visible .entry"), std::string::npos);
    const emit::Source other = emit::emit(std::make_shared<ir::Kernel>(every_op(Scalar::f32).kernel), target);
    EXPECT_EQ(other.dialect, emit::Dialect::cuda);
    EXPECT_NE(other.text.find("__global__"), std::string::npos);
    EXPECT_NE(other.why_not_ptx.find("cannot express"), std::string::npos);
}

}  // namespace
}  // namespace seiche::test
