// What threads and groups tell each other, in PTX: barriers, shuffles, fences, atomics, copies on the way, matrices.
#include <algorithm>

#include "emit/ptx.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Order;
using ir::Scalar;
using ir::Scope;
using ir::Type;
using ir::ValueId;

namespace {

constexpr unsigned first_with_async_copies = 80, first_with_matrices = 80, first_with_clusters = 90;

/// Of sequential consistency, as __threadfence has it.
std::string fence_of(Scope scope) {
    return scope == Scope::subgroup || scope == Scope::group ? "membar.cta" : "membar.gl";
}

bool releases(Order order) { return order == Order::release || order == Order::acquire_release; }
bool acquires(Order order) { return order == Order::acquire || order == Order::acquire_release; }

}  // namespace

// The hardware has 16 barriers, of which 0 is the group's. Parts of other sizes may be under way at the same time, so
// that each size has its own: 1 and 2 are the halves', 3 to 6 the quarters', 7 to 14 the eighths'.
void PtxWriter::part_barrier(const Instruction& i) {
    const std::string threads = std::to_string(i.immediate);
    const std::uint64_t parts = kernel_.launch.group_size() / i.immediate;
    const std::string part = make(Scalar::u32, "div.u32", {special_register("%tid.x"), threads});
    emit("bar.sync", {make(Scalar::u32, "add.u32", {part, std::to_string(parts - 1)}), threads});
}

void PtxWriter::shuffle(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar scalar = i.type.scalar;
    const bool is_full = kernel_.launch.group_size() % 32 == 0;
    std::string mask = "0xffffffff";
    if (!is_full) {
        mask = fresh(Scalar::u32);
        emit("activemask.b32", {mask});
    }
    const std::string mnemonic = i.op == Op::subgroup_shuffle ? "shfl.sync.idx.b32" : "shfl.sync.bfly.b32";
    const auto move = [&](Scalar word, const std::string& value) {
        return make(word, mnemonic, {value, operand(i, 1), "31", mask});
    };
    const std::string value = in_register(i, 0);
    const unsigned bytes = ir::scalar_bytes(scalar);
    if (bytes == 4) return define(id, move(scalar, value));
    if (bytes == 2)
        return define(id, make(scalar, "cvt.u16.u32", {move(Scalar::u32, make(Scalar::u32, "cvt.u32.u16", {value}))}));
    if (bytes != 8) unsupported(i, "of that type");
    const std::string low = fresh(Scalar::u32), high = fresh(Scalar::u32);
    emit("mov.b64", {"{" + low + ", " + high + "}", value});
    const std::string new_low = move(Scalar::u32, low), new_high = move(Scalar::u32, high);
    define(id, make(scalar, "mov.b64", {"{" + new_low + ", " + new_high + "}"}));
}

// One thread waits for all, and what it has seen the barrier tells the others. An acquiring load empties the unit's
// first cache, and those that only look do not; a fence behind them would wait for the thread's own stores too.
void PtxWriter::wait_until(const Instruction& i) {
    const std::string rest = fresh_label(), again = fresh_label(), later = fresh_label();
    const std::string type = ptx_type(kernel_.buffers[i.symbol].element.scalar);
    const std::string address = global_address(i.symbol, buffers_[i.symbol], i.operands[0], 0);
    std::string thread = special_register("%tid.x");
    for (const char* other : {"%tid.y", "%tid.z"})
        thread = make(Scalar::u32, "or.b32", {thread, special_register(other)});
    emit_if(make(Scalar::boolean, "setp.ne.u32", {thread, "0"}), "bra", {rest});
    label(again);
    const Scalar scalar = kernel_.buffers[i.symbol].element.scalar;
    const std::string seen = make(scalar, "ld.acquire.gpu.global." + type, {address});
    emit_if(make(Scalar::boolean, "setp.ge." + type, {seen, operand(i, 1)}), "bra", {rest});
    label(later);
    const std::string count = make(scalar, "ld.relaxed.gpu.global." + type, {address});
    emit_if(make(Scalar::boolean, "setp.lt." + type, {count, operand(i, 1)}), "bra", {later});
    emit("bra", {again});
    label(rest);
    emit("bar.sync", {"0"});
}

