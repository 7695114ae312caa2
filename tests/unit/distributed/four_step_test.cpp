// One axis over several ranks: how many exchanges it takes, which lengths are products for which boxes, its twiddles of
// more than 2^32 points, and what is refused.
#include "four_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "case.hpp"
#include "on_ranks.hpp"
#include "seiche/distributed/estimate.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;
using Numbers = std::vector<std::uint64_t>;

Device reference() {
    static const Device device = Device::open("reference");
    return device;
}

struct Found {
    int exchanges = 0;
    std::uint64_t sent = 0, copied = 0;
    std::string text;
};

/// The plan on each rank.
std::vector<Found> planned(const std::string& problem, const Boxes& boxes, const DistributedOptions& options = {}) {
    std::vector<Found> found(boxes.input.size());
    const auto said = on_ranks(static_cast<int>(found.size()), 20s, [&](Shared& own) {
        const DistributedPlan plan(reference(), parse_problem(problem), boxes, own, options);
        found[static_cast<std::size_t>(own->rank())] = {plan.exchanges(), plan.bytes_sent(), plan.bytes_copied(),
                                                        plan.describe()};
    });
    for (const std::string& text : said) EXPECT_EQ(text, "accepted");
    return found;
}

DistributedOptions four_steps() {
    DistributedOptions options;
    options.decomposition = Decomposition::four_step;
    return options;
}

Boxes halves_of(const Numbers& lengths, int ranks) { return {slab(lengths, 0, ranks), slab(lengths, 0, ranks)}; }

/// The route of slabs along one axis, planned without memory or a device.
Route route_of(std::uint64_t n, int ranks, bool is_pass = false, Decomposition decomposition = Decomposition::any) {
    Problem problem;
    problem.lengths = {n};
    if (is_pass) problem.spectrum_order = SpectrumOrder::pass;
    return find_route(problem, shape_of(problem), halves_of(problem.lengths, ranks), decomposition, nullptr,
                      Direction::forward);
}

TEST(FourStep, ExchangesThreeTimesInNaturalOrderAndTwiceInPassOrder) {
    const Numbers n{4096};
    for (const Found& rank : planned("4096", halves_of(n, 4), four_steps())) {
        EXPECT_EQ(rank.exchanges, 3) << rank.text;
        EXPECT_EQ(rank.sent,
                  3 * 4096 / 4 * 8 * 3 / 4u);  // the least possible: three quarters of what it has, each time
    }
    for (const Found& rank : planned("4096 spectrum-order=pass", halves_of(n, 4), four_steps())) {
        EXPECT_EQ(rank.exchanges, 2) << rank.text;
        EXPECT_EQ(rank.sent, 2 * 4096 / 4 * 8 * 3 / 4u);
    }
}

TEST(FourStep, MovesBoxesThatAreNotWholeRows) {
    // 1000 points over three ranks: no factor divides 334 and 667.
    for (const Found& rank : planned("1000", halves_of({1000}, 3), four_steps())) {
        EXPECT_EQ(rank.exchanges, 5) << rank.text;
        // What is moved to whole rows and back is less than a row of 40 points, to one neighbour at most.
        EXPECT_LT(rank.sent, (3 * 360 + 4 * 40) * 8u);
    }
}

TEST(FourStep, TakesFactorsThatDivideTheBoxes) {
    const Route route = route_of(std::uint64_t{1} << 34, 64);
    ASSERT_TRUE(route.four_step);
    EXPECT_EQ(route.four_step->n1, std::uint64_t{1} << 17);
    EXPECT_FALSE(route.moves_input);
    EXPECT_FALSE(route.moves_output);
    EXPECT_EQ(route.design.steps.size(), 4u);
    // 3 x 2^21 points over 96 ranks: one factor has the 3, which blocks of 2^16 have not.
    const Route uneven = route_of(std::uint64_t{3} << 21, 96);
    ASSERT_TRUE(uneven.four_step);
    EXPECT_NE(uneven.moves_input, uneven.moves_output);
    const Route pass = route_of(std::uint64_t{3} << 21, 96, true);  // rows of n2 points on both sides
    ASSERT_TRUE(pass.four_step);
    EXPECT_EQ((std::uint64_t{1} << 16) % pass.four_step->n2, 0u);
    EXPECT_FALSE(pass.moves_input);
    EXPECT_FALSE(pass.moves_output);
}

