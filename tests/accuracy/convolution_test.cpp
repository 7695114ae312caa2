// Convolutions on one backend, the one that SEICHE_TEST_DEVICE names, against sums of products in long double: every
// mode, product, domain and matrix of channels, one kernel and several passes, blocks, and random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <numeric>

#include "seiche/convolution.hpp"
#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

using Wide = std::complex<long double>;

std::uint64_t product(const std::vector<std::uint64_t>& lengths) {
    std::uint64_t all = 1;
    for (const std::uint64_t n : lengths) all *= n;
    return all;
}

/// Visits every index of an array, slowest axis first.
void for_each_index(const std::vector<std::uint64_t>& lengths,
                    const std::function<void(const std::vector<std::uint64_t>&)>& visit) {
    std::vector<std::uint64_t> index(lengths.size(), 0);
    for (std::uint64_t i = 0; i < product(lengths); ++i) {
        visit(index);
        for (std::size_t axis = lengths.size(); axis-- > 0;) {
            if (++index[axis] < lengths[axis]) break;
            index[axis] = 0;
        }
    }
}

/// The definition. Kernels in frequency are turned into such in time by a sum over the bins first.
class Direct {
public:
    Direct(const Convolution& c, const std::vector<Wide>& input, const std::vector<Wide>& kernels)
        : c_(c), input_(input), kernels_(kernels), signal_(product(c.signal)), kernel_(product(c.kernel)) {}

    /// Of an output channel of a signal of the batch, at an index of the result.
    Wide at(std::uint64_t batch, std::uint32_t output, const std::vector<std::uint64_t>& index) const {
        Wide sum = 0;
        for (std::uint32_t i = 0; i < c_.inputs; ++i) {
            if (c_.channels == ChannelMatrix::diagonal && i != output) continue;
            sum += channel(batch * c_.inputs + i, kernel_of(output, i), index);
        }
        return sum;
    }

private:
    std::uint64_t kernel_of(std::uint32_t output, std::uint32_t input) const {
        if (c_.channels == ChannelMatrix::diagonal) return output;
        if (c_.channels == ChannelMatrix::full) return std::uint64_t{output} * c_.inputs + input;
        const std::uint64_t row = std::min(output, input), column = std::max(output, input);
        std::uint64_t before = 0;
        for (std::uint64_t r = 0; r < row; ++r) before += c_.inputs - r;
        return before + column - row;
    }

    Wide channel(std::uint64_t signal, std::uint64_t kernel, const std::vector<std::uint64_t>& index) const {
        const bool is_correlation = c_.product == ConvolutionProduct::correlate;
        Wide sum = 0;
        std::uint64_t number = 0;
        for_each_index(c_.kernel, [&](const std::vector<std::uint64_t>& at) {
            const Wide h = kernels_[kernel * kernel_ + number++];
            std::uint64_t flat = 0;
            for (std::size_t axis = 0; axis < at.size(); ++axis) {
                const auto a = static_cast<std::int64_t>(c_.signal[axis]),
                           b = static_cast<std::int64_t>(c_.kernel[axis]);
                const auto l = static_cast<std::int64_t>(at[axis]), k = static_cast<std::int64_t>(index[axis]);
                const bool skips =
                    c_.mode == ConvolutionMode::valid || (c_.mode == ConvolutionMode::causal && is_correlation);
                const std::int64_t first = c_.mode == ConvolutionMode::same ? (b - 1) / 2 : skips ? b - 1 : 0;
                std::int64_t j = is_correlation ? k + first - (b - 1) + l : k + first - l;
                if (c_.mode == ConvolutionMode::circular) j = ((is_correlation ? k + l : k - l) + a) % a;
                if (j < 0 || j >= a) return;
                flat = flat * c_.signal[axis] + static_cast<std::uint64_t>(j);
            }
            sum += input_[signal * signal_ + flat] * (is_correlation ? std::conj(h) : h);
        });
        return sum;
    }

    const Convolution& c_;
    const std::vector<Wide>& input_;
    const std::vector<Wide>& kernels_;
    std::uint64_t signal_, kernel_;
};

