// Addresses that need more than one instruction, jumps, calls and the frame.
#include "emit/arm64/encoder.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "emit/arm64/words.hpp"
#include "emit/machine/entry.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::arm64 {

namespace {

using machine::nowhere;

constexpr Physical x0 = 0, x16 = 16, x17 = 17, sp = 31;

PlacedOperand general(std::uint32_t reg, unsigned bytes = 8) {
    return machine::placed(Bank::general, static_cast<Physical>(reg), bytes);
}
PlacedOperand vector(Physical reg) { return machine::placed(Bank::vector, reg, vector_bytes); }
PlacedOperand in_frame(std::uint64_t place) { return machine::placed_at(OperandKind::frame, place, 8); }
PlacedOperand behind(std::uint32_t reg, std::uint64_t displacement) {
    PlacedOperand o = machine::placed_at(OperandKind::memory, displacement, 8);
    o.reg = static_cast<Physical>(reg);
    return o;
}

constexpr std::uint32_t add_extended = 0x8b206000u;  ///< ADD x, x or sp, x, UXTX #: what takes the stack pointer

}  // namespace

Encoder::Encoder(const Machine& machine) : machine_(machine) { begin(); }

machine::RegisterSets Encoder::registers() const {
    constexpr std::uint32_t kept = 0x1ff80000u;         // x19 to x28
    return {{0xffffu | kept, 0xffffffffu}, {kept, 0}};  // of v8 to v15 calls keep the low halves alone
}

void Encoder::put(std::uint32_t word) {
    words_.push_back(word);
    ++result_.instructions;
}

void Encoder::put(Mnemonic id, const Operands& operands) { put(word_of(id, operands)); }

void Encoder::emit(InstructionId id, const Operands& operands, bool) {
    const auto mnemonic = static_cast<Mnemonic>(id);
    const unsigned bytes = moved_bytes(mnemonic);
    if (bytes == 0) return put(mnemonic, operands);
    // What is stored comes second, as what is loaded comes first.
    const bool stores = operands[0].kind != OperandKind::reg;
    const PlacedOperand place = reachable(operands[stores ? 0 : 1], bytes);
    put(mnemonic, {operands[stores ? 1 : 0], place});
}

InstructionId Encoder::over_sum(InstructionId) const {
    throw InternalError("machine code: a fused product and sum overwrites its sum always");
}

void Encoder::add_beside(Physical, Physical, const PlacedOperand&, unsigned) {
    throw InternalError("machine code: sums have three operands always");
}

// ---- Addresses and numbers

void Encoder::add_number(Physical to, Physical from, std::uint64_t value) {
    constexpr std::uint64_t most = most_immediate << 12 | most_immediate;
    if (value > most) {
        load_immediate(x17, value);
        return put(add_extended | to | std::uint32_t{from} << 5 | x17 << 16);
    }
    const std::uint64_t low = value & most_immediate, high = value - low;
    const auto add = [&](Physical a, std::uint64_t b) {
        put(Mnemonic::add_immediate, {general(to), general(a), machine::placed_number(static_cast<std::int64_t>(b))});
    };
    if (high != 0) add(from, high);
    if (low != 0 || high == 0) add(high != 0 ? to : from, low);
}

PlacedOperand Encoder::reachable(const PlacedOperand& memory, unsigned bytes) {
    PlacedOperand place = memory;
    const bool is_of_frame = memory.kind == OperandKind::frame;
    if (memory.index != nowhere) {
        const bool is_simple =
            !is_of_frame && memory.immediate == 0 && (memory.shift == 0 || 1u << memory.shift == bytes);
        if (is_simple) return place;
        const std::uint32_t base = is_of_frame ? sp : memory.reg;
        put(add_extended | x16 | base << 5 | std::uint32_t{memory.index} << 16 | std::uint32_t{memory.shift} << 10);
        place = behind(x16, static_cast<std::uint64_t>(memory.immediate));
    }
    if (is_reached(place.immediate, bytes)) return place;
    const auto base = static_cast<Physical>(place.kind == OperandKind::frame ? sp : place.reg);
    const auto displacement = static_cast<std::uint64_t>(place.immediate);
    const std::uint64_t low = displacement & most_immediate;
    const bool splits = displacement >> 24 == 0 && is_reached(static_cast<std::int64_t>(low), bytes);
    add_number(x16, base, splits ? displacement - low : displacement);
    return behind(x16, splits ? low : 0);
}

// Not by way of the flags, which may be in use.
void Encoder::load_immediate(Physical to, std::uint64_t value) {
    constexpr std::uint32_t movz = 0xd2800000u, movn = 0x92800000u, movk = 0xf2800000u;
    constexpr unsigned parts = 4, part_bits = 16;
    const auto part = [&](unsigned k) { return static_cast<std::uint32_t>(value >> part_bits * k & 0xffff); };
    unsigned zeros = 0, ones = 0;
    for (unsigned k = 0; k < parts; ++k) {
        zeros += part(k) == 0 ? 1 : 0;
        ones += part(k) == 0xffff ? 1 : 0;
    }
    const bool inverts = ones > zeros;
    const std::uint32_t skipped = inverts ? 0xffff : 0;
    bool is_first = true;
    for (unsigned k = 0; k < parts; ++k) {
        const bool is_last_chance = k + 1 == parts && is_first;
        if (part(k) == skipped && !is_last_chance) continue;
        const std::uint32_t what = is_first && inverts ? part(k) ^ 0xffff : part(k);
        put((!is_first ? movk : inverts ? movn : movz) | k << 21 | what << 5 | to);
        is_first = false;
    }
}

