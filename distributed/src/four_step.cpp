#include "four_step.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

/// Of 32 bits with a sign, as what a stage counts from has no more.
constexpr std::uint64_t longest_factor = std::uint64_t{1} << 31;
/// Beyond this a factor of a length is not looked for.
constexpr std::uint64_t largest_prime = std::uint64_t{1} << 21;

/// The divisors of n whose prime factors are found, 1 and n included.
std::vector<std::uint64_t> divisors(std::uint64_t n) {
    std::vector<std::uint64_t> found{1};
    const auto add = [&](std::uint64_t prime, int power) {
        const std::size_t known = found.size();
        for (std::uint64_t factor = prime; power > 0; --power, factor *= prime)
            for (std::size_t i = 0; i < known; ++i) found.push_back(found[i] * factor);
    };
    for (std::uint64_t prime = 2; prime <= largest_prime && prime * prime <= n; ++prime) {
        int power = 0;
        for (; n % prime == 0; n /= prime) ++power;
        add(prime, power);
    }
    if (n > 1) add(n, 1);
    return found;
}

/// What divides every place where a box begins or ends along the axis.
std::uint64_t common_unit(const std::vector<Box>& boxes, std::size_t axis, std::uint64_t n) {
    std::uint64_t unit = n;
    for (const Box& box : boxes)
        if (!box.empty()) unit = std::gcd(unit, std::gcd(box.lower[axis], box.upper[axis]));
    return unit;
}

/// The factors that cost least, in passes over the array: three exchanges of the fullest rank, one more for an array
/// whose boxes are not whole rows of it, and a part of one for factors that are far from a square.
std::optional<FourStep> choose_factors(const Shape& shape, int axis, const Boxes& boxes, bool is_natural) {
    const auto place = static_cast<std::size_t>(axis);
    const std::uint64_t n = shape.lengths[place], ranks = boxes.input.size(),
                        input_unit = common_unit(boxes.input, place, n),
                        output_unit = common_unit(boxes.output, place, n);
    constexpr double price_of_skew = 0.1;
    const auto cost = [&](std::uint64_t n1, std::uint64_t n2) {
        const std::uint64_t most = std::max((n1 + ranks - 1) / ranks * n2, (n2 + ranks - 1) / ranks * n1);
        return 3.0 * static_cast<double>(most) * static_cast<double>(ranks) / static_cast<double>(n) +
               (input_unit % n2 == 0 ? 0 : 1) + (output_unit % (is_natural ? n1 : n2) == 0 ? 0 : 1) +
               price_of_skew * std::abs(std::log2(static_cast<double>(n1) / static_cast<double>(n2)));
    };
    std::optional<FourStep> best;
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint64_t n1 : divisors(n)) {
        const std::uint64_t n2 = n / n1;
        if (n1 == 1 || n2 == 1 || n1 >= longest_factor || n2 >= longest_factor) continue;
        const double own = cost(n1, n2);
        if (own >= least && !(own == least && best && n1 < best->n1)) continue;
        least = own;
        best = FourStep{axis, n1, n2};
    }
    return best;
}

/// The transformed axis to be two axes: the longest one beside which there are too few sequences for the ranks.
std::optional<int> axis_to_fold(const Shape& shape, std::size_t ranks, bool is_asked_for) {
    std::optional<int> longest;
    for (const int axis : shape.axes) {
        std::uint64_t others = 1;
        for (std::size_t other = 0; other < shape.lengths.size() && others < ranks; ++other)
            if (static_cast<int>(other) != axis) others *= shape.lengths[other];
        if (!is_asked_for && others >= ranks) continue;
        const auto length = [&](int a) { return shape.lengths[static_cast<std::size_t>(a)]; };
        if (!longest || length(axis) > length(*longest)) longest = axis;
    }
    return longest;
}

