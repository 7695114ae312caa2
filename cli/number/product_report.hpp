// What `bigmul` and `polymul` share: their arguments' files and their report.
#pragma once

#include <string>
#include <vector>

#include "cli/command/report.hpp"
#include "cli/number/convolve.hpp"

namespace seiche::cli {

/// The whole of a text file.
std::string read_text(const std::string& path);

/// How a product was made.
struct ProductReport {
    const Device& device;
    std::string output;                          ///< The file; empty: the product went to standard output.
    const number::Evidence* evidence = nullptr;  ///< Null where the product is not exact.
    const TransformFigures& figures;
};
Json to_json(const ProductReport& report);
/// The same for people, with the rows of `facts` among them.
void print(const ProductReport& report, const std::vector<Row>& facts);

}  // namespace seiche::cli
