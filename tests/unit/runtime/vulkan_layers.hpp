// What a run under layers stands on: that the loader has them. It passes in silence over the name of one that is not
// there, and nothing would be watched.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/library.hpp"

namespace seiche::test {

/// VkLayerProperties.
struct LayerProperties {
    std::array<char, 256> name;
    std::uint32_t version, implementation;
    std::array<char, 256> description;
};

/// Those of VK_INSTANCE_LAYERS that the loader does not have; nothing where there is no loader.
inline std::vector<std::string> missing_layers() {
    std::vector<std::string> missing;
    const runtime::Library library = runtime::Library::open({"libvulkan.so.1"});
    if (!library) return missing;
    using List = std::int32_t (*)(std::uint32_t*, LayerProperties*);
    const auto list = reinterpret_cast<List>(library.symbol("vkEnumerateInstanceLayerProperties"));
    std::uint32_t count = 0;
    list(&count, nullptr);
    std::vector<LayerProperties> layers(count);
    list(&count, layers.data());
    std::istringstream names(runtime::environment("VK_INSTANCE_LAYERS"));
    for (std::string name; std::getline(names, name, ':');)
        if (std::none_of(layers.begin(), layers.end(),
                         [&](const LayerProperties& layer) { return name == layer.name.data(); }))
            missing.push_back(name);
    return missing;
}

}  // namespace seiche::test
