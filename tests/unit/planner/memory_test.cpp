// Schedules over every storage and over planar arrays, interpreted, with poisoned memory around the elements: checked
// against direct summation in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <random>

#include "exec/tables.hpp"
#include "ir/interpret.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "kernels/contract/generate.hpp"
#include "planner/recipe.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "tests/support/reversed.hpp"

namespace {

using namespace seiche;
using planner::Role;
using Extended = std::complex<long double>;

/// One of the two arrays in memory: numbers as they are stored, poisoned where there is no element.
class Array {
public:
    Array(const problem::Canonical& c, bool input)
        : storage_(c.storage),
          real_bytes_(c.stored_bytes()),
          planar_(input ? c.input_planar : c.output_planar),
          end_(input ? c.input_half_bytes(c.batch.count) : c.output_half_bytes(c.batch.count)),
          base_(input ? c.input_base() : c.output_base()),
          apart_(input ? c.input_elements(c.batch.count) * c.input_element_bytes()
                       : c.output_elements(c.batch.count) * c.output_element_bytes()),
          first_(input ? c.input_byte_offset : c.output_byte_offset),
          bytes_(input ? c.input_bytes(c.batch.count) : c.output_bytes(c.batch.count), std::byte{0xff}) {}

    void set(std::uint64_t element, std::complex<double> value) {
        put(place(element, 0), value.real());
        put(place(element, 1), value.imag());
    }
    Extended get(std::uint64_t element) const { return {number(place(element, 0)), number(place(element, 1))}; }
    ir::BoundBuffer real() { return {bytes_.data() + base_, (planar_ ? end_ : bytes_.size()) - base_}; }
    ir::BoundBuffer imaginary() { return {bytes_.data() + base_ + apart_, bytes_.size() - base_ - apart_}; }
    const std::vector<std::byte>& bytes() const { return bytes_; }
    /// The bytes that belong to the elements, poisoned again.
    void poison(const std::vector<std::uint64_t>& elements) {
        for (const std::uint64_t element : elements)
            for (int part = 0; part < 2; ++part) std::memset(bytes_.data() + place(element, part), 0xff, real_bytes_);
    }
    bool is_poisoned() const {
        return std::all_of(bytes_.begin(), bytes_.end(), [](std::byte b) { return b == std::byte{0xff}; });
    }

private:
    std::uint64_t place(std::uint64_t element, int part) const {
        const std::uint64_t p = static_cast<std::uint64_t>(part);
        return first_ + (planar_ ? p * apart_ + element * real_bytes_ : (2 * element + p) * real_bytes_);
    }
    void put(std::uint64_t at, double value) {
        const auto single = static_cast<float>(value);
        const std::uint16_t half = storage_ == Storage::f16 ? to_f16(single) : to_bf16(single);
        const void* from = real_bytes_ == 2   ? static_cast<const void*>(&half)
                           : real_bytes_ == 4 ? static_cast<const void*>(&single)
                                              : &value;
        std::memcpy(bytes_.data() + at, from, real_bytes_);
    }
    long double number(std::uint64_t at) const {
        double value = 0;
        float single = 0;
        std::uint16_t half = 0;
        void* to = real_bytes_ == 2   ? static_cast<void*>(&half)
                   : real_bytes_ == 4 ? static_cast<void*>(&single)
                                      : &value;
        std::memcpy(to, bytes_.data() + at, real_bytes_);
        if (real_bytes_ == 8) return value;
        if (real_bytes_ == 4) return single;
        return storage_ == Storage::f16 ? from_f16(half) : from_bf16(half);
    }

