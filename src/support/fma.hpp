// a b + c, rounded once.
#pragma once

#include <cmath>

namespace seiche::support {

#ifdef __MINGW32__
// The C library of mingw-w64 rounds twice in about a quarter of all cases (version 10), so this is our own.
double fma(double a, double b, double c);
float fma(float a, float b, float c);
#else
__attribute__((always_inline)) inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__attribute__((always_inline)) inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#endif

}  // namespace seiche::support
