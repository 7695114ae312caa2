// Which compiler makes a card's code, NVRTC or the driver's assembler, and what is said where neither can. The driver
// and NVRTC are the fake ones.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "fake_cuda.hpp"
#include "runtime/cuda/device.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

namespace backend = runtime::cuda;

FakeCudaRecord& record() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    return *reinterpret_cast<FakeCudaRecord* (*)()>(dlsym(library, "fake_cuda_record"))();
}

/// A sine, which PTX has no instruction for.
ir::Kernel sine_kernel() {
    ir::Builder b("sine");
    const auto out = b.buffer({"out", ir::Type(ir::Scalar::f32), ir::Access::read_write});
    const ir::Value index = b.convert(b.group_id(), ir::Scalar::u64);
    b.global_store(out, index, b.unary(ir::Op::sin, b.global_load(out, index, ir::Scalar::f32)));
    return b.finish();
}

class CudaCompiler : public testing::Test {
protected:
    void SetUp() override {
        setenv("SEICHE_CACHE_DIR", "/dev/null/nowhere", 1);
        kept_ = loaded();
        record().assembled.clear();
    }
    void TearDown() override {
        unsetenv("SEICHE_CUDA_COMPILER");
        loaded() = kept_;
    }
    // It is made with new, and not const by itself.
    static backend::Nvrtc& loaded() { return const_cast<backend::Nvrtc&>(backend::loaded_nvrtc()); }
    static void lose_nvrtc() { loaded() = backend::load_nvrtc({"/nonexistent/libnvrtc.so"}, 13000); }
    static DeviceInfo hopper() { return backend::list().front(); }
    static std::shared_ptr<runtime::Device> device() { return backend::open(hopper()); }
    static emit::Source source_of(const ir::Kernel& kernel, const runtime::Device& device) {
        return emit::emit(std::make_shared<ir::Kernel>(kernel), device.target());
    }

private:
    backend::Nvrtc kept_;
};

/// What compiling throws, without the dumped source; empty if it succeeds.
std::string said(runtime::Device& device, const emit::Source& source) {
    try {
        device.compile(source);
    } catch (const BackendError& error) {
        std::string text = error.what();
        const std::string file = "; its source is in ";
        if (const std::size_t at = text.find(file); at != std::string::npos)
            std::filesystem::remove(text.substr(at + file.size()));
        return text;
    }
    return {};
}

TEST_F(CudaCompiler, is_nvrtc_where_there_is_one_and_it_is_faster) {
    ASSERT_TRUE(hopper().available) << hopper().problem;
    EXPECT_NE(hopper().driver.find("NVRTC 12.8"), std::string::npos) << hopper().driver;
    const auto card = device();
    EXPECT_EQ(source_of(exchange_kernel(), *card).dialect, emit::Dialect::ptx);
    EXPECT_EQ(source_of(uneven_halves_kernel(1), *card).dialect, emit::Dialect::cuda);
    EXPECT_EQ(card->compiler_version().substr(0, 16), "nvrtc 12.8, ptx ");
}

TEST_F(CudaCompiler, is_the_assembler_for_passes_that_trail_each_other) {
    const auto card = device();
    const emit::Source source = source_of(ticket_kernel(), *card);
    EXPECT_EQ(source.dialect, emit::Dialect::ptx);
    EXPECT_EQ(source.architecture, "sm_90");
    card->compile(source);
    EXPECT_NE(record().assembled.find(".entry " + ticket_kernel().name + "("), std::string::npos) << record().assembled;
    emit::Source faulty = source;
    faulty.text += "nonsense";
    EXPECT_EQ(said(*card, faulty), "") << "NVRTC compiles it then";
    setenv("SEICHE_CUDA_COMPILER", "nvrtc", 1);
    const auto other = device();
    EXPECT_EQ(source_of(ticket_kernel(), *other).dialect, emit::Dialect::cuda);
    EXPECT_EQ(other->compiler_version(), "nvrtc 12.8");
}

TEST_F(CudaCompiler, is_the_drivers_assembler_where_there_is_none) {
    lose_nvrtc();
    ASSERT_TRUE(hopper().available) << hopper().problem;
    EXPECT_NE(hopper().driver.find("its assembler of PTX"), std::string::npos) << hopper().driver;
    const auto card = device();
    const emit::Source source = source_of(exchange_kernel(), *card);
    EXPECT_EQ(source.dialect, emit::Dialect::ptx);
    EXPECT_EQ(source.architecture, "sm_90");
    EXPECT_EQ(card->compiler_version().substr(0, 4), "ptx ");
    EXPECT_EQ(card->compile(source).bytes.size(), std::string("machine code").size());
    EXPECT_NE(record().assembled.find(".entry reverse_64("), std::string::npos) << record().assembled;
    EXPECT_EQ(record().linkers, 0);
}

TEST_F(CudaCompiler, makes_whole_plans_of_ptx) {
    lose_nvrtc();
    const Plan plan(Device(device()), parse_problem("1000"));
    plan.warm_up();
    EXPECT_NE(record().assembled.find(".visible .entry"), std::string::npos);
}

TEST_F(CudaCompiler, may_be_chosen) {
    setenv("SEICHE_CUDA_COMPILER", "ptx", 1);
    const auto card = device();
    EXPECT_EQ(source_of(exchange_kernel(), *card).dialect, emit::Dialect::ptx);
    const emit::Source sine = source_of(sine_kernel(), *card);
    EXPECT_EQ(sine.dialect, emit::Dialect::cuda) << "what PTX cannot say is NVRTC's";
    EXPECT_NE(sine.why_not_ptx.find("cannot express sin"), std::string::npos) << sine.why_not_ptx;
    EXPECT_EQ(said(*card, sine), "");
    lose_nvrtc();
    setenv("SEICHE_CUDA_COMPILER", "nvrtc", 1);
    EXPECT_FALSE(hopper().available);
    EXPECT_NE(hopper().problem.find("NVRTC was not found"), std::string::npos) << hopper().problem;
    setenv("SEICHE_CUDA_COMPILER", "gcc", 1);
    EXPECT_FALSE(hopper().available);
    EXPECT_EQ(hopper().problem, "SEICHE_CUDA_COMPILER is 'gcc', expected nvrtc or ptx");
}

TEST_F(CudaCompiler, that_is_missing_for_one_kernel_is_named_with_the_reason) {
    lose_nvrtc();
    const auto card = device();
    const std::string text = said(*card, source_of(sine_kernel(), *card));
    for (const char* part :
         {"cuda: kernel sine needs NVRTC", "cannot express sin", "NVRTC was not found", "pip install"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(CudaCompiler, says_the_assemblers_first_line) {
    lose_nvrtc();
    const auto card = device();
    emit::Source source = source_of(exchange_kernel(), *card);
    source.text += "nonsense";
    const std::string text = said(*card, source);
    for (const char* part : {"cuda: cuLinkAddData (reverse_64) failed with ", "unknown word nonsense", ".ptx"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_EQ(record().linkers, 0);
}

}  // namespace
}  // namespace seiche::test
