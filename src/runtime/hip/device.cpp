// HIP devices: finding them, and what planning needs to know of each.
#include "runtime/hip/device.hpp"

#include <algorithm>
#include <array>

#include "runtime/hip/hiprtc.hpp"
#include "runtime/hip/module.hpp"
#include "runtime/hip/queue.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::runtime::hip {

namespace {

constexpr std::size_t properties_bytes = 16384;  // several times hipDeviceProp_t of any version
constexpr std::size_t name_bytes = 256;          // the first member, in all of them
constexpr std::uint32_t line_bytes = 64;         // least that the second-level cache moves

const Hiprtc& hiprtc() {
    static const Hiprtc* const loaded = new Hiprtc(load_hiprtc(hiprtc_candidates(api().path)));
    return *loaded;
}

std::uint32_t attribute(int ordinal, int which) {
    int value = 0;
    check(api().hipDeviceGetAttribute(&value, which, ordinal), "hipDeviceGetAttribute", std::to_string(which));
    return static_cast<std::uint32_t>(std::max(value, 0));
}

/// One that not every version knows.
std::uint32_t attribute_or_none(int ordinal, int which) {
    int value = 0;
    const bool known = api().hipDeviceGetAttribute(&value, which, ordinal) == success && value > 0;
    return known ? static_cast<std::uint32_t>(value) : 0;
}

DeviceLimits limits_of(int ordinal) {
    DeviceLimits limits;
    std::string properties(properties_bytes, '\0');
    check(api().hipGetDeviceProperties(properties.data(), ordinal), "hipGetDeviceProperties");
    limits.architecture = architecture_in(properties);
    limits.fp16_arithmetic = true;  // from gfx8 on
    limits.subgroup_size = attribute(ordinal, attribute_warp_size);
    limits.fixed_subgroups = true;
    limits.max_group_size = attribute(ordinal, attribute_max_threads);
    limits.shared_bytes = attribute(ordinal, attribute_shared_bytes);
    limits.shared_bytes_per_unit = std::max(attribute_or_none(ordinal, attribute_shared_per_unit), limits.shared_bytes);
    limits.compute_units = attribute(ordinal, attribute_compute_units);
    limits.registers_per_thread = 256;
    std::size_t bytes = 0;
    check(api().hipDeviceTotalMem(&bytes, ordinal), "hipDeviceTotalMem");
    limits.memory_bytes = limits.max_allocation_bytes = bytes;
    limits.cache_bytes = attribute_or_none(ordinal, attribute_l2_bytes);
    limits.sector_bytes = line_bytes;
    return limits;
}

DeviceInfo absent(const std::string& problem, const std::string& remedy) {
    DeviceInfo info;
    info.name = "hip";
    info.backend = Backend::hip;
    info.problem = problem;
    info.remedy = remedy;
    return info;
}

DeviceInfo describe(int ordinal) {
    DeviceInfo info;
    info.name = "hip:" + std::to_string(ordinal);
    info.backend = Backend::hip;
    info.is_gpu = true;
    info.driver = "HIP " + version_text(api().version);
    info.remedy = "see rocminfo";
    try {
        std::array<char, name_bytes> name{};
        check(api().hipDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, ordinal), "hipDeviceGetName");
        info.description = name.data();
        info.limits = limits_of(ordinal);
    } catch (const BackendError& error) {
        const std::string what = error.what(), whose = "hip: ";
        info.problem = what.substr(what.find(whose) + whose.size());  // the list says whose
        return info;
    }
    const DeviceLimits& limits = info.limits;
    if (limits.architecture.empty()) {
        info.problem = "the runtime does not say its architecture";
    } else if (limits.subgroup_size == 0 || limits.max_group_size == 0 || limits.shared_bytes == 0) {
        info.problem = "the runtime does not say the size of its wavefronts, groups or shared memory";
    } else if (!hiprtc().problem.empty()) {
        info.problem = hiprtc().problem;
        info.remedy = hiprtc().remedy;
    } else {
        info.remedy.clear();
        info.driver += ", hiprtc " + hiprtc().version + " (" + hiprtc().path + ")";
        info.available = true;
    }
    return info;
}

}  // namespace

std::string architecture_in(const std::string& properties) {
    // A card may be called after its architecture, so that the name does not count.
    const std::size_t at = properties.size() < name_bytes ? std::string::npos : properties.find("gfx", name_bytes);
    return at == std::string::npos ? std::string() : std::string(properties.c_str() + at);
}

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    int count = 0;
    if (api().hipGetDeviceCount(&count) != success) count = 0;
    std::vector<DeviceInfo> infos;
    for (int ordinal = 0; ordinal < count; ++ordinal) infos.push_back(describe(ordinal));
    if (infos.empty()) infos.push_back(absent("HIP shows no card", "see rocminfo and HIP_VISIBLE_DEVICES"));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    const std::size_t colon = info.name.find(':');
    const auto index = support::parse_unsigned(colon == std::string::npos ? "" : info.name.substr(colon + 1));
    if (!index) throw Unsupported("hip: there is no device " + info.name);
    const auto ordinal = static_cast<int>(*index);
    const Current current(ordinal);  // a card that is in use by another process alone says so here
    return make_owned<HipDevice>(ordinal, info);
}

emit::Target HipDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::hip;
    target.architecture = info_.limits.architecture;
    return target;
}

std::string HipDevice::compiler_version() const {
    return "hiprtc " + hiprtc().version + ", HIP " + std::to_string(api().version);
}

Binary HipDevice::compile(const emit::Source& source) { return compile_with_hiprtc(hiprtc(), source); }

std::shared_ptr<Module> HipDevice::load(const emit::Source& source, const Binary& binary) {
    return load_module(ordinal_, source, binary);
}

std::shared_ptr<Buffer> HipDevice::allocate(std::uint64_t bytes) { return allocate_buffer(ordinal_, bytes); }

std::shared_ptr<HostMemory> HipDevice::allocate_host(std::uint64_t bytes) {
    return allocate_host_memory(ordinal_, bytes);
}

std::shared_ptr<Queue> HipDevice::create_queue() { return make_queue(ordinal_); }

}  // namespace seiche::runtime::hip
