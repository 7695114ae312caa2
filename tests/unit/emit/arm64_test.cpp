// Machine code of AArch64 gives what the interpreter gives, for every op and for whole kernels, under an emulator; and
// the encoder gives what an assembler gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "arm64_run.hpp"
#include "emit/arm64/words.hpp"
#include "exec/draft.hpp"
#include "ir/print.hpp"
#include "problem/problem.hpp"
#include "sample_kernels.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using emit::arm64::Mnemonic;
using emit::machine::OperandKind;
using emit::machine::PlacedOperand;
using ir::Scalar;
using ir::Type;

// ---- The encoder

struct Row {
    Mnemonic id;
    std::string shape, syntax;
};
const std::vector<Row>& rows() {
    static const std::vector<Row> all{
#define SEICHE_ARM64(name, shape, bits, syntax) {Mnemonic::name, #shape, syntax},
#include "emit/arm64/mnemonics.def"
#undef SEICHE_ARM64
    };
    return all;
}

/// An instruction with its operands, and what an assembler is told.
struct Sample {
    emit::machine::Encoder::Operands operands;
    std::string text;
};

PlacedOperand memory(unsigned base, std::int64_t displacement, int index = -1, unsigned shift = 0) {
    PlacedOperand o;
    o.kind = base == 31 ? OperandKind::frame : OperandKind::memory;
    o.reg = static_cast<std::uint8_t>(base);
    if (index >= 0) o.index = static_cast<std::uint8_t>(index);
    o.shift = static_cast<std::uint8_t>(shift);
    o.immediate = displacement;
    return o;
}
std::string text_of(const PlacedOperand& o) {
    const std::string base = "[" + (o.kind == OperandKind::frame ? "sp" : "x" + std::to_string(o.reg));
    if (o.index != emit::machine::nowhere)
        return base + ", x" + std::to_string(o.index) + (o.shift != 0 ? ", lsl #" + std::to_string(o.shift) : "") + "]";
    return base + ", #" + std::to_string(o.immediate) + "]";
}

/// Numbers that the place of an operand has bits for.
std::vector<std::int64_t> numbers_of(const std::string& shape, unsigned which, unsigned bytes) {
    const std::int64_t bits = 8 * bytes;
    if (shape == "general_immediate" || shape == "general_compared_immediate") return {0, 1, 4095, 4096, 0xfff000};
    if (shape == "added_shifted") return {0, 3, 63};
    if (shape == "shifted_left" || shape == "shifted_right") return {0, 1, bits - 1};
    if (shape == "low_bits") return {1, 7, bits - 1};
    if (shape == "aligned") return {1, 8, 15};
    const std::int64_t lanes = shape.ends_with("2") ? 8 : shape.ends_with("4") ? 4 : 2;
    return which == 2 ? std::vector<std::int64_t>{0, lanes - 1, lanes / 2} : std::vector<std::int64_t>{lanes - 1, 0, 1};
}
std::vector<PlacedOperand> places_of(const std::string& shape) {
    const int bytes = std::stoi(shape.substr(shape.find('_') + 1));
    const auto shift = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(bytes)));
    return {memory(5, 0),
            memory(30, std::int64_t{3} * bytes),
            memory(31, std::int64_t{4095} * bytes),
            memory(7, -1),
            memory(31, -256),
            memory(9, bytes == 1 ? 255 : 255 / bytes * bytes + 1),
            memory(12, 0, 3),
            memory(12, 0, 30, shift)};
}

