// Machine instructions as bytes, by AsmJit's assembler.
#include "emit/x86/encoder.hpp"

#include <cstring>
#include <string>

#include "emit/x86/entry.hpp"
#include "emit/x86/selection.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::x86 {

namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;

namespace {

constexpr std::uint32_t kept[] = {x86::Gp::kIdBx,  x86::Gp::kIdBp,  x86::Gp::kIdR12,
                                  x86::Gp::kIdR13, x86::Gp::kIdR14, x86::Gp::kIdR15};

asmjit::Environment environment() { return asmjit::Environment(asmjit::Arch::kX64); }

}  // namespace

void Encoder::check(asmjit::Error error) {
    if (error != asmjit::kErrorOk)
        throw InternalError(std::string("machine code: ") + asmjit::DebugUtils::errorAsString(error));
}

Encoder::Encoder(const Machine& machine) : machine_(machine) {
    check(holder_.init(environment()));
    check(holder_.attach(&assembler_));
    constants_ = assembler_.newLabel();
    begin();
}

// The frame is aligned to 64 bytes; its last word is the stack pointer that was.
void Encoder::begin() {
    for (const std::uint32_t reg : kept) check(assembler_.push(x86::gpq(reg)));
    check(assembler_.mov(x86::rax, x86::rsp));
    constexpr std::int32_t to_patch = 0x7fffff00;
    check(assembler_.sub(x86::rsp, to_patch));
    frame_at_ = assembler_.offset() - 4;
    check(assembler_.and_(x86::rsp, -64));
    check(assembler_.mov(frame(header_of(machine_.header_words), 8), x86::rax));
    check(assembler_.mov(x86::rsi, x86::ptr(x86::rdi, offsetof(Call, arguments))));
    for (std::uint32_t w = 0; w < machine_.argument_words; ++w) {
        check(assembler_.mov(x86::rax, x86::ptr(x86::rsi, static_cast<std::int32_t>(8 * w))));
        check(assembler_.mov(frame(header_of(w), 8), x86::rax));
    }
    constexpr std::size_t places[] = {offsetof(Call, groups),   offsetof(Call, groups) + 8, offsetof(Call, groups) + 16,
                                      offsetof(Call, first),    offsetof(Call, last),       offsetof(Call, shared),
                                      offsetof(Call, functions)};
    static_assert(std::size(places) == static_cast<std::size_t>(HeaderWord::count));
    for (std::uint32_t k = 0; k < std::size(places); ++k) {
        check(assembler_.mov(x86::rax, x86::ptr(x86::rdi, static_cast<std::int32_t>(places[k]))));
        check(assembler_.mov(frame(header_of(machine_.argument_words + k), 8), x86::rax));
    }
}

Code Encoder::finish(std::uint64_t frame_bytes) {
    if (avx()) check(assembler_.vzeroupper());
    check(assembler_.mov(x86::rsp, frame(header_of(machine_.header_words), 8)));
    for (std::size_t k = std::size(kept); k-- > 0;) check(assembler_.pop(x86::gpq(kept[k])));
    check(assembler_.ret());
    check(assembler_.align(asmjit::AlignMode::kZero, 64));
    check(assembler_.bind(constants_));
    if (!machine_.constants.empty()) check(assembler_.embed(machine_.constants.data(), machine_.constants.size()));
    check(holder_.flatten());
    check(holder_.resolveUnresolvedLinks());
    const asmjit::CodeBuffer& buffer = holder_.sectionById(0)->buffer();
    code_.bytes.resize(buffer.size());
    std::memcpy(code_.bytes.data(), buffer.data(), buffer.size());
    const auto size = static_cast<std::int32_t>(frame_bytes);
    std::memcpy(&code_.bytes[frame_at_], &size, sizeof size);
    return std::move(code_);
}

asmjit::Operand Encoder::general(Physical reg, unsigned bytes) {
    switch (bytes) {
        case 1: return x86::gpb_lo(reg);
        case 2: return x86::gpw(reg);
        case 4: return x86::gpd(reg);
        default: return x86::gpq(reg);
    }
}

asmjit::Operand Encoder::vector(Physical reg, unsigned bytes) {
    return bytes == 64 ? asmjit::Operand(x86::zmm(reg)) : bytes == 32 ? asmjit::Operand(x86::ymm(reg)) : x86::xmm(reg);
}