    Storage storage_;
    std::uint64_t real_bytes_;
    bool planar_;
    std::uint64_t end_, base_, apart_, first_;  // of the real half: its end, its binding, its distance, element 0
    std::vector<std::byte> bytes_;
};

/// The elements of every transform, row-major over the transformed axes.
std::vector<std::vector<std::uint64_t>> places(const problem::Canonical& c, bool input) {
    std::vector<std::uint64_t> starts, within{0};
    for (std::uint64_t b = 0; b < c.batch.count; ++b)
        starts.push_back(b * static_cast<std::uint64_t>(input ? c.batch.input_distance : c.batch.output_distance));
    const auto spread = [](std::vector<std::uint64_t>& list, std::uint64_t count, std::int64_t stride) {
        std::vector<std::uint64_t> longer;  // modulo 2^64
        for (const std::uint64_t at : list)
            for (std::uint64_t j = 0; j < count; ++j) longer.push_back(at + j * static_cast<std::uint64_t>(stride));
        list = longer;
    };
    for (const problem::Loop& l : c.loops) spread(starts, l.count, input ? l.input_stride : l.output_stride);
    for (const problem::Axis& a : c.axes) spread(within, a.length, input ? a.input_stride : a.output_stride);
    std::vector<std::vector<std::uint64_t>> all;
    for (const std::uint64_t start : starts) {
        all.push_back(within);
        for (std::uint64_t& at : all.back()) at += start;
    }
    return all;
}

std::vector<Extended> direct(std::vector<Extended> x, const problem::Canonical& c, Direction direction) {
    std::uint64_t inner = x.size();
    for (const problem::Axis& axis : c.axes) {
        const std::uint64_t n = axis.length;
        inner /= n;
        std::vector<Extended> y(x.size()), roots(n);
        for (std::uint64_t k = 0; k < n; ++k) {
            const long double angle = 2 * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
            roots[k] = {std::cos(angle), direction == Direction::forward ? -std::sin(angle) : std::sin(angle)};
        }
        for (std::size_t at = 0; at < x.size(); ++at) {
            const std::uint64_t k = at / inner % n, base = at - k * inner;
            for (std::uint64_t j = 0; j < n; ++j) y[at] += x[base + j * inner] * roots[j * k % n];
        }
        x = y;
    }
    return x;
}

struct Result {
    long double error = 0;  // relative, L2, over all transforms
    unsigned roundings = 0;
    bool gaps_are_whole = false;
};

class Runner {
public:
    Runner(const std::string& text, const DeviceLimits& limits, Direction direction, const Tuning& tuning)
        : c_(problem::normalise(parse_problem(text))),
          limits_(limits),
          direction_(direction),
          tuning_(tuning),
          input_(c_, true),
          output_(c_, false) {}

    Result run() {
        const auto from = places(c_, true), to = places(c_, false);
        std::mt19937_64 engine(7);
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (const auto& transform : from)
            for (const std::uint64_t at : transform) input_.set(at, {uniform(engine), uniform(engine)});
        const Array before = input_;
        Result result;
        execute(result);
        Array& out = c_.in_place() ? input_ : output_;
        long double difference = 0, size = 0;
        for (std::size_t t = 0; t < from.size(); ++t) {
            std::vector<Extended> x;
            for (const std::uint64_t at : from[t]) x.push_back(before.get(at));
            x = direct(x, c_, direction_);
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Extended exact = x[i] * static_cast<long double>(c_.scale(direction_));
                difference += std::norm(out.get(to[t][i]) - exact);
                size += std::norm(exact);
            }
            out.poison(to[t]);
        }
        result.error = std::sqrt(difference / size);
        result.gaps_are_whole = out.is_poisoned() && (c_.in_place() || input_.bytes() == before.bytes());
        return result;
    }

private:
    void execute(Result& result) {
        const planner::Recipe recipe = planner::design(c_, limits_, tuning_);
        const planner::Schedule schedule = planner::plan(recipe, c_, limits_, {direction_, tuning_}).schedule;
        const std::uint64_t complex = c_.complex_bytes() * c_.batch.count;
        a_.assign(schedule.workspace_a_elements * complex, std::byte{0xff});
        b_.assign(schedule.workspace_b_elements * complex, std::byte{0xff});
        for (const planner::Step& step : schedule.steps) {
            const ir::Kernel kernel = ir::optimise(kernels::generate(step.spec));
            ir::verify(kernel);
            std::vector<std::byte> table = exec::table_bytes(kernels::tables(step.spec), c_.precision);
            ir::Launch launch;
            launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, c_.batch.count)), 1, 1};
            launch.buffers = {bind(step.source), bind(step.target)};
            if (step.spec.in.is_planar()) launch.buffers.push_back(array(step.source).imaginary());
            if (step.spec.out.is_planar()) launch.buffers.push_back(array(step.target).imaginary());
            if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
            launch.scalars = {kernels::sequences_per_batch(step.spec) * c_.batch.count};
            ir::interpret(kernel, launch);
            result.roundings += kernels::rounds_storage(step.spec) ? 1 : 0;
        }
    }

    Array& array(Role role) { return role == Role::output && !c_.in_place() ? output_ : input_; }
    ir::BoundBuffer bind(Role role) {
        if (role == Role::workspace_a) return {a_.data(), a_.size()};
        return role == Role::workspace_b ? ir::BoundBuffer{b_.data(), b_.size()} : array(role).real();
    }

    problem::Canonical c_;
    DeviceLimits limits_;
    Direction direction_;
    Tuning tuning_;
    Array input_, output_;
    std::vector<std::byte> a_, b_;
};

