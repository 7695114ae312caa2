// Coloured maps with axes and a colour bar: spectrograms and spectra of pictures.
#include "cli/draw/heatmap.hpp"

#include <algorithm>
#include <cmath>

#include "cli/draw/figure.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/words.hpp"

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
    return map.cyclic ? cyclic(t) : sequential(t, map.map);
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

/// Where the parts of the picture lie, in points.
struct Arrangement {
    Margins margins;
    double width = wide_width, height = 0;          ///< Of a plot.
    double all_width = wide_width, all_height = 0;  ///< Of all of them.
    double picture_width() const { return margins.left + all_width + bar_gap + bar_width + bar_text; }
    double picture_height() const { return margins.top + all_height + margins.bottom; }
};

double usual_height(std::size_t panels) { return panels == 1 ? 380 : panels == 2 ? 230 : 160; }

/// One above the other.
Arrangement stacked(std::size_t panels, bool have_labels, const std::optional<PictureSize>& size) {
    constexpr double least_width = 120, least_height = 40;
    const auto count = static_cast<double>(panels);
    const double gaps = (count - 1) * panel_gap;
    Arrangement all;
    if (have_labels) all.margins.top += label_space;
    all.height = usual_height(panels);
    if (size) {
        all.width += static_cast<double>(size->width) / Canvas::pixels_per_point - all.picture_width();
        const double beside = all.margins.top + all.margins.bottom + gaps;
        all.height = (static_cast<double>(size->height) / Canvas::pixels_per_point - beside) / count;
        const auto pixels = [](double points) { return std::to_string(Canvas::pixels(points)); };
        if (all.width < least_width || all.height < least_height)
            throw Failure("expected a picture of at least " +
                          pixels(all.picture_width() - all.all_width + least_width) + " x " +
                          pixels(beside + count * least_height) + " pixels for " + counted(panels, "channel") +
                          ", got " + std::to_string(size->width) + " x " + std::to_string(size->height));
    }
    all.all_width = all.width;
    all.all_height = count * all.height + gaps;
    return all;
}

/// Squares beside each other.
Arrangement beside(std::size_t panels, bool have_labels) {
    const auto count = static_cast<double>(panels);
    Arrangement all;
    if (have_labels) all.margins.top += label_space;
    all.width = all.height = all.all_height = square_side;
    all.all_width = count * square_side + (count - 1) * panel_gap;
    return all;
}

}  // namespace

PictureSize plot_pixels(std::size_t panels, bool have_labels, const std::optional<PictureSize>& size) {
    const Arrangement all = stacked(panels, have_labels, size);
    return {static_cast<std::size_t>(Canvas::pixels(all.width)), static_cast<std::size_t>(Canvas::pixels(all.height))};
}

void draw_heatmap(const Heatmap& map, io::OutputFile& file) {
    const bool have_labels = !map.panels[0].label.empty();
    const Arrangement all =
        map.square ? beside(map.panels.size(), have_labels) : stacked(map.panels.size(), have_labels, map.size);
    const Margins& margins = all.margins;
    Canvas canvas(all.picture_width(), all.picture_height());
    draw_titles(canvas, map.title, map.subtitle, {margins.left, 0, all.picture_width() - margins.left - 10, 0});
    for (std::size_t i = 0; i < map.panels.size(); ++i) {
        const auto place = static_cast<double>(i);
        const Box plot{margins.left + (map.square ? place * (all.width + panel_gap) : 0),
                       margins.top + (map.square ? 0 : place * (all.height + panel_gap)), all.width, all.height};
        canvas.image(plot, rasterise(map, map.panels[i], plot));
        canvas.frame(plot, ink, 1);
        const bool last = i + 1 == map.panels.size(), first = i == 0;
        draw_x_axis(canvas, plot, map.x, {map.square || last, map.square || last});
        draw_y_axis(canvas, plot, map.y, {!map.square || first, first && (map.square || last)});
        canvas.text(map.panels[i].label, {plot.x + plot.width / 2, plot.y - 11}, label_style);
    }
    if (!map.square && map.panels.size() > 1)  // once for all of them: each would be too short for it
        draw_y_label(canvas, {margins.left, margins.top, all.all_width, all.all_height}, map.y);
    draw_colour_bar(canvas, map, {margins.left + all.all_width + bar_gap, margins.top, bar_width, all.all_height});
    canvas.write_png(file);
}

}  // namespace seiche::cli::draw
