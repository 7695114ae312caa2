// Every schedule, interpreted, is the transform that its problem states: checked against direct summation in long
// double, for devices of different shape, with poisoned outputs.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>

#include "exec/tables.hpp"
#include "ir/interpret.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "kernels/contract/generate.hpp"
#include "planner/recipe.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "support/primes.hpp"
#include "tests/support/reversed.hpp"
#include "tests/unit/planner/card_of_kind.hpp"

namespace {

using namespace seiche;
using planner::Role;
using Extended = std::complex<long double>;

DeviceLimits small_gpu() {
    DeviceLimits limits;
    limits.max_group_size = 256;
    limits.shared_bytes = 16 * 1024;
    return limits;
}
DeviceLimits large_gpu() {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
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

/// All points of one array, in row-major order of the lengths, transformed along the axes by direct summation.
std::vector<Extended> direct(std::vector<Extended> x, const Problem& p, Direction direction) {
    const std::size_t rank = p.lengths.size();
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const bool is_listed = std::find(p.axes.begin(), p.axes.end(), static_cast<int>(axis)) != p.axes.end();
        if (!p.axes.empty() && !is_listed) continue;
        const std::uint64_t n = p.lengths[axis];
        std::uint64_t inner = 1;
        for (std::size_t i = axis + 1; i < rank; ++i) inner *= p.lengths[i];
        std::vector<Extended> roots(n);
        for (std::uint64_t k = 0; k < n; ++k) {
            const long double angle = 2 * acosl(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
            roots[k] = {cosl(angle), direction == Direction::forward ? -sinl(angle) : sinl(angle)};
        }
        std::vector<Extended> y(x.size());
        for (std::size_t at = 0; at < x.size(); ++at) {
            const std::uint64_t k = at / inner % n, base = at - k * inner;
            for (std::uint64_t j = 0; j < n; ++j) y[at] += x[base + j * inner] * roots[j * k % n];
        }
        x = y;
    }
    return x;
}

/// Element offsets of every point of every array, from the start of the buffer; strides count modulo 2^64.
std::vector<std::uint64_t> places(const Problem& p, const Layout& layout) {
    const std::uint64_t first = layout.byte_offset / (2 * stored_bytes(p.precision, p.storage));
    const std::size_t rank = p.lengths.size();
    std::vector<std::uint64_t> strides(rank, 1);
    std::uint64_t dense = 1;
    for (std::size_t i = rank; i-- > 0;) {
        strides[i] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides[i]);
        dense *= p.lengths[i];
    }
    const std::uint64_t distance = layout.batch_distance ? static_cast<std::uint64_t>(layout.batch_distance) : dense;
    std::vector<std::uint64_t> all;
    for (std::uint64_t b = 0; b < p.batch; ++b) {
        for (std::uint64_t at = 0; at < dense; ++at) {
            std::uint64_t rest = at, place = first + b * distance;
            for (std::size_t i = rank; i-- > 0;) {
                place += rest % p.lengths[i] * strides[i];
                rest /= p.lengths[i];
            }
            all.push_back(place);
        }
    }
    return all;
}

/// The places of one array's points by frequency, where the spectrum lies in the order of these digits (one list for
/// each axis).
std::vector<std::uint64_t> by_frequency(const std::vector<std::uint64_t>& places,
                                        const std::vector<std::vector<std::uint64_t>>& axes) {
    std::vector<std::uint64_t> ordered(places.size());
    for (std::size_t at = 0; at < places.size(); ++at) {
        std::uint64_t rest = at, to = 0, inner = 1;
        for (std::size_t axis = axes.size(); axis-- > 0;) {
            std::uint64_t frequency = 0, length = 1;
            for (std::size_t i = axes[axis].size(); i-- > 0; rest /= axes[axis][i]) {
                frequency = frequency * axes[axis][i] + rest % axes[axis][i];
                length *= axes[axis][i];
            }
            to += frequency * inner;
            inner *= length;
        }
        ordered[to + rest * inner] = places[at];  // the rest counts arrays
    }
    return ordered;
}

template <class Real>
class Runner {
public:
    Runner(const Problem& p, const DeviceLimits& limits, const Tuning& tuning)
        : problem_(p), canonical_(problem::normalise(p)), limits_(limits), tuning_(tuning) {}

