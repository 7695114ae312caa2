// The frame of a kernel: its parameters, and where the points of a sequence lie in memory.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ir/builder.hpp"
#include "kernels/contract/parameters.hpp"
#include "kernels/contract/spec.hpp"
#include "kernels/contract/tables.hpp"

namespace seiche::kernels {

/// Where frames that overlap lie in shared memory. Where points are exchanged whole, pairs of numbers are elements, and
/// are added as such. Else even and odd numbers of an even length are apart, by half of the banks, so that neither
/// storing pairs nor reading neighbours has bank conflicts.
struct FramePlaces {
    bool has_pairs = false;   ///< A point is two numbers.
    std::uint32_t unit = 1;   ///< Numbers of an element.
    std::uint32_t half = 0;   ///< From an even number to the odd one behind it, where they are apart.
    std::uint32_t pitch = 1;  ///< From one frame to the next, in elements.
    explicit FramePlaces(const KernelSpec& spec);
    bool is_split() const { return has_pairs && unit == 1; }
    /// Of element `at` of frame `frame`, u32 both.
    ir::Value place(ir::Value frame, ir::Value at) const;
};

/// Of the loop's indices, in all its gaps.
std::uint64_t skipped(const Loop& loop);
/// Whether the sequences of all loops are as far from each other as those of the first.
bool follow_each_other(const std::vector<Loop>& loops, const std::vector<std::int64_t>& strides);

class Frame {
public:
    /// `table_lanes` is the width of the table buffer's element: 2 for a complex number, 1 for its parts.
    Frame(const KernelSpec& spec, unsigned table_lanes);
    /// Of the next pass of the kernel that `first` is the frame of: the same parameters. A pipelined pass reads what
    /// the first stored, and stores it there again, or where the launch's results go.
    Frame(const KernelSpec& spec, const Frame& first);

private:
    std::shared_ptr<ir::Builder> builder_;

public:
    ir::Builder& builder;
    const KernelSpec& spec;
    ir::Type real;     ///< One real number.
    ir::Type complex;  ///< Two lanes.
    std::vector<TableSection> sections;
    std::uint32_t in = 0, out = 0, in_imag = 0, out_imag = 0, table = 0, spectra = 0, counters = 0, partials = 0;
    /// Where a pipelined pass that is not in place stores.
    std::uint32_t results = 0, results_imag = 0;
    /// Of the user's stages: the kernel's buffers and scalars in the program's order.
    struct UserParameters {
        std::vector<std::uint32_t> buffers;
        std::vector<ir::Value> scalars;
        std::uint32_t function = 0;  ///< And what it gets, where the stage is one.
        ir::Value pointer;
    };
    /// By side.
    std::array<UserParameters, user_sides.size()> user_parameters;
    UserParameters& parameters_of(expression::Side side) { return user_parameters[static_cast<std::size_t>(side)]; }
    /// What this thread has of the middle stage's sums, where stages add their terms.
    std::vector<ir::Value> sums;
    /// The shared array of frames that overlap.
    std::uint32_t frames = 0;
    /// Loops that were split for an on-chip transpose, but follow each other in memory, are one for addresses.
    bool joins_loops = false;
    ir::Value total;  ///< Sequences in this launch, u32; empty: every group's sequences are there.

    ir::Value u32(std::uint64_t value) { return builder.integer(ir::Scalar::u32, value); }
    ir::Value u64(std::uint64_t value) { return builder.integer(ir::Scalar::u64, value); }
    ir::Value widen(ir::Value value) { return builder.convert(value, ir::Scalar::u64); }

    /// Index of one loop for a sequence, u32, with the gaps before it.
    ir::Value loop_index(ir::Value sequence, std::size_t loop);
    /// Whether element `element` of the axis is kept on this side; empty: always.
    ir::Value kept(ir::Value element, ir::Value sequence, Side side);
    /// Sum of the loops' indices times these strides, u64.
    ir::Value distance(ir::Value sequence, const std::vector<std::int64_t>& strides);
    /// `index` (u32, at most `most`) strides on from an address, which may wrap on its way: where an access is, no sum
    /// does.
    ir::Value moved(ir::Value from, ir::Value index, std::int64_t stride, std::uint64_t most);
    /// Address of the sequence's first point, u64 elements.
    ir::Value origin(ir::Value sequence, Side side);
    /// Address of point `index` (u32) + `constant`.
    ir::Value address(ir::Value origin, ir::Value index, std::uint64_t constant, Side side);
    /// `lanes` neighbouring points from address `at` on, in the working precision whatever memory has.
    ir::Complex load(ir::Value at, unsigned lanes, ir::Value predicate);
    void store(ir::Value at, ir::Complex x, ir::Value predicate);
    /// A point that this launch has stored, where the output may be read (FlaggedLevels).
    ir::Complex load_stored(ir::Value at, ir::Value predicate);
    /// `lanes` real numbers from consecutive memory of the input; the other way, as many as x has.
    ir::Value load_real(ir::Value at, unsigned lanes, ir::Value predicate);
    void store_real(ir::Value at, ir::Value x, ir::Value predicate);
    /// Of frames that overlap: which of the signal's comes first in its group `index` (u32).
    ir::Value first_frame(ir::Value index);
    /// A number of the sum of frames.
    void store_sample(ir::Value at, ir::Value x, ir::Value predicate);
    /// Entry `index` (u32) of an interleaved section.
    ir::Complex table_entry(const TableContent& content, ir::Value index, ir::Value predicate = {});
    /// As many entries from `index` on, one to a lane.
    ir::Complex table_run(const TableContent& content, ir::Value index, unsigned lanes);
    /// Where the spectra have element `element` (u32) of a sequence, u64.
    ir::Value spectrum_address(const SpectrumProduct& product, ir::Value element, ir::Value sequence);
    /// `lanes` neighbouring elements of the spectra from address `at` on.
    ir::Complex spectrum_run(ir::Value at, unsigned lanes, ir::Value predicate);

private:
    /// Numbers of frames times their windows, to shared memory; `at` counts elements of all of the group's frames.
    void put_in_frame(ir::Value at, ir::Complex x, ir::Value predicate);
    /// Buffer `i` that a user's stage names.
    void declare(const UserProgram& user, std::size_t i, UserParameters& parameters);
    void declare_scalars(expression::Side side);
};

}  // namespace seiche::kernels
