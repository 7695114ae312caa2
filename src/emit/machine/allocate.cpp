// Allocation of registers in one walk, on code whose brackets are straight inside.
#include "emit/machine/allocate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "emit/machine/next_uses.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::machine {

namespace {

constexpr std::uint64_t no_place = ~std::uint64_t{0};

class Allocator {
public:
    Allocator(const Machine& machine, Encoder& encoder)
        : machine_(machine),
          uses_(machine),
          encoder_(encoder),
          registers_(encoder.registers()),
          where_(machine.regs.size(), nowhere),
          place_(machine.regs.size(), no_place),
          is_saved_(machine.regs.size()),
          frame_(machine.frame_bytes) {
        holder_[0].fill(no_reg);
        holder_[1].fill(no_reg);
    }

    Code run() {
        for (at_ = 0; at_ < machine_.code.size(); ++at_) {
            pinned_[0] = pinned_[1] = 0;
            step(machine_.code[at_]);
            for (const auto& [size, place] : left_places_) free_places_[size].push_back(place);
            left_places_.clear();
        }
        constexpr std::uint64_t alignment = 64;
        return encoder_.finish((frame_ + alignment - 1) / alignment * alignment + alignment);
    }

private:
    struct Snapshot {
        std::array<std::array<Reg, 32>, 2> holder;
        std::size_t log = 0;
        Label head = 0, end = 0;
        std::uint32_t begin = 0;
        bool has_else = false;
    };

    static std::size_t bank_of(const RegInfo& info) { return static_cast<std::size_t>(info.bank); }
    const RegInfo& info(Reg reg) const { return machine_.regs[reg]; }
    std::size_t bank(Reg reg) const { return bank_of(info(reg)); }
    std::uint32_t next(Reg reg) { return uses_.after(reg, at_); }

    // ---- Places

    void put(Reg reg, Physical p) {
        where_[reg] = p;
        holder_[bank(reg)][p] = reg;
    }
    void leave(Reg reg) {
        if (where_[reg] == nowhere) return;
        holder_[bank(reg)][where_[reg]] = no_reg;
        where_[reg] = nowhere;
    }
    void pin(Reg reg) { pinned_[bank(reg)] |= 1u << where_[reg]; }

    std::uint64_t place_of(Reg reg) {
        if (place_[reg] != no_place) return place_[reg];
        const unsigned bytes = info(reg).bank == Bank::general ? 8 : info(reg).bytes;
        std::vector<std::uint64_t>& free = free_places_[static_cast<std::size_t>(std::countr_zero(bytes))];
        if (!free.empty()) {
            place_[reg] = free.back();
            free.pop_back();
        } else {
            frame_ = (frame_ + bytes - 1) / bytes * bytes;
            place_[reg] = frame_;
            frame_ += bytes;
        }
        return place_[reg];
    }

    void save(Reg reg) {
        if (is_saved_[reg] || info(reg).can_be_made_again()) return;
        encoder_.save(info(reg).bank, info(reg).bytes, place_of(reg), where_[reg]);
        is_saved_[reg] = true;
        log_.push_back(reg);
    }

    void evict(Reg reg) {
        save(reg);
        leave(reg);
    }

    void forget(Reg reg) {
        leave(reg);
        is_saved_[reg] = false;
        if (place_[reg] == no_place) return;
        // Free behind this instruction, which may read it still.
        const unsigned bytes = info(reg).bank == Bank::general ? 8 : info(reg).bytes;
        left_places_.emplace_back(static_cast<std::size_t>(std::countr_zero(bytes)), place_[reg]);
        place_[reg] = no_place;
    }

    void forget_if_dead(Reg reg) {
        if (next(reg) == NextUses::never) forget(reg);
    }

    /// The larger, the sooner a value leaves its register. What lives longest goes first: it is written to memory once,
    /// while values that end soon would be written too and hardly read. What is in memory already, or can be made
    /// again, costs no store and also goes by its next use. Measured: docs/lab, LAB-0001.
    std::uint64_t readiness(Reg reg) {
        constexpr std::uint64_t made_again_is_cheap = 4;
        const std::uint64_t to_next = next(reg) - std::uint64_t{at_}, to_end = uses_.last(reg) - std::uint64_t{at_};
        if (info(reg).can_be_made_again()) return made_again_is_cheap * to_next;
        return is_saved_[reg] ? to_next + to_end : to_end;
    }

