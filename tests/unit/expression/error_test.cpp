// What the language refuses, and the line and column that it names.
#include <gtest/gtest.h>

#include "expression/program.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using expression::Context;
using expression::Side;

std::string verdict(const UserStage& stage, Side side, std::uint64_t batch = 1) {
    try {
        expression::check(stage, Context{"forward_load", side, {64, 8}, batch});
    } catch (const InvalidProblem& error) {
        return error.what();
    }
    return "";
}

UserStage with_symbols(const std::string& text) {
    UserStage stage(text);
    for (const char* name : {"window", "bytes"})
        if (text.find(name) != std::string::npos)
            stage.buffers.push_back({name, *name == 'w' ? StageType::f32 : StageType::u8, 64});
    if (text.find("gain") != std::string::npos) stage.scalars.push_back({"gain", StageType::f32});
    if (text.find("shift") != std::string::npos) stage.scalars.push_back({"shift", StageType::i32});
    return stage;
}

struct Mistake {
    const char* text;
    const char* message;
};

class LoadMistakes : public testing::TestWithParam<Mistake> {};
TEST_P(LoadMistakes, are_refused_with_line_and_column) {
    EXPECT_EQ(verdict(with_symbols(GetParam().text), Side::load),
              std::string("InvalidProblem: forward_load: ") + GetParam().message);
}

class LoadStages : public testing::TestWithParam<const char*> {};
TEST_P(LoadStages, are_accepted) { EXPECT_EQ(verdict(with_symbols(GetParam()), Side::load), ""); }

INSTANTIATE_TEST_SUITE_P(
    words, LoadMistakes,
    testing::Values(
        Mistake{"", "line 1, column 1: expected a return, got the end of the text"},
        Mistake{"return value $ 2;",
                "line 1, column 14: expected a name, a number or one of +-*/%<>=!?:;,.()[], got '$'"},
        Mistake{"return\n  \"a\";",
                "line 2, column 3: expected a name, a number or one of +-*/%<>=!?:;,.()[], got '\"'"},
        Mistake{"return 1 \x01;",
                "line 1, column 10: expected a name, a number or one of +-*/%<>=!?:;,.()[], got the byte 0x01"},
        Mistake{"/* ü */ return é;",
                "line 1, column 16: expected a name, a number or one of +-*/%<>=!?:;,.()[], got the byte 0xc3"},
        Mistake{"/* never closed",
                "line 1, column 1: expected a comment that is closed by */, got the end of the text"},
        Mistake{"return 1e;", "line 1, column 10: expected the digits of an exponent, got ';'"},
        Mistake{"return 12px;", "line 1, column 10: expected the end of a number, got 'p'"},
        Mistake{"return 1e999;", "line 1, column 8: expected a number that is finite in f64, got 1e999"},
        Mistake{"return 99999999999999999999;",
                "line 1, column 8: expected a whole number below 2^63, got 99999999999999999999"}));

INSTANTIATE_TEST_SUITE_P(
    grammar, LoadMistakes,
    testing::Values(
        Mistake{"value * 2;", "line 1, column 1: expected let, store, sum or return, got 'value'"},
        Mistake{"return value * ;", "line 1, column 16: expected a value, got ';'"},
        Mistake{"return (value;", "line 1, column 14: expected ')', got ';'"},
        Mistake{"let a 3; return a;", "line 1, column 7: expected '=', got '3'"},
        Mistake{"let 3 = 4; return 3;", "line 1, column 5: expected a name, got '3'"},
        Mistake{"let a = 1\nreturn a;", "line 2, column 1: expected ';', got 'return'"},
        Mistake{"return value.x;", "line 1, column 14: expected re or im, got 'x'"},
        Mistake{"return max(1, 2;", "line 1, column 16: expected ',' or ')', got ';'"},
        Mistake{"return i0 ? 1;", "line 1, column 14: expected ':', got ';'"},
        Mistake{"return window[i0;", "line 1, column 17: expected ']', got ';'"},
        Mistake{"return 1; return 2;", "line 1, column 11: expected nothing after the return, got another statement"},
        Mistake{"for (;;) {}", "line 1, column 10: expected a name, a number or one of +-*/%<>=!?:;,.()[], got '{'"}));

INSTANTIATE_TEST_SUITE_P(
    names, LoadMistakes,
    testing::Values(
        Mistake{"let a = 1;\n\n\treturn a * hann;", "line 3, column 13: expected a name that is declared, got 'hann'"},
        Mistake{
            "return sqrt;",
            "line 1, column 8: expected a name that is declared, got 'sqrt', which is a function and takes brackets"},
        Mistake{"let a = 1; let a = 2; return a;", "line 1, column 16: expected a new name, got 'a', which is taken"},
        Mistake{"let i0 = 1; return i0;", "line 1, column 5: expected a new name, got 'i0', which is taken"},
        Mistake{"let b = b; return b;", "line 1, column 9: expected a name that is declared, got 'b'"},
        Mistake{"return i2;", "line 1, column 8: expected i0 to i1, got 'i2'"},
        Mistake{"return n7;", "line 1, column 8: expected n0 to n1, got 'n7'"},
        Mistake{"return window;", "line 1, column 8: expected an index after the buffer 'window', got none"},
        Mistake{"return value[0];", "line 1, column 8: expected the name of a buffer, got 'value'"},
        Mistake{"return sqrt(1, 2);", "line 1, column 8: expected 1 argument for sqrt, got 2"},
        Mistake{"return atan2(1);", "line 1, column 8: expected 2 arguments for atan2, got 1"},
        Mistake{"store window[i0] = 1; return 1;",
                "line 1, column 7: expected no store in a load stage, got 'window'"}));

