// What the kernels of textbook recipes do: part of the contract of kernel generation (spec.hpp), one struct for each
// kind of launch that the published algorithms make.
#pragma once

#include <cstdint>
#include <variant>

#include "seiche/tuning.hpp"

namespace seiche::kernels {

/// Where point j of butterfly i of a line is; r points each, s the stride.
enum class Places : std::uint8_t {
    strided,     ///< i + j n / r.
    blocks,      ///< (i / s) r s + i mod s + j s.
    neighbours,  ///< i r + j.
    reversed,    ///< As `blocks`, the bits of the place reversed.
};

/// The butterflies of one stage, one for each thread. Point j is multiplied by exp(-2 pi i j e / root), before the
/// butterfly (decimation in time) or after it (in frequency), where e is i mod s, or i / s.
struct Butterflies {
    std::uint32_t radix = 2;
    Places from = Places::blocks, to = Places::blocks;
    std::uint64_t stride = 1;  ///< s.
    std::uint64_t root = 1;    ///< Up to the radix no factor is but 1.
    bool twiddles_first = true;
    bool by_block = false;    ///< e is i / s.
    bool moves_only = false;  ///< No butterfly: points change their places.
    bool operator==(const Butterflies&) const = default;
};

/// The L-shaped butterflies of the blocks of so many points of a split-radix transform, decimated in frequency (Duhamel
/// & Hollmann 1984); of blocks of 2 points, those of radix 2. A block is there if the binary digits of its number end
/// with an even count of ones: the second half of a block is two blocks of a quarter.
struct SplitButterflies {
    std::uint64_t block = 4;
    bool operator==(const SplitButterflies&) const = default;
};

/// The butterflies of one factor r of a length n = r m, m co-prime to r, in place and without twiddles (Good 1958,
/// Thomas 1963). With places p = sum of (n / r) j modulo n over all factors, for points and results alike, n divides
/// every product of two different n / r. So exp(-2 pi i p q / n) is the product of exp(-2 pi i m j k / r): result k of
/// a stage is result m k mod r of an ordinary butterfly, and the spectrum comes in natural order (Temperton 1985).
struct CoprimeButterflies {
    std::uint32_t radix = 3;  ///< r.
    /// The place of point j of butterfly i; i is a number or a kernel's value. Needs n <= 2^31.
    template <class Index>
    Index place(std::uint64_t n, const Index& i, std::uint64_t j) const {
        return (i * std::uint64_t{radix} + j * (n / radix)) % n;
    }
    /// Which result of an ordinary butterfly goes to the place of point j.
    std::uint32_t result(std::uint64_t n, std::uint64_t j) const {
        return static_cast<std::uint32_t>(n / radix % radix * j % radix);
    }
    bool operator==(const CoprimeButterflies&) const = default;
};

/// One level of decimation in frequency, a thread for each output, which sums or subtracts without a branch.
struct Level {
    std::uint64_t blocks = 1;  ///< 2^l.
    bool operator==(const Level&) const = default;
};

/// All levels of decimation in frequency from that of so many blocks on, in one launch: a thread keeps its output, and
/// a level waits only for the threads whose outputs it sums. A group has `points` neighbouring outputs, a cluster those
/// of so many groups, which are a block of the first level: levels whose halves are in different
/// groups meet in the cluster, the others in a group.
struct BlockLevels {
    std::uint64_t blocks = 1;  ///< 2^l.
    std::uint32_t points = 2, groups = 1;
    /// Levels whose blocks are no more than a subgroup of so many threads meet in that, and others in the smallest part
    /// of a group, of up to so many, that has their block. 1: there are none.
    std::uint32_t subgroup = 1, parts = 1;
    bool operator==(const BlockLevels&) const = default;
};

/// All levels of decimation in frequency in one launch of more groups than need be under way together. The points of a
/// line are parts of half of `points`. Of each level whose halves are in different groups a group has two parts, those
/// of its sums and its differences, in place, and of all levels after those two neighbouring ones, as BlockLevels.
/// Which level and which parts a group has its ticket says, line after line, so that it waits only for what groups with
/// lower tickets do: until both parts have been through all levels before, as a counter for each part says. Level 0
/// reads the input, all others the output. Groups of a cluster have neighbouring tickets, and levels whose halves lie
/// in one cluster they do together. At least two clusters.
struct FlaggedLevels {
    std::uint32_t points = 2;
    std::uint32_t subgroup = 1, parts = 1;  ///< As BlockLevels.
    std::uint32_t cluster = 1;              ///< Groups of one.
    /// Levels whose halves are in different clusters.
    std::uint32_t far(std::uint64_t length) const {
        std::uint32_t levels = 0;
        while (length >> levels > std::uint64_t{points} * cluster) ++levels;
        return levels;
    }
    /// Groups of a level of one line.
    std::uint64_t groups(std::uint64_t length) const { return length / points; }
    /// The other levels.
    BlockLevels near(std::uint64_t length) const {
        return {groups(length) / cluster, points, cluster, subgroup, parts};
    }
    std::uint64_t halves(std::uint64_t length) const { return 2 * groups(length); }
    bool operator==(const FlaggedLevels&) const = default;
};

/// The counters of the next launch, so many for a batch entry, become zero: that of the tickets and those of the parts.
struct Clearing {
    std::uint64_t counters = 1;
    bool operator==(const Clearing&) const = default;
};

/// Point i goes to the place whose bits are those of i reversed; in place pairs are exchanged.
struct Reversal {
    bool operator==(const Reversal&) const = default;
};

/// Points stay where they are: from one array to another, or from planes to pairs.
struct Copying {
    bool operator==(const Copying&) const = default;
};

/// A thread for each output, which sums up all inputs times their roots. Any length.
struct Sums {
    bool operator==(const Sums&) const = default;
};

/// The matrix of all n^2 roots times a line: a group has `rows` outputs, and as many inputs at a time on chip. Any
/// length.
struct MatrixRows {
    std::uint32_t rows = 64;
    bool operator==(const MatrixRows&) const = default;
};

/// Several stages of radix 2 on chip (Romero et al. 2007): a group copies `chunks` chunks of `chunk` neighbouring
/// points, `stride` apart, into shared memory, and back. Stage j of the transform runs with the places of an earlier
/// one, L(N, i, j): that whose butterflies span one chunk, and so on.
struct ChunkStages {
    std::uint32_t chunks = 1, chunk = 2;
    std::uint64_t stride = 2;  ///< The chunk where there is but one.
    std::uint32_t first = 0;   ///< j of the first stage, counted from 0.
    std::uint32_t stages = 1;
    bool reversed = false;    ///< Points are read from the places of reversed bits.
    bool transposed = false;  ///< Memory has the points of a group side by side; their places are logical.
    std::uint32_t banks = 0;  ///< A number is left free behind so many in shared memory; 0: none.

