// Schedules of real kinds, interpreted, against their definitions summed up in long double, for devices of different
// shape, with poisoned outputs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <random>

#include "exec/tables.hpp"
#include "ir/interpret.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "kernels/contract/generate.hpp"
#include "planner/recipe.hpp"
#include "real_definition.hpp"
#include "seiche/error.hpp"
#include "tests/support/reversed.hpp"

namespace {

using namespace seiche;
using kernels::GroupShape;
using planner::Role;
DeviceLimits gpu(std::uint32_t group, std::uint32_t shared) {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.max_group_size = group;
    limits.shared_bytes = shared;
    return limits;
}
DeviceLimits simd_cpu(std::uint32_t vector_bytes) {
    DeviceLimits limits;
    limits.vectors = Vectors::explicit_simd;
    limits.vector_bytes = vector_bytes;
    limits.shared_bytes = 1024 * 1024;
    limits.compute_units = 2;
    return limits;
}

/// The position of a frequency in the order of these digits.
std::uint64_t position(std::uint64_t frequency, const std::vector<std::uint64_t>& digits) {
    std::uint64_t at = 0;
    for (const std::uint64_t n : digits) {
        at = at * n + frequency % n;
        frequency /= n;
    }
    return digits.empty() ? frequency : at;
}

/// Where the elements of one array of the batch lie, row-major; of a spectrum by frequency.
std::vector<std::uint64_t> places(const std::vector<std::uint64_t>& counts, const std::vector<std::uint64_t>& strides,
                                  const std::vector<std::vector<std::uint64_t>>& digits) {
    std::vector<std::uint64_t> all{0};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::vector<std::uint64_t> next;
        for (const std::uint64_t place : all) {
            for (std::uint64_t j = 0; j < counts[i]; ++j) next.push_back(place + position(j, digits[i]) * strides[i]);
        }
        all = next;
    }
    return all;
}

template <class Real>
class Runner {
public:
    Runner(const Problem& p, const DeviceLimits& limits, const Tuning& tuning)
        : problem_(p), canonical_(problem::normalise(p)), limits_(limits), tuning_(tuning) {
        const std::size_t rank = p.lengths.size();
        Definition definition(p, Direction::forward);
        in_counts_ = out_counts_ = p.lengths;
        for (std::size_t i = 0; i < rank; ++i) {
            const Kind kind = p.kind == Kind::r2c || p.kind == Kind::c2r ? definition.kind_of(i, i) : Kind::c2c;
            if (kind == Kind::c2r) in_counts_[i] = p.lengths[i] / 2 + 1;
            if (kind == Kind::r2c) out_counts_[i] = p.lengths[i] / 2 + 1;
        }
        const std::size_t bytes = std::max(canonical_.input_bytes(p.batch), canonical_.output_bytes(p.batch));
        const Real poison = std::numeric_limits<Real>::quiet_NaN();
        input_.assign(bytes / sizeof(Real) + 2, poison);
        output_.assign(bytes / sizeof(Real) + 2, poison);
    }

    /// Imaginary parts of bin 0, which c2r ignores, are no numbers.
    void spoil_bin_zero() { is_spoilt_ = true; }

    long double error(Direction direction) {
        const std::vector<std::uint64_t> from = places(in_counts_, strides(true), digits(true, direction));
        const std::vector<std::uint64_t> to = places(out_counts_, strides(false), digits(false, direction));
        std::mt19937_64 engine(7);
        std::uniform_real_distribution<Real> uniform(-1, 1);
        std::vector<Values> before(problem_.batch, Values(from.size()));
        for (std::uint64_t b = 0; b < problem_.batch; ++b) {
            for (std::size_t i = 0; i < from.size(); ++i) {
                const std::uint64_t at = from[i] + b * static_cast<std::uint64_t>(canonical_.batch.input_distance);
                const Real re = uniform(engine), im = canonical_.input_is_real ? 0 : uniform(engine);
                const Real spoilt = is_spoilt_ && i == 0 ? std::numeric_limits<Real>::quiet_NaN() : im;
                put(input_, canonical_.input_is_real, offset(true), at, re, spoilt);
                before[b][i] = {re, im};
            }
        }
        const std::vector<Real> given = input_;
        run(direction);
        if (!canonical_.shares_buffer() && !canonical_.may_overwrite_input) {
            EXPECT_EQ(std::memcmp(given.data(), input_.data(), given.size() * sizeof(Real)), 0)
                << "the input is written";
        }
        const std::vector<Real>& result = canonical_.in_place() ? input_ : output_;
        const auto scale = static_cast<long double>(canonical_.scale(direction));
        long double difference = 0, size = 0;
        for (std::uint64_t b = 0; b < problem_.batch; ++b) {
            const Values x = Definition(problem_, direction).apply(before[b], in_counts_);
            for (std::size_t i = 0; i < to.size(); ++i) {
                const std::uint64_t at = to[i] + b * static_cast<std::uint64_t>(canonical_.batch.output_distance);
                const Extended got = get(result, canonical_.output_is_real, offset(false), at);
                difference += std::norm(got - x[i] * scale);
                size += std::norm(x[i] * scale);
            }
        }
        return size == 0 ? std::sqrt(difference) : std::sqrt(difference / size);
    }

private:
    /// Of each axis of a problem whose axes are all transformed; none where the order is natural.
    std::vector<std::vector<std::uint64_t>> digits(bool input, Direction direction) const {
        std::vector<std::vector<std::uint64_t>> all(problem_.lengths.size());
        if (input == (direction == Direction::forward)) return all;
        for (const planner::AxisRecipe& axis : planner::design(canonical_, limits_, tuning_).axes)
            if (const auto own = planner::spectrum_digits(axis, canonical_); !own.empty()) all.at(axis.axis) = own;
        return all;
    }

