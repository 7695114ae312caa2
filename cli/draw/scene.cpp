// A drawing as a list of shapes: written as SVG, or drawn on a canvas.
#include "cli/draw/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/text/text.hpp"

namespace seiche::cli::draw {
namespace {

constexpr double middle = 0.36;  // as Canvas::text has it: half the height of digits and capitals, of the font's size

std::string number(double value) {
    std::string text = fixed(value, 2);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string colour_text(Colour colour) {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", unsigned{colour.red}, unsigned{colour.green},
                  unsigned{colour.blue});
    return text;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : printable(text)) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

std::string box_text(const Box& box) {
    return " x=\"" + number(box.x) + "\" y=\"" + number(box.y) + "\" width=\"" + number(box.width) + "\" height=\"" +
           number(box.height) + "\"";
}

/// The two ends of an arrow's head, and its tip.
std::vector<Point> arrow_head(const Stroke& stroke) {
    const Point tip = stroke.points.back(), before = stroke.points[stroke.points.size() - 2];
    const double length = std::hypot(tip.x - before.x, tip.y - before.y);
    if (length == 0) return {};
    const double back = std::min(4 + 2 * stroke.width, length), x = (tip.x - before.x) / length * back,
                 y = (tip.y - before.y) / length * back;
    constexpr double slope = 0.45;
    return {{tip.x - x - slope * y, tip.y - y + slope * x}, tip, {tip.x - x + slope * y, tip.y - y - slope * x}};
}

std::string polyline_text(const std::vector<Point>& points, Colour colour, double width) {
    std::string text = "<polyline fill=\"none\" stroke=\"" + colour_text(colour) + "\" stroke-width=\"" +
                       number(width) + "\" stroke-linejoin=\"round\" points=\"";
    for (std::size_t i = 0; i < points.size(); ++i)
        text += (i ? " " : "") + number(points[i].x) + "," + number(points[i].y);
    return text + "\"/>\n";
}

struct SvgText {
    std::string operator()(const Stroke& stroke) const {
        std::string text = polyline_text(stroke.points, stroke.colour, stroke.width);
        if (stroke.arrow) text += polyline_text(arrow_head(stroke), stroke.colour, stroke.width);
        return text;
    }
    std::string operator()(const Area& area) const {
        return "<rect" + box_text(area.box) + " fill=\"" + colour_text(area.fill) + "\"/>\n";
    }
    std::string operator()(const Frame& frame) const {
        return "<rect" + box_text(frame.box) + " fill=\"none\" stroke=\"" + colour_text(frame.colour) +
               "\" stroke-width=\"" + number(frame.width) + "\"/>\n";
    }
    std::string operator()(const Disc& disc) const {
        return "<circle cx=\"" + number(disc.centre.x) + "\" cy=\"" + number(disc.centre.y) + "\" r=\"" +
               number(disc.radius) + "\" fill=\"" + colour_text(disc.fill) + "\"/>\n";
    }
    std::string operator()(const Label& label) const {
        const TextStyle& style = label.style;
        const char* anchor = style.align < 0.25 ? "start" : style.align < 0.75 ? "middle" : "end";
        const double down = middle * style.size;
        const Point at = style.upward ? Point{label.at.x + down, label.at.y} : Point{label.at.x, label.at.y + down};
        std::string text = "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" font-size=\"" +
                           number(style.size) + "\" text-anchor=\"" + anchor + "\" fill=\"" +
                           colour_text(style.colour) + "\"";
        if (style.bold) text += " font-weight=\"bold\"";
        if (style.upward) text += " transform=\"rotate(-90 " + number(at.x) + " " + number(at.y) + ")\"";
        return text + ">" + escaped(label.text) + "</text>\n";
    }
};

struct Drawing {
    Canvas& canvas;
    void operator()(const Stroke& stroke) const {
        canvas.polyline(stroke.points, stroke.colour, stroke.width);
        if (stroke.arrow) canvas.polyline(arrow_head(stroke), stroke.colour, stroke.width);
    }
    void operator()(const Area& area) const { canvas.fill(area.box, area.fill); }
    void operator()(const Frame& frame) const { canvas.frame(frame.box, frame.colour, frame.width); }
    void operator()(const Disc& disc) const { canvas.disc(disc.centre, disc.radius, disc.fill); }
    void operator()(const Label& label) const { canvas.text(label.text, label.at, label.style); }
};

}  // namespace

double widest_text(const std::string& text, const TextStyle& style) {
    // Advance widths of DejaVu Sans, of its size: digits 0.636, m 0.974; words of text come to 0.6 a letter.
    const double each = style.bold ? 0.7 : 0.62;
    const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;  // all but the later bytes of UTF-8
    });
    return each * style.size * static_cast<double>(letters);
}

Box extent(const Label& label) {
    const double width = widest_text(label.text, label.style), height = 2 * middle * label.style.size;
    if (label.style.upward)
        return {label.at.x - height / 2, label.at.y - (1 - label.style.align) * width, height, width};
    return {label.at.x - label.style.align * width, label.at.y - height / 2, width, height};
}

std::string to_svg(const Scene& scene) {
    const std::string size = number(scene.width) + "\" height=\"" + number(scene.height);
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size +
        "\" viewBox=\"0 0 " + number(scene.width) + " " + number(scene.height) +
        "\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<title>" + escaped(scene.title) +
        "</title>\n<rect width=\"" + size + "\" fill=\"#ffffff\"/>\n";
    for (const Shape& shape : scene.shapes) text += std::visit(SvgText{}, shape);
    return text + "</svg>\n";
}

void draw_on(Canvas& canvas, const Scene& scene) {
    for (const Shape& shape : scene.shapes) std::visit(Drawing{canvas}, shape);
}

}  // namespace seiche::cli::draw