void PtxWriter::atomic(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (i.op == Op::wait_until) return wait_until(i);
    const Type element = kernel_.buffers[i.symbol].element;
    const unsigned bytes = ir::type_bytes(element);
    if (element.is_vector() || bytes < 4) unsupported(i, "of less than a word, or of a vector");
    if (i.op == Op::atomic_exchange && element.scalar == Scalar::f64) unsupported(i, "of double");
    const std::string condition = predicate(i), type = ptx_type(element.scalar), bits = ptx_bits(element.scalar);
    const bool is_of_group = i.scope == Scope::subgroup || i.scope == Scope::group;
    const std::string address = global_address(i.symbol, buffers_[i.symbol], i.operands[0], 0);
    // Ahead of an addition that releases its own order suffices. A fence of sequential consistency would empty the
    // multiprocessor's first cache as well. Measured: LAB-0044.
    const bool orders_itself = i.op == Op::atomic_add && i.order == Order::release;
    const std::string scope = (orders_itself ? ".release" : "") + std::string(is_of_group     ? ".cta"
                                                                              : orders_itself ? ".gpu"
                                                                                              : "");
    if (releases(i.order) && !orders_itself) emit_if(condition, fence_of(i.scope), {});
    if (i.op == Op::atomic_store) {
        emit_if(condition, "st.volatile.global." + type, {address, operand(i, 1)});
    } else {
        const std::string made = fresh(element.scalar);
        const bool floats = element.is_float();
        if (!condition.empty())
            emit("mov." + bits, {made, !floats ? "0" : bytes == 4 ? "0f00000000" : "0d0000000000000000"});
        if (i.op == Op::atomic_load)
            emit_if(condition, "ld.volatile.global." + type, {made, address});
        else if (i.op == Op::atomic_add)
            emit_if(condition, "atom" + scope + ".global.add." + type, {made, address, operand(i, 1)});
        else
            emit_if(condition, "atom" + scope + ".global.exch." + bits, {made, address, operand(i, 1)});
        define(id, made);
    }
    if (acquires(i.order)) emit_if(condition, fence_of(i.scope), {});
}

// A barrier of the cluster with its full order waits until every store of the thread, to global memory too, is seen by
// the whole device, and empties the unit's first cache. Stores that complete a transaction of a barrier in the memory
// that they go to need neither: that barrier's phases are waited for, each with so many bytes.
void PtxWriter::begin_arrivals() {
    if (!counts_arrivals_) return;
    const auto first = std::find_if(kernel_.code.begin(), kernel_.code.end(),
                                    [](const Instruction& i) { return i.op == Op::cluster_arrivals; });
    arrivals_ = first->symbol;
    const std::string is_first = is_first_thread();
    emit_if(is_first, "mbarrier.init.shared::cta.b64", {arrivals_at("shared_memory"), "1"});
    emit_if(is_first, "fence.mbarrier_init.release.cluster", {});
    expect_arrivals(0);
}

std::string PtxWriter::is_first_thread() {
    std::string any = special_register("%tid.x");
    for (unsigned d = 1; d < 3; ++d)
        if (kernel_.launch.group[d] > 1)
            any = make(Scalar::u32, "or.b32", {any, special_register(std::string("%tid.") + "xyz"[d])});
    return make(Scalar::boolean, "setp.eq.u32", {any, "0"});
}

/// The bytes of the next phase. Behind the wait for the one before, and ahead of a cluster_ready, nobody has sent any.
void PtxWriter::expect_arrivals(ValueId from) {
    const auto next = std::find_if(kernel_.code.begin() + from, kernel_.code.end(),
                                   [](const Instruction& i) { return i.op == Op::cluster_arrivals; });
    if (next == kernel_.code.end()) return;
    emit_if(is_first_thread(), "mbarrier.arrive.expect_tx.shared::cta.b64",
            {"_", arrivals_at("shared_memory"), std::to_string(next->immediate)});
}

