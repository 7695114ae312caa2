// CUDA devices.
#pragma once

#include <memory>
#include <vector>

#include "runtime/backend.hpp"

namespace seiche::runtime::cuda {

std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

}  // namespace seiche::runtime::cuda
