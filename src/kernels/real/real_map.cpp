// The index arithmetic of the real kinds, each once.
#include "kernels/real/real_map.hpp"

#include <limits>
#include <utility>

#include "kernels/real/bin_pairs.hpp"
#include "kernels/tables.hpp"
#include "seiche/error.hpp"
#include "support/double_double.hpp"
#include "support/twiddle.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Op;
using ir::Value;

bool is_even(std::uint64_t n) { return n % 2 == 0; }

bool is_type_4(Kind kind) { return kind == Kind::dct4 || kind == Kind::dst4; }

bool is_sine(Kind kind) { return kind == Kind::dst1 || kind == Kind::dst2 || kind == Kind::dst3 || kind == Kind::dst4; }

Value select(Frame& frame, Value condition, Value a, Value b) { return frame.builder.select(condition, a, b); }

Value real(Frame& frame, DoubleDouble value) { return frame.builder.constant(frame.real, value); }

Value equals(Frame& frame, Value a, std::uint64_t b) {
    return frame.builder.compare(Op::equal, a, frame.builder.integer(a.type(), b));
}

Value differs(Frame& frame, Value a, std::uint64_t b) {
    return frame.builder.compare(Op::not_equal, a, frame.builder.integer(a.type(), b));
}

/// b - a, b a constant: of u32 right wherever the difference is below 2^32.
Value from(Frame& frame, std::uint64_t b, Value a) { return frame.builder.integer(a.type(), b) - a; }

/// A scalar factor times a number or a register of them.
Value scaled(Frame& frame, Value x, Value factor) { return x * frame.builder.splat(factor, x.type().lanes); }

/// One root for all lanes, or a register of them.
Complex turned(Frame& frame, Complex x, Complex w) {
    const unsigned lanes = x.re.type().lanes;
    if (w.re.type().lanes > 1) return x * w;
    return x * Complex{frame.builder.splat(w.re, lanes), frame.builder.splat(w.im, lanes)};
}

Complex halved(Frame& frame, Complex x) { return x * frame.builder.constant(x.re.type(), 0.5); }

/// Type IV of odd length n: of a = 2 e + 1, -a, 4 n - a and 4 n + a exactly one is 1 modulo 8, say 8 t + 1; the last
/// two change the sign of the cosine. Gives t and the sign.
struct Representative {
    Value t, sign;  ///< t is u64 where 8 n has more than 32 bits.
};
Representative representative(Frame& frame, std::uint64_t n, Value e) {
    const bool is_narrow = 8 * n <= std::numeric_limits<std::uint32_t>::max();
    const Value a = (is_narrow ? e : frame.widen(e)) * std::uint64_t{2} + std::uint64_t{1};
    const Value rest = a & std::uint64_t{7};
    const Value is_1 = equals(frame, rest, 1), is_7 = equals(frame, rest, 7), is_5 = equals(frame, rest, 5);
    const Value kept = select(frame, is_1, a, from(frame, 8 * n, a));
    const Value moved = select(frame, is_5, a + 4 * n, from(frame, 4 * n, a));
    const Value is_kept = is_1 | is_7;
    // Of one that is 1 modulo 8 the shift leaves t.
    return {select(frame, is_kept, kept, moved) >> 3, select(frame, is_kept, real(frame, 1), real(frame, -1))};
}

/// 8 t + 1, u64 where 16 n has more than 32 bits.
Value representative_of(Frame& frame, std::uint64_t n, Value t) {
    const bool is_narrow = 16 * n <= std::numeric_limits<std::uint32_t>::max();
    return (is_narrow ? t : frame.widen(t)) * std::uint64_t{8} + std::uint64_t{1};
}

