// The analyser's shadow of memory: who touched an element last, and whether a new access is ordered after that.
//
// Races are found as in FastTrack (C. Flanagan, S. N. Freund, "FastTrack: efficient and precise dynamic race
// detection", 2009), with barriers counted per scope in place of clocks, and clocks between groups only for those that
// synchronise through atomics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/interpret_core.hpp"

namespace seiche::ir {

/// One access of one thread.
struct AccessRecord {
    std::uint32_t instruction = no_value;
    std::uint32_t group = 0;
    std::uint32_t thread = 0;
    BarrierCount passed;
    bool atomic = false;
    bool in_flight = false;  ///< An asynchronous copy that has not been waited for.
    bool valid() const { return instruction != no_value; }
};

/// The last write of an element, and reads since: two of one group, one of another.
struct Cell {
    AccessRecord write;
    std::array<AccessRecord, 3> reads;
};

/// Which accesses of other groups a group knows to be over: those before so many of the other's barriers.
using Clock = std::unordered_map<std::uint32_t, std::uint32_t>;

class Synchronisation {
public:
    Synchronisation(const Program& program, const Launch& launch);

    /// Whether `before` is certainly over when `after` happens.
    bool ordered(const AccessRecord& before, const AccessRecord& after) const;
    /// Group `group` publishes at an address that accesses before its barrier number `barrier` are over, with all that
    /// it knows.
    void release(std::uint32_t group, const std::byte* address, std::uint32_t barrier);
    /// Group `group` learns what was published at the address.
    void acquire(std::uint32_t group, const std::byte* address);
    /// The position of a group in the grid.
    std::array<std::uint32_t, 3> position(std::uint32_t group) const;

private:
    bool same_cluster(std::uint32_t a, std::uint32_t b) const;
    bool met_in_part(const AccessRecord& before, const AccessRecord& after) const;

    std::array<std::uint32_t, 3> groups_;
    std::array<std::uint32_t, 3> cluster_;
    std::uint32_t subgroup_size_, threads_;
    std::unordered_map<std::uint32_t, Clock> known_;
    std::unordered_map<const std::byte*, Clock> published_;
};

/// Notes an access in a cell. Answers with the earlier access that it races with, if there is one.
std::optional<AccessRecord> note_read(Cell& cell, const AccessRecord& read, const Synchronisation& order);
std::optional<AccessRecord> note_write(Cell& cell, const AccessRecord& write, const Synchronisation& order);

/// Cells for one stretch of global memory, made where they are touched. Buffers that share memory share a region.
class Region {
public:
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
    std::uint64_t granule = 1;          ///< Bytes of a cell: every access is a whole number of them.
    bool written = false;               ///< Some buffer allows writes; else nothing need be kept.
    std::vector<BoundBuffer> readable;  ///< What counts as written from the start.

    Cell& cell(std::uint64_t number);
    bool initially_written(const std::byte* at) const;

private:
    static constexpr std::uint64_t page_cells = 1024;
    std::vector<std::unique_ptr<std::array<Cell, page_cells>>> pages_;
};

/// The regions of a launch, and which one each buffer lies in.
struct GlobalShadow {
    std::vector<Region> regions;
    std::vector<std::size_t> region_of;  ///< By buffer.
};
GlobalShadow make_global_shadow(const Kernel& kernel, const Launch& launch);

}  // namespace seiche::ir
