// The emitter that the SPIR-V environments share: every value of a kernel becomes one result id, in order.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "emit/spirv_flavour.hpp"
#include "emit/spirv_module.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::spirv {

/// A value as the module holds it. Types that live in memory only are held in a wider one: f16 and bf16 as f32 (f16
/// made from f64: as f64), 8- and 16-bit integers as 32-bit ones; a u64 that only addresses take is held as u32 in
/// Vulkan.
struct Held {
    Id id = 0;
    ir::Type type;
    bool rounded = true;  ///< False for an f16 whose rounding is left to the store that takes it.
};

/// A place in memory: an array and the element of it.
struct Place {
    StorageClass storage;
    Id base = 0;       ///< Variable; for a buffer in the OpenCL flavour, a pointer to its first element.
    ir::Type element;  ///< In memory.
    Id index = 0;
    ir::Type index_type;
    bool is_buffer = false;
};

class Writer {
public:
    Writer(const ir::Kernel& kernel, const Target& target, const Flavour& flavour);

    std::vector<Word> words();

    // For the flavours.
    Module& module() { return module_; }
    Id entry() const { return entry_; }
    const ir::Kernel& kernel() const { return kernel_; }
    const Target& target() const { return target_; }
    const Flavour& flavour() const { return flavour_; }
    bool is_narrow_address(ir::ValueId id) const { return !narrow_.empty() && narrow_[id]; }
    /// True if some instruction asks for all of a scalar parameter, not for its low half only.
    bool wants_whole(std::uint64_t scalar) const;
    /// The type of values; declares the capabilities that it needs.
    Id type(ir::Type type);
    /// The type in memory.
    Id memory_type(ir::Type type);
    /// True if values of this type lie in memory as one word.
    bool is_word(ir::Type type) const { return target_.pairs_as_words && type == ir::Type(ir::Scalar::f32, 2); }
    Id constant(ir::Type type, std::uint64_t bits);
    Id u32(std::uint64_t value) { return constant(ir::Scalar::u32, value); }
    /// An instruction at the start of the function, before the kernel's own.
    Id at_start(Code code, Id type, const std::vector<Word>& operands);
    void parameter(Id type, Id id) { parameters_.push_back({type, id}); }
    void set_buffer(std::uint32_t symbol, Id base, Id offset) { buffers_[symbol] = {base, offset, 0}; }
    /// The same buffer as an array of the elements that accesses of it take at once.
    void set_joined(std::uint32_t symbol, Id base) { buffers_[symbol].joined = base; }
    void set_image(std::uint32_t symbol, Id variable, Id type) { images_[symbol] = {variable, type}; }
    void set_scalar(std::uint64_t index, Held value) { scalars_[index] = value; }
    void use_version(Word version) { version_ = std::max(version_, version); }
    [[noreturn]] void unsupported(const ir::Instruction& instruction, const std::string& why = {}) const;
    [[noreturn]] void unsupported(const std::string& what) const;

private:
    struct Buffer {
        Id base = 0;
        Id offset = 0;  ///< Added to every index; 0: none.
        Id joined = 0;
    };

    struct BoundImage {
        Id variable = 0, type = 0;
    };

    // Building blocks
    Id op(Code code, Id type, const std::vector<Word>& operands);
    Id op(Code code, ir::Type t, const std::vector<Word>& operands) { return op(code, type(t), operands); }
    void statement(Code code, const std::vector<Word>& operands) { body_.add(code, operands); }
    Id call(Word function, ir::Type type, const std::vector<Word>& operands);
    Id floating(ir::Type type, double value);
    void begin_block(Id label);
    void define(ir::ValueId id, Id value, bool rounded = true);
    /// The type in which values of an IR type are held.
    ir::Type held_type(ir::ValueId id) const;
    Held operand(const ir::Instruction& i, unsigned k) const;
    /// Operand k as its type, or as u32 where the instruction is narrow.
    Id operand_id(ir::ValueId id, unsigned k);
    Id as_integer(const Held& value, ir::Scalar scalar);
    void exact(Id id) { module_.decorate(id, Decoration::NoContraction); }

    // Setting up
    void declare_arrays();
    Id builtin(BuiltIn which, bool is_vector);
    Id thread_word(BuiltIn which, std::uint64_t dimension);
    void leaf(ir::ValueId id);

