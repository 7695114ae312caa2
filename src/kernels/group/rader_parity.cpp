// A prime's convolution as two of half as many points, one after the other in the same shared memory. In the order of a
// generator's powers the points j and j + m, m = (n - 1) / 2, are x[k] and x[n - k], since g^m = -1. Their sums meet
// the real parts of Rader's kernel alone, their differences the imaginary ones, so that
//     X[g^p], X[g^(p+m)] = x[0] + E[p] +- O[p],  E[p] = sum_j (x[j] + x[j+m]) cos(2 pi g^(j+p) / n),
//     O[p] = -i sum_j (x[j] - x[j+m]) sin(2 pi g^(j+p) / n)  (j, p = 0 .. m-1),
// each a convolution that 2 m - 1 padded points hold, where the whole takes 4 m - 1 (Rader 1968).
#include <functional>
#include <utility>

#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

std::uint32_t length_of_parity(const KernelSpec& spec) { return (spec.convolution.prime - 1) / 2; }

/// So many points of a thread's own: in registers or, in a group of so many threads, in shared memory.
class OwnPoints {
public:
    OwnPoints(Frame& frame, const char* name, std::uint32_t count, std::uint32_t group = 0)
        : frame_(frame),
          group_(group),
          array_(group != 0 ? frame.builder.shared_array(name, frame.complex, count * group)
                            : frame.builder.private_array(name, frame.real, 2 * count)) {}

    void put(std::uint32_t i, const Complex& point) const {
        ir::Builder& build = frame_.builder;
        if (group_ != 0) return build.shared_store(array_, place(i), build.compose({point.re, point.im}));
        build.private_store(array_, frame_.u32(std::uint64_t{2} * i), point.re);
        build.private_store(array_, frame_.u32(std::uint64_t{2} * i + 1), point.im);
    }

    Complex get(std::uint32_t i) const {
        ir::Builder& build = frame_.builder;
        if (group_ == 0)
            return {build.private_load(array_, frame_.u32(std::uint64_t{2} * i), frame_.real),
                    build.private_load(array_, frame_.u32(std::uint64_t{2} * i + 1), frame_.real)};
        const Value point = build.shared_load(array_, place(i), frame_.complex);
        return {build.extract(point, 0), build.extract(point, 1)};
    }

private:
    Value place(std::uint32_t i) const { return frame_.builder.thread_id() + std::uint64_t{i} * group_; }

    Frame& frame_;
    std::uint32_t group_, array_;
};

}  // namespace

/// Of a thread's points j below m at this stage: which of points_, and the places of j and j + m.
void GroupKernel::for_each_pair(const StageDeal& stage,
                                const std::function<void(std::size_t, const PlacePair&)>& visit) {
    const std::uint32_t points = length_of_parity(spec_);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value base = place_in_plane(stage, where);
        for (std::uint32_t j = 0; j < stage.radix && j * stage.butterflies < points; ++j) {
            const std::uint32_t leg = j * stage.butterflies;
            const bool is_whole = leg + stage.butterflies <= points;
            const Value is_point =
                is_whole ? Value{} : frame_.builder.less(where.butterfly + std::uint64_t{leg}, frame_.u32(points));
            visit(std::size_t{u} * stage.radix + j,
                  {swizzle_.apply(base, leg, power_of_two_), swizzle_.apply(base, leg + points, false),
                   both(where.exists, is_point)});
        }
    }
}

/// From the deal to the first stage: the even part to points_, the odd one to odd_.
void GroupKernel::divide() {
    ir::Builder& build = frame_.builder;
    const StageDeal &deal = stages_[0], &core = stages_[1];
    const std::vector<Complex> before = points_;
    std::vector<Complex> low(std::size_t{core.slots} * core.radix), high(low.size());
    for (const Round& round : rounds()) {
        if (exchanged_) build.group_barrier();
        exchanged_ = true;
        points_ = before;
        for (const Part part : round.parts) write_part(deal, core, part);
        build.group_barrier();
        for (const Part part : round.parts) {
            for_each_pair(core, [&](std::size_t i, const PlacePair& at) {
                get(part, at.low, low[i], at.exists);
                get(part, at.high, high[i], at.exists);
            });
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
    const std::vector<Complex> odd = points_;
    std::vector<Complex> after(std::size_t{deal.slots} * deal.radix);
    for (const Round& round : rounds()) {
        build.group_barrier();
        for (const Part part : round.parts) {
            for_each_pair(core, [&](std::size_t i, const PlacePair& at) {
                put(part, at.low, even[i] + odd[i], at.exists);
                put(part, at.high, even[i] - odd[i], at.exists);
            });
            put_beside(core, part);
        }
        build.group_barrier();
        points_ = after;
        for (const Part part : round.parts) read_part(deal, core, part);
        after = points_;
    }
}

/// Both cores of one part, from its points to its results.
void GroupKernel::convolve_part() {
    if (shape_.has_core_loop()) return run_turns(1);
    for (std::size_t i = 1; i + 1 < stages_.size(); ++i) {
        if (i > 1 && !keeps_points(i)) exchange(i - 1, i);
        if (spec_.movement_only) continue;
        compute(i);
        if (i == turn_) turn();
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
    const OwnPoints now(frame_, "part", count), beside(frame_, "beside", 1),
        other(frame_, "other", count, shape_.exchange.holds_parity ? group_size_ : 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        now.put(i, points_[kept[i]]);
        other.put(i, odd_[kept[i]]);
    }
    beside.put(0, beside_);
    parity_ = build.begin_loop(frame_.u32(0), frame_.u32(2), frame_.u32(1));
    points_.assign(points_.size(), build.complex_constant(frame_.real, 0, 0));
    for (std::uint32_t i = 0; i < count; ++i) points_[kept[i]] = now.get(i);
    beside_ = beside.get(0);
    convolve_part();
    for (std::uint32_t i = 0; i < count; ++i) now.put(i, points_[kept[i]]);
    beside.put(0, beside_);
    build.begin_if(build.compare(ir::Op::equal, parity_, frame_.u32(0)));
    for (std::uint32_t i = 0; i < count; ++i) {
        const Complex odd = other.get(i), result = now.get(i);
        other.put(i, result);
        now.put(i, odd);
    }
    build.end_if();
    build.end_loop();
    parity_ = {};
    std::vector<Complex> even(points_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        even[kept[i]] = other.get(i);
        points_[kept[i]] = now.get(i);
    }
    beside_ = beside.get(0);
    join(even);
}

}  // namespace seiche::kernels
