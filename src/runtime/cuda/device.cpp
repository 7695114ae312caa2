// CUDA devices.
#include "runtime/cuda/device.hpp"

#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

std::vector<DeviceInfo> list() {
    DeviceInfo info;
    info.name = "cuda";
    info.backend = Backend::cuda;
    info.problem = "this build does not load it";
    return {info};
}

std::shared_ptr<Device> open(const DeviceInfo& info) { throw Unsupported("cuda: " + info.name + " is not available"); }

}  // namespace seiche::runtime::cuda
