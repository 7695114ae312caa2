// Emitted kernels as JSON.
#include "cli/emit_json.hpp"

#include <nlohmann/json.hpp>

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

Json described(const EmittedBuffer& buffer) {
    Json json{{"name", buffer.name},
              {"holds", buffer.holds},
              {"element", buffer.element},
              {"reads", buffer.reads},
              {"writes", buffer.writes},
              {"part", buffer.part},
              {"byte_offset", buffer.byte_offset},
              {"bytes", buffer.bytes}};
    if (!buffer.contents.empty()) json["contents"] = base64(buffer.contents);
    return json;
}

Json described(const EmittedKernel& kernel) {
    Json json{{"name", kernel.name},
              {"groups", kernel.groups},
              {"group_size", kernel.group_size},
              {"shared_bytes", kernel.shared_bytes},
              {"dynamic_shared", kernel.dynamic_shared}};
    for (const EmittedBuffer& buffer : kernel.buffers) json["buffers"].push_back(described(buffer));
    for (const EmittedScalar& scalar : kernel.scalars) {
        Json one{{"name", scalar.name}, {"type", scalar.type}, {"value", scalar.value}};
        if (kernel.argument_words != 0) one["word"] = scalar.word;
        json["scalars"].push_back(one);
    }
    if (kernel.argument_words != 0) json["argument_words"] = kernel.argument_words;
    return json;
}

}  // namespace

std::string kernels_as_json(const std::string& problem, const std::string& dialect, Direction direction,
                            const std::vector<EmittedKernel>& kernels) {
    Json json{{"problem", problem},
              {"dialect", dialect},
              {"direction", direction == Direction::forward ? "forward" : "inverse"}};
    for (const EmittedKernel& kernel : kernels) json["kernels"].push_back(described(kernel));
    return json.dump(1) + "\n";
}

}  // namespace seiche::cli