INSTANTIATE_TEST_SUITE_P(
    types, LoadMistakes,
    testing::Values(
        Mistake{"return i0 < 3;", "line 1, column 11: expected a number to return, got a condition"},
        Mistake{"return value < 3;",
                "line 1, column 8: expected a whole or real number to compare, got a complex number"},
        Mistake{"return i0.re;", "line 1, column 8: expected a complex number before '.re', got a whole number"},
        Mistake{"return value ? 1 : 2;", "line 1, column 8: expected a condition to choose by, got a complex number"},
        Mistake{"return 1 + (2 < 3);", "line 1, column 15: expected a number, got a condition"},
        Mistake{"return value % 2;", "line 1, column 8: expected whole numbers around '%', got a complex number"},
        Mistake{"return i0 && 1 ? 1 : 2;", "line 1, column 8: expected conditions around '&&', got a whole number"},
        Mistake{"return !3 ? 1 : 2;", "line 1, column 9: expected a condition after '!', got a whole number"},
        Mistake{"return -(1 < 2);", "line 1, column 12: expected a number after '-', got a condition"},
        Mistake{"return sqrt(value);", "line 1, column 13: expected a real number for sqrt, got a complex number"},
        Mistake{"return div(i0, 2.5);", "line 1, column 16: expected whole numbers for div, got a real number"},
        Mistake{"return min(value, 1);",
                "line 1, column 12: expected a whole or real number for min, got a complex number"},
        Mistake{"return window[0.5];", "line 1, column 15: expected a whole number as index, got a real number"},
        Mistake{"return window[value];", "line 1, column 15: expected a whole number as index, got a complex number"},
        Mistake{"return i0 == 1 ? 1 : i0 < 2;",
                "line 1, column 25: expected two numbers or two conditions to choose from, got a condition"}));

INSTANTIATE_TEST_SUITE_P(
    reach, LoadMistakes,
    testing::Values(Mistake{"return window[i0 + 1];",
                            "line 1, column 18: expected an index from 0 to 63 into 'window', got one from 1 to 64"},
                    Mistake{"return window[i0 - 1];",
                            "line 1, column 18: expected an index from 0 to 63 into 'window', got one from -1 to 62"},
                    Mistake{"return window[i0 * n1 + i1];",
                            "line 1, column 23: expected an index from 0 to 63 into 'window', got one from 0 to 511"},
                    Mistake{"return window[i0 < 32 ? i0 * 2 - i0 : 0];",
                            "line 1, column 23: expected an index from 0 to 63 into 'window', got one from -63 to 126"},
                    Mistake{"return window[9223372036854775807 + i0];",
                            "line 1, column 35: expected an index from 0 to 63 into 'window', got one from "
                            "-9223372036854775808 to 9223372036854775807"},
                    Mistake{"return window[bytes[64]];",
                            "line 1, column 21: expected an index from 0 to 63 into 'bytes', got one from 64 to 64"},
                    Mistake{"return (i0 - 4) % 3;",
                            "line 1, column 12: expected a dividend that is never negative, got one from -4 to 59"},
                    Mistake{"return div(5, i0);",
                            "line 1, column 15: expected a divisor that is always positive, got one from 0 to 63"}));

INSTANTIATE_TEST_SUITE_P(reach, LoadStages,
                         testing::Values("return value", "return window[i0];", "return window[min(i0 + 1, 63)];",
                                         "return window[max(i0 - 5, 0)];", "return window[(i0 * 5 + i1) % 64];",
                                         "return window[div(i0 * 8 + i1, 8)];", "return window[abs(i0 - 32)];",
                                         "return window[bytes[i0]];", "return window[int(gain)];",
                                         "return window[i0 + shift];", "return div(5, max(i0, 1));"));

TEST(Mistakes, of_nesting_do_not_exhaust_the_stack) {
    const std::string open(100000, '(');
    EXPECT_NE(verdict("return " + std::string(20000, '('), Side::load).find("at most 100 brackets within brackets"),
              std::string::npos);
    EXPECT_NE(verdict("return " + std::string(20000, '-') + "1;", Side::load).find("at most 100 signs in a row"),
              std::string::npos);
    EXPECT_NE(verdict("return " + open, Side::load).find("a text of at most 65536 characters, got 100007"),
              std::string::npos);
}

