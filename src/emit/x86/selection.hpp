// Selection: IR becomes machine instructions with virtual registers. Values wider than a register are several parts.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emit/x86/machine.hpp"
#include "emit/x86/shuffle.hpp"
#include "ir/bounds.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::x86 {

/// The words at the frame's beginning: Call::arguments, then the rest of the call.
enum class HeaderWord : std::uint8_t { groups_x, groups_y, groups_z, first, last, shared, functions, count };

/// The registers of one value, low lanes first.
struct Parts {
    std::array<Reg, 8> regs{};
    std::uint8_t count = 0;
    std::uint8_t bytes = 0;  ///< Of each: 8 of a general register; 16, 32 or 64 of a vector.
    Reg operator[](std::size_t i) const { return regs[i]; }
    void add(Reg reg) { regs[count++] = reg; }
};

/// Instruction numbers of one operation: of a float, of floats, of a double, of doubles.
struct FloatIds {
    std::array<Mnemonic, 4> sse, avx;
};

class Selection {
public:
    Selection(const ir::Kernel& kernel, InstructionSet set);
    /// Throws Unsupported, naming the op, for what a processor's kernels do not have.
    Machine run();

private:
    using Id = ir::ValueId;
    struct Address {
        Reg base = no_reg, index = no_reg;
        unsigned shift = 0;
        std::int64_t displacement = 0;
        bool in_frame = false;
        Operand operand(unsigned bytes, std::int64_t more = 0) const;
    };

    // selection.cpp: registers, operands, control
    Reg general();
    Reg vector(unsigned bytes);
    Reg header(HeaderWord word);
    Reg argument(std::uint32_t word);
    Reg number(std::uint64_t value);
    Reg constant(const void* bytes, unsigned count, unsigned register_bytes);
    std::uint64_t constant_place(const void* bytes, unsigned count, unsigned room);
    std::uint64_t scratch(unsigned k);
    void emit(Form form, Mnemonic id, std::initializer_list<Operand> operands, bool reads_memory_last = false);
    void begin_groups();
    void end_groups();
    void select(Id id);
    void select_leaf(Id id);
    void select_group_id(Id id);
    void select_control(Id id);
    void enter();
    void leave();
    void remove_dead_code();
    [[noreturn]] void refuse(const ir::Instruction& i) const;
    Parts shape(ir::Type type) const;
    Parts new_parts(ir::Type type);
    bool is_general(ir::Type type) const;
    static std::uint64_t lane_bits(ir::Scalar scalar, std::uint64_t immediate, bool in_vector);
    const Parts& of(Id id) const { return parts_[id]; }
    const Parts& operand(const ir::Instruction& i, unsigned k) const { return parts_[i.operands[k]]; }
    ir::Type type_of(const ir::Instruction& i, unsigned k) const { return kernel_.code[i.operands[k]].type; }
    bool avx() const { return set_ != InstructionSet::sse42; }
    bool wide() const { return set_ == InstructionSet::avx512; }

    // select_general.cpp: integers and booleans
    void select_general(Id id);
    Reg general_binary(Mnemonic id, Reg a, Reg b, unsigned bytes, bool commutes = true);
    Reg move_general(Reg from, unsigned bytes);
    Reg multiply(Reg a, Reg b, unsigned bytes);
    Reg shifted(Mnemonic id, Reg a, Reg count, unsigned bytes);
    /// What a boolean says, asked where it is used: it need not be in a register.
    struct Test {
        Relation relation = Relation::none;
        Operand a, b;
    };
    Reg set_by(const Test& test);
    std::optional<Test> test_of(Id condition) const;
    std::vector<Test> tests_of(Id condition) const;
    Test is_not_zero(Reg reg, unsigned bytes) const;
    void emit_tested(Form form, Mnemonic id, const Operand& first, const Operand& second,
                     const std::vector<Test>& tests);
    Reg chosen(Id condition, Reg if_true, Reg if_false);
    Reg smaller_or_larger(const ir::Instruction& i);
    Reg quotient(Reg a, Id divisor, unsigned bytes, bool wants_rest);
    bool divides_by_constant(const ir::Instruction& i) const;
    Reg high_product(Reg a, Reg b, unsigned bytes);
    Operand general_operand(Reg reg, unsigned bytes) const;
    void select_compare(Id id);