    /// Relative L2 error over all arrays.
    long double error(Direction direction) {
        std::vector<std::uint64_t> from = places(problem_, problem_.input);
        std::vector<std::uint64_t> to =
            places(problem_, problem_.placement == Placement::in_place ? problem_.input : problem_.output);
        std::vector<std::uint64_t>& spectrum = direction == Direction::forward ? to : from;
        spectrum = by_frequency(spectrum, digits());
        std::mt19937_64 engine(7);
        std::uniform_real_distribution<Real> uniform(-1, 1);
        const Real poison = std::numeric_limits<Real>::quiet_NaN();
        input_.assign(canonical_.input_bytes(problem_.batch) / sizeof(input_[0]), {poison, poison});
        output_.assign(canonical_.output_bytes(problem_.batch) / sizeof(output_[0]), {poison, poison});
        for (const std::uint64_t place : from) input_[place] = {uniform(engine), uniform(engine)};
        const std::vector<std::complex<Real>> before = input_;
        run(direction);
        const std::vector<std::complex<Real>>& result = canonical_.in_place() ? input_ : output_;
        return compare(before, result, from, to, direction);
    }

    /// Of each axis of the problem.
    std::vector<std::vector<std::uint64_t>> digits() const {
        std::vector<std::vector<std::uint64_t>> all;
        for (const std::uint64_t length : problem_.lengths) all.push_back({length});
        std::vector<std::size_t> transformed;
        for (std::size_t i = 0; i < problem_.lengths.size(); ++i) {
            const bool is_listed =
                std::find(problem_.axes.begin(), problem_.axes.end(), static_cast<int>(i)) != problem_.axes.end();
            if ((problem_.axes.empty() || is_listed) && problem_.lengths[i] > 1) transformed.push_back(i);
        }
        for (const planner::AxisRecipe& axis : planner::design(canonical_, limits_, tuning_).axes) {
            const std::vector<std::uint64_t> own = planner::spectrum_digits(axis, canonical_);
            if (!own.empty()) all[transformed[axis.axis]] = own;
        }
        return all;
    }

private:
    void run(Direction direction) {
        const planner::Recipe recipe = planner::design(canonical_, limits_, tuning_);
        const planner::Schedule schedule = planner::plan(recipe, canonical_, limits_, {direction, tuning_}).schedule;
        const std::complex<Real> poison{std::numeric_limits<Real>::quiet_NaN(), 0};
        a_.assign(schedule.workspace_a_elements * problem_.batch, poison);
        b_.assign(schedule.workspace_b_elements * problem_.batch, poison);
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
        const std::uint64_t base = role == Role::input    ? canonical_.input_base()
                                   : role == Role::output ? canonical_.output_base()
                                                          : 0;
        return {reinterpret_cast<std::byte*>(memory.data()) + base, memory.size() * sizeof(memory[0]) - base};
    }

    long double compare(const std::vector<std::complex<Real>>& before, const std::vector<std::complex<Real>>& result,
                        const std::vector<std::uint64_t>& from, const std::vector<std::uint64_t>& to,
                        Direction direction) const {
        const std::size_t points = from.size() / problem_.batch;
        const auto scale = static_cast<long double>(canonical_.scale(direction));
        long double difference = 0, size = 0;
        for (std::uint64_t b = 0; b < problem_.batch; ++b) {
            std::vector<Extended> x(points);
            for (std::size_t i = 0; i < points; ++i) x[i] = before[from[b * points + i]];
            x = direct(x, problem_, direction);
            for (std::size_t i = 0; i < points; ++i) {
                const Extended got = result[to[b * points + i]];
                difference += std::norm(got - x[i] * scale);
                size += std::norm(x[i] * scale);
            }
        }
        return std::sqrt(difference / size);
    }

    const Problem& problem_;
    problem::Canonical canonical_;
    DeviceLimits limits_;
    Tuning tuning_;
    std::vector<std::complex<Real>> input_, output_, a_, b_;
};

void expect_transform(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning = {}) {
    const bool is_single = problem.precision == Precision::f32;
    double n = 1;
    for (const std::uint64_t length : problem.lengths) n *= static_cast<double>(length);
    const double unit =
        (is_single ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53)) * std::sqrt(std::log2(std::max(n, 2.0)));
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const long double error = is_single ? Runner<float>(problem, limits, tuning).error(direction)
                                            : Runner<double>(problem, limits, tuning).error(direction);
        EXPECT_LT(static_cast<double>(error) / unit, 2.5)
            << to_string(problem) << (direction == Direction::forward ? " forward" : " inverse");
    }
}
void expect_transform(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    expect_transform(parse_problem(text), limits, tuning);
}

/// So little memory on chip that a few hundred points take two passes, and a few thousand three.
DeviceLimits tight(DeviceLimits limits) {
    limits.shared_bytes = limits.vectors == Vectors::explicit_simd ? 16 * 1024 : 1024;
    return limits;
}

Tuning passes(std::vector<std::uint64_t> lengths) {
    Tuning tuning;
    tuning.passes = std::move(lengths);
    return tuning;
}

