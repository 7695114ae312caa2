// The frame of a SPIR-V module: types, constants, the entry point, arrays, ids of threads, and the walk over the code.
#include "emit/spirv_writer.hpp"

#include <algorithm>
#include <bit>

#include "emit/guarded_run.hpp"
#include "emit/narrow_addresses.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

constexpr unsigned widest_plain_vector = 4;  // more lanes need a capability
constexpr Word array_alignment = 64;         // a cache line, which is also the widest vector

Scalar held_scalar(Scalar scalar) {
    switch (scalar) {
        case Scalar::f16:
        case Scalar::bf16: return Scalar::f32;
        case Scalar::i8:
        case Scalar::i16: return Scalar::i32;
        case Scalar::u8:
        case Scalar::u16: return Scalar::u32;
        default: return scalar;
    }
}

}  // namespace

Writer::Writer(const ir::Kernel& kernel, const Target& target, const Flavour& flavour)
    : kernel_(kernel),
      target_(target),
      flavour_(flavour),
      values_(kernel.code.size()),
      buffers_(kernel.buffers.size()),
      scalars_(kernel.scalars.size()),
      images_(kernel.images.size()) {
    // A buffer's range is a 32-bit number in Vulkan, so its elements are counted in 32 bits.
    if (!flavour.casts_pointers) narrow_ = narrow_addresses(kernel);
}

void Writer::unsupported(const Instruction& instruction, const std::string& why) const {
    unsupported("cannot express " + std::string(ir::op_name(instruction.op)) + (why.empty() ? "" : ": " + why));
}

void Writer::unsupported(const std::string& what) const {
    throw Unsupported(std::string(flavour_.name) + ": kernel " + kernel_.name + ": " + what);
}

// ---- Types and constants

Id Writer::type(Type t) {
    const Type held(held_scalar(t.scalar), t.lanes);
    if (held.is_vector()) {
        if (held.lanes > widest_plain_vector) module_.capability(Capability::Vector16);
        return module_.type(Code::TypeVector, {type(held.with_lanes(1)), held.lanes});
    }
    switch (held.scalar) {
        case Scalar::boolean: return module_.type(Code::TypeBool);
        // Signs are a matter of the instruction: OpenCL demands a signedness of 0.
        case Scalar::i32:
        case Scalar::u32: return module_.type(Code::TypeInt, {32, 0});
        case Scalar::u64: module_.capability(Capability::Int64); return module_.type(Code::TypeInt, {64, 0});
        case Scalar::f32: return module_.type(Code::TypeFloat, {32});
        case Scalar::f64: module_.capability(Capability::Float64); return module_.type(Code::TypeFloat, {64});
        default: break;
    }
    throw InternalError("spirv: kernel " + kernel_.name + ": a value without a type");
}

Id Writer::memory_type(Type t) {
    if (is_word(t)) return type(Scalar::u64);
    if (t.is_vector()) {
        if (t.lanes > widest_plain_vector) module_.capability(Capability::Vector16);
        return module_.type(Code::TypeVector, {memory_type(t.with_lanes(1)), t.lanes});
    }
    const unsigned bytes = ir::scalar_bytes(t.scalar);
    if (bytes > 2) return type(t);
    if (flavour_.storage_types_are_used) {
        module_.capability(t.scalar == Scalar::f16 ? Capability::Float16Buffer
                           : bytes == 1            ? Capability::Int8
                                                   : Capability::Int16);
    } else if (bytes == 1) {
        module_.extension("SPV_KHR_8bit_storage");
        module_.capability(Capability::StorageBuffer8BitAccess);
    } else {
        module_.capability(Capability::StorageBuffer16BitAccess);
    }
    if (t.scalar == Scalar::f16) return module_.type(Code::TypeFloat, {16});
    return module_.type(Code::TypeInt, {8 * bytes, 0});
}

Id Writer::constant(Type t, std::uint64_t bits) {
    if (t.is_vector()) {
        const Id lane = constant(t.with_lanes(1), bits);
        return module_.constant(Code::ConstantComposite, type(t), std::vector<Word>(t.lanes, lane));
    }
    const auto low = static_cast<Word>(bits), high = static_cast<Word>(bits >> 32);
    const auto number = static_cast<float>(std::bit_cast<double>(bits));
    switch (held_scalar(t.scalar)) {
        case Scalar::boolean: return module_.constant(bits != 0 ? Code::ConstantTrue : Code::ConstantFalse, type(t));
        case Scalar::f32: return module_.constant(Code::Constant, type(t), {std::bit_cast<Word>(number)});
        case Scalar::u64:
        case Scalar::f64: return module_.constant(Code::Constant, type(t), {low, high});
        default: return module_.constant(Code::Constant, type(t), {low});
    }
}