    /// Of the first element, in bytes. The canonical form may begin with another one.
    std::uint64_t offset(bool input) const {
        return (input || canonical_.in_place() ? problem_.input : problem_.output).byte_offset;
    }

    /// Modulo 2^64.
    std::vector<std::uint64_t> strides(bool input) const {
        const Layout& layout = input || canonical_.in_place() ? problem_.input : problem_.output;
        const std::vector<std::uint64_t>& counts = input ? in_counts_ : out_counts_;
        const bool is_real = input ? canonical_.input_is_real : canonical_.output_is_real;
        const bool is_padded =
            canonical_.in_place() && problem_.axis_kinds.empty() && !is_real_to_real(problem_.kind) && is_real;
        std::vector<std::uint64_t> result(counts.size());
        std::uint64_t dense = 1;
        for (std::size_t i = counts.size(); i-- > 0;) {
            result[i] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides[i]);
            dense *= is_padded && i + 1 == counts.size() ? 2 * (counts[i] / 2 + 1) : counts[i];
        }
        return result;
    }

    static void put(std::vector<Real>& to, bool is_real, std::uint64_t offset, std::uint64_t at, Real re, Real im) {
        const std::uint64_t start = offset / sizeof(Real);
        to[start + (is_real ? at : 2 * at)] = re;
        if (!is_real) to[start + 2 * at + 1] = im;
    }
    static Extended get(const std::vector<Real>& from, bool is_real, std::uint64_t offset, std::uint64_t at) {
        const std::uint64_t start = offset / sizeof(Real);
        if (is_real) return from[start + at];
        return {from[start + 2 * at], from[start + 2 * at + 1]};
    }

    void run(Direction direction) {
        const planner::Recipe recipe = planner::design(canonical_, limits_, tuning_);
        const planner::Schedule schedule = planner::plan(recipe, canonical_, limits_, {direction, tuning_}).schedule;
        const Real poison = std::numeric_limits<Real>::quiet_NaN();
        a_.assign(2 * schedule.workspace_a_elements * problem_.batch, poison);
        b_.assign(2 * schedule.workspace_b_elements * problem_.batch, poison);
        for (const planner::Step& step : schedule.steps) {
            const ir::Kernel kernel = ir::optimise(kernels::generate(step.spec));
            ir::verify(kernel);
            std::vector<std::byte> table = exec::table_bytes(kernels::tables(step.spec), problem_.precision);
            ir::Launch launch;
            launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, problem_.batch)), 1, 1};
            launch.buffers = {bind(step.source), bind(step.target)};
            if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
            launch.scalars = {kernels::sequences_per_batch(step.spec) * problem_.batch};
            ir::interpret(kernel, launch);
        }
    }

    ir::BoundBuffer bind(Role role) {
        auto& memory = role == Role::workspace_a                        ? a_
                       : role == Role::workspace_b                      ? b_
                       : role == Role::output && !canonical_.in_place() ? output_
                                                                        : input_;
        const std::uint64_t offset = role == Role::input    ? canonical_.input_base()
                                     : role == Role::output ? canonical_.output_base()
                                                            : 0;
        return {reinterpret_cast<std::byte*>(memory.data()) + offset, memory.size() * sizeof(memory[0]) - offset};
    }

    const Problem& problem_;
    problem::Canonical canonical_;
    DeviceLimits limits_;
    Tuning tuning_;
    std::vector<std::uint64_t> in_counts_, out_counts_;
    std::vector<Real> input_, output_, a_, b_;
    bool is_spoilt_ = false;
};

void expect_transform(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning = {}) {
    SCOPED_TRACE(to_string(problem));
    const bool is_single = problem.precision == Precision::f32;
    double n = 1;
    for (const std::uint64_t length : problem.lengths) n *= static_cast<double>(length);
    const double unit =
        (is_single ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53)) * std::sqrt(std::log2(std::max(n, 2.0)));
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (!problem::normalise(problem).has(direction)) continue;
        const long double error = is_single ? Runner<float>(problem, limits, tuning).error(direction)
                                            : Runner<double>(problem, limits, tuning).error(direction);
        EXPECT_LT(static_cast<double>(error) / unit, 3.0)
            << to_string(problem) << (direction == Direction::forward ? " forward" : " inverse");
    }
}

