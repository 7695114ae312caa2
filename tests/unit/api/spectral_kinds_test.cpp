// Spectral operators with real-to-real axes: against sums by FFTW's definitions and against separate plans in double
// precision, on the interpreter, the processor and OpenCL; what they move, keep and refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <random>

#include "seiche/error.hpp"
#include "seiche/spectral.hpp"

namespace {

using namespace seiche;
using AxisKind = SpectralAxisKind;
using Point = std::complex<double>;
using Points = std::vector<Point>;
using Lengths = std::vector<std::uint64_t>;
using Index = std::vector<std::uint64_t>;

constexpr double pi = 3.14159265358979323846;
const std::vector<AxisKind> real_kinds = {AxisKind::dct1, AxisKind::dct2, AxisKind::dct3, AxisKind::dct4,
                                          AxisKind::dst1, AxisKind::dst2, AxisKind::dst3, AxisKind::dst4};

std::vector<std::string> devices_of_tests() {
#ifndef __SANITIZE_ADDRESS__  // looking for devices loads drivers that leak
    for (const DeviceInfo& device : devices())
        if (device.backend == Backend::opencl) return {"reference", "cpu", "opencl"};
#endif
    return {"reference", "cpu"};
}

Kind kind_of(AxisKind kind) {
    switch (kind) {
        case AxisKind::dct1: return Kind::dct1;
        case AxisKind::dct2: return Kind::dct2;
        case AxisKind::dct3: return Kind::dct3;
        case AxisKind::dct4: return Kind::dct4;
        case AxisKind::dst1: return Kind::dst1;
        case AxisKind::dst2: return Kind::dst2;
        case AxisKind::dst3: return Kind::dst3;
        case AxisKind::dst4: return Kind::dst4;
        case AxisKind::periodic: break;
    }
    return Kind::c2c;
}

/// How much element j of the input counts for element k of the output, as FFTW's manual has it.
double weight(Kind kind, std::uint64_t n, std::uint64_t j_of, std::uint64_t k_of) {
    const long double turn = std::acos(-1.0L), count = n, j = j_of, k = k_of;
    const auto cosine = [&](long double halves) { return static_cast<double>(2 * std::cos(turn * halves)); };
    const auto sine = [&](long double halves) { return static_cast<double>(2 * std::sin(turn * halves)); };
    const double alternating = k_of % 2 == 0 ? 1.0 : -1.0;
    switch (kind) {
        case Kind::dct1: return j_of == 0 ? 1.0 : j_of + 1 == n ? alternating : cosine(j * k / (count - 1));
        case Kind::dct2: return cosine((j + 0.5L) * k / count);
        case Kind::dct3: return j_of == 0 ? 1.0 : cosine(j * (k + 0.5L) / count);
        case Kind::dct4: return cosine((j + 0.5L) * (k + 0.5L) / count);
        case Kind::dst1: return sine((j + 1) * (k + 1) / (count + 1));
        case Kind::dst2: return sine((j + 0.5L) * (k + 1) / count);
        case Kind::dst3: return j_of + 1 == n ? alternating : sine((j + 1) * (k + 0.5L) / count);
        case Kind::dst4: return sine((j + 0.5L) * (k + 0.5L) / count);
        default: return 0;
    }
}

std::uint64_t product(const Lengths& lengths) {
    std::uint64_t all = 1;
    for (const std::uint64_t length : lengths) all *= length;
    return all;
}

Index index_of(std::uint64_t element, const Lengths& lengths) {
    Index index(lengths.size());
    for (std::size_t i = lengths.size(); i-- > 0; element /= lengths[i]) index[i] = element % lengths[i];
    return index;
}

bool is_periodic(const SpectralProblem& p, std::size_t axis) { return p.kinds[axis] == AxisKind::periodic; }

std::size_t halved_axis(const SpectralProblem& p) {
    std::size_t halved = p.lengths.size();
    for (std::size_t axis = 0; axis < p.lengths.size(); ++axis)
        if (is_periodic(p, axis)) halved = axis;
    return halved;
}

double wave_number(const SpectralProblem& p, const Index& index, std::size_t axis) {
    const auto n = static_cast<double>(p.lengths[axis]), i = static_cast<double>(index[axis]);
    switch (p.kinds[axis]) {
        case AxisKind::periodic: return axis == halved_axis(p) || 2 * i < n ? i : i - n;
        case AxisKind::dct1:
        case AxisKind::dct2: return i;
        case AxisKind::dst1:
        case AxisKind::dst2: return i + 1;
        default: return i + 0.5;
    }
}

/// How one axis of an array goes there (sign -1) or back (1), unscaled.
using AxisTransform = std::function<Points(const SpectralProblem&, const Points&, std::size_t axis, int sign)>;

Points by_sums(const SpectralProblem& p, const Points& x, std::size_t axis, int sign) {
    const std::uint64_t n = p.lengths[axis];
    const Kind forward = kind_of(p.kinds[axis]), kind = sign < 0 ? forward : inverse_of(forward);
    std::uint64_t stride = 1;
    for (std::size_t i = axis + 1; i < p.lengths.size(); ++i) stride *= p.lengths[i];
    Points y(x.size());
    for (std::uint64_t i = 0; i < x.size(); ++i) {
        const std::uint64_t k = i / stride % n, first = i - k * stride;
        for (std::uint64_t j = 0; j < n; ++j) {
            const double turn = sign * 2 * pi * static_cast<double>(j * k % n) / static_cast<double>(n);
            y[i] +=
                x[first + j * stride] * (is_periodic(p, axis) ? std::polar(1.0, turn) : Point(weight(kind, n, j, k)));
        }
    }
    return y;
}

/// By a plan for this axis alone, in double precision; of a complex array each part by itself.
Points by_plans(const SpectralProblem& p, const Points& x, std::size_t axis, int sign) {
    Problem one;
    one.lengths = p.lengths;
    one.axes = {static_cast<int>(axis)};
    one.kind = kind_of(p.kinds[axis]);
    one.precision = Precision::f64;
    const Plan plan(Device::open("cpu"), one);
    const Direction direction = sign < 0 ? Direction::forward : Direction::inverse;
    if (is_periodic(p, axis)) return plan.transform<Point>(x, direction);
    std::array<std::vector<double>, 2> parts;
    for (const Point& point : x) {
        parts[0].push_back(point.real());
        parts[1].push_back(point.imag());
    }
    for (std::vector<double>& part : parts) part = plan.transform<double>(part, direction);
    Points y;
    for (std::size_t i = 0; i < x.size(); ++i) y.emplace_back(parts[0][i], parts[1][i]);
    return y;
}

/// The upper half of the halved axis is what a complex to real transform makes of the lower one.
void complete_spectrum(const SpectralProblem& p, Points& x) {
    const std::size_t halved = halved_axis(p);
    for (std::uint64_t i = 0; halved != p.lengths.size() && i < x.size(); ++i) {
        const Index index = index_of(i, p.lengths);
        if (2 * index[halved] <= p.lengths[halved]) continue;
        std::uint64_t mirror = 0;
        for (std::size_t axis = 0; axis < p.lengths.size(); ++axis) {
            const std::uint64_t n = p.lengths[axis];
            mirror = mirror * n + (is_periodic(p, axis) ? (n - index[axis]) % n : index[axis]);
        }
        x[i] = std::conj(x[mirror]);
    }
}

using Middle = std::function<Point(const Index&, Point)>;

bool is_inside(const Index& index, const std::vector<PointRange>& ranges) {
    bool inside = true;
    for (std::size_t i = 0; i < ranges.size(); ++i)
        inside = inside && index[i] >= ranges[i].begin && index[i] < ranges[i].end;
    return inside;
}

bool is_kept(const SpectralProblem& p, const Index& index) {
    bool inside = true;
    for (std::size_t i = 0; i < p.kept.size(); ++i) {
        const double k = std::floor(wave_number(p, index, i));
        inside = inside && k >= static_cast<double>(p.kept[i].begin) && k < static_cast<double>(p.kept[i].end);
    }
    return inside;
}

/// One array of the operator without stages at its ends.
std::vector<double> expected(const SpectralProblem& p, const std::vector<double>& input, const Middle& middle,
                             const AxisTransform& transform) {
    Points x(product(p.lengths));
    std::size_t next = 0;
    for (std::uint64_t i = 0; i < x.size(); ++i)
        if (is_inside(index_of(i, p.lengths), p.input)) x[i] = input[next++];
    double n = 1;
    for (std::size_t axis = 0; axis < p.lengths.size(); ++axis) {
        x = transform(p, x, axis, -1);
        n *= static_cast<double>(logical_length(kind_of(p.kinds[axis]), p.lengths[axis]));
    }
    const std::size_t halved = halved_axis(p);
    for (std::uint64_t i = 0; i < x.size(); ++i) {
        const Index index = index_of(i, p.lengths);
        if (halved != p.lengths.size() && 2 * index[halved] > p.lengths[halved]) continue;
        x[i] = is_kept(p, index) ? middle(index, x[i]) : 0;
    }
    complete_spectrum(p, x);
    for (std::size_t axis = 0; axis < p.lengths.size(); ++axis) x = transform(p, x, axis, 1);
    std::vector<double> y;
    for (std::uint64_t i = 0; i < x.size(); ++i)
        if (is_inside(index_of(i, p.lengths), p.output)) y.push_back(x[i].real() * p.scale / n);
    return y;
}

std::vector<double> random_numbers(std::size_t count) {
    std::mt19937_64 random(count);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> x(count);
    for (double& number : x) number = static_cast<float>(uniform(random));
    return x;
}

std::vector<double> applied(const SpectralPlan& plan, const std::vector<double>& x) {
    if (plan.problem().precision == Precision::f64) return plan.apply<double>(x);
    const auto y = plan.apply<float>(std::vector<float>(x.begin(), x.end()));
    return {y.begin(), y.end()};
}

void expect_right(const std::string& name, const SpectralProblem& p, const Middle& middle,
                  const AxisTransform& transform = by_sums) {
    SCOPED_TRACE(name + ": " + to_string(p) + " | " + p.middle.text);
    const SpectralPlan plan(Device::open(name), p);
    SCOPED_TRACE(plan.report().recipe);
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < p.lengths.size(); ++i)
        count *= p.input.empty() ? p.lengths[i] : p.input[i].end - p.input[i].begin;
    const std::vector<double> x = random_numbers(count * p.batch), y = applied(plan, x);
    SpectralProblem whole = p;  // a small part of the results is no more exact than all of them
    whole.output.clear();
    for (std::uint64_t b = 0; b < p.batch; ++b) {
        const auto begin = x.begin() + static_cast<std::ptrdiff_t>(b * count);
        const std::vector<double> right =
            expected(whole, {begin, begin + static_cast<std::ptrdiff_t>(count)}, middle, transform);
        double error = 0, size = 0;
        std::size_t next = y.size() / p.batch * b;
        for (std::size_t i = 0; i < right.size(); ++i) {
            if (is_inside(index_of(i, p.lengths), p.output)) error += std::pow(y.at(next++) - right[i], 2);
            size += std::pow(right[i], 2);
        }
        ASSERT_EQ(next, y.size() / p.batch * (b + 1));
        const double unit = p.precision == Precision::f64 ? 0x1p-53 : 0x1p-24;
        const double points = 4.0 * static_cast<double>(product(p.lengths));
        EXPECT_LE(std::sqrt(error), 6 * unit * std::sqrt(std::log2(points)) * std::sqrt(size)) << "array " << b;
    }
}

