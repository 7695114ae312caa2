// Curves over one axis, with a grid and a legend.
#include "cli/draw/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/draw/figure.hpp"

namespace seiche::cli::draw {
namespace {

constexpr double plot_width = 800, plot_height = 380, legend_row = 18;
constexpr std::size_t most_in_legend = 12;

/// Masataka Okabe and Kei Ito, "Color universal design" (2008): told apart by colour-blind readers too.
constexpr std::array<Colour, 7> hues{
    {{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {0, 0, 0}}};

using Piece = std::vector<Point>;

/// Points of a curve's pieces; where many fall on a pixel column, its lowest and highest.
std::vector<Piece> outline(const Curve& curve, const LineChart& chart, const Box& plot) {
    const std::size_t n = curve.values.size(), columns = static_cast<std::size_t>(Canvas::pixels(plot.width));
    const auto y_of = [&](double value) {
        const double floor = chart.y.low - (chart.y.high - chart.y.low);  // below the plot, where it is clipped
        return y_at(plot, chart.y, value > floor ? value : floor);
    };
    const auto x_of = [&](std::size_t i) {
        return plot.x + plot.width * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(n - 1, 1));
    };
    std::vector<Piece> pieces(1);
    if (n <= 2 * columns) {
        for (std::size_t i = 0; i < n; ++i) {
            if (!std::isnan(curve.values[i]))
                pieces.back().push_back({x_of(i), y_of(curve.values[i])});
            else if (!pieces.back().empty())
                pieces.emplace_back();
        }
        return pieces;
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t first = c * n / columns, last = std::max(first + 1, (c + 1) * n / columns);
        const auto [low, high] = std::minmax_element(curve.values.begin() + static_cast<std::ptrdiff_t>(first),
                                                     curve.values.begin() + static_cast<std::ptrdiff_t>(last));
        pieces.back().push_back({x_of(first), y_of(*low)});
        pieces.back().push_back({x_of(first), y_of(*high)});
    }
    return pieces;
}

void draw_legend(Canvas& canvas, const LineChart& chart, const Box& plot) {
    if (chart.curves.size() < 2) return;
    const std::size_t rows = std::min(chart.curves.size(), most_in_legend);
    TextStyle style = tick_style;
    style.align = 1;
    for (std::size_t i = 0; i < rows; ++i) {
        const double y = plot.y + 14 + legend_row * static_cast<double>(i);
        canvas.text(chart.curves[i].label, {plot.right() - 36, y}, style);
        canvas.line({plot.right() - 30, y}, {plot.right() - 10, y}, hues[i % hues.size()], 2.5);
    }
}

}  // namespace

void draw_line_chart(const LineChart& chart, io::OutputFile& file) {
    const Margins margins;
    Canvas canvas(margins.left + plot_width + margins.right, margins.top + plot_height + margins.bottom);
    const Box plot{margins.left, margins.top, plot_width, plot_height};
    draw_titles(canvas, chart.title, chart.subtitle, {margins.left, 0, plot_width, 0});
    for (const Tick& tick : ticks(chart.x, ticks_along(plot.width, 80)))
        canvas.line({x_at(plot, chart.x, tick.at), plot.y}, {x_at(plot, chart.x, tick.at), plot.bottom()}, grid, 0.8);
    for (const Tick& tick : ticks(chart.y, ticks_along(plot.height, 36)))
        canvas.line({plot.x, y_at(plot, chart.y, tick.at)}, {plot.right(), y_at(plot, chart.y, tick.at)}, grid, 0.8);
    canvas.clip(plot);
    for (std::size_t i = chart.curves.size(); i-- > 0;)  // the first on top
        for (const Piece& piece : outline(chart.curves[i], chart, plot))
            canvas.polyline(piece, hues[i % hues.size()], 1.2);
    canvas.unclip();
    canvas.frame(plot, ink, 1);
    draw_x_axis(canvas, plot, chart.x, {});
    draw_y_axis(canvas, plot, chart.y, {});
    draw_legend(canvas, chart, plot);
    canvas.write_png(file);
}

}  // namespace seiche::cli::draw
