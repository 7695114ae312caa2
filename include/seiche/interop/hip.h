/* Your own HIP streams, events and device memory, for C: as hip.hpp. No header of HIP is needed: a hipStream_t,
 * hipEvent_t or pointer of hipMalloc is a `void*`. What you bring must outlive what is made from it. A card is
 * seiche_device_open("hip:0", ...). */
#ifndef SEICHE_INTEROP_HIP_H
#define SEICHE_INTEROP_HIP_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* A hipStream_t of the device's card; NULL is its default stream. It may be captured. */
seiche_status seiche_hip_queue(const seiche_device* device, void* stream, seiche_queue** queue);
/* `bytes` bytes of device memory from `address` on, aligned to one complex element. */
seiche_status seiche_hip_buffer(const seiche_device* device, void* address, uint64_t bytes, seiche_buffer** buffer);
/* What is enqueued on `queue` from now on begins after what this hipEvent_t has last recorded. */
seiche_status seiche_hip_wait_for(seiche_queue* queue, void* event);
/* Your hipEvent_t records this point of the queue. */
seiche_status seiche_hip_record(seiche_queue* queue, void* event);

/* The native objects behind Seiche's own: the card's number, a hipStream_t, a pointer. */
seiche_status seiche_hip_ordinal(const seiche_device* device, int* ordinal);
seiche_status seiche_hip_stream(const seiche_queue* queue, void** stream);
seiche_status seiche_hip_address(const seiche_buffer* buffer, void** address);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
