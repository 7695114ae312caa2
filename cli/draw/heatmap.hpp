// Coloured maps with axes and a colour bar: spectrograms and spectra of pictures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/draw/ticks.hpp"
#include "cli/io/output_file.hpp"

namespace seiche::cli::draw {

/// One map. Row 0 is drawn at the bottom, column 0 at the left.
struct Panel {
    std::string label;
    std::size_t rows = 0, columns = 0;
    std::vector<float> values;  ///< rows x columns
};

struct Heatmap {
    std::string title, subtitle;
    Axis x, y;  ///< The same for every panel; y.low is at the bottom.
    Axis colour;
    bool cyclic = false;        ///< The colour bar's ends mean the same: an angle.
    bool square = false;        ///< Panels are squares beside each other; otherwise wide and one above the other.
    std::vector<Panel> panels;  ///< At least one.
};

/// Where several values fall on a pixel, the largest shows (cyclic: the nearest).
void draw_heatmap(const Heatmap& map, io::OutputFile& file);

}  // namespace seiche::cli::draw
