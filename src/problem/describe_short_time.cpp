// The text of a short-time transform: reading and writing it.
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/short_time.hpp"
#include "support/text.hpp"

namespace seiche {

namespace {

using Text = std::string_view;

[[noreturn]] void refuse(Text word, const std::string& expected) {
    throw InvalidProblem("short-time text, at \"" + std::string(word) + "\": expected " + expected);
}

/// Sums of cosines, of one period.
struct NamedWindow {
    Text name;
    std::array<double, 3> coefficients;
};
constexpr std::array<NamedWindow, 4> windows = {{{"hann", {0.5, 0.5, 0}},
                                                 {"hamming", {0.54, 0.46, 0}},
                                                 {"blackman", {0.42, 0.5, 0.08}},
                                                 {"rectangular", {1, 0, 0}}}};

std::vector<double> values_of(const NamedWindow& window, std::uint64_t length) {
    constexpr double pi = 3.14159265358979323846;
    const auto& [a, b, c] = window.coefficients;
    std::vector<double> values(length);
    for (std::uint64_t i = 0; i < length; ++i) {
        const double turn = 2 * pi * static_cast<double>(i) / static_cast<double>(length);
        values[i] = a - b * std::cos(turn) + c * std::cos(2 * turn);
    }
    return values;
}

std::string name_of(const std::vector<double>& window) {
    for (const NamedWindow& named : windows)
        if (values_of(named, window.size()) == window) return std::string(named.name);
    return "given";
}

/// A problem while it is read: the window's values come last.
struct Reading {
    ShortTimeProblem problem;
    std::optional<std::uint64_t> length;
    Text window = "hann";
};

std::uint64_t read_count(Text word, Text digits) {
    const auto value = support::parse_unsigned(digits);
    if (!value) refuse(word, "a whole number");
    return *value;
}

void read_frames(Reading& reading, Text word, Text value) {
    constexpr std::uint64_t longest = std::uint64_t{1} << 20;
    const std::vector<Text> parts = support::split(value, '/');
    const auto length = support::parse_unsigned(parts.front()), hop = support::parse_unsigned(parts.back());
    if (parts.size() != 2 || !length || !hop) refuse(word, "a frame's length and the hop, such as frames=1024/256");
    if (*length == 0 || *length > longest) refuse(word, "a frame of 1 to 2^20 samples");
    reading.length = *length;
    reading.problem.hop = *hop;
}

void read_window(Reading& reading, Text word, Text name) {
    for (const NamedWindow& window : windows)
        if (name == window.name) reading.window = window.name;
    if (name == "given") reading.window = "given";
    if (name != reading.window) refuse(word, "hann, hamming, blackman, rectangular, or given beside its values");
}

void read_padding(Reading& reading, Text word, Text name) {
    for (const FramePadding padding : {FramePadding::none, FramePadding::zeros, FramePadding::reflect}) {
        reading.problem.padding = padding;
        if (name == to_string(padding)) return;
    }
    refuse(word, "none, zeros or reflect");
}

using Setter = std::function<void(Reading&, Text word, Text value)>;

/// Words of the form key=value.
const std::map<Text, Setter>& settings() {
    static const std::map<Text, Setter> map{
        {"batch", [](Reading& r, Text word, Text value) { r.problem.batch = read_count(word, value); }},
        {"frames", read_frames},
        {"padding", read_padding},
        {"window", read_window},
    };
    return map;
}

/// Words that stand alone, and the question that each answers.
struct Flag {
    Text question;
    void (*set)(ShortTimeProblem&);
};
const std::map<Text, Flag>& flags() {
    static const std::map<Text, Flag> map{
        {"forward", {"direction", [](ShortTimeProblem& p) { p.direction = Direction::forward; }}},
        {"inverse", {"direction", [](ShortTimeProblem& p) { p.direction = Direction::inverse; }}},
        {"f32", {"precision", [](ShortTimeProblem& p) { p.precision = Precision::f32; }}},
        {"f64", {"precision", [](ShortTimeProblem& p) { p.precision = Precision::f64; }}},
        {"frames-first", {"order", [](ShortTimeProblem& p) { p.order = FrameOrder::frames_first; }}},
        {"frequencies-first", {"order", [](ShortTimeProblem& p) { p.order = FrameOrder::frequencies_first; }}},
        {"complex", {"value", [](ShortTimeProblem& p) { p.value = BinValue::complex; }}},
        {"power", {"value", [](ShortTimeProblem& p) { p.value = BinValue::power; }}},
        {"decibels", {"value", [](ShortTimeProblem& p) { p.value = BinValue::decibels; }}},
    };
    return map;
}

void read_word(Text word, std::map<Text, Text>& answered, Reading& reading) {
    const std::size_t equals = word.find('=');
    const Text key = word.substr(0, equals);
    const auto flag = flags().find(word);
    const auto setting = equals == Text::npos ? settings().end() : settings().find(key);
    if (flag == flags().end() && setting == settings().end())
        refuse(word,
               "forward, inverse, f32, f64, frames-first, frequencies-first, complex, power, decibels, or one of "
               "batch= frames= padding= window=");
    const Text question = flag != flags().end() ? flag->second.question : key;
    if (const auto [earlier, fresh] = answered.emplace(question, word); !fresh)
        refuse(word, std::string(question) + " once, after \"" + std::string(earlier->second) + "\"");
    if (flag != flags().end())
        flag->second.set(reading.problem);
    else
        setting->second(reading, word, word.substr(equals + 1));
}

std::vector<double> window_of(const Reading& reading, const std::vector<double>& given) {
    const std::string name(reading.window);
    if (name != "given") {
        if (!given.empty())
            throw InvalidProblem("short-time text: expected window=given beside a window's values, got window=" + name);
        for (const NamedWindow& window : windows)
            if (window.name == reading.window) return values_of(window, *reading.length);
    }
    if (given.size() != *reading.length)
        throw InvalidProblem("short-time text, window=given: expected its " + std::to_string(*reading.length) +
                             " values beside the text, got " + std::to_string(given.size()));
    return given;
}

}  // namespace

ShortTimeProblem parse_short_time(const std::string& text, const std::vector<double>& window) {
    const std::vector<Text> words = support::words(text);
    const std::string example = "one such as \"480000 frames=1024/256 window=hann f32\"";
    if (words.empty()) throw InvalidProblem("short-time text: expected " + example + ", got \"" + text + "\"");
    Reading reading;
    const auto samples = support::parse_unsigned(words.front());
    if (!samples) refuse(words.front(), "the samples of a signal, such as 480000");
    reading.problem.samples = *samples;
    std::map<Text, Text> answered;
    for (std::size_t i = 1; i < words.size(); ++i) read_word(words[i], answered, reading);
    if (!reading.length) throw InvalidProblem("short-time text: expected " + example + ", got no frames=");
    reading.problem.window = window_of(reading, window);
    return reading.problem;
}

std::string to_string(const ShortTimeProblem& p) {
    std::string text = support::to_text(p.samples) + " frames=" + std::to_string(p.window.size()) + "/" +
                       support::to_text(p.hop) + " window=" + name_of(p.window);
    if (p.direction == Direction::inverse) text += " inverse";
    text += std::string(" ") + to_string(p.precision);
    if (p.batch != 1) text += " batch=" + support::to_text(p.batch);
    if (p.padding != FramePadding::zeros) text += std::string(" padding=") + to_string(p.padding);
    if (p.order != FrameOrder::frames_first) text += std::string(" ") + to_string(p.order);
    if (p.value != BinValue::complex) text += std::string(" ") + to_string(p.value);
    return text;
}

}  // namespace seiche