/// The other way: the element whose a has this representative, and the sign.
struct Represented {
    Value e, sign;
};
Represented represented(Frame& frame, std::uint64_t n, Value r) {
    const auto constant = [&](std::uint64_t value) { return frame.builder.integer(r.type(), value); };
    const auto is_below = [&](std::uint64_t limit) { return frame.builder.less(r, constant(limit)); };
    const Value is_kept = is_below(2 * n), is_moved = is_below(6 * n);
    const Value low = select(frame, is_kept, r, from(frame, 4 * n, r));
    const Value high = select(frame, is_moved, r - constant(4 * n), from(frame, 8 * n, r));
    const Value a = select(frame, is_below(4 * n), low, high);
    const Value of_moved = select(frame, is_moved, real(frame, -1), real(frame, 1));
    return {frame.builder.convert(a >> 1, ir::Scalar::u32), select(frame, is_kept, real(frame, 1), of_moved)};
}

/// The order of types II and III: even elements forwards, then odd ones backwards.
SignalPlace folded_place(Frame& frame, const RealMap& map, Value e) {
    const Value is_odd = equals(frame, e & std::uint64_t{1}, 1);
    const Value back = from(frame, map.length - 1, e >> 1);
    SignalPlace place{select(frame, is_odd, back, e >> 1), {}, {}};
    if (is_sine(map.kind)) place.factor = select(frame, is_odd, real(frame, -1), real(frame, 1));
    return place;
}

Value edge_factor(Frame& frame, const RealMap& map, Value e, DoubleDouble factor) {
    const Value is_edge = equals(frame, e, 0) | equals(frame, e, map.length - 1);
    return select(frame, is_edge, real(frame, factor), real(frame, 1));
}

std::vector<SignalPlace> type_4_places(Frame& frame, const RealMap& map, Value e) {
    const std::uint64_t n = map.length;
    const Value x = map.kind == Kind::dst4 ? from(frame, n - 1, e) : e;
    if (!is_even(n)) {
        const Representative r = representative(frame, n, x);
        return {{frame.builder.convert(r.t, ir::Scalar::u32), r.sign, {}}};
    }
    // v[2j] = x[2j], v[2j+1] = x[n-1-2j]
    const Value is_odd = equals(frame, x & std::uint64_t{1}, 1);
    return {{select(frame, is_odd, from(frame, n, x), x), {}, {}}};
}

/// The core's points in a group are in a prime's order; those of a SIMD kernel are found one by one.
std::uint64_t prime_of_places(const KernelSpec& spec) {
    return std::holds_alternative<GroupShape>(spec.shape) ? spec.convolution.prime : 0;
}

RootTable half_period_roots(const RealMap& map) {
    return {real_core(map.kind, map.length).period, 1, 0, spectrum_pairs(map)};
}
RootTable quarter_roots(const RealMap& map) { return {4 * map.length, 1, 0, map.length / 2 + 1}; }

/// Of a thread that has the whole axis in its registers, where k is a constant.
Complex constant_root(Frame& frame, const RootTable& table, Value k) {
    const std::uint64_t exponent = (frame.builder.integer_value(k) * table.step + table.offset) % table.length;
    const support::ComplexValue w = support::twiddle(exponent, table.length);
    return {real(frame, w.re), real(frame, w.im)};
}

/// Entry k of the table; of a long one the product of two powers.
Complex root(Frame& frame, const RootTable& table, Value k, Value exists = {}) {
    if (!frame.spec.register_rows().empty()) return constant_root(frame, table, k);
    if (!is_factored(frame.spec, table)) return frame.table_entry(table, k, exists);
    const bool is_narrow = table.length <= std::uint64_t{1} << 32;
    Value exponent = is_narrow ? k : frame.widen(k);
    if (table.step != 1) exponent = exponent * table.step;
    if (table.offset != 0) exponent = exponent + table.offset;
    return power(frame, table.length, exponent, exists);
}

/// V[k] of types II and III is turned by a quarter of a step.
bool is_quarter_turned(Kind kind) { return has_fours(kind); }

