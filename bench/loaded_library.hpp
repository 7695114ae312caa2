// A shared library that is opened at run time, so that the program runs without it.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <initializer_list>
#include <string>

#include "bench/transform.hpp"

namespace seiche::bench {

/// Stays open until the process ends.
class LoadedLibrary {
public:
    /// Tries `names` in order, first as they are, then in `folder`; throws PeerError when there is none.
    LoadedLibrary(std::initializer_list<const char*> names, const std::string& folder) {
        for (const char* name : names) {
            if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (handle_ == nullptr) handle_ = dlopen((folder + "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
        }
        if (handle_ == nullptr) throw PeerError(std::string("cannot load ") + *names.begin());
    }
    /// Sets `function` to the symbol; throws PeerError when the library lacks it.
    template <class F>
    void find(F*& function, const char* symbol) const {
        function = reinterpret_cast<F*>(dlsym(handle_, symbol));
        if (function == nullptr) throw PeerError(std::string("no symbol ") + symbol);
    }

private:
    void* handle_ = nullptr;
};

/// The variable's value, or `otherwise`.
inline std::string environment(const char* variable, const char* otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? value : otherwise;
}

}  // namespace seiche::bench
