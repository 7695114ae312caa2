// The published algorithms that Seiche descends from, as lists of launches: rebuilt from the texts, whose mistakes are
// listed in docs/study/errata.md. docs/explanation/textbook-recipes.md has the table.
//
// mota2022: a master's dissertation on FFTs in GLSL and CUDA. romero2007: Romero, Trenas, Gutierrez & Zapata,
// "Locality-improved FFT implementation on a graphics processor", 2007. amd2011: an article on OpenCL for a Radeon HD
// 5870. wang: a chapter of a class report on a parallel transform in CUDA. temperton1985: C. Temperton, "Implementation
// of a self-sorting in-place prime factor FFT algorithm", J. Comput. Phys. 58, 1985, after I. J. Good, "The interaction
// algorithm and practical Fourier analysis", 1958, and L. H. Thomas, "Using a computer to solve problems in physics",
// 1963.
#include "planner/design/textbook.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::Butterflies;
using kernels::ChunkStages;
using kernels::Places;

constexpr std::uint64_t longest = std::uint64_t{1} << 31, longest_sum = std::uint64_t{1} << 16, largest_matrix = 2048;

struct Line {
    std::size_t axis = 0;
    std::uint64_t n = 2;
    unsigned stages = 1;  // log2 n
    const problem::Canonical& problem;
    const DeviceLimits& limits;
    std::vector<TextbookLaunch>& launches;

    void add(const kernels::TextbookWork& work, bool stays = false) const { launches.push_back({axis, work, stays}); }
};

std::uint64_t power_of_two(unsigned exponent) { return std::uint64_t{1} << exponent; }

// ---- mota2022

/// Algorithm 1: bit reversal, then the stages by rising distance, in place.
void add_dit(const Line& line) {
    line.add(kernels::Reversal{}, true);
    for (unsigned s = 0; s < line.stages; ++s)
        line.add(Butterflies{2, Places::blocks, Places::blocks, power_of_two(s), power_of_two(s + 1)}, true);
}

/// Algorithm 2: by falling distance, in place, then bit reversal.
void add_dif(const Line& line) {
    for (std::uint64_t points = line.n; points > 1; points /= 2)
        line.add(Butterflies{2, Places::blocks, Places::blocks, points / 2, points, false}, true);
    line.add(kernels::Reversal{}, true);
}

/// Listing A.1: from array to array; the first stage reads the places of reversed bits.
void add_cooley_tukey_per_stage(const Line& line) {
    for (unsigned s = 0; s < line.stages; ++s)
        line.add(Butterflies{2, s == 0 ? Places::reversed : Places::blocks, Places::blocks, power_of_two(s),
                             power_of_two(s + 1)});
}

/// Section 5.3.1, "All stages in one pass": a group has a line, half as many threads as it has points.
void add_cooley_tukey_one_pass(const Line& line) {
    const std::uint64_t bytes = line.n * line.problem.complex_bytes();
    if (line.n / 2 > line.limits.max_group_size || bytes > line.limits.shared_bytes)
        throw Unsupported(
            "tuning.recipe cooley-tukey-one-pass: expected a length of which one group has half as many "
            "threads, at most " +
            std::to_string(line.limits.max_group_size) + ", and all points in " +
            std::to_string(line.limits.shared_bytes) + " bytes, got " + std::to_string(line.n));
    const auto points = static_cast<std::uint32_t>(line.n);
    line.add(ChunkStages{1, points, line.n, 0, line.stages, true}, true);
}

/// Section 4.1.2: decimation in frequency, then the halves of every block are composed as even and odd points, from
/// blocks of 4 points on: of 2 they are so already.
void add_cooley_tukey_natural(const Line& line) {
    for (std::uint64_t points = line.n; points > 1; points /= 2)
        line.add(Butterflies{2, Places::blocks, Places::blocks, points / 2, points, false});
    for (std::uint64_t points = 4; points <= line.n; points *= 2) {
        Butterflies composition{2, Places::blocks, Places::neighbours, points / 2};
        composition.moves_only = true;
        line.add(composition);
    }
}

