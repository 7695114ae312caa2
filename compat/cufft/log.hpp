// What is written for people: a line for each call that is refused, and counts at the end.
#pragma once

#include <cstdint>
#include <string>

#include "abi.hpp"

namespace seiche::compat {

/// A variable of the environment; empty where it is not set or the program has another's rights.
std::string environment(const char* name);
/// The value of SEICHE_CUFFT_`name` (SEICHE_HIPFFT_`name`), as `environment`.
std::string setting(const char* name);

/// Counts the call, and where SEICHE_CUFFT_LOG is 1 writes one line on standard error. Gives `code` back.
int log_refused(const char* function, Code code, const char* why) noexcept;

void count_plan() noexcept;
void count_execution() noexcept;

}  // namespace seiche::compat
