// Arrays in several buffers: problems of every layout whose arrays lie in parts, and plans whose workspaces, tables and
// arrays are more than a buffer argument may have.
#include "tests/accuracy/suite.hpp"

#include "seiche/error.hpp"

namespace seiche::accuracy {

namespace {

class Parts : public Suite {
protected:
    Parts() { least_ = 4; }

    void expect(const std::string& text, const Tuning& tuning = {}) {
        if (!goes_on(most_cases)) return;
        const std::string precision = GetParam() == Precision::f32 ? "" : " f64";
        PlanOptions options;
        options.tuning = tuning;
        const Problem problem = parse_problem(text + precision);
        const Shape shape = shape_of(problem);
        if (shape.has(Direction::forward) && shape.has(Direction::inverse))
            options.directions = ++turn_ % 2 ? Directions::forward : Directions::inverse;
        try {
            const Outcome outcome = check(Plan(*device_, problem, options), {17, 2, options.directions});
            EXPECT_TRUE(outcome.passed()) << text + precision << "\n  " << outcome.text();
        } catch (const Error& error) {
            ADD_FAILURE() << text + precision << "\n  " << error.what();
        }
    }

private:
    static constexpr std::size_t most_cases = 9;  // of one test
    unsigned turn_ = 0;
};

std::string parts(std::uint64_t complex_numbers, Precision precision, const char* word = " parts=") {
    return word + std::to_string(complex_numbers * (precision == Precision::f32 ? 8 : 16));
}

TEST_P(Parts, Complex) {
    for (const std::uint64_t part : {64u, 100u, 37u}) expect("60 batch=7" + parts(part, GetParam()));
    expect("16384 in-place" + parts(4096, GetParam()));
    expect("6000 batch=2" + parts(2500, GetParam()));
    expect("101 batch=5 forward-scale=1/n" + parts(111, GetParam()));
    expect("30x8x9 in-place" + parts(541, GetParam()));
    expect("64 batch=40" + parts(640, GetParam(), " iparts=") + parts(512, GetParam(), " oparts="));
}

TEST_P(Parts, Strided) {
    const std::string real = GetParam() == Precision::f32 ? "8" : "16";
    expect("40x24 axes=0 istrides=31,1 ostrides=1,43 idist=1300 odist=1100 batch=3 ioffset=" + real +
           parts(777, GetParam()));
    expect("128 istrides=3 idist=1 batch=3 ooffset=" + real + parts(97, GetParam()));
}

TEST_P(Parts, Real) {
    for (const char* kind : {"r2c", "c2r"}) {
        expect(std::string("100 ") + kind + " batch=6" + parts(77, GetParam()));
        expect(std::string("24x50 ") + kind + " in-place" + parts(200, GetParam()));
        expect(std::string("8192 ") + kind + parts(1024, GetParam()));
    }
    for (const char* kind : {"dct2", "dst1", "dht"})
        expect(std::string("90 ") + kind + " batch=5" + parts(61, GetParam()));
}

TEST_P(Parts, Planar) {
    const std::string real = GetParam() == Precision::f32 ? "4" : "8";
    expect("60 planar batch=7 ioffset=" + real + parts(50, GetParam()));
    expect("512 iplanar batch=3" + parts(256, GetParam()));
    expect("12x20 planar in-place" + parts(33, GetParam()));
}

TEST_P(Parts, NarrowStorage) {
    for (const char* storage : {"f16", "bf16"}) {
        if (GetParam() != Precision::f32) continue;
        expect(std::string("64 batch=50 storage=") + storage + parts(777, GetParam()));
        expect(std::string("100 r2c batch=20 storage=") + storage + parts(333, GetParam()));
        expect(std::string("60 planar batch=21 storage=") + storage + parts(111, GetParam()));
    }
    if (GetParam() == Precision::f64) expect("64 batch=50 storage=f32" + parts(777, GetParam()));
}

TEST_P(Parts, SmallBufferArguments) {
    Tuning tuning;
    tuning.buffer_bytes = GetParam() == Precision::f32 ? 1 << 14 : 1 << 15;
    expect("16384 in-place", tuning);       // input, output and workspace
    expect("2000 planar batch=5", tuning);  // whose halves follow each other
    expect("48x7x20 r2c batch=3", tuning);
    expect("9x10 dct2 batch=120", tuning);  // blocks of numbers
    expect("8x8x8 dst4 batch=20 in-place", tuning);
    tuning.buffer_bytes *= 4;
    expect("5003", tuning);  // a convolution in one kernel, with its tables
    Tuning several = tuning;
    several.algorithm = Algorithm::bluestein;
    expect("12011", several);                                            // or in several, with two workspaces
    tuning.buffer_bytes = GetParam() == Precision::f32 ? 24000 : 48000;  // rounded down to a power of two
    expect("16384 in-place", tuning);
    expect("8192 in-place" + parts(1024, GetParam()), tuning);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Precisions, Parts, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace seiche::accuracy