/// The passes of the direction that a problem has, or of its forward one.
planner::Schedule lowered(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    const Direction way = canonical.has(Direction::forward) ? Direction::forward : Direction::inverse;
    return planner::plan(planner::design(canonical, limits, tuning), canonical, limits, {way, tuning}).schedule;
}

std::uint64_t workspace_elements(const planner::Schedule& schedule) {
    return schedule.workspace_a_elements + schedule.workspace_b_elements;
}

constexpr const char* every_kind[] = {"r2c",  "c2r",  "dct1", "dct2", "dct3", "dct4", "dst1",
                                      "dst2", "dst3", "dst4", "dht",  "r2hc", "hc2r"};

void expect_transform(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    expect_transform(parse_problem(text), limits, tuning);
}

class RealSchedules : public testing::TestWithParam<int> {
protected:
    DeviceLimits limits() const {
        switch (GetParam()) {
            case 0: return gpu(256, 16 * 1024);
            case 1: return gpu(1024, 227 * 1024);
            case 2: return simd_cpu(64);
            default: return simd_cpu(16);
        }
    }
};

TEST_P(RealSchedules, EveryShortLength) {
    for (const std::string kind : every_kind) {
        for (int n = kind == "dct1" ? 2 : 1; n <= 36; ++n) {
            expect_transform(std::to_string(n) + " " + kind + (n % 2 ? " f32 batch=5" : " f64 batch=19"), limits());
        }
    }
}

TEST_P(RealSchedules, LengthsOfEveryClass) {
    for (const std::string kind : every_kind) {
        for (const int n : {64, 75, 100, 128, 150, 210, 243, 250, 500})
            expect_transform(std::to_string(n) + " " + kind + " f32 batch=2", limits());
    }
}

/// A length of this kind whose complex core has so many points: of an odd period, or of an even one of twice as many
/// numbers; 0: there is none.
int length_of(const std::string& kind, int points, bool is_odd) {
    if (kind == "dct1") return is_odd ? 0 : points + 1;
    if (kind == "dst1") return is_odd ? 0 : points - 1;
    return is_odd ? points : 2 * points;
}

void expect_one_kernel(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    const problem::Canonical problem = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(problem, limits, tuning);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (!problem.has(direction)) continue;
        const planner::Schedule schedule = planner::plan(recipe, problem, limits, {direction, tuning}).schedule;
        EXPECT_EQ(schedule.steps.size(), 1u) << text << ' ' << planner::to_string(recipe);
        EXPECT_EQ(schedule.workspace_a_elements + schedule.workspace_b_elements, 0u) << text;
    }
    expect_transform(text, limits, tuning);
}

/// Bins k and m - k in one thread's registers, with even and odd counts of butterflies of even and odd radices, alone
/// in their thread, several to a thread, and with threads that have none.
TEST(RealSchedulesOfGroups, BinsMeetInRegisters) {
    DeviceLimits limits = gpu(1024, 227 * 1024);
    limits.sector_bytes = 4;  // a thread alone fills one
    const std::vector<std::vector<std::uint32_t>> all{
        {2, 2}, {2, 3}, {3, 2},   {3, 3},  {4, 4},  {5, 3},  {3, 5},    {8, 2},    {7, 4},    {4, 7},
        {6, 5}, {5, 6}, {16, 16}, {15, 9}, {9, 15}, {2, 11}, {2, 8, 2}, {5, 2, 5}, {3, 4, 3}, {4, 3, 4}};
    for (const std::vector<std::uint32_t>& radices : all) {
        std::uint32_t m = 1;
        Tuning tuning;
        tuning.radices = radices;
        for (const std::uint32_t radix : radices) m *= radix;
        for (const std::string kind : {"dct2", "dst2", "dct3", "dst3"}) {
            for (const char* rest : {" f32 batch=3", " f32 orthonormal"}) {
                const std::string text = std::to_string(2 * m) + " " + kind + rest;
                const problem::Canonical problem = problem::normalise(parse_problem(text));
                for (const std::uint32_t threads : {0u, 1u, 3u, m}) {
                    tuning.threads_per_transform = threads;
                    const planner::Recipe recipe = planner::design(problem, limits, tuning);
                    const auto steps =
                        planner::plan(recipe, problem, limits, {Direction::forward, tuning}).schedule.steps;
                    const std::uint32_t points = threads == 0 ? 0 : (m + threads - 1) / threads;
                    const bool has_room = points <= 64;
                    EXPECT_EQ(std::get<GroupShape>(steps.at(0).spec.shape).has_mirrors_in_thread(), has_room) << text;
                    expect_transform(text, limits, tuning);
                }
            }
            // Next to each other lie the columns, not their elements.
            tuning.threads_per_transform = 0;
            expect_transform(std::to_string(2 * m) + "x5 axes=0 f32 " + kind, limits, tuning);
        }
    }
}