Point unchanged(const Index&, Point value) { return value; }

SpectralProblem operator_of(Lengths lengths, std::vector<AxisKind> kinds) {
    SpectralProblem p;
    p.lengths = std::move(lengths);
    p.kinds = std::move(kinds);
    return p;
}

/// A factor that every index and every wave number has a part in; real where bins are.
void give_middle(SpectralProblem& p) {
    std::string sum = "2.5";
    for (std::size_t i = 0; i < p.lengths.size(); ++i) {
        const std::string axis = std::to_string(i);
        sum += " + " + std::to_string(i + 1) + " * k" + axis + " + 0.25 * i" + axis;
    }
    p.middle = halved_axis(p) == p.lengths.size() ? "return value * (" + sum + ");"
                                                  : "return value * complex(" + sum + ", 1 + i0);";
}

Middle middle_of(const SpectralProblem& p) {
    return [p](const Index& index, Point value) {
        double sum = 2.5;
        for (std::size_t i = 0; i < index.size(); ++i)
            sum += static_cast<double>(i + 1) * wave_number(p, index, i) + 0.25 * static_cast<double>(index[i]);
        const bool is_real = halved_axis(p) == p.lengths.size();
        return value * (is_real ? Point(sum) : Point(sum, 1 + static_cast<double>(index[0])));
    };
}

