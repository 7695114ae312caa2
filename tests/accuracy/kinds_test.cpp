// The accuracy contract of the real kinds on one backend, the one that SEICHE_TEST_DEVICE names: every kind at every
// short length and some long ones, and random problems of any rank, layout and mixture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

class Kinds : public Suite {
protected:
    /// On bytes as they lie in the input; the output's.
    std::vector<unsigned char> output_of(const Plan& plan, const std::vector<unsigned char>& input,
                                         Direction direction) const {
        Queue queue = device_->create_queue();
        const Buffer from = device_->allocate(plan.input_bytes()), to = device_->allocate(plan.output_bytes());
        std::vector<unsigned char> output(plan.output_bytes());
        queue.upload(from, input.data(), input.size());
        queue.upload(to, output.data(), output.size());
        Execution execution;
        execution.direction = direction;
        execution.input = from;
        execution.output = to;
        if (plan.workspace_bytes() != 0) execution.workspace = device_->allocate(plan.workspace_bytes());
        plan.execute(queue, execution);
        queue.download(output.data(), to, output.size());
        return output;
    }

    template <class Real>
    std::vector<unsigned char> random_input(std::size_t bytes, std::mt19937_64& random) const {
        std::uniform_real_distribution<Real> uniform(-1, 1);
        std::vector<unsigned char> input(bytes);
        for (std::size_t at = 0; at + sizeof(Real) <= bytes; at += sizeof(Real)) {
            const Real value = uniform(random);
            std::memcpy(input.data() + at, &value, sizeof value);
        }
        return input;
    }

    template <class Real>
    static std::vector<Real> numbers(const std::vector<unsigned char>& bytes) {
        std::vector<Real> values(bytes.size() / sizeof(Real));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Real));
        return values;
    }

    /// A stage of 0 / 0 for what pruning leaves out, which is NaN in memory, and 1 for all else, against a transform of
    /// zeros and ones.
    template <class Real>
    void expect_pruned_before_stages(const std::string& text, std::size_t first_left_out) {
        SCOPED_TRACE(text + " on " + device_name());
        Problem problem = parse_problem(text);
        problem.precision = GetParam();
        PlanOptions options;
        options.directions = Directions::forward;
        const Plan plain(*device_, problem, options);
        problem.forward_load = "return abs(value) / abs(value);";
        problem.signal_zeros = {{0, first_left_out, problem.lengths.front()}};
        const Plan staged(*device_, problem, options);
        const std::size_t parts = problem.kind == Kind::c2c ? 2 : 1;
        const std::size_t each = plain.input_bytes() / problem.batch / sizeof(Real) / problem.lengths.front();
        std::vector<Real> ones(plain.input_bytes() / sizeof(Real), 0), data(ones.size(), -1);
        for (std::size_t i = 0; i < ones.size(); ++i) {
            const bool is_left_out = i / each % problem.lengths.front() >= first_left_out;
            if (!is_left_out && i % parts == 0) ones[i] = 1;
            if (is_left_out) data[i] = std::numeric_limits<Real>::quiet_NaN();
        }
        const auto bytes_of = [](const std::vector<Real>& values) {
            const auto* first = reinterpret_cast<const unsigned char*>(values.data());
            return std::vector<unsigned char>(first, first + values.size() * sizeof(Real));
        };
        const auto expected = numbers<Real>(output_of(plain, bytes_of(ones), Direction::forward));
        const auto got = numbers<Real>(output_of(staged, bytes_of(data), Direction::forward));
        double error = 0, size = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            error += (got[i] - expected[i]) * (got[i] - expected[i]);
            size += expected[i] * expected[i];
        }
        EXPECT_LE(std::sqrt(error / size), 20 * unit_roundoff(GetParam())) << got.front();
    }

    /// Transforms of a batch whose fourth is NaN throughout: no bit of the others is another one.
    void expect_isolated(const std::string& text, std::mt19937_64& random) {
        SCOPED_TRACE(text + " on " + device_name());
        constexpr std::size_t spoilt = 3;
        Problem problem = parse_problem(text);
        problem.precision = GetParam();
        const Direction direction = problem.kind == Kind::c2r ? Direction::inverse : Direction::forward;
        PlanOptions options;
        options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
        const Plan plan(*device_, problem, options);
        std::vector<unsigned char> input = GetParam() == Precision::f32
                                               ? random_input<float>(plan.input_bytes(), random)
                                               : random_input<double>(plan.input_bytes(), random);
        const std::vector<unsigned char> clean = output_of(plan, input, direction);
        const std::size_t from = input.size() / problem.batch, to = clean.size() / problem.batch;
        std::fill_n(input.begin() + spoilt * from, from, static_cast<unsigned char>(0xff));
        const std::vector<unsigned char> dirty = output_of(plan, input, direction);
        for (std::size_t i = 0; i < problem.batch; ++i) {
            const bool is_same =
                std::equal(clean.begin() + i * to, clean.begin() + (i + 1) * to, dirty.begin() + i * to);
            EXPECT_EQ(is_same, i != spoilt) << "transform " << i;
        }
    }
};

