// What a plan is made of, for every device: texts of problems and of convolutions, tunings, limits.
#include <gtest/gtest.h>

#include "seiche/convolution.hpp"
#include "seiche/emit.hpp"
#include "seiche/inspect.hpp"
#include "seiche/wisdom.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {
namespace {

constexpr std::size_t longest_text = 200;
const std::vector<std::string> problem_words{
    "c2c",   "r2c",       "batch=",    "axes=",   "x",          "1x",
    "f64",   "in-place",  "istrides=", "odist=",  "parts=",     "spectrum-order=pass",
    "f64x2", "dct2,dst3", "planar",    "halved=", "image=r32f", "signal-zeros=0:1-2"};
const std::vector<std::string> convolution_words{"*",       "same",   "circular", "phase",
                                                 "inputs=", "block=", "spectrum", "x"};

TEST(Fuzz, ProblemTexts) {
    run("problem texts", {20000}, [](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        std::string text = problem_text(random, random.once_in(4) ? 63 : random.once_in(2) ? 40 : 20);
        if (random.once_in(4)) text = mutated_text(text, random, problem_words, longest_text);
        input.is("'" + text + "' for " + device.name);
        const Problem problem = parse_problem(text);
        const PlanReport report = inspect(problem, device.limits);
        if (to_string(parse_problem(report.problem)) != report.problem) input.fail("says " + report.problem);
    });
}

TEST(Fuzz, ConvolutionTexts) {
    run("convolution texts", {20000}, [](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        std::string text = convolution_text(random, random.once_in(4) ? 63 : random.once_in(2) ? 34 : 16);
        if (random.once_in(4)) text = mutated_text(text, random, convolution_words, longest_text);
        input.is("'" + text + "' for " + device.name);
        inspect(parse_convolution(text), device.limits);
    });
}

TEST(Fuzz, TuningsOfProblems) {
    run("tunings", {40000}, [](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        const std::string text = random.once_in(8) ? "64" : problem_text(random, random.once_in(6) ? 45 : 16);
        const std::string tuning = tuning_text(random);
        input.is("'" + text + "' with '" + tuning + "' for " + device.name);
        inspect(parse_problem(text), device.limits, parse_tuning(tuning));
    });
}

TEST(Fuzz, TuningsOfConvolutions) {
    run("tunings of convolutions", {20000}, [](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        const std::string text = convolution_text(random, random.once_in(6) ? 40 : 14), tuning = tuning_text(random);
        input.is("'" + text + "' with '" + tuning + "' for " + device.name);
        inspect(parse_convolution(text), device.limits, parse_tuning(tuning));
    });
}

/// The generated source, for devices that speak the dialect or not.
TEST(Fuzz, Sources) {
    constexpr Dialect dialects[] = {Dialect::cuda,         Dialect::hip,  Dialect::opencl,  Dialect::spirv,
                                    Dialect::spirv_opencl, Dialect::glsl, Dialect::glsl_es, Dialect::ptx,
                                    Dialect::x86,          Dialect::arm64};
    run("sources", {10000, 2.0}, [&](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        const Dialect dialect = dialects[random.below(std::size(dialects))];
        const std::string text = problem_text(random, 13);  // tables come with the source
        const std::string tuning = random.once_in(3) ? tuning_text(random) : "";
        input.is("'" + text + "' with '" + tuning + "' for " + device.name + " in " + to_string(dialect));
        emit_kernels(parse_problem(text), dialect, device.limits,
                     random.once_in(2) ? Direction::forward : Direction::inverse, parse_tuning(tuning));
    });
}

}  // namespace
}  // namespace seiche::fuzz