/// The box along both axes; nothing if it is none there.
std::optional<Box> folded(const Box& box, const Fold& fold) {
    const auto axis = static_cast<std::size_t>(fold.axis);
    const std::uint64_t lower = box.lower[axis], upper = box.upper[axis], unit = fold.unit;
    std::uint64_t slow_lower = lower / unit, slow_upper = upper / unit, fast_lower = 0, fast_upper = unit;
    if (lower == upper) {
        slow_lower = slow_upper = 0;
    } else if (lower / unit == (upper - 1) / unit) {
        slow_upper = slow_lower + 1;
        fast_lower = lower % unit;
        fast_upper = fast_lower + upper - lower;
    } else if (lower % unit != 0 || upper % unit != 0) {
        return {};
    }
    Box result{box.lower, box.upper};
    const auto at = static_cast<std::ptrdiff_t>(fold.axis);
    result.lower[axis] = fold.is_first_slow ? slow_lower : fast_lower;
    result.upper[axis] = fold.is_first_slow ? slow_upper : fast_upper;
    result.lower.insert(result.lower.begin() + at + 1, fold.is_first_slow ? fast_lower : slow_lower);
    result.upper.insert(result.upper.begin() + at + 1, fold.is_first_slow ? fast_upper : slow_upper);
    return result;
}

/// Boxes of whole rows near the given ones: where they begin and end, rounded; or slabs along the axis, where the boxes
/// are cut otherwise.
std::vector<Box> near_rows(const std::vector<std::uint64_t>& lengths, const std::vector<Box>& boxes, const Fold& fold) {
    const auto axis = static_cast<std::size_t>(fold.axis);
    const bool are_slabs = std::all_of(boxes.begin(), boxes.end(), [&](const Box& box) {
        for (std::size_t other = 0; other < lengths.size() && !box.empty(); ++other)
            if (other != axis && box.extent(other) != lengths[other]) return false;
        return true;
    });
    std::vector<std::uint64_t> all = lengths;
    all[axis] /= fold.unit;
    std::vector<Box> rows = slab(all, fold.axis, static_cast<int>(boxes.size()));
    for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
        std::uint64_t &lower = rows[rank].lower[axis], &upper = rows[rank].upper[axis];
        if (are_slabs) {
            const bool is_empty = boxes[rank].empty();
            lower = is_empty ? 0 : (boxes[rank].lower[axis] + fold.unit / 2) / fold.unit;
            upper = is_empty ? 0 : (boxes[rank].upper[axis] + fold.unit / 2) / fold.unit;
        }
        lower *= fold.unit;
        upper *= fold.unit;
    }
    return rows;
}

/// Fills in the boxes of one array. Whether they are others than those given.
bool fold_boxes(const std::vector<std::uint64_t>& lengths, const std::vector<Box>& boxes, const Fold& fold,
                std::vector<Box>& whole, std::vector<Box>& parts) {
    const auto fold_all = [&] {
        parts.clear();
        for (const Box& box : whole) {
            std::optional<Box> part = folded(box, fold);
            if (!part) return false;
            parts.push_back(*std::move(part));
        }
        return true;
    };
    whole = boxes;
    if (fold_all()) return false;
    whole = near_rows(lengths, boxes, fold);
    fold_all();
    return true;
}

/// What the fullest rank's transforms cost, in the sense of `design`: bytes that are read and written, in passes of as
/// many points as fit in shared memory.
double transform_cost(const Route& route, const Fabric* fabric) {
    constexpr double bits_of_a_pass = 13;
    const Route& own = route.halves ? route.halves->route : route;
    double bytes = 0;
    for (const Step& step : own.design.steps) {
        std::uint64_t most = 0;
        for (const Box& box : step.before) most = std::max(most, box.count());
        double passes = 0;
        for (const int axis : step.axes)
            passes += std::ceil(std::log2(static_cast<double>(own.shape.lengths[static_cast<std::size_t>(axis)]) + 1) /
                                bits_of_a_pass);
        bytes += 2 * passes * static_cast<double>(most * own.shape.batch * own.shape.real_bytes) *
                 (step.reads_reals ? 1 : 2);
    }
    return fabric == nullptr ? bytes : bytes / fabric->memory_bytes_per_second;
}

