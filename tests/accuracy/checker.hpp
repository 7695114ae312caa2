// The one checker of every transform: any problem on any device, among dirty memory, against the judge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/plan.hpp"
#include "tests/accuracy/shape.hpp"

namespace seiche::accuracy {

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
    std::uint64_t view_offset_elements = 0;  ///< Of the buffer views, in complex elements, beside the layout's offset.
    Directions directions = Directions::both;  ///< Those of the plan.
    bool is_textbook = false;                  ///< The plan's recipe: it is allowed three times the contract.
};

/// Runs both directions (or the one in the options) and takes the worse. Input gaps, outputs, workspace and the memory
/// around them hold NaNs, and what a c2r of one axis ignores a NaN and an infinity; what lies between and around the
/// outputs must come back as it was (in place: between and around inputs and outputs). A spectrum in pass order is read
/// as the plan says. Throws what the library throws.
Outcome check(const Plan& plan, const CheckOptions& options = {});

}  // namespace seiche::accuracy