void Encoder::load_constant(unsigned, Physical to, std::uint64_t offset) {
    constexpr std::uint32_t ldr_q_literal = 0x9c000000u;
    references_.push_back({here(), true, true, static_cast<std::uint32_t>(offset)});
    put(ldr_q_literal | to);
}

void Encoder::clear(Bank bank, unsigned, Physical to) {
    if (bank == Bank::general) return load_immediate(to, 0);
    put(Mnemonic::clear, {vector(to)});
}

void Encoder::move(Bank bank, unsigned, Physical to, Physical from) {
    if (to == from) return;
    if (bank == Bank::general) return put(Mnemonic::move, {general(to), general(from)});
    put(Mnemonic::move_vector, {vector(to), vector(from)});
}

void Encoder::save(Bank bank, unsigned, std::uint64_t place, Physical from) {
    ++result_.spills;
    const bool is_general = bank == Bank::general;
    emit(static_cast<InstructionId>(is_general ? Mnemonic::str_x : Mnemonic::str_q),
         {in_frame(place), is_general ? general(from) : vector(from)}, false);
}

void Encoder::restore(Bank bank, unsigned, Physical to, std::uint64_t place) {
    ++result_.reloads;
    const bool is_general = bank == Bank::general;
    emit(static_cast<InstructionId>(is_general ? Mnemonic::ldr_x : Mnemonic::ldr_q),
         {is_general ? general(to) : vector(to), in_frame(place)}, false);
}

void Encoder::add_to(Physical counter, const PlacedOperand& step) {
    if (step.kind == OperandKind::reg)
        put(Mnemonic::add, {general(counter), general(counter), general(step.reg)});
    else
        add_number(counter, counter, static_cast<std::uint64_t>(step.immediate));
}

// ---- Comparisons and jumps

void Encoder::compare(const PlacedOperand& a, const PlacedOperand& b, Relation) {
    const unsigned bytes = a.bytes;
    const auto value = static_cast<std::uint64_t>(b.immediate);
    if (b.kind == OperandKind::immediate && value <= most_immediate) return put(Mnemonic::cmp_immediate, {a, b});
    Physical with = b.reg;
    if (b.kind == OperandKind::immediate) {
        with = x17;
        load_immediate(with, bytes == 8 ? value : value & 0xffffffffu);
    } else if (b.kind != OperandKind::reg) {
        with = x17;
        emit(static_cast<InstructionId>(Mnemonic::ldr_x), {general(with), b}, false);
    }
    put(Mnemonic::cmp, {a, general(with, bytes)});
}

void Encoder::jump_if(std::uint32_t condition, Label to) {
    constexpr std::uint32_t conditional = 0x54000000u;
    references_.push_back({here(), true, false, to});
    put(conditional | condition);
}

void Encoder::jump_unless(Relation relation, Label to) { jump_if(opposite_of(condition_of(relation)), to); }

void Encoder::jump_always(Label to) {
    constexpr std::uint32_t always = 0x14000000u;
    references_.push_back({here(), false, false, to});
    put(always);
}

void Encoder::jump_if_zero(Physical condition, Label to) {
    constexpr std::uint32_t cbz_w = 0x34000000u;
    references_.push_back({here(), true, false, to});
    put(cbz_w | condition);
}

void Encoder::set(Relation relation, Physical to) {
    constexpr std::uint32_t cset_w = 0x1a9f07e0u;
    put(cset_w | opposite_of(condition_of(relation)) << 12 | to);
}

Label Encoder::new_label() {
    labels_.push_back(unbound);
    return static_cast<Label>(labels_.size() - 1);
}

void Encoder::resolve() {
    constexpr std::int64_t short_reach = 1 << 18, long_reach = 1 << 25;  // in words, either way
    constexpr unsigned word_bytes = 4;
    for (const Reference& r : references_) {
        const std::uint32_t to = r.is_constant ? here() + r.place / word_bytes : labels_[r.place];
        const std::int64_t distance = std::int64_t{to} - r.at, reach = r.is_short ? short_reach : long_reach;
        if (distance < -reach || distance >= reach)
            throw Unsupported(
                "machine code: the kernel is longer than 1 MiB, expected less; the device 'reference' runs it");
        if (r.is_short)
            words_[r.at] |= (static_cast<std::uint32_t>(distance) & 0x7ffffu) << 5;
        else
            words_[r.at] |= static_cast<std::uint32_t>(distance) & 0x3ffffffu;
    }
}

// ---- The frame, and calls

