// Every GLSL shader is taken by the reference compiler, in the desktop's dialect and in that of OpenGL ES, and says by
// name what it cannot express.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/check/random_problems.hpp"
#include "emit/narrow_addresses.hpp"
#include "every_op.hpp"
#include "exec/inspect.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using emit::Dialect;
using ir::Scalar;
using ir::Type;

constexpr Dialect dialects[] = {Dialect::glsl, Dialect::glsl_es};
bool has_compiler() { return !std::string(SEICHE_GLSLANG).empty(); }

emit::Source glsl_of(const ir::Kernel& kernel, Dialect dialect) {
    emit::Target target;
    target.dialect = dialect;
    return emit::emit(std::make_shared<ir::Kernel>(kernel), target);
}

/// The compiler's complaints about all of them, which one process reads: it takes a while to start.
std::string complaint(const std::vector<std::string>& shaders) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "seiche_glsl";
    std::filesystem::create_directories(folder);
    std::string command = SEICHE_GLSLANG;
    for (std::size_t i = 0; i < shaders.size(); ++i) {
        const std::string file = (folder / (std::to_string(i) + ".comp")).string();
        std::ofstream(file) << shaders[i];
        command += " " + file;
    }
    const std::string log = (folder / "log").string();
    const int status = std::system((command + " > " + log + " 2>&1").c_str());
    std::ifstream stream(log);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (status == 0) std::filesystem::remove_all(folder);
    return status == 0 ? "" : text;
}

void expect_valid(const std::vector<std::string>& shaders) {
    ASSERT_FALSE(shaders.empty());
    EXPECT_EQ(complaint(shaders), "");
}

TEST(GlslOps, are_valid) {
    if (!has_compiler()) GTEST_SKIP() << "no glslangValidator on this machine";
    std::vector<std::string> shaders;
    for (const Scalar scalar : {Scalar::i32, Scalar::u32, Scalar::u64})
        for (const unsigned lanes : {1u, 4u, 16u})
            shaders.push_back(glsl_of(every_op(Type(scalar, lanes)).kernel, Dialect::glsl).text);
    for (const unsigned lanes : {1u, 4u})
        shaders.push_back(glsl_of(every_op(Type(Scalar::f32, lanes)).kernel, Dialect::glsl).text);
    expect_valid(shaders);
}

TEST(GlslKernels, made_by_hand_are_valid) {
    if (!has_compiler()) GTEST_SKIP() << "no glslangValidator on this machine";
    std::vector<std::string> shaders;
    for (const ir::Kernel& kernel :
         {exchange_kernel(), guarded_kernel(), dynamic_shared_kernel(), half_storage_kernel(), narrow_storage_kernel(),
          atomic_kernel(), ticket_kernel(), scoped_barriers_kernel(false), async_kernel()})
        for (const Dialect dialect : dialects) shaders.push_back(glsl_of(kernel, dialect).text);
    shaders.push_back(glsl_of(simd_kernel(), Dialect::glsl).text);
    expect_valid(shaders);
}

std::string refusal(const ir::Kernel& kernel, Dialect dialect) {
    try {
        glsl_of(kernel, dialect);
    } catch (const Unsupported& error) {
        return error.what();
    }
    return {};
}

