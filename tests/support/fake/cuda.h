/* The four types of CUDA's header that Seiche's interop header names, for tests on a machine without CUDA. */
#pragma once
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef unsigned long long CUdeviceptr;
