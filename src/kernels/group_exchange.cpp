// The exchange of points between the stages of the GPU core: which place of shared memory each point takes, and what of
// it need not be written or read.
#include <algorithm>

#include "kernels/group.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// What slot() and the exchange's indices come to for one thread, on the host.
std::uint32_t GroupKernel::host_index(const StageDeal& stage, std::uint32_t thread, std::uint32_t leg,
                                      bool writes) const {
    std::uint32_t sequence = 0, b = 0;
    switch (stage.order) {
        case ThreadOrder::flat: sequence = thread / stage.butterflies, b = thread % stage.butterflies; break;
        case ThreadOrder::element_fastest: sequence = thread / shape_.threads, b = thread % shape_.threads; break;
        case ThreadOrder::sequence_fastest: sequence = thread % shape_.sequences, b = thread / shape_.sequences; break;
    }
    const std::uint32_t base = sequence * spec_.n;
    if (!writes) return base + b + leg * stage.butterflies;
    return base + b / stage.s * stage.radix * stage.s + leg * stage.s + b % stage.s;
}

/// A prime's places are as good as random, whatever the swizzle: they have no pattern here.
std::vector<AccessPattern> GroupKernel::patterns() {
    constexpr std::uint32_t subgroup = 32;
    std::vector<AccessPattern> all;
    const auto add = [&](const StageDeal& stage, bool writes) {
        for (const std::uint32_t first : {0u, (group_size_ - 1) / subgroup * subgroup}) {
            for (const std::uint32_t leg : {0u, stage.radix / 2, stage.radix - 1}) {
                AccessPattern pattern;
                for (std::uint32_t t = first; t < std::min(group_size_, first + subgroup); ++t) {
                    pattern.push_back(host_index(stage, t, leg, writes));
                }
                all.push_back(pattern);
            }
        }
    };
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
        if (keeps_points(i + 1)) continue;
        if (!takes_logarithms(stages_[i])) add(stages_[i], true);
        if (!takes_logarithms(stages_[i + 1])) add(stages_[i + 1], false);
    }
    if (has_real_map()) {
        if (!takes_logarithms(stages_.front())) add(stages_.front(), false);
        if (!takes_logarithms(stages_.back())) add(stages_.back(), true);
        add_real_patterns(all);
    }
    return all;
}

void GroupKernel::choose_exchange() {
    if (stages_.size() < 2 && !has_real_map()) return;
    swizzle_ = choose_swizzle(patterns(), type_bytes(frame_.real), power_of_two_);
    const std::uint32_t extent = swizzle_.extent((spec_.prime ? spec_.prime : spec_.n) * shape_.sequences);
    if (has_real_map()) {
        plane_[0] = plane_[1] = frame_.builder.shared_array("planes", frame_.real, 2 * extent);
        plane_offset_[1] = extent;
        return;
    }
    plane_[0] = frame_.builder.shared_array(shape_.planes == 2 ? "real" : "plane", frame_.real, extent);
    plane_[1] = shape_.planes == 2 ? frame_.builder.shared_array("imag", frame_.real, extent) : plane_[0];
}

/// The place of point e of a prime: that of its logarithm; point 0 lies behind all sequences.
Value GroupKernel::place_by_logarithm(const Slot& where, Holds holds) {
    ir::Builder& build = frame_.builder;
    const Value logarithm =
        spec_.movement_only
            ? where.butterfly - frame_.u32(1)
            : build.convert(frame_.table_entry(RaderPlaces{spec_.prime}, where.butterfly, where.exists).re,
                            ir::Scalar::u32);
    const Value at = where.sequence_in_group * std::uint64_t{spec_.n} + logarithm;
    if (holds == Holds::not_point_0) return at;
    const Value is_zero = build.compare(ir::Op::equal, where.butterfly, frame_.u32(0));
    return build.select(is_zero, place_beside(where.sequence_in_group), at);
}

Value GroupKernel::place_beside(Value sequence_in_group) {
    return sequence_in_group + std::uint64_t{spec_.n} * shape_.sequences;
}

