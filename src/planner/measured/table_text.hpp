// The text of tables, shared by the files that read and write it.
#pragma once

#include <string_view>

#include "planner/measured/table.hpp"
#include "support/text_lines.hpp"

namespace seiche::planner::measured {

inline constexpr std::string_view first_line = "Seiche table 1";

/// The card line, which is the first behind the version.
Card read_card(support::TextLines& lines);
/// A line "KEY | HOW | SOURCE".
Row read_row(std::string_view line, const support::TextLines& lines);

}  // namespace seiche::planner::measured
