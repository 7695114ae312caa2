// Curves over one axis, with a grid and a legend.
#include "cli/draw/line_chart.hpp"

#include <algorithm>
#include <cmath>

#include "cli/draw/figure.hpp"

namespace seiche::cli::draw {
namespace {

constexpr double plot_width = 800, plot_height = 380, legend_row = 18;
constexpr std::size_t rows_of_legend = 12, most_in_legend = 36;

using Piece = std::vector<Point>;

/// Points of a curve's pieces; where many fall on a pixel column, its lowest and highest.
std::vector<Piece> outline(const Curve& curve, const LineChart& chart, const Box& plot) {
    const std::size_t n = curve.values.size(), columns = static_cast<std::size_t>(Canvas::pixels(plot.width));
    const auto y_of = [&](double value) {
        const double floor = chart.y.low - (chart.y.high - chart.y.low);  // below the plot, where it is clipped
        return y_at(plot, chart.y, value > floor ? value : floor);
    };
    const auto x_of = [&](std::size_t i) {
        if (n == 1) return x_at(plot, chart.x, chart.only);
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

/// Columns of a dozen, from the right; what is beyond three is counted.
void draw_legend(Canvas& canvas, const LineChart& chart, const std::vector<Colour>& colours, const Box& plot) {
    if (chart.curves.size() < 2) return;
    const std::size_t shown = std::min(chart.curves.size(), most_in_legend);
    TextStyle style = tick_style;
    style.align = 1;
    double widest = 0;
    for (std::size_t i = 0; i < shown; ++i) widest = std::max(widest, canvas.text_width(chart.curves[i].label, style));
    const std::size_t columns = (shown + rows_of_legend - 1) / rows_of_legend;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto before = static_cast<double>(columns - 1 - i / rows_of_legend);
        const double right = plot.right() - before * (widest + 50);
        const double y = plot.y + 14 + legend_row * static_cast<double>(i % rows_of_legend);
        canvas.text(chart.curves[i].label, {right - 36, y}, style);
        canvas.line({right - 30, y}, {right - 10, y}, colours[i], 2.5);
    }
    if (shown < chart.curves.size())
        canvas.text("and " + std::to_string(chart.curves.size() - shown) + " more",
                    {plot.right() - 36, plot.y + 14 + legend_row * rows_of_legend}, style);
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
    const std::vector<Colour> colours = curve_colours(chart.curves.size());
    for (std::size_t i = chart.curves.size(); i-- > 0;)  // the first on top
        for (const Piece& piece : outline(chart.curves[i], chart, plot)) {
            if (piece.size() > 1) canvas.polyline(piece, colours[i], 1.2);
        }
    canvas.unclip();
    canvas.frame(plot, ink, 1);
    for (std::size_t i = chart.curves.size(); i-- > 0;)
        for (const Piece& piece : outline(chart.curves[i], chart, plot))
            if (piece.size() == 1 && piece.front().y <= plot.bottom()) canvas.disc(piece.front(), 4, colours[i]);
    draw_x_axis(canvas, plot, chart.x, {});
    draw_y_axis(canvas, plot, chart.y, {});
    draw_legend(canvas, chart, colours, plot);
    canvas.write_png(file);
}

}  // namespace seiche::cli::draw
