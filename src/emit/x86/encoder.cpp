// Machine instructions as bytes, by Xbyak's assembler.
#include "emit/x86/encoder.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "seiche/error.hpp"

namespace seiche::emit::x86 {

namespace {

using Kind = MachineOperand::Kind;
using Xbyak::util::rax;
using Xbyak::util::rcx;
using Xbyak::util::rdi;
using Xbyak::util::rsi;
using Xbyak::util::rsp;

constexpr int kept[] = {Xbyak::Operand::RBX, Xbyak::Operand::RBP, Xbyak::Operand::R12,
                        Xbyak::Operand::R13, Xbyak::Operand::R14, Xbyak::Operand::R15};

const char* name_of(Mnemonic id) {
    static constexpr const char* names[] = {
        "none",
#define SEICHE_X86(name, shape) #name,
#include "emit/x86/mnemonics.def"
#undef SEICHE_X86
    };
    return names[static_cast<std::size_t>(id)];
}

// ---- The shapes: which operands an instruction has. `call` calls the assembler's function of that name.

template <class Call>
void three(const Encoder::Operands& o, Call&& call) {
    call(o[0].vector, o[1].vector, o[2].any());
}
template <class Call>
void three_immediate(const Encoder::Operands& o, Call&& call) {
    call(o[0].vector, o[1].vector, o[2].any(), static_cast<std::uint8_t>(o[3].number));
}
template <class Call>
void compared(const Encoder::Operands& o, Call&& call) {
    const auto how = static_cast<std::uint8_t>(o[3].number);
    if (o[0].kind == Kind::mask)
        call(o[0].mask, o[1].vector, o[2].any(), how);
    else
        call(o[0].vector, o[1].vector, o[2].any(), how);
}
template <class Call>
void two(const Encoder::Operands& o, Call&& call) {
    call(o[0].vector, o[1].any());
}
template <class Call>
void two_immediate(const Encoder::Operands& o, Call&& call) {
    call(o[0].vector, o[1].any(), static_cast<std::uint8_t>(o[2].number));
}
template <class Call>
void move(const Encoder::Operands& o, Call&& call) {
    if (o[0].kind == Kind::memory)
        call(o[0].memory, o[1].vector);
    else if (o[1].kind == Kind::memory)
        call(o[0].vector, o[1].memory);
    else
        call(o[0].vector, o[1].vector);
}
template <class Call>
void to_general(const Encoder::Operands& o, Call&& call) {
    call(Xbyak::Reg64(o[0].general.getIdx()), o[1].any());
}
template <class Call>
void general_two(const Encoder::Operands& o, Call&& call) {
    if (o[1].kind == Kind::number)
        call(o[0].any(), static_cast<std::uint32_t>(o[1].number));
    else
        call(o[0].any(), o[1].any());
}
template <class Call>
void general_one(const Encoder::Operands& o, Call&& call) {
    call(o[0].any());
}
template <class Call>
void general_from(const Encoder::Operands& o, Call&& call) {
    call(o[0].general, o[1].any());
}
template <class Call>
void shift(const Encoder::Operands& o, Call&& call) {
    if (o[1].kind == Kind::number)
        call(o[0].any(), static_cast<int>(o[1].number));
    else
        call(o[0].any(), Xbyak::util::cl);
}
template <class Call>
void special(const Encoder::Operands& o, Call&& call) {
    call(o);
}

/// What has a shape of its own.
struct Special {
    Xbyak::CodeGenerator& c;
    const Encoder::Operands& o;

