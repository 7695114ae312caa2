// Saved plans: what comes back, when nothing is compiled, when all is planned anew, and what damaged bytes do.
#include "exec/saved_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "exec/executable.hpp"
#include "runtime/backend.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "seiche/seiche.h"
#include "seiche/version.hpp"
#include "support/hash.hpp"
#include "tests/support/environment.hpp"

namespace seiche {
namespace {

using Bytes = std::vector<std::byte>;

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const InvalidProblem& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("another kind: ") + error.what();
    }
    return "accepted";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Every field with a value that is not its default.
Problem rich_problem() {
    Problem problem = parse_problem(
        "4x6x8 dct2,dst3 f64 storage=f32 in-place axes=0,-1 batch=3 forward-scale=1/n inverse-scale=0.25 "
        "istrides=100,10,1 ostrides=100,10,1 idist=1000 odist=1000 ioffset=16 ooffset=16 "
        "signal-zeros=0:1-2,2:3-8 spectrum-zeros=-1:0-1");
    problem.halved_axis = -1;
    problem.orthonormal = problem.orthogonalize = true;
    problem.spectrum_order = SpectrumOrder::pass;
    problem.may_overwrite_input = true;
    problem.input.planar = problem.output.planar = true;
    problem.input.part_bytes = 4096;
    problem.output.image = ImageFormat::rgba16f;
    problem.output.image_width = 77;
    problem.forward_load = "return value * w[i0] * gain;";
    problem.forward_load.buffers = {{"w", StageType::u16, 77}, {"v", StageType::i8, 1}};
    problem.forward_load.scalars = {{"gain", StageType::f64}};
    problem.forward_store = "a";
    problem.inverse_load = StageFunction{"callback", Bytes(9, std::byte{42}), nullptr};
    problem.inverse_store = "c";
    return problem;
}

bool same(const Problem& a, const Problem& b) {
    return to_string(a) == to_string(b) && a.lengths == b.lengths && a.axes == b.axes && a.batch == b.batch &&
           a.kind == b.kind && a.axis_kinds == b.axis_kinds && a.halved_axis == b.halved_axis &&
           a.orthonormal == b.orthonormal && a.orthogonalize == b.orthogonalize && a.precision == b.precision &&
           a.storage == b.storage && a.placement == b.placement && a.forward_scale == b.forward_scale &&
           a.inverse_scale == b.inverse_scale && a.input == b.input && a.output == b.output &&
           a.signal_zeros == b.signal_zeros && a.spectrum_zeros == b.spectrum_zeros &&
           a.spectrum_order == b.spectrum_order && a.may_overwrite_input == b.may_overwrite_input &&
           a.forward_load == b.forward_load && a.forward_store == b.forward_store && a.inverse_load == b.inverse_load &&
           a.inverse_store == b.inverse_store;
}

exec::SavedPlan rich_plan() {
    exec::SavedPlan plan{{"9.9.9", "cuda", "a card", "sm_90", "a compiler"}, rich_problem(), {}, 12345, {}};
    plan.options.directions = Directions::inverse;
    plan.options.tuning = {{4, 8}, {16, 32}, Algorithm::bluestein, 64, 5, 6, 7, true, true, 0, 0, false, {}, {}};
    plan.options.tuning.recipe = "dit";
    plan.options.tuning.twiddles = TwiddleMethod::recurrence;
    plan.kernels = {{"0123", Bytes(5, std::byte{7})}, {"4567", {}}};
    return plan;
}

/// With a checksum that fits, as a forger would do it: 32 digits at the end.
Bytes summed(Bytes bytes) {
    bytes.erase(bytes.end() - 32, bytes.end());
    const std::string sum = support::Hasher().bytes(bytes).hex();
    for (const char c : sum) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

TEST(saved_plan, gives_back_every_field) {
    const exec::SavedPlan plan = rich_plan(), back = exec::read_saved_plan(exec::to_bytes(plan));
    EXPECT_EQ(back.target, plan.target);
    EXPECT_TRUE(same(back.problem, plan.problem)) << to_string(back.problem);
    EXPECT_EQ(back.options.directions, plan.options.directions);
    EXPECT_EQ(back.options.tuning, plan.options.tuning);
    EXPECT_EQ(back.table_bytes, plan.table_bytes);
    EXPECT_EQ(back.kernels, plan.kernels);
    EXPECT_EQ(exec::to_bytes(back), exec::to_bytes(plan));
}

TEST(saved_plan, knows_every_precision_and_storage) {
    for (const char* text : {"8 f16", "8 bf16", "8 f64", "8 f64x2", "8 f64x2 storage=f64", "8 f16-arithmetic"}) {
        exec::SavedPlan plan = rich_plan();
        plan.problem = parse_problem(text);
        EXPECT_EQ(to_string(exec::read_saved_plan(exec::to_bytes(plan)).problem), to_string(plan.problem));
    }
}

TEST(saved_plan, refuses_every_changed_byte_and_every_shorter_length) {
    const Bytes whole = exec::to_bytes(rich_plan());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
            Bytes damaged = whole;
            damaged[at] ^= static_cast<std::byte>(flip);
            EXPECT_TRUE(says(refusal([&] { exec::read_saved_plan(damaged); }), "InvalidProblem: saved plan: expected"))
                << "byte " << at;
        }
        const Bytes shorter(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at));
        EXPECT_TRUE(says(refusal([&] { exec::read_saved_plan(shorter); }), "saved plan: expected")) << "length " << at;
    }
    Bytes longer = whole;
    longer.push_back(std::byte{0});
    EXPECT_TRUE(says(refusal([&] { exec::read_saved_plan(longer); }), "bytes, as it says itself"));
}

