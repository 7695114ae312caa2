// The library's errors: one line each, beginning with whose fault it was.
#include "seiche/error.hpp"

namespace seiche {

const char* to_string(ErrorKind kind) noexcept {
    switch (kind) {
        case ErrorKind::invalid_problem: return "InvalidProblem";
        case ErrorKind::unsupported: return "Unsupported";
        case ErrorKind::backend: return "BackendError";
        case ErrorKind::internal: return "InternalError";
    }
    return "Error";
}

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(std::string(to_string(kind)) + ": " + message), kind_(kind) {}

}  // namespace seiche
