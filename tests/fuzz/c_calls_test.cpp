// The C interface with arguments that nobody should give: numbers out of range, texts that are none, NULL.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "seiche/seiche.h"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {
namespace {

/// An enumerator, or at times a number that is none but that C++ may hold in one: below the next power of two. Others
/// are for tests/unit/api/odd_numbers.c.
template <class Enum>
Enum any(Random& random, unsigned count) {
    return static_cast<Enum>(random.below(random.once_in(12) ? std::bit_ceil(count) : count));
}

/// Fails where the status is no documented one for bad arguments; true for SEICHE_OK.
bool is_good(Case& input, seiche_status status) {
    if (status == SEICHE_OK) return true;
    const std::string message = seiche_last_error();
    if ((status != SEICHE_INVALID_PROBLEM && status != SEICHE_UNSUPPORTED) || message.empty() ||
        message.find('\n') != std::string::npos)
        input.fail("status " + std::to_string(status) + ": " + message);
    return false;
}

class Calls {
public:
    Calls(Case& input, const seiche_device* device) : input_(input), random_(input.random), device_(device) {}
    ~Calls() { seiche_plan_release(plan_); }
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    void run() {
        if (random_.once_in(2))
            create_from_text();
        else
            create_from_struct();
        if (plan_ != nullptr) use();
    }

private:
    seiche_plan** place() { return random_.once_in(50) ? nullptr : &plan_; }
    const seiche_device* device() { return random_.once_in(50) ? nullptr : device_; }

    void create_from_text() {
        // Small, since it is built, or larger than any device.
        const std::string text = random_.once_in(8)
                                     ? random_.of({"18446744073709551615", "281474976710656 batch=64",
                                                   "4x4x99999999999999999", "0", "-1x4", "", "x", "4 c2"})
                                     : problem_text(random_, 9);
        const std::string tuning = random_.once_in(2) ? "" : tuning_text(random_);
        input_.is("'" + text + "' with '" + tuning + "'");
        const char* const given = random_.once_in(50) ? nullptr : text.c_str();
        is_good(input_, seiche_plan_create_tuned(device(), given, random_.once_in(50) ? nullptr : tuning.c_str(),
                                                 any<seiche_directions>(random_, 3), place()));
    }

    void create_from_struct() {
        std::uint64_t lengths[4];
        const std::size_t rank = random_.below(5);
        std::string text = "struct";
        for (std::uint64_t& length : lengths) {
            length = random_.once_in(20) ? random_.bits() : random_.once_in(20) ? 0 : random_.number(5);
            text += " " + std::to_string(length);
        }
        seiche_problem problem = seiche_problem_default(rank, random_.once_in(50) ? nullptr : lengths);
        const std::int64_t strides[4] = {static_cast<std::int64_t>(random_.number(64)), 8, -1, 1};
        const int axes[2] = {static_cast<int>(random_.below(9)) - 4, static_cast<int>(random_.below(3))};
        problem.kind = any<seiche_kind>(random_, 16);
        problem.precision = any<seiche_precision>(random_, 4);
        problem.storage = any<seiche_storage>(random_, 5);
        problem.placement = any<seiche_placement>(random_, 2);
        problem.spectrum_order = any<seiche_spectrum_order>(random_, 2);
        problem.forward_scale.rule = any<seiche_scale_rule>(random_, 4);
        problem.forward_scale.factor = random_.once_in(2) ? 2 : -1e308 * 1e10;
        problem.batch = random_.once_in(20) ? random_.bits() : random_.below(4);
        if (random_.once_in(3)) problem.axes = axes;
        if (random_.once_in(3)) problem.axis_count = random_.below(3);
        seiche_layout input = SEICHE_LAYOUT_INIT, output = SEICHE_LAYOUT_INIT;
        if (random_.once_in(5)) input.strides = strides;
        if (random_.once_in(5)) output.batch_distance = static_cast<std::int64_t>(random_.bits());
        if (random_.once_in(5)) input.byte_offset = random_.number(64);
        if (random_.once_in(8)) input.part_bytes = random_.number(64);
        if (random_.once_in(50)) input.struct_size = random_.number(64) % (sizeof input + 1);
        if (random_.once_in(50)) problem.struct_size = random_.number(64) % (sizeof problem + 1);
        if (random_.once_in(2)) problem.input = &input;
        if (random_.once_in(2)) problem.output = &output;
        if (random_.once_in(8)) problem.halved_axis = axes;
        input_.is(text + ", rank " + std::to_string(rank) + ", kind " + std::to_string(problem.kind) + ", batch " +
                  std::to_string(problem.batch));
        is_good(input_, seiche_plan_create(device(), random_.once_in(50) ? nullptr : &problem,
                                           any<seiche_directions>(random_, 3), place()));
    }

    void use() {
        std::uint64_t bytes = 0;
        std::size_t count = 0;
        const std::uint64_t batch = random_.once_in(2) ? 0 : random_.number(64);
        is_good(input_, seiche_plan_input_bytes(plan_, batch, random_.once_in(9) ? nullptr : &bytes));
        if (is_good(input_, seiche_plan_workspace_bytes(plan_, batch, &bytes)) && bytes != 0 && bytes < batch)
            input_.fail("a workspace of " + std::to_string(bytes) + " bytes for a batch of " + std::to_string(batch));
        is_good(input_, seiche_plan_spectrum_index(plan_, static_cast<int>(random_.bits()), random_.bits(), &bytes));
        is_good(input_, seiche_plan_output_part_bytes(plan_, batch, nullptr, random_.below(3), &count));
        constexpr std::uint64_t most_bytes = 1 << 16;
        std::uint64_t in = 0, out = 0;
        if (!is_good(input_, seiche_plan_input_bytes(plan_, 0, &in)) ||
            !is_good(input_, seiche_plan_output_bytes(plan_, 0, &out)) || std::max(in, out) > most_bytes)
            return;
        const std::vector<float> signal(static_cast<std::size_t>(in / 4 + 4), 1.0F);
        std::vector<float> result(static_cast<std::size_t>(out / 4 + 4));
        const std::size_t given = random_.once_in(2) ? static_cast<std::size_t>(in / 8) : random_.below(in / 4 + 1);
        is_good(input_, seiche_transform_f32(plan_, any<seiche_direction>(random_, 3), signal.data(), given,
                                             result.data(), static_cast<std::size_t>(out / 8)));
    }

    Case& input_;
    Random& random_;
    const seiche_device* device_;
    seiche_plan* plan_ = nullptr;
};

TEST(Fuzz, CCalls) {
    seiche_device* device = nullptr;
    ASSERT_EQ(seiche_device_open("reference", &device), SEICHE_OK);
    run("c calls", {20000, 5.0}, [&](Case& input) { Calls(input, device).run(); });
    seiche_device_release(device);
}

}  // namespace
}  // namespace seiche::fuzz