struct Bin {
    Value k;
    bool is_mirror = false;  ///< At least a quarter of the even period; others are below or at it.
    bool is_inner = false;   ///< Neither 0 nor half of the period.
    Value exists = {};       ///< Empty: always.
};

/// Empty: always.
Value inner_bin(Frame& frame, const RealMap& map, const Bin& bin) {
    const std::uint64_t period = real_core(map.kind, map.length).period;
    if (bin.is_inner) return {};
    return is_even(period) ? differs(frame, bin.k, 0) & differs(frame, bin.k, period / 2) : differs(frame, bin.k, 0);
}

/// V[k], k <= period / 2, from the elements.
Complex load_bin(Frame& frame, const RealMap& map, const Bin& bin, const SpectrumReader& read) {
    const Value k = bin.k;
    const std::uint64_t n = map.length;
    const Value inner = inner_bin(frame, map, bin);
    if (map.kind == Kind::c2r) {
        const Complex x = read(k, {});
        if (!inner) return x;
        // What is ignored may be NaN or infinite, which no factor of 0 takes away.
        return {x.re, select(frame, inner, x.im, frame.builder.constant(x.im.type(), 0))};
    }
    if (map.kind == Kind::hc2r) {
        const Value re = read(k, {}).re;
        return {re, read(inner ? select(frame, inner, from(frame, n, k), k) : from(frame, n, k), inner).re};
    }
    const Value first = differs(frame, k, 0);
    const Value low = map.kind == Kind::dst3 ? from(frame, n - 1, k) : k;
    const Value high =
        select(frame, first, map.kind == Kind::dst3 ? k + std::uint64_t{0xffffffff} : from(frame, n, k), low);
    Value re = read(low, {}).re;
    // Bin n/2, which only a mirror is, has one element, twice: it is read once.
    const Value middle = bin.is_mirror ? differs(frame, k, n / 2) : Value{};
    Value im = read(high, middle ? first & middle : first).re;
    if (middle) im = select(frame, middle, im, re);
    if (map.orthonormal) re = scaled(frame, re, select(frame, first, real(frame, 1), real(frame, support::sqrt_2)));
    return turned(frame, {re, -im}, conj(root(frame, quarter_roots(map), k, bin.exists)));
}

struct StoredBin {
    Bin place;
    Complex value;
    Value exists;
};

/// The elements that V[k] makes.
void store_bin(Frame& frame, const RealMap& map, const StoredBin& stored, std::vector<SpectrumElement>& elements) {
    const std::uint64_t n = map.length;
    const Value k = stored.place.k, exists = stored.exists;
    const Complex& bin = stored.value;
    const auto both = [](Value a, Value b) { return !a ? b : !b ? a : a & b; };
    const auto add = [&](Value index, Complex value, Value when) {
        elements.push_back({index, value, both(exists, when)});
    };
    const Value inner = inner_bin(frame, map, stored.place);
    switch (map.kind) {
        case Kind::r2c: add(k, bin, {}); return;
        case Kind::r2hc:
            add(k, {bin.re, {}}, {});
            add(from(frame, n, k), {bin.im, {}}, inner);
            return;
        case Kind::dht:
            add(k, {bin.re - bin.im, {}}, {});
            add(from(frame, n, k), {bin.re + bin.im, {}}, inner);
            return;
        case Kind::dct1: {
            Value re = bin.re;
            if (map.orthonormal) re = scaled(frame, re, edge_factor(frame, map, k, support::sqrt_half));
            add(k, {re, {}}, {});
            return;
        }
        case Kind::dst1: add(k + std::uint64_t{0xffffffff}, {-bin.im, {}}, inner); return;
        default: break;
    }
    const Complex u = turned(frame, bin + bin, root(frame, quarter_roots(map), k, exists));
    Value re = u.re;
    if (map.orthonormal)
        re = scaled(frame, re, select(frame, differs(frame, k, 0), real(frame, 1), real(frame, support::sqrt_half)));
    const bool is_dst = map.kind == Kind::dst2;
    add(is_dst ? from(frame, n - 1, k) : k, {re, {}}, {});
    add(is_dst ? k + std::uint64_t{0xffffffff} : from(frame, n, k), {-u.im, {}}, inner);
}

