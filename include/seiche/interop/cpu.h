/* Your own memory and threads for the processor as a device ("cpu:0"), for C: as cpu.hpp. What you bring must outlive
 * what is made from it. */
#ifndef SEICHE_INTEROP_CPU_H
#define SEICHE_INTEROP_CPU_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* `bytes` bytes of your memory from `pointer` on, without a copy. */
seiche_status seiche_cpu_buffer(const seiche_device* device, void* pointer, uint64_t bytes, seiche_buffer** buffer);
/* Where the bytes of a buffer of the processor are; valid while the buffer is. */
seiche_status seiche_cpu_data(const seiche_buffer* buffer, void** pointer);

/* How many threads one execution may have from now on, in the whole process, 1 to 1024; 0: as many as at the start. */
seiche_status seiche_cpu_set_threads(uint32_t threads);

/* Calls piece(context, i) once for each i below `count`, in any order and in any threads, and returns when all have
 * returned. */
typedef void (*seiche_cpu_parallel_for)(void* user, size_t count, void (*piece)(void* context, size_t index),
                                        void* context);
/* From now on executions and large copies are divided among your own threads by `parallel_for`, in the whole process;
 * NULL: by Seiche's pool again. `user` is handed to it. */
seiche_status seiche_cpu_set_parallel_for(seiche_cpu_parallel_for parallel_for, void* user);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
