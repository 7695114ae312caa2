// Small kernels for the tests of this folder: short names for what every one of them needs.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "ir/interpret.hpp"
#include "ir/verify.hpp"

namespace seiche::ir::test {

/// Integer constants of values' arithmetic: 3_u.
constexpr std::uint64_t operator""_u(unsigned long long v) { return v; }

inline std::uint32_t input(Builder& b, const std::string& name, Type element) {
    return b.buffer({name, element, Access::read, false, false});
}
inline std::uint32_t output(Builder& b, const std::string& name, Type element) {
    return b.buffer({name, element, Access::write, false, false});
}
inline std::uint32_t both(Builder& b, const std::string& name, Type element) {
    return b.buffer({name, element, Access::read_write, false, false});
}

inline Value wide(Value v) { return v.builder().convert(v, Scalar::u64); }
inline Value u32(Builder& b, std::uint32_t v) { return b.integer(Scalar::u32, v); }
inline Value u64(Builder& b, std::uint64_t v) { return b.integer(Scalar::u64, v); }

/// A number for each thread of a one-dimensional grid.
inline Value global_thread(Builder& b) {
    return b.group_id() * std::uint64_t{b.kernel().launch.group[0]} + b.thread_id();
}

inline Instruction instruction(Op op, Type type, std::initializer_list<Value> operands, std::uint32_t symbol = 0,
                               std::uint64_t immediate = 0) {
    Instruction i;
    i.op = op;
    i.type = type;
    i.symbol = symbol;
    i.immediate = immediate;
    std::size_t k = 0;
    for (const Value v : operands) i.operands[k++] = v ? v.id() : no_value;
    return i;
}

template <class T>
BoundBuffer bound(std::vector<T>& memory) {
    return {reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(T)};
}

inline Launch launch_of(std::initializer_list<BoundBuffer> buffers, std::uint32_t groups = 1) {
    Launch launch;
    launch.groups = {groups, 1, 1};
    launch.buffers = buffers;
    return launch;
}

}  // namespace seiche::ir::test
