// Launches of kernels made by hand, and what they leave.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpu_kernels.hpp"
#include "runtime/cpu/queue.hpp"
#include "runtime/cpu/threads.hpp"

namespace seiche::test {

using Numbers = std::vector<std::uint64_t>;

/// Of an argument: launches that touch less stay in their thread.
inline constexpr std::uint64_t many_bytes = std::uint64_t{1} << 20;

/// So many threads while it lives.
class WithThreads {
public:
    explicit WithThreads(unsigned threads) { runtime::cpu::set_threads(threads); }
    ~WithThreads() {
        runtime::cpu::set_threads(0);
        runtime::cpu::set_parallel_for({});
    }
};

inline void launch(const runtime::cpu::CpuModule& module, runtime::cpu::CpuBuffer& buffer,
                   std::array<std::uint32_t, 3> groups, Numbers scalars = {}, std::uint64_t offset = 0) {
    const runtime::BufferArgument argument{&buffer, offset};
    runtime::Launch launch;
    launch.module = &module;
    launch.groups = groups;
    launch.buffers = &argument;
    launch.buffer_count = 1;
    launch.scalars = scalars.data();
    launch.scalar_count = scalars.size();
    runtime::cpu::CpuQueue().launch(launch);
}

/// Of a buffer that `add_numbers` has run on once: how many of the first `groups` numbers are wrong, or of those
/// behind.
inline std::uint64_t faults_of(const runtime::cpu::CpuBuffer& buffer, std::uint64_t groups) {
    const auto* const numbers = reinterpret_cast<const std::uint64_t*>(buffer.data());
    std::uint64_t faults = 0;
    for (std::uint64_t g = 0; g < buffer.bytes() / 8; ++g) faults += numbers[g] != (g < groups ? g + 1 : 0);
    return faults;
}

template <class Error>
std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

inline bool is_one_line(const std::string& text) { return !text.empty() && text.find('\n') == std::string::npos; }

}  // namespace seiche::test