class Schedules : public testing::TestWithParam<int> {
protected:
    DeviceLimits limits() const {
        switch (GetParam()) {
            case 0: return small_gpu();
            case 1: return large_gpu();
            case 2: return simd_cpu(64);
            default: return simd_cpu(16);
        }
    }
};

TEST_P(Schedules, EveryShortLength) {
    for (int n = 1; n <= 70; ++n) {
        expect_transform(std::to_string(n) + (n % 2 ? " c2c f32 batch=5" : " c2c f64 batch=19"), limits());
    }
}

// Butterflies of fewer points, and primes by convolution that are butterflies elsewhere.
TEST(FewRegisters, ShortLengthsAndLengthsOfEveryClass) {
    DeviceLimits limits = small_gpu();
    limits.registers_per_thread = 64;
    for (int n = 1; n <= 40; ++n)
        expect_transform(std::to_string(n) + (n % 2 ? " c2c f32 batch=5" : " c2c f64 batch=3"), limits);
    for (const char* text : {"121", "127", "169", "254 f64", "256 f64", "343", "500", "509", "1000 f64", "1009", "2048",
                             "4096", "3000 f64", "31 f64", "64x512 axes=0"})
        expect_transform(text, limits);
    for (const KernelReport& kernel : inspect(parse_problem("2048"), limits).kernels)
        EXPECT_NE(kernel.spec.find("radices=8x8x8x4"), std::string::npos) << kernel.spec;
}

TEST_P(Schedules, LengthsOfEveryClass) {
    for (const int n :
         {81, 96, 100, 121, 127, 128, 169, 210, 243, 256, 343, 500, 512, 625, 729, 1000, 1009, 1024, 1536, 2048}) {
        expect_transform(std::to_string(n) + " c2c f32 batch=3", limits());
    }
}

TEST_P(Schedules, SeveralPasses) {
    for (const char* text :
         {"1024 c2c f32", "4096 c2c f64", "3000 c2c f32 batch=2", "4096 c2c f32 in-place", "509 c2c f32 batch=2",
          "64x512 c2c f32 axes=0", "512x6 c2c f32 axes=0 in-place", "3x512x20 c2c f64 axes=1",
          "1024 c2c f32 istrides=3", "1024 c2c f64 ostrides=3 odist=3100"}) {
        expect_transform(text, tight(limits()));
    }
}

TEST_P(Schedules, LayoutsAndAxes) {
    for (const char* text :
         {"12x10 c2c f32 batch=3", "16x16 c2c f32 in-place batch=2", "5x6x7 c2c f64", "5x32x7 c2c f32 axes=1",
          "32x32 c2c f32 axes=0 in-place", "4x8x16 c2c f32 axes=0,2", "30 c2c f32 batch=4 istrides=3 idist=100",
          "30 c2c f64 batch=4 ostrides=2 odist=61", "16x8 c2c f32 istrides=1,16 ostrides=9,1",
          "64 c2c f32 batch=40 istrides=40 idist=1 ostrides=40 odist=1", "8x3 c2c f32 axes=0 batch=2",
          "17x32 c2c f32 axes=0", "32x17 c2c f32 axes=1 inverse-scale=1/n forward-scale=1/sqrt(n)",
          "1x1 c2c f32 batch=3 forward-scale=2"}) {
        expect_transform(text, limits());
    }
}

/// Of 16 sequences in a register the last may be 15 ahead of the first although others lie elsewhere.
TEST_P(Schedules, WindowsThatOverlapInStepsOfTheirOwn) {
    for (const char* text : {"2x6x3x8 c2c f32 axes=3 istrides=5,5,1,60", "9x2x3x8 c2c f32 axes=3 istrides=7,1,1,60",
                             "3x4x2x8 c2c f64 axes=3 istrides=-3,3,1,60 ioffset=96"})
        expect_transform(text, limits());
}

/// Some from their other end in the input, some in the output, some in both.
TEST_P(Schedules, StridesBelowZero) {
    std::mt19937 random(3);
    const auto expect_reversed = [&](const char* text, const DeviceLimits& limits, int draws) {
        for (int draw = 0; draw < draws; ++draw)
            expect_transform(test::reversed(parse_problem(text), static_cast<std::uint32_t>(random())), limits);
    };
    for (const char* text : {"8 c2c f32", "64 c2c f32 batch=5", "100 c2c f64 batch=3", "101 c2c f32 in-place batch=3",
                             "12x10 c2c f32 batch=3", "16x16 c2c f32 in-place batch=2", "5x6x7 c2c f64",
                             "5x32x7 c2c f32 axes=1", "4x8x16 c2c f32 axes=0,2 in-place", "8x3x5x4 c2c f32 axes=1"})
        expect_reversed(text, limits(), 4);
    for (const char* text : {"509 c2c f32", "17x32 c2c f32 axes=0 batch=3", "1000 c2c f32 in-place", "2048 c2c f32"})
        expect_reversed(text, limits(), 1);
    for (const char* text :
         {"1024 c2c f32", "64x128 c2c f32 axes=0 in-place", "1024 c2c f32 in-place spectrum-order=pass", "509 c2c f32"})
        expect_reversed(text, tight(limits()), 2);
}