Problem with_two_axes(Problem problem, const Shape& shape, const FourStep& four) {
    problem.axes.clear();
    for (const int axis : shape.axes) {
        problem.axes.push_back(axis > four.axis ? axis + 1 : axis);
        if (axis == four.axis) problem.axes.push_back(axis + 1);
    }
    problem.lengths[static_cast<std::size_t>(four.axis)] = four.n1;
    problem.lengths.insert(problem.lengths.begin() + four.axis + 1, four.n2);
    problem.spectrum_order = SpectrumOrder::natural;
    return problem;
}

/// By way of two axes in place of this one.
std::optional<Route> fold_axis(const Problem& problem, const Shape& shape, const Boxes& boxes, int axis,
                               Decomposition decomposition, const Fabric* fabric, Direction direction) {
    const bool is_natural = problem.spectrum_order == SpectrumOrder::natural;
    const std::optional<FourStep> four = choose_factors(shape, axis, boxes, is_natural);
    if (!four) return {};
    Route route;
    route.four_step = four;
    route.problem = with_two_axes(problem, shape, *four);
    route.shape = shape_of(route.problem);
    const bool is_second_first = !is_natural && direction == Direction::inverse;
    route.shape.factors = is_second_first ? Factors{axis + 1, axis} : Factors{axis, axis + 1};
    route.input = {axis, true, four->n2};
    route.output = is_natural ? Fold{axis, false, four->n1} : Fold{axis, true, four->n2};
    Boxes parts;
    route.moves_input = fold_boxes(shape.lengths, boxes.input, route.input, route.whole.input, parts.input);
    route.moves_output = fold_boxes(shape.lengths, boxes.output, route.output, route.whole.output, parts.output);
    route.design = design(route.shape, parts.input, parts.output,
                          decomposition == Decomposition::four_step ? Decomposition::any : decomposition, fabric);
    if (route.moves_input) route.design.cost += exchange_cost(shape, boxes.input, route.whole.input, fabric);
    if (route.moves_output) route.design.cost += exchange_cost(shape, route.whole.output, boxes.output, fabric);
    return route;
}

/// The transform of half as many complex numbers. Its scale is that of the problem.
Problem complex_half(const Problem& problem, std::uint64_t n, bool is_forward) {
    Problem half;
    half.lengths = {n / 2};
    half.precision = problem.precision;
    half.batch = problem.batch;
    const auto factor = [&](const Scale& scale) {
        return scale.rule() == Scale::Rule::none ? scale : Scale::factor(scale.value(static_cast<double>(n)));
    };
    (is_forward ? half.forward_scale : half.inverse_scale) =
        factor(is_forward ? problem.forward_scale : problem.inverse_scale);
    return half;
}

/// exp(-2 pi i m / n) - 1, or without the - 1, of m < n.
std::complex<long double> root(std::uint64_t m, std::uint64_t n, bool is_less_one) {
    constexpr long double half_pi = 1.570796326794896619231321691639751442L;
    const std::uint64_t quarter = 4 * m / n, left = 4 * m % n;
    // The smaller angle to an axis: the other one's cosine would lose what is near 0.
    const bool is_far = 2 * left > n;
    const long double angle =
        half_pi * static_cast<long double>(is_far ? n - left : left) / static_cast<long double>(n);
    long double re = std::cos(angle), im = std::sin(angle);
    if (quarter == 0 && !is_far && is_less_one) {
        const long double half = std::sin(angle / 2);
        return {-2 * half * half, -im};
    }
    if (is_far) std::swap(re, im);
    for (std::uint64_t i = 0; i < quarter; ++i) re = -std::exchange(im, re);
    return {is_less_one ? re - 1 : re, -im};
}

/// The points of the axis, and how many low bits of an index into them one table has, the other the rest.
struct Tables {
    std::uint64_t n = 1;
    unsigned low_bits = 0;
    std::uint64_t low() const { return std::uint64_t{1} << low_bits; }
    std::uint64_t high() const { return ((n - 1) >> low_bits) + 1; }
};

std::uint64_t points_of(const Shape& shape) {
    return shape.lengths[static_cast<std::size_t>(shape.factors->first)] *
           shape.lengths[static_cast<std::size_t>(shape.factors->second)];
}

