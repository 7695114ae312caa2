// The contract of kernel generation: one value says everything about a kernel.
//
// Every kernel is one pass over memory: it loads a number of sequences, passes them through load stages, the core (a
// Stockham transform of n points in registers and shared memory) and store stages, and writes them back. Direction,
// four-step twiddles, Bluestein's chirp, scaling and cropping are stages; the core is always the forward transform in
// natural order. With stages in the middle the core runs twice: a cyclic convolution that never leaves the chip.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expression/program.hpp"
#include "ir/kernel.hpp"
#include "kernels/textbook_work.hpp"
#include "seiche/double_double.hpp"
#include "seiche/problem.hpp"

namespace seiche::kernels {

/// From index `at` of a loop on, `skipped` indices are left out.
struct Gap {
    std::uint64_t at = 0;
    std::uint64_t skipped = 0;
    bool operator==(const Gap&) const = default;
};

/// One loop over sequences. Strides in elements.
struct Loop {
    std::uint64_t count = 1;
    std::uint64_t input_stride = 0;
    std::uint64_t output_stride = 0;
    std::vector<Gap> gaps = {};  ///< By rising `at`; the loop counts what is not left out.
    bool operator==(const Loop&) const = default;
};

/// Indices from begin to end - 1.
struct Range {
    std::uint64_t begin = 0, end = 0;
    bool operator==(const Range&) const = default;
};

/// The elements of a sequence that are read or written; the others count as 0, or are not wanted. Their index along the
/// axis is found as in Chirp. No ranges: all.
struct Kept {
    std::vector<Range> ranges;  ///< Sorted, apart from each other.
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    std::uint64_t loop_step = 1;  ///< The index of the loop counts so much.
    std::optional<Range> own;     ///< Beside that, of the sequence's elements only these.
    bool operator==(const Kept&) const = default;
};

/// Exchanges real and imaginary part: on load and on store together it makes the inverse transform.
struct SwapParts {
    bool operator==(const SwapParts&) const = default;
};
/// Multiplies by a real factor.
struct Multiply {
    DoubleDouble factor = 1.0;  ///< As much of it as the precision has.
    bool operator==(const Multiply&) const = default;
};
/// Multiplies element j by exp(-2 pi i j q / length), q the index of loops[loop] (Gentleman & Sande 1966; Bailey 1990,
/// "four-step").
struct FourStepTwiddle {
    std::uint64_t length = 1;
    std::uint32_t loop = 0;
    bool operator==(const FourStepTwiddle&) const = default;
};
/// Multiplies element j by exp(-pi i j^2 / length) where j < length; elements beyond are neither read nor written and
/// count as 0 (Bluestein 1970). In one pass of several j = element * element_stride + index of loops[loop].
struct Chirp {
    std::uint64_t length = 1;
    std::uint64_t element_stride = 1;  ///< j advances by this from one element of the sequence to the next.
    std::int32_t loop = -1;            ///< The index of this loop is added to j; -1: none.
    bool operator==(const Chirp&) const = default;
};
/// Multiplies by the spectrum of Bluestein's kernel: FFT of exp(+pi i j^2 / length) wrapped to `padded` points, divided
/// by `padded`. The element's index is found as in Chirp.
struct ChirpSpectrum {
    std::uint64_t length = 1;
    std::uint64_t padded = 1;
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    /// Results that are wanted, the first ones; with fewer of them, or of points that are not 0, `padded` may be
    /// shorter than 2 length - 1: points and results together, less one (Rabiner, Schafer & Rader 1969). 0: all.
    std::uint64_t results = 0;
    bool operator==(const ChirpSpectrum&) const = default;
};
/// Doubles all elements of the axis but those that are their own mirrors, of which it keeps the real parts: of the
/// first half of a real signal's spectrum, whose transform then has that of the whole as its real part. j is found as
/// in Chirp.
struct OneSided {
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    std::uint64_t middle = 0;  ///< Beside element 0 its own mirror: half of an even length, with GroupShape.
    bool operator==(const OneSided&) const = default;
};
/// How the elements of an axis of a real kind become the points of a complex core, on load, or come from them, on
/// store. See real_map.hpp. The point's index is found as in Chirp.
struct RealMap {
    Kind kind = Kind::r2c;
    std::uint64_t length = 1;  ///< The axis's n.
    bool orthonormal = false;
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    bool operator==(const RealMap&) const = default;
};
/// Where a point stands along one axis of the problem: its element times a step, plus indices of loops times theirs.
struct LogicalIndex {
    struct Part {
        std::uint32_t loop = 0;
        std::uint64_t step = 1;
        bool operator==(const Part&) const = default;
    };
    std::uint64_t element_step = 0;
    std::vector<Part> parts;
    bool operator==(const LogicalIndex&) const = default;
};
/// A user's stage. On load it is the first, on store the last; its buffers and scalars are parameters of the kernel.
struct UserProgram {
    /// What of the kernel's is one element of the user's array.
    enum class Element : std::uint8_t {
        point,
        number,  ///< The real part of a point.
        part,    ///< Each part of a point, one after the other along axis `paired`.
        mapped,  ///< An element of a real map, which applies the stage itself: the point stages leave it out.
    };
    expression::Side side = expression::Side::load;
    std::shared_ptr<const expression::Program> program;
    std::vector<LogicalIndex> axes;  ///< Of the problem; of parts that of the first.
    Element element = Element::point;
    std::uint32_t paired = 0;
    bool operator==(const UserProgram& other) const {
        return side == other.side && axes == other.axes && element == other.element && paired == other.paired &&
               *program == *other.program;
    }
};
/// Multiplies element k by the spectrum of Rader's kernel (Rader 1968): FFT of w^(g^-j), j = 0 .. prime-2, divided by
/// prime - 1, where w = exp(-2 pi i / prime) and g is the smallest generator modulo the prime. With a padded length of
/// at least prime - 2 the spectra of its even and odd part instead, one behind the other: g^((prime-1)/2) = -1, so that
/// the even part of the sequence meets the cosines alone, the odd part the sines, each over half of the powers.
struct RaderSpectrum {
    std::uint64_t prime = 3;
    std::uint64_t padded = 0;
    bool operator==(const RaderSpectrum&) const = default;
};
/// Multiplies by an element of the buffer of spectra, which is a parameter of the kernel: that at element times
/// `element_stride` plus the index of each loop times its stride.
struct SpectrumProduct {
    std::uint64_t element_stride = 1;
    std::vector<std::uint64_t> loop_strides;  ///< Of each of the kernel's loops.
    bool conjugated = false;                  ///< The spectrum is.
    /// The product is divided by its magnitude, or 0 where that is, and multiplied by this; 0: it is not.
    double magnitude = 0.0;
    bool operator==(const SpectrumProduct&) const = default;
};
/// Multiplies point j by exp(-2 pi i (step j + offset) / length): of type IV and of right-angle convolutions, before
/// and after the core. In one pass of several j = element * element_stride + index of loops[loop], and the factor the
/// product of one for each.
struct Turn {
    std::uint64_t length = 1, step = 1, offset = 0;
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;  ///< -1: none.
    bool operator==(const Turn&) const = default;
};
using Stage = std::variant<SwapParts, Multiply, FourStepTwiddle, Chirp, ChirpSpectrum, RaderSpectrum, SpectrumProduct,
                           UserProgram, Turn, OneSided>;

/// Of a convolution whose sequences have several channels: output o is the sum over the inputs of their products with
/// spectrum (o, i), o inputs + i after the first, or of a symmetric matrix of which one half is stored, row by row from
/// its diagonal on. Strides in elements of the input, the output and the spectra.
struct Channels {
    std::uint32_t inputs = 1, outputs = 1;
    bool symmetric = false;
    std::uint64_t input_stride = 0, output_stride = 0, spectrum_stride = 0;
    bool is_single() const { return inputs == 1 && outputs == 1; }
    /// Which spectrum leads from an input to an output.
    std::uint32_t spectrum(std::uint32_t output, std::uint32_t input) const;
    bool operator==(const Channels&) const = default;
};

/// What a real axis asks of the core.
struct RealCore {
    std::uint64_t points = 1;  ///< Of the complex core.
    std::uint64_t period = 1;  ///< Of v.
    bool is_paired = false;    ///< Two numbers make a point.
    bool is_inverse = false;   ///< From spectrum to signal: the core runs backwards.
};
RealCore real_core(Kind kind, std::uint64_t n);

/// How the elements in memory on one side are related to the core's points.
enum class RealWay : std::uint8_t {
    natural,   ///< Element p is v[p].
    placed,    ///< Elements are v in another order, with signs.
    spectrum,  ///< Elements are V or made from it.
};
RealWay load_way(Kind kind);
RealWay store_way(Kind kind);
/// Elements of the axis on the side that is loaded or stored.
std::uint64_t loaded_elements(const RealMap& map);
std::uint64_t stored_elements(const RealMap& map);

/// What one item of a map_only kernel is.
enum class MapItem : std::uint8_t {
    element,  ///< Points are seen as pairs of real numbers, on their side strides count such.
    point,
    pair,  ///< Of bins.
};

/// Elements that are placed and come in pairs of neighbours as two real numbers, so that a GPU's thread that has points
/// j and m - 1 - j of the core's m can exchange them in its registers: types II to IV of an even length.
bool comes_mirrored(const RealMap& map, bool input);

/// Types II and III: bins k and m - k of the core make, or are made of, four numbers of the spectrum.
bool has_fours(Kind kind);

/// Elements whose bins k and m - k a GPU's thread may have both, so that nothing of them passes through shared memory:
/// the spectra of an even length of r2c, c2r, the half-complex format, Hartley's transform and types II and III.
bool may_meet(const RealMap& map, bool input);

/// How threads walk over the elements that a group loads or stores.
enum class ThreadOrder : std::uint8_t {
    element_fastest,   ///< Neighbouring threads have neighbouring elements of one sequence.
    sequence_fastest,  ///< Neighbouring threads have the same element of neighbouring sequences.
    flat,              ///< Neighbouring threads have neighbouring addresses of dense sequences; for radix 1 only.
};

/// Of two passes in one kernel that are a part of a longer transform, or columns: a cluster has some transforms that
/// lie beside each other in memory. This is how the sequences of one of the passes are counted.
struct Tile {
    std::uint32_t crossing = 1;   ///< Sequences of one transform, in all groups: the points of the other pass.
    bool crossing_first = false;  ///< In the loops they follow each other; else those of neighbouring transforms do.
    bool beside = false;          ///< In a group those of neighbouring transforms follow each other; else of one.
    bool operator==(const Tile&) const = default;
};

/// A GPU's kernel: `sequences` sequences a group, `threads` threads each; registers hold the data, shared memory
/// exchanges.
struct GroupShape {
    std::uint32_t threads = 1;
    std::uint32_t sequences = 1;
    std::uint32_t planes =
        2;  ///< 2: real and imaginary parts are exchanged at once; 1: one after the other, in half the space.
    /// Runs of each sequence that are exchanged one after the other, in the space of one (can_exchange_in_pieces).
    std::uint32_t pieces = 1;
    ThreadOrder load_order = ThreadOrder::element_fastest;
    ThreadOrder store_order = ThreadOrder::element_fastest;
    std::uint32_t min_groups_per_unit = 0;
    /// A subgroup's lanes go to memory, global and shared, one after the other: where an access costs more than many
    /// operations, points are exchanged whole, at their own places, and twiddles are products of two factors.
    bool one_by_one = false;
    /// Twiddles of radices that are no powers of two are products of two factors, so that a stage reads few of its
    /// table: where that is larger than what a unit caches, they come from afar.
    bool twiddle_products = false;
    /// Neighbouring butterflies that a thread has together, whose points are exchanged in one access
    /// (can_exchange_neighbours).
    std::uint32_t neighbours = 1;
    /// Of spectra (may_meet): a thread has bins k and m - k of the core's m.
    bool bins_meet = false;
    /// Registers are few beside the points: stages make indices anew, which folded by their bounds they would share.
    bool remakes_indices = false;
    /// Sequences i and `sequences` - 1 - i of a group are mirrored columns. Where the output is folded, a thread has
    /// points j and m - 1 - j, which make pairs of neighbouring numbers. The output's elements are such pairs. Where
    /// one side has bins, a thread has bins k and m - k; columns 0 and m / 2, their own mirrors, are in one group. Of
    /// the bins of a plane that several groups have, these are in the group.
    bool columns_meet = false;
    /// Both parts of a point are exchanged in one access, with two planes.
    bool whole_points = false;
    /// Elements that a sequence may take in shared memory beyond its points, where blocks of an exchange are to lie
    /// apart instead of a swizzle.
    std::uint32_t room = 0;
    /// Of a prime's butterfly between two deals, with two planes and a thread for each sequence: pairs of results that
    /// the thread makes in a turn of a loop (prime_in_loop), whose text is short; 0: there is no loop.
    std::uint32_t pairs_in_turn = 0;
    /// In such a loop, with two threads: one thread of a sequence has the real parts of its points, the next thread
    /// their imaginary ones.
    bool parts_in_lanes = false;
    /// Of a convolution whose radices are the same from either end: both runs of the core are turns of a loop.
    bool core_in_loop = false;
    /// Of a prime's even and odd part: what one has for the other lies in shared memory, instead of in registers.
    bool parity_in_shared = false;
    /// Of two passes in one kernel (KernelSpec::then): groups that share one transform through their shared memory.
    std::uint32_t groups_per_cluster = 1;
    std::optional<Tile> tile = {};
    bool operator==(const GroupShape&) const = default;
};

/// A CPU's kernel: groups of one thread that carries SIMD registers; no barrier.
struct BundleShape {
    std::uint32_t lanes = 1;
    bool across = false;  ///< Lanes carry neighbouring sequences (true) or neighbouring butterflies of one (false).
    std::uint32_t units_per_group =
        1;  ///< Sequences (or bundles of them) that one group works through, one after the other.
    bool operator==(const BundleShape&) const = default;
};

/// Of the first or last of several passes over the core of types II to IV: its points come straight from the elements
/// or go there. Point j of m, a sequence's element times `element_stride` plus the index of `loop`, is of types II and
/// III elements 4 j and 4 j + 2 of the axis, or from the middle on the odd ones backwards; of type IV elements 2 j and
/// n - 1 - 2 j. Strides on that side count real numbers. Of an odd n, of any real-to-real kind but type I, one pass may
/// be all: a point of the signal is one number, and of the spectrum the points are its first n / 2 + 1 values, of two
/// numbers each but the first.
struct Folded {
    Kind kind = Kind::dct2;
    std::uint64_t length = 2;  ///< The axis's n, at most 2^30.
    std::uint64_t element_stride = 1;
    std::int32_t loop = 0;     ///< -1: of one pass.
    bool has_pairs = false;    ///< Memory may be seen as pairs of neighbouring numbers.
    bool orthonormal = false;  ///< Of an odd length: what RealMap has.
    bool is_odd() const { return length % 2 != 0; }
    bool operator==(const Folded&) const = default;
};

/// One axis of a block of real numbers. Strides in numbers.
struct BlockAxis {
    RealMap map;  ///< A real-to-real kind of this direction.
    std::uint64_t input_stride = 1, output_stride = 1;
    bool operator==(const BlockAxis&) const = default;
};

struct KernelSpec {
    std::string name = "fft";
    Precision precision = Precision::f32;
    std::uint32_t n = 1;  ///< Points of the core; of a sequence in memory too, but for a chirp's padding and a prime.
    std::vector<std::uint32_t>
        radices;  ///< First to last; their product is n. Radix 1 only re-deals elements to threads.
    Storage input_storage = Storage::same;  ///< What memory has; converted on load and on store.
    Storage output_storage = Storage::same;
    bool input_planar = false;  ///< Real and imaginary parts come from two buffers.
    bool output_planar = false;
    /// Elements in memory are real numbers; all strides count such. Without a map points are loaded with an imaginary
    /// part of 0 and stored without theirs.
    bool input_real = false;
    bool output_real = false;
    /// Of a real side: a sequence has 2 n elements, and point e is element e less i times element e + n.
    bool input_halves = false, output_halves = false;
    /// Of a real side whose rows a thread has whole, with GroupShape, of an even n: pairs of neighbouring numbers go in
    /// one access. Strides are even but for the row's own, 1.
    bool input_pairs = false, output_pairs = false;
    /// Of rows that a thread has whole: they go by way of shared memory, in memory's order. Of the first pass's input,
    /// complex or in pairs, whose points are neighbours, and of a real output.
    bool input_rows = false, output_rows = false;
    std::optional<RealMap> load_map, store_map;
    std::optional<Folded> folded_in;   ///< With GroupShape, without load_map; of input_real, unless columns meet.
    std::optional<Folded> folded_out;  ///< The same of the output.
    /// Of the first or last of several passes over the core of a real kind: its points are made of the elements of the
    /// axis's spectrum, or these of them, where columns meet. Strides on that side are the elements'. Point k of the
    /// core is a sequence's element times `element_stride` plus the index of `loop`, which is 0 and has as many. Or of
    /// a plane, with an `element_stride` of 0: the points are of loop 0 alone, the sequence's elements of the other
    /// axis, and on that side an element has both strides, the loop's and the point's.
    std::optional<RealMap> bins_in, bins_out;
    /// No core: one of the maps, between the memory of elements and that of points. n is 1, loops[0] has the items.
    bool map_only = false;
    /// No core and no map either: loops[0] has pairs of neighbours among so many complex numbers, each of which becomes
    /// one element of four numbers of the output, the last with zeros where they are odd; 0: it is no such kernel.
    /// `map_only` too is set. An output of f16 has halves in the range of f32, for an image of such texels.
    std::uint64_t texel_points = 0;
    std::uint64_t input_stride = 1;  ///< Elements between points.
    std::uint64_t output_stride = 1;
    /// Where element 0 of the first sequence is, in elements from the start of the buffer; below 0 where pruning leaves
    /// out what would lie before it.
    std::int64_t input_offset = 0, output_offset = 0;
    std::vector<Loop> loops;         ///< Fastest first. The last is the batch: its count is an argument of the launch.
    Kept input_kept, output_kept;    ///< Of a real side, elements of the axis in memory.
    std::vector<Stage> load, store;  ///< In order of application.
    /// Between two runs of the core, the second with its radices reversed, so that it begins with the points that the
    /// first has in its registers; empty: one run.
    std::vector<Stage> middle;
    Channels channels;  ///< With a SpectrumProduct first in the middle.
    /// Rader's n + 1, or 0; of a padded spectrum (splits_parity) at most n + 2. A sequence has so many points; point
    /// g^j enters and leaves the convolution as element j, and point 0 goes beside it: added at frequency 0, where the
    /// sum of all points is taken. Of a real side these are the points that the elements make.
    std::uint32_t prime = 0;
    bool in_place = false;       ///< Input and output are the same memory, or may be.
    bool movement_only = false;  ///< The core moves data as it would, but computes nothing.
    std::variant<GroupShape, BundleShape> shape;
    /// At most one: the next pass in the same kernel, with GroupShape. Of one transform, result k of sequence q is
    /// point q of sequence k of the next pass, and passes on chip. Without a tile both have the same loops but for
    /// one, which has the sequences of one transform. The output's side of this spec and its store stages are the
    /// last one's; the next one's load stages come before its core. `bins_in` is the first one's, `bins_out` the
    /// last's. Without bins and tiles a group may have a third, as a cube's axes, and passes of one-sided rows, of
    /// which half of the spectrum crosses: the first points of the next pass, as its loops and input_kept have them.
    /// The sequences of one transform are in `crossing_loop`, which is the second one's where the first has sequences
    /// that lie beside each other. Then some threads may have no part in some of the passes, nor where `own_threads`.
    std::vector<KernelSpec> then;
    std::uint32_t crossing_loop = 0;
    /// Of a kernel whose passes are a plane's or a cube's axes that one group has: each has as many threads as it asks
    /// for.
    bool own_threads = false;
    bool is_second = false;     ///< It is another's `then`.
    bool follows_bins = false;  ///< And that one has bins_in.
    /// Of the first of passes that trail each other: what lies between them is memory of its own, the launch's output
    /// is the last one's, and in_place says that this may be the launch's input. So it is with three passes.
    bool has_between = false;
    /// At most one: the next pass in the same launch, with GroupShape of as many threads, which works on what this one
    /// (with `then`) stores: in place, or else from there to where this one loads. Both are cut into slices that depend
    /// on one another alone. Groups take tickets as they begin, in an order in which the second pass trails the first
    /// by `lead`, so that a group waits only for groups that began before it, and a cache still has what they stored.
    /// The second pass, in place, may have a third that trails it so.
    std::vector<KernelSpec> trailing;
    std::uint64_t slice = 0;  ///< Sequences of a slice, of each of such passes.
    /// Of them so many follow each other, whole groups; the next ones begin `slice_period` sequences behind, and what
    /// is between belongs to other slices. 0: they all follow each other.
    std::uint64_t slice_run = 0, slice_period = 0;
    std::uint64_t lead = 0;      ///< Groups of this pass ahead of all that trail it; at least least_lead.
    bool streams_input = false;  ///< Of the first: a cache need not keep what it loads.
    /// Two or three axes of real-to-real kinds, the first one's elements the closest in memory: of each a thread has
    /// whole rows in its registers, which meet in shared memory, one number each. With GroupShape, whose sequences are
    /// such blocks, as the loops count them, and whose threads are as many as the axis with the most rows has of these.
    /// n is 1, both sides are real, stages are the user's and, of the store, constants, and what else describes a core
    /// has no meaning.
    std::vector<BlockAxis> block;
    /// No core: one launch of a textbook recipe, with GroupShape. n is the points of an item, and what else describes a
    /// core has no meaning; load and store stages are SwapParts and Multiply.
    std::optional<Textbook> textbook;
    bool operator==(const KernelSpec&) const = default;
};

/// The pass that stores.
inline const KernelSpec& last_pass(const KernelSpec& spec) {
    return spec.then.empty() ? spec : last_pass(spec.then.front());
}
/// Threads of a group with GroupShape: of passes in one kernel, of the one with the most.
std::uint32_t threads_of_group(const KernelSpec& spec);
/// Calls `visit` with each pass behind the first that has the same kernel, in order.
template <typename Spec, typename Visit>
void for_each_then(Spec& spec, const Visit& visit) {
    if (spec.then.empty()) return;
    visit(spec.then.front());
    for_each_then(spec.then.front(), visit);
}

/// Three passes in one launch.
inline bool has_third_pass(const KernelSpec& spec) {
    return !spec.trailing.empty() && !spec.trailing.front().trailing.empty();
}
/// The pass whose output, with its storage and planes, is the launch's.
inline const KernelSpec& pass_of_output(const KernelSpec& spec) {
    return has_third_pass(spec) ? spec.trailing.front().trailing.front()
           : spec.has_between   ? spec.trailing.front()
                                : spec;
}
/// Groups of a pass that others trail which have to be ahead of these, so that no group waits for a later one.
std::uint64_t least_lead(const KernelSpec& spec);

/// Of a pass with `then`, the way of its results to the next one.
struct Crossing {
    std::uint32_t columns = 1, rows = 1;      ///< In a group: sequences of one transform, and of the next pass.
    std::uint32_t transforms = 1, ranks = 1;  ///< In a group; groups of one transform.
    /// Transforms whose sequences lie beside each other, in this pass and the next: of a cube's second axis. There are
    /// so many times `transforms`.
    std::uint32_t beside = 1;
};
Crossing crossing_of(const KernelSpec& spec);
/// Whether a pass whose threads have whole rows of real numbers may move them in pairs.
bool may_have_pairs(const KernelSpec& pass, bool input);
/// Whether the rows of a first pass may be its input_rows.
bool may_have_rows(const KernelSpec& pass);
/// Whether not all results cross, or not all points of the next pass do: of one-sided rows.
bool is_halved(const KernelSpec& spec);

/// Of two passes in one kernel: whole transforms that a group has; one where several groups share it.
std::uint32_t transforms_per_group(const KernelSpec& spec);

/// Of one of two passes in one kernel whose transforms have so many sequences: which one is sequence `crossing` of a
/// transform of a batch entry.
std::uint64_t crossing_sequence(const KernelSpec& pass, std::uint64_t transform, std::uint64_t crossing,
                                std::uint64_t sequences);

/// Which of its group's sequences it is, with GroupShape.
std::uint32_t sequence_in_group(const KernelSpec& pass, std::uint64_t sequence);

/// Memory on this side has pairs of numbers that mirrored points make, or are made of.
bool is_mirrored(const KernelSpec& spec, bool input);

/// Whether the stages of a kernel without maps, convolutions and passes beside it can exchange their points in so many
/// runs of a sequence: results lie in the run that is read by the same legs of every thread.
bool can_exchange_in_pieces(const KernelSpec& spec, std::uint32_t pieces);
bool can_exchange_in_pieces(const std::vector<std::uint32_t>& radices, std::uint32_t pieces);
/// Whether they can exchange the points of so many neighbouring butterflies, or of one of the first stage, at a time.
bool can_exchange_neighbours(const KernelSpec& spec, std::uint32_t neighbours);
bool can_exchange_neighbours(const std::vector<std::uint32_t>& radices, std::uint32_t neighbours);

/// Numbers of the spectrum on this side are made of bins in one thread's registers, or made into them.
bool bins_meet(const KernelSpec& spec, bool input);
/// Whether a group's threads move the numbers of the signal that their points are made of between memory and registers
/// themselves, without scattering their accesses: where sequences lie side by side, or numbers as points have them.
bool moves_own_elements(const KernelSpec& spec, bool input);

/// Of a map_only kernel.
MapItem map_items(const KernelSpec& spec);
std::uint64_t map_item_count(const KernelSpec& spec);
/// Whether pairs of bins that lie side by side may go through it as one register (BundleShape::lanes).
bool has_map_runs(const KernelSpec& spec);

/// One line: "c2c f32 n=4096 radices=16x16x16 threads=256 sequences=1".
std::string to_string(const KernelSpec& spec);

/// Of the bins of a pass (KernelSpec::bins_in, bins_out).
/// What a folded side of an odd length is.
inline RealMap odd_map(const Folded& fold) {
    return {fold.kind, fold.length, fold.orthonormal, fold.element_stride, fold.loop};
}
inline bool is_of_plane(const RealMap& map) { return map.loop == 0 && map.element_stride == 0; }
inline bool is_of_plane(const std::optional<RealMap>& map) { return map && is_of_plane(*map); }

/// Bytes of one element of the input or the output, both halves of a planar one together.
std::uint32_t element_bytes(const KernelSpec& spec, bool input);
/// Bytes that one access to an element moves: half of them where the array is planar.
std::uint32_t access_bytes(const KernelSpec& spec, bool input);

/// The order in which the axes of a block are transformed: of a plane as they lie, of a cube the slowest one first,
/// whose rows a group's threads load in runs as long as planes, and the second one last.
std::vector<std::size_t> block_order(const KernelSpec& spec);
/// Numbers of a block, and rows along one of its axes.
std::uint64_t block_numbers(const KernelSpec& spec);
std::uint64_t block_rows(const KernelSpec& spec, std::size_t axis);

/// Places of shared memory that a block of these lengths, the fastest axis first, has at most.
std::uint64_t most_block_places(const std::vector<std::uint32_t>& lengths);

/// Of a textbook kernel: whether it is a reversal that leaves points alone whose place is its own partner.
inline bool leaves_own_partners(const KernelSpec& spec) {
    return spec.in_place && spec.store.empty() && std::holds_alternative<Reversal>(spec.textbook->work);
}
/// Whether groups tell each other by counters what they have done: the kernel has a parameter for them.
bool has_counters(const KernelSpec& spec);
/// Of a textbook kernel: points of a line that it touches.
std::uint64_t textbook_points(const KernelSpec& spec);

/// Whether a store rounds beyond the arithmetic's own precision.
inline bool rounds_storage(const KernelSpec& spec) { return spec.output_storage != Storage::same; }

/// Sequences that one batch entry has: the product of the static loops' counts.
std::uint64_t sequences_per_batch(const KernelSpec& spec);
/// Sequences that one group works on.
std::uint64_t sequences_per_group(const KernelSpec& spec);
/// Of a pass with slices, the last of which may have fewer sequences.
std::uint64_t groups_per_slice(const KernelSpec& spec);
/// Points that a sequence has in memory on the side of these stages (spec.load or spec.store).
std::uint32_t sequence_points(const KernelSpec& spec, const std::vector<Stage>& side);
/// Points that a stage of radix 1 at that end deals: where they are kept from the first one to another, and sequences
/// of them follow each other or elements are folded, no others.
std::uint32_t dealt_points(const KernelSpec& spec, bool input);
/// Points that a part of a bundle's scratch array has room for: a register more where numbers are found beside the
/// points, and behind a prime's points of the core for point 0.
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
/// they deal the points of memory to threads.
std::vector<std::vector<std::uint32_t>> core_runs(const KernelSpec& spec);

// Constant tables: one buffer per kernel, made of sections in this order.

/// Stockham twiddles exp(-2 pi i j p / (r s)) at [j - 1][p], j = 1 .. r-1, p = 0 .. max(s, lanes)-1 (p modulo s).
/// `copy` tells equal ones apart that are to be read anew instead of being kept in registers.
struct StageTwiddles {
    std::uint32_t radix = 1, s = 1, lanes = 1, copy = 0;
    bool operator==(const StageTwiddles&) const = default;
};
/// What merged_butterfly wants in their place: exp(-2 pi i (p + k s) / (n s)) at [n / 4 + k][p] for n = 2, 4, ..
/// radix, k = 0 .. max(n / 4, 1)-1, p = 0 .. s-1.
struct MergedTwiddles {
    std::uint32_t radix = 2, s = 1, copy = 0;
    bool operator==(const MergedTwiddles&) const = default;
};
/// exp(-2 pi i (k step) / length), k = 0 .. count-1.
struct PowerTable {
    std::uint64_t length = 1, step = 1, count = 1;
    bool operator==(const PowerTable&) const = default;
};
/// exp(-2 pi i j q / length) at [j][q / block] for q = 0, block, 2 block, ...: the part of a twiddle that all lanes
/// share.
struct BlockTwiddles {
    std::uint64_t length = 1;
    std::uint32_t rows = 1, blocks = 1, block = 1;
    bool operator==(const BlockTwiddles&) const = default;
};
/// exp(-2 pi i j lane / length) at [j][lane].
struct LaneTwiddles {
    std::uint64_t length = 1;
    std::uint32_t rows = 1, lanes = 1;
    bool operator==(const LaneTwiddles&) const = default;
};
/// exp(-pi i j^2 / length), j = 0 .. length-1.
struct ChirpTable {
    std::uint64_t length = 1;
    bool operator==(const ChirpTable&) const = default;
};
/// exp(-2 pi i (k step + offset) / length), k = 0 .. count-1; with a prime in the order of its places (RaderPlaces).
struct RootTable {
    std::uint64_t length = 1, step = 1, offset = 0, count = 1;
    std::uint64_t prime = 0;
    bool operator==(const RootTable&) const = default;
};
struct SpectrumTable {
    std::uint64_t length = 1, padded = 1, results = 0;  ///< As in ChirpSpectrum.
    bool operator==(const SpectrumTable&) const = default;
};
struct RaderSpectrumTable {
    std::uint64_t prime = 3;
    std::uint64_t padded = 0;  ///< As RaderSpectrum's.
    bool operator==(const RaderSpectrumTable&) const = default;
};
/// Where point e of a prime length has its place: real part j with g^j = e; prime - 1 for e = 0.
struct RaderPlaces {
    std::uint64_t prime = 3;
    bool operator==(const RaderPlaces&) const = default;
};
using TableContent = std::variant<StageTwiddles, MergedTwiddles, PowerTable, BlockTwiddles, LaneTwiddles, ChirpTable,
                                  RootTable, SpectrumTable, RaderSpectrumTable, RaderPlaces>;

struct TableSection {
    TableContent content;
    std::uint64_t entries = 0;  ///< Complex values.
    std::uint64_t offset = 0;   ///< Of the first, in complex values from the start of the buffer.
    std::uint32_t split = 1;  ///< Stored as blocks of `split` real parts, then `split` imaginary parts; 1: interleaved.
    bool operator==(const TableSection&) const = default;
};

/// The sections of a kernel's table buffer; empty: the kernel has no such parameter.
std::vector<TableSection> tables(const KernelSpec& spec);
std::uint64_t table_entries(const std::vector<TableSection>& sections);

/// The spectra that the kernel multiplies by; null: none.
const SpectrumProduct* spectrum_product(const KernelSpec& spec);

/// The kernel's parameters are: in, out, in_imag and out_imag where they are planar, the table if it has one, the
/// spectra if it has them, the counters if groups wait for each other, then the buffers of the user's load stage and
/// store stage; scalars: the count of sequences (u32), then the stages'. `in` is not touched where the load stage does
/// not read the point, nor `out` where the store stage has no result. Throws InternalError for a spec that contradicts
/// itself.
ir::Kernel generate(const KernelSpec& spec);

/// Which points the registers of a core's threads hold: register m of thread `lane` has point
/// lane + threads (m % slots) + butterflies (m / slots), if lane + threads (m % slots) is below `butterflies`.
struct CoreSide {
    std::uint32_t points = 1, threads = 1, slots = 1, butterflies = 1;
    std::uint32_t registers() const;
    bool operator==(const CoreSide&) const = default;
};

/// The core without any memory of the device, as a function of a thread's registers: the private array `x` of complex
/// points, before and after; the shared arrays; the thread's id, which is its lane among the threads of one transform;
/// and a table, if the core has one. The first exchange too begins with a barrier.
struct Core {
    CoreSide before, after;
    ir::Kernel kernel;
};

/// Of a spec with a GroupShape of one sequence, both orders sequence_fastest, and no stages.
Core generate_core(const KernelSpec& spec, Direction direction);

/// Wavefronts of 128 bytes that all exchanges of one transform take, for one plane of numbers of so many bytes; of long
/// ones estimated from a part of them.
double exchange_wavefronts(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                           unsigned bytes);

/// Groups to launch for a batch.
std::uint64_t groups(const KernelSpec& spec, std::uint64_t batch);

}  // namespace seiche::kernels