TEST(Mistakes, of_store_stages) {
    const auto store = [](const char* text) { return verdict(with_symbols(text), Side::store); };
    EXPECT_EQ(store("store window[i0] = abs(value);"), "");
    EXPECT_EQ(store("let a = 1;"),
              "InvalidProblem: forward_load: line 1, column 11: expected a return or a store, got the end of the text");
    EXPECT_NE(store("store window[i0] = value;").find("line 1, column 20: expected a whole or real number to store"),
              std::string::npos);
    EXPECT_NE(store("store gain[i0] = 1; return gain;").find("line 1, column 7: expected the name of a buffer"),
              std::string::npos);
    EXPECT_NE(store("store window[i0] = 1; return window[0];").find("column 30: expected a buffer that is either read"),
              std::string::npos);
    EXPECT_NE(store("store window[0] = window[1];").find("column 7: expected a buffer that is either read"),
              std::string::npos);
    EXPECT_NE(store("store window[i0 + 2] = 1;").find("got one from 2 to 65"), std::string::npos);
}

TEST(Mistakes, of_declarations) {
    const auto declared = [](const StageBuffer& buffer, const StageScalar& scalar) {
        UserStage stage("return value;");
        stage.buffers = {buffer};
        stage.scalars = {scalar};
        return verdict(stage, Side::load);
    };
    const auto says = [&](const StageBuffer& buffer, const StageScalar& scalar, const std::string& message) {
        EXPECT_EQ(declared(buffer, scalar), "InvalidProblem: forward_load." + message);
    };
    const StageBuffer good{"window", StageType::f32, 4};
    const StageScalar gain{"gain", StageType::f32};
    says(good, gain, "buffers[0]: expected a buffer that the text mentions, got 'window'");
    says({"", StageType::f32, 4}, gain, "buffers[0].name: expected letters, digits and _, no digit first, got \"\"");
    says({"4a", StageType::f32, 4}, gain,
         "buffers[0].name: expected letters, digits and _, no digit first, got \"4a\"");
    says({"a b", StageType::f32, 4}, gain,
         "buffers[0].name: expected letters, digits and _, no digit first, got \"a b\"");
    says({"value", StageType::f32, 4}, gain,
         "buffers[0].name: expected a name that the language has no use for, got value");
    says({"gain", StageType::f32, 4}, gain, "scalars[0].name: expected each name once, got gain again");
    says({"w", StageType::f32, 0}, gain, "buffers[0].count: expected from 1 to 2^60 elements, got 0");
    says(good, {"gain", StageType::u8}, "scalars[0].type: expected f32, f64, i32 or u32, got u8");
    UserStage many("return value;");
    for (int i = 0; i < 17; ++i) many.buffers.push_back({"b" + std::to_string(i), StageType::f32, 1});
    EXPECT_EQ(verdict(many, Side::load), "InvalidProblem: forward_load.buffers: expected at most 16, got 17");
}

/// Of a real array the point is a real number, and so is what comes back.
TEST(RealArrays, have_real_points) {
    const auto real = [](const char* text, Side side) -> std::string {
        try {
            expression::check(text, Context{"forward_load", side, {64, 8}, 1, {}, true});
        } catch (const InvalidProblem& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(real("return value * 2 + sqrt(abs(value)) + i0;", Side::load), "");
    EXPECT_EQ(real("return 1;", Side::store), "");
    EXPECT_EQ(real("let z = complex(value, 1) * value;\nreturn z.re + norm(value);", Side::load), "");
    EXPECT_EQ(real("return value *\n complex(1, 2);", Side::load),
              "InvalidProblem: forward_load: line 1, column 14: expected a real number to return, because the array is "
              "real, got a complex number");
    EXPECT_EQ(real("return value.re;", Side::store),
              "InvalidProblem: forward_load: line 1, column 8: expected a complex number before '.re', got a real "
              "number");
}

/// Along the halved axis a complex array has n/2 + 1 elements, though its length is n.
TEST(Reach, is_that_of_the_array) {
    UserStage stage("return value * window[i1] * n1;");
    stage.buffers = {{"window", StageType::f32, 5}};
    EXPECT_NO_THROW(expression::check(stage, Context{"forward_store", Side::store, {64, 8}, 1, {64, 5}}));
    EXPECT_NE(verdict(stage, Side::store).find("an index from 0 to 4 into 'window', got one from 0 to 7"),
              std::string::npos);
}

TEST(Reach, decides_how_many_arrays_there_may_be) {
    UserStage stage("return samples[(batch * n0 + i0) * n1 + i1];");
    stage.buffers = {{"samples", StageType::u8, 64 * 8 * 10}};
    const auto limit = [&](std::uint64_t batch) {
        return expression::check(stage, Context{"forward_load", Side::load, {64, 8}, batch}).batch_limit;
    };
    EXPECT_EQ(limit(1), 10u);
    EXPECT_EQ(limit(10), 10u);
    EXPECT_NE(verdict(stage, Side::load, 11).find("an index from 0 to 5119 into 'samples', got one from 0 to 5631"),
              std::string::npos);
    EXPECT_EQ(expression::check("return value;", Context{"forward_load", Side::load, {64}, 3}).batch_limit,
              std::uint64_t{1} << 32);
}

}  // namespace
}  // namespace seiche::test
