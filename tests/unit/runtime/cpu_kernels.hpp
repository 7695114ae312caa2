// Machine code made by hand, so that the processor's backend is tested without an emitter. Call's members are at
// arguments 0, groups 8, 16 and 24, first 32, last 40, shared 48, functions 56 of what rdi points to.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "runtime/cpu/module.hpp"

namespace seiche::test {

using Code = std::vector<unsigned char>;

/// Adds g + 1 to u64 g of the first buffer for each group g.
inline const Code add_numbers{0x48, 0x8b, 0x07,        // mov rax, [rdi]
                              0x48, 0x8b, 0x10,        // mov rdx, [rax]
                              0x48, 0x8b, 0x4f, 0x20,  // mov rcx, [rdi+32]
                              0x48, 0x8b, 0x77, 0x28,  // mov rsi, [rdi+40]
                              0x48, 0x39, 0xf1,        // next: cmp rcx, rsi
                              0x73, 0x0d,              // jae done
                              0x48, 0x8d, 0x41, 0x01,  // lea rax, [rcx+1]
                              0x48, 0x01, 0x04, 0xca,  // add [rdx+rcx*8], rax
                              0x48, 0xff, 0xc1,        // inc rcx
                              0xeb, 0xee,              // jmp next
                              0xc3};                   // done: ret

/// Writes g + the scalar + the misalignment of the shared memory to u64 g, where g goes through that memory.
inline const Code go_through_shared{0x48, 0x8b, 0x07,        // mov rax, [rdi]
                                    0x48, 0x8b, 0x10,        // mov rdx, [rax]
                                    0x4c, 0x8b, 0x40, 0x08,  // mov r8, [rax+8]
                                    0x48, 0x8b, 0x77, 0x30,  // mov rsi, [rdi+48]
                                    0x48, 0x8b, 0x4f, 0x20,  // mov rcx, [rdi+32]
                                    0x48, 0x3b, 0x4f, 0x28,  // next: cmp rcx, [rdi+40]
                                    0x73, 0x18,              // jae done
                                    0x48, 0x89, 0x0e,        // mov [rsi], rcx
                                    0x48, 0x89, 0xf0,        // mov rax, rsi
                                    0x83, 0xe0, 0x3f,        // and eax, 63
                                    0x48, 0x03, 0x06,        // add rax, [rsi]
                                    0x4c, 0x01, 0xc0,        // add rax, r8
                                    0x48, 0x89, 0x04, 0xca,  // mov [rdx+rcx*8], rax
                                    0x48, 0xff, 0xc1,        // inc rcx
                                    0xeb, 0xe2,              // jmp next
                                    0xc3};                   // done: ret

/// Writes the grid and the last group.
inline const Code write_grid{0x48, 0x8b, 0x07,                                // mov rax, [rdi]
                             0x48, 0x8b, 0x10,                                // mov rdx, [rax]
                             0x48, 0x8b, 0x4f, 0x08, 0x48, 0x89, 0x0a,        // mov rcx, [rdi+8]; mov [rdx], rcx
                             0x48, 0x8b, 0x4f, 0x10, 0x48, 0x89, 0x4a, 0x08,  // mov rcx, [rdi+16]; mov [rdx+8], rcx
                             0x48, 0x8b, 0x4f, 0x18, 0x48, 0x89, 0x4a, 0x10,  // mov rcx, [rdi+24]; mov [rdx+16], rcx
                             0x48, 0x8b, 0x4f, 0x28, 0x48, 0x89, 0x4a, 0x18,  // mov rcx, [rdi+40]; mov [rdx+24], rcx
                             0xc3};                                           // ret

/// Writes what the thread's arithmetic is like.
inline const Code write_mxcsr{0x48, 0x8b, 0x07,  // mov rax, [rdi]
                              0x48, 0x8b, 0x00,  // mov rax, [rax]
                              0x0f, 0xae, 0x18,  // stmxcsr [rax]
                              0xc3};             // ret

/// Calls the first of the functions with the number of each group.
inline const Code call_function{0x53,                    // push rbx
                                0x41, 0x54,              // push r12
                                0x48, 0x83, 0xec, 0x08,  // sub rsp, 8
                                0x48, 0x89, 0xfb,        // mov rbx, rdi
                                0x4c, 0x8b, 0x67, 0x20,  // mov r12, [rdi+32]
                                0x4c, 0x3b, 0x63, 0x28,  // next: cmp r12, [rbx+40]
                                0x73, 0x0e,              // jae done
                                0x4c, 0x89, 0xe7,        // mov rdi, r12
                                0x48, 0x8b, 0x43, 0x38,  // mov rax, [rbx+56]
                                0xff, 0x10,              // call [rax]
                                0x49, 0xff, 0xc4,        // inc r12
                                0xeb, 0xec,              // jmp next
                                0x48, 0x83, 0xc4, 0x08,  // done: add rsp, 8
                                0x41, 0x5c,              // pop r12
                                0x5b,                    // pop rbx
                                0xc3};                   // ret

inline const Code do_nothing{0xc3};  // ret

inline emit::Source source_of(const Code& code, std::uint64_t shared_bytes = 0) {
    emit::Source source;
    source.dialect = emit::Dialect::x86;
    source.entry = "made_by_hand";
    source.words.resize((code.size() + 3) / 4);
    std::memcpy(source.words.data(), code.data(), code.size());
    source.shared_bytes = shared_bytes;
    return source;
}

inline std::shared_ptr<runtime::cpu::CpuModule> module_of(const Code& code, std::uint64_t shared_bytes = 0,
                                                          const void* const* functions = nullptr) {
    return std::make_shared<runtime::cpu::CpuModule>(source_of(code, shared_bytes), functions);
}

}  // namespace seiche::test