TEST(SpectralKindsText, IsReadAndWritten) {
    const std::string text = "8x6x4 real f64 batch=2 kinds=dct2,periodic,dst4";
    const SpectralProblem p = parse_spectral(text);
    EXPECT_EQ(p.kinds, (std::vector<AxisKind>{AxisKind::dct2, AxisKind::periodic, AxisKind::dst4}));
    EXPECT_EQ(to_string(p), text);
    for (const char* wrong : {"8 kinds=", "8 kinds=dct5", "8 kinds=c2c", "8 kinds=dct1,"}) try {
            parse_spectral(wrong);
            ADD_FAILURE() << wrong << " was taken";
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find("expected a kind for each axis, periodic, dct1 to dct4 or dst1"),
                      std::string::npos)
                << error.what();
        }
}

TEST(SpectralKinds, WithoutStagesItIsAScale) {
    for (const char* device : {"reference", "cpu"})
        for (const AxisKind kind : real_kinds)
            for (const std::uint64_t n : {1u, 2u, 8u, 17u}) {
                if (kind == AxisKind::dct1 && n == 1) continue;
                SpectralProblem p = operator_of({n}, {kind});
                p.batch = 3;
                p.scale = 0.75;
                expect_right(device, p, unchanged);
            }
}

TEST(SpectralKinds, MiddleSeesEachBin) {
    for (const std::string& device : devices_of_tests())
        for (const AxisKind kind : real_kinds)
            for (const Lengths& lengths : std::vector<Lengths>{{24}, {6, 10}, {5, 1, 4}}) {
                if (device == "opencl" && lengths.size() != 2) continue;
                SpectralProblem p = operator_of(lengths, {kind});
                // Neighbouring kinds of the list along the other axes.
                for (std::size_t i = 1; i < lengths.size(); ++i)
                    p.kinds.push_back(lengths[i] == 1 ? AxisKind::dst2
                                                      : real_kinds[(static_cast<std::size_t>(kind) + 2 * i) % 8]);
                p.batch = 2;
                give_middle(p);
                expect_right(device, p, middle_of(p));
            }
}