bool has_pairs_of_bins_in_thread(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    const problem::Canonical problem = problem::normalise(parse_problem(text));
    const Direction way = problem.has(Direction::forward) ? Direction::forward : Direction::inverse;
    const auto all =
        planner::plan(planner::design(problem, limits, tuning), problem, limits, {way, tuning}).schedule.steps;
    return std::get<GroupShape>(all.at(0).spec.shape).has_mirrors_in_thread();
}

/// Columns that a group of 512 threads, or 400, has whole lines of.
TEST(RealSchedulesOfGroups, ShortColumnsHaveLines) {
    const auto sequences = [](const std::string& text) {
        const problem::Canonical problem = problem::normalise(parse_problem(text));
        const DeviceLimits limits = gpu(1024, 227 * 1024);
        const planner::Schedule schedule =
            planner::plan(planner::design(problem, limits, {}), problem, limits, {}).schedule;
        return std::get<GroupShape>(schedule.steps.at(0).spec.shape).sequences;
    };
    EXPECT_EQ(sequences("128x99 dct4 axes=0"), 32u);
    EXPECT_EQ(sequences("512x99 dct4 axes=0"), 32u);
    EXPECT_EQ(sequences("360x99 dst4 axes=0"), 32u);
    EXPECT_EQ(sequences("480x99 dct4 axes=0"), 16u);
    EXPECT_EQ(sequences("128x99 dct4 f64 axes=0"), 16u);
    EXPECT_EQ(sequences("1024x99 dct4 axes=0"), 16u);
    EXPECT_EQ(sequences("128x99 r2c axes=0"), 16u) << "complex on one side";
}

/// The same where the bins themselves are the elements: complex ones, or their parts.
TEST(RealSchedulesOfGroups, BinsThatAreElementsMeetInRegisters) {
    DeviceLimits limits = gpu(1024, 227 * 1024);
    limits.sector_bytes = 1;
    const std::vector<std::vector<std::uint32_t>> all{{2, 2}, {2, 3}, {3, 3},   {5, 3},    {8, 2},
                                                      {7, 4}, {6, 5}, {16, 16}, {2, 8, 2}, {3, 4, 3}};
    for (const std::vector<std::uint32_t>& radices : all) {
        std::uint32_t m = 1;
        Tuning tuning;
        tuning.radices = radices;
        for (const std::uint32_t radix : radices) m *= radix;
        for (const std::string kind : {"r2c", "c2r", "r2hc", "hc2r", "dht"}) {
            const std::string text = std::to_string(2 * m) + " " + kind + " f32 batch=3";
            for (const std::uint32_t threads : {0u, 3u, m}) {
                tuning.threads_per_transform = threads;
                EXPECT_EQ(has_pairs_of_bins_in_thread(text, limits, tuning),
                          threads == 0 || (m + threads - 1) / threads <= 64)
                    << text;
                expect_transform(text, limits, tuning);
            }
            tuning.threads_per_transform = 0;
            expect_transform(std::to_string(2 * m) + "x5 axes=0 f32 " + kind, limits, tuning);
        }
    }
}

/// Where a run of them in memory is long, which begins and ends within a sector.
TEST(RealSchedulesOfGroups, BinsThatAreElementsMeetInLongRuns) {
    const DeviceLimits limits = gpu(1024, 227 * 1024);
    for (const std::string kind : {"r2c", "c2r"}) {
        for (const char* n : {"1000 ", "1024 ", "4096 ", "8192 "})
            EXPECT_TRUE(has_pairs_of_bins_in_thread(n + kind, limits)) << n;
        for (const char* n : {"64 ", "256 "}) EXPECT_FALSE(has_pairs_of_bins_in_thread(n + kind, limits)) << n;
        EXPECT_FALSE(has_pairs_of_bins_in_thread("8192 f64 " + kind, limits));
        EXPECT_TRUE(has_pairs_of_bins_in_thread("16384 f64 " + kind, limits));
    }
    EXPECT_FALSE(has_pairs_of_bins_in_thread("512 c2r", limits));
    EXPECT_TRUE(has_pairs_of_bins_in_thread("512 r2c", limits)) << "in 32 threads, as was measured";
}

/// In f64 the registers that this takes cost more than an exchange, but for the longest cores.
TEST(RealSchedulesOfGroups, BinsOfShortCoresInF64MeetInSharedMemory) {
    for (const int n : {256, 1024, 4096, 8192}) {
        const problem::Canonical problem = problem::normalise(parse_problem(std::to_string(n) + " dct2 f64"));
        const DeviceLimits limits = gpu(1024, 227 * 1024);
        const auto steps = planner::plan(planner::design(problem, limits, {}), problem, limits, {}).schedule.steps;
        EXPECT_EQ(std::get<GroupShape>(steps.at(0).spec.shape).has_mirrors_in_thread(), n == 8192) << n;
    }
}

/// Elements of real kinds have passes of their own then.
TEST_P(RealSchedules, PrimesByParity) {
    if (limits().vectors != Vectors::subgroups) GTEST_SKIP() << "no groups of threads";
    Tuning tuning;
    tuning.algorithm = Algorithm::rader;
    for (const char* text : {"166 r2c f32 batch=5", "94 c2r f64 batch=3", "83 dct2 f32", "94 dht f32 batch=2"})
        expect_transform(text, limits(), tuning);
}

