// Double-double problems against FFTW in quad precision: at most 2^-105 sqrt(log2 max(N, 2)) in relative L2 error,
// root mean square over the transforms, an eighth of what the contract allows; 0.6 u, u = 2^-53, where the arrays are
// of doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>

#include "seiche/error.hpp"
#include "tests/accuracy/judge.hpp"
#include "tests/accuracy/real_judge.hpp"
#include "tests/accuracy/suite.hpp"

extern "C" __float128 sqrtq(__float128);  // of libquadmath, whose header only g++ finds

namespace seiche::accuracy {
namespace {

using Quads = std::vector<QuadComplex>;

__float128 quad(DoubleDouble x) { return static_cast<__float128>(x.hi) + static_cast<__float128>(x.lo); }
__float128 quad(double x) { return x; }

/// Numbers of all the bits that T has.
template <class T>
T random_number(std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const double hi = uniform(random);
    if constexpr (sizeof(T) == sizeof(double))
        return hi;
    else
        return {hi, hi * uniform(random) * 0x1p-54};
}

__float128 factor_of(const Scale& scale, std::uint64_t n) {
    const __float128 points = n;
    if (scale.rule() == Scale::Rule::by_n) return 1 / points;
    if (scale.rule() == Scale::Rule::by_sqrt_n) return 1 / sqrtq(points);
    return scale.value(1.0);
}

/// One of the two arrays: where the parts of its elements lie, in real numbers.
struct Places {
    std::vector<std::vector<std::uint64_t>> elements;
    bool is_real = false, is_planar = false;
    std::uint64_t numbers = 0;

    std::uint64_t at(std::uint64_t element, unsigned part) const {
        if (is_real) return element;
        return is_planar ? element + part * (numbers / 2) : 2 * element + part;
    }
    template <class T>
    Quads gather(const std::vector<T>& memory, std::size_t transform) const {
        Quads values;
        for (const std::uint64_t e : elements[transform])
            values.push_back({quad(memory[at(e, 0)]), is_real ? 0 : quad(memory[at(e, 1)])});
        return values;
    }
};

template <class T>
class Comparison {
public:
    explicit Comparison(const Plan& plan) : plan_(plan), problem_(plan.problem()), shape_(shape_of(problem_)) {
        Addresses where = addresses(problem_, problem_.batch);
        const bool in_place = problem_.placement == Placement::in_place;
        in_ = {std::move(where.input), shape_.real_input(), problem_.input.planar, plan.input_bytes() / sizeof(T)};
        out_ = {std::move(where.output), shape_.real_output(),
                in_place ? problem_.input.planar : problem_.output.planar, plan.output_bytes() / sizeof(T)};
    }

    /// Root mean square over the transforms; NaN where an element is.
    double error(Direction direction, std::mt19937_64& random) {
        std::vector<T> input(in_.numbers), output(out_.numbers);
        for (T& x : input) x = random_number<T>(random);
        plan_.run({input.data(), elements(in_), element(in_)}, element(out_), output.data(), direction);
        const Scale& scale = direction == Direction::forward ? problem_.forward_scale : problem_.inverse_scale;
        const __float128 factor = factor_of(scale, shape_.logical_points());
        double sum = 0;
        for (std::size_t t = 0; t < in_.elements.size(); ++t) {
            const Quads exact = judge(in_.gather(input, t), direction), got = out_.gather(output, t);
            sum += squared_error(got, exact, factor);
        }
        return std::sqrt(sum / static_cast<double>(in_.elements.size()));
    }

private:
    HostElement element(const Places& places) const {
        const bool is_number = places.is_real || places.is_planar;
        if (sizeof(T) == sizeof(double)) return is_number ? HostElement::f64 : HostElement::complex_f64;
        return is_number ? HostElement::f64x2 : HostElement::complex_f64x2;
    }
    static std::size_t elements(const Places& places) {
        return places.is_real || places.is_planar ? places.numbers : places.numbers / 2;
    }

    Quads judge(const Quads& data, Direction direction) {
        if (!shape_.is_complex()) return RealJudge(shape_.in(direction)).transform(data);
        const Quads forward = Judge(shape_.lengths).forward(data);
        return direction == Direction::forward ? forward : inverse_from_forward(forward, shape_.lengths);
    }

    static double squared_error(const Quads& got, const Quads& exact, __float128 factor) {
        __float128 error = 0, size = 0;
        for (std::size_t k = 0; k < exact.size(); ++k) {
            const __float128 re = factor * exact[k].re, im = factor * exact[k].im;
            error += (got[k].re - re) * (got[k].re - re) + (got[k].im - im) * (got[k].im - im);
            size += re * re + im * im;
        }
        return error == 0 ? 0 : static_cast<double>(error / size);
    }

    const Plan& plan_;
    const Problem& problem_;
    Shape shape_;
    Places in_, out_;
};

class DoubleDoubles : public testing::Test {
protected:
    void SetUp() override {
        try {
            device_ = Device::open(device_name());
        } catch (const Unsupported& error) {
            std::cout << "SKIPPED: no device " << device_name() << ": " << error.what() << "\n";
            GTEST_SKIP();
        }
        if (!device_->limits().exact_fp64) GTEST_SKIP() << "SKIPPED: no device with exact fp64";
    }

    /// A compiler for CPUs takes seconds for such kernels: but for the interpreter one direction of each problem is
    /// checked, one after the other in turn.
    Directions directions_of(const Shape& shape) {
        const bool has_both = shape.has(Direction::forward) && shape.has(Direction::inverse);
        if (device_name() == "reference" || full_sweep() || !has_both) return Directions::both;
        return ++turn_ % 2 == 0 ? Directions::inverse : Directions::forward;
    }

