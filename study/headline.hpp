// The study in one picture: how many times as fast Seiche's own plan is as each of the texts' algorithms.
#pragma once

#include <string>
#include <vector>

#include "study/laboratory.hpp"

namespace seiche::study {

/// A published algorithm's times over those of Seiche's own plan, over all problems that both were measured with.
struct Pace {
    std::string text, recipe;  ///< "wang", "brute force"
    std::size_t problems = 0;
    double least = 0, median = 0, most = 0;
    bool operator==(const Pace&) const = default;
};

/// In the order in which texts and recipes were first measured.
std::vector<Pace> paces_of(const std::vector<Laboratory::Race>& races);

/// A dot at the median and a line from least to most for each, over a logarithmic scale, as a picture of its own: on a
/// light ground, so that it can be read on a page of any colour. Of no paces there is no picture: "".
std::string headline_svg(const std::vector<Pace>& paces, const std::string& subtitle);

}  // namespace seiche::study
