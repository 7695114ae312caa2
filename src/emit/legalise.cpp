// Scalarises a kernel for a dialect without vector arithmetic.
#include "emit/legalise.hpp"

#include <algorithm>
#include <bit>

#include "ir/verify.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

constexpr unsigned widest_lanes = 4;
constexpr unsigned shared_alignment = 16;  // of every shared array, see ir::ArraySymbol

class Legaliser {
public:
    Legaliser(const ir::Kernel& kernel, const Target& target)
        : old_(kernel),
          target_(target),
          casts_(target.dialect != Dialect::spirv_vulkan && target.dialect != Dialect::glsl &&
                 target.dialect != Dialect::glsl_es),
          new_(kernel),
          multiple_(ir::zero_low_bits(kernel)) {
        new_.code.clear();
        lanes_.resize(kernel.code.size());
        for (auto& buffer : new_.buffers) buffer.element = narrowed(buffer.element);
        for (auto* arrays : {&new_.shared, &new_.privates})
            for (ir::ArraySymbol& array : *arrays) {
                if (arrays == &new_.shared && lies_in_words(array.element)) {
                    array.element = words_of(array.element);
                    continue;
                }
                const Type narrow = narrowed(array.element);
                array.count *= array.element.lanes / narrow.lanes;
                array.element = narrow;
            }
    }

    ir::Kernel run() {
        for (ValueId id = 0; id < old_.code.size(); ++id) rewrite(id);
        return std::move(new_);
    }

private:
    // Several points in one access, each in a word.
    bool lies_in_words(Type element) const {
        return target_.pairs_as_words && element.scalar == Scalar::f32 && element.lanes > 2 && element.lanes <= 8;
    }
    /// Elements of a buffer that are sure to begin at a multiple of their count.
    bool joins(const Instruction& i) const {
        if (!target_.joins_words || (i.op != Op::global_load && i.op != Op::global_store)) return false;
        const ir::BufferParameter& buffer = old_.buffers[i.symbol];
        const unsigned pairs = i.type.lanes / 2u;
        return buffer.element == Type(Scalar::f32, 2) && !buffer.by_address && !ir::names_part(i) &&
               lies_in_words(i.type) && (1u << std::min(multiple_[i.operands[0]], 8u)) % pairs == 0;
    }
    static Type words_of(Type element) { return {Scalar::u64, element.lanes / 2u}; }

    // An element that is wider than one access becomes several.
    Type narrowed(Type element) const {
        const unsigned fit = target_.widest_access_bytes / std::max(ir::scalar_bytes(element.scalar), 1u);
        return element.with_lanes(std::min<unsigned>({element.lanes, widest_lanes, std::max(std::bit_floor(fit), 1u)}));
    }

    ValueId append(const Instruction& instruction) {
        new_.code.push_back(instruction);
        return static_cast<ValueId>(new_.code.size() - 1);
    }

    const std::vector<ValueId>& lanes_of(const Instruction& i, unsigned k) const { return lanes_[i.operands[k]]; }
    // A scalar operand serves every lane.
    ValueId lane_of(const Instruction& i, unsigned k, unsigned lane) const {
        if (i.operands[k] == ir::no_value) return ir::no_value;
        const auto& lanes = lanes_of(i, k);
        return lanes.size() == 1 ? lanes[0] : lanes[lane];
    }

    struct AccessShape {
        Type element;               // in the old kernel
        unsigned index = 0;         // operand that holds the index
        int value = -1;             // operand that is stored
        bool aligned_base = false;  // the start is aligned to more than one element
        Type narrow{};              // the element in the new kernel
    };

    AccessShape shape(const Instruction& i) const {
        switch (i.op) {
            case Op::global_load: return {old_.buffers[i.symbol].element, 0, -1, false};
            case Op::global_store: return {old_.buffers[i.symbol].element, 0, 1, false};
            case Op::shared_load: return {old_.shared[i.symbol].element, 0, -1, casts_};
            case Op::shared_store: return {old_.shared[i.symbol].element, 0, 1, casts_};
            case Op::private_load: return {old_.privates[i.symbol].element, 0, -1, false};
            case Op::private_store: return {old_.privates[i.symbol].element, 0, 1, false};
            case Op::cluster_load: return {old_.shared[i.symbol].element, 1, -1, true};
            default: return {old_.shared[i.symbol].element, 1, 2, true};  // cluster_store
        }
    }