/// t of type IV of odd length n, of which bin k = 8 t + 1 modulo n makes an element.
Value representative_of_bin(Frame& frame, std::uint64_t n, Value k) {
    std::uint64_t whole = n + 1;
    while (whole % 8 != 0) whole += n;
    const std::uint64_t eighth = whole / 8;  // times 8 is 1 modulo n
    const bool is_narrow = n <= std::numeric_limits<std::uint16_t>::max();
    const Value before = (k + (n - 1)) % n;
    const Value t = (is_narrow ? before : frame.widen(before)) * eighth % n;
    return frame.builder.convert(t, ir::Scalar::u32);
}

/// The elements of type IV of odd length n that bin k and its mirror make: twice the real parts of B w^r, w = exp(-2 pi
/// i / (8 n)), and of conj(B) w^s, where r and s are 1 modulo 8, and k and -k modulo n. So r + s is n times a number
/// that is 2 n modulo 8, and the other is the imaginary part of B w^r, with a sign.
std::vector<SpectrumElement> type_4_elements(Frame& frame, const RealMap& map, const OddBin& bin) {
    const std::uint64_t n = map.length, sum = 2 * n % 8 * n;
    const Value t = representative_of_bin(frame, n, bin.k), r = representative_of(frame, n, t);
    const Complex w = root(frame, store_roots(frame.spec, map).front(), t, bin.exists);
    const Complex x = turned(frame, bin.value + bin.value, w);
    const auto element = [&](Value of, Value number, Value exists) -> SpectrumElement {
        const Represented place = represented(frame, n, of);
        Value sign = place.sign;
        if (map.kind == Kind::dst4) {
            const Value is_odd = equals(frame, place.e & std::uint64_t{1}, 1);
            sign = sign * select(frame, is_odd, real(frame, -1), real(frame, 1));
        }
        return {place.e, {scaled(frame, number, sign), {}}, exists};
    };
    const Value is_below = frame.builder.less(r, frame.builder.integer(r.type(), sum));
    const Value s = select(frame, is_below, from(frame, sum, r), from(frame, sum + 8 * n, r));
    const Value has_other = has_mirror(frame, map, bin.k);
    return {element(r, x.re, bin.exists),
            element(s, n % 4 == 1 ? -x.im : x.im, bin.exists ? bin.exists & has_other : has_other)};
}

/// Points k and m - k of the core from bins k and m - k of v's spectrum, and the other way; w is the root of bin k.
PointPair points_of_bins(Frame& frame, Complex low, Complex high, Complex w) {
    const Complex even = low + conj(high);
    const Complex odd = turned(frame, low - conj(high), conj(w));
    return {even + times_i(odd), conj(even) + times_i(conj(odd))};
}

PointPair bins_of_points(Frame& frame, const PointPair& points, Complex w) {
    const Complex even = halved(frame, points.low + conj(points.high));
    const Complex odd = turned(frame, halved(frame, points.low - conj(points.high)), w);
    return {even - times_i(odd), conj(even + times_i(odd))};
}

/// Of elements up to half of a column, and of all columns.
std::pair<RootTable, RootTable> roots_of_column(const KernelSpec& spec, const RealMap& map, const RootTable& table) {
    const std::uint64_t columns = spec.loops[static_cast<std::size_t>(map.loop)].count;
    return {{table.length, table.step * map.element_stride, 0, spec.n / 2 + std::uint64_t{1}},
            {table.length, table.step, 0, columns}};
}

}  // namespace

