// Emitted kernels as JSON.
#include "cli/inspect/emit_json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "seiche/error.hpp"

namespace seiche::cli {

namespace {

using Json = nlohmann::ordered_json;

/// RFC 4648, with padding.
std::string base64(const std::vector<std::byte>& bytes) {
    static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = std::min<std::size_t>(bytes.size() - at, 3);
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 3; ++i)
            word = word << 8 | (i < left ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0u);
        for (std::size_t i = 0; i < 4; ++i) text += i <= left ? digits[word >> (18 - 6 * i) & 63u] : '=';
    }
    return text;
}

/// Of one element: 8 for "f32x2".
std::uint64_t element_bytes(const std::string& element) {
    const std::size_t bits = element.find_first_of("0123456789"), lanes = element.find('x');
    return std::stoull(element.substr(bits)) / 8 *
           (lanes == std::string::npos ? 1 : std::stoull(element.substr(lanes + 1)));
}

/// How far the kernel reaches from `byte_offset` on: to the end of the array, or to where its next part begins.
std::uint64_t bound_bytes(const EmittedKernel& kernel, const EmittedBuffer& buffer) {
    for (const EmittedBuffer& other : kernel.buffers)
        if (other.holds == buffer.holds && other.part == buffer.part + 1) return other.byte_offset - buffer.byte_offset;
    return buffer.bytes == 0 ? 0 : buffer.bytes - buffer.byte_offset;
}

Json described(const EmittedKernel& kernel, const EmittedBuffer& buffer) {
    Json json{{"name", buffer.name},
              {"holds", buffer.holds},
              {"element", buffer.element},
              {"element_bytes", element_bytes(buffer.element)},
              {"reads", buffer.reads},
              {"writes", buffer.writes},
              {"part", buffer.part},
              {"byte_offset", buffer.byte_offset},
              {"bound_bytes", bound_bytes(kernel, buffer)},
              {"bytes", buffer.bytes}};
    if (!buffer.contents.empty()) json["contents"] = base64(buffer.contents);
    return json;
}

Json described(const EmittedImage& image) {
    return {{"name", image.name},     {"holds", image.holds},    {"format", to_string(image.format)},
            {"reads", image.reads},   {"writes", image.writes},  {"width", image.width},
            {"height", image.height}, {"binding", image.binding}};
}

Json described(const EmittedKernel& kernel, const std::string& file) {
    Json json{{"name", kernel.name}};
    if (!file.empty()) json["file"] = file;
    json["groups"] = kernel.groups;
    json["group_size"] = kernel.group_size;
    if (kernel.groups_per_cluster > 1) json["groups_per_cluster"] = kernel.groups_per_cluster;
    if (kernel.subgroup_size != 0) json["subgroup_size"] = kernel.subgroup_size;
    json["shared_bytes"] = kernel.shared_bytes;
    json["dynamic_shared"] = kernel.dynamic_shared;
    for (const EmittedBuffer& buffer : kernel.buffers) json["buffers"].push_back(described(kernel, buffer));
    for (const EmittedImage& image : kernel.images) json["images"].push_back(described(image));
    for (const EmittedScalar& scalar : kernel.scalars) {
        Json one{{"name", scalar.name}, {"type", scalar.type}, {"value", scalar.value}};
        if (kernel.argument_words != 0) one["word"] = scalar.word;
        json["scalars"].push_back(one);
    }
    if (kernel.argument_words != 0) json["argument_words"] = kernel.argument_words;
    return json;
}

/// Adds the features that a Vulkan device must be made with, as its structures call them, for what a module declares
/// (SPIR-V 1.3, 2.3 and 3.31: capabilities come first).
void add_features(const std::vector<std::uint32_t>& words, std::set<std::string>& features) {
    constexpr std::size_t header_words = 5;
    constexpr std::uint32_t declares_capability = 2u << 16 | 17u;
    // Of every device from Vulkan 1.1 on, the latter where its properties say so (VkPhysicalDeviceSubgroupProperties).
    static const std::set<std::uint32_t> no_features{1 /* Shader */, 61 /* GroupNonUniform */,
                                                     65 /* GroupNonUniformShuffle */};
    static const std::map<std::uint32_t, const char*> names{{10, "shaderFloat64"},
                                                            {11, "shaderInt64"},
                                                            {12, "shaderBufferInt64Atomics"},
                                                            {49, "shaderStorageImageExtendedFormats"},
                                                            {4433, "storageBuffer16BitAccess"},
                                                            {4448, "storageBuffer8BitAccess"}};
    for (std::size_t at = header_words; at + 1 < words.size() && words[at] == declares_capability; at += 2) {
        if (no_features.count(words[at + 1]) != 0) continue;
        const auto name = names.find(words[at + 1]);
        if (name == names.end())
            throw InternalError("emit --json: expected a capability that is a feature of Vulkan, got number " +
                                std::to_string(words[at + 1]));
        features.insert(name->second);
    }
}

}  // namespace

std::string kernels_as_json(const Problem& problem, Dialect dialect, Direction direction,
                            const std::vector<EmittedKernel>& kernels, const std::vector<std::string>& files) {
    Json json{{"problem", to_string(problem)},
              {"dialect", to_string(dialect)},
              {"direction", direction == Direction::forward ? "forward" : "inverse"},
              {"in_place", problem.placement == Placement::in_place}};
    if (dialect == Dialect::spirv) {
        std::set<std::string> features;
        for (const EmittedKernel& kernel : kernels) add_features(kernel.words, features);
        json["features"] = features;
    }
    for (std::size_t i = 0; i < kernels.size(); ++i)
        json["kernels"].push_back(described(kernels[i], files.empty() ? "" : files[i]));
    return json.dump(1) + "\n";
}

}  // namespace seiche::cli
