// Elements of arrays on the host.
#include "api/host_element.hpp"

#include <string>

#include "seiche/error.hpp"

namespace seiche::api {

namespace {

const char* to_string(HostElement element) {
    switch (element) {
        case HostElement::f32: return "float";
        case HostElement::f64: return "double";
        case HostElement::complex_f32: return "std::complex<float>";
        case HostElement::complex_f64: return "std::complex<double>";
        case HostElement::f16: return "f16";
        case HostElement::bf16: return "bf16";
        case HostElement::complex_f16: return "pairs of f16";
        case HostElement::complex_bf16: return "pairs of bf16";
        case HostElement::f64x2: return "DoubleDouble";
        case HostElement::complex_f64x2: break;
    }
    return "ComplexDoubleDouble";
}

}  // namespace

HostElement host_element(Precision precision, Storage storage, bool is_real) {
    switch (storage) {
        case Storage::f16: return is_real ? HostElement::f16 : HostElement::complex_f16;
        case Storage::bf16: return is_real ? HostElement::bf16 : HostElement::complex_bf16;
        case Storage::f32: return is_real ? HostElement::f32 : HostElement::complex_f32;
        case Storage::f64: return is_real ? HostElement::f64 : HostElement::complex_f64;
        case Storage::same: break;
    }
    switch (precision) {
        case Precision::f32: return is_real ? HostElement::f32 : HostElement::complex_f32;
        case Precision::f64: return is_real ? HostElement::f64 : HostElement::complex_f64;
        case Precision::f16: return is_real ? HostElement::f16 : HostElement::complex_f16;
        case Precision::f64x2: break;
    }
    return is_real ? HostElement::f64x2 : HostElement::complex_f64x2;
}

void check_element(const char* which, HostElement expected, HostElement got) {
    if (expected != got)
        throw InvalidProblem(std::string(which) + ": expected " + to_string(expected) +
                             ", as the plan's precision, storage and kind have it, got " + to_string(got));
}

void check_host_memory(const char* which, const void* memory, std::uint64_t bytes) {
    if (memory == nullptr && bytes != 0)
        throw InvalidProblem(std::string(which) + ": expected a pointer to " + std::to_string(bytes) +
                             " bytes of the host's memory, got null");
}

}  // namespace seiche::api
