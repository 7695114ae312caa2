// Arguments that no caller should give: enumerators that are none, memory that is none.
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

/// One line of InvalidProblem that names the field and what came.
void expect_refusal(const std::string& field, const std::function<void()>& action) {
    try {
        action();
        ADD_FAILURE() << field << " was accepted";
    } catch (const InvalidProblem& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find(field + ": expected"), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    } catch (const std::exception& error) {
        ADD_FAILURE() << field << ": another kind: " << error.what();
    }
}

TEST(Arguments, problems_with_values_that_are_no_enumerators) {
    const Device device = Device::open("reference");
    for (const int value : {-1, 99, 1 << 20}) {
        const auto refused = [&](const std::string& field, const std::function<void(Problem&)>& change) {
            Problem problem = parse_problem("8x8");
            problem.forward_load.text = "return value * g;";
            problem.forward_load.scalars = {{"g", StageType::f32}};
            change(problem);
            expect_refusal(field, [&] { Plan(device, problem); });
            expect_refusal(field, [&] { inspect(problem, device.limits()); });
        };
        refused("kind", [&](Problem& p) { p.kind = static_cast<Kind>(value); });
        refused("axis_kinds", [&](Problem& p) { p.axis_kinds = {Kind::dct2, static_cast<Kind>(value)}; });
        refused("precision", [&](Problem& p) { p.precision = static_cast<Precision>(value); });
        refused("storage", [&](Problem& p) { p.storage = static_cast<Storage>(value); });
        refused("placement", [&](Problem& p) { p.placement = static_cast<Placement>(value); });
        refused("spectrum_order", [&](Problem& p) { p.spectrum_order = static_cast<SpectrumOrder>(value); });
        refused("input.image", [&](Problem& p) { p.input.image = static_cast<ImageFormat>(value); });
        refused("output.image", [&](Problem& p) { p.output.image = static_cast<ImageFormat>(value); });
        refused("forward_load.scalars: type",
                [&](Problem& p) { p.forward_load.scalars[0].type = static_cast<StageType>(value); });
        refused("inverse_store.buffers: type", [&](Problem& p) {
            p.inverse_store.buffers = {{"b", static_cast<StageType>(value), 1}};
        });
    }
}

TEST(Arguments, convolutions_with_values_that_are_no_enumerators) {
    const Device device = Device::open("reference");
    const auto refused = [&](const std::string& field, const std::function<void(Convolution&)>& change) {
        Convolution convolution = parse_convolution("8 * 3");
        change(convolution);
        expect_refusal(field, [&] { ConvolutionPlan(device, convolution); });
    };
    refused("mode", [](Convolution& c) { c.mode = static_cast<ConvolutionMode>(5); });
    refused("domain", [](Convolution& c) { c.domain = static_cast<KernelDomain>(2); });
    refused("product", [](Convolution& c) { c.product = static_cast<ConvolutionProduct>(-1); });
    refused("channels", [](Convolution& c) { c.channels = static_cast<ChannelMatrix>(3); });
    refused("precision", [](Convolution& c) { c.precision = static_cast<Precision>(99); });
    refused("storage", [](Convolution& c) { c.storage = static_cast<Storage>(99); });
}

TEST(Arguments, options_and_directions_that_are_no_enumerators) {
    const Device device = Device::open("reference");
    const Problem problem = parse_problem("8");
    PlanOptions options;
    options.directions = static_cast<Directions>(3);
    expect_refusal("options.directions", [&] { Plan(device, problem, options); });
    options = {};
    options.tuning.algorithm = static_cast<Algorithm>(9);
    expect_refusal("tuning.algorithm", [&] { Plan(device, problem, options); });
    expect_refusal("tuning.algorithm", [&] { inspect(problem, device.limits(), options.tuning); });
    options = {};
    options.tuning.twiddles = static_cast<TwiddleMethod>(200);
    expect_refusal("tuning.twiddles", [&] { Plan(device, problem, options); });
    expect_refusal("tuning.twiddles", [&] { ConvolutionPlan(device, parse_convolution("8 * 3"), options.tuning); });
    const auto dialect = static_cast<Dialect>(10);
    expect_refusal("dialect", [&] { emit_kernels(problem, dialect, device.limits(), Direction::forward); });
    expect_refusal("direction",
                   [&] { emit_kernels(problem, Dialect::cuda, device.limits(), static_cast<Direction>(7)); });
    DeviceLimits limits = device.limits();
    limits.vectors = static_cast<Vectors>(5);
    expect_refusal("limits.vectors", [&] { inspect(problem, limits); });
    const Plan plan(device, problem);
    Queue queue = device.create_queue();
    Execution execution;
    execution.direction = static_cast<Direction>(7);
    execution.input = execution.output = device.allocate(64);
    expect_refusal("execution.direction", [&] { plan.execute(queue, execution); });
    std::vector<std::complex<float>> data(8), result(8);
    const HostArray array{data.data(), 8, HostElement::complex_f32};
    expect_refusal("execution.direction",
                   [&] { plan.run(array, HostElement::complex_f32, result.data(), static_cast<Direction>(-1)); });
    expect_refusal("allocate_image: the format", [&] { device.allocate_image(static_cast<ImageFormat>(17), 4, 4); });
}

TEST(Arguments, host_memory_that_is_none) {
    const Device device = Device::open("reference");
    Queue queue = device.create_queue();
    const Buffer buffer = device.allocate(64);
    expect_refusal("the data to upload", [&] { queue.upload(buffer, nullptr, 64); });
    expect_refusal("the data to upload", [&] { queue.enqueue_upload(buffer, nullptr, 1); });
    expect_refusal("the memory to download to", [&] { queue.download(nullptr, buffer, 64); });
    expect_refusal("the memory to download to", [&] { queue.enqueue_download(nullptr, buffer, 1); });
    EXPECT_NO_THROW(queue.upload(buffer, nullptr, 0));
    EXPECT_NO_THROW(queue.download(nullptr, buffer, 0));
    const Plan plan(device, parse_problem("8"));
    std::vector<std::complex<float>> data(8), result(8);
    const auto element = HostElement::complex_f32;
    expect_refusal("data", [&] { plan.run({nullptr, 8, element}, element, result.data(), Direction::forward); });
    expect_refusal("result", [&] { plan.run({data.data(), 8, element}, element, nullptr, Direction::forward); });
    const ConvolutionPlan convolution(device, parse_convolution("8 * 3 complex same"));
    const HostArray signal{data.data(), 8, element}, kernel{data.data(), 3, element};
    expect_refusal("input", [&] { convolution.run({nullptr, 8, element}, kernel, result.data()); });
    expect_refusal("kernels", [&] { convolution.run(signal, {nullptr, 3, element}, result.data()); });
    expect_refusal("output", [&] { convolution.run(signal, kernel, nullptr); });
    EXPECT_NO_THROW(convolution.run(signal, kernel, result.data()));
}

}  // namespace
}  // namespace seiche::test
