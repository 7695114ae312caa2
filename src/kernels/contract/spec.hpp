// The contract of kernel generation: one value says everything about a kernel.
//
// Every kernel is one pass over memory: it loads a number of sequences, passes them through load stages, the core (a
// Stockham transform of n points in registers and shared memory) and store stages, and writes them back. Direction,
// four-step twiddles, Bluestein's chirp, scaling and cropping are stages; the core is always the forward transform in
// natural order. With stages in the middle the core runs twice: a cyclic convolution that never leaves the chip.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/kernel.hpp"
#include "kernels/contract/loops.hpp"
#include "kernels/contract/overlap_add.hpp"
#include "kernels/contract/real.hpp"
#include "kernels/contract/shape.hpp"
#include "kernels/contract/stages.hpp"
#include "kernels/contract/textbook_work.hpp"
#include "seiche/problem.hpp"

namespace seiche::kernels {

/// Of a convolution whose sequences have several channels (or a ModeMatrix): output o is the sum over the inputs of
/// their products with spectrum (o, i), o inputs + i after the first, or of a symmetric matrix of which one half is
/// stored, row by row from its diagonal on. Strides in elements of the input, the output and the spectra.
struct Channels {
    std::uint32_t inputs = 1, outputs = 1;
    bool symmetric = false;
    std::uint64_t input_stride = 0, output_stride = 0, spectrum_stride = 0;
    bool is_single() const { return inputs == 1 && outputs == 1; }
    /// Which spectrum leads from an input to an output.
    std::uint32_t spectrum(std::uint32_t output, std::uint32_t input) const;
    bool operator==(const Channels&) const = default;
};

/// What one item of a MapPass is.
enum class MapItem : std::uint8_t {
    element,  ///< Points are seen as pairs of real numbers, on their side strides count such.
    point,
    pair,  ///< Of bins.
};

enum class Side { input, output };

/// What memory has.
enum class Format : std::uint8_t {
    interleaved,  ///< Complex elements.
    planar,       ///< Real and imaginary parts in two buffers.
    real,         ///< Real numbers; all strides count such.
};

/// Each element is a point. A real one has no imaginary part on load, and leaves it out on store.
struct Points {
    bool operator==(const Points&) const = default;
};
/// A sequence has 2 n real numbers; point e is number e less i times number e + n.
struct SplitHalves {
    bool operator==(const SplitHalves&) const = default;
};
/// A real axis's elements, which are mapped to the core's points in shared memory, in scratch or in registers.
struct MappedReals {
    RealMap map;
    bool operator==(const MappedReals&) const = default;
};
/// The first or last of several passes over the core of a real kind: its points are made of the elements of the axis's
/// spectrum, or these of them, where a group has mirrored columns. Strides on that side are the elements'. Point k
/// of the core is a sequence's element times `map.element_stride` plus the index of `map.loop`, which is 0 and has as
/// many. Or of a plane, with an `element_stride` of 0: the points are of loop 0 alone, the sequence's elements of the
/// other axis, and on that side an element has both strides, the loop's and the point's.
struct ConjugatePairs {
    RealMap map;
    bool operator==(const ConjugatePairs&) const = default;
};
/// How a side's elements make the core's points, or are made of them. Folded is for GroupShape; its side is real,
/// unless a group has mirrored columns.
using Elements = std::variant<Points, SplitHalves, MappedReals, Folded, ConjugatePairs>;

/// How threads that have whole rows, with GroupShape, reach them.
enum class RowAccess : std::uint8_t {
    element,      ///< One by one.
    pairs,        ///< Neighbouring real numbers of an even n in one access. Strides are even but for the row's own, 1.
    rows,         ///< In memory's order by way of shared memory: complex elements of a first pass, whose points are
                  ///< neighbours, or a last pass's real ones.
    paired_rows,  ///< Both.
};

/// One end of a pass: what its memory has, where, and what happens on the way.
struct MemorySide {
    Storage storage = Storage::same;  ///< Converted on load and on store.
    Format format = Format::interleaved;
    Elements elements;
    RowAccess access = RowAccess::element;
    std::int64_t stride = 1;  ///< Elements from a point to the next; below 0: they lie before it.
    /// So many points follow each other in memory, the next as many begin `run` strides further on; a divisor of n. Of
    /// a workspace that lies in runs (planner/lower/runs.cpp); its output has them as sequences.
    std::uint32_t run = 1;
    /// Where element 0 of the first sequence is, in elements from the start of the buffer; below 0 where pruning leaves
    /// out what would lie before it.
    std::int64_t offset = 0;
    Kept kept;                                   ///< Of a real side, elements of the axis in memory.
    std::vector<Stage> stages;                   ///< In order of application.
    ir::CacheHint hint = ir::CacheHint::normal;  ///< Of its loads, or of its stores.