/// Algorithm 3, and what algorithm 4 was to be: decimation in frequency whose results move to where the next stage
/// finds its points as this one did.
void add_stockham(const Line& line, std::uint32_t radix) {
    std::uint64_t left = line.n, stride = 1;
    while (left > 1) {
        const auto r = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, radix));
        line.add(Butterflies{r, Places::strided, Places::blocks, stride, left, false, true});
        left /= r;
        stride *= r;
    }
}

void add_split_radix(const Line& line) {
    for (std::uint64_t points = line.n; points > 1; points /= 2) line.add(kernels::SplitButterflies{points}, true);
    line.add(kernels::Reversal{}, true);
}

void add_direct(const Line& line) {
    if (line.n > longest_sum)
        throw Unsupported("tuning.recipe direct and brute-force: expected a length of at most " +
                          std::to_string(longest_sum) + ", got " + std::to_string(line.n));
    line.add(kernels::Sums{});
}

void add_matrix(const Line& line) {
    if (line.n > largest_matrix)
        throw Unsupported("tuning.recipe matrix: expected a length of at most " + std::to_string(largest_matrix) +
                          ", got " + std::to_string(line.n));
    line.add(kernels::MatrixRows{std::min(64u, line.limits.max_group_size)});
}

// ---- romero2007

enum class Rival { locality, unpadded, straightforward, transposing };

/// What a group has of shared memory and threads: r stages on 2^r points, two for each thread.
unsigned stages_on_chip(const Line& line, std::uint32_t banks) {
    constexpr unsigned most = 10;  // 512 threads, as the text has them
    unsigned r = 1;
    const auto fits = [&](unsigned stages) {
        const std::uint64_t points = power_of_two(stages);
        const std::uint64_t numbers = points + (banks == 0 ? 0 : points / banks);
        return points / 2 <= line.limits.max_group_size &&
               numbers * line.problem.complex_bytes() <= line.limits.shared_bytes;
    };
    while (r < most && fits(r + 1)) ++r;
    return r;
}

void add_transposition(const Line& line, unsigned rows, unsigned columns) {
    line.add(kernels::Transposition{power_of_two(rows), power_of_two(columns)});
}

/// Figures 4 to 7: a bit reversal; r stages on neighbouring points; then, launch after launch, as many more as the
/// chunks of a group allow, which of the straightforward version are single points.
void add_locality(const Line& line, Rival rival) {
    const std::uint32_t banks = rival == Rival::unpadded ? 0 : line.limits.shared_banks;
    const unsigned r = std::min(line.stages, stages_on_chip(line, banks));
    const bool has_chunks = rival == Rival::locality || rival == Rival::unpadded;
    const auto warp = static_cast<unsigned>(std::bit_width(line.limits.subgroup_size)) - 1;
    // A chunk leaves room for at least one more stage.
    const unsigned chunk = has_chunks ? std::min(std::max(warp, r - r / 2), r - 1) : 0;
    const auto points = static_cast<std::uint32_t>(power_of_two(r));
    line.add(kernels::Reversal{}, true);
    line.add(ChunkStages{1, points, points, 0, r, false, false, banks}, true);
    for (unsigned done = r; done < line.stages;) {
        const unsigned q = std::min(r - chunk, line.stages - done);
        const auto chunks = static_cast<std::uint32_t>(power_of_two(q));
        ChunkStages next{chunks,
                         static_cast<std::uint32_t>(power_of_two(chunk)),
                         power_of_two(done),
                         done,
                         q,
                         false,
                         rival == Rival::transposing,
                         banks};
        if (next.transposed) add_transposition(line, q, done);
        line.add(next, true);
        if (next.transposed) add_transposition(line, done, q);
        done += q;
    }
}

// ---- amd2011

