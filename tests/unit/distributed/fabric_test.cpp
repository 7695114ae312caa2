// Fabrics as text and as measured, and estimates: their bytes are those of plans, their times what bytes and messages
// take, and a design for a fabric is never slower on it.
#include "seiche/distributed/fabric.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "design.hpp"
#include "on_ranks.hpp"
#include "seiche/distributed/estimate.hpp"
#include "traffic.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;

const char* const cluster =
    "# a comment\n"
    "name  Two levels \n"
    "profile a100   # of the cards\n"
    "ranks-per-node 4\n"
    "\n"
    "memory 1000 GB/s\n"
    "inside 100 GB/s 2 us\n"
    "between 10 GB/s 5.5 us\n";

std::string refusal(const std::string& text) {
    try {
        parse_fabric(text);
    } catch (const InvalidProblem& error) {
        return error.reason();
    }
    return "accepted";
}

TEST(Fabrics, AreReadAndWritten) {
    const Fabric fabric = parse_fabric(cluster);
    EXPECT_EQ(fabric.name, "Two levels");
    EXPECT_EQ(fabric.profile, "a100");
    EXPECT_EQ(fabric.ranks_per_node, 4u);
    EXPECT_DOUBLE_EQ(fabric.memory_bytes_per_second, 1e12);
    EXPECT_DOUBLE_EQ(fabric.inside.bytes_per_second, 1e11);
    EXPECT_DOUBLE_EQ(fabric.inside.seconds_per_message, 2e-6);
    EXPECT_DOUBLE_EQ(fabric.between.seconds_per_message, 5.5e-6);
    EXPECT_EQ(to_string(parse_fabric(to_string(fabric))), to_string(fabric));
    EXPECT_EQ(parse_fabric("ranks-per-node 1\nmemory 5 GB/s\n").between.bytes_per_second, 0);
}

TEST(Fabrics, SayWhichLineIsWrong) {
    EXPECT_EQ(refusal("ranks-per-node 8\nmemory 5 GB\n"),
              "fabric, line 2: expected 'memory' with a number above 0 and GB/s, got '5 GB'");
    EXPECT_EQ(refusal("ranks-per-node 8\nmemory -5 GB/s\n"),
              "fabric, line 2: expected 'memory' with a number above 0 and GB/s, got '-5 GB/s'");
    EXPECT_EQ(refusal("inside 5 GB/s\n"), "fabric, line 1: expected 'inside' with a number above 0 and us, got ''");
    EXPECT_EQ(refusal("memory 5 GB/s 6\n"), "fabric, line 1: expected the end of the line, got '6'");
    EXPECT_EQ(refusal("ranks-per-node 0\n"),
              "fabric, line 1: expected 'ranks-per-node' with a number from 1 to 9999999, got '0'");
    EXPECT_EQ(refusal("speed 5\n"),
              "fabric, line 1: expected name, profile, ranks-per-node, memory, inside or between, got 'speed'");
    EXPECT_EQ(refusal("memory 5 GB/s\n"), "fabric: expected a line 'ranks-per-node', got none");
    EXPECT_EQ(refusal("ranks-per-node 8\n"), "fabric: expected a line 'memory', got none");
    EXPECT_EQ(refusal("ranks-per-node 8\nmemory 5 GB/s\n"),
              "fabric: expected a line 'inside' for several ranks a node, got none");
}

/// Bytes that each rank sends, as its plan says.
std::vector<std::uint64_t> sent(const Problem& problem, const Boxes& boxes, const DistributedOptions& options) {
    std::vector<std::uint64_t> bytes(boxes.input.size());
    const auto said = on_ranks(static_cast<int>(boxes.input.size()), 20s, [&](Shared& own) {
        const DistributedPlan plan(Device::open("reference"), problem, boxes, own, options);
        bytes[static_cast<std::size_t>(own->rank())] = plan.bytes_sent();
    });
    for (const std::string& text : said) EXPECT_EQ(text, "accepted");
    return bytes;
}

