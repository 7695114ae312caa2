// The library's errors: one line each, beginning with whose fault it was.
#include "seiche/error.hpp"

#include <algorithm>
#include <cstring>

namespace seiche {

const char* to_string(ErrorKind kind) noexcept {
    switch (kind) {
        case ErrorKind::invalid_problem: return "InvalidProblem";
        case ErrorKind::unsupported: return "Unsupported";
        case ErrorKind::backend: return "BackendError";
        case ErrorKind::internal: return "InternalError";
        case ErrorKind::missing_function: return "MissingFunction";
    }
    return "Error";
}

namespace {

/// A text that a message quotes may have line ends and other control characters: a message is one line.
std::string one_line(std::string text) {
    constexpr char rubout = '\x7f';
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == rubout; };
    std::replace_if(text.begin(), text.end(), is_control, ' ');
    return text;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(one_line(std::string(to_string(kind)) + ": " + message)), kind_(kind) {}

const char* Error::reason() const noexcept { return what() + std::strlen(to_string(kind_)) + std::strlen(": "); }

}  // namespace seiche
