// Charts as SVG.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "cli/text/text.hpp"
#include "study/document.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

using cli::fixed;
using cli::significant;

constexpr double width = 760, left = 70, right = 176, top = 40, plot_height = 270, bottom = 52;
constexpr double bar_left = 220, bar_step = 26;
// Okabe & Ito's colours, which people with any kind of colour vision tell apart.
constexpr std::array colours{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a7a00", "#777777"};
constexpr const char* automatic_colour = "#111111";

struct Style {
    std::string colour, dash;
    double thickness = 1.6;
};

std::vector<Style> styles_of(const Chart& chart) {
    std::vector<Style> styles;
    std::size_t next = 0;
    for (const Series& series : chart.series) {
        if (series.look == Look::automatic) {
            styles.push_back({automatic_colour, "", 2.8});
        } else {
            const char* dash = series.look == Look::printed ? " stroke-dasharray=\"5 4\"" : "";
            styles.push_back({colours[next++ % colours.size()], dash, 1.6});
        }
    }
    return styles;
}

struct Range {
    double least = 0, most = 0;
    /// Where x lies between the ends, by logarithm.
    double place(double x) const { return (std::log(x) - std::log(least)) / (std::log(most) - std::log(least)); }
};

Range range_of(const Chart& chart, bool of_y) {
    Range range;
    for (const Series& series : chart.series)
        for (const auto& [x, y] : series.points) {
            const double value = of_y ? y : x;
            range.least = range.least == 0 ? value : std::min(range.least, value);
            range.most = std::max(range.most, value);
        }
    if (of_y) {  // whole decades
        range.least = std::pow(10, std::floor(std::log10(range.least)));
        range.most = std::max(std::pow(10, std::ceil(std::log10(range.most) - 1e-9)), 10 * range.least);
    }
    return range;
}

std::string text_at(double x, double y, const std::string& rest, const std::string& words) {
    return "<text x=\"" + fixed(x, 1) + "\" y=\"" + fixed(y, 1) + "\" " + rest + ">" + escaped(words) + "</text>\n";
}

std::string line_of(double x1, double y1, double x2, double y2) {
    return "<line x1=\"" + fixed(x1, 1) + "\" y1=\"" + fixed(y1, 1) + "\" x2=\"" + fixed(x2, 1) + "\" y2=\"" +
           fixed(y2, 1) + "\" stroke=\"#e3e3e3\"/>\n";
}

std::string opening(const Chart& chart, double height) {
    const std::string size = fixed(width, 0) + " " + fixed(height, 0);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " + size +
           "\" font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#333\">\n<title>" + escaped(chart.title) +
           "</title>\n" + text_at(0, 16, "font-size=\"14\" font-weight=\"600\" fill=\"#111\"", chart.title);
}

/// Lengths as powers of two, where they are.
std::string x_label(double x) {
    const double power = std::log2(x);
    if (power >= 13 && power == std::floor(power)) return "2^" + fixed(power, 0);
    return significant(x, 5);
}

std::string grid_of(const Range& x, const Range& y, const std::set<double>& ticks) {
    std::string svg;
    const double plot_width = width - left - right;
    for (double decade = y.least; decade <= y.most * 1.001; decade *= 10) {
        const double at = top + plot_height * (1 - y.place(decade));
        svg += line_of(left, at, width - right, at) +
               text_at(left - 8, at + 4, "text-anchor=\"end\"",
                       decade < 1 || decade > 1e6 ? significant(decade, 1) : fixed(decade, 0));
    }
    double last = -100;
    for (const double tick : ticks) {
        const double at = left + plot_width * x.place(tick);
        if (at - last < 44) continue;
        last = at;
        svg += line_of(at, top, at, top + plot_height) +
               text_at(at, top + plot_height + 18, "text-anchor=\"middle\"", x_label(tick));
    }
    return svg;
}

std::string curve_of(const Series& series, const Style& style, const Range& x, const Range& y) {
    std::string path, dots;
    const bool dense = series.points.size() > 100;
    for (const auto& [at, value] : series.points) {
        const std::string px = fixed(left + (width - left - right) * x.place(at), 1),
                          py = fixed(top + plot_height * (1 - y.place(value)), 1);
        path += (path.empty() ? "M" : " L") + px + " " + py;
        dots += "<circle cx=\"" + px + "\" cy=\"" + py + "\" r=\"" + (dense ? "1.2" : "3") + "\" fill=\"" +
                style.colour + "\"><title>" + escaped(series.name + ", " + x_label(at) + ": " + significant(value, 4)) +
                "</title></circle>\n";
    }
    if (dense) return dots;  // a line between neighbours that jump would hide them all
    return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + style.colour + "\" stroke-width=\"" +
           fixed(style.thickness, 1) + "\"" + style.dash + "/>\n" + dots;
}

/// Names beside the ends of the curves, apart from each other.
std::string names_of(const Chart& chart, const std::vector<Style>& styles, const Range& y) {
    constexpr double apart = 16;
    std::vector<std::pair<double, std::size_t>> wanted;
    for (std::size_t i = 0; i < chart.series.size(); ++i)
        if (!chart.series[i].points.empty())
            wanted.emplace_back(top + plot_height * (1 - y.place(chart.series[i].points.back().second)), i);
    std::sort(wanted.begin(), wanted.end());
    for (std::size_t i = 1; i < wanted.size(); ++i)
        wanted[i].first = std::max(wanted[i].first, wanted[i - 1].first + apart);
    double least = top + plot_height;  // then back up, where the lowest left the picture
    for (std::size_t i = wanted.size(); i-- > 0; least = wanted[i].first - apart)
        wanted[i].first = std::min(wanted[i].first, least);
    std::string svg;
    for (const auto& [at, i] : wanted) {
        const bool strong = chart.series[i].look == Look::automatic;
        svg +=
            text_at(width - right + 10, at + 4,
                    "fill=\"" + styles[i].colour + "\"" + (strong ? " font-weight=\"700\"" : ""), chart.series[i].name);
    }
    return svg;
}

std::string curves(const Chart& chart, const std::set<double>& ticks) {
    const std::vector<Style> styles = styles_of(chart);
    const Range x = range_of(chart, false), y = range_of(chart, true);
    std::string svg = opening(chart, top + plot_height + bottom) + grid_of(x, y, ticks);
    for (std::size_t i = 0; i < chart.series.size(); ++i) svg += curve_of(chart.series[i], styles[i], x, y);
    svg += names_of(chart, styles, y);
    const double middle = top + plot_height / 2;
    svg += text_at((left + width - right) / 2, top + plot_height + 42, "text-anchor=\"middle\" fill=\"#666\"",
                   chart.x_title);
    svg += text_at(16, middle,
                   "text-anchor=\"middle\" fill=\"#666\" transform=\"rotate(-90 16 " + fixed(middle, 0) + ")\"",
                   chart.y_title);
    return svg + "</svg>";
}

/// Bars begin at 0, so that their lengths compare.
std::string bars(const Chart& chart, double x) {
    const std::vector<Style> styles = styles_of(chart);
    double most = 0;
    std::size_t count = 0;
    for (const Series& series : chart.series)
        if (!series.points.empty()) most = std::max(most, series.points.front().second), ++count;
    const double height = top + bar_step * static_cast<double>(count) + 30;
    std::string svg = opening(chart, height);
    double y = top;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const Series& series = chart.series[i];
        if (series.points.empty()) continue;
        const double value = series.points.front().second, length = (width - bar_left - 90) * value / most;
        svg += text_at(bar_left - 10, y + 14, "text-anchor=\"end\"", series.name);
        svg += "<rect x=\"" + fixed(bar_left, 1) + "\" y=\"" + fixed(y, 1) + "\" width=\"" +
               fixed(std::max(length, 1.0), 1) + "\" height=\"18\" rx=\"2\" fill=\"" + styles[i].colour + "\"/>\n";
        svg += text_at(bar_left + length + 8, y + 14, "", short_text(value));
        y += bar_step;
    }
    svg += text_at(bar_left, y + 14, "fill=\"#666\"", chart.y_title + ", " + chart.x_title + " " + x_label(x));
    return svg + "</svg>";
}

}  // namespace

std::string svg_of(const Chart& chart) {
    std::set<double> ticks;
    for (const Series& series : chart.series)
        for (const auto& [x, y] : series.points) ticks.insert(x);
    if (ticks.empty()) return "";
    return ticks.size() == 1 ? bars(chart, *ticks.begin()) : curves(chart, ticks);
}

}  // namespace seiche::study
