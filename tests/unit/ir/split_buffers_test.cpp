// Arrays in several buffers: every element is where it belongs, wide accesses that straddle are taken apart, and the
// parts are buffers to the verifier, the interpreter and the analyser like any other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "ir/analyse.hpp"
#include "ir/optimise.hpp"
#include "ir/print.hpp"
#include "seiche/error.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

constexpr std::uint32_t threads = 8, groups = 3;
constexpr std::uint64_t number_bytes = 4;
using Numbers = std::vector<std::uint32_t>;

/// The memory of an array of `count` numbers behind `first` others, in parts of `per_part`, the last shorter.
struct Parts {
    std::vector<Numbers> memory;
    std::uint64_t per_part, first;
    Parts(std::uint64_t count, std::uint64_t per_part_, std::uint64_t first_) : per_part(per_part_), first(first_) {
        for (std::uint64_t left = first + count; left != 0; left -= memory.back().size())
            memory.emplace_back(std::min(left, per_part), 0xdeadu);
    }
    std::uint32_t& at(std::uint64_t element) {
        return memory[(first + element) / per_part][(first + element) % per_part];
    }
    BufferSplit split(std::uint32_t buffer) const {
        return {buffer, static_cast<std::uint32_t>(memory.size()), per_part * number_bytes, first * number_bytes};
    }
};

/// Each thread moves `lanes` numbers, from `step` times its number plus `shift` on, where that is below `limit`.
struct Copy {
    unsigned element_lanes = 1, lanes = 1;
    std::uint64_t step = 1, shift = 0, limit = ~std::uint64_t{0};
    bool is_predicated = false;

    Kernel kernel() const {
        Builder b("copy");
        b.kernel().launch.group = {threads, 1, 1};
        const Type element(Scalar::u32, element_lanes);
        const auto in = input(b, "in", element), out = output(b, "out", element);
        const Value at = wide(global_thread(b)) * step + shift;
        const Value when = is_predicated ? b.less(at, u64(b, limit)) : Value{};
        b.global_store(out, at, b.global_load(in, at, Type(Scalar::u32, lanes), when) + u32_lanes(b), when);
        return b.finish();
    }
    Value u32_lanes(Builder& b) const { return b.splat(u32(b, 1), lanes); }
};

Launch launch_on(Parts& in, Parts& out) {
    Launch launch = launch_of({}, groups);
    for (Parts* array : {&in, &out})
        for (Numbers& part : array->memory) launch.buffers.push_back(bound(part));
    return launch;
}

/// Runs the split kernel and compares every number with what one array would have.
void expect_copy(const Copy& copy, std::uint64_t count, std::uint64_t in_part, std::uint64_t out_part,
                 std::uint64_t first, bool by_predicates) {
    Parts in(count, in_part, first), out(count, out_part, first);
    std::vector<bool> is_written(count, false);
    for (std::uint64_t i = 0; i < count; ++i) in.at(i) = static_cast<std::uint32_t>(1000 + i);
    for (std::uint64_t t = 0; t < std::uint64_t{threads} * groups; ++t)
        for (unsigned lane = 0; lane < copy.lanes; ++lane)
            if (const std::uint64_t at = t * copy.step + copy.shift; !copy.is_predicated || at < copy.limit)
                is_written[at * copy.element_lanes + lane] = true;
    Kernel kernel = split_buffers(copy.kernel(), {in.split(0), out.split(1)});
    if (by_predicates) kernel = predicate_parts(kernel);
    verify(kernel);
    ASSERT_EQ(kernel.buffers.size(), in.memory.size() + out.memory.size());
    const Analysis analysis = analyse(kernel, launch_on(in, out));
    EXPECT_EQ(analysis.out_of_bounds + analysis.global_races + analysis.uninitialised_reads, 0u)
        << (analysis.findings.empty() ? "" : analysis.findings.front()) << "\n"
        << print(kernel);
    for (const bool again : {false, true}) {  // the analyser's run, then the interpreter's alone
        if (again) {
            out = Parts(count, out_part, first);
            interpret(kernel, launch_on(in, out));
        }
        for (std::uint64_t i = 0; i < count; ++i)
            EXPECT_EQ(out.at(i), is_written[i] ? 1001 + i : 0xdeadu) << "number " << i << " of parts " << in_part;
    }
}

