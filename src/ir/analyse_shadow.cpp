// Order between accesses, the cells that remember them, and the regions of global memory.
#include "ir/analyse_shadow.hpp"

#include <algorithm>
#include <numeric>

namespace seiche::ir {

Synchronisation::Synchronisation(const Program& program, const Launch& launch)
    : groups_(launch.groups),
      cluster_(program.kernel.launch.cluster),
      subgroup_size_(program.subgroup_size),
      threads_(program.threads) {}

std::array<std::uint32_t, 3> Synchronisation::position(std::uint32_t group) const {
    return {group % groups_[0], group / groups_[0] % groups_[1], group / groups_[0] / groups_[1]};
}

bool Synchronisation::same_cluster(std::uint32_t a, std::uint32_t b) const {
    const auto at = position(a), bt = position(b);
    for (unsigned d = 0; d < 3; ++d) {
        if (at[d] / cluster_[d] != bt[d] / cluster_[d]) return false;
    }
    return true;
}

/// Both threads are in one part of the group that has had a barrier since, its own or that of a larger one.
bool Synchronisation::met_in_part(const AccessRecord& before, const AccessRecord& after) const {
    for (std::size_t k = 0; k < before.passed.part.size(); ++k) {
        const std::uint32_t size = threads_ >> (k + 1);
        if (size == 0 || before.thread / size != after.thread / size) return false;
        if (before.passed.part[k] != after.passed.part[k]) return true;
    }
    return false;
}

bool Synchronisation::ordered(const AccessRecord& before, const AccessRecord& after) const {
    if (!before.valid()) return true;
    if (before.in_flight) return false;
    if (before.group == after.group) {
        if (before.thread == after.thread || before.passed.group != after.passed.group) return true;
        const bool is_subgroup = before.thread / subgroup_size_ == after.thread / subgroup_size_;
        return (is_subgroup && before.passed.subgroup != after.passed.subgroup) || met_in_part(before, after);
    }
    if (before.passed.cluster != after.passed.cluster && same_cluster(before.group, after.group)) return true;
    const auto known = known_.find(after.group);
    if (known == known_.end()) return false;
    const auto barrier = known->second.find(before.group);
    return barrier != known->second.end() && before.passed.group < barrier->second;
}

namespace {
void join(Clock& into, const Clock& from) {
    for (const auto& [group, barrier] : from) {
        std::uint32_t& known = into[group];
        known = std::max(known, barrier);
    }
}
}  // namespace

void Synchronisation::release(std::uint32_t group, const std::byte* address, std::uint32_t barrier) {
    Clock& published = published_[address];
    join(published, known_[group]);
    std::uint32_t& own = published[group];
    own = std::max(own, barrier);
}

void Synchronisation::acquire(std::uint32_t group, const std::byte* address) {
    const auto published = published_.find(address);
    if (published != published_.end()) join(known_[group], published->second);
}

namespace {

bool races(const AccessRecord& before, const AccessRecord& after, const Synchronisation& order) {
    return !(before.atomic && after.atomic) && !order.ordered(before, after);
}

/// Where a read is best remembered: over one that it makes superfluous, else in an empty place, so that a later write
/// still meets a reader of another thread, and one of another group.
AccessRecord* place_for(std::array<AccessRecord, 3>& reads, const AccessRecord& read, const Synchronisation& order) {
    for (AccessRecord& old : reads) {
        if (old.valid() && order.ordered(old, read)) return &old;
    }
    if (!reads[0].valid()) return &reads[0];
    AccessRecord& place = reads[0].group == read.group ? reads[1] : reads[2];
    return place.valid() ? nullptr : &place;
}

}  // namespace

std::optional<AccessRecord> note_read(Cell& cell, const AccessRecord& read, const Synchronisation& order) {
    std::optional<AccessRecord> race;
    if (races(cell.write, read, order)) race = cell.write;
    if (AccessRecord* place = place_for(cell.reads, read, order)) *place = read;
    return race;
}

std::optional<AccessRecord> note_write(Cell& cell, const AccessRecord& write, const Synchronisation& order) {
    std::optional<AccessRecord> race;
    if (races(cell.write, write, order)) race = cell.write;
    for (AccessRecord& read : cell.reads) {
        if (!race && races(read, write, order)) race = read;
        read = {};
    }
    cell.write = write;
    return race;
}

Cell& Region::cell(std::uint64_t number) {
    if (number / page_cells >= pages_.size()) pages_.resize(number / page_cells + 1);
    auto& page = pages_[number / page_cells];
    if (!page) page = std::make_unique<std::array<Cell, page_cells>>();
    return (*page)[number % page_cells];
}

bool Region::initially_written(const std::byte* at) const {
    return std::any_of(readable.begin(), readable.end(),
                       [at](const BoundBuffer& b) { return at >= b.data && at < b.data + b.bytes; });
}

GlobalShadow make_global_shadow(const Kernel& kernel, const Launch& launch) {
    GlobalShadow shadow;
    std::vector<std::size_t> order(kernel.buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&launch](std::size_t a, std::size_t b) { return launch.buffers[a].data < launch.buffers[b].data; });
    shadow.region_of.resize(order.size());
    for (const std::size_t k : order) {
        const BoundBuffer& bound = launch.buffers[k];
        const BufferParameter& parameter = kernel.buffers[k];
        if (shadow.regions.empty() || bound.data >= shadow.regions.back().end) {
            shadow.regions.emplace_back();
            shadow.regions.back().begin = bound.data;
            shadow.regions.back().end = bound.data;
            shadow.regions.back().granule = type_bytes(parameter.element);
        }
        Region& region = shadow.regions.back();
        const auto offset = static_cast<std::uint64_t>(bound.data - region.begin);
        region.granule = std::gcd(std::gcd(region.granule, std::uint64_t{type_bytes(parameter.element)}), offset);
        region.end = std::max(region.end, static_cast<const std::byte*>(bound.data + bound.bytes));
        region.written |= parameter.access != Access::read;
        if (parameter.access != Access::write) region.readable.push_back(bound);
        shadow.region_of[k] = shadow.regions.size() - 1;
    }
    return shadow;
}

}  // namespace seiche::ir
