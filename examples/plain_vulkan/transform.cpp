// How the description is read: files, arrays, tables, push constants and grids of the launches.
#include "transform.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace {

using nlohmann::json;

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read '" + path + "'");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// RFC 4648.
std::vector<unsigned char> from_base64(const std::string& text) {
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> bytes;
    unsigned word = 0, bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        word = word << 6 | static_cast<unsigned>(digits.find(c));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<unsigned char>(word >> bits));
    }
    return bytes;
}

}  // namespace

Transform::Transform(const std::string& path)
    : description_(json::parse(contents(path))), device_(description_.at("features").get<std::vector<std::string>>()) {
    device_.begin();
    for (const json& kernel : description_.at("kernels"))
        device_.record(launch(kernel, std::filesystem::path(path).parent_path().string()));
}

/// In place the output is the input.
std::string Transform::place(const std::string& holds) const {
    const bool is_output = holds.rfind("output", 0) == 0;
    return is_output && description_.at("in_place") ? "input" + holds.substr(6) : holds;
}

/// Kernels share arrays and workspaces by what they hold; a table is its kernel's own, and comes filled.
const engine::Buffer& Transform::buffer_for(const json& kernel, const json& buffer) {
    const std::string holds = buffer.at("holds");
    const bool is_table = buffer.contains("contents");
    engine::Buffer& array = arrays_[is_table ? holds + " of " + kernel.at("name").get<std::string>() : place(holds)];
    if (array.handle == VK_NULL_HANDLE) array = device_.make_buffer(buffer.at("bytes"));
    if (is_table) {
        const auto bytes = from_base64(buffer.at("contents"));
        std::memcpy(array.bytes + buffer.at("byte_offset").get<std::uint64_t>(), bytes.data(), bytes.size());
    }
    return array;
}

engine::Launch Transform::launch(const json& kernel, const std::string& folder) {
    const std::string module =
        contents((std::filesystem::path(folder) / kernel.at("file").get<std::string>()).string());
    if (kernel.contains("images")) throw std::runtime_error("a description with images, expected one of buffers alone");
    engine::Launch launch;
    launch.spirv.resize(module.size() / 4);
    std::memcpy(launch.spirv.data(), module.data(), 4 * launch.spirv.size());
    launch.entry = kernel.at("name");
    launch.groups = kernel.at("groups");
    launch.group_size = kernel.at("group_size");
    launch.shared_bytes = kernel.at("shared_bytes");

    // Push constant b is how many elements buffer b's element 0 lies behind its binding, which begins where it may.
    launch.push_constants.resize(kernel.at("argument_words"));
    for (const json& buffer : kernel.at("buffers")) {
        const std::uint64_t offset = buffer.at("byte_offset"), element = buffer.at("element_bytes");
        const std::uint64_t step = device_.properties().limits.minStorageBufferOffsetAlignment;
        const std::uint64_t rest = offset % std::max(step, element);
        launch.push_constants[launch.bindings.size()] = static_cast<std::uint32_t>(rest / element);
        launch.bindings.push_back(
            {buffer_for(kernel, buffer).handle, offset - rest, buffer.at("bound_bytes").get<std::uint64_t>() + rest});
    }
    for (const json& scalar : kernel.at("scalars")) {  // little-endian: the low word comes first
        const std::uint64_t value = scalar.at("value");
        const std::size_t word = scalar.at("word"),
                          bytes = scalar.at("type").get<std::string>().substr(1) == "64" ? 8 : 4;
        std::memcpy(&launch.push_constants.at(word), &value, bytes);
    }
    return launch;
}