Id Writer::floating(Type t, double value) { return constant(t, std::bit_cast<std::uint64_t>(value)); }

// ---- Instructions

Id Writer::op(Code code, Id type, const std::vector<Word>& operands) {
    const Id id = module_.new_id();
    std::vector<Word> all{type, id};
    all.insert(all.end(), operands.begin(), operands.end());
    body_.add(code, all);
    return id;
}

Id Writer::at_start(Code code, Id type, const std::vector<Word>& operands) {
    const Id id = module_.new_id();
    std::vector<Word> all{type, id};
    all.insert(all.end(), operands.begin(), operands.end());
    start_.add(code, all);
    return id;
}

Id Writer::call(Word function, Type t, const std::vector<Word>& operands) {
    std::vector<Word> all{module_.import(flavour_.functions), function};
    all.insert(all.end(), operands.begin(), operands.end());
    return op(Code::ExtInst, t, all);
}

void Writer::begin_block(Id label) {
    statement(Code::Label, {label});
    block_ = label;
}

Type Writer::held_type(ValueId id) const {
    const Instruction& i = kernel_.code[id];
    if (i.op == Op::loop_begin) return Scalar::u32;
    if (is_narrow_address(id)) return Scalar::u32;
    return {held_scalar(i.type.scalar), i.type.lanes};
}

void Writer::define(ValueId id, Id value, bool rounded) { values_[id] = {value, held_type(id), rounded}; }

Held Writer::operand(const Instruction& i, unsigned k) const {
    const ValueId v = i.operands[k];
    if (v >= values_.size() || values_[v].id == 0)
        throw InternalError("spirv: " + kernel_.name + ": operand " + std::to_string(k) + " of " + ir::op_name(i.op) +
                            " has no value before it");
    return values_[v];
}

Id Writer::operand_id(ValueId id, unsigned k) {
    const Held value = operand(kernel_.code[id], k);
    return is_narrow_address(id) && value.type.scalar == Scalar::u64 ? as_integer(value, Scalar::u32) : value.id;
}

Id Writer::as_integer(const Held& value, Scalar scalar) {
    if (ir::scalar_bytes(value.type.scalar) == ir::scalar_bytes(scalar)) return value.id;
    return op(Code::UConvert, Type(scalar, value.type.lanes), {value.id});
}

// ---- Setting up

void Writer::declare_arrays() {
    const auto array_type = [&](const ir::ArraySymbol& array, Id element) {
        if (ir::scalar_bytes(array.element.scalar) < 4)
            unsupported("array " + array.name + ": expected elements of 4 or 8 bytes");
        return module_.type(Code::TypeArray, {element, u32(array.count)});
    };
    const auto named = [&](Id id, const ir::ArraySymbol& array) {
        module_.name(id, array.name);
        if (flavour_.casts_pointers) module_.decorate(id, Decoration::Alignment, {array_alignment});
        return id;
    };
    for (const ir::ArraySymbol& array : kernel_.shared) {
        const Id element = is_word(array.element) ? memory_type(array.element) : type(array.element);
        shared_.push_back(named(module_.variable(StorageClass::Workgroup, array_type(array, element)), array));
    }
    for (const ir::ArraySymbol& array : kernel_.privates) {
        const Id pointer_type = module_.pointer(StorageClass::Function, array_type(array, type(array.element))),
                 id = module_.new_id();
        locals_.add(Code::Variable, {pointer_type, id, static_cast<Word>(StorageClass::Function)});
        privates_.push_back(named(id, array));
    }
}

Id Writer::builtin(BuiltIn which, bool is_vector) {
    Id& id = builtins_[static_cast<Word>(which)];
    if (id == 0) {
        const Type word = is_vector && flavour_.index_bits == 64 ? Scalar::u64 : Scalar::u32;
        const Id value_type = is_vector ? module_.type(Code::TypeVector, {type(word), 3}) : type(word);
        id = module_.variable(StorageClass::Input, value_type);
        module_.decorate(id, Decoration::BuiltIn, {static_cast<Word>(which)});
        if (flavour_.casts_pointers) module_.decorate(id, Decoration::Constant);
        interface_.push_back(id);
    }
    return id;
}

