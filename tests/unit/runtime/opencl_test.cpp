// The OpenCL backend from kernel to results, from several threads, and its errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <thread>

#include "run_kernel.hpp"
#include "runtime/library.hpp"
#include "sample_kernels.hpp"
#include "seiche/cache.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

class OpenclBackend : public testing::Test {
protected:
    void SetUp() override {
        folder = runtime::unique_name(std::filesystem::temp_directory_path(), "seiche-opencl-test");
        setenv("SEICHE_CACHE_DIR", folder.c_str(), 1);
        std::string reason;
        device = try_open("opencl", reason);
        if (!device) GTEST_SKIP() << reason;
    }
    void TearDown() override {
        std::error_code failed;
        std::filesystem::remove_all(folder, failed);
        unsetenv("SEICHE_CACHE_DIR");
    }
    emit::Source source_of(const ir::Kernel& kernel) const {
        return emit::emit(std::make_shared<ir::Kernel>(kernel), device->target());
    }

    std::shared_ptr<runtime::Device> device;
    std::filesystem::path folder;
};

/// out[i] = in[i] * factor + i, for i below a count: a kernel with every kind of argument.
ir::Kernel scale_kernel() {
    ir::Builder b("scale");
    b.kernel().launch.group = {32, 1, 1};
    const auto in = b.buffer({"in", ir::Scalar::f32, ir::Access::read}),
               out = b.buffer({"out", ir::Scalar::f32, ir::Access::write});
    const ir::Value factor = b.scalar("factor", ir::Scalar::f32), count = b.scalar("count", ir::Scalar::u32);
    const ir::Value i = b.group_id() * std::uint64_t{32} + b.thread_id(), inside = b.less(i, count);
    const ir::Value at = b.convert(i, ir::Scalar::u64), x = b.global_load(in, at, ir::Scalar::f32, inside);
    b.global_store(out, at, b.fma(x, factor, b.convert(i, ir::Scalar::f32)), inside);
    return b.finish();
}

struct ScaleRun {
    runtime::Device& device;
    const runtime::Module& module;
    std::shared_ptr<runtime::Queue> queue = device.create_queue();
    std::shared_ptr<runtime::Buffer> in = device.allocate(4096), out = device.allocate(4096);

    std::vector<float> run(float factor, std::uint32_t count) {
        std::vector<float> numbers(1024);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 7);
        const std::vector<float> before(1024, -1.0f);
        queue->upload(*in, 0, numbers.data(), 4096);
        queue->upload(*out, 0, before.data(), 4096);
        std::uint64_t scalars[2] = {0, count};
        std::memcpy(&scalars[0], &factor, sizeof factor);
        const runtime::BufferArgument buffers[2] = {{in.get(), 64}, {out.get(), 128}};
        queue->launch({&module, {31, 1, 1}, buffers, 2, scalars, 2});
        std::vector<float> result(1024);
        queue->download(result.data(), *out, 0, 4096);
        return result;
    }

    static void check(const std::vector<float>& got, float factor, std::uint32_t count) {
        for (std::uint32_t i = 0; i < 1024; ++i) {
            const bool written = i >= 32 && i - 32 < count;
            const float want =
                written ? static_cast<float>((i - 32 + 16) % 7) * factor + static_cast<float>(i - 32) : -1.0f;
            ASSERT_EQ(got[i], want) << i;
        }
    }
};

TEST_F(OpenclBackend, runs_a_kernel_with_offsets_and_scalars) {
    const auto compiled = runtime::compile_cached(device, source_of(scale_kernel()));
    EXPECT_TRUE(compiled.compiled);
    ScaleRun scale{*device, *compiled.module};
    ScaleRun::check(scale.run(2.0f, 900), 2.0f, 900);
    ScaleRun::check(scale.run(-0.5f, 1), -0.5f, 1);
    EXPECT_FALSE(runtime::compile_cached(device, source_of(scale_kernel())).compiled);
    EXPECT_EQ(cache_report().entries, 1u);
}

TEST_F(OpenclBackend, shares_one_kernel_among_threads) {
    const auto compiled = runtime::compile_cached(device, source_of(scale_kernel()));
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            ScaleRun scale{*device, *compiled.module};
            const float factor = static_cast<float>(t + 1);
            for (std::uint32_t k = 0; k < 10; ++k) ScaleRun::check(scale.run(factor, 100 * t + k), factor, 100 * t + k);
        });
    for (std::thread& thread : threads) thread.join();
}

TEST_F(OpenclBackend, loads_from_a_binary_and_survives_a_bad_one) {
    const emit::Source source = source_of(scale_kernel());
    const runtime::Binary binary = device->compile(source);
    const auto module = device->load(source, binary);
    ScaleRun scale{*device, *module};
    ScaleRun::check(scale.run(3.0f, 992), 3.0f, 992);
    runtime::Binary bad;
    bad.bytes.resize(1000, std::byte{0x55});
    EXPECT_THROW(device->load(source, bad), BackendError);
}

