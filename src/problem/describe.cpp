// One problem text for every command, error and report: reading and writing it.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/problem.hpp"
#include "support/text.hpp"

namespace seiche {

const char* to_string(Precision precision) noexcept {
    switch (precision) {
        case Precision::f32: return "f32";
        case Precision::f64: return "f64";
        case Precision::f16: return "f16-arithmetic";
        case Precision::f64x2: break;
    }
    return "f64x2";
}

const char* to_string(Norm norm) noexcept {
    switch (norm) {
        case Norm::backward: return "backward";
        case Norm::ortho: return "ortho";
        case Norm::forward: break;
    }
    return "forward";
}

const char* to_string(Storage storage) noexcept {
    switch (storage) {
        case Storage::same: return "same";
        case Storage::f16: return "f16";
        case Storage::bf16: return "bf16";
        case Storage::f32: return "f32";
        case Storage::f64: break;
    }
    return "f64";
}

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

int read_axis(Text word, Text digits) {
    const std::int64_t axis = read_signed(word, digits);
    if (axis < -1000000 || axis > 1000000) refuse(word, "axes such as 0,1 or -1");
    return static_cast<int>(axis);
}

std::vector<int> read_axes(Text word, Text list) {
    std::vector<int> axes;
    for (const Text part : support::split(list, ',')) axes.push_back(read_axis(word, part));
    return axes;
}

std::optional<Kind> read_kind(Text word) {
    for (int i = 0; i <= static_cast<int>(Kind::ihfft); ++i) {
        if (word == to_string(static_cast<Kind>(i))) return static_cast<Kind>(i);
    }
    return std::nullopt;
}

/// "dct2", or one kind per axis: "dct2,dst3". False if the word is something else.
bool read_kinds(Text word, Problem& problem) {
    std::vector<Kind> kinds;
    for (const Text part : support::split(word, ',')) {
        const std::optional<Kind> kind = read_kind(part);
        if (!kind && kinds.empty()) return false;
        if (!kind) refuse(word, "kinds such as dct2,dst3, one per transformed axis");
        kinds.push_back(*kind);
    }
    problem.kind = kinds.front();
    if (kinds.size() > 1) problem.axis_kinds = kinds;
    return true;
}

Storage read_storage(Text word, Text name) {
    for (const Storage storage : {Storage::f16, Storage::bf16, Storage::f32, Storage::f64}) {
        if (name == to_string(storage)) return storage;
    }
    refuse(word, "f16, bf16, f32 or f64");
}

ImageFormat read_image(Text word, Text name) {
    for (const ImageFormat format :
         {ImageFormat::r32f, ImageFormat::rg32f, ImageFormat::rgba32f, ImageFormat::rgba16f}) {
        if (name == to_string(format)) return format;
    }
    refuse(word, "r32f, rg32f, rgba32f or rgba16f");
}

/// "0:512-1024,1:512-1024"
std::vector<Block> read_blocks(Text word, Text list) {
    std::vector<Block> blocks;
    for (const Text part : support::split(list, ',')) {
        const std::size_t colon = part.find(':'), dash = part.find('-', colon == Text::npos ? 0 : colon);
        if (colon == Text::npos || dash == Text::npos) refuse(word, "blocks such as 0:512-1024, an axis and a range");
        blocks.push_back({read_axis(word, part.substr(0, colon)),
                          read_unsigned(word, part.substr(colon + 1, dash - colon - 1)),
                          read_unsigned(word, part.substr(dash + 1))});
    }
    return blocks;
}

std::string blocks_text(const std::vector<Block>& blocks) {
    std::string text;
    for (const Block& block : blocks) {
        text += (text.empty() ? "" : ",") + std::to_string(block.axis) + ":" + support::to_text(block.begin) + "-" +
                support::to_text(block.end);
    }
    return text;
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

Norm read_norm(Text word, Text name) {
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward}) {
        if (name == to_string(norm)) return norm;
    }
    refuse(word, "backward, ortho or forward");
}

SpectrumOrder read_order(Text word, Text name) {
    if (name == "natural") return SpectrumOrder::natural;
    if (name == "pass") return SpectrumOrder::pass;
    refuse(word, "natural or pass");
}

using Setter = std::function<void(Problem&, Text word, Text value)>;

