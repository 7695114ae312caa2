// A prime's butterfly in the places of its points in shared memory, whose threads read and write their own alone. In a
// loop it makes a few pairs of results at a time, so that its text is short. Two threads of a sequence have one the
// real parts of its points, the next their imaginary ones: each transforms real numbers, half the operations and
// registers of the whole, and the terms with sines cross between them.
#include <functional>
#include <utility>

#include "kernels/group/group.hpp"
#include "kernels/group/prime_loop.hpp"

namespace seiche::kernels {

using ir::Value;

/// Elements of a plane so that both parts of a sequence's points lie half of the banks apart.
std::uint32_t GroupKernel::extent_of_parts(std::uint32_t extent) const {
    constexpr std::uint32_t bytes_of_banks = 128;
    const std::uint32_t banks = bytes_of_banks / type_bytes(frame_.real), half = banks / 2;
    return (extent + half - 1) / banks * banks + half;
}

/// From a deal to the other.
void GroupKernel::run_in_places() {
    ir::Builder& build = frame_.builder;
    const StageDeal &in = stages_[0], &core = stages_[1], &out = stages_[2];
    for (const Part part : {Part::real, Part::imaginary}) write_part(in, core, part);
    build.group_barrier();
    shape_.has_parts_in_lanes() ? transform_parts() : transform_points();
    build.group_barrier();
    points_.assign(std::size_t{out.slots} * out.radix, {});
    for (const Part part : {Part::real, Part::imaginary}) read_part(out, core, part);
}

/// What a thread has of its points.
struct GroupKernel::OwnPlaces {
    std::function<Parts(std::size_t)> get;
    std::function<void(Value, const Parts&)> put;
    /// even + i odd and even - i odd.
    std::function<std::pair<Parts, Parts>(const Parts& even, const Parts& odd)> pair;
};

void GroupKernel::transform_in_places(const OwnPlaces& own) {
    ir::Builder& build = frame_.builder;
    const std::uint32_t written = points_written(stages_[0]);
    const Parts zero(shape_.has_parts_in_lanes() ? 1 : 2, build.constant(frame_.real, 0));
    std::vector<Parts> x;
    for (std::uint32_t j = 0; j < spec_.n; ++j) x.push_back(j < written ? own.get(j) : zero);
    if (spec_.movement_only) {
        for (std::uint32_t k = 0; k < spec_.n; ++k) own.put(frame_.u32(k), x[k]);
        return;
    }
    const auto take = [&](Value k, const Parts& even, const Parts& odd) {
        const auto [sum, difference] = own.pair(even, odd);
        own.put(k, sum);
        own.put(frame_.u32(spec_.n) - k, difference);
    };
    prime_in_loop(build, x, shape_.pairs_in_turn(), take, [&](const Parts& sum) { own.put(frame_.u32(0), sum); });
}

/// Of point or result k, whichever the turn of the loop says it is, of the sequence at `base`.
Value GroupKernel::place_of_result(Value base, Value k) {
    const ir::Builder& build = frame_.builder;
    return build.is_constant(k) ? swizzle_.apply(base, static_cast<std::uint32_t>(build.integer_value(k)), false)
                                : swizzle_.apply(base + k, 0, false);
}

/// One part of a sequence's points.
void GroupKernel::transform_parts() {
    ir::Builder& build = frame_.builder;
    const Value thread = build.thread_id(), part = thread % std::uint64_t{2};
    const Value base = thread / std::uint64_t{2} * std::uint64_t{pitch_};
    const Value plane = part * plane_offset_[1];
    const auto place = [&](Value k) { return place_of_result(base, k) + plane; };
    // The odd part's own parts change places.
    const Value is_real = build.compare(ir::Op::equal, part, frame_.u32(0));
    const Value sign = build.select(is_real, build.constant(frame_.real, -1.0), build.constant(frame_.real, 1.0));
    transform_in_places(
        {[&](std::size_t j) {
             return Parts{build.shared_load(plane_[0], place(frame_.u32(static_cast<std::uint32_t>(j))), frame_.real)};
         },
         [&](Value k, const Parts& y) { build.shared_store(plane_[0], place(k), y[0]); },
         [&](const Parts& even, const Parts& odd) {
             const Value other = build.subgroup_shuffle_xor(odd[0], frame_.u32(1));
             return std::pair(Parts{build.mad(sign, other, even[0])}, Parts{build.mad(-sign, other, even[0])});
         }});
}

/// A sequence's points.
void GroupKernel::transform_points() {
    const StageDeal& core = stages_[1];
    const Value base = place_in_plane(core, slot(core, 0));
    const auto place = [&](Value k) { return place_of_result(base, k); };
    transform_in_places(
        {[&](std::size_t j) {
             ir::Complex point;
             for (const Part part : {Part::real, Part::imaginary})
                 get(part, place(frame_.u32(static_cast<std::uint32_t>(j))), point, {});
             return Parts{point.re, point.im};
         },
         [&](Value k, const Parts& y) {
             for (const Part part : {Part::real, Part::imaginary}) put(part, place(k), {y[0], y[1]}, {});
         },
         [](const Parts& even, const Parts& odd) {
             return std::pair(Parts{even[0] - odd[1], even[1] + odd[0]}, Parts{even[0] + odd[1], even[1] - odd[0]});
         }});
}

}  // namespace seiche::kernels