// A forger can make the checksum fit. Then each field is held against what is possible: nothing crashes, no count is
// believed, and what is read can be written and read again.
TEST(saved_plan, survives_forged_bytes) {
    const Bytes whole = exec::to_bytes(rich_plan());
    std::size_t accepted = 0;
    for (std::size_t at = 0; at + 32 < whole.size(); ++at) {
        for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
            Bytes forged = whole;
            forged[at] ^= static_cast<std::byte>(flip);
            forged = summed(forged);
            std::string message;
            try {
                const Bytes again = exec::to_bytes(exec::read_saved_plan(forged));
                EXPECT_TRUE(exec::to_bytes(exec::read_saved_plan(again)) == again) << "byte " << at;
                ++accepted;
            } catch (const InvalidProblem& error) {
                message = error.what();
                EXPECT_EQ(message.find('\n'), std::string::npos);
            }
        }
    }
    EXPECT_GT(accepted, whole.size() / 2);  // texts, numbers and binaries can be anything
}

TEST(saved_plan, believes_no_count) {
    const Bytes whole = exec::to_bytes(rich_plan());
    for (std::size_t at = 12; at + 8 + 32 <= whole.size(); ++at) {
        Bytes forged = whole;
        for (std::size_t i = 0; i < 8; ++i) forged[at + i] = i == 7 ? std::byte{0x7f} : std::byte{0xff};
        try {
            exec::read_saved_plan(summed(forged));
        } catch (const InvalidProblem&) {  // anything else, std::bad_alloc say, fails the test
        }
    }
}

TEST(saved_plan, names_the_format_and_what_is_no_plan) {
    Bytes newer = exec::to_bytes(rich_plan());
    newer[12] = std::byte{11};
    EXPECT_EQ(refusal([&] { exec::read_saved_plan(summed(newer)); }),
              "InvalidProblem: saved plan: expected format 10 of Seiche " + std::string(version()) +
                  ", got 11, saved by Seiche " + rich_plan().target.library + ": damaged, or of another version");
    EXPECT_EQ(refusal([&] { exec::read_saved_plan(Bytes(200)); }),
              "InvalidProblem: saved plan: expected bytes that Plan::save made, got others");
    EXPECT_EQ(refusal([&] { exec::read_saved_plan({}); }),
              "InvalidProblem: saved plan: expected at least 60 bytes, got 0: it is cut short");
}

std::vector<std::complex<float>> ramp(std::size_t n) {
    std::vector<std::complex<float>> x(n);
    for (std::size_t j = 0; j < n; ++j) x[j] = {std::sin(static_cast<float>(j * j)), static_cast<float>(j)};
    return x;
}

/// A device of its own, so that no kernel is loaded there already: Device::open shares them. Empty where there is none.
Device fresh(Backend backend) {
    for (const runtime::BackendEntry& entry : runtime::registry()) {
        if (entry.backend != backend) continue;
        for (const DeviceInfo& info : entry.list())
            if (info.available) return Device(entry.open(info));
    }
    return {};
}

void expect_same_answer(const Plan& plan, const Plan& again, std::size_t n) {
    EXPECT_EQ(plan.forward(ramp(n)), again.forward(ramp(n)));
    EXPECT_EQ(plan.inverse(ramp(n)), again.inverse(ramp(n)));
}

TEST(saved_plan, loads_without_compiling) {
    const Problem problem = parse_problem("48x4 inverse-scale=1/n");
    const Plan plan(fresh(Backend::reference), problem);
    const Plan again = Plan::load(fresh(Backend::reference), plan.save());
    EXPECT_EQ(again.report().loaded, again.report().kernels.size());
    EXPECT_EQ(again.report().compiled + again.report().cached, 0u);
    EXPECT_EQ(again.report().replanned, "");
    EXPECT_TRUE(same(again.problem(), problem));
    expect_same_answer(plan, again, 192);
}