TEST_P(RealSchedules, ConvolutionsMeetTheElementsOnChip) {
    for (const std::string kind : every_kind) {
        // Rader's and Bluestein's by themselves, and each where the other would do: primes, and lengths of two.
        for (const int points : {5, 17, 37, 47, 94, 257}) {
            for (const bool is_odd : {false, true}) {
                const int n = is_odd && points % 2 == 0 ? 0 : length_of(kind, points, is_odd);
                if (n == 0) continue;
                const std::string text = std::to_string(n) + " " + kind;
                Tuning rader, bluestein;
                rader.algorithm = Algorithm::rader;
                bluestein.algorithm = Algorithm::bluestein;
                if (points > 31) expect_one_kernel(text + " f32 batch=5", limits());
                expect_one_kernel(text + " f64 batch=2", limits(), bluestein);
                const bool is_prime = points % 2 != 0 && points != 47;  // 46 = 2 x 23, too large beside a spectrum
                if (is_prime) expect_one_kernel(text + " f64 batch=19", limits(), rader);
                if (is_prime) expect_one_kernel(text + " f32", limits(), rader);
            }
        }
    }
}

TEST_P(RealSchedules, LongerConvolutionsMeetTheElementsOnChip) {
    DeviceLimits roomy = limits();
    roomy.shared_bytes = std::max(roomy.shared_bytes, 64u * 1024);
    roomy.max_group_size = std::max(roomy.max_group_size, 512u);
    for (const std::string kind : every_kind) {
        for (const int n : {1009, 2018}) expect_one_kernel(std::to_string(n) + " " + kind + " f32 batch=3", roomy);
        expect_one_kernel(std::to_string(length_of(kind, 1009, false)) + " " + kind + " f32", roomy);
        expect_one_kernel(std::to_string(length_of(kind, 1013, false)) + " " + kind + " f32", roomy);
    }
}

/// In every order of their radices: largest first and last, bins that meet, points and numbers as one run.
TEST_P(RealSchedules, LargePrimesOfPairs) {
    DeviceLimits roomy = limits();
    roomy.shared_bytes = std::max(roomy.shared_bytes, 64u * 1024);
    for (const char* text :
         {"74 r2c f32 batch=70", "94 c2r f32 batch=5", "296 c2r f32 batch=9", "530 c2r f32 batch=33",
          "530 r2c f32 batch=3", "322 r2c f32 batch=9", "60 c2r f64 batch=17", "76 c2r f64 batch=3",
          "580 c2r f32 in-place batch=3", "1798 r2c f64", "1798 c2r f64", "2784 c2r f64", "86 r2c f64"})
        expect_transform(text, roomy);
}

/// By butterflies, by Bluestein's in one kernel, and in several passes of either.
TEST_P(RealSchedules, OddLengthsIgnoreWhatBinZeroHasNot) {
    for (const std::string text : {"105 c2r f32 batch=3", "37 c2r f64 batch=5", "1319 c2r f32 batch=2",
                                   "3375 c2r f64 batch=2", "10007 c2r f32", "83 c2r f32 in-place batch=3"}) {
        SCOPED_TRACE(text);
        const Problem problem = parse_problem(text);
        const auto error_of = [&](auto runner) {
            runner.spoil_bin_zero();
            return runner.error(Direction::inverse);
        };
        const bool is_single = problem.precision == Precision::f32;
        const long double error = is_single ? error_of(Runner<float>(problem, limits(), {}))
                                            : error_of(Runner<double>(problem, limits(), {}));
        EXPECT_LT(static_cast<double>(error), std::ldexp(12.0, is_single ? -24 : -53));
    }
}

TEST_P(RealSchedules, ConvolutionsInEveryLayout) {
    for (const std::string kind : every_kind) {
        for (const char* rest :
             {"74 K f32 in-place batch=3", "37 K f64 in-place batch=3", "94x5 K f32 axes=0", "101x7 K f64 axes=0",
              "202x20 K f32 axes=0", "74 K f32 batch=4 istrides=3 idist=250", "37 K f64 batch=9 ostrides=2 odist=161",
              "94 K f64 batch=3 istrides=2 idist=193", "74 K f32 batch=40 istrides=40 idist=1 ostrides=40 odist=1",
              "37 K f32 batch=20 istrides=20 idist=1 ostrides=20 odist=1", "37x74 K f32", "47x37 K f64",
              "76 K f32 orthonormal batch=3", "38 K f64 orthonormal", "74 K f64 forward-scale=-3",
              "36 K f64 batch=2"}) {
            std::string text = rest;
            text.replace(text.find('K'), 1, kind);
            const bool is_halved = kind == "r2c" || kind == "c2r";
            if (is_halved && text.find("ortho") != std::string::npos) continue;

            expect_transform(text, limits());
        }
    }
}