    /// Of a device's compiler as many, in random order, as fit in the time; some in any case.
    void expect_all_accurate(std::vector<std::string> texts) {
        const bool is_everyday = device_name() != "reference" && !full_sweep();
        constexpr std::chrono::seconds budget{3};
        constexpr std::size_t at_least = 3;
        if (is_everyday) std::shuffle(texts.begin(), texts.end(), random_);
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (is_everyday && i >= at_least && std::chrono::steady_clock::now() - start > budget) {
                std::cout << "the time was up after " << i << " of " << texts.size() << "\n";
                return;
            }
            expect_accurate(texts[i]);
        }
    }

    void expect_accurate(const std::string& text, const Tuning& tuning = {}) {
        PlanOptions options;
        options.tuning = tuning;
        options.directions = directions_of(shape_of(parse_problem(text)));
        const Plan plan(*device_, parse_problem(text), options);
        const Problem& problem = plan.problem();
        const bool is_stored_as_double = problem.storage == Storage::f64;
        const Shape shape = shape_of(problem);
        const double n = static_cast<double>(std::max<std::uint64_t>(size_of(problem).points, 2));
        const double bound = is_stored_as_double ? 0.6 * 0x1p-53 : 0x1p-105 * std::sqrt(std::log2(n));
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const bool is_forward = direction == Direction::forward;
            if (!shape.has(direction) || options.directions == (is_forward ? Directions::inverse : Directions::forward))
                continue;
            const double error = is_stored_as_double ? Comparison<double>(plan).error(direction, random_)
                                                     : Comparison<DoubleDouble>(plan).error(direction, random_);
            EXPECT_LE(error, bound) << text << (is_forward ? " forward " : " inverse ") << plan.report().recipe;
            if (error / bound > worst_) worst_ = error / bound, worst_text_ = text;
        }
    }
    void TearDown() override { std::cout << "worst " << worst_ << " of the bound: " << worst_text_ << "\n"; }

    std::optional<Device> device_;
    std::mt19937_64 random_{sample_seed()};
    double worst_ = 0;
    std::string worst_text_;
    unsigned turn_ = 0;
};

TEST_F(DoubleDoubles, ShortLengths) {
    std::vector<std::string> texts;
    for (std::uint64_t n = 1; n <= 64; ++n) texts.push_back(std::to_string(n) + " f64x2 batch=5");
    expect_all_accurate(texts);
}

TEST_F(DoubleDoubles, Lengths) {
    expect_all_accurate({"101 f64x2 batch=3", "127 f64x2 batch=2", "360 f64x2 batch=4", "1000 f64x2 batch=3",
                         "1009 f64x2 batch=2", "2187 f64x2", "4096 f64x2 batch=2", "6007 f64x2", "8192 f64x2",
                         "32768 f64x2"});
}

TEST_F(DoubleDoubles, LayoutsAndScales) {
    expect_all_accurate({"24x10 f64x2 batch=2", "6x10x14 f64x2 in-place", "12x9 f64x2 axes=0 batch=2",
                         "5x7 f64x2 axes=0 istrides=16,2 ostrides=1,5", "60 f64x2 planar batch=9",
                         "48 f64x2 iplanar batch=3", "30 f64x2 ooffset=64 batch=4",
                         "8 f64x2 batch=6 ostrides=7 odist=1",
                         "21 f64x2 inverse-scale=1/n forward-scale=1/sqrt(n) batch=4",
                         "101 f64x2 inverse-scale=1/n in-place", "15 f64x2 forward-scale=0.1"});
}

TEST_F(DoubleDoubles, RealKinds) {
    std::vector<std::string> texts{"12x20 dct2,dst3 f64x2",
                                   "30 dct1 f64x2 orthonormal batch=2",
                                   "30 dct2 f64x2 orthonormal batch=2",
                                   "31 dst3 f64x2 orthonormal",
                                   "101 dct2 f64x2",
                                   "64 r2c f64x2 batch=3",
                                   "45 r2c f64x2 batch=3",
                                   "64 c2r f64x2 batch=3",
                                   "45 c2r f64x2 batch=3",
                                   "12x10 r2c f64x2 in-place",
                                   "12x10 c2r f64x2 in-place"};
    for (const std::string kind : {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc"}) {
        for (const std::string length : {"2 ", "9 ", "16 ", "75 "}) texts.push_back(length + kind + " f64x2 batch=3");
        texts.push_back("36 " + kind + " f64x2 inverse-scale=1/n");
    }
    expect_all_accurate(texts);
}

TEST_F(DoubleDoubles, StoredAsDoubles) {
    expect_all_accurate({"16 f64x2 storage=f64 batch=32", "1000 f64x2 storage=f64 batch=2",
                         "101 f64x2 storage=f64 batch=4 in-place", "60 f64x2 storage=f64 planar batch=9",
                         "75 dct2 f64x2 storage=f64 batch=9", "64 r2c f64x2 storage=f64 batch=9"});
}

TEST_F(DoubleDoubles, SeveralPasses) {
    Tuning tuning;
    tuning.passes = {16, 12};
    expect_accurate("192 f64x2 batch=3", tuning);
    tuning.passes = {8, 9, 5};
    expect_accurate("360 f64x2 in-place", tuning);
    Tuning convolution;
    convolution.algorithm = Algorithm::bluestein;
    expect_accurate("100 f64x2 batch=2", convolution);
    convolution.algorithm = Algorithm::rader;
    expect_accurate("43 f64x2 batch=2", convolution);
}

}  // namespace
}  // namespace seiche::accuracy
