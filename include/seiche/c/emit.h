/* The generated source of a plan's kernels, without a device, as emit.hpp has it. Whatever is returned from a handle is
 * valid while the handle is. Limits may be NULL for the defaults, a tuning NULL or "". */
#ifndef SEICHE_C_EMIT_H
#define SEICHE_C_EMIT_H

#include "seiche/c/problem.h"
#include "seiche/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif
SEICHE_EXPORT_BEGIN

/* What kernels are written in, as Dialect of emit.hpp says of each. */
typedef enum seiche_dialect {
    SEICHE_DIALECT_CUDA = 0,
    SEICHE_DIALECT_HIP = 1,
    SEICHE_DIALECT_OPENCL = 2,
    SEICHE_DIALECT_SPIRV = 3,
    SEICHE_DIALECT_SPIRV_OPENCL = 4,
    SEICHE_DIALECT_GLSL = 5,
    SEICHE_DIALECT_GLSL_ES = 6,
    SEICHE_DIALECT_PTX = 7,
    SEICHE_DIALECT_X86 = 8,
    SEICHE_DIALECT_ARM64 = 9
} seiche_dialect;
/* "cuda" ...; "unknown" for other numbers. */
const char* seiche_dialect_name(seiche_dialect dialect);
/* 0 for SPIR-V, and for other numbers. */
int seiche_dialect_is_text(seiche_dialect dialect);

/* One launch, as EmittedKernel. */
typedef struct seiche_emitted_kernel {
    size_t struct_size;
    const char* name;      /* entry point; in GLSL it is called main */
    const char* source;    /* a whole compilation unit; "" for SPIR-V */
    const uint32_t* words; /* the module, for SPIR-V */
    size_t word_count;
    size_t buffer_count, scalar_count, image_count;
    uint64_t groups; /* in one dimension, for the problem's batch */
    uint64_t shared_bytes;
    uint32_t group_size;
    uint32_t subgroup_size;      /* that a pipeline must be made with; 0: any */
    uint32_t groups_per_cluster; /* more than 1: the launch must ask for clusters of so many (CUDA) */
    uint32_t argument_words;     /* of `arguments` (GLSL) or of the push constants (SPIR-V for Vulkan); else 0 */
    int dynamic_shared;          /* not 0: the shared memory is to be given at the launch (CUDA, HIP) */
    int reserved;
} seiche_emitted_kernel;
#define SEICHE_EMITTED_KERNEL_INIT \
    { sizeof(seiche_emitted_kernel), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
void seiche_emitted_kernel_init(seiche_emitted_kernel* kernel, size_t struct_size);

/* A buffer, a number and an image that a kernel takes, as EmittedBuffer, EmittedScalar and EmittedImage. */
typedef struct seiche_emitted_buffer {
    size_t struct_size;
    const char* name;
    const char* holds;
    const char* element; /* type of one element, e.g. "f32x2" */
    int reads, writes;
    uint64_t byte_offset; /* where the kernel's element 0 is, in the array or its part */
    uint64_t bytes;       /* that the whole array has; 0: a stage's, which says so */
    const void* contents; /* of a table: what must be in it */
    size_t content_bytes;
    uint32_t part; /* which of several that the array lies in */
    uint32_t reserved;
} seiche_emitted_buffer;
#define SEICHE_EMITTED_BUFFER_INIT \
    { sizeof(seiche_emitted_buffer), NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, 0, 0 }
void seiche_emitted_buffer_init(seiche_emitted_buffer* buffer, size_t struct_size);
typedef struct seiche_emitted_scalar {
    size_t struct_size;
    const char* name;
    const char* type; /* e.g. "u32" */
    uint64_t value;   /* for the problem's batch; of a user's stage 0 */
    uint32_t word;    /* GLSL and SPIR-V for Vulkan: its place among the arguments, in words of 4 bytes */
    uint32_t reserved;
} seiche_emitted_scalar;
#define SEICHE_EMITTED_SCALAR_INIT \
    { sizeof(seiche_emitted_scalar), NULL, NULL, 0, 0, 0 }
void seiche_emitted_scalar_init(seiche_emitted_scalar* scalar, size_t struct_size);
typedef struct seiche_emitted_image {
    size_t struct_size;
    const char* name;
    const char* holds; /* "input" or "output" */
    int reads, writes;
    uint64_t width, height; /* at least, for the problem's batch */
    seiche_image_format format;
    uint32_t binding; /* GLSL: its image unit; SPIR-V for Vulkan: its binding in set 0 */
} seiche_emitted_image;
#define SEICHE_EMITTED_IMAGE_INIT \
    { sizeof(seiche_emitted_image), NULL, NULL, 0, 0, 0, 0, SEICHE_IMAGE_NONE, 0 }
void seiche_emitted_image_init(seiche_emitted_image* image, size_t struct_size);

/* The kernels that run the problem in a direction, in order. SEICHE_DIRECTION_OF_PLAN: forward, of c2r inverse. */
typedef struct seiche_emission seiche_emission;
seiche_status seiche_emit_kernels(const seiche_problem* problem, seiche_dialect dialect,
                                  const seiche_device_limits* limits, seiche_direction direction, const char* tuning,
                                  seiche_emission** emission);
void seiche_emission_release(seiche_emission* emission);
size_t seiche_emission_count(const seiche_emission* emission);
seiche_status seiche_emission_kernel(const seiche_emission* emission, size_t kernel, seiche_emitted_kernel* emitted);
seiche_status seiche_emission_buffer(const seiche_emission* emission, size_t kernel, size_t index,
                                     seiche_emitted_buffer* buffer);
seiche_status seiche_emission_scalar(const seiche_emission* emission, size_t kernel, size_t index,
                                     seiche_emitted_scalar* scalar);
seiche_status seiche_emission_image(const seiche_emission* emission, size_t kernel, size_t index,
                                    seiche_emitted_image* image);

/* The core of one transform as a function for a kernel of your own, as DeviceFunction of emit.hpp. */
typedef struct seiche_device_function seiche_device_function;
typedef struct seiche_device_function_info {
    size_t struct_size;
    const char* name;   /* e.g. "seiche_fft_1024" */
    const char* source; /* to be put before the kernel that calls it */
    uint32_t points;
    uint32_t threads;   /* that transform it together */
    uint32_t registers; /* complex numbers of each thread */
    uint32_t reserved;
    uint64_t shared_bytes;
    uint64_t twiddle_bytes; /* of the table of constants in the source */
} seiche_device_function_info;
#define SEICHE_DEVICE_FUNCTION_INFO_INIT \
    { sizeof(seiche_device_function_info), NULL, NULL, 0, 0, 0, 0, 0, 0 }
void seiche_device_function_info_init(seiche_device_function_info* info, size_t struct_size);
seiche_status seiche_emit_device_function(const seiche_problem* problem, seiche_dialect dialect,
                                          const seiche_device_limits* limits, seiche_direction direction,
                                          const char* tuning, seiche_device_function** function);
void seiche_device_function_release(seiche_device_function* function);
seiche_status seiche_device_function_get(const seiche_device_function* function, seiche_device_function_info* info);

SEICHE_EXPORT_END
#ifdef __cplusplus
}
#endif

#endif