TEST(SpectralKinds, PeriodicAxesBeside) {
    using K = AxisKind;
    for (const std::string& device : devices_of_tests())
        for (const auto& [lengths, kinds] : std::vector<std::pair<Lengths, std::vector<AxisKind>>>{
                 {{8, 12}, {K::dct2, K::periodic}},
                 {{8, 12}, {K::periodic, K::dst1}},
                 {{7, 9}, {K::dst4, K::periodic}},
                 {{4, 6, 10}, {K::periodic, K::dct1, K::periodic}},
                 {{5, 6, 7}, {K::periodic, K::periodic, K::dst2}},
                 {{6, 5, 4}, {K::dct3, K::periodic, K::dst3}},
                 {{6, 1, 4}, {K::dct4, K::periodic, K::periodic}},
                 {{6, 1}, {K::dct2, K::periodic}},
                 {{3, 2, 4, 5}, {K::periodic, K::dct2, K::periodic, K::dst2}}}) {
            if (device == "opencl" && lengths.size() != 2) continue;
            SpectralProblem p = operator_of(lengths, kinds);
            p.batch = 3;
            p.scale = -2;
            give_middle(p);
            expect_right(device, p, middle_of(p));
            if (device == "opencl") continue;
            p.precision = Precision::f64;
            expect_right(device, p, middle_of(p));
        }
}

