// A prime's convolution as two of half as many points, one after the other in the same shared memory. In the order of a
// generator's powers the points j and j + m, m = (n - 1) / 2, are x[k] and x[n - k], since g^m = -1. Their sums meet
// the real parts of Rader's kernel alone, their differences the imaginary ones, so that
//     X[g^p], X[g^(p+m)] = x[0] + E[p] +- O[p],  E[p] = sum_j (x[j] + x[j+m]) cos(2 pi g^(j+p) / n),
//     O[p] = -i sum_j (x[j] - x[j+m]) sin(2 pi g^(j+p) / n)  (j, p = 0 .. m-1),
// each a convolution that 2 m - 1 padded points hold, where the whole takes 4 m - 1 (Rader 1968).
#include <utility>

#include "kernels/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

std::uint32_t length_of_parity(const KernelSpec& spec) { return (spec.prime - 1) / 2; }

}  // namespace

/// Whether leg `leg` of a butterfly lies below the m points of a part; empty: always.
Value GroupKernel::is_point_of_parity(const StageDeal& stage, std::uint32_t leg, const Slot& where) {
    const std::uint32_t points = length_of_parity(spec_);
    if (leg + stage.butterflies <= points) return {};
    return frame_.builder.less(where.butterfly + std::uint64_t{leg}, frame_.u32(points));
}

/// From the deal to the first stage: the even part to points_, the odd one to odd_.
void GroupKernel::divide() {
    ir::Builder& build = frame_.builder;
    const StageDeal &deal = stages_[0], &core = stages_[1];
    const std::uint32_t points = length_of_parity(spec_);
    const std::vector<Complex> before = points_;
    std::vector<Complex> low(std::size_t{core.slots} * core.radix), high(low.size());
    for (const Round& round : rounds()) {
        if (exchanged_) build.group_barrier();
        exchanged_ = true;
        points_ = before;
        for (const Part part : round.parts) write_part(deal, core, part);
        build.group_barrier();
        for (const Part part : round.parts) {
            for (std::uint32_t u = 0; u < core.slots; ++u) {
                const Slot where = slot(core, u);
                const Value base = place_in_plane(core, where);
                for (std::uint32_t j = 0; j < core.radix; ++j) {
                    const std::uint32_t leg = j * core.butterflies;
                    if (leg >= points) continue;
                    const Value exists = both(where.exists, is_point_of_parity(core, leg, where));
                    get(part, swizzle_.apply(base, leg, power_of_two_), low[u * core.radix + j], exists);
                    get(part, swizzle_.apply(base, leg + points, false), high[u * core.radix + j], exists);
                }
            }
            get_beside(core, part);
        }
    }
    points_.assign(low.size(), build.complex_constant(frame_.real, 0, 0));
    odd_ = points_;
    for (std::size_t i = 0; i < low.size(); ++i) {
        if (!low[i].re) continue;
        points_[i] = low[i] + high[i];
        odd_[i] = low[i] - high[i];
    }
}

/// From the last stage to the deal, with the odd part's results in points_.
void GroupKernel::join(const std::vector<Complex>& even) {
    ir::Builder& build = frame_.builder;
    const StageDeal &core = stages_[stages_.size() - 2], &deal = stages_.back();
    const std::uint32_t points = length_of_parity(spec_);
    const std::vector<Complex> odd = points_;
    std::vector<Complex> after(std::size_t{deal.slots} * deal.radix);
    for (const Round& round : rounds()) {
        build.group_barrier();
        for (const Part part : round.parts) {
            for (std::uint32_t u = 0; u < core.slots; ++u) {
                const Slot where = slot(core, u);
                const Value base = place_in_plane(core, where);
                for (std::uint32_t k = 0; k < core.radix; ++k) {
                    const std::uint32_t leg = k * core.butterflies, i = u * core.radix + k;
                    if (leg >= points) continue;
                    const Value exists = both(where.owns, is_point_of_parity(core, leg, where));
                    put(part, swizzle_.apply(base, leg, power_of_two_), even[i] + odd[i], exists);
                    put(part, swizzle_.apply(base, leg + points, false), even[i] - odd[i], exists);
                }
            }
            put_beside(core, part);
        }
        build.group_barrier();
        points_ = after;
        for (const Part part : round.parts) read_part(deal, core, part);
        after = points_;
    }
}

