// The library's errors as Python's: a wrong argument is a ValueError, all else a seichefft.Error.
#include <exception>
#include <string>

#include "bindings.hpp"

namespace seichefft {

namespace {

/// The exceptions live as long as the process, as Python's own do.
PyObject* error_type = nullptr;
PyObject* unsupported_type = nullptr;

PyObject* type_of(seiche::ErrorKind kind) {
    switch (kind) {
        case seiche::ErrorKind::invalid_problem:
        case seiche::ErrorKind::missing_function: return PyExc_ValueError;
        case seiche::ErrorKind::unsupported: return unsupported_type;
        case seiche::ErrorKind::backend:
        case seiche::ErrorKind::internal: return error_type;
    }
    return error_type;
}

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const seiche::Error& error) {
        PyErr_SetString(type_of(error.kind()), error.reason());  // the type says the kind
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
