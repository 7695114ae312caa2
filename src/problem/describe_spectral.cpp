// The text of a spectral problem: reading it. problem/spectral.cpp writes it.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/spectral.hpp"
#include "support/text.hpp"

namespace seiche {

namespace {

using Text = std::string_view;

[[noreturn]] void refuse(Text word, const std::string& expected) {
    throw InvalidProblem("spectral text, at \"" + std::string(word) + "\": expected " + expected);
}

std::vector<PointRange> read_ranges(Text word, Text value) {
    std::vector<PointRange> ranges;
    for (const Text part : support::split(value, ',')) {
        const std::vector<Text> ends = support::split(part, '-');
        const auto begin = support::parse_unsigned(ends.front()), end = support::parse_unsigned(ends.back());
        if (ends.size() != 2 || !begin || !end) refuse(word, "a range for each axis, such as 0-200,0-256");
        ranges.push_back({*begin, *end});
    }
    return ranges;
}

std::vector<ModeRange> read_modes(Text word, Text value) {
    std::vector<ModeRange> ranges;
    for (const Text part : support::split(value, ',')) {
        const std::vector<Text> ends = support::split(part, ':');
        const auto begin = support::parse_signed(ends.front()), end = support::parse_signed(ends.back());
        if (ends.size() != 2 || !begin || !end) refuse(word, "a range for each axis, such as -16:16,0:16");
        ranges.push_back({*begin, *end});
    }
    return ranges;
}

SpectralChannels read_channels(Text word, Text value) {
    const std::vector<Text> counts = support::split(value, 'x');
    const auto inputs = support::parse_unsigned(counts.front()), outputs = support::parse_unsigned(counts.back());
    if (counts.size() != 2 || !inputs || !outputs || std::max(*inputs, *outputs) > UINT32_MAX)
        refuse(word, "counts of inputs and outputs, such as 32x32");
    return {static_cast<std::uint32_t>(*inputs), static_cast<std::uint32_t>(*outputs)};
}

Storage read_storage(Text word, Text name) {
    for (const Storage storage : {Storage::f16, Storage::bf16, Storage::f32, Storage::f64})
        if (name == to_string(storage)) return storage;
    refuse(word, "f16, bf16, f32 or f64");
}

std::vector<SpectralAxisKind> read_kinds(Text word, Text value) {
    std::vector<SpectralAxisKind> kinds;
    for (const Text name : support::split(value, ',')) {
        int kind = 0;
        const int last = static_cast<int>(SpectralAxisKind::dst4);
        while (kind <= last && name != to_string(static_cast<SpectralAxisKind>(kind))) ++kind;
        if (kind > last) refuse(word, "a kind for each axis, periodic, dct1 to dct4 or dst1 to dst4");
        kinds.push_back(static_cast<SpectralAxisKind>(kind));
    }
    return kinds;
}

SpectralPart read_part(Text word, Text name) {
    for (const SpectralPart part :
         {SpectralPart::whole, SpectralPart::forward, SpectralPart::inverse, SpectralPart::gradient})
        if (name == to_string(part)) return part;
    refuse(word, "whole, forward, inverse or gradient");
}

using Setter = std::function<void(SpectralProblem&, Text word, Text value)>;

/// Words of the form key=value.
const std::map<Text, Setter>& settings() {
    static const std::map<Text, Setter> map{
        {"batch",
         [](SpectralProblem& p, Text word, Text value) {
             const auto batch = support::parse_unsigned(value);
             if (!batch) refuse(word, "a whole number");
             p.batch = *batch;
         }},
        {"channels",
         [](SpectralProblem& p, Text word, Text value) {
             const bool is_adjoint = p.channels.adjoint;
             p.channels = read_channels(word, value);
             p.channels.adjoint = is_adjoint;
         }},
        {"kinds", [](SpectralProblem& p, Text word, Text value) { p.kinds = read_kinds(word, value); }},
        {"input", [](SpectralProblem& p, Text word, Text value) { p.input = read_ranges(word, value); }},
        {"kept", [](SpectralProblem& p, Text word, Text value) { p.kept = read_modes(word, value); }},
        {"output", [](SpectralProblem& p, Text word, Text value) { p.output = read_ranges(word, value); }},
        {"part", [](SpectralProblem& p, Text word, Text value) { p.part = read_part(word, value); }},
        {"scale",
         [](SpectralProblem& p, Text word, Text value) {
             const auto scale = support::parse_double(value);
             if (!scale) refuse(word, "a number");
             p.scale = *scale;
         }},
        {"sums",
         [](SpectralProblem& p, Text word, Text value) {
             if (value != "f64") refuse(word, "f64");
             p.sums_in_f64 = true;
         }},
        {"storage", [](SpectralProblem& p, Text word, Text value) { p.storage = read_storage(word, value); }},
    };
    return map;
}

/// Words that stand alone, and the question that each answers.
struct Flag {
    Text question;
    void (*set)(SpectralProblem&);
};
const std::map<Text, Flag>& flags() {
    static const std::map<Text, Flag> map{
        {"real", {"numbers", [](SpectralProblem& p) { p.numbers = SpectralNumbers::real; }}},
        {"complex", {"numbers", [](SpectralProblem& p) { p.numbers = SpectralNumbers::complex; }}},
        {"analytic", {"numbers", [](SpectralProblem& p) { p.numbers = SpectralNumbers::analytic; }}},
        {"spectrum-first", {"order", [](SpectralProblem& p) { p.order = SpectralOrder::spectrum_first; }}},
        {"f32", {"precision", [](SpectralProblem& p) { p.precision = Precision::f32; }}},
        {"f64", {"precision", [](SpectralProblem& p) { p.precision = Precision::f64; }}},
        {"adjoint", {"adjoint", [](SpectralProblem& p) { p.channels.adjoint = true; }}},
    };
    return map;
}

void read_word(Text word, std::map<Text, Text>& answered, SpectralProblem& problem) {
    const std::size_t equals = word.find('=');
    const Text key = word.substr(0, equals);
    const auto flag = flags().find(word);
    const auto setting = equals == Text::npos ? settings().end() : settings().find(key);
    if (flag == flags().end() && setting == settings().end())
        refuse(word,
               "real, complex, analytic, f32, f64, spectrum-first, adjoint, or one of batch= channels= input= kept= "
               "kinds= output= part= scale= storage= sums=");
    const Text question = flag != flags().end() ? flag->second.question : key;
    if (const auto [earlier, fresh] = answered.emplace(question, word); !fresh)
        refuse(word, std::string(question) + " once, after \"" + std::string(earlier->second) + "\"");
    if (flag != flags().end())
        flag->second.set(problem);
    else
        setting->second(problem, word, word.substr(equals + 1));
}

}  // namespace

SpectralProblem parse_spectral(const std::string& text) {
    const std::vector<Text> words = support::words(text);
    SpectralProblem problem;
    for (const Text part : words.empty() ? std::vector<Text>{} : support::split(words.front(), 'x')) {
        const auto length = support::parse_unsigned(part);
        if (!length) refuse(words.front(), "lengths such as 48000 or 256x256");
        problem.lengths.push_back(*length);
    }
    if (problem.lengths.empty())
        throw InvalidProblem("spectral text: expected one such as \"256x256 real f32\", got \"" + text + "\"");
    std::map<Text, Text> answered;
    for (std::size_t i = 1; i < words.size(); ++i) read_word(words[i], answered, problem);
    return problem;
}

}  // namespace seiche
