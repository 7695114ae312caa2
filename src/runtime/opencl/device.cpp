// OpenCL devices: finding them, and what planning needs to know of each.
#include "runtime/opencl/device.hpp"

#include <algorithm>
#include <mutex>

#include "runtime/opencl/module.hpp"
#include "runtime/opencl/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

template <class T>
T number_info(DeviceId device, Uint what, T otherwise = {}) {
    T value{};
    return api().clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == success ? value : otherwise;
}

std::string platform_text(Platform platform, Uint what) {
    std::size_t size = 0;
    if (api().clGetPlatformInfo(platform, what, 0, nullptr, &size) != success || size == 0) return {};
    std::string text(size, '\0');
    api().clGetPlatformInfo(platform, what, size, text.data(), nullptr);
    text.resize(text.find('\0'));
    return text;
}

std::vector<DeviceId> all_devices() {
    std::vector<DeviceId> devices;
    // Several loaders are not safe to be asked first by two threads at once.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    Uint count = 0;
    if (api().clGetPlatformIDs(0, nullptr, &count) != success || count == 0) return devices;
    std::vector<Platform> platforms(count);
    api().clGetPlatformIDs(count, platforms.data(), nullptr);
    for (const Platform platform : platforms) {
        Uint here = 0;
        if (api().clGetDeviceIDs(platform, device_type_all, 0, nullptr, &here) != success || here == 0) continue;
        const std::size_t first = devices.size();
        devices.resize(first + here);
        api().clGetDeviceIDs(platform, device_type_all, here, devices.data() + first, nullptr);
    }
    return devices;
}

std::uint32_t subgroup_size(DeviceId device, bool gpu) {
    if (!gpu) return 1;
    if (const auto warp = number_info<Uint>(device, device_warp_size_nv); warp != 0) return warp;
    if (const auto wave = number_info<Uint>(device, device_wavefront_width_amd); wave != 0) return wave;
    return 32;
}

DeviceLimits limits_of(DeviceId device, bool gpu) {
    DeviceLimits limits;
    const std::string extensions = text_info(device, device_extensions);
    limits.architecture = text_info(device, device_name);
    limits.vectors = gpu ? Vectors::subgroups : Vectors::explicit_simd;
    limits.subgroup_size = subgroup_size(device, gpu);
    limits.vector_bytes = 4 * std::max(number_info<Uint>(device, device_native_vector_width_float), Uint{4});
    limits.max_group_size = static_cast<std::uint32_t>(number_info<std::size_t>(device, device_max_work_group_size, 1));
    limits.shared_bytes =
        static_cast<std::uint32_t>(std::min<Ulong>(number_info<Ulong>(device, device_local_mem_size), 0xffffffffu));
    limits.shared_bytes_per_unit = limits.shared_bytes;
    limits.compute_units = std::max(number_info<Uint>(device, device_max_compute_units), Uint{1});
    limits.max_allocation_bytes = number_info<Ulong>(device, device_max_mem_alloc_size);
    limits.max_buffer_bytes = limits.max_allocation_bytes;
    limits.memory_bytes = number_info<Ulong>(device, device_global_mem_size);
    limits.cache_bytes = number_info<Ulong>(device, device_global_mem_cache_size);
    if (!gpu) limits.sector_bytes = std::max(number_info<Uint>(device, device_global_mem_cacheline_size), Uint{32});
    const auto double_config = number_info<Ulong>(device, device_double_fp_config);
    constexpr Ulong exact = fp_denorm | fp_round_to_nearest | fp_fma;
    limits.fp64 = double_config != 0;
    limits.exact_fp64 = (double_config & exact) == exact;
    limits.fp16_arithmetic = extensions.find("cl_khr_fp16") != std::string::npos;
    limits.fast_fma = gpu || (number_info<Ulong>(device, device_single_fp_config) & fp_fma) != 0;
    return limits;
}

