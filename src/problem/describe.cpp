// One problem text for every command, error and report: reading and writing it.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/problem.hpp"
#include "support/text.hpp"

namespace seiche {

namespace {

using Text = std::string_view;

[[noreturn]] void refuse(Text word, const std::string& expected) {
    throw InvalidProblem("problem text, at \"" + std::string(word) + "\": expected " + expected);
}

std::uint64_t read_unsigned(Text word, Text digits) {
    const auto value = support::parse_unsigned(digits);
    if (!value) refuse(word, "a whole number from 0 to 2^64 - 1");
    return *value;
}

std::int64_t read_signed(Text word, Text digits) {
    const auto value = support::parse_signed(digits);
    if (!value) refuse(word, "a whole number from -2^63 to 2^63 - 1");
    return *value;
}

std::vector<std::uint64_t> read_shape(Text word) {
    std::vector<std::uint64_t> lengths;
    for (const Text part : support::split(word, 'x')) {
        const auto length = support::parse_unsigned(part);
        if (!length) refuse(word, "the shape first, e.g. 1024x1024");
        lengths.push_back(*length);
    }
    return lengths;
}

std::vector<std::int64_t> read_strides(Text word, Text list) {
    std::vector<std::int64_t> strides;
    for (const Text part : support::split(list, ',')) strides.push_back(read_signed(word, part));
    return strides;
}

std::vector<int> read_axes(Text word, Text list) {
    std::vector<int> axes;
    for (const Text part : support::split(list, ',')) {
        const std::int64_t axis = read_signed(word, part);
        if (axis < -1000000 || axis > 1000000) refuse(word, "axes such as 0,1 or -1");
        axes.push_back(static_cast<int>(axis));
    }
    return axes;
}

Scale read_scale(Text word, Text text) {
    if (text == "none") return Scale::none();
    if (text == "1/n") return Scale::by_n();
    if (text == "1/sqrt(n)") return Scale::by_sqrt_n();
    const auto value = support::parse_double(text);
    if (!value) refuse(word, "none, 1/n, 1/sqrt(n) or a number");
    return Scale::factor(*value);
}

std::string scale_text(const Scale& scale) {
    switch (scale.rule()) {
        case Scale::Rule::none: return "none";
        case Scale::Rule::by_n: return "1/n";
        case Scale::Rule::by_sqrt_n: return "1/sqrt(n)";
        case Scale::Rule::factor: return support::to_text(scale.value(1.0));
    }
    return "none";
}

using Setter = std::function<void(Problem&, Text word, Text value)>;

/// Words of the form key=value.
const std::map<Text, Setter>& settings() {
    static const std::map<Text, Setter> map{
        {"batch", [](Problem& p, Text w, Text v) { p.batch = read_unsigned(w, v); }},
        {"axes", [](Problem& p, Text w, Text v) { p.axes = read_axes(w, v); }},
        {"forward-scale", [](Problem& p, Text w, Text v) { p.forward_scale = read_scale(w, v); }},
        {"inverse-scale", [](Problem& p, Text w, Text v) { p.inverse_scale = read_scale(w, v); }},
        {"istrides", [](Problem& p, Text w, Text v) { p.input.strides = read_strides(w, v); }},
        {"ostrides", [](Problem& p, Text w, Text v) { p.output.strides = read_strides(w, v); }},
        {"idist", [](Problem& p, Text w, Text v) { p.input.batch_distance = read_signed(w, v); }},
        {"odist", [](Problem& p, Text w, Text v) { p.output.batch_distance = read_signed(w, v); }},
        {"ioffset", [](Problem& p, Text w, Text v) { p.input.byte_offset = read_unsigned(w, v); }},
        {"ooffset", [](Problem& p, Text w, Text v) { p.output.byte_offset = read_unsigned(w, v); }},
    };
    return map;
}

/// Words that stand alone, and the question that each answers.
struct Flag {
    Text question;
    void (*set)(Problem&);
};
const std::map<Text, Flag>& flags() {
    static const std::map<Text, Flag> map{
        {"c2c", {"kind", [](Problem& p) { p.kind = Kind::c2c; }}},
        {"f32", {"precision", [](Problem& p) { p.precision = Precision::f32; }}},
        {"f64", {"precision", [](Problem& p) { p.precision = Precision::f64; }}},
        {"in-place", {"placement", [](Problem& p) { p.placement = Placement::in_place; }}},
        {"out-of-place", {"placement", [](Problem& p) { p.placement = Placement::out_of_place; }}},
    };
    return map;
}

void append_layout(std::string& text, const Layout& layout, const std::string& letter) {
    if (!layout.strides.empty()) text += " " + letter + "strides=" + support::join_numbers(layout.strides, ",");
    if (layout.batch_distance != 0) text += " " + letter + "dist=" + support::to_text(layout.batch_distance);
    if (layout.byte_offset != 0) text += " " + letter + "offset=" + support::to_text(layout.byte_offset);
}

}  // namespace

Problem parse_problem(const std::string& text) {
    const std::vector<Text> words = support::words(text);
    if (words.empty()) throw InvalidProblem("problem text: expected one such as \"1024x1024 c2c f32\", got none");
    Problem problem;
    problem.lengths = read_shape(words.front());
    std::map<Text, Text> answered;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const Text word = words[i];
        const std::size_t equals = word.find('=');
        const Text key = word.substr(0, equals);
        const auto flag = flags().find(word);
        const auto setting = equals == Text::npos ? settings().end() : settings().find(key);
        if (flag == flags().end() && setting == settings().end())
            refuse(word,
                   "c2c, f32, f64, in-place, out-of-place, or one of batch= axes= forward-scale= inverse-scale= "
                   "istrides= ostrides= idist= odist= ioffset= ooffset=");
        const Text question = flag != flags().end() ? flag->second.question : key;
        if (const auto [earlier, fresh] = answered.emplace(question, word); !fresh)
            refuse(word, std::string(question) + " once, after \"" + std::string(earlier->second) + "\"");
        if (flag != flags().end())
            flag->second.set(problem);
        else
            setting->second(problem, word, word.substr(equals + 1));
    }
    return problem;
}

std::string to_string(const Problem& problem) {
    std::string text = support::join_numbers(problem.lengths, "x") + " c2c";
    text += problem.precision == Precision::f32 ? " f32" : " f64";
    if (problem.batch != 1) text += " batch=" + support::to_text(problem.batch);
    if (problem.placement == Placement::in_place) text += " in-place";
    if (!problem.axes.empty()) text += " axes=" + support::join_numbers(problem.axes, ",");
    if (problem.forward_scale != Scale::none()) text += " forward-scale=" + scale_text(problem.forward_scale);
    if (problem.inverse_scale != Scale::none()) text += " inverse-scale=" + scale_text(problem.inverse_scale);
    append_layout(text, problem.input, "i");
    append_layout(text, problem.output, "o");
    return text;
}

}  // namespace seiche