    /// A register that nothing holds; if need be the value leaves it that is the readiest.
    Physical vacant(std::size_t b) {
        const std::uint32_t usable = registers_.allocated[b] & ~pinned_[b];
        Physical best = nowhere;
        std::uint64_t most = 0;
        for (std::uint32_t left = usable; left != 0; left &= left - 1) {
            const auto p = static_cast<Physical>(std::countr_zero(left));
            const Reg reg = holder_[b][p];
            if (reg == no_reg) return p;
            const std::uint64_t ready = readiness(reg);
            if (best == nowhere || ready > most) best = p, most = ready;
        }
        if (best == nowhere) throw InternalError("machine code: an instruction needs more registers than there are");
        evict(holder_[b][best]);
        return best;
    }

    bool has_vacancy(std::size_t b) const {
        for (std::uint32_t left = registers_.allocated[b] & ~pinned_[b]; left != 0; left &= left - 1)
            if (holder_[b][static_cast<std::size_t>(std::countr_zero(left))] == no_reg) return true;
        return false;
    }

    void fill(Reg reg, Physical p) {
        const RegInfo& of = info(reg);
        if (of.constant != no_reg)
            encoder_.load_constant(of.bytes, p, of.constant);
        else if (of.argument != no_reg)
            encoder_.restore(Bank::general, 8, p, header_place(of.argument));
        else if (of.is_immediate)
            encoder_.load_immediate(p, of.immediate);
        else if (is_saved_[reg])
            encoder_.restore(of.bank, of.bytes, p, place_[reg]);
        else
            throw InternalError("machine code: a value is used that is nowhere");
    }

    /// The value in a register, which stays so until the instruction's end.
    Physical need(Reg reg) {
        if (where_[reg] == nowhere) {
            const Physical p = vacant(bank(reg));
            fill(reg, p);
            put(reg, p);
        }
        pin(reg);
        return where_[reg];
    }

    // ---- Operands

    PlacedOperand in(Physical p, const Operand& o) const { return placed(machine_.regs[o.reg].bank, p, o.bytes); }

    void need_registers(const Operand& o) {
        if (o.reg != no_reg) need(o.reg);
        if (o.index != no_reg) need(o.index);
    }

    PlacedOperand encoded(const Operand& o) const {
        PlacedOperand result;
        result.kind = o.kind;
        result.bytes = o.bytes;
        result.shift = o.shift;
        result.fixed = o.fixed;
        result.immediate = o.immediate;
        if (o.reg != no_reg) {
            result.bank = info(o.reg).bank;
            result.reg = where_[o.reg];
        }
        if (o.index != no_reg) result.index = where_[o.index];
        return result;
    }

    /// Whether the last operand is read from memory rather than loaded: it is not in a register, and is not used again
    /// or would drive another value out.
    bool reads_from_memory(const Instruction& i, const Operand& o) {
        if (!i.reads_memory_last || o.kind != OperandKind::reg || where_[o.reg] != nowhere) return false;
        const RegInfo& of = info(o.reg);
        if (of.is_immediate) return false;
        return next(o.reg) == NextUses::never || !has_vacancy(bank(o.reg));
    }

    PlacedOperand in_memory(const Operand& o) const {
        const RegInfo& of = info(o.reg);
        const unsigned bytes = of.bank == Bank::general ? o.bytes : 0;
        if (of.constant != no_reg) return placed_at(OperandKind::constant, of.constant, bytes);
        return placed_at(OperandKind::frame, of.argument != no_reg ? header_place(of.argument) : place_[o.reg], bytes);
    }

    void read_operand_registers(const Instruction& i, unsigned first, unsigned last) {
        for (unsigned k = first; k < last; ++k) need_registers(i.operands[k]);
    }

    void forget_dead_operands(const Instruction& i) {
        for_each_read(i, [&](Reg reg) { forget_if_dead(reg); });
    }

    Physical make(Reg reg) {
        const Physical p = vacant(bank(reg));
        put(reg, p);
        return p;
    }

    // ---- Instructions

    void step(const Instruction& i) {
        switch (i.form) {
            case Form::effect: return effect(i);
            case Form::store_if: return store_if(i);
            case Form::set: return set(i);
            case Form::load_if: return load_if(i);
            case Form::plain:
            case Form::masked: return plain(i);
            case Form::tied:
            case Form::tied_commutes: return tied(i);
            case Form::fused: return fused(i);
            case Form::loop_begin: return begin_loop(i);
            case Form::loop_end: return end_loop(i);
            case Form::if_begin: return begin_if(i);
            case Form::if_else: return turn_to_else(i);
            case Form::if_end: return end_if(i);
            case Form::call: return call(i);
        }
    }