TEST(GlslKernels, what_cannot_be_said_is_refused_by_name) {
    for (const Dialect dialect : dialects) {
        EXPECT_NE(refusal(cluster_kernel(), dialect).find("cluster"), std::string::npos);
        EXPECT_NE(refusal(subgroup_kernel(), dialect).find("subgroup"), std::string::npos);
    }
    EXPECT_NE(refusal(scoped_barriers_kernel(true), Dialect::glsl).find("part_barrier"), std::string::npos);
    ir::Kernel sized = scoped_barriers_kernel(false);
    sized.launch.required_subgroup_size = 32;
    EXPECT_NE(refusal(sized, Dialect::glsl).find("subgroups of any size"), std::string::npos);
    EXPECT_NE(refusal(matrix_kernel(), Dialect::glsl).find("matrix_multiply"), std::string::npos);
    EXPECT_NE(refusal(every_op(Type(Scalar::f64)).kernel, Dialect::glsl).find("exp"), std::string::npos);
    EXPECT_NE(refusal(every_op(Type(Scalar::f64)).kernel, Dialect::glsl_es).find("double precision"),
              std::string::npos);
    EXPECT_NE(refusal(simd_kernel(), Dialect::glsl_es).find("fma"), std::string::npos);
    ir::Builder b("halves");
    const auto data = b.buffer({"data", Scalar::f16, ir::Access::read_write});
    const ir::Value x = b.global_load(data, b.integer(Scalar::u64, 0), Scalar::f16);
    b.global_store(data, b.integer(Scalar::u64, 0), x + x);
    EXPECT_NE(refusal(b.finish(), Dialect::glsl).find("half precision"), std::string::npos);
}

// Names that are words of the language.
TEST(GlslKernels, may_name_their_buffers_as_they_like) {
    if (!has_compiler()) GTEST_SKIP() << "no glslangValidator on this machine";
    ir::Builder b("names");
    const auto in = b.buffer({"input", Scalar::f32, ir::Access::read});
    const auto out = b.buffer({"sample", Scalar::f32, ir::Access::write});
    const ir::Value index = b.convert(b.group_id(), Scalar::u64);
    b.global_store(out, index, b.global_load(in, index, Scalar::f32));
    const ir::Kernel kernel = b.finish();
    expect_valid({glsl_of(kernel, Dialect::glsl).text, glsl_of(kernel, Dialect::glsl_es).text});
}

TEST(GlslKernels, with_narrow_addresses_have_no_wide_ones) {
    ir::Builder b("narrow");
    const auto data = b.buffer({"data", Scalar::f32, ir::Access::read_write});
    const ir::Value row = b.convert(b.group_id(), Scalar::u64), column = b.convert(b.thread_id(), Scalar::u64);
    const ir::Value inside = b.less(row * std::uint64_t{7}, b.integer(Scalar::u64, 100));
    b.global_store(data, row * std::uint64_t{64} + column, b.constant(Scalar::f32, 1.0), inside);
    const ir::Kernel narrow = emit::with_narrow_addresses(b.finish());
    for (const ir::Instruction& i : narrow.code) {
        if (i.op == ir::Op::global_store) {
            EXPECT_EQ(narrow.code[i.operands[0]].type, Type(Scalar::u32));
        }
    }
    std::size_t wide = 0;
    for (const ir::Instruction& i : narrow.code) wide += i.type == Type(Scalar::u64) ? 1 : 0;
    EXPECT_EQ(wide, 4u);  // the row, 7, their product and 100, which are compared
}

// ---- Plans

std::vector<std::string> planned(const Problem& problem, Dialect dialect) {
    DeviceLimits limits;
    limits.max_group_size = 256;
    limits.shared_bytes = 32 * 1024;
    limits.registers_per_thread = 128;
    emit::Target target;
    target.dialect = dialect;
    std::vector<std::string> shaders;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (problem.kind == (direction == Direction::forward ? Kind::c2r : Kind::r2c)) continue;
        for (auto& kernel : exec::sources(problem::normalise(problem), limits, {direction, {}}, target))
            shaders.push_back(kernel.source.text);
    }
    return shaders;
}

void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

TEST(GlslPlans, of_every_algorithm_and_storage_are_valid) {
    if (!has_compiler()) GTEST_SKIP() << "no glslangValidator on this machine";
    std::vector<std::string> shaders;
    for (const char* text : {"1", "16", "64 f16", "60 bf16", "64 planar f16", "1009", "37 f16", "65536 batch=3",
                             "262144", "12x10 r2c batch=3", "60 dct2", "24 dht f16", "40 dst4", "60 forward-scale=0.5",
                             "12x10 signal-zeros=0:6-12,1:1-3", "6x8x5 axes=1", "12x10 image=rgba32f",
                             "12x10 r2c iimage=r32f oimage=rgba16f", "60 dct2 image=r32f"})
        for (const Dialect dialect : dialects) append(shaders, planned(parse_problem(text), dialect));
    append(shaders, planned(parse_problem("12x10 batch=3 image=rg32f"), Dialect::glsl));
    for (const char* text : {"96 f64", "2003 f64", "16 f64x2", "60 f64 storage=f32", "12x10 c2r f64", "37 dct3 f64"})
        append(shaders, planned(parse_problem(text), Dialect::glsl));
    expect_valid(shaders);
}

