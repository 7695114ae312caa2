// Coloured maps with axes and a colour bar: spectrograms and spectra of pictures.
#include "cli/draw/heatmap.hpp"

#include <algorithm>
#include <cmath>

#include "cli/draw/figure.hpp"

namespace seiche::cli::draw {
namespace {

constexpr double wide_width = 780, square_side = 420, panel_gap = 26, bar_gap = 18, bar_width = 14, bar_text = 74,
                 label_space = 14;

/// Cells that fall on pixel `i` of `pixels`: [first, last), at least one.
struct Span {
    std::size_t first = 0, last = 0;
};

Span cells_of(std::size_t i, std::size_t pixels, std::size_t cells) {
    const auto first =
        static_cast<std::size_t>(static_cast<double>(i) * static_cast<double>(cells) / static_cast<double>(pixels));
    const auto last = static_cast<std::size_t>(
        std::ceil(static_cast<double>(i + 1) * static_cast<double>(cells) / static_cast<double>(pixels)));
    if (cells <= pixels) {  // enlarged: the cell under the pixel's middle
        const auto middle = static_cast<std::size_t>((static_cast<double>(i) + 0.5) * static_cast<double>(cells) /
                                                     static_cast<double>(pixels));
        return {std::min(middle, cells - 1), std::min(middle, cells - 1) + 1};
    }
    return {std::min(first, cells - 1), std::clamp(last, first + 1, cells)};
}

float largest(const Panel& panel, Span rows, Span columns) {
    float value = -INFINITY;
    for (std::size_t r = rows.first; r < rows.last; ++r)
        for (std::size_t c = columns.first; c < columns.last; ++c) {
            const float cell = panel.values[r * panel.columns + c];
            if (std::isnan(cell)) return cell;
            value = std::max(value, cell);
        }
    return value;
}

Colour colour_of(const Heatmap& map, float value) {
    const double t = (static_cast<double>(value) - map.colour.low) / (map.colour.high - map.colour.low);
    return map.cyclic ? cyclic(t) : sequential(t);
}

Raster rasterise(const Heatmap& map, const Panel& panel, const Box& box) {
    Raster raster{Canvas::pixels(box.width), Canvas::pixels(box.height), {}};
    const auto width = static_cast<std::size_t>(raster.width), height = static_cast<std::size_t>(raster.height);
    raster.pixels.reserve(width * height);
    for (std::size_t y = 0; y < height; ++y) {
        Span rows = cells_of(height - 1 - y, height, panel.rows);
        if (map.cyclic) rows.last = rows.first + 1;
        for (std::size_t x = 0; x < width; ++x) {
            Span columns = cells_of(x, width, panel.columns);
            if (map.cyclic) columns.last = columns.first + 1;
            raster.pixels.push_back(colour_of(map, largest(panel, rows, columns)));
        }
    }
    return raster;
}

void draw_colour_bar(Canvas& canvas, const Heatmap& map, const Box& bar) {
    Panel gradient{"", 512, 1, std::vector<float>(512)};
    for (std::size_t i = 0; i < gradient.rows; ++i)
        gradient.values[i] = static_cast<float>(map.colour.low + (map.colour.high - map.colour.low) *
                                                                     (static_cast<double>(i) + 0.5) / 512.0);
    canvas.image(bar, rasterise(map, gradient, bar));
    canvas.frame(bar, ink, 1);
    TextStyle style = tick_style;
    style.align = 0;
    for (const Tick& tick : ticks(map.colour, ticks_along(bar.height, 60))) {
        const double y = y_at(bar, map.colour, tick.at);
        canvas.line({bar.right(), y}, {bar.right() + 4, y}, ink, 1);
        canvas.text(tick.text, {bar.right() + 8, y}, style);
    }
    TextStyle label = label_style;
    label.upward = true;
    canvas.text(map.colour.label, {bar.right() + 54, bar.y + bar.height / 2}, label);
}

double panel_height(const Heatmap& map) {
    if (map.square) return square_side;
    const std::size_t count = map.panels.size();
    return count == 1 ? 380 : count == 2 ? 230 : 160;
}

}  // namespace

void draw_heatmap(const Heatmap& map, io::OutputFile& file) {
    const auto count = static_cast<double>(map.panels.size());
    Margins margins;
    if (!map.panels[0].label.empty()) margins.top += label_space;
    const double width = map.square ? square_side : wide_width, height = panel_height(map);
    const double all_width = map.square ? count * width + (count - 1) * panel_gap : width;
    const double all_height = map.square ? height : count * height + (count - 1) * panel_gap;
    Canvas canvas(margins.left + all_width + bar_gap + bar_width + bar_text, margins.top + all_height + margins.bottom);
    draw_titles(canvas, map.title, map.subtitle, {margins.left, 0, all_width + bar_gap + bar_width + bar_text - 10, 0});
    for (std::size_t i = 0; i < map.panels.size(); ++i) {
        const auto place = static_cast<double>(i);
        const Box plot{margins.left + (map.square ? place * (width + panel_gap) : 0),
                       margins.top + (map.square ? 0 : place * (height + panel_gap)), width, height};
        canvas.image(plot, rasterise(map, map.panels[i], plot));
        canvas.frame(plot, ink, 1);
        const bool last = i + 1 == map.panels.size(), first = i == 0;
        draw_x_axis(canvas, plot, map.x, {map.square || last, map.square || last});
        draw_y_axis(canvas, plot, map.y, {!map.square || first, !map.square || first});
        canvas.text(map.panels[i].label, {plot.x + plot.width / 2, plot.y - 11}, label_style);
    }
    draw_colour_bar(canvas, map, {margins.left + all_width + bar_gap, margins.top, bar_width, all_height});
    canvas.write_png(file);
}

}  // namespace seiche::cli::draw