/// DFT along one axis by its definition, sign -1 forward.
std::vector<Wide> transformed(const std::vector<Wide>& x, const std::vector<std::uint64_t>& lengths, std::size_t axis,
                              int sign) {
    std::uint64_t stride = 1;
    for (std::size_t i = axis + 1; i < lengths.size(); ++i) stride *= lengths[i];
    const std::uint64_t n = lengths[axis];
    std::vector<Wide> y(x.size());
    for (std::uint64_t at = 0; at < x.size(); ++at) {
        const std::uint64_t k = at / stride % n, start = at - k * stride;
        for (std::uint64_t j = 0; j < n; ++j) {
            const long double turn = 2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) / n;
            y[at] += x[start + j * stride] * Wide(std::cos(turn), sign * std::sin(turn));
        }
    }
    return y;
}

std::vector<Wide> transformed(std::vector<Wide> x, const std::vector<std::uint64_t>& lengths, int sign) {
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) x = transformed(x, lengths, axis, sign);
    return x;
}

long double relative_error(const std::vector<Wide>& y, const std::vector<Wide>& expected) {
    long double error = 0, norm = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        error += std::norm(y[i] - expected[i]);
        norm += std::norm(expected[i]);
    }
    return std::sqrt(error / norm);
}

/// Of a real array what r2c keeps: the last axis up to its middle.
std::vector<Wide> halved(const std::vector<Wide>& spectrum, const std::vector<std::uint64_t>& lengths) {
    std::vector<Wide> half;
    for (std::size_t i = 0; i < spectrum.size(); ++i)
        if (i % lengths.back() <= lengths.back() / 2) half.push_back(spectrum[i]);
    return half;
}

std::string text_of(const Convolution& c) {
    std::string text;
    for (const std::uint64_t n : c.signal) text += (text.empty() ? "" : "x") + std::to_string(n);
    text += " * ";
    for (const std::uint64_t n : c.kernel) text += std::to_string(n) + " ";
    text += std::string(to_string(c.mode)) + (c.product == ConvolutionProduct::correlate ? " correlate" : "") +
            (c.complex ? " complex " : " real ") + to_string(c.precision) + " " + std::to_string(c.inputs) + " to " +
            std::to_string(c.outputs) + " channels, matrix " + std::to_string(static_cast<int>(c.channels)) +
            ", batch " + std::to_string(c.batch) + ", block " + std::to_string(c.block);
    return text;
}

class Convolutions : public Suite {
protected:
    template <class Real>
    static Real random_value(std::mt19937_64& random) {
        return static_cast<Real>(static_cast<double>(random() >> 11) * 0x1p-52 - 1.0);
    }

    template <class T>
    static std::vector<T> random_values(std::size_t count, std::mt19937_64& random) {
        std::vector<T> values(count);
        for (T& value : values) {
            if constexpr (std::is_floating_point_v<T>)
                value = random_value<T>(random);
            else
                value = {random_value<typename T::value_type>(random), random_value<typename T::value_type>(random)};
        }
        return values;
    }

    /// Of one sign: a single sum of products of both signs may cancel, and nothing is left to compare with.
    template <class T>
    static void make_positive(std::vector<T>& values) {
        for (T& value : values) {
            if constexpr (std::is_floating_point_v<T>)
                value = value / 2 + 1;
            else
                value = value / typename T::value_type{2} + T{1, 1};
        }
    }

    template <class T>
    static std::vector<Wide> wide(const std::vector<T>& values) {
        return {values.begin(), values.end()};
    }

    void expect_right(const Convolution& convolution, std::mt19937_64& random) {
        const bool is_single = convolution.precision == Precision::f32;
        if (convolution.complex)
            is_single ? run<std::complex<float>>(convolution, random) : run<std::complex<double>>(convolution, random);
        else
            is_single ? run<float>(convolution, random) : run<double>(convolution, random);
    }

    template <class T>
    void run(const Convolution& c, std::mt19937_64& random) {
        SCOPED_TRACE(text_of(c));
        const ConvolutionPlan plan(*device_, c);
        auto input = random_values<T>(plan.input_bytes() / sizeof(T), random);
        auto kernels = random_values<T>(plan.kernel_bytes() / sizeof(T), random);
        constexpr std::uint64_t few = 64;
        if (product(result_lengths(c)) < few) {
            make_positive(input);
            make_positive(kernels);
        }
        const std::vector<T> output = plan.convolve(input, kernels);
        compare(plan, input, kernels, output, random);
    }

