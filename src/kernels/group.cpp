// The GPU core: Stockham's autosort transform with the points in registers and shared memory for exchange only
// (Stockham, "High-speed convolution and correlation", 1966; Govindaraju et al., "High performance discrete Fourier
// transforms on graphics processors", 2008).
//
// A stage of radix r has n/r butterflies. Butterfly b = q s + p (s: product of the radices before) takes points b + j
// n/r and leaves its results at q r s + k s + p. Every stage may deal its butterflies to the threads in another order.
#include "kernels/group.hpp"

#include <algorithm>
#include <bit>

#include "kernels/butterfly.hpp"
#include "kernels/generate.hpp"
#include "kernels/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

GroupKernel::GroupKernel(const KernelSpec& spec)
    : frame_(spec, 2), spec_(spec), shape_(std::get<GroupShape>(spec.shape)) {
    group_size_ = shape_.threads * shape_.sequences;
    frame_.builder.kernel().launch.group = {group_size_, 1, 1};
    frame_.builder.kernel().launch.min_groups_per_unit = shape_.min_groups_per_unit;
    deal_stages();
}

ir::Kernel GroupKernel::build() {
    choose_exchange();
    spec_.load_map ? load_real() : load();
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        if (i > 0) exchange(i - 1, i);
        if (!spec_.movement_only) compute(i);
    }
    spec_.store_map ? store_real() : store();
    return frame_.builder.finish();
}

void GroupKernel::deal_stages() {
    std::uint32_t s = 1;
    for (std::size_t i = 0; i < spec_.radices.size(); ++i) {
        StageDeal stage;
        stage.radix = spec_.radices[i];
        stage.s = s;
        stage.butterflies = spec_.n / stage.radix;
        stage.slots = (stage.butterflies + shape_.threads - 1) / shape_.threads;
        stage.order = i + 1 == spec_.radices.size() ? shape_.store_order : shape_.load_order;
        if (stage.order == ThreadOrder::flat && (stage.radix != 1 || spec_.n % shape_.threads != 0)) {
            stage.order = ThreadOrder::element_fastest;
        }
        s *= stage.radix;
        stages_.push_back(stage);
    }
    if (stages_.size() == 1 && shape_.load_order != shape_.store_order) {
        throw InternalError("kernel '" + spec_.name + "': one stage cannot load and store in different orders");
    }
    power_of_two_ = std::has_single_bit(spec_.n);
}

GroupKernel::Slot GroupKernel::slot(const StageDeal& stage, std::uint32_t u) {
    const Value thread = frame_.builder.thread_id();
    if (stage.order == ThreadOrder::flat) {
        const Value flat = thread + std::uint64_t{u} * group_size_;
        return {flat / std::uint64_t{spec_.n}, flat % std::uint64_t{spec_.n}, {}, {}};
    }
    const bool elements_first = stage.order == ThreadOrder::element_fastest;
    const std::uint64_t threads = shape_.threads, sequences = shape_.sequences;
    const Value lane = elements_first ? thread % threads : thread / sequences;
    Slot result;
    result.sequence_in_group = elements_first ? thread / threads : thread % sequences;
    result.butterfly = lane + u * threads;
    result.lane = lane;
    if ((u + 1) * threads > stage.butterflies) {
        result.exists = frame_.builder.less(result.butterfly, frame_.u32(stage.butterflies));
    }
    return result;
}

/// What slot() and the exchange's indices come to for one thread, on the host.
std::uint32_t GroupKernel::host_index(const StageDeal& stage, std::uint32_t thread, std::uint32_t leg,
                                      bool writes) const {
    std::uint32_t sequence = 0, b = 0;
    switch (stage.order) {
        case ThreadOrder::flat: sequence = thread / spec_.n, b = thread % spec_.n; break;
        case ThreadOrder::element_fastest: sequence = thread / shape_.threads, b = thread % shape_.threads; break;
        case ThreadOrder::sequence_fastest: sequence = thread % shape_.sequences, b = thread / shape_.sequences; break;
    }
    const std::uint32_t base = sequence * spec_.n;
    if (!writes) return base + b + leg * stage.butterflies;
    return base + b / stage.s * stage.radix * stage.s + leg * stage.s + b % stage.s;
}

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
        add(stages_[i], true);
        add(stages_[i + 1], false);
    }
    if (has_real_map()) {
        add(stages_.front(), false);
        add(stages_.back(), true);
        add_real_patterns(all);
    }
    return all;
}

void GroupKernel::choose_exchange() {
    if (stages_.size() < 2 && !has_real_map()) return;
    swizzle_ = choose_swizzle(patterns(), type_bytes(frame_.real), power_of_two_);
    const std::uint32_t extent = swizzle_.extent(spec_.n * shape_.sequences);
    if (has_real_map()) {
        plane_[0] = plane_[1] = frame_.builder.shared_array("planes", frame_.real, 2 * extent);
        plane_offset_[1] = extent;
        return;
    }
    plane_[0] = frame_.builder.shared_array(shape_.planes == 2 ? "real" : "plane", frame_.real, extent);
    plane_[1] = shape_.planes == 2 ? frame_.builder.shared_array("imag", frame_.real, extent) : plane_[0];
}

