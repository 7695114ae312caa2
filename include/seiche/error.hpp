// Errors: what went wrong, whose fault it was, what was expected and what came.
#pragma once

#include <stdexcept>
#include <string>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// Whose fault an error is.
enum class ErrorKind {
    invalid_problem,  ///< The caller asked for something that makes no sense; the message names the field and the rule.
    unsupported,      ///< The problem is sound, but this device or backend lacks what it needs.
    backend,          ///< A driver call failed; the message names the call, its code and the kernel.
    internal,         ///< A defect of Seiche.
    missing_function,  ///< The caller's, too: the code of a stage's function has no function of the name it was given.
};

/// "InvalidProblem", "Unsupported", "BackendError", "InternalError" or "MissingFunction".
const char* to_string(ErrorKind kind) noexcept;

/// Every failure of the library. `what()` is one line: the kind, the fault, what was expected, what came.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message);
    ErrorKind kind() const noexcept { return kind_; }
    /// `what()` without the kind and the colon behind it. Valid as long as the error.
    const char* reason() const noexcept;

private:
    ErrorKind kind_;
};

struct InvalidProblem : Error {
    explicit InvalidProblem(const std::string& message) : Error(ErrorKind::invalid_problem, message) {}

protected:
    InvalidProblem(ErrorKind kind, const std::string& message) : Error(kind, message) {}
};
struct Unsupported : Error {
    explicit Unsupported(const std::string& message) : Error(ErrorKind::unsupported, message) {}
};
struct BackendError : Error {
    explicit BackendError(const std::string& message) : Error(ErrorKind::backend, message) {}
};
struct InternalError : Error {
    explicit InternalError(const std::string& message) : Error(ErrorKind::internal, message) {}
};
/// A stage's function (`StageFunction::symbol`) is not in its code. Those who do not know how a compiler spelled the
/// name may try another.
struct MissingFunction : InvalidProblem {
    explicit MissingFunction(const std::string& message) : InvalidProblem(ErrorKind::missing_function, message) {}
};

}  // namespace seiche
SEICHE_EXPORT_END