TEST(FourStep, LeavesPrimesAndShortAxesToOneRank) {
    EXPECT_FALSE(route_of(1009, 4).four_step);
    EXPECT_FALSE(route_of(1009, 4, true).four_step);
    EXPECT_FALSE(route_of(64, 4).four_step);  // by cost
    EXPECT_TRUE(route_of(64, 4, true).four_step);
    for (const int ranks : {2, 3, 4, 64}) EXPECT_TRUE(route_of(std::uint64_t{1} << 33, ranks).four_step);
    Problem real = parse_problem("8589934592 r2c");
    const Boxes boxes{slab({std::uint64_t{1} << 33}, 0, 2), slab({(std::uint64_t{1} << 32) + 1}, 0, 2)};
    EXPECT_TRUE(find_route(real, shape_of(real), boxes, Decomposition::any, nullptr, Direction::forward).halves);
    EXPECT_FALSE(route_of(1 << 20, 1).four_step);
}

TEST(FourStep, IsOnlyForFewerSequencesThanRanks) {
    Problem problem;
    problem.lengths = {8, 1 << 20};
    const Boxes boxes = halves_of(problem.lengths, 8), few = halves_of(problem.lengths, 4);
    const auto found = [&](const Boxes& own) {
        return find_route(problem, shape_of(problem), own, Decomposition::any, nullptr, Direction::forward)
            .four_step.has_value();
    };
    EXPECT_FALSE(found(few));
    EXPECT_FALSE(found(boxes));
    problem.lengths = {3, 1 << 20};
    problem.axes = {1};
    EXPECT_TRUE(found({slab(problem.lengths, 1, 8), slab(problem.lengths, 1, 8)}));
}

TEST(FourStep, RefusesWhatItCannotDo) {
    const auto refused = [](const std::string& problem, const Numbers& n) {
        const auto said = on_ranks(2, 20s, [&](Shared& own) {
            DistributedPlan(reference(), parse_problem(problem), halves_of(n, 2), own, four_steps());
        });
        EXPECT_EQ(said[0], said[1]);
        return said[0];
    };
    EXPECT_EQ(
        refused("13", {13}),
        "Unsupported: decomposition: expected an axis whose length is a product, of r2c and c2r one that is even, "
        "alone and stored as computed, for four_step, got 13 c2c f32");
    EXPECT_EQ(refused("16 dct2", {16}),
              "Unsupported: decomposition: expected c2c, r2c or c2r, and not in f64x2, for four_step, got 16 dct2 f32");
    EXPECT_EQ(
        refused("16 f64x2", {16}),
        "Unsupported: decomposition: expected c2c, r2c or c2r, and not in f64x2, for four_step, got 16 c2c f64x2");
}

TEST(FourStep, HalvesRealNumbers) {
    const Numbers real{8192}, bins{4097};
    for (const Found& rank : planned("8192 r2c", {slab(real, 0, 4), slab(bins, 0, 4)}, four_steps())) {
        // Half of a complex transform's bytes three times, and once more for the mirrored values.
        EXPECT_LT(rank.sent, (4 * 4096 / 4 + 2 * 128) * 8u) << rank.text;
        EXPECT_GT(rank.sent, 2 * 4096 / 4 * 8u) << rank.text;
        EXPECT_NE(rank.text.find("combine pairs"), std::string::npos) << rank.text;
    }
    for (const Found& rank : planned("8192 c2r", {slab(bins, 0, 4), slab(real, 0, 4)}, four_steps()))
        EXPECT_LT(rank.text.find("combine pairs"), rank.text.find("with twiddles")) << rank.text;
}

TEST(FourStep, SaysTheFrequencyOfEachPosition) {
    on_ranks(2, 20s, [](Shared& own) {
        const DistributedPlan plan(reference(), parse_problem("12 spectrum-order=pass"), halves_of({12}, 2), own);
        std::vector<bool> seen(12);
        for (std::uint64_t position = 0; position < 12; ++position) seen.at(plan.spectrum_index(-1, position)) = true;
        for (const bool is_seen : seen) EXPECT_TRUE(is_seen);
        EXPECT_NE(plan.spectrum_index(0, 1), 1u);
        EXPECT_EQ(refusal([&] { (void)plan.spectrum_index(1, 0); }),
                  "InvalidProblem: axis: expected one from -1 to 0, got 1");
        EXPECT_EQ(refusal([&] { (void)plan.spectrum_index(0, 12); }),
                  "InvalidProblem: position: expected less than 12, got 12");
        const DistributedPlan natural(reference(), parse_problem("12"), halves_of({12}, 2), own);
        EXPECT_EQ(natural.spectrum_index(0, 5), 5u);
    });
}

