// A library that is opened at run time, for as long as the process lives: drivers have threads and handlers of their
// own.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>
#include <type_traits>

namespace seiche::distributed {

class LoadedLibrary {
public:
    /// The first of `names` that the system's loader finds.
    LoadedLibrary(std::initializer_list<std::string> names) {
        for (const std::string& name : names) {
            handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (handle_ != nullptr) return;
            const char* const why = dlerror();
            if (problem_.empty()) problem_ = why == nullptr ? name : why;
        }
    }
    /// Sets the function, or notes that it is missing.
    template <class Function>
    void find(Function& function, const char* symbol) {
        function = handle_ == nullptr
                       ? nullptr
                       : reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle_, symbol));
        if (function == nullptr && problem_.empty()) problem_ = std::string("there is no function ") + symbol;
    }
    /// Why it cannot be used; empty if it can.
    const std::string& problem() const { return problem_; }

private:
    void* handle_ = nullptr;
    std::string problem_;
};

}  // namespace seiche::distributed
