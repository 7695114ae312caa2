// Where each virtual register is needed next.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/machine/machine.hpp"

namespace seiche::emit::machine {

/// Positions are those of instructions. What is made ahead of a loop and used in it is used at the loop's end too,
/// since the next turn uses it again; what can be made again counts as made ahead of everything.
class NextUses {
public:
    static constexpr std::uint32_t never = 0xffffffffu;

    explicit NextUses(const Machine& machine);
    /// The first use behind `position`, which may not become smaller from one call to the next.
    std::uint32_t after(Reg reg, std::uint32_t position);
    /// Of a value that is used.
    std::uint32_t last(Reg reg) const { return uses_[reg].empty() ? 0 : uses_[reg].back(); }
    /// The end of the bracket that begins there: the loop_end, the if_else or if_end.
    std::uint32_t end_of(std::uint32_t begin) const { return ends_[begin]; }
    /// What a loop, by the position of its beginning, uses of what is made ahead of it.
    const std::vector<Reg>& externals(std::uint32_t begin) const { return externals_[begin]; }
    /// The most values of a bank that are alive at once between two positions.
    std::uint32_t most_alive(Bank bank, std::uint32_t from, std::uint32_t to) const;

private:
    void count_alive(const Machine& machine);

    std::vector<std::vector<std::uint32_t>> uses_;
    std::vector<std::uint32_t> next_, made_, ends_;
    std::vector<std::vector<Reg>> externals_;
    std::vector<std::uint16_t> alive_[2];
};

/// Calls `f` with every virtual register that the instruction reads.
template <class F>
void for_each_read(const Instruction& i, F&& f) {
    const unsigned first = i.writes() || i.form == Form::loop_begin ? 1 : 0;
    for (unsigned k = 0; k < i.count; ++k) {
        const Operand& o = i.operands[k];
        if (o.reg != no_reg && (k >= first || o.kind != OperandKind::reg)) f(o.reg);
        if (o.index != no_reg) f(o.index);
    }
}

}  // namespace seiche::emit::machine
