// The edge of the library: what leaves it is a seiche::Error.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "seiche/error.hpp"

namespace seiche::api {

/// What `work` returns. Where the standard library throws because memory or threads are short, BackendError says so;
/// `doing` is what was wanted: "making a plan".
template <class Work>
auto guarded(const char* doing, const Work& work) -> decltype(work()) {
    const auto refuse = [doing](const char* what) {
        throw BackendError(std::string(doing) + ": the host has not enough " + what);
    };
    try {
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
