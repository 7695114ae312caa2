/* Devices, queues, memory, events, images and the cache of kernels, as device.hpp, image.hpp and cache.hpp have them.
 */
#ifndef SEICHE_C_DEVICE_H
#define SEICHE_C_DEVICE_H

#include "seiche/c/core.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* ---- what a device is ---- */

typedef enum seiche_backend {
    SEICHE_BACKEND_REFERENCE = 0,
    SEICHE_BACKEND_CUDA = 1,
    SEICHE_BACKEND_HIP = 2,
    SEICHE_BACKEND_LEVEL_ZERO = 3,
    SEICHE_BACKEND_VULKAN = 4,
    SEICHE_BACKEND_OPENCL = 5,
    SEICHE_BACKEND_OPENGL = 6,
    SEICHE_BACKEND_CPU = 7
} seiche_backend;
/* "cuda" ...; "unknown" for other numbers. */
const char* seiche_backend_name(seiche_backend backend);

/* How a device computes, as Vectors of device.hpp. */
typedef enum seiche_vectors {
    SEICHE_VECTORS_SUBGROUPS = 0,
    SEICHE_VECTORS_EXPLICIT_SIMD = 1,
    SEICHE_VECTORS_IMPLICIT_SIMD = 2
} seiche_vectors;

/* What planning needs to know of a device, as DeviceLimits of device.hpp: given to plan for a device that is not there,
 * and filled in by seiche_device_get_limits. Flags are 0 or not 0. */
typedef struct seiche_device_limits {
    size_t struct_size;
    const char* architecture; /* compiler target, e.g. "sm_90"; NULL: "generic" */
    seiche_vectors vectors;
    uint32_t subgroup_size; /* threads in lockstep */
    uint32_t vector_bytes;  /* SIMD register of an explicit_simd device */
    uint32_t max_group_size;
    uint32_t shared_bytes;          /* that one group may have */
    uint32_t shared_bytes_per_unit; /* of one compute unit */
    uint32_t registers_per_thread;  /* of 32 bits */
    uint32_t compute_units;
    uint32_t max_cluster_size; /* groups that can share memory */
    uint64_t max_allocation_bytes;
    uint64_t max_buffer_bytes;        /* of one buffer argument of a kernel; 0: no limit */
    uint64_t max_addressed_bytes;     /* the same of one given by its address; 0: it cannot be */
    uint64_t memory_bytes;            /* of the device */
    uint64_t memory_bytes_per_second; /* 0: the driver does not tell */
    uint64_t cache_bytes;             /* last level that all units share */
    uint32_t sector_bytes;            /* smallest piece of memory moved */
    uint32_t shared_banks;            /* of 4 bytes each */
    int fp64;
    int exact_fp64; /* fp64 is rounded once to nearest and keeps denormals, as f64x2 needs */
    int fp16_storage;
    int fp16_arithmetic;
    int fast_fma;
    int waits_for_groups;      /* a group may wait for what an earlier one wrote */
    int bounds_registers;      /* the compiler heeds how many groups a unit should hold */
    int fixed_subgroups;       /* subgroups have that size for certain */
    int part_barriers;         /* parts of a group have barriers of their own */
    int reserved;              /* 0 */
    uint64_t unit_cache_bytes; /* largest cache that a unit has for itself; 0: not known */
} seiche_device_limits;
#define SEICHE_DEVICE_LIMITS_INIT                                                                                     \
    {                                                                                                                 \
        sizeof(seiche_device_limits), NULL, SEICHE_VECTORS_SUBGROUPS, 32, 64, 1024, 48 * 1024, 96 * 1024, 255, 1, 1,  \
            (uint64_t)1 << 31, 0, 0, (uint64_t)1 << 32, 0, (uint64_t)1 << 21, 32, 32, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0 \
    }
void seiche_device_limits_init(seiche_device_limits* limits, size_t struct_size);