/// Kernels of up to 2^most points, decimated in time, each as large as the stages that remain; a planar input is packed
/// into pairs before.
void add_multistage(const Line& line, unsigned most) {
    if (line.problem.input_planar && line.launches.empty()) line.add(kernels::Copying{});
    for (unsigned done = 0; done < line.stages;) {
        const unsigned stages = std::min(most, line.stages - done);
        line.add(Butterflies{static_cast<std::uint32_t>(power_of_two(stages)), Places::strided, Places::blocks,
                             power_of_two(done), power_of_two(done + stages)});
        done += stages;
    }
}

// ---- wang

void add_level_by_level(const Line& line) {
    for (unsigned level = 0; level < line.stages; ++level) line.add(kernels::Level{power_of_two(level)});
    line.add(kernels::Reversal{});
}

/// What of a group of so many threads has barriers of its own.
struct Scopes {
    std::uint32_t subgroup = 1, parts = 1;
};

Scopes scopes_of(const DeviceLimits& limits, std::uint64_t threads) {
    constexpr std::uint64_t most_parts = 8;  // ir::most_group_parts
    const std::uint64_t subgroup = limits.subgroup_size;
    Scopes scopes;
    if (limits.fixed_subgroups && subgroup > 1 && threads % subgroup == 0)
        scopes.subgroup = static_cast<std::uint32_t>(subgroup);
    if (limits.part_barriers && threads > subgroup)
        scopes.parts = static_cast<std::uint32_t>(std::min(most_parts, threads / subgroup));
    return scopes;
}

std::uint64_t groups_of_cluster(const Line& line, std::uint64_t points) {
    constexpr std::uint64_t most_groups = 8;  // more take asking the driver
    return std::min(line.n / points,
                    std::bit_floor(std::min<std::uint64_t>(most_groups, line.limits.max_cluster_size)));
}

/// Section 6.7, "Other ideas", which the text leaves open: a level waits only for the threads of its own block. While a
/// block is more than a cluster of groups has, that takes a launch for each level; all others are one launch.
void add_level_by_block(const Line& line) {
    constexpr std::uint64_t most_threads = 1024;
    // In a cluster a point is written in turn to two places.
    const std::uint64_t bytes_of_point = (line.limits.max_cluster_size > 1 ? 2 : 1) * line.problem.complex_bytes();
    const std::uint64_t points = std::bit_floor(std::min(
        {most_threads, std::uint64_t{line.limits.max_group_size}, line.limits.shared_bytes / bytes_of_point, line.n}));
    const std::uint64_t groups = groups_of_cluster(line, points);
    std::uint64_t blocks = 1;
    for (; line.n / blocks > points * groups; blocks *= 2) line.add(kernels::Level{blocks});
    const Scopes scopes = scopes_of(line.limits, points);
    line.add(kernels::BlockLevels{blocks, static_cast<std::uint32_t>(points), static_cast<std::uint32_t>(groups),
                                  scopes.subgroup, scopes.parts},
             true);
    line.add(kernels::Reversal{});
}

/// Lines of one batch entry along an axis of n points.
std::uint64_t lines_of(const problem::Canonical& problem, std::uint64_t n) {
    std::uint64_t points = problem.transforms_per_array();
    for (const problem::Axis& axis : problem.axes) points *= axis.length;
    return points / n;
}

