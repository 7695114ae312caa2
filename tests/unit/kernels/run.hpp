// How the tests of this folder run a small kernel in the interpreter.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "ir/builder.hpp"
#include "ir/interpret.hpp"
#include "ir/verify.hpp"

namespace seiche::test {

template <class T>
ir::BoundBuffer bound(std::vector<T>& memory) {
    return {reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(T)};
}

inline std::uint32_t input(ir::Builder& build, ir::Type element) {
    return build.buffer({"in", element, ir::Access::read, false, false});
}
inline std::uint32_t output(ir::Builder& build, ir::Type element) {
    return build.buffer({"out", element, ir::Access::write, false, false});
}

/// Verifies the kernel and runs so many groups of it.
inline void run(const ir::Kernel& kernel, std::initializer_list<ir::BoundBuffer> buffers, std::uint32_t groups = 1) {
    ir::verify(kernel);
    ir::Launch launch;
    launch.groups = {groups, 1, 1};
    launch.buffers = buffers;
    ir::interpret(kernel, launch);
}

}  // namespace seiche::test
