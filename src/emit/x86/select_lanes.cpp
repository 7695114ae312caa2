// Selection of splats, compositions, extractions and shuffles.
#include <algorithm>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

namespace {

unsigned lane_width(ir::Type type) { return type.scalar == Scalar::boolean ? 4 : ir::scalar_bytes(type.scalar); }

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

void Selection::shuffle(Id id, const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                        const std::vector<LaneSource>& lanes) {
    Parts parts = shape(kernel_.code[id].type);
    const unsigned lanes_each = register_bytes / lane_bytes, lanes_of_part = parts.bytes / lane_bytes;
    std::vector<std::vector<LaneSource>> wanted(parts.count, std::vector<LaneSource>(lanes_each));
    for (std::size_t k = 0; k < lanes.size(); ++k) wanted[k / lanes_of_part][k % lanes_of_part] = lanes[k];
    const ShuffleProgram program =
        lower_shuffles(set_, register_bytes, lane_bytes, static_cast<unsigned>(sources.size()), wanted);
    std::vector<Reg> values = sources;
    for (const ShuffleStep& step : program.steps) values.push_back(shuffle_step(step, values, register_bytes));
    for (unsigned k = 0; k < parts.count; ++k) parts.regs[k] = values[program.results[k]];
    parts_[id] = parts;
}

/// A single value as the low lane of a vector register.
Reg Selection::as_vector(Id id) {
    const ir::Type type = kernel_.code[id].type;
    const Reg reg = parts_[id][0];
    if (!is_general(type)) return reg;
    if (type.scalar != Scalar::boolean) return to_vector(reg, lane_width(type));
    const Reg all = general();
    emit(Form::tied, Mnemonic::neg, {in_register(all, 4), in_register(reg, 4)});
    return to_vector(all, 4);
}

Reg Selection::splatted(Reg low, unsigned lane_bytes, unsigned register_bytes) {
    const std::vector<LaneSource> all(register_bytes / lane_bytes, LaneSource{0, 0});
    const ShuffleProgram program = lower_shuffle(set_, register_bytes, lane_bytes, 1, all);
    std::vector<Reg> values{low};
    for (const ShuffleStep& step : program.steps) values.push_back(shuffle_step(step, values, register_bytes));
    return values[program.results[0]];
}

void Selection::select_lanes(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const unsigned lane = lane_width(i.type);
    if (lane < 2) return call(id);
    switch (i.op) {
        case Op::splat: {
            Parts parts = shape(i.type);
            const bool is_done = broadcasts_.contains(i.operands[0]);
            const Reg all = is_done ? operand(i, 0)[0] : splatted(as_vector(i.operands[0]), lane, parts.bytes);
            for (unsigned k = 0; k < parts.count; ++k) parts.regs[k] = all;
            parts_[id] = parts;
            return;
        }
        case Op::extract: return extract(id);
        case Op::compose: return compose(id);
        default: break;
    }
    const ir::Pattern& pattern = kernel_.patterns[i.immediate];
    const Parts first = operand(i, 0);
    std::vector<Reg> sources(first.regs.begin(), first.regs.begin() + first.count);
    if (i.operands[1] != ir::no_value) {
        const Parts second = operand(i, 1);
        sources.insert(sources.end(), second.regs.begin(), second.regs.begin() + second.count);
    }
    const unsigned from_lanes = type_of(i, 0).lanes, each = first.bytes / lane;
    const unsigned bytes = std::max<unsigned>(first.bytes, shape(i.type).bytes);
    std::vector<LaneSource> lanes;
    for (unsigned k = 0; k < i.type.lanes; ++k) {
        const unsigned which = pattern[k] / from_lanes, at = pattern[k] % from_lanes;
        lanes.push_back(
            {static_cast<std::uint8_t>(which * first.count + at / each), static_cast<std::uint8_t>(at % each)});
    }
    shuffle(id, sources, bytes, lane, lanes);
}

void Selection::compose(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const unsigned lane = lane_width(i.type);
    std::vector<Reg> sources;
    std::vector<LaneSource> lanes;
    unsigned bytes = shape(i.type).bytes;
    for (unsigned k = 0; k < 4 && i.operands[k] != ir::no_value; ++k) {
        const ir::Type type = type_of(i, k);
        const Parts from = operand(i, k);
        const std::size_t first = sources.size();
        if (type.lanes == 1)
            sources.push_back(as_vector(i.operands[k]));
        else
            sources.insert(sources.end(), from.regs.begin(), from.regs.begin() + from.count);
        const unsigned each = type.lanes == 1 ? 1 : from.bytes / lane;
        for (unsigned at = 0; at < type.lanes; ++at)
            lanes.push_back({static_cast<std::uint8_t>(first + at / each), static_cast<std::uint8_t>(at % each)});
        if (type.lanes > 1) bytes = std::max<unsigned>(bytes, from.bytes);
    }
    shuffle(id, sources, bytes, lane, lanes);
}

void Selection::extract(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const unsigned lane = lane_width(i.type);
    const Parts from = operand(i, 0);
    const unsigned each = from.bytes / lane;
    const auto at = static_cast<unsigned>(i.immediate);
    Reg low = from[at / each];
    if (at % each != 0) {
        std::vector<LaneSource> wanted(each);
        wanted[0] = {0, static_cast<std::uint8_t>(at % each)};
        const ShuffleProgram program = lower_shuffle(set_, from.bytes, lane, 1, wanted);
        std::vector<Reg> values{low};
        for (const ShuffleStep& step : program.steps) values.push_back(shuffle_step(step, values, from.bytes));
        low = values[program.results[0]];
    }
    Parts parts = shape(i.type);
    parts.regs[0] = low;
    if (is_general(i.type)) {
        parts.regs[0] = to_general(low, lane);
        if (i.type.scalar == Scalar::boolean)
            parts.regs[0] = general_binary(Mnemonic::and_, parts.regs[0], number(1), 4);
    }
    parts_[id] = parts;
}

}  // namespace seiche::emit::x86