DeviceInfo describe(DeviceId device, const std::string& name) {
    DeviceInfo info;
    const Bitfield type = number_info<Bitfield>(device, device_type);
    const Platform platform = number_info<Platform>(device, device_platform);
    std::string platform_title = platform_text(platform, platform_name);
    if (platform_title == "Portable Computing Language") platform_title = "PoCL";
    info.name = name;
    info.description = text_info(device, device_name) + " (" + platform_title + ")";
    info.backend = Backend::opencl;
    info.is_gpu = (type & device_type_gpu) != 0;
    info.driver = platform_text(platform, platform_version) + ", driver " + text_info(device, driver_version);
    info.limits = limits_of(device, (type & device_type_cpu) == 0);
    const bool present = number_info<Uint>(device, device_available, 1) != 0;
    info.available = present && number_info<Uint>(device, device_compiler_available, 1) != 0;
    if (info.available) return info;
    info.problem = present ? "its driver has no compiler" : "its driver says that it is not available";
    info.remedy = present ? "install the full driver of this device" : "see the driver's documentation";
    return info;
}

DeviceInfo absent(const std::string& problem, const std::string& remedy) {
    DeviceInfo info;
    info.name = "opencl";
    info.backend = Backend::opencl;
    info.problem = problem;
    info.remedy = remedy;
    return info;
}

}  // namespace

std::string text_info(DeviceId device, Uint what) {
    std::size_t size = 0;
    if (api().clGetDeviceInfo(device, what, 0, nullptr, &size) != success || size == 0) return {};
    std::string text(size, '\0');
    api().clGetDeviceInfo(device, what, size, text.data(), nullptr);
    text.resize(std::min(text.find('\0'), text.size()));
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

DeviceInfo describe(DeviceId device) {
    const std::vector<DeviceId> devices = all_devices();
    const auto found = std::find(devices.begin(), devices.end(), device);
    return describe(device, found == devices.end() ? "opencl" : "opencl:" + std::to_string(found - devices.begin()));
}

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    const std::vector<DeviceId> devices = all_devices();
    std::vector<DeviceInfo> infos;
    for (std::size_t i = 0; i < devices.size(); ++i)
        infos.push_back(describe(devices[i], "opencl:" + std::to_string(i)));
    if (infos.empty())
        infos.push_back(absent("the OpenCL loader is here, but no driver offers a device",
                               "install a driver; on Debian and Ubuntu `apt install pocl-opencl-icd` runs on any CPU"));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    const std::vector<DeviceId> devices = all_devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (info.name != "opencl:" + std::to_string(i)) continue;
        Int code = success;
        const Context context = api().clCreateContext(nullptr, 1, &devices[i], nullptr, nullptr, &code);
        check(code, "clCreateContext", info.name);
        return std::make_shared<OpenclDevice>(std::make_shared<Session>(context, devices[i]), info);
    }
    throw Unsupported("opencl: there is no device " + info.name + " any more");
}

OpenclDevice::OpenclDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)), info_(std::move(info)) {
    const std::string version = text_info(session_->device, device_opencl_c_version);  // "OpenCL C 1.2 ..."
    // 1.2 is all that the emitted text asks for; later versions only switch off what it does not use.
    build_options_ = version.starts_with("OpenCL C 1.0") || version.starts_with("OpenCL C 1.1") ? "" : "-cl-std=CL1.2";
    const Ulong config = number_info<Ulong>(session_->device, device_single_fp_config);
    if ((config & fp_correctly_rounded_divide_sqrt) != 0) build_options_ += " -cl-fp32-correctly-rounded-divide-sqrt";
}

emit::Target OpenclDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::opencl;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    target.widest_access_bytes = info_.limits.vectors == Vectors::explicit_simd ? info_.limits.vector_bytes : 16;
    return target;
}

std::string OpenclDevice::compiler_version() const {
    return info_.driver + ", " + text_info(session_->device, device_version) + ", " + build_options_;
}

std::string OpenclDevice::options_for(const emit::Source& source) const {
    std::string options = build_options_;
    for (const std::string& option : source.options) options += " " + option;
    return options;
}

Binary OpenclDevice::compile(const emit::Source& source) {
    return compile_program(*session_, source, options_for(source));
}

std::shared_ptr<Module> OpenclDevice::build(const emit::Source& source) {
    return build_program(session_, source, options_for(source));
}

std::shared_ptr<Module> OpenclDevice::load(const emit::Source& source, const Binary& binary) {
    return load_program(session_, source, binary);
}

std::shared_ptr<Buffer> OpenclDevice::allocate(std::uint64_t bytes) { return allocate_buffer(session_, bytes); }

std::shared_ptr<Queue> OpenclDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::opencl
