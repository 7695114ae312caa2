// CUDA devices: finding them, and what planning needs to know of each.
#include "runtime/cuda/device.hpp"

#include <array>

#include "runtime/cuda/module.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "runtime/cuda/queue.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::runtime::cuda {

namespace {

constexpr int oldest_capability = 75;

const Nvrtc& nvrtc() {
    static const Nvrtc* const loaded = new Nvrtc(load_nvrtc(nvrtc_candidates(), api().version));
    return *loaded;
}

int attribute(Ordinal ordinal, int which) {
    int value = 0;
    return api().cuDeviceGetAttribute(&value, which, ordinal) == success ? value : 0;
}

int capability(Ordinal ordinal) {
    return 10 * attribute(ordinal, attribute_major) + attribute(ordinal, attribute_minor);
}

std::uint32_t most_groups_in_cluster(Ordinal ordinal) {
    if (attribute(ordinal, attribute_cluster_launch) == 0) return 1;
    const int number = capability(ordinal);
    return number >= 90 && number < 120 ? 16 : 8;  // data-centre cards allow 16 where a kernel asks for it
}

DeviceLimits limits_of(Ordinal ordinal) {
    const auto number = [&](int which) { return static_cast<std::uint32_t>(attribute(ordinal, which)); };
    DeviceLimits limits;
    limits.architecture = "sm_" + std::to_string(capability(ordinal));
    limits.fp16_arithmetic = true;  // from sm_53 on, and NVRTC compiles for sm_75 and up
    limits.subgroup_size = number(attribute_warp_size);
    limits.fixed_subgroups = limits.part_barriers = true;
    limits.max_group_size = number(attribute_max_threads);
    limits.shared_bytes = number(attribute_shared_optin);
    limits.shared_bytes_per_unit = number(attribute_shared_per_multiprocessor);
    limits.compute_units = number(attribute_multiprocessors);
    limits.max_cluster_size = most_groups_in_cluster(ordinal);
    std::size_t bytes = 0;
    if (api().cuDeviceTotalMem(&bytes, ordinal) == success) limits.memory_bytes = limits.max_allocation_bytes = bytes;
    limits.cache_bytes = number(attribute_l2_bytes);
    return limits;
}

DeviceInfo absent(const std::string& problem, const std::string& remedy) {
    DeviceInfo info;
    info.name = "cuda";
    info.backend = Backend::cuda;
    info.problem = problem;
    info.remedy = remedy;
    return info;
}

}  // namespace

DeviceInfo describe(Ordinal ordinal) {
    DeviceInfo info;
    std::array<char, 256> name{};
    api().cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, ordinal);
    info.name = "cuda:" + std::to_string(ordinal);
    info.description = name.data();
    info.backend = Backend::cuda;
    info.is_gpu = true;
    info.driver = "CUDA " + version_text(api().version);
    info.limits = limits_of(ordinal);
    if (capability(ordinal) < oldest_capability) {
        info.problem = "its compute capability is " + std::to_string(capability(ordinal)) + ", expected at least " +
                       std::to_string(oldest_capability);
        info.remedy = "use it through OpenCL";
    } else if (!nvrtc().problem.empty()) {
        info.problem = nvrtc().problem;
        info.remedy = nvrtc().remedy;
    } else if (compiler_target(nvrtc(), capability(ordinal)).empty()) {
        info.problem = nvrtc().path + " makes code only for newer cards";
        info.remedy = "install an older NVRTC, for example with `pip install nvidia-cuda-nvrtc-cu12`";
    } else {
        info.driver += ", NVRTC " + version_text(nvrtc().version) + " (" + nvrtc().path + ")";
        info.available = true;
    }
    return info;
}

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    int count = 0;
    if (api().cuDeviceGetCount(&count) != success) count = 0;
    std::vector<DeviceInfo> infos;
    for (int index = 0; index < count; ++index) {
        Ordinal ordinal = 0;
        if (api().cuDeviceGet(&ordinal, index) == success) infos.push_back(describe(ordinal));
    }
    if (infos.empty())
        infos.push_back(absent("the NVIDIA driver shows no card", "see nvidia-smi and CUDA_VISIBLE_DEVICES"));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    const std::size_t colon = info.name.find(':');
    const auto index = support::parse_unsigned(colon == std::string::npos ? "" : info.name.substr(colon + 1));
    if (!index) throw Unsupported("cuda: there is no device " + info.name);
    const auto ordinal = static_cast<Ordinal>(*index);
    Context context = nullptr;
    check(api().cuDevicePrimaryCtxRetain(&context, ordinal), "cuDevicePrimaryCtxRetain", info.name);
    return std::make_shared<CudaDevice>(std::make_shared<Session>(context, ordinal, true), info);
}

CudaDevice::CudaDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)), info_(std::move(info)) {}

emit::Target CudaDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.architecture = compiler_target(nvrtc(), capability(session_->ordinal));
    return target;
}

std::string CudaDevice::compiler_version() const { return "nvrtc " + version_text(nvrtc().version); }

Binary CudaDevice::compile(const emit::Source& source) { return compile_with_nvrtc(nvrtc(), source); }

std::shared_ptr<Module> CudaDevice::load(const emit::Source& source, const Binary& binary) {
    return load_module(session_, source, binary);
}

std::shared_ptr<Buffer> CudaDevice::allocate(std::uint64_t bytes) { return allocate_buffer(session_, bytes); }

std::shared_ptr<HostMemory> CudaDevice::allocate_host(std::uint64_t bytes) {
    return allocate_host_memory(session_, bytes);
}

std::shared_ptr<Queue> CudaDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::cuda