    void effect(const Instruction& i) {
        read_operand_registers(i, 0, i.count);
        Encoder::Operands operands;
        for (unsigned k = 0; k < i.count; ++k) operands.push_back(encoded(i.operands[k]));
        if (i.may_stream)
            encoder_.emit_streamed(i.id, operands);
        else
            encoder_.emit(i.id, operands);
        forget_dead_operands(i);
    }

    void test(const Instruction& i, std::size_t which, unsigned first) {
        encoder_.compare(encoded(i.operands[first]), encoded(i.operands[first + 1]), i.tests[which]);
    }

    /// Jumps where one of the tests, whose operands are from `first` on, does not hold.
    void jump_unless(const Instruction& i, unsigned first, Label to) {
        for (std::size_t t = 0; t < i.tests.size() && i.tests[t] != Relation::none; ++t) {
            test(i, t, first + 2 * static_cast<unsigned>(t));
            encoder_.jump_unless(i.tests[t], to);
        }
    }

    // All operands are in registers before the jump, and no value changes its place behind it.
    void store_if(const Instruction& i) {
        read_operand_registers(i, 0, i.count);
        const Label end = encoder_.new_label();
        jump_unless(i, 2, end);
        encoder_.emit(i.id, {encoded(i.operands[0]), encoded(i.operands[1])});
        encoder_.bind(end);
        forget_dead_operands(i);
    }

    void load_if(const Instruction& i) {
        read_operand_registers(i, 1, i.count);
        const Operand& to = i.operands[0];
        const Physical p = make(to.reg);
        encoder_.clear(info(to.reg).bank, info(to.reg).bytes, p);
        const Label end = encoder_.new_label();
        jump_unless(i, 2, end);
        encoder_.emit(i.id, {in(p, to), encoded(i.operands[1])});
        encoder_.bind(end);
        forget_dead_operands(i);
        forget_if_dead(to.reg);
    }

    void set(const Instruction& i) {
        read_operand_registers(i, 1, i.count);
        test(i, 0, 1);
        forget_dead_operands(i);
        pinned_[0] = pinned_[1] = 0;
        const Physical p = make(i.operands[0].reg);
        encoder_.set(i.tests[0], p);
        forget_if_dead(i.operands[0].reg);
    }

    void plain(const Instruction& i) {
        const unsigned last = i.count - 1;
        read_operand_registers(i, 1, last);
        const bool from_memory = last >= 1 && reads_from_memory(i, i.operands[last]);
        if (last >= 1 && !from_memory) need_registers(i.operands[last]);
        Encoder::Operands operands(1);
        for (unsigned k = 1; k < i.count; ++k)
            operands.push_back(k == last && from_memory ? in_memory(i.operands[k]) : encoded(i.operands[k]));
        forget_dead_operands(i);
        // A register that an operand leaves may take the result.
        pinned_[0] = pinned_[1] = 0;
        for_each_read(i, [&](Reg reg) {
            if (where_[reg] != nowhere) pin(reg);
        });
        const Operand& to = i.operands[0];
        const Physical p = make(to.reg);
        operands[0] = in(p, to);
        encoder_.emit(i.id, operands, i.form == Form::masked);
        forget_if_dead(to.reg);
    }

    /// `to` as a copy of `from`, whose register it takes over if nothing else needs it.
    void copy(const Operand& to, const Operand& from) {
        const Reg old = from.reg;
        const bool dies = next(old) == NextUses::never;
        if (where_[old] != nowhere && dies) {
            const Physical p = where_[old];
            forget(old);
            put(to.reg, p);
        } else if (where_[old] != nowhere) {
            pin(old);
            const Physical p = make(to.reg);
            encoder_.move(info(to.reg).bank, info(to.reg).bytes, p, where_[old]);
        } else {
            const Physical p = make(to.reg);
            fill(old, p);
            if (dies) forget(old);
        }
        pin(to.reg);
    }

    bool dies_in_register(const Operand& o) {
        return o.kind == OperandKind::reg && where_[o.reg] != nowhere && next(o.reg) == NextUses::never;
    }