/// x19 to x30 and the low halves of v8 to v15, from the stack pointer on. x29 and x30 come first, as unwinders expect.
void Encoder::save_kept(bool restores) {
    constexpr std::uint32_t stp_x = 0xa9000000u, stp_d = 0x6d000000u, loads = 1u << 22;
    const auto pair = [&](std::uint32_t kind, std::uint32_t first, std::uint32_t second, std::uint32_t word) {
        put(kind | (restores ? loads : 0) | word << 15 | second << 10 | sp << 5 | first);
    };
    for (std::uint32_t k = 0; k < 10; k += 2) pair(stp_x, 19 + k, 20 + k, 2 + k);
    for (std::uint32_t k = 0; k < 8; k += 2) pair(stp_d, 8 + k, 9 + k, 12 + k);
}

// The stack grows page by page, each of which is touched, so that a stack that is too small ends at its guard page and
// not in memory beyond.
void Encoder::begin() {
    constexpr std::uint32_t open = 0xa9b67bfdu,  // stp x29, x30, [sp, #-160]!
        frame_pointer = 0x910003fdu,             // mov x29, sp
        movz_x16 = 0xd2800010u, movk_x16 = 0xf2a00010u,
                            below = 0xcb3063f0u,  // sub x16, sp, x16
        aligned_down = 0x927ae610u,               // and x16, x16, #-64
        page_down = 0xd14007ffu,                  // sub sp, sp, #4096
        reached = 0xeb3063ffu,                    // cmp sp, x16
        touch = 0xf90003ffu,                      // str xzr, [sp]
        there = 0x9100021fu;                      // mov sp, x16
    put(open);
    put(frame_pointer);
    save_kept(false);
    frame_at_ = here();
    for (const std::uint32_t word : {movz_x16, movk_x16, below, aligned_down}) put(word);
    const Label next = new_label(), end = new_label();
    bind(next);
    put(page_down);
    put(reached);
    jump_if(number_of(Condition::ls), end);
    put(touch);
    jump_always(next);
    bind(end);
    put(there);
    const auto keep = [&](std::uint32_t from, std::size_t place, std::uint32_t word) {
        const auto load = static_cast<InstructionId>(Mnemonic::ldr_x),
                   store = static_cast<InstructionId>(Mnemonic::str_x);
        emit(load, {general(2), behind(from, place)}, false);
        emit(store, {in_frame(machine::header_place(word)), general(2)}, false);
    };
    put(Mnemonic::ldr_x, {general(1), behind(x0, offsetof(machine::Call, arguments))});
    for (std::uint32_t w = 0; w < machine_.argument_words; ++w) keep(1, std::size_t{8} * w, w);
    using machine::Call;
    constexpr std::size_t places[] = {offsetof(Call, groups),   offsetof(Call, groups) + 8, offsetof(Call, groups) + 16,
                                      offsetof(Call, first),    offsetof(Call, last),       offsetof(Call, shared),
                                      offsetof(Call, functions)};
    static_assert(std::size(places) == static_cast<std::size_t>(HeaderWord::count));
    for (std::uint32_t k = 0; k < std::size(places); ++k) keep(x0, places[k], machine_.argument_words + k);
}

void Encoder::call(const Instruction& call) {
    constexpr std::uint32_t blr_x16 = 0xd63f0200u;
    const auto result = static_cast<std::uint64_t>(call.operands[1].immediate);
    for (Physical k = 0; k < 4; ++k) add_number(k, sp, result + std::uint64_t{k} * machine::call_room_bytes);
    load_immediate(4, static_cast<std::uint64_t>(call.operands[2].immediate));
    const auto load = static_cast<InstructionId>(Mnemonic::ldr_x);
    emit(load, {general(x16), in_frame(machine::header_place(machine_.word_of(HeaderWord::functions)))}, false);
    emit(load, {general(x16), behind(x16, static_cast<std::uint64_t>(8 * call.operands[0].immediate))}, false);
    put(blr_x16);
}

Code Encoder::finish(std::uint64_t frame_bytes) {
    constexpr std::uint32_t from_frame_pointer = 0x910003bfu,  // mov sp, x29
        close = 0xa8ca7bfdu,                                   // ldp x29, x30, [sp], #160
        ret = 0xd65f03c0u;
    constexpr std::size_t words_of_line = 16;
    put(from_frame_pointer);
    save_kept(true);
    put(close);
    put(ret);
    while (words_.size() % words_of_line != 0) words_.push_back(0);
    resolve();
    words_[frame_at_] |= static_cast<std::uint32_t>(frame_bytes & 0xffff) << 5;
    words_[frame_at_ + 1] |= static_cast<std::uint32_t>(frame_bytes >> 16 & 0xffff) << 5;
    result_.bytes.resize(4 * words_.size() + machine_.constants.size());
    for (std::size_t k = 0; k < words_.size(); ++k)
        for (unsigned byte = 0; byte < 4; ++byte)
            result_.bytes[4 * k + byte] = static_cast<std::byte>(words_[k] >> 8 * byte & 0xff);
    std::copy(machine_.constants.begin(), machine_.constants.end(),
              result_.bytes.begin() + static_cast<std::ptrdiff_t>(4 * words_.size()));
    result_.frame_bytes = frame_bytes;
    return std::move(result_);
}

}  // namespace seiche::emit::arm64