void PtxWriter::wait_for_arrivals(ValueId id) {
    const std::string again = fresh_label(), has_come = fresh(Scalar::boolean);
    label(again);
    emit("mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64",
         {has_come, arrivals_at("shared_memory"), waits_++ % 2 == 0 ? "0" : "1"});
    emit_if("!" + has_come, "bra", {again});
    emit("fence.acquire.sync_restrict::shared::cluster.cluster", {});
    expect_arrivals(id + 1);
}

std::string PtxWriter::arrivals_at(const std::string& shared) const {
    return "[" + shared + "+" + std::to_string(ir::shared_offset(kernel_, arrivals_)) + "]";
}

void PtxWriter::meet_cluster(ValueId id) {
    const Instruction& i = kernel_.code[id];
    require(first_with_clusters, i);
    if (i.op == Op::cluster_arrivals && counts_arrivals_) return wait_for_arrivals(id);
    const bool has_own_alone = i.op == Op::cluster_ready && counts_arrivals_;
    if (has_own_alone) emit("fence.release.sync_restrict::shared::cta.cluster", {});
    emit(has_own_alone ? "barrier.cluster.arrive.relaxed.aligned" : "barrier.cluster.arrive.aligned", {});
    emit("barrier.cluster.wait.aligned", {});
}

// One copy an element: more than an element's alignment is not known of the global address.
void PtxWriter::async_copy(const Instruction& i) {
    require(first_with_async_copies, i);
    const unsigned bytes = ir::type_bytes(kernel_.shared[i.symbol].element);
    if (bytes != 4 && bytes != 8 && bytes != 16) unsupported(i, "of elements of " + std::to_string(bytes) + " bytes");
    const std::string mnemonic = bytes == 16 ? "cp.async.cg.shared.global" : "cp.async.ca.shared.global";
    const auto buffer = static_cast<std::uint32_t>(i.immediate);
    for (unsigned k = 0; k < i.width; ++k) {
        const std::string to = shared_address(i.symbol, i.operands[0], k);
        const std::string from = global_address(buffer, buffers_[buffer], i.operands[1], k);
        emit_if(predicate(i), mnemonic, {to, from, std::to_string(bytes)});
    }
}

void PtxWriter::matrix(ValueId id) {
    const Instruction& i = kernel_.code[id];
    require(first_with_matrices, i);
    if (i.type != Type(Scalar::f64, 2)) unsupported(i, "of that type");
    const std::string first = fresh(Scalar::f64), second = fresh(Scalar::f64);
    const std::vector<std::string>& sum = lanes(i, 2);
    emit("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
         {"{" + first + ", " + second + "}", "{" + in_register(i, 0) + "}", "{" + in_register(i, 1) + "}",
          "{" + sum[0] + ", " + sum[1] + "}"});
    values_[id] = {first, second};
}

void PtxWriter::synchronise(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::part_barrier: return part_barrier(i);
        case Op::group_barrier: return emit("bar.sync", {"0"});
        case Op::subgroup_barrier: return emit("bar.warp.sync", {"0xffffffff"});
        case Op::fence: return emit(fence_of(i.scope), {});
        case Op::cluster_ready:
        case Op::cluster_arrivals:
        case Op::cluster_barrier: return meet_cluster(id);
        case Op::subgroup_shuffle:
        case Op::subgroup_shuffle_xor: return shuffle(id);
        case Op::async_copy: return async_copy(i);
        case Op::async_commit: require(first_with_async_copies, i); return emit("cp.async.commit_group", {});
        case Op::async_wait:
            require(first_with_async_copies, i);
            return emit("cp.async.wait_group", {std::to_string(i.immediate)});
        default: unsupported(i);
    }
}

}  // namespace seiche::emit
