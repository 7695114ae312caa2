// A user's stage, checked: a flat list of typed values. Contract of the folder, with compile.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "seiche/stage.hpp"

namespace seiche::expression {

enum class Type : std::uint8_t { boolean, integer, real, complex };
const char* to_string(Type type) noexcept;

/// What a node computes. Operands have the type that the operation needs: the checker puts conversions between.
enum class Kind : std::uint8_t {
    constant,     ///< `integer` or `number`, by the type.
    value,        ///< The point itself, complex or real as the array is.
    index,        ///< Along axis `symbol` of the problem.
    wave_number,  ///< The same less `integer`, the length, in the upper half of a whole spectrum.
    batch,
    scalar,      ///< `symbol`
    load,        ///< Element operands[0] of buffer `symbol`.
    call,        ///< Element operands[0] of the array, of a program with a function what that gives for it.
    widen,       ///< One type up: a whole number to a real one, a real to a complex one.
    to_integer,  ///< Of a real number, towards zero, in 32 bits.
    re,
    im,
    make_complex,  ///< Of two real numbers.
    conjugate,
    negate,
    absolute,  ///< Of a whole or a real number.
    logical_not,
    logical_and,
    logical_or,
    add,
    subtract,
    multiply,
    divide,    ///< Of real numbers, or of a complex number by a real one.
    quotient,  ///< Of whole numbers.
    remainder,
    minimum,
    maximum,
    equal,
    not_equal,
    less,
    less_equal,
    choose,  ///< operands[0] ? operands[1] : operands[2]
    square_root,
    exponential,
    logarithm,
    sine,
    cosine,
    sine_pi,
    cosine_pi,
    floor,
    arc_tangent,  ///< atan2(operands[0], operands[1])
    power,
};

inline constexpr std::uint32_t no_node = 0xffffffffu;

struct Node {
    Kind kind = Kind::constant;
    Type type = Type::integer;
    std::array<std::uint32_t, 3> operands{no_node, no_node, no_node};  ///< Nodes before this one.
    std::int64_t integer = 0;
    double number = 0;
    std::uint32_t symbol = 0;
    bool operator==(const Node&) const = default;
};

/// In place of a buffer: the array itself, by the user's function where there is one.
inline constexpr std::uint32_t the_array = 0xffffffffu;

/// One `store`: a whole number's or a real number's node goes to an element of a buffer, or the point to the array.
struct Store {
    std::uint32_t buffer = 0, index = no_node, value = no_node;
    bool operator==(const Store&) const = default;
};

/// One `sum` of a middle stage: a real number's node is added over all bins.
struct Sum {
    std::string name;
    std::uint32_t value = no_node;
    bool operator==(const Sum&) const = default;
};
inline constexpr std::size_t most_sums = 8;

/// The stage without its author's spacing and comments. Equal programs do the same.
struct Program {
    std::string text;  ///< The words with a space between: one line.
    std::vector<StageBuffer> buffers;
    std::vector<StageScalar> scalars;
    std::optional<ir::ExternalFunction> function;  ///< Which reads or writes the array in place of the kernel.
    std::vector<std::uint64_t> counts;             ///< Elements of the array along each of the problem's axes.
    bool is_real = false;                          ///< The array is.
    std::vector<bool> written;                     ///< Of each buffer: stored to (and then never read).
    std::vector<Node> nodes;
    std::vector<Store> stores;
    std::vector<Sum> sums;
    std::uint32_t result = no_node;  ///< Of the point's type; no_node: the stage gives nothing back.
    bool reads_value = false;  ///< Some result or store depends on the point, which is read by a kernel or a function.
    std::uint64_t batch_limit = 0;  ///< With more arrays an index could leave its buffer.
    bool operator==(const Program&) const = default;
    /// A store stage leaves its results in the array, by itself or by its function.
    bool writes_array() const { return result != no_node || function.has_value(); }
};

enum class Side : std::uint8_t {
    load,
    middle,  ///< Of a spectral plan: between the transforms, where the points are bins.
    store
};
/// "load", "middle", "store".
const char* to_string(Side side) noexcept;

/// Where a text stands and what it may speak of.
struct Context {
    std::string field;  ///< "forward_load", for messages.
    Side side = Side::load;
    std::vector<std::uint64_t> lengths;  ///< What n0, n1, ... are.
    std::uint64_t batch = 1;
    std::vector<std::uint64_t> counts = {};  ///< Elements of the array along each axis: i0, i1, ... stay below. Empty:
                                             ///< the lengths.
    bool is_real = false;                    ///< The array is of real numbers.
    std::optional<std::uint64_t> halved = {};  ///< The axis of which a real signal's spectrum has one half.
};

/// Parses and checks. Throws InvalidProblem: of a mistake in the text with line and column, of an index that can leave
/// its buffer with the buffer's count and how far the index reaches.
Program check(const UserStage& stage, const Context& context);

/// Where a point is in its array: behind the first element by the sum of the indices times these strides, and the batch
/// times its distance.
struct ArrayPlace {
    std::vector<std::int64_t> strides;  ///< Of each of the problem's axes, in elements.
    std::int64_t distance = 0;
    std::int64_t first = 0;  ///< Elements from where the array is bound to the first one.
};
/// The stage that a function is: it reads or writes elements of the array in place of the kernel. Throws InvalidProblem
/// for a function without a name or without any form.
Program function_program(const StageFunction& function, const Context& context, const ArrayPlace& place);

/// What conjugates the points: after `own` on load, before it on store. Null: alone, for an array as the context says.
Program conjugated(const Program* own, const Context& context);

/// True of a program that does nothing but conjugate the points.
bool is_conjugation(const Program& program);

}  // namespace seiche::expression