    template <class T>
    void compare(const ConvolutionPlan& plan, const std::vector<T>& input, const std::vector<T>& kernels,
                 const std::vector<T>& output, std::mt19937_64& random) {
        const Convolution& c = plan.convolution();
        const std::vector<Wide> x = wide(input), h = wide(kernels), y = wide(output);
        const Direct direct(c, x, h);
        const std::vector<std::uint64_t> lengths = result_lengths(c);
        const std::uint64_t points = product(lengths);
        ASSERT_EQ(y.size(), points * c.outputs * c.batch);
        const std::uint64_t most = std::max<std::uint64_t>(40, 400000 / (product(c.kernel) * c.inputs));
        long double error = 0, norm = 0;
        for (std::uint64_t sample = 0; sample < std::min<std::uint64_t>(most, y.size()); ++sample) {
            const std::uint64_t at = most >= y.size() ? sample : random() % y.size();
            std::vector<std::uint64_t> index(lengths.size());
            std::uint64_t rest = at % points;
            for (std::size_t axis = lengths.size(); axis-- > 0; rest /= lengths[axis])
                index[axis] = rest % lengths[axis];
            const std::uint64_t array = at / points;
            const Wide expected = direct.at(array / c.outputs, static_cast<std::uint32_t>(array % c.outputs), index);
            error += std::norm(y[at] - expected);
            norm += std::norm(expected);
        }
        const double unit = c.precision == Precision::f32 ? 0x1p-24 : 0x1p-53;
        const double n = static_cast<double>(std::max<std::uint64_t>(product(plan.padded_lengths()), 2));
        const double units = static_cast<double>(std::sqrt(error / norm)) / (unit * std::sqrt(std::log2(n)));
        EXPECT_LE(units, bound) << plan.report().recipe;
        worst_ = std::max(worst_, units);
    }

    template <class Real>
    void in_frequency(const Convolution& c, std::mt19937_64& random) {
        const std::size_t points = product(c.signal);
        Convolution in_time = c;
        in_time.domain = KernelDomain::time;
        in_time.kernel = c.signal;
        std::vector<Wide> x(points), h(points);
        for (std::size_t i = 0; i < points; ++i) {
            x[i] = {random_value<Real>(random), c.complex ? random_value<Real>(random) : Real(0)};
            h[i] = {random_value<Real>(random), c.complex ? random_value<Real>(random) : Real(0)};
        }
        const std::vector<Wide> spectrum = transformed(h, c.signal, -1);
        const Direct direct(in_time, x, h);
        std::vector<Wide> expected;
        for_each_index(c.signal, [&](const auto& index) { expected.push_back(direct.at(0, 0, index)); });
        expect_near(c, x, c.complex ? spectrum : halved(spectrum, c.signal), expected);
    }

    template <class Real>
    void in_phase(const Convolution& c, std::mt19937_64& random) {
        const std::size_t points = product(c.signal);
        std::vector<Wide> x(points), h(points);
        for (std::size_t i = 0; i < points; ++i) {
            x[i] = {random_value<Real>(random), c.complex ? random_value<Real>(random) : Real(0)};
            h[i] = {random_value<Real>(random), c.complex ? random_value<Real>(random) : Real(0)};
        }
        std::vector<Wide> both = transformed(x, c.signal, -1);
        const std::vector<Wide> other = transformed(h, c.signal, -1);
        for (std::size_t i = 0; i < points; ++i) {
            both[i] *= std::conj(other[i]);
            both[i] /= std::abs(both[i]) * static_cast<long double>(points);
        }
        // Bins that random data leave small are lost in the rounding of the others: some ten units.
        expect_near(c, x, h, transformed(both, c.signal, 1), 30);
    }

