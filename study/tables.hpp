// Tables and charts of what was measured, as every text of the study shows it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/document.hpp"
#include "study/laboratory.hpp"

namespace seiche::study {

Cell words(const std::string& text, Look look = Look::plain);
/// Three significant digits.
Cell number(double value, Look look = Look::plain);
/// As the text prints it.
Cell printed(const std::string& digits);
/// "1.3e-07"
Cell error_cell(double error, Look look = Look::plain);
/// "2.4 x"
Cell ratio_cell(double ratio);
/// The outcome's own figure, or a dash where there is none.
Cell cell_of(const Outcome& outcome, double value);
Cell none();

/// What a table or chart of a grid shows.
struct View {
    std::string title, row_title, value_title;
    std::function<double(const Row&, const Outcome&)> value;
};

/// A column for each trial, the automatic plan last, and how many times as fast it is as the fastest recipe. Says below
/// why figures are missing.
Table value_table(const Grid& grid, const View& view);
Table error_table(const Grid& grid, const View& view);
Chart chart_of(const Grid& grid, const View& view);
/// Launches, barriers, sizes of the kernels and, where the interpreter has counted, sectors and conflicts.
Table anatomy_table(const Laboratory& laboratory, const std::string& title, const Problem& problem,
                    const std::vector<Trial>& trials);

/// Points that the interpreter still counts in a second or so.
inline constexpr double most_analysed_points = 1 << 16;
/// The longest problem that it counts; the first, where all are longer.
const Row& row_to_take_apart(const Grid& grid);

/// Three digits, or all before the point; without an exponent where that is short.
std::string short_text(double value);

/// What the view of times shows.
double milliseconds_of(const Row& row, const Outcome& outcome);
/// The points of all axes and arrays of the batch.
double points_of(const Problem& problem);

}  // namespace seiche::study
