// What the files of the C interface share: its handles, and how exceptions, pointers and numbers from C are looked at.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "seiche/distributed.h"
#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/c.hpp"

struct seiche_boxes {
    std::size_t axis_count = 0;
    std::vector<seiche::distributed::Box> value = {};
};
struct seiche_communicator {
    std::shared_ptr<seiche::distributed::Communicator> value;
};

namespace seiche::distributed::in_c {

/// The rank that this thread's last failure missed; -1 for none.
void set_absent_rank(int rank) noexcept;

/// Runs `body` and turns what it throws into a status.
template <class Body>
seiche_status guard(const Body& body) noexcept {
    try {
        body();
        return SEICHE_OK;
    } catch (const AbsentRank& error) {
        set_absent_rank(error.rank);
        return c::status_of_exception();
    } catch (...) {
        set_absent_rank(-1);
        return c::status_of_exception();
    }
}

/// Throws InvalidProblem for NULL.
void require(const void* pointer, const char* name);

/// Where a result goes: starts it as NULL.
template <class Handle>
void start(Handle** result, const char* name) {
    require(result, name);
    *result = nullptr;
}

/// An enumeration that came from C may hold any number, which C++ must not look at as an enumeration.
template <class Result, class Given>
Result checked_enum(const Given& value, int most, const char* name) {
    int number = 0;
    static_assert(sizeof number == sizeof value);
    std::memcpy(&number, &value, sizeof number);
    if (number < 0 || number > most)
        throw InvalidProblem(std::string(name) + ": expected 0 to " + std::to_string(most) + ", got " +
                             std::to_string(number));
    return static_cast<Result>(number);
}

/// A struct that begins with its size; NULL is the defaults.
template <class T>
T struct_or(const T* given, T defaults, const char* name) {
    if (given != nullptr) c::read_struct(given, &defaults, sizeof(T), name);
    return defaults;
}
/// What the seiche_..._init functions do: nothing for NULL, and for a size that has no room for itself.
template <class T>
void start_struct(T* to, std::size_t size, T defaults) {
    if (to == nullptr || size < sizeof size) return;
    std::memset(static_cast<void*>(to), 0, size);
    std::memcpy(static_cast<void*>(to), &defaults, size < sizeof(T) ? size : sizeof(T));
    std::memcpy(static_cast<void*>(to), &size, sizeof size);
}

/// Lengths of an array: 1 to 64 of them.
std::vector<std::uint64_t> lengths_of(std::size_t axis_count, const std::uint64_t* lengths);
std::chrono::milliseconds time_limit_of(std::uint64_t milliseconds);
const std::vector<Box>& boxes_of(const seiche_boxes* boxes, const char* name);
std::shared_ptr<Communicator> ranks_of(const seiche_communicator* communicator, const char* name);

}  // namespace seiche::distributed::in_c
