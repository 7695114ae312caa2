// A prime's convolution as two of half as many points, one after the other in the same shared memory. In the order of a
// generator's powers the points j and j + m, m = (n - 1) / 2, are x[k] and x[n - k], since g^m = -1. Their sums meet
// the real parts of Rader's kernel alone, their differences the imaginary ones, so that
//     X[g^p], X[g^(p+m)] = x[0] + E[p] +- O[p],  E[p] = sum_j (x[j] + x[j+m]) cos(2 pi g^(j+p) / n),
//     O[p] = -i sum_j (x[j] - x[j+m]) sin(2 pi g^(j+p) / n)  (j, p = 0 .. m-1),
// each a convolution that 2 m - 1 padded points hold, where the whole takes 4 m - 1 (Rader 1968).
#include <functional>
#include <utility>

#include "kernels/group/core_run.hpp"

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

class RaderParity : Pass {
public:
    RaderParity(const Pass& pass, Registers& registers) : Pass(pass), registers_(registers) {}
    void run();

private:
    struct PlacePair {
        Value low, high, exists;
    };
    void for_each_pair(const CoreStage& stage, const std::function<void(std::size_t, const PlacePair&)>& visit) const;
    std::vector<Complex> divide();
    void join(const std::vector<Complex>& even);

    Registers& registers_;
};

/// Of a thread's points j below m at this stage: which of its points, and the places of j and j + m.
void RaderParity::for_each_pair(const CoreStage& stage,
                                const std::function<void(std::size_t, const PlacePair&)>& visit) const {
    const std::uint32_t points = length_of_parity(spec);
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = threads.butterfly(stage, u);
        const Value base = layout.points_of(stage, where);
        for (std::uint32_t j = 0; j < stage.radix && j * stage.butterflies < points; ++j) {
            const std::uint32_t leg = j * stage.butterflies;
            const bool is_whole = leg + stage.butterflies <= points;
            const Value is_point =
                is_whole ? Value{} : frame.builder.less(where.butterfly + std::uint64_t{leg}, frame.u32(points));
            visit(std::size_t{u} * stage.radix + j,
                  {layout.at_leg(base, leg), layout.at(base, leg + points, false), both(where.exists, is_point)});
        }
    }
}

/// From the redistribution to the first stage: the even part to the registers; the odd one.
std::vector<Complex> RaderParity::divide() {
    const CoreStage &redistribution = threads.stages()[0], &core = threads.stages()[1];
    std::vector<Complex> low(core.points()), high(low.size());
    for (const Round& round : exchange.rounds()) {
        exchange.wait_for_readers();
        for (const Component one : round.components) exchange.write(redistribution, core, one, registers_);
        exchange.wait();
        for (const Component one : round.components) {
            for_each_pair(core, [&](std::size_t i, const PlacePair& at) {
                exchange.get(one, at.low, low[i], at.exists);
                exchange.get(one, at.high, high[i], at.exists);
            });
            exchange.get_beside(core, one, registers_.beside);
        }
    }
    std::vector<Complex> odd(low.size(), frame.builder.complex_constant(frame.real, 0, 0));
    registers_.points = odd;
    for (std::size_t i = 0; i < low.size(); ++i) {
        if (!low[i].re) continue;
        registers_.points[i] = low[i] + high[i];
        odd[i] = low[i] - high[i];
    }
    return odd;
}

/// From the last stage to the redistribution, with the odd part's results in the registers.
void RaderParity::join(const std::vector<Complex>& even) {
    const CoreStage &core = threads.stages()[threads.stages().size() - 2], &redistribution = threads.last();
    const std::vector<Complex>& odd = registers_.points;
    Registers after{std::vector<Complex>(redistribution.points()), registers_.beside};
    for (const Round& round : exchange.rounds()) {
        exchange.wait();
        for (const Component one : round.components) {
            for_each_pair(core, [&](std::size_t i, const PlacePair& at) {
                exchange.put(one, at.low, even[i] + odd[i], at.exists);
                exchange.put(one, at.high, even[i] - odd[i], at.exists);
            });
            exchange.put_beside(core, one, registers_.beside);
        }
        exchange.wait();
        for (const Component one : round.components) exchange.read(redistribution, core, one, after);
    }
    registers_ = after;
}

/// Both parts' convolutions are turns of a loop. What waits, the odd part and then the even one's results, lies in
/// shared memory, where each thread has places of its own, or in registers.
void RaderParity::run() {
    ir::Builder& build = frame.builder;
    CoreRun(*this, registers_).run(0, 1);
    const std::vector<Complex> odd_part = divide();
    std::vector<Complex>& points = registers_.points;
    const CoreStage& core = threads.stages()[1];
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i % core.radix * core.butterflies < length_of_parity(spec)) kept.push_back(i);
    const auto count = static_cast<std::uint32_t>(kept.size());
    const OwnPoints now(frame, "part", count), beside(frame, "beside", 1),
        other(frame, "other", count, shape.exchange.holds_parity ? threads.count() : 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        now.put(i, points[kept[i]]);
        other.put(i, odd_part[kept[i]]);
    }
    beside.put(0, registers_.beside);
    const Value parity = build.begin_loop(frame.u32(0), frame.u32(2), frame.u32(1));
    points.assign(points.size(), build.complex_constant(frame.real, 0, 0));
    for (std::uint32_t i = 0; i < count; ++i) points[kept[i]] = now.get(i);
    registers_.beside = beside.get(0);
    CoreRun part(*this, registers_, parity);
    shape.has_core_loop() ? part.run_loop(1) : part.run(1, threads.stages().size() - 1);
    for (std::uint32_t i = 0; i < count; ++i) now.put(i, points[kept[i]]);
    beside.put(0, registers_.beside);
    build.begin_if(build.compare(ir::Op::equal, parity, frame.u32(0)));
    for (std::uint32_t i = 0; i < count; ++i) {
        const Complex odd = other.get(i), result = now.get(i);
        other.put(i, result);
        now.put(i, odd);
    }
    build.end_if();
    build.end_loop();
    std::vector<Complex> even(points.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        even[kept[i]] = other.get(i);
        points[kept[i]] = now.get(i);
    }
    registers_.beside = beside.get(0);
    join(even);
}

}  // namespace

void run_parity(const Pass& pass, Registers& registers) { RaderParity(pass, registers).run(); }

}  // namespace seiche::kernels