/// The largest error of the twiddles of n1 n2 points along a few columns, in roundings of the precision. Sequences that
/// are 1 at first and 0 then have a spectrum of ones, so that the results are the twiddles.
template <class Real>
double twiddle_error(std::uint64_t n1, std::uint64_t n2, std::uint64_t start, Direction direction) {
    constexpr std::uint64_t columns = 3;
    const Precision precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
    const Device device = Device::open();
    Shape shape;
    shape.lengths = {n1, n2};
    shape.factors = Factors{0, 1};
    Problem problem;
    problem.lengths = {n1, columns};
    problem.axes = {0};
    problem.precision = precision;
    problem.forward_store = twiddle_stage(shape, precision, Direction::forward);
    problem.inverse_store = twiddle_stage(shape, precision, Direction::inverse);
    const Plan plan(device, problem);
    std::vector<std::complex<Real>> values(n1 * columns);
    for (std::uint64_t i = 0; i < columns; ++i) values[i] = 1;
    Execution execution;
    execution.direction = direction;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    execution.stage_buffers = twiddle_tables(device, shape, precision);
    execution.stage_scalars = {{"start", static_cast<double>(start)}};
    Queue queue = device.create_queue();
    queue.upload(execution.input, values.data(), plan.input_bytes());
    plan.execute(queue, execution);
    queue.download(values.data(), execution.output, plan.output_bytes());
    const long double turn = 2 * std::acos(-1.0L), sign = direction == Direction::forward ? -1 : 1;
    long double most = 0;
    for (std::uint64_t k = 0; k < n1; ++k)
        for (std::uint64_t i = 0; i < columns; ++i) {
            const std::uint64_t place = k * (start + i);  // less than n1 n2
            const long double angle =
                sign * turn * (static_cast<long double>(place) / static_cast<long double>(n1 * n2));
            const std::complex<Real> value = values[k * columns + i];
            most = std::max({most, std::abs(static_cast<long double>(value.real()) - std::cos(angle)),
                             std::abs(static_cast<long double>(value.imag()) - std::sin(angle))});
        }
    return static_cast<double>(most) * (sizeof(Real) == 4 ? 0x1p24 : 0x1p53);
}

TEST(FourStep, HasExactTwiddlesOfMoreThan32Bits) {
    const std::uint64_t n1 = 1 << 13, n2 = 1 << 21;
    for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1000003}, n2 - 3}) {
        EXPECT_LT(twiddle_error<float>(n1, n2, start, Direction::forward), 2.5);
        EXPECT_LT(twiddle_error<double>(n1, n2, start, Direction::inverse), 2.5);
    }
    // 2^43 points, of which a rank has columns at the end.
    const std::uint64_t many = std::uint64_t{1} << 30;
    EXPECT_LT(twiddle_error<float>(n1, many, many - 3, Direction::inverse), 2.5);
    EXPECT_LT(twiddle_error<double>(3 * 5 * 7 * 11, 1 << 21, 1999993, Direction::forward), 2.5);
}

/// The model of 64 ranks on 8 nodes.
Estimate estimated(std::uint64_t n, bool is_pass) {
    Problem problem;
    problem.lengths = {n};
    if (is_pass) problem.spectrum_order = SpectrumOrder::pass;
    Fabric fabric;
    fabric.ranks_per_node = 8;
    fabric.memory_bytes_per_second = 1e12;
    fabric.inside = {1e11, 1e-6};
    fabric.between = {1e10, 1e-6};
    return estimate(problem, halves_of(problem.lengths, 64), fabric, reference().limits());
}

TEST(FourStep, IsEstimatedWithTheLeastBytes) {
    const std::uint64_t n = std::uint64_t{1} << 34, own = n / 64 * 8;
    for (const bool is_pass : {false, true}) {
        int exchanges = 0, transforms = 0;
        for (const EstimatedStep& step : estimated(n, is_pass).steps) {
            transforms += step.what.find("transform") == 0 ? 1 : 0;
            if (step.what != "exchange") continue;
            ++exchanges;
            EXPECT_EQ(step.between_bytes, own / 64 * 56);
            EXPECT_EQ(step.inside_bytes, own / 64 * 7);
            EXPECT_EQ(step.messages, 63u);
        }
        EXPECT_EQ(exchanges, is_pass ? 2 : 3);
        EXPECT_EQ(transforms, 2);
    }
}

}  // namespace
}  // namespace seiche::distributed::test