std::uint64_t numbers_of(const Copy& copy) {
    return ((std::uint64_t{threads} * groups - 1) * copy.step + copy.shift) * copy.element_lanes + copy.lanes;
}

TEST(split_buffers, three_and_five_parts_of_odd_sizes) {
    for (const bool by_predicates : {false, true})
        for (const std::uint64_t part : {5u, 7u, 8u, 11u, 16u, 23u})
            expect_copy({}, threads * groups, part, 24 + 1 - part, 0, by_predicates);
}

TEST(split_buffers, accesses_that_straddle_are_taken_apart) {
    for (const bool by_predicates : {false, true})
        for (const std::uint64_t shift : {0u, 1u, 2u, 4u})
            for (const std::uint64_t part : {16u, 20u, 33u, 50u, 64u}) {
                Copy copy{1, 8, 8, shift};
                expect_copy(copy, numbers_of(copy), part, 96 - part, 0, by_predicates);
            }
    Copy pairs{2, 8, 5, 1};
    expect_copy(pairs, numbers_of(pairs), 30, 62, 0, false);
}

TEST(split_buffers, counts_from_the_first_byte) {
    Copy copy{2, 4, 2, 0};
    for (const std::uint64_t first : {2u, 4u, 6u, 34u}) expect_copy(copy, numbers_of(copy), 32, 64, first, false);
}

TEST(split_buffers, leaves_out_what_is_predicated) {
    for (const bool by_predicates : {false, true}) {
        Copy copy{1, 1, 3, 2, 40, true};
        expect_copy(copy, 44, 9, 13, 0, by_predicates);
    }
}

unsigned accesses(const Kernel& kernel) {
    return static_cast<unsigned>(
        std::count_if(kernel.code.begin(), kernel.code.end(), [](const Instruction& i) { return names_part(i); }));
}

TEST(split_buffers, keeps_wide_what_cannot_straddle) {
    const auto pieces = [](std::uint64_t step, std::uint64_t shift, std::uint64_t per_part, std::uint64_t first) {
        const BufferSplit in{0, 2, per_part * number_bytes, first * number_bytes};
        return accesses(split_buffers(Copy{1, 8, step, shift}.kernel(), {in}));
    };
    EXPECT_EQ(pieces(8, 0, 64, 0), 1u);
    EXPECT_EQ(pieces(8, 0, 64, 16), 1u);
    EXPECT_EQ(pieces(8, 4, 64, 0), 2u);
    EXPECT_EQ(pieces(8, 0, 20, 0), 2u);
    EXPECT_EQ(pieces(8, 0, 64, 6), 4u);
    EXPECT_EQ(pieces(3, 0, 64, 0), 8u);
}

TEST(split_buffers, a_power_of_two_needs_no_division) {
    for (const std::uint64_t part : {64u, 24u}) {
        const Kernel kernel = split_buffers(Copy{}.kernel(), {{0, 4, part * number_bytes, 0}});
        const bool divides = std::any_of(kernel.code.begin(), kernel.code.end(),
                                         [](const Instruction& i) { return i.op == Op::div || i.op == Op::mod; });
        EXPECT_EQ(divides, part == 24u);
    }
}

TEST(split_buffers, sees_what_is_wrong) {
    const Kernel kernel = split_buffers(Copy{}.kernel(), {{0, 3, 32, 0}});
    EXPECT_NE(print(kernel).find("buffer in_0 : u32 read, the first of 3 parts"), std::string::npos) << print(kernel);
    EXPECT_NE(print(kernel).find(" in part %"), std::string::npos);
    Kernel none = kernel;
    none.buffers[0].parts = 1;
    EXPECT_THROW(verify(none), InternalError);
    Kernel more = kernel;
    more.buffers[0].parts = 5;
    EXPECT_THROW(verify(more), InternalError);
    Kernel other = kernel;
    other.buffers[2].element = Scalar::f32;
    EXPECT_THROW(verify(other), InternalError);
    EXPECT_THROW(split_buffers(Copy{2, 2}.kernel(), {{0, 3, 12, 0}}), InternalError);
    EXPECT_THROW(split_buffers(kernel, {{0, 3, 32, 0}}), InternalError);
}

