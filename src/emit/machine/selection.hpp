// Selection: IR becomes machine instructions with virtual registers. Here is what all targets have: registers,
// constants, control flow, addresses, predicates, lanes by their numbers; a target adds the instructions.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emit/machine/lanes.hpp"
#include "emit/machine/machine.hpp"
#include "ir/bounds.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::machine {

/// The registers of one value, low lanes first. Values wider than a register are several.
struct Parts {
    std::array<Reg, 8> regs{};
    std::uint8_t count = 0;
    std::uint8_t bytes = 0;  ///< Of each: 8 of a general register; 16, 32 or 64 of a vector.
    Reg operator[](std::size_t i) const { return regs[i]; }
    void add(Reg reg) { regs[count++] = reg; }
};

/// [base + index << shift + displacement]
struct Address {
    Reg base = no_reg, index = no_reg;
    unsigned shift = 0;
    std::int64_t displacement = 0;
    bool in_frame = false;
    Operand operand(unsigned bytes, std::int64_t more = 0) const;
};

class Selection {
public:
    /// `widest`: the bytes of the widest vector register.
    Selection(const ir::Kernel& kernel, unsigned widest);
    virtual ~Selection() = default;
    Selection(const Selection&) = delete;
    Selection& operator=(const Selection&) = delete;
    /// Throws Unsupported, naming the op, for what a processor's kernels do not have.
    Machine run();

protected:
    using Id = ir::ValueId;
    /// What a boolean says, asked where it is used: it need not be in a register.
    struct Test {
        Relation relation = Relation::none;
        Operand a, b;
    };
    /// A value times a factor.
    struct Term {
        Id value;
        std::uint64_t factor;
        bool operator==(const Term&) const = default;
    };

    // ---- What a target has

    virtual void select_general(Id id) = 0;
    virtual void select_float(Id id) = 0;
    virtual void select_choice(Id id) = 0;
    /// Of single floating numbers: 0 or 1.
    virtual Reg compared_floats(const ir::Instruction& i) = 0;
    /// Of what is floating or a vector; false: there is no short sequence.
    virtual bool convert_float(Id id) = 0;
    virtual void load(Id id, const Address& from, const std::vector<Test>& tests) = 0;
    virtual void store(const ir::Instruction& i, const Address& to, const std::vector<Test>& tests) = 0;
    /// A whole register from the frame, or to it.
    virtual void load_register(const Operand& to, const Operand& from) = 0;
    virtual void store_register(const Operand& to, const Operand& from) = 0;
    virtual Reg to_vector(Reg from, unsigned bytes) = 0;
    virtual Reg to_general(Reg from, unsigned bytes) = 0;
    virtual Reg move_general(Reg from, unsigned bytes) = 0;
    virtual Reg sum(Reg a, Reg b, unsigned bytes) = 0;
    virtual Reg difference(Reg a, Reg b, unsigned bytes) = 0;
    virtual Reg multiply(Reg a, Reg b, unsigned bytes) = 0;
    virtual Reg high_product(Reg a, Reg b, unsigned bytes) = 0;
    /// By what is not 0.
    virtual Reg divide(Reg a, Reg by, unsigned bytes, bool wants_rest) = 0;
    virtual Reg shifted_right(Reg a, unsigned by, unsigned bytes) = 0;
    /// The low bits alone, of a mask of low bits.
    virtual Reg low_bits(Reg a, std::uint64_t mask, unsigned bytes) = 0;
    virtual Reg negative(Reg a, unsigned bytes) = 0;
    /// An i32 or what is narrower as 64 bits.
    virtual Reg sign_extended(Reg a) = 0;
    /// The low 1 or 2 bytes as 32 bits.
    virtual Reg narrowed(Reg a, unsigned bytes, bool is_signed) = 0;
    /// A number as an immediate where comparisons take it.
    virtual Operand general_operand(Reg reg, unsigned bytes) const = 0;
    /// The address of the buffer `symbol` and that many behind it, of which `last` is the greatest.
    virtual Reg part_base(std::uint32_t symbol, Reg part, Reg last) = 0;
    /// base + terms + displacement; the base may be missing.
    virtual Address combined(Reg base, const std::vector<Term>& terms, std::int64_t displacement, bool in_frame) = 0;
    /// Registers of so many bytes, each given by its lanes among the sources.
    virtual std::vector<Reg> shuffled(const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                                      const std::vector<std::vector<LaneSource>>& lanes) = 0;
    virtual void on_bracket() {}

    // ---- selection.cpp: registers, operands, control

