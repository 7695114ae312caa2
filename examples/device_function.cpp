// The transform as a function in a kernel of your own: windows of a signal go in, power comes out, and no spectrum is
// ever written to memory. On OpenCL; `seiche emit "256 f32" --device-function --dialect cuda` is the same for CUDA.
#include <seiche/emit.hpp>

#include <CL/cl.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace {

// A group of 64 threads: as many windows of 256 samples, each half over the last, as it has teams.
const char* const kernel_text = R"(
#define TEAMS (64 / SEICHE_FFT_256_THREADS)
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void power(__global const float* signal, __global float* out) {
    __local float exchange[TEAMS * SEICHE_FFT_256_SHARED_BYTES / sizeof(float)];
    const uint team = get_local_id(0) / SEICHE_FFT_256_THREADS, lane = get_local_id(0) % SEICHE_FFT_256_THREADS;
    const uint window = get_group_id(0) * TEAMS + team;
    float2 x[SEICHE_FFT_256_REGISTERS];
    for (uint m = 0; m < SEICHE_FFT_256_REGISTERS; ++m) {
        const uint j = SEICHE_FFT_256_BEFORE(lane, m);
        x[m] = (float2)(signal[window * 128 + j] * (0.5f - 0.5f * cospi(j / 128.0f)), 0.0f);
    }
    seiche_fft_256(x, exchange + team * (SEICHE_FFT_256_SHARED_BYTES / sizeof(float)), lane);
    for (uint m = 0; m < SEICHE_FFT_256_REGISTERS; ++m)
        out[window * 256 + SEICHE_FFT_256_AFTER(lane, m)] = dot(x[m], x[m]);
})";

constexpr std::size_t group = 64, windows = 32, samples = 128 * (windows + 1);

/// Power of every window, or nothing where a call fails.
std::vector<float> run(cl_device_id device, const std::string& text, const std::vector<float>& signal) {
    std::vector<float> power(windows * 256);
    cl_int status = CL_SUCCESS;
    const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &status);
    const char* source = text.c_str();
    const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) return {};
    const cl_kernel kernel = clCreateKernel(program, "power", &status);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, samples * sizeof(float), nullptr, &status);
    cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, power.size() * sizeof(float), nullptr, &status);
    clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, samples * sizeof(float), signal.data(), 0, nullptr, nullptr);
    clSetKernelArg(kernel, 0, sizeof in, &in);
    clSetKernelArg(kernel, 1, sizeof out, &out);
    const std::size_t teams = group / 16, global = windows / teams * group;
    status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &group, 0, nullptr, nullptr);
    if (status != CL_SUCCESS) return {};
    clEnqueueReadBuffer(queue, out, CL_TRUE, 0, power.size() * sizeof(float), power.data(), 0, nullptr, nullptr);
    return power;  // the process ends soon and takes the rest with it
}

}  // namespace

int main() {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) {
        std::puts("no OpenCL device: skipped");
        return 77;
    }
    std::vector<float> signal(samples);
    for (std::size_t j = 0; j < samples; ++j)
        signal[j] = std::cos(6.2831853f * 20.0f / 256.0f * static_cast<float>(j % 256));
    const auto function = seiche::emit_device_function(seiche::parse_problem("256"), seiche::Dialect::opencl, {});
    const std::vector<float> power = run(device, function.source + kernel_text, signal);
    if (power.empty() || function.threads != 16) return 1;  // `run` counts on 16
    double worst = 0;
    for (std::size_t i = 0; i < power.size(); ++i) {  // a tone in bin 20 under Hann's window: 64 there, 32 beside it
        const std::size_t bin = i % 256, k = bin < 128 ? bin : 256 - bin;
        const double expected = k == 20 ? 64 * 64 : k == 19 || k == 21 ? 32 * 32 : 0;
        worst = std::fmax(worst, std::fabs(static_cast<double>(power[i]) - expected) / 4096);
    }
    std::printf("power in bins 19, 20, 21: %.0f %.0f %.0f; largest error %.1e of the peak\n",
                static_cast<double>(power[19]), static_cast<double>(power[20]), static_cast<double>(power[21]), worst);
    return worst < 1e-5 ? 0 : 1;
}