bool divides_64_bits(const Kernel& kernel) {
    return std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instruction& i) {
        return (i.op == Op::div || i.op == Op::mod) && i.type.scalar == Scalar::u64;
    });
}

/// Of 12 GiB and more, of which the test has what is touched: the ends of parts and the beginnings of the next.
TEST(split_buffers, parts_of_large_arrays) {
    constexpr std::uint64_t odd = (std::uint64_t{3} << 30) + 5, even = std::uint64_t{1} << 31, ends = threads / 2;
    for (const std::uint64_t count : {odd, even})
        for (const std::uint64_t which : {1u, 2u, 3u}) {
            const std::uint64_t first = which * count - ends;  // element of thread 0
            Builder b("far");
            b.kernel().launch.group = {threads, 1, 1};
            const auto in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
            const Value t = wide(b.thread_id());
            b.global_store(out, t, b.global_load(in, t + first, Scalar::u32));
            const Kernel kernel = split_buffers(b.finish(), {{0, 4, count * number_bytes, 0}});
            verify(kernel);
            EXPECT_FALSE(divides_64_bits(kernel));
            Numbers before(ends), behind(ends), result(threads);
            std::iota(before.begin(), before.end(), 10u);
            std::iota(behind.begin(), behind.end(), 20u);
            Launch launch = launch_of({bound(before), bound(before), bound(before), bound(before), bound(result)});
            for (std::uint64_t p = 0; p < 4; ++p) {
                const auto at = reinterpret_cast<std::uintptr_t>(p == which ? behind.data() : before.data());
                const std::uint64_t absent = p == which ? 0 : (count - ends) * number_bytes;
                launch.buffers[p] = {reinterpret_cast<std::byte*>(at - absent), count * number_bytes};
            }
            interpret(kernel, launch);
            EXPECT_EQ(result, (Numbers{10, 11, 12, 13, 20, 21, 22, 23})) << "part " << which << " of " << count;
        }
}

TEST(split_buffers, places_are_found_without_divisions_of_64_bits) {
    for (const std::uint64_t part : {5u, 7u, 8u, 11u})
        EXPECT_FALSE(divides_64_bits(split_buffers(Copy{}.kernel(), {{0, 3, part * number_bytes, 0}}))) << part;
}

TEST(split_buffers, each_part_has_bounds_of_its_own) {
    const Kernel kernel = split_buffers(Copy{}.kernel(), {{0, 3, 32, 0}});
    Numbers first(8), second(7), third(8), out(24);
    const Launch launch = launch_of({bound(first), bound(second), bound(third), bound(out)}, groups);
    EXPECT_EQ(analyse(kernel, launch).out_of_bounds, 1u);
    try {
        interpret(kernel, launch);
        ADD_FAILURE() << "the last element of the second part was read";
    } catch (const InternalError& error) {
        EXPECT_NE(std::string(error.what()).find("'in_1'"), std::string::npos) << error.what();
    }
}

TEST(split_buffers, races_between_parts_of_one_memory_are_seen) {
    // Every thread stores its number to its element, of which the second part's are the first's.
    const Kernel kernel = split_buffers(Copy{}.kernel(), {{1, 3, 32, 0}});
    Numbers in(24), first(8), third(8);
    const Launch launch = launch_of({bound(in), bound(first), bound(first), bound(third)}, groups);
    EXPECT_EQ(analyse(kernel, launch).global_races, 8u);
}

TEST(split_buffers, sectors_of_different_parts_are_different) {
    Builder b("halves");
    b.kernel().launch.group = {32, 1, 1};
    const auto in = input(b, "in", Scalar::u32), out = output(b, "out", Scalar::u32);
    const Value t = b.thread_id();
    b.global_store(out, wide(t), b.global_load(in, wide(t % 2_u) * 8_u, Scalar::u32));
    const Kernel kernel = split_buffers(b.finish(), {{0, 2, 32, 0}});
    Numbers first(8), second(8), result(32);
    const Analysis a = analyse(kernel, launch_of({bound(first), bound(second), bound(result)}));
    EXPECT_EQ(a.bytes_read, 8u);  // one number of each part
    EXPECT_EQ(a.sectors, 2u + 4u);
}

}  // namespace
}  // namespace seiche::ir::test
