// The samples are valid problems of every sort, and the checker's own idea of their layout agrees with the library's.
#include "tests/accuracy/sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "problem/problem.hpp"
#include "tests/accuracy/shape.hpp"

namespace seiche::accuracy {
namespace {

std::uint64_t reach(const std::vector<std::vector<std::uint64_t>>& lists) {
    std::uint64_t last = 0;
    for (const auto& list : lists) last = std::max(last, *std::max_element(list.begin(), list.end()));
    return last + 1;
}

/// The outputs are all different, and both arrays end where the library says.
void expect_agreement(const Problem& problem) {
    SCOPED_TRACE(to_string(problem));
    const problem::Canonical canonical = problem::normalise(problem);
    EXPECT_EQ(problem::normalise(parse_problem(to_string(problem))), canonical);
    const Addresses where = addresses(problem, problem.batch);
    EXPECT_EQ(reach(where.input) * canonical.input_element_bytes(), canonical.input_bytes(problem.batch));
    EXPECT_EQ(reach(where.output) * canonical.output_element_bytes(), canonical.output_bytes(problem.batch));
    std::set<std::uint64_t> outputs;
    std::size_t count = 0;
    for (const auto& list : where.output) {
        outputs.insert(list.begin(), list.end());
        count += list.size();
    }
    EXPECT_EQ(outputs.size(), count);
    const Shape shape = shape_of(problem);
    EXPECT_EQ(shape.logical_points(), canonical.n);
    EXPECT_EQ(shape.real_input(), canonical.input_is_real);
    EXPECT_EQ(shape.real_output(), canonical.output_is_real);
    for (const Direction direction : {Direction::forward, Direction::inverse})
        EXPECT_EQ(shape.has(direction), canonical.has(direction));
}

TEST(Samples, AreValidAndOfEverySort) {
    std::mt19937_64 random(1);
    int in_place = 0, strided = 0, mixed = 0, orthonormal = 0, inner_halved = 0, edges = 0, two_layouts = 0;
    for (const auto& problems :
         {layout_sample(100, Precision::f32, random), halved_layout_sample(200, Precision::f64, random),
          real_layout_sample(200, Precision::f32, random)})
        for (const Problem& problem : problems) {
            expect_agreement(problem);
            in_place += problem.placement == Placement::in_place && problem.kind == Kind::r2c;
            strided += !problem.output.strides.empty();
            mixed += problem.axis_kinds.size() > 1;
            orthonormal += problem.orthonormal;
            edges += problem.orthogonalize;
            two_layouts += problem::normalise(problem).has_two_layouts;
            inner_halved += problem.halved_axis.has_value();
        }
    for (const int count : {in_place, strided, mixed, orthonormal, inner_halved, edges, two_layouts})
        EXPECT_GT(count, 15);
}

TEST(Samples, HaveEveryKindAtEveryShortLength) {
    std::mt19937_64 random(2);
    const auto problems = kind_length_sample({Kind::r2c, Kind::dct1}, SampleLimits{}, Precision::f32, random);
    std::set<std::pair<Kind, std::uint64_t>> seen;
    for (const Problem& problem : problems) {
        if (problem.lengths[0] <= 64) expect_agreement(problem);
        seen.insert({problem.kind, problem.lengths[0]});
    }
    for (std::uint64_t n = 2; n <= 64; ++n) EXPECT_TRUE(seen.count({Kind::r2c, n}) && seen.count({Kind::dct1, n})) << n;
    EXPECT_FALSE(seen.count({Kind::dct1, 1}));
}

}  // namespace
}  // namespace seiche::accuracy