    /// Runs on values given in more precision than the arrays have.
    void expect_near(const Convolution& c, const std::vector<Wide>& x, const std::vector<Wide>& h,
                     const std::vector<Wide>& expected, double most = bound) {
        const bool is_single = c.precision == Precision::f32;
        const bool real_kernel = !c.complex && c.domain == KernelDomain::time;
        const auto run = [&](auto number) {
            using Real = decltype(number);
            using Complex = std::complex<Real>;
            const auto complexes = [](const std::vector<Wide>& values) {
                std::vector<Complex> all;
                for (const Wide& v : values) all.emplace_back(static_cast<Real>(v.real()), static_cast<Real>(v.imag()));
                return all;
            };
            const auto reals = [](const std::vector<Wide>& values) {
                std::vector<Real> all;
                for (const Wide& v : values) all.push_back(static_cast<Real>(v.real()));
                return all;
            };
            const ConvolutionPlan plan(*device_, c);
            const std::vector<Complex> cx = complexes(x), ch = complexes(h);
            const std::vector<Real> rx = reals(x), rh = reals(h);
            std::vector<Complex> cy(expected.size());
            std::vector<Real> ry(expected.size());
            const HostArray input = c.complex ? HostArray{cx.data(), cx.size(), HostElementOf<Complex>::value}
                                              : HostArray{rx.data(), rx.size(), HostElementOf<Real>::value};
            const HostArray kernels = real_kernel ? HostArray{rh.data(), rh.size(), HostElementOf<Real>::value}
                                                  : HostArray{ch.data(), ch.size(), HostElementOf<Complex>::value};
            void* const output = c.complex ? static_cast<void*>(cy.data()) : ry.data();
            plan.run(input, kernels, output);
            return c.complex ? wide(cy) : wide(ry);
        };
        const std::vector<Wide> y = is_single ? run(0.0f) : run(0.0);
        const double unit = is_single ? 0x1p-24 : 0x1p-53;
        const double n = static_cast<double>(std::max<std::size_t>(expected.size(), 2));
        EXPECT_LE(static_cast<double>(relative_error(y, expected)), most * unit * std::sqrt(std::log2(n)));
    }

    Convolution random_convolution(std::mt19937_64& random) const {
        const auto below = [&](std::uint64_t count) { return random() % count; };
        Convolution c = base();
        c.complex = below(2) == 0;
        c.mode = static_cast<ConvolutionMode>(below(5));
        c.product = below(2) == 0 ? ConvolutionProduct::convolve : ConvolutionProduct::correlate;
        const std::size_t axes = 1 + below(3);
        const std::uint64_t longest = axes == 1 ? 3000 : axes == 2 ? 90 : 24;
        for (std::size_t i = 0; i < axes; ++i) {
            const std::uint64_t a = 1 + below(longest), b = 1 + below(axes == 1 ? 200 : 12);
            c.signal.push_back(a);
            const bool is_within = c.mode == ConvolutionMode::valid || c.mode == ConvolutionMode::circular;
            c.kernel.push_back(is_within ? std::min(a, b) : b);
        }
        c.batch = 1 + below(3);
        if (c.mode != ConvolutionMode::circular && below(2) == 0) {
            c.inputs = 1 + static_cast<std::uint32_t>(below(3));
            c.outputs = 1 + static_cast<std::uint32_t>(below(5));
            c.channels = static_cast<ChannelMatrix>(below(3));
            if (c.channels != ChannelMatrix::full) c.outputs = c.inputs;
        }
        if (axes == 1 && c.mode != ConvolutionMode::circular && below(2) == 0)
            c.block = std::uint64_t{1} << (8 + below(3));
        return c;
    }

    /// A plan has up to eight kernels, where that of a transform has one or two.
    void SetUp() override {
        Suite::SetUp();
        least_ = 4;
    }

    void TearDown() override {
        RecordProperty("worst_units", std::to_string(worst_));
        std::cout << "worst " << worst_ << " units of " << bound << "\n";
        Suite::TearDown();
    }

    Convolution base() const {
        Convolution c;
        c.precision = GetParam();
        return c;
    }

    /// Three transforms and a product, of data whose results are large where the sums that make them cancel.
    static constexpr double bound = 3.0;
    double worst_ = 0;
};

TEST_P(Convolutions, ModesOfShortSignals) {
    std::mt19937_64 random(sample_seed() + 20);
    std::vector<Convolution> all;
    for (const auto& [a, b] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {1, 1}, {5, 1}, {1, 4}, {7, 3}, {8, 4}, {4, 9}, {100, 13}, {128, 128}})
        for (const ConvolutionMode mode : {ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid,
                                           ConvolutionMode::circular, ConvolutionMode::causal})
            for (const ConvolutionProduct product : {ConvolutionProduct::convolve, ConvolutionProduct::correlate})
                for (const bool complex : {false, true}) {
                    if (b > a && (mode == ConvolutionMode::valid || mode == ConvolutionMode::circular)) continue;
                    Convolution c = base();
                    c.signal = {a};
                    c.kernel = {b};
                    c.mode = mode;
                    c.product = product;
                    c.complex = complex;
                    c.batch = 3;
                    all.push_back(c);
                }
    std::shuffle(all.begin(), all.end(), random);
    for (const Convolution& c : all) {
        if (!goes_on(all.size())) break;
        expect_right(c, random);
    }
}

