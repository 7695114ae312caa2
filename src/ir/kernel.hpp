// The intermediate representation: a kernel as a flat list of typed instructions. Contract of the folder.
//
// Values are numbered by the instruction that makes them. Control flow is uniform: loops and ifs are bracketed by begin
// and end instructions and have conditions that are the same for all threads of a group; a value made inside brackets
// is not visible outside. What must outlive an iteration lives in a private or shared array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "seiche/image.hpp"
#include "seiche/stage.hpp"

namespace seiche::ir {

/// i8, u8, i16 and u16 live in memory only: they are loaded, stored and converted. dd is a double-double number;
/// kernels have it between generation and the pass expand_double_double only.
enum class Scalar : std::uint8_t { none, boolean, i8, u8, i16, u16, i32, u32, u64, f16, bf16, f32, f64, dd };

/// Integers that live in memory only.
constexpr bool is_narrow(Scalar s) { return s >= Scalar::i8 && s <= Scalar::u16; }

/// A scalar type and how many lanes of it: 1, 2, 4, 8 or 16.
struct Type {
    Scalar scalar = Scalar::none;
    std::uint8_t lanes = 1;

    constexpr Type() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a scalar is a type
    constexpr Type(Scalar s, unsigned l = 1) : scalar(s), lanes(static_cast<std::uint8_t>(l)) {}
    constexpr Type with_lanes(unsigned l) const { return {scalar, l}; }
    constexpr bool is_float() const { return scalar >= Scalar::f16; }
    constexpr bool is_integer() const {
        return scalar == Scalar::i32 || scalar == Scalar::u32 || scalar == Scalar::u64;
    }
    constexpr bool is_vector() const { return lanes > 1; }
    bool operator==(const Type&) const = default;
};

/// Bytes of one lane in memory; a boolean has none.
constexpr unsigned scalar_bytes(Scalar s) {
    switch (s) {
        case Scalar::none:
        case Scalar::boolean: return 0;
        case Scalar::i8:
        case Scalar::u8: return 1;
        case Scalar::i16:
        case Scalar::u16:
        case Scalar::f16:
        case Scalar::bf16: return 2;
        case Scalar::i32:
        case Scalar::u32:
        case Scalar::f32: return 4;
        case Scalar::u64:
        case Scalar::f64: return 8;
        case Scalar::dd: return 16;
    }
    return 0;
}
constexpr unsigned type_bytes(Type t) { return scalar_bytes(t.scalar) * t.lanes; }

enum class Op : std::uint8_t {
#define SEICHE_OP(name, operands, kind) name,
#include "ir/ops.def"
#undef SEICHE_OP
};

enum class OpKind : std::uint8_t {
    leaf,
    unary,
    binary,
    ternary,
    compare,
    convert,
    lanes,
    memory,
    image,
    cluster,
    sync,
    subgroup,
    atomic,
    async,
    matrix,
    call,
    control
};

const char* op_name(Op op);
OpKind op_kind(Op op);
/// The largest number of value operands.
unsigned op_operands(Op op);
/// True for ops whose type is that of the value that they store.
bool op_stores(Op op);
/// True if the result depends on the operands alone, so that equal instructions may be merged and unused ones dropped.
bool op_is_pure(Op op);
/// The operand slot of an access's predicate, and of a global access's part; -1: the op has none.
int predicate_slot(Op op);
int part_slot(Op op);

using ValueId = std::uint32_t;
inline constexpr ValueId no_value = 0xffffffffu;

enum class Scope : std::uint8_t { subgroup, group, cluster, device };
enum class Order : std::uint8_t { relaxed, acquire, release, acquire_release };
enum class CacheHint : std::uint8_t {
    normal,
    streaming,  ///< Nobody reads it again before a cache has forgotten it.
    line,       ///< Of a load: others read the rest of its cache line soon.
};

struct Instruction {
    Op op = Op::constant;
    Type type;           ///< Of the result; of the stored value for a store; none otherwise.
    bool exact = false;  ///< Never contracted or reassociated.
    CacheHint hint = CacheHint::normal;
    Scope scope = Scope::group;
    Order order = Order::relaxed;
    std::uint16_t width = 1;   ///< Elements of an async_copy.
    std::uint32_t symbol = 0;  ///< Buffer, shared array, private array or image.
    std::array<ValueId, 4> operands{no_value, no_value, no_value, no_value};
    std::uint64_t immediate = 0;  ///< See ops.def.
    bool operator==(const Instruction&) const = default;
};

/// Whether the instruction makes a value that others may use.
inline bool makes_value(const Instruction& i) { return i.type.scalar != Scalar::none && !op_stores(i.op); }

enum class Access : std::uint8_t { read, write, read_write };

/// A buffer in global memory. The address of an access is this buffer and a u64 count of elements.
struct BufferParameter {
    std::string name;
    Type element;
    Access access = Access::read;
    bool table = false;      ///< A constant table of the plan: counted apart, cached.
    bool may_alias = false;  ///< Another parameter may point to the same memory (in place).
    /// Of the first of several that one array lies in: how many they are, itself included, one after the other.
    std::uint32_t parts = 1;
    /// It is more than a binding reaches: Vulkan's kernels are told its address.
    bool by_address = false;
    bool operator==(const BufferParameter&) const = default;
};

struct ScalarParameter {
    std::string name;
    Type type;
    bool operator==(const ScalarParameter&) const = default;
};

struct ImageParameter {
    std::string name;
    ImageFormat format = ImageFormat::rgba32f;
    Access access = Access::read;
    bool may_alias = false;  ///< Another parameter may be the same image (in place).
    bool operator==(const ImageParameter&) const = default;
};

/// A shared (per group) or private (per thread) array. Shared arrays lie one after the other in order, each aligned to
/// 16 bytes.
struct ArraySymbol {
    std::string name;
    Type element;
    std::uint32_t count = 0;
    bool operator==(const ArraySymbol&) const = default;
};

/// A user's function, which is compiled apart.
struct ExternalFunction {
    std::string symbol;  ///< Empty: there is no code.
    std::shared_ptr<const std::vector<std::byte>> code;
    std::string code_hash;  ///< Stands for the code: 32 digits, or empty.
    StageHostFunction host = nullptr;
    bool operator==(const ExternalFunction& other) const {
        return symbol == other.symbol && code_hash == other.code_hash && host == other.host;
    }
};

struct LaunchAttributes {
    std::array<std::uint32_t, 3> group{1, 1, 1};
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
    bool cooperative = false;
    std::uint32_t register_bound = 0;          ///< Most registers per thread; 0: the compiler's choice.
    std::uint32_t min_groups_per_unit = 0;     ///< For a compiler that takes launch bounds; 0: its choice.
    std::uint32_t required_subgroup_size = 0;  ///< 0: any.
    bool operator==(const LaunchAttributes&) const = default;
    std::uint32_t group_size() const { return group[0] * group[1] * group[2]; }
};

/// Lanes of a shuffle's result, as indices into the lanes of its first operand followed by those of its second.
using Pattern = std::array<std::uint8_t, 16>;

struct Kernel {
    std::string name = "kernel";
    std::string comment;  ///< States the spec; becomes the opening comment of the source.
    LaunchAttributes launch;
    std::vector<BufferParameter> buffers;  ///< Arguments in this order, then the scalars, then images.
    std::vector<ScalarParameter> scalars;
    std::vector<ImageParameter> images;
    std::vector<ArraySymbol> shared;
    std::vector<ArraySymbol> privates;
    std::vector<Pattern> patterns;
    std::vector<ExternalFunction> functions;  ///< At most one of a symbol.
    std::vector<Instruction> code;
    bool operator==(const Kernel&) const = default;
};

/// Whether an instruction is a global access that says in which part of its array.
inline bool names_part(const Instruction& i) {
    const int slot = part_slot(i.op);
    return slot >= 0 && i.operands[static_cast<std::size_t>(slot)] != no_value;
}

/// What a call touches of its array: one element, of the scalars that the buffer has.
inline Type called_element(const Kernel& kernel, const Instruction& i) {
    return {kernel.buffers[i.symbol].element.scalar, i.type.lanes};
}

/// Whether groups of one launch may tell each other what they wrote: the kernel has atomics or fences beyond a group.
/// Its buffers that are read and written must be seen as they are, so that none is the only way to its memory.
bool synchronises_groups(const Kernel& kernel);
/// Whether integers are divided by other numbers than powers of two.
bool divides_unevenly(const Kernel& kernel);

/// Where the groups of a cluster wait for each other.
inline bool meets_cluster(Op op) {
    return op == Op::cluster_barrier || op == Op::cluster_ready || op == Op::cluster_arrivals;
}

/// Whether the stores of a cluster's groups are counted where they arrive.
bool counts_arrivals(const Kernel& kernel);

/// Into how many parts a part_barrier may divide a group.
inline constexpr std::uint32_t most_group_parts = 8;

/// Bytes of all shared arrays, laid out as ArraySymbol says.
std::uint64_t shared_bytes(const Kernel& kernel);
/// Byte offset of one shared array.
std::uint64_t shared_offset(const Kernel& kernel, std::uint32_t symbol);

}  // namespace seiche::ir