    std::uint32_t points() const { return chunks * chunk; }
    /// i of the first stage.
    std::uint32_t pattern() const {
        std::uint32_t stage = 0;
        for (std::uint32_t span = chunks == 1 ? 1 : chunk; span > 1; span /= 2) ++stage;
        return stage;
    }
    /// The place of the first point of group `index` of a line.
    std::uint64_t start(std::uint64_t index) const {
        const std::uint64_t each = stride / chunk;
        return index % each * chunk + index / each * stride * chunks;
    }
    /// The place of point `local` of that group.
    std::uint64_t place(std::uint64_t index, std::uint64_t local) const {
        return start(index) + local / chunk * stride + local % chunk;
    }
    bool operator==(const ChunkStages&) const = default;
};

/// Matrices of so many rows and columns, one after the other in a line, are transposed by tiles in shared memory.
struct Transposition {
    std::uint64_t rows = 1, columns = 1;
    bool operator==(const Transposition&) const = default;
};

using TextbookWork = std::variant<Butterflies, SplitButterflies, CoprimeButterflies, Level, BlockLevels, FlaggedLevels,
                                  Clearing, Reversal, Copying, Sums, MatrixRows, ChunkStages, Transposition>;

/// One launch of a textbook recipe over lines of `length` points. Loop 0 of the spec counts the items of a line (or the
/// groups, of what works on chip), and has no strides.
struct Textbook {
    std::uint64_t length = 2;
    TwiddleMethod twiddles = TwiddleMethod::table;
    bool inverse = false;
    /// A group has items of so many lines, as a rectangle: those of one line are neighbouring threads, or those of
    /// neighbouring lines are.
    std::uint32_t lines = 1;
    bool lines_first = false;
    TextbookWork work;
    bool operator==(const Textbook&) const = default;
};

/// Items of a line, or groups.
std::uint64_t textbook_items(const Textbook& textbook);
/// Of a tile with that side of a matrix.
std::uint32_t transposed_tile(std::uint64_t side);
/// Whether it takes place in shared memory: an item is a group.
bool works_on_chip(const Textbook& textbook);

}  // namespace seiche::kernels
