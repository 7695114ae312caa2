// The objects behind handles of the C interface (seiche.h), for libraries in C++ that have an interface in C beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"
#include "seiche/seiche.h"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::c {

/// What the handles hold. Throw InvalidProblem for NULL. References are valid while the handle is.
const Device& device(const seiche_device* handle);
Queue& queue(seiche_queue* handle);
/// Empty for NULL.
BufferView view(const seiche_buffer* handle, std::uint64_t byte_offset = 0);
/// A problem as C says it. Throws InvalidProblem for what makes no sense.
Problem problem(const seiche_problem* problem);

/// Reads a struct that begins with its size, as seiche/c/core.h says, into `value`, which has the defaults and `bytes`
/// bytes. Throws InvalidProblem, with `name` in the message, for NULL, for a size that was never set and for members
/// beyond `bytes` that are not zero.
void read_struct(const void* given, void* value, std::size_t bytes, const char* name);
/// Fills in such a struct from `value`, as far as the size in `to` goes; what lies beyond `bytes` becomes zero.
void write_struct(void* to, const void* value, std::size_t bytes, const char* name);
/// A copy for the caller, who releases it with seiche_text_release.
char* text(const std::string& text);

/// The status of the exception that is being handled; seiche_last_error of this thread has its message from now on.
seiche_status status_of_exception() noexcept;

}  // namespace seiche::c
SEICHE_EXPORT_END
