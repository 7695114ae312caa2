// A library with some of the OpenCL loader's names, in front of the real one: devices get other versions and limits,
// and shared virtual memory passes for Intel's unified shared memory. All else is the real loader's, which this library
// is linked with, so that what is computed is right or wrong.
#include "fake_opencl.hpp"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>

namespace {

FakeOpenclRecord record;

template <class Function>
Function* real(const char* name, Function*) {
    static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
    return reinterpret_cast<Function*>(dlsym(library, name));
}

constexpr cl_uint alloc_type = 0x419a, alloc_base = 0x419b, alloc_size = 0x419c;
constexpr cl_uint unknown_memory = 0x4196, shared_memory = 0x4199;

cl_int give(const void* value, std::size_t bytes, std::size_t room, void* to, std::size_t* size) {
    if (size != nullptr) *size = bytes;
    if (to != nullptr && room < bytes) return CL_INVALID_VALUE;
    if (to != nullptr) std::memcpy(to, value, bytes);
    return CL_SUCCESS;
}

cl_int set_argument(cl_kernel kernel, cl_uint index, const void* value) {
    record.usm_calls += "set ";
    return clSetKernelArgSVMPointer(kernel, index, value);
}

cl_int copy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, std::size_t bytes, cl_uint count,
            const cl_event* events, cl_event* event) {
    record.usm_calls += "copy ";
    return clEnqueueSVMMemcpy(queue, blocking, to, from, bytes, count, events, event);
}

cl_int describe(cl_context, const void* pointer, cl_uint what, std::size_t room, void* to, std::size_t* size) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto found = record.usm.upper_bound(address);
    const bool is_known = found != record.usm.begin() && address < (--found)->first + found->second;
    const cl_uint type = is_known ? shared_memory : unknown_memory;
    const std::uintptr_t base = is_known ? found->first : 0;
    const std::size_t bytes = is_known ? found->second : 0;
    if (what == alloc_type) return give(&type, sizeof type, room, to, size);
    if (what == alloc_base) return give(&base, sizeof base, room, to, size);
    return what == alloc_size ? give(&bytes, sizeof bytes, room, to, size) : CL_INVALID_VALUE;
}

}  // namespace

extern "C" {

FakeOpenclRecord* fake_opencl_record() { return &record; }

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, std::size_t room, void* to, std::size_t* size) {
    if (record.unknown.count(what) != 0) return CL_INVALID_VALUE;
    const auto found = record.answers.find(what);
    if (found == record.answers.end()) return real("clGetDeviceInfo", &clGetDeviceInfo)(device, what, room, to, size);
    return give(found->second.data(), found->second.size(), room, to, size);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void (*notify)(cl_program, void*), void* data) {
    if (options != nullptr && *options != '\0') record.options = options;
    return real("clBuildProgram", &clBuildProgram)(program, count, devices, options, notify, data);
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* name) {
    if (!record.usm.empty() && std::strcmp(name, "clSetKernelArgMemPointerINTEL") == 0)
        return reinterpret_cast<void*>(&set_argument);
    if (!record.usm.empty() && std::strcmp(name, "clEnqueueMemcpyINTEL") == 0) return reinterpret_cast<void*>(&copy);
    if (!record.usm.empty() && std::strcmp(name, "clGetMemAllocInfoINTEL") == 0)
        return reinterpret_cast<void*>(&describe);
    return real("clGetExtensionFunctionAddressForPlatform", &clGetExtensionFunctionAddressForPlatform)(platform, name);
}

}  // extern "C"