    Reg general();
    Reg vector(unsigned bytes);
    Reg header(HeaderWord word);
    Reg argument(std::uint32_t word);
    Reg number(std::uint64_t value);
    Reg constant(const void* bytes, unsigned count, unsigned register_bytes);
    std::uint64_t scratch(unsigned k);
    void emit(Form form, InstructionId id, std::initializer_list<Operand> operands, bool reads_memory_last = false);
    [[noreturn]] void refuse(const ir::Instruction& i) const;
    Parts shape(ir::Type type) const;
    Parts new_parts(ir::Type type);
    void result(Id id, Reg reg);
    bool is_general(ir::Type type) const;
    static std::uint64_t lane_bits(ir::Scalar scalar, std::uint64_t immediate, bool in_vector);
    const Parts& operand(const ir::Instruction& i, unsigned k) const { return parts_[i.operands[k]]; }
    ir::Type type_of(const ir::Instruction& i, unsigned k) const { return kernel_.code[i.operands[k]].type; }

    // ---- select_tests.cpp

    Reg set_by(const Test& test);
    std::optional<Test> test_of(Id condition) const;
    Test is_not_zero(Reg reg, unsigned bytes) const;
    /// The test of a condition of one lane.
    Test own_test(Id condition) const;
    void emit_tested(Form form, InstructionId id, const Operand& first, const Operand& second,
                     const std::vector<Test>& tests);
    /// Where a test does not hold, the result is 0 and the place is not touched.
    void load_part(InstructionId way, const Operand& to, const Operand& from, const std::vector<Test>& tests);
    void store_part(InstructionId way, const Operand& to, const Operand& from, const std::vector<Test>& tests);
    /// x / d or the rest, where d is a number that is not 0.
    Reg quotient(Reg a, Id divisor, unsigned bytes, bool wants_rest);
    bool divides_by_constant(const ir::Instruction& i) const;

    // ---- select_memory.cpp

    Reg scaled(const Term& term);
    Reg offset(const std::vector<Term>& terms);
    /// Whether a number is loaded to be in all lanes.
    bool is_splatted(Id id) const;

    // ---- select_lanes.cpp

    static unsigned lane_width(ir::Type type);
    Reg as_vector(Id id);
    virtual Reg splatted(Reg low, unsigned lane_bytes, unsigned register_bytes);

    // ---- select_call.cpp: of the host's functions

    void call(Id id);
    /// A function of the user's.
    void call_external(Id id);

    const ir::Kernel& kernel_;
    Machine machine_;
    std::vector<Parts> parts_;
    std::vector<unsigned> zero_bits_;  ///< Low bits of each value that are certainly zero.
    std::set<Id> broadcasts_;          ///< Numbers that are in all lanes of their register.
    struct Known {
        Reg base;  ///< Or none.
        std::vector<Term> terms;
        Reg sum;
    };
    std::vector<Known> offsets_;  ///< Made already, where the code is now.

private:
    /// The sum of a constant and of terms, which are modulo 2^64 as addresses are.
    struct Sum {
        std::vector<Term> terms;
        std::uint64_t constant = 0;
        unsigned steps = 0;  ///< So far: sums of sums of the same values would take for ever.
    };

    std::uint64_t constant_place(const void* bytes, unsigned count, unsigned room);
    void begin_groups();
    void end_groups();
    void select(Id id);
    void select_leaf(Id id);
    void select_group_id(Id id);
    void select_control(Id id);
    void enter();
    void leave();
    void remove_dead_code();
    std::vector<Test> tests_of(Id condition) const;
    void select_compare(Id id);
    void select_convert(Id id);
    void convert_general(Id id);
    void select_bitcast(Id id);
    void select_lanes(Id id);
    void extract(Id id);
    void compose(Id id);
    void shuffle(Id id, const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                 const std::vector<LaneSource>& lanes);
    void select_memory(Id id);
    void add_terms(Id value, std::uint64_t factor, Sum& sum) const;
    Sum sum_of(Id index, unsigned element_bytes) const;
    bool is_ahead_of_loop(Id value) const;
    Reg sum_ahead(Reg base, const std::vector<Term>& terms);
    /// `is_fixed`: the base is known ahead of every loop.
    Address address(Id index, Reg base, unsigned element_bytes, bool is_fixed, std::uint64_t displacement,
                    bool in_frame);
    Address address_of(const ir::Instruction& i);
    void keep_in_frame(Id id, std::uint64_t place);
    void take_result(Id id);

    const unsigned widest_;
    std::vector<ir::Bounds> bounds_;
    std::vector<std::uint32_t> splats_;  ///< Of each value: how often splats use it.
    std::vector<std::uint64_t> private_places_;
    std::map<std::vector<std::byte>, std::uint64_t> constants_;
    std::map<std::uint64_t, Reg> numbers_;
    std::map<std::uint32_t, Reg> arguments_;
    std::map<std::pair<std::uint64_t, unsigned>, Reg> constant_regs_;
    std::vector<std::size_t> scopes_;     ///< How many offsets there were at each open bracket.
    std::vector<std::uint64_t> scratch_;  ///< Places in the frame for calls.
    struct OpenLoop {
        Id begin;
        std::size_t at;                  ///< Its instruction.
        std::vector<Instruction> ahead;  ///< What is made ahead of it.
        std::vector<Known> sums;         ///< By `ahead`.
    };
    std::vector<OpenLoop> open_loops_;
    Reg group_ = no_reg;
};

}  // namespace seiche::emit::machine
