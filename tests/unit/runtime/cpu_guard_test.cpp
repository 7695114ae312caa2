// Plans on the processor touch nothing outside their arrays, tables and scratch memory: each is run with all of these
// at inaccessible pages, and gives what it gives in ordinary memory.
#include "cpu_guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/interop/cpu.hpp"
#include "seiche/plan.hpp"
#include "tests/accuracy/sample.hpp"

namespace seiche::test {
namespace {

using runtime::cpu::InstructionSet;
using Bytes = std::vector<std::byte>;

/// Numbers of one size, from 0.5 to 1 and their negatives; of a double-double both are.
Bytes numbers(std::uint64_t bytes, Precision precision, Storage storage) {
    std::mt19937_64 random(bytes);
    Bytes result(bytes);
    const std::uint64_t size = std::min<std::uint64_t>(stored_bytes(precision, storage), sizeof(double));
    for (std::uint64_t at = 0; at + size <= bytes; at += size) {
        const std::uint64_t bits = random();
        std::uint64_t number = (bits & 0x800fffffffffffff) | 0x3fe0000000000000;
        if (size == 4) number = (bits & 0x807fffff) | 0x3f000000;
        if (size == 2) number = storage == Storage::bf16 ? (bits & 0x807f) | 0x3f00 : (bits & 0x83ff) | 0x3800;
        std::memcpy(&result[at], &number, size);
    }
    return result;
}

/// The caller's arrays of one execution: at inaccessible pages, or in ordinary memory.
class Arrays {
public:
    Arrays(const Device& device, bool are_guarded, Guarded guarded)
        : device_(device), are_guarded_(are_guarded), guarded_(guarded) {}

    BufferView add(const Bytes& content, bool is_result = false) {
        if (content.empty()) return {};
        if (!are_guarded_) {
            ordinary_.push_back(std::make_unique<Bytes>(content));
            return note(ordinary_.back()->data(), content.size(), is_result);
        }
        memories_.push_back(std::make_unique<GuardedMemory>(content.size(), guarded_));
        std::memcpy(memories_.back()->data(), content.data(), content.size());
        return note(memories_.back()->data(), content.size(), is_result);
    }
    std::vector<BufferView> add_parts(const Bytes& content, const std::vector<std::uint64_t>& sizes, bool is_result) {
        std::vector<BufferView> views;
        auto from = content.begin();
        for (const std::uint64_t size : sizes) {
            const auto end = from + static_cast<std::ptrdiff_t>(size);
            views.push_back(add(Bytes(from, end), is_result));
            from = end;
        }
        return views;
    }
    /// What there is so far is only read from now on.
    void protect() {
        for (const auto& memory : memories_) memory->allow(PROT_READ);
    }
    std::vector<Bytes> results() const {
        std::vector<Bytes> all;
        for (const auto& [data, bytes] : results_) all.emplace_back(data, data + bytes);
        return all;
    }

private:
    BufferView note(std::byte* data, std::uint64_t bytes, bool is_result) {
        if (is_result) results_.emplace_back(data, bytes);
        return cpu::buffer(device_, data, bytes);
    }

    Device device_;
    bool are_guarded_;
    Guarded guarded_;
    std::vector<std::unique_ptr<GuardedMemory>> memories_;
    std::vector<std::unique_ptr<Bytes>> ordinary_;
    std::vector<std::pair<const std::byte*, std::uint64_t>> results_;
};

/// What an execution of so many arrays leaves in the memory that it writes.
std::vector<Bytes> run(const Plan& plan, Direction direction, std::uint64_t batch, Arrays arrays) {
    const Problem& problem = plan.problem();
    const bool in_place = problem.placement == Placement::in_place;
    const Bytes in = numbers(plan.input_bytes(batch), problem.precision, problem.storage);
    const Bytes out(plan.output_bytes(batch), std::byte{0x33});
    Execution execution;
    execution.direction = direction;
    execution.batch = batch;
    if (problem.input.part_bytes != 0)
        execution.input_parts = arrays.add_parts(in, plan.input_part_bytes(batch), in_place);
    else
        execution.input = arrays.add(in, in_place);
    if (!in_place && !problem.may_overwrite_input) arrays.protect();
    if (!in_place && problem.output.part_bytes != 0)
        execution.output_parts = arrays.add_parts(out, plan.output_part_bytes(batch), true);
    else if (!in_place)
        execution.output = arrays.add(out, true);
    execution.workspace = arrays.add(Bytes(plan.workspace_bytes(batch)));
    for (const UserStage* stage :
         {&problem.forward_load, &problem.forward_store, &problem.inverse_load, &problem.inverse_store}) {
        for (const StageBuffer& buffer : stage->buffers)
            execution.stage_buffers.push_back(
                {buffer.name, arrays.add(Bytes(4 * buffer.count), buffer.name.starts_with("to_"))});
        for (const StageScalar& scalar : stage->scalars) execution.stage_scalars.push_back({scalar.name, 3});
    }
    Queue queue = plan.device().create_queue();
    plan.execute(queue, execution);
    return arrays.results();
}

std::vector<Bytes> run(const ConvolutionPlan& plan, Arrays arrays) {
    const Convolution& c = plan.convolution();
    ConvolutionPreparation preparation;
    ConvolutionExecution execution;
    preparation.kernels = arrays.add(numbers(plan.kernel_bytes(), c.precision, c.storage));
    execution.input = arrays.add(numbers(plan.input_bytes(), c.precision, c.storage));
    arrays.protect();
    preparation.spectrum = execution.spectrum = arrays.add(Bytes(plan.spectrum_bytes()));
    preparation.workspace = arrays.add(Bytes(plan.preparation_bytes()));
    Queue queue = plan.device().create_queue();
    plan.prepare(queue, preparation);
    arrays.protect();
    execution.workspace = arrays.add(Bytes(plan.workspace_bytes()));
    execution.output = arrays.add(Bytes(plan.output_bytes(), std::byte{0x33}), true);
    plan.execute(queue, execution);
    return arrays.results();
}

class CpuGuard : public testing::TestWithParam<std::tuple<InstructionSet, Guarded>> {
protected:
    void SetUp() override {
        const auto [set, guarded] = GetParam();
        if (runtime::cpu::features_here().instructions < set) GTEST_SKIP() << "this processor has less";
        device = Device(std::make_shared<GuardedDevice>(set, guarded));
    }
    Arrays arrays(bool are_guarded) const { return {device, are_guarded, std::get<1>(GetParam())}; }

