// Convolutions on one backend, the one that SEICHE_TEST_DEVICE names, against sums of products in long double: every
// mode, product, domain and matrix of channels, one kernel and several passes, blocks, and random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

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
                const std::int64_t first = c_.mode == ConvolutionMode::same    ? (b - 1) / 2
                                           : c_.mode == ConvolutionMode::valid ? b - 1
                                                                               : 0;
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
        const auto input = random_values<T>(plan.input_bytes() / sizeof(T), random);
        const auto kernels = random_values<T>(plan.kernel_bytes() / sizeof(T), random);
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
        for (const ConvolutionMode mode :
             {ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid, ConvolutionMode::circular})
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

INSTANTIATE_TEST_SUITE_P(Precisions, Convolutions, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
