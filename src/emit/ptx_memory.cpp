// Accesses to memory in PTX: an address is a register, which accesses share, and a constant in the instruction.
#include <algorithm>
#include <bit>
#include <limits>

#include "emit/guarded_run.hpp"
#include "emit/ptx.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

bool fits(std::int64_t offset) {
    return offset >= std::numeric_limits<std::int32_t>::min() && offset <= std::numeric_limits<std::int32_t>::max();
}

std::string bracketed(const std::string& base, std::int64_t offset) {
    return "[" + base + (offset == 0 ? "" : "+" + std::to_string(offset)) + "]";
}

std::string tuple(const std::vector<std::string>& lanes) {
    std::string text = lanes.front();
    for (std::size_t k = 1; k < lanes.size(); ++k) text += ", " + lanes[k];
    return lanes.size() == 1 ? text : "{" + text + "}";
}

std::string access_type(Type type) {
    return (type.is_vector() ? ".v" + std::to_string(type.lanes) : "") + "." + ptx_type(type.scalar);
}

}  // namespace

// Sums of 64 bits wrap as addresses do, so that any may be taken apart; one of 32 bits may only where it cannot carry.
void PtxWriter::add_terms(ValueId value, std::uint64_t factor, IndexParts& parts) const {
    const Instruction& i = kernel_.code[value];
    const bool is_wide = i.type == Type(Scalar::u64);
    if (i.op == Op::constant) {
        parts.constant += factor * i.immediate;
    } else if (is_wide && i.op == Op::add) {
        add_terms(i.operands[0], factor, parts);
        add_terms(i.operands[1], factor, parts);
    } else if (is_wide && i.op == Op::mul && constant_operand(i, 1) != nullptr) {
        add_terms(i.operands[0], factor * constant_operand(i, 1)->immediate, parts);
    } else if (is_wide && i.op == Op::convert && scalar_of(i, 0) == Scalar::u32) {
        add_terms(i.operands[0], factor, parts);
    } else if (steps_.is_step[value]) {
        add_terms(i.operands[0], factor, parts);
        parts.constant += factor * constant_operand(i, 1)->immediate;
    } else {
        parts.terms.push_back({value, factor, !is_wide});
    }
}

/// What is the same for all threads comes first: more addresses share that much.
PtxWriter::IndexParts PtxWriter::take_apart(ValueId index) const {
    IndexParts parts;
    add_terms(index, 1, parts);
    std::stable_partition(parts.terms.begin(), parts.terms.end(),
                          [&](const Term& term) { return uniformity_[term.value] != ir::Uniformity::none; });
    return parts;
}

const std::string* PtxWriter::known_address(const std::string& key) const {
    for (const auto& scope : addresses_)
        if (const auto found = scope.find(key); found != scope.end()) return &found->second;
    return nullptr;
}

/// A base in global memory, and behind it a value of elements of so many bytes. The last of several terms is added in
/// the same instruction as its product; products before it are left for the assembler to share among bases.
std::string PtxWriter::with_term(const std::string& base, const Term& term, unsigned bytes, bool is_last) {
    const std::uint64_t factor = term.factor * bytes;
    const std::string& value = values_[term.value].front();
    const std::string key = base + " " + value + " " + std::to_string(factor);
    if (const std::string* known = known_address(key)) return *known;
    std::string product = value;
    const bool is_narrow = term.is_narrow && factor <= ir::greatest_of(Scalar::u32);
    if (is_narrow && is_last)
        return addresses_.back()[key] = make(Scalar::u64, "mad.wide.u32", {value, std::to_string(factor), base});
    if (is_narrow) {
        product = make(Scalar::u64, "mul.wide.u32", {value, std::to_string(factor)});
    } else {
        if (term.is_narrow) product = make(Scalar::u64, "cvt.u64.u32", {value});
        const bool shifts = std::has_single_bit(factor);
        const std::string by = std::to_string(shifts ? static_cast<std::uint64_t>(std::countr_zero(factor)) : factor);
        product = make(Scalar::u64, shifts ? "shl.b64" : "mul.lo.u64", {product, by});
    }
    return addresses_.back()[key] = make(Scalar::u64, "add.s64", {base, product});
}

std::string PtxWriter::global_address(std::uint32_t symbol, const std::string& base, ValueId index,
                                      std::uint64_t step) {
    const unsigned bytes = ir::type_bytes(kernel_.buffers[symbol].element);
    const IndexParts parts = take_apart(index);
    std::string place = base;
    for (std::size_t k = 0; k < parts.terms.size(); ++k)
        place = with_term(place, parts.terms[k], bytes, k + 1 == parts.terms.size());
    const auto offset = static_cast<std::int64_t>((parts.constant + step) * bytes);
    if (fits(offset)) return bracketed(place, offset);
    return bracketed(make(Scalar::u64, "add.s64", {place, std::to_string(offset)}), 0);
}

