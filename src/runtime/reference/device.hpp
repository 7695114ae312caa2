// The reference backend: kernels run in the interpreter, buffers are host memory. It needs no driver.
#pragma once

#include <memory>
#include <vector>

#include "runtime/backend.hpp"

namespace seiche::runtime::reference {

std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

}  // namespace seiche::runtime::reference
