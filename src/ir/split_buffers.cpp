// Arrays in several buffers: an access to element e of the array becomes one to element e mod c of buffer e / c, c the
// elements of one. Bindings that are limited (some drivers allow 128 MiB) and memory that is given in pieces ask for
// it.
//
// A wide access that may straddle two parts is taken apart into pieces that cannot: as wide as the index, the part and
// the start of the array are multiples of, which is often the whole.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "ir/optimise.hpp"
#include "ir/rewriter.hpp"
#include "ir/verify.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

namespace {

class Splitter final : Rewriter {
public:
    Splitter(const Kernel& kernel, const std::vector<BufferSplit>& splits)
        : Rewriter(kernel), zero_bits_(zero_low_bits(kernel)), split_of_(kernel.buffers.size()) {
        for (const BufferSplit& split : splits) split_of_[split.buffer] = split;
        build_.kernel().buffers.clear();
        for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) add_buffers(b);
    }

    Kernel run() {
        for (ValueId id = 0; id < old_.code.size(); ++id) {
            const Instruction& i = old_.code[id];
            values_[id] = is_global_access(i.op) && split_of_[i.symbol].parts > 1 ? split(i) : copy(renamed(i));
        }
        return build_.finish();
    }

private:
    [[noreturn]] void fault(std::uint32_t buffer, const std::string& what) const {
        throw InternalError("kernel '" + old_.name + "': splitting buffer '" + old_.buffers[buffer].name +
                            "': " + what);
    }

    /// A user's stage may name one buffer as a part of another would be named.
    std::string unused(std::string name) const {
        const auto is_taken = [&](const BufferParameter& buffer) { return buffer.name == name; };
        while (std::any_of(old_.buffers.begin(), old_.buffers.end(), is_taken)) name += "_";
        return name;
    }

    void add_buffers(std::uint32_t b) {
        std::vector<BufferParameter>& made = build_.kernel().buffers;
        new_index_.push_back(static_cast<std::uint32_t>(made.size()));
        const BufferParameter& whole = old_.buffers[b];
        const BufferSplit& split = split_of_[b];
        if (split.parts == 1) return made.push_back(whole);
        const std::uint64_t bytes = type_bytes(whole.element);
        if (whole.parts > 1) fault(b, "it is split already");
        if (split.part_bytes < bytes || split.part_bytes % bytes != 0 || split.first_byte % bytes != 0)
            fault(b, "expected a part and a first byte of whole elements of " + std::to_string(bytes) + " bytes, got " +
                         std::to_string(split.part_bytes) + " and " + std::to_string(split.first_byte));
        for (std::uint32_t p = 0; p < split.parts; ++p) {
            BufferParameter part = whole;
            part.name = unused(whole.name + "_" + std::to_string(p));
            part.parts = p == 0 ? split.parts : 1;
            made.push_back(part);
        }
    }

    /// What else names a buffer.
    Instruction renamed(const Instruction& i) const {
        const bool is_copy = i.op == Op::async_copy || i.op == Op::async_bulk_copy;
        const auto source = static_cast<std::uint32_t>(i.immediate);
        if (is_copy && split_of_[source].parts > 1) fault(source, "it is read by an asynchronous copy");
        if (op_kind(i.op) == OpKind::atomic && split_of_[i.symbol].parts > 1)
            fault(i.symbol, "it is used by an atomic");
        return with_buffers(i, new_index_);
    }

    /// Elements of one access, of `wanted`, that are sure to lie in one part.
    unsigned whole_run(const Instruction& i, unsigned wanted) const {
        const BufferSplit& split = split_of_[i.symbol];
        const std::uint64_t bytes = type_bytes(old_.buffers[i.symbol].element);
        const auto zeros = [](std::uint64_t n) { return n == 0 ? 63u : static_cast<unsigned>(std::countr_zero(n)); };
        const unsigned bits =
            std::min({zero_bits_[i.operands[0]], zeros(split.part_bytes / bytes), zeros(split.first_byte / bytes), 4u});
        return std::min(wanted, 1u << bits);
    }