    void expect_inside(const Problem& problem, const Tuning& tuning = {}) {
        const std::string text = to_string(problem) + (problem.forward_load.empty() ? "" : " with stages");
        SCOPED_TRACE(text);
        fault.set(text);
        PlanOptions options;
        options.tuning = tuning;
        const Plan plan(device, problem, options);
        const bool has_forward = problem.kind != Kind::c2r && problem.kind != Kind::ihfft;
        const bool has_inverse = problem.kind != Kind::r2c && problem.kind != Kind::hfft;
        for (const Direction direction : {Direction::forward, Direction::inverse})
            for (const std::uint64_t batch : {problem.batch, (problem.batch + 1) / 2}) {
                if (direction == Direction::forward ? !has_forward : !has_inverse) continue;
                EXPECT_EQ(run(plan, direction, batch, arrays(true)), run(plan, direction, batch, arrays(false)));
            }
    }

    Device device;
    FaultNote fault;
};

TEST_P(CpuGuard, plans_of_every_algorithm_kind_and_layout) {
    for (const char* text : {"1",
                             "2 batch=3",
                             "7 batch=5",
                             "64 batch=17",
                             "37 batch=9",
                             "97",
                             "1009",
                             "74 in-place batch=3",
                             "45 batch=33",
                             "1000 in-place",
                             "4096 batch=3",
                             "15625",
                             "65536",
                             "30011",
                             "6x10",
                             "17x19",
                             "32x48 batch=2 in-place",
                             "9x10x11",
                             "16x16x16 in-place",
                             "64x64x5",
                             "5x64x64",
                             "24 istrides=2 idist=50 odist=31 batch=3 ooffset=16",
                             "12x8 axes=0 batch=3",
                             "16x20 axes=0 istrides=24,1 ostrides=1,17",
                             "8x9 istrides=0,1",
                             "4096 overwrite-input",
                             "48 r2c batch=7",
                             "49 r2c batch=7",
                             "50 c2r batch=5",
                             "51 c2r in-place batch=3",
                             "2048 r2c in-place",
                             "60022 r2c",
                             "60022 c2r",
                             "60022 c2r f64 in-place",
                             "131072 r2c f64 overwrite-input",
                             "75600 dct2 f64",
                             "75602 dct3 f64 batch=2",
                             "20x30 r2c",
                             "21x15 c2r",
                             "6x10x14 r2c in-place",
                             "128x7 c2r halved=0",
                             "48 hfft",
                             "25 ihfft batch=3",
                             "9 dct1",
                             "16 dct2 batch=19",
                             "17 dct3",
                             "12x20 dct2,dst3",
                             "33 dst1 batch=4",
                             "18 dst4",
                             "21 dht in-place",
                             "30 r2hc",
                             "31 hc2r batch=3",
                             "100 f64 batch=5",
                             "37 f64",
                             "2048 f64 in-place",
                             "24x31 c2r f64",
                             "60 storage=f32 f64",
                             "60 f16 batch=7",
                             "61 bf16",
                             "15 r2c bf16 batch=9",
                             "40x12 f16 in-place",
                             "16 dct2 f16",
                             "48 planar batch=3",
                             "49 iplanar",
                             "30 r2c oplanar",
                             "48 planar f16",
                             "20x12 planar in-place",
                             "24 f64x2 batch=3",
                             "11 f64x2",
                             "18 r2c f64x2",
                             "32 storage=f64 f64x2",
                             "64 parts=64",
                             "12x10 signal-zeros=0:6-12,1:5-10",
                             "64 batch=5 signal-zeros=0:9-64",
                             "60 batch=3 spectrum-zeros=0:5-56",
                             "24x32 r2c spectrum-zeros=1:9-17",
                             "6x8x10 signal-zeros=0:3-6,1:4-8,2:5-10",
                             "24x16 spectrum-order=pass"})
        expect_inside(parse_problem(text));
}

TEST_P(CpuGuard, plans_of_other_shapes_than_the_planner_would_take) {
    const auto with = [&](const char* text, const auto& change) {
        Tuning tuning;
        change(tuning);
        expect_inside(parse_problem(text), tuning);
    };
    for (const unsigned lanes : {1u, 2u, 4u, 8u, 16u})
        with("45 batch=19", [&](Tuning& tuning) { tuning.vector_lanes = lanes; });
    with("360 batch=3", [](Tuning& tuning) { tuning.passes = {18, 20}; });
    with("256 r2c", [](Tuning& tuning) { tuning.passes = {8, 16}; });
    with("30", [](Tuning& tuning) { tuning.padded_length = 64; });
    with("128 batch=96 in-place", [](Tuning& tuning) { tuning.buffer_bytes = 1u << 14; });
    with("64x64", [](Tuning& tuning) { tuning.separate_passes = true; });
    for (const char* recipe :
         {"direct", "dit", "cooley-tukey-natural", "stockham-radix-4", "split-radix", "multistage-4"})
        with("256 batch=3", [&](Tuning& tuning) { tuning.recipe = recipe; });
    with("240 batch=3", [](Tuning& tuning) { tuning.recipe = "prime-factor"; });
}

TEST_P(CpuGuard, stages_that_look_up_what_may_not_be_there) {
    for (const char* text : {"48 batch=3", "97 batch=5", "20x12", "50 r2c batch=3"}) {
        Problem problem = parse_problem(text);
        const bool is_real = problem.kind == Kind::r2c;
        // An index that depends on data is judged when it is known: beyond the buffer a read is 0, a store nothing.
        problem.forward_load = is_real ? "return value * window[i0 % 7] + table[int(value * shift * 30)];"
                                       : "return value * window[i0 % 7] + table[int(value.re * shift * 30)];";
        problem.forward_load.buffers = {{"window", StageType::f32, 7}, {"table", StageType::i16, 13}};
        problem.forward_load.scalars = {{"shift", StageType::i32}};
        problem.forward_store = "store to_level[int(value.re * 9)] = norm(value); return i0 > 5 ? value : 0;";
        problem.forward_store.buffers = {{"to_level", StageType::f32, 11}};
        expect_inside(problem);
    }
}

TEST_P(CpuGuard, convolutions) {
    for (const char* text : {"50 * 7 real", "50 * 7 complex batch=3", "33 * 33 same batch=5", "100 * 30 valid",
                             "64 * 64 circular complex correlate", "20x30 * 5x4", "16x16x16 * 3x3x3 circular",
                             "40 * spectrum circular", "32x32 * 32x32 circular phase", "30 * 4 inputs=3 outputs=2",
                             "24 * 24 circular inputs=2 outputs=2 channels=symmetric",
                             "27 * 5 inputs=4 channels=diagonal "
                             "outputs=4",
                             "90 * 11 f64", "45 * 6 f16 batch=3", "21 * 4 f64x2", "3000 * 20 block=256"}) {
        SCOPED_TRACE(text);
        fault.set(text);
        const ConvolutionPlan plan(device, parse_convolution(text));
        EXPECT_EQ(run(plan, arrays(true)), run(plan, arrays(false)));
    }
}

TEST_P(CpuGuard, runs_of_several_threads) {
    device = Device(std::make_shared<runtime::cpu::CpuDevice>(
        runtime::cpu::describe({std::get<0>(GetParam()), "of two threads"}, 2), emit::machine::host_functions()));
    cpu::set_threads(2);
    for (const char* text : {"60 batch=601", "1009 batch=33 in-place", "45x50 r2c batch=7", "16 dct2 batch=2001"})
        expect_inside(parse_problem(text));
    cpu::set_threads(0);
}

TEST_P(CpuGuard, layouts_drawn_at_random) {
    std::mt19937_64 random(accuracy::sample_seed());
    std::vector<Problem> problems;
    const auto draw = [&](std::vector<Problem> some) {
        for (Problem& one : some) problems.push_back(std::move(one));
    };
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        draw(accuracy::layout_sample(20, precision, random));
        draw(accuracy::memory_sample(20, precision, random));
        draw(accuracy::halved_layout_sample(20, precision, random));
        draw(accuracy::real_layout_sample(20, precision, random));
    }
    for (const Problem& problem : problems) expect_inside(problem);
}

INSTANTIATE_TEST_SUITE_P(All, CpuGuard,
                         testing::Combine(testing::Values(InstructionSet::sse4_2, InstructionSet::avx2,
                                                          InstructionSet::avx512),
                                          testing::Values(Guarded::end, Guarded::begin)),
                         [](const auto& test) {
                             std::string name = runtime::cpu::architecture_of(std::get<0>(test.param)).substr(7);
                             name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                             return name + (std::get<1>(test.param) == Guarded::end ? "_end" : "_begin");
                         });

}  // namespace
}  // namespace seiche::test