TEST(saved_plan, plans_anew_for_another_device_or_version_and_says_so) {
    const Plan plan(fresh(Backend::reference), parse_problem("48"));
    const exec::SavedPlan saved = exec::read_saved_plan(plan.save());
    const auto load = [](const exec::SavedPlan& other) {
        return Plan::load(fresh(Backend::reference), exec::to_bytes(other));
    };
    const auto expect_replanned = [&](const exec::SavedPlan& other, const std::string& why) {
        const Plan again = load(other);
        EXPECT_EQ(again.report().loaded, 0u);
        EXPECT_TRUE(says(again.report().replanned, why)) << again.report().replanned;
        EXPECT_TRUE(says(again.report().text(), "replanned")) << again.report().text();
        expect_same_answer(plan, again, 48);
    };
    exec::SavedPlan other = saved;
    other.target.library = "0.0.1\n\x01";
    expect_replanned(other, "it was saved by version '0.0.1\?\?', and this is '" + saved.target.library + "'");
    other = saved;
    other.target.backend = "cuda";
    expect_replanned(other, "on backend 'cuda', and this is 'reference'");
    other = saved;
    other.target.device = "a card";
    expect_replanned(other, "on device 'a card'");
    other = saved;
    other.target.architecture = "sm_90";
    expect_replanned(other, "for architecture 'sm_90'");
    other = saved;
    other.target.compiler = "nvrtc 1.0";
    expect_replanned(other, "with compiler 'nvrtc 1.0'");
    other = saved;
    other.kernels.pop_back();
    EXPECT_EQ(load(other).report().loaded, saved.kernels.size() - 1);
    EXPECT_EQ(load(other).report().replanned, "1 of 2 kernels are not among those saved: the device's limits differ");
}

TEST(saved_plan, checks_what_it_reads_like_any_problem) {
    exec::SavedPlan saved = exec::read_saved_plan(Plan(fresh(Backend::reference), parse_problem("48")).save());
    saved.problem.lengths = {0};
    EXPECT_TRUE(says(refusal([&] { Plan::load(fresh(Backend::reference), exec::to_bytes(saved)); }), "lengths"));
    saved.problem = parse_problem("8 r2c");
    saved.options.directions = Directions::inverse;
    EXPECT_TRUE(
        says(refusal([&] { Plan::load(fresh(Backend::reference), exec::to_bytes(saved)); }), "options.directions"));
    EXPECT_TRUE(says(refusal([&] { Plan::load(fresh(Backend::reference), nullptr, 3); }), "expected a pointer"));
    EXPECT_TRUE(says(refusal([] { Plan().save(); }), "the plan is empty"));
}