double storage_unit(Storage storage) {
    switch (storage) {
        case Storage::f16: return 0x1p-11;
        case Storage::bf16: return 0x1p-8;
        case Storage::f32: return 0x1p-24;
        case Storage::f64: return 0x1p-53;
        case Storage::same: break;
    }
    return 0;
}

void expect_transform(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    const problem::Canonical c = problem::normalise(parse_problem(text));
    const double arithmetic = (c.precision == Precision::f32 ? 0x1p-24 : 0x1p-53) *
                              std::sqrt(std::log2(std::max(static_cast<double>(c.n), 2.0)));
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Result result = Runner(text, limits, direction, tuning).run();
        // A few dozen values scatter around the mean that the contract is about.
        const double bound =
            2.5 * arithmetic + 0.45 * 1.1 * storage_unit(c.storage) * std::sqrt(static_cast<double>(result.roundings));
        const char* way = direction == Direction::forward ? " forward" : " inverse";
        EXPECT_LT(static_cast<double>(result.error), bound) << text << way;
        EXPECT_TRUE(result.gaps_are_whole) << text << way;
        EXPECT_EQ(result.roundings > 0, c.storage != Storage::same) << text << way;
    }
}

class Memories : public testing::TestWithParam<int> {
protected:
    DeviceLimits limits() const {
        DeviceLimits limits;
        if (GetParam() == 0) {
            limits.max_group_size = 256;
            limits.shared_bytes = 16 * 1024;
        } else if (GetParam() == 1) {
            limits.architecture = "sm_100";
            limits.shared_bytes = 227 * 1024;
        } else {
            limits.vectors = Vectors::explicit_simd;
            limits.vector_bytes = GetParam() == 2 ? 64 : 16;
            limits.shared_bytes = 1024 * 1024;
            limits.compute_units = 2;
        }
        return limits;
    }
    /// So little that 1024 points take several passes.
    DeviceLimits tight() const {
        DeviceLimits tight = limits();
        tight.shared_bytes = tight.vectors == Vectors::explicit_simd ? 16 * 1024 : 1024;
        return tight;
    }
};

TEST_P(Memories, EveryStorage) {
    for (const char* storage : {" f16", " bf16", " f64 storage=f32"}) {
        for (const char* text :
             {"1 forward-scale=0.3 batch=40", "8 batch=33", "30 batch=11", "64 batch=3", "101 batch=2", "512",
              "1000 in-place", "12x10 batch=3", "16x16 in-place batch=2", "30 batch=4 istrides=3 idist=100",
              "64 batch=40 istrides=40 idist=1 ostrides=40 odist=1", "17x32 axes=0",
              "32 ioffset=32 ooffset=48 batch=5"})
            expect_transform(std::string(text) + storage, limits());
    }
}

TEST_P(Memories, EveryStorageInSeveralPasses) {
    for (const char* storage : {" f16", " bf16", " f64 storage=f32"}) {
        for (const char* text :
             {"1024", "2048 in-place inverse-scale=1/n", "509 batch=2", "64x512 axes=0", "1024 ostrides=3 odist=3100"})
            expect_transform(std::string(text) + storage, tight());
    }
}

TEST_P(Memories, Planar) {
    for (const char* planar : {" planar", " iplanar", " oplanar"}) {
        for (const char* text :
             {"1 forward-scale=0.3 batch=40", "8 batch=33", "30 f64 batch=11", "64 batch=3", "101 batch=2", "512 f16",
              "12x10 batch=3", "30 batch=4 istrides=3 idist=100", "17x32 axes=0",
              "64 batch=40 istrides=40 idist=1 ostrides=40 odist=1", "32 ioffset=12 bf16 batch=5", "32 f64 ooffset=24",
              "16x8 istrides=1,16 ostrides=9,1"}) {
            if (std::strstr(text, "ooffset") != nullptr && std::strstr(planar, "o") == nullptr) continue;
            if (std::strstr(text, "ioffset") != nullptr && planar[1] == 'o') continue;
            expect_transform(std::string(text) + planar, limits());
        }
    }
    for (const char* text : {"64 batch=3 in-place iplanar", "16x16 in-place batch=2 planar", "1000 in-place planar f16",
                             "4x6 in-place istrides=1,5 idist=40 batch=2 iplanar ioffset=4"})
        expect_transform(text, limits());
}

