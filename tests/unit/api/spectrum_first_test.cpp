// Operators that begin with a spectrum, against sums in double precision: boxes and lists of modes, stages, and what
// they move and refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numeric>
#include <random>

#include "seiche/error.hpp"
#include "seiche/spectral.hpp"

namespace {

using namespace seiche;
using Point = std::complex<double>;
using Points = std::vector<Point>;
using Lengths = std::vector<std::uint64_t>;
using Waves = std::vector<std::int64_t>;

constexpr double pi = 3.14159265358979323846;

std::uint64_t product_of(const Lengths& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The sums of one axis after the other, without a scale.
Points transformed(Points x, const Lengths& lengths, double sign) {
    std::uint64_t stride = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0; stride *= lengths[axis]) {
        const std::uint64_t n = lengths[axis];
        Points roots(n), y(x.size());
        for (std::uint64_t k = 0; k < n; ++k)
            roots[k] = std::polar(1.0, sign * 2 * pi * static_cast<double>(k) / static_cast<double>(n));
        for (std::uint64_t i = 0; i < x.size(); ++i) {
            const std::uint64_t k = i / stride % n, first = i - k * stride;
            for (std::uint64_t j = 0; j < n; ++j) y[i] += x[first + j * stride] * roots[j * k % n];
        }
        x = y;
    }
    return x;
}

Points random_modes(std::size_t count, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Points x(count);
    for (Point& point : x) {
        const auto re = static_cast<float>(uniform(random)), im = static_cast<float>(uniform(random));
        point = {re, im};
    }
    return x;
}

/// The bins that an array has, in its order.
std::vector<std::uint64_t> bins_of(const SpectralProblem& p) {
    const std::size_t rank = p.lengths.size();
    const auto bin = [&](const auto& wave_along) {
        std::uint64_t place = 0;
        for (std::size_t i = 0; i < rank; ++i) {
            const auto n = static_cast<std::int64_t>(p.lengths[i]);
            place = place * p.lengths[i] + static_cast<std::uint64_t>((wave_along(i) + n) % n);
        }
        return place;
    };
    std::vector<std::uint64_t> bins;
    for (std::size_t mode = 0; mode < p.packed.size() / rank; ++mode)
        bins.push_back(bin([&](std::size_t i) { return p.packed[mode * rank + i]; }));
    for (std::uint64_t place = 0; p.packed.empty() && place < product_of(p.lengths); ++place) {
        std::uint64_t rest = place;
        bool is_kept = true;
        for (std::size_t i = rank; i-- > 0; rest /= p.lengths[i]) {
            const auto n = static_cast<std::int64_t>(p.lengths[i]),
                       index = static_cast<std::int64_t>(rest % p.lengths[i]);
            const std::int64_t wave = 2 * index < n ? index : index - n;
            is_kept = is_kept && (p.kept.empty() || (wave >= p.kept[i].begin && wave < p.kept[i].end));
        }
        if (is_kept) bins.push_back(place);
    }
    return bins;
}

struct Case {
    SpectralProblem problem;
    std::vector<double> potential;  ///< Of the grid; empty: there is no middle stage.
};

Points expected_modes(const Case& given, const std::vector<std::uint64_t>& bins, const Points& modes) {
    Points grid(product_of(given.problem.lengths));
    for (std::size_t i = 0; i < bins.size(); ++i) grid[bins[i]] = modes[i];
    grid = transformed(std::move(grid), given.problem.lengths, 1);
    for (std::size_t i = 0; i < grid.size(); ++i) {
        if (!given.potential.empty()) grid[i] *= given.potential[i];
        grid[i] *= given.problem.scale / static_cast<double>(grid.size());
    }
    grid = transformed(std::move(grid), given.problem.lengths, -1);
    Points result;
    for (const std::uint64_t at : bins) result.push_back(grid[at]);
    return result;
}

template <class Real>
Points executed(const SpectralPlan& plan, const Points& modes, const std::vector<double>& potential,
                std::optional<std::uint64_t> batch = {}) {
    const Device& device = plan.device();
    Queue queue = device.create_queue();
    const std::vector<std::complex<Real>> given(modes.begin(), modes.end());
    const std::vector<Real> values(potential.begin(), potential.end());
    std::vector<std::complex<Real>> result(given.size(), std::complex<Real>(NAN, NAN));
    const std::uint64_t bytes = given.size() * sizeof given.front();
    EXPECT_EQ(plan.input_bytes(batch), bytes);
    EXPECT_EQ(plan.output_bytes(batch), bytes);
    SpectralExecution execution;
    execution.batch = batch;
    execution.input = device.allocate(bytes);
    execution.output = device.allocate(bytes);
    if (plan.workspace_bytes(batch) != 0) execution.workspace = device.allocate(plan.workspace_bytes(batch));
    queue.upload(execution.input, given.data(), bytes);
    queue.upload(execution.output, result.data(), bytes);
    if (!values.empty()) {
        const Buffer v = device.allocate(values.size() * sizeof(Real));
        queue.upload(v, values.data(), values.size() * sizeof(Real));
        execution.stage_buffers = {{"v", v}};
    }
    plan.execute(queue, execution);
    queue.download(result.data(), execution.output, bytes);
    std::vector<std::complex<Real>> kept(given.size());
    queue.download(kept.data(), execution.input, bytes);
    EXPECT_EQ(kept, given);
    return {result.begin(), result.end()};
}

Points executed_in(const SpectralPlan& plan, const Points& modes, const std::vector<double>& potential,
                   std::optional<std::uint64_t> batch = {}) {
    return plan.problem().precision == Precision::f64 ? executed<double>(plan, modes, potential, batch)
                                                      : executed<float>(plan, modes, potential, batch);
}

double bound_of(const SpectralProblem& p) {
    const double unit = p.precision == Precision::f64 ? 0x1p-53 : 0x1p-24;
    return 6 * unit * std::sqrt(std::log2(2.0 * static_cast<double>(product_of(p.lengths))));
}

void expect_close(const Points& got, const Points& right, double bound) {
    ASSERT_EQ(got.size(), right.size());
    double error = 0, size = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        error += std::norm(got[i] - right[i]);
        size += std::norm(right[i]);
    }
    EXPECT_LE(std::sqrt(error), bound * std::sqrt(size));
}