TEST_F(OpenclBackend, runs_without_a_cache_folder) {
    setenv("SEICHE_CACHE_DIR", "/dev/null", 1);
    const auto compiled = runtime::compile_cached(device, source_of(scale_kernel()));
    ScaleRun scale{*device, *compiled.module};
    ScaleRun::check(scale.run(5.0f, 10), 5.0f, 10);
    EXPECT_EQ(cache_report().entries, 0u);
}

TEST_F(OpenclBackend, enqueued_copies_keep_the_queues_order) {
    const auto queue = device->create_queue();
    const auto a = device->allocate(1 << 20), b = device->allocate(1 << 20);
    const auto host = device->allocate_host(3 << 20);
    ASSERT_NE(host->data(), nullptr);
    EXPECT_EQ(host->bytes(), 3u << 20);
    auto* bytes = static_cast<unsigned char*>(host->data());
    for (int i = 0; i < 1 << 20; ++i) bytes[i] = static_cast<unsigned char>(i * 7 % 251);
    for (int round = 0; round < 8; ++round) {
        queue->enqueue_upload(*a, 0, bytes, 1 << 20);
        queue->copy(*b, 0, *a, 0, 1 << 20);
        queue->enqueue_download(bytes + (1 << 20), *b, 0, 1 << 20);
        queue->enqueue_upload(*a, 256, bytes + (1 << 20), 1 << 10);
        queue->enqueue_download(bytes + (2 << 20), *a, 256, 1 << 10);
        queue->wait();
        ASSERT_EQ(std::memcmp(bytes, bytes + (1 << 20), 1 << 20), 0);
        ASSERT_EQ(std::memcmp(bytes, bytes + (2 << 20), 1 << 10), 0);
        for (int i = 0; i < 1 << 20; ++i) bytes[i] = static_cast<unsigned char>(bytes[i] + 1);
    }
    EXPECT_THROW(device->allocate_host(std::uint64_t{1} << 50), BackendError);
}

TEST_F(OpenclBackend, times_events_in_order) {
    const auto queue = device->create_queue();
    const auto a = device->allocate(1 << 20), b = device->allocate(1 << 20);
    const auto first = queue->record();
    queue->copy(*b, 0, *a, 0, 1 << 20);
    const auto last = queue->record();
    const double elapsed = queue->milliseconds(*first, *last);
    EXPECT_GE(elapsed, 0.0);
}

TEST_F(OpenclBackend, warnings_of_the_compiler_are_not_the_programs_own_words) {
    emit::Source source = source_of(scale_kernel());
    source.text += "\nint with_a_warning(void) { return 1e30; }\n";
    testing::internal::CaptureStderr();
    device->compile(source);
    device->build(source);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(OpenclBackend, reports_the_compilers_first_error_and_where_the_source_is) {
    emit::Source source = source_of(scale_kernel());
    source.text += "\nthis is no OpenCL C;\n";
    try {
        device->compile(source);
        FAIL() << "nonsense was compiled";
    } catch (const BackendError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("CL_BUILD_PROGRAM_FAILURE"), std::string::npos) << what;
        EXPECT_NE(what.find("scale"), std::string::npos) << what;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        const std::size_t path = what.find("/", what.find("its source is in"));
        ASSERT_NE(path, std::string::npos) << what;
        EXPECT_TRUE(std::filesystem::exists(what.substr(path))) << what;
        std::filesystem::remove(what.substr(path));
    }
}

TEST_F(OpenclBackend, names_the_call_and_the_code_when_memory_is_short) {
    try {
        device->allocate(std::uint64_t{1} << 50);
        FAIL() << "a pebibyte was allocated";
    } catch (const BackendError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("clCreateBuffer"), std::string::npos) << what;
        EXPECT_NE(what.find("CL_"), std::string::npos) << what;
        EXPECT_NE(what.find("1125899906842624 bytes"), std::string::npos) << what;
    }
}

TEST_F(OpenclBackend, refuses_another_backends_buffer) {
    const auto other = runtime::open_device("reference")->allocate(64);
    char byte = 0;
    EXPECT_THROW(device->create_queue()->upload(*other, 0, &byte, 1), InvalidProblem);
}

TEST_F(OpenclBackend, describes_a_processor_by_its_registers) {
    const DeviceLimits& limits = device->info().limits;
    if (device->info().is_gpu) GTEST_SKIP() << "a GPU";
    EXPECT_EQ(limits.vectors, Vectors::explicit_simd);
    EXPECT_TRUE(limits.vector_bytes == 16 || limits.vector_bytes == 32 || limits.vector_bytes == 64)
        << limits.vector_bytes;
    EXPECT_GE(limits.compute_units, 1u);
    EXPECT_GE(limits.shared_bytes, 32u * 1024);
}

}  // namespace
}  // namespace seiche::test