    /// A shuffle of two registers by a table overwrites the table, or, in another form, the first register.
    bool overwrites_next(const Instruction& i) {
        const InstructionId over_next = encoder_.over_next(i.id);
        if (over_next == 0) return false;
        const Operand &table = i.operands[1], &a = i.operands[2];
        if (!dies_in_register(a) || dies_in_register(table) || a.reg == i.operands[3].reg) return false;
        Instruction other = i;
        other.id = over_next;
        std::swap(other.operands[1], other.operands[2]);
        tied(other);
        return true;
    }

    /// A sum of values that are both needed later is made beside them.
    bool added(const Instruction& i) {
        if (!encoder_.is_sum(i.id)) return false;
        const Operand &a = i.operands[1], &b = i.operands[2];
        if (where_[a.reg] == nowhere || dies_in_register(a)) return false;
        if (b.kind == OperandKind::reg && (where_[b.reg] == nowhere || dies_in_register(b))) return false;
        read_operand_registers(i, 1, i.count);
        const Physical p = make(i.operands[0].reg);
        encoder_.add_beside(p, where_[a.reg], encoded(b), i.operands[0].bytes);
        return true;
    }

    void tied(const Instruction& i) {
        if (overwrites_next(i) || added(i)) return;
        Operand first = i.operands[1], second = i.count > 2 ? i.operands[2] : Operand{};
        if (i.form == Form::tied_commutes && second.kind == OperandKind::reg && !dies_in_register(first) &&
            (dies_in_register(second) || (where_[first.reg] == nowhere && where_[second.reg] != nowhere)))
            std::swap(first, second);
        std::vector<Operand> rest;
        if (i.count > 2) rest.push_back(second);
        for (unsigned k = 3; k < i.count; ++k) rest.push_back(i.operands[k]);
        // What is read from memory, decided before the first operand's register is taken over.
        bool from_memory = false;
        if (where_[first.reg] != nowhere) pin(first.reg);
        Encoder::Operands operands(1);
        for (std::size_t k = 0; k < rest.size(); ++k) {
            const bool is_last = k + 1 == rest.size();
            if (is_last && reads_from_memory(i, rest[k]) && rest[k].reg != first.reg) {
                from_memory = true;
                continue;
            }
            need_registers(rest[k]);
        }
        for (std::size_t k = 0; k < rest.size(); ++k)
            operands.push_back(from_memory && k + 1 == rest.size() ? in_memory(rest[k]) : encoded(rest[k]));
        // Another operand is the first one too: its register must not be taken over before it is read.
        copy(i.operands[0], first);
        for (const Operand& o : rest)
            if (o.kind == OperandKind::reg && o.reg != first.reg) forget_if_dead(o.reg);
        for (const Operand& o : rest)
            if (o.kind != OperandKind::reg) {
                if (o.reg != no_reg) forget_if_dead(o.reg);
                if (o.index != no_reg) forget_if_dead(o.index);
            }
        operands[0] = in(where_[i.operands[0].reg], i.operands[0]);
        encoder_.emit(i.id, operands);
        forget_if_dead(i.operands[0].reg);
    }

    // to = a * b + c
    void fused(const Instruction& i) {
        Operand a = i.operands[1], b = i.operands[2];
        const Operand &to = i.operands[0], &c = i.operands[3];
        const auto is_there = [&](const Operand& o) { return where_[o.reg] != nowhere; };
        const auto dies = [&](const Operand& o) { return next(o.reg) == NextUses::never; };
        need(a.reg);
        need(b.reg);
        if (!dies(a) && dies(b)) std::swap(a, b);
        const bool product_dies = dies(a) && a.reg != c.reg;
        const bool takes_sum = (is_there(c) && dies(c) && c.reg != a.reg && c.reg != b.reg) || !product_dies;
        Encoder::Operands operands(3);
        if (takes_sum) {
            if (is_there(c) && (c.reg == a.reg || c.reg == b.reg)) pin(c.reg);
            operands[1] = encoded(a);
            operands[2] = encoded(b);
            copy_keeping(to, c, c.reg == a.reg || c.reg == b.reg);
        } else {
            const bool from_memory = reads_from_memory(i, c);
            if (!from_memory) need(c.reg);
            operands[1] = encoded(b);
            operands[2] = from_memory ? in_memory(c) : encoded(c);
            copy_keeping(to, a, a.reg == b.reg);
        }
        forget_dead_operands(i);
        operands[0] = in(where_[to.reg], to);
        encoder_.emit(takes_sum ? encoder_.over_sum(i.id) : i.id, operands);
        forget_if_dead(to.reg);
    }