    bool is_planar() const { return format == Format::planar; }
    bool is_real() const { return format == Format::real; }
    void set_real(bool real) {
        if (real || is_real()) format = real ? Format::real : Format::interleaved;
    }
    void set_planar(bool planar) {
        if (planar || is_planar()) format = planar ? Format::planar : Format::interleaved;
    }
    void set_access(bool pairs, bool rows) {
        access = pairs && rows ? RowAccess::paired_rows
                 : pairs       ? RowAccess::pairs
                 : rows        ? RowAccess::rows
                               : RowAccess::element;
    }
    bool has_halves() const { return std::holds_alternative<SplitHalves>(elements); }
    /// The elements are of one of these alternatives.
    template <class... Alternative>
    bool has() const {
        return (std::holds_alternative<Alternative>(elements) || ...);
    }
    /// Point e is element e, of each half where there are two.
    bool has_ordered_points() const { return has<Points, SplitHalves>(); }
    /// Each point is made of elements of its own, or makes such, without a mirrored point or a map.
    bool has_own_points() const { return has<Points, SplitHalves, Folded>(); }
    /// Memory has another type than the arithmetic.
    bool is_converted() const { return storage != Storage::same; }
    bool has_pairs() const { return access == RowAccess::pairs || access == RowAccess::paired_rows; }
    bool has_rows() const { return access == RowAccess::rows || access == RowAccess::paired_rows; }
    /// The map of MappedReals; null: the elements are others.
    const RealMap* map() const {
        const auto* mapped = std::get_if<MappedReals>(&elements);
        return mapped ? &mapped->map : nullptr;
    }
    const Folded* folded() const { return std::get_if<Folded>(&elements); }
    /// The map of ConjugatePairs; null: the elements are others.
    const RealMap* bins() const {
        const auto* pairs = std::get_if<ConjugatePairs>(&elements);
        return pairs ? &pairs->map : nullptr;
    }
    bool operator==(const MemorySide&) const = default;
};

/// A Stockham core between both sides.
struct CorePass {
    /// What a group with GroupShape does with its sequences, which are loop 0's, instead of storing them. Loop 1 has
    /// the groups of a signal; its input_stride is a frame's. The third is the batch. On the output's side sequences
    /// follow each other, in shared memory, and its element is a number.
    std::optional<OverlapAdd> overlap_add = {};
    bool operator==(const CorePass&) const = default;
};
/// No core: a real axis's map, between the memory of elements and that of points. n is 1, loops[0] has the items.
struct MapPass {
    bool operator==(const MapPass&) const = default;
};
/// No core: loops[0] has pairs of neighbours among so many complex numbers, each of which becomes one element of four
/// numbers of the output, the last with zeros where they are odd. An output of f16 has halves in the range of f32, for
/// an image of such texels.
struct TexelPass {
    std::uint64_t points = 1;
    bool operator==(const TexelPass&) const = default;
};
/// One axis of register-resident rows. Strides in numbers.
struct RowAxis {
    RealMap map;  ///< A real-to-real kind of this direction.
    std::int64_t input_stride = 1, output_stride = 1;
    bool operator==(const RowAxis&) const = default;
};
/// No core: two or three axes of real-to-real kinds, the first one's elements the closest in memory. Of each a thread
/// has whole rows in its registers, which meet in shared memory, one number each. With GroupShape, whose sequences are
/// such blocks of rows, as the loops count them, and whose threads are as many as the axis with the most rows has of
/// these. n is 1, both sides are real, stages are the user's and, of the store, constants.
struct RegisterRows {
    std::array<RowAxis, 3> axes;
    std::uint32_t count = 0;  ///< Of axes.
    BlockPlaces places;       ///< In shared memory; complete() chooses them.
    std::span<const RowAxis> all() const { return std::span(axes).first(count); }
    bool operator==(const RegisterRows&) const = default;
};
/// No core: for each mode of a spectrum, the outputs of `convolution.channels` from their inputs. The weight from input
/// i to output o is spectrum i outputs + o; each has a complex number for every mode, in the order of the loops, which
/// are the modes'. n is 1. With GroupShape `sequences` are the modes of a group, of which each has so many `threads`.
struct ModeMatrix {
    std::uint32_t outputs_of_thread = 1;  ///< Of one mode and array.
    std::uint32_t arrays_of_thread = 1;   ///< Of the batch.
    bool is_input_dense = false;          ///< Modes follow each other there, whatever the loops' strides are.
    bool is_adjoint = false;              ///< The weight is spectrum o inputs + i, conjugated.
    bool operator==(const ModeMatrix&) const = default;
};
/// No core: the modes of a spectrum, as the loops have them, and an array where they follow each other, one copied to
/// the other. n is 1.
struct ModeCopy {
    bool is_output_dense = false;  ///< Else the input is.
    bool operator==(const ModeCopy&) const = default;
};
/// No core: for each mode and pair of an input and an output, the sum over the batch of the conjugate of the input's
/// mode times that of a gradient of the output, which is the spectra's. All are dense, loop 0 the last axis. n is 1.
/// With GroupShape as of a ModeMatrix.
struct ModeGradient {
    std::uint32_t inputs_of_thread = 1, outputs_of_thread = 1;  ///< Of one mode.
    double scale = 1.0;
    /// Of a halved axis of so many points, whose modes begin at `first`: what stands for its mirror counts twice. 0: it
    /// is whole.
    std::uint64_t halved = 0, first = 0;
    bool operator==(const ModeGradient&) const = default;
};
/// No core: the middle stage of each bin of a spectrum in memory, which the loops count, and its sums. n is 1, the
/// spectrum is overwritten. With GroupShape `threads` work on one array's bins at a time.
struct BinPass {
    std::uint64_t groups = 1;  ///< Of one array.
    bool operator==(const BinPass&) const = default;
};
/// No core: the last loop's arrays have `count` times `sums` real numbers each; of these `sums` sums over all of them.
/// n is 1, with GroupShape a group of `threads` has an array.
struct SumPartials {
    std::uint64_t count = 1;
    std::uint32_t sums = 1;
    bool operator==(const SumPartials&) const = default;
};
/// What a pass does. Of a Textbook, with GroupShape, n is the points of an item; its stages are SwapParts and Multiply.
using Work = std::variant<CorePass, MapPass, TexelPass, RegisterRows, Textbook, ModeMatrix, ModeCopy, ModeGradient,
                          BinPass, SumPartials>;

/// What a middle stage sums over the bins. A kernel stores partial sums: of each sequence, or each group.
struct BinSums {
    Precision precision = Precision::f32;  ///< Of the sums: f32 or f64.
    bool of_group = false;                 ///< A group has sequences of one array alone, whose sums it adds.
    bool operator==(const BinSums&) const = default;
};

/// What stands between two runs of the core, the second with its radices reversed, so that it begins with the points
/// that the first has in its registers.
struct CyclicConvolution {
    std::vector<Stage> stages;  ///< Empty: there is one run of the core.
    Channels channels;          ///< With a SpectrumProduct first in the stages.
    /// Rader's n + 1, or 0; of a padded spectrum (splits_parity) at most n + 2. A sequence has so many points; point
    /// g^j enters and leaves the convolution as element j, and point 0 goes beside it: added at frequency 0, where the
    /// sum of all points is taken. Of a real side these are the points that the elements make.
    std::uint32_t prime = 0;
    std::optional<BinSums> sums = {};  ///< Of the user's stage among these.
    bool operator==(const CyclicConvolution&) const = default;
};

/// Where a pass stands in a kernel of several.
enum class Follows : std::uint8_t {
    nothing,          ///< It is the first or the only one.
    points,           ///< Another pass's points, on chip.
    conjugate_pairs,  ///< The same, and that one's input has conjugate pairs.
};

struct KernelSpec;

/// The next pass in the same kernel, with GroupShape. Of one transform, result k of sequence q is point q of sequence k
/// of the next pass, and passes on chip. Without a tile both have the same loops but for one, which has the sequences
/// of one transform. The output's side of the first spec and its store stages are the last one's; the next one's load
/// stages come before its core. Conjugate pairs are on the first one's input or the last's output. Without such pairs
/// and tiles a group may have more of them, as a cube's axes, and passes of one-sided rows, of which half of the
/// spectrum is transposed: the first points of the next pass, as its loops and in.kept have them. Of an operator the
/// passes are a plane's rows, its columns, whose core runs twice, and the rows again.
struct OnChip {
    std::vector<KernelSpec> next;  ///< At most one.
    /// Which loop has the sequences of one transform: the second where the first has sequences that lie beside each
    /// other. Then some threads may have no part in some of the passes, nor where `own_threads`.
    std::uint32_t transposed_loop = 0;
    /// Of a kernel whose passes are a plane's or a cube's axes that one group has: each has as many threads as it asks
    /// for.
    bool own_threads = false;
    bool operator==(const OnChip&) const = default;
};

/// The next pass in the same persistent launch, with GroupShape of as many threads, which works on what this one (with
/// `on_chip`) stores: in place, or else from there to where this one loads. Both are cut into slices that depend on one
/// another alone. Groups take tickets as they begin, in an order in which the second pass comes behind the first by the
/// prefetch distance, so that a group waits only for groups that began before it, and a cache still has what they
/// stored. The second pass, in place, may have a third behind it.
struct Pipeline {
    std::vector<KernelSpec> next;         ///< At most one.
    std::uint64_t prefetch_distance = 0;  ///< Groups ahead of all passes behind this; at least least_prefetch_distance.
    /// Of the first: what lies between the passes is memory of its own, the launch's output is the last one's, and
    /// in_place says that this may be the launch's input. So it is with three passes.
    bool has_between = false;
    bool operator==(const Pipeline&) const = default;
};

/// The slices of a pipelined pass.
struct Slices {
    std::uint64_t sequences = 0;  ///< Of one slice; 0: the pass has no slices.
    /// Of them so many follow each other, whole groups; the next ones begin `period` sequences behind, and what is
    /// between belongs to other slices. 0: they all follow each other.
    std::uint64_t run = 0, period = 0;
    bool operator==(const Slices&) const = default;
};

struct KernelSpec {
    std::string name = "fft";
    Precision precision = Precision::f32;
    std::uint32_t n = 1;  ///< Points of the core; of a sequence in memory too, but for a chirp's padding and a prime.
    std::vector<std::uint32_t> radices;  ///< First to last, n in all. Radix 1 only redistributes elements to threads.
    MemorySide in, out;
    std::vector<Loop> loops;  ///< Fastest first. The last is the batch: its count is an argument of the launch.
    Work work;
    CyclicConvolution convolution;
    bool in_place = false;       ///< Input and output are the same memory, or may be.
    bool movement_only = false;  ///< The core moves data as it would, but computes nothing.
    std::variant<GroupShape, SimdShape> shape;
    Follows follows = Follows::nothing;
    OnChip on_chip;
    Pipeline pipeline;
    Slices slices;

