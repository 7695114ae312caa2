// Loads Vulkan and names its errors.
#include "runtime/vulkan/api.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

namespace {

const char* const install =
    "install a Vulkan driver; on Debian and Ubuntu `apt install mesa-vulkan-drivers` runs on any CPU";

constexpr const char* portability_extension = "VK_KHR_portability_enumeration";
constexpr Uint enumerate_portability = 1;

/// What a call of the loader that failed means for the backend: it is not there. True if the call did fail.
bool is_absent(Api& api, Result code, const char* call) {
    if (code == success) return false;
    api.problem = "the Vulkan loader is here, but " + failure(code, call);
    api.remedy = install;
    return true;
}

bool has_portability_enumeration(const std::vector<ExtensionProperties>& all) {
    return std::any_of(all.begin(), all.end(), [](const ExtensionProperties& one) {
        return std::strcmp(one.extensionName, portability_extension) == 0;
    });
}

void make_instance(Api& api) {
    Uint version = 0;
    if (is_absent(api, api.vkEnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion")) return;
    if (version < version_1_1) {
        api.problem = "the Vulkan loader is older than Vulkan 1.1";
        api.remedy = "install a newer Vulkan loader (package libvulkan1)";
        return;
    }
    ApplicationInfo application;
    application.pApplicationName = application.pEngineName = "seiche";
    application.apiVersion = version_1_1;
    InstanceCreateInfo info;
    info.pApplicationInfo = &application;
    // Devices that are not all of Vulkan, as MoltenVK's on macOS, are listed only for who asks; what they lack
    // concerns pictures, and no kernel.
    std::vector<ExtensionProperties> extensions;
    const Result listed = enumerate(extensions, [&](Uint* count, ExtensionProperties* all) {
        return api.vkEnumerateInstanceExtensionProperties(nullptr, count, all);
    });
    if (is_absent(api, listed, "vkEnumerateInstanceExtensionProperties")) return;
    if (has_portability_enumeration(extensions)) {
        info.flags = enumerate_portability;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &portability_extension;
    }
    is_absent(api, api.vkCreateInstance(&info, nullptr, &api.instance), "vkCreateInstance");
}

const LibraryNames library_names{.so = {"libvulkan.so.1", "libvulkan.so"},
                                 .dll = {"vulkan-1.dll"},
                                 .dylib = {"libvulkan.1.dylib", "libvulkan.dylib", "libMoltenVK.dylib"}};

Api load_api() {
    Api api;
    const std::string named = environment("SEICHE_VULKAN_LIBRARY");
    const Library library = Library::open(named.empty() ? names_here(library_names) : std::vector{named});
    if (!library) {
        api.problem = "the Vulkan loader was not found (" + library.error() + ")";
        api.remedy = install;
        return api;
    }
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
        if (function != nullptr || !api.problem.empty()) return;
        api.problem = library.name() + " has no " + name + ": it is older than Vulkan 1.1";
        api.remedy = "install a newer Vulkan loader (package libvulkan1)";
    };
#define SEICHE_TAKE(name, result, parameters) take(api.name, #name);
    SEICHE_VULKAN_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    if (api.problem.empty()) make_instance(api);
    return api;
}

/// What an instance does not have functions for: it is there already.
bool comes_before_instances(const std::string& name) {
    return name == "vkCreateInstance" || name == "vkEnumerateInstanceVersion" ||
           name == "vkEnumerateInstanceExtensionProperties" || name == "vkGetInstanceProcAddr";
}

struct NamedCode {
    Result code;
    const char* name;
};

constexpr NamedCode names[] = {{1, "VK_NOT_READY"},
                               {2, "VK_TIMEOUT"},
                               {5, "VK_INCOMPLETE"},
                               {-1, "VK_ERROR_OUT_OF_HOST_MEMORY"},
                               {-2, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
                               {-3, "VK_ERROR_INITIALIZATION_FAILED"},
                               {-4, "VK_ERROR_DEVICE_LOST"},
                               {-5, "VK_ERROR_MEMORY_MAP_FAILED"},
                               {-6, "VK_ERROR_LAYER_NOT_PRESENT"},
                               {-7, "VK_ERROR_EXTENSION_NOT_PRESENT"},
                               {-8, "VK_ERROR_FEATURE_NOT_PRESENT"},
                               {-9, "VK_ERROR_INCOMPATIBLE_DRIVER"},
                               {-10, "VK_ERROR_TOO_MANY_OBJECTS"},
                               {-11, "VK_ERROR_FORMAT_NOT_SUPPORTED"},
                               {-12, "VK_ERROR_FRAGMENTED_POOL"},
                               {-13, "VK_ERROR_UNKNOWN"},
                               {-1000012000, "VK_ERROR_INVALID_SHADER_NV"},
                               {-1000069000, "VK_ERROR_OUT_OF_POOL_MEMORY"},
                               {-1000257000, "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS"}};

std::string hint(Result code) {
    switch (code) {
        case -1: return "; the host has not enough memory: use smaller buffers or a smaller batch";
        case -2: return "; the device has not enough memory: use smaller buffers or a smaller batch";
        case -4: return "; a kernel faulted or ran too long, or the device is gone: drop its plans and open it again";
        default: return {};
    }
}

}  // namespace

const Api& api() {
    static const Api* const loaded =
        new Api(load_api());  // never destroyed: objects that end later still call through it
    return *loaded;
}

std::shared_ptr<const Api> api_of(Instance instance, void* get_instance_proc_addr) {
    auto found = std::make_shared<Api>();
    using Find = decltype(found->vkGetInstanceProcAddr);
    if (get_instance_proc_addr == nullptr && api().vkGetInstanceProcAddr == nullptr)
        throw Unsupported("vulkan: " + api().problem + " (" + api().remedy + ")");
    const Find find = get_instance_proc_addr != nullptr ? reinterpret_cast<Find>(get_instance_proc_addr)
                                                        : api().vkGetInstanceProcAddr;
    found->vkGetInstanceProcAddr = find;
    found->instance = instance;
    const auto take = [&](auto& function, const char* name) {
        if (comes_before_instances(name)) return;
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(find(instance, name));
        if (function == nullptr)
            throw Unsupported(std::string("vulkan interop: the instance has no ") + name +
                              ", expected one made with apiVersion 1.1 or newer");
    };
#define SEICHE_TAKE(name, result, parameters) take(found->name, #name);
    SEICHE_VULKAN_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    return found;
}

std::string error_name(Result code) {
    for (const NamedCode& known : names)
        if (known.code == code) return known.name;
    return "code " + std::to_string(code);
}

std::string failure(Result code, const char* call, const std::string& doing) {
    return std::string(call) + (doing.empty() ? "" : " (" + doing + ")") + " failed with " + error_name(code) +
           hint(code);
}

void check(Result code, const char* call, const std::string& doing) {
    if (code != success) throw BackendError("vulkan: " + failure(code, call, doing));
}

}  // namespace seiche::runtime::vulkan
