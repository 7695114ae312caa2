// Arrays in images where axes take several passes: the schedules of a small device, interpreted, give bit for bit what
// the same arrays in buffers give. Texels lie here as buffers do, so that one memory serves both.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "exec/draft.hpp"
#include "exec/tables.hpp"
#include "image_plans.hpp"
#include "ir/interpret.hpp"

namespace seiche::test {
namespace {

using planner::Role;
using Memory = std::vector<std::byte>;

/// One in which 256 points fill a group's shared memory.
DeviceLimits small_device(Vectors vectors) {
    DeviceLimits limits;
    limits.vectors = vectors;
    limits.max_group_size = 64;
    limits.shared_bytes = vectors == Vectors::explicit_simd ? 8192 : 1024;
    limits.shared_bytes_per_unit = limits.shared_bytes;
    return limits;
}

Memory random_memory(std::uint64_t bytes) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Memory memory(bytes);
    for (std::uint64_t at = 0; at + 4 <= bytes; at += 4) {
        const float value = uniform(engine);
        std::memcpy(&memory[at], &value, 4);
    }
    return memory;
}

std::uint64_t held_bytes(const problem::Canonical& c, bool input) {
    const problem::ArrayImage& image = input ? c.input_image : c.output_image;
    const std::uint64_t elements = input ? c.input_elements(c.batch.count) : c.output_elements(c.batch.count);
    if (image) return image.width * image.height(elements) * texel_bytes(image.format);
    return input ? c.input_bytes(c.batch.count) : c.output_bytes(c.batch.count);
}

struct Result {
    std::size_t steps = 0;
    std::vector<float> numbers;
    planner::Recipe recipe = {};
};

Result transformed(const Problem& problem, const DeviceLimits& limits, Direction direction) {
    const problem::Canonical c = problem::normalise(problem);
    PlanOptions options;
    options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
    const exec::Draft drafted = exec::draft(c, limits, options);
    const exec::DraftSchedule& schedule = drafted.schedules.front();
    const std::uint64_t batch = c.batch.count;
    Memory memory[4] = {random_memory(held_bytes(c, true)), Memory(held_bytes(c, false)),
                        Memory(schedule.workspace_a_elements * batch * 8, std::byte{0xff}),
                        Memory(schedule.workspace_b_elements * batch * 8, std::byte{0xff})};
    for (const exec::DraftStep& one : schedule.steps) {
        const planner::Step& step = one.step;
        Memory table = exec::table_bytes(kernels::tables(step.spec), c.precision);
        ir::Launch launch;
        launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, batch)), 1, 1};
        for (const bool source : {true, false}) {
            Memory& bound = memory[static_cast<std::size_t>(source ? step.source : step.target)];
            const problem::ArrayImage& image = source ? step.source_image : step.target_image;
            const std::uint64_t row = image.width * texel_bytes(image.format);
            if (image)
                launch.images.push_back({bound.data(), static_cast<std::uint32_t>(image.width),
                                         static_cast<std::uint32_t>(bound.size() / row)});
            else
                launch.buffers.push_back({bound.data(), bound.size()});
        }
        if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
        launch.scalars = {kernels::sequences_per_batch(step.spec) * batch};
        ir::interpret(*one.kernel, launch);
    }
    Result result{schedule.steps.size(), std::vector<float>(memory[1].size() / 4), drafted.recipe};
    std::memcpy(result.numbers.data(), memory[1].data(), memory[1].size());
    return result;
}

/// To the bit where one recipe serves both: an odd length's is another where there are no texels.
void expect_alike(const Result& in_images, const Result& in_buffers) {
    const bool is_same_recipe = in_images.recipe == in_buffers.recipe;
    double fault = 0, energy = 0;
    for (std::size_t i = 0; i < in_buffers.numbers.size(); ++i) {
        const double want = in_buffers.numbers[i], got = in_images.numbers[i];
        if (is_same_recipe) {
            ASSERT_EQ(got, want) << "number " << i;
        }
        fault += (got - want) * (got - want);
        energy += want * want;
    }
    EXPECT_LT(std::sqrt(fault / energy), 1e-6);
}

void expect_same(const std::string& text, const DeviceLimits& limits, std::size_t least_steps) {
    SCOPED_TRACE(text);
    const Problem problem = parse_problem(text);
    Problem twin = problem;
    twin.input = in_a_buffer(problem, false);
    twin.output = in_a_buffer(problem, true);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (!problem::normalise(problem).has(direction)) continue;
        // What pruning leaves out is undefined, and differs.
        if (direction == Direction::inverse && !problem.signal_zeros.empty()) continue;
        const Result in_images = transformed(problem, limits, direction);
        const Result in_buffers = transformed(twin, limits, direction);
        EXPECT_GE(in_images.steps, least_steps);
        ASSERT_GE(in_images.numbers.size(), in_buffers.numbers.size());
        expect_alike(in_images, in_buffers);
    }
}

/// Several passes along an axis of two thousand points; halves are in no memory of a buffer's.
TEST(ImageSchedules, give_what_buffers_give) {
    for (const Vectors vectors : {Vectors::subgroups, Vectors::explicit_simd, Vectors::implicit_simd}) {
        const DeviceLimits limits = small_device(vectors);
        for (const char* text : {"1200 batch=2 image=rg32f iwidth=60 owidth=1200",
                                 "3x1200 image=rg32f",
                                 "1200x3 image=rg32f",
                                 "2x3x1200 image=rg32f",
                                 "1200x2x3 oimage=rg32f",
                                 "4x1200 image=rgba32f",
                                 "1200x4 image=rgba32f",
                                 "3x1999 image=rg32f",
                                 "1999x3 oimage=rgba32f",
                                 "2x1999x3 image=rg32f",
                                 "3x2400 r2c iimage=r32f oimage=rg32f",
                                 "2400x3 r2c iimage=r32f oimage=rg32f",
                                 "3x2400 r2c oimage=rgba32f",
                                 "3x2400 c2r iimage=rg32f oimage=r32f",
                                 "2400x3 c2r iimage=rgba32f oimage=r32f",
                                 "3x2401 r2c iimage=r32f oimage=rg32f",
                                 "3x2400 dct2,dst3 image=r32f",
                                 "2400x3 dct4 image=r32f",
                                 "3x2401 dct4 image=r32f",
                                 "2400x3 dht image=r32f",
                                 "3x2400 r2hc image=r32f",
                                 "2400x2x3 dct1 oimage=r32f",
                                 "3x1999 dst2 image=r32f"})
            expect_same(text, limits, 2);
        for (const bool pairs : {true, false})
            for (const std::string& text : image_problems(pairs))
                if (text.find("rgba16f") == std::string::npos) expect_same(text, limits, 1);
    }
}

}  // namespace
}  // namespace seiche::test