void expect_right(const SpectralPlan& plan, const Case& given) {
    const SpectralProblem& p = given.problem;
    SCOPED_TRACE(to_string(p) + " " + plan.report().recipe);
    const std::vector<std::uint64_t> bins = bins_of(p);
    const Points modes = random_modes(bins.size() * p.batch), got = executed_in(plan, modes, given.potential);
    ASSERT_EQ(got.size(), modes.size());
    for (std::uint64_t b = 0; b < p.batch; ++b) {
        const auto begin = static_cast<std::ptrdiff_t>(b * bins.size()),
                   end = begin + static_cast<std::ptrdiff_t>(bins.size());
        SCOPED_TRACE("array " + std::to_string(b));
        expect_close({got.begin() + begin, got.begin() + end},
                     expected_modes(given, bins, {modes.begin() + begin, modes.begin() + end}), bound_of(p));
    }
}

void expect_right(const char* device, const Case& given) {
    SCOPED_TRACE(device);
    expect_right(SpectralPlan(Device::open(device), given.problem), given);
}

/// With a potential on the grid, of which no two points have the same.
Case case_of(const Lengths& lengths, Precision precision = Precision::f64) {
    Case made;
    SpectralProblem& p = made.problem;
    p.lengths = lengths;
    p.numbers = SpectralNumbers::complex;
    p.precision = precision;
    p.order = SpectralOrder::spectrum_first;
    std::string place = "i0";
    for (std::size_t i = 1; i < lengths.size(); ++i)
        place = "(" + place + ") * n" + std::to_string(i) + " + i" + std::to_string(i);
    p.middle = "return value * v[" + place + "];";
    p.middle.buffers = {{"v", precision == Precision::f64 ? StageType::f64 : StageType::f32, product_of(lengths)}};
    for (std::uint64_t i = 0; i < product_of(lengths); ++i)
        made.potential.push_back(1 + static_cast<double>(i * 7 % 64) / 64);
    return made;
}

constexpr const char* devices[] = {"reference", "cpu"};