RealCore real_core(Kind kind, std::uint64_t n) {
    RealCore core;
    core.is_inverse = kind == Kind::c2r || kind == Kind::hc2r || kind == Kind::dct3 || kind == Kind::dst3;
    core.period = kind == Kind::dct1 ? 2 * (n - 1) : kind == Kind::dst1 ? 2 * (n + 1) : n;
    core.is_paired = is_even(core.period);
    core.points = core.is_paired ? core.period / 2 : core.period;
    return core;
}

RealWay load_way(Kind kind) {
    switch (kind) {
        case Kind::r2c:
        case Kind::dht:
        case Kind::r2hc: return RealWay::natural;
        case Kind::c2r:
        case Kind::hc2r:
        case Kind::dct3:
        case Kind::dst3: return RealWay::spectrum;
        default: return RealWay::placed;
    }
}

RealWay store_way(Kind kind) {
    switch (kind) {
        case Kind::c2r:
        case Kind::hc2r: return RealWay::natural;
        case Kind::dct3:
        case Kind::dst3:
        case Kind::dct4:
        case Kind::dst4: return RealWay::placed;
        default: return RealWay::spectrum;
    }
}

std::uint64_t loaded_elements(const RealMap& map) { return map.kind == Kind::c2r ? map.length / 2 + 1 : map.length; }
std::uint64_t stored_elements(const RealMap& map) { return map.kind == Kind::r2c ? map.length / 2 + 1 : map.length; }

std::uint64_t spectrum_pairs(const RealMap& map) { return real_core(map.kind, map.length).points / 2 + 1; }

std::vector<SignalPlace> signal_places(Frame& frame, const RealMap& map, Value e) {
    const std::uint64_t n = map.length;
    switch (map.kind) {
        case Kind::dct2:
        case Kind::dst2:
        case Kind::dct3:
        case Kind::dst3: return {folded_place(frame, map, e)};
        case Kind::dct4:
        case Kind::dst4: return type_4_places(frame, map, e);
        case Kind::dct1: {
            const Value inner = differs(frame, e, 0) & differs(frame, e, n - 1);
            const Value factor = map.orthonormal ? edge_factor(frame, map, e, support::sqrt_2) : Value{};
            return {{e, factor, {}}, {from(frame, 2 * (n - 1), e), {}, inner}};
        }
        case Kind::dst1: return {{e + std::uint64_t{1}, {}, {}}, {from(frame, 2 * n + 1, e), real(frame, -1), {}}};
        default: return {{e, {}, {}}};
    }
}

SignalPlace signal_element(Frame& frame, const RealMap& map, Value index) {
    const std::uint64_t n = map.length;
    if (is_type_4(map.kind)) {
        const Represented r = represented(frame, n, representative_of(frame, n, index));
        return {map.kind == Kind::dst4 ? from(frame, n - 1, r.e) : r.e, r.sign, {}};
    }
    if (!has_fours(map.kind)) return {index, {}, {}};
    const Value is_even = frame.builder.less(index, frame.u32(n / 2 + 1));
    const Value twice = index * std::uint64_t{2};
    SignalPlace place{select(frame, is_even, twice, from(frame, 2 * n - 1, twice)), {}, {}};
    if (is_sine(map.kind)) place.factor = select(frame, is_even, real(frame, 1), real(frame, -1));
    return place;
}

Value OwnElement::with_sign(Value x) const {
    switch (sign) {
        case Sign::kept: return x;
        case Sign::changed: return -x;
        case Sign::as_told: break;
    }
    return x.builder().select(is_changed, -x, x);
}

