// The printer: one instruction a line, brackets indented.
#include "ir/print.hpp"

#include <bit>

#include "support/text.hpp"

namespace seiche::ir {

namespace {

const char* name(Scalar s) {
    switch (s) {
        case Scalar::none: return "none";
        case Scalar::boolean: return "bool";
        case Scalar::i8: return "i8";
        case Scalar::u8: return "u8";
        case Scalar::i16: return "i16";
        case Scalar::u16: return "u16";
        case Scalar::i32: return "i32";
        case Scalar::u32: return "u32";
        case Scalar::u64: return "u64";
        case Scalar::f16: return "f16";
        case Scalar::bf16: return "bf16";
        case Scalar::f32: return "f32";
        case Scalar::f64: return "f64";
        case Scalar::dd: return "dd";
    }
    return "?";
}
const char* name(Scope s) {
    switch (s) {
        case Scope::subgroup: return "subgroup";
        case Scope::group: return "group";
        case Scope::cluster: return "cluster";
        case Scope::device: return "device";
    }
    return "?";
}
const char* name(Order o) {
    switch (o) {
        case Order::relaxed: return "relaxed";
        case Order::acquire: return "acquire";
        case Order::release: return "release";
        case Order::acquire_release: return "acquire_release";
    }
    return "?";
}
const char* name(Access a) {
    switch (a) {
        case Access::read: return "read";
        case Access::write: return "write";
        case Access::read_write: return "read_write";
    }
    return "?";
}

std::string extent(const std::array<std::uint32_t, 3>& e) { return support::join_numbers(e, " x "); }

template <class Symbols>
std::string symbol_name(const Symbols& symbols, std::uint64_t index) {
    return index < symbols.size() ? symbols[index].name : "?" + std::to_string(index);
}

std::string header(const Kernel& kernel) {
    const LaunchAttributes& launch = kernel.launch;
    std::string text = "kernel " + kernel.name + "\n";
    if (!kernel.comment.empty()) {
        for (const std::string_view line : support::split(kernel.comment, '\n'))
            text += "  // " + std::string(line) + "\n";
    }
    text += "  group " + extent(launch.group);
    if (launch.cluster != std::array<std::uint32_t, 3>{1, 1, 1}) text += ", cluster " + extent(launch.cluster);
    if (launch.cooperative) text += ", cooperative";
    if (launch.register_bound != 0) text += ", registers " + std::to_string(launch.register_bound);
    if (launch.min_groups_per_unit != 0) text += ", groups per unit " + std::to_string(launch.min_groups_per_unit);
    if (launch.required_subgroup_size != 0) text += ", subgroup " + std::to_string(launch.required_subgroup_size);
    text += "\n";
    for (const BufferParameter& b : kernel.buffers) {
        text += "  buffer " + b.name + " : " + to_string(b.element) + " " + name(b.access) + (b.table ? " table" : "") +
                (b.may_alias ? " may_alias" : "") + (b.by_address ? " by_address" : "") +
                (b.parts > 1 ? ", the first of " + std::to_string(b.parts) + " parts" : "") + "\n";
    }
    for (const ScalarParameter& s : kernel.scalars) text += "  scalar " + s.name + " : " + to_string(s.type) + "\n";
    for (const ImageParameter& i : kernel.images) {
        text += "  image " + i.name + " : " + to_string(i.format) + std::string(" ") + name(i.access) +
                (i.may_alias ? " may_alias" : "") + "\n";
    }
    for (const ExternalFunction& f : kernel.functions)
        text += "  function " + (f.symbol.empty() ? std::string("of the host") : f.symbol + " " + f.code_hash) + "\n";
    for (const ArraySymbol& a : kernel.shared) {
        text += "  shared " + a.name + " : " + to_string(a.element) + "[" + std::to_string(a.count) + "]\n";
    }
    for (const ArraySymbol& a : kernel.privates) {
        text += "  private " + a.name + " : " + to_string(a.element) + "[" + std::to_string(a.count) + "]\n";
    }
    for (std::size_t k = 0; k < kernel.patterns.size(); ++k) {
        text += "  pattern " + std::to_string(k) + " :";
        for (const std::uint8_t lane : kernel.patterns[k]) text += " " + std::to_string(lane);
        text += "\n";
    }
    return text;
}

/// What an instruction says beside its operands: the symbol, the immediate, scope and order.
std::string leading(const Kernel& kernel, const Instruction& i) {
    switch (i.op) {
        case Op::constant:
            if (i.type.is_float()) return " " + support::to_text(std::bit_cast<double>(i.immediate));
            if (i.type.scalar == Scalar::i32) return " " + std::to_string(static_cast<std::int32_t>(i.immediate));
            if (i.type.scalar == Scalar::boolean) return i.immediate != 0 ? " true" : " false";
            return " " + std::to_string(i.immediate);
        case Op::parameter: return " " + symbol_name(kernel.scalars, i.immediate);
        case Op::group_id:
        case Op::group_count:
        case Op::thread_id: return i.immediate < 3 ? std::string(" ") + "xyz"[i.immediate] : " ?";
        case Op::global_load:
        case Op::global_store: return " " + symbol_name(kernel.buffers, i.symbol);
        case Op::shared_load:
        case Op::shared_store:
        case Op::cluster_load:
        case Op::cluster_store: return " " + symbol_name(kernel.shared, i.symbol);
        case Op::private_load:
        case Op::private_store: return " " + symbol_name(kernel.privates, i.symbol);
        case Op::image_load:
        case Op::image_store: return " " + symbol_name(kernel.images, i.symbol);
        case Op::part_barrier: return " " + std::to_string(i.immediate) + " threads";
        case Op::cluster_arrivals: return " " + std::to_string(i.immediate) + " bytes";
        case Op::fence: return std::string(" ") + name(i.scope) + " " + name(i.order);
        case Op::async_copy:
            return " " + symbol_name(kernel.shared, i.symbol) + " from " + symbol_name(kernel.buffers, i.immediate) +
                   " width " + std::to_string(i.width);
        case Op::async_bulk_copy:
            return " " + symbol_name(kernel.shared, i.symbol) + " from " + symbol_name(kernel.buffers, i.immediate);
        case Op::async_neighbour_copy:
            return " " + symbol_name(kernel.shared, i.immediate) + " from " + symbol_name(kernel.shared, i.symbol);
        case Op::async_wait: return " " + std::to_string(i.immediate);
        default: break;
    }
    if (op_kind(i.op) == OpKind::call)
        return " " + symbol_name(kernel.buffers, i.symbol) + " by function " + std::to_string(i.immediate);
    if (op_kind(i.op) == OpKind::atomic)
        return " " + symbol_name(kernel.buffers, i.symbol) + " " + name(i.scope) + " " + name(i.order);
    return "";
}

std::string trailing(const Instruction& i) {
    std::string text;
    if (i.op == Op::extract) text += " lane " + std::to_string(i.immediate);
    if (i.op == Op::shuffle) text += " pattern " + std::to_string(i.immediate);
    if (i.exact) text += " exact";
    if (i.hint == CacheHint::streaming) text += " streaming";
    if (i.hint == CacheHint::line) text += " line";
    return text;
}

std::string line(const Kernel& kernel, ValueId id) {
    const Instruction& i = kernel.code[id];
    std::string text = makes_value(i) ? "%" + std::to_string(id) + " = " : "";
    text += op_name(i.op);
    if (i.type.scalar != Scalar::none) text += " " + to_string(i.type);
    text += leading(kernel, i);
    const int predicate = predicate_slot(i.op), part = part_slot(i.op);
    bool first = true;
    for (int k = 0; k < 4; ++k) {
        const ValueId v = i.operands[static_cast<std::size_t>(k)];
        if (v == no_value) continue;
        text += k == predicate ? " if %" : k == part ? " in part %" : first ? " %" : ", %";
        text += std::to_string(v);
        first = false;
    }
    return text + trailing(i);
}

}  // namespace

std::string to_string(Type type) {
    std::string text = name(type.scalar);
    if (type.lanes > 1) text += "x" + std::to_string(type.lanes);
    return text;
}

std::string print(const Kernel& kernel) {
    std::string text = header(kernel);
    std::size_t depth = 1;
    for (ValueId id = 0; id < kernel.code.size(); ++id) {
        const Op op = kernel.code[id].op;
        const bool closes = op == Op::loop_end || op == Op::if_end || op == Op::if_else;
        if (closes && depth > 1) --depth;
        text += std::string(2 * depth, ' ') + line(kernel, id) + "\n";
        if (op == Op::loop_begin || op == Op::if_begin || op == Op::if_else) ++depth;
    }
    return text;
}

}  // namespace seiche::ir
