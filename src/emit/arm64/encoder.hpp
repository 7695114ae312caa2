// The encoder of AArch64: what allocation asks for, as words.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/arm64/instructions.hpp"

namespace seiche::emit::arm64 {

/// x16 and x17 are its own, for addresses and numbers that do not fit; x18 is the system's, x29 points at what the
/// function keeps, x30 is where it returns to.
class Encoder final : public machine::Encoder {
public:
    explicit Encoder(const Machine& machine);

    machine::RegisterSets registers() const override;
    void emit(InstructionId id, const Operands& operands, bool masked) override;
    void emit_streamed(InstructionId id, const Operands& operands) override { emit(id, operands, false); }
    InstructionId over_sum(InstructionId fused) const override;
    void add_beside(Physical to, Physical a, const PlacedOperand& b, unsigned bytes) override;
    void move(Bank bank, unsigned bytes, Physical to, Physical from) override;
    void save(Bank bank, unsigned bytes, std::uint64_t place, Physical from) override;
    void restore(Bank bank, unsigned bytes, Physical to, std::uint64_t place) override;
    void load_constant(unsigned bytes, Physical to, std::uint64_t offset) override;
    void load_immediate(Physical to, std::uint64_t value) override;
    void clear(Bank bank, unsigned bytes, Physical reg) override;
    void call(const Instruction& call) override;
    void add_to(Physical counter, const PlacedOperand& step) override;
    void compare(const PlacedOperand& a, const PlacedOperand& b, Relation relation) override;
    void jump_unless(Relation relation, Label to) override;
    void set(Relation relation, Physical to) override;
    Label new_label() override;
    void bind(Label label) override { labels_[label] = here(); }
    void jump_always(Label to) override;
    void jump_if_below(Label to) override { jump_if(number_of(Condition::lo), to); }
    void jump_if_not_below(Label to) override { jump_if(opposite_of(Condition::lo), to); }
    void jump_if_zero(Physical condition, Label to) override;
    Code finish(std::uint64_t frame_bytes) override;

private:
    /// Where a word names a place that is not known yet: in bits 5 to 23 or 0 to 25.
    struct Reference {
        std::uint32_t at;
        bool is_short;
        bool is_constant;  ///< `place` is an offset among the constants, else a label.
        std::uint32_t place;
    };
    static constexpr std::uint32_t unbound = 0xffffffffu;

    std::uint32_t here() const { return static_cast<std::uint32_t>(words_.size()); }
    void put(std::uint32_t word);
    void put(Mnemonic id, const Operands& operands);
    void jump_if(std::uint32_t condition, Label to);
    /// As an instruction takes it that moves so many bytes.
    PlacedOperand reachable(const PlacedOperand& memory, unsigned bytes);
    void add_number(Physical to, Physical from, std::uint64_t value);
    void begin();
    void save_kept(bool restores);
    void resolve();

    const Machine& machine_;
    std::vector<std::uint32_t> words_;
    std::vector<std::uint32_t> labels_;
    std::vector<Reference> references_;
    std::uint32_t frame_at_ = 0;  ///< Where the code says how large the frame is.
    Code result_;
};

}  // namespace seiche::emit::arm64
