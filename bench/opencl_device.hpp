// An OpenCL device with two buffers and a timed queue: what the OpenCL peers share.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <functional>
#include <string>

#include "bench/transform.hpp"

namespace seiche::bench {

/// Throws PeerError, naming the call, unless `code` is CL_SUCCESS.
void check_opencl(cl_int code, const char* call);

/// The device that `what` names (or the first, GPUs first), with input and output buffers of the case's size.
class OpenclDevice {
public:
    explicit OpenclDevice(const Case& what);
    ~OpenclDevice();
    OpenclDevice(const OpenclDevice&) = delete;
    OpenclDevice& operator=(const OpenclDevice&) = delete;

    void load(const void* data);
    void read(void* data);
    /// Device time in milliseconds of one of `count` calls of `enqueue`.
    double run(unsigned count, const std::function<void()>& enqueue);
    const std::string& name() const { return name_; }

    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_mem input = nullptr, output = nullptr;  ///< In place: the same.

private:
    void choose(const Case& what);

    std::uint64_t bytes_;
    std::string name_;
};

}  // namespace seiche::bench