TEST(SpectrumFirst, AllBinsOfAnyLength) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{1},
                                                           {2},
                                                           {24},
                                                           {101},
                                                           {1009},
                                                           {2 * 1009},
                                                           {2048},
                                                           {6, 1},
                                                           {1, 6},
                                                           {7, 9},
                                                           {16, 12},
                                                           {331, 3},
                                                           {3, 331},
                                                           {3, 4, 5},
                                                           {8, 1, 12},
                                                           {30, 20, 4},
                                                           {2, 3, 4, 5}}) {
            Case given = case_of(lengths);
            given.problem.batch = 2;
            given.problem.scale = 0.75;
            expect_right(device, given);
        }
}

TEST(SpectrumFirst, WithoutStagesItIsAScale) {
    for (const char* device : devices)
        for (const Lengths& lengths : std::vector<Lengths>{{1}, {24}, {101}, {7, 9}, {3, 4, 5}}) {
            Case given = case_of(lengths, Precision::f32);
            given.problem.middle = {};
            given.potential.clear();
            given.problem.scale = 0.75;
            expect_right(device, given);
        }
}

TEST(SpectrumFirst, LongAxesTakeSeveralPasses) {
    for (const auto& [name, n] :
         {std::pair{"reference", std::uint64_t{1} << 15}, std::pair{"cpu", std::uint64_t{1} << 18}}) {
        SpectralProblem p = case_of({n}, Precision::f32).problem;
        p.middle = "let turn = 2 * mod(i0 * 5, n0) / n0; return value * complex(cospi(turn), sinpi(turn));";
        const SpectralPlan plan(Device::open(name), p);
        EXPECT_GE(plan.report().kernels.size(), 3u);
        const Points modes = random_modes(n), got = executed<float>(plan, modes, {});
        for (std::uint64_t i = 0; i < n; ++i) ASSERT_LE(std::abs(got[(i + 5) % n] - modes[i]), 1e-5) << i;
    }
}

TEST(SpectrumFirst, BoxesOfModes) {
    const std::vector<std::pair<Lengths, std::vector<ModeRange>>> boxes = {
        {{20}, {{0, 5}}},
        {{20}, {{3, 7}}},
        {{20}, {{-6, -1}}},
        {{21}, {{-6, 4}}},
        {{12, 15}, {{-3, 3}, {0, 5}}},
        {{12, 15}, {{-3, 4}, {-2, 3}}},
        {{16, 16}, {{0, 8}, {0, 8}}},
        {{9, 1, 10}, {{-4, 5}, {0, 1}, {-3, 2}}},
        {{12, 10, 8}, {{-3, 4}, {-2, 3}, {-2, 3}}},
        {{12, 10, 14}, {{2, 4}, {-5, 5}, {-2, 3}}},
        {{101, 4}, {{-20, 21}, {-1, 1}}},
    };
    for (const char* device : devices)
        for (const Precision precision : {Precision::f32, Precision::f64})
            for (const auto& [lengths, kept] : boxes) {
                Case given = case_of(lengths, precision);
                given.problem.kept = kept;
                given.problem.batch = 3;
                expect_right(device, given);
            }
}

/// The modes of a sphere about 0, column by column, or in any order.
Waves sphere(const Lengths& lengths, double radius, bool is_shuffled = false) {
    std::vector<Waves> modes;
    for (std::uint64_t i = 0; i < product_of(lengths); ++i) {
        Waves waves(lengths.size());
        std::uint64_t rest = i;
        double size = 0;
        for (std::size_t axis = lengths.size(); axis-- > 0; rest /= lengths[axis]) {
            const auto n = static_cast<std::int64_t>(lengths[axis]),
                       at = static_cast<std::int64_t>(rest % lengths[axis]);
            waves[axis] = 2 * at < n ? at : at - n;
            size += std::pow(static_cast<double>(waves[axis]), 2);
        }
        if (size <= radius * radius) modes.push_back(waves);
    }
    std::mt19937_64 random(7);
    if (is_shuffled) std::shuffle(modes.begin(), modes.end(), random);
    Waves all;
    for (const Waves& mode : modes) all.insert(all.end(), mode.begin(), mode.end());
    return all;
}