/// So little that a hundred points take two passes.
DeviceLimits tighter(DeviceLimits limits) {
    limits.shared_bytes = limits.vectors == Vectors::explicit_simd ? 2 * 1024 : 512;
    limits.max_group_size = 64;
    return limits;
}

TEST_P(Schedules, PassOrder) {
    for (const char* text :
         {"1024 c2c f32 in-place", "1000 c2c f32 batch=2", "512x6 c2c f32 axes=0 in-place", "3x512x5 c2c f64 axes=1",
          "512 c2c f32 istrides=3 idist=1600 batch=2", "512 c2c f64 ostrides=3 inverse-scale=1/n forward-scale=0.5",
          "60 c2c f32", "509 c2c f32 batch=2"}) {
        expect_transform(std::string(text) + " spectrum-order=pass", tight(limits()));
    }
    for (const char* text : {"1024 c2c f64 batch=2", "1024 c2c f32 in-place"})
        for (const auto& lengths : {std::vector<std::uint64_t>{16, 8, 8}, {8, 4, 32}, {8, 4, 4, 8}, {32, 32}})
            expect_transform(std::string(text) + " spectrum-order=pass", limits(), passes(lengths));
}

TEST_P(Schedules, PassOrderWithLargePrimes) {
    for (const std::string order : {"", " spectrum-order=pass"}) {
        expect_transform("1616 c2c f32" + order, limits(), passes({101, 16}));
        expect_transform("1616 c2c f64 in-place" + order, limits(), passes({16, 101}));
        expect_transform("2x1504 c2c f32 axes=1" + order, limits(), passes({47, 32}));
        expect_transform("1504x2 c2c f32 axes=0" + order, limits(), passes({32, 47}));
    }
}

TEST_P(Schedules, PassOrderOfSeveralAxes) {
    for (const char* text : {"128x12 c2c f32 in-place", "128x100 c2c f32 batch=2", "3x100x2x128 c2c f32 axes=1,3"})
        expect_transform(std::string(text) + " spectrum-order=pass", tighter(limits()));
}

/// Roles of a schedule's steps: "io oo" goes from the input to the output and stays there.
std::string ways(const planner::Schedule& schedule) {
    std::string text;
    for (const planner::Step& step : schedule.steps) {
        for (const Role role : {step.source, step.target}) text += "ioabc"[static_cast<int>(role)];
        text += ' ';
    }
    return text;
}

planner::Schedule schedule_of(const std::string& text, Direction direction, const Tuning& tuning,
                              const DeviceLimits& limits) {
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    return planner::plan(planner::design(canonical, limits, tuning), canonical, limits, {direction, tuning}).schedule;
}

TEST_P(Schedules, PassOrderNeedsNoWorkspace) {
    const Tuning tuning = passes({16, 32, 8});
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const planner::Schedule natural = schedule_of("4096 c2c f32 in-place", direction, tuning, limits());
        EXPECT_EQ(ways(natural), "ia ao oo ");
        const std::string order = " spectrum-order=pass";
        const planner::Schedule apart = schedule_of("4096 c2c f32" + order, direction, tuning, limits());
        const planner::Schedule in_place = schedule_of("4096 c2c f32 in-place" + order, direction, tuning, limits());
        EXPECT_EQ(ways(apart), "io oo oo ");
        EXPECT_EQ(ways(in_place), "io oo oo ");
        for (const planner::Schedule* schedule : {&apart, &in_place}) {
            EXPECT_EQ(schedule->workspace_a_elements, 0u);
            EXPECT_EQ(schedule->workspace_b_elements, 0u);
            for (const planner::Step& step : schedule->steps) {
                EXPECT_EQ(step.spec.in.stride, step.spec.out.stride);
                for (const kernels::Loop& loop : step.spec.loops) EXPECT_EQ(loop.input_stride, loop.output_stride);
            }
        }
        // The pass without points after it has its own side by side: the forward's last, the inverse's first.
        const bool is_forward = direction == Direction::forward;
        EXPECT_EQ((is_forward ? apart.steps.back() : apart.steps.front()).spec.in.stride, 1u);
    }
}

