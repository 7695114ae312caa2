// Files for the loader, and what it leaves.
#include "arm64_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "ir/verify.hpp"

namespace seiche::test {

namespace {

const std::string qemu = SEICHE_QEMU_ARM64, loader = SEICHE_ARM64_LOADER, assembler = SEICHE_ARM64_AS,
                  objcopy = SEICHE_ARM64_OBJCOPY;

std::vector<char> contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::vector<char>& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

std::string scratch(const char* name) {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "seiche_arm64_" + test->name() + "_" + name;
}

void append_word(std::vector<char>& to, std::uint64_t word) {
    const auto* const bytes = reinterpret_cast<const char*>(&word);
    to.insert(to.end(), bytes, bytes + sizeof word);
}

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

void append_bytes(std::vector<char>& to, const Bytes& bytes) {
    const auto* const from = reinterpret_cast<const char*>(bytes.data());
    to.insert(to.end(), from, from + bytes.size());
    to.resize(padded(to.size()));
}

}  // namespace

std::string why_no_arm64() {
    if (loader.empty()) return "no compiler for AArch64 (g++-aarch64-linux-gnu)";
    if (qemu.empty()) return "no emulator of AArch64 (qemu-user)";
    return {};
}

void Arm64Runs::add(const ir::Kernel& kernel, KernelRun& run) {
    const emit::machine::Code code = emit::arm64::compile(kernel);
    append_word(calls_, code.bytes.size());
    for (const std::uint32_t groups : run.groups) append_word(calls_, groups);
    append_word(calls_, ir::shared_bytes(kernel));
    append_word(calls_, run.buffers.size());
    append_word(calls_, run.scalars.size());
    for (const Bytes& buffer : run.buffers) append_word(calls_, buffer.size());
    for (const std::uint64_t scalar : run.scalars) append_word(calls_, scalar);
    append_bytes(calls_, code.bytes);
    for (const Bytes& buffer : run.buffers) append_bytes(calls_, buffer);
    runs_.push_back(&run);
}

void Arm64Runs::finish() {
    const std::string calls = scratch("calls"), results = scratch("results");
    write_file(calls, calls_);
    const std::string command = quoted(qemu) + " " + quoted(loader) + " " + quoted(calls) + " " + quoted(results);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const std::vector<char> left = contents(results);
    std::size_t at = 0;
    for (KernelRun* const run : runs_)
        for (Bytes& buffer : run->buffers) {
            ASSERT_LE(at + buffer.size(), left.size());
            std::memcpy(buffer.data(), left.data() + at, buffer.size());
            at += padded(buffer.size());
        }
    EXPECT_EQ(at, left.size());
    std::remove(calls.c_str());
    std::remove(results.c_str());
}

void expect_same_on_arm64(const std::vector<KernelCase>& cases) {
    std::vector<KernelRun> got;
    for (const KernelCase& test : cases) got.push_back(test.start);
    Arm64Runs runs;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        ir::verify(cases[k].kernel);
        runs.add(cases[k].kernel, got[k]);
    }
    runs.finish();
    const auto reference = runtime::open_device("reference");
    for (std::size_t k = 0; k < cases.size(); ++k) {
        KernelRun want = cases[k].start;
        run_kernel(reference, cases[k].kernel, want);
        for (std::size_t b = 0; b < want.buffers.size(); ++b) {
            const auto [a, other] =
                std::mismatch(want.buffers[b].begin(), want.buffers[b].end(), got[k].buffers[b].begin());
            EXPECT_EQ(a - want.buffers[b].begin(), static_cast<std::ptrdiff_t>(want.buffers[b].size()))
                << cases[k].kernel.name << ", case " << k << ": where buffer " << b << " differs";
        }
        EXPECT_NE(want.buffers, cases[k].start.buffers) << "the kernel did nothing";
    }
}

bool has_assembler() { return !assembler.empty() && !objcopy.empty(); }

std::vector<std::uint32_t> assembled(const std::string& text) {
    const std::string source = scratch("s"), object = scratch("o"), binary = scratch("bin");
    write_file(source, {text.begin(), text.end()});
    const std::string command = quoted(assembler) + " " + quoted(source) + " -o " + quoted(object) + " && " +
                                quoted(objcopy) + " -O binary -j .text " + quoted(object) + " " + quoted(binary);
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    const std::vector<char> bytes = contents(binary);
    std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof words[0]);
    for (const std::string& path : {source, object, binary}) std::remove(path.c_str());
    return words;
}

}  // namespace seiche::test