/// The sample number `k` of a row, its general registers r of so many bytes.
Sample sample(const Row& row, unsigned bytes, unsigned k) {
    static const std::map<unsigned, std::string> conditions = {{0, "eq"}, {1, "ne"},  {3, "lo"},  {4, "mi"}, {8, "hi"},
                                                               {9, "ls"}, {11, "lt"}, {12, "gt"}, {13, "le"}};
    Sample result;
    const std::string& s = row.syntax;
    for (std::size_t at = 0; at < s.size(); ++at) {
        if (s.compare(at, 3, "rzr") == 0) {
            result.text += bytes == 8 ? 'x' : 'w';
            continue;
        }
        const bool is_general = s[at] == 'r' && at + 1 < s.size() && s[at + 1] == '$';
        if (s[at] != '$') {
            result.text += !is_general ? s[at] : bytes == 8 ? 'x' : 'w';
            continue;
        }
        const char before = at == 0 ? ' ' : s[at - 1];
        const char kind = s[at + 1] == 'c' || s[at + 1] == 'm' ? s[++at] : before;
        const auto which = static_cast<unsigned>(s[++at] - '0');
        PlacedOperand o;
        std::string written;
        if (kind == 'c') {
            const auto it = std::next(conditions.begin(), static_cast<long>((3 * k + which) % conditions.size()));
            o = emit::machine::placed_number(it->first);
            written = it->second;
        } else if (kind == 'm') {
            const std::vector<PlacedOperand> places = places_of(row.shape);
            o = places[k % places.size()];
            written = text_of(o);
        } else if (kind == '#' || kind == '[') {
            const std::vector<std::int64_t> numbers = numbers_of(row.shape, which, bytes);
            o = emit::machine::placed_number(numbers[k % numbers.size()]);
            written = std::to_string(o.immediate);
        } else {
            const bool is_of_general = kind == 'r' || kind == 'x' || kind == 'w';
            const unsigned width = kind == 'r' ? bytes : kind == 'x' ? 8 : kind == 'w' ? 4 : 16;
            const unsigned reg = (11 * which + 5 * k + 1) % (is_of_general ? 31 : 32);
            o = emit::machine::placed(is_of_general ? emit::machine::Bank::general : emit::machine::Bank::vector,
                                      static_cast<std::uint8_t>(reg), width);
            written = std::to_string(reg);
        }
        if (result.operands.size() <= which) result.operands.resize(which + 1);
        result.operands[which] = o;
        result.text += written;
    }
    return result;
}

TEST(Arm64Encoder, every_row_is_what_an_assembler_makes) {
    if (!has_assembler()) GTEST_SKIP() << "no assembler for AArch64 (binutils-aarch64-linux-gnu)";
    std::string text;
    std::vector<std::uint32_t> ours;
    std::vector<std::string> lines;
    for (const Row& row : rows())
        for (const unsigned bytes : {4u, 8u}) {
            if (bytes == 8 && row.syntax.find("r$") == std::string::npos) continue;
            for (unsigned k = 0; k < 8; ++k) {
                const Sample one = sample(row, bytes, k);
                ours.push_back(emit::arm64::word_of(row.id, one.operands));
                lines.push_back(one.text);
                text += one.text + "\n";
            }
        }
    const std::vector<std::uint32_t> theirs = assembled(text);
    ASSERT_EQ(theirs.size(), ours.size());
    for (std::size_t k = 0; k < ours.size(); ++k)
        EXPECT_EQ(ours[k], theirs[k]) << lines[k] << std::hex << ": " << ours[k] << ", " << theirs[k];
}

// ---- Every op, and whole kernels

TEST(Arm64Ops, agree_with_the_interpreter) {
    if (const std::string why = why_no_arm64(); !why.empty()) GTEST_SKIP() << why;
    struct Case {
        Type type;
        EveryOp ops;
        KernelRun want, got;
    };
    std::vector<Case> cases;
    for (const Scalar scalar : {Scalar::f32, Scalar::f64, Scalar::i32, Scalar::u32, Scalar::u64})
        for (const unsigned lanes : {1u, 2u, 4u, 8u, 16u}) {
            const Type type(scalar, lanes);
            EveryOp ops = every_op(type);
            KernelRun start = start_of_ops(ops, type);
            cases.push_back({type, std::move(ops), start, start});
        }
    Arm64Runs runs;
    for (Case& test : cases) runs.add(test.ops.kernel, test.got);
    runs.finish();
    const auto reference = runtime::open_device("reference");
    for (Case& test : cases) {
        SCOPED_TRACE(ir::to_string(test.type));
        run_kernel(reference, test.ops.kernel, test.want);
        expect_same_ops(test.ops, test.want, test.got);
    }
}

TEST(Arm64Kernels, agree_with_the_interpreter) {
    if (const std::string why = why_no_arm64(); !why.empty()) GTEST_SKIP() << why;
    expect_same_on_arm64(
        {bundle_with_loop(), predicates_of_every_kind(), integers_and_constants(), parts_that_are_not_there()});
}

TEST(Arm64Kernels, special_numbers_are_as_in_the_interpreter) {
    if (const std::string why = why_no_arm64(); !why.empty()) GTEST_SKIP() << why;
    std::vector<KernelCase> cases = halves();
    for (const Scalar scalar : {Scalar::f32, Scalar::f64})
        for (const unsigned lanes : {1u, 2u, 4u, 16u}) cases.push_back(special_numbers(Type(scalar, lanes)));
    expect_same_on_arm64(cases);
}

TEST(Arm64Kernels, addresses_reach_far) {
    if (const std::string why = why_no_arm64(); !why.empty()) GTEST_SKIP() << why;
    expect_same_on_arm64({far_addresses()});
}

