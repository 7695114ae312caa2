// Limits of a device that need not be here, from a file of JSON.
#pragma once

#include <string>

#include "seiche/device.hpp"

namespace seiche::cli::io {

struct DeviceProfile {
    std::string name;
    DeviceLimits limits;
};

/// Reads {"name": ..., "sources": [...], "limits": {...}}, whose limits have the names of DeviceLimits.
/// docs/how-to/tool-plans.md says which may be left out. Throws Failure, one line with the field, what was expected
/// and what came.
DeviceProfile read_device_profile(const std::string& path);

}  // namespace seiche::cli::io
