// Machine code in memory that may be run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "emit/machine/entry.hpp"
#include "emit/source.hpp"
#include "runtime/backend.hpp"
#include "runtime/cpu/debugger.hpp"
#include "runtime/cpu/features.hpp"
#include "runtime/system.hpp"

namespace seiche::runtime::cpu {

/// What kernels for this kind of processor are emitted in.
inline constexpr emit::Dialect dialect_here = is_aarch64 ? emit::Dialect::arm64 : emit::Dialect::x86;

/// A kernel in pages of its own, which are written first and run later, never both at a time.
class CpuModule final : public Module {
public:
    /// `functions`: as Call::functions. Throws InvalidProblem for a source that is no machine code, BackendError if
    /// there is no memory or the system does not let it be run.
    CpuModule(const emit::Source& source, const void* const* functions);

    std::uint64_t shared_bytes() const { return shared_bytes_; }
    const void* const* functions() const { return functions_; }
    const std::byte* code() const { return pages_.data(); }
    /// The groups [call.first, call.last), in this thread, rounded to nearest and with denormals whatever the thread's
    /// own numbers are.
    void run(const emit::machine::Call& call) const;

private:
    Pages pages_;
    std::optional<DebuggerEntry> debugger_;
    emit::machine::Entry entry_ = nullptr;
    std::uint64_t shared_bytes_;
    const void* const* functions_;
};

/// Why this system lets no memory be run that was written before; empty if it does.
std::string why_not_executable();

}  // namespace seiche::runtime::cpu
