// Figures: round ticks, uniform colours, pictures that show what they are given.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/draw/colours.hpp"
#include "cli/draw/heatmap.hpp"
#include "cli/draw/line_chart.hpp"
#include "cli/draw/ticks.hpp"
#include "cli/io/png.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::draw {
namespace {

std::vector<std::string> labels(const Axis& axis, int about) {
    std::vector<std::string> texts;
    for (const Tick& tick : ticks(axis, about)) texts.push_back(tick.text);
    return texts;
}

TEST(Ticks, AreRound) {
    EXPECT_EQ(labels({"", 0, 1.428}, 8),
              (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2", "1.4"}));
    EXPECT_EQ(labels({"", -80, 0}, 8).size(), 9u);
    EXPECT_EQ(labels({"", -80, 0}, 8)[0], "\u221280");
    EXPECT_EQ(labels({"", -0.5, 0.5}, 5), (std::vector<std::string>{"\u22120.4", "\u22120.2", "0.0", "0.2", "0.4"}));
    EXPECT_EQ(labels({"", 0, 36000}, 5),
              (std::vector<std::string>{"0", "5000", "10000", "15000", "20000", "25000", "30000", "35000"}));
    EXPECT_EQ(labels({"", 0, 3e-5}, 3), (std::vector<std::string>{"0.00000", "0.00001", "0.00002", "0.00003"}));
    EXPECT_TRUE(ticks({"", 1, 1}, 5).empty());
    EXPECT_TRUE(ticks({"", NAN, 1}, 5).empty());
}

TEST(Ticks, OfAxesThatAreNotEven) {
    EXPECT_EQ(labels({"", 20, 20000, Scale::log}, 4), (std::vector<std::string>{"20", "100", "1000", "10000"}));
    EXPECT_EQ(labels({"", 0.02, 8, Scale::log}, 8).size(), 8u);
    EXPECT_EQ(labels({"", 440, 880, Scale::log}, 5).size(), 4u);  // less than an octave: even numbers
    for (const Tick& tick : ticks({"", 0.0156, 8, Scale::log}, 2)) EXPECT_GT(tick.at, 0);
    const Axis mel{"", 0, 8, Scale::mel, 1e-3};
    EXPECT_EQ(labels(mel, 5), (std::vector<std::string>{"0", "0.5", "1", "2", "5"}));
    EXPECT_EQ(labels({"", 0.5, -0.5}, 5), (std::vector<std::string>{"\u22120.4", "\u22120.2", "0.0", "0.2", "0.4"}));
    for (const Axis& axis : {mel, Axis{"", 0.1, 9, Scale::log}, Axis{"", 3, -4}})
        for (const double part : {0.0, 0.3, 1.0}) EXPECT_NEAR(fraction_of(axis, value_at(axis, part)), part, 1e-12);
}

/// CIE lightness of an sRGB colour.
double lightness(Colour c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const double y =
        0.2126 * linear(c.red / 255.0) + 0.7152 * linear(c.green / 255.0) + 0.0722 * linear(c.blue / 255.0);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(Colours, RiseInSimilarSteps) {
    for (const char* name : {"inferno", "viridis", "magma", "plasma", "cubehelix", "grey"}) {
        const ColourMap map = colour_map(name).value();
        EXPECT_STREQ(to_string(map), name);
        double last = lightness(sequential(0, map));
        for (int i = 1; i <= 16; ++i) {
            const double next = lightness(sequential(i / 16.0, map));
            EXPECT_GT(next - last, 2.5) << name << i;
            EXPECT_LT(next - last, 10.5) << name << i;
            last = next;
        }
    }
    EXPECT_FALSE(colour_map("jet"));
    EXPECT_EQ(sequential(-5), sequential(0));
    EXPECT_EQ(sequential(INFINITY), sequential(1));
    EXPECT_EQ(sequential(NAN), not_a_number);
    EXPECT_EQ(cyclic(0.25), cyclic(1.25));
    EXPECT_NEAR(lightness(cyclic(0.999)), lightness(cyclic(0)), 2);
}

TEST(Colours, EveryCurveHasItsOwn) {
    const std::vector<Colour> colours = curve_colours(40);
    EXPECT_EQ(colours[0], (Colour{0, 114, 178}));
    for (std::size_t i = 0; i < colours.size(); ++i) {
        EXPECT_LT(lightness(colours[i]), 92) << i;  // seen on white
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT(std::abs(colours[i].red - colours[j].red) + std::abs(colours[i].green - colours[j].green) +
                          std::abs(colours[i].blue - colours[j].blue),
                      30)
                << i << " " << j;
    }
}

io::Picture picture_of(const std::string& path) { return io::read_png(path); }

std::size_t pixels_of(const io::Picture& picture, Colour colour) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
        count += std::lround(picture.rgb[i] * 255) == colour.red &&
                 std::lround(picture.rgb[i + 1] * 255) == colour.green &&
                 std::lround(picture.rgb[i + 2] * 255) == colour.blue;
    return count;
}

TEST(Heatmap, ShowsTheStrongestOfAPixel) {
    TemporaryFolder folder;
    Heatmap map;
    map.title = "a \xFF title";
    map.x = {"time (s)", 0, 1};
    map.y = {"frequency (Hz)", 0, 1000};
    map.colour = {"level", -80, 0};
    map.panels.push_back({"", 4, 100000, std::vector<float>(400000, -80.0f)});
    const auto draw = [&](const std::string& name) {
        io::OutputFile file(folder.file(name));
        draw_heatmap(map, file);
        file.commit();
        return picture_of(folder.file(name));
    };
    const std::size_t before = pixels_of(draw("a.png"), sequential(1));
    map.panels[0].values[1 * 100000 + 54321] = 0;  // one cell of 64 on its pixel, a quarter of the height
    const std::size_t after = pixels_of(draw("b.png"), sequential(1));
    EXPECT_EQ(after - before, 380u * 2 / 4);
}

TEST(LineChart, DrawsLongAndSilentCurves) {
    TemporaryFolder folder;
    LineChart chart;
    chart.title = std::string(500, 'W');
    chart.x = {"frequency (kHz)", 0, 24};
    chart.y = {"level (dBFS)", -80, 0};
    chart.curves = {{"left", std::vector<double>(100000, -40)}, {"right", std::vector<double>(10, -INFINITY)}};
    io::OutputFile file(folder.file("a.png"));
    draw_line_chart(chart, file);
    file.commit();
    EXPECT_GT(pixels_of(picture_of(folder.file("a.png")), {0, 114, 178}), 1500u);
}

/// A curve ends where it has no values; one that falls is drawn down to the axis.
TEST(LineChart, InterruptsCurvesThatHaveNoValue) {
    TemporaryFolder folder;
    const auto pixels = [&](const std::string& name, double last) {
        LineChart chart;
        chart.x = {"log2 of the length", 1, 4};
        chart.y = {"of copy", 0, 1};
        chart.curves = {{"table", {0.9, 0.9, 0.9, last}}};
        io::OutputFile file(folder.file(name));
        draw_line_chart(chart, file);
        file.commit();
        return pixels_of(picture_of(folder.file(name)), {0, 114, 178});
    };
    EXPECT_GT(pixels("falls.png", -INFINITY), pixels("ends.png", NAN) + 300u);
}

}  // namespace
}  // namespace seiche::cli::draw
