// Cases, and every peer that runs on this machine: right answers, and a wrong answer is seen.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <numbers>

#include "bench/case.hpp"
#include "seiche/half.hpp"

namespace seiche::bench {
namespace {

struct HalfFormat {
    const char* name;
    std::uint16_t (*to)(float);
    float (*from)(std::uint16_t);

    float rounded(float value) const { return from(to(value)); }
    std::complex<float> rounded(std::complex<float> z) const { return {rounded(z.real()), rounded(z.imag())}; }
    std::complex<float> product(std::complex<float> a, std::complex<float> b) const {
        return rounded({rounded(a.real() * b.real()) - rounded(a.imag() * b.imag()),
                        rounded(a.real() * b.imag()) + rounded(a.imag() * b.real())});
    }
};
constexpr HalfFormat half_formats[] = {{"f16", to_f16, from_f16}, {"bf16", to_bf16, from_bf16}};

std::vector<unsigned char> random_input(const Case& what) {
    std::vector<unsigned char> input(what.input_bytes());
    make_random_input(what, input.data());
    return input;
}

double error_of(const Case& what, const std::vector<unsigned char>& input, const std::vector<unsigned char>& output) {
    return error_of(what, some_outputs(what, input.data()), output.data());
}

/// By Cooley & Tukey, all of it in halves; `sign` is -1 of the forward transform.
std::vector<std::complex<float>> transformed(const std::vector<std::complex<float>>& x, float sign,
                                             const HalfFormat& format) {
    const std::size_t n = x.size();
    if (n == 1) return x;
    std::vector<std::complex<float>> even, odd;
    for (std::size_t j = 0; j < n; ++j) (j % 2 == 0 ? even : odd).push_back(x[j]);
    even = transformed(even, sign, format);
    odd = transformed(odd, sign, format);
    std::vector<std::complex<float>> y(n);
    for (std::size_t k = 0; k < n / 2; ++k) {
        const float angle = sign * 2 * std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(n);
        const auto term = format.product(odd[k], format.rounded(std::polar(1.0f, angle)));
        y[k] = format.rounded(even[k] + term);
        y[k + n / 2] = format.rounded(even[k] - term);
    }
    return y;
}

/// Of each array of the case, as its bytes.
std::vector<unsigned char> transformed(const Case& what, std::vector<unsigned char> bytes, float sign,
                                       const HalfFormat& format) {
    const std::uint64_t n = what.points();
    std::vector<std::uint16_t> halves(2 * n * what.batch);
    std::memcpy(halves.data(), bytes.data(), bytes.size());
    for (std::uint64_t first = 0; first < halves.size(); first += 2 * n) {
        std::vector<std::complex<float>> x;
        for (std::uint64_t i = first; i < first + 2 * n; i += 2)
            x.emplace_back(format.from(halves[i]), format.from(halves[i + 1]));
        const auto y = transformed(x, sign, format);
        for (std::uint64_t k = 0; k < n; ++k) {
            halves[first + 2 * k] = format.to(y[k].real());
            halves[first + 2 * k + 1] = format.to(y[k].imag());
        }
    }
    std::memcpy(bytes.data(), halves.data(), bytes.size());
    return bytes;
}

TEST(Case, ReadsItsText) {
    const Case what = parse_case("f64 c2c 32x60 7 in 2 Some Device Name");
    EXPECT_EQ(what.number, Number::f64);
    EXPECT_TRUE(what.in_place);
    EXPECT_EQ(what.lengths, (std::vector<std::uint64_t>{32, 60}));
    EXPECT_EQ(what.batch, 7u);
    EXPECT_EQ(what.device_index, 2);
    EXPECT_EQ(what.device_name, "Some Device Name");
    EXPECT_EQ(what.bytes(), 32u * 60 * 7 * 16);
    EXPECT_FALSE(what.in_graph);
    EXPECT_TRUE(parse_case("f32 c2c 8 1 out,graph 0").in_graph);
    for (const char* bad :
         {"f8 c2c 8 1 out 0", "f16 r2c 8 1 out 0", "bf16 dct2 8 1 out 0", "f32 c2c 0 1 out 0", "f32 c2c 8 -1 out",
          "f32 c2c 8 1 aside", "f32 c2c 8 1 out,grape 0", "f32 c2q 8 1 out 0", "f32 dct2,dct2 8 1 out 0", ""}) {
        EXPECT_THROW(parse_case(bad), PeerError) << bad;
    }
}

TEST(Case, RepeatsAnInputThatStaysInTheCache) {
    EXPECT_FALSE(parse_case("f32 c2c 8 1 out 0").cached_input);
    for (const char* text : {"f32 c2c 1000 1500 cached 0", "f32 c2r 1000 2500 cached 0"}) {
        const Case what = parse_case(text);
        EXPECT_TRUE(what.cached_input);
        EXPECT_FALSE(what.in_place);
        const auto input = random_input(what);
        ASSERT_GT(input.size(), 2 * cached_period);
        for (std::size_t i = cached_period; i < input.size(); ++i) ASSERT_EQ(input[i], input[i - cached_period]) << i;
        const auto* numbers = reinterpret_cast<const float*>(input.data());
        EXPECT_NE(numbers[2], numbers[0]);
        EXPECT_EQ(numbers[3] == 0, what.kind() == Kind::c2r);
    }
}

TEST(Case, KnowsTheSizesOfRealArrays) {
    const Case out = parse_case("f32 r2c 4x5 2 out 0"), in = parse_case("f64 c2r 4x6 2 in 0");
    EXPECT_EQ(out.kinds, (std::vector<Kind>{Kind::c2c, Kind::r2c}));
    EXPECT_EQ(out.input_bytes(), 2u * 4 * 5 * 4);
    EXPECT_EQ(out.output_bytes(), 2u * 4 * 3 * 8);
    EXPECT_EQ(in.input_bytes(), 2u * 4 * 4 * 16);
    EXPECT_EQ(in.output_bytes(), 2u * 4 * 8 * 8);  // rows of 6 padded to 8
    EXPECT_EQ(parse_case("f32 dct2,dst1 4x5 1 out 0").bytes(), 4u * 5 * 4);
}

TEST(Case, SeesAWrongAnswer) {
    const Case what = parse_case("f32 c2c 16 2 out 0");
    const auto input = random_input(what);
    EXPECT_GT(error_of(what, input, input), 0.1);  // the identity is no transform
    auto poisoned = input;
    std::memset(poisoned.data() + poisoned.size() - 4, 0xff, 4);
    EXPECT_FALSE(error_of(what, input, poisoned) >= 0);  // NaN
}

TEST(Case, AllowsHalvesTheirRoundingsAndNoMore) {
    for (const HalfFormat& format : half_formats) {
        const Case what = parse_case(std::string(format.name) + " c2c 1024 2 out 0");
        EXPECT_EQ(what.bytes(), 1024u * 2 * 4);
        const auto input = random_input(what), right = transformed(what, input, -1, format);
        const double error = error_of(what, input, right), tolerance = tolerance_of(what);
        EXPECT_LT(error, tolerance) << format.name;
        EXPECT_GT(error, tolerance / 16) << format.name;  // roundings are seen
        EXPECT_LT(tolerance, 0.1);
        EXPECT_GT(error_of(what, input, transformed(what, input, 1, format)), 0.5) << format.name;
        EXPECT_GT(error_of(what, input, input), 0.5) << format.name;
        auto poisoned = right;
        std::memset(poisoned.data() + poisoned.size() - 2, 0xff, 2);
        EXPECT_FALSE(error_of(what, input, poisoned) >= 0) << format.name;  // NaN
    }
    EXPECT_LT(tolerance_of(parse_case("bf16 c2c 67108864 1 out 0")), 0.1);
}

TEST(Peers, RefuseHalvesButOne) {
    for (const Peer& peer : peers()) {
        if (std::string(peer.name) == "cufft") continue;
        try {
            peer.prepare(parse_case("f16 c2c 64 2 out 0"));
            FAIL() << peer.name;
        } catch (const PeerError& error) {
            EXPECT_EQ(error.what(), std::string(peer.name) + ": timed in f32 and f64 only, got f16");
        }
    }
}

TEST(Peers, AnswerRightlyWhereTheyRun) {
    std::size_t ran = 0;
    for (const Peer& peer : peers()) {
        for (const char* text :
             {"f32 c2c 1024 4 out 0", "f64 c2c 12x60 3 out 0", "f32 c2c 64 5 in 0", "f32 r2c 1000 4 out 0",
              "f64 r2c 6x7x9 3 in 0", "f64 c2r 6x7x10 3 out 0", "f32 c2r 8x9 3 in 0", "f64 dct2 100 3 out 0",
              "f32 dct1,dst4,dht 6x7x10 3 in 0", "f64 dst1,hc2r 11x12 2 out 0", "f16 c2c 4096 4 out 0",
              "f16 c2c 64x32 3 in 0", "bf16 c2c 1024 5 out 0", "f16 c2c 1000 2 out 0"}) {
            const Case what = parse_case(text);
            const double most = what.has_halves() ? tolerance_of(what) : what.has_doubles() ? 2e-15 : 1e-6;
            std::unique_ptr<Transform> transform;
            try {
                transform = peer.prepare(what);
            } catch (const PeerError& error) {
                GTEST_LOG_(INFO) << peer.name << ", " << text << ": " << error.what();
                continue;
            }
            const auto input = random_input(what);
            std::vector<unsigned char> output(what.output_bytes());
            transform->load(input.data());
            EXPECT_GT(transform->run(1), 0) << peer.name;
            transform->read(output.data());
            EXPECT_LT(error_of(what, input, output), most) << peer.name << ", " << text;
            EXPECT_FALSE(transform->description().empty());
            ++ran;
        }
    }
    if (ran == 0) GTEST_SKIP() << "no peer runs on this machine";
}

}  // namespace
}  // namespace seiche::bench
