// Counting bank conflicts and sectors by sorting addresses.
#include "ir/analyse_traffic.hpp"

#include <algorithm>

namespace seiche::ir {

namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr std::uint32_t widest_access = 16;  // wider ones are issued in pieces

/// One piece of `bytes` at `offset` into each lane's access, by lanes [first, last).
void count_phase(const std::vector<LaneAddress>& lanes, std::size_t first, std::size_t last, std::uint64_t offset,
                 std::uint32_t bytes, const MachineModel& machine, Wavefronts& total) {
    std::vector<std::uint64_t> words;
    for (std::size_t lane = first; lane < last; ++lane) {
        if (!lanes[lane].active) continue;
        const std::uint64_t begin = lanes[lane].address + offset;
        for (std::uint64_t word = begin / word_bytes; word * word_bytes < begin + bytes; ++word) words.push_back(word);
    }
    if (words.empty()) return;
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::vector<std::uint64_t> per_bank(machine.banks, 0);
    for (const std::uint64_t word : words) ++per_bank[word % machine.banks];
    total.taken += *std::max_element(per_bank.begin(), per_bank.end());
    total.ideal += (words.size() + machine.banks - 1) / machine.banks;
}

}  // namespace

Wavefronts count_wavefronts(const std::vector<LaneAddress>& lanes, std::uint32_t bytes, const MachineModel& machine) {
    Wavefronts total;
    const std::uint32_t piece = std::min(bytes, widest_access);
    const std::size_t together =
        std::max<std::size_t>(1, std::size_t{machine.banks} * word_bytes / std::max(piece, word_bytes));
    for (std::uint64_t offset = 0; offset < bytes; offset += piece) {
        for (std::size_t first = 0; first < lanes.size(); first += together) {
            count_phase(lanes, first, std::min(first + together, lanes.size()), offset, piece, machine, total);
        }
    }
    return total;
}

bool StoreRun::extend(std::uint32_t array, const std::vector<LaneAddress>& threads, std::uint32_t bytes) {
    if (stores_ == 0) {
        array_ = array, bytes_ = bytes, stores_ = 1;
        first_ = threads;
        return true;
    }
    if (array != array_ || bytes != bytes_ || threads.size() != first_.size()) return false;
    for (std::size_t t = 0; t < threads.size(); ++t) {
        if (threads[t].active != first_[t].active) return false;
        if (threads[t].active && threads[t].address != first_[t].address + stores_ * bytes_) return false;
    }
    ++stores_;
    return true;
}

bool StoreRun::are_multiples_of(std::uint32_t bytes, std::uint64_t store) const {
    return std::all_of(first_.begin(), first_.end(), [&](const LaneAddress& thread) {
        return !thread.active || (thread.address + store * bytes_) % bytes == 0;
    });
}

Wavefronts StoreRun::finish(const MachineModel& machine) {
    Wavefronts total;
    std::vector<LaneAddress> lanes;
    for (std::uint64_t store = 0; store < stores_;) {
        std::uint32_t bytes = bytes_;
        for (std::uint32_t wide = widest_access; wide > bytes_ && bytes == bytes_ && wide % bytes_ == 0; wide /= 2)
            if (store + wide / bytes_ <= stores_ && are_multiples_of(wide, store)) bytes = wide;
        for (std::size_t begin = 0; begin < first_.size(); begin += machine.subgroup_size) {
            const std::size_t end = std::min<std::size_t>(first_.size(), begin + machine.subgroup_size);
            lanes.assign(first_.begin() + static_cast<std::ptrdiff_t>(begin),
                         first_.begin() + static_cast<std::ptrdiff_t>(end));
            for (LaneAddress& lane : lanes) lane.address += store * bytes_;
            const Wavefronts w = count_wavefronts(lanes, bytes, machine);
            total.taken += w.taken;
            total.ideal += w.ideal;
        }
        store += bytes / bytes_;
    }
    stores_ = 0;
    return total;
}

Sectors count_sectors(const std::vector<LaneAddress>& lanes, std::uint64_t bytes, const MachineModel& machine) {
    std::vector<std::uint64_t> begins;
    for (const LaneAddress& lane : lanes) {
        if (lane.active) begins.push_back(lane.address);
    }
    std::sort(begins.begin(), begins.end());
    Sectors total;
    std::uint64_t next_byte = 0, next_sector = 0;
    for (const std::uint64_t begin : begins) {
        const std::uint64_t end = begin + bytes;
        const std::uint64_t fresh = std::max(begin, next_byte);
        if (fresh < end) total.bytes += end - fresh;
        next_byte = std::max(next_byte, end);
        const std::uint64_t sector = std::max(begin / machine.sector_bytes, next_sector);
        const std::uint64_t sector_end = (end - 1) / machine.sector_bytes + 1;
        if (sector < sector_end) total.taken += sector_end - sector;
        next_sector = std::max(next_sector, sector_end);
    }
    total.ideal = (total.bytes + machine.sector_bytes - 1) / machine.sector_bytes;
    return total;
}

}  // namespace seiche::ir