TEST_P(Schedules, OverwrittenInputs) {
    const Tuning tuning = passes({16, 32, 8});
    for (const char* text : {"1024 c2c f32 batch=2 overwrite-input", "1024 c2c f64 overwrite-input istrides=2"})
        expect_transform(text, limits(), passes({16, 8, 8}));
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const auto schedule = [&](const std::string& text) { return schedule_of(text, direction, tuning, limits()); };
        const planner::Schedule careful = schedule("4096 c2c f32");
        EXPECT_EQ(ways(careful), "io oa ao ");
        EXPECT_EQ(careful.workspace_a_elements, 4096u);
        const planner::Schedule free = schedule("4096 c2c f32 overwrite-input");
        EXPECT_EQ(ways(free), "io oi io ");
        EXPECT_EQ(free.workspace_a_elements + free.workspace_b_elements, 0u);
        // Not where elements share memory, are narrower than the arithmetic or left unread, nor in place.
        EXPECT_EQ(ways(schedule("2x4096 c2c f32 axes=1 istrides=1,1 overwrite-input")), ways(careful));
        EXPECT_EQ(ways(schedule("4096 c2c f32 batch=2 idist=100 overwrite-input")), ways(careful));
        EXPECT_EQ(ways(schedule("4096 c2c f16 overwrite-input")), ways(careful));
        const bool is_forward = direction == Direction::forward;
        EXPECT_EQ(ways(schedule(std::string("4096 c2c f32 overwrite-input ") +
                                (is_forward ? "signal-zeros=0:9-20" : "spectrum-zeros=0:9-20"))),
                  ways(careful));
        EXPECT_EQ(ways(schedule("4096 c2c f32 in-place overwrite-input")), ways(schedule("4096 c2c f32 in-place")));
    }
}

Tuning by(Algorithm algorithm) {
    Tuning tuning;
    tuning.algorithm = algorithm;
    return tuning;
}

TEST_P(Schedules, EveryPrimeTo300) {
    std::size_t next = 0;
    for (std::uint64_t n = 2; n <= 300; ++n) {
        if (!support::is_prime(n)) continue;
        const std::string distance = std::to_string(3 * n);
        const std::string layouts[] = {" c2c f32 batch=5", " c2c f64 batch=19 in-place",
                                       " c2c f32 batch=3 istrides=2 idist=" + distance,
                                       " c2c f64 batch=2 ostrides=3 odist=" + distance, " c2c f32 batch=37 in-place"};
        expect_transform(std::to_string(n) + layouts[next++ % 5], limits());
    }
}

TEST_P(Schedules, EveryPrimeTo100ByEachAlgorithm) {
    for (std::uint64_t n = 2; n <= 100; ++n) {
        if (!support::is_prime(n)) continue;
        const std::string text = std::to_string(n) + (n % 4 == 1 ? " c2c f32 batch=18" : " c2c f64 batch=3 in-place");
        expect_transform(text, limits(), by(Algorithm::bluestein));
        if (n >= 5 && support::is_smooth(n - 1, 11)) expect_transform(text, limits(), by(Algorithm::rader));
        if (n <= 23) expect_transform(text, limits(), by(Algorithm::direct));
    }
}

/// The even and the odd part of a prime, padded to n - 2 points and more, on devices of groups.
TEST_P(Schedules, PrimesByParity) {
    if (limits().vectors != Vectors::subgroups) GTEST_SKIP() << "no groups of threads";
    struct Case {
        const char* text;
        std::vector<std::uint32_t> radices;
    };
    const std::vector<Case> cases = {{"11 c2c f32 batch=18", {3, 3}},
                                     {"13 c2c f64 batch=3 in-place", {11}},
                                     {"17 c2c f32 batch=5", {3, 6}},
                                     {"37 c2c f32 batch=7 istrides=2 idist=80", {5, 7}},
                                     {"37 c2c f64 batch=9 in-place", {4, 4, 4}},
                                     {"101 c2c f64 batch=2 ostrides=3 odist=303", {11, 9}},
                                     {"101 c2c f32 batch=40 istrides=40 idist=1 ostrides=40 odist=1", {4, 5, 6}},
                                     {"257 c2c f32 batch=5 in-place", {2, 12, 12}},
                                     {"499 c2c f64 batch=2", {8, 8, 8}}};
    for (const Case& one : cases) {
        Tuning tuning = by(Algorithm::rader);
        tuning.radices = one.radices;
        expect_transform(one.text, limits(), tuning);
    }
}

TEST_P(Schedules, LargePrimesBetweenOtherAxes) {
    for (const char* text :
         {"101x16 c2c f32 axes=0", "16x101 c2c f32 axes=0,1", "5x101x7 c2c f64 axes=1 in-place", "37x53 c2c f32",
          "94x16 c2c f32 axes=0", "8x94 c2c f64 in-place",
          "101 c2c f32 batch=40 istrides=40 idist=1 ostrides=40 odist=1", "94 c2c f32 batch=40 istrides=40 idist=1",
          "97 c2c f64 batch=3 forward-scale=0.25 inverse-scale=1/n"}) {
        expect_transform(text, limits());
    }
}

