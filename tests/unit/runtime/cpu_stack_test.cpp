// Kernels with large frames: they take the stack page by page, so that too small a stack is a fault at its end, and too
// large a frame is refused.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <csignal>
#include <cstring>

#include "cpu_launch.hpp"
#include "emit/source.hpp"
#include "ir/builder.hpp"
#include "runtime/cpu/device.hpp"
#include "runtime/cpu/module.hpp"
#include "seiche/error.hpp"
#include "tests/support/child.hpp"

namespace seiche::test {
namespace {

using ir::Scalar;
using ir::Type;
using runtime::cpu::InstructionSet;

/// Writes 5 g through an array of so many numbers in the frame: for group g the number at g modulo `count`.
ir::Kernel kernel_with_frame(std::uint32_t count) {
    ir::Builder b("large_frame");
    const std::uint32_t out = b.buffer({"out", Type(Scalar::u32), ir::Access::write});
    const std::uint32_t array = b.private_array("array", Type(Scalar::u32), count);
    const ir::Value group = b.group_id(), place = group % std::uint64_t{count};
    b.private_store(array, place, group * std::uint64_t{5});
    b.global_store(out, b.convert(group, Scalar::u64), b.private_load(array, place, Type(Scalar::u32)));
    return b.finish();
}

std::shared_ptr<runtime::cpu::CpuModule> module_with_frame(std::uint32_t bytes, InstructionSet set) {
    const auto kernel = std::make_shared<const ir::Kernel>(kernel_with_frame(bytes / 4));
    const emit::Target target = runtime::cpu::CpuDevice(runtime::cpu::describe({set, "any"}, 1)).target();
    return std::make_shared<runtime::cpu::CpuModule>(emit::emit(kernel, target), nullptr);
}

/// The stack of a thread with an inaccessible page below it, and memory below that which must stay as it is.
struct Stack {
    static constexpr std::size_t page = 4096, beyond = std::size_t{1} << 20;

    explicit Stack(std::size_t bytes) : bytes_(bytes) {
        all = static_cast<std::byte*>(mmap(nullptr, beyond + page + bytes, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        mprotect(all + beyond, page, PROT_NONE);
    }
    /// Runs `work` in a thread on it.
    void run(const std::function<void()>& work) const {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, all + beyond + page, bytes_);
        pthread_t thread{};
        const auto call = [](void* what) -> void* {
            (*static_cast<const std::function<void()>*>(what))();
            return nullptr;
        };
        if (pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&work)) != 0) _exit(90);
        pthread_join(thread, nullptr);
    }
    std::byte* all = nullptr;

private:
    std::size_t bytes_;
};

/// Of the child's only stack; what a fault there means.
const std::byte* inaccessible = nullptr;
constexpr int at_the_page = 41, elsewhere = 42;
void judge_fault(int, siginfo_t* info, void*) {
    const auto* const address = static_cast<const std::byte*>(info->si_addr);
    _exit(address >= inaccessible && address < inaccessible + Stack::page ? at_the_page : elsewhere);
}

/// How a child ends in which a thread with so large a stack runs a kernel with so large an array.
int end_of_child(std::uint32_t stack_bytes, std::uint32_t array_bytes, InstructionSet set) {
    const auto module = module_with_frame(array_bytes, set);
    return WEXITSTATUS(status_in_child([&](Child& child) {
        const Stack stack(stack_bytes);
        inaccessible = stack.all + Stack::beyond;
        std::uint32_t results[4] = {};
        stack.run([&] {
            static std::byte for_signals[std::size_t{64} << 10];
            stack_t other{};
            other.ss_sp = for_signals;
            other.ss_size = sizeof for_signals;
            sigaltstack(&other, nullptr);
            struct sigaction action {};
            action.sa_sigaction = judge_fault;
            action.sa_flags = SA_SIGINFO | SA_ONSTACK;
            sigaction(SIGSEGV, &action, nullptr);
            const std::uint64_t argument = reinterpret_cast<std::uintptr_t>(results);
            emit::machine::Call call;
            call.arguments = &argument;
            call.groups[0] = call.last = 4;
            module->run(call);
        });
        child.expect(std::equal(results, results + 4, std::begin({0u, 5u, 10u, 15u})), "wrong numbers");
    }));
}

class CpuStack : public testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override {
        if (runtime::cpu::features_here().instructions < GetParam()) GTEST_SKIP() << "this processor has less";
    }
};

TEST_P(CpuStack, large_frames_work_where_there_is_room) {
    for (const std::uint32_t bytes : {4u, 3000u, 4096u, 5000u, 20000u, 200000u})
        EXPECT_EQ(end_of_child(1u << 19, bytes, GetParam()), 0) << bytes;
}

TEST_P(CpuStack, a_stack_too_small_is_a_fault_at_its_end) {
    for (const std::uint32_t bytes : {70000u, 100000u, 250000u})
        EXPECT_EQ(end_of_child(1u << 16, bytes, GetParam()), at_the_page) << bytes;
}

TEST_P(CpuStack, frames_beyond_reason_are_refused_with_their_size) {
    for (const std::uint32_t bytes : {1u << 18, 1u << 20, 1u << 31}) {
        const std::string said = refusal<Unsupported>([&] { module_with_frame(bytes, GetParam()); });
        EXPECT_TRUE(is_one_line(said));
        EXPECT_NE(said.find("large_frame"), std::string::npos) << said;
        EXPECT_NE(said.find("bytes of stack, expected at most 262144"), std::string::npos) << said;
    }
}

INSTANTIATE_TEST_SUITE_P(All, CpuStack,
                         testing::Values(InstructionSet::sse4_2, InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& test) {
                             return test.param == InstructionSet::sse4_2 ? "sse42"
                                    : test.param == InstructionSet::avx2 ? "avx2"
                                                                         : "avx512";
                         });

}  // namespace
}  // namespace seiche::test
