// Wraps shared virtual memory and Intel's unified shared memory, after asking the device for it.
#include "runtime/opencl/pointers.hpp"

#include <string>

#include "runtime/opencl/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

void expect_address(const void* address, const char* what) {
    if (address == nullptr) throw InvalidProblem("opencl interop: the pointer to " + std::string(what) + " is null");
}

UsmApi usm_of(DeviceId device) {
    UsmApi usm;
    Platform platform = nullptr;
    check(api().clGetDeviceInfo(device, device_platform, sizeof platform, &platform, nullptr), "clGetDeviceInfo");
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
            api().clGetExtensionFunctionAddressForPlatform(platform, name));
    };
    take(usm.set_argument, "clSetKernelArgMemPointerINTEL");
    take(usm.copy, "clEnqueueMemcpyINTEL");
    take(usm.describe, "clGetMemAllocInfoINTEL");
    return usm;
}

template <class T>
T ask(const UsmApi& usm, Context context, const void* address, Uint what) {
    T answer{};
    check(usm.describe(context, address, what, sizeof answer, &answer, nullptr), "clGetMemAllocInfoINTEL");
    return answer;
}

/// A pointer beside every allocation would be found out by the device, as a fault of the kernel.
void expect_within(const UsmApi& usm, Context context, const void* address, std::uint64_t bytes) {
    if (ask<Uint>(usm, context, address, alloc_type_intel) == alloc_unknown_intel)
        throw InvalidProblem(
            "opencl interop: the pointer is of no unified shared memory of this context: expected one from "
            "clDeviceMemAllocINTEL, clSharedMemAllocINTEL or clHostMemAllocINTEL");
    const auto* base = ask<const std::byte*>(usm, context, address, alloc_base_intel);
    const std::uint64_t size = ask<std::size_t>(usm, context, address, alloc_size_intel),
                        before = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base);
    if (before > size || bytes > size - before)
        throw InvalidProblem("opencl interop: expected at most " + std::to_string(size - before) +
                             " bytes, what the allocation has from the pointer on, got " + std::to_string(bytes));
}

}  // namespace

std::shared_ptr<Buffer> wrap_svm(const OpenclDevice& device, void* address, std::uint64_t bytes) {
    expect_address(address, "shared virtual memory");
    const DeviceId id = device.session()->device;
    Bitfield capabilities = 0;
    const Int code = api().clGetDeviceInfo(id, device_svm_capabilities, sizeof capabilities, &capabilities, nullptr);
    if (code != invalid_value) check(code, "clGetDeviceInfo");
    // A device before 2.0 does not know the question.
    if (code == invalid_value || capabilities == 0)
        throw Unsupported(device.info().name +
                          ": it has no shared virtual memory: CL_DEVICE_SVM_CAPABILITIES, of OpenCL 2.0 and an option "
                          "of 3.0, expected not to be 0 on " +
                          text_info(id, device_version));
    if (api().clSetKernelArgSVMPointer == nullptr || api().clEnqueueSVMMemcpy == nullptr ||
        api().clEnqueueSVMMap == nullptr || api().clEnqueueSVMUnmap == nullptr)
        throw Unsupported(device.info().name +
                          ": the OpenCL loader is older than 2.0 and has no functions for shared virtual memory "
                          "(install a newer one, package ocl-icd-libopencl1)");
    return make_owned<OpenclBuffer>(device.session(), Place::svm, address, bytes);
}

std::shared_ptr<Buffer> wrap_usm(const OpenclDevice& device, void* address, std::uint64_t bytes) {
    expect_address(address, "unified shared memory");
    const DeviceId id = device.session()->device;
    const bool is_named = text_info(id, device_extensions).find("cl_intel_unified_shared_memory") != std::string::npos;
    const UsmApi usm = is_named ? usm_of(id) : UsmApi{};
    if (!usm)
        throw Unsupported(device.info().name +
                          ": it has no unified shared memory: expected the extension cl_intel_unified_shared_memory");
    expect_within(usm, device.session()->context, address, bytes);
    return make_owned<OpenclBuffer>(device.session(), Place::usm, address, bytes, usm);
}

}  // namespace seiche::runtime::opencl