TEST_P(Schedules, LengthsNearWhatFits) {
    DeviceLimits small = limits();
    small.shared_bytes = small.vectors == Vectors::explicit_simd ? 64 * 1024 : 4096;
    small.max_group_size = 64;
    for (const int n : {127, 128, 181, 193, 251, 257, 383, 401, 509, 511, 512, 514, 521, 769, 1021}) {
        expect_transform(std::to_string(n) + " c2c f32 batch=2", small);
    }
}

TEST_P(Schedules, PassesWithLargePrimes) {
    DeviceLimits small = limits();
    small.shared_bytes = small.vectors == Vectors::explicit_simd ? 128 * 1024 : 8192;
    for (const char* text :
         {"1616 c2c f32", "3232 c2c f64 in-place", "1504 c2c f32 batch=2", "3x1616x2 c2c f32 axes=1"}) {
        expect_transform(text, small);
        Tuning lengths;
        lengths.passes = {parse_problem(text).lengths.size() == 1 ? parse_problem(text).lengths[0] / 16 : 101, 16};
        expect_transform(text, small, lengths);
    }
}

TEST_P(Schedules, PaddedLengths) {
    for (const std::uint64_t padded : {73u, 74u, 77u, 80u, 85u, 96u, 100u, 128u, 144u, 1024u}) {
        Tuning tuning;
        tuning.padded_length = padded;
        if (support::is_smooth(padded, 23)) expect_transform("37 c2c f32 batch=17", limits(), tuning);
    }
}

/// The last of the forward passes and the first of the inverse are one kernel.
TEST_P(Schedules, PassesOfPaddedLengths) {
    for (const char* text : {"37 c2c f32 batch=17", "37 c2c f64 in-place batch=3", "37x5 c2c f32 axes=0"}) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        for (Tuning tuning : {passes({10, 8}), passes({5, 4, 4})}) {
            tuning.algorithm = Algorithm::bluestein;
            expect_transform(text, limits(), tuning);
            const planner::Recipe recipe = planner::design(canonical, limits(), tuning);
            EXPECT_EQ(planner::plan(recipe, canonical, limits(), {Direction::forward, tuning}).schedule.steps.size(),
                      2 * tuning.passes.size() - 1)
                << text;
        }
    }
}

/// Of 64 x 2 points for 37, elements 19 to 63 of the first pass's columns are padding, and nobody wants them in the
/// last: five of a butterfly's eight legs.
TEST(PaddedPasses, WholeLegsOfPaddingAreNotTouched) {
    const problem::Canonical canonical = problem::normalise(parse_problem("37 c2c f32 batch=17"));
    Tuning tuning = passes({64, 2});
    tuning.algorithm = Algorithm::bluestein;
    const DeviceLimits limits = large_gpu();
    const planner::Recipe recipe = planner::design(canonical, limits, tuning);
    const auto count = [](const kernels::KernelSpec& spec, ir::Op op) {
        const ir::Kernel kernel = kernels::generate(spec);
        return std::count_if(kernel.code.begin(), kernel.code.end(), [&](const ir::Instruction& i) {
            return i.op == op && kernel.buffers[i.symbol].name == (op == ir::Op::global_load ? "in" : "out");
        });
    };
    const auto steps = planner::plan(recipe, canonical, limits, {Direction::forward, tuning}).schedule.steps;
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_EQ(steps.front().spec.radices, (std::vector<std::uint32_t>{8, 8}));
    EXPECT_EQ(count(steps.front().spec, ir::Op::global_load), 3);
    EXPECT_EQ(count(steps.front().spec, ir::Op::global_store), 8);
    EXPECT_EQ(count(steps.back().spec, ir::Op::global_load), 8);
    EXPECT_EQ(count(steps.back().spec, ir::Op::global_store), 3);
}

TEST_P(Schedules, ForcedBluestein) {
    for (const char* text : {"2 c2c f32", "24 c2c f64 batch=3", "10x12 c2c f32"})
        expect_transform(text, limits(), by(Algorithm::bluestein));
}

INSTANTIATE_TEST_SUITE_P(Devices, Schedules, testing::Values(0, 1, 2, 3));

DeviceLimits lanes_of_a_cpu() {
    DeviceLimits limits;
    limits.vectors = Vectors::implicit_simd;
    limits.subgroup_size = 8;
    limits.shared_bytes = limits.shared_bytes_per_unit = 32 * 1024;
    return limits;
}

