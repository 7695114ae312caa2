// The library's errors as Python's: a wrong argument is a ValueError, all else a seichefft.Error.
#include <exception>
#include <string>

#include "bindings.hpp"

namespace seichefft {

namespace {

/// The exceptions live as long as the process, as Python's own do.
PyObject* error_type = nullptr;
PyObject* unsupported_type = nullptr;

/// Without the kind, which the type of the exception says.
std::string message_of(const seiche::Error& error) {
    const std::string text = error.what(), kind = std::string(seiche::to_string(error.kind())) + ": ";
    return text.rfind(kind, 0) == 0 ? text.substr(kind.size()) : text;
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const seiche::Error& error) {
        PyObject* const type = error.kind() == seiche::ErrorKind::invalid_problem ? PyExc_ValueError
                               : error.kind() == seiche::ErrorKind::unsupported   ? unsupported_type
                                                                                  : error_type;
        PyErr_SetString(type, message_of(error).c_str());
    }
}

PyObject* new_exception(nb::module_& module, const char* name, const char* doc, PyObject* base) {
    PyObject* const type = PyErr_NewExceptionWithDoc((std::string("seichefft.") + name).c_str(), doc, base, nullptr);
    if (type == nullptr) throw nb::python_error();
    module.attr(name) = nb::borrow(type);
    return type;
}

}  // namespace

void bind_errors(nb::module_& module) {
    error_type =
        new_exception(module, "Error", "A device, driver or context failed, or is not there.", PyExc_RuntimeError);
    unsupported_type =
        new_exception(module, "Unsupported", "The problem is sound, but this device lacks what it needs.", error_type);
    nb::register_exception_translator(translate);
}

}  // namespace seichefft