/// The same by what the model counts.
std::vector<std::uint64_t> counted(const Problem& problem, const Boxes& boxes, const Fabric& fabric,
                                   Decomposition decomposition) {
    const Shape shape = shape_of(problem);
    const Design steps = design(shape, boxes.input, boxes.output, decomposition, &fabric);
    std::vector<std::uint64_t> bytes(boxes.input.size(), 0);
    for (std::size_t i = 1; i < steps.steps.size(); ++i)
        for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
            const Traffic traffic =
                traffic_of(steps.steps[i - 1].after, steps.steps[i].before, rank,
                           shape.batch * shape.real_bytes * (steps.steps[i - 1].writes_reals ? 1 : 2), 4);
            bytes[rank] += traffic.inside + traffic.between;
        }
    return bytes;
}

TEST(Estimates, CountTheBytesOfPlans) {
    const Fabric fabric = parse_fabric(cluster);
    for (const char* const text : {"8x8x16", "16x8x8 r2c f64", "8x16x8 f32 batch=3", "8x8x8 dct2"}) {
        const Problem problem = parse_problem(text);
        for (const bool is_natural : {false, true})
            for (const bool is_slabs : {false, true}) {
                DistributedOptions how;
                how.decomposition = is_slabs ? Decomposition::slabs : Decomposition::pencils;
                how.fabric = fabric;
                const Boxes boxes =
                    is_slabs ? slab_boxes(problem, 8, is_natural) : pencil_boxes(problem, 2, 4, is_natural);
                EXPECT_EQ(counted(problem, boxes, fabric, how.decomposition), sent(problem, boxes, how)) << text;
            }
    }
}

TEST(Estimates, TakeTheLongerLevel) {
    const Fabric fabric = parse_fabric(cluster);
    const Problem problem = parse_problem("64x64x64");
    const Estimate found = estimate(problem, slab_boxes(problem, 8), fabric, Device::open("reference").limits(), {});
    const EstimatedStep* exchange = nullptr;
    double sum = 0;
    for (const EstimatedStep& step : found.steps) {
        sum += step.seconds;
        if (step.what == "exchange") exchange = &step;
    }
    ASSERT_NE(exchange, nullptr);
    const std::uint64_t one = 64 * 8 * 8 * 8;  // bytes of a message
    EXPECT_EQ(exchange->inside_bytes, 3 * one);
    EXPECT_EQ(exchange->between_bytes, 4 * one);
    EXPECT_EQ(exchange->messages, 7u);
    EXPECT_DOUBLE_EQ(exchange->seconds, static_cast<double>(4 * one) / 1e10 + 4 * 5.5e-6);
    EXPECT_DOUBLE_EQ(exchange->message_seconds, 4 * 5.5e-6);
    EXPECT_EQ(exchange->limit, "between nodes");
    EXPECT_DOUBLE_EQ(found.seconds, sum);
    EXPECT_EQ(found.pieces, 1u);
    EXPECT_EQ(found.steps.front().what, "transform axes 1,2");
    EXPECT_DOUBLE_EQ(found.steps.front().seconds, static_cast<double>(found.steps.front().memory_bytes) / 1e12);
    // Inside one node exchanges may go beside transforms, and nothing is packed.
    const Problem large = parse_problem("1024x1024x1024");
    const Estimate node = estimate(large, slab_boxes(large, 4), fabric, Device::open("reference").limits(), {});
    EXPECT_GT(node.pieces, 1u);
    EXPECT_LT(node.seconds_in_pieces, node.seconds);
    for (const EstimatedStep& step : node.steps) EXPECT_NE(step.what, "pack");
}

TEST(Estimates, RefuseAFabricWithoutTheLevel) {
    Fabric fabric = parse_fabric(cluster);
    fabric.between = {};
    const Problem problem = parse_problem("64x64x64");
    const DeviceLimits limits = Device::open("reference").limits();
    EXPECT_NO_THROW(estimate(problem, slab_boxes(problem, 4), fabric, limits, {}));
    EXPECT_THROW(estimate(problem, slab_boxes(problem, 8), fabric, limits, {}), InvalidProblem);
    EXPECT_THROW(estimate(problem, {slab({64, 64, 64}, 0, 4), slab({64, 64, 60}, 1, 4)}, fabric, limits, {}),
                 InvalidProblem);
}

/// Of all its exchanges on the fabric.
double exchange_seconds(const Design& design, const Fabric& fabric, std::uint64_t element) {
    double sum = 0;
    for (std::size_t i = 1; i < design.steps.size(); ++i) {
        double most = 0;
        for (std::size_t rank = 0; rank < design.steps[i].before.size(); ++rank)
            most = std::max(most, time_of(traffic_of(design.steps[i - 1].after, design.steps[i].before, rank, element,
                                                     fabric.ranks_per_node),
                                          fabric)
                                      .seconds);
        sum += most;
    }
    return sum;
}