namespace {

/// Types II and III: numbers 2 j and 2 j + 1 of v are the even elements, forwards, then the odd ones, backwards. The
/// sine kinds change the sign of odd elements.
OwnElement folded_element(Frame& frame, const RealMap& map, const SignalPoint& j, std::uint64_t part) {
    const std::uint64_t n = map.length, limit = (n / 2 + 1 - part) / 2;
    const Value even = j.index * std::uint64_t{4} + 2 * part, odd = from(frame, 2 * n - 1, even);
    using Sign = OwnElement::Sign;
    if (j.end <= limit) return {Sign::kept, even, {}};
    if (j.begin >= limit) return {is_sine(map.kind) ? Sign::changed : Sign::kept, odd, {}};
    const Value is_forwards = frame.builder.less(j.index, frame.u32(limit));
    const Value element = select(frame, is_forwards, even, odd);
    if (!is_sine(map.kind)) return {Sign::kept, element, {}};
    return {Sign::as_told, element, frame.builder.less(frame.u32(limit - 1), j.index)};
}

}  // namespace

/// A turn has left the odd elements of type IV negated; the sine transform's sign undoes that.
std::vector<OwnElement> elements_of_point(Frame& frame, const RealMap& map, const SignalPoint& point, Side side) {
    using Sign = OwnElement::Sign;
    if (has_fours(map.kind)) return {folded_element(frame, map, point, 0), folded_element(frame, map, point, 1)};
    if (!is_type_4(map.kind)) {
        if (!real_core(map.kind, map.length).is_paired) return {{Sign::kept, point.index, {}}};
        const Value first = point.index * std::uint64_t{2};
        return {{Sign::kept, first, {}}, {Sign::kept, first + std::uint64_t{1}, {}}};
    }
    const OwnElement even{Sign::kept, point.index * std::uint64_t{2}, {}};
    OwnElement odd{Sign::kept, from(frame, map.length - 1, even.index), {}};
    if (side == Side::input) return is_sine(map.kind) ? std::vector{odd, even} : std::vector{even, odd};
    if (!is_sine(map.kind)) odd.sign = Sign::changed;
    return {even, odd};
}

std::vector<std::uint64_t> signal_zeros(const RealMap& map) {
    if (map.kind == Kind::dst1) return {0, map.length + 1};
    return {};
}

Value stored_signal(Frame& frame, const RealMap& map, Value e, const SignalReader& read) {
    const std::uint64_t n = map.length;
    const SignalPlace place = map.kind == Kind::dst4 ? SignalPlace{} : signal_places(frame, map, e).front();
    if (!is_type_4(map.kind)) {
        const Value x = read.number(place.index);
        return place.factor ? scaled(frame, x, place.factor) : x;
    }
    const Value is_odd = equals(frame, e & std::uint64_t{1}, 1);
    if (is_even(n)) {
        // turn_after has left X[2k] and -X[n-1-2k]; the sine transform changes the sign of odd elements
        const Value x = read.number(select(frame, is_odd, from(frame, n, e), e));
        if (map.kind == Kind::dst4) return x;
        return scaled(frame, x, select(frame, is_odd, real(frame, -1), real(frame, 1)));
    }
    const Representative r = representative(frame, n, e);
    const Value k = (r.t * std::uint64_t{8} + std::uint64_t{1}) % n;
    const Complex bin = read.point(frame.builder.convert(k, ir::Scalar::u32));
    const Complex w = root(frame, store_roots(frame.spec, map).front(), r.t);
    Value sign = r.sign * real(frame, 2);
    if (map.kind == Kind::dst4) sign = sign * select(frame, is_odd, real(frame, -1), real(frame, 1));
    return scaled(frame, turned(frame, bin, w).re, sign);
}

Value mirror(Frame& frame, const RealMap& map, Value k) {
    return from(frame, real_core(map.kind, map.length).points, k);
}

Value has_mirror(Frame& frame, const RealMap& map, Value k) {
    const std::uint64_t m = real_core(map.kind, map.length).points;
    const Value first = differs(frame, k, 0);
    return is_even(m) ? first & differs(frame, k, m / 2) : first;
}

Complex bin_root(Frame& frame, const RealMap& map, const RootTable& table, const LowBin& bin) {
    if (!bin.column) return root(frame, table, bin.k, bin.exists);
    const auto [elements, columns] = roots_of_column(frame.spec, map, table);
    return frame.table_entry(elements, bin.element, bin.exists) * frame.table_entry(columns, bin.column, bin.exists);
}

