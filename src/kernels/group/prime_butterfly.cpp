// A prime's butterfly in the places of its points in shared memory, whose threads read and write their own alone. In a
// loop it makes a few pairs of results at a time, so that its text is short. Two threads of a sequence have one the
// real parts of its points, the next their imaginary ones: each transforms real numbers, half the operations and
// registers of the whole, and the terms with sines cross between them.
#include <functional>
#include <utility>

#include "kernels/group/core_run.hpp"
#include "kernels/group/prime_loop.hpp"

namespace seiche::kernels {

using ir::Value;

namespace {

/// What a thread has of its points.
struct OwnPlaces {
    std::function<Parts(std::size_t)> get;
    std::function<void(Value, const Parts&)> put;
    /// even + i odd and even - i odd.
    std::function<std::pair<Parts, Parts>(const Parts& even, const Parts& odd)> pair;
};

class PrimeInPlaces : Pass {
public:
    explicit PrimeInPlaces(const Pass& pass) : Pass(pass) {}
    void run(Registers& registers);

private:
    void transform(const OwnPlaces& own);
    void transform_parts();
    void transform_points();
    Value address(Value base, Value k) const;
};

/// From a redistribution to the other.
void PrimeInPlaces::run(Registers& registers) {
    const CoreStage &in = threads.stages()[0], &core = threads.stages()[1], &out = threads.stages()[2];
    for (const Component one : {Component::real, Component::imaginary}) exchange.write(in, core, one, registers);
    exchange.wait();
    shape.has_parts_in_lanes() ? transform_parts() : transform_points();
    exchange.wait();
    registers.points.assign(out.points(), {});
    for (const Component one : {Component::real, Component::imaginary}) exchange.read(out, core, one, registers);
}

void PrimeInPlaces::transform(const OwnPlaces& own) {
    ir::Builder& build = frame.builder;
    const std::uint32_t written = threads.points_written(threads.first());
    const Parts zero(shape.has_parts_in_lanes() ? 1 : 2, build.constant(frame.real, 0));
    std::vector<Parts> x;
    for (std::uint32_t j = 0; j < spec.n; ++j) x.push_back(j < written ? own.get(j) : zero);
    if (spec.movement_only) {
        for (std::uint32_t k = 0; k < spec.n; ++k) own.put(frame.u32(k), x[k]);
        return;
    }
    const auto take = [&](Value k, const Parts& even, const Parts& odd) {
        const auto [sum, difference] = own.pair(even, odd);
        own.put(k, sum);
        own.put(frame.u32(spec.n) - k, difference);
    };
    prime_in_loop(build, x, shape.pairs_in_turn(), take, [&](const Parts& sum) { own.put(frame.u32(0), sum); });
}

/// Of point or result k, whichever the turn of the loop says it is, of the sequence at `base`.
Value PrimeInPlaces::address(Value base, Value k) const {
    const ir::Builder& build = frame.builder;
    return build.is_constant(k) ? layout.at(base, static_cast<std::uint32_t>(build.integer_value(k)), false)
                                : layout.at(base + k);
}

/// One part of a sequence's points.
void PrimeInPlaces::transform_parts() {
    ir::Builder& build = frame.builder;
    const Value thread = build.thread_id(), part = thread % std::uint64_t{2};
    const Value base = thread / std::uint64_t{2} * std::uint64_t{layout.pitch()};
    const Value plane = part * exchange.imaginary_offset();
    const auto place = [&](Value k) { return address(base, k) + plane; };
    // The odd part's own parts change places.
    const Value is_real = build.compare(ir::Op::equal, part, frame.u32(0));
    const Value sign = build.select(is_real, build.constant(frame.real, -1.0), build.constant(frame.real, 1.0));
    transform({[&](std::size_t j) {
                   return Parts{exchange.get_number(place(frame.u32(static_cast<std::uint32_t>(j))), {}, {})};
               },
               [&](Value k, const Parts& y) { exchange.put_number(place(k), {}, y[0], {}); },
               [&](const Parts& even, const Parts& odd) {
                   const Value other = build.subgroup_shuffle_xor(odd[0], frame.u32(1));
                   return std::pair(Parts{build.mad(sign, other, even[0])}, Parts{build.mad(-sign, other, even[0])});
               }});
}

/// A sequence's points.
void PrimeInPlaces::transform_points() {
    const CoreStage& core = threads.stages()[1];
    const Value base = layout.points_of(core, threads.butterfly(core, 0));
    const auto place = [&](Value k) { return address(base, k); };
    transform(
        {[&](std::size_t j) {
             ir::Complex point;
             for (const Component one : {Component::real, Component::imaginary})
                 exchange.get(one, place(frame.u32(static_cast<std::uint32_t>(j))), point, {});
             return Parts{point.re, point.im};
         },
         [&](Value k, const Parts& y) {
             for (const Component one : {Component::real, Component::imaginary})
                 exchange.put(one, place(k), {y[0], y[1]}, {});
         },
         [](const Parts& even, const Parts& odd) {
             return std::pair(Parts{even[0] - odd[1], even[1] + odd[0]}, Parts{even[0] + odd[1], even[1] - odd[0]});
         }});
}

}  // namespace

void run_in_places(const Pass& pass, Registers& registers) { PrimeInPlaces(pass).run(registers); }

}  // namespace seiche::kernels
