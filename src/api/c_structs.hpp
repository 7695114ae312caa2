// Structs of the C interface that carry their size: how they are read, filled in and started. What a later version adds
// is at the end, so a caller's struct and the library's agree as far as the shorter of them goes.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "seiche/error.hpp"
#include "seiche/seiche.h"

namespace seiche::api {

/// No struct of the interface is larger; a size beyond it was never set.
inline constexpr std::size_t most_struct_bytes = 4096;

/// The size that a struct says it has. Throws InvalidProblem where it cannot be one.
std::size_t checked_size(const void* given, const char* name);
/// Throws InvalidProblem where bytes `from` to `size` are not all zero.
void refuse_unknown_members(const void* given, std::size_t from, std::size_t size, const char* name);

/// The defaults, as the headers' macros have them.
template <class T>
T default_struct();

/// A copy whose members beyond the caller's size are defaults. Throws InvalidProblem for NULL.
template <class T>
T read_struct(const T* given, const char* name) {
    const std::size_t size = checked_size(given, name);
    T value = default_struct<T>();
    if (size > sizeof(T)) refuse_unknown_members(given, sizeof(T), size, name);
    std::memcpy(&value, given, size < sizeof(T) ? size : sizeof(T));
    value.struct_size = sizeof(T);
    return value;
}

/// The same; NULL is the defaults.
template <class T>
T read_struct_or_default(const T* given, const char* name) {
    return given == nullptr ? default_struct<T>() : read_struct(given, name);
}

/// Fills in what the caller's struct has room for; what the library does not know becomes zero.
template <class T>
void write_struct(T* to, T value, const char* name) {
    const std::size_t size = checked_size(to, name);
    value.struct_size = size;
    std::memset(static_cast<void*>(to), 0, size);
    std::memcpy(static_cast<void*>(to), &value, size < sizeof(T) ? size : sizeof(T));
}

/// What the seiche_..._init functions do: nothing for NULL, and for a size that has no room for itself.
template <class T>
void start_struct(T* to, std::size_t size) {
    if (to == nullptr || size < sizeof(std::size_t)) return;
    T value = default_struct<T>();
    value.struct_size = size;
    std::memset(static_cast<void*>(to), 0, size);
    std::memcpy(static_cast<void*>(to), &value, size < sizeof(T) ? size : sizeof(T));
}

}  // namespace seiche::api
