/* Your own Level Zero driver, context, device, command lists and memory, and plans recorded into your own command
 * lists, for C: as level_zero.hpp. No header of Level Zero is needed: every handle is a pointer. What you bring must
 * outlive what is made from it. */
#ifndef SEICHE_INTEROP_LEVEL_ZERO_H
#define SEICHE_INTEROP_LEVEL_ZERO_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* Your device. Nothing of it is ever destroyed. */
typedef struct seiche_level_zero_native_device {
    size_t struct_size;
    void* driver;  /* ze_driver_handle_t */
    void* context; /* ze_context_handle_t */
    void* device;  /* ze_device_handle_t */
} seiche_level_zero_native_device;
#define SEICHE_LEVEL_ZERO_NATIVE_DEVICE_INIT \
    { sizeof(seiche_level_zero_native_device), NULL, NULL, NULL }
void seiche_level_zero_native_device_init(seiche_level_zero_native_device* native, size_t struct_size);

seiche_status seiche_level_zero_device(const seiche_level_zero_native_device* native, seiche_device** device);
/* An immediate command list, whose queue group computes. */
seiche_status seiche_level_zero_queue(const seiche_device* device, void* command_list, seiche_queue** queue);
/* `bytes` bytes of device, shared or host memory of the device's context from `address` on. */
seiche_status seiche_level_zero_buffer(const seiche_device* device, void* address, uint64_t bytes,
                                       seiche_buffer** buffer);
/* Append an execution to a command list that is being recorded, or to an immediate one. */
seiche_status seiche_level_zero_record(const seiche_plan* plan, const seiche_execution* execution, void* command_list);
seiche_status seiche_level_zero_record_convolution(const seiche_convolution_plan* plan,
                                                   const seiche_convolution_execution* execution, void* command_list);

/* The native objects behind Seiche's own. */
seiche_status seiche_level_zero_context_handle(const seiche_device* device, void** context);
seiche_status seiche_level_zero_device_handle(const seiche_device* device, void** handle);
seiche_status seiche_level_zero_command_list_handle(const seiche_queue* queue, void** command_list);
seiche_status seiche_level_zero_address(const seiche_buffer* buffer, void** address);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
