// OpenCL devices: finding them, and what planning needs to know of each.
#include "runtime/opencl/device.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "runtime/library.hpp"
#include "runtime/opencl/module.hpp"
#include "runtime/opencl/queue.hpp"
#include "runtime/published.hpp"
#include "runtime/system.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

constexpr unsigned oldest_version = 102;

/// A device may not know a question, and drivers say so with several codes; but what fails for want of memory has an
/// answer, and limits without it would be wrong.
bool is_answered(Int code) {
    if (code == out_of_resources || code == out_of_host_memory) check(code, "clGetDeviceInfo");
    return code == success;
}

template <class T>
T number_info(DeviceId device, Uint what, T otherwise = {}) {
    T value{};
    return is_answered(api().clGetDeviceInfo(device, what, sizeof value, &value, nullptr)) ? value : otherwise;
}

std::string platform_text(Platform platform, Uint what) {
    std::size_t size = 0;
    if (api().clGetPlatformInfo(platform, what, 0, nullptr, &size) != success || size == 0) return {};
    std::string text(size, '\0');
    if (api().clGetPlatformInfo(platform, what, size, text.data(), nullptr) != success) return {};
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
}

struct Found {
    std::vector<DeviceId> devices;
    Int code = success;  ///< Of the first call that failed; the devices of other platforms are there.
    const char* call = nullptr;

    bool is_well(Int got, const char* asked) {
        if (got != success && code == success) {
            code = got;
            call = asked;
        }
        return got == success;
    }
};

void add_devices(Found& found, Platform platform) {
    Uint count = 0;
    const Int code = api().clGetDeviceIDs(platform, device_type_all, 0, nullptr, &count);
    if (code == device_not_found || !found.is_well(code, "clGetDeviceIDs")) return;
    std::vector<DeviceId> here(count);
    if (count == 0 ||
        !found.is_well(api().clGetDeviceIDs(platform, device_type_all, count, here.data(), nullptr), "clGetDeviceIDs"))
        return;
    found.devices.insert(found.devices.end(), here.begin(), here.end());
}