std::vector<RootTable> column_roots(const KernelSpec& spec, const RealMap& map) {
    const std::vector<RootTable> whole =
        is_quarter_turned(map.kind) ? bin_pair_roots(map) : std::vector<RootTable>{half_period_roots(map)};
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    if (is_of_plane(map) || (shape && !shape->has_mirrors_in_group())) return whole;
    std::vector<RootTable> roots;
    for (const RootTable& table : whole) {
        const auto [elements, columns] = roots_of_column(spec, map, table);
        roots.push_back(elements);
        roots.push_back(columns);
    }
    return roots;
}

PointPair load_spectrum_pair(Frame& frame, const RealMap& map, Value k, const SpectrumReader& read) {
    const Complex low = load_bin(frame, map, {k}, read);
    if (!real_core(map.kind, map.length).is_paired) return {low, conj(low)};
    const Complex high = load_bin(frame, map, {mirror(frame, map, k), true}, read);
    return points_of_bins(frame, low, high, root(frame, half_period_roots(map), k));
}

PointPair load_column_pair(Frame& frame, const RealMap& map, const LowBin& bin, const SpectrumReader& read) {
    const bool is_inner = !bin.is_zero;
    const Complex low = load_bin(frame, map, {bin.k, false, is_inner}, read);
    const Complex high = load_bin(frame, map, {mirror(frame, map, bin.k), true, is_inner}, read);
    return points_of_bins(frame, low, high, bin_root(frame, map, half_period_roots(map), bin));
}

/// Of bin m / 2, a quarter of the period, the odd part is turned by -i.
Complex load_middle(Frame& frame, const RealMap& map, const SpectrumReader& read) {
    const Complex bin = load_bin(frame, map, {frame.u32(real_core(map.kind, map.length).points / 2), true, true}, read);
    return conj(bin + bin);
}

std::vector<SpectrumElement> store_middle(Frame& frame, const RealMap& map, Complex point, Value exists) {
    std::vector<SpectrumElement> elements;
    const Bin place{frame.u32(real_core(map.kind, map.length).points / 2), true, true};
    store_bin(frame, map, {place, conj(point), exists}, elements);
    return elements;
}

std::vector<SpectrumElement> store_spectrum_pair(Frame& frame, const RealMap& map, Value k, PointPair points) {
    std::vector<SpectrumElement> elements;
    if (!real_core(map.kind, map.length).is_paired) {
        store_bin(frame, map, {{k}, points.low, {}}, elements);
        return elements;
    }
    const PointPair bins = bins_of_points(frame, points, root(frame, half_period_roots(map), k));
    store_bin(frame, map, {{k}, bins.low, {}}, elements);
    const std::uint64_t m = real_core(map.kind, map.length).points;
    const Value is_other = is_even(m) ? differs(frame, k, m / 2) : Value{};
    store_bin(frame, map, {{mirror(frame, map, k), true}, bins.high, is_other}, elements);
    return elements;
}

bool has_spectrum_runs(const RealMap& map) {
    return (map.kind == Kind::r2c || map.kind == Kind::c2r) && real_core(map.kind, map.length).is_paired;
}

namespace {

/// Roots k to k + lanes - 1; of a long table that of k times the first ones.
Complex root_run(Frame& frame, const RootTable& table, Value k, unsigned lanes) {
    if (!is_factored(frame.spec, table)) return frame.table_run(table, k, lanes);
    const PowerTable low{table.length, 1, power_table_step(table.length)};
    return turned(frame, frame.table_run(low, frame.u32(0), lanes), root(frame, table, k));
}

}  // namespace

PointPair load_spectrum_run(Frame& frame, const RealMap& map, Value k, const PointPair& bins) {
    const Complex w = root_run(frame, half_period_roots(map), k, bins.low.re.type().lanes);
    return points_of_bins(frame, bins.low, bins.high, w);
}

