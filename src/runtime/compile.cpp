// From source to a loaded kernel by way of the caches: of the device, of the process, on disk.
#include "runtime/backend.hpp"
#include "runtime/cache.hpp"
#include "runtime/library.hpp"
#include "runtime/once.hpp"
#include "runtime/pack.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime {

namespace {

constexpr std::size_t kept_modules = 64;  // of each device, so that a plan made again soon finds its kernels loaded

}  // namespace

struct LoadedModules {
    Once<Module> modules{kept_modules};
};

Device::Device() : loaded_(std::make_unique<LoadedModules>()) { keep_loaded(); }
Device::~Device() = default;

namespace {

// Two devices of one kind share a compilation.
std::shared_ptr<Binary> compile_once(Device& device, const emit::Source& source, const std::string& key) {
    static auto* const running = new Once<Binary>(0);
    return running->get(key, [&] {
        auto binary = std::make_shared<Binary>(device.compile(source));
        write_entry(cache_folder(), key, binary->bytes);
        return binary;
    });
}

std::optional<std::vector<std::byte>> read_from_disk(const std::string& key) {
    auto packed = find_packed(key);
    return packed ? std::move(packed) : read_entry(cache_folder(), key);
}

std::shared_ptr<Module> load_from_disk(Device& device, const emit::Source& source, const std::string& key) {
    auto bytes = read_from_disk(key);
    if (!bytes) return nullptr;
    try {
        return device.load(source, Binary{std::move(*bytes)});
    } catch (const BackendError&) {
        return nullptr;  // a driver that refuses an entry it once made is a miss like any other
    }
}

std::shared_ptr<Module> load_given(Device& device, const emit::Source& source, const Binary& given) {
    try {
        return device.load(source, given);
    } catch (const BackendError&) {
        return nullptr;  // the caller is told, and gets a kernel all the same
    }
}

}  // namespace

std::string kernel_key(const Device& device, const emit::Source& source) {
    return cache_key(source, device.compiler_version());
}

Binary kept_binary(Device& device, const emit::Source& source) {
    if (!device.keeps_binaries()) return device.compile(source);
    const std::string key = kernel_key(device, source);
    if (auto bytes = read_from_disk(key)) return Binary{std::move(*bytes)};
    return *compile_once(device, source, key);
}

CompileResult compile_cached(const std::shared_ptr<Device>& device, const emit::Source& source, const Binary* given) {
    CompileResult result;
    const std::string key = kernel_key(*device, source);
    result.module = device->loaded().modules.get(key, [&] {
        if (given != nullptr) {
            std::shared_ptr<Module> module = load_given(*device, source, *given);
            result.given = module != nullptr;
            result.refused = module == nullptr;
            if (module) return module;
        }
        const bool on_disk = device->keeps_binaries() && why_unusable(cache_folder()).empty();
        std::shared_ptr<Module> module = device->keeps_binaries() ? load_from_disk(*device, source, key) : nullptr;
        if (module) return module;
        result.compiled = true;
        return on_disk ? device->load(source, *compile_once(*device, source, key)) : device->build(source);
    });
    return result;
}

}  // namespace seiche::runtime
