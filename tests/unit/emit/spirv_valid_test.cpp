// Every module of either flavour is valid SPIR-V by the judgement of spirv-val, and states what a launch needs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/check/random_problems.hpp"
#include "emit/narrow_addresses.hpp"
#include "every_op.hpp"
#include "exec/inspect.hpp"
#include "ir/verify.hpp"
#include "run_kernel.hpp"
#include "sample_kernels.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "spirv_device.hpp"

namespace seiche::test {
namespace {

using emit::Dialect;
using ir::Scalar;
using ir::Type;

constexpr Dialect flavours[] = {Dialect::spirv_vulkan, Dialect::spirv_opencl};
bool has_validator() { return !std::string(SEICHE_SPIRV_VAL).empty(); }

emit::Source spirv_of(const ir::Kernel& kernel, Dialect dialect) {
    emit::Target target;
    target.dialect = dialect;
    return emit::emit(std::make_shared<ir::Kernel>(kernel), target);
}

std::string complaint(const emit::Source& source, const std::string& environment) {
    const std::string module = write_module(source), log = module + ".log";
    const int status =
        std::system((SEICHE_SPIRV_VAL " --target-env " + environment + " " + module + " > " + log + " 2>&1").c_str());
    std::ifstream stream(log);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    for (const std::string& file : {module, log}) std::filesystem::remove(file);
    return status == 0 ? "" : "refused: " + text;
}

void expect_valid(const emit::Source& source) {
    const bool vulkan = source.dialect == Dialect::spirv_vulkan;
    // OpenCL 1.2 takes version 1.0, which knows nothing of subgroups.
    const bool newer = source.words.at(1) > 0x00010000;
    EXPECT_EQ(complaint(source, vulkan  ? "vulkan1.1"
                                : newer ? "spv1.3"
                                        : "opencl1.2"),
              "")
        << source.entry << ": " << source.kernel->comment;
}

class SpirvOps : public testing::TestWithParam<std::tuple<Scalar, unsigned>> {};

TEST_P(SpirvOps, are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    const Type type(std::get<0>(GetParam()), std::get<1>(GetParam()));
    const ir::Kernel kernel = every_op(type).kernel;
    expect_valid(spirv_of(kernel, Dialect::spirv_opencl));
    if (type.scalar != Scalar::f64) return expect_valid(spirv_of(kernel, Dialect::spirv_vulkan));
    // GLSL.std.450 has no exponential of 64 bits.
    try {
        spirv_of(kernel, Dialect::spirv_vulkan);
        FAIL() << "exp of f64 was accepted";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("exp"), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(types, SpirvOps,
                         testing::Combine(testing::Values(Scalar::f32, Scalar::f64, Scalar::i32, Scalar::u32,
                                                          Scalar::u64),
                                          testing::Values(1u, 4u, 16u)));

TEST(SpirvKernels, made_by_hand_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    for (const ir::Kernel& kernel : {exchange_kernel(), simd_kernel(), guarded_kernel(), dynamic_shared_kernel(),
                                     half_storage_kernel(), narrow_storage_kernel(), subgroup_kernel(), atomic_kernel(),
                                     ticket_kernel(), scoped_barriers_kernel(false), async_kernel()})
        for (const Dialect dialect : flavours) expect_valid(spirv_of(kernel, dialect));
}

// Of buffers beyond what a binding reaches.
TEST(SpirvKernels, that_take_addresses_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    for (ir::Kernel kernel : {exchange_kernel(), guarded_kernel(), half_storage_kernel(), narrow_storage_kernel(),
                              atomic_kernel(), ticket_kernel(), async_kernel()})
        for (const bool all : {false, true}) {
            for (ir::BufferParameter& buffer : kernel.buffers) buffer.by_address = all || &buffer == &kernel.buffers[0];
            expect_valid(spirv_of(kernel, Dialect::spirv_vulkan));
            const emit::PushConstants layout = emit::push_constants(kernel);
            ASSERT_EQ(layout.addresses.size(), all ? kernel.buffers.size() : 1u);
            for (const std::uint32_t place : layout.addresses) EXPECT_EQ(place % 8, 0u);
            EXPECT_EQ(layout.bytes, layout.addresses.back() + 8);
        }
}

TEST(SpirvKernels, what_cannot_be_said_is_refused_by_name) {
    for (const Dialect dialect : flavours) {
        EXPECT_THROW(spirv_of(cluster_kernel(), dialect), Unsupported);
        EXPECT_THROW(spirv_of(matrix_kernel(), dialect), Unsupported);
    }
}

// What a launch of these must know stands in one place.
TEST(SpirvKernels, push_constants_are_aligned_and_bounded) {
    ir::Builder b("many");
    for (int k = 0; k < 3; ++k) b.buffer({"buffer" + std::to_string(k), Scalar::f32, ir::Access::read});
    b.scalar("count", Scalar::u32);
    b.scalar("gain", Scalar::f64);
    b.scalar("last", Scalar::u32);
    const ir::Kernel kernel = b.finish();
    const emit::PushConstants layout = emit::push_constants(kernel);
    EXPECT_EQ(layout.scalars, (std::vector<std::uint32_t>{12, 16, 24}));
    EXPECT_EQ(layout.bytes, 28u);
    if (has_validator()) expect_valid(spirv_of(kernel, Dialect::spirv_vulkan));

    ir::Builder more("too_many");
    for (int k = 0; k < 17; ++k) more.scalar("scalar" + std::to_string(k), Scalar::u64);
    EXPECT_THROW(spirv_of(more.finish(), Dialect::spirv_vulkan), Unsupported);
}

/// Of SubgroupSize, in what OpExecutionMode says; 0: nothing is said.
std::uint32_t stated_lanes(const emit::Source& source) {
    constexpr std::uint32_t execution_mode = 16, subgroup_size = 35;
    for (std::size_t at = 5; at < source.words.size(); at += source.words[at] >> 16)
        if ((source.words[at] & 0xffffu) == execution_mode && source.words[at + 2] == subgroup_size)
            return source.words[at + 3];
    return 0;
}

TEST(SpirvKernels, state_the_lanes_that_they_or_their_target_need) {
    emit::Target target;
    target.dialect = Dialect::spirv_opencl;
    const auto emitted = [&](const ir::Kernel& kernel) {
        emit::Source source = emit::emit(std::make_shared<ir::Kernel>(kernel), target);
        if (has_validator()) expect_valid(source);
        return source;
    };
    ir::Kernel own = exchange_kernel();
    own.launch.required_subgroup_size = 8;
    EXPECT_EQ(stated_lanes(emitted(exchange_kernel())), 0u);
    EXPECT_EQ(stated_lanes(emitted(own)), 8u);
    target.subgroup_size = 16;
    EXPECT_EQ(stated_lanes(emitted(exchange_kernel())), 16u);
    EXPECT_EQ(stated_lanes(emitted(own)), 8u);
}

// ---- Addresses

TEST(NarrowAddresses, keep_what_is_compared_or_divided_whole) {
    ir::Builder b("narrow");
    const auto data = b.buffer({"data", Scalar::f32, ir::Access::read_write});
    const ir::Value row = b.convert(b.group_id(), Scalar::u64), column = b.convert(b.thread_id(), Scalar::u64);
    const ir::Value compared = row * std::uint64_t{7}, divided = column * std::uint64_t{5};
    const ir::Value inside = b.less(compared, b.integer(Scalar::u64, 100));
    const ir::Value quotient = b.binary(ir::Op::div, divided, b.integer(Scalar::u64, 3));
    const ir::Value address = row * std::uint64_t{64} + column + quotient;
    b.global_store(data, address, b.constant(Scalar::f32, 1.0), inside);
    const ir::Kernel kernel = b.finish();
    const std::vector<bool> narrow = emit::narrow_addresses(kernel);
    EXPECT_TRUE(narrow[address.id()]);
    EXPECT_FALSE(narrow[compared.id()]);
    EXPECT_FALSE(narrow[divided.id()]);
    EXPECT_FALSE(narrow[quotient.id()]);
    EXPECT_FALSE(narrow[row.id()]);
}

bool declares(const emit::Source& source, std::uint32_t capability) {
    for (std::size_t at = 5; at < source.words.size(); at += source.words[at] >> 16)
        if ((source.words[at] & 0xffffu) == 17 && source.words[at + 1] == capability) return true;
    return false;
}

// ---- Plans

struct Planned {
    std::string problem;
    std::vector<emit::Source> sources;
};

/// What this build says it cannot plan is not asked of it here: docs/features.md has that.
Planned planned(const Problem& problem, const DeviceLimits& limits, Dialect dialect) {
    Planned result{to_string(problem), {}};
    emit::Target target;
    target.dialect = dialect;
    if (limits.vectors == Vectors::explicit_simd) target.widest_access_bytes = limits.vector_bytes;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (problem.kind == (direction == Direction::forward ? Kind::c2r : Kind::r2c)) continue;
        for (auto& kernel : exec::sources(problem::normalise(problem), limits, {direction, {}}, target))
            result.sources.push_back(std::move(kernel.source));
    }
    return result;
}

std::vector<DeviceLimits> shapes() {
    DeviceLimits gpu, cpu;
    gpu.max_group_size = 256;
    gpu.shared_bytes = 32 * 1024;
    gpu.registers_per_thread = 128;
    cpu.vectors = Vectors::explicit_simd;
    cpu.subgroup_size = 1;
    cpu.shared_bytes = 1024 * 1024;
    return {gpu, cpu};
}

void expect_valid_plan(const Problem& problem) {
    for (const DeviceLimits& limits : shapes())
        for (const Dialect dialect : flavours)
            for (const emit::Source& source : planned(problem, limits, dialect).sources) {
                SCOPED_TRACE(to_string(problem));
                expect_valid(source);
            }
}

TEST(SpirvPlans, of_every_algorithm_and_storage_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    for (const char* text : {"1",
                             "16",
                             "96 f64",
                             "64 f16",
                             "60 bf16",
                             "64 planar f16",
                             "16 f64x2",
                             "60 f64 storage=f32",
                             "1009",
                             "2003 f64",
                             "37 f16",
                             "65536 batch=3",
                             "262144",
                             "12x10 r2c batch=3",
                             "12x10 c2r f64",
                             "60 dct2",
                             "37 dct3 f64",
                             "24 dht f16",
                             "40 dst4",
                             "60 forward-scale=0.5",
                             "12x10 signal-zeros=0:6-12,1:1-3",
                             "6x8x5 axes=1"})
        expect_valid_plan(parse_problem(text));
}

/// In place one image is bound twice, which SPIR-V must be told.
TEST(SpirvPlans, of_pairs_of_images_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    constexpr std::uint32_t decorate = 3u << 16 | 71u, aliased = 20;
    for (const char* recipe : {"stockham-radix-2", "split-radix"}) {
        Tuning tuning;
        tuning.recipe = recipe;
        std::size_t decorations = 0;
        for (const EmittedKernel& kernel :
             emit_kernels(parse_problem("4x8 image=rg32f"), seiche::Dialect::spirv, {}, Direction::forward, tuning)) {
            emit::Source module;
            module.dialect = Dialect::spirv_vulkan;
            module.entry = kernel.name;
            module.words = kernel.words;
            EXPECT_EQ(complaint(module, "vulkan1.1"), "") << recipe << ", " << kernel.name;
            for (std::size_t i = 0; i + 2 < kernel.words.size(); ++i)
                decorations += kernel.words[i] == decorate && kernel.words[i + 2] == aliased ? 1 : 0;
        }
        EXPECT_EQ(decorations, recipe == std::string("split-radix") ? 2 * 6u : 0u) << recipe;
    }
}

// What lavapipe gets: pairs of f32 as words, in buffers and in shared memory.
TEST(SpirvPlans, of_lanes_that_go_to_memory_one_by_one_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    DeviceLimits limits;
    limits.vectors = Vectors::implicit_simd;
    limits.shared_bytes = 32 * 1024;
    for (const char* text : {"1024", "101 batch=3", "60 r2c", "64 f64", "48 f16", "64 planar", "65536"})
        for (const EmittedKernel& kernel : emit_kernels(parse_problem(text), seiche::Dialect::spirv, limits)) {
            emit::Source module;
            module.dialect = Dialect::spirv_vulkan;
            module.entry = kernel.name;
            module.words = kernel.words;
            EXPECT_EQ(complaint(module, "vulkan1.1"), "") << text << ", " << kernel.name;
        }
}

// A module for launches that begin where descriptors may, and one for all others, with an access for every word.
TEST(SpirvPlans, of_joined_words_have_two_modules) {
    DeviceLimits limits;
    limits.vectors = Vectors::implicit_simd;
    limits.shared_bytes = 32 * 1024;
    emit::Target target;
    target.dialect = Dialect::spirv_vulkan;
    target.pairs_as_words = target.joins_words = true;
    const auto accesses = [](const std::vector<std::uint32_t>& words) {
        constexpr std::uint32_t load = 61, store = 62;
        std::size_t count = 0;
        for (std::size_t i = 5; i < words.size(); i += std::max(words[i] >> 16, 1u))
            count += (words[i] & 0xffff) == load || (words[i] & 0xffff) == store ? 1 : 0;
        return count;
    };
    for (const char* text : {"1024", "3125", "1024 in-place"}) {
        for (auto& kernel :
             exec::sources(problem::normalise(parse_problem(text)), limits, {Direction::forward, {}}, target)) {
            emit::Source other = kernel.source;
            other.words = other.unaligned_words;
            const bool joins = text != std::string("3125");
            ASSERT_EQ(joins, !other.words.empty()) << text;
            if (!joins) continue;
            EXPECT_LT(2 * accesses(kernel.source.words), accesses(other.words)) << text;
            if (!has_validator()) continue;
            EXPECT_EQ(complaint(kernel.source, "vulkan1.1"), "") << text;
            EXPECT_EQ(complaint(other, "vulkan1.1"), "") << text;
        }
    }
}

TEST(SpirvPlans, drawn_at_random_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    cli::DrawLimits complex, kinds;
    complex.points = kinds.points = 1u << 14;
    for (int k = 1; k <= static_cast<int>(Kind::hc2r); ++k) kinds.kinds.push_back(static_cast<Kind>(k));
    for (std::uint64_t index = 0; index < 12; ++index)
        for (const cli::DrawLimits& limits : {complex, kinds}) expect_valid_plan(cli::draw_problem(5, index, limits));
}

// OpenCL's environments take none. Only rg32f wants a capability, and addresses of texels have 32 bits.
TEST(SpirvPlans, of_images_are_valid) {
    if (!has_validator()) GTEST_SKIP() << "no spirv-val on this machine";
    constexpr std::uint32_t extended_formats = 49, int64 = 11;
    for (const char* text : {"12x10 batch=3 image=rg32f", "12x10 image=rgba32f", "60 r2c iimage=r32f oimage=rgba16f"})
        for (const emit::Source& source :
             planned(parse_problem(text), shapes().front(), Dialect::spirv_vulkan).sources) {
            EXPECT_EQ(complaint(source, "vulkan1.1"), "") << text;
            const bool has_pairs = std::string(text).find("rg32f") != std::string::npos;
            EXPECT_EQ(declares(source, extended_formats), has_pairs && !source.kernel->images.empty()) << text;
            EXPECT_FALSE(declares(source, int64)) << text;
        }
    const auto kernels = emit_kernels(parse_problem("64 image=rg32f"), seiche::Dialect::spirv, {});
    EXPECT_EQ(kernels.at(0).images.at(0).binding, 1u);  // behind the table
    EXPECT_EQ(kernels.at(0).images.at(1).binding, 2u);
}

// Kernels without 64-bit numbers run on devices without 64-bit integers.
TEST(SpirvPlans, count_addresses_in_32_bits_for_vulkan) {
    constexpr std::uint32_t int64 = 11;
    for (const char* text : {"4096 batch=100", "1009", "262144", "12x10 r2c batch=3", "60 f16"})
        for (const emit::Source& source : planned(parse_problem(text), shapes().front(), Dialect::spirv_vulkan).sources)
            EXPECT_FALSE(declares(source, int64)) << text;
}

TEST(SpirvPlans, are_the_same_words_every_time) {
    const auto words = [](Dialect dialect) {
        std::vector<std::uint32_t> all;
        for (const emit::Source& source :
             planned(parse_problem("1009 dct2 batch=3"), shapes().front(), dialect).sources)
            all.insert(all.end(), source.words.begin(), source.words.end());
        return all;
    };
    for (const Dialect dialect : flavours) EXPECT_EQ(words(dialect), words(dialect));
}

}  // namespace
}  // namespace seiche::test
