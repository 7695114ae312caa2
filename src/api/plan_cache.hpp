// Plans of this process, so that the same problem again costs microseconds.
#pragma once

#include <memory>

#include "exec/executable.hpp"

namespace seiche::api {

/// A plan that is alive or was used lately and was made from an equal request, or else a new one. Safe from many
/// threads.
std::shared_ptr<const exec::Executable> find_or_build(const exec::BuildRequest& request);

}  // namespace seiche::api
