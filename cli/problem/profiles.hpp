// Limits of well-known devices, so that plans can be shown and source emitted where no such device is.
#pragma once

#include <string>
#include <vector>

#include "cli/command/command_line.hpp"
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

/// What was written on the command line; at most one of them may be given.
struct LimitsOptions {
    std::string device, profile, device_profile;
    bool any() const { return !device.empty() || !profile.empty() || !device_profile.empty(); }
};

/// --device, --profile and --device-profile.
void add_limits_options(Command& command, LimitsOptions& options, const std::string& device_help);

/// Without any of them, the default device, opened and closed again.
LimitsChoice choose_limits(const LimitsOptions& options);

}  // namespace seiche::cli
