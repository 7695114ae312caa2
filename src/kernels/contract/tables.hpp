// Constant tables: one buffer per kernel, made of sections in this order.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace seiche::kernels {

struct KernelSpec;

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
/// The spectrum of a chirp, for Bluestein's algorithm.
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
/// Of OverlapAdd, with S[k] the sum of w[j]^2 over all j that are k modulo `hop`: d[k] = w[k] scale / S[k], as pairs
/// d[2 k] and d[2 k + 1], or one to an entry; or of squares w[k]^2 and S[k].
struct WindowTable {
    enum class Entry : std::uint8_t { pair, number, squares };
    std::vector<double> window;
    std::uint32_t hop = 1;
    double scale = 1.0;
    Entry entry = Entry::pair;
    bool operator==(const WindowTable&) const = default;
};
using TableContent = std::variant<StageTwiddles, MergedTwiddles, PowerTable, BlockTwiddles, LaneTwiddles, ChirpTable,
                                  RootTable, SpectrumTable, RaderSpectrumTable, RaderPlaces, WindowTable>;

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

}  // namespace seiche::kernels