/// Kernels of 1 to as many points as the signal, whose preparation leaves out the rest: primes in a loop first.
TEST_P(Convolutions, CircularLengths) {
    std::mt19937_64 random(sample_seed() + 27);
    std::vector<std::uint64_t> lengths(full_sweep() ? 299 : 110);
    std::iota(lengths.begin(), lengths.end(), std::uint64_t{2});
    std::shuffle(lengths.begin(), lengths.end(), random);
    lengths.insert(lengths.begin(), {43, 37, 41, 31});
    for (const std::uint64_t n : lengths)
        for (const bool complex : {false, true}) {
            if (!goes_on(2 * lengths.size())) return;
            const std::uint64_t kernels[] = {1, std::min<std::uint64_t>(n, 2), 1 + random() % n, n};
            Convolution c = base();
            c.signal = {n};
            c.kernel = {kernels[random() % 4]};
            if (random() % 3 == 0) {
                c.signal.insert(c.signal.begin(), 3);
                c.kernel.insert(c.kernel.begin(), 1 + random() % 3);
            }
            c.mode = ConvolutionMode::circular;
            c.product = random() % 2 == 0 ? ConvolutionProduct::convolve : ConvolutionProduct::correlate;
            c.complex = complex;
            c.batch = 1 + random() % 3;
            expect_right(c, random);
        }
}

TEST_P(Convolutions, Channels) {
    std::mt19937_64 random(sample_seed() + 21);
    struct Matrix {
        std::uint32_t inputs, outputs;
        ChannelMatrix form;
    };
    std::vector<Convolution> all;
    for (const Matrix& matrix :
         {Matrix{1, 3, ChannelMatrix::full}, Matrix{1, 7, ChannelMatrix::full}, Matrix{2, 2, ChannelMatrix::full},
          Matrix{3, 3, ChannelMatrix::symmetric}, Matrix{3, 2, ChannelMatrix::full}, Matrix{2, 6, ChannelMatrix::full},
          Matrix{4, 4, ChannelMatrix::diagonal}, Matrix{8, 1, ChannelMatrix::full}})
        for (const std::vector<std::uint64_t>& signal :
             {std::vector<std::uint64_t>{60}, std::vector<std::uint64_t>{20, 33}}) {
            Convolution c = base();
            c.signal = signal;
            c.kernel = std::vector<std::uint64_t>(signal.size(), 5);
            c.inputs = matrix.inputs;
            c.outputs = matrix.outputs;
            c.channels = matrix.form;
            c.batch = 2;
            c.complex = signal.size() == 1;
            all.push_back(c);
        }
    std::shuffle(all.begin(), all.end(), random);
    for (const Convolution& c : all) {
        if (!goes_on(all.size())) break;
        expect_right(c, random);
    }
}

TEST_P(Convolutions, LongAndManyAxes) {
    std::mt19937_64 random(sample_seed() + 22);
    std::vector<Convolution> all;
    const auto add = [&](std::vector<std::uint64_t> signal, std::vector<std::uint64_t> kernel, ConvolutionMode mode,
                         bool complex, std::uint64_t block) {
        Convolution c = base();
        c.signal = std::move(signal);
        c.kernel = std::move(kernel);
        c.mode = mode;
        c.complex = complex;
        c.block = block;
        all.push_back(c);
        c.product = ConvolutionProduct::correlate;
        all.push_back(c);
    };
    for (const bool complex : {false, true}) {
        add({1000}, {17}, ConvolutionMode::full, complex, 64);
        add({1000}, {17}, ConvolutionMode::valid, complex, 32);
        add({999}, {24}, ConvolutionMode::same, complex, 128);
        add({70000}, {50}, ConvolutionMode::full, complex, 0);
        add({1500}, {1001}, ConvolutionMode::full, complex, 1);
        add({10000}, {242}, ConvolutionMode::full, complex, 1);  // one result more than twice a core of 5120 points
        add({40000}, {30000}, ConvolutionMode::full, complex, 1);
        add({40000}, {30000}, ConvolutionMode::valid, complex, 1);
        add({30, 40}, {7, 9}, ConvolutionMode::full, complex, 0);
        add({31, 41}, {8, 4}, ConvolutionMode::same, complex, 0);
        add({31, 41}, {31, 41}, ConvolutionMode::circular, complex, 0);
        add({64, 74}, {5, 5}, ConvolutionMode::circular, complex, 0);
        add({9, 10, 11}, {3, 4, 5}, ConvolutionMode::valid, complex, 0);
        add({6, 1, 12}, {2, 1, 12}, ConvolutionMode::full, complex, 0);
        add({20000, 3}, {5, 2}, ConvolutionMode::same, complex, 0);
    }
    std::shuffle(all.begin(), all.end(), random);
    for (const Convolution& c : all) {
        if (!goes_on(all.size())) break;
        expect_right(c, random);
    }
}

