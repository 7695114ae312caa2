// Buffers, shared and private arrays, predicates and atomics in SPIR-V.
#include <algorithm>
#include <bit>

#include "emit/guarded_run.hpp"
#include "emit/legalise.hpp"
#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

// ---- Places

Place Writer::buffer_place(std::uint32_t symbol, const Held& index) {
    Place place;
    place.storage = flavour_.casts_pointers ? StorageClass::CrossWorkgroup : StorageClass::StorageBuffer;
    place.base = buffers_[symbol].base;
    place.element = kernel_.buffers[symbol].element;
    place.is_buffer = true;
    place.index = index.id;
    place.index_type = index.type;
    if (flavour_.casts_pointers) return place;
    if (kernel_.buffers[symbol].by_address) place.storage = StorageClass::PhysicalStorageBuffer;
    place.index_type = Scalar::u32;
    place.index = as_integer(index, Scalar::u32);
    if (buffers_[symbol].offset != 0)
        place.index = op(Code::IAdd, place.index_type, {place.index, buffers_[symbol].offset});
    return place;
}

Place Writer::place(const Instruction& i, unsigned index) {
    const Held at = operand(i, index);
    switch (i.op) {
        case Op::shared_load:
        case Op::shared_store:
            return {StorageClass::Workgroup, shared_[i.symbol], kernel_.shared[i.symbol].element, at.id, at.type};
        case Op::private_load:
        case Op::private_store:
            return {StorageClass::Function, privates_[i.symbol], kernel_.privates[i.symbol].element, at.id, at.type};
        default: return joins_words(kernel_, i) ? joined_place(i, at) : buffer_place(i.symbol, at);
    }
}

/// Of elements of a buffer that begin at a multiple of their count, in a launch without an offset.
Place Writer::joined_place(const Instruction& i, const Held& index) {
    const Type word = Scalar::u32;
    const auto shift = static_cast<unsigned>(std::countr_zero(std::uint32_t{i.type.lanes}));
    Place place = {StorageClass::StorageBuffer, buffers_[i.symbol].joined, i.type, 0, word, true};
    place.index = op(Code::ShiftRightLogical, word, {as_integer(index, Scalar::u32), u32(shift)});
    return place;
}

Id Writer::pointer(const Place& place, Type access) {
    const bool is_memory = place.is_buffer || (is_word(place.element) && place.storage != StorageClass::Function);
    const Id element = module_.pointer(place.storage, is_memory ? memory_type(place.element) : type(place.element));
    const bool wide = access != place.element;
    if (wide && !flavour_.casts_pointers)
        unsupported("an access of " + std::to_string(access.lanes) + " lanes to elements of " +
                    std::to_string(place.element.lanes));
    Id at = 0;
    if (!place.is_buffer)
        at = op(flavour_.casts_pointers ? Code::InBoundsAccessChain : Code::AccessChain, element,
                {place.base, place.index});
    else if (flavour_.casts_pointers)
        at = op(Code::InBoundsPtrAccessChain, element, {place.base, place.index});
    else
        at = op(Code::AccessChain, element, {place.base, u32(0), place.index});
    if (!wide) return at;
    const Id target = place.is_buffer ? memory_type(access) : type(access);
    return op(Code::Bitcast, module_.pointer(place.storage, target), {at});
}

// A wide access is aligned like one element only.
std::vector<Word> Writer::alignment(const Place& place) const {
    if (!flavour_.casts_pointers && place.storage != StorageClass::PhysicalStorageBuffer) return {};
    return {memory_access_aligned, ir::type_bytes(place.element)};
}

// ---- What memory has, and how it is held