Found all_devices() {
    Found found;
    // Several loaders are not safe to be asked first by two threads at once.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const KeptSignals kept;
    Uint count = 0;
    const Int code = api().clGetPlatformIDs(0, nullptr, &count);
    if (code == platform_not_found || !found.is_well(code, "clGetPlatformIDs") || count == 0) return found;
    std::vector<Platform> platforms(count);
    if (!found.is_well(api().clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs")) return found;
    for (const Platform platform : platforms) add_devices(found, platform);
    return found;
}

template <class T>
std::vector<T> list_info(DeviceId device, Uint what) {
    std::size_t size = 0;
    if (!is_answered(api().clGetDeviceInfo(device, what, 0, nullptr, &size)) || size < sizeof(T)) return {};
    std::vector<T> values(size / sizeof(T));
    if (!is_answered(api().clGetDeviceInfo(device, what, values.size() * sizeof(T), values.data(), nullptr))) return {};
    return values;
}

/// "OpenCL 2.1 ..." and "OpenCL C 2.1 ..." are 201; 0 where no version is said.
unsigned version_in(const std::string& text) {
    const std::size_t first = text.find_first_of("0123456789");
    if (first == std::string::npos || first + 2 >= text.size() || text[first + 1] != '.') return 0;
    return 100 * static_cast<unsigned>(text[first] - '0') + static_cast<unsigned>(text[first + 2] - '0');
}

/// Before 3.0 a device says its one version of the language; from there on it lists them.
unsigned newest_c_version(DeviceId device) {
    unsigned newest = version_in(text_info(device, device_opencl_c_version));
    if (version_in(text_info(device, device_version)) < 300) return newest;
    for (const NamedVersion& known : list_info<NamedVersion>(device, device_all_c_versions))
        newest = std::max(newest, 100 * (known.version >> 22) + (known.version >> 12 & 0x3ff));
    return newest;
}

bool has_extension(DeviceId device, const std::string& name) {
    return (" " + text_info(device, device_extensions) + " ").find(" " + name + " ") != std::string::npos;
}

/// An option of OpenCL C 3.0; devices before do not know the question.
bool has_feature(DeviceId device, const std::string& name) {
    const auto features = list_info<NamedVersion>(device, device_c_features);
    return std::any_of(features.begin(), features.end(), [&](const NamedVersion& f) { return name == f.name; });
}

/// Atomics and fences of the whole device that acquire and release: a part of OpenCL C 2.0, and an option of 3.0.
bool has_scoped_atomics(DeviceId device, unsigned c_version) {
    if (c_version < 300) return c_version >= 200;
    return has_feature(device, "__opencl_c_atomic_order_acq_rel") &&
           has_feature(device, "__opencl_c_atomic_scope_device");
}

/// Threads in lockstep. What a vendor says first, then what a version has a question for; a guess where there is none.
std::uint32_t subgroup_size(DeviceId device, bool gpu) {
    if (!gpu) return 1;
    if (const auto warp = number_info<Uint>(device, device_warp_size_nv); warp != 0) return warp;
    if (const auto wave = number_info<Uint>(device, device_wavefront_width_amd); wave != 0) return wave;
    const auto sizes = list_info<std::size_t>(device, device_subgroup_sizes_intel);
    if (!sizes.empty()) {  // the compiler chooses; 16 is what it takes for kernels of some size
        const bool has_16 = std::find(sizes.begin(), sizes.end(), std::size_t{16}) != sizes.end();
        return has_16 ? 16 : static_cast<std::uint32_t>(*std::max_element(sizes.begin(), sizes.end()));
    }
    const unsigned version = version_in(text_info(device, device_version));
    if (version >= 300)
        if (const auto multiple = number_info<std::size_t>(device, device_preferred_group_multiple); multiple != 0)
            return static_cast<std::uint32_t>(multiple);
    if (version >= 201) {  // the largest group's threads over the most subgroups that a group may have
        const auto most = number_info<Uint>(device, device_max_subgroups);
        const auto threads = number_info<std::size_t>(device, device_max_work_group_size, 1);
        if (most != 0 && threads >= most) return static_cast<std::uint32_t>(threads / most);
    }
    return 32;
}

/// NVIDIA's, 90 for 9.0; 0: it is no card of theirs.
unsigned compute_capability(DeviceId device) {
    if (!has_extension(device, "cl_nv_device_attribute_query")) return 0;
    return 10 * number_info<Uint>(device, device_capability_major_nv) +
           number_info<Uint>(device, device_capability_minor_nv);
}

/// Shared memory of a unit, which may hold several groups'. Only NVIDIA's compute capability tells it ("CUDA C++
/// Programming Guide", technical specifications per compute capability); elsewhere it is taken for one group's.
std::uint32_t shared_bytes_of_unit(unsigned capability, std::uint32_t of_group) {
    constexpr std::uint32_t kibi = 1024;
    switch (capability) {
        case 50:
        case 53:
        case 60:
        case 62:
        case 75: return 64 * kibi;
        case 52:
        case 61:
        case 70:
        case 72: return 96 * kibi;
        case 80:
        case 87: return 164 * kibi;
        case 86:
        case 89:
        case 120: return 100 * kibi;
        case 90:
        case 100: return 228 * kibi;
        default: return of_group;
    }
}

/// NVIDIA's OpenCL seems to leave the groups of a kernel no more than this of a multiprocessor's shared memory.
/// Measured: LAB-0044.
constexpr std::uint32_t most_of_unit = 100 * 1024;

/// Numbers of the PCI-SIG, as CL_DEVICE_VENDOR_ID gives them.
constexpr Uint nvidia = 0x10de, amd = 0x1002, intel = 0x8086;

/// Of a subgroup on Intel's GPUs, whose vector engines have as many lanes; 0: nobody says.
std::uint32_t fewest_intel_lanes(DeviceId device) {
    const auto sizes = list_info<std::size_t>(device, device_subgroup_sizes_intel);
    return sizes.empty() ? 0 : static_cast<std::uint32_t>(*std::min_element(sizes.begin(), sizes.end()));
}

/// No question of OpenCL's is for registers. NVIDIA's threads have at most 255 ("CUDA C++ Programming Guide", technical
/// specifications per compute capability), AMD's lanes v0 to v255 (its instruction set architecture guides, GCN to
/// RDNA 3 and CDNA 3), a lane of Intel's its share of its thread's; 128 is what nearly every other GPU has without
/// spilling.
std::uint32_t registers_of_gpu(DeviceId device, Uint vendor, std::uint32_t lanes) {
    if (vendor == nvidia) return 255;
    if (vendor == amd) return 256;
    const std::uint32_t fewest = vendor == intel ? fewest_intel_lanes(device) : 0;
    return fewest == 0 ? 128 : intel_lane_registers(fewest, lanes);
}

/// The least that is moved: NVIDIA's lines of 128 bytes consist of four sectors, AMD's second-level caches move 64
/// bytes. Others say how long a line is, but not whether a part of one can be moved, so that the least is taken for
/// them.
std::uint32_t sector_of_gpu(Uint vendor) { return vendor == amd ? 64 : 32; }

DeviceLimits limits_of(DeviceId device, bool gpu) {
    DeviceLimits limits;
    const unsigned capability = compute_capability(device);
    limits.architecture = capability != 0 ? "sm_" + std::to_string(capability) : text_info(device, device_name);
    limits.vectors = gpu ? Vectors::subgroups : Vectors::explicit_simd;
    limits.subgroup_size = subgroup_size(device, gpu);
    limits.vector_bytes = 4 * std::max(number_info<Uint>(device, device_native_vector_width_float), Uint{4});
    limits.max_group_size = static_cast<std::uint32_t>(number_info<std::size_t>(device, device_max_work_group_size, 1));
    limits.shared_bytes =
        static_cast<std::uint32_t>(std::min<Ulong>(number_info<Ulong>(device, device_local_mem_size), 0xffffffffu));
    limits.shared_bytes_per_unit =
        std::max(limits.shared_bytes, std::min(shared_bytes_of_unit(capability, limits.shared_bytes), most_of_unit));
    limits.compute_units = std::max(number_info<Uint>(device, device_max_compute_units), Uint{1});
    limits.max_allocation_bytes = number_info<Ulong>(device, device_max_mem_alloc_size);
    limits.max_buffer_bytes = limits.max_allocation_bytes;
    limits.memory_bytes = number_info<Ulong>(device, device_global_mem_size);
    // NVIDIA's driver tells the first caches' sum: 4 MiB of an H200's 132 units.
    const Uint vendor = number_info<Uint>(device, device_vendor_id);
    const std::uint64_t published = published_cache_bytes(vendor, text_info(device, device_name));
    limits.cache_bytes = published != 0 ? published : number_info<Ulong>(device, device_global_mem_cache_size);
    limits.sector_bytes =
        gpu ? sector_of_gpu(vendor) : std::max(number_info<Uint>(device, device_global_mem_cacheline_size), Uint{32});
    if (gpu) limits.registers_per_thread = registers_of_gpu(device, vendor, limits.subgroup_size);
    const auto double_config = number_info<Ulong>(device, device_double_fp_config);
    constexpr Ulong exact = fp_denorm | fp_round_to_nearest | fp_fma;
    limits.fp64 = double_config != 0;
    limits.exact_fp64 = (double_config & exact) == exact;
    limits.fp16_arithmetic = has_extension(device, "cl_khr_fp16");
    limits.bounds_registers = false;
    limits.waits_for_groups =
        emit::has_inline_fences(limits.architecture) || has_scoped_atomics(device, newest_c_version(device));
    limits.fast_fma = gpu || (number_info<Ulong>(device, device_single_fp_config) & fp_fma) != 0;
    return limits;
}

/// Of a device that answers.
DeviceInfo describe_known(DeviceId device, const std::string& name) {
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
    const unsigned version = version_in(text_info(device, device_version));
    if (present && version < oldest_version) {
        info.problem = "it is of " + text_info(device, device_version) + ", expected at least OpenCL 1.2";
        info.remedy = "install a newer driver of this device";
        return info;
    }
    info.available = present && number_info<Uint>(device, device_compiler_available, 1) != 0;
    if (info.available) return info;
    info.problem = present ? "its driver has no compiler" : "its driver says that it is not available";
    info.remedy = present ? "install the full driver of this device" : "see the driver's documentation";
    return info;
}

DeviceInfo absent(const std::string& problem, const std::string& remedy, const std::string& name = "opencl") {
    DeviceInfo info;
    info.name = name;
    info.backend = Backend::opencl;
    info.problem = problem;
    info.remedy = remedy;
    return info;
}

constexpr const char* driver_remedy = "see whether `clinfo` lists the device; if not, install its driver anew";

DeviceInfo unanswered(Int code, const char* call, const std::string& name = "opencl") {
    return absent(std::string(call) + " failed with " + error_name(code), driver_remedy, name);
}

DeviceInfo describe(DeviceId device, const std::string& name) {
    std::size_t size = 0;
    const Int code = api().clGetDeviceInfo(device, device_version, 0, nullptr, &size);  // which every device answers
    if (code != success) return unanswered(code, "clGetDeviceInfo", name);
    try {
        return describe_known(device, name);
    } catch (const BackendError& error) {
        const std::string text = error.what(), prefix = "opencl: ";
        return absent(text.substr(text.find(prefix) + prefix.size()), driver_remedy, name);
    }
}

}  // namespace

std::string text_info(DeviceId device, Uint what) {
    std::size_t size = 0;
    if (!is_answered(api().clGetDeviceInfo(device, what, 0, nullptr, &size)) || size == 0) return {};
    std::string text(size, '\0');
    if (!is_answered(api().clGetDeviceInfo(device, what, size, text.data(), nullptr))) return {};
    text.resize(std::min(text.find('\0'), text.size()));
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

DeviceInfo describe(DeviceId device) {
    const std::vector<DeviceId> devices = all_devices().devices;  // without a list there is no number, but a device
    const auto found = std::find(devices.begin(), devices.end(), device);
    return describe(device, found == devices.end() ? "opencl" : "opencl:" + std::to_string(found - devices.begin()));
}

namespace {

/// Whether the folder takes files, or may be made so that it does.
bool could_keep_files(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::path existing = std::filesystem::absolute(folder, failed);
    while (!std::filesystem::exists(existing, failed) && existing.has_relative_path())
        existing = existing.parent_path();
    return std::filesystem::is_directory(existing, failed) && takes_files(existing);
}

/// The folder in which PoCL keeps kernels, where that cannot be made or written; empty where it can.
std::string unusable_cache_of_pocl() {
    const std::string own = environment("POCL_CACHE_DIR");
    const std::filesystem::path folder = own.empty() ? user_cache_folder() : path_of(own);
    return folder.empty() || could_keep_files(folder) ? "" : folder.string();
}

}  // namespace

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    const Found found = all_devices();
    std::vector<DeviceInfo> infos;
    for (std::size_t i = 0; i < found.devices.size(); ++i)
        infos.push_back(describe(found.devices[i], "opencl:" + std::to_string(i)));
    // PoCL takes its device away where it can keep no kernels, and says nothing of the reason.
    const std::string unkept = infos.empty() ? unusable_cache_of_pocl() : "";
    if (!unkept.empty())
        return {absent(
            "a driver is here, but offers no device; PoCL offers none where its cache " + unkept + " cannot be written",
            "set POCL_CACHE_DIR to a folder that can be written")};
    if (infos.empty() && found.code != success) return {unanswered(found.code, found.call)};
    if (infos.empty())
        infos.push_back(absent("the OpenCL loader is here, but no driver offers a device",
                               "install a driver; on Debian and Ubuntu `apt install pocl-opencl-icd` runs on any CPU"));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    const Found found = all_devices();
    const std::vector<DeviceId>& devices = found.devices;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (info.name != "opencl:" + std::to_string(i)) continue;
        Int code = success;
        const Context context = api().clCreateContext(nullptr, 1, &devices[i], nullptr, nullptr, &code);
        check(code, "clCreateContext", info.name);
        return make_owned<OpenclDevice>(make_owned<Session>(context, devices[i]), info);
    }
    check(found.code, found.call, info.name);
    throw Unsupported("opencl: there is no device " + info.name + " any more");
}