    Value split(const Instruction& i) {
        const unsigned lanes = old_.buffers[i.symbol].element.lanes, wanted = i.type.lanes / lanes;
        const unsigned run = whole_run(i, wanted);
        const bool is_load = i.op == Op::global_load;
        std::vector<Value> pieces;
        for (unsigned first = 0; first < wanted; first += run) {
            const Value stored = is_load ? Value{} : slice(operand(i, 1), first * lanes, run * lanes);
            pieces.push_back(place(i, first, i.type.with_lanes(run * lanes), stored));
        }
        return is_load ? joined(std::move(pieces)) : Value{};
    }

    struct Place {
        Value part, within;
    };
    /// Of an element of an array in parts of `count`. Divisions of 64 bits by other numbers than powers of two are what
    /// assemblers take longest for (a radix of 61 of halves took ptxas 80 s, and without them half a second), so that
    /// large arrays compare with where each part begins. An access that happens is to an element of a part.
    Place place_of(Value element, std::uint64_t count, std::uint32_t parts) {
        if (count <= 0xffffffffu / parts) {
            const Value narrow = build_.convert(element, Scalar::u32);
            return {narrow / count, build_.convert(narrow % count, Scalar::u64)};
        }
        if (std::has_single_bit(count)) return {build_.convert(element / count, Scalar::u32), element % count};
        Value part = build_.integer(Scalar::u32, 0), begin = build_.integer(Scalar::u64, 0);
        for (std::uint32_t p = 1; p < parts; ++p) {
            const Value first = build_.integer(Scalar::u64, p * count), is_before = build_.less(element, first);
            part = build_.select(is_before, part, build_.integer(Scalar::u32, p));
            begin = build_.select(is_before, begin, first);
        }
        return {part, element - begin};
    }

    /// The access `ahead` elements further on, `type` wide.
    Value place(const Instruction& i, unsigned ahead, Type type, Value stored) {
        const BufferSplit& split = split_of_[i.symbol];
        const std::uint64_t bytes = type_bytes(old_.buffers[i.symbol].element), count = split.part_bytes / bytes;
        const Value element = operand(i, 0) + (split.first_byte / bytes + ahead);
        const auto [part, within] = place_of(element, count, split.parts);
        const Value predicate = operand(i, predicate_slot(i.op));
        const bool is_load = i.op == Op::global_load;
        return access(renamed(i), type,
                      is_load ? std::array<Value, 4>{within, predicate, part}
                              : std::array<Value, 4>{within, stored, predicate, part});
    }

    const std::vector<unsigned> zero_bits_;
    std::vector<BufferSplit> split_of_;     // by old buffer
    std::vector<std::uint32_t> new_index_;  // likewise
};

class Predicator final : Rewriter {
public:
    explicit Predicator(const Kernel& kernel) : Rewriter(kernel) {
        for (BufferParameter& buffer : build_.kernel().buffers) buffer.parts = 1;
    }

    Kernel run() {
        for (ValueId id = 0; id < old_.code.size(); ++id)
            values_[id] = names_part(old_.code[id]) ? one_by_one(old_.code[id]) : copy(old_.code[id]);
        return build_.finish();
    }

private:
    /// A part beyond the last can only be of an access that does not happen, as in the others' choice of a pointer.
    Value one_by_one(const Instruction& i) {
        const bool is_load = i.op == Op::global_load;
        const Value part = operand(i, part_slot(i.op)), predicate = operand(i, predicate_slot(i.op));
        Value all;
        Instruction access_of = i;
        for (std::uint32_t p = 0; p < old_.buffers[i.symbol].parts; ++p) {
            const Value is_this = build_.compare(Op::equal, part, build_.integer(Scalar::u32, p));
            const Value when = predicate ? is_this & predicate : is_this;
            access_of.symbol = i.symbol + p;
            if (is_load) {
                const Value one = access(access_of, i.type, {operand(i, 0), when});
                all = all ? build_.select(is_this, one, all) : one;
            } else {
                access(access_of, i.type, {operand(i, 0), operand(i, 1), when});
            }
        }
        return all;
    }
};

}  // namespace

Kernel split_buffers(const Kernel& kernel, const std::vector<BufferSplit>& splits) {
    return splits.empty() ? kernel : Splitter(kernel, splits).run();
}

Kernel predicate_parts(const Kernel& kernel) { return Predicator(kernel).run(); }

}  // namespace seiche::ir
