// The canvas of a tool that was built without cairo: none can be made.
#include "cli/draw/canvas.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::draw {
namespace {

[[noreturn]] void refuse() {
    throw Failure(
        "this tool was built without cairo (SEICHE_CLI_PICTURES=OFF) and draws no pictures: use --output with "
        "a .npy or .csv file where the command has one");
}

}  // namespace

void Canvas::Deleter::operator()(cairo_t*) const noexcept {}
void Canvas::Deleter::operator()(cairo_surface_t*) const noexcept {}
Canvas::Canvas(double, double) { refuse(); }
void Canvas::text(const std::string&, Point, const TextStyle&) { refuse(); }
double Canvas::text_width(const std::string&, const TextStyle&) { refuse(); }
void Canvas::line(Point, Point, Colour, double) { refuse(); }
void Canvas::polyline(const std::vector<Point>&, Colour, double) { refuse(); }
void Canvas::frame(const Box&, Colour, double) { refuse(); }
void Canvas::fill(const Box&, Colour) { refuse(); }
void Canvas::disc(Point, double, Colour) { refuse(); }
void Canvas::image(const Box&, const Raster&) { refuse(); }
void Canvas::clip(const Box&) { refuse(); }
void Canvas::unclip() { refuse(); }
int Canvas::pixels(double) { refuse(); }
void Canvas::write_png(io::OutputFile&) { refuse(); }

}  // namespace seiche::cli::draw