/// Both parts' convolutions are turns of a loop. What waits, the odd part and then the even one's results, lies in
/// shared memory, where each thread has places of its own, or in registers.
void GroupKernel::run_parity() {
    ir::Builder& build = frame_.builder;
    run_stages(0, 1);
    divide();
    const StageDeal& core = stages_[1];
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < points_.size(); ++i)
        if (i % core.radix * core.butterflies < length_of_parity(spec_)) kept.push_back(i);
    const auto count = static_cast<std::uint32_t>(kept.size());
    const std::uint32_t now = build.private_array("part", frame_.real, 2 * count);
    const bool in_shared = shape_.parity_in_shared;
    const std::uint32_t other = in_shared ? build.shared_array("other", frame_.complex, count * group_size_)
                                          : build.private_array("other", frame_.real, 2 * count);
    const std::uint32_t beside = build.private_array("beside", frame_.real, 2);
    const auto keep = [&](std::uint32_t array, std::uint32_t i, const Complex& point) {
        build.private_store(array, frame_.u32(2 * i), point.re);
        build.private_store(array, frame_.u32(2 * i + 1), point.im);
    };
    const auto kept_point = [&](std::uint32_t array, std::uint32_t i) {
        return Complex{build.private_load(array, frame_.u32(2 * i), frame_.real),
                       build.private_load(array, frame_.u32(2 * i + 1), frame_.real)};
    };
    const Value thread = build.thread_id();
    const auto put_aside = [&](std::uint32_t i, const Complex& point) {
        if (!in_shared) return keep(other, i, point);
        build.shared_store(other, thread + std::uint64_t{i} * group_size_, build.compose({point.re, point.im}));
    };
    const auto take_back = [&](std::uint32_t i) {
        if (!in_shared) return kept_point(other, i);
        const Value point = build.shared_load(other, thread + std::uint64_t{i} * group_size_, frame_.complex);
        return Complex{build.extract(point, 0), build.extract(point, 1)};
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        keep(now, i, points_[kept[i]]);
        put_aside(i, odd_[kept[i]]);
    }
    keep(beside, 0, beside_);
    parity_ = build.begin_loop(frame_.u32(0), frame_.u32(2), frame_.u32(1));
    points_.assign(points_.size(), build.complex_constant(frame_.real, 0, 0));
    for (std::uint32_t i = 0; i < count; ++i) points_[kept[i]] = kept_point(now, i);
    beside_ = kept_point(beside, 0);
    const std::size_t last = stages_.size() - 2;
    if (shape_.core_in_loop) {
        run_turns(1);
    } else {
        for (std::size_t i = 1; i <= last; ++i) {
            if (i > 1 && !keeps_points(i)) exchange(i - 1, i);
            if (spec_.movement_only) continue;
            compute(i);
            if (i == turn_) turn();
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) keep(now, i, points_[kept[i]]);
    keep(beside, 0, beside_);
    build.begin_if(build.compare(ir::Op::equal, parity_, frame_.u32(0)));
    for (std::uint32_t i = 0; i < count; ++i) {
        const Complex odd = take_back(i), result = kept_point(now, i);
        put_aside(i, result);
        keep(now, i, odd);
    }
    build.end_if();
    build.end_loop();
    parity_ = {};
    std::vector<Complex> even(points_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        even[kept[i]] = take_back(i);
        points_[kept[i]] = kept_point(now, i);
    }
    beside_ = kept_point(beside, 0);
    join(even);
}

}  // namespace seiche::kernels
