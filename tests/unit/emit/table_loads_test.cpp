// Loads from tables come ahead of the barrier of their stage, where registers allow it, and nothing else changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "emit/legalise.hpp"
#include "emit/table_loads.hpp"
#include "exec/inspect.hpp"
#include "ir/builder.hpp"
#include "ir/interpret.hpp"
#include "ir/verify.hpp"
#include "tests/unit/exec/limits.hpp"

namespace seiche::test {
namespace {

using emit::PlacedLoads;
using ir::Builder;
using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::ValueId;

constexpr std::uint32_t threads = 32;

enum class Index { of_thread, from_points };

/// Threads give their numbers to their neighbours, and each multiplies what it gets with so many entries of a table.
ir::Kernel neighbours_kernel(Index index, std::uint32_t entries, ir::Access access = ir::Access::read) {
    Builder b("neighbours");
    b.kernel().launch.group = {threads, 1, 1};
    const auto in = b.buffer({"in", Scalar::f32, ir::Access::read}),
               out = b.buffer({"out", Scalar::f32, ir::Access::write}),
               table = b.buffer({"table", Scalar::f32, access, true});
    const auto shared = b.shared_array("numbers", Scalar::f32, threads);
    const ir::Value thread = b.thread_id(), at = b.convert(thread, Scalar::u64);
    b.shared_store(shared, thread, b.global_load(in, at, Scalar::f32));
    b.group_barrier();
    ir::Value product = b.shared_load(shared, thread ^ b.constant(Scalar::u32, 1), Scalar::f32);
    const ir::Value entry = index == Index::of_thread ? thread & std::uint64_t{7} : b.convert(product, Scalar::u32);
    std::vector<ir::Value> factors;
    for (std::uint32_t k = 0; k < entries; ++k)
        factors.push_back(b.global_load(table, b.convert(entry + std::uint64_t{k}, Scalar::u64), Scalar::f32));
    for (const ir::Value factor : factors) product = product * factor;
    b.global_store(out, at, product);
    return b.finish();
}

ValueId first_of(const ir::Kernel& kernel, Op op) {
    const auto found =
        std::find_if(kernel.code.begin(), kernel.code.end(), [&](const Instruction& i) { return i.op == op; });
    return static_cast<ValueId>(found - kernel.code.begin());
}

std::vector<float> results(const ir::Kernel& kernel, std::size_t entries) {
    std::vector<float> in(threads), out(threads), table(entries + threads);
    std::iota(in.begin(), in.end(), 1.0f);
    for (std::size_t k = 0; k < table.size(); ++k) table[k] = 1.0f + static_cast<float>(k) / 64.0f;
    ir::Launch launch;
    for (std::vector<float>* buffer : {&in, &out, &table})
        launch.buffers.push_back({reinterpret_cast<std::byte*>(buffer->data()), buffer->size() * sizeof(float)});
    ir::interpret(kernel, launch);
    return out;
}

std::size_t placed(const PlacedLoads& loads) {
    return static_cast<std::size_t>(std::count(loads.is_placed.begin(), loads.is_placed.end(), true));
}

TEST(TableLoads, come_ahead_of_the_barrier_of_their_stage) {
    const ir::Kernel kernel = neighbours_kernel(Index::of_thread, 3);
    const PlacedLoads loads = emit::place_table_loads(kernel);
    ir::verify(loads.kernel);
    ASSERT_EQ(placed(loads), 3u);
    const ValueId barrier = first_of(loads.kernel, Op::group_barrier);
    for (ValueId id = 0; id < loads.is_placed.size(); ++id) {
        if (!loads.is_placed[id]) continue;
        EXPECT_EQ(loads.kernel.code[id].op, Op::global_load);
        EXPECT_EQ(loads.kernel.code[id].symbol, 2u);
        EXPECT_LT(id, barrier);
        EXPECT_GT(id, first_of(loads.kernel, Op::shared_store));
    }
    EXPECT_GT(first_of(loads.kernel, Op::shared_load), barrier);
    EXPECT_EQ(results(kernel, 3), results(loads.kernel, 3));
    // The compiler is told how many registers a thread may have.
    EXPECT_EQ(loads.kernel.launch.min_groups_per_unit, 512 / threads);
}

TEST(TableLoads, stay_where_their_index_comes_from_points) {
    const PlacedLoads loads = emit::place_table_loads(neighbours_kernel(Index::from_points, 3));
    EXPECT_EQ(placed(loads), 0u);
    EXPECT_EQ(loads.kernel, neighbours_kernel(Index::from_points, 3));
}

TEST(TableLoads, stay_where_the_buffer_is_written_to) {
    const ir::Kernel kernel = neighbours_kernel(Index::of_thread, 3, ir::Access::read_write);
    EXPECT_EQ(emit::place_table_loads(kernel).kernel, kernel);
}

// Of 65536 registers 512 threads have 128 each, so that 150 entries do not wait for the last product.
TEST(TableLoads, stay_where_they_would_take_the_registers_of_a_group) {
    const ir::Kernel few = neighbours_kernel(Index::of_thread, 100), many = neighbours_kernel(Index::of_thread, 150);
    EXPECT_EQ(placed(emit::place_table_loads(few)), 100u);
    EXPECT_EQ(placed(emit::place_table_loads(many)), 0u);
    EXPECT_EQ(emit::place_table_loads(many).kernel, many);
}

/// What has an effect, in order.
std::vector<std::pair<Op, std::uint32_t>> effects(const ir::Kernel& kernel) {
    std::vector<std::pair<Op, std::uint32_t>> all;
    for (const Instruction& i : kernel.code)
        if (!ir::op_is_pure(i.op) && !(i.op == Op::global_load && kernel.buffers[i.symbol].table))
            all.emplace_back(i.op, i.symbol);
    return all;
}

class TableLoadsOfPlans : public testing::TestWithParam<const char*> {};

// A value is behind those that it needs (verify), and what has an effect is in its order: the kernel is an equal one.
TEST_P(TableLoadsOfPlans, change_no_result) {
    emit::Target target;
    target.dialect = emit::Dialect::ptx;
    target.architecture = "sm_90";
    std::size_t all = 0;
    for (const exec::GeneratedKernel& made :
         exec::sources(problem::normalise(parse_problem(GetParam())), with_clusters(), {}, target)) {
        const ir::Kernel legal = emit::legalise(*made.source.kernel, target);
        const PlacedLoads loads = emit::place_table_loads(legal);
        ir::verify(loads.kernel);
        EXPECT_EQ(effects(loads.kernel), effects(legal));
        EXPECT_EQ(loads.kernel.code.size(), legal.code.size());
        EXPECT_EQ(loads.is_placed.size(), legal.code.size());
        all += placed(loads);
    }
    EXPECT_GT(all, 0u);
}

INSTANTIATE_TEST_SUITE_P(problems, TableLoadsOfPlans,
                         testing::Values("16384 batch=64", "16384 f64 batch=64", "4096 f16 batch=64",
                                         "32768 r2c f64 batch=64", "1009 batch=64", "1031 batch=64", "3000 batch=64",
                                         "32768 batch=64"));

}  // namespace
}  // namespace seiche::test
