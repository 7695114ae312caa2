// Real kinds with stages of the user on one backend, the one that SEICHE_TEST_DEVICE names: samples of 8 bits in,
// weighed results out, against the judge. What the stages do is exact, so that the contract's bound is that of the
// transform.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "seiche/half.hpp"
#include "tests/accuracy/real_judge.hpp"
#include "tests/accuracy/suite.hpp"

namespace seiche::accuracy {
namespace {

constexpr std::uint64_t batch = 64;

/// What the store stage multiplies element `at` of an array by.
double weight(std::uint64_t at) { return static_cast<double>(1 + at % 2); }

struct Samples {
    Problem problem;
    Direction direction = Direction::forward;
    std::uint64_t elements = 1;  // of one array of the input
    unsigned parts = 1;
    std::vector<std::uint8_t> bytes;
};

Samples with_stages(const std::string& text, Precision precision, std::mt19937_64& random) {
    Samples s;
    s.problem = parse_problem(text + " batch=" + std::to_string(batch));
    s.problem.precision = precision;
    const Shape shape = shape_of(s.problem);
    s.direction = s.problem.kind == Kind::c2r ? Direction::inverse : Direction::forward;
    const bool forward = s.direction == Direction::forward;
    s.parts = shape.real_input() ? 1 : 2;
    std::string at = "let at = batch", inner;
    for (std::size_t i = 0; i < shape.lengths.size(); ++i) {
        const std::uint64_t count = shape.input_count(i);
        s.elements *= count;
        at = "let at = (" + at.substr(9) + ") * " + std::to_string(count) + " + i" + std::to_string(i);
    }
    UserStage& load = forward ? s.problem.forward_load : s.problem.inverse_load;
    load.text = at + (s.parts == 1 ? "; return (samples[at] - 128) / 128;"
                                   : "; return complex(samples[2 * at] - 128, samples[2 * at + 1] - 128) / 128;");
    load.buffers = {{"samples", StageType::u8, batch * s.elements * s.parts}};
    const std::string last = "i" + std::to_string(shape.lengths.size() - 1);
    (forward ? s.problem.forward_store : s.problem.inverse_store).text = "return value * (1 + " + last + " % 2);";
    for (std::uint64_t i = 0; i < load.buffers[0].count; ++i) s.bytes.push_back(static_cast<std::uint8_t>(random()));
    return s;
}

template <class T>
std::vector<T> run(const Device& device, const Samples& s, const Tuning& tuning) {
    PlanOptions options;
    options.tuning = tuning;
    options.directions = s.direction == Direction::forward ? Directions::forward : Directions::inverse;
    const Plan plan(device, s.problem, options);
    const bool is_split = plan.report().kernels.front().spec.find(" load-samples-parts=") != std::string::npos;
    EXPECT_EQ(is_split, tuning.buffer_bytes != 0 && s.bytes.size() > tuning.buffer_bytes);
    EXPECT_EQ(plan.input_bytes(), 0u);
    Queue queue = device.create_queue();
    Execution execution;
    execution.direction = s.direction;
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    const Buffer samples = device.allocate(s.bytes.size());
    queue.upload(samples, s.bytes.data(), s.bytes.size());
    execution.stage_buffers = {{"samples", samples}};
    plan.execute(queue, execution);
    std::vector<T> out(plan.output_bytes() / sizeof(T));
    queue.download(out.data(), execution.output, plan.output_bytes());
    return out;
}

/// In units of u sqrt(log2 max(N, 2)).
template <class T>
double error(const Device& device, const Samples& s, const Tuning& tuning) {
    const std::vector<T> out = run<T>(device, s, tuning);
    const Shape shape = shape_of(s.problem);
    RealJudge judge(shape.in(s.direction));
    const unsigned out_parts = shape.real_output() ? 1 : 2;
    const std::uint64_t out_elements = out.size() / batch / out_parts,
                        row = shape.output_count(shape.lengths.size() - 1);
    double sum = 0;
    for (std::uint64_t b = 0; b < batch; ++b) {
        std::vector<std::complex<double>> x(s.elements), y(out_elements);
        for (std::uint64_t i = 0; i < s.elements; ++i) {
            const std::uint8_t* at = &s.bytes[(b * s.elements + i) * s.parts];
            x[i] = {(at[0] - 128.0) / 128, s.parts == 1 ? 0.0 : (at[1] - 128.0) / 128};
        }
        for (std::uint64_t k = 0; k < out_elements; ++k) {
            const T* at = &out[(b * out_elements + k) * out_parts];
            y[k] = std::complex<double>(at[0], out_parts == 1 ? T(0) : at[1]) / weight(k % row);
        }
        sum += relative_square_error(y, judge.transform(x), 1.0);
    }
    const double octaves = std::log2(static_cast<double>(std::max<std::uint64_t>(size_of(s.problem).points, 2)));
    return std::sqrt(sum / static_cast<double>(batch)) / unit_roundoff(s.problem.precision) / std::sqrt(octaves);
}

class RealStages : public Suite {
protected:
    void expect_accurate(const std::string& text, const Tuning& tuning = {}) {
        std::mt19937_64 random(sample_seed());
        const Samples s = with_stages(text, GetParam(), random);
        const double got =
            GetParam() == Precision::f32 ? error<float>(*device_, s, tuning) : error<double>(*device_, s, tuning);
        EXPECT_LE(got, allowed_error(s.problem, false, size_of(s.problem).way)) << text;
    }
};

TEST_P(RealStages, KeepTheAccuracyOfTheTransform) {
    std::vector<std::string> all;
    for (const Kind kind : {Kind::r2c, Kind::c2r, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1,
                            Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht, Kind::r2hc, Kind::hc2r})
        for (const char* lengths : {"60", "97", "1024", "12x10", "16384"})
            all.push_back(std::string(lengths) + " " + to_string(kind));
    std::mt19937_64 random(sample_seed() + 15);
    std::shuffle(all.begin(), all.end(), random);
    for (const std::string& text : all) {
        if (!goes_on(all.size())) return;
        expect_accurate(text);
    }
}

// Beyond what one argument of a kernel may have: the samples too, up to 16 parts of them.
TEST_P(RealStages, TakeTheirBuffersInParts) {
    Tuning tuning;
    for (const auto& [text, bytes] : {std::pair{"60 dct2", 2048u}, {"97 dht", 6144u}}) {
        if (!goes_on(2)) return;
        tuning.buffer_bytes = GetParam() == Precision::f32 ? bytes : 2 * bytes;
        expect_accurate(text, tuning);
    }
}

using Words = std::vector<std::uint32_t>;

/// The output and then the stages' buffers after a forward transform, in the words that they lie in.
std::vector<Words> stored(const Device& device, const Problem& problem, const Tuning& tuning) {
    PlanOptions options;
    options.tuning = tuning;
    options.directions = Directions::forward;
    const Plan plan(device, problem, options);
    Queue queue = device.create_queue();
    Execution execution;
    execution.output = device.allocate(plan.output_bytes());
    std::vector<StageBuffer> named = problem.forward_load.buffers;
    named.insert(named.end(), problem.forward_store.buffers.begin(), problem.forward_store.buffers.end());
    std::vector<Buffer> made{execution.output.buffer};
    for (const StageBuffer& one : named) {
        const std::uint64_t bytes = (one.count * bytes_of(one.type) + 3) / 4 * 4;
        Words words(bytes / 4);
        for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i * 0x01030507);
        made.push_back(device.allocate(bytes));
        queue.upload(made.back(), words.data(), bytes);
        execution.stage_buffers.push_back({one.name, made.back()});
    }
    plan.execute(queue, execution);
    std::vector<Words> result;
    for (const Buffer& one : made) {
        result.emplace_back(one.bytes() / 4);
        queue.download(result.back().data(), one, one.bytes() / 4 * 4);
    }
    return result;
}

// Names that parts of another would get are a user's too. Transforms of small whole numbers: what makes no difference
// is rounded alike.
TEST_P(RealStages, StoreIntoBuffersInParts) {
    if (GetParam() != Precision::f32) return;
    for (const StageType type : {StageType::u32, StageType::u8, StageType::f16, StageType::i16}) {
        Problem problem = parse_problem("5 batch=326 storage=f16");
        problem.forward_load = "return offset[batch * 5 + i0] % 13 + offset_0[0] - offset_0[0];";
        problem.forward_load.buffers = {{"offset", StageType::u16, 1630}, {"offset_0", StageType::u8, 3}};
        const std::uint32_t step = type == StageType::u8 ? 2 : 1;  // so that there are parts of it
        problem.forward_store = "store at[" + std::to_string(step) +
                                " * (batch * 5 + i0)] = 3 * i0 + batch % 2; return i0 == 0 ? value : 0;";
        problem.forward_store.buffers = {{"at", type, std::uint64_t{1630} * step}};
        Tuning tuning;
        tuning.buffer_bytes = 2048;
        const std::vector<Words> whole = stored(*device_, problem, {}), parts = stored(*device_, problem, tuning);
        EXPECT_EQ(parts, whole) << to_string(type);
        EXPECT_GT(std::count_if(whole[0].begin(), whole[0].end(), [](std::uint32_t w) { return w != 0; }), 300);
        const unsigned bits = static_cast<unsigned>(8 * bytes_of(type)), each = 32 / bits;
        for (std::uint32_t point = 0; point < 1630; ++point) {
            const std::uint32_t number = 3 * (point % 5) + point / 5 % 2, at = step * point;
            const std::uint32_t word = parts[3][at / each] >> (at % each * bits);
            const std::uint32_t wanted = type == StageType::f16 ? to_f16(static_cast<float>(number)) : number;
            ASSERT_EQ(bits == 32 ? word : word & ((1u << bits) - 1), wanted) << to_string(type) << ", " << at;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, RealStages, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
