// What tests of machine code share.
#include "machine_cases.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "exec/draft.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "problem/problem.hpp"
#include "sample_kernels.hpp"

namespace seiche::test {

using ir::Scalar;
using ir::Type;

namespace {

constexpr std::uint32_t groups = 37;

// Operand 0 has both signs, the others are positive (for log, pow and divisors); some are equal, for the comparisons.
Bytes operand(Type type, unsigned which, std::mt19937_64& random) {
    const std::size_t count = std::size_t{groups} * type.lanes;
    std::uniform_real_distribution<double> real(which == 0 ? -4.0 : 0.1, 4.0);
    const auto quarter = [&] {
        return random() % 4 == 0 ? std::round(real(random)) + (which == 0 ? 0.0 : 1.0) : real(random);
    };
    switch (type.scalar) {
        case Scalar::f32: return fill<float>(count, quarter);
        case Scalar::f64: return fill<double>(count, quarter);
        case Scalar::u64: return fill<std::uint64_t>(count, [&] { return random() >> (random() % 60) | 1u; });
        case Scalar::i32: return fill<std::int32_t>(count, [&] { return random() >> (random() % 60); });
        default: return fill<std::uint32_t>(count, [&] { return random() >> (random() % 60) | 1u; });
    }
}

double number(const std::byte* slot, Scalar scalar, unsigned lane) {
    std::uint32_t low = 0, high = 0;
    std::memcpy(&low, slot + 4 * lane, sizeof low);
    std::memcpy(&high, slot + slot_bytes / 2 + 4 * lane, sizeof high);
    if (scalar == Scalar::f32) return std::bit_cast<float>(low);
    return std::bit_cast<double>(low | std::uint64_t{high} << 32);
}

}  // namespace

Bytes floats(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> real(-1.0f, 1.0f);
    return fill<float>(count, [&] { return real(random); });
}

KernelRun start_of_ops(const EveryOp& ops, Type type) {
    std::mt19937_64 random(7);
    KernelRun start;
    for (unsigned k = 0; k < 3; ++k) start.buffers.push_back(operand(type, k, random));
    start.buffers.emplace_back(groups * ops.results.size() * slot_bytes);
    start.groups = {groups, 1, 1};
    return start;
}

void expect_same_ops(const EveryOp& ops, const KernelRun& want, const KernelRun& got) {
    for (std::uint32_t g = 0; g < groups; ++g)
        for (std::size_t r = 0; r < ops.results.size(); ++r) {
            const OpResult& result = ops.results[r];
            const std::size_t at = (g * ops.results.size() + r) * slot_bytes;
            const std::byte *expected = want.buffers[3].data() + at, *is = got.buffers[3].data() + at;
            // A product and a sum are rounded once or twice, elementary functions of a library as it likes.
            const bool may_differ = !result.exact && result.type.is_float();
            if (!may_differ) {
                ASSERT_EQ(std::memcmp(expected, is, slot_bytes), 0) << result.name << ", group " << g;
                continue;
            }
            for (unsigned lane = 0; lane < result.type.lanes; ++lane) {
                const double x = number(expected, result.type.scalar, lane), y = number(is, result.type.scalar, lane);
                const double unit = result.type.scalar == Scalar::f32 ? 0x1p-22 : 0x1p-50;
                ASSERT_NEAR(x, y, unit * std::max(16.0, std::abs(x))) << result.name << ", group " << g;
            }
        }
}

KernelCase predicates_of_every_kind() {
    ir::Builder b("predicates");
    const std::uint32_t in = b.buffer({"in", Type(Scalar::f32), ir::Access::read});
    const std::uint32_t out = b.buffer({"out", Type(Scalar::f32), ir::Access::write});
    const std::uint32_t chosen = b.buffer({"chosen", Type(Scalar::u32), ir::Access::write});
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    const auto u32 = [&](std::uint32_t c) { return b.integer(Scalar::u32, c); };
    const ir::Value number = b.global_load(in, wide, Type(Scalar::f32));
    const ir::Value below = b.less(group, u32(20)), odd = b.compare(ir::Op::equal, group % std::uint64_t{2}, u32(1));
    const ir::Value sign =
        b.compare(ir::Op::less, b.convert(group, Scalar::i32) - b.integer(Scalar::i32, 9), b.integer(Scalar::i32, 0));
    const ir::Value third = b.compare(ir::Op::not_equal, group % std::uint64_t{3}, u32(0));
    const ir::Value large = b.compare(ir::Op::less, b.constant(Type(Scalar::f32), 0), number);
    const ir::Value far =
        b.compare(ir::Op::less_equal, b.integer(Scalar::u64, 0x100000000u + 7), wide * std::uint64_t{0x10000000});
    const std::vector<ir::Value> all = {below,
                                        odd,
                                        sign,
                                        third,
                                        large,
                                        far,
                                        below & odd,
                                        third & large,
                                        large & far,
                                        sign & third & odd,
                                        below & odd & third & far,
                                        b.unary(ir::Op::bit_not, odd),
                                        b.unary(ir::Op::bit_not, odd) & below};
    for (std::size_t k = 0; k < all.size(); ++k) {
        const ir::Value at = wide * std::uint64_t{16 * all.size()} + std::uint64_t{16 * k};
        for (const unsigned lanes : {1u, 2u, 4u, 8u}) {
            const ir::Value loaded = b.global_load(in, wide + std::uint64_t{k}, Type(Scalar::f32, lanes), all[k]);
            b.global_store(out, at + std::uint64_t{lanes == 1 ? 0 : lanes}, loaded, all[(k + 1) % all.size()]);
            b.global_store(out, at + std::uint64_t{1}, b.select(all[k], number, b.constant(Type(Scalar::f32), 3)));
        }
        b.global_store(chosen, wide * std::uint64_t{all.size()} + std::uint64_t{k}, b.select(all[k], group, u32(1000)));
    }
    return {b.finish(), {{floats(64, 1), floats(16 * 37 * all.size(), 2), Bytes(4 * 37 * all.size())}, {}, {37, 1, 1}}};
}

KernelCase integers_and_constants() {
    ir::Builder b("constants");
    const std::uint32_t out = b.buffer({"out", Type(Scalar::u32), ir::Access::write});
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    std::vector<ir::Value> results;
    for (const std::uint32_t c : {0u, 1u, 2u, 3u, 7u, 64u, 1000u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        const ir::Value constant = b.integer(Scalar::u32, c), n = group * std::uint64_t{0x9e3779b9u};
        for (const ir::Op op : {ir::Op::add, ir::Op::sub, ir::Op::mul, ir::Op::mul_high, ir::Op::min, ir::Op::max,
                                ir::Op::bit_and, ir::Op::bit_or, ir::Op::bit_xor}) {
            results.push_back(b.binary(op, n, constant));
            results.push_back(b.binary(op, constant, n));
        }
        for (const ir::Op op : {ir::Op::equal, ir::Op::not_equal, ir::Op::less, ir::Op::less_equal})
            results.push_back(b.select(b.compare(op, n, constant), n, constant));
        if (c == 0) continue;
        results.push_back(b.binary(ir::Op::div, n, constant));
        results.push_back(b.binary(ir::Op::mod, n, constant));
        results.push_back(b.convert(
            b.binary(ir::Op::div, wide * std::uint64_t{0x9e3779b97f4a7c15u}, b.integer(Scalar::u64, c)), Scalar::u32));
    }
    for (std::size_t r = 0; r < results.size(); ++r)
        b.global_store(out, wide * std::uint64_t{results.size()} + std::uint64_t{r}, results[r]);
    return {b.finish(), {{Bytes(4 * 37 * results.size())}, {}, {37, 1, 1}}};
}

KernelCase parts_that_are_not_there() {
    ir::Builder b("parts");
    const std::uint32_t in = b.buffer({"in", Type(Scalar::f32), ir::Access::read});
    const std::uint32_t out = b.buffer({"out", Type(Scalar::f32), ir::Access::write});
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    const ir::Value far = wide * std::uint64_t{0x3000001};
    const ir::Value is_near = b.less(far, b.integer(Scalar::u64, 64));
    b.global_store(out, wide, b.global_load(in, far, Type(Scalar::f32), is_near));
    return {ir::split_buffers(b.finish(), {{in, 2, 32 * sizeof(float), 0}}),
            {{floats(32, 1), floats(32, 2), Bytes(4 * 37)}, {}, {37, 1, 1}}};
}

KernelCase bundle_with_loop() {
    return {simd_kernel(), {{floats(2 * 32 * 5, 2), Bytes(8 * 32 * 5), floats(8, 3)}, {}, {5, 1, 1}}};
}

namespace {

/// Numbers of both floating types that differ in how they are treated.
std::vector<double> specials() {
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> all{0.0,          0.5,          0.99,
                            1.0,          1.5,          2.5,
                            3.0,          127.5,        65504.0,
                            65519.0,      65520.0,      1e5,
                            2147483520.0, 2147483648.0, 4294967040.0,
                            4294967296.0, 1e15,         0x1p63,
                            0x1p64,       1e30,         0x1p-24,
                            0x1p-25,      0x1.8p-25,    0x1p-149,
                            0x1p-126,     infinity,     std::numeric_limits<double>::quiet_NaN()};
    const std::size_t count = all.size();
    for (std::size_t k = 0; k + 1 < count; ++k) all.push_back(-all[k]);
    return all;
}

}  // namespace

KernelCase special_numbers(Type type) {
    ir::Builder b("special_numbers");
    const Type one(type.scalar);
    const std::uint32_t first = b.buffer({"first", one, ir::Access::read});
    const std::uint32_t second = b.buffer({"second", one, ir::Access::read});
    const std::uint32_t floats = b.buffer({"floats", one, ir::Access::write});
    const std::uint32_t integers = b.buffer({"integers", Type(Scalar::u64), ir::Access::write});
    const ir::Value at = b.convert(b.group_id(), Scalar::u64) * std::uint64_t{type.lanes};
    const ir::Value x = b.global_load(first, at, type), y = b.global_load(second, at, type);
    std::vector<ir::Value> results{b.binary(ir::Op::min, x, y), b.binary(ir::Op::max, x, y), b.unary(ir::Op::neg, x),
                                   b.unary(ir::Op::abs, x), b.unary(ir::Op::floor, x)};
    for (const ir::Op op : {ir::Op::equal, ir::Op::not_equal, ir::Op::less, ir::Op::less_equal})
        results.push_back(b.select(b.compare(op, x, y), x, y));
    std::vector<ir::Value> counts;
    for (const Scalar to : {Scalar::u32, Scalar::u64}) counts.push_back(b.convert(b.convert(x, to), Scalar::u64));
    counts.push_back(
        b.convert(b.pure(ir::Op::bitcast, Type(Scalar::u32, type.lanes), {b.convert(x, Scalar::i32)}), Scalar::u64));
    for (std::size_t r = 0; r < results.size(); ++r)
        b.global_store(floats, at * std::uint64_t{results.size()} + std::uint64_t{r * type.lanes}, results[r]);
    for (std::size_t r = 0; r < counts.size(); ++r)
        b.global_store(integers, at * std::uint64_t{counts.size()} + std::uint64_t{r * type.lanes}, counts[r]);
    // Each with each.
    const std::vector<double> all = specials();
    std::size_t k = 0, l = 0;
    const std::size_t pairs = (all.size() * all.size() + 15) / 16 * 16;
    const auto next_first = [&] { return all[k++ / all.size() % all.size()]; };
    const auto next_second = [&] { return all[l++ % all.size()]; };
    const auto bytes = [&](const auto& next) {
        return type.scalar == Scalar::f64 ? fill<double>(pairs, next) : fill<float>(pairs, next);
    };
    const auto groups_of_all = static_cast<std::uint32_t>(pairs / type.lanes);
    const Bytes a = bytes(next_first), c = bytes(next_second);
    return {b.finish(),
            {{a, c, Bytes(a.size() * results.size()), Bytes(8 * pairs * counts.size())}, {}, {groups_of_all, 1, 1}}};
}

std::vector<KernelCase> halves() {
    std::vector<KernelCase> cases;
    std::vector<std::uint16_t> numbers;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
        if ((bits & 0x7fff) <= 0x7c00) numbers.push_back(static_cast<std::uint16_t>(bits));
    while (numbers.size() % 16 != 0) numbers.push_back(0);
    for (const unsigned lanes : {1u, 2u, 4u, 8u, 16u}) {
        const std::size_t count = lanes == 1 ? 4096 : numbers.size();
        const auto step = [&](Scalar from, Scalar to, const Bytes& bytes) {
            ir::Builder b("halves");
            const std::uint32_t in = b.buffer({"in", Type(from), ir::Access::read});
            const std::uint32_t out = b.buffer({"out", Type(to), ir::Access::write});
            const ir::Value at = b.convert(b.group_id(), Scalar::u64) * std::uint64_t{lanes};
            b.global_store(out, at, b.convert(b.global_load(in, at, Type(from, lanes)), to));
            const std::size_t n = bytes.size() / ir::scalar_bytes(from);
            cases.push_back(
                {b.finish(),
                 {{bytes, Bytes(n * ir::scalar_bytes(to))}, {}, {static_cast<std::uint32_t>(n / lanes), 1, 1}}});
        };
        std::size_t k = 0;
        const Bytes all = fill<std::uint16_t>(count, [&] { return numbers[k++ * (numbers.size() / count)]; });
        std::mt19937_64 random(3);
        std::vector<double> known{std::numeric_limits<float>::max(), 0x1.fep127, 0x1.01p0, 0x1.03p0, 0x1.010001p0};
        for (const double x : specials())
            if (!std::isnan(x)) known.push_back(x);
        std::size_t next = 0;
        const auto real = [&] {
            if (next < known.size()) return known[next++];
            return std::ldexp(static_cast<double>(random() >> 11) - 0x1p52, -85 + static_cast<int>(random() % 50));
        };
        for (const Scalar wide : {Scalar::f32, Scalar::f64}) {
            step(Scalar::f16, wide, all);
            step(Scalar::bf16, wide, all);
            next = 0;
            const Bytes reals = wide == Scalar::f32 ? fill<float>(4096, real) : fill<double>(4096, real);
            step(wide, Scalar::f16, reals);
            step(wide, Scalar::bf16, reals);
        }
    }
    return cases;
}

KernelCase far_addresses() {
    ir::Builder b("far_addresses");
    const std::uint32_t in = b.buffer({"in", Type(Scalar::f32), ir::Access::read});
    const std::uint32_t out = b.buffer({"out", Type(Scalar::f32), ir::Access::write});
    const std::uint32_t shared = b.shared_array("shared", Type(Scalar::f32), 50000);
    const std::uint32_t large = b.private_array("large", Type(Scalar::f32), 40000);
    const std::uint32_t small = b.private_array("small", Type(Scalar::f64), 64);
    const ir::Value group = b.group_id(), wide = b.convert(group, Scalar::u64);
    const auto u32 = [&](std::uint32_t c) { return b.integer(Scalar::u32, c); };
    const std::uint64_t places[] = {0, 1, 63, 64, 1000, 4095, 4097, 16385, 30011};
    std::uint64_t result = 0;
    for (const std::uint64_t place : places)
        for (const unsigned lanes : {1u, 4u, 8u}) {
            const auto narrow = static_cast<std::uint32_t>(place);
            const Type type(Scalar::f32, lanes);
            const ir::Value x = b.global_load(in, wide * std::uint64_t{3} + place, type);
            const ir::Value odd = group * std::uint64_t{7} + u32(narrow);
            b.shared_store(shared, odd, x);
            b.private_store(large, group * std::uint64_t{2} + u32(narrow), b.shared_load(shared, odd, type));
            b.private_store(
                small, group,
                b.convert(
                    b.extract(
                        b.splat(b.private_load(large, group * std::uint64_t{2} + u32(narrow), Type(Scalar::f32)), 2),
                        1),
                    Scalar::f64));
            const ir::Value back = b.private_load(large, group * std::uint64_t{2} + u32(narrow), type);
            const ir::Value single = b.convert(b.private_load(small, group, Type(Scalar::f64)), Scalar::f32);
            b.global_store(out, wide * std::uint64_t{1000} + std::uint64_t{16 * result}, back);
            b.global_store(out, wide * std::uint64_t{1000} + std::uint64_t{16 * result + 8}, single);
            ++result;
        }
    return {b.finish(), {{floats(40000, 1), floats(5000, 2)}, {}, {5, 1, 1}}};
}

ir::Kernel first_kernel(const char* text, unsigned vector_bytes) {
    DeviceLimits limits;
    limits.vectors = Vectors::explicit_simd;
    limits.vector_bytes = vector_bytes;
    limits.max_group_size = limits.subgroup_size = 1;
    limits.shared_bytes = limits.shared_bytes_per_unit = 1u << 20;
    PlanOptions options;
    options.directions = Directions::forward;
    const exec::Draft draft = exec::draft(problem::normalise(parse_problem(text)), limits, options);
    return *draft.schedules.at(0).steps.at(0).kernel;
}

KernelRun start_of(const ir::Kernel& kernel, std::size_t count) {
    KernelRun start;
    for (unsigned b = 0; b < kernel.buffers.size(); ++b) start.buffers.push_back(floats(count, b));
    start.scalars.assign(kernel.scalars.size(), 16);
    return start;
}

}  // namespace seiche::test
