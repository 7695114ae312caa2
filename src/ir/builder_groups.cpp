// What groups of one launch tell each other: tickets in the order in which they begin, and counters that others wait
// for.
#include "ir/builder.hpp"

namespace seiche::ir {

namespace {

Instruction on_counter(Op op, Type type, std::uint32_t counters) {
    Instruction i;
    i.op = op;
    i.type = type;
    i.symbol = counters;
    i.scope = Scope::device;
    return i;
}

}  // namespace

Value Builder::thread_in_group() {
    Value number;
    for (unsigned d = 3; d-- > 0;) {
        const std::uint64_t extent = kernel_.launch.group[d];
        if (extent > 1) number = number ? number * extent + thread_id(d) : thread_id(d);
    }
    return number ? number : integer(Scalar::u32, 0);
}

Value Builder::take_ticket(std::uint32_t counters, Value index) {
    constexpr const char* name = "ticket";
    std::uint32_t shared = 0;
    while (shared < kernel_.shared.size() && kernel_.shared[shared].name != name) ++shared;
    if (shared == kernel_.shared.size()) shared_array(name, Scalar::u32, 1);
    const std::uint32_t groups = kernel_.launch.cluster[0] * kernel_.launch.cluster[1] * kernel_.launch.cluster[2];
    const Value here = integer(Scalar::u32, 0);
    Value is_first = compare(Op::equal, thread_in_group(), here);
    if (groups > 1) {
        is_first = binary(Op::bit_and, is_first, compare(Op::equal, cluster_rank(), here));
        cluster_barrier();  // nobody writes to a group that has not begun
    }
    Instruction add = on_counter(Op::atomic_add, Scalar::u32, counters);
    add.operands = {index.id(), integer(Scalar::u32, 1).id(), is_first.id(), no_value};
    const Value ticket = effect(add);
    if (groups == 1) {
        shared_store(shared, here, ticket, is_first);
        group_barrier();
        return shared_load(shared, here, Scalar::u32);
    }
    for (std::uint32_t rank = 0; rank < groups; ++rank)
        cluster_store(integer(Scalar::u32, rank), shared, here, ticket, is_first);
    cluster_barrier();
    return shared_load(shared, here, Scalar::u32) * std::uint64_t{groups} + cluster_rank();
}

void Builder::signal(std::uint32_t counters, Value index, unsigned threads) {
    group_barrier();
    const Value is_one = less(thread_in_group(), integer(Scalar::u32, threads));
    Instruction add = on_counter(Op::atomic_add, Scalar::u32, counters);
    add.order = Order::release;
    add.operands = {index.id(), integer(Scalar::u32, 1).id(), is_one.id(), no_value};
    effect(add);
}

void Builder::wait_until(std::uint32_t counters, Value index, Value least) {
    Instruction wait = on_counter(Op::wait_until, {}, counters);
    wait.order = Order::acquire;
    wait.operands = {index.id(), least.id(), no_value, no_value};
    effect(wait);
}

}  // namespace seiche::ir
