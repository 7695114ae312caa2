/* The three types of HIP's header that Seiche's interop header names, for tests on a machine without HIP. */
#pragma once
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef void* hipDeviceptr_t;
