// Selection of calls of the host's functions: elementary functions, and what no short sequence of instructions does.
// Operands and results go through the frame.
#include <cstddef>

#include "emit/machine/host_functions.hpp"
#include "emit/machine/selection.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::machine {

using ir::Scalar;

std::uint64_t Selection::scratch(unsigned k) {
    constexpr unsigned room = call_room_bytes;
    while (scratch_.size() <= k) {
        scratch_.push_back(machine_.frame_bytes);
        machine_.frame_bytes += room;
    }
    return scratch_[k];
}

/// A single boolean is there as four bytes, 0 or 1, lanes of a vector of them as 0 or all bits.
void Selection::keep_in_frame(Id id, std::uint64_t place) {
    const ir::Type type = kernel_.code[id].type;
    const Parts& parts = parts_[id];
    if (is_general(type)) {
        store_register(at_frame(place, 8), in_register(parts[0], 8));
        return;
    }
    for (unsigned k = 0; k < parts.count; ++k)
        store_register(at_frame(place + std::uint64_t{k} * parts.bytes, parts.bytes),
                       in_register(parts[k], parts.bytes));
}

void Selection::call(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const bool by_second = i.op == ir::Op::select || i.op == ir::Op::shift_left || i.op == ir::Op::shift_right;
    const Scalar from = type_of(i, by_second ? 1 : 0).scalar;
    const int function = host_function(i.op, i.type.scalar, from);
    if (function < 0) refuse(i);
    scratch(3);  // all four, one behind the other
    for (unsigned k = 0; k < 3; ++k)
        if (i.operands[k] != ir::no_value) keep_in_frame(i.operands[k], scratch(k + 1));
    emit(Form::call, 0,
         {immediate(function), immediate(static_cast<std::int64_t>(scratch(0))), immediate(i.type.lanes)});
    take_result(id);
}

/// Of the call before it.
void Selection::take_result(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    Parts parts = new_parts(i.type);
    if (is_general(i.type)) {
        load_register(in_register(parts[0], ir::scalar_bytes(i.type.scalar) == 8 ? 8 : 4), at_frame(scratch(0), 8));
    } else {
        for (unsigned k = 0; k < parts.count; ++k)
            load_register(in_register(parts[k], parts.bytes),
                          at_frame(scratch(0) + std::uint64_t{k} * parts.bytes, parts.bytes));
    }
    parts_[id] = parts;
}

/// Where the array and the function are is known, and told to the host's function beside what the op says.
void Selection::call_external(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const bool is_load = i.op == ir::Op::call_load;
    const auto function = reinterpret_cast<std::uintptr_t>(kernel_.functions[i.immediate].host);
    if (function == 0) refuse(i);
    scratch(3);
    const std::uint64_t place = scratch(1);
    const auto keep = [&](Reg reg, std::size_t member) {
        store_register(at_frame(place + member, 8), in_register(reg, 8));
    };
    keep_in_frame(i.operands[0], place + offsetof(ExternalCall, index));
    keep_in_frame(i.operands[is_load ? 1 : 2], place + offsetof(ExternalCall, pointer));
    keep(argument(i.symbol), offsetof(ExternalCall, array));
    keep(number(function), offsetof(ExternalCall, function));
    const Id predicate = i.operands[is_load ? 2 : 3];
    if (predicate == ir::no_value)
        keep(number(1), offsetof(ExternalCall, is_called));
    else
        keep_in_frame(predicate, place + offsetof(ExternalCall, is_called));
    if (!is_load) keep_in_frame(i.operands[1], scratch(2));
    emit(Form::call, 0,
         {immediate(host_function(i.op, i.type.scalar, Scalar::u64)), immediate(static_cast<std::int64_t>(scratch(0))),
          immediate(i.type.lanes)});
    if (is_load) take_result(id);
}

}  // namespace seiche::emit::machine
