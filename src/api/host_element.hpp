// What an array on the host must have for elements.
#pragma once

#include "seiche/plan.hpp"

namespace seiche::api {

HostElement host_element(Precision precision, Storage storage, bool is_real);

/// Throws InvalidProblem.
void check_element(const char* which, HostElement expected, HostElement got);

/// Throws InvalidProblem for null where there are bytes.
void check_host_memory(const char* which, const void* memory, std::uint64_t bytes);

}  // namespace seiche::api