    /// The same as copy, but where `from` is read as another operand too its register is not taken over.
    void copy_keeping(const Operand& to, const Operand& from, bool is_read) {
        if (!is_read || where_[from.reg] == nowhere) return copy(to, from);
        pin(from.reg);
        const Physical p = make(to.reg);
        encoder_.move(info(to.reg).bank, info(to.reg).bytes, p, where_[from.reg]);
        pin(to.reg);
    }

    // ---- Brackets

    Snapshot snapshot(std::uint32_t begin) {
        Snapshot s;
        s.holder = holder_;
        s.log = log_.size();
        s.begin = begin;
        s.head = encoder_.new_label();
        s.end = encoder_.new_label();
        return s;
    }

    /// As it was: values that have not ended are again in their registers, and what is saved since is not.
    void go_back(const Snapshot& s, bool with_code) {
        if (with_code) {
            for (std::size_t b = 0; b < 2; ++b)
                for (std::size_t p = 0; p < 32; ++p) {
                    const Reg reg = s.holder[b][p];
                    if (reg != no_reg && next(reg) != NextUses::never && where_[reg] != nowhere && where_[reg] != p)
                        save(reg);
                }
            for (std::size_t b = 0; b < 2; ++b)
                for (std::size_t p = 0; p < 32; ++p) {
                    const Reg reg = s.holder[b][p];
                    if (reg == no_reg || next(reg) == NextUses::never || where_[reg] == p) continue;
                    fill(reg, static_cast<Physical>(p));
                }
        }
        for (std::size_t b = 0; b < 2; ++b)
            for (const Reg reg : holder_[b])
                if (reg != no_reg) where_[reg] = nowhere;
        holder_[0].fill(no_reg);
        holder_[1].fill(no_reg);
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t p = 0; p < 32; ++p) {
                const Reg reg = s.holder[b][p];
                if (reg != no_reg && next(reg) != NextUses::never) put(reg, static_cast<Physical>(p));
            }
        while (log_.size() > s.log) {
            is_saved_[log_.back()] = false;
            log_.pop_back();
        }
    }

    /// What the loop does not use, and what is too much for it, leaves the registers ahead of it.
    void make_room_for_loop(std::uint32_t begin) {
        const std::uint32_t end = uses_.end_of(begin);
        for (std::size_t b = 0; b < 2; ++b) {
            const auto room = static_cast<std::uint32_t>(std::popcount(registers_.allocated[b]));
            const std::uint32_t most = uses_.most_alive(static_cast<Bank>(b), begin, end);
            if (most <= room) continue;
            std::uint32_t excess = most - room;
            std::vector<std::pair<std::uint32_t, Reg>> by_next;
            for (const Reg reg : holder_[b])
                if (reg != no_reg) by_next.emplace_back(next(reg), reg);
            std::sort(by_next.rbegin(), by_next.rend());
            for (const auto& [use, reg] : by_next) {
                if (excess == 0) break;
                if ((pinned_[b] >> where_[reg] & 1u) != 0) continue;
                evict(reg);
                --excess;
            }
        }
    }

    void begin_loop(const Instruction& i) {
        const Reg counter = i.operands[0].reg, first = i.operands[1].reg, last = i.operands[2].reg;
        make_room_for_loop(at_);
        need(first);
        const Physical p = make_counter(counter, first);
        pinned_[0] |= 1u << p;
        load_what_it_uses(at_);
        compare(counter, last);
        open_.push_back(snapshot(at_));
        Snapshot& s = open_.back();
        encoder_.jump_if_not_below(s.end);
        encoder_.bind(s.head);
    }

    Physical make_counter(Reg counter, Reg first) {
        const bool dies = next(first) == NextUses::never;
        const Physical from = where_[first];
        if (dies) forget(first);
        if (dies) pinned_[0] &= ~(1u << from);
        const Physical p = make(counter);
        encoder_.move(Bank::general, 8, p, from);
        return p;
    }

    /// What can be made again and is used inside is made ahead, where there is room for the whole loop.
    void load_what_it_uses(std::uint32_t begin) {
        const std::uint32_t end = uses_.end_of(begin);
        for (std::size_t b = 0; b < 2; ++b) {
            const auto room = static_cast<std::uint32_t>(std::popcount(registers_.allocated[b]));
            if (uses_.most_alive(static_cast<Bank>(b), begin, end) > room) continue;
            for (const Reg reg : uses_.externals(begin)) {
                if (bank(reg) != b || where_[reg] != nowhere || info(reg).is_immediate || !has_vacancy(b)) continue;
                if (!info(reg).can_be_made_again() && !is_saved_[reg]) continue;
                const Physical p = vacant(b);
                fill(reg, p);
                put(reg, p);
            }
        }
    }

