// Random problems are valid ones of every kind, and the tool's own idea of their layout agrees with the library's.
#include "cli/check/random_problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/check/geometry.hpp"
#include "cli/check/stored_form.hpp"
#include "problem/problem.hpp"

namespace seiche::cli {
namespace {

std::uint64_t stored_bytes_of(const Problem& problem, bool output) {
    const Geometry geometry(problem);
    return StoredForm(problem, output, geometry.elements(output), geometry.parts(output), geometry.offset(output))
        .bytes();
}

TEST(RandomProblems, AreValidAndOfEveryKind) {
    std::map<std::string, int> classes;
    int in_place = 0, strided = 0, partial = 0, scaled = 0, doubles = 0, stored = 0, planar = 0, ordered = 0,
        overwritten = 0, parts = 0, backwards = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Problem problem = draw_problem(3, i, {1u << 16, true, {}});
        const Geometry geometry(problem);
        const auto canonical = problem::normalise(problem);
        EXPECT_EQ(canonical.input_bytes(problem.batch), stored_bytes_of(problem, false));
        EXPECT_EQ(canonical.output_bytes(problem.batch), stored_bytes_of(problem, true));
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
        ordered += problem.spectrum_order == SpectrumOrder::pass;
        overwritten += problem.may_overwrite_input;
        parts += problem.input.part_bytes != 0;
        const std::vector<std::int64_t>& strides = problem.input.strides;
        backwards += std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride < 0; });
    }
    EXPECT_EQ(classes.size(), 5u);
    for (const auto& [name, count] : classes) EXPECT_GT(count, 20) << name;
    for (const int count : {in_place, strided, partial, scaled, doubles, stored, planar, ordered, overwritten, parts})
        EXPECT_GT(count, 100);
    EXPECT_GT(backwards, 60);
}

TEST(RandomProblems, OfRealKindsAreValidToo) {
    const std::vector<Kind> kinds{Kind::c2c,  Kind::r2c,  Kind::c2r,  Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                  Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht,  Kind::r2hc, Kind::hc2r};
    std::map<Kind, int> seen;
    int in_place = 0, strided = 0, mixed = 0, orthonormal = 0, halved = 0, edges = 0, two_layouts = 0, two_real = 0;
    for (std::uint64_t i = 0; i < 1500; ++i) {
        const Problem problem = draw_problem(5, i, {1u << 14, true, kinds});
        SCOPED_TRACE(to_string(problem));
        const auto canonical = problem::normalise(problem);
        const Geometry geometry(problem);
        EXPECT_EQ(canonical.input_bytes(problem.batch), stored_bytes_of(problem, false));
        EXPECT_EQ(canonical.output_bytes(problem.batch), stored_bytes_of(problem, true));
        EXPECT_EQ(canonical.n, geometry.logical_points());
        EXPECT_EQ(canonical.has(Direction::inverse), geometry.has(Direction::inverse));
        EXPECT_EQ(canonical.has(Direction::forward), geometry.has(Direction::forward));
        EXPECT_EQ(problem::normalise(parse_problem(to_string(problem))), canonical);
        const bool is_halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
        ++seen[problem.kind];
        in_place += is_halved && problem.placement == Placement::in_place;
        strided += is_halved && !problem.output.strides.empty() && problem.placement == Placement::out_of_place;
        mixed += problem.axis_kinds.size() > 1 && problem.axis_kinds[0] != problem.axis_kinds[1];
        orthonormal += problem.orthonormal;
        edges += problem.orthogonalize;
        two_layouts += canonical.has_two_layouts && !is_halved;
        two_real += canonical.has_two_layouts && is_halved;
        halved += problem.halved_axis.has_value();
    }
    for (const Kind kind : kinds) EXPECT_GT(seen[kind], 40) << to_string(kind);
    for (const int count : {in_place, strided, mixed, orthonormal, halved, edges, two_layouts, two_real})
        EXPECT_GT(count, 15);
}

TEST(RandomProblems, KeepWithinTheirLimits) {
    for (std::uint64_t i = 0; i < 500; ++i) {
        const Problem problem = draw_problem(4, i, {4096, false, {}});
        const Geometry geometry(problem);
        EXPECT_LE(geometry.points() * geometry.transforms(), 4096u);
        EXPECT_EQ(problem.precision, Precision::f32);
    }
}

TEST(Geometry, PlacesRealRowsInComplexOnes) {
    const Geometry geometry(parse_problem("3x5 r2c in-place batch=2"));
    EXPECT_EQ(geometry.elements(true), 2u * 3 * 3);
    EXPECT_EQ(geometry.elements(false), 1u * 18 + 2 * 6 + 5);
    EXPECT_EQ(geometry.payload_bytes(false), 30u * 4);
    EXPECT_EQ(geometry.payload_bytes(true), 18u * 8);
    std::vector<std::uint64_t> places;
    geometry.positions(1, false, places);
    EXPECT_EQ(places.size(), 15u);
    EXPECT_EQ(places.at(0), 18u);
    EXPECT_EQ(places.at(5), 24u);
    geometry.positions(1, true, places);
    EXPECT_EQ(places.size(), 9u);
    EXPECT_EQ(places.at(3), 12u);
}

TEST(Geometry, FindsEveryElementOnce) {
    const Problem problem =
        parse_problem("3x4x5 axes=0,2 batch=2 istrides=40,1,5 idist=200 ioffset=16 ostrides=20,5,1");
    const Geometry geometry(problem);
    EXPECT_EQ(geometry.points(), 15u);
    EXPECT_EQ(geometry.transforms(), 8u);
    EXPECT_EQ(geometry.axes(), (std::vector<KindAxis>{{Kind::c2c, 3}, {Kind::c2c, 5}}));
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

TEST(Geometry, FindsSomeElementsAsAmongAll) {
    const Geometry geometry(parse_problem("3x4x5 axes=0,2 batch=2 istrides=40,1,5 idist=200 ioffset=16"));
    std::vector<std::uint64_t> all, some;
    geometry.positions(5, false, all);
    for (std::uint64_t first = 0; first < all.size(); first += 4) {
        const std::uint64_t end = std::min<std::uint64_t>(first + 4, all.size());
        geometry.positions({5, first, end}, false, some);
        EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
        EXPECT_EQ(some.size(), end - first);
    }
}

TEST(Geometry, KnowsWhetherElementsShareAPlace) {
    EXPECT_TRUE(Geometry(parse_problem("3x4 batch=2")).is_apart(false));
    EXPECT_TRUE(Geometry(parse_problem("3x4 batch=2 istrides=1,3 idist=50")).is_apart(false));
    EXPECT_TRUE(Geometry(parse_problem("6x8 axes=0 istrides=11,1 idist=70")).is_apart(false));
    EXPECT_TRUE(Geometry(parse_problem("3x5 r2c in-place batch=2")).is_apart(false));
    EXPECT_FALSE(Geometry(parse_problem("8 batch=2 idist=7")).is_apart(false));
    EXPECT_FALSE(Geometry(parse_problem("3x4 istrides=3,1")).is_apart(false));
}

}  // namespace
}  // namespace seiche::cli