    static Xbyak::Reg32 low(const MachineOperand& of) { return Xbyak::Reg32(of.general.getIdx()); }
    static Xbyak::Reg64 whole(const MachineOperand& of) { return Xbyak::Reg64(of.general.getIdx()); }
    void vblendvps() const { c.vblendvps(o[0].vector, o[1].vector, o[2].any(), o[3].vector); }
    void vcvtps2ph() const { c.vcvtps2ph(o[0].any(), o[1].vector, static_cast<std::uint8_t>(o[2].number)); }
    void movd() const {
        if (o[0].kind == Kind::vector)
            c.movd(o[0].vector, low(o[1]));
        else
            c.movd(low(o[0]), o[1].vector);
    }
    void movq() const {
        if (o[0].kind == Kind::vector)
            c.movq(o[0].vector, whole(o[1]));
        else
            c.movq(whole(o[0]), o[1].vector);
    }
    void vmovd() const {
        if (o[0].kind == Kind::vector)
            c.vmovd(o[0].vector, low(o[1]));
        else
            c.vmovd(low(o[0]), o[1].vector);
    }
    void vmovq() const {
        if (o[0].kind == Kind::vector)
            c.vmovq(o[0].vector, whole(o[1]));
        else
            c.vmovq(whole(o[0]), o[1].vector);
    }
    void kmovd() const {
        if (o[0].kind == Kind::mask)
            c.kmovd(o[0].mask, low(o[1]));
        else
            c.kmovd(low(o[0]), o[1].mask);
    }
    void mov() const {
        if (o[1].kind == Kind::number)
            c.mov(o[0].any(), static_cast<std::uint64_t>(o[1].number));
        else
            c.mov(o[0].any(), o[1].any());
    }
    void lea() const { c.lea(o[0].general, o[1].memory); }
    void movsxd() const { c.movsxd(whole(o[0]), o[1].any()); }
    void imul() const {
        if (o.size() == 3)
            c.imul(o[0].general, o[1].any(), static_cast<int>(o[2].number));
        else
            c.imul(o[0].general, o[1].any());
    }
    void test() const { c.test(o[0].any(), o[1].general); }
    void call() const { c.call(o[0].any()); }
    void vzeroupper() const { c.vzeroupper(); }
};

}  // namespace

const Xbyak::Operand& MachineOperand::any() const {
    switch (kind) {
        case Kind::general: return general;
        case Kind::vector: return vector;
        case Kind::mask: return mask;
        default: return memory;
    }
}

MachineOperand Encoder::general(Physical reg, unsigned bytes) {
    MachineOperand o;
    o.kind = Kind::general;
    switch (bytes) {
        case 1: o.general = Xbyak::Reg8(reg, reg >= Xbyak::Operand::RSP && reg <= Xbyak::Operand::RDI); break;
        case 2: o.general = Xbyak::Reg16(reg); break;
        case 4: o.general = Xbyak::Reg32(reg); break;
        default: o.general = Xbyak::Reg64(reg);
    }
    return o;
}

MachineOperand Encoder::vector(Physical reg, unsigned bytes) {
    MachineOperand o;
    o.kind = Kind::vector;
    const auto kind = bytes == 64 ? Xbyak::Operand::ZMM : bytes == 32 ? Xbyak::Operand::YMM : Xbyak::Operand::XMM;
    o.vector = Xbyak::Ymm(reg, kind, static_cast<int>(8 * bytes));
    return o;
}

MachineOperand Encoder::number(std::int64_t value) {
    MachineOperand o;
    o.number = value;
    return o;
}

MachineOperand Encoder::memory(const Xbyak::RegExp& place, unsigned bytes) {
    MachineOperand o;
    o.kind = Kind::memory;
    o.memory = Xbyak::Address(bytes <= 8 ? 8 * bytes : 0, false, place);
    return o;
}

MachineOperand Encoder::fixed(Fixed reg, unsigned bytes) {
    switch (reg) {
        case Fixed::rax: return general(Xbyak::Operand::RAX, bytes);
        case Fixed::rcx: return general(Xbyak::Operand::RCX, bytes);
        case Fixed::rdx: return general(Xbyak::Operand::RDX, bytes);
        case Fixed::k1: break;
    }
    MachineOperand o;
    o.kind = Kind::mask;
    o.mask = Xbyak::util::k1;
    return o;
}

MachineOperand Encoder::frame(std::uint64_t offset, unsigned bytes) {
    return memory(rsp + static_cast<std::size_t>(offset), bytes);
}

MachineOperand Encoder::constant(std::uint64_t offset, unsigned bytes) {
    MachineOperand o;
    o.kind = Kind::memory;
    const Xbyak::AddressFrame how(bytes <= 8 ? 8 * bytes : 0);
    o.memory = how[Xbyak::util::rip + constants_ + static_cast<int>(offset)];
    return o;
}

namespace {

/// As the machine counts them.
constexpr std::uint32_t allocated_general = 1u << Xbyak::Operand::RBX | 1u << Xbyak::Operand::RBP |
                                            1u << Xbyak::Operand::RSI | 1u << Xbyak::Operand::RDI | 0xff00u;
constexpr std::uint32_t kept_general = 1u << Xbyak::Operand::RBX | 1u << Xbyak::Operand::RBP | 0xf000u;

}  // namespace

machine::RegisterSets Encoder::registers() const {
    return {{allocated_general, set_ == InstructionSet::avx512 ? 0xffffffffu : 0xffffu}, {kept_general, 0}};
}

MachineOperand Encoder::operand(const PlacedOperand& of) {
    switch (of.kind) {
        case OperandKind::reg: return of.bank == Bank::general ? general(of.reg, of.bytes) : vector(of.reg, of.bytes);
        case OperandKind::fixed: return fixed(static_cast<Fixed>(of.fixed), of.bytes);
        case OperandKind::immediate: return number(of.immediate);
        case OperandKind::constant: return constant(static_cast<std::uint64_t>(of.immediate), of.bytes);
        default: break;
    }
    const Xbyak::Reg64 base(of.kind == OperandKind::frame ? int{Xbyak::Operand::RSP} : int{of.reg});
    if (of.immediate > 0x7fffffff || of.immediate < -0x7fffffff)
        throw Unsupported("machine code: an address lies more than 2^31 bytes from another");
    const Xbyak::RegExp place = base + static_cast<std::size_t>(of.immediate);
    if (of.index == machine::nowhere) return memory(place, of.bytes);
    return memory(place + Xbyak::Reg64(of.index) * (1 << of.shift), of.bytes);
}

Encoder::Operands Encoder::all(const machine::Encoder::Operands& placed) {
    Operands operands;
    operands.reserve(placed.size());
    for (const PlacedOperand& one : placed) operands.push_back(operand(one));
    return operands;
}

Encoder::Encoder(const Machine& machine, InstructionSet set)
    : machine_(machine), set_(set), code_(Xbyak::DEFAULT_MAX_CODE_SIZE, Xbyak::AutoGrow, &memory_) {
    begin();
}

namespace {

// Bytes that say how a register is stored to memory, and the same around the caches: MOVUPS and MOVNTPS in "Intel 64
// and IA-32 Architectures Software Developer's Manual", volume 2. Prefixes and operands are alike.
constexpr std::byte store_opcode{0x11}, streaming_store_opcode{0x2b};
constexpr std::byte long_vex{0xc4}, short_vex{0xc5}, evex{0x62};
constexpr std::uint8_t idle_bytes[] = {0x0f, 0x1f, 0x00}, fence_bytes[] = {0x0f, 0xae, 0xf8};

}  // namespace

/// Goes to the version that streams if the call asks for it and every buffer concerned begins at a cache line.
void Encoder::choose_version() {
    if (machine_.streamed.empty()) return;
    constexpr std::uint32_t in_line = 63;
    code_.cmp(Xbyak::util::qword[rdi + offsetof(Call, streams)], 0);
    Xbyak::Label here;
    code_.je(here);
    code_.mov(rsi, Xbyak::util::ptr[rdi + offsetof(Call, arguments)]);
    code_.xor_(Xbyak::util::eax, Xbyak::util::eax);
    for (const std::uint32_t word : machine_.streamed) code_.or_(rax, Xbyak::util::ptr[rsi + 8 * word]);
    code_.test(Xbyak::util::eax, in_line);
    code_.jne(here);
    code_.db(0xe9);  // jmp
    jump_at_ = code_.getSize();
    code_.dd(0);
    code_.L(here);
    body_at_ = code_.getSize();
}

/// The same bytes once more, with other stores and a fence, which makes them visible before the launch ends.
void Encoder::append_streaming_version() {
    if (jump_at_ == 0) return;
    const std::size_t size = result_.bytes.size();
    const auto distance = static_cast<std::int32_t>(body_at_ + size - (jump_at_ + sizeof(std::int32_t)));
    std::memcpy(&result_.bytes[jump_at_], &distance, sizeof distance);
    result_.streaming_at = size;
    result_.bytes.resize(2 * size);
    std::copy_n(result_.bytes.begin(), size, result_.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    for (const std::size_t at : streamed_at_) result_.bytes[size + at] = streaming_store_opcode;
    std::memcpy(&result_.bytes[size + fence_at_], fence_bytes, sizeof fence_bytes);
}

// The frame is aligned to 64 bytes; its last word is the stack pointer that was. The stack grows page by page, each of
// which is touched, so that a stack that is too small ends at its guard page and not in memory beyond.
void Encoder::begin() {
    constexpr std::uint32_t to_patch = 0x7fffff00, page = 4096;
    choose_version();
    result_.frame.begin = place();
    for (const int reg : kept) code_.push(Xbyak::Reg64(reg));
    code_.mov(rax, rsp);
    result_.frame.in_rax = place();
    code_.lea(rcx, Xbyak::util::ptr[rsp - std::size_t{to_patch}]);
    frame_at_ = code_.getSize() - 4;
    code_.and_(rcx, static_cast<std::uint32_t>(-64));
    Xbyak::Label next, is_there;
    code_.L(next);
    code_.sub(rsp, page);
    code_.cmp(rsp, rcx);
    code_.jbe(is_there);
    code_.mov(Xbyak::util::ptr[rsp], rax);
    code_.jmp(next);
    code_.L(is_there);
    code_.mov(rsp, rcx);
    result_.frame.kept = static_cast<std::uint32_t>(machine::header_place(machine_.header_words));
    code_.mov(frame(result_.frame.kept, 8).memory, rax);
    result_.frame.body = place();
    code_.mov(rsi, Xbyak::util::ptr[rdi + offsetof(Call, arguments)]);
    for (std::uint32_t w = 0; w < machine_.argument_words; ++w) {
        code_.mov(rax, Xbyak::util::ptr[rsi + 8 * w]);
        code_.mov(frame(machine::header_place(w), 8).memory, rax);
    }
    constexpr std::size_t places[] = {offsetof(Call, groups),   offsetof(Call, groups) + 8, offsetof(Call, groups) + 16,
                                      offsetof(Call, first),    offsetof(Call, last),       offsetof(Call, shared),
                                      offsetof(Call, functions)};
    static_assert(std::size(places) == static_cast<std::size_t>(HeaderWord::count));
    for (std::uint32_t k = 0; k < std::size(places); ++k) {
        code_.mov(rax, Xbyak::util::ptr[rdi + places[k]]);
        code_.mov(frame(machine::header_place(machine_.argument_words + k), 8).memory, rax);
    }
}

Code Encoder::finish(std::uint64_t frame_bytes) {
    if (avx()) code_.vzeroupper();
    fence_at_ = code_.getSize();
    if (jump_at_ != 0) code_.db(idle_bytes, sizeof idle_bytes);
    code_.mov(rsp, frame(result_.frame.kept, 8).memory);
    result_.frame.pops = place();
    for (std::size_t k = std::size(kept); k-- > 0;) code_.pop(Xbyak::Reg64(kept[k]));
    code_.ret();
    result_.frame.last = place();
    constexpr std::size_t alignment = 64;
    while (code_.getSize() % alignment != 0) code_.db(0);
    code_.L(constants_);
    code_.db(reinterpret_cast<const std::uint8_t*>(machine_.constants.data()), machine_.constants.size());
    if (jump_at_ != 0)
        while (code_.getSize() % alignment != 0) code_.db(0);
    code_.ready(Xbyak::CodeArray::PROTECT_RW);
    result_.bytes.resize(code_.getSize());
    std::memcpy(result_.bytes.data(), code_.getCode(), code_.getSize());
    result_.frame_bytes = frame_bytes;
    const auto size = -static_cast<std::int32_t>(frame_bytes);
    std::memcpy(&result_.bytes[frame_at_], &size, sizeof size);
    append_streaming_version();
    return std::move(result_);
}

void Encoder::dispatch(Mnemonic id, const Operands& operands, bool masked) {
    if (masked) {
        MachineOperand to = operands[0];
        to.vector.setOpmaskIdx(1);
        Operands with_mask = operands;
        with_mask[0] = to;
        return dispatch(id, with_mask, false);
    }
    [[maybe_unused]] const Special special_ones{code_, operands};
    switch (id) {
        case Mnemonic::none: return;
#define SEICHE_X86_three(name) three(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_three_ymm(name) SEICHE_X86_three(name)
#define SEICHE_X86_three_immediate(name) three_immediate(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_three_ymm_immediate(name) SEICHE_X86_three_immediate(name)
#define SEICHE_X86_compared(name) compared(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_two(name) two(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_two_ymm(name) SEICHE_X86_two(name)
#define SEICHE_X86_two_immediate(name) two_immediate(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_two_ymm_immediate(name) SEICHE_X86_two_immediate(name)
#define SEICHE_X86_move(name) x86::move(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_to_general(name) to_general(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_general_two(name) general_two(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_general_one(name) general_one(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_general_from(name) general_from(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_shift(name) shift(operands, [&](const auto&... o) { code_.name(o...); })
#define SEICHE_X86_special(name) special_ones.name()
#define SEICHE_X86(name, shape) \
    case Mnemonic::name:        \
        return SEICHE_X86_##shape(name);
#include "emit/x86/mnemonics.def"
#undef SEICHE_X86
    }
}

void Encoder::emit(Mnemonic id, const Operands& operands, bool masked) {
    ++result_.instructions;
    try {
        dispatch(id, operands, masked);
    } catch (const Xbyak::Error& error) {
        throw InternalError(std::string("machine code: ") + name_of(id) + ": " + error.what());
    }
}

void Encoder::emit(InstructionId id, const machine::Encoder::Operands& operands, bool masked) {
    emit(static_cast<Mnemonic>(id), all(operands), masked);
}

void Encoder::emit_streamed(InstructionId id, const machine::Encoder::Operands& operands) {
    const std::size_t begin = code_.getSize();
    emit(id, operands, false);
    const auto first = std::byte{code_.getCode()[begin]};
    const std::size_t opcode = begin + (first == short_vex ? 2u : first == long_vex ? 3u : 4u);
    if ((first != short_vex && first != long_vex && first != evex) ||
        std::byte{code_.getCode()[opcode]} != store_opcode)
        throw InternalError("machine code: a store to stream is encoded as no other");
    streamed_at_.push_back(opcode);
    ++result_.streaming_stores;
}

void Encoder::move(Bank bank, unsigned bytes, Physical to, Physical from) {
    if (to == from) return;
    if (bank == Bank::general) return emit(Mnemonic::mov, {general(to, 8), general(from, 8)});
    emit(avx() ? Mnemonic::vmovaps : Mnemonic::movaps, {vector(to, bytes), vector(from, bytes)});
}

void Encoder::save(Bank bank, unsigned bytes, std::uint64_t offset, Physical from) {
    ++result_.spills;
    if (bank == Bank::general) return emit(Mnemonic::mov, {frame(offset, 8), general(from, 8)});
    emit(avx() ? Mnemonic::vmovaps : Mnemonic::movaps, {frame(offset, bytes), vector(from, bytes)});
}

void Encoder::restore(Bank bank, unsigned bytes, Physical to, std::uint64_t offset) {
    ++result_.reloads;
    if (bank == Bank::general) return emit(Mnemonic::mov, {general(to, 8), frame(offset, 8)});
    emit(avx() ? Mnemonic::vmovaps : Mnemonic::movaps, {vector(to, bytes), frame(offset, bytes)});
}

void Encoder::load_constant(unsigned bytes, Physical to, std::uint64_t offset) {
    emit(avx() ? Mnemonic::vmovaps : Mnemonic::movaps, {vector(to, bytes), constant(offset, bytes)});
}

// Not by xor: the flags may be in use.
void Encoder::load_immediate(Physical to, std::uint64_t value) {
    const unsigned bytes = value <= 0xffffffffu ? 4 : 8;
    emit(Mnemonic::mov, {general(to, bytes), number(static_cast<std::int64_t>(value))});
}

void Encoder::clear(Bank bank, unsigned bytes, Physical reg) {
    if (bank == Bank::general) return load_immediate(reg, 0);
    const MachineOperand it = vector(reg, bytes);
    if (avx())
        emit(Mnemonic::vxorps, {it, it, it});
    else
        emit(Mnemonic::xorps, {it, it});
}

void Encoder::add_to(Physical counter, const PlacedOperand& step) {
    emit(Mnemonic::add, {general(counter, 8), operand(step)});
}

bool Encoder::is_sum(InstructionId id) const { return static_cast<Mnemonic>(id) == Mnemonic::add; }

void Encoder::add_beside(Physical to, Physical a, const PlacedOperand& b, unsigned bytes) {
    const Xbyak::Reg64 from(a);
    const Xbyak::RegExp place =
        b.kind == OperandKind::reg ? from + Xbyak::Reg64(b.reg) : from + static_cast<std::size_t>(b.immediate);
    emit(Mnemonic::lea, {general(to, bytes), memory(place, 8)});
}

InstructionId Encoder::over_next(InstructionId id) const {
    switch (static_cast<Mnemonic>(id)) {
        case Mnemonic::vpermi2ps: return static_cast<InstructionId>(Mnemonic::vpermt2ps);
        case Mnemonic::vpermi2w: return static_cast<InstructionId>(Mnemonic::vpermt2w);
        default: return 0;
    }
}

/// From the form 213 to 231.
InstructionId Encoder::over_sum(InstructionId fused) const {
    switch (static_cast<Mnemonic>(fused)) {
#define SEICHE_FUSED(name, kind)       \
    case Mnemonic::v##name##213##kind: \
        return static_cast<InstructionId>(Mnemonic::v##name##231##kind);
#define SEICHE_FUSED_KINDS(name) \
    SEICHE_FUSED(name, ss) SEICHE_FUSED(name, ps) SEICHE_FUSED(name, sd) SEICHE_FUSED(name, pd)
        SEICHE_FUSED_KINDS(fmadd)
        SEICHE_FUSED_KINDS(fmsub)
        SEICHE_FUSED_KINDS(fnmadd)
        SEICHE_FUSED_KINDS(fnmsub)
#undef SEICHE_FUSED_KINDS
#undef SEICHE_FUSED
        default: throw InternalError("machine code: no fused product and sum");
    }
}

Label Encoder::new_label() {
    labels_.emplace_back();
    return static_cast<Label>(labels_.size() - 1);
}

void Encoder::jump_if_zero(Physical condition, Label to) {
    emit(Mnemonic::test, {general(condition, 4), general(condition, 4)});
    code_.jz(labels_[to], Xbyak::CodeGenerator::T_NEAR);
}

void Encoder::compare(const PlacedOperand& left, const PlacedOperand& right, Relation relation) {
    const MachineOperand a = operand(left), b = operand(right);
    const bool by_zero = b.kind == Kind::number && b.number == 0;
    if (by_zero && (relation == Relation::equal || relation == Relation::not_equal))
        emit(Mnemonic::test, {a, a});
    else
        emit(Mnemonic::cmp, {a, b});
}

void Encoder::jump_unless(Relation relation, Label label) {
    ++result_.instructions;
    const Xbyak::Label& to = labels_[label];
    switch (relation) {
        case Relation::equal: return code_.jne(to);
        case Relation::not_equal: return code_.je(to);
        case Relation::below: return code_.jae(to);
        case Relation::below_equal: return code_.ja(to);
        case Relation::less: return code_.jge(to);
        case Relation::less_equal: return code_.jg(to);
        case Relation::none: break;
    }
}

void Encoder::set(Relation relation, Physical to) {
    const Mnemonic ids[] = {Mnemonic::none,  Mnemonic::setz, Mnemonic::setnz, Mnemonic::setb,
                            Mnemonic::setbe, Mnemonic::setl, Mnemonic::setle};
    emit(ids[static_cast<std::size_t>(relation)], {fixed(Fixed::rax, 1)});
    emit(Mnemonic::movzx, {general(to, 4), fixed(Fixed::rax, 1)});
}

void Encoder::call(const Instruction& call) {
    using Xbyak::Operand;
    const auto result = static_cast<std::uint64_t>(call.operands[1].immediate);
    emit(Mnemonic::lea, {general(Operand::RDI, 8), frame(result, 8)});
    emit(Mnemonic::lea, {general(Operand::RSI, 8), frame(result + machine::call_room_bytes, 8)});
    emit(Mnemonic::lea, {general(Operand::RDX, 8), frame(result + 2 * machine::call_room_bytes, 8)});
    emit(Mnemonic::lea, {general(Operand::RCX, 8), frame(result + 3 * machine::call_room_bytes, 8)});
    emit(Mnemonic::mov, {general(Operand::R8, 4), number(call.operands[2].immediate)});
    const std::uint32_t word = machine_.word_of(HeaderWord::functions);
    emit(Mnemonic::mov, {general(Operand::RAX, 8), frame(machine::header_place(word), 8)});
    if (avx()) emit(Mnemonic::vzeroupper, {});
    emit(Mnemonic::call, {memory(rax + static_cast<std::size_t>(8 * call.operands[0].immediate), 8)});
}

}  // namespace seiche::emit::x86
