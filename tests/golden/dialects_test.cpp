// What each dialect says for small kernels made by hand.
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "emit/source.hpp"
#include "golden.hpp"
#include "kernels/contract/generate.hpp"
#include "unit/emit/sample_kernels.hpp"

namespace seiche::test {
namespace {

std::string text_of(const ir::Kernel& kernel, emit::Dialect dialect) {
    emit::Target target;
    target.dialect = dialect;
    target.architecture = dialect == emit::Dialect::hip ? "gfx90a" : dialect == emit::Dialect::opencl ? "" : "sm_90";
    target.scoped_atomics = true;
    return emit::emit(std::make_shared<ir::Kernel>(kernel), target).text;
}

TEST(GoldenDialects, opencl) {
    expect_golden("exchange.cl", text_of(exchange_kernel(), emit::Dialect::opencl));
    expect_golden("bundle.cl", text_of(simd_kernel(), emit::Dialect::opencl));
    expect_golden("half_storage.cl", text_of(half_storage_kernel(), emit::Dialect::opencl));
    expect_golden("subgroup.cl", text_of(subgroup_kernel(), emit::Dialect::opencl));
    expect_golden("atomic.cl", text_of(atomic_kernel(), emit::Dialect::opencl));
    expect_golden("tickets.cl", text_of(ticket_kernel(), emit::Dialect::opencl));
}

// NVIDIA's compiler: OpenCL C 1.2 with its own fences.
TEST(GoldenDialects, opencl_with_inline_fences) {
    emit::Target target;
    target.dialect = emit::Dialect::opencl;
    target.architecture = "sm_90";
    expect_golden("tickets.sm_90.cl", emit::emit(std::make_shared<ir::Kernel>(ticket_kernel()), target).text);
}

TEST(GoldenDialects, cuda) {
    expect_golden("guarded.cu", text_of(guarded_kernel(), emit::Dialect::cuda));
    expect_golden("exchange.cu", text_of(exchange_kernel(), emit::Dialect::cuda));
    expect_golden("bundle.cu", text_of(simd_kernel(), emit::Dialect::cuda));
    expect_golden("dynamic_shared.cu", text_of(dynamic_shared_kernel(), emit::Dialect::cuda));
    expect_golden("half_storage.cu", text_of(half_storage_kernel(), emit::Dialect::cuda));
    expect_golden("subgroup.cu", text_of(subgroup_kernel(), emit::Dialect::cuda));
    expect_golden("atomic.cu", text_of(atomic_kernel(), emit::Dialect::cuda));
    expect_golden("scoped_barriers.cu", text_of(scoped_barriers_kernel(true), emit::Dialect::cuda));
    expect_golden("tickets.cu", text_of(ticket_kernel(), emit::Dialect::cuda));
    expect_golden("async.cu", text_of(async_kernel(), emit::Dialect::cuda));
    expect_golden("matrix.cu", text_of(matrix_kernel(), emit::Dialect::cuda));
    expect_golden("cluster.cu", text_of(cluster_kernel(), emit::Dialect::cuda));
}

TEST(GoldenDialects, ptx) {
    expect_golden("guarded.ptx", text_of(guarded_kernel(), emit::Dialect::ptx));
    expect_golden("exchange.ptx", text_of(exchange_kernel(), emit::Dialect::ptx));
    expect_golden("dynamic_shared.ptx", text_of(dynamic_shared_kernel(), emit::Dialect::ptx));
    expect_golden("half_storage.ptx", text_of(half_storage_kernel(), emit::Dialect::ptx));
    expect_golden("narrow_storage.ptx", text_of(narrow_storage_kernel(), emit::Dialect::ptx));
    expect_golden("subgroup.ptx", text_of(subgroup_kernel(), emit::Dialect::ptx));
    expect_golden("atomic.ptx", text_of(atomic_kernel(), emit::Dialect::ptx));
    expect_golden("scoped_barriers.ptx", text_of(scoped_barriers_kernel(true), emit::Dialect::ptx));
    expect_golden("tickets.ptx", text_of(ticket_kernel(), emit::Dialect::ptx));
    expect_golden("async.ptx", text_of(async_kernel(), emit::Dialect::ptx));
    expect_golden("matrix.ptx", text_of(matrix_kernel(), emit::Dialect::ptx));
    expect_golden("cluster.ptx", text_of(cluster_kernel(), emit::Dialect::ptx));
}

TEST(GoldenDialects, hip) {
    expect_golden("exchange.hip", text_of(exchange_kernel(), emit::Dialect::hip));
    expect_golden("bundle.hip", text_of(simd_kernel(), emit::Dialect::hip));
    expect_golden("dynamic_shared.hip", text_of(dynamic_shared_kernel(), emit::Dialect::hip));
    expect_golden("half_storage.hip", text_of(half_storage_kernel(), emit::Dialect::hip));
    expect_golden("subgroup.hip", text_of(subgroup_kernel(), emit::Dialect::hip));
    expect_golden("atomic.hip", text_of(atomic_kernel(), emit::Dialect::hip));
    expect_golden("tickets.hip", text_of(ticket_kernel(), emit::Dialect::hip));
    expect_golden("async.hip", text_of(async_kernel(), emit::Dialect::hip));
}

// What is exact is rounded as it is written, whatever the compiler would like to contract.
TEST(GoldenDialects, hip_keeps_exact_values_from_contraction) {
    ir::Builder b("two_product");
    b.kernel().launch.register_bound = 64;
    const auto in = b.buffer({"in", ir::Scalar::f64, ir::Access::read}),
               out = b.buffer({"out", ir::Scalar::f64, ir::Access::write});
    const ir::Value index = b.convert(b.group_id(), ir::Scalar::u64);
    const ir::Value x = b.global_load(in, index, ir::Scalar::f64);
    b.make_exact(true);
    const ir::Value product = x * x;
    b.global_store(out, index, b.fma(x, x, -product) + product);
    expect_golden("exact.hip", text_of(b.finish(), emit::Dialect::hip));
}

TEST(GoldenDialects, glsl) {
    expect_golden("exchange.comp", text_of(exchange_kernel(), emit::Dialect::glsl));
    expect_golden("exchange.es.comp", text_of(exchange_kernel(), emit::Dialect::glsl_es));
    expect_golden("guarded.comp", text_of(guarded_kernel(), emit::Dialect::glsl));
    expect_golden("half_storage.comp", text_of(half_storage_kernel(), emit::Dialect::glsl));
    expect_golden("narrow_storage.comp", text_of(narrow_storage_kernel(), emit::Dialect::glsl));
    expect_golden("atomic.comp", text_of(atomic_kernel(), emit::Dialect::glsl));
    expect_golden("scoped_barriers.comp", text_of(scoped_barriers_kernel(false), emit::Dialect::glsl));
    expect_golden("tickets.comp", text_of(ticket_kernel(), emit::Dialect::glsl));
}

std::string disassembly_of(const ir::Kernel& kernel, emit::Dialect dialect) {
    emit::Target target;
    target.dialect = dialect;
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(kernel), target);
    const std::string path = testing::TempDir() + source.entry + "_" + std::to_string(static_cast<int>(dialect)),
                      text = path + ".text";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(source.words.data()),
               static_cast<std::streamsize>(source.words.size() * sizeof(std::uint32_t)));
    const std::string command = SEICHE_SPIRV_DIS " --no-color --no-header " + path + " -o " + text;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream stream(text);
    const std::string result((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    for (const std::string& file : {path, text}) std::remove(file.c_str());
    return result;
}

TEST(GoldenDialects, spirv) {
    if (std::string(SEICHE_SPIRV_DIS).empty()) GTEST_SKIP() << "no spirv-dis on this machine";
    expect_golden("exchange.vulkan.spvasm", disassembly_of(exchange_kernel(), emit::Dialect::spirv_vulkan));
    expect_golden("exchange.opencl.spvasm", disassembly_of(exchange_kernel(), emit::Dialect::spirv_opencl));
    expect_golden("half_storage.vulkan.spvasm", disassembly_of(half_storage_kernel(), emit::Dialect::spirv_vulkan));
    expect_golden("bundle.opencl.spvasm", disassembly_of(simd_kernel(), emit::Dialect::spirv_opencl));
}

// The core as a function: eight points in two threads, one exchange, one table.
TEST(GoldenDialects, functions) {
    kernels::KernelSpec spec;
    spec.name = "fft_8";
    spec.n = 8;
    spec.radices = {4, 2};
    spec.loops = {{1, 8, 8}};
    constexpr auto lanes = kernels::ThreadOrder::sequence_fastest;
    spec.shape = kernels::GroupShape{2, 1, lanes, lanes};
    const std::vector<double> table{1, 0, std::sqrt(0.5), -std::sqrt(0.5), 0, -1, -std::sqrt(0.5), -std::sqrt(0.5)};
    const auto text = [&](emit::Dialect dialect, Direction direction) {
        emit::Target target;
        target.dialect = dialect;
        const ir::Kernel kernel = kernels::generate_core(kernels::complete(spec), direction).kernel;
        return emit::emit_function(kernel, table, "#define FFT_8_THREADS 2\n", target);
    };
    expect_golden("function.cl", text(emit::Dialect::opencl, Direction::forward));
    expect_golden("function.cu", text(emit::Dialect::cuda, Direction::inverse));
    expect_golden("function.hip", text(emit::Dialect::hip, Direction::inverse));
}

// A decimal comma in a literal would not even compile, or worse: pass a different number of arguments.
TEST(GoldenDialects, do_not_depend_on_the_locale) {
    const std::string before = text_of(exchange_kernel(), emit::Dialect::opencl);
    const std::string old = std::setlocale(LC_ALL, nullptr);
    bool changed = false;
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"})
        changed = changed || std::setlocale(LC_ALL, name) != nullptr;
    const std::string after = text_of(exchange_kernel(), emit::Dialect::opencl);
    std::setlocale(LC_ALL, old.c_str());
    EXPECT_EQ(before, after);
    EXPECT_NE(before.find("0.5f"), std::string::npos);
}

}  // namespace
}  // namespace seiche::test