/// The same idea with flags where a launch was: all levels are one launch, whose groups wait for each other.
void add_level_by_flag(const Line& line) {
    constexpr std::uint64_t most_threads = 1024, ticket_bytes = 16;
    // In a cluster a point is written in turn to two places.
    const std::uint64_t bytes_of_point = (line.limits.max_cluster_size > 1 ? 2 : 1) * line.problem.complex_bytes();
    const std::uint64_t room = (line.limits.shared_bytes - ticket_bytes) / bytes_of_point;
    const std::uint64_t points =
        std::bit_floor(std::min({most_threads, std::uint64_t{line.limits.max_group_size}, room, line.n}));
    const std::uint64_t groups = groups_of_cluster(line, points);
    const Scopes scopes = scopes_of(line.limits, points);
    const kernels::FlaggedLevels levels{static_cast<std::uint32_t>(points), scopes.subgroup, scopes.parts,
                                        static_cast<std::uint32_t>(groups)};
    if (points * groups == line.n) {
        line.add(levels.near(line.n), true);
    } else {
        if (!line.limits.waits_for_groups)
            throw Unsupported(
                "tuning.recipe level-by-flag: expected a device whose groups can wait for each other, or at "
                "most " +
                std::to_string(points * groups) + " points, got " + std::to_string(line.n) +
                " on one that has no atomics for it or ends loops that take long");
        if (line.problem.input_image || line.problem.output_image)
            throw Unsupported("tuning.recipe level-by-flag: expected arrays in buffers, or at most " +
                              std::to_string(points * groups) + " points, got " + std::to_string(line.n) +
                              " in images, which groups of one launch cannot hand to each other");
        const std::uint64_t parts = lines_of(line.problem, line.n) * levels.halves(line.n);
        line.add(kernels::Clearing{parts + 1}, true);
        line.add(levels);
    }
    line.add(kernels::Reversal{});
}

// ---- temperton1985

/// The prime powers of a length, which are co-prime to each other.
std::vector<std::uint64_t> coprime_factors(std::uint64_t n) {
    std::vector<std::uint64_t> factors;
    for (const support::PrimePower& power : support::factorise(n)) {
        std::uint64_t factor = 1;
        for (std::uint32_t i = 0; i < power.exponent; ++i) factor *= power.prime;
        factors.push_back(factor);
    }
    return factors;
}

/// Each is a butterfly, whose points are in registers.
bool has_small_coprime_factors(std::uint64_t n) {
    constexpr std::uint64_t largest = 32;
    const std::vector<std::uint64_t> factors = coprime_factors(n);
    return factors.size() > 1 && *std::max_element(factors.begin(), factors.end()) <= largest;
}

/// A stage for each factor, in place: in any order, as the stages are the axes of one array.
void add_prime_factor(const Line& line) {
    for (const std::uint64_t factor : coprime_factors(line.n))
        line.add(kernels::CoprimeButterflies{static_cast<std::uint32_t>(factor)}, true);
}

// ---- All of them

/// Which lengths of an axis a recipe takes.
struct Lengths {
    bool (*has)(std::uint64_t n);
    const char* expected;
};

constexpr Lengths any_length{[](std::uint64_t) { return true; }, "any length"};
constexpr Lengths powers_of_two{[](std::uint64_t n) { return std::has_single_bit(n); },
                                "lengths that are powers of two"};
constexpr Lengths coprime_products{has_small_coprime_factors,
                                   "lengths of two or more co-prime factors, each a prime power up to 32"};

/// Where a recipe's roots of unity may come from.
enum class RootChoice { any, table, none };