TEST_P(RealSchedules, SeveralPasses) {
    DeviceLimits tight = limits();
    tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 4 * 1024 : 512;
    for (const std::string kind : every_kind) {
        for (const char* rest :
             {"256 K f32 batch=2", "511 K f64", "300 K f32 in-place", "255x3 K f32 axes=0",
              "300 K f32 overwrite-input batch=2", "200x4 K f64 axes=0 ostrides=1,202 overwrite-input",
              "200 K f64 istrides=2 idist=403 batch=2", "200x3 K f64 axes=0 orthonormal"}) {
            std::string text = rest;
            text.replace(text.find('K'), 1, kind);
            const bool is_halved = kind == "r2c" || kind == "c2r";
            if (is_halved && text.find("ortho") != std::string::npos) continue;
            expect_transform(text, tight);
        }
    }
    for (const char* text : {"512 r2c in-place batch=2", "500x4 c2r halved=0", "4x500 c2r in-place", "4x500 r2c f64"})
        expect_transform(text, tight);
}

/// Bins k and m - k meet in the first or last pass of the core, on a GPU.
TEST_P(RealSchedules, ColumnsOfBinsMeet) {
    DeviceLimits roomy = limits();
    roomy.shared_bytes = 64 * 1024;
    roomy.max_group_size = std::max(roomy.max_group_size, 64u);
    const auto has_bins = [&](const std::string& text, const Tuning& tuning) {
        const planner::Schedule schedule = lowered(text, roomy, tuning);
        return schedule.steps.front().spec.in.bins() || schedule.steps.back().spec.out.bins();
    };
    const bool is_gpu = roomy.vectors == Vectors::subgroups;
    const auto expect = [&](const std::string& kind, const std::vector<std::uint64_t>& passes, const char* layout) {
        Tuning tuning;
        tuning.passes = passes;
        int points = 1;
        for (const std::uint64_t n : passes) points *= static_cast<int>(n);
        const std::string text = std::to_string(length_of(kind, points, false)) + " " + kind + layout;
        EXPECT_EQ(has_bins(text, tuning), is_gpu) << text << " in " << passes.size() << " passes";
        if (is_gpu) expect_transform(text, roomy, tuning);
    };
    for (const std::string kind : {"r2c", "c2r", "dct1", "dst1", "dct2", "dst2", "dht", "r2hc"}) {
        expect(kind, {16, 32}, " f32 batch=2");
        expect(kind, {32, 16}, " f64 in-place inverse-scale=1/n");
        expect(kind, {16, 32}, " f64 ostrides=2 odist=2100 istrides=3 idist=3100 batch=2");
        expect(kind, {48, 40}, " f32 forward-scale=-3");
    }
    for (const char* kind : {"r2c", "c2r", "dct2"}) expect(kind, {16, 8, 16}, " f32");
    for (const char* kind : {"dct2", "dst3"}) expect(kind, {16, 32}, " f64 orthonormal");
}

/// The same where the groups of a cluster, or one, hold the core of both passes: one kernel.
TEST_P(RealSchedules, ColumnsOfBinsMeetInACluster) {
    DeviceLimits roomy = limits();
    roomy.shared_bytes = 64 * 1024;
    roomy.max_cluster_size = 16;
    if (roomy.vectors != Vectors::subgroups) return;
    const auto expect = [&](const std::string& text, const std::vector<std::uint64_t>& passes, std::uint32_t groups) {
        Tuning tuning;
        tuning.passes = passes;
        tuning.groups_per_cluster = groups;
        const planner::Schedule schedule = lowered(text, roomy, tuning);
        EXPECT_EQ(schedule.steps.size(), 1u) << text << " in " << groups << " groups";
        expect_transform(text, roomy, tuning);
    };
    for (const std::string kind : {"r2c", "c2r", "r2hc", "hc2r", "dht"}) {
        expect("1024 " + kind + " f32 batch=3", {16, 32}, 2);
        expect("1024 " + kind + " f64 in-place inverse-scale=1/n batch=2", {32, 16}, 1);
        expect("2048 " + kind + " f32", {32, 32}, 4);
    }
}

/// Real and imaginary parts of a plane pass through shared memory one after the other where both have no room.
TEST_P(RealSchedules, PlanesInOneKernel) {
    DeviceLimits roomy = limits();
    if (roomy.vectors != Vectors::subgroups) return;
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    for (const std::uint32_t planes : {2u, 1u}) {
        roomy.shared_bytes = planes * 8 * 1024;
        for (const char* text :
             {"64x32 r2c f64", "64x32 c2r f64 in-place", "60x36 r2c", "75x30 c2r", "50x40 r2c batch=2"}) {
            const planner::Schedule schedule = lowered(text, roomy, tuning);
            ASSERT_EQ(schedule.steps.size(), 1u) << text;
            EXPECT_EQ(std::get<GroupShape>(schedule.steps.front().spec.shape).exchange.components, planes) << text;
            expect_transform(text, roomy, tuning);
        }
    }
}

