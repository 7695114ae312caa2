// The C interface in a C++ program without exceptions and run-time types: an error is a status, not the program's end.
#include <seiche/interop/cpu.h>
#include <seiche/interop/cuda.h>
#include <seiche/interop/hip.h>
#include <seiche/interop/level_zero.h>
#include <seiche/interop/opencl.h>
#include <seiche/interop/opengl.h>
#include <seiche/interop/reference.h>
#include <seiche/interop/vulkan.h>
#include <seiche/seiche.h>

#include <cstdio>
#include <cstring>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "expected -fno-exceptions -fno-rtti"
#endif

int main() {
    seiche_device* device = nullptr;
    if (seiche_device_open("no such device", &device) != SEICHE_UNSUPPORTED || seiche_last_error()[0] == 0) return 1;
    if (seiche_device_open("reference", &device) != SEICHE_OK) return 2;
    const uint64_t length = 4;
    seiche_problem problem = seiche_problem_default(1, &length);
    seiche_plan *plan = nullptr, *none = nullptr;
    problem.batch = 2;
    if (seiche_plan_create(device, &problem, SEICHE_BOTH, &plan) != SEICHE_OK) return 3;
    const float in[16] = {1, 0, 1, 0, 1, 0, 1, 0, 1};
    const float expected[16] = {4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    float out[16] = {};
    if (seiche_transform_f32(plan, SEICHE_FORWARD, in, 8, out, 8) != SEICHE_OK) return 4;
    if (std::memcmp(out, expected, sizeof out) != 0) return 5;
    if (seiche_transform_f32(plan, SEICHE_FORWARD, in, 7, out, 8) != SEICHE_INVALID_PROBLEM) return 6;
    seiche_problem_init(&problem, sizeof problem);
    if (seiche_plan_create(device, &problem, SEICHE_BOTH, &none) != SEICHE_INVALID_PROBLEM || none != nullptr) return 7;
    void* stream = nullptr;
    if (seiche_cuda_stream(nullptr, &stream) != SEICHE_INVALID_PROBLEM) return 8;
    std::printf("%s: right\n", seiche_version());
    seiche_plan_release(plan);
    seiche_device_release(device);
    return 0;
}