TEST(GlslPlans, drawn_at_random_are_valid) {
    if (!has_compiler()) GTEST_SKIP() << "no glslangValidator on this machine";
    cli::DrawLimits complex, kinds;
    complex.points = kinds.points = 1u << 14;
    for (int k = 1; k <= static_cast<int>(Kind::hc2r); ++k) kinds.kinds.push_back(static_cast<Kind>(k));
    for (const Dialect dialect : dialects) {
        complex.fp64 = kinds.fp64 = dialect == Dialect::glsl;
        std::vector<std::string> shaders;
        for (std::uint64_t index = 0; index < 12; ++index)
            for (const cli::DrawLimits& limits : {complex, kinds})
                append(shaders, planned(cli::draw_problem(6, index, limits), dialect));
        expect_valid(shaders);
    }
}

// What a program without Seiche is told.
TEST(GlslPlans, say_what_their_arguments_are) {
    DeviceLimits limits;
    limits.shared_bytes = 32 * 1024;
    limits.max_group_size = 256;
    const auto kernels = emit_kernels(parse_problem("262144 batch=3"), seiche::Dialect::glsl, limits);
    ASSERT_GE(kernels.size(), 2u);
    EXPECT_EQ(kernels.front().buffers.front().holds, "input");
    EXPECT_EQ(kernels.front().buffers.front().bytes, 8u * 262144 * 3);
    EXPECT_EQ(kernels.back().buffers.at(1).holds, "output");
    for (const EmittedKernel& kernel : kernels) {
        ASSERT_EQ(kernel.buffers.size(), 3u);
        EXPECT_EQ(kernel.buffers.at(2).holds, "table");
        EXPECT_EQ(kernel.buffers.at(2).contents.size(), kernel.buffers.at(2).bytes);
        EXPECT_EQ(kernel.scalars.at(0).word, 3u);
        EXPECT_EQ(kernel.argument_words, 6u);
        EXPECT_NE(kernel.source.find("arguments[6]"), std::string::npos);
        EXPECT_NE(kernel.source.find("vec2 out_[]"), std::string::npos);
    }
}

TEST(GlslPlans, say_which_images_they_take) {
    const auto kernels =
        emit_kernels(parse_problem("6x8 batch=2 image=rgba16f iwidth=5"), seiche::Dialect::glsl_es, {});
    ASSERT_EQ(kernels.size(), 3u);
    ASSERT_EQ(kernels.front().images.size(), 1u);
    ASSERT_EQ(kernels.back().images.size(), 1u);
    EXPECT_TRUE(kernels.at(1).images.empty());
    const EmittedImage &in = kernels.front().images.front(), &out = kernels.back().images.front();
    EXPECT_EQ(in.holds + " " + out.holds, "input output");
    EXPECT_EQ(in.format, ImageFormat::rgba16f);
    EXPECT_TRUE(in.reads && !in.writes && !out.reads && out.writes);
    EXPECT_EQ(in.width * 100 + in.height, 512u);
    EXPECT_EQ(out.width * 100 + out.height, 412u);
    EXPECT_EQ(in.binding + out.binding, 0u);
    EXPECT_NE(kernels.back().source.find("layout(rgba16f, binding = 0) uniform restrict writeonly highp image2D out_;"),
              std::string::npos)
        << kernels.back().source;
    EXPECT_EQ(kernels.front().buffers.front().holds, "workspace a");
}

}  // namespace
}  // namespace seiche::test
