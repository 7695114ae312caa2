// Random problems are valid ones of every kind, and the tool's own idea of their layout agrees with the library's.
#include "cli/random_problems.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cli/geometry.hpp"
#include "cli/stored_form.hpp"
#include "problem/problem.hpp"

namespace seiche::cli {
namespace {

TEST(RandomProblems, AreValidAndOfEveryKind) {
    std::map<std::string, int> classes;
    int in_place = 0, strided = 0, partial = 0, scaled = 0, doubles = 0, stored = 0, planar = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Problem problem = draw_problem(3, i, {1u << 16, true});
        const Geometry geometry(problem);
        const auto canonical = problem::normalise(problem);
        EXPECT_EQ(canonical.input_bytes(problem.batch), StoredForm(problem, false, geometry.input_elements()).bytes());
        EXPECT_EQ(canonical.output_bytes(problem.batch), StoredForm(problem, true, geometry.output_elements()).bytes());
        EXPECT_EQ(canonical.n, geometry.points());
        EXPECT_EQ(canonical.transforms_per_array() * problem.batch, geometry.transforms());
        EXPECT_EQ(problem::normalise(parse_problem(to_string(problem))), canonical) << to_string(problem);
        ++classes[class_of(problem)];
        in_place += problem.placement == Placement::in_place;
        strided += !problem.input.strides.empty();
        partial += !problem.axes.empty();
        scaled += problem.forward_scale != Scale::none();
        doubles += problem.precision == Precision::f64;
        stored += problem.storage != Storage::same;
        planar += problem.input.planar;
    }
    EXPECT_EQ(classes.size(), 5u);
    for (const auto& [name, count] : classes) EXPECT_GT(count, 20) << name;
    for (const int count : {in_place, strided, partial, scaled, doubles, stored, planar}) EXPECT_GT(count, 100);
}

TEST(RandomProblems, KeepWithinTheirLimits) {
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Problem problem = draw_problem(4, i, {4096, false});
        const Geometry geometry(problem);
        EXPECT_LE(geometry.points() * geometry.transforms(), 4096u);
        EXPECT_EQ(problem.precision, Precision::f32);
    }
}

TEST(Geometry, FindsEveryElementOnce) {
    const Problem problem =
        parse_problem("3x4x5 axes=0,2 batch=2 istrides=40,1,5 idist=200 ioffset=16 ostrides=20,5,1");
    const Geometry geometry(problem);
    EXPECT_EQ(geometry.points(), 15u);
    EXPECT_EQ(geometry.transforms(), 8u);
    EXPECT_EQ(geometry.lengths(), (std::vector<std::uint64_t>{3, 5}));
    std::vector<std::uint64_t> places;
    geometry.positions(4 + 3, false, places);  // second array, index 3 of the axis that is not transformed
    EXPECT_EQ(places.at(0), 2u + 200 + 3);
    EXPECT_EQ(places.at(1), 2u + 200 + 3 + 5);
    EXPECT_EQ(places.at(5), 2u + 200 + 3 + 40);
    std::set<std::uint64_t> outputs;
    for (std::uint64_t t = 0; t < 8; ++t) {
        geometry.positions(t, true, places);
        outputs.insert(places.begin(), places.end());
    }
    EXPECT_EQ(outputs.size(), 120u);
    EXPECT_EQ(*outputs.rbegin(), 119u);
}

}  // namespace
}  // namespace seiche::cli