Tables tables_of(std::uint64_t n) {
    Tables tables;
    tables.n = n;
    while (tables.low() * tables.low() < tables.n) ++tables.low_bits;
    return tables;
}

template <class Real>
Buffer table(const Device& device, std::uint64_t count, std::uint64_t step, std::uint64_t n, bool is_less_one) {
    std::vector<Real> values;
    values.reserve(static_cast<std::size_t>(2 * count));
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::complex<long double> value = root(i * step % n, n, is_less_one);
        values.push_back(static_cast<Real>(value.real()));
        values.push_back(static_cast<Real>(value.imag()));
    }
    Buffer buffer = device.allocate(values.size() * sizeof(Real));
    Queue queue = device.create_queue();
    queue.upload(buffer, values.data(), values.size() * sizeof(Real));
    queue.wait();
    return buffer;
}

template <class Real>
std::vector<StageBufferArgument> tables_on(const Device& device, const Tables& tables) {
    return {{"turns", table<Real>(device, tables.high(), tables.low(), tables.n, false)},
            {"steps", table<Real>(device, tables.low(), 1, tables.n, true)}};
}

/// Real numbers of one axis as half as many complex ones, which are transformed, and pairs of which are the spectrum.
std::optional<Route> by_halves(const Problem& problem, const Shape& shape, const Boxes& boxes,
                               Decomposition decomposition, const Fabric* fabric) {
    const bool is_forward = shape.kind == Kind::r2c;
    if ((!is_forward && shape.kind != Kind::c2r) || shape.lengths.size() != 1 || shape.lengths[0] % 2 != 0 ||
        (problem.precision != Precision::f32 && problem.precision != Precision::f64) ||
        problem.storage != Storage::same || boxes.input.size() < 2 || decomposition == Decomposition::pencils)
        return {};
    const std::uint64_t n = shape.lengths[0], m = n / 2;
    auto halves = std::make_shared<Halves>();
    const std::vector<Box>&reals = is_forward ? boxes.input : boxes.output,
          &bins = is_forward ? boxes.output : boxes.input;
    halves->moves_reals = common_unit(reals, 0, n) % 2 != 0;
    halves->reals = halves->moves_reals ? near_rows(shape.lengths, reals, {0, true, 2}) : reals;
    for (Box& box : halves->reals) box.strides.clear();  // pairs are dense
    Boxes& inner = halves->boxes;
    for (std::size_t rank = 0; rank < reals.size(); ++rank) {
        const Box &own = halves->reals[rank], &kept = bins[rank];
        const std::uint64_t lower = std::min(kept.lower[0], m), upper = std::min(kept.upper[0], m);
        inner.input.push_back({{own.lower[0] / 2}, {own.upper[0] / 2}});
        inner.output.push_back({{lower}, {upper}});
        // For r2c the last rank has a value for the bin of index m too.
        const std::uint64_t begin = is_forward ? kept.lower[0] : lower, end = is_forward ? kept.upper[0] : upper;
        halves->mirrored.push_back(begin == end ? Box{{0}, {0}} : Box{{m + 1 - end}, {m + 1 - begin}});
    }
    if (!is_forward) std::swap(inner.input, inner.output);
    halves->problem = complex_half(problem, n, is_forward);
    const Shape half = shape_of(halves->problem);
    std::optional<Route> route = fold_axis(halves->problem, half, inner, 0, decomposition, fabric,
                                           is_forward ? Direction::forward : Direction::inverse);
    if (!route) return {};
    halves->route = *std::move(route);
    Route all;
    all.problem = problem;
    all.shape = shape;
    all.whole = boxes;
    all.design.cost = halves->route.design.cost + exchange_cost(half, bins, halves->mirrored, fabric);
    if (halves->moves_reals) all.design.cost += exchange_cost(shape, reals, halves->reals, fabric);
    all.halves = std::move(halves);
    return all;
}

}  // namespace