    // Lanes of one piece of an access: as many as are aligned for certain.
    unsigned piece(const Instruction& i, const AccessShape& s) const {
        const unsigned scalar = ir::scalar_bytes(i.type.scalar);
        std::uint64_t alignment = ir::type_bytes(s.element);
        if (s.aligned_base)
            alignment =
                std::min<std::uint64_t>(shared_alignment, alignment << std::min(multiple_[i.operands[s.index]], 8u));
        const std::uint64_t bytes =
            std::min<std::uint64_t>({alignment, target_.widest_access_bytes, std::uint64_t{widest_lanes} * scalar});
        const auto lanes = static_cast<unsigned>(std::bit_floor(bytes / scalar));
        return std::min<unsigned>(i.type.lanes, std::max(lanes, 1u));
    }

    ValueId arithmetic(Op op, Type type, ValueId value, std::uint64_t constant) {
        if (new_.code[value].op == Op::constant) {
            const std::uint64_t known = new_.code[value].immediate;
            return append(
                {.op = Op::constant, .type = type, .immediate = op == Op::mul ? known * constant : known + constant});
        }
        Instruction i{.op = op, .type = type};
        i.operands[0] = value;
        i.operands[1] = append({.op = Op::constant, .type = type, .immediate = constant});
        return append(i);
    }

    // The index of a piece, in the elements of the new kernel.
    ValueId piece_index(const Instruction& i, unsigned index, const AccessShape& s, unsigned first_lane) {
        const Type type =
            old_.code[i.operands[index]].type.scalar == Scalar::u64 ? Type(Scalar::u64) : Type(Scalar::u32);
        const unsigned parts = s.element.lanes / s.narrow.lanes;
        ValueId at = lane_of(i, index, 0);
        if (parts > 1) at = arithmetic(Op::mul, type, at, parts);
        const unsigned offset = first_lane / s.narrow.lanes;
        return offset == 0 ? at : arithmetic(Op::add, type, at, offset);
    }

    ValueId compose(Type scalar, const ValueId* first, unsigned count) {
        if (count == 1) return *first;
        Instruction i{.op = Op::compose, .type = scalar.with_lanes(count)};
        std::copy(first, first + count, i.operands.begin());
        return append(i);
    }

    void take_apart(ValueId whole, Type type, std::vector<ValueId>& lanes) {
        if (!type.is_vector()) return lanes.push_back(whole);
        for (unsigned lane = 0; lane < type.lanes; ++lane) {
            Instruction i{.op = Op::extract, .type = type.with_lanes(1), .immediate = lane};
            i.operands[0] = whole;
            lanes.push_back(append(i));
        }
    }

    void access(ValueId id) {
        const Instruction& i = old_.code[id];
        AccessShape s = shape(i);
        const bool is_shared = i.op == Op::shared_load || i.op == Op::shared_store;
        if ((is_shared && lies_in_words(s.element)) || joins(i)) return word_access(id);
        s.narrow = narrowed(s.element);
        const unsigned lanes = piece(i, s);
        for (unsigned first = 0; first < i.type.lanes; first += lanes) {
            Instruction part = i;
            part.type = i.type.with_lanes(lanes);
            for (unsigned k = 0; k < 4; ++k) part.operands[k] = lane_of(i, k, 0);
            part.operands[s.index] = piece_index(i, s.index, s, first);
            if (s.value >= 0) {
                const auto& value = lanes_of(i, static_cast<unsigned>(s.value));
                part.operands[static_cast<unsigned>(s.value)] = compose(i.type.scalar, &value[first], lanes);
                append(part);
            } else {
                take_apart(append(part), part.type, lanes_[id]);
            }
        }
    }

    ValueId bitcast(Type type, ValueId value) {
        Instruction i{.op = Op::bitcast, .type = type};
        i.operands[0] = value;
        return append(i);
    }

