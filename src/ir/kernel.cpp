// Facts of ops and of a kernel's shared memory.
#include "ir/kernel.hpp"

#include <algorithm>

namespace seiche::ir {

const char* op_name(Op op) {
    switch (op) {
#define SEICHE_OP(name, operands, kind) \
    case Op::name:                      \
        return #name;
#include "ir/ops.def"
#undef SEICHE_OP
    }
    return "?";
}

OpKind op_kind(Op op) {
    switch (op) {
#define SEICHE_OP(name, operands, kind) \
    case Op::name:                      \
        return OpKind::kind;
#include "ir/ops.def"
#undef SEICHE_OP
    }
    return OpKind::leaf;
}

unsigned op_operands(Op op) {
    switch (op) {
#define SEICHE_OP(name, operands, kind) \
    case Op::name:                      \
        return operands;
#include "ir/ops.def"
#undef SEICHE_OP
    }
    return 0;
}

bool op_stores(Op op) {
    switch (op) {
        case Op::global_store:
        case Op::shared_store:
        case Op::private_store:
        case Op::image_store:
        case Op::cluster_store:
        case Op::call_store:
        case Op::atomic_store: return true;
        default: return false;
    }
}

bool op_is_pure(Op op) {
    switch (op_kind(op)) {
        case OpKind::leaf:
        case OpKind::unary:
        case OpKind::binary:
        case OpKind::ternary:
        case OpKind::compare:
        case OpKind::convert:
        case OpKind::lanes: return true;
        default: return false;
    }
}

int predicate_slot(Op op) {
    switch (op) {
        case Op::private_load:
        case Op::private_store:
        case Op::wait_until: return -1;
        case Op::global_load: return 1;
        case Op::global_store:
        case Op::async_copy: return 2;
        default: break;
    }
    switch (op_kind(op)) {
        case OpKind::memory:
        case OpKind::image:
        case OpKind::cluster:
        case OpKind::call:
        case OpKind::atomic: return static_cast<int>(op_operands(op)) - 1;
        default: return -1;
    }
}

int part_slot(Op op) { return op == Op::global_load ? 2 : op == Op::global_store ? 3 : -1; }

bool synchronises_groups(const Kernel& kernel) {
    return std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instruction& i) {
        return op_kind(i.op) == OpKind::atomic || (i.op == Op::fence && i.scope > Scope::group);
    });
}

bool divides_unevenly(const Kernel& kernel) {
    return std::any_of(kernel.code.begin(), kernel.code.end(), [&](const Instruction& i) {
        if ((i.op != Op::div && i.op != Op::mod) || i.type.is_float()) return false;
        const Instruction& by = kernel.code[i.operands[1]];
        return by.op != Op::constant || !std::has_single_bit(by.immediate);
    });
}

bool counts_arrivals(const Kernel& kernel) {
    return std::any_of(kernel.code.begin(), kernel.code.end(),
                       [](const Instruction& i) { return i.op == Op::cluster_arrivals; });
}

namespace {
constexpr std::uint64_t shared_alignment = 16;
}

std::uint64_t shared_offset(const Kernel& kernel, std::uint32_t symbol) {
    std::uint64_t offset = 0;
    for (std::uint32_t i = 0; i < symbol; ++i) {
        const ArraySymbol& array = kernel.shared[i];
        offset += std::uint64_t{array.count} * type_bytes(array.element);
        offset = (offset + shared_alignment - 1) / shared_alignment * shared_alignment;
    }
    return offset;
}

std::uint64_t shared_bytes(const Kernel& kernel) {
    return shared_offset(kernel, static_cast<std::uint32_t>(kernel.shared.size()));
}

}  // namespace seiche::ir
