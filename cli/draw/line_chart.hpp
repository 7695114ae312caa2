// Curves over one axis, with a grid and a legend.
#pragma once

#include <string>
#include <vector>

#include "cli/draw/ticks.hpp"
#include "cli/io/output_file.hpp"

namespace seiche::cli::draw {

struct Curve {
    std::string label;
    std::vector<double> values;  ///< At equal distances from x.low to x.high, both included. -infinity is drawn below.
};

struct LineChart {
    std::string title, subtitle;
    Axis x, y;
    std::vector<Curve> curves;
};

void draw_line_chart(const LineChart& chart, io::OutputFile& file);

}  // namespace seiche::cli::draw
