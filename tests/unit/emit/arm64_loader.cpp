// Runs machine code of AArch64 under an emulator: reads calls from a file, and writes what they leave in their buffers
// to another. It is compiled for AArch64, with the functions of the host that such code calls.
//
// Usage: arm64_loader CALLS RESULTS
// Of a call, in words of 8 bytes: bytes of code, groups in x, y and z, bytes of shared memory, counts of buffers and
// scalars, bytes of each buffer, the scalars; then the code and each buffer, padded to words. A result is the buffers.
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "emit/machine/entry.hpp"

using seiche::emit::machine::Call;
using seiche::emit::machine::Entry;

/// Calls with known numbers in the registers that a function keeps (x19 to x28, d8 to d15), and gives how many of them
/// are others afterwards.
extern "C" std::uint64_t call_and_look(Entry entry, const Call* call);
__asm__(R"(
.global call_and_look
call_and_look:
    stp x29, x30, [sp, #-176]!
    mov x29, sp
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    str x29, [sp, #160]
    mov x2, x0
    mov x0, x1
    .irp n, 19,20,21,22,23,24,25,26,27,28
    mov x\n, #\n
    .endr
    .irp n, 8,9,10,11,12,13,14,15
    mov x3, #\n
    fmov d\n, x3
    .endr
    blr x2
    mov x0, #0
    .irp n, 19,20,21,22,23,24,25,26,27,28
    cmp x\n, #\n
    cinc x0, x0, ne
    .endr
    .irp n, 8,9,10,11,12,13,14,15
    fmov x3, d\n
    cmp x3, #\n
    cinc x0, x0, ne
    .endr
    ldr x3, [sp, #160]
    cmp x3, x29
    cinc x0, x0, ne
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #176
    ret
)");

namespace {

constexpr std::size_t page = 65536, line = 64;  // no system has larger pages

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "arm64_loader: %s\n", what);
    std::exit(1);
}

/// Memory that ends where a page begins that nobody may touch.
class Guarded {
public:
    explicit Guarded(std::size_t bytes) : whole_((bytes + page - 1) / page * page + page) {
        void* const got = mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) fail("no memory");
        begin_ = static_cast<std::byte*>(got);
        mprotect(begin_ + whole_ - page, page, PROT_NONE);
        data_ = begin_ + whole_ - page - bytes;
    }
    ~Guarded() { munmap(begin_, whole_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    std::byte* data() const { return data_; }

private:
    std::size_t whole_;
    std::byte *begin_ = nullptr, *data_ = nullptr;
};

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

class Calls {
public:
    explicit Calls(const char* path) : file_(path, std::ios::binary) {}
    bool has_more() { return file_.peek() != std::ifstream::traits_type::eof(); }
    std::uint64_t word() {
        std::uint64_t value = 0;
        file_.read(reinterpret_cast<char*>(&value), sizeof value);
        if (!file_) fail("the file of calls ends early");
        return value;
    }
    void bytes(std::byte* to, std::uint64_t count) {
        file_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count));
        file_.ignore(static_cast<std::streamsize>(padded(count) - count));
        if (!file_) fail("the file of calls ends early");
    }

private:
    std::ifstream file_;
};

/// Written first, then made executable.
class Executable {
public:
    Executable(Calls& calls, std::uint64_t bytes) : bytes_(bytes) {
        void* const got = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) fail("no memory");
        code_ = static_cast<std::byte*>(got);
        calls.bytes(code_, bytes);
        __builtin___clear_cache(reinterpret_cast<char*>(code_), reinterpret_cast<char*>(code_ + bytes));
        if (mprotect(code_, bytes_, PROT_READ | PROT_EXEC) != 0) fail("the system lets no memory be run");
    }
    ~Executable() { munmap(code_, bytes_); }
    Executable(const Executable&) = delete;
    Executable& operator=(const Executable&) = delete;
    Entry entry() const { return reinterpret_cast<Entry>(code_); }

private:
    std::byte* code_;
    std::uint64_t bytes_;
};

void run(Calls& calls, std::ofstream& results) {
    const std::uint64_t code_bytes = calls.word();
    Call call;
    for (std::uint64_t& groups : call.groups) groups = calls.word();
    call.last = call.groups[0] * call.groups[1] * call.groups[2];
    const Guarded shared((calls.word() + line - 1) / line * line);
    call.shared = shared.data();
    std::vector<std::uint64_t> sizes(calls.word()), arguments(sizes.size()), scalars(calls.word());
    for (std::uint64_t& size : sizes) size = calls.word();
    for (std::uint64_t& scalar : scalars) scalar = calls.word();
    const Executable code(calls, code_bytes);
    std::vector<std::unique_ptr<Guarded>> buffers;
    for (std::size_t b = 0; b < sizes.size(); ++b) {
        buffers.push_back(std::make_unique<Guarded>(sizes[b]));
        calls.bytes(buffers[b]->data(), sizes[b]);
        arguments[b] = reinterpret_cast<std::uintptr_t>(buffers[b]->data());
    }
    arguments.insert(arguments.end(), scalars.begin(), scalars.end());
    call.arguments = arguments.data();
    call.functions = seiche::emit::machine::host_functions();
    if (call_and_look(code.entry(), &call) != 0) fail("a kernel has not kept the registers that are its caller's");
    for (std::size_t b = 0; b < sizes.size(); ++b) {
        constexpr char zeros[8] = {};
        results.write(reinterpret_cast<const char*>(buffers[b]->data()), static_cast<std::streamsize>(sizes[b]));
        results.write(zeros, static_cast<std::streamsize>(padded(sizes[b]) - sizes[b]));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) fail("expected two files");
    Calls calls(argv[1]);
    std::ofstream results(argv[2], std::ios::binary);
    while (calls.has_more()) run(calls, results);
    results.close();
    if (!results) fail("the results were not written");
    return 0;
}