    // spirv_arithmetic.cpp
    void arithmetic(ir::ValueId id);
    void compare(ir::ValueId id);
    void select(ir::ValueId id);
    Id multiply_add(ir::ValueId id);
    Id reverse_bits(Id value, ir::Type type);
    Id multiply_high(Id a, Id b, ir::Type type);
    Id multiply_high_by_parts(Id a, Id b);
    bool plain_operation(ir::ValueId id);

    // spirv_functions.cpp
    Id trigonometric(ir::Op op, Id x, ir::Type type);
    struct Reduced {
        Id angle, quadrant;  ///< Within a quarter turn to each side; u32.
    };
    Reduced reduce_half_turns(Id x, ir::Type type);
    Reduced reduce_radians(Id x, ir::Type type);
    Id series(Id squared, ir::Type type, const std::vector<double>& coefficients);

    // spirv_convert.cpp
    void convert(ir::ValueId id);
    void bitcast(ir::ValueId id);
    void lanes(ir::ValueId id);
    Held widened(Held half, ir::Type to);
    Id rounded_to_f16(Id value, ir::Type type);
    Id rounded_to_bf16(Id value, ir::Type type);
    Id float_to_integer(Id value, ir::Type from, ir::Type to);
    Id number_of(Id value, ir::Type from, ir::Type to);
    Id shuffled(const ir::Instruction& i);
    Id composed(const ir::Instruction& i, ir::Type type);
    Id extracted(const Held& value, unsigned lane);
    /// A vector of scalars.
    Id vector_of(ir::Type type, const std::vector<Id>& lanes);

    // spirv_memory.cpp
    Place place(const ir::Instruction& i, unsigned index);
    Place buffer_place(std::uint32_t symbol, const Held& index);
    Place joined_place(const ir::Instruction& i, const Held& index);
    Id pointer(const Place& place, ir::Type access);
    std::vector<Word> alignment(const Place& place) const;
    Id load(const Place& place, ir::Type access);
    void store(const Place& place, ir::Type access, const Held& value);
    Id load_halves(const Place& place, ir::Type access);
    void store_halves(const Place& place, ir::Type access, const Held& value);
    Id unpacked(Id raw, ir::Type access);
    Id packed(const Held& value, ir::Type access);
    void memory(ir::ValueId id);
    ir::ValueId guarded(ir::ValueId first);
    template <class Body>
    void under(Id predicate, Body&& body);
    void access(ir::ValueId id);
    void texel_access(ir::ValueId id);
    void image(ir::ValueId id);
    template <class Access>
    void predicated(ir::ValueId id, unsigned predicate, Access&& access);
    void async_copy(ir::ValueId id);
    void atomic(ir::ValueId id);
    void wait_until(const ir::Instruction& i);
    Id is_first_thread();
    Id atomic_result(const ir::Instruction& i, Id pointer);

    // spirv_control.cpp
    void control(ir::ValueId id);
    void begin_loop(ir::ValueId id);
    void end_loop();
    void synchronise(ir::ValueId id);
    void subgroup(ir::ValueId id);
    void fence(ir::Scope scope, ir::Order order);
    Word memory_touched() const;

    void write(ir::ValueId id);

    struct Loop {
        Id header, more, merge, next, counter, step;
    };
    struct Bracket {
        bool is_loop = false;
        Loop loop{};
        Id otherwise = 0, merge = 0;  ///< Of an if.
        bool has_else = false;
    };

    const ir::Kernel& kernel_;
    const Target& target_;
    const Flavour& flavour_;
    Module module_;
    Section locals_, start_, body_;
    std::vector<bool> narrow_;
    std::vector<Held> values_;
    std::vector<Buffer> buffers_;
    std::vector<Held> scalars_;
    std::vector<BoundImage> images_;
    std::vector<Id> shared_, privates_;
    std::vector<std::pair<Id, Id>> parameters_;  ///< Type and id.
    std::vector<Id> interface_;
    std::map<std::pair<Word, std::uint64_t>, Id> thread_words_;
    std::map<Word, Id> builtins_;
    std::vector<Bracket> brackets_;
    Id entry_ = 0, block_ = 0;
    Word version_ = 0x00010000;
};

}  // namespace seiche::emit::spirv
