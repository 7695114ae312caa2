// The one checker of every transform: any problem on any device, among dirty memory, against the judge.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/plan.hpp"

namespace seiche::accuracy {

/// Addresses of a problem's elements, worked out from the public Problem alone.
struct Addresses {
    std::vector<std::uint64_t> lengths;             ///< Of the transformed axes.
    std::vector<std::vector<std::uint64_t>> input;  ///< One list per transform, row-major over `lengths`; in elements.
    std::vector<std::vector<std::uint64_t>> output;
};
Addresses addresses(const Problem& problem, std::uint64_t batch);

struct Outcome {
    double error =
        0;  ///< Root mean square over the transforms of the relative L2 error, in units of u sqrt(log2 max(N, 2)).
    double bound = 0;                     ///< What the contract allows, in the same units.
    std::vector<std::string> complaints;  ///< What else is wrong: canaries, inputs overwritten, elements not written.
    bool passed() const { return error <= bound && complaints.empty(); }
    std::string text() const;
};

struct CheckOptions {
    std::uint64_t seed = 1;
    std::uint64_t view_offset_elements = 0;    ///< Of the buffer views, beside the layout's byte offset.
    Directions directions = Directions::both;  ///< Those of the plan.
};

/// Runs both directions (or the one in the options) and takes the worse. Input gaps, outputs, workspace and the memory
/// around them hold NaNs; what lies between and around the outputs must come back as it was. Throws what the library
/// throws.
Outcome check(const Plan& plan, const CheckOptions& options = {});

/// Relative L2 error that DESIGN.md allows, in units of u sqrt(log2 max(N, 2)).
double allowed_error(const Problem& problem, bool scaled, bool bluestein);
/// 2^-24 or 2^-53.
double unit_roundoff(Precision precision);
/// N and whether it needs Bluestein.
struct Size {
    std::uint64_t points = 1;
    bool bluestein = false;
};
Size size_of(const Problem& problem);

}  // namespace seiche::accuracy
