// Selection for AArch64: which of its instructions do what the IR says. Nearly all have three operands.
#pragma once

#include "emit/arm64/instructions.hpp"
#include "emit/arm64/shuffle.hpp"
#include "emit/machine/selection.hpp"

namespace seiche::emit::arm64 {

using machine::Address;
using machine::LaneSource;
using machine::Parts;

/// One operation: of a float, of floats, of a double, of doubles.
using FloatIds = std::array<Mnemonic, 4>;

class Selection final : public machine::Selection {
public:
    explicit Selection(const ir::Kernel& kernel) : machine::Selection(kernel, vector_bytes) {}

private:
    static InstructionId id_of(Mnemonic id) { return static_cast<InstructionId>(id); }
    void emit(Form form, Mnemonic id, std::initializer_list<Operand> operands) {
        machine::Selection::emit(form, id_of(id), operands);
    }
    Operand whole(Reg reg) const { return in_register(reg, vector_bytes); }

    // select_general.cpp: integers and booleans
    void select_general(Id id) override;
    Reg binary(Mnemonic id, Reg a, Reg b, unsigned bytes);
    Reg unary(Mnemonic id, Reg a, unsigned bytes);
    Reg with_number(Mnemonic id, Reg a, std::uint64_t number, unsigned bytes);
    Reg product_and_sum(Mnemonic id, Reg a, Reg b, Reg c, unsigned bytes);
    Reg move_general(Reg from, unsigned bytes) override { return unary(Mnemonic::move, from, bytes); }
    Reg sum(Reg a, Reg b, unsigned bytes) override;
    Reg difference(Reg a, Reg b, unsigned bytes) override;
    Reg multiply(Reg a, Reg b, unsigned bytes) override;
    Reg high_product(Reg a, Reg b, unsigned bytes) override;
    Reg divide(Reg a, Reg by, unsigned bytes, bool wants_rest) override;
    Reg shifted_right(Reg a, unsigned by, unsigned bytes) override;
    Reg low_bits(Reg a, std::uint64_t mask, unsigned bytes) override;
    Reg negative(Reg a, unsigned bytes) override { return unary(Mnemonic::negate, a, bytes); }
    Reg sign_extended(Reg a) override;
    Reg narrowed(Reg a, unsigned bytes, bool is_signed) override;
    Operand general_operand(Reg reg, unsigned bytes) const override;
    Reg shifted(const ir::Instruction& i, unsigned bytes);
    Reg quotient_of_any(const ir::Instruction& i, unsigned bytes);
    Condition compare(const Test& test);
    Reg chosen(Condition condition, Reg if_true, Reg if_false);
    Reg smaller_or_larger(const ir::Instruction& i, unsigned bytes);

    // select_float.cpp: arithmetic of vectors and of single floating numbers
    void select_float(Id id) override;
    Reg vector_op(Mnemonic id, std::initializer_list<Reg> operands);
    void select_least(Id id);
    Reg number_everywhere(Id value) const;
    void select_product(Id id);
    void select_fused(Id id);
    void select_fused_vectors(Id id);
    Reg compared_floats(const ir::Instruction& i) override;
    void select_choice(Id id) override;

    // select_convert.cpp
    bool convert_float(Id id) override;
    bool convert_from_integer(Id id);
    bool convert_to_integer(Id id);
    Parts widened(const ir::Type& to, const Parts& a, Mnemonic low, Mnemonic high);
    Parts halved(const ir::Type& to, const Parts& a, Mnemonic low, Mnemonic high);
    Parts rounded_to_bf16(const Parts& a);
    Reg to_vector(Reg from, unsigned bytes) override;
    Reg to_general(Reg from, unsigned bytes) override;

    // select_lanes.cpp
    std::vector<Reg> shuffled(const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                              const std::vector<std::vector<LaneSource>>& lanes) override;
    Reg shuffle_step(const ShuffleStep& step, const std::vector<Reg>& values);

    // select_memory.cpp
    Reg sum_of_terms(Reg base, const std::vector<Term>& terms);
    Address combined(Reg base, const std::vector<Term>& terms, std::int64_t displacement, bool in_frame) override;
    Reg part_base(std::uint32_t symbol, Reg part, Reg last) override;
    void load_register(const Operand& to, const Operand& from) override;
    void store_register(const Operand& to, const Operand& from) override;
    void load(Id id, const Address& from, const std::vector<Test>& tests) override;
    void store(const ir::Instruction& i, const Address& to, const std::vector<Test>& tests) override;
};

}  // namespace seiche::emit::arm64