TEST(saved_plan, serves_c) {
    seiche_device* device = nullptr;
    seiche_plan *plan = nullptr, *again = nullptr;
    unsigned char* bytes = nullptr;
    std::size_t count = 0;
    ASSERT_EQ(seiche_device_open("reference", &device), SEICHE_OK);
    ASSERT_EQ(seiche_plan_create_from_text(device, "16", SEICHE_BOTH, &plan), SEICHE_OK);
    ASSERT_EQ(seiche_plan_save(plan, &bytes, &count), SEICHE_OK);
    ASSERT_EQ(seiche_plan_load(device, bytes, count, &again), SEICHE_OK);
    EXPECT_STREQ(seiche_plan_replanned(again), "");
    std::vector<float> in(32, 1.0f), out(32);
    EXPECT_EQ(seiche_transform_f32(again, SEICHE_FORWARD, in.data(), 16, out.data(), 16), SEICHE_OK);
    EXPECT_EQ(out[0], 16.0f);
    seiche_plan_release(again);
    EXPECT_EQ(seiche_plan_load(device, bytes, count - 1, &again), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(again, nullptr);
    EXPECT_TRUE(says(seiche_last_error(), "saved plan")) << seiche_last_error();
    EXPECT_EQ(seiche_plan_save(plan, nullptr, &count), SEICHE_INVALID_PROBLEM);
    EXPECT_STREQ(seiche_plan_replanned(nullptr), "");
    seiche_bytes_release(bytes);
    seiche_plan_release(plan);
    seiche_device_release(device);
}

// With a real compiler, and no cache on disk that could stand in for the bytes.
TEST(saved_plan, spares_a_driver_the_compiling) {
    set_environment("SEICHE_CACHE_DIR", nowhere);
    const Device device = fresh(Backend::opencl);
    if (!device) GTEST_SKIP() << "no OpenCL device is here";
    PlanOptions options;
    options.directions = Directions::forward;
    const Plan plan(device, parse_problem("96"), options);
    const Bytes bytes = plan.save();
    const Plan again = Plan::load(fresh(Backend::opencl), bytes);
    EXPECT_EQ(again.report().compiled + again.report().cached, 0u);
    EXPECT_EQ(again.report().loaded, 1u) << again.report().replanned;
    EXPECT_EQ(plan.forward(ramp(96)), again.forward(ramp(96)));

    exec::SavedPlan spoilt = exec::read_saved_plan(bytes);
    spoilt.kernels[0].binary.assign(100, std::byte{42});
    const Plan mended = Plan::load(fresh(Backend::opencl), exec::to_bytes(spoilt));
    EXPECT_EQ(mended.report().compiled, 1u);
    EXPECT_EQ(mended.report().replanned, "the driver refuses the saved binaries of 1 of 1 kernels");
    EXPECT_EQ(plan.forward(ramp(96)), mended.forward(ramp(96)));
    unset_environment("SEICHE_CACHE_DIR");
}

/// Every field with a value that is not its default.
Convolution rich_convolution() {
    return parse_convolution(
        "40x30 * 4x3 same correlate complex f64 storage=f32 inputs=2 outputs=2 channels=diagonal batch=3 block=1");
}

void expect_same(const Convolution& a, const Convolution& b) {
    EXPECT_EQ(to_string(a), to_string(b));
    EXPECT_TRUE(a.signal == b.signal && a.kernel == b.kernel && a.mode == b.mode && a.domain == b.domain &&
                a.product == b.product && a.complex == b.complex && a.inputs == b.inputs && a.outputs == b.outputs &&
                a.channels == b.channels && a.batch == b.batch && a.precision == b.precision &&
                a.storage == b.storage && a.block == b.block);
}

TEST(saved_convolution, comes_back_as_it_was) {
    for (const Convolution& c :
         {rich_convolution(), parse_convolution("300 * 20"), parse_convolution("64 * spectrum circular")}) {
        Tuning tuning;
        tuning.transforms_per_group = c.block == 1 ? 0 : 2;
        const ConvolutionPlan plan(fresh(Backend::reference), c, tuning);
        const Bytes bytes = plan.save();
        const ConvolutionPlan again = ConvolutionPlan::load(fresh(Backend::reference), bytes);
        expect_same(again.convolution(), c);
        EXPECT_EQ(again.report().compiled + again.report().cached, 0u);
        EXPECT_GT(again.report().loaded, 0u);
        EXPECT_EQ(again.report().replanned, "");
        EXPECT_EQ(again.save(), bytes);
        if (c.complex || c.domain == KernelDomain::frequency) continue;
        std::vector<float> x(300), h(20);
        std::iota(x.begin(), x.end(), 1.0f);
        std::iota(h.begin(), h.end(), -3.0f);
        EXPECT_EQ(plan.convolve(x, h), again.convolve(x, h));
    }
}

/// As a forger would write it: products of such a tuning would wrap.
TEST(saved_plan, refuses_a_tuning_that_no_device_has) {
    const Device device = fresh(Backend::reference);
    exec::SavedPlan plan{exec::saved_target(*device.impl()), parse_problem("64 batch=5"), {}, 0, {}};
    plan.options.tuning.threads_per_transform = 2147483649;
    plan.options.tuning.transforms_per_group = 2;
    EXPECT_TRUE(says(refusal([&] { Plan::load(device, exec::to_bytes(plan)); }),
                     "InvalidProblem: tuning.threads_per_transform: expected at most 65536, got 2147483649"));
}

/// Each byte in turn: whatever it says, one line, and nothing is planned.
TEST(saved_convolution, refuses_damaged_bytes) {
    const Device device = fresh(Backend::reference);
    Bytes bytes = ConvolutionPlan(device, parse_convolution("12 * 5 valid")).save();
    const auto loaded = [&](const Bytes& given) { return refusal([&] { ConvolutionPlan::load(device, given); }); };
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 500);
    for (std::size_t i = 0; i < bytes.size(); i += step) {
        bytes[i] ^= std::byte{0x20};
        EXPECT_TRUE(says(loaded(bytes), "saved convolution: expected")) << i;
        bytes[i] ^= std::byte{0x20};
    }
    for (const std::size_t count : {std::size_t{0}, std::size_t{20}, bytes.size() - 1})
        EXPECT_TRUE(says(loaded(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count))),
                         "saved convolution"));
    EXPECT_TRUE(says(loaded(Plan(device, parse_problem("48")).save()),
                     "saved convolution: expected bytes that ConvolutionPlan::save made, got others"));
    EXPECT_THROW(Plan::load(device, bytes), InvalidProblem);
    EXPECT_THROW(ConvolutionPlan::load(device, nullptr, 3), InvalidProblem);
    EXPECT_THROW(ConvolutionPlan().save(), InvalidProblem);
}

}  // namespace
}  // namespace seiche