    /// A load or store of an element, or of several, that lie in words.
    void word_access(ValueId id) {
        const Instruction& i = old_.code[id];
        const Type words = words_of(i.type), pair(Scalar::f32, 2);
        Instruction whole = i;
        whole.type = words;
        for (unsigned k = 0; k < 4; ++k) whole.operands[k] = lane_of(i, k, 0);
        if (ir::op_stores(i.op)) {
            std::vector<ValueId> packed;
            for (unsigned w = 0; w < words.lanes; ++w)
                packed.push_back(bitcast(Scalar::u64, compose(Scalar::f32, &lanes_of(i, 1)[2 * std::size_t{w}], 2)));
            whole.operands[1] = compose(Scalar::u64, packed.data(), words.lanes);
            append(whole);
            return;
        }
        std::vector<ValueId> packed;
        take_apart(append(whole), words, packed);
        for (const ValueId word : packed) take_apart(bitcast(pair, word), pair, lanes_[id]);
    }

    void lane_wise(ValueId id) {
        const Instruction& i = old_.code[id];
        const unsigned count = i.op == Op::constant ? 1 : i.type.lanes;
        for (unsigned lane = 0; lane < count; ++lane) {
            Instruction part = i;
            part.type = i.type.with_lanes(1);
            for (unsigned k = 0; k < 4; ++k) part.operands[k] = lane_of(i, k, lane);
            lanes_[id].push_back(append(part));
        }
        if (count < i.type.lanes) lanes_[id].resize(i.type.lanes, lanes_[id][0]);
    }

    void rearrange(ValueId id) {
        const Instruction& i = old_.code[id];
        auto& result = lanes_[id];
        std::vector<ValueId> all;
        for (unsigned k = 0; k < 4; ++k)
            if (i.operands[k] != ir::no_value) all.insert(all.end(), lanes_of(i, k).begin(), lanes_of(i, k).end());
        switch (i.op) {
            case Op::splat: result.assign(i.type.lanes, all[0]); break;
            case Op::extract: result = {all[i.immediate]}; break;
            case Op::compose: result = all; break;
            default:
                for (unsigned lane = 0; lane < i.type.lanes; ++lane)
                    result.push_back(all[old_.patterns[i.immediate][lane]]);
        }
    }

    // Ops that stay whole: control, synchronisation, and those whose operands are scalars anyway.
    void keep(ValueId id) {
        const Instruction& i = old_.code[id];
        Instruction same = i;
        for (unsigned k = 0; k < 4; ++k) {
            if (i.operands[k] == ir::no_value) continue;
            const auto& lanes = lanes_of(i, k);
            same.operands[k] =
                compose(old_.code[i.operands[k]].type.scalar, lanes.data(), static_cast<unsigned>(lanes.size()));
        }
        const ValueId whole = append(same);
        if (!ir::op_stores(i.op)) take_apart(whole, i.type, lanes_[id]);
    }

    void rewrite(ValueId id) {
        const Instruction& i = old_.code[id];
        switch (ir::op_kind(i.op)) {
            case OpKind::lanes: return rearrange(id);
            case OpKind::memory:
            case OpKind::cluster: return access(id);
            case OpKind::unary:
            case OpKind::binary:
            case OpKind::ternary:
            case OpKind::compare:
            case OpKind::convert:
            case OpKind::subgroup: return lane_wise(id);
            case OpKind::leaf: return lane_wise(id);
            default: return keep(id);
        }
    }

    const ir::Kernel& old_;
    const Target& target_;
    const bool casts_;  // an array may be read as one of wider elements
    ir::Kernel new_;
    std::vector<std::vector<ValueId>> lanes_;  // of each old value, its scalars
    const std::vector<unsigned> multiple_;     // of each old value
};

}  // namespace

ir::Kernel legalise(const ir::Kernel& kernel, const Target& target) { return Legaliser(kernel, target).run(); }

bool joins_words(const ir::Kernel& legal, const Instruction& access) {
    return (access.op == Op::global_load || access.op == Op::global_store) && access.type.scalar == Scalar::u64 &&
           legal.buffers[access.symbol].element == Type(Scalar::f32, 2);
}

bool joins_words(const ir::Kernel& legal) {
    return std::any_of(legal.code.begin(), legal.code.end(),
                       [&](const Instruction& i) { return joins_words(legal, i); });
}

}  // namespace seiche::emit
