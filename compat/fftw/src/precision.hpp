// One source, compiled once for each precision: the real type, and the names that go with it.
#pragma once

#include "fftw3.h"

#if SEICHE_FFTW_SINGLE
#define SEICHE_FFTW(name) SEICHE_FFTW_FLOAT(name)
#define SEICHE_FFTW_FORTRAN(name) sfftw_##name##_
#define SEICHE_FFTW_FORTRAN_G77(name) sfftw_##name##__
#define SEICHE_FFTW_NAME(name) "fftwf_" name
#else
#define SEICHE_FFTW(name) SEICHE_FFTW_DOUBLE(name)
#define SEICHE_FFTW_FORTRAN(name) dfftw_##name##_
#define SEICHE_FFTW_FORTRAN_G77(name) dfftw_##name##__
#define SEICHE_FFTW_NAME(name) "fftw_" name
#endif

namespace seiche_fftw {

#if SEICHE_FFTW_SINGLE
using Real = float;
using Complex = fftwf_complex;
using PlanPointer = fftwf_plan;
constexpr const char* precision_name = "f32";
constexpr const char* library_file = "libfftw3f.so.3";
constexpr const char* system_wisdom_file = "/etc/fftw/wisdomf";
#else
using Real = double;
using Complex = fftw_complex;
using PlanPointer = fftw_plan;
constexpr const char* precision_name = "f64";
constexpr const char* library_file = "libfftw3.so.3";
constexpr const char* system_wisdom_file = "/etc/fftw/wisdom";
#endif

}  // namespace seiche_fftw