TEST(SpectrumFirst, PackedModesOfASphere) {
    for (const char* device : devices)
        for (const Precision precision : {Precision::f32, Precision::f64})
            for (const bool is_shuffled : {false, true})
                for (const auto& [lengths, radius] : std::vector<std::pair<Lengths, double>>{{{20}, 5},
                                                                                             {{15, 12}, 3.2},
                                                                                             {{12, 10, 9}, 3},
                                                                                             {{8, 1, 6}, 2.5},
                                                                                             {{16, 16, 16}, 4},
                                                                                             {{5, 5}, 0}}) {
                    Case given = case_of(lengths, precision);
                    given.problem.packed = sphere(lengths, radius, is_shuffled);
                    given.problem.batch = 3;
                    expect_right(device, given);
                }
}

TEST(SpectrumFirst, PackedModesOfAPlaneOnChip) {
    Case given = case_of({16, 12});
    given.problem.packed = {3, 4, 0, 0, 5, 1, 1, 5, 2, 2};
    given.problem.batch = 3;
    const SpectralPlan plan(Device::open("reference"), given.problem);
    EXPECT_EQ(plan.report().kernels.size(), 1u) << plan.report().recipe;
    expect_right(plan, given);
}

TEST(SpectrumFirst, AnotherBatch) {
    for (const char* device : devices) {
        Case given = case_of({12, 10, 9}, Precision::f32);
        given.problem.packed = sphere(given.problem.lengths, 3);
        const SpectralPlan plan(Device::open(device), given.problem);
        const std::vector<std::uint64_t> bins = bins_of(given.problem);
        const Points modes = random_modes(5 * bins.size());
        const Points got = executed<float>(plan, modes, given.potential, 5);
        for (std::size_t b = 0; b < 5; ++b) {
            const auto begin = static_cast<std::ptrdiff_t>(b * bins.size());
            const auto end = begin + static_cast<std::ptrdiff_t>(bins.size());
            expect_close({got.begin() + begin, got.begin() + end},
                         expected_modes(given, bins, {modes.begin() + begin, modes.begin() + end}),
                         bound_of(given.problem));
        }
    }
}

/// Stages of both ends see the modes that an array has, and their indices in the whole spectrum.
TEST(SpectrumFirst, StagesOfBothEnds) {
    for (const char* device : devices)
        for (const bool is_packed : {false, true}) {
            Case given = case_of({12, 10});
            SpectralProblem& p = given.problem;
            p.kept = {{-3, 4}, {-2, 3}};
            if (is_packed) {
                p.kept.clear();
                p.packed = sphere(p.lengths, 3, true);
            }
            p.load = "return value * (i0 + 1);";
            p.store = "return value * complex(0, i1 + 2);";
            const std::vector<std::uint64_t> bins = bins_of(p);
            const Points modes = random_modes(bins.size());
            Points loaded = modes;
            for (std::size_t i = 0; i < bins.size(); ++i) loaded[i] *= static_cast<double>(bins[i] / 10 + 1);
            Points right = expected_modes(given, bins, loaded);
            for (std::size_t i = 0; i < bins.size(); ++i) right[i] *= Point(0, static_cast<double>(bins[i] % 10 + 2));
            const SpectralPlan plan(Device::open(device), p);
            expect_close(executed_in(plan, modes, given.potential), right, bound_of(p));
        }
}

TEST(SpectrumFirst, IsSavedWithItsModes) {
    const Device device = Device::open("cpu");
    Case given = case_of({12, 10, 9});
    given.problem.packed = sphere(given.problem.lengths, 3, true);
    const SpectralPlan plan = SpectralPlan::load(device, SpectralPlan(device, given.problem).save());
    EXPECT_EQ(plan.problem().packed, given.problem.packed);
    EXPECT_EQ(plan.problem().order, SpectralOrder::spectrum_first);
    expect_right(plan, given);
}