/// Of any kinds, lengths, ranges, modes and batches, as separate plans in double precision have them.
TEST(SpectralKinds, AreAsSeparatePlans) {
    std::mt19937_64 random(58);
    const auto draw = [&](std::uint64_t least, std::uint64_t most) { return least + random() % (most - least + 1); };
    for (int round = 0; round < 60; ++round) {
        SpectralProblem p;
        const std::uint64_t rank = draw(1, 3), longest = rank == 1 ? 700 : rank == 2 ? 60 : 16;
        for (std::uint64_t i = 0; i < rank; ++i) {
            p.lengths.push_back(draw(2, longest));
            p.kinds.push_back(static_cast<AxisKind>(draw(0, 8)));
        }
        if (std::all_of(p.kinds.begin(), p.kinds.end(), [](AxisKind kind) { return kind == AxisKind::periodic; }))
            p.kinds[0] = real_kinds[draw(0, 7)];
        const bool is_mixed = halved_axis(p) != rank;
        for (std::vector<PointRange>* ranges : {&p.input, &p.output}) {
            const bool has_some = draw(0, 1) == 1;
            for (std::uint64_t i = 0; has_some && i < rank; ++i) {
                const std::uint64_t n = p.lengths[i], begin = is_periodic(p, i) ? 0 : draw(0, n - 1);
                ranges->push_back({begin, is_periodic(p, i) ? n : draw(begin + 1, n)});
            }
        }
        if (!is_mixed && draw(0, 2) == 0)
            for (std::uint64_t i = 0; i < rank; ++i) {
                const std::int64_t first = wave_number(p, Index(rank), i) == 1 ? 1 : 0;
                p.kept.push_back({first, first + static_cast<std::int64_t>(draw(1, p.lengths[i]))});
            }
        p.batch = draw(1, 4);
        p.precision = draw(0, 1) == 0 ? Precision::f32 : Precision::f64;
        give_middle(p);
        expect_right(draw(0, 3) == 0 ? "reference" : "cpu", p, middle_of(p), by_plans);
    }
}

TEST(SpectralKinds, LongAndPrimeAxes) {
    for (const char* device : {"reference", "cpu"})
        for (const AxisKind kind : real_kinds)
            for (const std::uint64_t n : {1009u, 4096u, 20000u}) {
                if (std::string(device) == "reference" && n != 1009) continue;
                SpectralProblem p = operator_of({n}, {kind});
                p.middle = "return value / (1 + k0);";
                const auto middle = [&p](const Index& index, Point value) {
                    return value / (1 + wave_number(p, index, 0));
                };
                expect_right(device, p, middle, by_plans);
            }
}

TEST(SpectralKinds, RangesAndModes) {
    for (const char* device : {"reference", "cpu"})
        for (const AxisKind kind : real_kinds) {
            SpectralProblem p = operator_of({12, 20}, {kind, kind});
            p.batch = 2;
            p.input = {{2, 9}, {3, 20}};
            p.output = {{0, 5}, {1, 12}};
            expect_right(device, p, unchanged);
            const std::int64_t first = wave_number(p, {0, 0}, 0) == 1 ? 1 : 0;
            p.kept = {{first + 1, first + 8}, {first, first + 5}};
            give_middle(p);
            expect_right(device, p, middle_of(p));
        }
}

