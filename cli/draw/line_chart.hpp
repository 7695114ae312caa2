// Curves over one axis, with a grid and a legend.
#pragma once

#include <string>
#include <vector>

#include "cli/draw/ticks.hpp"
#include "cli/io/output_file.hpp"

namespace seiche::cli::draw {

struct Curve {
    std::string label;
    /// At equal distances from x.low to x.high, both included. -infinity is drawn below; where there is none (NaN, of
    /// at most two for a pixel) the curve is interrupted.
    std::vector<double> values;
};

struct LineChart {
    std::string title, subtitle;
    Axis x, y;
    std::vector<Curve> curves;
    /// Where the only value of a curve lies that has but one.
    double only = 0;
};

void draw_line_chart(const LineChart& chart, io::OutputFile& file);

}  // namespace seiche::cli::draw
