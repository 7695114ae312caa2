// The edge of the library: what leaves it is a seiche::Error.
#pragma once

#include <cfenv>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "seiche/error.hpp"

namespace seiche::api {

/// To nearest, with denormals and without traps, whatever the calling thread has set, and has again afterwards: tables
/// are computed by the host, and must not depend on that.
class PlainArithmetic {
public:
    PlainArithmetic() {
        std::fegetenv(&former_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~PlainArithmetic() { std::fesetenv(&former_); }
    PlainArithmetic(const PlainArithmetic&) = delete;
    PlainArithmetic& operator=(const PlainArithmetic&) = delete;

private:
    std::fenv_t former_{};
};

/// What `work` returns, in plain arithmetic. Where the standard library throws because memory or threads are short,
/// BackendError says so; `doing` is what was wanted: "making a plan".
template <class Work>
auto guarded(const char* doing, const Work& work) -> decltype(work()) {
    const auto refuse = [doing](const char* what) {
        throw BackendError(std::string(doing) + ": the host has not enough " + what);
    };
    try {
        const PlainArithmetic plain;
        return work();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        refuse("memory, or a limit leaves this process too little");
    } catch (const std::length_error&) {
        refuse("memory: more was asked for than any has");
    } catch (const std::system_error& error) {
        throw BackendError(std::string(doing) + ": the system refuses: " + error.code().message());
    }
    throw InternalError(doing);
}

}  // namespace seiche::api
