// The study's report: HTML, SVG, text and JSON of small documents.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "study/document.hpp"
#include "study/printed.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

Document small() {
    Document document;
    document.title = "A <study> & \"more\"";
    document.device = "opencl:0 (a 'card')";
    document.command = "seiche study wang";
    document.summary = {{"Ahead."}};
    Table table{"Times", {"size", "printed", "here"}, {}, {"A note."}};
    table.rows.push_back({words("128"), printed("5.16593"), number(0.5, Look::automatic)});
    table.rows.push_back({words("256"), printed("17.2782"), none()});
    Chart chart{"A chart", "size", "ms", {{"first", {{128, 2.0}, {256, 4.0}}, Look::plain}}};
    document.sections.push_back({"wang", "A title", "A source", {Quote{"Said so.", "page 1"}, table, chart}, 1.5});
    return document;
}

TEST(StudyReport, TextIsEscaped) {
    EXPECT_EQ(escaped("a < b & c > \"d\" 'e'\n"), "a &lt; b &amp; c &gt; &quot;d&quot; &#39;e&#39;?");
    EXPECT_EQ(escaped("128\u00b2 \u00d7"), "128\u00b2 \u00d7");
}

TEST(StudyReport, PageIsSelfContainedAndSaysWhatItIs) {
    const std::string html = html_of(small());
    EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0u);
    EXPECT_NE(html.find("<title>A &lt;study&gt; &amp; &quot;more&quot;</title>"), std::string::npos);
    EXPECT_NE(html.find("<dt>Device</dt><dd>opencl:0 (a &#39;card&#39;)</dd>"), std::string::npos);
    EXPECT_NE(html.find("<section id=\"wang\">\n<h2>A title</h2>"), std::string::npos);
    EXPECT_NE(html.find("<blockquote><p>Said so.<br><cite>page 1</cite></p></blockquote>"), std::string::npos);
    for (const char* fetched : {" src=", "@import", "url(", "<script", "<link", "<iframe"})
        EXPECT_EQ(html.find(fetched), std::string::npos) << fetched;
    EXPECT_EQ(html.find("http", html.find("http://www.w3.org/2000/svg") + 4), std::string::npos);
}

TEST(StudyReport, TableIsGolden) {
    const std::string html = html_of(small());
    const std::string expected =
        "<h3>Times</h3>\n<div "
        "class=\"scroll\"><table>\n<thead><tr><th>size</th><th>printed</th><th>here</th></tr></thead>\n<tbody>\n"
        "<tr><td>128</td><td class=\"printed\">5.16593</td><td class=\"automatic\">0.500</td></tr>\n"
        "<tr><td>256</td><td class=\"printed\">17.2782</td><td class=\"missing\">\u2013</td></tr>\n"
        "</tbody></table></div>\n<p class=\"note\">A note.</p>\n";
    EXPECT_NE(html.find(expected), std::string::npos) << html;
}

TEST(StudyReport, OneLengthMakesBarsFromZero) {
    const std::string svg =
        svg_of({"Bars", "size", "ms", {{"slow", {{8, 4.0}}, Look::plain}, {"Seiche", {{8, 1.0}}, Look::automatic}}});
    EXPECT_NE(svg.find("y=\"40.0\" width=\"450.0\""), std::string::npos) << svg;
    EXPECT_NE(svg.find("y=\"66.0\" width=\"112.5\""), std::string::npos) << svg;
    EXPECT_EQ(svg.find("<path"), std::string::npos);
    EXPECT_NE(svg.find(">ms, size 8</text>"), std::string::npos);
}

TEST(StudyReport, CurvesAreLogarithmic) {
    const std::string svg =
        svg_of({"Curves", "size", "ms", {{"one", {{1, 1.0}, {10, 10.0}, {100, 100.0}}, Look::plain}}});
    // From left and bottom to right and top, the middle in the middle.
    EXPECT_NE(svg.find("<path d=\"M70.0 310.0 L327.0 175.0 L584.0 40.0\""), std::string::npos) << svg;
    EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
    EXPECT_NE(svg.find("<title>Curves</title>"), std::string::npos);
}

TEST(StudyReport, NoPointsMakeNoPicture) {
    EXPECT_EQ(svg_of({"Empty", "x", "y", {}}), "");
    EXPECT_EQ(svg_of({"Empty", "x", "y", {{"nobody", {}, Look::plain}}}), "");
}

TEST(StudyReport, NamesBesideCurvesKeepApart) {
    Chart chart{"Names", "x", "y", {}};
    for (int i = 0; i < 6; ++i) chart.series.push_back({std::to_string(i), {{1, 5.0}, {2, 5.0}}, Look::plain});
    const std::string svg = svg_of(chart);
    const std::regex name("<text x=\"594\\.0\" y=\"([0-9.]+)\"");
    double last = 0;
    int count = 0;
    for (std::sregex_iterator it(svg.begin(), svg.end(), name), end; it != end; ++it, ++count) {
        const double y = std::stod((*it)[1]);
        EXPECT_TRUE(count == 0 || y - last >= 15.9) << y << " after " << last;
        last = y;
    }
    EXPECT_EQ(count, 6);
}

TEST(StudyReport, TerminalHasColumnsAndBars) {
    const std::string text = terminal_text(small().sections.front());
    EXPECT_NE(text.find("    size  printed   here\n    128   5.16593  0.500\n    256   17.2782      \u2013\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("A chart, size 256: ms"), std::string::npos);
    EXPECT_NE(text.find("  | \"Said so.\" (page 1)"), std::string::npos);
}

TEST(StudyReport, JsonHasUnroundedValues) {
    const auto json = nlohmann::json::parse(json_of(small()));
    const auto& table = json.at("texts").at(0).at("blocks").at(1);
    EXPECT_EQ(table.at("table"), "Times");
    EXPECT_EQ(table.at("rows").at(0).at(1).at("value"), 5.16593);
    EXPECT_EQ(table.at("rows").at(0).at(1).at("look"), "printed");
    EXPECT_EQ(table.at("rows").at(1).at(2).count("value"), 0u);
}

TEST(StudyReport, PrintedFiguresStayAsTheyArePrinted) {
    for (const PrintedSizes& size : mota2022_table_2)
        for (const char* digits : {size.direct, size.in_time, size.in_frequency, size.recursive}) {
            EXPECT_EQ(printed(digits).text, digits);
            EXPECT_GT(*printed(digits).value, 0);
        }
    EXPECT_EQ(printed("2.50").text, "2.50");
}

}  // namespace
}  // namespace seiche::study
