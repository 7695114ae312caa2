// The numbers and structures that cuFFT and hipFFT document, declared anew: both interfaces have the same ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seiche::compat {

/// What every function returns: cufftResult and hipfftResult.
enum Code : int {
    success = 0,
    invalid_plan = 1,
    alloc_failed = 2,
    invalid_type = 3,
    invalid_value = 4,
    internal_error = 5,
    exec_failed = 6,
    setup_failed = 7,
    invalid_size = 8,
    unaligned_data = 9,
    invalid_device = 11,
    no_workspace = 13,
    not_implemented = 14,
    not_supported = 16,
    missing_dependency = 17,
    nvrtc_failure = 18,
    nvjitlink_failure = 19,
};
/// "CUFFT_INVALID_PLAN", "HIPFFT_INVALID_PLAN".
const char* name_of(int code) noexcept;

/// cufftType and hipfftType.
enum TransformType : int {
    type_c2c = 0x29,
    type_r2c = 0x2a,
    type_c2r = 0x2c,
    type_z2z = 0x69,
    type_d2z = 0x6a,
    type_z2d = 0x6c,
};

/// cudaDataType and hipDataType, as far as arrays of a transform have them.
enum DataType : int {
    data_r32f = 0,
    data_r64f = 1,
    data_r16f = 2,
    data_c32f = 4,
    data_c64f = 5,
    data_c16f = 6,
    data_r16bf = 14,
    data_c16bf = 15,
};

constexpr int direction_forward = -1, direction_inverse = 1;

/// cufftXtSubFormat.
enum SubFormat : int {
    format_input = 0,
    format_output = 1,
    format_inplace = 2,
    format_inplace_shuffled = 3,
    format_1d_input_shuffled = 4,
    format_distributed_input = 5,
    format_distributed_output = 6,
};

/// cufftMpCommType.
enum CommType : int { comm_mpi = 0, comm_none = 1 };

/// cufftXtCopyType.
enum CopyType : int { copy_host_to_device = 0, copy_device_to_host = 1, copy_device_to_device = 2 };

/// cufftXtWorkAreaPolicy.
enum WorkAreaPolicy : int { work_area_minimal = 0, work_area_user = 1, work_area_performance = 2 };

/// cufftProperty.
enum PlanProperty : int { property_patient_jit = 1, property_host_threads = 2 };

/// libraryPropertyType.
enum LibraryProperty : int { property_major = 0, property_minor = 1, property_patch = 2 };

/// cudaXtDesc and hipXtDesc: memory on up to 64 cards.
struct XtDescriptor {
    int version;
    int card_count;
    int cards[64];
    void* data[64];
    std::size_t size[64];
    void* state;
};

/// cudaLibXtDesc and hipLibXtDesc.
struct LibXtDescriptor {
    int version;
    XtDescriptor* descriptor;
    int library;
    int sub_format;
    void* library_descriptor;
};

static_assert(sizeof(XtDescriptor) == 8 + 64 * (4 + 8 + 8) + 8 && sizeof(LibXtDescriptor) == 32);

#ifdef SEICHE_COMPAT_HIPFFT
using Handle = void*;  // a pointer to a structure that nobody sees
#else
using Handle = int;
constexpr Handle plan_null = -1;
#endif

}  // namespace seiche::compat