struct Entry {
    TextbookRecipe recipe;
    void (*add)(const Line& line);
    Lengths lengths = powers_of_two;
    bool has_barriers = false;  ///< Of threads of a group.
    RootChoice roots = RootChoice::any;
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = {
        {{"direct", "mota2022", "the sum of its definition, a thread for each output"}, add_direct, any_length},
        {{"matrix", "mota2022", "the matrix of all roots times the input"},
         add_matrix,
         any_length,
         true,
         RootChoice::table},
        {{"dit", "mota2022", "radix 2 in time: bit reversal first, then stages in place"}, add_dit},
        {{"dif", "mota2022", "radix 2 in frequency: stages in place, bit reversal last"}, add_dif},
        {{"cooley-tukey-per-stage", "mota2022", "radix 2 in time, a launch for each stage"},
         add_cooley_tukey_per_stage},
        {{"cooley-tukey-one-pass", "mota2022", "all its stages in one launch, a group for each line"},
         add_cooley_tukey_one_pass,
         powers_of_two,
         true},
        {{"cooley-tukey-natural", "mota2022", "radix 2 in frequency, composed into natural order stage by stage"},
         add_cooley_tukey_natural},
        {{"stockham-radix-2", "mota2022", "self-sorting, radix 2"}, [](const Line& l) { add_stockham(l, 2); }},
        {{"stockham-radix-4", "mota2022", "self-sorting, radix 4, of an odd power of two with a last stage of radix 2"},
         [](const Line& l) { add_stockham(l, 4); }},
        {{"split-radix", "mota2022", "halves by radix 2, quarters by radix 4, in place, bit reversal last"},
         add_split_radix},
        {{"locality", "romero2007", "stages in shared memory on chunks of neighbouring points, padded"},
         [](const Line& l) { add_locality(l, Rival::locality); },
         powers_of_two,
         true},
        {{"locality-unpadded", "romero2007", "the same without padding against bank conflicts"},
         [](const Line& l) { add_locality(l, Rival::unpadded); },
         powers_of_two,
         true},
        {{"locality-straightforward", "romero2007", "its rival with single points for chunks"},
         [](const Line& l) { add_locality(l, Rival::straightforward); },
         powers_of_two,
         true},
        {{"locality-transposing", "romero2007", "its rival that transposes before and after later stages"},
         [](const Line& l) { add_locality(l, Rival::transposing); },
         powers_of_two,
         true},
        {{"multistage", "amd2011", "8-point kernels as long as three stages remain, then one of 4 or 2"},
         [](const Line& l) { add_multistage(l, 3); }},
        {{"multistage-2", "amd2011", "2-point kernels alone"}, [](const Line& l) { add_multistage(l, 1); }},
        {{"multistage-4", "amd2011", "4-point kernels, then one of 2"}, [](const Line& l) { add_multistage(l, 2); }},
        {{"multistage-8", "amd2011", "another name of multistage"}, [](const Line& l) { add_multistage(l, 3); }},
        {{"multistage-16", "amd2011", "16-point kernels, then one of 8, 4 or 2"},
         [](const Line& l) { add_multistage(l, 4); }},
        {{"level-by-level", "wang", "radix 2 in frequency, a thread for each output and a launch for each level"},
         add_level_by_level},
        {{"level-by-block", "wang",
          "the same, a level waiting for its block alone: in a group, a cluster, else a launch"},
         add_level_by_block,
         powers_of_two,
         true},
        {{"level-by-flag", "wang", "the same in one launch, whose groups wait for their block by counters in memory"},
         add_level_by_flag,
         powers_of_two,
         true},
        {{"brute-force", "wang", "the sum of its definition, a thread for each output"}, add_direct, any_length},
        {{"prime-factor", "temperton1985",
          "co-prime factors: a stage in place for each, without twiddles, self-sorting"},
         add_prime_factor,
         coprime_products,
         false,
         RootChoice::none},
    };
    return all;
}

const Entry& entry_of(const std::string& name) {
    std::string names;
    for (const Entry& entry : entries()) {
        if (entry.recipe.name == name) return entry;
        names += (names.empty() ? "" : ", ") + entry.recipe.name;
    }
    throw Unsupported("tuning.recipe: expected one of " + names + "; got '" + name + "'");
}

void check_tuning(const Tuning& tuning) {
    Tuning alone;
    alone.recipe = tuning.recipe;
    alone.twiddles = tuning.twiddles;
    alone.buffer_bytes = tuning.buffer_bytes;
    if (!(alone == tuning))
        throw Unsupported("tuning.recipe: expected no other tuning beside it than twiddles and buffer_bytes");
}