/// Bands of plane waves: what is moved is each pass's box, and of the arrays the modes alone.
TEST(SpectrumFirst, MovesTheModesAlone) {
    constexpr std::uint64_t n = 32, bands = 4, pair = 16;
    SpectralProblem p = case_of({n, n, n}).problem;
    p.batch = bands;
    p.packed = sphere(p.lengths, static_cast<double>(n) / 4);
    const std::uint64_t modes = p.packed.size() / 3, box = 2 * (n / 4) + 1;
    const std::uint64_t rows = box * box * n, planes = box * n * n, grid = n * n * n;
    const PlanReport report = inspect(p, Device::open("reference").limits());
    ASSERT_EQ(report.kernels.size(), 5u) << report.recipe;
    const std::uint64_t positions = 4 * box * box * box;
    const auto moved = [&](std::size_t kernel) {
        return std::pair(report.kernels[kernel].bytes_read, report.kernels[kernel].bytes_written);
    };
    const auto bytes = [&](std::uint64_t read, std::uint64_t written, std::uint64_t beside = 0) {
        return std::pair(read * bands * pair + beside, written * bands * pair);
    };
    EXPECT_EQ(moved(0), bytes(modes, rows, positions));
    EXPECT_EQ(moved(1), bytes(rows, planes));
    EXPECT_EQ(moved(2), bytes(planes, planes, grid * 8));
    EXPECT_EQ(moved(3), bytes(planes, rows));
    EXPECT_EQ(moved(4), bytes(rows, modes, positions));
    EXPECT_EQ(report.ideal_bytes, 2 * modes * bands * pair + grid * 8);
    for (const AnalysisReport& kernel : analyse(p, Device::open("reference").limits())) {
        EXPECT_EQ(kernel.out_of_bounds, 0u) << kernel.kernel;
        EXPECT_EQ(kernel.uninitialised_reads, 0u) << kernel.kernel;
        EXPECT_EQ(kernel.races, 0u) << kernel.kernel;
    }
}

TEST(SpectrumFirst, TextHasTheOrder) {
    const SpectralProblem p = parse_spectral("8x6 complex f64 spectrum-first");
    EXPECT_EQ(p.order, SpectralOrder::spectrum_first);
    EXPECT_EQ(to_string(p), "8x6 complex f64 spectrum-first");
    SpectralProblem packed = p;
    packed.packed = {0, 0, 1, -1};
    EXPECT_EQ(to_string(packed), "8x6 complex f64 spectrum-first packed=2");
    EXPECT_STREQ(to_string(SpectralOrder::points_first), "points-first");
}

TEST(SpectrumFirst, RefusesWhatItCannotBe) {
    const auto refused = [](const char* says, const auto& change) {
        SpectralProblem p = case_of({8, 6}).problem;
        change(p);
        try {
            SpectralPlan(Device::open("reference"), p);
            ADD_FAILURE() << says << ": was taken";
        } catch (const InvalidProblem& error) {
            EXPECT_EQ(std::string(error.what()).find("InvalidProblem: " + std::string(says)), 0u) << error.what();
        }
    };
    refused("spectral.numbers: expected complex with the order spectrum-first, got real",
            [](SpectralProblem& p) { p.numbers = SpectralNumbers::real; });
    refused("spectral.input: expected none with the order spectrum-first, got ranges", [](SpectralProblem& p) {
        p.input = {{0, 4}, {0, 4}};
    });
    refused("spectral.channels: expected none with", [](SpectralProblem& p) { p.channels = {2, 2}; });
    refused("spectral.packed: expected none unless the order is spectrum-first", [](SpectralProblem& p) {
        p.order = SpectralOrder::points_first;
        p.packed = {0, 0};
    });
    refused("spectral.packed: expected none beside kept", [](SpectralProblem& p) {
        p.kept = {{0, 2}, {0, 2}};
        p.packed = {0, 0};
    });
    refused("spectral.packed: expected 2 wave numbers for each", [](SpectralProblem& p) { p.packed = {0, 0, 1}; });
    refused("spectral.packed: expected wave numbers from -3 to 2 along axis 1, got 3 in mode 1",
            [](SpectralProblem& p) {
                p.packed = {0, 0, 1, 3};
            });
    refused("spectral.packed: expected each mode once, got mode 2 again, which is 0",
            [](SpectralProblem& p) { p.packed = {1, -1, 0, 2, 1, -1}; });
    refused("spectral.middle: line 1, column 16: expected a name that is declared, got 'k0'",
            [](SpectralProblem& p) { p.middle = "return value * k0;"; });
}

}  // namespace
