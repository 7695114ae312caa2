// Plans of this process, so that the same problem again costs microseconds.
#pragma once

#include <memory>

#include "exec/executable.hpp"

namespace seiche::api {

/// A plan that is alive or was used lately and was made from an equal request, or else a new one. Safe from many
/// threads.
std::shared_ptr<const exec::Executable> find_or_build(const exec::BuildRequest& request);

/// To a device just opened that nobody but kept plans held before: lets go of them if the device does not answer any
/// more. A lost device would otherwise live in them, and whoever opens it again would get it for ever. Such a plan on a
/// device that does answer stays, since that is what makes planning again on one opened anew cost microseconds. True if
/// plans were let go of: then the device ends with `opened`, and opening it once more makes a new one.
bool drop_if_lost(const std::shared_ptr<runtime::Device>& opened);

}  // namespace seiche::api
