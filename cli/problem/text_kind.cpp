#include "cli/problem/text_kind.hpp"

#include <sstream>

namespace seiche::cli {

bool is_short_time(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (word.starts_with("frames=")) return true;
    return false;
}

bool is_spectral(const std::string& text) {
    if (text.find('*') != std::string::npos || is_short_time(text)) return false;  // a convolution, or frames
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (word == "real" || word == "complex" || word == "analytic") return true;
    return false;
}

}  // namespace seiche::cli