/// Passes of a long axis leave nothing in an output that is shorter.
TEST(SpectralKinds, RangesOfLongAxes) {
    for (const AxisKind kind : real_kinds) {
        SpectralProblem p = operator_of({20000}, {kind});
        p.output = {{1000, 15000}};
        expect_right("cpu", p, unchanged, by_plans);
        p = operator_of({3, 9001}, {kind, kind});
        p.output = {{1, 2}, {0, 7000}};
        expect_right("cpu", p, unchanged, by_plans);
    }
    SpectralProblem p = operator_of({std::uint64_t{1} << 16}, {AxisKind::dct2});
    p.output = {{0, 40000}};
    expect_right("reference", p, unchanged, by_plans);
}

TEST(SpectralKinds, StagesKnowTheirPlaces) {
    for (const char* name : {"reference", "cpu"})
        for (const auto& kinds : std::vector<std::vector<AxisKind>>{{AxisKind::dct2, AxisKind::dst1},
                                                                    {AxisKind::dst2, AxisKind::periodic},
                                                                    {AxisKind::periodic, AxisKind::dct4}}) {
            SpectralProblem p = operator_of({6, 10}, kinds);
            p.batch = 2;
            SpectralProblem plain = p;
            p.load = "return value * (1 + i0 + 10 * i1 + batch);";
            p.middle = "return shift * value;";
            p.middle.scalars = {{"shift", StageType::f32}};
            p.store = "return value + 100 * i0 - i1 + shift;";
            p.store.scalars = p.middle.scalars;
            SCOPED_TRACE(std::string(name) + " " + to_string(p));
            const SpectralPlan plan(Device::open(name), p);
            const std::vector<double> x = random_numbers(120);
            const auto y = plan.apply<float>(std::vector<float>(x.begin(), x.end()), {{"shift", 0.5}});
            for (std::size_t i = 0; i < y.size(); ++i) {
                const auto i0 = static_cast<double>(i / 10 % 6), i1 = static_cast<double>(i % 10);
                EXPECT_NEAR(y[i], 0.5 * x[i] * (1 + i0 + 10 * i1 + (i < 60 ? 0 : 1)) + 100 * i0 - i1 + 0.5, 2e-4);
            }
        }
}

TEST(SpectralKinds, ArraysOf16Bits) {
    for (const char* name : {"reference", "cpu"})
        for (const AxisKind kind : {AxisKind::dst1, AxisKind::periodic}) {
            SpectralProblem p = operator_of({8, 6}, {AxisKind::dct2, kind});
            p.storage = Storage::f16;
            const SpectralPlan plan(Device::open(name), p);
            std::vector<std::uint16_t> x(48), y(48);
            for (std::size_t i = 0; i < 48; ++i) x[i] = static_cast<std::uint16_t>(0x3c00 + 16 * i);  // 1 and more
            plan.run({x.data(), 48, HostElement::f16}, HostElement::f16, y.data());
            EXPECT_EQ(x, y) << name << ' ' << plan.report().recipe;
        }
}

TEST(SpectralKinds, AreSavedWithTheirPlan) {
    const Device device = Device::open("cpu");
    SpectralProblem p = operator_of({9, 8}, {AxisKind::dst1, AxisKind::periodic});
    give_middle(p);
    const SpectralPlan plan(device, p), loaded = SpectralPlan::load(device, plan.save());
    EXPECT_EQ(loaded.problem().kinds, p.kinds);
    const std::vector<double> x = random_numbers(72);
    EXPECT_EQ(applied(plan, x), applied(loaded, x));
}

// ---- How much is moved

struct Moved {
    std::uint64_t read = 0, written = 0, kernels = 0;
};

Moved moved(const SpectralProblem& p) {
    Moved all;
    for (const AnalysisReport& kernel : analyse(p, Device::open("reference").limits())) {
        EXPECT_EQ(kernel.races + kernel.out_of_bounds + kernel.uninitialised_reads, 0u);
        all.read += kernel.bytes_read;
        all.written += kernel.bytes_written;
        ++all.kernels;
    }
    return all;
}

