// User stages of real kinds in every schedule, interpreted on devices of different shape: what they do is what the same
// transform without stages makes of data that were weighed beforehand, and of its results weighed afterwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <type_traits>

#include "exec/draft.hpp"
#include "exec/inspect.hpp"
#include "exec/tables.hpp"
#include "ir/interpret.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "tests/support/reversed.hpp"

namespace {

using namespace seiche;
using planner::Role;
using Point = std::complex<double>;
using Indices = std::vector<std::uint64_t>;  // of the problem's axes, then the batch
using Bytes = std::vector<std::byte>;

std::vector<DeviceLimits> shapes() {
    DeviceLimits small, large, narrow, wide;
    small.max_group_size = 64;  // so that short lengths take several passes
    small.shared_bytes = 4 * 1024;
    large.architecture = "sm_100";
    large.shared_bytes = 227 * 1024;
    for (DeviceLimits* simd : {&narrow, &wide}) {
        simd->vectors = Vectors::explicit_simd;
        simd->shared_bytes = 1024 * 1024;
        simd->compute_units = 2;
    }
    narrow.vector_bytes = 16;
    narrow.shared_bytes = 16 * 1024;
    return {small, large, narrow, wide};
}

/// One array of a problem: its elements, and where they lie.
struct Array {
    std::vector<std::uint64_t> counts, strides;        // modulo 2^64
    std::uint64_t batch = 1, distance = 0, start = 0;  // start: in real numbers
    bool is_real = false;
    std::vector<Block> blocks;  // left out

    std::uint64_t size() const {
        std::uint64_t all = batch;
        for (const std::uint64_t count : counts) all *= count;
        return all;
    }
    Indices indices(std::uint64_t at) const {
        Indices result(counts.size() + 1);
        for (std::size_t i = counts.size(); i-- > 0; at /= counts[i]) result[i] = at % counts[i];
        result.back() = at;
        return result;
    }
    bool is_kept(const Indices& at) const {
        return std::none_of(blocks.begin(), blocks.end(), [&](const Block& block) {
            const std::uint64_t i = at[static_cast<std::size_t>(block.axis)];
            return block.begin <= i && i < block.end;
        });
    }
    /// In real numbers.
    std::uint64_t place(const Indices& at) const {
        std::uint64_t sum = at.back() * distance;
        for (std::size_t i = 0; i < counts.size(); ++i) sum += at[i] * strides[i];
        return start + (is_real ? sum : 2 * sum);
    }
};

/// `staged` has stages on both sides, from which the counts are known.
Array array_of(const Problem& staged, Direction direction, bool input) {
    const problem::Canonical canonical = problem::normalise(staged);
    const problem::DirectionStages& stages = canonical.stages_of(direction);
    const expression::Program& program = input ? *stages.load : *stages.store;
    Array array;
    array.counts = program.counts;
    array.is_real = program.is_real;
    array.batch = staged.batch;
    array.distance =
        static_cast<std::uint64_t>(input ? canonical.batch.input_distance : canonical.batch.output_distance);
    const std::uint64_t offset = input ? canonical.input_byte_offset : canonical.output_byte_offset;
    array.start = offset / canonical.real_bytes();
    for (const problem::Coordinate& c : canonical.coordinates) {
        std::int64_t stride = 0;
        if (c.kind == problem::Coordinate::Kind::axis)
            stride = input ? canonical.axes[c.index].input_stride : canonical.axes[c.index].output_stride;
        if (c.kind == problem::Coordinate::Kind::loop)
            stride = input ? canonical.loops[c.index].input_stride : canonical.loops[c.index].output_stride;
        array.strides.push_back(static_cast<std::uint64_t>(stride));
    }
    array.blocks = (direction == Direction::forward) == input ? staged.signal_zeros : staged.spectrum_zeros;
    return array;
}

template <class Real>
class Runner {
public:
    using Memory = std::vector<Real>;

    Runner(const Problem& p, const DeviceLimits& limits)
        : canonical_(problem::normalise(p)), batch_(p.batch), limits_(limits) {
        const std::size_t bytes = std::max(canonical_.input_bytes(batch_), canonical_.output_bytes(batch_));
        // All ones are a NaN in a half as well.
        const Real poison =
            std::is_floating_point_v<Real> ? std::numeric_limits<Real>::quiet_NaN() : std::numeric_limits<Real>::max();
        empty_.assign(bytes / sizeof(Real) + 2, poison);
    }

    std::map<std::string, Bytes> buffers;  ///< Of the stages, by name.
    std::map<std::string, std::uint64_t> scalars;
    Tuning tuning;
    std::size_t kernels = 0;  ///< Of the last run.