/* One line of the list of devices; where `available` is 0 the backend is absent, and `remedy` says what would mend it.
 * Filled in by the library; texts are valid while the list or the device is. */
typedef struct seiche_device_info {
    size_t struct_size;
    const char* name;        /* for seiche_device_open, e.g. "cuda:0" */
    const char* description; /* the driver's own name for the device */
    seiche_backend backend;
    int available;
    int is_gpu;
    int reserved;
    const char* driver;  /* driver and compiler versions */
    const char* problem; /* why it is not available; "" otherwise */
    const char* remedy;  /* what would mend that */
} seiche_device_info;
#define SEICHE_DEVICE_INFO_INIT \
    { sizeof(seiche_device_info), NULL, NULL, SEICHE_BACKEND_REFERENCE, 0, 0, 0, NULL, NULL, NULL }
void seiche_device_info_init(seiche_device_info* info, size_t struct_size);

/* Every device of every backend, in the order in which the default is chosen; then the absent backends. */
typedef struct seiche_device_list seiche_device_list;
seiche_status seiche_devices(seiche_device_list** list);
size_t seiche_device_list_count(const seiche_device_list* list);
seiche_status seiche_device_list_get(const seiche_device_list* list, size_t index, seiche_device_info* info);
seiche_status seiche_device_list_get_limits(const seiche_device_list* list, size_t index, seiche_device_limits* limits);
void seiche_device_list_release(seiche_device_list* list);

/* ---- devices, queues, buffers ---- */

typedef struct seiche_device seiche_device;
typedef struct seiche_queue seiche_queue;
typedef struct seiche_buffer seiche_buffer;
typedef struct seiche_host_memory seiche_host_memory;
typedef struct seiche_event seiche_event;
typedef struct seiche_image seiche_image;

/* `name` as Device::open takes it; NULL or "": the default device. A plan keeps its device. */
seiche_status seiche_device_open(const char* name, seiche_device** device);
/* The same. `note` gets a line when a GPU had to be passed over, and why; else "". To be released with
 * seiche_text_release. */
seiche_status seiche_device_open_with_note(const char* name, seiche_device** device, char** note);
void seiche_device_release(seiche_device* device);
/* E.g. "opencl:0", and the driver's own name for it. Valid while the handle is; "" for NULL. */
const char* seiche_device_name(const seiche_device* device);
const char* seiche_device_description(const seiche_device* device);
seiche_status seiche_device_get_info(const seiche_device* device, seiche_device_info* info);
seiche_status seiche_device_get_limits(const seiche_device* device, seiche_device_limits* limits);

seiche_status seiche_queue_create(const seiche_device* device, seiche_queue** queue);
void seiche_queue_release(seiche_queue* queue);
/* Returns when everything enqueued before has run. */
seiche_status seiche_queue_wait(seiche_queue* queue);
/* Calls work(user), which enqueues on this queue; what it enqueues is handed to the driver together, as Queue::batch of
 * device.hpp says. Returns what `work` returns, and its message. */
seiche_status seiche_queue_batch(seiche_queue* queue, seiche_status (*work)(void* user), void* user);

/* Marks this point of the queue, for timing. */
seiche_status seiche_queue_record(seiche_queue* queue, seiche_event** event);
/* Device time in milliseconds between two marks of this queue; waits for the later. */
seiche_status seiche_queue_milliseconds(seiche_queue* queue, const seiche_event* from, const seiche_event* to,
                                        double* milliseconds);
void seiche_event_release(seiche_event* event);

seiche_status seiche_buffer_create(const seiche_device* device, uint64_t bytes, seiche_buffer** buffer);
void seiche_buffer_release(seiche_buffer* buffer);
/* 0 for NULL. */
uint64_t seiche_buffer_bytes(const seiche_buffer* buffer);

/* A buffer from a byte on. */
typedef struct seiche_buffer_part {
    const seiche_buffer* buffer;
    uint64_t offset; /* bytes */
} seiche_buffer_part;

