// Indices at the ends of their ranges: twiddle exponents and addresses beyond 32 bits, chirps at their last point.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/tables.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/real/real_map.hpp"
#include "run.hpp"
#include "support/twiddle.hpp"

namespace seiche::test {
namespace {

using kernels::Frame;
using kernels::KernelSpec;
using kernels::Side;

constexpr std::uint32_t edge = 8;

KernelSpec columns(std::uint32_t n, std::uint64_t count) {
    KernelSpec spec;
    spec.precision = Precision::f64;
    spec.n = n;
    spec.radices = {n};
    spec.in.stride = count;
    spec.out.stride = 1;
    const auto distance = static_cast<std::int64_t>(n * count);
    spec.loops = {{count, 1, n}, {0, distance, distance}};
    spec.shape = kernels::GroupShape{};
    return spec;
}

/// w^(j q) for the last eight elements j and the last eight columns q, as a kernel computes them: j by thread, q by
/// group.
std::vector<double> last_twiddles(const KernelSpec& spec) {
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    build.kernel().launch.group = {edge, 1, 1};
    const kernels::FourStepTwiddle t = std::get<kernels::FourStepTwiddle>(spec.in.stages[0]);
    const ir::Value j = build.thread_id() + std::uint64_t{spec.n - edge};
    const ir::Value q = build.group_id() + (spec.loops[0].count - edge);
    const ir::Complex w = kernels::power(frame, t.length, kernels::exponent(frame, t.length, j, q), {});
    const ir::Value place = build.group_id() * std::uint64_t{edge} + build.thread_id();
    build.global_store(frame.out, frame.widen(place), build.compose({w.re, w.im}));
    const ir::Kernel kernel = build.finish();
    ir::verify(kernel);
    std::vector<std::byte> table = exec::table_bytes(frame.sections, spec.precision);
    std::vector<double> nothing(2), values(2 * edge * edge);
    ir::Launch launch;
    launch.groups = {edge, 1, 1};
    launch.buffers = {bound(nothing), bound(values), bound(table)};
    launch.scalars = {1};
    ir::interpret(kernel, launch);
    return values;
}

TEST(FourStepTwiddle, HasExponentsBeyond32Bits) {
    for (const std::uint64_t count :
         {std::uint64_t{25}, std::uint64_t{1} << 19, std::uint64_t{1} << 20, std::uint64_t{1} << 21}) {
        constexpr std::uint32_t n = 8192;  // 2^32 points, and one bit less and more
        KernelSpec spec = columns(n, count);
        spec.in.stages = {kernels::FourStepTwiddle{n * count, 0}};
        const std::vector<double> values = last_twiddles(spec);
        for (std::uint32_t g = 0; g < edge; ++g) {
            for (std::uint32_t t = 0; t < edge; ++t) {
                const std::uint64_t exponent = (n - edge + t) * (count - edge + g);
                const support::ComplexValue w = support::twiddle(exponent, n * count);
                const std::size_t at = 2 * (g * edge + t);
                EXPECT_LT(std::hypot(values[at] - w.re, values[at + 1] - w.im), 4e-16) << count << ' ' << g << ' ' << t;
            }
        }
    }
}

TEST(Address, ReachesBeyond32Bits) {
    constexpr std::uint64_t count = std::uint64_t{1} << 20, batch_distance = std::uint64_t{3} << 33;
    KernelSpec spec = columns(8192, count);
    spec.loops.back() = {0, batch_distance, 7 * batch_distance};
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    const std::uint32_t addresses = build.buffer({"addresses", ir::Scalar::u64, ir::Access::write, false, false});
    // The fourth array's last column but one; element 8191 as 191 + 8000.
    const ir::Value sequence = build.group_id() + (3 * count + count - 2);
    const ir::Value element = build.thread_id() + std::uint64_t{191};
    for (const Side side : {Side::input, Side::output}) {
        const ir::Value origin = frame.origin(sequence, side);
        const ir::Value address = frame.address(origin, element, 8000, side);
        build.global_store(addresses, frame.u64(side == Side::input ? 0 : 1), address);
    }
    const ir::Kernel kernel = build.finish();
    std::vector<double> nothing(2);
    std::vector<std::uint64_t> found(2);
    ir::verify(kernel);
    ir::Launch launch;
    launch.buffers = {bound(nothing), bound(nothing), bound(found)};
    launch.scalars = {1};
    ir::interpret(kernel, launch);
    EXPECT_EQ(found[0], 3 * batch_distance + (count - 2) + 8191 * count);
    EXPECT_EQ(found[1], 21 * batch_distance + (count - 2) * 8192 + 8191);
}

/// For every element, whether the stages let it take part.
std::vector<std::uint32_t> who_takes_part(const KernelSpec& spec, std::uint32_t q) {
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    build.kernel().launch.group = {spec.n, 1, 1};
    const std::uint32_t flags = build.buffer({"flags", ir::Scalar::u32, ir::Access::write, false, false});
    const ir::Value thread = build.thread_id(), sequence = build.group_id() + std::uint64_t{q};
    const ir::Value inside = kernels::within(frame, spec.in.stages, {thread, sequence, {}});
    EXPECT_TRUE(inside);
    build.global_store(flags, frame.widen(thread), build.select(inside, frame.u32(1), frame.u32(0)));
    const ir::Kernel kernel = build.finish();
    std::vector<double> nothing(2);
    std::vector<std::uint32_t> found(spec.n);
    ir::Launch launch;
    launch.buffers = {bound(nothing), bound(nothing), bound(nothing), bound(found)};
    launch.scalars = {1};
    ir::interpret(kernel, launch);
    return found;
}

TEST(Chirp, LeavesOutThePadding) {
    KernelSpec spec = columns(16, 4);
    spec.in.stages = {kernels::Chirp{37, 4, 0}};  // j = 4 element + q
    for (std::uint32_t q = 0; q < 4; ++q) {
        const std::vector<std::uint32_t> found = who_takes_part(spec, q);
        for (std::uint32_t e = 0; e < spec.n; ++e) EXPECT_EQ(found[e], 4 * e + q < 37 ? 1u : 0u) << e << ' ' << q;
    }
    spec.in.stages.push_back(kernels::Chirp{21, 4, 0});  // the stricter of two
    const std::vector<std::uint32_t> found = who_takes_part(spec, 1);
    for (std::uint32_t e = 0; e < spec.n; ++e) EXPECT_EQ(found[e], 4 * e + 1 < 21 ? 1u : 0u) << e;
}

TEST(Chirp, HasIndicesBeyond32Bits) {
    constexpr std::uint64_t stride = std::uint64_t{1} << 22, length = (std::uint64_t{1} << 32) - 5;
    KernelSpec spec = columns(2048, stride);  // padded to 2^33 points
    spec.in.stages = {kernels::Chirp{length, stride, 0}};
    for (const std::uint64_t q : {std::uint64_t{0}, stride - 6, stride - 5, stride - 1}) {
        const std::vector<std::uint32_t> found = who_takes_part(spec, static_cast<std::uint32_t>(q));
        for (std::uint64_t e = 0; e < spec.n; ++e)
            EXPECT_EQ(found[e], stride * e + q < length ? 1u : 0u) << e << ' ' << q;
    }
    // What the table is asked for: the index itself.
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    const std::uint32_t indices = build.buffer({"indices", ir::Scalar::u64, ir::Access::write, false, false});
    const kernels::Place last{build.thread_id() + std::uint64_t{2047}, build.group_id() + (stride - 1), {}};
    build.global_store(indices, frame.u64(0), kernels::chirp_index(frame, stride, 0, last));
    const ir::Kernel kernel = build.finish();
    std::vector<double> nothing(2);
    std::vector<std::uint64_t> found(1);
    ir::verify(kernel);
    ir::Launch launch;
    launch.buffers = {bound(nothing), bound(nothing), bound(nothing), bound(found)};
    launch.scalars = {1};
    // Without its tables, which would take gigabytes: nothing reads them here.
    ir::interpret(kernel, launch);
    EXPECT_EQ(found[0], (std::uint64_t{1} << 33) - 1);
}

KernelSpec map_of(Kind kind, std::uint64_t length) {
    KernelSpec spec = columns(1, 1);
    spec.radices = {1};
    spec.work = kernels::MapPass{};
    spec.in.elements = kernels::MappedReals{{kind, length, false, 1, -1}};
    return spec;
}

struct Placed {
    std::uint32_t index = 0;
    double factor = 1;
};

using FindPlace = kernels::SignalPlace (*)(Frame&, const kernels::RealMap&, ir::Value);

kernels::SignalPlace last_place(Frame& frame, const kernels::RealMap& map, ir::Value element) {
    return kernels::signal_places(frame, map, element).back();
}

/// Back to the element, and the product of the factors of both ways.
kernels::SignalPlace there_and_back(Frame& frame, const kernels::RealMap& map, ir::Value element) {
    const kernels::SignalPlace there = last_place(frame, map, element);
    kernels::SignalPlace back = kernels::signal_element(frame, map, there.index);
    if (there.factor) back.factor = there.factor * back.factor;
    return back;
}

/// Where the last eight elements of the signal go.
std::vector<Placed> last_places(Kind kind, std::uint64_t length, FindPlace find = last_place) {
    const KernelSpec spec = map_of(kind, length);
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    build.kernel().launch.group = {edge, 1, 1};
    const std::uint32_t indices = build.buffer({"indices", ir::Scalar::u32, ir::Access::write, false, false});
    const std::uint32_t factors = build.buffer({"factors", ir::Scalar::f64, ir::Access::write, false, false});
    const ir::Value element = build.thread_id() + (length - edge), at = frame.widen(build.thread_id());
    const kernels::SignalPlace place = find(frame, *spec.in.map(), element);
    build.global_store(indices, at, place.index);
    build.global_store(factors, at, place.factor ? place.factor : build.constant(frame.real, 1));
    const ir::Kernel kernel = build.finish();
    ir::verify(kernel);
    std::vector<std::byte> table = exec::table_bytes(frame.sections, spec.precision);
    std::vector<double> nothing(2), found_factors(edge);
    std::vector<std::uint32_t> found(edge);
    ir::Launch launch;
    launch.buffers = {bound(nothing), bound(nothing)};
    if (!table.empty()) launch.buffers.push_back(bound(table));
    launch.buffers.insert(launch.buffers.end(), {bound(found), bound(found_factors)});
    launch.scalars = {1};
    ir::interpret(kernel, launch);
    std::vector<Placed> places;
    for (std::uint32_t i = 0; i < edge; ++i) places.push_back({found[i], found_factors[i]});
    return places;
}

TEST(RealMap, PlacesTheEndOfTheLongestSignals) {
    for (const std::uint64_t n : {(std::uint64_t{1} << 32) - 1, (std::uint64_t{1} << 32) - 2}) {
        const std::vector<Placed> places = last_places(Kind::dst2, n);
        for (std::uint64_t i = 0; i < edge; ++i) {
            const std::uint64_t e = n - edge + i;
            EXPECT_EQ(places[i].index, e % 2 == 0 ? e / 2 : n - 1 - e / 2) << n << ' ' << e;
            EXPECT_EQ(places[i].factor, e % 2 == 0 ? 1 : -1) << n << ' ' << e;
        }
    }
    constexpr std::uint64_t n = (std::uint64_t{1} << 31) - 1;
    const std::vector<Placed> mirrored = last_places(Kind::dst1, n);  // v[2 (n + 1) - 1 - e] = -x[e]
    for (std::uint64_t i = 0; i < edge; ++i) EXPECT_EQ(mirrored[i].index, 2 * n + 1 - (n - edge + i)) << i;
}

TEST(RealMap, FindsTheRepresentativesOfLongOddSignals) {
    for (const std::uint64_t n : {(std::uint64_t{1} << 32) - 1, (std::uint64_t{1} << 29) + 1, std::uint64_t{1001}}) {
        const std::vector<Placed> places = last_places(Kind::dct4, n);
        for (std::uint64_t i = 0; i < edge; ++i) {
            const std::uint64_t a = 2 * (n - edge + i) + 1, found = 8 * std::uint64_t{places[i].index} + 1;
            const bool keeps = found == a || found == 8 * n - a, moves = found == 4 * n - a || found == 4 * n + a;
            EXPECT_TRUE(places[i].factor == 1 ? keeps : moves) << n << ' ' << i << ' ' << found;
            EXPECT_LT(places[i].index, n);
        }
    }
}

TEST(RealMap, FindsElementsOfOddSignalsAgain) {
    constexpr std::uint64_t longest = (std::uint64_t{1} << 30) - 1;  // kernels::Folded
    for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3, Kind::dct4, Kind::dst4})
        for (const std::uint64_t n : {longest, longest - 2, (std::uint64_t{1} << 28) + 1, (std::uint64_t{1} << 28) - 1,
                                      std::uint64_t{1001}, std::uint64_t{1003}, std::uint64_t{9}}) {
            const std::vector<Placed> found = last_places(kind, n, there_and_back);
            for (std::uint64_t i = 0; i < edge; ++i) {
                EXPECT_EQ(found[i].index, n - edge + i) << to_string(kind) << ' ' << n;
                EXPECT_EQ(found[i].factor, 1) << to_string(kind) << ' ' << n << ' ' << i;
            }
        }
}

