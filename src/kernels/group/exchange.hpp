// Points on their way through shared memory.
#pragma once

#include <array>
#include <vector>

#include "kernels/group/shared_layout.hpp"

namespace seiche::kernels {

enum class Component : std::uint8_t { real, imaginary, both };

/// What is exchanged between two barriers: components of the points, of one chunk of each sequence.
struct Round {
    std::vector<Component> components;
    std::uint32_t chunk = 0;
};

/// Of each sequence the chunk that is exchanged, with so many elements behind each block of results.
struct Blocks {
    std::uint32_t chunk = 0, padding = 0;
};

class Exchange {
public:
    Exchange(Frame& frame, const KernelSpec& spec, const Threads& threads, const SharedLayout& layout)
        : frame_(frame), spec_(spec), shape_(std::get<GroupShape>(spec.shape)), threads_(threads), layout_(layout) {}

    /// Declares the arrays that all passes of the kernel need, if they need any.
    void declare();
    /// Takes those of another pass in the same kernel.
    void share(const Exchange& first);

    std::vector<Round> rounds() const;
    /// Ahead of a write: waits for threads that may still read what it overwrites, if there was an exchange before.
    void wait_for_readers();
    /// Ahead of a read, and ahead of a write of other places.
    void wait() { frame_.builder.group_barrier(); }
    bool is_used() const { return is_used_; }
    void mark_used() { is_used_ = true; }

    void put(Component component, ir::Value at, const ir::Complex& point, ir::Value predicate) const;
    void get(Component component, ir::Value at, ir::Complex& point, ir::Value predicate) const;
    /// As put(), in the memory of the cluster's group `rank`; empty: of the own one.
    void put_for(ir::Value rank, Component component, ir::Value at, const ir::Complex& point,
                 ir::Value predicate) const;
    /// Numbers of a real map. Where points are pairs of numbers `is_second` (0 or 1) says which of them; empty: the
    /// number is the point's real component.
    void put_number(ir::Value at, ir::Value is_second, ir::Value x, ir::Value predicate) const;
    ir::Value get_number(ir::Value at, ir::Value is_second, ir::Value predicate) const;
    /// How far the imaginary components lie behind the real ones; they are in one array.
    std::uint64_t imaginary_offset() const { return offsets_[1]; }

    /// What a stage leaves for the next one, and what that finds.
    void write(const CoreStage& stage, const CoreStage& next, Component component, const Registers& registers,
               const Blocks& blocks = {}) const;
    void read(const CoreStage& stage, const CoreStage& last, Component component, Registers& registers,
              const Blocks& blocks = {}) const;
    void put_beside(const CoreStage& stage, Component component, const ir::Complex& beside) const;
    void get_beside(const CoreStage& stage, Component component, ir::Complex& beside) const;
    /// The place of a prime's point: that of its logarithm; point 0 lies behind all sequences.
    ir::Value place_by_logarithm(const ThreadButterfly& where, bool may_be_point_0) const;

private:
    void declare_beside_frames(std::uint32_t extent);
    /// Of the results of a butterfly: whether they lie in this chunk, known while generating or by the thread.
    struct InChunk {
        bool may_lie = true;
        ir::Value lies;  // empty: always
    };
    InChunk in_chunk(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where, std::uint32_t chunk) const;
    ir::Value address_by_logarithm(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where) const;
    void write_neighbours(const CoreStage& stage, const std::vector<ir::Complex>& points) const;
    void read_neighbours(const CoreStage& stage, std::vector<ir::Complex>& points) const;

    Frame& frame_;
    const KernelSpec& spec_;
    const GroupShape& shape_;
    const Threads& threads_;
    const SharedLayout& layout_;
    bool is_used_ = false;
    std::array<std::uint32_t, 2> planes_{};
    std::array<std::uint64_t, 2> offsets_{};  // both are one array where numbers are found by their parity
};

}  // namespace seiche::kernels
