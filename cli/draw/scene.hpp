// A drawing as a list of shapes, in points from the upper left corner: written as SVG, or drawn on a canvas.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/draw/canvas.hpp"

namespace seiche::cli::draw {

struct Stroke {
    std::vector<Point> points;
    Colour colour;
    double width = 1;
    bool arrow = false;  ///< A head at the last point.
};

struct Area {
    Box box;
    Colour fill;
};

struct Frame {
    Box box;
    Colour colour;
    double width = 1;
};

struct Disc {
    Point centre;
    double radius = 1;
    Colour fill;
};

/// See Canvas::text.
struct Label {
    std::string text;
    Point at;
    TextStyle style;
};

using Shape = std::variant<Stroke, Area, Frame, Disc, Label>;

/// On white. What is added later lies above.
struct Scene {
    double width = 0, height = 0;
    std::string title;  ///< Of the document.
    std::vector<Shape> shapes;

    template <class Any>
    void add(const Any& shape) {
        shapes.emplace_back(std::in_place_type<Any>, shape);
    }
    void text(const std::string& text, Point at, const TextStyle& style) { add(Label{text, at, style}); }
};

/// Of a text in the font that pictures have, from above: no letter of DejaVu Sans that they use is wider.
double widest_text(const std::string& text, const TextStyle& style);
/// What a label covers, by its widest text.
Box extent(const Label& label);

/// A whole document of SVG 1.1 without any reference to another file.
std::string to_svg(const Scene& scene);
/// Throws Failure where the tool was built without pictures.
void draw_on(Canvas& canvas, const Scene& scene);

}  // namespace seiche::cli::draw
