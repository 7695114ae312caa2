// The study in one picture.
#include "study/headline.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace seiche::study {
namespace {

const std::vector<Laboratory::Race> races{{"mota2022", "dit", 10},
                                          {"mota2022", "dif", 4},
                                          {"mota2022", "dit", 1000},
                                          {"mota2022", "dit", 30},
                                          {"wang", "dit", 0.5}};

TEST(StudyHeadline, PacesAreMediansOfTheirRecipes) {
    EXPECT_EQ(paces_of(races), (std::vector<Pace>{{"mota2022", "dit", 3, 10, 30, 1000},
                                                  {"mota2022", "dif", 1, 4, 4, 4},
                                                  {"wang", "dit", 1, 0.5, 0.5, 0.5}}));
    EXPECT_TRUE(paces_of({}).empty());
}

/// 0.1 to 1000 is 482 wide from 214 on: 120.5 a decade.
TEST(StudyHeadline, PlacesAreLogarithms) {
    const std::string svg = headline_svg(paces_of(races), "a card, today");
    EXPECT_NE(svg.find("<line x1=\"455.0\" y1=\"119.0\" x2=\"696.0\" y2=\"119.0\""), svg.npos) << svg;  // 10 to 1000
    EXPECT_NE(svg.find("cx=\"512.5\" cy=\"119.0\""), svg.npos) << svg;                                  // 30
    EXPECT_NE(svg.find("cx=\"298.2\""), svg.npos) << svg;                                               // 0.5
    EXPECT_NE(svg.find(">30.0\u00d7</text>"), svg.npos);
    EXPECT_NE(svg.find(">0.500\u00d7</text>"), svg.npos);
    EXPECT_NE(svg.find(">0.1\u00d7</text>"), svg.npos);
    EXPECT_NE(svg.find(">1000\u00d7</text>"), svg.npos);
    EXPECT_NE(svg.find(">a card, today</text>"), svg.npos);
    EXPECT_NE(svg.find("up to 3 problems"), svg.npos);
    for (const char* text : {">mota2022<", ">wang<"}) {
        EXPECT_NE(svg.find(text), svg.npos);
        EXPECT_EQ(svg.find(text, svg.find(text) + 1), svg.npos) << "once for all its recipes";
    }
}

TEST(StudyHeadline, StandsOnItsOwnGroundAndStaysInside) {
    const std::string svg = headline_svg(paces_of(races), "<&>");
    EXPECT_NE(svg.find("<rect x=\"0.5\" y=\"0.5\" width=\"799\" height=\"267\" rx=\"8\" fill=\"#ffffff\""), svg.npos)
        << svg;
    EXPECT_NE(svg.find("&lt;&amp;&gt;"), svg.npos);
    const std::regex place(" (?:x|x1|x2|cx)=\"([0-9.]+)\"");
    for (std::sregex_iterator it(svg.begin(), svg.end(), place), end; it != end; ++it)
        EXPECT_LE(std::stod((*it)[1]), 800);
    EXPECT_EQ(headline_svg({}, ""), "");
}

TEST(StudyHeadline, LaboratoryRacesEveryRecipeThatWorked) {
    Protocol protocol;
    protocol.lengths = {16};
    Laboratory laboratory(Device::open("reference"), protocol);
    laboratory.begin("wang");
    const Grid grid = laboratory.measure_all({{"16", 16, parse_problem("16 f32")}},
                                             {recipe("dit"), recipe("nobody"), recipe("dif"), automatic()});
    ASSERT_EQ(laboratory.races().size(), 2u);
    const std::vector<Outcome>& outcomes = grid.outcomes.front();
    EXPECT_EQ(laboratory.races()[1].text, "wang");
    EXPECT_EQ(laboratory.races()[1].recipe, "dif");
    EXPECT_DOUBLE_EQ(laboratory.races()[1].ratio, outcomes[2].milliseconds / outcomes[3].milliseconds);
}

}  // namespace
}  // namespace seiche::study
