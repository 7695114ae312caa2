/* The C interface (C99): opaque handles, status codes, and a message per thread. Each function does what its C++
 * counterpart in the header of the same name does; docs/reference/c.md maps them. Native objects of CUDA, HIP, Level
 * Zero, OpenCL, OpenGL and Vulkan are for the headers in seiche/interop. */
#ifndef SEICHE_H
#define SEICHE_H

#include "seiche/c/convolution.h"
#include "seiche/c/core.h"
#include "seiche/c/device.h"
#include "seiche/c/emit.h"
#include "seiche/c/inspect.h"
#include "seiche/c/plan.h"
#include "seiche/c/problem.h"
#include "seiche/c/short_time.h"
#include "seiche/c/spectral.h"

#endif
