// The printer that the C-family dialects share: every value of a kernel becomes one named constant, in order.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/dialect.hpp"
#include "emit/index_steps.hpp"

namespace seiche::emit {

class Writer {
public:
    Writer(const ir::Kernel& kernel, const Target& target, const CDialect& dialect);

    /// The whole compilation unit.
    std::string text();
    /// A function instead of a kernel, after the constant that stands for its buffer. See emit_function.
    std::string function_text(const std::vector<double>& table, const std::string& definitions);

    const ir::Kernel& kernel() const { return kernel_; }
    const Target& target() const { return target_; }
    const CDialect& dialect() const { return dialect_; }
    bool is_function() const { return is_function_; }
    const ir::Instruction& instruction(ir::ValueId id) const { return kernel_.code[id]; }

    /// Appends one indented line to the body.
    void line(std::string_view text);
    /// Like line, but at the left margin, for the parts around the body.
    void outer_line(std::string_view text);
    /// Text that stands for a value: a name or a literal, never in need of brackets.
    const std::string& operand(ir::ValueId id) const { return values_[id]; }
    /// Operand `k` of an instruction; for a missing one an InternalError.
    const std::string& operand(const ir::Instruction& instruction, unsigned k) const;
    ir::Type operand_type(const ir::Instruction& instruction, unsigned k) const;
    /// Declares the constant that holds value `id`.
    void define(ir::ValueId id, const std::string& expression);
    /// Lets text stand for value `id` without declaring anything.
    void alias(ir::ValueId id, std::string expression) { values_[id] = std::move(expression); }
    /// Runs a statement, under a predicate if there is one.
    void guarded(const ir::Instruction& instruction, unsigned predicate, const std::string& statement);
    /// The expression, or zero where the predicate is false.
    std::string guarded_value(const ir::Instruction& instruction, unsigned predicate,
                              const std::string& expression) const;
    /// Puts a function or macro before the kernel, once.
    void helper(const std::string& text);
    /// True if any value, buffer or array has this scalar type.
    bool uses(ir::Scalar scalar) const;
    bool uses(ir::Op op) const;

    std::string literal(ir::Type type, std::uint64_t bits) const;
    std::string zero(ir::Type type) const;
    /// Names, made unique among themselves and apart from the printer's own.
    const std::string& buffer_name(std::uint32_t symbol) const { return buffers_[symbol]; }
    const std::string& image_name(std::uint32_t symbol) const { return images_[symbol]; }
    const std::string& scalar_name(std::uint64_t index) const { return scalars_[index]; }
    const std::string& shared_name(std::uint32_t symbol) const { return shared_[symbol]; }
    const std::string& private_name(std::uint32_t symbol) const { return privates_[symbol]; }
    /// Elements before a shared array where all lie in one, in a function.
    std::uint64_t shared_place(std::uint32_t symbol) const {
        return ir::shared_offset(kernel_, symbol) / ir::type_bytes(kernel_.shared[symbol].element);
    }
    MemoryAccess global_access(const ir::Instruction& instruction, unsigned index) const;
    MemoryAccess shared_access(const ir::Instruction& instruction, unsigned index) const;
    /// Whether u64 is made of a step, and of which the text is the sum of both in 64 bits.
    bool widens_step(const ir::Instruction& convert) const;
    std::string widened_step(const ir::Instruction& convert) const;
    MemoryAccess private_access(const ir::Instruction& instruction, unsigned index) const;

    /// Operand `k` fit to be followed by a member or swizzle.
    std::string vector_operand(const ir::Instruction& instruction, unsigned k) const;

    [[noreturn]] void unsupported(const ir::Instruction& instruction, const std::string& why = {}) const;

private:
    std::string array_pointer(const ir::Instruction& instruction) const;
    /// Of the buffers symbol + first .. symbol + last - 1.
    std::string pointer_of(const std::string& part, std::uint32_t first, std::uint32_t last,
                           std::uint32_t symbol) const;
    void name_symbols();
    std::string unique(const std::string& wanted);
    void leaf(ir::ValueId id);
    void arithmetic(ir::ValueId id);
    void lanes(ir::ValueId id);
    void memory(ir::ValueId id);
    void control(ir::ValueId id);
    void write(ir::ValueId id);
    void write_body();
    std::string comment() const;
    std::string constant_text(const std::vector<double>& table) const;
    /// Declares a variable for value `id` that is assigned later.
    void declare(ir::ValueId id, const std::string& start);
    /// Writes the accesses from `first` on that share its predicate, and the pure values among them; gives the last.
    ir::ValueId write_run(ir::ValueId first);
    std::string scalar_literal(ir::Scalar scalar, std::uint64_t bits) const;
    void declare_thread(ir::ValueId id, const char* what, std::string (*spelling)(unsigned));

    const ir::Kernel& kernel_;
    const Target& target_;
    const CDialect& dialect_;
    std::vector<std::string> values_;
    std::vector<std::string> buffers_, scalars_, images_, shared_, privates_;
    IndexSteps steps_;  // where the dialect has any
    std::set<std::string> taken_;
    std::vector<std::string> helpers_;
    std::string prologue_, body_;
    unsigned depth_ = 1;
    unsigned next_value_ = 0;
    bool is_function_ = false;
};

/// One operation's operator, e.g. "+", or empty if it is not written with one.
std::string operator_text(ir::Op op);

}  // namespace seiche::emit
