// Small kernels made by hand.
#include "sample_kernels.hpp"

namespace seiche::test {

using ir::Access;
using ir::Builder;
using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::Value;

namespace {

constexpr Type f32x2(Scalar::f32, 2);

Instruction with(Op op, Type type, std::initializer_list<Value> operands) {
    Instruction i;
    i.op = op;
    i.type = type;
    unsigned k = 0;
    for (const Value v : operands) i.operands[k++] = v.id();
    return i;
}

Value global_thread(Builder& b, std::uint64_t group_size) {
    const Value thread = b.convert(b.thread_id(), Scalar::u64);
    return b.convert(b.group_id(), Scalar::u64) * group_size + thread;
}

}  // namespace

ir::Kernel exchange_kernel() {
    Builder b("reverse_64");
    b.kernel().comment = "64 points reversed and halved; group of 64";
    b.kernel().launch.group = {64, 1, 1};
    const auto in = b.buffer({"in", f32x2, Access::read}), out = b.buffer({"out", f32x2, Access::write});
    const Value count = b.scalar("count", Scalar::u64);
    const auto re = b.shared_array("re", Scalar::f32, 64), im = b.shared_array("im", Scalar::f32, 64);
    const Value thread = b.thread_id(), index = global_thread(b, 64), inside = b.less(index, count);
    const Value x = b.global_load(in, index, f32x2, inside);
    b.shared_store(re, thread, b.extract(x, 0));
    b.shared_store(im, thread, b.extract(x, 1));
    b.group_barrier();
    const Value mirror = b.integer(Scalar::u32, 63) - thread;
    const Value y =
        b.compose({b.shared_load(re, mirror, Scalar::f32) * 0.5, b.shared_load(im, mirror, Scalar::f32) * 0.5});
    b.global_store(out, index, y, inside);
    return b.finish();
}

ir::Kernel simd_kernel() {
    constexpr Type wide(Scalar::f32, 16);
    Builder b("bundle_16");
    b.kernel().comment = "16 lanes in one work-item";
    const auto in = b.buffer({"in", f32x2, Access::read}), out = b.buffer({"out", f32x2, Access::write});
    ir::BufferParameter parameter{"twiddles", Scalar::f32, Access::read};
    parameter.table = true;
    const auto table = b.buffer(parameter);
    const auto scratch = b.private_array("scratch", wide, 4);
    const Value base = b.convert(b.group_id(), Scalar::u64) * std::uint64_t{32};
    const auto number = [&](std::uint64_t n) { return b.integer(Scalar::u32, n); };
    const Value row = b.begin_loop(number(0), number(4), number(1));
    const Value at = base + b.convert(row, Scalar::u64) * std::uint64_t{8};
    b.private_store(scratch, row, b.global_load(in, at, wide));
    b.end_loop();
    const Value a = b.private_load(scratch, number(0), wide), c = b.private_load(scratch, number(2), wide);
    const Value w = b.splat(b.global_load(table, b.integer(Scalar::u64, 3), Scalar::f32), 16);
    const Value sum = b.mad(c, w, a), difference = b.fma(-c, w, a);
    std::vector<unsigned> even, mixed;
    for (unsigned k = 0; k < 16; ++k) even.push_back(15 - k);
    for (unsigned k = 0; k < 16; ++k) mixed.push_back(k % 2 == 0 ? k : 16 + k);
    b.global_store(out, base, b.shuffle(sum, {}, even));
    const Value both = b.shuffle(sum, difference, mixed);
    b.global_store(out, base + std::uint64_t{8}, both);
    return b.finish();
}

ir::Kernel dynamic_shared_kernel() {
    constexpr Type four(Scalar::f32, 4);
    Builder b("dynamic_shared");
    b.kernel().launch.group = {256, 1, 1};
    b.kernel().launch.min_groups_per_unit = 2;
    const auto data = b.buffer({"data", four, Access::read_write});
    const auto a = b.shared_array("first", Scalar::f32, 12288), c = b.shared_array("second", f32x2, 1024);
    const Value thread = b.thread_id(), index = global_thread(b, 256);
    const Value x = b.global_load(data, index, four);
    b.shared_store(a, thread << 2u, x);
    b.shared_store(c, thread * std::uint64_t{2}, b.shuffle(x, {}, {1, 0, 3, 2}));
    b.group_barrier();
    const Value other = thread ^ b.integer(Scalar::u32, 1);
    const Value aligned = b.shared_load(a, other << 2u, four), pair = b.shared_load(c, thread, four);
    b.global_store(data, index, aligned + pair);
    return b.finish();
}

ir::Kernel guarded_kernel() {
    Builder b("guarded");
    b.kernel().comment = "loads and stores under predicates; group of 32";
    b.kernel().launch.group = {32, 1, 1};
    const auto in = b.buffer({"in", Scalar::f32, Access::read}), where = b.buffer({"where", Scalar::u32, Access::read});
    const auto out = b.buffer({"out", Scalar::f32, Access::write});
    const Value count = b.scalar("count", Scalar::u64);
    const Value index = global_thread(b, 32), inside = b.less(index, count);
    const Value even = b.compare(Op::equal, index & std::uint64_t{1}, b.integer(Scalar::u64, 0));
    const Value x = b.global_load(in, index, Scalar::f32, inside);
    const Value tripled = x * 3.0;
    const Value y = b.global_load(in, index + std::uint64_t{32}, Scalar::f32, inside);
    const Value place = b.global_load(where, index, Scalar::u32, inside);
    const Value z = b.global_load(in, b.convert(place, Scalar::u64), Scalar::f32, inside);
    const Value w = b.global_load(in, index + std::uint64_t{64}, Scalar::f32, even);
    const std::uint64_t row = 96;
    b.global_store(out, index, tripled + y, inside);
    const Value product = z * w;
    b.global_store(out, index + row, product, inside);
    b.global_store(out, index + 2 * row, w, even);
    b.global_store(out, index + 3 * row, x, even);
    return b.finish();
}

ir::Kernel half_storage_kernel() {
    Builder b("half_storage");
    b.kernel().launch.group = {32, 1, 1};
    const auto in = b.buffer({"in", Type(Scalar::f16, 2), Access::read}),
               out = b.buffer({"out", Type(Scalar::bf16, 2), Access::write});
    const Value index = global_thread(b, 32);
    const Value x = b.convert(b.global_load(in, index, Type(Scalar::f16, 2)), Scalar::f32);
    b.global_store(out, index, b.convert(x * 3.0, Scalar::bf16));
    return b.finish();
}

ir::Kernel narrow_storage_kernel() {
    Builder b("narrow_storage");
    b.kernel().launch.group = {32, 1, 1};
    const Scalar types[] = {Scalar::i8, Scalar::u8, Scalar::i16, Scalar::u16};
    std::uint32_t in[4] = {}, out[4] = {};
    for (int k = 0; k < 4; ++k) in[k] = b.buffer({"in" + std::to_string(k), types[k], Access::read});
    for (int k = 0; k < 4; ++k) out[k] = b.buffer({"out" + std::to_string(k), types[k], Access::write});
    const Value index = global_thread(b, 32), inside = b.less(index, b.integer(Scalar::u64, 60));
    Value sum = b.integer(Scalar::i32, 0);
    for (int k = 0; k < 4; ++k)
        sum = sum + b.convert(b.global_load(in[k], index, types[k], k % 2 == 0 ? inside : Value{}), Scalar::i32);
    const Value unsigned_sum = b.convert(sum, Scalar::u32);
    for (int k = 0; k < 4; ++k)
        b.global_store(out[k], index, b.convert(k % 2 == 0 ? sum : unsigned_sum, types[k]), k < 2 ? inside : Value{});
    return b.finish();
}

ir::Kernel subgroup_kernel() {
    Builder b("subgroup_swap");
    b.kernel().launch.group = {64, 1, 1};
    const auto data = b.buffer({"data", Scalar::f32, Access::read_write});
    const Value index = global_thread(b, 64);
    const Value x = b.global_load(data, index, Scalar::f32);
    const Value lane = b.effect(with(Op::subgroup_lane, Scalar::u32, {}));
    const Value swapped = b.effect(with(Op::subgroup_shuffle_xor, Scalar::f32, {x, b.integer(Scalar::u32, 1)}));
    const Value first = b.effect(with(Op::subgroup_shuffle, Scalar::f32, {x, b.integer(Scalar::u32, 0)}));
    b.effect(with(Op::subgroup_barrier, {}, {}));
    const Value number = b.convert(lane, Scalar::f32);
    b.global_store(data, index, swapped + first + number);
    return b.finish();
}

ir::Kernel lone_kernel() {
    Builder b("alone");
    b.kernel().launch.group = {64, 1, 1};
    b.kernel().launch.min_groups_per_unit = 1;
    const auto out = b.buffer({"out", Scalar::f32, Access::write});
    b.global_store(out, b.convert(b.thread_id() / std::uint64_t{7}, Scalar::u64),
                   b.convert(b.thread_id(), Scalar::f32));
    return b.finish();
}

ir::Kernel uneven_halves_kernel(std::size_t products) {
    Builder b("halves");
    b.kernel().launch.group = {64, 1, 1};
    const auto out = b.buffer({"out", Scalar::f16, ir::Access::write});
    Value x = b.convert(b.thread_id(), Scalar::f32);
    for (std::size_t k = 0; k < products; ++k) x = x * x;
    b.global_store(out, b.convert(b.thread_id() / std::uint64_t{7}, Scalar::u64), b.convert(x, Scalar::f16));
    return b.finish();
}

ir::Kernel atomic_kernel() {
    Builder b("atomic_count");
    b.kernel().launch.group = {32, 1, 1};
    b.buffer({"counters", Scalar::u32, Access::read_write});
    const Value one = b.integer(Scalar::u32, 1), zero = b.integer(Scalar::u64, 0);
    Instruction add = with(Op::atomic_add, Scalar::u32, {zero, one, b.less(b.thread_id(), b.integer(Scalar::u32, 20))});
    add.scope = ir::Scope::device;
    add.order = ir::Order::release;
    b.effect(add);
    Instruction fence = with(Op::fence, {}, {});
    fence.scope = ir::Scope::device;
    fence.order = ir::Order::acquire_release;
    b.effect(fence);
    Instruction exchange = with(Op::atomic_exchange, Scalar::u32, {b.integer(Scalar::u64, 1), one});
    exchange.scope = ir::Scope::device;
    b.effect(exchange);
    return b.finish();
}

ir::Kernel ticket_kernel() {
    constexpr std::uint32_t threads = 16;
    constexpr std::uint64_t pairs = 4, parts = 2 * pairs;
    Builder b("tickets");
    b.kernel().launch.group = {threads, 1, 1};
    const auto counters = b.buffer({"counters", Scalar::u32, Access::read_write});
    const auto data = b.buffer({"data", Scalar::u32, Access::read_write});
    const Value ticket = b.take_ticket(counters, b.integer(Scalar::u64, parts));
    const Value level = ticket / pairs, pair = ticket % pairs;
    // A level's pairs are parts p and p ^ 1, p ^ 2 or p ^ 4, in turn.
    const Value one = b.integer(Scalar::u32, 1);
    const Value apart = b.binary(ir::Op::shift_left, one, level % std::uint64_t{3});
    const Value low = pair & (apart - one), first = (pair - low) * std::uint64_t{2} + low;
    b.wait_until(counters, b.convert(first, Scalar::u64), level);
    b.wait_until(counters, b.convert(first + apart, Scalar::u64), level);
    const Value is_second = b.thread_id() / (threads / 2), at = b.thread_id() % std::uint64_t{threads / 2};
    const auto place = [&](Value part) { return b.convert(part * std::uint64_t{threads / 2} + at, Scalar::u64); };
    const Value x = b.global_load(data, place(first), Scalar::u32);
    const Value y = b.global_load(data, place(first + apart), Scalar::u32);
    b.group_barrier();
    const Value is_sum = b.compare(ir::Op::equal, is_second, b.integer(Scalar::u32, 0));
    b.global_store(data, place(first + is_second * apart), b.select(is_sum, x + y, x - y));
    b.signal(counters, b.convert(first + (b.thread_id() & one) * apart, Scalar::u64), 2);
    return b.finish();
}

ir::Kernel scoped_barriers_kernel(bool has_parts) {
    Builder b("scoped_barriers");
    b.kernel().launch.group = {256, 1, 1};
    const auto data = b.buffer({"data", Scalar::f32, Access::read_write});
    const auto tile = b.shared_array("tile", Scalar::f32, 256);
    const Value thread = b.thread_id(), index = global_thread(b, 256);
    const auto turned = [&](std::uint32_t mask) { return thread ^ b.integer(Scalar::u32, mask); };
    b.shared_store(tile, thread, b.global_load(data, index, Scalar::f32));
    b.subgroup_barrier();
    Value x = b.shared_load(tile, turned(1), Scalar::f32);
    if (has_parts) {
        b.shared_store(tile, turned(1), x);  // where only this thread has read
        b.part_barrier(64);
        x = b.shared_load(tile, turned(1 ^ 32), Scalar::f32);
    }
    b.global_store(data, index, x + x);
    return b.finish();
}

ir::Kernel async_kernel() {
    Builder b("async_copy");
    b.kernel().launch.group = {64, 1, 1};
    const auto in = b.buffer({"in", f32x2, Access::read}), out = b.buffer({"out", f32x2, Access::write});
    const auto staged = b.shared_array("staged", f32x2, 128);
    const Value thread = b.thread_id(), index = global_thread(b, 64);
    Instruction copy = with(Op::async_copy, {}, {thread * std::uint64_t{2}, index * std::uint64_t{2}});
    copy.symbol = staged;
    copy.immediate = in;
    copy.width = 2;
    b.effect(copy);
    b.effect(with(Op::async_commit, {}, {}));
    b.effect(with(Op::async_wait, {}, {}));
    b.group_barrier();
    b.global_store(out, index, b.shared_load(staged, b.integer(Scalar::u32, 127) - thread, f32x2));
    return b.finish();
}

ir::Kernel matrix_kernel() {
    constexpr Type f64x2(Scalar::f64, 2);
    Builder b("matrix");
    b.kernel().launch.group = {32, 1, 1};
    const auto a = b.buffer({"a", Scalar::f64, Access::read}), out = b.buffer({"out", f64x2, Access::read_write});
    const Value index = global_thread(b, 32);
    const Value x = b.global_load(a, index, Scalar::f64), c = b.global_load(out, index, f64x2);
    b.global_store(out, index, b.effect(with(Op::matrix_multiply, f64x2, {x, x, c})));
    return b.finish();
}

ir::Kernel cluster_kernel() {
    Builder b("cluster_swap");
    b.kernel().launch.group = {64, 1, 1};
    b.kernel().launch.cluster = {2, 1, 1};
    const auto data = b.buffer({"data", f32x2, Access::read_write});
    const auto mine = b.shared_array("mine", f32x2, 64);
    const Value thread = b.thread_id(), index = global_thread(b, 64);
    b.shared_store(mine, thread, b.global_load(data, index, f32x2));
    b.effect(with(Op::cluster_barrier, {}, {}));
    Instruction load = with(Op::cluster_load, f32x2, {b.cluster_rank() ^ b.integer(Scalar::u32, 1), thread});
    load.symbol = mine;
    const Value theirs = b.effect(load);
    b.effect(with(Op::cluster_barrier, {}, {}));
    b.global_store(data, index, theirs);
    return b.finish();
}

ir::Kernel counted_kernel() {
    Builder b("cluster_counts");
    b.kernel().launch.group = {64, 1, 1};
    b.kernel().launch.cluster = {2, 1, 1};
    const auto data = b.buffer({"data", f32x2, Access::read_write});
    const auto mine = b.shared_array("mine", f32x2, 64);
    const Value thread = b.thread_id(), index = global_thread(b, 64);
    Value point = b.global_load(data, index, f32x2);
    for (int round = 0; round < 2; ++round) {
        b.cluster_ready();
        b.cluster_store(b.cluster_rank() ^ b.integer(Scalar::u32, 1), mine, thread, point);
        b.cluster_arrivals(64 * 8);
        point = b.shared_load(mine, thread, f32x2);
    }
    b.global_store(data, index, point);
    return b.finish();
}

}  // namespace seiche::test