    // select_float.cpp: arithmetic of vectors and of single floating numbers
    void select_float(Id id);
    Reg vector_op(const FloatIds& ids, ir::Type type, unsigned bytes, Reg a, Reg b, bool commutes);
    Reg vector_op(Mnemonic sse, Mnemonic avx, unsigned bytes, Reg a, Reg b, bool commutes = true);
    Reg with_bits(Mnemonic sse, Mnemonic avx, ir::Type type, unsigned bytes, Reg a, std::uint64_t lane_bits);
    void select_rounded(Id id);
    void select_fused(Id id);
    Reg compared_floats(const ir::Instruction& i);
    void select_choice(Id id);
    Reg mask_of(Reg condition, unsigned bytes);
    Reg blended(Reg mask, Reg if_true, Reg if_false, unsigned bytes);

    // select_convert.cpp
    void select_convert(Id id);
    bool convert_general(Id id);
    bool convert_float(Id id);
    Reg float_from_integer(Reg from, ir::Scalar scalar, ir::Scalar to);
    Reg integer_from_float(Reg from, ir::Scalar scalar);
    void select_bitcast(Id id);
    Reg to_vector(Reg from, unsigned bytes);
    Reg to_general(Reg from, unsigned bytes);

    // select_lanes.cpp
    void select_lanes(Id id);
    Reg as_vector(Id id);
    Reg splatted(Reg low, unsigned lane_bytes, unsigned register_bytes);
    void extract(Id id);
    void compose(Id id);
    void shuffle(Id id, const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                 const std::vector<LaneSource>& lanes);
    Reg shuffle_step(const ShuffleStep& step, const std::vector<Reg>& values, unsigned bytes);

    // select_memory.cpp
    void select_memory(Id id);
    Address address(Id index, Reg base, unsigned element_bytes, bool is_fixed);
    Address address_of(const ir::Instruction& i);
    /// A value times a factor.
    struct Term {
        Id value;
        std::uint64_t factor;
        bool operator==(const Term&) const = default;
    };
    /// The sum of a constant and of terms, which are modulo 2^64 as addresses are.
    struct Sum {
        std::vector<Term> terms;
        std::uint64_t constant = 0;
        unsigned steps = 0;  ///< So far: sums of sums of the same values would take for ever.
    };
    void add_terms(Id value, std::uint64_t factor, Sum& sum) const;
    Sum sum_of(Id index, unsigned element_bytes) const;
    bool is_ahead_of_loop(Id value) const;
    Reg scaled(const Term& term);
    Reg sum_ahead(Reg base, const std::vector<Term>& terms);
    Reg offset(const std::vector<Term>& terms);
    void load(Id id, const Address& from, const std::vector<Test>& tests);
    void store(const ir::Instruction& i, const Address& to, const std::vector<Test>& tests);
    void load_part(Mnemonic way, const Operand& to, const Operand& from, const std::vector<Test>& tests);
    void store_part(Mnemonic way, const Operand& to, const Operand& from, const std::vector<Test>& tests);
    void let_stream(const ir::Instruction& i, const Address& to, std::size_t first);
    bool is_splatted(Id id) const;

    // select_call.cpp
    void call(Id id);
    void keep_in_frame(Id id, std::uint64_t place);

    const ir::Kernel& kernel_;
    InstructionSet set_;
    Machine machine_;
    std::vector<Parts> parts_;
    std::vector<ir::Bounds> bounds_;
    std::vector<std::uint32_t> uses_, splats_;  ///< Of each value: how often it is used, and by splats.
    std::vector<std::uint64_t> private_places_;
    std::map<std::vector<std::byte>, std::uint64_t> constants_;
    std::map<std::uint64_t, Reg> numbers_;
    std::map<std::uint32_t, Reg> arguments_;
    std::map<std::pair<std::uint64_t, unsigned>, Reg> constant_regs_;
    struct Known {
        Reg base;  ///< Or none.
        std::vector<Term> terms;
        Reg sum;
    };
    std::vector<Known> offsets_;  ///< Made already, where the code is now.
    /// The first or second half of a cache line, stored since the last bracket.
    struct HalfLine {
        Address to;
        bool is_first;
        std::size_t at;  ///< The instruction.
    };
    std::vector<HalfLine> half_lines_;
    std::vector<unsigned> zero_bits_;     ///< Low bits of each value that are certainly zero.
    std::vector<std::size_t> scopes_;     ///< How many there were at each open bracket.
    std::vector<std::uint64_t> scratch_;  ///< Places in the frame for calls.
    struct OpenLoop {
        Id begin;
        std::size_t at;                  ///< Its instruction.
        std::vector<Instruction> ahead;  ///< What is made ahead of it.
        std::vector<Known> sums;         ///< By `ahead`.
    };
    std::vector<OpenLoop> open_loops_;
    std::set<Id> broadcasts_;  ///< Numbers that are in all lanes of their register.
    Reg group_ = no_reg;
};

}  // namespace seiche::emit::x86
