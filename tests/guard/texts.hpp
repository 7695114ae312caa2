// Emitted text, normalised: comments, spacing and names that a text declares itself do not count.
#pragma once

#include <string>
#include <vector>

#include "emit/source.hpp"
#include "tests/guard/choices.hpp"

namespace seiche::guard {

/// The dialects that a device of these limits speaks, in a fixed order.
std::vector<emit::Dialect> dialects_of(const DeviceLimits& limits);

const char* name_of(emit::Dialect dialect);

/// The plan's kernels in that dialect, as `seiche emit` writes them, normalised; modules and machine code as words.
std::string emitted_text(const Choices& choices, emit::Dialect dialect, const DeviceLimits& limits);

/// Of a language like C, or of PTX. Lines stay lines.
std::string normalised(const std::string& source, bool is_ptx);

}  // namespace seiche::guard