std::string PtxWriter::part_base(const std::string& part, std::uint32_t first, std::uint32_t last,
                                 std::uint32_t symbol) {
    if (last - first == 1) return buffers_[symbol + first];
    const std::uint32_t middle = (first + last) / 2;
    const std::string lower = part_base(part, first, middle, symbol), upper = part_base(part, middle, last, symbol);
    const std::string is_lower = make(Scalar::boolean, "setp.lt.u32", {part, std::to_string(middle)});
    return make(Scalar::u64, "selp.b64", {lower, upper, is_lower});
}

/// Of several that the array lies in, the one that the access names, by halves.
std::string PtxWriter::array_base(const Instruction& i) {
    if (!ir::names_part(i)) return buffers_[i.symbol];
    const auto slot = static_cast<unsigned>(ir::part_slot(i.op));
    const std::string key = "part " + operand(i, slot) + " " + std::to_string(i.symbol);
    if (const std::string* known = known_address(key)) return *known;
    return addresses_.back()[key] = part_base(operand(i, slot), 0, kernel_.buffers[i.symbol].parts, i.symbol);
}

std::string PtxWriter::global_address(const Instruction& i, unsigned index) {
    return global_address(i.symbol, array_base(i), i.operands[index], 0);
}

/// The first address of shared memory in a register.
const std::string& PtxWriter::shared_start() {
    std::string& known = addresses_.front()["shared_memory"];
    if (known.empty()) {
        known = fresh(Scalar::u32);
        prologue_ += "    mov.u32 " + known + ", shared_memory;\n";
    }
    return known;
}

std::pair<ValueId, std::uint64_t> PtxWriter::without_flips(ValueId value) const {
    const Instruction& i = kernel_.code[value];
    if (i.op != Op::bit_xor || i.type != Type(Scalar::u32) || constant_operand(i, 1) == nullptr) return {value, 0};
    return {i.operands[0], constant_operand(i, 1)->immediate};
}

// Places that differ in bits share what is before the flip, and the start is not added before it: an instruction has
// room for the start beside a register.
std::string PtxWriter::shared_bytes_of(ValueId value, unsigned bytes) {
    if (!std::has_single_bit(bytes))
        return make(Scalar::u32, "mul.lo.u32", {values_[value].front(), std::to_string(bytes)});
    const auto [plain, flips] = without_flips(value);
    const std::string key = "bytes " + values_[plain].front() + " " + std::to_string(bytes);
    const unsigned shift = static_cast<unsigned>(std::countr_zero(bytes));
    std::string place;
    if (const std::string* known = known_address(key))
        place = *known;
    else
        place = addresses_.back()[key] = make(Scalar::u32, "shl.b32", {values_[plain].front(), std::to_string(shift)});
    return flips == 0 ? place : make(Scalar::u32, "xor.b32", {place, std::to_string(flips << shift)});
}

PtxWriter::SharedPlace PtxWriter::shared_place(std::uint32_t symbol, ValueId index, std::uint64_t step) {
    const unsigned bytes = ir::type_bytes(kernel_.shared[symbol].element);
    const IndexParts parts = take_apart(index);
    const auto offset = static_cast<std::int64_t>((parts.constant + step) * bytes + ir::shared_offset(kernel_, symbol));
    if (parts.terms.empty()) return {"shared_memory", offset};
    const ValueId value = parts.terms.front().value;
    const std::string key = "shared v" + std::to_string(value) + " " + std::to_string(bytes);
    if (const std::string* known = known_address(key)) return {*known, offset};
    const std::string place = shared_bytes_of(value, bytes);
    return {addresses_.back()[key] = make(Scalar::u32, "add.u32", {shared_start(), place}), offset};
}

std::string PtxWriter::shared_address(std::uint32_t symbol, ValueId index, std::uint64_t step) {
    const SharedPlace place = shared_place(symbol, index, step);
    return bracketed(place.base, place.offset);
}

/// Makes the registers of a load, which under a predicate that is false gives zero.
void PtxWriter::prepare_load(ValueId id, bool may_fail) {
    const Instruction& i = kernel_.code[id];
    const bool floats = i.type.scalar == Scalar::f32 || i.type.scalar == Scalar::f64;
    const std::string zero = !floats ? "0" : i.type.scalar == Scalar::f32 ? "0f00000000" : "0d0000000000000000";
    const std::string type = ir::scalar_bytes(i.type.scalar) < 4 ? "b16" : ptx_bits(i.type.scalar);
    for (unsigned lane = 0; lane < i.type.lanes; ++lane) {
        values_[id].push_back(fresh(i.type.scalar));
        if (may_fail) emit("mov." + type, {values_[id].back(), zero});
    }
}

void PtxWriter::load(ValueId id, const std::string& condition, const std::string& space, const std::string& address) {
    emit_if(condition, "ld" + space + access_type(kernel_.code[id].type), {tuple(values_[id]), address});
}

void PtxWriter::store(const Instruction& i, unsigned value, const std::string& condition, const std::string& space,
                      const std::string& address) {
    emit_if(condition, "st" + space + access_type(i.type), {address, tuple(lanes(i, value))});
}

