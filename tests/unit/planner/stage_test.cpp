// User stages in every schedule, interpreted on devices of different shape: the index that a stage is told is the
// index of the problem, whatever kernels the transform is made of.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <map>
#include <random>

#include "exec/draft.hpp"
#include "exec/inspect.hpp"
#include "exec/tables.hpp"
#include "ir/interpret.hpp"
#include "seiche/error.hpp"

namespace {

using namespace seiche;
using planner::Role;
using Point = std::complex<double>;
using Indices = std::vector<std::uint64_t>;  // of the problem's axes, then the batch
using PointStage = std::function<Point(Point, const Indices&)>;
using Bytes = std::vector<std::byte>;

struct Shape {
    const char* name;
    DeviceLimits limits;
};
std::vector<Shape> shapes() {
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
    return {{"small GPU", small}, {"large GPU", large}, {"narrow SIMD", narrow}, {"wide SIMD", wide}};
}

Indices indices_of(const Problem& p, std::uint64_t at) {
    Indices indices(p.lengths.size() + 1);
    for (std::size_t i = p.lengths.size(); i-- > 0; at /= p.lengths[i]) indices[i] = at % p.lengths[i];
    indices.back() = at;
    return indices;
}

std::uint64_t place_of(const Problem& p, const Layout& layout, const Indices& indices) {
    std::uint64_t place = 0, dense = 1;
    for (std::size_t i = p.lengths.size(); i-- > 0; dense *= p.lengths[i])
        place += indices[i] * (layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides[i]));
    const auto distance = layout.batch_distance ? static_cast<std::uint64_t>(layout.batch_distance) : dense;
    return place + indices.back() * distance;
}

/// By direct summation along each transformed axis.
std::vector<Point> transformed(std::vector<Point> x, const Problem& p, Direction direction) {
    std::uint64_t inner = 1;
    for (std::size_t axis = p.lengths.size(); axis-- > 0; inner *= p.lengths[axis]) {
        const bool listed = std::find(p.axes.begin(), p.axes.end(), static_cast<int>(axis)) != p.axes.end();
        if (!p.axes.empty() && !listed) continue;
        const std::uint64_t n = p.lengths[axis];
        std::vector<std::complex<long double>> roots(n);
        for (std::uint64_t k = 0; k < n; ++k) {
            const long double angle = 2 * acosl(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
            roots[k] = std::polar(1.0L, direction == Direction::forward ? -angle : angle);
        }
        std::vector<Point> y(x.size());
        for (std::size_t at = 0; at < x.size(); ++at) {
            const std::uint64_t k = at / inner % n, base = at - k * inner;
            std::complex<long double> sum = 0;
            for (std::uint64_t j = 0; j < n; ++j)
                sum += std::complex<long double>(x[base + j * inner]) * roots[j * k % n];
            y[at] = Point(sum);
        }
        x = y;
    }
    return x;
}

template <class Real>
class Runner {
public:
    Runner(const Problem& p, const DeviceLimits& limits)
        : problem_(p), canonical_(problem::normalise(p)), limits_(limits) {}

    std::map<std::string, Bytes> buffers;  ///< Of the stages, by name.
    std::map<std::string, std::uint64_t> scalars;

    /// Results in row-major order of batch and lengths; what was not written is NaN.
    std::vector<Point> run(const std::vector<Point>& x, Direction direction) {
        const Real poison = std::numeric_limits<Real>::quiet_NaN();
        input_.assign(canonical_.input_elements(problem_.batch), {poison, poison});
        output_.assign(canonical_.output_elements(problem_.batch), {poison, poison});
        for (std::size_t at = 0; at < x.size(); ++at)
            input_[place_of(problem_, problem_.input, indices_of(problem_, at))] = std::complex<Real>(x[at]);
        PlanOptions options;
        options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
        const exec::Draft draft = exec::draft(canonical_, limits_, options);
        launch_all(draft.schedules.front());
        const auto& memory = canonical_.in_place() ? input_ : output_;
        const Layout& layout = canonical_.in_place() ? problem_.input : problem_.output;
        std::vector<Point> result;
        for (std::size_t at = 0; at < x.size(); ++at)
            result.push_back(Point(memory[place_of(problem_, layout, indices_of(problem_, at))]));
        return result;
    }

private:
    void launch_all(const exec::DraftSchedule& schedule) {
        const std::complex<Real> poison{std::numeric_limits<Real>::quiet_NaN(), 0};
        a_.assign(schedule.workspace_a_elements * problem_.batch, poison);
        b_.assign(schedule.workspace_b_elements * problem_.batch, poison);
        for (const exec::DraftStep& step : schedule.steps) {
            Bytes table = exec::table_bytes(kernels::tables(step.step.spec), problem_.precision);
            ir::Launch launch;
            launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.step.spec, problem_.batch)), 1, 1};
            launch.buffers = {bind(step.step.source), bind(step.step.target)};
            if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
            launch.scalars = {kernels::sequences_per_batch(step.step.spec) * problem_.batch};
            for (const auto* stages : {&step.step.spec.in.stages, &step.step.spec.out.stages}) bind(*stages, launch);
            ir::interpret(*step.kernel, launch);
        }
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
        auto& memory = role == Role::workspace_a                        ? a_
                       : role == Role::workspace_b                      ? b_
                       : role == Role::output && !canonical_.in_place() ? output_
                                                                        : input_;
        return {reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(memory[0])};
    }

    Problem problem_;
    problem::Canonical canonical_;
    DeviceLimits limits_;
    std::vector<std::complex<Real>> input_, output_, a_, b_;
};

