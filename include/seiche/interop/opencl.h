/* Your own OpenCL context, command queue and memory objects, for C: as opencl.hpp. No header of OpenCL is needed: a
 * cl_context, cl_device_id, cl_command_queue or cl_mem is a pointer. Seiche keeps a reference to each, as OpenCL counts
 * them. */
#ifndef SEICHE_INTEROP_OPENCL_H
#define SEICHE_INTEROP_OPENCL_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* What a cl_event points to. */
struct _cl_event; /* NOLINT(bugprone-reserved-identifier): OpenCL's name */

/* One device (cl_device_id) of your cl_context. */
seiche_status seiche_opencl_device(void* context, void* device_id, seiche_device** device);
/* An in-order cl_command_queue of the device's context. */
seiche_status seiche_opencl_queue(const seiche_device* device, void* command_queue, seiche_queue** queue);
/* The whole of a cl_mem of the device's context, a buffer or sub-buffer. */
seiche_status seiche_opencl_buffer(const seiche_device* device, void* memory, seiche_buffer** buffer);
/* `bytes` bytes of shared virtual memory, and of Intel's unified shared memory, from `pointer` on. */
seiche_status seiche_opencl_svm_buffer(const seiche_device* device, void* pointer, uint64_t bytes,
                                       seiche_buffer** buffer);
seiche_status seiche_opencl_usm_buffer(const seiche_device* device, void* pointer, uint64_t bytes,
                                       seiche_buffer** buffer);
/* What is enqueued on `queue` from now on begins after all of these `count` cl_events. */
seiche_status seiche_opencl_wait_for(seiche_queue* queue, struct _cl_event* const* events, size_t count);
/* A cl_event that is complete when all that was enqueued on `queue` before is; clReleaseEvent is yours. */
seiche_status seiche_opencl_record(seiche_queue* queue, struct _cl_event** event);

/* The native objects behind Seiche's own, not retained for you: a cl_context, a cl_device_id, a cl_command_queue, a
 * cl_mem, a pointer of SVM or USM. */
seiche_status seiche_opencl_context(const seiche_device* device, void** context);
seiche_status seiche_opencl_device_id(const seiche_device* device, void** device_id);
seiche_status seiche_opencl_command_queue(const seiche_queue* queue, void** command_queue);
seiche_status seiche_opencl_memory(const seiche_buffer* buffer, void** memory);
seiche_status seiche_opencl_pointer(const seiche_buffer* buffer, void** pointer);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
