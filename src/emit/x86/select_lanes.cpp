// Selection of shuffles.
#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

namespace {

/// An instruction in its SSE and its VEX or EVEX form.
struct Names {
    Mnemonic sse, avx;
};

Names names(ShuffleOp op) {
    switch (op) {
        case ShuffleOp::permute_32: return {Mnemonic::pshufd, Mnemonic::vpermilps};
        case ShuffleOp::shuffle_32: return {Mnemonic::shufps, Mnemonic::vshufps};
        case ShuffleOp::shuffle_64: return {Mnemonic::shufpd, Mnemonic::vshufpd};
        case ShuffleOp::unpack_low_16: return {Mnemonic::punpcklwd, Mnemonic::vpunpcklwd};
        case ShuffleOp::unpack_high_16: return {Mnemonic::punpckhwd, Mnemonic::vpunpckhwd};
        case ShuffleOp::unpack_low_32: return {Mnemonic::unpcklps, Mnemonic::vunpcklps};
        case ShuffleOp::unpack_high_32: return {Mnemonic::unpckhps, Mnemonic::vunpckhps};
        case ShuffleOp::unpack_low_64: return {Mnemonic::unpcklpd, Mnemonic::vunpcklpd};
        case ShuffleOp::unpack_high_64: return {Mnemonic::unpckhpd, Mnemonic::vunpckhpd};
        case ShuffleOp::permute_low_16: return {Mnemonic::pshuflw, Mnemonic::vpshuflw};
        case ShuffleOp::permute_high_16: return {Mnemonic::pshufhw, Mnemonic::vpshufhw};
        case ShuffleOp::align_bytes: return {Mnemonic::palignr, Mnemonic::vpalignr};
        case ShuffleOp::blend_16: return {Mnemonic::pblendw, Mnemonic::vpblendw};
        case ShuffleOp::blend_32: return {Mnemonic::blendps, Mnemonic::vblendps};
        case ShuffleOp::shuffle_bytes: return {Mnemonic::pshufb, Mnemonic::vpshufb};
        case ShuffleOp::bit_or: return {Mnemonic::orps, Mnemonic::vorps};
        case ShuffleOp::blend_masked_16: return {Mnemonic::none, Mnemonic::vpblendmw};
        case ShuffleOp::blend_masked_32: return {Mnemonic::none, Mnemonic::vblendmps};
        case ShuffleOp::broadcast_16: return {Mnemonic::none, Mnemonic::vpbroadcastw};
        case ShuffleOp::broadcast_32: return {Mnemonic::none, Mnemonic::vbroadcastss};
        case ShuffleOp::broadcast_64: return {Mnemonic::none, Mnemonic::vbroadcastsd};
        case ShuffleOp::permute_across_64: return {Mnemonic::none, Mnemonic::vpermpd};
        case ShuffleOp::permute_2x128: return {Mnemonic::none, Mnemonic::vperm2f128};
        case ShuffleOp::shuffle_128: return {Mnemonic::none, Mnemonic::vshuff32x4};
        case ShuffleOp::align_across_32: return {Mnemonic::none, Mnemonic::valignd};
        case ShuffleOp::permute_across_16: return {Mnemonic::none, Mnemonic::vpermw};
        case ShuffleOp::permute_across_32: return {Mnemonic::none, Mnemonic::vpermps};
        case ShuffleOp::permute_two_16: return {Mnemonic::none, Mnemonic::vpermi2w};
        case ShuffleOp::permute_two_32: return {Mnemonic::none, Mnemonic::vpermi2ps};
    }
    return {};
}

/// Whether the SSE form leaves its first operand alone.
bool is_separate(ShuffleOp op) {
    return op == ShuffleOp::permute_32 || op == ShuffleOp::permute_low_16 || op == ShuffleOp::permute_high_16;
}

}  // namespace

Reg Selection::shuffle_step(const ShuffleStep& step, const std::vector<Reg>& values, unsigned bytes) {
    const Reg result = vector(bytes);
    const auto reg = [&](Reg r) { return in_register(r, bytes); };
    const Names name = names(step.op);
    const Operand to = reg(result), a = reg(values[step.a]), b = reg(values[step.b]);
    const Reg table = step.constant.empty()
                          ? no_reg
                          : constant(step.constant.data(), static_cast<unsigned>(step.constant.size()), bytes);
    switch (step.op) {
        case ShuffleOp::broadcast_16:
        case ShuffleOp::broadcast_32:
        case ShuffleOp::broadcast_64: emit(Form::plain, name.avx, {to, in_register(values[step.a], 16)}); return result;
        case ShuffleOp::permute_across_16:
        case ShuffleOp::permute_across_32: emit(Form::plain, name.avx, {to, reg(table), a}, true); return result;
        case ShuffleOp::permute_two_16:
        case ShuffleOp::permute_two_32: emit(Form::tied, name.avx, {to, reg(table), a, b}, true); return result;
        case ShuffleOp::shuffle_bytes:
            emit(avx() ? Form::plain : Form::tied, avx() ? name.avx : name.sse, {to, a, reg(table)}, true);
            return result;
        case ShuffleOp::blend_masked_16:
        case ShuffleOp::blend_masked_32:
            emit(Form::effect, Mnemonic::mov,
                 {in_fixed(Fixed::rax, 4), immediate(static_cast<std::int32_t>(step.mask))});
            emit(Form::effect, Mnemonic::kmovd, {in_fixed(Fixed::k1, 8), in_fixed(Fixed::rax, 4)});
            emit(Form::masked, name.avx, {to, a, b});
            return result;
        default: break;
    }
    const bool is_plain = avx() || is_separate(step.op);
    const Mnemonic id = avx() ? name.avx : name.sse;
    const Form form = is_plain ? Form::plain : Form::tied;
    const Operand extra = immediate(step.immediate);
    if (takes_two(step.op) && takes_immediate(step.op))
        emit(form, id, {to, a, b, extra});
    else if (takes_two(step.op))
        emit(form, id, {to, a, b}, true);
    else
        emit(form, id, {to, a, extra});
    return result;
}

std::vector<Reg> Selection::shuffled(const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                                     const std::vector<std::vector<LaneSource>>& lanes) {
    const ShuffleProgram program =
        lower_shuffles(set_, register_bytes, lane_bytes, static_cast<unsigned>(sources.size()), lanes);
    std::vector<Reg> values = sources;
    for (const ShuffleStep& step : program.steps) values.push_back(shuffle_step(step, values, register_bytes));
    std::vector<Reg> results;
    for (const std::uint16_t value : program.results) results.push_back(values[value]);
    return results;
}

}  // namespace seiche::emit::x86
