// Structured control flow, barriers and what a subgroup does together.
#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

constexpr Word no_hint = 0;
constexpr Word version_1_3 = 0x00010300;

}  // namespace

// before -> header -> test -> body -> more -> header; test -> merge. The counter is a phi of the header.
void Writer::begin_loop(ValueId id) {
    const Instruction& i = kernel_.code[id];
    Loop loop{};
    for (Id* label : {&loop.header, &loop.more, &loop.merge, &loop.next, &loop.counter}) *label = module_.new_id();
    loop.step = operand(i, 2).id;
    const Id test = module_.new_id(), body = module_.new_id(), before = block_;
    statement(Code::Branch, {loop.header});
    begin_block(loop.header);
    statement(Code::Phi, {type(Scalar::u32), loop.counter, operand(i, 0).id, before, loop.next, loop.more});
    statement(Code::LoopMerge, {loop.merge, loop.more, no_hint});
    statement(Code::Branch, {test});
    begin_block(test);
    const Id inside = op(Code::ULessThan, Type(Scalar::boolean), {loop.counter, operand(i, 1).id});
    statement(Code::BranchConditional, {inside, body, loop.merge});
    begin_block(body);
    define(id, loop.counter);
    Bracket bracket;
    bracket.is_loop = true;
    bracket.loop = loop;
    brackets_.push_back(bracket);
}

void Writer::end_loop() {
    const Loop loop = brackets_.back().loop;
    statement(Code::Branch, {loop.more});
    begin_block(loop.more);
    statement(Code::IAdd, {type(Scalar::u32), loop.next, loop.counter, loop.step});
    statement(Code::Branch, {loop.header});
    begin_block(loop.merge);
    brackets_.pop_back();
}

void Writer::control(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::loop_begin: return begin_loop(id);
        case Op::loop_end: return end_loop();
        case Op::if_begin: {
            Bracket bracket;
            bracket.otherwise = module_.new_id();
            bracket.merge = module_.new_id();
            const Id then = module_.new_id();
            statement(Code::SelectionMerge, {bracket.merge, no_hint});
            statement(Code::BranchConditional, {operand(i, 0).id, then, bracket.otherwise});
            begin_block(then);
            brackets_.push_back(bracket);
            return;
        }
        case Op::if_else:
            statement(Code::Branch, {brackets_.back().merge});
            begin_block(brackets_.back().otherwise);
            brackets_.back().has_else = true;
            return;
        default: break;
    }
    const Bracket bracket = brackets_.back();
    brackets_.pop_back();
    statement(Code::Branch, {bracket.merge});
    if (!bracket.has_else) {
        begin_block(bracket.otherwise);
        statement(Code::Branch, {bracket.merge});
    }
    begin_block(bracket.merge);
}

// ---- Synchronisation

Word Writer::memory_touched() const {
    bool exchanges_through_buffers = false;
    for (const auto& buffer : kernel_.buffers) exchanges_through_buffers |= buffer.access == ir::Access::read_write;
    return semantics_workgroup_memory | (exchanges_through_buffers ? flavour_.global_memory : 0);
}

void Writer::fence(ir::Scope scope, ir::Order order) {
    const Word bits = order == ir::Order::acquire   ? semantics_acquire
                      : order == ir::Order::release ? semantics_release
                                                    : semantics_acquire_release;
    const Scope reach = scope == ir::Scope::subgroup ? Scope::Subgroup
                        : scope == ir::Scope::group  ? Scope::Workgroup
                                                     : Scope::Device;
    statement(Code::MemoryBarrier,
              {u32(static_cast<Word>(reach)), u32(bits | semantics_workgroup_memory | flavour_.global_memory)});
}

void Writer::synchronise(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (i.op == Op::fence) return fence(i.scope, ir::Order::acquire_release);
    if (i.op != Op::group_barrier && i.op != Op::subgroup_barrier) unsupported(i);
    const bool whole_group = i.op == Op::group_barrier;
    if (!whole_group) {
        module_.capability(flavour_.casts_pointers ? Capability::SubgroupDispatch : Capability::GroupNonUniform);
        if (flavour_.casts_pointers) use_version(version_1_3);
    }
    const Id scope = u32(static_cast<Word>(whole_group ? Scope::Workgroup : Scope::Subgroup));
    statement(Code::ControlBarrier, {scope, scope, u32(semantics_acquire_release | memory_touched())});
}

void Writer::subgroup(ValueId id) {
    const Instruction& i = kernel_.code[id];
    use_version(version_1_3);
    module_.capability(Capability::GroupNonUniform);
    if (i.op == Op::subgroup_lane) {
        Id& lane = thread_words_[{static_cast<Word>(BuiltIn::SubgroupLocalInvocationId), 0}];
        if (lane == 0)
            lane = at_start(Code::Load, type(Scalar::u32), {builtin(BuiltIn::SubgroupLocalInvocationId, false)});
        return define(id, lane);
    }
    module_.capability(Capability::GroupNonUniformShuffle);
    const Held value = operand(i, 0);
    const Code code = i.op == Op::subgroup_shuffle ? Code::GroupNonUniformShuffle : Code::GroupNonUniformShuffleXor;
    values_[id] = {op(code, value.type, {u32(static_cast<Word>(Scope::Subgroup)), value.id, operand(i, 1).id}),
                   value.type, value.rounded};
}

}  // namespace seiche::emit::spirv