    const Memory& empty() const { return empty_; }

    Memory run(const Memory& input, Direction direction) {
        input_ = input;
        output_ = empty_;
        PlanOptions options;
        options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
        options.tuning = tuning;
        const exec::Draft draft = exec::draft(canonical_, limits_, options);
        const exec::DraftSchedule& schedule = draft.schedules.front();
        a_.assign(2 * schedule.workspace_a_elements * batch_, empty_.front());
        b_.assign(2 * schedule.workspace_b_elements * batch_, empty_.front());
        kernels = schedule.steps.size();
        for (const exec::DraftStep& step : schedule.steps) launch(step);
        return canonical_.in_place() ? input_ : output_;
    }

private:
    void launch(const exec::DraftStep& step) {
        const kernels::KernelSpec& spec = step.step.spec;
        Bytes table = exec::table_bytes(kernels::tables(spec), canonical_.precision);
        ir::Launch launch;
        launch.groups = {static_cast<std::uint32_t>(kernels::groups(spec, batch_)), 1, 1};
        launch.buffers = {bind(step.step.source), bind(step.step.target)};
        if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
        launch.scalars = {kernels::sequences_per_batch(spec) * batch_};
        for (const auto* stages : {&spec.in.stages, &spec.out.stages}) bind(*stages, launch);
        ir::interpret(*step.kernel, launch);
    }

    void bind(const std::vector<kernels::Stage>& stages, ir::Launch& launch) {
        for (const kernels::Stage& stage : stages) {
            const auto* user = std::get_if<kernels::UserProgram>(&stage);
            if (!user) continue;
            for (const StageBuffer& buffer : user->program->buffers) {
                Bytes& memory = buffers.at(buffer.name);
                ASSERT_EQ(memory.size(), buffer.count * bytes_of(buffer.type));
                launch.buffers.push_back({memory.data(), memory.size()});
            }
            for (const StageScalar& scalar : user->program->scalars) launch.scalars.push_back(scalars.at(scalar.name));
        }
    }

    ir::BoundBuffer bind(Role role) {
        Memory& memory = role == Role::workspace_a                        ? a_
                         : role == Role::workspace_b                      ? b_
                         : role == Role::output && !canonical_.in_place() ? output_
                                                                          : input_;
        const std::uint64_t offset = role == Role::input    ? canonical_.input_base()
                                     : role == Role::output ? canonical_.output_base()
                                                            : 0;
        return {reinterpret_cast<std::byte*>(memory.data()) + offset, memory.size() * sizeof(Real) - offset};
    }

