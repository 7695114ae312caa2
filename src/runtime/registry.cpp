// The backends of this build, the list of devices, and the choice among them.
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <map>
#include <mutex>

#include "runtime/backend.hpp"
#include "runtime/cpu/device.hpp"
#include "runtime/cuda/device.hpp"
#include "runtime/hip/device.hpp"
#include "runtime/level_zero/device.hpp"
#include "runtime/library.hpp"
#include "runtime/opencl/device.hpp"
#include "runtime/opengl/device.hpp"
#include "runtime/reference/device.hpp"
#include "runtime/vulkan/device.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::runtime {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

int rank(const DeviceInfo& info) {
    if (!info.available) return 5;
    if (info.backend == Backend::reference) return 4;
    if (info.is_gpu) return 0;
    if (info.backend == Backend::cpu) return 1;
    // A CPU is better driven by explicit vectors than by a driver that takes it for a GPU.
    return info.limits.vectors == Vectors::explicit_simd ? 2 : 3;
}

std::string reason(const DeviceInfo& info) {
    std::string text = info.name + ": " + info.problem;
    if (!info.remedy.empty()) text += " (" + info.remedy + ")";
    return text;
}

/// By backend: fork_count() when its driver was first found to have devices, plus 1. 0: not yet.
std::array<std::atomic<unsigned>, static_cast<std::size_t>(Backend::cpu) + 1> first_uses;

void note_driver(Backend backend) {
    unsigned never = 0;
    first_uses[static_cast<std::size_t>(backend)].compare_exchange_strong(never, fork_count() + 1);
}

bool is_parents_driver(Backend backend) {
    if (backend == Backend::reference || backend == Backend::cpu) return false;  // these have no driver
    const unsigned first = first_uses[static_cast<std::size_t>(backend)];
    return first != 0 && first != fork_count() + 1;
}

/// A driver that the parent of this process used is not asked: many would never answer.
std::vector<DeviceInfo> list_of(const BackendEntry& entry) {
    if (is_parents_driver(entry.backend)) {
        DeviceInfo info;
        info.name = entry.name;
        info.backend = entry.backend;
        info.problem = "fork made this process after its driver was in use, which does not work in the child";
        info.remedy = "open devices after fork only, or start the process by spawn or exec";
        return {info};
    }
    std::vector<DeviceInfo> infos = entry.list();
    if (std::any_of(infos.begin(), infos.end(), [](const DeviceInfo& i) { return i.available || i.is_gpu; }))
        note_driver(entry.backend);
    return infos;
}

const BackendEntry& find_backend(const std::string& name) {
    std::vector<std::string> known;
    for (const BackendEntry& entry : registry()) {
        if (name == entry.name) return entry;
        known.emplace_back(entry.name);
    }
    throw Unsupported("there is no backend '" + name + "': expected one of " + support::join(known, ", ") +
                      ", with :index or :part-of-the-device's-name if need be");
}

// What stands after the colon: nothing, the index, or part of what the device calls itself.
bool matches(const DeviceInfo& info, const BackendEntry& entry, const std::string& wanted) {
    if (wanted.empty()) return true;
    if (support::parse_unsigned(wanted)) return info.name == std::string(entry.name) + ":" + wanted;
    return lower(info.description + " " + info.driver).find(lower(wanted)) != std::string::npos;
}

// Devices are shared while somebody has them, and with them their contexts and loaded kernels.
std::shared_ptr<Device> open_shared(const BackendEntry& entry, const DeviceInfo& info) {
    static auto* const mutex = new std::mutex;
    static auto* const opened = new std::map<std::string, std::weak_ptr<Device>>;
    const std::lock_guard lock(*mutex);
    std::weak_ptr<Device>& known = (*opened)[info.name];
    if (auto device = known.lock()) return device;
    auto device = entry.open(info);
    known = device;
    return device;
}

std::shared_ptr<Device> open_named(const std::string& name) {
    const std::size_t colon = name.find(':');
    const std::string backend = lower(name.substr(0, colon));
    const BackendEntry& entry = find_backend(backend);
    const std::string wanted = colon == std::string::npos ? "" : name.substr(colon + 1);
    std::vector<DeviceInfo> infos = list_of(entry);
    std::stable_sort(infos.begin(), infos.end(),
                     [](const DeviceInfo& a, const DeviceInfo& b) { return rank(a) < rank(b); });
    std::vector<std::string> found, absent;
    for (const DeviceInfo& info : infos) {
        const bool match = matches(info, entry, wanted);
        if (match && info.available) return open_shared(entry, info);
        if (info.available)
            found.push_back(info.name + " (" + info.description + ")");
        else if (match || info.name == entry.name)
            absent.push_back(reason(info));
    }
    if (!absent.empty()) throw Unsupported("device '" + name + "' is not available: " + support::join(absent, "; "));
    throw Unsupported("there is no device '" + name + "': found " +
                      (found.empty() ? "none" : support::join(found, ", ")));
}

std::shared_ptr<Device> open_default(std::string* note) {
    std::vector<std::string> passed_over, absent;
    std::vector<std::pair<const BackendEntry*, DeviceInfo>> processors;
    for (const BackendEntry& entry : registry()) {
        if (entry.backend == Backend::reference) continue;
        for (const DeviceInfo& info : list_of(entry)) {
            if (!info.available) {
                absent.push_back(reason(info));
                if (info.is_gpu) passed_over.push_back(reason(info));
            } else if (info.is_gpu) {
                if (note != nullptr) *note = support::join(passed_over, "; ");
                return open_shared(entry, info);
            } else {
                processors.emplace_back(&entry, info);
            }
        }
    }
    if (note != nullptr) *note = support::join(passed_over, "; ");
    std::stable_sort(processors.begin(), processors.end(),
                     [](const auto& a, const auto& b) { return rank(a.second) < rank(b.second); });
    if (!processors.empty()) return open_shared(*processors.front().first, processors.front().second);
    throw Unsupported("no device was found: " + support::join(absent, "; ") +
                      "; the interpreter, which is slow, is taken only by name: reference");
}

}  // namespace

const std::vector<BackendEntry>& registry() {
    static const std::vector<BackendEntry> entries{
        {Backend::cuda, "cuda", cuda::list, cuda::open},
        {Backend::hip, "hip", hip::list, hip::open},
        {Backend::level_zero, "level_zero", level_zero::list, level_zero::open},
        {Backend::vulkan, "vulkan", vulkan::list, vulkan::open},
        {Backend::cpu, "cpu", cpu::list, cpu::open},
        {Backend::opencl, "opencl", opencl::list, opencl::open},
        {Backend::opengl, "opengl", opengl::list, opengl::open},
        {Backend::reference, "reference", reference::list, reference::open},
    };
    return entries;
}

void note_driver_in_use(Backend backend) { note_driver(backend); }

std::vector<DeviceInfo> list_devices() {
    std::vector<DeviceInfo> all;
    for (const BackendEntry& entry : registry()) {
        const std::vector<DeviceInfo> infos = list_of(entry);
        all.insert(all.end(), infos.begin(), infos.end());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const DeviceInfo& a, const DeviceInfo& b) { return rank(a) < rank(b); });
    return all;
}

std::shared_ptr<Device> open_device(const std::string& name, std::string* note) {
    const std::string wanted = name.empty() ? environment("SEICHE_DEVICE") : name;
    return wanted.empty() ? open_default(note) : open_named(wanted);
}

}  // namespace seiche::runtime
