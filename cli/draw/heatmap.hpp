// Coloured maps with axes and a colour bar: spectrograms and spectra of pictures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/draw/colours.hpp"
#include "cli/draw/ticks.hpp"
#include "cli/io/output_file.hpp"

namespace seiche::cli::draw {

/// One map. Row 0 is drawn at the bottom, column 0 at the left.
struct Panel {
    std::string label;
    std::size_t rows = 0, columns = 0;
    std::vector<float> values;  ///< rows x columns
};

/// Pixels.
struct PictureSize {
    std::size_t width = 0, height = 0;
};

struct Heatmap {
    std::string title, subtitle;
    Axis x, y;  ///< The same for every panel; y.low is at the bottom.
    Axis colour;
    bool cyclic = false;  ///< The colour bar's ends mean the same: an angle.
    bool square = false;  ///< Panels are squares beside each other; otherwise wide and one above the other.
    ColourMap map = ColourMap::inferno;  ///< Where it is not cyclic.
    std::optional<PictureSize> size;     ///< Of a picture that is not of squares; else it follows from the panels.
    std::vector<Panel> panels;           ///< At least one. Cells are evenly spaced along the sides, whatever the axes.
};

/// Pixels of one plot in a picture of so many panels one above the other. Throws Failure for a size that leaves them no
/// room.
PictureSize plot_pixels(std::size_t panels, bool have_labels, const std::optional<PictureSize>& size);

/// Where several values fall on a pixel, the largest shows (cyclic: the nearest).
void draw_heatmap(const Heatmap& map, io::OutputFile& file);

}  // namespace seiche::cli::draw