TEST(Designs, ForAFabricAreNoSlowerOnIt) {
    int faster = 0;
    for (const char* const speeds :
         {"inside 400 GB/s 0.1 us\nbetween 1 GB/s 0.1 us\n", "inside 400 GB/s 0.1 us\nbetween 20 GB/s 50 us\n"}) {
        const Fabric fabric = parse_fabric("ranks-per-node 4\nmemory 1000000 GB/s\n" + std::string(speeds));
        for (const char* const text : {"32x32x32", "64x64x64", "128x64x32 r2c"}) {
            const Problem problem = parse_problem(text);
            const Shape shape = shape_of(problem);
            for (const bool is_natural : {false, true}) {
                const Boxes boxes = pencil_boxes(problem, 4, 4, is_natural);
                const double without = exchange_seconds(design(shape, boxes.input, boxes.output, Decomposition::any),
                                                        fabric, 8),
                             with = exchange_seconds(
                                 design(shape, boxes.input, boxes.output, Decomposition::any, &fabric), fabric, 8);
                EXPECT_LE(with, without * 1.001) << text << " " << speeds;
                if (with < without * 0.9) ++faster;
            }
        }
    }
    EXPECT_GT(faster, 0);
}

TEST(Designs, ForAFabricKeepRowsInTheNode) {
    // 1,024 ranks have more factors than are tried: 512 x 2 is among them because of the node.
    const Fabric fabric =
        parse_fabric("ranks-per-node 2\nmemory 1000 GB/s\ninside 100 GB/s 0.0001 us\nbetween 1 GB/s 0.0001 us\n");
    const Problem problem = parse_problem("1024x1024x4");
    const Boxes boxes = pencil_boxes(problem, 512, 2);
    const Design found = design(shape_of(problem), boxes.input, boxes.output, Decomposition::pencils, &fabric);
    ASSERT_EQ(found.steps.size(), 3u);
    for (const std::size_t rank : {0, 1, 500, 1023})
        EXPECT_EQ(traffic_of(found.steps[0].after, found.steps[1].before, rank, 8, 2).between, 0u);
}

TEST(Fabrics, AreMeasuredByLevel) {
    // Four ranks, two on each of two nodes by name.
    const auto said = on_ranks(4, 20s, [&](Shared& own) {
        FabricMeasurement how;
        how.node = own->rank() < 2 ? "a" : "b";
        how.bytes = 1 << 16;
        how.repeat = 3;
        const Fabric fabric = measure_fabric(*own, Device::open("reference"), how);
        EXPECT_EQ(fabric.ranks_per_node, 2u);
        EXPECT_GT(fabric.memory_bytes_per_second, 0);
        EXPECT_GT(fabric.inside.bytes_per_second, 0);
        EXPECT_GT(fabric.inside.seconds_per_message, 0);
        EXPECT_GT(fabric.between.bytes_per_second, 0);
        const std::vector<std::string> all = own->all_gather(to_string(fabric));
        for (const std::string& text : all) EXPECT_EQ(text, all.front());
        how.node = own->rank() % 2 == 0 ? "a" : "b";
        EXPECT_THROW(measure_fabric(*own, Device::open("reference"), how), InvalidProblem);
        how.node = "";
        EXPECT_EQ(measure_fabric(*own, Device::open("reference"), how).between.bytes_per_second, 0);
    });
    for (const std::string& text : said) EXPECT_EQ(text, "accepted");
}

TEST(Plans, AgreeAboutTheFabric) {
    const Problem problem = parse_problem("8x8");
    const Boxes boxes = slab_boxes(problem, 2);
    const auto said = on_ranks(2, 20s, [&](Shared& own) {
        DistributedOptions how;
        how.fabric = parse_fabric(cluster);
        if (own->rank() == 1) how.fabric->memory_bytes_per_second = 1e11;
        const DistributedPlan plan(Device::open("reference"), problem, boxes, own, how);
    });
    for (const std::string& text : said)
        EXPECT_NE(text.find("fabric: expected the same on all ranks"), std::string::npos) << text;
}

}  // namespace
}  // namespace seiche::distributed::test