    problem::Canonical canonical_;
    std::uint64_t batch_;
    DeviceLimits limits_;
    Memory empty_, input_, output_, a_, b_;
};

/// A number for each element, as a text and in C++.
std::string position_text(const Problem& p) {
    std::string text = "let at = ", sum = "batch";
    for (std::size_t i = 0; i < p.lengths.size(); ++i)
        sum = "(" + sum + ") * n" + std::to_string(i) + " + i" + std::to_string(i);
    return text + sum + "; ";
}
std::uint64_t position(const Problem& p, const Indices& indices) {
    std::uint64_t at = indices.back();
    for (std::size_t i = 0; i < p.lengths.size(); ++i) at = at * p.lengths[i] + indices[i];
    return at;
}

/// The stages under test: weights that tell every element from its neighbours.
Problem staged(Problem p, Direction direction) {
    const bool forward = direction == Direction::forward;
    UserStage& load = forward ? p.forward_load : p.inverse_load;
    UserStage& store = forward ? p.forward_store : p.inverse_store;
    const std::string last = std::to_string(p.lengths.size() - 1);
    std::uint64_t count = p.batch;
    for (const std::uint64_t length : p.lengths) count *= length;
    const bool to_real = is_real_to_real(p.axis_kinds.empty() ? p.kind : p.axis_kinds.front());
    const bool real_in = to_real || p.kind == Kind::r2c, real_out = to_real || p.kind == Kind::c2r;
    load = position_text(p) + "return value * window[i" + last + "] + " +
           (real_in ? "at % 13 / 16;" : "complex(at % 13, 1) / 16;");
    load.buffers = {{"window", StageType::f32, p.lengths.back()}};
    store = position_text(p) + "store power[at] = " + (real_out ? "value * value" : "norm(value)") +
            " * gain; return value * (at % 7 - 3) / 4;";
    store.buffers = {{"power", StageType::f32, count}};
    store.scalars = {{"gain", StageType::f32}};
    (forward ? p.forward_scale : p.inverse_scale) = p.orthonormal ? Scale::none() : Scale::by_sqrt_n();
    return p;
}

template <class Real>
struct Given {
    std::vector<float> window;
    std::vector<Real> memory, weighed;  // the input, and the same after the load stage
};

template <class Real>
Given<Real> given(const Problem& p, const Array& input, const std::vector<Real>& empty) {
    Given<Real> g{{}, empty, empty};
    for (std::uint64_t i = 0; i < p.lengths.back(); ++i) g.window.push_back(1.0f + static_cast<float>(i % 5) / 8);
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (std::uint64_t i = 0; i < input.size(); ++i) {
        const Indices at = input.indices(i);
        if (!input.is_kept(at)) continue;
        const double weight = g.window[at[p.lengths.size() - 1]];
        const Point shift(static_cast<double>(position(p, at) % 13) / 16, 1.0 / 16);
        const std::uint64_t place = input.place(at);
        for (unsigned part = 0; part < (input.is_real ? 1 : 2); ++part) {
            const Real x = uniform(engine);
            g.memory[place + part] = x;
            g.weighed[place + part] = static_cast<Real>(x * weight + (part ? shift.imag() : shift.real()));
        }
    }
    return g;
}

template <class Real>
void expect_right(const Problem& plain, const DeviceLimits& limits, Direction direction) {
    const Problem p = staged(plain, direction);
    Problem q = p;
    q.forward_load = q.forward_store = q.inverse_load = q.inverse_store = {};
    const Array input = array_of(p, direction, true), output = array_of(p, direction, false);
    Runner<Real> own(p, limits), other(q, limits);
    other.tuning.separate_passes = true;
    const Given<Real> g = given<Real>(p, input, own.empty());
    const StageBuffer& power = (direction == Direction::forward ? p.forward_store : p.inverse_store).buffers[0];
    Bytes& window = own.buffers["window"];
    window.resize(g.window.size() * sizeof(float));
    std::memcpy(window.data(), g.window.data(), window.size());
    own.buffers["power"] = Bytes(power.count * sizeof(float), std::byte{0xff});
    const float gain = 0.5f;
    std::memcpy(&own.scalars["gain"], &gain, sizeof gain);
    const std::vector<Real> got = own.run(g.memory, direction), want = other.run(g.weighed, direction);
    EXPECT_LE(own.kernels, other.kernels) << "stages cost no pass";

    double difference = 0, size = 0, power_difference = 0, power_size = 0;
    std::vector<bool> is_stored(power.count);
    for (std::uint64_t i = 0; i < output.size(); ++i) {
        const Indices at = output.indices(i);
        if (!output.is_kept(at)) continue;
        const std::uint64_t place = output.place(at), number = position(p, at);
        double norm = 0;
        for (unsigned part = 0; part < (output.is_real ? 1 : 2); ++part) {
            const double y = want[place + part], weighed = y * (static_cast<double>(number % 7) - 3) / 4;
            difference += std::pow(got[place + part] - weighed, 2);
            size += weighed * weighed;
            norm += y * y;
        }
        float stored = 0;
        std::memcpy(&stored, &own.buffers["power"][number * sizeof stored], sizeof stored);
        power_difference += std::pow(stored - norm * gain, 2);
        power_size += std::pow(norm * gain, 2);
        is_stored[number] = true;
    }
    const double unit = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
    EXPECT_LE(std::sqrt(difference), 12 * unit * std::sqrt(size)) << to_string(p);
    EXPECT_LE(std::sqrt(power_difference), 24 * 0x1p-24 * std::sqrt(power_size)) << to_string(p);
    for (std::uint64_t i = 0; i < power.count; ++i) {
        if (!is_stored[i]) {
            EXPECT_EQ(own.buffers["power"][i * sizeof(float)], std::byte{0xff}) << "no element stores " << i;
        }
    }
}

void expect_right(const Problem& p) {
    SCOPED_TRACE(to_string(p));
    for (const DeviceLimits& limits : shapes())
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            SCOPED_TRACE(std::string(direction == Direction::forward ? "forward" : "inverse") + " with " +
                         std::to_string(limits.shared_bytes) + " bytes shared");
            if (p.kind == (direction == Direction::forward ? Kind::c2r : Kind::r2c)) continue;
            p.precision == Precision::f32 ? expect_right<float>(p, limits, direction)
                                          : expect_right<double>(p, limits, direction);
        }
}

void expect_right(const std::string& text) { expect_right(parse_problem(text)); }

class RealStages : public testing::TestWithParam<Kind> {};