Id Writer::unpacked(Id raw, Type access) {
    const Type words(Scalar::u32, access.lanes), halves(Scalar::f32, access.lanes);
    switch (access.scalar) {
        case Scalar::f16: return op(Code::FConvert, halves, {raw});
        case Scalar::bf16: {
            const Id bits = op(Code::UConvert, words, {raw});
            return op(Code::Bitcast, halves, {op(Code::ShiftLeftLogical, words, {bits, constant(words, 16)})});
        }
        case Scalar::i8:
        case Scalar::i16: return op(Code::SConvert, words, {raw});
        case Scalar::u8:
        case Scalar::u16: return op(Code::UConvert, words, {raw});
        default: return raw;
    }
}

Id Writer::packed(const Held& value, Type access) {
    const Type words(Scalar::u32, access.lanes);
    switch (access.scalar) {
        case Scalar::f16: {
            const Id half = op(Code::FConvert, memory_type(access), {value.id});
            module_.decorate(half, Decoration::FPRoundingMode, {round_to_nearest_even});
            return half;
        }
        case Scalar::bf16: {
            const Id bits = op(Code::Bitcast, words, {value.id});
            const Id high = op(Code::ShiftRightLogical, words, {bits, constant(words, 16)});
            return op(Code::UConvert, memory_type(access), {high});
        }
        case Scalar::i8:
        case Scalar::u8:
        case Scalar::i16:
        case Scalar::u16: return op(Code::UConvert, memory_type(access), {value.id});
        default: return value.id;
    }
}

// OpenCL has f16 behind pointers to single halves only; its functions convert and say how they round.
Id Writer::load_halves(const Place& place, Type access) {
    const Id half = module_.pointer(place.storage, memory_type(Scalar::f16)), no_offset = constant(Scalar::u64, 0);
    const Type word = Scalar::u64;
    Id index = place.index;
    if (place.element.lanes > 1) index = op(Code::IMul, word, {index, constant(word, place.element.lanes)});
    const Id at = op(Code::InBoundsPtrAccessChain, half, {place.base, index});
    const Type held(Scalar::f32, access.lanes);
    if (!held.is_vector()) return call(opencl_std::vload_half, held, {no_offset, at});
    return call(opencl_std::vload_halfn, held, {no_offset, at, held.lanes});
}

void Writer::store_halves(const Place& place, Type access, const Held& value) {
    const Id half = module_.pointer(place.storage, memory_type(Scalar::f16)), no_offset = constant(Scalar::u64, 0);
    const Type word = Scalar::u64;
    Id index = place.index;
    if (place.element.lanes > 1) index = op(Code::IMul, word, {index, constant(word, place.element.lanes)});
    const Id at = op(Code::InBoundsPtrAccessChain, half, {place.base, index});
    const Word function = access.is_vector() ? opencl_std::vstore_halfn_r : opencl_std::vstore_half_r;
    const Id nothing = module_.type(Code::TypeVoid);
    op(Code::ExtInst, nothing,
       {module_.import(flavour_.functions), function, value.id, no_offset, at, round_to_nearest_even});
}

Id Writer::load(const Place& place, Type access) {
    if (access.scalar == Scalar::f16 && flavour_.casts_pointers) return load_halves(place, access);
    std::vector<Word> operands{pointer(place, access)};
    const std::vector<Word> aligned = alignment(place);
    operands.insert(operands.end(), aligned.begin(), aligned.end());
    const bool is_pair = is_word(access) && place.storage != StorageClass::Function;
    const Id raw = op(Code::Load, place.is_buffer || is_pair ? memory_type(access) : type(access), operands);
    return is_pair ? op(Code::Bitcast, access, {raw}) : unpacked(raw, access);
}

void Writer::store(const Place& place, Type access, const Held& value) {
    if (access.scalar == Scalar::f16 && flavour_.casts_pointers) return store_halves(place, access, value);
    const Id at = pointer(place, access);
    const bool is_pair = is_word(access) && place.storage != StorageClass::Function;
    std::vector<Word> operands{at, is_pair ? op(Code::Bitcast, Type(Scalar::u64), {value.id}) : packed(value, access)};
    const std::vector<Word> aligned = alignment(place);
    operands.insert(operands.end(), aligned.begin(), aligned.end());
    statement(Code::Store, operands);
}

