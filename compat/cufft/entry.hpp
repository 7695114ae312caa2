// What every exported function begins and ends with: its name, and its errors as codes.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "abi.hpp"
#include "log.hpp"
#include "seiche/error.hpp"

#define SEICHE_FFT_JOIN_NOW(a, b) a##b
#define SEICHE_FFT_JOIN(a, b) SEICHE_FFT_JOIN_NOW(a, b)
#ifdef SEICHE_COMPAT_HIPFFT
#define SEICHE_FFT_PREFIX hipfft
#define SEICHE_FFT_WORD "hipfft"
#else
#define SEICHE_FFT_PREFIX cufft
#define SEICHE_FFT_WORD "cufft"
#endif
/// The exported function of this name behind "cufft" or "hipfft".
#define SEICHE_FFT(name) extern "C" __attribute__((visibility("default"))) int SEICHE_FFT_JOIN(SEICHE_FFT_PREFIX, name)

namespace seiche::compat {

/// A call that is refused: the code that it returns, and why, for the log.
struct Refused {
    Code code;
    std::string why;
};

/// The code for a failure of the library while a plan is made or asked about (false), or while it runs (true).
Code code_of(const Error& error, bool executing) noexcept;

/// Runs the body of the exported function `name` (without its prefix) and gives its code.
template <class Body>
int guarded(const char* name, const Body& body, bool executing = false) noexcept {
    try {
        body();
        return success;
    } catch (const Refused& refused) {
        return log_refused(name, refused.code, refused.why.c_str());
    } catch (const Error& error) {
        return log_refused(name, code_of(error, executing), error.reason());
    } catch (const std::bad_alloc&) {
        return log_refused(name, alloc_failed, "there is not enough memory on the host");
    } catch (const std::exception& error) {
        return log_refused(name, internal_error, error.what());
    } catch (...) {
        return log_refused(name, internal_error, "an error of unknown kind");
    }
}

}  // namespace seiche::compat
