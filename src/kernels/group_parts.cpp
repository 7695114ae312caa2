// A prime's butterfly by two threads: one has the real parts of a sequence's points, the next their imaginary ones.
// Each transforms real numbers, half the operations and registers of the whole; the terms with sines cross between
// them.
#include "kernels/group.hpp"

namespace seiche::kernels {

using ir::Value;

/// Elements of a plane so that both parts of a sequence's points lie half of the banks apart.
std::uint32_t GroupKernel::extent_of_parts(std::uint32_t extent) const {
    constexpr std::uint32_t bytes_of_banks = 128;
    const std::uint32_t banks = bytes_of_banks / type_bytes(frame_.real), half = banks / 2;
    return (extent + half - 1) / banks * banks + half;
}

/// From a deal to the other.
void GroupKernel::run_parts() {
    ir::Builder& build = frame_.builder;
    const StageDeal &in = stages_[0], &core = stages_[1], &out = stages_[2];
    for (const Part part : {Part::real, Part::imaginary}) write_part(in, core, part);
    build.group_barrier();
    transform_parts();
    build.group_barrier();
    points_.assign(std::size_t{out.slots} * out.radix, {});
    for (const Part part : {Part::real, Part::imaginary}) read_part(out, core, part);
}

/// A thread reads and writes its own places alone.
void GroupKernel::transform_parts() {
    ir::Builder& build = frame_.builder;
    const Value thread = build.thread_id(), part = thread % std::uint64_t{2};
    const Value base = thread / std::uint64_t{2} * std::uint64_t{pitch_};
    const Value plane = part * plane_offset_[1];
    const auto place = [&](std::size_t k) {
        return swizzle_.apply(base, static_cast<std::uint32_t>(k), false) + plane;
    };
    std::vector<Value> x;
    for (std::size_t j = 0; j < spec_.n; ++j) x.push_back(build.shared_load(plane_[0], place(j), frame_.real));
    const auto put_number = [&](std::size_t k, Value y) { build.shared_store(plane_[0], place(k), y); };
    if (spec_.movement_only) {
        for (std::size_t k = 0; k < spec_.n; ++k) put_number(k, x[k]);
        return;
    }
    // Result k is the even part and i times the odd one, whose own parts change places.
    const Value is_real = build.compare(ir::Op::equal, part, frame_.u32(0));
    const Value sign = build.select(is_real, build.constant(frame_.real, -1.0), build.constant(frame_.real, 1.0));
    prime_parts(
        build, x,
        [&](std::size_t k, Value even, Value odd) {
            const Value other = build.subgroup_shuffle_xor(odd, frame_.u32(1));
            put_number(k, build.mad(sign, other, even));
            put_number(spec_.n - k, build.mad(-sign, other, even));
        },
        [&](Value sum) { put_number(0, sum); });
}

}  // namespace seiche::kernels
