// What one access of a subgroup costs: wavefronts of shared memory, sectors of global memory.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analyse.hpp"

namespace seiche::ir {

/// The byte address of one lane's access; lanes that a predicate switches off have none.
struct LaneAddress {
    std::uint64_t address = 0;
    bool active = false;
};

struct Wavefronts {
    std::uint64_t taken = 0, ideal = 0;
};
/// `lanes` are those of one subgroup, each accessing `bytes` bytes. Lanes are served as many at a time as fill the
/// banks once; each bank gives one word a wavefront, to however many lanes ask for it.
Wavefronts count_wavefronts(const std::vector<LaneAddress>& lanes, std::uint32_t bytes, const MachineModel& machine);

/// Stores of a group's threads to shared memory, one instruction after the other, each to the elements behind those of
/// the one before. An assembler makes one of as many as fill 16 bytes where it knows that all addresses are multiples.
class StoreRun {
public:
    /// False where a store does not continue the run.
    bool extend(std::uint32_t array, const std::vector<LaneAddress>& threads, std::uint32_t bytes);
    /// What the run took; then it is empty.
    Wavefronts finish(const MachineModel& machine);

private:
    bool are_multiples_of(std::uint32_t bytes, std::uint64_t store) const;

    std::uint32_t array_ = 0, bytes_ = 0;
    std::uint64_t stores_ = 0;
    std::vector<LaneAddress> first_;
};

struct Sectors {
    std::uint64_t taken = 0, ideal = 0;
    std::uint64_t bytes = 0;  ///< Different bytes that were asked for.
};
Sectors count_sectors(const std::vector<LaneAddress>& lanes, std::uint64_t bytes, const MachineModel& machine);

}  // namespace seiche::ir
