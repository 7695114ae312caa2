// Every rule of a problem has a case that breaks it and names the field; canonical forms of equal problems are equal.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "problem/problem.hpp"
#include "seiche/error.hpp"

namespace seiche::problem {
namespace {

std::string refusal(const std::string& text) {
    try {
        normalise(parse_problem(text));
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "accepted";
}

Canonical canonical(const std::string& text) { return normalise(parse_problem(text)); }

struct Refused {
    const char* text;
    const char* says;
};

TEST(Normalise, NamesTheFieldAndTheRule) {
    for (const Refused& c : std::vector<Refused>{
             {"0", "lengths[0]: expected at least 1 along a transformed axis, got 0"},
             {"16x0x4", "lengths[1]: expected at least 1 along a transformed axis, got 0"},
             {"16x0x9223372036854775807x8 axes=0", "lengths: expected arrays below 2^63 bytes"},
             {"4294967296x4294967296", "lengths: expected arrays below 2^63 bytes, got 4294967296x4294967296"},
             {"1152921504606846976", "lengths: expected arrays below 2^63 bytes"},
             {"576460752303423488 f64", "lengths: expected arrays below 2^63 bytes"},
             {"16 batch=9223372036854775807", "expected an extent below 2^63 bytes"},
             {"16 batch=576460752303423488 idist=1", "expected an extent below 2^63 bytes"},
             {"4x4 axes=2", "axes[0]: expected from -2 to 1, got 2"},
             {"4x4 axes=0,-3", "axes[1]: expected from -2 to 1, got -3"},
             {"4x4 axes=0,-2", "axes[1]: expected each axis once, got -2 again"},
             {"4x4 istrides=4", "input.strides: expected 2 of them"},
             {"64 iparts=12", "input.part_bytes: expected a multiple of 8, got 12"},
             {"64 planar f64 parts=12", "input.part_bytes: expected a multiple of 8, got 12"},
             {"64 r2c f16 iparts=6", "input.part_bytes: expected a multiple of 4, got 6"},
             {"64 r2c iparts=64 ioffset=4",
              "input.byte_offset: expected a multiple of 8, because the array lies in "
              "several buffers, got 4"},
             {"64 oparts=24",
              "output.part_bytes: expected at least 32, so that 16 buffers hold the 512 bytes of a "
              "batch of 1, got 24"},
             {"64 in-place iparts=64 oparts=128", "output.part_bytes: expected the input's, or 0"},
             {"4x4 ostrides=4,1,1", "output.strides: expected 2 of them"},
             {"4x4 ostrides=4,0",
              "output.strides[1]: expected one other than 0, because every output has memory of its own, got 0"},
             {"4x4 in-place istrides=4,0",
              "input.strides[1]: expected one other than 0, because the transform is in place, got 0"},
             {"4x4 istrides=-4,1",
              "input.byte_offset: expected at least 96, because strides below 0 put elements so far before the first "
              "one, got 0"},
             {"4x4 istrides=-4,-1 ioffset=112", "input.byte_offset: expected at least 120"},
             {"4x4 ostrides=-4,1 ooffset=88", "output.byte_offset: expected at least 96"},
             {"4x4 oplanar ostrides=4,-1 ooffset=8", "output.byte_offset: expected at least 12"},
             {"4x4 istrides=-9223372036854775808,1", "input.strides: expected an array below 2^63 bytes"},
             {"1x4 istrides=-9223372036854775808,1", "input.strides: expected an array below 2^63 bytes"},
             {"4 idist=-9223372036854775808", "input.batch_distance: expected one above -2^63"},
             {"4x4 ostrides=-3,1 ooffset=800", "output.strides: expected elements that do not overlap, got -3,1"},
             {"4x4 ostrides=3,-1 ooffset=800", "output.strides: expected elements that do not overlap, got 3,-1"},
             {"16 batch=2 odist=-8 ooffset=800", "batch: expected at most 1, because outputs overlap"},
             {"4x4 oimage=rg32f ostrides=-4,1",
              "output.strides[0]: expected at least 0, because the array is an image"},
             {"4 iimage=rg32f idist=-4 batch=2", "input.batch_distance: expected at least 0, because"},
             {"4x4 istrides=9223372036854775807,1", "input.strides: expected an array below 2^63 bytes"},
             {"4x4 ostrides=3,1", "output.strides: expected elements that do not overlap, got 3,1 for 4x4"},
             {"4x4 ostrides=2,3", "output.strides: expected elements that do not overlap"},
             {"4x4 in-place istrides=3,1",
              "input.strides: expected elements that do not overlap, because the transform is in place, got 3,1"},
             {"16 batch=2 odist=8", "batch: expected at most 1, because outputs overlap"},
             {"16 batch=5 ostrides=4 odist=1", "batch: expected at most 4, because outputs overlap"},
             {"16 batch=3 idist=-16", "input.byte_offset: expected at least 256"},
             {"16 batch=2 odist=-17 ooffset=128", "output.byte_offset: expected at least 136"},
             {"16 ioffset=4", "input.byte_offset: expected a multiple of the element's 8 bytes, got 4"},
             {"16 f64 ooffset=8", "output.byte_offset: expected a multiple of the element's 16 bytes, got 8"},
             {"4x4 in-place istrides=4,1 ostrides=3,1", "output.strides: expected elements that do not overlap"},
             {"4x4 in-place istrides=4,1 ostrides=4,0",
              "output.strides[1]: expected one other than 0, because every output has memory of its own, got 0"},
             {"4x4 in-place istrides=-4,1 ostrides=4,1", "input.byte_offset: expected at least 96"},
             {"4x4 in-place istrides=4,1 ostrides=-4,1", "output.byte_offset: expected at least 96"},
             {"16 in-place ooffset=4", "output.byte_offset: expected a multiple of the element's 8 bytes, got 4"},
             {"16 in-place batch=2 odist=8", "batch: expected at most 1, because outputs overlap"},
             {"16 in-place iplanar ostrides=1", "output.planar: expected what the input has"},
             {"4x4 r2c axes=0 halved=1", "halved_axis: expected one of the transformed axes, got 1"},
             {"4x4 r2c halved=2", "halved_axis: expected from -2 to 1, got 2"},
             {"4x4 dct2 halved=1",
              "halved_axis: expected none unless the kind is r2c, c2r, hfft or ihfft, got one for dct2"},
             {"4x4 dct2,r2c", "axis_kinds: expected real-to-real kinds only, got r2c"},
             {"4x4 dct2,dct3,dht", "axis_kinds: expected 2 of them, one per transformed axis, got 3"},
             {"4x1 dct1", "lengths[1]: expected at least 2, because dct1 has no length 1, got 1"},
             {"4x4 r2c orthonormal", "orthonormal: expected a real-to-real kind"},
             {"16 dct2 orthonormal inverse-scale=1/n", "orthonormal: expected no other scale"},
             {"16 hfft orthogonalize", "orthogonalize: expected a real-to-real kind"},
             {"16 orthogonalize", "orthogonalize: expected a real-to-real kind"},
             {"16 r2c in-place istrides=2",
              "input.strides[0]: expected 1 along the halved axis, because the transform is in place, or "
              "output.strides beside it, got 2"},
             {"5 c2r in-place istrides=2",
              "input.strides[0]: expected 1 along the halved axis, because the transform is in place, or "
              "output.strides beside it, got 2"},
             {"16 c2r in-place ostrides=2",
              "output.strides[0]: expected 1 along the halved axis, because the transform is in place, or "
              "input.strides beside it, got 2"},
             {"16 r2c in-place idist=17",
              "input.batch_distance: expected an even number, because the transform is in place and complex numbers "
              "lie there too, or output.batch_distance beside it, got 17"},
             {"6x10 r2c in-place istrides=13,1",
              "input.strides[0]: expected an even number, because the transform is in place and complex numbers lie "
              "there too, or output.strides beside it, got 13"},
             {"6x10 r2c in-place istrides=12", "input.strides: expected 2 of them, one per axis, got 1"},
             {"6x10 r2c in-place istrides=-12,1", "input.byte_offset: expected at least 240"},
             {"6x10 r2c in-place batch=2 idist=-72", "input.byte_offset: expected at least 288"},
             {"6x10 r2c in-place istrides=12,-1",
              "input.strides[1]: expected 1 along the halved axis, because the transform is in place"},
             {"6x10 r2c in-place istrides=-13,1", "input.strides[0]: expected an even number"},
             {"6x10 r2c in-place istrides=10,1",
              "input.strides: expected elements that do not overlap, because the transform is in place, got 10,1"},
             {"16 hfft spectrum-order=pass",
              "spectrum_order: expected natural, because the spectrum is real, got hfft"},
             {"8 c2r in-place idist=4 batch=2",
              "batch: expected at most 1, because inputs overlap beyond (input.batch_distance is 4), got 2"},
             {"4x8 c2r in-place istrides=4,1",
              "input.strides: expected elements that do not overlap, because the transform is in place, got 4,1"},
             {"16 r2c ioffset=2", "input.byte_offset: expected a multiple of the element's 4 bytes, got 2"},
             {"16 r2c ooffset=4", "output.byte_offset: expected a multiple of the element's 8 bytes, got 4"},
             {"9 dct2 batch=2 odist=8", "batch: expected at most 1, because outputs overlap"},
             {"16 signal-zeros=0:8-17",
              "signal_zeros: expected a block within the 16 elements of its axis, got 0:8-17"},
             {"16 signal-zeros=0:8-8", "signal_zeros: expected a block within the 16 elements of its axis, got 0:8-8"},
             {"16 signal-zeros=0:0-9,0:8-16", "signal_zeros: expected at least one element of axis 0 outside"},
             {"16 spectrum-zeros=1:0-4", "spectrum_zeros: expected blocks of transformed axes, got 1:0-4"},
             {"4x4 axes=0 signal-zeros=-1:0-2", "signal_zeros: expected blocks of transformed axes, got -1:0-2"},
             {"16 r2c spectrum-zeros=0:8-10", "spectrum_zeros: expected a block within the 9 elements of its axis"},
             {"16 spectrum-order=pass spectrum-zeros=0:4-8",
              "spectrum_zeros: expected none with spectrum_order pass, got 1 blocks"},
             {"16 dct2 spectrum-order=pass",
              "spectrum_order: expected natural, because the kind has no spectrum, got dct2"},
             {"16 forward-scale=0", "forward_scale: expected a factor that is finite and not 0"},
             {"16 inverse-scale=nan", "inverse_scale: expected a factor that is finite and not 0"},
             {"16 inverse-scale=inf", "inverse_scale: expected a factor that is finite and not 0"},
             {"16 forward-scale=1e39", "forward_scale: expected a factor that is finite and not 0 in f32, got 1e+39"},
             {"16 f16-arithmetic forward-scale=1e5",
              "forward_scale: expected a factor from 2^-28 to 65504 in f16, got"},
             {"16 f16-arithmetic inverse-scale=1e-9", "inverse_scale: expected a factor from 2^-28 to 65504 in f16"},
             {"16 f16-arithmetic storage=bf16", "storage: expected f16, or none, with f16 arithmetic, got bf16"},
             {"16 forward-scale=1e-50", "forward_scale: expected a factor that is finite and not 0 in f32"},
         })
        EXPECT_NE(refusal(c.text).find(c.says), std::string::npos) << c.text << " -> " << refusal(c.text);
    EXPECT_EQ(refusal("16 f64 forward-scale=1e39"), "accepted");
    EXPECT_EQ(refusal("4x4 istrides=1,1 idist=1 batch=3"), "accepted");  // reads may share an address
    EXPECT_EQ(refusal("4x8 c2r istrides=4,1 batch=2 idist=1"), "accepted");
    EXPECT_EQ(refusal("4x8 c2r in-place istrides=5,1 batch=2"), "accepted");
    EXPECT_EQ(refusal("4x4 ostrides=4,5"), "accepted");
    EXPECT_EQ(refusal("16 batch=4 ostrides=4 odist=1"), "accepted");
    EXPECT_EQ(refusal("16 in-place istrides=2 ostrides=2"), "accepted");
    EXPECT_EQ(refusal("12x10 r2c in-place batch=3 odist=100 idist=200"), "accepted");
    EXPECT_EQ(refusal("16x8 r2c in-place halved=0 istrides=1,18 ostrides=1,9"), "accepted");
    EXPECT_EQ(refusal("3x16x8 c2r in-place halved=1 ostrides=144,1,18"), "accepted");
    EXPECT_EQ(refusal("4x4 istrides=4,0"), "accepted");
    EXPECT_EQ(refusal("16 batch=0"), "accepted");
    EXPECT_EQ(refusal("0x4 axes=1"), "accepted");
    EXPECT_THROW(normalise(Problem{}), InvalidProblem);
}

TEST(Normalise, OverwritesInputsWhoseElementsLieApart) {
    const auto may = [](const std::string& text) {
        return normalise(parse_problem(text + " overwrite-input")).may_overwrite_input;
    };
    for (const char* text : {"16", "16x4 c2r batch=3", "4x4 istrides=1,5 idist=20 batch=2", "16 f64x2", "16 planar"})
        EXPECT_TRUE(may(text)) << text;
    for (const char* text : {"16 in-place", "4x4 istrides=1,1", "16 idist=8", "16 istrides=4 idist=1 batch=4", "16 f16",
                             "16 f64x2 storage=f64"})
        EXPECT_FALSE(may(text)) << text;
    EXPECT_FALSE(normalise(parse_problem("16")).may_overwrite_input);
    EXPECT_NE(normalise(parse_problem("16")), normalise(parse_problem("16 overwrite-input")));
    EXPECT_NE(hash(normalise(parse_problem("16"))), hash(normalise(parse_problem("16 overwrite-input"))));
    EXPECT_NE(hash(normalise(parse_problem("16"))), hash(normalise(parse_problem("16 spectrum-order=pass"))));
    EXPECT_EQ(normalise(parse_problem("16 in-place")), normalise(parse_problem("16 in-place overwrite-input")));
}

TEST(Normalise, TurnsBlocksOfZerosIntoWhatIsKept) {
    const Canonical c = normalise(parse_problem("4x16 signal-zeros=1:12-16,-1:2-4,1:3-6 spectrum-zeros=0:0-1"));
    EXPECT_EQ(c.axes[1].signal_kept, (std::vector<Range>{{0, 2}, {6, 12}}));
    EXPECT_EQ(c.axes[1].spectrum_kept, std::vector<Range>{});
    EXPECT_EQ(c.axes[0].kept(Direction::forward, true), std::vector<Range>{});
    EXPECT_EQ(c.axes[0].kept(Direction::forward, false), (std::vector<Range>{{1, 4}}));
    EXPECT_EQ(c.axes[0].kept(Direction::inverse, true), (std::vector<Range>{{1, 4}}));
    EXPECT_EQ(c, normalise(parse_problem("4x16 signal-zeros=1:2-6,1:12-16 spectrum-zeros=-2:0-1")));
    EXPECT_NE(c, normalise(parse_problem("4x16 signal-zeros=1:2-6,1:12-15 spectrum-zeros=-2:0-1")));
}

TEST(Normalise, FillsInDefaults) {
    const Canonical c = normalise(parse_problem("4x6x8 f64 batch=3 axes=1 forward-scale=1/sqrt(n) ioffset=32"));
    EXPECT_EQ(c.axes, (std::vector<Axis>{{6, 8, 8}}));
    EXPECT_EQ(c.loops, (std::vector<Loop>{{4, 48, 48}, {8, 1, 1}}));
    EXPECT_EQ(c.batch, (Batch{3, 192, 192}));
    EXPECT_EQ(c.n, 6u);
    EXPECT_EQ(c.transforms_per_array(), 32u);
    EXPECT_EQ(c.forward_scale, 1 / std::sqrt(6.0));
    EXPECT_EQ(c.inverse_scale, 1.0);
    EXPECT_EQ(c.input_elements(3), 576u);
    EXPECT_EQ(c.input_bytes(3), 32u + 576 * 16);
    EXPECT_EQ(c.output_bytes(1), 192u * 16);
    EXPECT_EQ(c.batch_limit, unlimited);
}

TEST(Normalise, TakesFromTheOtherEndWhatGoesBackwards) {
    // What is not transformed goes forwards at least in the output.
    EXPECT_EQ(canonical("5x8 axes=1 istrides=-8,1 ostrides=-8,1 ioffset=256 ooffset=256"), canonical("5x8 axes=1"));
    EXPECT_EQ(canonical("5x8 axes=1 istrides=-8,1 ostrides=-8,1 ioffset=296 ooffset=256"),
              canonical("5x8 axes=1 ioffset=40"));
    EXPECT_EQ(canonical("5x8 axes=1 in-place istrides=-8,1 ioffset=256"), canonical("5x8 axes=1 in-place"));
    EXPECT_EQ(canonical("5x8 axes=1 ostrides=-8,1 ooffset=256"), canonical("5x8 axes=1 istrides=-8,1 ioffset=256"));
    EXPECT_EQ(canonical("2x3x8 axes=2 istrides=-24,-8,1 ostrides=-24,-8,1 ioffset=320 ooffset=320"),
              canonical("6x8 axes=1"));
    // An axis keeps its direction.
    const Canonical turned = canonical("8 istrides=-1 ioffset=56");
    EXPECT_EQ(turned.axes[0].input_stride, -1);
    EXPECT_EQ(turned.input_bytes(1), 64u);
    EXPECT_EQ(turned.input_base(), 0u);
    EXPECT_EQ(turned.input_first(), 7u);
    // Kernels are the same wherever the array is.
    const Canonical further = canonical("8 istrides=-1 ioffset=96");
    EXPECT_EQ(further.input_bytes(1), 104u);
    EXPECT_EQ(further.input_base(), 40u);
    EXPECT_EQ(further.input_first(), 7u);
    // Arrays before the first: bound from the start, whatever the batch.
    const Canonical batches = canonical("8 batch=3 idist=-8 ioffset=160");
    EXPECT_EQ(batches.input_bytes(3), 224u);
    EXPECT_EQ(batches.input_begin(3), 32u);
    EXPECT_EQ(batches.input_begin(1), 160u);
    EXPECT_EQ(batches.input_first(), 20u);
    check_batch(batches, 3);
    try {
        check_batch(batches, 4);
        FAIL() << "a batch whose arrays begin before the buffer";
    } catch (const InvalidProblem& error) {
        EXPECT_STREQ(error.what(),
                     "InvalidProblem: batch: expected at most 3, because input.byte_offset leaves no room for more "
                     "arrays before the "
                     "first (input.batch_distance is -8), got 4");
    }
}

TEST(Normalise, MergesWhatLiesAsOne) {
    EXPECT_EQ(normalise(parse_problem("4x6x8 axes=0")).loops, (std::vector<Loop>{{48, 1, 1}}));
    EXPECT_EQ(normalise(parse_problem("4x6x8 axes=2")).loops, (std::vector<Loop>{{24, 8, 8}}));
    // Contiguous in the input only.
    EXPECT_EQ(normalise(parse_problem("4x6x8 axes=2 ostrides=64,8,1")).loops,
              (std::vector<Loop>{{4, 48, 64}, {6, 8, 8}}));
    // Fortran order: the neighbours in memory are not neighbours in the shape.
    EXPECT_EQ(normalise(parse_problem("4x6x8 axes=1 istrides=1,4,24 ostrides=1,4,24")).loops,
              (std::vector<Loop>{{8, 24, 24}, {4, 1, 1}}));
}

TEST(Normalise, EqualProblemsAreEqual) {
    const Canonical plain = normalise(parse_problem("1024x16"));
    for (const char* text : {"1024x1x16", "1024x16 axes=-1,0", "1024x16 istrides=16,1", "1x1024x16 axes=1,2",
                             "1024x16 odist=16384", "1024x16 forward-scale=1"}) {
        EXPECT_EQ(normalise(parse_problem(text)), plain) << text;
        EXPECT_EQ(hash(normalise(parse_problem(text))), hash(plain)) << text;
    }
    for (const char* text :
         {"1024x16 f64", "1024x16 in-place", "1024x16 batch=2", "1024x16 axes=0", "1024x16 inverse-scale=1/n",
          "16x1024", "1024x16 ioffset=8", "1024x16 ooffset=8", "1024x16 ostrides=32,2", "1024x16 idist=20000"}) {
        EXPECT_NE(normalise(parse_problem(text)), plain) << text;
        EXPECT_NE(hash(normalise(parse_problem(text))), hash(plain)) << text;
    }
    EXPECT_EQ(normalise(parse_problem("1x1")).n, 1u);
    EXPECT_TRUE(normalise(parse_problem("1x1")).axes.empty());
}

TEST(Normalise, SizesFollowStorageAndPlanes) {
    EXPECT_EQ(normalise(parse_problem("16 f16 ioffset=8")).input_bytes(2), 8u + 2 * 16 * 4);
    EXPECT_EQ(normalise(parse_problem("16 f64 storage=f32")).output_bytes(1), 16u * 8);
    EXPECT_EQ(normalise(parse_problem("16 f32 storage=f32")), normalise(parse_problem("16")));
    EXPECT_EQ(normalise(parse_problem("16 f64 storage=f64")), normalise(parse_problem("16 f64")));
    EXPECT_EQ(normalise(parse_problem("16 f64x2 storage=f64")).output_bytes(1), 16u * 16);
    EXPECT_EQ(normalise(parse_problem("16 f64x2")).output_bytes(1), 16u * 32);
    EXPECT_EQ(normalise(parse_problem("16 f16-arithmetic")).output_bytes(1), 16u * 4);
    EXPECT_EQ(normalise(parse_problem("16 f16-arithmetic storage=f16")), normalise(parse_problem("16 f16-arithmetic")));
    EXPECT_EQ(normalise(parse_problem("3 f64x2 forward-scale=1/n")).forward_scale.lo, 0x1.5555555555555p-56);
    EXPECT_EQ(normalise(parse_problem("3 f64 forward-scale=1/n")).forward_scale.lo, 0.0);
    const Canonical planar = normalise(parse_problem("16 iplanar ioffset=12 istrides=2"));
    EXPECT_EQ(planar.input_half_bytes(1), 12u + 31 * 4);
    EXPECT_EQ(planar.input_bytes(1), 12u + 2 * 31 * 4);
    EXPECT_EQ(planar.output_bytes(1), 16u * 8);
    EXPECT_NE(hash(normalise(parse_problem("16 f16"))), hash(normalise(parse_problem("16 bf16"))));
    EXPECT_NE(normalise(parse_problem("16 iplanar")), normalise(parse_problem("16 oplanar")));
    const Canonical parts = normalise(parse_problem("16 in-place iparts=64"));
    EXPECT_EQ(parts.output_part_bytes, 64u);
    EXPECT_NE(parts, normalise(parse_problem("16 in-place")));
    EXPECT_NE(hash(parts), hash(normalise(parse_problem("16 in-place"))));
    EXPECT_EQ(parts, normalise(parse_problem("16 in-place parts=64")));
    EXPECT_EQ(normalise(parse_problem("16x4 r2c in-place ioffset=16 parts=128")).output_byte_offset, 16u);
    EXPECT_TRUE(normalise(parse_problem("16 in-place iplanar")).output_planar);
}

TEST(Normalise, RefusesStoragesAndPlanesThatMakeNoSense) {
    for (const char* text : {"16 f64x2 storage=f32", "16 f64x2 ioffset=16", "16 f32 storage=f64", "16 f64 storage=f16",
                             "16 f64 storage=bf16", "16 f16 ioffset=2", "16 iplanar ioffset=6", "16 r2c iplanar",
                             "16 c2r oplanar", "16 dct2 iplanar", "16 in-place oplanar", "16 r2c in-place oplanar"})
        EXPECT_THROW(normalise(parse_problem(text)), InvalidProblem) << text;
}

TEST(Normalise, TheBatchMayChangeWithinItsLimit) {
    const Canonical c = normalise(parse_problem("16 ostrides=4 odist=1"));
    EXPECT_NO_THROW(check_batch(c, 4));
    EXPECT_THROW(check_batch(c, 5), InvalidProblem);
    EXPECT_NO_THROW(check_batch(c, 0));
    EXPECT_THROW(check_batch(normalise(parse_problem("16")), 1ull << 60), InvalidProblem);
}

TEST(Scale, Values) {
    EXPECT_EQ(Scale::none().value(8), 1.0);
    EXPECT_EQ(Scale::by_n().value(8), 0.125);
    EXPECT_EQ(Scale::by_sqrt_n().value(16), 0.25);
    EXPECT_EQ(Scale::factor(-3).value(8), -3.0);
}

TEST(Normalise, LeavesRoomForPaddedRowsBetweenArrays) {
    const auto distances = [](const std::string& text) {
        const Batch batch = normalise(parse_problem(text)).batch;
        return std::pair{batch.input_distance, batch.output_distance};
    };
    EXPECT_EQ(distances("4x6"), (std::pair<std::int64_t, std::int64_t>{24, 24}));
    EXPECT_EQ(distances("4x6 istrides=8,1"), (std::pair<std::int64_t, std::int64_t>{32, 24}));
    EXPECT_EQ(distances("4x6 ostrides=1,4"), (std::pair<std::int64_t, std::int64_t>{24, 24}));
    EXPECT_EQ(distances("1x6 istrides=8,1"), (std::pair<std::int64_t, std::int64_t>{8, 6}));
    EXPECT_EQ(distances("5 istrides=2"), (std::pair<std::int64_t, std::int64_t>{10, 5}));
    EXPECT_EQ(distances("2x3 ostrides=3,2"), (std::pair<std::int64_t, std::int64_t>{6, 8}));  // the last is element 7
    EXPECT_EQ(distances("4x6 istrides=0,1"), (std::pair<std::int64_t, std::int64_t>{6, 24}));
    EXPECT_EQ(distances("4x6 istrides=8,1 idist=40"), (std::pair<std::int64_t, std::int64_t>{40, 24}));
    EXPECT_EQ(distances("6x10 r2c in-place istrides=20,1"), (std::pair<std::int64_t, std::int64_t>{120, 60}));
    EXPECT_EQ(distances("6x10 c2r in-place istrides=8,1"), (std::pair<std::int64_t, std::int64_t>{48, 96}));
}

TEST(Normalise, InPlaceOneLayoutOfARealKindTellsTheOther) {
    const Canonical stated =
        normalise(parse_problem("6x10 r2c in-place istrides=20,1 ostrides=10,1 ioffset=16 ooffset=16"));
    EXPECT_EQ(normalise(parse_problem("6x10 r2c in-place istrides=20,1 ioffset=16")), stated);
    EXPECT_EQ(normalise(parse_problem("6x10 r2c in-place ostrides=10,1 ooffset=16")), stated);
    EXPECT_EQ(normalise(parse_problem("6x10 r2c in-place ostrides=10,1 ioffset=16")), stated);
    EXPECT_EQ(normalise(parse_problem("6x10 c2r in-place ostrides=20,1")),
              normalise(parse_problem("6x10 c2r in-place istrides=10,1")));
    EXPECT_EQ(normalise(parse_problem("12x10 r2c in-place idist=200")),
              normalise(parse_problem("12x10 r2c in-place odist=100")));
}

TEST(Normalise, InPlaceWhatIsLeftEmptyFollows) {
    const Canonical stated =
        normalise(parse_problem("6x8 in-place istrides=9,1 ostrides=9,1 idist=60 odist=60 "
                                "ioffset=16 ooffset=16"));
    EXPECT_FALSE(stated.has_two_layouts);
    for (const char* words : {"", " ostrides=9,1", " odist=60", " ooffset=16", " ostrides=9,1 ooffset=16"})
        EXPECT_EQ(normalise(parse_problem(std::string("6x8 in-place istrides=9,1 idist=60 ioffset=16") + words)),
                  stated)
            << words;
    const Canonical columns = normalise(parse_problem("6x8 in-place istrides=9,1 idist=60 ioffset=16 ostrides=1,6"));
    EXPECT_TRUE(columns.has_two_layouts);
    EXPECT_TRUE(columns.shares_buffer() && !columns.in_place());
    EXPECT_EQ(columns.output_byte_offset, 0u);
    EXPECT_EQ(columns.batch.output_distance, 48u) << "none is the input's, because strides differ";
    EXPECT_NE(hash(columns), hash(stated));
    EXPECT_EQ(normalise(parse_problem("1x8 in-place ostrides=99,1")).has_two_layouts, false) << "one row";
}

TEST(Normalise, InPlaceWithTwoLayouts) {
    for (const char* text :
         {"16 in-place istrides=2 ostrides=3", "16 in-place ooffset=16", "16 in-place odist=17",
          "4x4 in-place istrides=4,0 ostrides=4,1", "16 in-place idist=8 odist=16 batch=3",
          "16 in-place planar odist=20", "9 dct2 in-place istrides=2 ostrides=3", "16 dct2 in-place odist=20",
          "16 r2c in-place idist=16 odist=9", "6x10 r2c in-place istrides=14,1 ostrides=6,1",
          "6x10 c2r in-place istrides=6,1 ostrides=11,1", "6x10 r2c in-place istrides=10,1 ostrides=6,1",
          "6x10 r2c in-place ioffset=16 ooffset=32", "16x8 r2c in-place halved=0", "3x16x8 c2r in-place halved=1",
          "6x10 r2c in-place istrides=1,6 ostrides=1,6", "16 hfft in-place istrides=2 ostrides=1"}) {
        ASSERT_EQ(refusal(text), "accepted") << text;
        const Canonical c = normalise(parse_problem(text));
        EXPECT_TRUE(c.has_two_layouts) << text;
        Problem apart = parse_problem(text);
        if (c.input_byte_offset != 0) continue;  // whose rows are padded in place
        if (apart.kind == Kind::c2c || is_real_to_real(apart.kind)) continue;
        apart.placement = Placement::out_of_place;
        Canonical out_of_place = normalise(apart);
        out_of_place.placement = Placement::in_place;
        out_of_place.has_two_layouts = true;
        EXPECT_EQ(c, out_of_place) << text;
    }
    for (const char* text : {"16 in-place odist=16", "16 r2c in-place idist=18 odist=9", "16x8 r2c in-place halved=-1",
                             "16x1 r2c in-place halved=0", "6x1 r2c in-place istrides=14,2 ostrides=7,3"})
        EXPECT_FALSE(normalise(parse_problem(text)).has_two_layouts) << text;
}

TEST(Normalise, EdgesMayBeWeighedWithoutAScale) {
    EXPECT_EQ(normalise(parse_problem("8x6 dct2 orthonormal")),
              normalise(parse_problem("8x6 dct2 orthogonalize norm=ortho")));
    EXPECT_EQ(normalise(parse_problem("8 dst3 orthonormal")),
              normalise(parse_problem("8 dst3 orthonormal orthogonalize")));
    const Canonical c = normalise(parse_problem("8 dct1 orthogonalize norm=forward"));
    EXPECT_TRUE(c.orthonormal);
    EXPECT_EQ(c.forward_scale, DoubleDouble(1.0 / 14));
    EXPECT_EQ(c.inverse_scale, DoubleDouble(1.0));
    EXPECT_NE(hash(c), hash(normalise(parse_problem("8 dct1 norm=forward"))));
}

TEST(Normalise, PlansWithoutArraysAsForOne) {
    const Canonical none = normalise(parse_problem("16x4 axes=0 batch=0"));
    EXPECT_EQ(none.batch.count, 1u);
    EXPECT_EQ(none.default_batch, 0u);
    EXPECT_FALSE(none.is_empty);
    EXPECT_EQ(none.input_bytes(0), 0u);
    EXPECT_NE(none, normalise(parse_problem("16x4 axes=0")));
    EXPECT_NE(hash(none), hash(normalise(parse_problem("16x4 axes=0"))));
    EXPECT_TRUE(normalise(parse_problem("16x0 axes=0")).is_empty);
    EXPECT_NO_THROW(check_batch(none, 0));
}

TEST(Normalise, PlansHfftAsC2rOfConjugatedValues) {
    const Canonical hfft = normalise(parse_problem("6x9 hfft forward-scale=2 signal-zeros=1:3-5"));
    EXPECT_TRUE(hfft.is_conjugated && !hfft.input_is_real && hfft.output_is_real);
    EXPECT_EQ(hfft.axes[1].kind, Kind::c2r);
    EXPECT_EQ(hfft.as_planned(Direction::forward), Direction::inverse);
    EXPECT_TRUE(hfft.has(Direction::inverse) && !hfft.has(Direction::forward));
    EXPECT_EQ(hfft.scale(Direction::inverse), 2.0);
    EXPECT_EQ(hfft.axes[1].kept(Direction::inverse, true), (std::vector<Range>{{0, 3}}));
    EXPECT_TRUE(hfft.stages_of(Direction::inverse).load && !hfft.stages_of(Direction::forward).load);
    EXPECT_EQ(normalise(parse_problem("9 ihfft")).axes[0].kind, Kind::r2c);
    EXPECT_NE(hash(normalise(parse_problem("9 hfft"))), hash(normalise(parse_problem("9 c2r"))));
}

TEST(NextFastLength, RefusesWhatHasNone) {
    EXPECT_EQ(next_fast_length(1), 1u);
    EXPECT_EQ(next_fast_length(17), 18u);
    EXPECT_EQ(next_fast_length(1021), 1024u);
    EXPECT_THROW(next_fast_length(0), InvalidProblem);
    EXPECT_THROW(next_fast_length((1ull << 62) + 1), InvalidProblem);
}

TEST(Normalise, KnowsTheArraysOfRealKinds) {
    const Canonical r2c = normalise(parse_problem("6x9 r2c batch=3"));
    EXPECT_TRUE(r2c.input_is_real && !r2c.output_is_real);
    EXPECT_EQ(r2c.axes[0].kind, Kind::c2c);
    EXPECT_EQ(r2c.axes[1], (Axis{9, 1, 1, Kind::r2c}));
    EXPECT_EQ(r2c.axes[0].output_stride, 5u);
    EXPECT_EQ(r2c.input_bytes(3), 3 * 54 * 4u);
    EXPECT_EQ(r2c.output_bytes(3), 3 * 30 * 8u);
    EXPECT_TRUE(r2c.has(Direction::forward) && !r2c.has(Direction::inverse));

    const Canonical in_place = normalise(parse_problem("6x9 c2r f64 in-place halved=-1 batch=2"));
    EXPECT_EQ(in_place.axes[0].output_stride, 10u);
    EXPECT_EQ(in_place.batch.output_distance, 60u);
    EXPECT_TRUE(!in_place.has(Direction::forward) && in_place.has(Direction::inverse));

    const Canonical other = normalise(parse_problem("6x9 r2c axes=1,0"));
    EXPECT_EQ(other.axes[0].output_count(), 4u);
    EXPECT_EQ(other.output_elements(1), 36u);
}

TEST(Normalise, KnowsLogicalLengths) {
    EXPECT_EQ(normalise(parse_problem("5x7x9 dct1,dst1,dct4")).n, 8u * 16 * 18);
    EXPECT_EQ(normalise(parse_problem("8 dht")).n, 8u);
    EXPECT_EQ(normalise(parse_problem("8 dct2 orthonormal")).forward_scale, 0.25);
    EXPECT_EQ(normalise(parse_problem("1 dct2")).axes.size(), 1u);
    EXPECT_TRUE(normalise(parse_problem("1 dht")).axes.empty());
}

}  // namespace
}  // namespace seiche::problem
