// The GPU core between real sequences of 2 n numbers and n points of a right-angle convolution, whose real part is the
// first half and whose imaginary part is the second (Nussbaumer, "Fast polynomial transform algorithms for digital
// convolution", 1980): modulo x^n + i a real polynomial of 2 n coefficients is its lower half less i times the upper
// one.
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

class Halves : Pass {
public:
    Halves(const Pass& pass, const CoreStage& stage, std::uint64_t leg, const Slot& where, const Place& place)
        : Pass(pass), stage_(stage), leg_(leg), where_(where), place_(place) {}

    Complex load() const {
        const Value from = sequences.origin(place_.sequence, Side::input);
        const auto half = [&](std::uint64_t behind) {
            const std::uint64_t own = leg_ + behind;
            if (passage.keeps(stage_, own, Side::input) == Keeps::none) return frame.builder.constant(frame.real, 0);
            const Value predicate = exists(behind, Side::input);
            return frame.load_real(frame.address(from, where_.butterfly, own, Side::input), 1, predicate);
        };
        const Value lower = half(0);
        return {lower, -half(spec.n)};
    }

    void store(const Complex& z) const {
        const Value to = sequences.origin(place_.sequence, Side::output);
        const auto half = [&](std::uint64_t behind, Value x) {
            const std::uint64_t own = leg_ + behind;
            if (passage.keeps(stage_, own, Side::output) == Keeps::none) return;
            const Value predicate = exists(behind, Side::output);
            frame.store_real(frame.address(to, where_.butterfly, own, Side::output), x, predicate);
        };
        half(0, z.re);
        half(spec.n, -z.im);
    }

private:
    /// Whether the number that lies `behind` numbers behind the point's first is kept.
    Value exists(std::uint64_t behind, Side side) const {
        const Value element = place_.element + behind;
        const bool is_whole = passage.keeps(stage_, leg_ + behind, side) == Keeps::all;
        return both(place_.exists, is_whole ? Value{} : frame.kept(element, place_.sequence, side));
    }

    const CoreStage& stage_;
    std::uint64_t leg_;
    const Slot& where_;
    const Place& place_;
};

}  // namespace

Complex load_halves(const Pass& pass, const CoreStage& stage, std::uint64_t leg, const Slot& where,
                    const Place& place) {
    return Halves(pass, stage, leg, where, place).load();
}

void store_halves(const Pass& pass, const CoreStage& stage, std::uint64_t leg, const Slot& where, const Place& place,
                  Complex z) {
    Halves(pass, stage, leg, where, place).store(z);
}

}  // namespace seiche::kernels