void GroupKernel::write_plane(const StageDeal& stage, const StageDeal& next, bool imaginary) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t plane = plane_offset_[imaginary];
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        if (takes_logarithms(stage)) {
            const Value at = swizzle_.apply(place_by_logarithm(where, held(stage, u)), 0, false) + plane;
            build.shared_store(plane_[imaginary], at, imaginary ? points_[u].im : points_[u].re, where.owns);
            continue;
        }
        const Value p = place_in_run(stage, where), q = where.butterfly / std::uint64_t{stage.s};
        const Value in_sequence = q * (std::uint64_t{stage.radix} * stage.s) + p;
        const Value base = where.sequence_in_group * std::uint64_t{spec_.n} + in_sequence;
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            if (next.is_deal && k * stage.s >= next.butterflies) continue;
            const Complex point = points_[u * stage.radix + k];
            const Value at = swizzle_.apply(base, k * stage.s, power_of_two_) + plane;
            build.shared_store(plane_[imaginary], at, imaginary ? point.im : point.re, where.owns);
        }
    }
    if (!takes_logarithms(next)) return;
    const Slot first = slot(stage, 0);
    const Value at = swizzle_.apply(place_beside(first.sequence_in_group), 0, false) + plane;
    const Value has_it = build.compare(ir::Op::equal, first.butterfly, frame_.u32(0));
    build.shared_store(plane_[imaginary], at, imaginary ? beside_.im : beside_.re, has_it);
}

void GroupKernel::read_plane(const StageDeal& stage, const StageDeal& last, bool imaginary) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t plane = plane_offset_[imaginary];
    const std::uint32_t written = last.is_deal && !takes_logarithms(last) ? last.butterflies : spec_.n;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        if (takes_logarithms(stage)) {
            const Value at = swizzle_.apply(place_by_logarithm(where, held(stage, u)), 0, false) + plane;
            (imaginary ? points_[u].im : points_[u].re) =
                build.shared_load(plane_[imaginary], at, frame_.real, where.exists);
            continue;
        }
        const Value base = where.sequence_in_group * std::uint64_t{spec_.n} + where.butterfly;
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint32_t leg = j * stage.butterflies;
            Value& point = imaginary ? points_[u * stage.radix + j].im : points_[u * stage.radix + j].re;
            if (leg >= written) {
                point = build.constant(frame_.real, 0);
                continue;
            }
            const Value at = swizzle_.apply(base, leg, power_of_two_) + plane;
            const bool is_whole = leg + stage.butterflies <= written;
            const Value is_point =
                is_whole ? Value{} : build.less(where.butterfly + std::uint64_t{leg}, frame_.u32(written));
            point = build.shared_load(plane_[imaginary], at, frame_.real, both(where.exists, is_point));
        }
    }
    if (!takes_logarithms(last)) return;
    const Slot first = slot(stage, 0);
    const Value at = swizzle_.apply(place_beside(first.sequence_in_group), 0, false) + plane;
    const Value has_it = build.compare(ir::Op::equal, first.butterfly, frame_.u32(0));
    (imaginary ? beside_.im : beside_.re) = build.shared_load(plane_[imaginary], at, frame_.real, has_it);
}

void GroupKernel::exchange(std::size_t from, std::size_t to) {
    const bool at_once = shape_.planes == 2;
    if (exchanged_) frame_.builder.group_barrier();
    exchanged_ = true;
    const std::vector<Complex> before = points_;
    std::vector<Complex> after(std::size_t{stages_[to].slots} * stages_[to].radix);
    for (int part = 0; part < 2; ++part) {
        points_ = before;
        if (part == 1 && !at_once) frame_.builder.group_barrier();
        if (part == 0 || !at_once) write_plane(stages_[from], stages_[to], part == 1);
        if (part == 0 && at_once) write_plane(stages_[from], stages_[to], true);
        if (part == 0 || !at_once) frame_.builder.group_barrier();
        points_ = after;
        read_plane(stages_[to], stages_[from], part == 1);
        after = points_;
    }
}

}  // namespace seiche::kernels
