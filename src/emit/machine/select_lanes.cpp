// Selection of splats, compositions, extractions and shuffles, as lanes of registers.
#include <algorithm>

#include "emit/machine/selection.hpp"

namespace seiche::emit::machine {

using ir::Op;
using ir::Scalar;

unsigned Selection::lane_width(ir::Type type) {
    return type.scalar == Scalar::boolean ? 4 : ir::scalar_bytes(type.scalar);
}

void Selection::shuffle(Id id, const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                        const std::vector<LaneSource>& lanes) {
    Parts parts = shape(kernel_.code[id].type);
    const unsigned lanes_each = register_bytes / lane_bytes, lanes_of_part = parts.bytes / lane_bytes;
    std::vector<std::vector<LaneSource>> wanted(parts.count, std::vector<LaneSource>(lanes_each));
    for (std::size_t k = 0; k < lanes.size(); ++k) wanted[k / lanes_of_part][k % lanes_of_part] = lanes[k];
    const std::vector<Reg> made = shuffled(sources, register_bytes, lane_bytes, wanted);
    std::copy(made.begin(), made.end(), parts.regs.begin());
    parts_[id] = parts;
}

/// A single value as the low lane of a vector register.
Reg Selection::as_vector(Id id) {
    const ir::Type type = kernel_.code[id].type;
    const Reg reg = parts_[id][0];
    if (!is_general(type)) return reg;
    if (type.scalar != Scalar::boolean) return to_vector(reg, lane_width(type));
    return to_vector(negative(reg, 4), 4);
}

Reg Selection::splatted(Reg low, unsigned lane_bytes, unsigned register_bytes) {
    const std::vector<LaneSource> all(register_bytes / lane_bytes, LaneSource{0, 0});
    return shuffled({low}, register_bytes, lane_bytes, {all})[0];
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
        low = shuffled({low}, from.bytes, lane, {wanted})[0];
    }
    Parts parts = shape(i.type);
    parts.regs[0] = low;
    if (is_general(i.type)) {
        parts.regs[0] = to_general(low, lane);
        if (i.type.scalar == Scalar::boolean) parts.regs[0] = low_bits(parts.regs[0], 1, 4);
    }
    parts_[id] = parts;
}

}  // namespace seiche::emit::machine
