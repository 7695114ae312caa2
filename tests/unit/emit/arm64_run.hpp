// Machine code of AArch64, run by an emulator of such a processor.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emit/arm64/arm64.hpp"
#include "machine_cases.hpp"

namespace seiche::test {

/// Why there is no emulator, or nothing to run in it; empty: there is.
std::string why_no_arm64();

/// What kernels leave in their buffers, all of them run in one process.
class Arm64Runs {
public:
    void add(const ir::Kernel& kernel, KernelRun& run);
    /// Runs those that were added, and changes their buffers.
    void finish();

private:
    std::vector<char> calls_;
    std::vector<KernelRun*> runs_;
};

/// Compiled and run there, and in the interpreter: expects the same bits in every buffer, and other ones than before.
void expect_same_on_arm64(const std::vector<KernelCase>& cases);

/// What a real assembler makes of these lines, one word each; empty where there is none.
std::vector<std::uint32_t> assembled(const std::string& text);
bool has_assembler();

}  // namespace seiche::test