std::vector<Point> random_points(std::size_t count) {
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<Point> x(count);
    for (Point& point : x) {
        const float re = uniform(engine);
        point = {re, uniform(engine)};
    }
    return x;
}

std::uint64_t points_of(const Problem& p) {
    std::uint64_t count = p.batch;
    for (const std::uint64_t length : p.lengths) count *= length;
    return count;
}

double relative_error(const std::vector<Point>& got, const std::vector<Point>& want) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        difference += std::norm(got[i] - want[i]);
        size += std::norm(want[i]);
    }
    return std::isnan(difference) ? HUGE_VAL : std::sqrt(difference / std::max(size, 1e-300));
}

/// A text that makes a different factor of each point, and the same in C++.
std::string position_text(const Problem& p) {
    std::string text = "let at = batch";
    for (std::size_t i = 0; i < p.lengths.size(); ++i) {
        text.insert(std::strlen("let at = "), "(");
        text += ") * n" + std::to_string(i) + " + i" + std::to_string(i);
    }
    return text + "; ";
}
std::uint64_t position(const Problem& p, const Indices& indices) {
    std::uint64_t at = indices.back();
    for (std::size_t i = 0; i < p.lengths.size(); ++i) at = at * p.lengths[i] + indices[i];
    return at;
}

/// A load stage that weighs each point by where it stands and by a table, and a store stage that does so too, gives the
/// result back and stores its power.
template <class Real>
void expect_right(Problem p, const DeviceLimits& limits, Direction direction) {
    const std::uint64_t count = points_of(p), last = p.lengths.size() - 1;
    UserStage load =
        position_text(p) + "return value * window[i" + std::to_string(last) + "] + complex(at % 13, 1) / 16;";
    load.buffers = {{"window", StageType::f32, p.lengths[last]}};
    UserStage store = position_text(p) + "store power[at] = norm(value) * gain; return value * (at % 7 - 3) / 4;";
    store.buffers = {{"power", StageType::f32, count}};
    store.scalars = {{"gain", StageType::f32}};
    (direction == Direction::forward ? p.forward_load : p.inverse_load) = load;
    (direction == Direction::forward ? p.forward_store : p.inverse_store) = store;
    (direction == Direction::forward ? p.forward_scale : p.inverse_scale) = Scale::by_sqrt_n();

    Runner<Real> runner(p, limits);
    std::vector<float> window(p.lengths[last]);
    for (std::size_t i = 0; i < window.size(); ++i) window[i] = 1.0f + static_cast<float>(i % 5) / 8;
    runner.buffers["window"].resize(window.size() * sizeof(float));
    std::memcpy(runner.buffers["window"].data(), window.data(), window.size() * sizeof(float));
    runner.buffers["power"] = Bytes(count * sizeof(float), std::byte{0xff});
    const float gain = 0.5f;
    std::memcpy(&runner.scalars["gain"], &gain, sizeof gain);

    const std::vector<Point> x = random_points(count);
    std::vector<Point> staged(count), want(count), got = runner.run(x, direction), powers(count), stored(count);
    double n = 1;
    for (std::size_t i = 0; i <= last; ++i)
        if (p.axes.empty() || std::find(p.axes.begin(), p.axes.end(), static_cast<int>(i)) != p.axes.end())
            n *= static_cast<double>(p.lengths[i]);
    for (std::size_t at = 0; at < count; ++at) {
        const Indices indices = indices_of(p, at);
        staged[at] = x[at] * static_cast<double>(window[indices[last]]) +
                     Point(static_cast<double>(position(p, indices) % 13), 1) / 16.0;
    }
    staged = transformed(staged, p, direction);
    for (std::size_t at = 0; at < count; ++at) {
        const Point y = staged[at] / std::sqrt(n);
        powers[at] = std::norm(y) * gain;
        want[at] = y * (static_cast<double>(at % 7) - 3) / 4.0;
        float power = 0;
        std::memcpy(&power, &runner.buffers["power"][at * sizeof power], sizeof power);
        stored[at] = power;
    }
    const double unit = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
    EXPECT_LE(relative_error(got, want), 12 * unit) << to_string(p);
    EXPECT_LE(relative_error(stored, powers), 24 * 0x1p-24) << to_string(p);
}

