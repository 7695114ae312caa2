// What the files of the C interface share: its handles, and how exceptions, pointers and numbers from C are looked at.
#pragma once

#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "seiche/seiche.h"

struct seiche_device {
    seiche::Device value;
};
struct seiche_queue {
    seiche::Queue value;
};
struct seiche_buffer {
    seiche::Buffer value;
};
struct seiche_host_memory {
    seiche::HostMemory value;
};
struct seiche_plan {
    seiche::Plan value;
    std::string report;
};

namespace seiche::api {

/// Of this thread.
std::string& last_error();
seiche_status status_of(ErrorKind kind);

/// Runs `body` and turns what it throws into a status.
template <class Body>
seiche_status guard(const Body& body) {
    try {
        body();
        return SEICHE_OK;
    } catch (const Error& error) {
        last_error() = error.what();
        return status_of(error.kind());
    } catch (const std::exception& error) {
        last_error() = std::string("InternalError: ") + error.what();
        return SEICHE_INTERNAL_ERROR;
    }
}

/// Throws InvalidProblem for NULL.
void require(const void* pointer, const char* name);

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

/// With its report.
seiche_plan* handle_of(Plan plan);

/// For seiche_bytes_release.
unsigned char* copy_of(const std::vector<std::byte>& bytes);

/// Empty for NULL.
BufferView view_of(const seiche_buffer* buffer, std::uint64_t offset);

/// What the caller's numbers are: a half's type says nothing of its format, which is then the plan's.
inline HostElement host_element(float, bool real, Storage) {
    return real ? HostElement::f32 : HostElement::complex_f32;
}
inline HostElement host_element(double, bool real, Storage) {
    return real ? HostElement::f64 : HostElement::complex_f64;
}
inline HostElement host_element(seiche_f64x2, bool real, Storage) {
    return real ? HostElement::f64x2 : HostElement::complex_f64x2;
}
inline HostElement host_element(std::uint16_t, bool real, Storage storage) {
    if (storage == Storage::bf16) return real ? HostElement::bf16 : HostElement::complex_bf16;
    return real ? HostElement::f16 : HostElement::complex_f16;
}

}  // namespace seiche::api
