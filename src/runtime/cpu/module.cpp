// From the words of a source to memory that may be run, and calls into it.
#include "runtime/cpu/module.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/library.hpp"
#include "seiche/error.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace seiche::runtime::cpu {

namespace {

/// Kernels compute as the specification of fp64 says. A library that was compiled with -ffast-math makes every thread
/// of its program flush denormals, and a program may trap on what is inexact.
class PlainArithmetic {
public:
#if defined(__x86_64__)
    PlainArithmetic() : former_(_mm_getcsr()) {
        __asm__ volatile("fnstcw %0" : "=m"(former_x87_));
        if ((former_ & ~flags) != plain) _mm_setcsr(plain);
        if (former_x87_ != plain_x87) set_x87(plain_x87);
    }
    ~PlainArithmetic() {
        if ((former_ & ~flags) != plain) _mm_setcsr(former_);
        if (former_x87_ != plain_x87) set_x87(former_x87_);
    }
    PlainArithmetic(const PlainArithmetic&) = delete;
    PlainArithmetic& operator=(const PlainArithmetic&) = delete;

private:
    static constexpr unsigned flags = 0x3f;    ///< Of exceptions that have been.
    static constexpr unsigned plain = 0x1f80;  ///< All masked, to nearest, denormals kept: as a thread begins.
    /// The same, of long doubles, which elementary functions of the host compute in.
    static constexpr unsigned short plain_x87 = 0x37f;
    static void set_x87(unsigned short control) { __asm__ volatile("fldcw %0" : : "m"(control)); }
    unsigned former_;
    unsigned short former_x87_ = 0;
#elif defined(__aarch64__)
    PlainArithmetic() {
        __asm__ volatile("mrs %0, fpcr" : "=r"(former_));
        if (former_ != plain) set(plain);
    }
    ~PlainArithmetic() {
        if (former_ != plain) set(former_);
    }
    PlainArithmetic(const PlainArithmetic&) = delete;
    PlainArithmetic& operator=(const PlainArithmetic&) = delete;

private:
    static constexpr std::uint64_t plain = 0;  ///< Nothing traps, to nearest, denormals kept: as a thread begins.
    static void set(std::uint64_t control) { __asm__ volatile("msr fpcr, %0" : : "r"(control)); }
    std::uint64_t former_ = plain;
#endif
};

/// What the processor has fetched of this memory, when other code was there: only x86-64 looks by itself.
void forget_instructions(std::byte* code, std::size_t bytes) {
    auto* const begin = reinterpret_cast<char*>(code);
    __builtin___clear_cache(begin, begin + bytes);
}

/// For `perf`, which finds no symbols in memory that no file stands behind: "tools/perf/Documentation/
/// jit-interface.txt" of Linux.
void tell_perf(const std::byte* code, std::size_t bytes, const std::string& name) {
    if (environment("SEICHE_PERF_MAP").empty()) return;
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%llx %zx ",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(code)), bytes);
    append_line("/tmp/perf-" + std::to_string(process_number()) + ".map", numbers + name);
}

}  // namespace

CpuModule::CpuModule(const emit::Source& source, const void* const* functions)
    : shared_bytes_(source.shared_bytes), functions_(functions) {
    if (source.dialect != dialect_here || source.words.empty())
        throw InvalidProblem("cpu: kernel " + source.entry +
                             " is no machine code, expected one emitted for this device");
    const std::size_t bytes = source.words.size() * sizeof source.words[0];
    pages_ = Pages(bytes);
    if (!pages_)
        throw BackendError("cpu: kernel " + source.entry + ": the host has no " + std::to_string(bytes) +
                           " bytes of memory for its machine code");
    std::memcpy(pages_.data(), source.words.data(), bytes);
    forget_instructions(pages_.data(), bytes);
    std::string why;
    if (!pages_.make_executable(why))
        throw BackendError("cpu: kernel " + source.entry + ": the system does not let memory be run: " + why);
    entry_ = reinterpret_cast<emit::machine::Entry>(pages_.data());
    tell_perf(pages_.data(), bytes, source.entry);
    if (!environment("SEICHE_GDB").empty()) debugger_.emplace(pages_.data(), bytes, source.entry, source.stack_frames);
}

void CpuModule::run(const emit::machine::Call& call) const {
    [[maybe_unused]] const PlainArithmetic plain;
    entry_(&call);
}

std::string why_not_executable() {
    Pages pages(1);
    std::string why;
    pages.make_executable(why);
    return why;
}

}  // namespace seiche::runtime::cpu
