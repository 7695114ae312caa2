// Named lists of problems to time.
#include "cli/problem/suites.hpp"

#include <cstdint>
#include <iterator>
#include <numeric>

#include "cli/text/failure.hpp"

namespace seiche::cli {
namespace {

using Cases = std::vector<SuiteCase>;

/// The marks of lengths up to and including `last`.
struct Step {
    std::uint64_t last;
    double mark;
};

double mark_of(std::uint64_t n, const std::vector<Step>& steps) {
    for (const Step& step : steps)
        if (n <= step.last) return step.mark;
    return 0;
}

/// Dense, out of place, as many transforms as fill 512 MiB: far beyond any cache; at least one. `words` are the
/// problem's but for the shape and the batch.
SuiteCase filling(const std::vector<std::uint64_t>& lengths, const std::string& words, double mark) {
    constexpr std::uint64_t bytes = std::uint64_t{1} << 29;
    const std::uint64_t points =
        std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies<std::uint64_t>());
    const bool is_real = words.find("r2c") != std::string::npos || words.find("c2r") != std::string::npos;
    const std::uint64_t number = words.find("f64") != std::string::npos   ? 8
                                 : words.find("f16") != std::string::npos ? 2
                                                                          : 4;
    const std::uint64_t batch = bytes / (points * number * (is_real ? 1 : 2));
    std::string shape;
    for (const std::uint64_t n : lengths) shape += (shape.empty() ? "" : "x") + std::to_string(n);
    return {shape + " " + words + " batch=" + std::to_string(batch == 0 ? 1 : batch), mark};
}

Cases each(const std::vector<std::uint64_t>& lengths, const std::string& words, const std::vector<Step>& marks) {
    Cases cases;
    for (const std::uint64_t n : lengths) cases.push_back(filling({n}, words, mark_of(n, marks)));
    return cases;
}

std::vector<std::uint64_t> powers_of_two(unsigned first, unsigned last) {
    std::vector<std::uint64_t> lengths;
    for (unsigned log = first; log <= last; ++log) lengths.push_back(std::uint64_t{1} << log);
    return lengths;
}

Cases together(std::initializer_list<Cases> lists) {
    Cases all;
    for (const Cases& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

Cases powers_f32() {
    return each(powers_of_two(1, 28), "f32",
                {{1 << 13, 0.95},
                 {1 << 14, 0.80},
                 {1 << 16, 0.66},
                 {1 << 17, 0.51},
                 {1 << 18, 0.45},
                 {1 << 21, 0.43},
                 {1 << 26, 0.39},
                 {1 << 28, 0.37}});
}

Cases powers_f64() {
    return each(powers_of_two(1, 25), "f64",
                {{1 << 12, 0.95},
                 {1 << 13, 0.80},
                 {1 << 15, 0.66},
                 {1 << 16, 0.51},
                 {1 << 17, 0.45},
                 {1 << 18, 0.43},
                 {1 << 21, 0.42},
                 {1 << 25, 0.38}});
}

Cases powers_f16() {
    return each(powers_of_two(1, 26), "f16",
                {{1 << 10, 0.88},
                 {1 << 12, 0.83},
                 {1 << 13, 0.70},
                 {1 << 14, 0.55},
                 {1 << 16, 0.50},
                 {1 << 18, 0.42},
                 {1 << 21, 0.38},
                 {1 << 26, 0.35}});
}

Cases smooth_lengths() {
    const std::vector<std::uint64_t> on_chip = {3,    5,    6,    7,    9,    12,   15,   25,   48,   49,  60,
                                                100,  125,  144,  192,  243,  343,  384,  625,  729,  768, 1000,
                                                1001, 1331, 1536, 2187, 2197, 2401, 3000, 3072, 3125, 4000};
    const std::vector<std::uint64_t> longer = {
        5000,  6000,  6144,  6561,  7776,   9604,   10000,  12288,  14400,  15625,   19683,   20000,   24576,
        30000, 46656, 50000, 78125, 100000, 196608, 390625, 500000, 531441, 1000000, 1953125, 4782969, 10000000};
    const std::vector<Step> marks = {{4096, 0.90}, {14500, 0.80}, {30000, 0.60}, {1 << 19, 0.42}, {10000000, 0.38}};
    const std::vector<Step> of_doubles = {
        {4096, 0.88}, {14500, 0.60}, {30000, 0.52}, {1 << 19, 0.42}, {10000000, 0.38}};
    return together({each(on_chip, "f32", marks), each(longer, "f32", marks),
                     each({100, 1000, 1001, 1536, 2187, 3000, 6561, 10000, 20000, 100000, 1000000}, "f64", of_doubles),
                     each({100, 1000, 1536, 3000}, "f16", {{4096, 0.80}})});
}

Cases prime_lengths() {
    const std::vector<std::uint64_t> lengths = {17, 19, 23, 29,  31,  37,  41,   43,   47,    53,    59,     61,
                                                67, 71, 97, 101, 127, 257, 1009, 4093, 10007, 65537, 1000003};
    return together({each(lengths, "f32",
                          {{31, 0.92},
                           {61, 0.80},
                           {127, 0.60},
                           {257, 0.55},
                           {1009, 0.45},
                           {4093, 0.33},
                           {10007, 0.28},
                           {65537, 0.20},
                           {1000003, 0.14}}),
                     each({17, 31, 37, 61, 67, 127, 257, 1009, 4093, 10007, 65537, 1000003}, "f64",
                          {{31, 0.92},
                           {61, 0.75},
                           {127, 0.58},
                           {257, 0.55},
                           {1009, 0.42},
                           {4093, 0.30},
                           {10007, 0.25},
                           {65537, 0.18},
                           {1000003, 0.12}})});
}

Cases real_lengths() {
    const std::vector<Step> marks = {{1 << 13, 0.92}, {1 << 14, 0.80}, {1 << 15, 0.70},
                                     {1 << 17, 0.55}, {1 << 18, 0.45}, {1 << 24, 0.37}};
    const std::vector<Step> of_doubles = {{1 << 13, 0.90}, {1 << 14, 0.66}, {1 << 15, 0.55},
                                          {1 << 17, 0.48}, {1 << 18, 0.42}, {1 << 24, 0.36}};
    std::vector<std::uint64_t> lengths = powers_of_two(6, 18);
    for (const unsigned log : {20u, 22u, 24u}) lengths.push_back(std::uint64_t{1} << log);
    return together({each(lengths, "r2c f32", marks), each(lengths, "c2r f32", marks),
                     each(lengths, "r2c f64", of_doubles), each(lengths, "c2r f64", of_doubles)});
}

Cases planes_and_cubes() {
    Cases cases;
    const auto add = [&](std::uint64_t n, unsigned rank, const char* words, double mark) {
        cases.push_back(filling(std::vector<std::uint64_t>(rank, n), words, mark));
    };
    for (const auto& [n, mark] : {Step{256, 0.60}, {512, 0.48}, {1024, 0.46}, {2048, 0.42}, {4096, 0.40}, {8192, 0.39}})
        add(n, 2, "f32", mark);
    for (const auto& [n, mark] : {Step{256, 0.50}, {1024, 0.44}, {4096, 0.39}}) add(n, 2, "f64", mark);
    for (const auto& [n, mark] : {Step{1024, 0.42}, {4096, 0.36}}) add(n, 2, "r2c f32", mark);
    for (const auto& [n, mark] :
         {Step{64, 0.45}, {100, 0.40}, {128, 0.39}, {200, 0.36}, {256, 0.39}, {400, 0.30}, {512, 0.29}})
        add(n, 3, "f32", mark);
    for (const auto& [n, mark] : {Step{128, 0.38}, {256, 0.33}, {400, 0.28}}) add(n, 3, "f64", mark);
    for (const auto& [n, mark] : {Step{256, 0.34}, {512, 0.27}}) add(n, 3, "r2c f32", mark);
    return cases;
}

/// One transform at a time: how long it takes counts, not how much it moves.
Cases lone_transforms() {
    Cases cases;
    for (const std::uint64_t n : powers_of_two(6, 24)) cases.push_back({std::to_string(n) + " f32", 0});
    for (const char* n : {"100", "1000", "1009", "1000000"}) cases.push_back({std::string(n) + " f32", 0});
    return cases;
}

/// Single planes and cubes, and some of a few: where a launch costs as much as the transform, unless it is a graph's.
Cases lone_shapes() {
    Cases cases;
    const auto add = [&](const char* kind, std::initializer_list<const char*> shapes) {
        for (const char* shape : shapes) cases.push_back({std::string(shape) + " " + kind, 0});
    };
    add("r2c f32", {"64x64",     "96x96",     "112x112",     "128x128",     "144x144",     "192x192",    "240x240",
                    "256x256",   "320x320",   "384x384",     "512x512",     "600x600",     "768x768",    "1000x1000",
                    "1024x1024", "1536x1536", "128x512",     "512x128",     "1024x256",    "64x1024",    "64x64x64",
                    "80x80x80",  "96x96x96",  "100x100x100", "128x128x128", "144x144x144", "160x160x160"});
    add("c2c f32", {"64x64", "128x128", "144x144", "256x256", "300x300", "512x512", "1000x1000", "1024x1024",
                    "2048x2048", "64x64x64", "96x96x96", "128x128x128"});
    add("r2c f64", {"128x128", "256x256", "512x512", "1024x1024", "64x64x64", "96x96x96"});
    add("c2c f64", {"128x128", "256x256", "512x512", "1024x1024", "64x64x64", "1048576"});
    add("r2c f32 batch=4", {"128x128", "256x256", "512x512"});
    add("c2c f32 batch=4", {"128x128", "256x256", "512x512"});
    add("c2c f32", {"65536", "262144", "1048576"});
    return cases;
}

/// docs/reference/workflows.md says what each is.
Cases workflows() {
    return {{"long-convolution 64x768x1024"},
            {"long-convolution 8x768x8192"},
            {"long-convolution 2x768x32768"},
            {"long-convolution 1x256x131072"},
            {"long-convolution 1x64x1048576"},
            {"poisson 256x256x256"},
            {"poisson 512x512x512"},
            {"influence 96x96x96"},
            {"phase-correlation 128x512x512"},
            {"range-doppler 64x512x1024"},
            {"stft-power 64x480000 1024x256"},
            {"istft 64x480000 1024x256"},
            {"fourier-layer 16x32x256x256 32x32"},
            {"fourier-layer 16x64x128x128 16x16"},
            {"image-convolution 32x1024x1024 63x63"},
            {"image-convolution 32x2048x2048 31x31"},
            {"transfer-function 2048x256x256"},
            {"matched-filter 4096x8192"},
            {"plane-waves 64x128x128x128"}};
}

Cases small_workflows() {
    return {{"long-convolution 2x3x64"},    {"long-convolution 1x2x5000"}, {"poisson 16x12x20"},
            {"influence 8x10x12"},          {"phase-correlation 3x16x20"}, {"range-doppler 2x12x16"},
            {"stft-power 2x500 64x16"},     {"istft 2x500 64x16"},         {"image-convolution 2x24x40 7x5"},
            {"transfer-function 3x16x18"},  {"matched-filter 5x48"},       {"plane-waves 2x16x16x16"},
            {"fourier-layer 3x2x16x12 4x5"}};
}

}  // namespace

const std::vector<Suite>& suites() {
    static const std::vector<Suite> all = {
        {"cpu",
         "many short transforms and a long one, for a CPU device",
         {{"1024 f32 batch=4096"}, {"4096 f32 batch=1024"}, {"1048576 f32"}}},
        {"h200", "512 MiB of each: all that follow but h200-lone and h200-lone-shapes",
         together({powers_f32(), powers_f64(), powers_f16(), smooth_lengths(), prime_lengths(), real_lengths(),
                   planes_and_cubes()})},
        {"h200-f32", "powers of two to 2^28 in f32", powers_f32()},
        {"h200-f64", "powers of two to 2^25 in f64", powers_f64()},
        {"h200-f16", "powers of two to 2^26 in f16", powers_f16()},
        {"h200-smooth", "products of small primes to 10^7", smooth_lengths()},
        {"h200-primes", "primes to 1000003", prime_lengths()},
        {"h200-real", "r2c and c2r, powers of two to 2^24", real_lengths()},
        {"h200-shapes", "2-D and 3-D", planes_and_cubes()},
        {"h200-lone", "one transform at a time", lone_transforms()},
        {"h200-lone-shapes", "planes and cubes, one to four at a time, for --graph", lone_shapes()},
        {"workflows", "convolutions, operators and spectra, whole, as large as a card's work", workflows()},
        {"workflows-small", "the same, small enough for any device", small_workflows()},
    };
    return all;
}

std::string suite_names() {
    std::string names;
    for (const Suite& suite : suites()) names += (names.empty() ? "" : ", ") + suite.name;
    return names;
}

const Suite& find_suite(const std::string& name) {
    for (const Suite& suite : suites()) {
        if (suite.name == name) return suite;
    }
    throw UsageError("no suite '" + name + "', expected one of: " + suite_names());
}

}  // namespace seiche::cli
