// What sets one C-family dialect apart from another: words as data, and a few hooks for what differs in shape.
#pragma once

#include <string>

#include "emit/source.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit {

class Writer;

/// An access to memory: `type` at element `index` of `base`, whose elements are `element`.
struct MemoryAccess {
    const char* space = "";  ///< Address space qualifier where the dialect has one, e.g. "__global".
    std::string base;        ///< Name of the pointer or array.
    ir::Type element;
    std::string index;
    ir::Type type;
    bool table = false;  ///< A constant table.
    bool read_only = false;
    ir::CacheHint hint = ir::CacheHint::normal;
    std::string step = {};  ///< What the pointer goes on behind `index`; empty: nothing.
};

struct CDialect {
    const char* name;
    const char* u64_suffix;  ///< Of a literal.
    const char* f32_infinity;
    const char* f64_infinity;
    const char* global_space;
    const char* shared_space;
    bool native_vectors;                     ///< Arithmetic on vectors is in the language.
    const char* value_qualifier = "const ";  ///< Before the type of a named value.
    const char* exact_qualifier = "";        ///< And before that of one that must not be contracted.
    bool steps_indices = false;   ///< An index may be taken apart; an access of shared memory has a step then.
    bool preamble_leads = false;  ///< It stands before the opening comment.
    const char* const* reserved = nullptr;  ///< Words that no name may be, ending with a null pointer.

    /// Text of a constant, where it is not the common one; empty: it is. May be null.
    std::string (*constant)(ir::Type type, std::uint64_t bits) = nullptr;

    std::string (*type_name)(ir::Type type);
    /// The function that computes `op` on floating values, or empty.
    std::string (*function_name)(ir::Op op, ir::Scalar scalar);
    std::string (*load)(Writer& writer, const MemoryAccess& access);
    /// A whole statement without indentation.
    std::string (*store)(Writer& writer, const MemoryAccess& access, const std::string& value);
    std::string (*convert)(Writer& writer, const std::string& value, ir::Type from, ir::Type to);
    std::string (*bitcast)(Writer& writer, const std::string& value, ir::Type from, ir::Type to);
    /// Writes an op in the dialect's own way; false: the printer's common way will do. Throws Unsupported for what
    /// cannot be said.
    bool (*special)(Writer& writer, ir::ValueId id);
    std::string (*group_id)(unsigned dimension);
    std::string (*group_count)(unsigned dimension);
    std::string (*thread_id)(unsigned dimension);
    /// Everything before the functions: pragmas, types.
    std::string (*preamble)(const Writer& writer);
    /// From the attributes to the opening brace, and what must precede the first statement.
    void (*open_kernel)(Writer& writer);
    /// From the declaration of a function to what must precede its first statement. Its arguments are the private
    /// arrays, `exchange` and `lane`.
    void (*open_function)(Writer& writer);
    /// Everything before a function, in a file that is the user's.
    std::string (*function_preamble)(const Writer& writer);
    const char* constant_space;      ///< Qualifiers of a constant array outside of functions.
    bool constructs_arrays = false;  ///< An array is written vec2[2](a, b), not {a, b}.
    /// An element of such an array of pairs.
    std::string (*pair)(ir::Type type, const std::string& first, const std::string& second);
};

extern const CDialect opencl_dialect;
extern const CDialect cuda_dialect;
extern const CDialect hip_dialect;
extern const CDialect glsl_dialect;
extern const CDialect glsl_es_dialect;

}  // namespace seiche::emit
