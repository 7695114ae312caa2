// Normalising: a text's own names become n0, n1, ... in the order in which they appear.
#include "tests/guard/texts.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "seiche/error.hpp"

namespace seiche::guard {

namespace {

using emit::Dialect;

emit::Target target_for(Dialect dialect, const DeviceLimits& limits) {
    emit::Target target;
    target.dialect = dialect;
    target.architecture = limits.architecture;
    target.counts_arrivals = dialect == Dialect::ptx && limits.max_cluster_size > 1;
    target.fast_fma = limits.fast_fma;
    target.scoped_atomics = limits.waits_for_groups;
    target.pairs_as_words = dialect == Dialect::spirv_vulkan && limits.vectors == Vectors::implicit_simd;
    target.joins_words = dialect == Dialect::spirv_vulkan && limits.vectors == Vectors::implicit_simd;
    target.widest_access_bytes = limits.vectors == Vectors::explicit_simd ? limits.vector_bytes : 16;
    return target;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }
constexpr bool begins_word(char c) { return is_word(c) && !is_digit(c); }

std::string without_comments(const std::string& source) {
    std::string text;
    text.reserve(source.size());
    for (std::size_t at = 0; at < source.size();) {
        const char next = source[at] == '/' && at + 1 < source.size() ? source[at + 1] : ' ';
        if (next == '/') {
            at = std::min(source.find('\n', at), source.size());
        } else if (next == '*') {
            const std::size_t end = source.find("*/", at + 2);
            at = end == std::string::npos ? source.size() : end + 2;
        } else {
            text += source[at++];
        }
    }
    return text;
}

using Token = std::string_view;
constexpr Token line_end = "\n";

/// Words, numbers, other characters one by one, and ends of lines; "%r12" is one word in PTX.
std::vector<Token> tokens_of(std::string_view text, bool is_ptx) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (is_word(text[at]) || (is_ptx && (text[at] == '%' || text[at] == '$')))
            while (end < text.size() && is_word(text[end])) ++end;
        const bool is_line_end = text[at] == '\n';
        const bool is_repeated = is_line_end && (tokens.empty() || tokens.back() == line_end);
        if (text[at] != ' ' && text[at] != '\t' && text[at] != '\r' && !is_repeated)
            tokens.push_back(text.substr(at, end - at));
        at = end;
    }
    return tokens;
}

/// Behind a type or a star, and before what ends or goes on with a declaration. A factor looks the same: its name has
/// been declared already.
bool is_declared(const std::vector<Token>& tokens, std::size_t i) {
    static const std::unordered_set<Token> no_types{"return", "else",   "case",  "goto",
                                                    "define", "ifndef", "ifdef", "pragma"};
    if (i == 0 || i + 1 == tokens.size() || !begins_word(tokens[i][0])) return false;
    const Token behind = tokens[i + 1], before = tokens[i - 1];
    const char ends = behind[0];
    if (ends != '=' && ends != ';' && ends != '[' && ends != ',' && ends != ')') return false;
    return before == "*" || (begins_word(before[0]) && !no_types.contains(before));
}

/// A register with a number, or a label.
bool is_ptx_name(Token token) { return token[0] == '$' || (token[0] == '%' && is_digit(token.back())); }

std::unordered_set<Token> declared_names(const std::vector<Token>& tokens) {
    std::unordered_set<Token> names;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (is_declared(tokens, i)) names.insert(tokens[i]);
    return names;
}

/// SPIR-V without the names that debuggers see; the header's bound and version stay.
std::string words_text(const std::vector<std::uint32_t>& words, bool is_spirv) {
    constexpr std::size_t header_words = 5, words_of_line = 8;
    constexpr std::uint32_t op_source = 3, op_name = 5, op_member_name = 6, op_string = 7, op_line = 8;
    std::string text;
    const auto add = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) text += std::to_string(words[i]) + (i + 1 == end ? "\n" : " ");
    };
    if (!is_spirv) {
        for (std::size_t at = 0; at < words.size(); at += words_of_line)
            add(at, std::min(words.size(), at + words_of_line));
        return text;
    }
    for (std::size_t at = header_words; at < words.size();) {
        const std::uint32_t op = words[at] & 0xffffu, count = std::max(words[at] >> 16, 1u);
        const bool is_debug =
            op == op_source || (op >= op_name && op <= op_string) || op == op_member_name || op == op_line;
        const std::size_t end = std::min<std::size_t>(words.size(), at + count);
        if (!is_debug) add(at, end);
        at = end;
    }
    return text;
}

std::string one_text(const emit::Source& source) {
    const bool is_spirv = source.dialect == Dialect::spirv_vulkan || source.dialect == Dialect::spirv_opencl;
    if (!source.words.empty()) return words_text(source.words, is_spirv) + words_text(source.unaligned_words, is_spirv);
    return normalised(source.text, source.dialect == Dialect::ptx);
}

}  // namespace

std::vector<Dialect> dialects_of(const DeviceLimits& limits) {
    const std::string& name = limits.architecture;
    if (name.rfind("sm_", 0) == 0) return {Dialect::cuda, Dialect::ptx, Dialect::opencl, Dialect::spirv_vulkan};
    if (name.rfind("gfx", 0) == 0) return {Dialect::hip, Dialect::opencl, Dialect::spirv_vulkan};
    if (name.rfind("x86-64", 0) == 0) return {Dialect::x86};
    if (name == "aarch64-neon") return {Dialect::arm64};
    if (name == "cpu") return {Dialect::opencl, Dialect::spirv_opencl};
    if (name == "llvmpipe") return {Dialect::spirv_vulkan, Dialect::glsl, Dialect::glsl_es};
    return {Dialect::opencl, Dialect::spirv_opencl, Dialect::spirv_vulkan, Dialect::glsl, Dialect::glsl_es};
}

const char* name_of(Dialect dialect) {
    switch (dialect) {
        case Dialect::reference: return "reference";
        case Dialect::cuda: return "cuda";
        case Dialect::hip: return "hip";
        case Dialect::opencl: return "opencl";
        case Dialect::spirv_vulkan: return "spirv";
        case Dialect::spirv_opencl: return "spirv-opencl";
        case Dialect::glsl: return "glsl";
        case Dialect::glsl_es: return "glsl-es";
        case Dialect::ptx: return "ptx";
        case Dialect::x86: return "x86";
        case Dialect::arm64: return "arm64";
    }
    return "?";
}

std::string emitted_text(const Choices& choices, Dialect dialect, const DeviceLimits& limits) {
    std::string text;
    for (const auto& kernel : choices.kernels) {
        try {
            text += one_text(emit::emit(kernel, target_for(dialect, limits)));
        } catch (const Unsupported& error) {
            text += "refused: " + std::string(error.what()) + "\n";
        }
    }
    return text;
}

std::string normalised(const std::string& source, bool is_ptx) {
    const std::string text = without_comments(source);
    const std::vector<Token> tokens = tokens_of(text, is_ptx);
    const std::unordered_set<Token> declared = is_ptx ? std::unordered_set<Token>() : declared_names(tokens);
    std::unordered_map<Token, std::string> names;
    std::string result;
    result.reserve(2 * text.size());
    for (const Token token : tokens) {
        const bool is_name = is_ptx ? is_ptx_name(token) : declared.contains(token);
        if (!result.empty() && result.back() != '\n' && token != line_end) result += ' ';
        if (is_name)
            result += names.try_emplace(token, "n" + std::to_string(names.size())).first->second;
        else
            result += token;
    }
    return result;
}

}  // namespace seiche::guard