    bool has_core() const { return std::holds_alternative<CorePass>(work); }
    /// There is one run of the core, so that it is no convolution.
    bool runs_once() const { return convolution.stages.empty(); }
    /// On both sides, as MemorySide says.
    bool has_ordered_points() const { return in.has_ordered_points() && out.has_ordered_points(); }
    bool has_own_points() const { return in.has_own_points() && out.has_own_points(); }
    bool is_converted() const { return in.is_converted() || out.is_converted(); }
    /// No other pass has its points on chip; passes may be pipelined with it.
    bool is_alone_on_chip() const { return !is_second() && on_chip.next.empty(); }
    /// It moves elements between two layouts of memory.
    bool is_repacking() const {
        return std::holds_alternative<MapPass>(work) || std::holds_alternative<TexelPass>(work);
    }
    /// Of a TexelPass; 0: it is none.
    std::uint64_t texel_points() const {
        const auto* texels = std::get_if<TexelPass>(&work);
        return texels ? texels->points : 0;
    }
    /// The axes of RegisterRows; empty: it has none.
    std::span<const RowAxis> register_rows() const {
        const auto* rows = std::get_if<RegisterRows>(&work);
        return rows ? rows->all() : std::span<const RowAxis>();
    }
    /// Null: the pass stores its sequences.
    const OverlapAdd* overlap_add() const {
        const auto* core = std::get_if<CorePass>(&work);
        return core && core->overlap_add ? &*core->overlap_add : nullptr;
    }
    const Textbook* textbook() const { return std::get_if<Textbook>(&work); }
    const ModeMatrix* mode_matrix() const { return std::get_if<ModeMatrix>(&work); }
    const BinPass* bin_pass() const { return std::get_if<BinPass>(&work); }
    const SumPartials* sum_partials() const { return std::get_if<SumPartials>(&work); }
    const ModeGradient* mode_gradient() const { return std::get_if<ModeGradient>(&work); }
    bool is_second() const { return follows != Follows::nothing; }
    MemorySide& side(bool input) { return input ? in : out; }
    const MemorySide& side(bool input) const { return input ? in : out; }
    const MemorySide& side(Side side) const { return side == Side::input ? in : out; }
    bool operator==(const KernelSpec&) const = default;
};

/// The pass that stores.
inline const KernelSpec& last_pass(const KernelSpec& spec) {
    return spec.on_chip.next.empty() ? spec : last_pass(spec.on_chip.next.front());
}
/// Threads of a group with GroupShape: of passes in one kernel, of the one with the most.
std::uint32_t threads_of_group(const KernelSpec& spec);
/// Calls `visit` with each pass behind the first that has the same kernel, in order.
template <typename Spec, typename Visit>
void for_each_then(Spec& spec, const Visit& visit) {
    if (spec.on_chip.next.empty()) return;
    visit(spec.on_chip.next.front());
    for_each_then(spec.on_chip.next.front(), visit);
}

/// Three passes in one launch.
inline bool has_third_pass(const KernelSpec& spec) {
    return !spec.pipeline.next.empty() && !spec.pipeline.next.front().pipeline.next.empty();
}
/// The pass whose output, with its storage and format, is the launch's.
inline const KernelSpec& pass_of_output(const KernelSpec& spec) {
    return has_third_pass(spec)        ? spec.pipeline.next.front().pipeline.next.front()
           : spec.pipeline.has_between ? spec.pipeline.next.front()
                                       : spec;
}
/// Groups by which a pass has to be ahead of those pipelined behind it, so that no group waits for a later one.
std::uint64_t least_prefetch_distance(const KernelSpec& spec);

/// The way of a pass's results to the next one on chip.
struct OnChipTranspose {
    std::uint32_t columns = 1, rows = 1;      ///< In a group: sequences of one transform, and of the next pass.
    std::uint32_t transforms = 1, ranks = 1;  ///< In a group; groups of one transform.
    /// Transforms whose sequences lie beside each other, in this pass and the next: of a cube's second axis. There are
    /// so many times `transforms`.
    std::uint32_t beside = 1;
};
OnChipTranspose transpose_of(const KernelSpec& spec);
/// Loops of a first pass on chip that have the sequences of one transform: of a plane one, of a cube two.
std::size_t loops_on_chip(const KernelSpec& spec);
/// Of passes on chip the one that has what is given for the middle, spectra or a stage of the user's; else the first.
const KernelSpec& pass_with_middle(const KernelSpec& spec);
/// Whether a pass whose threads have whole rows of real numbers may move them in pairs.
bool may_have_pairs(const KernelSpec& pass, bool input);
/// Whether a first pass may have RowAccess::rows.
bool may_have_rows(const KernelSpec& pass);
/// Whether a pass that ends a kernel of several leaves whole rows in shared memory, as they lie in memory.
inline bool stores_whole_rows(const KernelSpec& spec) {
    return spec.is_second() && spec.on_chip.next.empty() && spec.out.has_rows();
}
/// Whether not all results go to the next pass, or not all of its points come from there: of one-sided rows.
bool is_halved(const KernelSpec& spec);

/// Of two passes in one kernel: whole transforms that a group has; one where several groups share it.
std::uint32_t transforms_per_group(const KernelSpec& spec);

/// Of one of two passes in one kernel whose transforms have so many sequences: which one is sequence `transposed` of a
/// transform of a batch entry.
std::uint64_t transposed_sequence(const KernelSpec& pass, std::uint64_t transform, std::uint64_t transposed,
                                  std::uint64_t sequences);

/// Which of its group's sequences it is, with GroupShape.
std::uint32_t sequence_in_group(const KernelSpec& pass, std::uint64_t sequence);

/// Memory on this side has pairs of numbers that mirrored points make, or are made of.
bool is_mirrored(const KernelSpec& spec, bool input);

/// Whether the stages of a kernel without maps, convolutions and passes beside it can exchange their points in so many
/// runs of a sequence: results lie in the run that is read by the same legs of every thread.
bool can_exchange_in_chunks(const KernelSpec& spec, std::uint32_t chunks);
bool can_exchange_in_chunks(const std::vector<std::uint32_t>& radices, std::uint32_t chunks);
/// Whether they can exchange the points of so many neighbouring butterflies, or of one of the first stage, at a time.
bool can_exchange_neighbours(const KernelSpec& spec, std::uint32_t neighbours);
bool can_exchange_neighbours(const std::vector<std::uint32_t>& radices, std::uint32_t neighbours);

/// Numbers of the spectrum on this side are made of bins in one thread's registers, or made into them.
bool has_pairs_in_thread(const KernelSpec& spec, bool input);
/// Whether a group's threads move the numbers of the signal that their points are made of between memory and registers
/// themselves, without scattering their accesses: where sequences lie side by side, or numbers as points have them.
bool moves_own_elements(const KernelSpec& spec, bool input);

/// Of a MapPass.
MapItem map_items(const KernelSpec& spec);
std::uint64_t map_item_count(const KernelSpec& spec);
/// Whether pairs of bins that lie side by side may go through it as one register (SimdShape::lanes).
bool has_map_runs(const KernelSpec& spec);

/// One line: "c2c f32 n=4096 radices=16x16x16 threads=256 sequences=1".
std::string to_string(const KernelSpec& spec);

/// Bytes of one element of the input or the output, both halves of a planar one together.
std::uint32_t element_bytes(const KernelSpec& spec, bool input);
/// Bytes that one access to an element moves: half of them where the array is planar.
std::uint32_t access_bytes(const KernelSpec& spec, bool input);

/// The order in which axes of rows are transformed: of a plane as they lie, of a cube the slowest one first,
/// whose rows a group's threads load in runs as long as planes, and the second one last.
std::vector<std::size_t> row_axis_order(const KernelSpec& spec);
/// Numbers of a plane or cube of such rows, and rows along one of its axes.
std::uint64_t numbers_of_rows(const KernelSpec& spec);
std::uint64_t rows_of_axis(const KernelSpec& spec, std::size_t axis);

/// Places of shared memory that a plane or cube of these lengths, the fastest axis first, has at most.
std::uint64_t most_row_places(const std::vector<std::uint32_t>& lengths);

/// Of a textbook kernel: whether it is a reversal that leaves points alone whose place is its own partner.
inline bool leaves_own_partners(const KernelSpec& spec) {
    return spec.in_place && spec.out.stages.empty() && std::holds_alternative<Reversal>(spec.textbook()->work);
}
/// Whether groups tell each other by counters what they have done: the kernel has a parameter for them.
bool has_counters(const KernelSpec& spec);
/// Of a textbook kernel: points of a line that it touches.
std::uint64_t textbook_points(const KernelSpec& spec);

/// Whether a store rounds beyond the arithmetic's own precision.
inline bool rounds_storage(const KernelSpec& spec) { return spec.out.is_converted(); }

/// Sequences that one batch entry has: the product of the static loops' counts.
std::uint64_t sequences_per_batch(const KernelSpec& spec);
/// Sequences that one group works on.
std::uint64_t sequences_per_group(const KernelSpec& spec);
/// Of a pass with slices, the last of which may have fewer sequences.
std::uint64_t groups_per_slice(const KernelSpec& spec);
/// Points that a sequence has in memory on the side of these stages (spec.in.stages or spec.out.stages).
std::uint32_t sequence_points(const KernelSpec& spec, const std::vector<Stage>& side);
/// Points that radix 1 at that end redistributes: where they are kept from the first one to another, and sequences
/// of them follow each other or elements are folded, no others.
std::uint32_t redistributed_points(const KernelSpec& spec, bool input);
/// Points that a part of a SIMD kernel's scratch array has space for: a register more where numbers are found beside
/// the points, and behind a prime's points of the core for point 0.
std::uint32_t scratch_points(const KernelSpec& spec);
/// Whether a prime's even and odd part are convolved one after the other (RaderSpectrum::padded).
bool splits_parity(const KernelSpec& spec);
/// Points of one part that each of so many threads of a sequence has.
std::uint32_t points_of_parity(const KernelSpec& spec, std::uint32_t threads);
/// The ranges of a sequence's own elements that are kept, clipped to its points. Empty where they are all kept, or
/// which are depends on a loop.
std::vector<Range> kept_elements(const Kept& kept, std::uint64_t points);
/// Numbers in the ranges.
std::uint64_t kept_count(const std::vector<Range>& ranges);
/// The radices of every run of the core, in order. Those of radix 1 at the ends of a convolution are not among them:
/// they redistribute the points of memory.
std::vector<std::vector<std::uint32_t>> core_runs(const KernelSpec& spec);
/// The spectra that the kernel multiplies by; null: none.
const SpectrumProduct* spectrum_product(const KernelSpec& spec);
/// Whether it has channels whose modes are spectra, without a core.
inline bool has_mode_channels(const KernelSpec& spec) { return spec.mode_matrix() || spec.mode_gradient(); }
/// Whether it reads spectra, or weights.
inline bool has_spectra(const KernelSpec& spec) { return spectrum_product(spec) || has_mode_channels(spec); }

/// Sums of the middle stage that the kernel makes parts of; 0: it does not.
std::uint32_t sum_count(const KernelSpec& spec);
/// Parts of each sum that it stores for one array.
std::uint64_t partials_per_batch(const KernelSpec& spec);

/// The groups of a ModeMatrix: the modes count fastest, then the outputs, then the arrays of the batch. Of a
/// ModeGradient inputs are in the place of arrays.
struct ModeGroups {
    std::uint64_t modes = 1, outputs = 1, arrays_each = 1;
    std::uint64_t inputs = 0;  ///< 0: they are arrays.
    explicit ModeGroups(const KernelSpec& spec);
    std::uint64_t count(std::uint64_t batch) const {
        return modes * outputs * (((inputs == 0 ? batch : inputs) + arrays_each - 1) / arrays_each);
    }
};
/// Groups to launch for a batch.
std::uint64_t groups(const KernelSpec& spec, std::uint64_t batch);

}  // namespace seiche::kernels