TEST(Arm64Kernels, what_there_is_no_code_for_is_refused) {
    EXPECT_THROW(emit::arm64::compile(exchange_kernel()), Unsupported);
    ir::Builder large("large");
    const std::uint32_t array = large.private_array("array", Type(Scalar::f32), 1u << 20);
    large.private_store(array, large.group_id(), large.constant(Type(Scalar::f32), 1));
    EXPECT_THROW(emit::arm64::compile(large.finish()), Unsupported);
    ir::Builder longest("longest");
    const std::uint32_t out = longest.buffer({"out", Type(Scalar::f64), ir::Access::write});
    for (unsigned k = 0; k < 70000; ++k) {
        const ir::Value n = longest.constant(Type(Scalar::f64), k + 0.5);
        longest.global_store(out, longest.integer(Scalar::u64, k), n);
    }
    EXPECT_THROW(emit::arm64::compile(longest.finish()), Unsupported);
}

/// Numbers of the size of 1.
Bytes numbers(const std::string& element, std::size_t bytes) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> real(-1.0, 1.0);
    const auto sign = [&] { return random() % 2 * 0x8000u; };
    if (element.starts_with("f64")) return fill<double>(bytes / 8, [&] { return real(random); });
    if (element.starts_with("f16"))
        return fill<std::uint16_t>(bytes / 2, [&] { return 0x3c00u | random() % 1024 | sign(); });
    if (element.starts_with("bf16"))
        return fill<std::uint16_t>(bytes / 2, [&] { return 0x3f80u | random() % 128 | sign(); });
    return fill<float>(bytes / 4, [&] { return real(random); });
}

DeviceLimits neon_limits() {
    DeviceLimits limits;
    limits.architecture = "aarch64-neon";
    limits.vectors = Vectors::explicit_simd;
    limits.vector_bytes = 16;
    limits.max_group_size = limits.subgroup_size = 1;
    limits.shared_bytes = limits.shared_bytes_per_unit = 1u << 20;
    limits.waits_for_groups = limits.bounds_registers = false;
    return limits;
}

/// The kernels of a plan, each with what those before it leave.
std::vector<KernelCase> kernels_of(const std::string& text) {
    const Problem problem = parse_problem(text);
    PlanOptions options;
    options.directions = Directions::forward;
    const exec::Draft draft = exec::draft(problem::normalise(problem), neon_limits(), options);
    const auto emitted = emit_kernels(problem, Dialect::arm64, neon_limits());
    const auto reference = runtime::open_device("reference");
    std::map<std::string, Bytes> arrays;
    std::vector<KernelCase> cases;
    for (std::size_t k = 0; k < emitted.size(); ++k) {
        KernelRun start;
        start.groups = {static_cast<std::uint32_t>(emitted[k].groups), 1, 1};
        for (const EmittedScalar& scalar : emitted[k].scalars) start.scalars.push_back(scalar.value);
        for (const EmittedBuffer& buffer : emitted[k].buffers) {
            Bytes& array = arrays[buffer.holds];
            if (array.empty() || !buffer.contents.empty()) array = buffer.contents;
            if (array.empty()) array = numbers(buffer.element, buffer.bytes);
            start.buffers.push_back(array);
        }
        const ir::Kernel& kernel = *draft.schedules.at(0).steps.at(k).kernel;
        EXPECT_EQ(kernel.name, emitted[k].name);
        KernelRun after = start;
        run_kernel(reference, kernel, after);
        for (std::size_t b = 0; b < after.buffers.size(); ++b) arrays[emitted[k].buffers[b].holds] = after.buffers[b];
        cases.push_back({kernel, std::move(start)});
    }
    return cases;
}

// In place an array is two buffers of a kernel, which these are not.
TEST(Arm64Kernels, whole_plans) {
    if (const std::string why = why_no_arm64(); !why.empty()) GTEST_SKIP() << why;
    std::vector<KernelCase> cases;
    for (const char* text : {"8 batch=16 istrides=64",
                             "16 batch=16",
                             "64 batch=16 ostrides=64",
                             "45 batch=16",
                             "1024",
                             "1000 f64",
                             "101 f64",
                             "97 batch=3",
                             "23 batch=7",
                             "1009",
                             "64 f64 batch=16",
                             "512 r2c",
                             "360 r2c f64 batch=4",
                             "128 dct2",
                             "100 dst3 f64",
                             "60 dct4 batch=5",
                             "256 f16",
                             "256 bf16 batch=4",
                             "64 f64x2",
                             "32x32",
                             "16x16x16 r2c",
                             "32768"})
        for (KernelCase& test : kernels_of(text)) cases.push_back(std::move(test));
    expect_same_on_arm64(cases);
}

}  // namespace
}  // namespace seiche::test
