// What a plan chose, as text of standard words: the one place of the guard that reads the planner's inner structures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "seiche/device.hpp"
#include "tests/guard/problems.hpp"

namespace seiche::guard {

/// A plan of one problem for one device.
struct Choices {
    std::string text;  ///< key=value lines, or "refused: " and the message.
    bool is_refused = false;
    /// Of every launch in order, named and commented alike in every plan: what is left is what the kernel does.
    std::vector<std::shared_ptr<const ir::Kernel>> kernels;
};

/// Refusals are answers too. Throws what else the library throws: a defect of it.
Choices choices(const Drawn& drawn, const DeviceLimits& limits);

/// The kernels' instructions, one a line.
std::string kernels_text(const Choices& choices);

/// The same whatever the order of those instructions that no other waits for: what acts, line by line, and a hash of
/// what each operand is made of. The order in which a compiler evaluates arguments decides the rest.
std::string instructions_text(const Choices& choices);

}  // namespace seiche::guard
