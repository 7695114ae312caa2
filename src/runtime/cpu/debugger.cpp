// GDB's interface for code made at run time ("JIT Compilation Interface" in its manual): a list of object files in
// memory, here ELF with one symbol and, in DWARF's call frame information, how its frame is unwound.
#include "runtime/cpu/debugger.hpp"

#if defined(__linux__) && defined(__x86_64__)

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <mutex>

// The names of the two symbols are gdb's. Another library of the program may bring them along: then all share one list.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
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
__attribute__((weak, visibility("hidden"))) JitDescriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
/// gdb stops here.
__attribute__((weak, visibility("hidden"), noinline)) void __jit_debug_register_code() {
    __asm__ volatile("" ::: "memory");
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

namespace seiche::runtime::cpu {

namespace {

using Bytes = std::vector<char>;

template <class T>
void append(Bytes& to, const T& value) {
    const auto* const bytes = reinterpret_cast<const char*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

void append_bytes(Bytes& to, std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) to.push_back(static_cast<char>(byte));
}

void append_leb128(Bytes& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
    to.push_back(static_cast<char>(value));
}

/// A length, and behind it what `write` appends, padded.
template <class Write>
void append_entry(Bytes& to, const Write& write) {
    const std::size_t at = to.size();
    append(to, std::uint32_t{0});
    write();
    while ((to.size() - at) % 8 != 4) to.push_back(0);  // DW_CFA_nop
    const auto length = static_cast<std::uint32_t>(to.size() - at - 4);
    std::memcpy(&to[at], &length, sizeof length);
}

/// "DWARF Debugging Information Format", version 4, 6.4, with register numbers of the System V ABI for AMD64.
Bytes call_frames(const std::byte* code, const std::vector<emit::machine::StackFrame>& frames) {
    constexpr unsigned advance = 0x40, advance_far = 0x04, offset = 0x80, define = 0x0c, define_register = 0x0d,
                       define_offset = 0x0e, define_expression = 0x0f;
    constexpr unsigned rax = 0, rsp = 7, return_address = 16, pushed[] = {3, 6, 12, 13, 14, 15};
    constexpr unsigned word = 8, all_pushed = word * 7;
    const auto push_bytes = [](unsigned reg) { return reg < 8 ? 1u : 2u; };
    Bytes all;
    append_entry(all, [&] {
        append(all, ~std::uint32_t{0});
        append_bytes(all, {1, 0, 1, 0x78, return_address});  // version, no augmentation, units of 1 and -8 bytes
        append_bytes(all, {define, rsp, word, offset | return_address, 1});
    });
    for (const emit::machine::StackFrame& frame : frames)
        append_entry(all, [&] {
            const auto go = [&](std::uint32_t bytes) {
                append_bytes(all, {advance_far});
                append(all, bytes);
            };
            append(all, std::uint32_t{0});
            append(all, reinterpret_cast<std::uint64_t>(code) + frame.begin);
            append(all, std::uint64_t{frame.last} - frame.begin);
            for (unsigned k = 0; k < std::size(pushed); ++k)
                append_bytes(
                    all, {advance | push_bytes(pushed[k]), define_offset, word * (k + 2), offset | pushed[k], k + 2});
            go(3);  // mov rax, rsp
            append_bytes(all, {define_register, rax});
            go(frame.body - frame.in_rax);
            Bytes place;
            append_bytes(place, {0x77});  // DW_OP_breg7, the frame
            append_bytes(place, {0x80 | (frame.kept & 0x7f), 0x80 | (frame.kept >> 7 & 0x7f), frame.kept >> 14 & 0x3f});
            append_bytes(place, {0x06, 0x23, all_pushed});  // DW_OP_deref, DW_OP_plus_uconst
            append_bytes(all, {define_expression});
            append_leb128(all, place.size());
            all.insert(all.end(), place.begin(), place.end());
            go(frame.pops - frame.body);
            append_bytes(all, {define, rsp, all_pushed});
            for (std::size_t k = std::size(pushed); k-- > 0;)
                append_bytes(all,
                             {advance | push_bytes(pushed[k]), define_offset, static_cast<unsigned>(word * (k + 1))});
        });
    return all;
}

Elf64_Shdr section(std::uint32_t name, std::uint32_t type, std::uint64_t offset, std::uint64_t bytes) {
    Elf64_Shdr header{};
    header.sh_name = name;
    header.sh_type = type;
    header.sh_offset = offset;
    header.sh_size = bytes;
    header.sh_addralign = 8;
    return header;
}

Bytes object_file(const std::byte* code, std::size_t bytes, const std::string& name,
                  const std::vector<emit::machine::StackFrame>& frames) {
    enum : std::uint16_t { none, text, symbols, strings, frame_info, count };
    const std::string names = std::string("\0.text\0.symtab\0.strtab\0.debug_frame\0", 36) + name + '\0';
    const Bytes unwinding = call_frames(code, frames);
    Elf64_Sym symbol[2]{};
    symbol[1].st_name = 36;
    symbol[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol[1].st_shndx = text;
    symbol[1].st_size = bytes;
    constexpr std::uint64_t sections_at = sizeof(Elf64_Ehdr), symbols_at = sections_at + count * sizeof(Elf64_Shdr);
    const std::uint64_t unwinding_at = symbols_at + sizeof symbol, strings_at = unwinding_at + unwinding.size();
    Elf64_Shdr header[count]{};
    header[text] = section(1, SHT_NOBITS, sections_at, bytes);
    header[text].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    header[text].sh_addr = reinterpret_cast<std::uint64_t>(code);
    header[symbols] = section(7, SHT_SYMTAB, symbols_at, sizeof symbol);
    header[symbols].sh_link = strings;
    header[symbols].sh_info = 1;
    header[symbols].sh_entsize = sizeof(Elf64_Sym);
    header[strings] = section(15, SHT_STRTAB, strings_at, names.size());
    header[frame_info] = section(23, SHT_PROGBITS, unwinding_at, unwinding.size());
    Elf64_Ehdr file{};
    std::memcpy(file.e_ident, ELFMAG, SELFMAG);
    file.e_ident[EI_CLASS] = ELFCLASS64;
    file.e_ident[EI_DATA] = ELFDATA2LSB;
    file.e_ident[EI_VERSION] = EV_CURRENT;
    file.e_type = ET_REL;
    file.e_machine = EM_X86_64;
    file.e_version = EV_CURRENT;
    file.e_shoff = sections_at;
    file.e_ehsize = sizeof file;
    file.e_shentsize = sizeof(Elf64_Shdr);
    file.e_shnum = count;
    file.e_shstrndx = strings;
    Bytes all;
    append(all, file);
    append(all, header);
    append(all, symbol);
    all.insert(all.end(), unwinding.begin(), unwinding.end());
    all.insert(all.end(), names.begin(), names.end());
    return all;
}

std::mutex& list_mutex() {
    static auto* const mutex = new std::mutex;
    return *mutex;
}

void tell(std::uint32_t action, JitCodeEntry* entry) {
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_descriptor.relevant_entry = entry;
    __jit_debug_register_code();
}

constexpr std::uint32_t is_added = 1, is_removed = 2;

}  // namespace

struct DebuggerEntry::Listed {
    Bytes object;
    JitCodeEntry entry{};
};

DebuggerEntry::DebuggerEntry(const std::byte* code, std::size_t bytes, const std::string& name,
                             const std::vector<emit::machine::StackFrame>& frames)
    : listed_(std::make_unique<Listed>()) {
    listed_->object = object_file(code, bytes, name, frames);
    JitCodeEntry& entry = listed_->entry;
    entry.symfile_addr = listed_->object.data();
    entry.symfile_size = listed_->object.size();
    const std::lock_guard lock(list_mutex());
    entry.next_entry = __jit_debug_descriptor.first_entry;
    if (entry.next_entry != nullptr) entry.next_entry->prev_entry = &entry;
    __jit_debug_descriptor.first_entry = &entry;
    tell(is_added, &entry);
}

DebuggerEntry::~DebuggerEntry() {
    JitCodeEntry& entry = listed_->entry;
    const std::lock_guard lock(list_mutex());
    (entry.prev_entry != nullptr ? entry.prev_entry->next_entry : __jit_debug_descriptor.first_entry) =
        entry.next_entry;
    if (entry.next_entry != nullptr) entry.next_entry->prev_entry = entry.prev_entry;
    tell(is_removed, &entry);
}

}  // namespace seiche::runtime::cpu

#else

namespace seiche::runtime::cpu {

struct DebuggerEntry::Listed {};
DebuggerEntry::DebuggerEntry(const std::byte*, std::size_t, const std::string&,
                             const std::vector<emit::machine::StackFrame>&) {}
DebuggerEntry::~DebuggerEntry() = default;

}  // namespace seiche::runtime::cpu

#endif
