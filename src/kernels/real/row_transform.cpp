// The maps of real_map.hpp with constant indices: what they scatter and gather are names of registers, and their signs,
// conditions and roots of unity fold.
#include "kernels/real/row_transform.hpp"

#include "kernels/butterfly.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

class Row {
public:
    Row(Frame& frame, const RealMap& map) : frame_(frame), map_(map), core_(real_core(map.kind, map.length)) {}

    std::vector<Value> transform(const std::vector<Value>& x) {
        points_.assign(core_.points, {zero(), zero()});
        load_way(map_.kind) == RealWay::spectrum ? take_spectrum(x) : take_signal(x);
        for (std::uint64_t j = 0; j < core_.points; ++j)
            points_[j] = swapped(turn_before(frame_, map_, place(j), points_[j]));
        const bool is_scalarised = std::get<GroupShape>(frame_.spec.shape).is_scalarised;
        points_ = butterfly(frame_.builder, points_, is_scalarised ? Products::apart : Products::fused);
        for (std::uint64_t k = 0; k < core_.points; ++k)
            points_[k] = turn_after(frame_, map_, place(k), swapped(points_[k]));
        return store_way(map_.kind) == RealWay::spectrum ? spectrum() : signal();
    }

private:
    Value zero() { return frame_.builder.constant(frame_.real, 0); }
    Place place(std::uint64_t element) { return {frame_.u32(element), frame_.u32(0), {}}; }
    Complex swapped(Complex z) const { return core_.is_inverse ? ir::swap(z) : z; }

    std::uint64_t constant(Value index) const {
        if (!frame_.builder.is_constant(index))
            throw InternalError(std::string("a row of ") + to_string(map_.kind) + " in registers: expected constants");
        return frame_.builder.integer_value(index);
    }
    /// Empty: always.
    bool holds(Value condition) const { return !condition || constant(condition) != 0; }

    void take_signal(const std::vector<Value>& x) {
        std::vector<Value> v(core_.period, zero());
        for (std::uint64_t e = 0; e < map_.length; ++e)
            for (const SignalPlace& to : signal_places(frame_, map_, frame_.u32(e)))
                if (holds(to.exists)) v[constant(to.index)] = to.factor ? x[e] * to.factor : x[e];
        for (std::uint64_t j = 0; j < core_.points; ++j)
            points_[j] = core_.is_paired ? Complex{v[2 * j], v[2 * j + 1]} : Complex{v[j], zero()};
    }

    void take_spectrum(const std::vector<Value>& x) {
        const SpectrumReader read = [&](Value element, Value exists) -> Complex {
            return {holds(exists) ? x[constant(element)] : zero(), {}};
        };
        for (std::uint64_t k = 0; k < spectrum_pairs(map_); ++k) {
            const PointPair pair = load_spectrum_pair(frame_, map_, frame_.u32(k), read);
            points_[k] = pair.low;
            if (holds(has_mirror(frame_, map_, frame_.u32(k))))
                points_[constant(mirror(frame_, map_, frame_.u32(k)))] = pair.high;
        }
    }

    std::vector<Value> signal() {
        const SignalReader read{[&](Value index) {
                                    const std::uint64_t at = constant(index);
                                    if (!core_.is_paired) return points_[at].re;
                                    return at % 2 == 0 ? points_[at / 2].re : points_[at / 2].im;
                                },
                                [&](Value index) { return points_[constant(index)]; }};
        std::vector<Value> y;
        for (std::uint64_t e = 0; e < map_.length; ++e) y.push_back(stored_signal(frame_, map_, frame_.u32(e), read));
        return y;
    }

    std::vector<Value> spectrum() {
        std::vector<Value> y(map_.length);
        for (std::uint64_t k = 0; k < spectrum_pairs(map_); ++k) {
            PointPair pair{points_[k], points_[0]};
            if (core_.is_paired && k != 0) pair.high = points_[constant(mirror(frame_, map_, frame_.u32(k)))];
            for (const SpectrumElement& element : store_spectrum_pair(frame_, map_, frame_.u32(k), pair))
                if (holds(element.exists)) y[constant(element.index)] = element.value.re;
        }
        return y;
    }

    Frame& frame_;
    const RealMap& map_;
    const RealCore core_;
    std::vector<Complex> points_;
};

}  // namespace

std::vector<Value> transform_row(Frame& frame, const RealMap& map, const std::vector<Value>& x) {
    return Row(frame, map).transform(x);
}

}  // namespace seiche::kernels
