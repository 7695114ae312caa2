// Why something cannot be had, as a value: whoever asked decides whether that is an error or the next thing is tried.
#pragma once

#include <optional>
#include <string>

#include "seiche/error.hpp"

namespace seiche::support {

/// Whose fault, what was expected and what was got, in a sentence; empty: it can be had.
using Refusal = std::optional<std::string>;

/// Throws Unsupported for a refusal.
inline void expect_none(const Refusal& refusal) {
    if (refusal) throw Unsupported(*refusal);
}

}  // namespace seiche::support