Route find_route(const Problem& problem, const Shape& shape, const Boxes& boxes, Decomposition decomposition,
                 const Fabric* fabric, Direction direction) {
    const bool is_asked_for = decomposition == Decomposition::four_step,
               is_natural = problem.spectrum_order == SpectrumOrder::natural;
    const bool has_kind = shape.kind == Kind::c2c || shape.kind == Kind::r2c || shape.kind == Kind::c2r;
    if (is_asked_for && (!has_kind || problem.precision == Precision::f64x2))
        throw Unsupported("decomposition: expected c2c, r2c or c2r, and not in f64x2, for four_step, got " +
                          to_string(problem));
    std::optional<Route> folded = by_halves(problem, shape, boxes, decomposition, fabric);
    if (shape.kind == Kind::c2c && problem.precision != Precision::f64x2 && boxes.input.size() > 1 &&
        decomposition != Decomposition::pencils)
        if (const auto axis = axis_to_fold(shape, boxes.input.size(), is_asked_for))
            folded = fold_axis(problem, shape, boxes, *axis, decomposition, fabric, direction);
    // Plans of both directions agree on the order.
    if (folded && (is_asked_for || !is_natural)) return *std::move(folded);
    if (is_asked_for && boxes.input.size() > 1)
        throw Unsupported(
            "decomposition: expected an axis whose length is a product, of r2c and c2r one that is even, "
            "alone and stored as computed, for four_step, got " +
            to_string(problem));
    Route route;
    route.problem = problem;
    route.problem.spectrum_order = SpectrumOrder::natural;
    route.shape = shape;
    route.whole = boxes;
    route.design = design(shape, boxes.input, boxes.output, is_asked_for ? Decomposition::any : decomposition, fabric);
    const auto cost = [&](const Route& one) { return one.design.cost + transform_cost(one, fabric); };
    return folded && cost(*folded) < cost(route) ? *std::move(folded) : route;
}

Memory folded(Memory memory, const Fold& fold) {
    const auto place = memory.strides.begin() + fold.axis;
    const std::int64_t fast = *place, slow = fast * static_cast<std::int64_t>(fold.unit);
    *place = fold.is_first_slow ? slow : fast;
    memory.strides.insert(place + 1, fold.is_first_slow ? fast : slow);
    return memory;
}

UserStage twiddle_stage(const Shape& shape, Precision precision, Direction direction) {
    const std::uint64_t last = shape.lengths[static_cast<std::size_t>(shape.factors->second)] - 1;
    // A whole number has 64 bits, so that the product is exact.
    UserStage stage("let other = min(i" + std::to_string(shape.factors->second) + " + start, " + std::to_string(last) +
                    "); let place = i" + std::to_string(shape.factors->first) + " * other; " +
                    twiddle_text(points_of(shape)) + "return value * " +
                    (direction == Direction::forward ? "twiddle;" : "conj(twiddle);"));
    stage.buffers = twiddle_buffers(points_of(shape), precision);
    stage.scalars = {{"start", StageType::u32}};
    return stage;
}

std::string twiddle_text(std::uint64_t n) {
    const std::string low = std::to_string(tables_of(n).low());
    // What is far from 1 is multiplied by how far a small angle is from 1: the product's error is a small part of a
    // rounding.
    return "let high = div(place, " + low + "); let low = place % " + low +
           "; let turn = complex(turns[2 * high], turns[2 * high + 1]);"
           " let step = complex(steps[2 * low], steps[2 * low + 1]); let twiddle = turn + turn * step; ";
}

std::vector<StageBuffer> twiddle_buffers(std::uint64_t n, Precision precision) {
    const Tables tables = tables_of(n);
    const StageType type = precision == Precision::f64 ? StageType::f64 : StageType::f32;
    return {{"turns", type, 2 * tables.high()}, {"steps", type, 2 * tables.low()}};
}

std::vector<StageBufferArgument> twiddle_tables(const Device& device, const Shape& shape, Precision precision) {
    return twiddle_tables(device, points_of(shape), precision);
}

std::vector<StageBufferArgument> twiddle_tables(const Device& device, std::uint64_t n, Precision precision) {
    const Tables tables = tables_of(n);
    return precision == Precision::f64 ? tables_on<double>(device, tables) : tables_on<float>(device, tables);
}

}  // namespace seiche::distributed