TEST(RealMap, TurnsTheLastPointsByFactoredRoots) {
    for (const std::uint64_t n : {std::uint64_t{1} << 14, std::uint64_t{1} << 31, std::uint64_t{1} << 32}) {
        const KernelSpec spec = map_of(Kind::dct4, n);
        Frame frame(spec, 2);
        ir::Builder& build = frame.builder;
        build.kernel().launch.group = {edge, 1, 1};
        const kernels::Place place{build.thread_id() + (n / 2 - edge), build.group_id(), {}};
        const ir::Value one = build.constant(frame.real, 1), zero = build.constant(frame.real, 0);
        const ir::Complex w = kernels::turn_before(frame, *spec.in.map(), place, {one, zero});
        build.global_store(frame.out, frame.widen(build.thread_id()), build.compose({w.re, w.im}));
        const ir::Kernel kernel = build.finish();
        ir::verify(kernel);
        std::vector<std::byte> table = exec::table_bytes(frame.sections, spec.precision);
        EXPECT_LT(table.size(), std::uint64_t{1} << 22) << n;
        std::vector<double> nothing(2), values(2 * edge);
        ir::Launch launch;
        launch.buffers = {bound(nothing), bound(values), bound(table)};
        launch.scalars = {1};
        ir::interpret(kernel, launch);
        for (std::uint32_t t = 0; t < edge; ++t) {
            const support::ComplexValue exact = support::twiddle(n / 2 - edge + t, 2 * n);
            EXPECT_LT(std::hypot(values[2 * t] - exact.re, values[2 * t + 1] - exact.im), 4e-16) << n << ' ' << t;
        }
    }
}

TEST(Within, IsEmptyWithoutAChirp) {
    KernelSpec spec = columns(16, 4);
    Frame frame(spec, 2);
    const ir::Value thread = frame.builder.thread_id();
    EXPECT_FALSE(kernels::within(frame, {kernels::SwapParts{}, kernels::Multiply{2}}, {thread, thread, {}}));
}

}  // namespace
}  // namespace seiche::test
