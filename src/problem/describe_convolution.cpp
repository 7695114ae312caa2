// The text of a convolution: reading and writing it.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche {

namespace {

using Text = std::string_view;

[[noreturn]] void refuse(Text word, const std::string& expected) {
    throw InvalidProblem("convolution text, at \"" + std::string(word) + "\": expected " + expected);
}

std::vector<std::uint64_t> read_shape(Text word) {
    std::vector<std::uint64_t> lengths;
    for (const Text part : support::split(word, 'x')) {
        const auto length = support::parse_unsigned(part);
        if (!length) refuse(word, "lengths such as 48000 or 512x512");
        lengths.push_back(*length);
    }
    return lengths;
}

std::uint64_t read_count(Text word, Text digits, std::uint64_t most) {
    const auto value = support::parse_unsigned(digits);
    if (!value || *value > most) refuse(word, "a whole number from 0 to " + std::to_string(most));
    return *value;
}

Storage read_storage(Text word, Text name) {
    for (const Storage storage : {Storage::f16, Storage::bf16, Storage::f32, Storage::f64})
        if (name == to_string(storage)) return storage;
    refuse(word, "f16, bf16, f32 or f64");
}

const char* name_of(ChannelMatrix channels) {
    switch (channels) {
        case ChannelMatrix::full: return "full";
        case ChannelMatrix::symmetric: return "symmetric";
        case ChannelMatrix::diagonal: break;
    }
    return "diagonal";
}

const char* name_of(ConvolutionProduct product) {
    switch (product) {
        case ConvolutionProduct::convolve: return "convolve";
        case ConvolutionProduct::correlate: return "correlate";
        case ConvolutionProduct::phase: break;
    }
    return "phase";
}

ChannelMatrix read_channels(Text word, Text name) {
    for (const ChannelMatrix channels : {ChannelMatrix::full, ChannelMatrix::symmetric, ChannelMatrix::diagonal})
        if (name == name_of(channels)) return channels;
    refuse(word, "full, symmetric or diagonal");
}

constexpr std::uint64_t any = UINT64_MAX, most_channels = UINT32_MAX;

using Setter = std::function<void(Convolution&, Text word, Text value)>;

/// Words of the form key=value.
const std::map<Text, Setter>& settings() {
    static const std::map<Text, Setter> map{
        {"batch", [](Convolution& c, Text w, Text v) { c.batch = read_count(w, v, any); }},
        {"block", [](Convolution& c, Text w, Text v) { c.block = read_count(w, v, any); }},
        {"inputs", [](Convolution& c, Text w,
                      Text v) { c.inputs = static_cast<std::uint32_t>(read_count(w, v, most_channels)); }},
        {"outputs", [](Convolution& c, Text w,
                       Text v) { c.outputs = static_cast<std::uint32_t>(read_count(w, v, most_channels)); }},
        {"channels", [](Convolution& c, Text w, Text v) { c.channels = read_channels(w, v); }},
        {"storage", [](Convolution& c, Text w, Text v) { c.storage = read_storage(w, v); }},
    };
    return map;
}

/// Words that stand alone, and the question that each answers, or two.
struct Flag {
    Text question;
    void (*set)(Convolution&);
    Text second_question = {};
};
const std::map<Text, Flag>& flags() {
    static const std::map<Text, Flag> map{
        {"full", {"mode", [](Convolution& c) { c.mode = ConvolutionMode::full; }}},
        {"same", {"mode", [](Convolution& c) { c.mode = ConvolutionMode::same; }}},
        {"valid", {"mode", [](Convolution& c) { c.mode = ConvolutionMode::valid; }}},
        {"circular", {"mode", [](Convolution& c) { c.mode = ConvolutionMode::circular; }}},
        {"causal", {"mode", [](Convolution& c) { c.mode = ConvolutionMode::causal; }}},
        {"convolve", {"product", [](Convolution& c) { c.product = ConvolutionProduct::convolve; }}},
        {"correlate", {"product", [](Convolution& c) { c.product = ConvolutionProduct::correlate; }}},
        {"phase", {"product", [](Convolution& c) { c.product = ConvolutionProduct::phase; }}},
        {"real", {"numbers", [](Convolution& c) { c.complex = false; }}},
        {"complex", {"numbers", [](Convolution& c) { c.complex = true; }}},
        {"f32", {"precision", [](Convolution& c) { c.precision = Precision::f32; }}},
        {"f64", {"precision", [](Convolution& c) { c.precision = Precision::f64; }}},
        {"f64x2", {"precision", [](Convolution& c) { c.precision = Precision::f64x2; }}},
        {"f16", {"precision", [](Convolution& c) { c.storage = Storage::f16; }, "storage"}},
        {"bf16", {"precision", [](Convolution& c) { c.storage = Storage::bf16; }, "storage"}},
    };
    return map;
}

void read_word(Text word, std::map<Text, Text>& answered, Convolution& convolution) {
    const std::size_t equals = word.find('=');
    const Text key = word.substr(0, equals);
    const auto flag = flags().find(word);
    const auto setting = equals == Text::npos ? settings().end() : settings().find(key);
    if (flag == flags().end() && setting == settings().end())
        refuse(word,
               "full, same, valid, circular, causal, convolve, correlate, phase, real, complex, f32, f64, f64x2, f16, "
               "bf16, or "
               "one of batch= block= inputs= outputs= channels= storage=");
    const bool is_flag = flag != flags().end();
    for (const Text answer : {is_flag ? flag->second.question : key, is_flag ? flag->second.second_question : Text{}}) {
        if (answer.empty()) continue;
        if (const auto [earlier, fresh] = answered.emplace(answer, word); !fresh)
            refuse(word, std::string(answer) + " once, after \"" + std::string(earlier->second) + "\"");
    }
    if (is_flag)
        flag->second.set(convolution);
    else
        setting->second(convolution, word, word.substr(equals + 1));
}

}  // namespace

