// Limits of well-known devices, so that plans can be shown and source emitted where no such device is.
#pragma once

#include <string>
#include <vector>

#include "seiche/device.hpp"

namespace seiche::cli {

struct Profile {
    std::string name;
    std::string description;
    DeviceLimits limits;
};

const std::vector<Profile>& profiles();
/// "h200, a100, ...": for messages.
std::string profile_names();
/// Throws UsageError that lists the names.
const Profile& find_profile(const std::string& name);

/// Whose limits a command without execution plans for.
struct LimitsChoice {
    std::string source;  ///< The device's or profile's name.
    DeviceLimits limits;
};

/// At most one of the names may be given; without either, the default device, opened and closed again.
LimitsChoice choose_limits(const std::string& device, const std::string& profile);

}  // namespace seiche::cli