/// A c2r's imaginary parts that no real signal has are NaN and infinite in all that the checker does; here lengths of
/// every algorithm: butterflies, primes in a loop, Rader, Bluestein, several passes, even and odd.
TEST_P(Kinds, IgnoredPartsOfSpectra) {
    std::mt19937_64 random(sample_seed() + 15);
    std::vector<Problem> problems;
    for (const char* text : {"1 c2r batch=5",
                             "2 c2r batch=5",
                             "3 c2r batch=70",
                             "8 c2r batch=9",
                             "9 c2r batch=9",
                             "15 c2r batch=33",
                             "16 c2r batch=40 in-place",
                             "60 c2r batch=7",
                             "61 c2r batch=3",
                             "64 c2r batch=33 iplanar",
                             "37 c2r batch=40",
                             "43 c2r batch=40",
                             "86 c2r batch=40",
                             "122 c2r batch=3",
                             "101 c2r batch=3",
                             "202 c2r batch=3",
                             "47 c2r batch=5",
                             "94 c2r batch=5",
                             "166 c2r batch=3 in-place",
                             "6x20 c2r axes=1 istrides=13,1",
                             "20x6 c2r axes=0 halved=0",

                             "4096 c2r overwrite-input",
                             "32768 c2r",
                             "30000 c2r in-place",
                             "19683 c2r",
                             "65536 c2r spectrum-order=pass"})
        problems.push_back(parse_problem(text));
    for (Problem& problem : problems) problem.precision = GetParam();
    expect_all_accurate(problems, random);
}

/// Each edge, of the shortest lengths too, without a scale and with each.
TEST_P(Kinds, EdgesAreWeighedWithoutAScale) {
    std::mt19937_64 random(sample_seed() + 17);
    std::vector<Problem> problems;
    for (const Kind kind : trigonometric_kinds())
        for (const char* lengths : {"1", "2", "3", "4", "5", "9", "16", "60", "101", "1024", "4x6", "5x1x3 axes=0,2"}) {
            const std::string text(lengths);
            if (kind == Kind::dct1 && text.front() == '1' && text.size() == 1) continue;
            const std::size_t shape = std::min(text.find(' '), text.size());
            for (const char* norm : {"backward", "ortho", "forward"})
                problems.push_back(parse_problem(text.substr(0, shape) + " " + to_string(kind) + text.substr(shape) +
                                                 " batch=9 orthogonalize norm=" + norm));
        }
    for (const char* text :
         {"8x6x9 dct1,dst3,dct2 orthogonalize in-place", "600 dct3 orthogonalize istrides=3 idist=2000 batch=2",
          "135 dst2 orthogonalize forward-scale=0.3", "30000 dct2 orthogonalize", "4096 dst3 orthogonalize in-place"})
        problems.push_back(parse_problem(text));
    for (Problem& problem : problems) problem.precision = GetParam();
    expect_all_accurate(problems, random);
}