// ---- Accesses

void Writer::access(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Place where = place(i, 0);
    if (ir::op_stores(i.op)) return store(where, i.type, operand(i, 1));
    define(id, load(where, i.type));
}

template <class Body>
void Writer::under(Id predicate, Body&& body) {
    constexpr Word no_hint = 0;
    const Id then = module_.new_id(), merge = module_.new_id();
    statement(Code::SelectionMerge, {merge, no_hint});
    statement(Code::BranchConditional, {predicate, then, merge});
    begin_block(then);
    body();
    statement(Code::Branch, {merge});
    begin_block(merge);
}

/// Where the predicate is false, a load gives zeros.
template <class Access>
void Writer::predicated(ValueId id, unsigned predicate, Access&& access) {
    const Instruction& i = kernel_.code[id];
    if (i.operands[predicate] == ir::no_value) return access();
    const Id before = block_;
    Id then = 0;
    under(operand(i, predicate).id, [&] {
        access();
        then = block_;
    });
    if (ir::op_stores(i.op)) return;
    const Type t = held_type(id);
    define(id, op(Code::Phi, t, {values_[id].id, then, constant(t, 0), before}));
}

void Writer::memory(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (i.op == Op::private_load || i.op == Op::private_store) return access(id);
    predicated(id, ir::op_stores(i.op) ? 2 : 1, [&] { access(id); });
}

void Writer::texel_access(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const BoundImage& bound = images_[i.symbol];
    const Id image = op(Code::Load, bound.type, {bound.variable});
    const Id place = op(Code::CompositeConstruct, Type(Scalar::u32, 2), {operand(i, 0).id, operand(i, 1).id});
    if (i.op == Op::image_store) return statement(Code::ImageWrite, {image, place, operand(i, 2).id});
    define(id, op(Code::ImageRead, i.type, {image, place}));
}

void Writer::image(ValueId id) {
    predicated(id, kernel_.code[id].op == Op::image_store ? 3 : 2, [&] { texel_access(id); });
}

// All accesses of a run under one branch; loads meet zeros behind it.
ValueId Writer::guarded(ValueId first) {
    const GuardedRun run = find_guarded_run(kernel_, first);
    for (const ValueId id : run.before) write(id);
    const bool loads = kernel_.code[first].op == Op::global_load;
    const Id before = block_;
    Id then = 0;
    under(operand(kernel_.code[first], predicate_operand(kernel_.code[first].op)).id, [&] {
        for (const ValueId id : run.accesses) access(id);
        then = block_;
    });
    if (loads)
        for (const ValueId id : run.accesses) {
            const Type t = held_type(id);
            define(id, op(Code::Phi, t, {values_[id].id, then, constant(t, 0), before}));
        }
    for (const ValueId id : run.after) write(id);
    return run.last;
}

// Without a copy engine in the language a copy is done at once, which is as early as is allowed.
void Writer::async_copy(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (i.op == Op::async_commit || i.op == Op::async_wait) return;
    if (i.op != Op::async_copy) unsupported(i);
    const Type element = kernel_.shared[i.symbol].element;
    if (kernel_.buffers[i.immediate].element != element) unsupported(i, "between elements of two types");
    const auto copy = [&] {
        const Held from = operand(i, 1), to = operand(i, 0);
        for (unsigned k = 0; k < i.width; ++k) {
            const auto step = [&](const Held& index) {
                return k == 0 ? index
                              : Held{op(Code::IAdd, index.type, {index.id, constant(index.type, k)}), index.type};
            };
            const Held at = step(to);
            const Id value = load(buffer_place(static_cast<std::uint32_t>(i.immediate), step(from)), element);
            store({StorageClass::Workgroup, shared_[i.symbol], element, at.id, at.type}, element, {value, element});
        }
    };
    if (i.operands[2] == ir::no_value) return copy();
    under(operand(i, 2).id, copy);
}

