// What the kinds of figures share: title, axes, fonts and margins.
#pragma once

#include <string>

#include "cli/draw/canvas.hpp"
#include "cli/draw/ticks.hpp"

namespace seiche::cli::draw {

inline constexpr Colour ink{34, 34, 34}, faint{110, 110, 110}, grid{225, 225, 225};
inline constexpr TextStyle title_style{14, true, 0, false, ink}, subtitle_style{10, false, 0, false, faint},
    tick_style{10, false, 0.5, false, ink}, label_style{11, false, 0.5, false, ink};

/// Space around the plots, in points.
struct Margins {
    double left = 66, right = 24, top = 58, bottom = 50;
};

/// Which of its two sides an axis labels.
struct AxisText {
    bool numbers = true, label = true;
};

/// Title and subtitle above `left`; cut with an ellipsis where they are wider than `width`.
void draw_titles(Canvas& canvas, const std::string& title, const std::string& subtitle, const Box& within);
void draw_x_axis(Canvas& canvas, const Box& plot, const Axis& axis, AxisText text);
void draw_y_axis(Canvas& canvas, const Box& plot, const Axis& axis, AxisText text);
/// The axis' label alone.
void draw_y_label(Canvas& canvas, const Box& plot, const Axis& axis);
/// Where a value lies along the plot's side.
double x_at(const Box& plot, const Axis& axis, double value);
double y_at(const Box& plot, const Axis& axis, double value);
/// How many ticks suit a side of this many points.
int ticks_along(double points, double points_each);

}  // namespace seiche::cli::draw
