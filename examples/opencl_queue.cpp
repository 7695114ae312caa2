// Your own OpenCL: Seiche works in your context, on your queue, in your buffers, in order with your commands.
#include <cmath>
#include <cstdio>
#include <seiche/interop/opencl.hpp>
#include <seiche/seiche.hpp>

namespace {

cl_device_id any_device() {
    cl_uint platforms = 0;
    if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS) return nullptr;
    std::vector<cl_platform_id> list(platforms);
    clGetPlatformIDs(platforms, list.data(), nullptr);
    for (cl_platform_id platform : list) {
        cl_device_id device = nullptr;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) return device;
    }
    return nullptr;
}

}  // namespace

int main() {
    const cl_device_id id = any_device();
    if (id == nullptr) {
        std::puts("no OpenCL device: skipped");
        return 77;
    }
    cl_int status = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status);
    cl_command_queue commands = clCreateCommandQueueWithProperties(context, id, nullptr, &status);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 512 * sizeof(cl_float2), nullptr, &status);
    bool right = false;
    try {
        const seiche::Device device = seiche::opencl::device(context, id);
        seiche::Problem problem;
        problem.lengths = {512};
        problem.placement = seiche::Placement::in_place;
        const seiche::Plan plan(device, problem);

        // Your command fills the buffer; the transform follows it on the same queue without waiting.
        const cl_float2 one = {{1.0f, 0.0f}};
        clEnqueueFillBuffer(commands, memory, &one, sizeof one, 0, 512 * sizeof one, 0, nullptr, nullptr);

        seiche::Queue queue = seiche::opencl::queue(device, commands);
        seiche::Execution execution;
        execution.input = seiche::opencl::buffer(device, memory);
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        plan.execute(queue, execution);

        std::vector<cl_float2> spectrum(512);  // of a constant: all of it in element 0
        clEnqueueReadBuffer(commands, memory, CL_TRUE, 0, 512 * sizeof one, spectrum.data(), 0, nullptr, nullptr);
        std::printf("on %s: X[0] = %.1f, X[1] = %.1f\n", device.info().description.c_str(),
                    static_cast<double>(spectrum[0].s[0]), static_cast<double>(spectrum[1].s[0]));
        right = std::fabs(spectrum[0].s[0] - 512) < 1e-3f && std::fabs(spectrum[1].s[0]) < 1e-3f;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    clReleaseMemObject(memory);
    clReleaseCommandQueue(commands);
    clReleaseContext(context);
    return right ? 0 : 1;
}