// Points exchanged whole or, where there is no room, by parts; twiddles of two factors; radices beyond 16; no deals.
TEST(OneByOne, EveryClass) {
    for (const char* text :
         {"1 c2c f32 batch=9", "2 c2c f32 batch=70", "16 c2c f64 batch=5", "30 c2c f32 batch=4 istrides=3 idist=100",
          "32 c2c f32 batch=3", "64 c2c f32", "101 c2c f32 batch=2", "509 c2c f64", "1000 c2c f32 in-place batch=2",
          "1024 c2c f32 batch=3", "2048 c2c f32", "32x17 c2c f32 axes=0", "64x40 c2c f32"})
        expect_transform(text, lanes_of_a_cpu());
    for (const char* text : {"1024 c2c f32 in-place", "1000 c2c f64 batch=2", "509 c2c f32"})
        expect_transform(text, tight(lanes_of_a_cpu()));
}

// Columns, twiddles between passes, strides, and points that begin beside a multiple of four.
TEST(OneByOne, NeighboursOfAnyLayout) {
    for (const char* text : {"64 c2c f32 batch=5", "60 c2c f32 in-place", "128 c2c f32 batch=3 istrides=2 idist=300",
                             "64x24 c2c f32", "192 c2c f32 ooffset=8 batch=3"})
        expect_transform(text, lanes_of_a_cpu());
    for (const char* text : {"1024 c2c f32", "1536 c2c f32 in-place"}) expect_transform(text, tight(lanes_of_a_cpu()));
}

std::string kernel(const char* text, const DeviceLimits& limits) {
    const problem::Canonical c = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(c, limits, {});
    return kernels::to_string(planner::plan(recipe, c, limits, {Direction::forward, {}}).schedule.steps.front().spec);
}

// Four where every stage has them, the first in one butterfly, and a thread at most 128 points.
TEST(OneByOne, NeighboursAreExchangedAtOnce) {
    const auto neighbours = [](const char* text, const Tuning& tuning = {}) {
        const problem::Canonical c = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(c, lanes_of_a_cpu(), tuning);
        const auto steps = planner::plan(recipe, c, lanes_of_a_cpu(), {Direction::forward, tuning}).schedule.steps;
        return std::get<kernels::GroupShape>(steps.front().spec.shape).exchange.neighbours;
    };
    for (const char* text : {"64", "1024", "2048", "4096"}) EXPECT_EQ(neighbours(text), 4u) << text;
    for (const char* text : {"60", "1000", "3000"}) EXPECT_EQ(neighbours(text), 2u) << text;
    for (const char* text : {"16", "3125", "1024 f64", "8192", "101", "1024 r2c"})
        EXPECT_EQ(neighbours(text), 1u) << text;
    Tuning tuning;
    tuning.radices = {64, 64};
    EXPECT_EQ(neighbours("4096", tuning), 2u);
}

// 32 KiB of both parts are most of a unit that has 48, and little of one that has 228.
TEST(SharedMemory, OfAUnitDecidesWhetherPartsAreExchangedAtOnce) {
    DeviceLimits limits = large_gpu();
    limits.shared_bytes = limits.shared_bytes_per_unit = 48 * 1024;
    for (const char* text : {"1024", "4096"}) {
        EXPECT_NE(kernel(text, limits).find("exchange=split"), std::string::npos) << kernel(text, limits);
        expect_transform(std::string(text) + " c2c f32 batch=3", limits);
    }
    EXPECT_NE(kernel("64", limits).find("exchange=full"), std::string::npos) << "there is room for three groups";
    limits.shared_bytes_per_unit = 228 * 1024;
    EXPECT_NE(kernel("1024", limits).find("exchange=full"), std::string::npos) << kernel("1024", limits);
}

// Neighbouring threads store 64 bytes where more of them can, though some have less to do.
TEST(Threads, FillTwoSectors) {
    DeviceLimits limits = large_gpu();
    limits.bounds_registers = false;
    EXPECT_NE(kernel("32", limits).find("radices=8x4 threads=8 "), std::string::npos);
    EXPECT_NE(kernel("192", limits).find("radices=16x12 threads=16 "), std::string::npos);
    EXPECT_NE(kernel("32 f64", limits).find("radices=8x4 threads=4 "), std::string::npos);
    EXPECT_NE(kernel("160", large_gpu()).find("threads=10 "), std::string::npos) << "stored as one run";
}

