// An OpenCL loader that tells lies about its devices: what it answers instead of the driver, and what it noted.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

struct FakeOpenclRecord {
    std::map<unsigned, std::vector<unsigned char>> answers;  ///< Of clGetDeviceInfo, by question.
    std::set<unsigned> unknown;                              ///< Questions that a device does not know.
    std::string options;                                     ///< Of the last program built from source.
    /// Allocations that count as Intel's unified shared memory, bytes by address; its functions are there if not empty.
    std::map<std::uintptr_t, std::size_t> usm;
    std::string usm_calls;  ///< Names of its functions that were called, a space after each.

    template <class T>
    void answer(unsigned question, const T& value) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
        answers[question].assign(bytes, bytes + sizeof value);
    }
    template <class T>
    void answer(unsigned question, const std::vector<T>& values) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
        answers[question].assign(bytes, bytes + values.size() * sizeof(T));
    }
    void answer(unsigned question, const char* text) { answers[question].assign(text, text + std::strlen(text) + 1); }
};

extern "C" FakeOpenclRecord* fake_opencl_record();
