/* Your own Vulkan instance, device, queue, buffers and image views, and plans recorded into your own command buffers,
 * for C: as vulkan.hpp, which says what of yours must be how. No header of Vulkan is needed: dispatchable handles
 * (VkInstance, VkDevice, VkQueue, VkCommandBuffer) are pointers, the others (VkBuffer, VkImageView, VkSemaphore) are
 * numbers, as `(uint64_t)handle` makes them. */
#ifndef SEICHE_INTEROP_VULKAN_H
#define SEICHE_INTEROP_VULKAN_H

#include "seiche/seiche.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* Your device. Nothing of it is ever destroyed, and nothing is used that is not said to be enabled. Features are 0 or
 * not 0; those that are left out make plans that need them SEICHE_UNSUPPORTED. */
typedef struct seiche_vulkan_native_device {
    size_t struct_size;
    void* instance;               /* VkInstance, made with apiVersion 1.1 or newer */
    void* physical_device;        /* VkPhysicalDevice of Vulkan 1.1 or newer */
    void* device;                 /* VkDevice */
    void* queue;                  /* VkQueue that can compute */
    void* get_instance_proc_addr; /* PFN_vkGetInstanceProcAddr; NULL: that of this machine's Vulkan loader */
    uint32_t queue_family;        /* of that queue, and of the command buffers that plans are recorded into */
    int shader_float64;
    int shader_int64;
    int storage_buffer_16bit;
    int storage_buffer_8bit;
    int storage_image_extended_formats;
    int timeline_semaphore;
    int push_descriptor;
    int subgroup_size_control;
    int compute_full_subgroups;
    int buffer_device_address;
    int reserved; /* 0 */
} seiche_vulkan_native_device;
#define SEICHE_VULKAN_NATIVE_DEVICE_INIT \
    { sizeof(seiche_vulkan_native_device), NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_vulkan_native_device_init(seiche_vulkan_native_device* native, size_t struct_size);

seiche_status seiche_vulkan_device(const seiche_vulkan_native_device* native, seiche_device** device);
/* `bytes` of your VkBuffer from its start. */
seiche_status seiche_vulkan_buffer(const seiche_device* device, uint64_t vk_buffer, uint64_t bytes,
                                   seiche_buffer** buffer);
/* Your VkImageView of this format. */
seiche_status seiche_vulkan_image(const seiche_device* device, uint64_t view, seiche_image_format format,
                                  uint32_t width, uint32_t height, seiche_image** image);
/* What is enqueued on `queue` from now on begins when your timeline VkSemaphore has at least this value. */
seiche_status seiche_vulkan_wait_for(seiche_queue* queue, uint64_t semaphore, uint64_t value);
/* Your timeline VkSemaphore gets this value when all that was enqueued on `queue` before has run. */
seiche_status seiche_vulkan_signal(seiche_queue* queue, uint64_t semaphore, uint64_t value);

/* The arguments of an execution, bound once; they keep plan, buffers and workspace, and must live until the commands
 * that they recorded have run. */
typedef struct seiche_vulkan_bindings seiche_vulkan_bindings;
seiche_status seiche_vulkan_bindings_create(const seiche_plan* plan, const seiche_execution* execution,
                                            seiche_vulkan_bindings** bindings);
seiche_status seiche_vulkan_bindings_create_convolution(const seiche_convolution_plan* plan,
                                                        const seiche_convolution_execution* execution,
                                                        seiche_vulkan_bindings** bindings);
void seiche_vulkan_bindings_release(seiche_vulkan_bindings* bindings);
/* Appends the execution to a VkCommandBuffer that is being recorded, outside a render pass. */
seiche_status seiche_vulkan_bindings_record(const seiche_vulkan_bindings* bindings, void* command_buffer);

/* The native objects behind Seiche's own: a VkDevice, a VkQueue, a VkBuffer. */
seiche_status seiche_vulkan_device_handle(const seiche_device* device, void** handle);
seiche_status seiche_vulkan_queue_handle(const seiche_queue* queue, void** handle);
seiche_status seiche_vulkan_buffer_handle(const seiche_buffer* buffer, uint64_t* handle);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