// A thread has a whole sequence where registers can be bounded and the sequences are one run.
TEST(Threads, HaveWholeSequences) {
    for (const char* text : {"32", "48", "60", "32 f64", "40 f64", "48 f16", "41", "61", "37 f64"}) {
        const std::string n = std::string(text).substr(0, 2);
        EXPECT_NE(kernel(text, large_gpu()).find("radices=1x" + n + "x1 threads=1 "), std::string::npos)
            << kernel(text, large_gpu());
        if (std::string(text).find("f16") != std::string::npos) continue;
        expect_transform(std::string(text) + " batch=67", large_gpu());
        expect_transform("3x" + std::string(text) + " batch=5", large_gpu());
    }
    for (const char* text : {"63", "50 f16", "25 f64", "3x32x3 axes=1"})
        EXPECT_EQ(kernel(text, large_gpu()).find("threads=1 "), std::string::npos) << kernel(text, large_gpu());
    Tuning tuning;
    tuning.threads_per_transform = 8;
    const problem::Canonical c = problem::normalise(parse_problem("48"));
    EXPECT_EQ(planner::to_string(planner::design(c, large_gpu(), tuning)), "(stockham 48 8 6)");
    for (const char* text : {"592", "1681", "74 f64 batch=3", "37x41", "2x53x3", "122 in-place batch=3"})
        expect_transform(text, large_gpu());
}

// Two radices where a group's runs have room in both planes, but as before where the other pass has other threads.
TEST(Threads, OfStridedPassesHaveTwoRadices) {
    EXPECT_NE(kernel("262144 batch=64", large_gpu()).find("radices=32x16 threads=16 "), std::string::npos);
    EXPECT_NE(kernel("147456 batch=64", large_gpu()).find("radices=24x16 threads=16 "), std::string::npos);
    EXPECT_EQ(kernel("250000 batch=64", large_gpu()).find("radices=25x20"), std::string::npos);
    expect_transform("512x3x2", large_gpu());
    expect_transform("240x128", large_gpu());  // a measured core of columns
    expect_transform("125x130 axes=0 batch=2", large_gpu());
    expect_transform("400x3x4 in-place", large_gpu());
}

// 32 points in registers, or of a length without neighbours 64: one exchange where a GPU has two.
TEST(OneByOne, FewExchanges) {
    EXPECT_NE(kernel("1024", lanes_of_a_cpu()).find("radices=32x32 threads=8 sequences=4 exchange=full scalarised"),
              std::string::npos)
        << kernel("1024", lanes_of_a_cpu());
    EXPECT_NE(kernel("1155", lanes_of_a_cpu()).find("radices=35x33"), std::string::npos);
    EXPECT_NE(kernel("4096", large_gpu()).find("radices=16x16x16"), std::string::npos);
}

/// A card whose memory is as fast as an H200's; every batch is larger than its cache.
DeviceLimits fast_memory() {
    DeviceLimits limits = card_of_kind();
    limits.memory_bytes_per_second = 4'800'000'000'000;
    limits.cache_bytes = 1024;
    return limits;
}

// Columns, rows of a plane, and both halves of a tile that is no power of two.
TEST(Runs, OfAWorkspaceBetweenTwoPasses) {
    Tuning tuning = passes({64, 32});
    tuning.transforms_per_group = 4;
    tuning.separate_passes = true;
    Tuning of_planes = tuning;
    of_planes.passes.clear();
    const auto run = [](const std::string& text, const Tuning& forced, Direction direction) {
        const planner::Schedule schedule = schedule_of(text, direction, forced, fast_memory());
        return schedule.steps.at(1).spec.in.run;
    };
    const auto expect_runs = [&](const std::string& text, const Tuning& forced) {
        for (const Direction direction : {Direction::forward, Direction::inverse})
            EXPECT_EQ(run(text, forced, direction), 4u) << text;
        expect_transform(text, fast_memory(), forced);
    };
    for (const char* text : {"2048 batch=3", "2048 in-place batch=2", "2048 istrides=3 idist=6200 batch=2",
                             "2048 forward-scale=2 inverse-scale=1/n"})
        expect_runs(text, tuning);
    for (const char* text :
         {"64x32 batch=3", "32x64 in-place batch=2", "64x48", "36x64", "32x64 istrides=80,1 idist=2600 batch=2"})
        expect_runs(text, of_planes);
    // Not where results are strided, other loops are between, the input is lent, or a run would be a line anyway.
    for (const char* text : {"32x64 ostrides=80,1", "32x64x3 axes=0,1", "64x32 overwrite-input", "30x34",
                             "64x32 storage=f16", "64x32 planar"})
        EXPECT_EQ(run(text, of_planes, Direction::forward), 1u) << text;
    EXPECT_EQ(run("2048 signal-zeros=0:100-1000", tuning, Direction::forward), 1u) << "its loop says what is zero";
    of_planes.transforms_per_group = 16;
    EXPECT_EQ(run("64x32", of_planes, Direction::forward), 1u);
}

}  // namespace