asmjit::Operand Encoder::fixed(Fixed reg, unsigned bytes) {
    switch (reg) {
        case Fixed::rax: return general(x86::Gp::kIdAx, bytes);
        case Fixed::rcx: return general(x86::Gp::kIdCx, bytes);
        case Fixed::rdx: return general(x86::Gp::kIdDx, bytes);
        case Fixed::k1: break;
    }
    return x86::k1;
}

x86::Mem Encoder::frame(std::uint64_t offset, unsigned bytes) {
    return x86::ptr(x86::rsp, static_cast<std::int32_t>(offset), bytes);
}

x86::Mem Encoder::constant(std::uint64_t offset, unsigned bytes) const {
    return x86::ptr(constants_, static_cast<std::int32_t>(offset), bytes);
}

void Encoder::emit(std::uint32_t id, const std::vector<asmjit::Operand>& operands, bool masked) {
    ++code_.instructions;
    if (masked) assembler_.setExtraReg(x86::k1);
    const asmjit::Error error = assembler_.emitOpArray(id, operands.data(), operands.size());
    if (error == asmjit::kErrorOk) return;
    asmjit::String text;
    asmjit::InstAPI::instIdToString(asmjit::Arch::kX64, id, text);
    throw InternalError(std::string("machine code: ") + text.data() + ": " + asmjit::DebugUtils::errorAsString(error));
}

void Encoder::move(Bank bank, unsigned bytes, Physical to, Physical from) {
    if (to == from) return;
    if (bank == Bank::general) return emit(Inst::kIdMov, {general(to, 8), general(from, 8)});
    emit(avx() ? Inst::kIdVmovaps : Inst::kIdMovaps, {vector(to, bytes), vector(from, bytes)});
}

void Encoder::save(Bank bank, unsigned bytes, std::uint64_t offset, Physical from) {
    ++code_.spills;
    if (bank == Bank::general) return emit(Inst::kIdMov, {frame(offset, 8), general(from, 8)});
    emit(avx() ? Inst::kIdVmovaps : Inst::kIdMovaps, {frame(offset, bytes), vector(from, bytes)});
}

void Encoder::restore(Bank bank, unsigned bytes, Physical to, std::uint64_t offset) {
    ++code_.reloads;
    if (bank == Bank::general) return emit(Inst::kIdMov, {general(to, 8), frame(offset, 8)});
    emit(avx() ? Inst::kIdVmovaps : Inst::kIdMovaps, {vector(to, bytes), frame(offset, bytes)});
}

void Encoder::load_constant(unsigned bytes, Physical to, std::uint64_t offset) {
    emit(avx() ? Inst::kIdVmovaps : Inst::kIdMovaps, {vector(to, bytes), constant(offset, bytes)});
}

// Not by xor: the flags may be in use.
void Encoder::load_immediate(Physical to, std::uint64_t value) {
    if (value <= 0xffffffffu) return emit(Inst::kIdMov, {general(to, 4), asmjit::Imm(value)});
    emit(Inst::kIdMov, {general(to, 8), asmjit::Imm(value)});
}

void Encoder::call(const Instruction& call) {
    const auto result = static_cast<std::uint64_t>(call.operands[1].immediate);
    emit(Inst::kIdLea, {x86::rdi, frame(result, 8)});
    emit(Inst::kIdLea, {x86::rsi, frame(result + call_room_bytes, 8)});
    emit(Inst::kIdLea, {x86::rdx, frame(result + 2 * call_room_bytes, 8)});
    emit(Inst::kIdLea, {x86::rcx, frame(result + 3 * call_room_bytes, 8)});
    emit(Inst::kIdMov, {x86::r8d, asmjit::Imm(call.operands[2].immediate)});
    const std::uint32_t word = machine_.argument_words + static_cast<std::uint32_t>(HeaderWord::functions);
    emit(Inst::kIdMov, {x86::rax, frame(header_of(word), 8)});
    if (avx()) emit(Inst::kIdVzeroupper, {});
    emit(Inst::kIdCall, {x86::ptr(x86::rax, static_cast<std::int32_t>(8 * call.operands[0].immediate), 8)});
}

}  // namespace seiche::emit::x86
