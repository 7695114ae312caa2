// What sets one SPIR-V environment apart from another: numbers as data, and a few hooks for what differs in shape.
#pragma once

#include <optional>

#include "emit/spirv_standard.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::spirv {

class Writer;

struct Flavour {
    const char* name;       ///< Of the dialect, for messages.
    const char* functions;  ///< The set of extended instructions.
    AddressingModel addressing;
    MemoryModel memory_model;
    ExecutionModel execution_model;
    Word global_memory;  ///< Bit of memory semantics for buffers.
    /// Pointers are values: a wide access goes through a pointer to a wider type, which says how it is aligned.
    bool casts_pointers;
    unsigned index_bits;          ///< Of built-in variables.
    bool exact_without_asking;    ///< Nothing is ever contracted; else values are marked.
    bool saturates;               ///< A conversion to an integer can be told to saturate.
    bool inserts_lanes;           ///< Vectors are made lane by lane: translators to LLVM expect it.
    bool storage_types_are_used;  ///< 8- and 16-bit integers are types like others, without a storage capability.

    /// The extended instruction that computes `op`, if there is one.
    std::optional<Word> (*function)(ir::Op op, ir::Scalar scalar);
    /// Buffers and scalars: declares them and prepares Writer::set_buffer and Writer::set_scalar.
    void (*open)(Writer& writer);
};

extern const Flavour vulkan_flavour;
extern const Flavour opencl_flavour;

}  // namespace seiche::emit::spirv
