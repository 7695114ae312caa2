// Data, and how it is found: `seiche tune`.
#include "planner/measured_passes.hpp"

#include <algorithm>
#include <span>

#include "planner/measured_cores.hpp"
#include "planner/pipeline.hpp"
#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"

namespace seiche::planner {

namespace {

struct Row {
    std::uint64_t n;
    std::uint32_t first, second, third = 1;
};

/// Splits that beat the rule's on an H100: longer runs, or later passes that are pipelined. Measured: LAB-0030.
constexpr Row of_floats[] = {{1953125, 625, 3125},
                             {4782969, 2187, 2187},
                             {std::uint64_t{1} << 23, 4096, 2048},
                             {std::uint64_t{1} << 24, 1024, 256, 64},
                             {10000000, 320, 250, 125},
                             {std::uint64_t{1} << 26, 2048, 256, 128},
                             {std::uint64_t{1} << 28, 4096, 256, 256}};
constexpr Row of_doubles[] = {{std::uint64_t{1} << 23, 4096, 2048}};

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
/// Instead, where memory is fast (has_fast_memory). Measured: LAB-0030.
constexpr Row fast_floats[] = {{50000, 500, 100},          {78125, 125, 625},           {500000, 1000, 500},
                               {mebi / 2, 512, 1024},      {4782969, 243, 243, 81},     {8 * mebi, 256, 128, 256},
                               {32 * mebi, 512, 256, 256}, {64 * mebi, 1024, 256, 256}, {256 * mebi, 2048, 512, 256}};
constexpr Row fast_doubles[] = {
    {20000, 500, 40}, {4 * mebi, 256, 128, 128}, {8 * mebi, 512, 128, 128}, {32 * mebi, 512, 256, 256}};
constexpr Row fast_16_bit[] = {{32 * mebi, 512, 512, 128}};
constexpr Row fast_r2c[] = {{2 * mebi, 256, 64, 128}};
constexpr Row fast_c2r[] = {{mebi / 8, 128, 1024}, {8 * mebi, 128, 256, 256}};
constexpr Row fast_doubles_of_c2r[] = {{mebi / 2, 512, 1024}};
/// Transforms of a group of two pipelined passes there, half of a full tile. Measured: LAB-0020.
struct Tile {
    Precision precision;
    std::uint32_t first, second, transforms;
};
constexpr Tile tiles_in_fast_memory[] = {
    {Precision::f32, 500, 100, 8}, {Precision::f32, 1000, 500, 4}, {Precision::f64, 500, 40, 4}};
/// Two passes in a cluster there. Measured: LAB-0022.
struct ClusterRow {
    Kind kind;
    Precision precision;
    std::uint64_t n;
    MeasuredCluster cluster;
};
constexpr ClusterRow clusters_in_fast_memory[] = {
    {Kind::c2c, Precision::f32, mebi / 16, {128, 512, 16}}, {Kind::c2c, Precision::f32, mebi / 8, {512, 256, 16}},
    {Kind::r2c, Precision::f64, mebi / 32, {256, 128, 16}}, {Kind::r2c, Precision::f32, mebi / 16, {512, 128, 8}},
    {Kind::c2r, Precision::f32, mebi / 32, {64, 512, 8}},   {Kind::c2r, Precision::f64, mebi / 64, {64, 256, 8}}};
/// Pairs that are faster one after the other there. Measured: LAB-0020.
struct Apart {
    Precision precision;
    std::uint32_t first, second;
};
constexpr Apart apart_in_fast_memory[] = {{Precision::f32, 729, 729}, {Precision::f64, 720, 720}};

/// Pairs that gain by pipelining, each measured by itself (H100, fast memory H200). Measured: LAB-0020.
struct Pipelined {
    Precision precision;
    std::uint32_t first, second;
    bool is_behind_another = false, is_of_fast_memory = false;
};
constexpr Pipelined measured_pipelines[] = {{Precision::f32, 200, 125, true},
                                            {Precision::f32, 625, 125},
                                            {Precision::f64, 192, 192, false, true},
                                            {Precision::f64, 240, 240, false, true},
                                            {Precision::f64, 256, 256, false, true}};

/// Real planes in clusters: by the rule, and so, of copy bandwidth on an H200. Measured: LAB-0021.
struct RealPlane {
    Kind kind;
    std::uint32_t rows, numbers;
    MeasuredPlane plane;
};
constexpr RealPlane planes_of_real_numbers[] = {{Kind::c2r, 256, 256, {4, true}}, {Kind::c2r, 512, 256, {8, true}},
                                                {Kind::c2r, 256, 512, {8, true}}, {Kind::c2r, 64, 1024, {8, true}},
                                                {Kind::r2c, 64, 1024, {8, true}}, {Kind::r2c, 128, 256, {4, false}},
                                                {Kind::r2c, 1024, 64, {}},        {Kind::c2r, 1024, 64, {}}};

/// Two pipelined passes that are clearly faster than the cheapest (pipeline_cost.hpp). Measured: LAB-0020.
// clang-format off
constexpr Row pipelined_splits_of_floats[] = {
    {21000, 525, 40}, {24000, 96, 250}, {25600, 400, 64}, {27000, 360, 75}, {30720, 320, 96}, {36000, 96, 375},
    {36864, 192, 192}, {45000, 600, 75}, {48000, 400, 120}, {50000, 200, 250}, {51200, 320, 160}, {60000, 400, 150},
    {61440, 640, 96}, {72000, 320, 225}, {73728, 256, 288}, {76800, 640, 120}, {80000, 400, 200}, {81000, 675, 120},
    {81920, 320, 256}, {125000, 250, 500}, {128000, 400, 320}, {135000, 600, 225}, {138240, 512, 270},
    {147456, 512, 288}, {153600, 400, 384}, {155520, 480, 324}, {165888, 432, 384}, {176400, 420, 420},
    {180000, 600, 300}, {192000, 256, 750}, {204800, 256, 800}, {216000, 360, 600}, {221184, 768, 288},
    {240000, 400, 600}, {243000, 1080, 225}, {245760, 320, 768}, {256000, 400, 640}, {258048, 896, 288},
    {270000, 400, 675}, {276480, 576, 480}, {288000, 360, 800}, {294912, 384, 768}, {300000, 400, 750},
    {307200, 960, 320}, {320000, 400, 800}, {324000, 400, 810}, {327680, 1024, 320}, {384000, 400, 960},
    {393216, 512, 768}, {400000, 400, 1000}, {401408, 448, 896}, {405000, 1800, 225}, {409600, 1280, 320},
    {414720, 256, 1620}, {432000, 640, 675}, {460800, 1280, 360}, {491520, 256, 1920}, {497664, 576, 864},
    {576000, 800, 720}, {600000, 800, 750}, {614400, 640, 960}, {640000, 800, 800}, {648000, 1080, 600},
    {686000, 980, 700}, {720000, 1200, 600}, {800000, 800, 1000}, {882000, 560, 1575}, {900000, 900, 1000},
    {921600, 512, 1800},
};
constexpr Row pipelined_splits_of_doubles[] = {
    {25600, 64, 400}, {30000, 80, 375}, {32000, 100, 320},
    {36000, 144, 250}, {45000, 375, 120}, {48000, 128, 375}, {51200, 64, 800}, {54000, 270, 200},
    {60000, 160, 375}, {61440, 64, 960}, {64000, 80, 800}, {72000, 96, 750}, {80000, 100, 800}, {81000, 100, 810},
    {81920, 1024, 80}, {90000, 100, 900}, {92160, 96, 960}, {96000, 128, 750}, {98304, 128, 768}, {100000, 100, 1000},
    {108000, 300, 360}, {110592, 256, 432}, {120000, 160, 750}, {122880, 256, 480}, {150000, 400, 375},
    {153600, 256, 600}, {160000, 400, 400}, {165888, 256, 648}, {192000, 640, 300}, {196608, 256, 768},
    {200000, 200, 1000}, {204800, 320, 640}, {230400, 360, 640}, {245760, 320, 768}, {248832, 288, 864},
    {250000, 500, 500}, {256000, 320, 800}, {288000, 360, 800}, {294912, 256, 1152}, {307200, 320, 960},
    {320000, 400, 800}, {375000, 500, 750}, {384000, 400, 960}, {393216, 512, 768}, {400000, 250, 1600},
    {432000, 300, 1440}, {460800, 1280, 360}, {497664, 576, 864}, {500000, 500, 1000}, {655360, 512, 1280},
    {900000, 900, 1000}, {972000, 972, 1000}, {1024000, 1024, 1000},
};
/// Cores of r2c and c2r: two pipelined passes, pairs in the last or the first. Measured: LAB-0027.
constexpr Row of_r2c[] = {
    {20000, 400, 50}, {24000, 600, 40}, {25000, 250, 100}, {27000, 250, 108}, {30720, 512, 60}, {32000, 500, 64},
    {36000, 600, 60}, {44100, 350, 126}, {48000, 800, 60}, {54000, 500, 108}, {60000, 500, 120}, {61440, 480, 128},
    {64000, 1000, 64}, {72000, 600, 120}, {81920, 640, 128}, {88200, 1050, 84}, {90000, 750, 120}, {96000, 750, 128},
    {98304, 768, 128}, {108000, 900, 120}, {122880, 960, 128}, {125000, 1250, 100}, {135000, 750, 180},
    {144000, 1000, 144}, {160000, 1000, 160}, {163840, 1280, 128}, {180000, 750, 240}, {192000, 1500, 128},
    {196608, 768, 256}, {225000, 1500, 150}, {245760, 1024, 240}, {360000, 1000, 360}, {400000, 1000, 400},
    {450000, 1500, 300}, {480000, 1500, 320}, {800000, 1600, 500}, {1000000, 2000, 500},
};
constexpr Row of_c2r[] = {
    {20000, 250, 80}, {24000, 300, 80}, {30720, 64, 480}, {54000, 750, 72}, {60000, 250, 240}, {61440, 128, 480},
    {64000, 64, 1000}, {72000, 1000, 72}, {80000, 1000, 80}, {81920, 256, 320}, {96000, 160, 600}, {98304, 128, 768},
    {108000, 270, 400}, {144000, 300, 480}, {163840, 512, 320}, {192000, 320, 600}, {196608, 512, 384},
    {320000, 320, 1000}, {360000, 900, 400}, {393216, 512, 768}, {400000, 1000, 400}, {600000, 1000, 600},
    {800000, 800, 1000},
};
constexpr Row doubles_of_r2c[] = {
    {12000, 400, 30}, {15000, 300, 50}, {16000, 500, 32}, {18000, 500, 36}, {20000, 200, 100}, {24000, 480, 50},
    {24576, 192, 128}, {25000, 250, 100}, {30000, 600, 50}, {32000, 200, 160}, {36000, 144, 250}, {40000, 800, 50},
    {40960, 320, 128}, {44100, 150, 294}, {48000, 750, 64}, {49152, 768, 64}, {50000, 500, 100}, {60000, 750, 80},
    {61440, 480, 128}, {64000, 640, 100}, {75000, 750, 100}, {80000, 800, 100}, {96000, 600, 160},
    {100000, 1000, 100}, {125000, 1250, 100}, {150000, 1500, 100}, {180000, 600, 300}, {240000, 800, 300},
    {250000, 1000, 250}, {320000, 800, 400}, {400000, 1600, 250}, {500000, 1000, 500},
};
constexpr Row doubles_of_c2r[] = {
    {12000, 150, 80}, {16000, 32, 500}, {18000, 150, 120}, {20000, 500, 40}, {24000, 120, 200}, {24576, 384, 64},
    {25000, 250, 100}, {30000, 250, 120}, {32000, 400, 80}, {36000, 250, 144}, {48000, 160, 300}, {49152, 64, 768},
    {50000, 500, 100}, {60000, 200, 300}, {61440, 128, 480}, {64000, 160, 400}, {80000, 100, 800}, {96000, 100, 960},
    {100000, 100, 1000}, {120000, 400, 300}, {160000, 400, 400}, {180000, 300, 600}, {196608, 512, 384},
    {200000, 200, 1000}, {240000, 400, 600}, {300000, 500, 600}, {320000, 400, 800}, {400000, 800, 500},
    {500000, 500, 1000},
};

struct FoldedRow {
    std::uint64_t n;
    std::uint32_t first, second;
    bool is_pipelined;  ///< In one launch.
};
/// Cores of types II, III and IV: the fastest splits, in two launches or one. Measured: LAB-0027.
constexpr FoldedRow of_type_2[] = {
    {18000, 200, 90, false}, {24000, 600, 40, true}, {30000, 600, 50, false}, {45000, 500, 90, false},
    {48000, 600, 80, true}, {50000, 500, 100, false}, {60000, 500, 120, true}, {72000, 1000, 72, true},
    {90000, 1000, 90, false}, {100000, 400, 250, true}, {120000, 1000, 120, true}, {150000, 1500, 100, false},
    {180000, 1200, 150, false}, {240000, 1000, 240, true}, {250000, 1000, 250, false}, {300000, 1200, 250, false},
};
constexpr FoldedRow of_type_3[] = {
    {18000, 250, 72, true}, {24000, 600, 40, false}, {30000, 250, 120, false}, {48000, 400, 120, false},
    {50000, 250, 200, true}, {72000, 900, 80, true}, {100000, 500, 200, false},
    {120000, 1000, 120, true}, {150000, 750, 200, false}, {180000, 900, 200, true}, {240000, 240, 1000, false},
    {250000, 1250, 200, false}, {500000, 1250, 400, false},
};
constexpr FoldedRow of_type_4[] = {
    {18000, 144, 125, true}, {24000, 480, 50, true}, {30000, 300, 100, true}, {45000, 300, 150, true},
    {50000, 200, 250, true}, {60000, 400, 150, true}, {90000, 400, 225, true}, {100000, 400, 250, true},
    {150000, 200, 750, true}, {180000, 900, 200, true}, {240000, 640, 375, true}, {500000, 1000, 500, false},
};
constexpr FoldedRow doubles_of_type_2[] = {
    {24000, 160, 150, true}, {50000, 500, 100, true}, {100000, 1000, 100, true},
};
constexpr FoldedRow doubles_of_type_3[] = {
    {24000, 120, 200, false}, {50000, 100, 500, true}, {100000, 200, 500, false},
};
constexpr FoldedRow doubles_of_type_4[] = {
    {24000, 60, 400, true}, {50000, 100, 500, true}, {100000, 200, 500, true},
};
// clang-format on

std::span<const FoldedRow> rows_of_folded(Kind kind, Precision precision) {
    const bool is_double = precision == Precision::f64;
    if (!is_double && precision != Precision::f32) return {};
    switch (kind) {
        case Kind::dct2:
        case Kind::dst2: return is_double ? std::span<const FoldedRow>(doubles_of_type_2) : of_type_2;
        case Kind::dct3:
        case Kind::dst3: return is_double ? std::span<const FoldedRow>(doubles_of_type_3) : of_type_3;
        case Kind::dct4:
        case Kind::dst4: return is_double ? std::span<const FoldedRow>(doubles_of_type_4) : of_type_4;
        default: return {};
    }
}

std::span<const Row> rows_of_bins(bool stores_bins, Precision precision) {
    if (precision == Precision::f32) return stores_bins ? std::span<const Row>(of_r2c) : of_c2r;
    if (precision == Precision::f64) return stores_bins ? std::span<const Row>(doubles_of_r2c) : doubles_of_c2r;
    return {};
}

template <class AnyRow>
const AnyRow* find(std::span<const AnyRow> rows, std::uint64_t n) {
    const auto row = std::find_if(rows.begin(), rows.end(), [n](const AnyRow& other) { return other.n == n; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace

namespace {

std::vector<std::uint32_t> passes_of(const Row& row) {
    if (row.third == 1) return {row.first, row.second};
    return {row.first, row.second, row.third};
}

std::uint64_t bytes_of(const AxisQuestion& q) { return q.n * 2 * real_bytes(q.precision); }

bool leaves_space_to_pipeline(const AxisQuestion& q) {
    return leaves_pipelining_open(*q.tuning) && is_worth_pipelining(q.sequences * bytes_of(q), *q.limits);
}

std::span<const Row> rows_of_fast_memory(const AxisQuestion& q) {
    if (q.precision == Precision::f64) return fast_doubles;
    if (q.precision != Precision::f32) return {};
    return q.problem.is_16_bit ? std::span<const Row>(fast_16_bit) : std::span<const Row>(fast_floats);
}

std::span<const Row> rows_of_fast_bins(bool stores_bins, Precision precision) {
    if (precision == Precision::f32) return stores_bins ? std::span<const Row>(fast_r2c) : fast_c2r;
    return precision == Precision::f64 && !stores_bins ? std::span<const Row>(fast_doubles_of_c2r)
                                                       : std::span<const Row>{};
}

const Row* row_of_fast_memory(std::span<const Row> rows, const AxisQuestion& q) {
    return has_fast_memory(*q.limits) && leaves_space_to_pipeline(q) ? find(rows, q.n) : nullptr;
}

}  // namespace

std::vector<std::uint32_t> measured_passes(const AxisQuestion& q) {
    const bool is_whole = q.problem.is_alone && q.may_be_lone && !q.is_strided;
    const bool is_double = q.precision == Precision::f64;
    if (!is_whole || !is_of_measured_kind(*q.limits) || (!is_double && q.precision != Precision::f32)) return {};
    if (const Row* row = row_of_fast_memory(rows_of_fast_memory(q), q)) return passes_of(*row);
    if (q.problem.is_16_bit) return {};
    const bool is_open = leaves_pipelining_open(*q.tuning);
    const std::uint32_t longest = longest_pass(*q.limits, q.precision, true);
    const std::span<const Row> rows = is_double ? std::span<const Row>(of_doubles) : of_floats;
    const Row* row = find(rows, q.n);
    if (row && row->third != 1 && !leaves_space_to_pipeline(q)) row = nullptr;
    if (!row && is_open && can_pay_to_pipeline(bytes_of(q), q.sequences, *q.limits))
        row = find(is_double ? std::span<const Row>(pipelined_splits_of_doubles)
                             : std::span<const Row>(pipelined_splits_of_floats),
                   q.n);
    if (!row || std::max(row->first, row->second) > longest) return {};
    return passes_of(*row);
}

std::vector<std::uint64_t> measured_passes_for_bins(bool stores_bins, const AxisQuestion& q) {
    if (!q.problem.is_alone || q.problem.is_16_bit || !is_of_measured_kind(*q.limits) ||
        !leaves_pipelining_open(*q.tuning))
        return {};
    if (const Row* row = row_of_fast_memory(rows_of_fast_bins(stores_bins, q.precision), q)) {
        const std::vector<std::uint32_t> passes = passes_of(*row);
        return {passes.begin(), passes.end()};
    }
    if (!can_pay_to_pipeline(bytes_of(q), q.sequences, *q.limits)) return {};
    const Row* row = find(rows_of_bins(stores_bins, q.precision), q.n);
    if (!row || std::max(row->first, row->second) > longest_split_pass(*q.limits, q.precision)) return {};
    return {row->first, row->second};
}

bool are_faster_apart(Precision precision, std::uint32_t first, std::uint32_t second, const DeviceLimits& limits) {
    return has_fast_memory(limits) && std::ranges::any_of(apart_in_fast_memory, [&](const Apart& pair) {
               return pair.precision == precision && pair.first == first && pair.second == second;
           });
}

bool are_measured_to_pipeline(Precision precision, std::uint32_t first, std::uint32_t second, bool is_behind_another,
                              const DeviceLimits& limits) {
    return std::ranges::any_of(measured_pipelines, [&](const Pipelined& pair) {
        return pair.precision == precision && pair.first == first && pair.second == second &&
               pair.is_behind_another == is_behind_another && (!pair.is_of_fast_memory || has_fast_memory(limits));
    });
}

std::uint32_t measured_transforms(Precision precision, std::uint32_t first, std::uint32_t second,
                                  const DeviceLimits& limits) {
    const auto* tile = std::ranges::find_if(tiles_in_fast_memory, [&](const Tile& one) {
        return one.precision == precision && one.first == first && one.second == second;
    });
    return tile != std::end(tiles_in_fast_memory) && has_fast_memory(limits) ? tile->transforms : 0;
}

std::optional<MeasuredCluster> measured_cluster(Kind kind, Precision precision, std::uint64_t points,
                                                std::uint64_t transforms, const DeviceLimits& limits) {
    const auto* row = std::ranges::find_if(clusters_in_fast_memory, [&](const ClusterRow& one) {
        return one.kind == kind && one.precision == precision && one.n == points;
    });
    const bool is_known = row != std::end(clusters_in_fast_memory) && has_fast_memory(limits) &&
                          row->cluster.groups <= limits.max_cluster_size &&
                          is_worth_pipelining(transforms * points * 2 * real_bytes(precision), limits);
    return is_known ? std::optional(row->cluster) : std::nullopt;
}

std::optional<MeasuredPlane> measured_plane(Kind kind, Precision precision, std::uint64_t rows, std::uint64_t numbers,
                                            const DeviceLimits& limits) {
    const auto* row = std::ranges::find_if(planes_of_real_numbers, [&](const RealPlane& one) {
        return one.kind == kind && one.rows == rows && one.numbers == numbers;
    });
    const bool is_known = row != std::end(planes_of_real_numbers) && precision == Precision::f32 &&
                          is_of_measured_kind(limits) && row->plane.groups <= std::max(1u, limits.max_cluster_size);
    return is_known ? std::optional(row->plane) : std::nullopt;
}

bool are_measured_for_bins(bool stores_bins, Precision precision, std::uint32_t first, std::uint32_t second) {
    const Row* row = find(rows_of_bins(stores_bins, precision), std::uint64_t{first} * second);
    return row && row->first == first;
}

std::vector<std::uint64_t> measured_passes_of_folded(Kind kind, const AxisQuestion& q) {
    const std::uint64_t bytes = q.n * 2 * real_bytes(q.precision);
    const bool is_whole = q.problem.is_alone && !q.problem.is_16_bit && !q.problem.is_in_place && !q.is_strided;
    if (!is_whole || q.tuning->groups_per_cluster != 0 || !is_of_measured_kind(*q.limits) ||
        !leaves_pipelining_open(*q.tuning) || !is_worth_pipelining(q.sequences * bytes, *q.limits))
        return {};
    const FoldedRow* row = find(rows_of_folded(kind, q.precision), q.n);
    if (!row || std::max(row->first, row->second) > longest_split_pass(*q.limits, q.precision)) return {};
    return {row->first, row->second};
}

bool are_pipelined_as_folded(Kind kind, Precision precision, std::uint32_t first, std::uint32_t second) {
    const FoldedRow* row = find(rows_of_folded(kind, precision), std::uint64_t{first} * second);
    return row && row->first == first && row->is_pipelined;
}

}  // namespace seiche::planner
