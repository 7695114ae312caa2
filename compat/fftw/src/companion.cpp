// libfftw3_threads and libfftw3_omp: programs that link with them look for these names there. Each calls the function
// of the main library, which has it too, whichever the program has found first.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "precision.hpp"

using namespace seiche_fftw;  // NOLINT(google-build-using-namespace): every function here is made of it

namespace {

void* main_library() {
    // It is among what this library was linked with, so that it is there; its own handle finds its own names.
    static void* const handle = dlopen(library_file, RTLD_NOW | RTLD_NOLOAD);
    return handle;
}

void* function(const char* name) {
    void* const found = main_library() == nullptr ? nullptr : dlsym(main_library(), name);
    if (found != nullptr) return found;
    std::fprintf(stderr, "seiche: %s has no %s: expected Seiche's library beside this one\n", library_file, name);
    std::abort();
}

}  // namespace

#define FORWARD_TO(symbol, result, parameters, arguments)                                  \
    extern "C" result symbol parameters {                                                  \
        static const auto own = reinterpret_cast<result(*) parameters>(function(#symbol)); \
        return own arguments;                                                              \
    }
#define FORWARD(symbol, result, parameters, arguments) FORWARD_TO(symbol, result, parameters, arguments)
#define FORTRAN(name, parameters, arguments)                        \
    FORWARD(SEICHE_FFTW_FORTRAN(name), void, parameters, arguments) \
    FORWARD(SEICHE_FFTW_FORTRAN_G77(name), void, parameters, arguments)

FORWARD(SEICHE_FFTW(init_threads), int, (), ())
FORWARD(SEICHE_FFTW(cleanup_threads), void, (), ())
FORWARD(SEICHE_FFTW(plan_with_nthreads), void, (int threads), (threads))
FORWARD(SEICHE_FFTW(planner_nthreads), int, (), ())
FORWARD(SEICHE_FFTW(make_planner_thread_safe), void, (), ())
FORWARD(SEICHE_FFTW(threads_set_callback), void,
        (void (*loop)(void* (*)(char*), char*, std::size_t, int, void*), void* data), (loop, data))
FORTRAN(init_threads, (int* is_fine), (is_fine))
FORTRAN(cleanup_threads, (), ())
FORTRAN(plan_with_nthreads, (const int* threads), (threads))
FORTRAN(planner_nthreads, (int* threads), (threads))
