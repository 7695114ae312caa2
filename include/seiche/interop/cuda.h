/* Your own CUDA context, stream, events and device memory, for C: as cuda.hpp. No header of CUDA is needed: a
 * CUcontext, CUstream, CUevent, cudaStream_t or cudaEvent_t is a pointer, a CUdeviceptr a number. What you bring must
 * outlive what is made from it. */
#ifndef SEICHE_INTEROP_CUDA_H
#define SEICHE_INTEROP_CUDA_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* The card that a CUcontext belongs to, used through that context. A card used through its primary context, as CUDA's
 * runtime API does, is seiche_device_open("cuda:0", ...). */
seiche_status seiche_cuda_device(void* context, seiche_device** device);
/* A CUstream of the device's context; NULL is the context's default stream. It may be captured. */
seiche_status seiche_cuda_queue(const seiche_device* device, void* stream, seiche_queue** queue);
/* `bytes` bytes of device memory from a CUdeviceptr on, or from a pointer of cudaMalloc; aligned to one complex
 * element. */
seiche_status seiche_cuda_buffer(const seiche_device* device, uint64_t address, uint64_t bytes, seiche_buffer** buffer);
seiche_status seiche_cuda_pointer_buffer(const seiche_device* device, void* address, uint64_t bytes,
                                         seiche_buffer** buffer);
/* A new buffer that is the same `period` bytes of memory again and again. */
seiche_status seiche_cuda_repeating_buffer(const seiche_device* device, uint64_t period, uint64_t bytes,
                                           seiche_buffer** buffer);
/* What is enqueued on `queue` from now on begins after what this CUevent has last recorded. */
seiche_status seiche_cuda_wait_for(seiche_queue* queue, void* event);
/* Your CUevent records this point of the queue. */
seiche_status seiche_cuda_record(seiche_queue* queue, void* event);

/* The native objects behind Seiche's own: a CUcontext, a CUstream, a CUdeviceptr. */
seiche_status seiche_cuda_context(const seiche_device* device, void** context);
seiche_status seiche_cuda_stream(const seiche_queue* queue, void** stream);
seiche_status seiche_cuda_address(const seiche_buffer* buffer, uint64_t* address);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