// Ids of threads and groups are loaded once at the top, however often and wherever they are asked for.
Id Writer::thread_word(BuiltIn which, std::uint64_t dimension) {
    Id& word = thread_words_[{static_cast<Word>(which), dimension}];
    if (word != 0) return word;
    const Type index = flavour_.index_bits == 64 ? Scalar::u64 : Scalar::u32;
    const Id three = module_.type(Code::TypeVector, {type(index), 3});
    const Id all = at_start(Code::Load, three, {builtin(which, true)});
    word = at_start(Code::CompositeExtract, type(index), {all, static_cast<Word>(dimension)});
    if (flavour_.index_bits == 64) word = at_start(Code::UConvert, type(Scalar::u32), {word});
    static constexpr std::array<const char*, 3> suffixes{"", "_y", "_z"};
    const char* name = which == BuiltIn::WorkgroupId ? "group" : which == BuiltIn::NumWorkgroups ? "groups" : "thread";
    module_.name(word, name + std::string(suffixes[dimension]));
    return word;
}

void Writer::leaf(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::constant:
            if (i.type.scalar == Scalar::bf16 && i.immediate != 0)
                unsupported("half precision is for storage only, but there is a constant of that type");
            // What stores a half rounds it.
            return define(id, constant(held_type(id), i.immediate), i.type.scalar != Scalar::f16 || i.immediate == 0);
        case Op::parameter: {
            const Held scalar = scalars_[i.immediate];
            values_[id] = {is_narrow_address(id) ? as_integer(scalar, Scalar::u32) : scalar.id, held_type(id)};
            return;
        }
        case Op::group_id: return define(id, thread_word(BuiltIn::WorkgroupId, i.immediate));
        case Op::group_count: return define(id, thread_word(BuiltIn::NumWorkgroups, i.immediate));
        case Op::thread_id: return define(id, thread_word(BuiltIn::LocalInvocationId, i.immediate));
        case Op::subgroup_lane: return subgroup(id);
        default: unsupported(i);
    }
}

bool Writer::wants_whole(std::uint64_t scalar) const {
    for (ValueId id = 0; id < kernel_.code.size(); ++id) {
        const Instruction& i = kernel_.code[id];
        if (i.op == Op::parameter && i.immediate == scalar && !is_narrow_address(id)) return true;
    }
    return false;
}

// ---- The walk

void Writer::write(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (ir::op_kind(i.op)) {
        case OpKind::leaf: return leaf(id);
        case OpKind::unary:
        case OpKind::binary:
        case OpKind::ternary: return arithmetic(id);
        case OpKind::compare: return compare(id);
        case OpKind::convert: return i.op == Op::convert ? convert(id) : bitcast(id);
        case OpKind::lanes: return lanes(id);
        case OpKind::memory: return memory(id);
        case OpKind::control: return control(id);
        case OpKind::sync: return synchronise(id);
        case OpKind::subgroup: return subgroup(id);
        case OpKind::atomic: return atomic(id);
        case OpKind::async: return async_copy(id);
        case OpKind::image: return image(id);
        default: unsupported(i);
    }
}

std::vector<Word> Writer::words() {
    entry_ = module_.new_id();
    const Id start = module_.new_id();
    module_.comment(kernel_.comment.empty() ? kernel_.name : kernel_.comment);
    module_.name(entry_, kernel_.name);
    const bool by_address = std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(),
                                        [](const ir::BufferParameter& b) { return b.by_address; });
    const bool is_logical = flavour_.addressing == AddressingModel::Logical;
    module_.memory_model(by_address && is_logical ? AddressingModel::PhysicalStorageBuffer64 : flavour_.addressing,
                         flavour_.memory_model);
    const auto& group = kernel_.launch.group;
    module_.execution_mode(entry_, ExecutionMode::LocalSize, {group[0], group[1], group[2]});
    flavour_.open(*this);
    if (flavour_.exact_without_asking) module_.execution_mode(entry_, ExecutionMode::ContractionOff, {});
    declare_arrays();
    block_ = start;
    for (ValueId id = 0; id < kernel_.code.size(); ++id) {
        if (opens_guarded_run(kernel_, id))
            id = guarded(id);
        else
            write(id);
    }
    statement(Code::Return, {});
    statement(Code::FunctionEnd, {});
    module_.entry_point(flavour_.execution_model, entry_, kernel_.name, interface_);

    Section function;
    std::vector<Word> signature{module_.type(Code::TypeVoid)};
    for (const auto& [parameter_type, id] : parameters_) signature.push_back(parameter_type);
    constexpr Word no_control = 0;
    const Id function_type = module_.type(Code::TypeFunction, signature);
    function.add(Code::Function, {signature.front(), entry_, no_control, function_type});
    for (const auto& [parameter_type, id] : parameters_) function.add(Code::FunctionParameter, {parameter_type, id});
    function.add(Code::Label, {start});
    std::vector<Word> all = module_.words(version_, function);
    for (const Section* section : {&locals_, &start_, &body_})
        all.insert(all.end(), section->words().begin(), section->words().end());
    return all;
}

}  // namespace seiche::emit::spirv
