// The problem text: reads back what it writes, and refuses the rest with the word at fault.
#include <gtest/gtest.h>

#include <random>

#include "problem/problem.hpp"
#include "seiche/error.hpp"

namespace seiche {
namespace {

TEST(ProblemText, ReadsEveryWord) {
    const Problem p = parse_problem(
        "  8x4\tbatch=16 f64 in-place c2c axes=1,-2 forward-scale=1/sqrt(n) inverse-scale=-2.5 istrides=8,2 "
        "ostrides=8,2 idist=70 odist=70 ioffset=16 ooffset=16\n");
    EXPECT_EQ(p.lengths, (std::vector<std::uint64_t>{8, 4}));
    EXPECT_EQ(p.axes, (std::vector<int>{1, -2}));
    EXPECT_EQ(p.batch, 16u);
    EXPECT_EQ(p.precision, Precision::f64);
    EXPECT_EQ(p.placement, Placement::in_place);
    EXPECT_EQ(p.forward_scale, Scale::by_sqrt_n());
    EXPECT_EQ(p.inverse_scale, Scale::factor(-2.5));
    const Layout layout{{8, 2}, 70, 16};
    EXPECT_EQ(p.input, layout);
    EXPECT_EQ(p.output, layout);
    EXPECT_EQ(to_string(parse_problem("16")), "16 c2c f32");
}

TEST(ProblemText, ReadsKinds) {
    EXPECT_EQ(parse_problem("8 r2c").kind, Kind::r2c);
    const Problem p = parse_problem("8x4 dct2,dst3 orthonormal");
    EXPECT_EQ(p.axis_kinds, (std::vector<Kind>{Kind::dct2, Kind::dst3}));
    EXPECT_TRUE(p.orthonormal);
    EXPECT_EQ(to_string(p), "8x4 dct2,dst3 f32 orthonormal");
    const Problem edges = parse_problem("8 dct2 orthogonalize norm=forward");
    EXPECT_TRUE(edges.orthogonalize && !edges.orthonormal);
    EXPECT_EQ(to_string(edges), "8 dct2 f32 orthogonalize forward-scale=1/n");
    EXPECT_EQ(to_string(parse_problem("8x4 c2r halved=0")), "8x4 c2r f32 halved=0");
    EXPECT_THROW(parse_problem("8 dct2 dst2"), InvalidProblem);
    EXPECT_THROW(parse_problem("8 dct2,"), InvalidProblem);
    EXPECT_THROW(parse_problem("8 r2c c2c"), InvalidProblem);
}

TEST(ProblemText, ReadsStoragesAndPlanes) {
    const Problem p = parse_problem("8 f16 iplanar");
    EXPECT_EQ(p.precision, Precision::f32);
    EXPECT_EQ(p.storage, Storage::f16);
    EXPECT_TRUE(p.input.planar);
    EXPECT_FALSE(p.output.planar);
    EXPECT_EQ(to_string(p), "8 c2c f16 iplanar");
    EXPECT_EQ(to_string(parse_problem("8 parts=64")), "8 c2c f32 iparts=64 oparts=64");
    EXPECT_EQ(to_string(parse_problem("8 planar bf16")), "8 c2c bf16 iplanar oplanar");
    EXPECT_EQ(to_string(parse_problem("8 storage=f32 f64")), "8 c2c f64 storage=f32");
    EXPECT_EQ(to_string(parse_problem("8 f32 storage=f16")), "8 c2c f16");
    EXPECT_EQ(to_string(parse_problem("8 storage=f64 f64x2")), "8 c2c f64x2 storage=f64");
    EXPECT_EQ(to_string(parse_problem("8 f16-arithmetic r2c")), "8 r2c f16-arithmetic");
    for (const char* text :
         {"8 f16 f32", "8 f16 bf16", "8 f16 storage=f32", "8 f64 f64x2", "8 f64 f16-arithmetic", "8 storage=f8",
          "8 planar iplanar", "8 parts=64 oparts=8", "8 iparts=8 iparts=8", "8 parts=-8"})
        EXPECT_THROW(parse_problem(text), InvalidProblem) << text;
}

Problem random_problem(std::mt19937& random) {
    Problem p;
    const std::size_t rank = 1 + random() % 3;
    for (std::size_t i = 0; i < rank; ++i) p.lengths.push_back(1 + random() % 9);
    if (random() % 2) p.axes.push_back(static_cast<int>(random() % rank) - (random() % 2 ? static_cast<int>(rank) : 0));
    if (random() % 2) p.batch = random() % 5;
    p.precision = static_cast<Precision>(random() % 3);
    p.storage = static_cast<Storage>(random() % 5);
    if (random() % 2) p.placement = Placement::in_place;
    const Scale scales[] = {Scale::none(), Scale::by_n(), Scale::by_sqrt_n(),
                            Scale::factor(1.0 / static_cast<double>(1 + random() % 9))};
    p.forward_scale = scales[random() % 4];
    p.inverse_scale = scales[random() % 4];
    for (Layout* layout : {&p.input, &p.output}) {
        for (std::size_t i = 0; i < rank && random() % 4; ++i)
            layout->strides.push_back(static_cast<int>(random() % 99));
        layout->batch_distance = static_cast<int>(random() % 3) * 1000;
        layout->byte_offset = random() % 2 * 16;
        layout->planar = random() % 4 == 0;
        layout->part_bytes = random() % 4 == 0 ? 8 * (1 + random() % 9) : 0;
        layout->image = static_cast<ImageFormat>(random() % 5);
        layout->image_width = random() % 3;
    }
    for (std::vector<Block>* blocks : {&p.signal_zeros, &p.spectrum_zeros})
        for (auto i = random() % 3; i > 0; --i)
            blocks->push_back({static_cast<int>(random() % 5) - 2, random() % 100, random() % 100});
    p.orthogonalize = random() % 4 == 0;
    if (random() % 3 == 0) p.spectrum_order = SpectrumOrder::pass;
    p.may_overwrite_input = random() % 3 == 0;
    return p;
}

TEST(ProblemText, RoundTrips) {
    std::mt19937 random(3);
    for (int i = 0; i < 5000; ++i) {
        const Problem p = random_problem(random);
        const Problem q = parse_problem(to_string(p));
        EXPECT_EQ(to_string(q), to_string(p));
        EXPECT_EQ(q.lengths, p.lengths);
        EXPECT_EQ(q.axes, p.axes);
        EXPECT_EQ(q.batch, p.batch);
        EXPECT_EQ(q.precision, p.precision);
        EXPECT_EQ(q.placement, p.placement);
        EXPECT_EQ(q.forward_scale, p.forward_scale);
        EXPECT_EQ(q.inverse_scale, p.inverse_scale);
        EXPECT_EQ(q.input, p.input);
        EXPECT_EQ(q.output, p.output);
        EXPECT_EQ(q.orthogonalize, p.orthogonalize);
        EXPECT_EQ(q.signal_zeros, p.signal_zeros);
        EXPECT_EQ(q.spectrum_zeros, p.spectrum_zeros);
        EXPECT_EQ(q.spectrum_order, p.spectrum_order);
        EXPECT_EQ(q.may_overwrite_input, p.may_overwrite_input);
    }
}

TEST(ProblemText, NamesTheWordAtFault) {
    for (const char* text : {"16 |f8",
                             "16 |c2x",
                             "16 |batch=-1",
                             "16 |batch=",
                             "16 |batch=4.5",
                             "16 |batch",
                             "16 |spectrum-order",
                             "16 |spectrum-order=bitreversed",
                             "16 |overwrite-input=1",
                             "|x16",
                             "|16x",
                             "|f32 16",
                             "|16x-4",
                             "|99999999999999999999",
                             "4x4 |axes=0,",
                             "4x4 |axes=a",
                             "4x4 |axes=99999999999",
                             "16 |forward-scale=1/m",
                             "16 |istrides=1,x",
                             "16 |idist=1e3",
                             "16 |ioffset=-8",
                             "16 |signal-zeros=8-16",
                             "16 |signal-zeros=0:8",
                             "16 |spectrum-zeros=0:-8-16",
                             "16 |f32=1",
                             "16 |in-place=1",
                             "16 |=4",
                             "16 f32 |f64",
                             "16 batch=2 |batch=2",
                             "16 in-place |out-of-place"}) {
        std::string plain(text);
        const std::size_t bar = plain.find('|');
        plain.erase(bar, 1);
        const std::string word = plain.substr(bar, plain.find(' ', bar) - bar);
        try {
            parse_problem(plain);
            ADD_FAILURE() << "accepted: " << plain;
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find("at \"" + word + "\": expected "), std::string::npos)
                << error.what();
        }
    }
    EXPECT_THROW(parse_problem(""), InvalidProblem);
    EXPECT_THROW(parse_problem("  "), InvalidProblem);
}

}  // namespace
}  // namespace seiche