    void compare(Reg counter, Reg last) {
        const RegInfo& of = info(last);
        PlacedOperand end = placed_number(static_cast<std::int64_t>(of.immediate));
        if (where_[last] != nowhere)
            end = placed(Bank::general, where_[last], 8);
        else if (!of.is_immediate)
            end = placed_at(OperandKind::frame, of.argument != no_reg ? header_place(of.argument) : place_[last], 8);
        else if (of.immediate >= 0x80000000u)
            throw Unsupported("machine code: a loop ends beyond 2^31");
        encoder_.compare(placed(Bank::general, where_[counter], 8), end, Relation::below);
    }

    void end_loop(const Instruction& i) {
        Snapshot s = open_.back();
        open_.pop_back();
        const Reg counter = i.operands[0].reg, last = machine_.code[s.begin].operands[2].reg;
        const auto home =
            static_cast<Physical>(std::find(s.holder[0].begin(), s.holder[0].end(), counter) - s.holder[0].begin());
        const std::uint32_t now = at_;
        at_ = now - 1;  // what the next turn needs is alive
        need(counter);
        if (i.operands[1].kind == OperandKind::reg) need(i.operands[1].reg);
        encoder_.add_to(where_[counter], encoded(i.operands[1]));
        is_saved_[counter] = false;
        go_back_to_head(s, counter, home);
        at_ = now;
        compare(counter, last);
        encoder_.jump_if_below(s.head);
        encoder_.bind(s.end);
        forget(counter);
        for (const Reg reg : uses_.externals(s.begin)) forget_if_dead(reg);
        forget_dead_operands(i);
    }

    void go_back_to_head(const Snapshot& s, Reg counter, Physical home) {
        // The counter is not what it was when it was saved, so it moves first.
        if (where_[counter] != home) {
            const Reg in_its_way = holder_[0][home];
            if (in_its_way != no_reg) evict(in_its_way);
            encoder_.move(Bank::general, 8, home, where_[counter]);
            leave(counter);
            put(counter, home);
        }
        go_back(s, true);
    }

    void begin_if(const Instruction& i) {
        const Physical p = need(i.operands[0].reg);
        forget_dead_operands(i);
        open_.push_back(snapshot(at_));
        encoder_.jump_if_zero(p, open_.back().head);
    }

    void turn_to_else(const Instruction&) {
        Snapshot& s = open_.back();
        s.has_else = true;
        go_back(s, true);
        encoder_.jump_always(s.end);
        encoder_.bind(s.head);
    }

    void end_if(const Instruction&) {
        Snapshot& s = open_.back();
        go_back(s, true);
        if (!s.has_else) encoder_.bind(s.head);
        encoder_.bind(s.end);
        open_.pop_back();
    }

    void call(const Instruction& i) {
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t p = 0; p < 32; ++p) {
                const Reg reg = holder_[b][p];
                const bool survives = (registers_.kept_by_calls[b] >> p & 1u) != 0;
                if (reg != no_reg && !survives) evict(reg);
            }
        encoder_.call(i);
    }

    const Machine& machine_;
    NextUses uses_;
    Encoder& encoder_;
    const RegisterSets registers_;
    std::vector<Physical> where_;
    std::vector<std::uint64_t> place_;
    std::vector<char> is_saved_;
    std::array<std::array<Reg, 32>, 2> holder_{};
    std::uint32_t pinned_[2] = {};
    std::vector<std::uint64_t> free_places_[8];
    std::vector<std::pair<std::size_t, std::uint64_t>> left_places_;  ///< By the instruction that is at work.
    std::vector<Reg> log_;                                            ///< What was saved, in order.
    std::vector<Snapshot> open_;
    std::uint64_t frame_;
    std::uint32_t at_ = 0;
};

}  // namespace

void expect_room(const ir::Kernel& kernel, std::uint64_t frame_bytes) {
    if (frame_bytes > most_frame_bytes)
        throw Unsupported("kernel " + kernel.name + ": machine code needs " + std::to_string(frame_bytes) +
                          " bytes of stack, expected at most " + std::to_string(most_frame_bytes) +
                          "; the device 'reference' runs it");
}

Code allocate(const Machine& machine, Encoder& encoder) { return Allocator(machine, encoder).run(); }

}  // namespace seiche::emit::machine