/// In place where elements of one array lie among those of the other: one pass, several, several axes, other
/// algorithms, every kind.
TEST_P(Kinds, TwoLayoutsInPlace) {
    std::mt19937_64 random(sample_seed() + 18);
    std::vector<Problem> problems;
    for (const char* text : {"16 odist=20 batch=9",
                             "16 istrides=2 idist=40 ostrides=1 odist=17 batch=9",
                             "16 idist=8 odist=16 batch=9",
                             "12x10 istrides=10,1 ostrides=1,12 batch=5 inverse-scale=1/n",
                             "4x6 istrides=6,0 ostrides=6,1",
                             "7x9 axes=0 ioffset=32 ooffset=96 ostrides=1,7",
                             "6x8x10 istrides=100,12,1 ostrides=1,6,48",
                             "5x7 axes=1 ostrides=9,1 batch=3",
                             "101 odist=103 batch=4",
                             "1 odist=2 batch=7 forward-scale=2",
                             "8192 ostrides=2",
                             "30000 odist=30001 batch=2",
                             "4096 spectrum-order=pass ostrides=3",
                             "10 r2c batch=5 idist=10 odist=6",
                             "9 r2c batch=5 istrides=3 idist=40 ostrides=2 odist=11",
                             "12x10 r2c istrides=10,1 ostrides=6,1 batch=3",
                             "12x10 r2c istrides=13,1 ostrides=1,12 ioffset=16",
                             "12x10 r2c halved=0 batch=2",
                             "32768 r2c istrides=2 ostrides=1",
                             "3x16384 r2c idist=50000 odist=30000",
                             "16384x3 r2c halved=0",
                             "32768 c2r istrides=1 ostrides=2",
                             "3x16384 c2r istrides=8200,1 ostrides=16384,1",
                             "16384x2 c2r halved=0",
                             "10 c2r batch=5 idist=6 odist=10",
                             "12x10 c2r istrides=6,1 ostrides=10,1 batch=3 inverse-scale=1/n",
                             "15x7 c2r istrides=5,1 ostrides=1,15",
                             "6x10 c2r halved=0 axes=1,0",
                             "16 dct2 odist=20 batch=9",
                             "9 dct1 istrides=2 idist=31 ostrides=1 odist=9 batch=5",
                             "600 dst3 odist=601 batch=3 orthonormal",
                             "8x6 dct4,dst2 istrides=6,1 ostrides=1,8 batch=4",
                             "4096 dct3 ostrides=2",
                             "31 hc2r ooffset=64 batch=3 odist=40"}) {
        Problem problem = parse_problem(std::string(text) + " in-place");
        problem.precision = GetParam();
        problem.input.byte_offset *= GetParam() == Precision::f64 ? 2 : 1;
        problem.output.byte_offset *= GetParam() == Precision::f64 ? 2 : 1;
        problems.push_back(problem);
    }
    for (const char* storage : {"f16", "bf16"})
        if (GetParam() == Precision::f32)
            problems.push_back(parse_problem(std::string("48 in-place odist=50 batch=8 ") + storage));
    expect_all_accurate(problems, random);
}

TEST_P(Kinds, PrunedElementsAreZeroBehindStages) {
    for (const char* text : {"8 batch=9", "15 batch=9", "43 batch=5", "61 batch=3", "101 batch=3", "47 batch=3", "64x3",
                             "4096 batch=2", "30000", "40 r2c batch=9", "45 r2c batch=5", "86 dct2 batch=5",
                             "94 dst3 batch=3", "64 dct4 batch=3", "101 dht batch=3", "8x8 dct2 batch=3"}) {
        if (!goes_on(16)) return;
        if (GetParam() == Precision::f32)
            expect_pruned_before_stages<float>(text, 5);
        else
            expect_pruned_before_stages<double>(text, 5);
    }
}

TEST_P(Kinds, TransformsLeaveEachOtherAlone) {
    std::mt19937_64 random(sample_seed() + 16);
    std::vector<std::string> texts;
    for (const char* kind :
         {"r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc", "hc2r"})
        for (const char* lengths : {"8", "9", "60", "43", "86", "101", "47", "8x8", "5x7"})
            texts.push_back(std::string(lengths) + " " + kind + " batch=9");
    std::shuffle(texts.begin(), texts.end(), random);
    for (const std::string& text : texts) {
        if (!goes_on(texts.size())) return;
        expect_isolated(text, random);
    }
}

TEST_P(Kinds, HalvedLengths) {
    std::mt19937_64 random(sample_seed() + 10);
    expect_all_accurate(kind_length_sample({Kind::r2c, Kind::c2r}, sample_limits(), GetParam(), random), random);
}

TEST_P(Kinds, TrigonometricLengths) {
    std::mt19937_64 random(sample_seed() + 11);
    expect_all_accurate(kind_length_sample(trigonometric_kinds(), sample_limits(), GetParam(), random), random);
}

TEST_P(Kinds, HartleyLengths) {
    std::mt19937_64 random(sample_seed() + 12);
    expect_all_accurate(kind_length_sample({Kind::dht, Kind::r2hc, Kind::hc2r}, sample_limits(), GetParam(), random),
                        random);
}

TEST_P(Kinds, HalvedLayouts) {
    std::mt19937_64 random(sample_seed() + 13);
    expect_all_accurate(halved_layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

TEST_P(Kinds, RealToRealLayouts) {
    std::mt19937_64 random(sample_seed() + 14);
    expect_all_accurate(real_layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Kinds, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