TEST_P(Memories, PlanarInSeveralPasses) {
    for (const char* planar : {" planar", " iplanar", " oplanar"}) {
        for (const char* text : {"1024", "509 batch=2", "64x512 f64 axes=0", "1024 ostrides=3 odist=3100 f16"})
            expect_transform(std::string(text) + planar, tight());
    }
    expect_transform("2048 in-place planar", tight());
    expect_transform("512x6 axes=0 in-place planar bf16", tight());
}

TEST_P(Memories, StridesBelowZero) {
    std::mt19937 random(5);
    for (const char* memory : {" planar", " iplanar f16", " oplanar f64", " bf16", " f64 storage=f32"})
        for (const char* text : {"30 batch=11", "512", "12x10 batch=3", "17x32 axes=0 batch=2", "5x8x4 axes=1"})
            expect_transform(to_string(test::reversed(parse_problem(std::string(text) + memory),
                                                      static_cast<std::uint32_t>(random()))),
                             limits());
    for (const char* text : {"64 batch=3 in-place planar", "1024 in-place f16", "64x512 in-place axes=0 f64 planar"})
        expect_transform(to_string(test::reversed(parse_problem(text), static_cast<std::uint32_t>(random()))), tight());
}

INSTANTIATE_TEST_SUITE_P(Devices, Memories, testing::Values(0, 1, 2, 3));

// Unscaled, the passes before the last would leave 255 * 1024 = 261120 in the output, which no half can hold.
TEST(MemoryRange, AScaleIsSpreadOverPassesThatLeaveHalves) {
    const problem::Canonical c = problem::normalise(parse_problem("1024x1024 f16 forward-scale=1/n"));
    const DeviceLimits limits;
    const planner::Schedule schedule =
        planner::plan(planner::design(c, limits, {}), c, limits, {Direction::forward, {}}).schedule;
    ASSERT_EQ(schedule.steps.size(), 2u);
    const std::vector<kernels::Stage> share{kernels::Multiply{1.0 / 1024}};
    EXPECT_EQ(schedule.steps[0].spec.out.stages, share);
    EXPECT_EQ(schedule.steps[1].spec.out.stages, share);
}

// A constant of 100 through 4096 points is 409600 before the scale; and 1/4096 is applied without a subnormal factor.
TEST(MemoryRange, ArithmeticInHalfTakesHalfOfAScaleFirst) {
    const problem::Canonical c = problem::normalise(parse_problem("4096 f16-arithmetic forward-scale=1/n"));
    DeviceLimits limits;
    limits.fp16_arithmetic = true;
    const planner::Schedule schedule =
        planner::plan(planner::design(c, limits, {}), c, limits, {Direction::forward, {}}).schedule;
    const std::vector<kernels::Stage> share{kernels::Multiply{1.0 / 64}};
    EXPECT_EQ(schedule.steps.front().spec.in.stages, share);
    EXPECT_EQ(schedule.steps.back().spec.out.stages, share);

    // A map in a pass of its own has no stages on load.
    const problem::Canonical real = problem::normalise(parse_problem("79664 dst3 f16-arithmetic orthonormal"));
    const planner::Schedule mapped =
        planner::plan(planner::design(real, limits, {}), real, limits, {Direction::forward, {}}).schedule;
    ASSERT_TRUE(mapped.steps.front().spec.is_repacking());
    EXPECT_TRUE(mapped.steps.front().spec.in.stages.empty());
    EXPECT_EQ(mapped.steps[1].spec.in.stages.front(), kernels::Stage(kernels::Multiply{1.0 / 16}));
}

TEST(MemoryLimits, ADeviceWithoutArithmeticInHalfSaysSo) {
    DeviceLimits limits;
    const problem::Canonical c = problem::normalise(parse_problem("64 f16-arithmetic"));
    try {
        planner::design(c, limits, {});
        ADD_FAILURE() << "accepted";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("f16-arithmetic on a device without it"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("cl_khr_fp16"), std::string::npos);
    }
    limits.fp16_arithmetic = true;
    limits.fp64 = limits.fp16_storage = false;
    EXPECT_NO_THROW(planner::design(c, limits, {}));
}

TEST(MemoryLimits, ADeviceWithoutHalvesSaysSo) {
    DeviceLimits limits;
    limits.fp16_storage = false;
    for (const char* text : {"64 f16", "64 bf16"}) {
        try {
            planner::design(problem::normalise(parse_problem(text)), limits, {});
            ADD_FAILURE() << text;
        } catch (const Unsupported& error) {
            EXPECT_NE(std::string(error.what()).find("16-bit storage"), std::string::npos);
        }
    }
    EXPECT_NO_THROW(planner::design(problem::normalise(parse_problem("64 f64 storage=f32")), limits, {}));
}

}  // namespace
