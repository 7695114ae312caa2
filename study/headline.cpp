// The study in one picture.
#include "study/headline.hpp"

#include <algorithm>
#include <cmath>

#include "cli/measure/spread.hpp"
#include "cli/text/text.hpp"
#include "study/document.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

using cli::fixed;

constexpr double width = 800, left = 214, right = 104, top = 88, step = 22, heading_step = 30, bottom = 54;
constexpr const char *ink = "#1b1f24", *faint = "#57606a", *rule = "#d0d7de", *blue = "#0b5cad";

/// Whole decades around all ratios and 1, where both are equally fast.
struct Scale {
    int least = 0, most = 1;
    double place(double ratio) const {
        return left + (width - left - right) * (std::log10(ratio) - least) / (most - least);
    }
};

Scale scale_of(const std::vector<Pace>& paces) {
    Scale scale;
    for (const Pace& pace : paces) {
        scale.least = std::min(scale.least, static_cast<int>(std::floor(std::log10(pace.least))));
        scale.most = std::max(scale.most, static_cast<int>(std::ceil(std::log10(pace.most))));
    }
    return scale;
}

std::string text_at(double x, double y, const std::string& rest, const std::string& words) {
    return "<text x=\"" + fixed(x, 1) + "\" y=\"" + fixed(y, 1) + "\" " + rest + ">" + escaped(words) + "</text>\n";
}

std::string line_of(double x1, double y1, double x2, double y2, const std::string& rest) {
    return "<line x1=\"" + fixed(x1, 1) + "\" y1=\"" + fixed(y1, 1) + "\" x2=\"" + fixed(x2, 1) + "\" y2=\"" +
           fixed(y2, 1) + "\" " + rest + "/>\n";
}

std::string stroke(const char* colour, double thickness) {
    return std::string("stroke=\"") + colour + "\" stroke-width=\"" + fixed(thickness, 1) + "\"";
}

std::string fill(const char* colour) { return std::string("fill=\"") + colour + "\""; }

std::string opening(double height, const std::string& subtitle) {
    const char* title = "How many times as fast Seiche's own plan is as each published algorithm";
    const std::string size = fixed(width, 0) + " " + fixed(height, 0);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " + size + "\" width=\"" +
           fixed(width, 0) + "\" height=\"" + fixed(height, 0) +
           "\" font-family=\"system-ui, -apple-system, 'Segoe UI', sans-serif\" font-size=\"13\">\n<title>" +
           escaped(title) + "</title>\n<rect x=\"0.5\" y=\"0.5\" width=\"" + fixed(width - 1, 0) + "\" height=\"" +
           fixed(height - 1, 0) + "\" rx=\"8\" fill=\"#ffffff\" " + stroke(rule, 1) + "/>\n" +
           text_at(20, 32, "font-size=\"17\" font-weight=\"600\" " + fill(ink), title) +
           text_at(20, 54, fill(faint), subtitle);
}

std::string decades(const Scale& scale, double height) {
    std::string svg;
    for (int decade = scale.least; decade <= scale.most; ++decade) {
        const double ratio = std::pow(10, decade), x = scale.place(ratio);
        svg += line_of(x, top - 10, x, height - bottom + 4, stroke(decade == 0 ? faint : rule, 1)) +
               text_at(x, height - bottom + 22, "text-anchor=\"middle\" " + fill(faint),
                       fixed(ratio, std::max(0, -decade)) + "\u00d7");
    }
    return svg;
}

std::string row_of(const Pace& pace, const Scale& scale, double y) {
    const double from = scale.place(pace.least), to = scale.place(pace.most), middle = scale.place(pace.median);
    return text_at(left - 14, y + 4.5, "text-anchor=\"end\" " + fill(ink), pace.recipe) +
           line_of(from, y, to, y, stroke(blue, 4) + " stroke-opacity=\"0.35\" stroke-linecap=\"round\"") +
           "<circle cx=\"" + fixed(middle, 1) + "\" cy=\"" + fixed(y, 1) + "\" r=\"5\" " + fill(blue) + "/>\n" +
           text_at(width - 20, y + 4.5, "text-anchor=\"end\" font-weight=\"600\" " + fill(blue),
                   short_text(pace.median) + "\u00d7");
}

}  // namespace

std::vector<Pace> paces_of(const std::vector<Laboratory::Race>& races) {
    std::vector<Pace> paces;
    std::vector<std::vector<double>> ratios;
    for (const Laboratory::Race& race : races) {
        const auto found = std::find_if(paces.begin(), paces.end(), [&](const Pace& pace) {
            return pace.text == race.text && pace.recipe == race.recipe;
        });
        const auto index = static_cast<std::size_t>(found - paces.begin());
        if (found == paces.end()) {
            paces.push_back({race.text, race.recipe});
            ratios.emplace_back();
        }
        ratios[index].push_back(race.ratio);
    }
    for (std::size_t i = 0; i < paces.size(); ++i) {
        const auto [least, most] = std::minmax_element(ratios[i].begin(), ratios[i].end());
        paces[i].problems = ratios[i].size();
        paces[i].least = *least;
        paces[i].most = *most;
        paces[i].median = cli::spread_of(ratios[i]).median;
    }
    return paces;
}

std::string headline_svg(const std::vector<Pace>& paces, const std::string& subtitle) {
    if (paces.empty()) return "";
    const Scale scale = scale_of(paces);
    std::size_t texts = 0, problems = 0;
    for (std::size_t i = 0; i < paces.size(); ++i) {
        texts += i == 0 || paces[i].text != paces[i - 1].text;
        problems = std::max(problems, paces[i].problems);
    }
    const double height =
        top + heading_step * static_cast<double>(texts) + step * static_cast<double>(paces.size()) + bottom;
    std::string svg = opening(height, subtitle) + decades(scale, height);
    double y = top - 10;
    for (std::size_t i = 0; i < paces.size(); ++i) {
        if (i == 0 || paces[i].text != paces[i - 1].text) {
            y += heading_step;
            svg += text_at(20, y - 3, "font-weight=\"600\" " + fill(faint), paces[i].text);
        }
        svg += row_of(paces[i], scale, y + step / 2);
        y += step;
    }
    svg += text_at(20, height - 14, "font-size=\"12\" " + fill(faint),
                   "dot and number: the median of up to " + std::to_string(problems) +
                       " problems; line: from the least to the most; right of 1\u00d7 Seiche is faster");
    return svg + "</svg>\n";
}

}  // namespace seiche::study
