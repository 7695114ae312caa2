// Points that are exchanged in several runs of a sequence: the same results, bit by bit, in a part of the space.
#include <gtest/gtest.h>

#include "run_spec.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using kernels::GroupShape;
using kernels::KernelSpec;

constexpr std::uint64_t batch = 5;

KernelSpec spec_of(std::uint32_t n, const std::vector<std::uint32_t>& radices, const GroupShape& shape) {
    KernelSpec spec;
    spec.n = n;
    spec.radices = radices;
    spec.loops = {{0, n, n}};
    spec.shape = shape;
    return spec;
}

void expect_alike(std::uint32_t n, const std::vector<std::uint32_t>& radices, GroupShape shape) {
    const Run whole = run_of(spec_of(n, radices, shape), batch);
    for (const std::uint32_t pieces : {2u, 4u}) {
        shape.exchange.chunks = pieces;
        const KernelSpec spec = spec_of(n, radices, shape);
        if (!kernels::can_exchange_in_chunks(spec, pieces)) continue;
        const Run apart = run_of(spec, batch);
        expect_same_bits(apart, whole, spec);
        EXPECT_LE(apart.shared_bytes, whole.shared_bytes / pieces + 128) << kernels::to_string(spec);
    }
}

TEST(Pieces, GiveTheSameBits) {
    for (const std::uint32_t planes : {1u, 2u}) {
        for (const std::uint32_t sequences : {1u, 3u}) {
            GroupShape shape;
            shape.exchange.components = planes;
            shape.sequences = sequences;
            shape.threads = 16;
            expect_alike(256, {16, 16}, shape);
            expect_alike(256, {8, 8, 4}, shape);  // one slot of a thread, or two
            shape.threads = 13;                   // slots that some threads have and runs that end within them
            expect_alike(256, {16, 4, 4}, shape);
            expect_alike(240, {15, 4, 4}, shape);  // the first radix may be odd
            shape.threads = 20;
            expect_alike(120, {5, 6, 4}, shape);
            if (planes == 2) {
                shape.exchange.whole_points = true;
                expect_alike(256, {16, 16}, shape);
            }
        }
    }
}

TEST(Pieces, DivideTheRadicesAfterTheFirst) {
    GroupShape shape;
    shape.threads = 15;
    shape.exchange.chunks = 2;
    EXPECT_THROW(kernels::complete(spec_of(60, {4, 15}, shape)), InternalError);
    EXPECT_NO_THROW(kernels::complete(spec_of(60, {15, 4}, shape)));
    shape.exchange.chunks = 4;
    EXPECT_THROW(kernels::complete(spec_of(60, {10, 6}, shape)), InternalError);
}

}  // namespace
}  // namespace seiche::test