PointPair store_spectrum_run(Frame& frame, const RealMap& map, Value k, const PointPair& points) {
    const Complex w = root_run(frame, half_period_roots(map), k, points.low.re.type().lanes);
    return bins_of_points(frame, points, w);
}

Complex load_odd_bin(Frame& frame, const RealMap& map, Value k, Value exists, const SpectrumReader& read) {
    return load_bin(frame, map, {k, false, false, exists}, read);
}

std::vector<SpectrumElement> store_odd_bin(Frame& frame, const RealMap& map, const OddBin& bin) {
    if (is_type_4(map.kind)) return type_4_elements(frame, map, bin);
    std::vector<SpectrumElement> elements;
    store_bin(frame, map, {{bin.k}, bin.value, bin.exists}, elements);
    return elements;
}

std::vector<SpectrumElement> store_column_pair(Frame& frame, const RealMap& map, const LowBin& bin, PointPair points) {
    const PointPair bins = bins_of_points(frame, points, bin_root(frame, map, half_period_roots(map), bin));
    const bool is_inner = !bin.is_zero;
    std::vector<SpectrumElement> elements;
    store_bin(frame, map, {{bin.k, false, is_inner}, bins.low, {}}, elements);
    store_bin(frame, map, {{mirror(frame, map, bin.k), true, is_inner}, bins.high, {}}, elements);
    return elements;
}

bool is_turned(const RealMap& map) { return is_type_4(map.kind) && is_even(map.length); }

Complex turn_before(Frame& frame, const RealMap& map, const Place& j, Complex z) {
    if (!is_turned(map)) return z;
    return turned(frame, z, root(frame, load_roots(frame.spec, map).front(), j.element, j.exists));
}

Complex turn_after(Frame& frame, const RealMap& map, const Place& k, Complex z) {
    if (!is_turned(map)) return z;
    return turned(frame, z + z, root(frame, store_roots(frame.spec, map).front(), k.element, k.exists));
}

bool is_factored(const KernelSpec& spec, const RootTable& table) {
    constexpr std::uint64_t most_listed = std::uint64_t{1} << 12;
    const auto is_of_several = [](const Folded* fold) { return fold && fold->loop >= 0; };
    return (spec.is_repacking() || is_of_several(spec.in.folded()) || is_of_several(spec.out.folded())) &&
           table.count > most_listed;
}

std::vector<RootTable> load_roots(const KernelSpec& spec, const RealMap& map) {
    const std::uint64_t n = map.length;
    if (is_turned(map)) return {{2 * n, 1, 0, n / 2, prime_of_places(spec)}};
    std::vector<RootTable> roots;
    if (load_way(map.kind) != RealWay::spectrum) return roots;
    if (has_pairs_in_thread(spec, true) && has_fours(map.kind)) return bin_pair_roots(map);
    if (real_core(map.kind, n).is_paired) roots.push_back(half_period_roots(map));
    if (is_quarter_turned(map.kind)) roots.push_back(quarter_roots(map));
    return roots;
}

std::vector<RootTable> store_roots(const KernelSpec& spec, const RealMap& map) {
    const std::uint64_t n = map.length;
    if (is_turned(map)) return {{8 * n, 4, 1, n / 2, prime_of_places(spec)}};
    if (is_type_4(map.kind)) return {{8 * n, 8, 1, n}};
    std::vector<RootTable> roots;
    if (store_way(map.kind) != RealWay::spectrum) return roots;
    if (has_pairs_in_thread(spec, false) && has_fours(map.kind)) return bin_pair_roots(map);
    if (real_core(map.kind, n).is_paired) roots.push_back(half_period_roots(map));
    if (is_quarter_turned(map.kind)) roots.push_back(quarter_roots(map));
    return roots;
}

}  // namespace seiche::kernels