Convolution parse_convolution(const std::string& text) {
    const std::vector<Text> words = support::words(text);
    if (words.size() < 3 || words[1] != "*")
        throw InvalidProblem("convolution text: expected one such as \"48000 * 1001 same f32\", got \"" + text + "\"");
    Convolution convolution;
    convolution.signal = read_shape(words[0]);
    if (words[2] == "spectrum")
        convolution.domain = KernelDomain::frequency;
    else
        convolution.kernel = read_shape(words[2]);
    std::map<Text, Text> answered;
    for (std::size_t i = 3; i < words.size(); ++i) read_word(words[i], answered, convolution);
    return convolution;
}

std::string to_string(const Convolution& c) {
    const bool is_half = c.storage == Storage::f16 || c.storage == Storage::bf16;
    std::string text = support::join_numbers(c.signal, "x") + " * " +
                       (c.domain == KernelDomain::frequency ? "spectrum" : support::join_numbers(c.kernel, "x")) + " " +
                       to_string(c.mode);
    if (c.product != ConvolutionProduct::convolve) text += std::string(" ") + name_of(c.product);
    text += c.complex ? " complex " : " real ";
    text += c.precision == Precision::f32 && is_half ? to_string(c.storage) : to_string(c.precision);
    if (c.storage != Storage::same && !(c.precision == Precision::f32 && is_half))
        text += std::string(" storage=") + to_string(c.storage);
    if (c.inputs != 1) text += " inputs=" + std::to_string(c.inputs);
    if (c.outputs != 1) text += " outputs=" + std::to_string(c.outputs);
    if (c.channels != ChannelMatrix::full) text += std::string(" channels=") + name_of(c.channels);
    if (c.batch != 1) text += " batch=" + support::to_text(c.batch);
    if (c.block != 0) text += " block=" + support::to_text(c.block);
    return text;
}

}  // namespace seiche
