// An OpenCL device with two buffers and a timed queue: what the OpenCL peers share.
#include "bench/opencl_device.hpp"

#include <vector>

namespace seiche::bench {
namespace {

std::string name_of(cl_device_id device) {
    std::size_t size = 0;
    check_opencl(clGetDeviceInfo(device, CL_DEVICE_NAME, 0, nullptr, &size), "clGetDeviceInfo");
    std::string name(size, '\0');
    check_opencl(clGetDeviceInfo(device, CL_DEVICE_NAME, size, name.data(), nullptr), "clGetDeviceInfo");
    return name.substr(0, name.find('\0'));
}

cl_ulong end_of(cl_event event) {
    cl_ulong nanoseconds = 0;
    check_opencl(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof nanoseconds, &nanoseconds, nullptr),
                 "clGetEventProfilingInfo");
    clReleaseEvent(event);
    return nanoseconds;
}

}  // namespace

void check_opencl(cl_int code, const char* call) {
    if (code != CL_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

void OpenclDevice::choose(const Case& what) {
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS || platform_count == 0) {
        throw PeerError("no OpenCL platform");
    }
    std::vector<cl_platform_id> platforms(platform_count);
    check_opencl(clGetPlatformIDs(platform_count, platforms.data(), nullptr), "clGetPlatformIDs");
    std::string seen;
    for (const cl_device_type type : {cl_device_type{CL_DEVICE_TYPE_GPU}, cl_device_type{CL_DEVICE_TYPE_ALL}}) {
        for (const cl_platform_id candidate : platforms) {
            cl_uint count = 0;
            if (clGetDeviceIDs(candidate, type, 0, nullptr, &count) != CL_SUCCESS || count == 0) continue;
            std::vector<cl_device_id> devices(count);
            check_opencl(clGetDeviceIDs(candidate, type, count, devices.data(), nullptr), "clGetDeviceIDs");
            for (const cl_device_id one : devices) {
                const std::string name = name_of(one);
                seen += (seen.empty() ? "" : ", ") + name;
                if (name.find(what.device_name) == std::string::npos &&
                    what.device_name.find(name) == std::string::npos)
                    continue;
                platform = candidate;
                device = one;
                name_ = name;
                return;
            }
        }
    }
    throw PeerError("no OpenCL device named '" + what.device_name + "', only " + seen);
}

OpenclDevice::OpenclDevice(const Case& what) : bytes_(what.bytes()) {
    choose(what);
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check_opencl(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check_opencl(code, "clCreateCommandQueue");
    input = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes_, nullptr, &code);
    check_opencl(code, "clCreateBuffer");
    output = input;
    if (!what.in_place) {
        output = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes_, nullptr, &code);
        check_opencl(code, "clCreateBuffer");
    }
}

OpenclDevice::~OpenclDevice() {
    if (output != nullptr && output != input) clReleaseMemObject(output);
    if (input != nullptr) clReleaseMemObject(input);
    if (queue != nullptr) clReleaseCommandQueue(queue);
    if (context != nullptr) clReleaseContext(context);
}

void OpenclDevice::load(const void* data) {
    const cl_uint all_ones = 0xffffffffu;  // a NaN in either precision
    check_opencl(clEnqueueFillBuffer(queue, output, &all_ones, sizeof all_ones, 0, bytes_, 0, nullptr, nullptr),
                 "clEnqueueFillBuffer");
    check_opencl(clEnqueueWriteBuffer(queue, input, CL_TRUE, 0, bytes_, data, 0, nullptr, nullptr),
                 "clEnqueueWriteBuffer");
}

void OpenclDevice::read(void* data) {
    check_opencl(clEnqueueReadBuffer(queue, output, CL_TRUE, 0, bytes_, data, 0, nullptr, nullptr),
                 "clEnqueueReadBuffer");
}

double OpenclDevice::run(unsigned count, const std::function<void()>& enqueue) {
    cl_event before = nullptr, after = nullptr;
    check_opencl(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &before), "clEnqueueMarkerWithWaitList");
    for (unsigned i = 0; i < count; ++i) enqueue();
    check_opencl(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &after), "clEnqueueMarkerWithWaitList");
    check_opencl(clFinish(queue), "clFinish");
    const cl_ulong start = end_of(before);
    return static_cast<double>(end_of(after) - start) * 1e-6 / count;
}

}  // namespace seiche::bench