TEST_P(Convolutions, KernelsInFrequency) {
    std::mt19937_64 random(sample_seed() + 23);
    for (const std::vector<std::uint64_t>& lengths :
         {std::vector<std::uint64_t>{60}, std::vector<std::uint64_t>{37}, std::vector<std::uint64_t>{12, 15},
          std::vector<std::uint64_t>{1}, std::vector<std::uint64_t>{5, 1}})
        for (const bool complex : {false, true}) {
            Convolution c = base();
            c.signal = lengths;
            c.mode = ConvolutionMode::circular;
            c.domain = KernelDomain::frequency;
            c.complex = complex;
            if (!goes_on(10)) return;
            SCOPED_TRACE(text_of(c));
            GetParam() == Precision::f32 ? in_frequency<float>(c, random) : in_frequency<double>(c, random);
        }
}

TEST_P(Convolutions, PhaseCorrelation) {
    std::mt19937_64 random(sample_seed() + 24);
    for (const std::vector<std::uint64_t>& lengths :
         {std::vector<std::uint64_t>{48}, std::vector<std::uint64_t>{43}, std::vector<std::uint64_t>{10, 12}})
        for (const bool complex : {false, true}) {
            Convolution c = base();
            c.signal = c.kernel = lengths;
            c.mode = ConvolutionMode::circular;
            c.product = ConvolutionProduct::phase;
            c.complex = complex;
            if (!goes_on(6)) return;
            SCOPED_TRACE(text_of(c));
            GetParam() == Precision::f32 ? in_phase<float>(c, random) : in_phase<double>(c, random);
        }
}

/// Halves round what they store, half a unit of 2^-11 each way.
TEST_P(Convolutions, StoredInOtherTypes) {
    std::mt19937_64 random(sample_seed() + 25);
    if (GetParam() == Precision::f64) {
        Convolution c = base();
        c.signal = {100};
        c.kernel = {9};
        c.storage = Storage::f32;
        const ConvolutionPlan plan(*device_, c);
        const auto x = random_values<float>(100, random), h = random_values<float>(9, random);
        const std::vector<Wide> input = wide(x), kernels = wide(h);
        const Direct direct(c, input, kernels);
        std::vector<Wide> expected;
        for (std::uint64_t i = 0; i < 108; ++i) expected.push_back(direct.at(0, 0, {i}));
        EXPECT_LE(relative_error(wide(plan.convolve(x, h)), expected), 0x1p-24L);
        return;
    }
    Convolution c = base();
    c.signal = {30, 20};
    c.kernel = {3, 3};
    c.storage = Storage::f16;
    const ConvolutionPlan plan(*device_, c);
    // Whole numbers that halves have, with sums that they have too.
    std::vector<std::uint16_t> x(600), h(9, 0x3c00), y(32 * 22);  // 1.0
    std::vector<Wide> input(600), kernels(9, Wide(1.0L));
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool is_two = random() % 2 == 0;
        x[i] = is_two ? 0x4000 : 0x3c00;
        input[i] = is_two ? 2.0L : 1.0L;
    }
    plan.run({x.data(), x.size(), HostElement::f16}, {h.data(), h.size(), HostElement::f16}, y.data());
    const Direct direct(c, input, kernels);
    for (std::uint64_t i = 0; i < y.size(); ++i) {
        const double expected = static_cast<double>(direct.at(0, 0, {i / 22, i % 22}).real());
        const double value = std::ldexp(1024 + (y[i] & 0x3ff), (y[i] >> 10) - 25);
        EXPECT_NEAR(value, expected, 0x1p-9) << i;
    }
}

TEST_P(Convolutions, RandomOnes) {
    const std::uint64_t seed = sample_seed() + 26;
    const std::size_t count = full_sweep() ? 1000 : device_name() == "reference" ? 60 : 20;
    for (std::size_t i = 0; i < count && goes_on(count); ++i) {
        std::mt19937_64 random(seed + i);
        SCOPED_TRACE("case " + std::to_string(i));
        expect_right(random_convolution(random), random);
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Convolutions, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
