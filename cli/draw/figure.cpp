// What the kinds of figures share: title, axes, fonts and margins.
#include "cli/draw/figure.hpp"

#include <algorithm>

#include "cli/text/text.hpp"

namespace seiche::cli::draw {
namespace {

constexpr double tick_length = 4;

/// Cut at the end until it fits.
std::string fitted(Canvas& canvas, const std::string& text, const TextStyle& style, double width) {
    std::string kept = printable(text);
    if (canvas.text_width(kept, style) <= width) return kept;
    while (!kept.empty() && canvas.text_width(kept + "\u2026", style) > width) {
        while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xC0) == 0x80) kept.pop_back();
        if (!kept.empty()) kept.pop_back();
    }
    return kept + "\u2026";
}

}  // namespace

void draw_titles(Canvas& canvas, const std::string& title, const std::string& subtitle, const Box& within) {
    canvas.text(fitted(canvas, title, title_style, within.width), {within.x, within.y + 20}, title_style);
    canvas.text(fitted(canvas, subtitle, subtitle_style, within.width), {within.x, within.y + 40}, subtitle_style);
}

double x_at(const Box& plot, const Axis& axis, double value) { return plot.x + plot.width * fraction_of(axis, value); }

double y_at(const Box& plot, const Axis& axis, double value) {
    return plot.bottom() - plot.height * fraction_of(axis, value);
}

int ticks_along(double points, double points_each) { return std::max(2, static_cast<int>(points / points_each)); }

void draw_x_axis(Canvas& canvas, const Box& plot, const Axis& axis, AxisText text) {
    for (const Tick& tick : ticks(axis, ticks_along(plot.width, 80))) {
        const double x = x_at(plot, axis, tick.at);
        canvas.line({x, plot.bottom()}, {x, plot.bottom() + tick_length}, ink, 1);
        if (text.numbers) canvas.text(tick.text, {x, plot.bottom() + tick_length + 10}, tick_style);
    }
    if (text.label) canvas.text(axis.label, {plot.x + plot.width / 2, plot.bottom() + 34}, label_style);
}

void draw_y_axis(Canvas& canvas, const Box& plot, const Axis& axis, AxisText text) {
    TextStyle style = tick_style;
    style.align = 1;
    for (const Tick& tick : ticks(axis, ticks_along(plot.height, 36))) {
        const double y = y_at(plot, axis, tick.at);
        canvas.line({plot.x - tick_length, y}, {plot.x, y}, ink, 1);
        if (text.numbers) canvas.text(tick.text, {plot.x - tick_length - 4, y}, style);
    }
    if (text.label) draw_y_label(canvas, plot, axis);
}

void draw_y_label(Canvas& canvas, const Box& plot, const Axis& axis) {
    TextStyle style = label_style;
    style.upward = true;
    canvas.text(axis.label, {plot.x - 50, plot.y + plot.height / 2}, style);
}

}  // namespace seiche::cli::draw