/// Rows and planes with elements of others between them, in one kernel without being asked for it.
TEST_P(RealSchedules, PitchedPlanesInOneKernel) {
    if (limits().vectors != Vectors::subgroups || GetParam() == 0) return;
    for (const char* text :
         {"16x12 r2c istrides=14,1 ostrides=9,1 idist=230 odist=150 batch=2", "12x16 c2r istrides=11,1 ostrides=18,1",
          "9x15 r2c istrides=17,1", "5x9x9 r2c istrides=113,11,1 ostrides=60,6,1", "9x15 c2r f64 istrides=9,1",
          "6x8x16 r2c istrides=200,22,1 ostrides=90,10,1 batch=2"}) {
        const std::size_t kernels = lowered(text, limits()).steps.size();
        EXPECT_EQ(kernels, 1u) << text;
        expect_transform(text, limits());
    }
}

/// The padded points of a long prime lie in a workspace, from which c2r's last axis takes its own.
TEST_P(RealSchedules, LongPrimesBesideRows) {
    DeviceLimits tight = limits();
    tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 4 * 1024 : 512;
    tight.max_group_size = 64;
    for (const char* text : {"211x4 c2r", "211x6 c2r f64 batch=2", "2x211x4 c2r", "211x4 c2r overwrite-input",
                             "211x4 c2r in-place", "211x4 r2c", "211x1 c2r halved=1"})
        expect_transform(text, tight);
}

/// Between its axes numbers rest in a workspace, which the core of a long one may have used by then.
TEST_P(RealSchedules, TwoLayoutsInPlaceBehindLongAxes) {
    DeviceLimits tight = limits();
    tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 4 * 1024 : 512;
    tight.max_group_size = 64;
    for (const char* text : {"2x211 dct2,dct4", "3x211 dst3,dst4 f64", "3x145 dht,r2hc", "2x422 dct3,dht",
                             "2x256 dct2,dct2", "3x255 dst1,dct1"})
        expect_transform(text + std::string(" in-place istrides=1,3 ostrides=600,1"), tight);
}

TEST_P(RealSchedules, OverwrittenInputs) {
    DeviceLimits tight = limits();
    tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 4 * 1024 : 512;
    tight.max_group_size = 64;
    for (const char* text : {"4x128 c2r", "4x1024 c2r batch=2", "128x6 c2r istrides=1,130 idist=600 batch=2",
                             "1024 c2r ostrides=3", "3x1024 r2c", "4x1024 dct2", "1022 c2r f64"})
        expect_transform(text + std::string(" overwrite-input"), tight);
    for (const char* text : {"4x128 c2r", "2048 c2r", "3x1024 c2r", "3x2048 r2c", "2048 dct2"}) {
        EXPECT_EQ(workspace_elements(lowered(text + std::string(" overwrite-input"), tight)), 0u) << text;
        EXPECT_GT(workspace_elements(lowered(text, tight)), 0u) << text;
    }
    // An odd length's core has as many points as the signal has elements: neither array has room for them.
    EXPECT_EQ(workspace_elements(lowered("1023 c2r overwrite-input", tight)),
              workspace_elements(lowered("1023 c2r", tight)));
}

/// A real axis alone needs one workspace: the output holds points before results, and the last pass works in place.
TEST_P(RealSchedules, OneWorkspaceServes) {
    DeviceLimits roomy = limits();
    roomy.shared_bytes = std::max(roomy.shared_bytes, 64u * 1024);
    roomy.max_group_size = std::max(roomy.max_group_size, 64u);
    for (const std::vector<std::uint64_t>& passes : {std::vector<std::uint64_t>{16, 8, 16}, {12, 10, 14}, {48, 40}}) {
        Tuning tuning;
        tuning.passes = passes;
        const std::uint64_t points = passes[0] * passes[1] * (passes.size() == 3 ? passes[2] : 1);
        for (const std::string kind : {"r2c", "c2r"})
            for (const char* layout : {" f32", " f64 in-place", " f32 batch=3 idist=8192 odist=8192"}) {
                const std::string text = std::to_string(2 * points) + " " + kind + layout;
                const planner::Schedule schedule = lowered(text, roomy, tuning);
                // A map of c2r, where it is a pass of its own, cannot work in place, nor can two of three passes.
                const bool needs_two = kind == "c2r" && passes.size() == 3 && schedule.steps.size() > passes.size();
                EXPECT_LE(workspace_elements(schedule), (needs_two ? 2 : 1) * points) << text;
                expect_transform(text, roomy, tuning);
            }
    }
    // What pruning leaves out of the output is somebody else's.
    Tuning tuning;
    tuning.passes = {16, 8, 16};
    EXPECT_EQ(workspace_elements(lowered("4096 r2c batch=3", roomy, tuning)), 2048u);
    EXPECT_EQ(workspace_elements(lowered("4096 c2r signal-zeros=0:4000-4096", roomy, tuning)), 2 * 2048u);
}

