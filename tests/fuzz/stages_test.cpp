// Texts of stages: parsed, checked, compiled into the kernels of a plan.
#include <gtest/gtest.h>

#include "seiche/inspect.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {
namespace {

const std::vector<std::string> good_stages{
    "return value * window[i0 % 16];",
    "let a = value.re * gain; return complex(a, -value.im);",
    "return i0 < n0 / 2 ? value : conj(value) * complex(0, 1);",
    "let k = div(i0 + 3, 4); let p = mod(i1 - shift, 8); return value * cospi(k) + bytes[min(k, 15)];",
    "return select(abs(value) > 1e-3 && !(i1 == 0), exp(complex(0, 2 * pi * i0 / n0)) * value, 0);",
    "return max(min(norm(value), 4.5), -1) + floor(log2(2 + value.re)) + atan2(value.im, 1.0) - bytes[int(gain)];"};
const std::vector<std::string> stage_words{"let a = ",
                                           "return ",
                                           "value",
                                           "i0",
                                           "i1",
                                           "n0",
                                           "batch",
                                           "pi",
                                           "window[",
                                           "bytes[",
                                           "]",
                                           "(",
                                           ")",
                                           " ? ",
                                           " : ",
                                           " && ",
                                           " % ",
                                           "div(",
                                           "mod(",
                                           "int(",
                                           "sqrt(",
                                           "1e308",
                                           "0.5",
                                           "!",
                                           "-",
                                           "select(",
                                           ", ",
                                           ";",
                                           "gain",
                                           "shift",
                                           "/*",
                                           "//",
                                           "999999999999999999999",
                                           "store window[i0] = "};

std::string nested(Random& random) {
    const std::size_t depth = random.number(16);
    const std::string open = random.of({"(", "-", "!", "abs(", "1 ? 2 : ", "1 + (", "window["});
    std::string text = "return ";
    for (std::size_t i = 0; i < depth; ++i) text += open;
    return text + "value;";
}

TEST(Fuzz, StageTexts) {
    run("stage texts", {20000}, [](Case& input) {
        Random& random = input.random;
        const NamedLimits& device = random.of(all_limits());
        std::string text = random.of(good_stages);
        if (random.once_in(40))
            text = nested(random);
        else if (!random.once_in(6))
            text = mutated_text(text, random, stage_words, 2000);
        Problem problem = parse_problem(random.once_in(2) ? "16x8 c2c" : "16x8 r2c f64 batch=3");
        UserStage stage(text);
        stage.buffers = {{"window", StageType::f32, 16}, {"bytes", StageType::u8, 16}};
        stage.scalars = {{"gain", StageType::f32}, {"shift", StageType::i32}};
        const bool is_load = random.once_in(2);
        (is_load ? problem.forward_load : problem.forward_store) = stage;
        input.is((is_load ? "load: " : "store: ") + text);
        inspect(problem, device.limits);
    });
}

}  // namespace
}  // namespace seiche::fuzz