TEST_P(RealStages, of_one_axis) {
    const std::string kind = to_string(GetParam());
    for (const char* shape : {"1", "2", "3", "4", "5", "8", "15", "16", "17", "31", "60", "64", "97", "101", "256"})
        if (kind != "dct1" || std::string(shape) != "1") expect_right(shape + (" " + kind) + " f32 batch=3");
    expect_right("48 " + kind + " f64 batch=40");
    expect_right("63 " + kind + " f64 in-place batch=2");
}

TEST_P(RealStages, in_several_passes) {
    const std::string kind = to_string(GetParam());
    for (const char* shape : {"2048", "1000 batch=2", "1215", "1018", "509"}) expect_right(shape + (" " + kind));
    expect_right("2048 " + kind + " in-place batch=2");
}

TEST_P(RealStages, of_several_axes_and_any_layout) {
    const std::string kind = to_string(GetParam());
    const bool is_halved = kind == "r2c" || kind == "c2r";
    expect_right("6x10 " + kind + " batch=2");
    expect_right("9x7 " + kind + " in-place batch=2");
    expect_right("8x5x12 " + kind + " f64");
    expect_right("12x6x2 " + kind + " axes=0 batch=2");
    expect_right("3x40x4 " + kind + " axes=1");
    expect_right("64x3 " + kind + " axes=0 istrides=5,1 idist=400 ostrides=1,80 odist=300 batch=2");
    expect_right("48 " + kind + " istrides=3 ostrides=2 ioffset=16 ooffset=32 idist=150 odist=100 batch=3");
    if (is_halved) expect_right("10x12 " + kind + " halved=0");
    if (!is_halved) expect_right("10x12 " + kind + " orthonormal");
}

TEST_P(RealStages, leave_alone_what_pruning_leaves_out) {
    const std::string kind = to_string(GetParam());
    expect_right("64 " + kind + " signal-zeros=0:40-64 spectrum-zeros=0:5-20 batch=3");
    expect_right("12x10 " + kind + " signal-zeros=0:6-12,1:1-3 spectrum-zeros=1:4-6");
    expect_right("2048 " + kind + " signal-zeros=0:1000-2048");
}

/// Stages see indices, wherever these lead.
TEST_P(RealStages, of_strides_below_zero) {
    const std::string kind = to_string(GetParam());
    std::mt19937 random(17);
    for (const char* text : {"17 KIND batch=3", "9x7 KIND in-place batch=2", "3x40x4 KIND axes=1", "1000 KIND batch=2",
                             "12x10 KIND signal-zeros=0:6-12,1:1-3 spectrum-zeros=1:4-6"}) {
        std::string of_kind = text;
        of_kind.replace(of_kind.find("KIND"), 4, kind);
        expect_right(test::reversed(parse_problem(of_kind), static_cast<std::uint32_t>(random())));
    }
}

