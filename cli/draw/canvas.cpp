// A picture that is drawn with cairo, in points from the upper left corner, and written as PNG.
#include "cli/draw/canvas.hpp"

#include <cairo.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <new>
#include <numbers>

#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::draw {

void Canvas::Deleter::operator()(cairo_t* cairo) const noexcept { cairo_destroy(cairo); }
void Canvas::Deleter::operator()(cairo_surface_t* surface) const noexcept { cairo_surface_destroy(surface); }

int Canvas::pixels(double points) { return static_cast<int>(std::lround(points * pixels_per_point)); }

Canvas::Canvas(double width, double height) {
    constexpr double most_pixels = 32767;  // cairo's own limit for a side
    if (width * pixels_per_point > most_pixels || height * pixels_per_point > most_pixels)
        throw Failure("expected a picture of at most 32767 pixels a side, got " + fixed(width * pixels_per_point, 0) +
                      " x " + fixed(height * pixels_per_point, 0));
    surface_.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(width), pixels(height)));
    cairo_.reset(cairo_create(surface_.get()));
    if (cairo_status(cairo_.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
    set({255, 255, 255});
    cairo_paint(cairo_.get());
    cairo_scale(cairo_.get(), pixels_per_point, pixels_per_point);
}

void Canvas::set(Colour c) { cairo_set_source_rgb(cairo_.get(), c.red / 255.0, c.green / 255.0, c.blue / 255.0); }

void Canvas::set_font(const TextStyle& style) {
    cairo_select_font_face(cairo_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_.get(), style.size);
}

double Canvas::text_width(const std::string& text, const TextStyle& style) {
    set_font(style);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_.get(), printable(text).c_str(), &extents);
    return extents.x_advance;
}

void Canvas::text(const std::string& text, Point at, const TextStyle& style) {
    constexpr double middle = 0.36;  // half the height of digits and capitals, of the font's size
    const double width = text_width(text, style);
    cairo_save(cairo_.get());
    set(style.colour);
    cairo_translate(cairo_.get(), at.x, at.y);
    if (style.upward) cairo_rotate(cairo_.get(), -std::numbers::pi / 2);
    cairo_move_to(cairo_.get(), -style.align * width, middle * style.size);
    cairo_show_text(cairo_.get(), printable(text).c_str());
    cairo_restore(cairo_.get());
}

void Canvas::line(Point from, Point to, Colour colour, double width) { polyline({from, to}, colour, width); }

void Canvas::polyline(const std::vector<Point>& points, Colour colour, double width) {
    if (points.empty()) return;
    set(colour);
    cairo_set_line_width(cairo_.get(), width);
    cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
    cairo_move_to(cairo_.get(), points[0].x, points[0].y);
    for (const Point& p : points) cairo_line_to(cairo_.get(), p.x, p.y);
    cairo_stroke(cairo_.get());
}

void Canvas::frame(const Box& box, Colour colour, double width) {
    set(colour);
    cairo_set_line_width(cairo_.get(), width);
    cairo_rectangle(cairo_.get(), box.x, box.y, box.width, box.height);
    cairo_stroke(cairo_.get());
}

void Canvas::fill(const Box& box, Colour colour) {
    set(colour);
    cairo_rectangle(cairo_.get(), box.x, box.y, box.width, box.height);
    cairo_fill(cairo_.get());
}

void Canvas::disc(Point centre, double radius, Colour colour) {
    set(colour);
    cairo_new_path(cairo_.get());
    cairo_arc(cairo_.get(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_fill(cairo_.get());
}

void Canvas::image(const Box& box, const Raster& raster) {
    std::unique_ptr<cairo_surface_t, Deleter> source(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster.width, raster.height));
    if (cairo_surface_status(source.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
    cairo_surface_flush(source.get());
    unsigned char* rows = cairo_image_surface_get_data(source.get());
    const int stride = cairo_image_surface_get_stride(source.get());
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x) {
            const Colour c = raster.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(raster.width) +
                                           static_cast<std::size_t>(x)];
            const std::uint32_t pixel =
                static_cast<std::uint32_t>(c.red) << 16 | static_cast<std::uint32_t>(c.green) << 8 | c.blue;
            std::memcpy(rows + std::ptrdiff_t{y} * stride + std::ptrdiff_t{x} * 4, &pixel, 4);
        }
    cairo_surface_mark_dirty(source.get());
    cairo_save(cairo_.get());
    cairo_translate(cairo_.get(), box.x, box.y);
    cairo_scale(cairo_.get(), 1 / pixels_per_point, 1 / pixels_per_point);
    cairo_set_source_surface(cairo_.get(), source.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo_.get()), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cairo_.get(), 0, 0, raster.width, raster.height);
    cairo_fill(cairo_.get());
    cairo_restore(cairo_.get());
}

void Canvas::clip(const Box& box) {
    cairo_save(cairo_.get());
    cairo_rectangle(cairo_.get(), box.x, box.y, box.width, box.height);
    cairo_clip(cairo_.get());
}

void Canvas::unclip() { cairo_restore(cairo_.get()); }

void Canvas::write_png(io::OutputFile& file) {
    struct Sink {
        io::OutputFile& file;
        std::exception_ptr error;
    } sink{file, nullptr};
    // An exception must not pass through cairo, which is C.
    const auto write = [](void* closure, const unsigned char* data, unsigned bytes) -> cairo_status_t {
        auto& to = *static_cast<Sink*>(closure);
        try {
            to.file.write(data, bytes);
            return CAIRO_STATUS_SUCCESS;
        } catch (...) {
            to.error = std::current_exception();
            return CAIRO_STATUS_WRITE_ERROR;
        }
    };
    cairo_surface_flush(surface_.get());
    const cairo_status_t drawn = cairo_status(cairo_.get());
    const cairo_status_t written = cairo_surface_write_to_png_stream(surface_.get(), write, &sink);
    if (sink.error) std::rethrow_exception(sink.error);
    const cairo_status_t status = drawn != CAIRO_STATUS_SUCCESS ? drawn : written;
    if (status != CAIRO_STATUS_SUCCESS)
        throw Failure(std::string("cannot draw the picture: ") + cairo_status_to_string(status));
}

}  // namespace seiche::cli::draw
