// Environment variables of the test's own process, on every system.
#pragma once

#include <cstdlib>
#include <string>

namespace seiche {

inline void set_environment(const char* name, const std::string& value) {
#ifdef _WIN32
    _putenv_s(name, value.c_str());
#else
    setenv(name, value.c_str(), 1);
#endif
}

inline void unset_environment(const char* name) {
#ifdef _WIN32
    _putenv_s(name, "");
#else
    unsetenv(name);
#endif
}

/// Where no file and no folder can be made.
#ifdef _WIN32
inline constexpr const char* nowhere = "NUL\\below";
#else
inline constexpr const char* nowhere = "/dev/null/below";
#endif

}  // namespace seiche