INSTANTIATE_TEST_SUITE_P(kinds, RealStages,
                         testing::Values(Kind::r2c, Kind::c2r, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                         Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht, Kind::r2hc,
                                         Kind::hc2r),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST(RealStages, of_mixed_kinds) {
    expect_right("6x9x8 dct2,dst3,dht");
    expect_right("5x1x6 r2hc");
    expect_right("1x1 hc2r batch=4");
    expect_right("1x6 dct2,dst1 batch=2");
    expect_right("8x8 dct2 batch=11");
    expect_right("5x4x6 dct4,dht,dct1 f64 batch=3");
    expect_right("6x7 dct3 istrides=9,1 idist=70 ostrides=8,1 odist=50 batch=5");
    expect_right("4x9 dst2 in-place batch=20");
    expect_right("2x3x8x8 dct2 axes=2,3 istrides=192,8,24,1 in-place");
}

/// A group has them whole, and both sides are the user's.
TEST(RealStages, of_planes_and_cubes_in_a_group) {
    for (const char* text :
         {"8x8 r2c batch=9", "9x9 r2c batch=5", "9x9 c2r batch=5", "8x8 c2r f64 batch=7", "5x6x7 r2c batch=3",
          "8x8x8 c2r batch=2", "8x8x8 r2c in-place", "12x10 r2c batch=3 istrides=12,1 idist=150",
          "4x6x9 c2r in-place f64", "6x12 c2r batch=4 odist=90"})
        expect_right(text);
    const auto kernels = [](const char* text) {
        Problem problem = parse_problem(text);
        (problem.kind == Kind::c2r ? problem.inverse_store : problem.forward_store).text = "return value * i0";
        const problem::Canonical canonical = problem::normalise(problem);
        DeviceLimits limits = shapes().front();
        limits.architecture = "sm_100";
        limits.shared_bytes = 227 * 1024;
        const Direction direction = canonical.has(Direction::forward) ? Direction::forward : Direction::inverse;
        return planner::plan(planner::design(canonical, limits, {}), canonical, limits, {direction, {}})
            .schedule.steps.size();
    };
    for (const char* text : {"9x9 r2c", "8x8x8 c2r", "8x8 dct2", "6x6x6 dht"}) EXPECT_EQ(kernels(text), 1u) << text;
}

/// Bytes as samples of a real signal, levels out: neither array is touched, whatever the kernels.
TEST(RealStages, may_replace_the_input_and_the_output) {
    for (const DeviceLimits& limits : shapes())
        for (const char* text : {"64 r2c batch=3", "97 r2c", "15 r2c batch=2", "2048 r2c", "60 dct2 batch=2"}) {
            SCOPED_TRACE(text);
            Problem p = parse_problem(text), q = p;
            const std::uint64_t n = p.lengths[0], count = n * p.batch;
            p.forward_load = "return (samples[batch * n0 + i0] - 128) / 128;";
            p.forward_load.buffers = {{"samples", StageType::u8, count}};
            p.forward_store = "store level[batch * n0 + i0] = 8 * abs(value);";
            p.forward_store.buffers = {{"level", StageType::u16, count}};
            Runner<float> own(p, limits), other(q, limits);
            std::vector<float> x(count);
            for (std::size_t at = 0; at < count; ++at) {
                const auto byte = static_cast<std::uint8_t>(at * 89 + 7);
                own.buffers["samples"].push_back(static_cast<std::byte>(byte));
                x[at] = static_cast<float>((byte - 128.0) / 128.0);
            }
            own.buffers["level"] = Bytes(2 * count, std::byte{0xff});
            const std::vector<float> got = own.run(own.empty(), Direction::forward);
            if (own.kernels == 1) {
                EXPECT_TRUE(std::all_of(got.begin(), got.end(), [](float y) { return std::isnan(y); }));
            }
            x.resize(other.empty().size());
            const std::vector<float> want = other.run(x, Direction::forward);
            const Array output = array_of(p, Direction::forward, false);
            for (std::uint64_t i = 0; i < output.size(); ++i) {
                const Indices at = output.indices(i);
                const std::uint64_t place = output.place(at);
                const double size = std::hypot(want[place], output.is_real ? 0.0f : want[place + 1]);
                std::uint16_t level = 0;
                std::memcpy(&level, &own.buffers["level"][2 * (at[1] * n + at[0])], 2);
                ASSERT_NEAR(level, 8 * size, 0.51) << i;
            }
        }
}

/// Around arithmetic in half a stage counts and computes in f32, and is rounded once.
TEST(RealStages, compute_in_f32_around_halves) {
    Problem p = parse_problem("1024 r2c f16-arithmetic");
    p.forward_load = "return (i0 == 1023 ? 2049 : 0) / 4096 + 0 * value;";  // 2049 is no half, its quotient neither
    p.forward_store = "return i0 == 512 ? complex(value.re, i0 * 5 / 2560) : 0;";
    DeviceLimits limits = shapes().front();
    limits.fp16_arithmetic = true;
    Runner<std::uint16_t> own(p, limits);
    const std::vector<std::uint16_t> got =
        own.run(std::vector<std::uint16_t>(own.empty().size(), 0), Direction::forward);
    EXPECT_EQ(from_f16(got[2 * 512]), -0.5f);
    EXPECT_EQ(from_f16(got[2 * 512 + 1]), 1.0f);
    EXPECT_EQ(from_f16(got[0]), 0.0f);
}

/// Read once, written once, with the buffers of the stages, and no races.
TEST(RealStages, are_analysed_with_their_buffers) {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    Problem p = parse_problem("2048 r2c batch=4");
    p.forward_load = "return samples[batch * n0 + i0] / 128;";
    p.forward_load.buffers = {{"samples", StageType::i8, 2048 * 4}};
    p.forward_store = "store db[batch * 1025 + i0] = 10 * log10(norm(value));";
    p.forward_store.buffers = {{"db", StageType::f32, 1025 * 4}};
    const std::vector<AnalysisReport> reports = exec::analyse(problem::normalise(p), limits, {});
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].out_of_bounds + reports[0].uninitialised_reads + reports[0].races, 0u);
    EXPECT_EQ(reports[0].bytes_read, 2048u * 4);
    EXPECT_EQ(reports[0].bytes_written, 1025u * 4 * 4);
}

}  // namespace