/// Words of the form key=value.
const std::map<Text, Setter>& settings() {
    static const std::map<Text, Setter> map{
        {"batch", [](Problem& p, Text w, Text v) { p.batch = read_unsigned(w, v); }},
        {"axes", [](Problem& p, Text w, Text v) { p.axes = read_axes(w, v); }},
        {"halved", [](Problem& p, Text w, Text v) { p.halved_axis = read_axis(w, v); }},
        {"storage", [](Problem& p, Text w, Text v) { p.storage = read_storage(w, v); }},
        {"forward-scale", [](Problem& p, Text w, Text v) { p.forward_scale = read_scale(w, v); }},
        {"inverse-scale", [](Problem& p, Text w, Text v) { p.inverse_scale = read_scale(w, v); }},
        {"norm", [](Problem& p, Text w, Text v) { p.set_norm(read_norm(w, v)); }},
        {"istrides", [](Problem& p, Text w, Text v) { p.input.strides = read_strides(w, v); }},
        {"ostrides", [](Problem& p, Text w, Text v) { p.output.strides = read_strides(w, v); }},
        {"idist", [](Problem& p, Text w, Text v) { p.input.batch_distance = read_signed(w, v); }},
        {"odist", [](Problem& p, Text w, Text v) { p.output.batch_distance = read_signed(w, v); }},
        {"signal-zeros", [](Problem& p, Text w, Text v) { p.signal_zeros = read_blocks(w, v); }},
        {"spectrum-zeros", [](Problem& p, Text w, Text v) { p.spectrum_zeros = read_blocks(w, v); }},
        {"spectrum-order", [](Problem& p, Text w, Text v) { p.spectrum_order = read_order(w, v); }},
        {"ioffset", [](Problem& p, Text w, Text v) { p.input.byte_offset = read_unsigned(w, v); }},
        {"iparts", [](Problem& p, Text w, Text v) { p.input.part_bytes = read_unsigned(w, v); }},
        {"oparts", [](Problem& p, Text w, Text v) { p.output.part_bytes = read_unsigned(w, v); }},
        {"parts", [](Problem& p, Text w, Text v) { p.input.part_bytes = p.output.part_bytes = read_unsigned(w, v); }},
        {"iimage", [](Problem& p, Text w, Text v) { p.input.image = read_image(w, v); }},
        {"oimage", [](Problem& p, Text w, Text v) { p.output.image = read_image(w, v); }},
        {"image", [](Problem& p, Text w, Text v) { p.input.image = p.output.image = read_image(w, v); }},
        {"iwidth", [](Problem& p, Text w, Text v) { p.input.image_width = read_unsigned(w, v); }},
        {"owidth", [](Problem& p, Text w, Text v) { p.output.image_width = read_unsigned(w, v); }},
        {"ooffset", [](Problem& p, Text w, Text v) { p.output.byte_offset = read_unsigned(w, v); }},
    };
    return map;
}

/// Words that stand alone, and the question that each answers, or two.
struct Flag {
    Text question;
    void (*set)(Problem&);
    Text second_question = {};
};
const std::map<Text, Flag>& flags() {
    static const std::map<Text, Flag> map{
        {"orthonormal", {"orthonormal", [](Problem& p) { p.orthonormal = true; }}},
        {"orthogonalize", {"orthogonalize", [](Problem& p) { p.orthogonalize = true; }}},
        {"f32", {"precision", [](Problem& p) { p.precision = Precision::f32; }}},
        {"f64", {"precision", [](Problem& p) { p.precision = Precision::f64; }}},
        {"f64x2", {"precision", [](Problem& p) { p.precision = Precision::f64x2; }}},
        {"f16-arithmetic", {"precision", [](Problem& p) { p.precision = Precision::f16; }}},
        {"f16", {"precision", [](Problem& p) { p.storage = Storage::f16; }, "storage"}},
        {"bf16", {"precision", [](Problem& p) { p.storage = Storage::bf16; }, "storage"}},
        {"iplanar", {"iplanar", [](Problem& p) { p.input.planar = true; }}},
        {"oplanar", {"oplanar", [](Problem& p) { p.output.planar = true; }}},
        {"planar", {"iplanar", [](Problem& p) { p.input.planar = p.output.planar = true; }, "oplanar"}},
        {"overwrite-input", {"overwrite-input", [](Problem& p) { p.may_overwrite_input = true; }}},
        {"in-place", {"placement", [](Problem& p) { p.placement = Placement::in_place; }}},
        {"out-of-place", {"placement", [](Problem& p) { p.placement = Placement::out_of_place; }}},
    };
    return map;
}

/// Words of the form key=value that answer two questions.
const std::map<Text, std::pair<Text, Text>>& answers_two() {
    static const std::map<Text, std::pair<Text, Text>> map{
        {"parts", {"iparts", "oparts"}}, {"image", {"iimage", "oimage"}}, {"norm", {"forward-scale", "inverse-scale"}}};
    return map;
}