void PtxWriter::global_access(ValueId id, const std::string& condition) {
    const Instruction& i = kernel_.code[id];
    const ir::BufferParameter& buffer = kernel_.buffers[i.symbol];
    const bool is_streaming = i.hint == ir::CacheHint::streaming;
    const std::string address = global_address(i, 0);
    if (i.op == Op::global_store) return store(i, 1, condition, is_streaming ? ".global.cs" : ".global", address);
    const bool stays = buffer.table && id < plain_tables_;
    const bool is_constant = buffer.access == ir::Access::read && !buffer.may_alias && !stays;
    const bool is_streamed = is_streaming && !(buffer.table && is_constant);
    const std::string line = i.hint == ir::CacheHint::line ? ".L2::128B" : "";
    load(id, condition, (is_streamed ? ".global.cs" : is_constant ? ".global.nc" : ".global") + line, address);
}

void PtxWriter::shared_access(ValueId id, const std::string& condition) {
    const Instruction& i = kernel_.code[id];
    const std::string address = shared_address(i.symbol, i.operands[0], 0);
    if (i.op == Op::shared_load) return load(id, condition, ".shared", address);
    store(i, 1, condition, ".shared", address);
}

// Behind one branch, since the assembler makes a branch each of predicates whose addresses take instructions, and of
// stores to shared memory: 9604 points had 121.
ValueId PtxWriter::write_run(ValueId first) {
    const GuardedRun run = find_guarded_run(kernel_, first);
    if (run.accesses.size() == 1) {
        write(first);
        return first;
    }
    for (const ValueId id : run.before) write(id);
    if (!ir::op_stores(kernel_.code[first].op))
        for (const ValueId id : run.accesses) prepare_load(id, true);
    const std::string rest = fresh_label();
    emit_if("!" + predicate(kernel_.code[first]), "bra", {rest});
    addresses_.emplace_back();
    const bool is_shared = opens_guarded_shared_run(kernel_, first);
    for (const ValueId id : run.accesses) is_shared ? shared_access(id, {}) : global_access(id, {});
    addresses_.pop_back();
    label(rest);
    for (const ValueId id : run.after) write(id);
    return run.last;
}

std::string& PtxWriter::private_register(const Instruction& i, unsigned lane) {
    const Instruction* index = constant_operand(i, 0);
    if (index == nullptr) unsupported(i, "expected a constant index into an array of a thread");
    std::vector<std::string>& registers = privates_[i.symbol];
    const std::uint64_t place = index->immediate * kernel_.privates[i.symbol].element.lanes + lane;
    if (place >= registers.size()) unsupported(i, "its index is outside the array");
    std::string& known = registers[static_cast<std::size_t>(place)];
    if (known.empty()) known = fresh(i.type.scalar);
    return known;
}

// A load is a copy: the array may be stored to before its value is used.
void PtxWriter::private_access(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const std::string type = ir::scalar_bytes(i.type.scalar) < 4 ? "b16" : ptx_bits(i.type.scalar);
    std::vector<std::string> made;
    for (unsigned lane = 0; lane < i.type.lanes; ++lane) {
        const std::string& held = private_register(i, lane);
        if (i.op == Op::private_load)
            made.push_back(make(i.type.scalar, "mov." + type, {held}));
        else
            emit("mov." + type, {held, lanes(i, 1)[lane]});
    }
    values_[id] = std::move(made);
}

void PtxWriter::memory(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::private_load:
        case Op::private_store: return private_access(id);
        default: break;
    }
    const std::string condition = predicate(i);
    if (!ir::op_stores(i.op)) prepare_load(id, !condition.empty());
    if (i.op == Op::global_load || i.op == Op::global_store) return global_access(id, condition);
    shared_access(id, condition);
}

/// What an address here is in the group of that rank: once for all that is at constants behind it.
std::string PtxWriter::address_in_neighbour(const std::string& own, const std::string& rank) {
    const std::string key = "rank " + rank + " " + own;
    if (const std::string* known = known_address(key)) return *known;
    return addresses_.back()[key] = make(Scalar::u32, "mapa.shared::cluster.u32", {own, rank});
}

void PtxWriter::cluster(ValueId id) {
    const Instruction& i = kernel_.code[id];
    require(90, i);
    const SharedPlace place = shared_place(i.symbol, i.operands[1], 0);
    const std::string own = place.base.starts_with('%') ? place.base : shared_start(), &rank = operand(i, 0);
    const std::string address = bracketed(address_in_neighbour(own, rank), place.offset), condition = predicate(i);
    if (i.op == Op::cluster_store && counts_arrivals_) {
        const std::string type =
            (i.type.is_vector() ? ".v" + std::to_string(i.type.lanes) : "") + "." + ptx_bits(i.type.scalar);
        return emit_if(condition, "st.async.shared::cluster.mbarrier::complete_tx::bytes" + type,
                       {address, tuple(lanes(i, 2)), arrivals_at(address_in_neighbour(shared_start(), rank))});
    }
    if (i.op == Op::cluster_store) return store(i, 2, condition, ".shared::cluster", address);
    prepare_load(id, !condition.empty());
    load(id, condition, ".shared::cluster", address);
}

}  // namespace seiche::emit
