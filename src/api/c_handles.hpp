// What the files of the C interface share: its handles, and how exceptions, pointers and numbers from C are looked at.
#pragma once

#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/c_structs.hpp"
#include "seiche/convolution.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "seiche/seiche.h"
#include "seiche/spectral.hpp"

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
struct seiche_event {
    seiche::Event value;
};
struct seiche_image {
    seiche::Image value;
};
struct seiche_plan {
    seiche::Plan value;
    std::string report;
};
struct seiche_convolution_plan {
    seiche::ConvolutionPlan value;
    std::string report;
};
struct seiche_spectral_plan {
    seiche::SpectralPlan value;
    std::string report;
};
struct seiche_text_list {
    std::vector<std::string> value;
};
struct seiche_report {
    seiche::PlanReport value;
    std::string text;
};
struct seiche_analysis {
    std::vector<seiche::AnalysisReport> value;
};

namespace seiche::api {

/// Of this thread.
void set_last_error(const char* message) noexcept;
/// The status of the exception that is being handled, whose message becomes this thread's.
seiche_status status_of_exception() noexcept;

/// In C a batch of 0 is the plan's own, and none at all has a name.
inline std::optional<std::uint64_t> batch_of(std::uint64_t batch) {
    if (batch == 0) return std::nullopt;
    return batch == SEICHE_NO_ARRAYS ? 0 : batch;
}

/// Runs `body` and turns what it throws into a status.
template <class Body>
seiche_status guard(const Body& body) noexcept {
    try {
        body();
        return SEICHE_OK;
    } catch (...) {
        return status_of_exception();
    }
}

/// Throws InvalidProblem for NULL.
void require(const void* pointer, const char* name);
/// Throws InvalidProblem for NULL with a count above 0, and for a count above `most`.
void require_array(const void* pointer, std::size_t count, std::size_t most, const char* name);
/// Throws InvalidProblem unless `index` is below `count`.
void require_index(std::size_t index, std::size_t count, const char* name);

/// The axes that a problem from C may have; more is a number that was never set.
inline constexpr std::size_t most_axes = 64;
/// Elements of any other array from C.
inline constexpr std::size_t most_elements = 65536;

/// An array as a vector.
template <class T>
std::vector<T> vector_of(const T* from, std::size_t count, std::size_t most, const char* name) {
    require_array(from, count, most, name);
    return count == 0 ? std::vector<T>() : std::vector<T>(from, from + count);
}

/// An enumeration that came from C may hold any number, which C++ must not look at as an enumeration.
template <class Given>
int number_of(const Given& value) {
    int number = 0;
    static_assert(sizeof number == sizeof value);
    std::memcpy(&number, &value, sizeof number);
    return number;
}
template <class Result, class Given>
Result checked_enum(const Given& value, int most, const char* name) {
    const int number = number_of(value);
    if (number < 0 || number > most)
        throw InvalidProblem(std::string(name) + ": expected 0 to " + std::to_string(most) + ", got " +
                             std::to_string(number));
    return static_cast<Result>(number);
}
/// The name of a number that is one of an enumeration.
template <class Result, class Given>
const char* name_of(const Given& value, int most) {
    const int number = number_of(value);
    return number < 0 || number > most ? "unknown" : to_string(static_cast<Result>(number));
}

/// Writes `values` as far as there is room, and how many there are.
void write_numbers(const std::vector<std::uint64_t>& values, std::uint64_t* to, std::size_t capacity,
                   std::size_t* count);

/// With its report.
seiche_plan* handle_of(Plan plan);
seiche_report* handle_of(PlanReport report);
/// Its texts are the report's.
seiche_kernel_report kernel_in_c(const KernelReport& kernel);

/// For seiche_bytes_release and seiche_text_release.
unsigned char* copy_of(const std::vector<std::byte>& bytes);
char* copy_of(const std::string& text);

/// Empty for NULL.
BufferView view_of(const seiche_buffer* buffer, std::uint64_t offset);

/// What C says, as C++ has it. All throw InvalidProblem for what makes no sense.
Problem problem_of(const seiche_problem* problem);
Convolution convolution_of(const seiche_convolution* convolution);
SpectralProblem problem_of(const seiche_spectral_problem* problem);
DeviceLimits limits_of(const seiche_device_limits* limits);
seiche_device_limits limits_in_c(const DeviceLimits& limits);
/// Defaults for NULL and "".
Tuning tuning_of(const char* tuning);
Execution execution_of(const seiche_execution* execution);
ConvolutionExecution execution_of(const seiche_convolution_execution* execution);
SpectralExecution execution_of(const seiche_spectral_execution* execution);
/// None for SEICHE_DIRECTION_OF_PLAN.
std::optional<Direction> direction_of(const seiche_direction& direction, const char* name);

/// A problem in C, whose arrays belong to it. Released by seiche_problem_release.
seiche_problem* problem_in_c(const Problem& problem);
seiche_convolution* convolution_in_c(const Convolution& convolution);

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