/// Both transforms are those of separate plans, and the middle adds no trip of its own.
TEST(SpectralKindsBytes, MiddleHasNoPassOfItsOwn) {
    for (const AxisKind kind : {AxisKind::dct2, AxisKind::dst1}) {
        SpectralProblem p = operator_of({1024}, {kind});
        p.batch = 4;
        p.middle = "return value / (1 + k0);";
        const Moved row = moved(p);
        EXPECT_EQ(row.kernels, 2u);
        EXPECT_EQ(row.read, 2 * 4 * 4096u);
        EXPECT_EQ(row.written, 2 * 4 * 4096u);
    }
    SpectralProblem plane = operator_of({256, 512}, {AxisKind::dct2, AxisKind::dct2});
    plane.middle = "return value / (1 + k0 * k0 + k1 * k1);";
    const Moved both = moved(plane);
    EXPECT_EQ(both.kernels, 4u);
    EXPECT_EQ(both.read, 4 * 4 * 256 * 512u);
    EXPECT_EQ(both.written, 4 * 4 * 256 * 512u);
}

/// The real-to-real axis moves real numbers, the periodic one real numbers and half of a spectrum.
TEST(SpectralKindsBytes, MixedAxesMoveHalves) {
    SpectralProblem p = operator_of({256, 512}, {AxisKind::dst2, AxisKind::periodic});
    p.middle = "return value / (1 + k0 * k0 + k1 * k1);";
    const std::uint64_t real = 4 * 256 * 512, bins = 8 * 256 * 257;
    const Moved all = moved(p);
    EXPECT_EQ(all.kernels, 4u);
    // A c2r reads the bin in the middle of half a row twice.
    EXPECT_LE(all.read, 3 * real + bins + 8 * 256);
    EXPECT_EQ(all.written, 3 * real + bins);
}

// ---- Mistakes

void expect_refused(const SpectralProblem& p, const std::string& line) {
    try {
        (void)inspect(p, Device::open("reference").limits());
        ADD_FAILURE() << "expected '" << line << "'";
    } catch (const InvalidProblem& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.substr(what.find(": ") + 2), line);
    }
}

TEST(SpectralKinds, RefusesInOneLine) {
    using K = AxisKind;
    SpectralProblem p = operator_of({8, 6}, {K::dct2});
    expect_refused(p, "spectral.kinds: expected a kind for each of 2 axes, or none, got 1");
    p.kinds = {K::dct2, K::periodic};
    p.numbers = SpectralNumbers::complex;
    expect_refused(p, "spectral.numbers: expected real with real-to-real kinds, got complex");
    p.numbers = SpectralNumbers::real;
    p.channels = {2, 3};
    expect_refused(p, "spectral.channels: expected none with real-to-real kinds, got 2 and 3");
    p.channels = {};
    p.input = {{0, 8}, {0, 5}};
    expect_refused(p, "spectral.input[1]: expected all points of a periodic axis beside real-to-real ones, got 0 to 5");
    p.input = {};
    p.kept = {{0, 4}, {0, 3}};
    expect_refused(p, "spectral.kept[0]: expected all modes of a real-to-real axis beside periodic ones, got 0 to 4");
    p.kinds = {K::dst1, K::dct1};
    p.kept = {{0, 4}, {0, 3}};
    expect_refused(p,
                   "spectral.kept[0]: expected begin below end, and wave numbers from 1 to 8, so that end is at most "
                   "9, got 0 to 4");
    p.kept = {};
    p.lengths = {8, 1};
    expect_refused(p, "spectral.lengths[1]: expected at least 2, because dct1 has no length 1, got 1");
    p.lengths = {8, 6};
    p.middle = "return complex(value, 1);";
    expect_refused(p,
                   "spectral.middle: line 1, column 8: expected a real number to return, because the array is real, "
                   "got a complex number");
    p.middle = "";
    p.kinds[1] = static_cast<K>(99);
    expect_refused(p, "spectral.kinds: expected one of its enumerators, 0 to 8, got 99");
}

}  // namespace
