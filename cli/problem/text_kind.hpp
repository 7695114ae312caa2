// What kind of problem a text is, by its words alone: whether it makes sense is not looked at.
#pragma once

#include <string>

namespace seiche::cli {

/// Whether a text is a short-time transform's: it says how long frames are.
bool is_short_time(const std::string& text);
/// Whether a text is a spectral operator's: it says whether its numbers are real, complex or analytic, which a
/// transform's kind says.
bool is_spectral(const std::string& text);

}  // namespace seiche::cli