std::string kind_text(const Problem& problem) {
    if (problem.axis_kinds.empty()) return to_string(problem.kind);
    std::string text;
    for (const Kind kind : problem.axis_kinds) text += (text.empty() ? "" : ",") + std::string(to_string(kind));
    return text;
}

void append_layout(std::string& text, const Layout& layout, const std::string& letter) {
    if (!layout.strides.empty()) text += " " + letter + "strides=" + support::join_numbers(layout.strides, ",");
    if (layout.batch_distance != 0) text += " " + letter + "dist=" + support::to_text(layout.batch_distance);
    if (layout.planar) text += " " + letter + "planar";
    if (layout.part_bytes != 0) text += " " + letter + "parts=" + support::to_text(layout.part_bytes);
    if (layout.image != ImageFormat::none) text += " " + letter + "image=" + to_string(layout.image);
    if (layout.image_width != 0) text += " " + letter + "width=" + support::to_text(layout.image_width);
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
        const bool is_kind = read_kinds(word, problem);
        if (!is_kind && flag == flags().end() && setting == settings().end())
            refuse(
                word,
                "a kind (c2c, r2c, c2r, dct1 ... dst4, dht, r2hc, hc2r, hfft, ihfft), orthonormal, orthogonalize, f32, "
                "f64, f64x2, "
                "f16, bf16, "
                "f16-arithmetic, planar, iplanar, oplanar, in-place, out-of-place, overwrite-input, or one of "
                "batch= axes= halved= storage= forward-scale= inverse-scale= norm= istrides= ostrides= idist= odist= "
                "ioffset= ooffset= iparts= oparts= parts= iimage= oimage= image= iwidth= owidth= signal-zeros= "
                "spectrum-zeros= spectrum-order=");
        const auto of_two = is_kind || flag != flags().end() ? answers_two().end() : answers_two().find(key);
        const bool is_of_two = of_two != answers_two().end();
        const Text question = is_kind                 ? "kind"
                              : flag != flags().end() ? flag->second.question
                              : is_of_two             ? of_two->second.first
                                                      : key;
        const Text second = flag != flags().end() ? flag->second.second_question
                            : is_of_two           ? of_two->second.second
                                                  : Text{};
        for (const Text answer : {question, second}) {
            if (answer.empty()) continue;
            if (const auto [earlier, fresh] = answered.emplace(answer, word); !fresh)
                refuse(word, std::string(answer) + " once, after \"" + std::string(earlier->second) + "\"");
        }
        if (flag != flags().end())
            flag->second.set(problem);
        else if (!is_kind)
            setting->second(problem, word, word.substr(equals + 1));
    }
    return problem;
}

std::string to_string(const Problem& problem) {
    std::string text = support::join_numbers(problem.lengths, "x") + " " + kind_text(problem);
    const bool is_half = problem.storage == Storage::f16 || problem.storage == Storage::bf16;
    if (problem.precision == Precision::f32 && is_half)
        text += std::string(" ") + to_string(problem.storage);
    else
        text += std::string(" ") + to_string(problem.precision);
    if (problem.storage != Storage::same && !(problem.precision == Precision::f32 && is_half))
        text += std::string(" storage=") + to_string(problem.storage);
    if (problem.batch != 1) text += " batch=" + support::to_text(problem.batch);
    if (problem.placement == Placement::in_place) text += " in-place";
    if (!problem.axes.empty()) text += " axes=" + support::join_numbers(problem.axes, ",");
    if (problem.halved_axis) text += " halved=" + std::to_string(*problem.halved_axis);
    if (problem.orthonormal) text += " orthonormal";
    if (problem.orthogonalize) text += " orthogonalize";
    if (problem.forward_scale != Scale::none()) text += " forward-scale=" + scale_text(problem.forward_scale);
    if (problem.inverse_scale != Scale::none()) text += " inverse-scale=" + scale_text(problem.inverse_scale);
    append_layout(text, problem.input, "i");
    append_layout(text, problem.output, "o");
    if (!problem.signal_zeros.empty()) text += " signal-zeros=" + blocks_text(problem.signal_zeros);
    if (!problem.spectrum_zeros.empty()) text += " spectrum-zeros=" + blocks_text(problem.spectrum_zeros);
    if (problem.spectrum_order == SpectrumOrder::pass) text += " spectrum-order=pass";
    if (problem.may_overwrite_input) text += " overwrite-input";
    return text;
}

}  // namespace seiche
