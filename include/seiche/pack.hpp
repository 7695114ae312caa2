// Kernel packs: the compiled kernels of many plans in one file, for programs that must compile nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "seiche/plan.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// The kernels of these plans, each once, as the bytes of a pack. Write them to a file and name it in SEICHE_PACK_PATH
/// (several files apart by ':', on Windows by ';'): plans then find their kernels there before they look into the
/// cache, on the devices, drivers and version of Seiche that the packed plans were made with. Kernels are machine code:
/// name only packs that you trust. Plans of devices whose kernels are not kept (reference, OpenGL without binaries)
/// have none to pack. Throws InvalidProblem for an empty plan.
std::vector<std::byte> pack_kernels(const std::vector<Plan>& plans);

}  // namespace seiche
SEICHE_EXPORT_END
