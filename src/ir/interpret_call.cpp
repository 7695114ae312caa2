// Calls of a user's functions: thread by thread, one element at a time.
#include <array>

#include "ir/interpret_values.hpp"

namespace seiche::ir {

namespace {

constexpr std::size_t most_lanes = 2;

StageHostFunction function_of(const Frame& f, const Step& s) {
    const StageHostFunction function = f.program->kernel.functions[s.instruction->immediate].host;
    if (function == nullptr) fail(f, s, "calls a function that has no form for the host");
    return function;
}

template <class T, bool is_load>
void call(Frame& f, const Step& s) {
    constexpr unsigned pointer_at = is_load ? 1 : 2, predicate_at = is_load ? 2 : 3;
    const StageHostFunction function = function_of(f, s);
    std::byte* const array = global_window(f, s.instruction->symbol).data;
    const auto* index = f.operand<std::uint64_t>(s, 0);
    const auto* pointer = f.operand<std::uint64_t>(s, pointer_at);
    const auto* predicate = s.operands[predicate_at].present ? f.operand<std::uint8_t>(s, predicate_at) : nullptr;
    T* const values = is_load ? f.result<T>(s) : f.at<T>(s.operands[1].offset);
    for (std::uint32_t t = 0; t < s.threads; ++t) {
        const bool is_called = predicate == nullptr || predicate[t] != 0;
        std::array<T, most_lanes> element{};
        for (std::uint32_t lane = 0; !is_load && lane < s.lanes; ++lane) element[lane] = values[lane * s.threads + t];
        if (is_called) function(array, index[t], element.data(), reinterpret_cast<void*>(pointer[t]));
        for (std::uint32_t lane = 0; is_load && lane < s.lanes; ++lane) values[lane * s.threads + t] = element[lane];
    }
}

template <class T>
Action action_of(Op op) {
    return op == Op::call_load ? &call<T, true> : &call<T, false>;
}

}  // namespace

Action call_action(const Instruction& i) {
    return i.type.scalar == Scalar::f64 ? action_of<double>(i.op) : action_of<float>(i.op);
}

}  // namespace seiche::ir