/// One workspace, of as many points as the largest of what lies in it: folds and maps leave points in the output, where
/// the next pass does not store elements yet, and maps of pairs work there in place.
TEST_P(RealSchedules, OneWorkspaceServesMapsAndFolds) {
    DeviceLimits tight = limits();
    tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 4 * 1024 : 512;
    tight.max_group_size = 64;
    for (const std::string kind : {"r2c", "c2r", "dct2", "dct3", "dct4"})
        for (const std::uint64_t points : {150, 512})
            for (const char* rest : {" f32 batch=3", " f64 overwrite-input"}) {
                const std::string text = std::to_string(2 * points) + " " + kind + rest;
                EXPECT_LE(workspace_elements(lowered(text, tight)), points) << text;
                expect_transform(text, tight);
            }
    // Bluestein's transform of two passes: its padded points are all that needs a workspace.
    Tuning bluestein;
    bluestein.algorithm = Algorithm::bluestein;
    tight.shared_bytes *= 4;
    for (const std::string kind : {"r2c", "c2r"})
        for (const char* rest : {"422 K f32 batch=2", "422 K f64 in-place", "422 K f64 overwrite-input"}) {
            std::string text = rest;
            text.replace(text.find('K'), 1, kind);
            const planner::Schedule schedule = lowered(text, tight, bluestein);
            EXPECT_TRUE(schedule.workspace_a_elements == 0 || schedule.workspace_b_elements == 0) << text;
            expect_transform(text, tight, bluestein);
        }
}

TEST_P(RealSchedules, SpectraInPassOrder) {
    DeviceLimits tight = limits();
    tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 2 * 1024 : 512;
    tight.max_group_size = 64;
    for (const char* text : {"100x6 r2c", "128x6 c2r", "128x6 c2r overwrite-input", "128x6 r2c in-place",
                             "128x6 c2r in-place", "3x128x6 c2r f64 batch=2"})
        expect_transform(text + std::string(" spectrum-order=pass"), tight);
    // Beside the real axis every pass stays where it is: in the output, or in an input that may be overwritten.
    const planner::Schedule s = lowered("128x6 c2r overwrite-input spectrum-order=pass", tight);
    EXPECT_GT(s.steps.size(), 2u);
    EXPECT_EQ(workspace_elements(s), 0u);
}

TEST_P(RealSchedules, LayoutsAndAxes) {
    for (const char* text : {"12x10 r2c f32 batch=3",
                             "12x10 c2r f32 batch=3",
                             "12x9 r2c in-place batch=2",
                             "12x9 c2r in-place batch=2",
                             "5x6x8 r2c f64",
                             "5x6x8 c2r f64",
                             "5x6x8 r2c f32 axes=0,1",
                             "5x6x8 c2r f32 axes=2,0",
                             "5x6x8 c2r in-place",
                             "16x12 r2c halved=0",
                             "16x12 c2r halved=0",
                             "6x20 dct2,dst3",
                             "6x20 dht in-place",
                             "6x8x10 dct4 axes=1",
                             "30 dct2 batch=4 istrides=3 idist=100",
                             "30 dct3 f64 batch=4 ostrides=2 odist=61",
                             "31 r2c batch=4 istrides=2 idist=63 ostrides=3 odist=50",
                             "30 c2r batch=3 ostrides=3 odist=91",
                             "30 r2c batch=20 istrides=20 idist=1 ostrides=20 odist=1",
                             "30 c2r batch=20 istrides=20 idist=1",
                             "24 dct2 batch=40 istrides=40 idist=1 ostrides=40 odist=1 in-place",
                             "16 r2c ioffset=4 batch=2",
                             "16 c2r ooffset=4 batch=2",
                             "12x14 dct2 orthonormal",
                             "9x14 dst3,dct1 orthonormal",
                             "13 dst2 orthonormal",
                             "13 dst3 orthogonalize",
                             "15 r2c batch=3 in-place",
                             "14 r2c batch=3 in-place",
                             "1x1 r2c",
                             "1x1 c2r",
                             "1 dct2",
                             "1x3 dst1,dht",
                             "1x1 dht batch=3 forward-scale=2",
                             "10 dct3 inverse-scale=1/n forward-scale=-2"})
        expect_transform(text, limits());
}

/// Some from their other end in the input, some in the output, some in both.
TEST_P(RealSchedules, StridesBelowZero) {
    std::mt19937 random(11);
    for (const char* text :
         {"64 KIND batch=3", "15 KIND batch=5", "101 KIND", "12x10 KIND batch=2", "9x8 KIND in-place batch=2",
          "3x40x4 KIND axes=1", "2048 KIND", "16x6 KIND in-place", "1000 KIND f64 batch=2", "5x12x6 KIND"})
        for (const char* kind : {"r2c", "c2r", "dct1", "dct2", "dst3", "dct4", "dht", "r2hc"}) {
            std::string of_kind = text;
            of_kind.replace(of_kind.find("KIND"), 4, kind);
            const Problem problem = parse_problem(of_kind);
            const bool is_halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
            if (is_halved && problem.placement == Placement::in_place) continue;  // strides() knows rows
            expect_transform(test::reversed(problem, static_cast<std::uint32_t>(random())), limits());
        }
}

INSTANTIATE_TEST_SUITE_P(Devices, RealSchedules, testing::Values(0, 1, 2, 3));

}  // namespace