/* Copies between host and device, in the queue's order; they return when the host memory may be used again. */
seiche_status seiche_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                            size_t bytes);
seiche_status seiche_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                              size_t bytes);
/* Copies on the device, in order with the rest of the queue; returns at once. */
seiche_status seiche_copy(seiche_queue* queue, seiche_buffer* to, uint64_t to_offset, const seiche_buffer* from,
                          uint64_t from_offset, uint64_t bytes);

/* Host memory for copies that overlap with other work, as HostMemory of device.hpp. NULL has the address NULL and no
 * bytes. */
seiche_status seiche_host_memory_create(const seiche_device* device, uint64_t bytes, seiche_host_memory** memory);
void seiche_host_memory_release(seiche_host_memory* memory);
void* seiche_host_memory_data(const seiche_host_memory* memory);
uint64_t seiche_host_memory_bytes(const seiche_host_memory* memory);
/* The same copies as seiche_upload and seiche_download, enqueued: as Queue::enqueue_upload and enqueue_download of
 * device.hpp. */
seiche_status seiche_enqueue_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                                    size_t bytes);
seiche_status seiche_enqueue_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                                      size_t bytes);

/* ---- images ---- */

/* What a texel is, as ImageFormat of image.hpp. */
typedef enum seiche_image_format {
    SEICHE_IMAGE_NONE = 0,
    SEICHE_IMAGE_R32F = 1,
    SEICHE_IMAGE_RG32F = 2,
    SEICHE_IMAGE_RGBA32F = 3,
    SEICHE_IMAGE_RGBA16F = 4
} seiche_image_format;
/* "rg32f" ...; "unknown", 0 channels and 0 bytes for other numbers. */
const char* seiche_image_format_name(seiche_image_format format);
unsigned seiche_image_format_channels(seiche_image_format format);
unsigned seiche_image_format_texel_bytes(seiche_image_format format);

/* A two-dimensional image, as Device::allocate_image of device.hpp says. Headers in seiche/interop make one of a native
 * one. */
seiche_status seiche_image_create(const seiche_device* device, seiche_image_format format, uint32_t width,
                                  uint32_t height, seiche_image** image);
void seiche_image_release(seiche_image* image);
/* SEICHE_IMAGE_NONE and 0 for NULL. */
seiche_image_format seiche_image_get_format(const seiche_image* image);
uint32_t seiche_image_width(const seiche_image* image);
uint32_t seiche_image_height(const seiche_image* image);

/* ---- the cache of compiled kernels on disk ---- */

/* As CacheReport of cache.hpp; texts are valid until the next such call of this thread. */
typedef struct seiche_cache_report {
    size_t struct_size;
    const char* folder;
    uint64_t entries, bytes;
    int writable; /* 0: kernels are compiled anew in each process */
    int reserved;
    uint64_t limit_bytes;       /* what all entries may have together */
    const char* problem;        /* why the folder is not used; "" if it is */
    const char* const* refused; /* a line for each entry that would not be used */
    size_t refused_count;
} seiche_cache_report;
#define SEICHE_CACHE_REPORT_INIT \
    { sizeof(seiche_cache_report), NULL, 0, 0, 0, 0, 0, NULL, NULL, 0 }
void seiche_cache_report_init(seiche_cache_report* report, size_t struct_size);
seiche_status seiche_get_cache_report(seiche_cache_report* report);
/* Removes every entry; how many go to `removed`, which may be NULL. */
seiche_status seiche_clear_cache(uint64_t* removed);

/* ---- halves on the host ---- */

/* Bit patterns of IEEE binary16 and bfloat16, as half.hpp. */
uint16_t seiche_to_f16(float value);
float seiche_from_f16(uint16_t half);
uint16_t seiche_to_bf16(float value);
float seiche_from_bf16(uint16_t half);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