OpenclDevice::OpenclDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)), info_(std::move(info)), c_version_(newest_c_version(session_->device)) {
    const Ulong config = number_info<Ulong>(session_->device, device_single_fp_config);
    if ((config & fp_correctly_rounded_divide_sqrt) != 0) build_options_ = " -cl-fp32-correctly-rounded-divide-sqrt";
    const std::uint32_t fewest = info_.is_gpu ? fewest_intel_lanes(session_->device) : 0;
    if (fewest != 0 && must_state_intel_lanes(fewest, info_.limits.subgroup_size)) stated_lanes_ = fewest;
}

emit::Target OpenclDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::opencl;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    target.scoped_atomics = info_.limits.waits_for_groups;
    target.subgroup_size = stated_lanes_;
    target.widest_access_bytes = info_.limits.vectors == Vectors::explicit_simd ? info_.limits.vector_bytes : 16;
    return target;
}

std::string OpenclDevice::compiler_version() const {
    return info_.driver + ", " + text_info(session_->device, device_version) + ", OpenCL C " +
           std::to_string(c_version_) + build_options_;
}

namespace {

/// What a kernel needs of the language. Subgroups and what groups tell each other (but for inline fences) came with
/// OpenCL C 2.0 and are options of 3.0; all else that is emitted is OpenCL C 1.2, which every compiler takes. Later
/// versions are not asked for without need: 2.0 lets a pointer be of any memory, and 3.0 makes optional what is not
/// used.
std::string standard_for(const emit::Source& source, DeviceId device, unsigned c_version, const std::string& name) {
    const ir::Kernel& kernel = *source.kernel;
    const auto uses = [&](std::initializer_list<ir::Op> ops) {
        return std::any_of(kernel.code.begin(), kernel.code.end(), [&](const ir::Instruction& i) {
            return std::find(ops.begin(), ops.end(), i.op) != ops.end();
        });
    };
    const bool shuffles = uses({ir::Op::subgroup_shuffle, ir::Op::subgroup_shuffle_xor});
    const bool has_subgroups = shuffles || uses({ir::Op::subgroup_lane, ir::Op::subgroup_barrier});
    const bool has_scopes = ir::synchronises_groups(kernel) && !emit::has_inline_fences(source.architecture);
    if (!has_subgroups && !has_scopes) return c_version >= 102 ? "-cl-std=CL1.2" : "";
    const std::string standard = c_version >= 300   ? "-cl-std=CL3.0"
                                 : c_version >= 200 ? "-cl-std=CL2.0"
                                 : c_version >= 102 ? "-cl-std=CL1.2"
                                                    : "";
    if (!has_subgroups) return standard;
    const auto need = [&](bool is_there, const char* what) {
        if (!is_there)
            throw Unsupported(name + ": kernel " + kernel.name + " takes " + what + ", which the device has not");
    };
    need(c_version >= 200, "OpenCL C 2.0");
    need(has_extension(device, "cl_khr_subgroups") || has_feature(device, "__opencl_c_subgroups"), "cl_khr_subgroups");
    if (shuffles) need(has_extension(device, "cl_khr_subgroup_shuffle"), "cl_khr_subgroup_shuffle");
    return standard;
}

}  // namespace

std::string OpenclDevice::options_for(const emit::Source& source) const {
    std::string options = standard_for(source, session_->device, c_version_, info_.name) + build_options_;
    for (const std::string& option : source.options) options += " " + option;
    return options + " -w";  // some compilers tell of warnings on the program's standard error
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

std::shared_ptr<HostMemory> OpenclDevice::allocate_host(std::uint64_t bytes) {
    return allocate_host_memory(session_, bytes);
}

std::shared_ptr<Queue> OpenclDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::opencl
