// What a debugger is told of machine code that no file stands behind.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "emit/machine/entry.hpp"

namespace seiche::runtime::cpu {

/// While it lives, gdb knows the code by its name and unwinds the stack through it.
class DebuggerEntry {
public:
    DebuggerEntry(const std::byte* code, std::size_t bytes, const std::string& name,
                  const std::vector<emit::machine::StackFrame>& frames);
    ~DebuggerEntry();
    DebuggerEntry(const DebuggerEntry&) = delete;
    DebuggerEntry& operator=(const DebuggerEntry&) = delete;

private:
    struct Listed;
    std::unique_ptr<Listed> listed_;
};

}  // namespace seiche::runtime::cpu