class Stages : public testing::TestWithParam<const char*> {};

TEST_P(Stages, see_the_problems_own_indices) {
    for (const Shape& shape : shapes()) {
        SCOPED_TRACE(shape.name);
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const Problem p = parse_problem(GetParam());
            if (p.precision == Precision::f32)
                expect_right<float>(p, shape.limits, direction);
            else
                expect_right<double>(p, shape.limits, direction);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(one_axis, Stages,
                         testing::Values("1 f32", "2 f32 batch=70", "8 f32 batch=5", "16 f64 batch=3", "60 f32 batch=9",
                                         "64 f32 batch=40", "256 f32 in-place batch=3", "1000 f32",
                                         "512 f64 batch=2 in-place"));
INSTANTIATE_TEST_SUITE_P(several_passes, Stages,
                         testing::Values("1536 f64", "2048 f32 in-place batch=2", "512x3 f32 axes=0 batch=2"));
INSTANTIATE_TEST_SUITE_P(bluestein, Stages,
                         testing::Values("17 f32 batch=20", "97 f32 batch=3", "509 f64 in-place", "1031 f32",
                                         "19x23 f32 axes=0", "34x17 f64 in-place batch=2"));
INSTANTIATE_TEST_SUITE_P(several_axes, Stages,
                         testing::Values("4x6 f32 batch=3", "16x32 f32 in-place batch=2", "8x5x12 f64",
                                         "3x1x40 f32 axes=0", "6x64x2 f32 axes=1 batch=2", "2x3x4x5 f32 axes=0,2",
                                         "7x9 f32 axes=1 in-place", "64x48 f32"));
INSTANTIATE_TEST_SUITE_P(strided, Stages,
                         testing::Values("12x10 f32 istrides=1,12 ostrides=30,2 odist=400 batch=2",
                                         "4x3x16 f32 axes=2 istrides=16,64,1 batch=2",
                                         "64 f32 istrides=3 idist=1 batch=2",
                                         "32x8 f64 axes=0 in-place istrides=1,32"));
INSTANTIATE_TEST_SUITE_P(nothing_to_transform, Stages,
                         testing::Values("1x1 f32 batch=4", "1x5 f32 axes=0 in-place", "1x6x5 f64 axes=0 batch=2"));

/// Twice a stage in the way that a problem may have it: only on load, or only on store.
TEST(Stages, on_one_side_leave_the_other_as_it_is) {
    for (const Shape& shape : shapes()) {
        Problem p = parse_problem("48x16 f32");
        p.forward_load = "return conj(value);";
        const std::vector<Point> x = random_points(points_of(p));
        std::vector<Point> conjugate = x;
        for (Point& point : conjugate) point = std::conj(point);
        EXPECT_LE(relative_error(Runner<float>(p, shape.limits).run(x, Direction::forward),
                                 transformed(conjugate, p, Direction::forward)),
                  1e-6);
        EXPECT_LE(relative_error(Runner<float>(p, shape.limits).run(x, Direction::inverse),
                                 transformed(x, p, Direction::inverse)),
                  1e-6);
    }
}

/// The input is NaN throughout, and the output must stay so: neither is touched where nothing names it.
TEST(Stages, may_replace_the_input_and_the_output) {
    for (const Shape& shape : shapes())
        for (const char* text : {"64 f32 batch=3", "97 f32", "1000 f32 batch=2"}) {
            SCOPED_TRACE(std::string(shape.name) + ": " + text);
            Problem p = parse_problem(text);
            const std::uint64_t count = points_of(p);
            p.forward_load = "return (samples[batch * n0 + i0] - 128) / 128;";
            p.forward_load.buffers = {{"samples", StageType::u8, count}};
            p.forward_store = "store level[batch * n0 + i0] = 8 * abs(value);";
            p.forward_store.buffers = {{"level", StageType::u16, count}};
            Runner<float> runner(p, shape.limits);
            std::vector<Point> x(count, Point(std::nan(""), 0)), staged(count);
            for (std::size_t at = 0; at < count; ++at) {
                const auto byte = static_cast<std::uint8_t>(at * 89 + 7);
                runner.buffers["samples"].push_back(static_cast<std::byte>(byte));
                staged[at] = (byte - 128.0) / 128.0;
            }
            runner.buffers["level"] = Bytes(2 * count, std::byte{0xff});
            const std::vector<Point> got = runner.run(x, Direction::forward);
            const bool one_kernel =
                exec::draft(problem::normalise(p), shape.limits, {}).schedules.front().steps.size() == 1;
            for (const Point& point : got) ASSERT_TRUE(!one_kernel || std::isnan(point.real()));
            staged = transformed(staged, p, Direction::forward);
            for (std::size_t at = 0; at < count; ++at) {
                std::uint16_t level = 0;
                std::memcpy(&level, &runner.buffers["level"][2 * at], 2);
                ASSERT_NEAR(level, 8 * std::abs(staged[at]), 0.501) << at;
            }
        }
}

/// In Bluestein's padding there are no points: what a stage makes of them must not reach the transform.
TEST(Stages, do_not_see_padding) {
    for (const Shape& shape : shapes()) {
        Problem p = parse_problem("97 f32 batch=2");
        p.forward_load = "return value + 1 / (n0 - i0);";  // infinite at i0 = 97
        const std::vector<Point> x = random_points(points_of(p));
        std::vector<Point> staged = x;
        for (std::size_t at = 0; at < x.size(); ++at) staged[at] += 1.0 / (97.0 - static_cast<double>(at % 97));
        EXPECT_LE(relative_error(Runner<float>(p, shape.limits).run(x, Direction::forward),
                                 transformed(staged, p, Direction::forward)),
                  1e-6)
            << shape.name;
    }
}

TEST(Stages, are_analysed_with_their_buffers) {
    Problem p = parse_problem("1024 f32 batch=4");
    p.forward_load = "return value * window[i0];";
    p.forward_load.buffers = {{"window", StageType::f32, 1024}};
    p.forward_store = "store db[batch * n0 + i0] = 10 * log10(norm(value));";
    p.forward_store.buffers = {{"db", StageType::f32, 4096}};
    const std::vector<AnalysisReport> reports = exec::analyse(problem::normalise(p), shapes()[1].limits, {});
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].out_of_bounds + reports[0].uninitialised_reads + reports[0].races, 0u);
    EXPECT_EQ(reports[0].bytes_read, 4096u * (8 + 4));
    EXPECT_EQ(reports[0].bytes_written, 4096u * 4);
    EXPECT_EQ(reports[0].sectors, reports[0].sectors_ideal);
    const PlanReport report = exec::describe(p, shapes()[1].limits, {});
    EXPECT_EQ(report.kernels[0].bytes_read, 4096u * 8 + 1024 * 4);
    EXPECT_EQ(report.kernels[0].bytes_written, 4096u * 4);
}

TEST(Stages, with_f64_need_a_device_that_has_it) {
    DeviceLimits limits;
    limits.fp64 = false;
    Problem p = parse_problem("64 f32");
    p.forward_load = "return value * x[i0];";
    p.forward_load.buffers = {{"x", StageType::f64, 64}};
    EXPECT_THROW(exec::draft(problem::normalise(p), limits, {}), Unsupported);
}

}  // namespace