void GroupKernel::load() {
    const StageDeal& stage = stages_.front();
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value sequence_index = sequence(where);
        const Value is_live = exists(where);
        const Value origin = frame_.origin(sequence_index, Side::input);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            const Place place{where.butterfly + leg, sequence_index, is_live};
            const Value predicate = both(is_live, within(frame_, spec_.load, place));
            const Value at = frame_.address(origin, where.butterfly, leg, Side::input);
            points_.push_back(frame_.load(at, 1, predicate));
        }
    }
    std::size_t at = 0;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        for (std::uint32_t j = 0; j < stage.radix; ++j, ++at) {
            const Place place{where.butterfly + std::uint64_t{j} * stage.butterflies, sequence(where), exists(where)};
            points_[at] = load_stages(points_[at], where, place, u + j * stage.slots);
        }
    }
}

/// `row`: the point is element lane + threads row of its sequence.
Complex GroupKernel::load_stages(Complex x, const Slot& where, const Place& place, std::uint32_t row) {
    for (const Stage& stage : spec_.load) {
        const auto* twiddle = std::get_if<FourStepTwiddle>(&stage);
        const auto rows = twiddle && !spec_.movement_only ? twiddle_rows(spec_, *twiddle) : std::nullopt;
        if (!rows) {
            x = apply(frame_, {stage}, x, place);
            continue;
        }
        const Value q = frame_.loop_index(place.sequence, twiddle->loop);
        const Value common = exponent(frame_, twiddle->length, where.lane, q);
        Complex w = power(frame_, twiddle->length, common, place.exists);
        if (row > 0) w = w * frame_.table_entry(*rows, q + std::uint64_t{row} * rows->blocks, place.exists);
        x = x * w;
    }
    return x;
}

void GroupKernel::compute(std::size_t i) {
    const StageDeal& stage = stages_[i];
    if (stage.radix == 1) return;
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        std::vector<Complex> x(points_.begin() + u * stage.radix, points_.begin() + (u + 1) * stage.radix);
        if (stage.s > 1) {
            const Slot where = slot(stage, u);
            const Value p = place_in_run(stage, where);
            for (std::uint32_t j = 1; j < stage.radix; ++j) {
                const Value entry = p + std::uint64_t{j - 1} * stage.s;
                x[j] = x[j] * frame_.table_entry(StageTwiddles{stage.radix, stage.s, 1}, entry, where.exists);
            }
        }
        x = butterfly(frame_.builder, x);
        std::copy(x.begin(), x.end(), points_.begin() + u * stage.radix);
    }
}

void GroupKernel::write_plane(const StageDeal& stage, bool imaginary) {
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value p = place_in_run(stage, where), q = where.butterfly / std::uint64_t{stage.s};
        const Value in_sequence = q * (std::uint64_t{stage.radix} * stage.s) + p;
        const Value base = where.sequence_in_group * std::uint64_t{spec_.n} + in_sequence;
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const Complex point = points_[u * stage.radix + k];
            const Value at = swizzle_.apply(base, k * stage.s, power_of_two_) + std::uint64_t{plane_offset_[imaginary]};
            frame_.builder.shared_store(plane_[imaginary], at, imaginary ? point.im : point.re, where.exists);
        }
    }
}

void GroupKernel::read_plane(const StageDeal& stage, bool imaginary) {
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value base = where.sequence_in_group * std::uint64_t{spec_.n} + where.butterfly;
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            Complex& point = points_[u * stage.radix + j];
            const Value at =
                swizzle_.apply(base, j * stage.butterflies, power_of_two_) + std::uint64_t{plane_offset_[imaginary]};
            (imaginary ? point.im : point.re) =
                frame_.builder.shared_load(plane_[imaginary], at, frame_.real, where.exists);
        }
    }
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
        if (part == 0 || !at_once) write_plane(stages_[from], part == 1);
        if (part == 0 && at_once) write_plane(stages_[from], true);
        if (part == 0 || !at_once) frame_.builder.group_barrier();
        points_ = after;
        read_plane(stages_[to], part == 1);
        after = points_;
    }
}

void GroupKernel::store() {
    const StageDeal& stage = stages_.back();
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value sequence_index = sequence(where);
        const Value is_live = exists(where);
        const Value origin = frame_.origin(sequence_index, Side::output);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
            const Place place{where.butterfly + leg, sequence_index, is_live};
            const Complex y = apply(frame_, spec_.store, points_[u * stage.radix + k], place);
            const Value at = frame_.address(origin, where.butterfly, leg, Side::output);
            const Value predicate = both(is_live, within(frame_, spec_.store, place));
            frame_.store(at, y, predicate);
        }
    }
}

ir::Kernel generate_group(const KernelSpec& spec) { return GroupKernel(spec).build(); }

}  // namespace seiche::kernels
