// A picture that is drawn with cairo, in points from the upper left corner, and written as PNG.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/draw/colours.hpp"
#include "cli/io/output_file.hpp"

// As <cairo.h> declares them, so that only canvas.cpp needs it.
typedef struct _cairo cairo_t;                  // NOLINT(bugprone-reserved-identifier)
typedef struct _cairo_surface cairo_surface_t;  // NOLINT(bugprone-reserved-identifier)

namespace seiche::cli::draw {

struct Point {
    double x = 0, y = 0;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
};

struct TextStyle {
    double size = 10;
    bool bold = false;
    double align = 0;     ///< 0: the point is the text's left end, 0.5 its middle, 1 its right end.
    bool upward = false;  ///< Read from bottom to top.
    Colour colour{34, 34, 34};
};

/// Pixels of an image, row by row from the top.
struct Raster {
    int width = 0, height = 0;
    std::vector<Colour> pixels;
};

class Canvas {
public:
    static constexpr double pixels_per_point = 2.0;

    /// A white canvas; throws Failure where it is larger than cairo allows.
    Canvas(double width, double height);

    /// `at` is on the middle line of lower-case letters' height, so that text centres on ticks.
    void text(const std::string& text, Point at, const TextStyle& style);
    double text_width(const std::string& text, const TextStyle& style);
    void line(Point from, Point to, Colour colour, double width);
    void polyline(const std::vector<Point>& points, Colour colour, double width);
    void frame(const Box& box, Colour colour, double width);
    void fill(const Box& box, Colour colour);
    void disc(Point centre, double radius, Colour colour);
    /// Fills the box with an image of exactly `pixels(box.width)` x `pixels(box.height)`.
    void image(const Box& box, const Raster& raster);
    void clip(const Box& box);
    void unclip();
    static int pixels(double points);

    void write_png(io::OutputFile& file);

private:
    struct Deleter {
        void operator()(cairo_t* cairo) const noexcept;
        void operator()(cairo_surface_t* surface) const noexcept;
    };
    void set(Colour colour);
    void set_font(const TextStyle& style);

    std::unique_ptr<cairo_surface_t, Deleter> surface_;
    std::unique_ptr<cairo_t, Deleter> cairo_;
};

}  // namespace seiche::cli::draw
