// gdb and machine code: kernels have names, and the stack is unwound through them at every instruction.
#include <gtest/gtest.h>

#include <complex>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cpu_kernels.hpp"
#include "seiche/plan.hpp"
#include "tests/support/environment.hpp"

// The head of gdb's list, as its manual has it.
extern "C" {
struct JitCodeEntry {
    JitCodeEntry *next_entry, *prev_entry;
    const char* symfile_addr;
    std::uint64_t symfile_size;
};
struct JitDescriptor {
    std::uint32_t version, action_flag;
    JitCodeEntry *relevant_entry, *first_entry;
};
extern __attribute__((visibility("hidden"))) JitDescriptor __jit_debug_descriptor;
}

namespace seiche::test {
namespace {

std::size_t length_of_list() {
    std::size_t length = 0;
    const JitCodeEntry* before = nullptr;
    for (const JitCodeEntry* one = __jit_debug_descriptor.first_entry; one != nullptr; one = one->next_entry) {
        EXPECT_EQ(one->prev_entry, before);
        EXPECT_EQ(std::string(one->symfile_addr, 4), "\177ELF");
        before = one;
        ++length;
    }
    return length;
}

TEST(CpuDebugger, lists_code_for_as_long_as_it_lives_and_only_if_asked) {
    const auto unlisted = module_of(do_nothing);
    EXPECT_EQ(length_of_list(), 0u);
    set_environment("SEICHE_GDB", "1");
    auto first = module_of(do_nothing), second = module_of(add_numbers), third = module_of(do_nothing);
    unset_environment("SEICHE_GDB");
    EXPECT_EQ(length_of_list(), 3u);
    second.reset();
    EXPECT_EQ(length_of_list(), 2u);
    third.reset();
    first.reset();
    EXPECT_EQ(length_of_list(), 0u);
}

/// What a command writes.
std::string output_of(const std::string& command) {
    std::string text;
    std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return text;
    char part[4096];
    while (const std::size_t count = std::fread(part, 1, sizeof part, pipe)) text.append(part, count);
    pclose(pipe);
    return text;
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

Plan small_plan(const char* stage = "") {
    Problem problem = parse_problem("2");
    problem.forward_load = stage;
    PlanOptions options;
    options.directions = Directions::forward;
    return {Device::open("cpu"), problem, options};
}

TEST(CpuDebugger, knows_kernels_and_who_called_them) {
    const std::string gdb = SEICHE_GDB;
    if (gdb.empty()) GTEST_SKIP() << "SKIPPED: no gdb";
    const std::string kernel = small_plan().report().kernels.at(0).name;
    std::string commands;
    const auto add = [&](const std::string& command) { commands += " -ex '" + command + "'"; };
    add("set breakpoint pending on");
    add("set debuginfod enabled off");
    add("break " + kernel);
    add("run");
    // From the first instruction on, and for some more after the last.
    constexpr int steps = 200;
    for (int i = 0; i < steps; ++i) {
        add("backtrace");
        add("stepi");
    }
    add("continue");
    // In a function of the host that the other kernel calls.
    add("delete");
    add("break cosl");
    add("continue");
    add("backtrace");
    add("delete");
    add("continue");
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    set_environment("SEICHE_GDB", "1");
    const std::string said = output_of("'" + gdb + "' -nx -batch" + commands + " --args '" + program +
                                       "' --gtest_also_run_disabled_tests --gtest_filter=CpuDebugger.DISABLED_runs");
    unset_environment("SEICHE_GDB");
    if (said.find("ptrace") != std::string::npos) GTEST_SKIP() << "SKIPPED: no program may be traced here";
    EXPECT_EQ(count(said, " in main ("), std::size_t{steps} + 1) << said;
    EXPECT_GT(count(said, " in " + kernel + " ("), 40u) << said;
    const std::size_t in_cosl = said.rfind("#0 ");
    ASSERT_NE(in_cosl, std::string::npos) << said;
    EXPECT_NE(said.find(" in " + kernel + " (", in_cosl), std::string::npos) << said;
    EXPECT_NE(said.find("[  PASSED  ] 1 test."), std::string::npos) << said;
    EXPECT_NE(said.find("exited normally"), std::string::npos) << said;
}

TEST(CpuDebugger, DISABLED_runs) {
    const std::vector<std::complex<float>> signal(2, 1.0f);
    EXPECT_EQ(small_plan().forward(signal).size(), 2u);
    EXPECT_EQ(small_plan("return value * cospi(value.re);").forward(signal).size(), 2u);
}

}  // namespace
}  // namespace seiche::test
