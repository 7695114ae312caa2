// Liveness of machine code with brackets, in one pass.
#include "emit/machine/next_uses.hpp"

#include <algorithm>

namespace seiche::emit::machine {

namespace {

constexpr std::uint32_t ahead_of_all = 0;  // position p is counted as p + 1

struct OpenLoop {
    std::uint32_t begin;
    std::vector<Reg> externals;
    std::vector<bool> known;
};

}  // namespace

NextUses::NextUses(const Machine& machine)
    : uses_(machine.regs.size()),
      next_(machine.regs.size()),
      made_(machine.regs.size(), ahead_of_all),
      ends_(machine.code.size()),
      externals_(machine.code.size()) {
    std::vector<OpenLoop> loops;
    std::vector<std::uint32_t> ifs;
    const auto use = [&](Reg reg, std::uint32_t at) {
        if (uses_[reg].empty() || uses_[reg].back() != at) uses_[reg].push_back(at);
        for (OpenLoop& loop : loops)
            if (made_[reg] <= loop.begin && !loop.known[reg]) {
                loop.known[reg] = true;
                loop.externals.push_back(reg);
            }
    };
    for (std::uint32_t at = 0; at < machine.code.size(); ++at) {
        const Instruction& i = machine.code[at];
        for_each_read(i, [&](Reg reg) { use(reg, at); });
        if (i.writes() && i.operands[0].kind == OperandKind::reg) made_[i.operands[0].reg] = at + 1;
        switch (i.form) {
            case Form::loop_begin:
                made_[i.operands[0].reg] = at + 1;
                loops.push_back({at, {}, std::vector<bool>(machine.regs.size())});
                // Each turn compares with the end.
                if (i.operands[2].reg != no_reg) use(i.operands[2].reg, at);
                break;
            case Form::loop_end: {
                OpenLoop loop = std::move(loops.back());
                loops.pop_back();
                ends_[loop.begin] = at;
                for (const Reg reg : loop.externals) use(reg, at);
                externals_[loop.begin] = std::move(loop.externals);
                break;
            }
            case Form::if_begin: ifs.push_back(at); break;
            case Form::if_else:
                ends_[ifs.back()] = at;
                ifs.back() = at;
                break;
            case Form::if_end:
                ends_[ifs.back()] = at;
                ifs.pop_back();
                break;
            default: break;
        }
    }
    count_alive(machine);
}

std::uint32_t NextUses::after(Reg reg, std::uint32_t position) {
    std::uint32_t& next = next_[reg];
    while (next < uses_[reg].size() && uses_[reg][next] <= position) ++next;
    return next < uses_[reg].size() ? uses_[reg][next] : never;
}

void NextUses::count_alive(const Machine& machine) {
    const std::size_t n = machine.code.size();
    std::vector<std::int32_t> change[2] = {std::vector<std::int32_t>(n + 2), std::vector<std::int32_t>(n + 2)};
    for (Reg reg = 0; reg < machine.regs.size(); ++reg) {
        if (uses_[reg].empty()) continue;
        auto& of = change[static_cast<std::size_t>(machine.regs[reg].bank)];
        const std::uint32_t from = made_[reg] == ahead_of_all ? uses_[reg].front() : made_[reg] - 1;
        ++of[from];
        --of[uses_[reg].back() + 1];
    }
    for (std::size_t b = 0; b < 2; ++b) {
        std::int32_t now = 0;
        for (std::size_t at = 0; at < n; ++at) {
            now += change[b][at];
            alive_[b].push_back(static_cast<std::uint16_t>(std::min(now, 0xffff)));
        }
    }
}

std::uint32_t NextUses::most_alive(Bank bank, std::uint32_t from, std::uint32_t to) const {
    const auto& alive = alive_[static_cast<std::size_t>(bank)];
    return *std::max_element(alive.begin() + from, alive.begin() + to + 1);
}

}  // namespace seiche::emit::machine