// ---- Atomics

Id Writer::atomic_result(const Instruction& i, Id at) {
    const bool wide = i.scope == ir::Scope::device || i.scope == ir::Scope::cluster;
    const Id scope = u32(static_cast<Word>(wide ? Scope::Device : Scope::Workgroup)), relaxed = u32(semantics_none);
    switch (i.op) {
        case Op::atomic_add: return op(Code::AtomicIAdd, i.type, {at, scope, relaxed, operand(i, 1).id});
        case Op::atomic_exchange: return op(Code::AtomicExchange, i.type, {at, scope, relaxed, operand(i, 1).id});
        case Op::atomic_load: return op(Code::AtomicLoad, i.type, {at, scope, relaxed});
        default: statement(Code::AtomicStore, {at, scope, relaxed, operand(i, 1).id}); return 0;
    }
}

Id Writer::is_first_thread() {
    const Type word = Scalar::u32;
    Id all = u32(0);
    for (unsigned d = 0; d < 3; ++d)
        if (kernel_.launch.group[d] > 1)
            all = op(Code::BitwiseOr, word, {all, thread_word(BuiltIn::LocalInvocationId, d)});
    return op(Code::IEqual, Type(Scalar::boolean), {all, u32(0)});
}

/// One thread asks over and over again, by an atomic that changes nothing: a driver may take a plain load out of the
/// loop. The others are behind the barrier. before -> header -> test -> more -> header; test -> merge.
void Writer::wait_until(const Instruction& i) {
    constexpr Word no_hint = 0;
    const Type element = kernel_.buffers[i.symbol].element;
    const Id at = pointer(buffer_place(i.symbol, operand(i, 0)), element), least = operand(i, 1).id;
    under(is_first_thread(), [&] {
        const Id header = module_.new_id(), test = module_.new_id(), more = module_.new_id(), merge = module_.new_id();
        statement(Code::Branch, {header});
        begin_block(header);
        statement(Code::LoopMerge, {merge, more, no_hint});
        statement(Code::Branch, {test});
        begin_block(test);
        const Id scope = u32(static_cast<Word>(Scope::Device)), relaxed = u32(semantics_none);
        const Id reached = op(Code::AtomicIAdd, element, {at, scope, relaxed, constant(element, 0)});
        const Id is_less = op(Code::ULessThan, Type(Scalar::boolean), {reached, least});
        statement(Code::BranchConditional, {is_less, more, merge});
        begin_block(more);
        statement(Code::Branch, {header});
        begin_block(merge);
    });
    fence(ir::Scope::device, ir::Order::acquire);
    const Id group = u32(static_cast<Word>(Scope::Workgroup));
    statement(Code::ControlBarrier,
              {group, group, u32(semantics_acquire_release | semantics_workgroup_memory | flavour_.global_memory)});
}

void Writer::atomic(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Type element = kernel_.buffers[i.symbol].element;
    if (element.scalar == Scalar::u64) module_.capability(Capability::Int64Atomics);
    if (i.op == Op::wait_until) return wait_until(i);
    const unsigned k = i.op == Op::atomic_load ? 1 : 2;
    const auto run = [&] {
        if (i.order == ir::Order::release || i.order == ir::Order::acquire_release) fence(i.scope, ir::Order::release);
        const Id made = atomic_result(i, pointer(buffer_place(i.symbol, operand(i, 0)), element));
        if (i.order == ir::Order::acquire || i.order == ir::Order::acquire_release) fence(i.scope, ir::Order::acquire);
        return made;
    };
    Id result = 0;
    if (i.operands[k] == ir::no_value) {
        result = run();
    } else {
        const Id before = block_;
        Id then = 0;
        under(operand(i, k).id, [&] {
            result = run();
            then = block_;
        });
        if (result != 0) result = op(Code::Phi, i.type, {result, then, constant(i.type, 0), before});
    }
    if (result != 0) define(id, result);
}

}  // namespace seiche::emit::spirv
