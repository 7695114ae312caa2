// The printer of PTX: every value of a legalised kernel becomes virtual registers, which the assembler allocates.
// Beside the C-family dialects it has no compiler in front of the assembler, so that addresses are taken apart here.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/index_steps.hpp"
#include "emit/source.hpp"
#include "ir/bounds.hpp"
#include "ir/kernel.hpp"
#include "ir/verify.hpp"

namespace seiche::emit {

class PtxWriter {
public:
    /// The kernel must be legalised, and outlive the writer.
    PtxWriter(const ir::Kernel& kernel, const Target& target);

    std::string text();

private:
    using Operands = std::initializer_list<std::string_view>;

    /// A value so many times.
    struct Term {
        ir::ValueId value = ir::no_value;
        std::uint64_t factor = 1;
        bool is_narrow = false;  ///< The value has 32 bits and is widened.
    };
    /// An index as a sum of values and a constant.
    struct IndexParts {
        std::vector<Term> terms;
        std::uint64_t constant = 0;
    };
    /// A register or the array's name, and bytes behind it.
    struct SharedPlace {
        std::string base;
        std::int64_t offset = 0;
    };
    struct Frame {
        bool is_loop = false;
        std::string label;  ///< Of a loop's first instruction, or of what comes behind a branch.
        std::string end;
        std::string counter, bound, step;
    };

    // The text, in ptx.cpp.
    void line(std::string_view text);
    void label(std::string_view name);
    void emit(std::string_view mnemonic, Operands operands);
    /// The same under a predicate, unless that is empty.
    void emit_if(const std::string& predicate, std::string_view mnemonic, Operands operands);
    /// The rest of a line, the first operand behind this separator.
    void end_with(std::string_view separator, Operands operands);
    std::string fresh(ir::Scalar scalar);
    std::string fresh_label();
    /// A new register that an instruction with these sources writes.
    std::string make(ir::Scalar scalar, std::string_view mnemonic, Operands sources);
    void define(ir::ValueId id, std::string value) { values_[id].assign(1, std::move(value)); }
    const std::string& operand(const ir::Instruction& i, unsigned k) const;
    const std::vector<std::string>& lanes(const ir::Instruction& i, unsigned k) const;
    /// A register, also of what is a constant.
    std::string in_register(const ir::Instruction& i, unsigned k);
    /// The predicate of an access; empty: always.
    std::string predicate(const ir::Instruction& i) const;
    ir::Scalar scalar_of(const ir::Instruction& i, unsigned k) const;
    const ir::Instruction* constant_operand(const ir::Instruction& i, unsigned k) const;
    [[noreturn]] void unsupported(const ir::Instruction& i, const std::string& why = {}) const;
    void require(unsigned architecture, const ir::Instruction& i) const;
    std::string header() const;
    std::uint32_t groups_of_unit() const;
    std::string attributes() const;
    std::string declarations() const;
    void load_arguments();
    void find_needed();
    void write(ir::ValueId id);
    void constant(ir::ValueId id);
    void leaf(ir::ValueId id);
    const std::string& special_register(const std::string& name);

    // In ptx_control.cpp.
    void control(ir::ValueId id);
    void begin_loop(ir::ValueId id);
    void begin_if(const ir::Instruction& i);
    void begin_else();
    void end_bracket();

    // In ptx_arithmetic.cpp.
    void arithmetic(ir::ValueId id);
    bool choice(ir::ValueId id);
    bool floating(ir::ValueId id);
    bool half_arithmetic(ir::ValueId id);
    void integer(ir::ValueId id);
    void shift(ir::ValueId id);
    void comparison(ir::ValueId id);
    void division(ir::ValueId id);
    std::string quotient(const ir::Instruction& i, std::uint64_t divisor);

    // In ptx_convert.cpp.
    void convert(ir::ValueId id);
    void bitcast(ir::ValueId id);
    std::string converted(const ir::Instruction& i, ir::Scalar from, std::string value);
    std::string widened_half(ir::Scalar from, const std::string& value);
    std::string narrowed_to_half(const ir::Instruction& i, ir::Scalar from, ir::Scalar to, const std::string& value);
    std::string rounded_to_bf16(const std::string& value);
    std::string to_integer(ir::Scalar from, ir::Scalar to, const std::string& value);