void check_problem(const problem::Canonical& problem, const Tuning& tuning) {
    const auto refuse = [&](const std::string& expected) {
        throw Unsupported("tuning.recipe " + tuning.recipe + ": expected " + expected);
    };
    if (problem.axes.empty()) refuse("an axis of at least 2 points to transform");
    if (problem.precision != Precision::f32 && problem.precision != Precision::f64) refuse("f32 or f64");
    if (problem.storage != Storage::same) refuse("arrays of the arithmetic's precision");
    if (problem.stages != decltype(problem.stages){}) refuse("no user stages");
    if (problem.spectrum_order != SpectrumOrder::natural) refuse("a spectrum in natural order");
    if (problem.output_image.per_texel() != 1)
        refuse(std::string("an output image of rg32f, not of two points a texel as ") +
               to_string(problem.output_image.format));
    if (tuning.twiddles == TwiddleMethod::native && problem.precision != Precision::f32)
        refuse("f32 for native twiddles");
    const Entry& entry = entry_of(tuning.recipe);
    if (entry.roots == RootChoice::table && tuning.twiddles > TwiddleMethod::table) refuse("twiddles from a table");
    if (entry.roots == RootChoice::none && tuning.twiddles != TwiddleMethod::any)
        refuse("no choice of twiddles, of which it has none");
    for (const problem::Axis& axis : problem.axes) {
        if (axis.kind != Kind::c2c) refuse("complex axes");
        if (!axis.signal_kept.empty() || !axis.spectrum_kept.empty()) refuse("no blocks of zeros");
        if (axis.length > longest) refuse("at most 2^31 points, got " + std::to_string(axis.length));
        if (!textbook_takes(tuning.recipe, axis.length))
            refuse(std::string(entry.lengths.expected) + ", got " + std::to_string(axis.length));
    }
}

/// PoCL 3.1 vectorises a group's threads wrongly where a kernel with barriers computes its roots (right with any
/// POCL_WORK_GROUP_METHOD but `loopvec`), so that such kernels are not to be had on a processor through OpenCL.
void check_barriers(const TextbookLaunches& recipe, const DeviceLimits& limits) {
    const bool computes = recipe.twiddles == TwiddleMethod::on_the_fly || recipe.twiddles == TwiddleMethod::recurrence;
    const auto has_barriers = [](const TextbookLaunch& launch) {
        return std::holds_alternative<kernels::ChunkStages>(launch.work) ||
               std::holds_alternative<kernels::BlockLevels>(launch.work) ||
               std::holds_alternative<kernels::FlaggedLevels>(launch.work);
    };
    if (computes && !has_groups(limits) && std::any_of(recipe.launches.begin(), recipe.launches.end(), has_barriers))
        throw Unsupported(
            "tuning.twiddles: expected table or native on a processor through OpenCL for a kernel with "
            "barriers, whose compiler gets the others wrong");
}

}  // namespace

const std::vector<TextbookRecipe>& textbook_entries() {
    static const std::vector<TextbookRecipe> all = [] {
        std::vector<TextbookRecipe> recipes;
        for (const Entry& entry : entries()) recipes.push_back(entry.recipe);
        return recipes;
    }();
    return all;
}

bool textbook_takes(const std::string& name, std::uint64_t n) { return entry_of(name).lengths.has(n); }

TextbookLaunches design_textbook(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    const Entry& entry = entry_of(tuning.recipe);
    check_tuning(tuning);
    check_problem(problem, tuning);
    if (entry.has_barriers && limits.max_group_size < 2)
        throw Unsupported(
            "tuning.recipe " + entry.recipe.name +
            ": expected a device whose groups have several threads, which wait for each other, got groups "
            "of one; the device 'reference' runs it");
    TextbookLaunches result{entry.recipe.name, entry.recipe.text, tuning.twiddles, {}};
    if (result.twiddles == TwiddleMethod::any) result.twiddles = TwiddleMethod::table;
    std::vector<std::size_t> order(problem.axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return support::is_closer(problem.axes[a].output_stride, problem.axes[b].output_stride);
    });
    for (const std::size_t axis : order) {
        const std::uint64_t n = problem.axes[axis].length;
        entry.add({axis, n, static_cast<unsigned>(std::bit_width(n)) - 1, problem, limits, result.launches});
    }
    check_barriers(result, limits);
    return result;
}

}  // namespace seiche::planner
