// The module seichefft._native: the library's values as Python sees them. It knows addresses, queues and problems, and
// nothing of array libraries.
#include "bindings.hpp"

NB_MODULE(_native, module) {
    // Other libraries may keep our objects until the interpreter ends, of which nothing is to be printed.
    nanobind::set_leak_warnings(false);
    module.doc() = "The library behind seichefft: devices, problems, plans and reports.";
    seichefft::watch_the_end();
    module.attr("version") = seiche::version();
    seichefft::bind_errors(module);
    seichefft::bind_devices(module);
    seichefft::bind_problems(module);
    seichefft::bind_reports(module);
    seichefft::bind_plans(module);
    seichefft::bind_calls(module);
    seichefft::bind_convolutions(module);
    seichefft::bind_spectral(module);
    seichefft::bind_short_time(module);
    seichefft::bind_dense_calls(module);
}
