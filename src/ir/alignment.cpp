// Low bits of integers that are certainly zero, by one walk over the code.
#include "ir/verify.hpp"

#include <algorithm>
#include <bit>

namespace seiche::ir {

namespace {

constexpr unsigned most = 63;

unsigned zero_bits(const Kernel& kernel, const Instruction& i, const std::vector<unsigned>& known) {
    const auto of = [&](unsigned k) { return known[i.operands[k]]; };
    switch (i.op) {
        case Op::constant: return i.immediate == 0 ? most : static_cast<unsigned>(std::countr_zero(i.immediate));
        case Op::add:
        case Op::sub:
        case Op::bit_or:
        case Op::bit_xor: return std::min(of(0), of(1));
        case Op::loop_begin: return std::min(of(0), of(2));
        case Op::bit_and: return std::max(of(0), of(1));
        case Op::mul: return std::min(most, of(0) + of(1));
        case Op::mad: return std::min({most, of(0) + of(1), of(2)});
        case Op::select: return std::min(of(1), of(2));
        case Op::convert: return i.type.is_integer() && kernel.code[i.operands[0]].type.is_integer() ? of(0) : 0;
        case Op::shift_left: {
            const Instruction& count = kernel.code[i.operands[1]];
            return count.op == Op::constant
                       ? static_cast<unsigned>(std::min<std::uint64_t>(most, of(0) + count.immediate))
                       : 0;
        }
        default: return 0;
    }
}

}  // namespace

std::vector<unsigned> zero_low_bits(const Kernel& kernel) {
    std::vector<unsigned> known;
    known.reserve(kernel.code.size());
    for (const Instruction& i : kernel.code) known.push_back(zero_bits(kernel, i, known));
    return known;
}

}  // namespace seiche::ir
