// Selection for x86-64: which of its instructions do what the IR says.
#pragma once

#include "emit/machine/selection.hpp"
#include "emit/x86/instruction_set.hpp"
#include "emit/x86/instructions.hpp"
#include "emit/x86/shuffle.hpp"

namespace seiche::emit::x86 {

using machine::Address;
using machine::LaneSource;
using machine::Parts;

/// Instruction numbers of one operation: of a float, of floats, of a double, of doubles.
struct FloatIds {
    std::array<Mnemonic, 4> sse, avx;
};

class Selection final : public machine::Selection {
public:
    Selection(const ir::Kernel& kernel, InstructionSet set)
        : machine::Selection(kernel, widest_register(set)), set_(set) {}

private:
    bool avx() const { return set_ != InstructionSet::sse42; }
    bool wide() const { return set_ == InstructionSet::avx512; }
    void emit(Form form, Mnemonic id, std::initializer_list<Operand> operands, bool reads_memory_last = false) {
        machine::Selection::emit(form, static_cast<InstructionId>(id), operands, reads_memory_last);
    }

    // select_general.cpp: integers and booleans
    void select_general(Id id) override;
    Reg general_binary(Mnemonic id, Reg a, Reg b, unsigned bytes, bool commutes = true);
    Reg move_general(Reg from, unsigned bytes) override;
    Reg sum(Reg a, Reg b, unsigned bytes) override;
    Reg difference(Reg a, Reg b, unsigned bytes) override;
    Reg multiply(Reg a, Reg b, unsigned bytes) override;
    Reg high_product(Reg a, Reg b, unsigned bytes) override;
    Reg divide(Reg a, Reg by, unsigned bytes, bool wants_rest) override;
    Reg shifted_right(Reg a, unsigned by, unsigned bytes) override;
    Reg low_bits(Reg a, std::uint64_t mask, unsigned bytes) override;
    Reg negative(Reg a, unsigned bytes) override;
    Reg sign_extended(Reg a) override;
    Reg narrowed(Reg a, unsigned bytes, bool is_signed) override;
    Operand general_operand(Reg reg, unsigned bytes) const override;
    Reg shifted(Mnemonic id, Reg a, Reg count, unsigned bytes);
    Reg chosen(Id condition, Reg if_true, Reg if_false);
    Reg smaller_or_larger(const ir::Instruction& i);

    // select_float.cpp: arithmetic of vectors and of single floating numbers
    void select_float(Id id) override;
    Reg vector_op(const FloatIds& ids, ir::Type type, unsigned bytes, Reg a, Reg b, bool commutes);
    Reg vector_op(Mnemonic sse, Mnemonic avx, unsigned bytes, Reg a, Reg b, bool commutes = true);
    Reg with_bits(Mnemonic sse, Mnemonic avx, ir::Type type, unsigned bytes, Reg a, std::uint64_t lane_bits);
    void select_rounded(Id id);
    void select_fused(Id id);
    Reg compared_floats(const ir::Instruction& i) override;
    void select_choice(Id id) override;
    Reg mask_of(Reg condition, unsigned bytes);
    Reg blended(Reg mask, Reg if_true, Reg if_false, unsigned bytes);

    // select_convert.cpp
    bool convert_float(Id id) override;
    Reg float_from_integer(Reg from, ir::Scalar scalar, ir::Scalar to);
    Reg integer_from_float(Reg from, ir::Scalar scalar);
    Reg to_vector(Reg from, unsigned bytes) override;
    Reg to_general(Reg from, unsigned bytes) override;

    // select_lanes.cpp
    std::vector<Reg> shuffled(const std::vector<Reg>& sources, unsigned register_bytes, unsigned lane_bytes,
                              const std::vector<std::vector<LaneSource>>& lanes) override;
    Reg shuffle_step(const ShuffleStep& step, const std::vector<Reg>& values, unsigned bytes);

    // select_memory.cpp
    Address combined(Reg base, const std::vector<Term>& terms, std::int64_t displacement, bool in_frame) override;
    Reg part_base(std::uint32_t symbol, Reg part, Reg last) override;
    void load_register(const Operand& to, const Operand& from) override;
    void store_register(const Operand& to, const Operand& from) override;
    void load(Id id, const Address& from, const std::vector<Test>& tests) override;
    void store(const ir::Instruction& i, const Address& to, const std::vector<Test>& tests) override;
    void load_part(Mnemonic way, const Operand& to, const Operand& from, const std::vector<Test>& tests) {
        machine::Selection::load_part(static_cast<InstructionId>(way), to, from, tests);
    }
    void store_part(Mnemonic way, const Operand& to, const Operand& from, const std::vector<Test>& tests) {
        machine::Selection::store_part(static_cast<InstructionId>(way), to, from, tests);
    }
    void let_stream(const ir::Instruction& i, const Address& to, std::size_t first);
    void on_bracket() override;

    const InstructionSet set_;
    /// The first or second half of a cache line, stored since the last bracket.
    struct HalfLine {
        Address to;
        bool is_first;
        std::size_t at;  ///< The instruction.
    };
    std::vector<HalfLine> half_lines_;
};

}  // namespace seiche::emit::x86