    // In ptx_memory.cpp.
    void memory(ir::ValueId id);
    void cluster(ir::ValueId id);
    std::string address_in_neighbour(const std::string& own, const std::string& rank);
    IndexParts take_apart(ir::ValueId index) const;
    void add_terms(ir::ValueId value, std::uint64_t factor, IndexParts& parts) const;
    /// A register and a constant behind it, in brackets.
    std::string global_address(const ir::Instruction& i, unsigned index);
    std::string global_address(std::uint32_t symbol, const std::string& base, ir::ValueId index, std::uint64_t step);
    SharedPlace shared_place(std::uint32_t symbol, ir::ValueId index, std::uint64_t step);
    std::string shared_address(std::uint32_t symbol, ir::ValueId index, std::uint64_t step);
    std::string array_base(const ir::Instruction& i);
    std::string part_base(const std::string& part, std::uint32_t first, std::uint32_t last, std::uint32_t symbol);
    std::string with_term(const std::string& base, const Term& term, unsigned bytes, bool is_last);
    const std::string& shared_start();
    /// The value with its bits flipped where the second has any.
    std::pair<ir::ValueId, std::uint64_t> without_flips(ir::ValueId value) const;
    std::string shared_bytes_of(ir::ValueId value, unsigned bytes);
    const std::string* known_address(const std::string& key) const;
    void prepare_load(ir::ValueId id, bool may_fail);
    void load(ir::ValueId id, const std::string& condition, const std::string& space, const std::string& address);
    void store(const ir::Instruction& i, unsigned value, const std::string& condition, const std::string& space,
               const std::string& address);
    void shared_access(ir::ValueId id, const std::string& condition);
    void global_access(ir::ValueId id, const std::string& condition);
    ir::ValueId write_run(ir::ValueId first);
    std::string& private_register(const ir::Instruction& i, unsigned lane);
    void private_access(ir::ValueId id);

    // In ptx_groups.cpp.
    void synchronise(ir::ValueId id);
    void part_barrier(const ir::Instruction& i);
    void shuffle(ir::ValueId id);
    void atomic(ir::ValueId id);
    void wait_until(const ir::Instruction& i);
    void begin_arrivals();
    std::string is_first_thread();
    void expect_arrivals(ir::ValueId from);
    void wait_for_arrivals(ir::ValueId id);
    void meet_cluster(ir::ValueId id);
    std::string arrivals_at(const std::string& shared) const;
    void async_copy(const ir::Instruction& i);
    void matrix(ir::ValueId id);

    const ir::Kernel& kernel_;
    const Target& target_;
    const unsigned architecture_;
    const IndexSteps steps_;
    const std::vector<ir::Bounds> bounds_;
    const std::vector<ir::Uniformity> uniformity_;
    std::vector<std::vector<std::string>> values_;  // of each value, its lanes
    std::vector<bool> needed_;
    std::vector<std::string> buffers_, scalars_;
    std::vector<std::vector<std::string>> privates_;  // registers of each array
    std::vector<Frame> frames_;
    std::vector<std::map<std::string, std::string>> addresses_{1};  // registers by sums, of each open bracket
    std::map<std::string, std::string> special_registers_;
    std::array<unsigned, 6> registers_{};  // how many there are of each class
    unsigned labels_ = 0;
    const ir::ValueId plain_tables_;  // tables that are loaded before it, with plain loads
    const bool counts_arrivals_;
    std::uint32_t arrivals_ = 0;  // the array that they are counted in
    unsigned waits_ = 0;          // for arrivals, so far
    std::string prologue_, body_;
};

/// "u32", as instructions name a type; halves are bits.
std::string ptx_type(ir::Scalar scalar);
/// "b32": the same without its meaning.
std::string ptx_bits(ir::Scalar scalar);

}  // namespace seiche::emit
