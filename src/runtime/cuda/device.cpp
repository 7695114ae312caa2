// CUDA devices: finding them, and what planning needs to know of each.
#include "runtime/cuda/device.hpp"

#include <array>

#include "runtime/cuda/assembler.hpp"
#include "runtime/cuda/linker.hpp"
#include "runtime/cuda/module.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "runtime/cuda/queue.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::runtime::cuda {

namespace {

constexpr int oldest_capability = 75;

int attribute(Ordinal ordinal, int which) {
    int value = 0;
    check(api().cuDeviceGetAttribute(&value, which, ordinal), "cuDeviceGetAttribute",
          "attribute " + std::to_string(which) + " of card " + std::to_string(ordinal));
    return value;
}

/// One that a plan can do without.
int attribute_or_none(Ordinal ordinal, int which) {
    int value = 0;
    return api().cuDeviceGetAttribute(&value, which, ordinal) == success ? value : 0;
}

int capability(Ordinal ordinal) {
    return 10 * attribute(ordinal, attribute_major) + attribute(ordinal, attribute_minor);
}

std::uint32_t most_groups_in_cluster(Ordinal ordinal, int number) {
    if (attribute_or_none(ordinal, attribute_cluster_launch) == 0) return 1;
    return number >= 90 && number < 120 ? 16 : 8;  // data-centre cards allow 16 where a kernel asks for it
}

/// Memory answers twice in a period of its clock.
std::uint64_t memory_bytes_per_second(Ordinal ordinal) {
    const auto kilohertz = static_cast<std::uint32_t>(attribute_or_none(ordinal, attribute_memory_kilohertz));
    const auto bits = static_cast<std::uint32_t>(attribute_or_none(ordinal, attribute_bus_bits));
    return std::uint64_t{2} * 1000 * kilohertz * (bits / 8);
}

DeviceLimits limits_of(Ordinal ordinal, int capability_number) {
    const auto number = [&](int which) { return static_cast<std::uint32_t>(attribute(ordinal, which)); };
    DeviceLimits limits;
    limits.architecture = "sm_" + std::to_string(capability_number);
    limits.fp16_arithmetic = true;  // from sm_53 on, and NVRTC compiles for sm_75 and up
    limits.subgroup_size = number(attribute_warp_size);
    limits.fixed_subgroups = limits.part_barriers = true;
    limits.max_group_size = number(attribute_max_threads);
    limits.shared_bytes = number(attribute_shared_optin);
    limits.shared_bytes_per_unit = number(attribute_shared_per_multiprocessor);
    limits.compute_units = number(attribute_multiprocessors);
    limits.max_cluster_size = most_groups_in_cluster(ordinal, capability_number);
    std::size_t bytes = 0;
    check(api().cuDeviceTotalMem(&bytes, ordinal), "cuDeviceTotalMem");
    limits.memory_bytes = limits.max_allocation_bytes = bytes;
    limits.memory_bytes_per_second = memory_bytes_per_second(ordinal);
    limits.cache_bytes = static_cast<std::uint32_t>(attribute_or_none(ordinal, attribute_l2_bytes));
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

/// What the work throws, without whose it is, which the list says; empty if it succeeds.
template <class Work>
std::string problem_of(const Work& work) {
    try {
        work();
    } catch (const BackendError& error) {
        const std::string what = error.what(), whose = "cuda: ";
        return what.substr(what.find(whose) + whose.size());
    }
    return {};
}

}  // namespace

DeviceInfo describe(Ordinal ordinal) {
    DeviceInfo info = absent({}, driver_remedy);
    info.name = "cuda:" + std::to_string(ordinal);
    info.is_gpu = true;
    info.driver = "CUDA " + version_text(api().version);
    int number = 0;
    info.problem = problem_of([&] {
        std::array<char, 256> name{};
        check(api().cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, ordinal), "cuDeviceGetName");
        info.description = name.data();
        number = capability(ordinal);
        info.limits = limits_of(ordinal, number);
    });
    if (!info.problem.empty()) return info;
    const DeviceLimits& limits = info.limits;
    const CompilerChoice compiler = choose_compiler(number);
    if (number < oldest_capability) {
        info.problem = "its compute capability is " + std::to_string(number) + ", expected at least " +
                       std::to_string(oldest_capability);
        info.remedy = "use it through OpenCL";
    } else if (limits.subgroup_size == 0 || limits.max_group_size == 0 || limits.shared_bytes == 0 ||
               limits.compute_units == 0) {
        info.problem = "the driver does not say the size of its warps, groups or shared memory, or its multiprocessors";
    } else if (!compiler.problem.empty()) {
        info.problem = compiler.problem;
        info.remedy = compiler.remedy;
    } else {
        info.remedy.clear();
        info.driver += compiler.ptx == emit::PtxUse::wherever_possible
                           ? ", its assembler of PTX"
                           : ", NVRTC " + version_text(loaded_nvrtc().version) + " (" + loaded_nvrtc().path + ")";
        info.available = true;
    }
    return info;
}

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    int count = 0;
    std::string problem = problem_of([&] { check(api().cuDeviceGetCount(&count), "cuDeviceGetCount"); });
    if (!problem.empty()) return {absent(problem, driver_remedy)};
    std::vector<DeviceInfo> infos;
    for (int index = 0; index < count; ++index) {
        Ordinal ordinal = 0;
        problem = problem_of([&] { check(api().cuDeviceGet(&ordinal, index), "cuDeviceGet"); });
        infos.push_back(problem.empty() ? describe(ordinal) : absent(problem, driver_remedy));
        if (problem.empty()) continue;
        infos.back().name = "cuda:" + std::to_string(index);
        infos.back().is_gpu = true;
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
    return make_owned<CudaDevice>(make_owned<Session>(context, ordinal, true), info);
}

CudaDevice::CudaDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)),
      info_(std::move(info)),
      capability_(capability(session_->ordinal)),
      ptx_(choose_compiler(capability_).ptx) {}

emit::Target CudaDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.ptx = ptx_;
    target.architecture = ptx_ == emit::PtxUse::wherever_possible ? "sm_" + std::to_string(capability_)
                                                                  : compiler_target(loaded_nvrtc(), capability_);
    const auto number = support::parse_unsigned(target.architecture.substr(target.architecture.find('_') + 1));
    target.waits_for_previous = number && *number >= 90 && api().version >= early_launch_version;
    target.counts_arrivals = number && *number >= 90 && api().version >= arrivals_version;
    return target;
}

std::string CudaDevice::compiler_version() const {
    const std::string assembler = "ptx " + version_text(api().version);
    if (ptx_ == emit::PtxUse::wherever_possible) return assembler;
    const std::string nvrtc = "nvrtc " + version_text(loaded_nvrtc().version);
    return ptx_ == emit::PtxUse::never ? nvrtc : nvrtc + ", " + assembler;
}

/// As PTX, and where the driver's assembler fails, which may be missing or switched off, by NVRTC if there is one.
Binary CudaDevice::compile_ptx(const emit::Source& source) {
    if (ptx_ == emit::PtxUse::wherever_possible) return assemble(*session_, source, true);
    try {
        return assemble(*session_, source, false);
    } catch (const BackendError&) {
        emit::Target plain = target();
        plain.ptx = emit::PtxUse::never;
        return compile_with_nvrtc(loaded_nvrtc(), emit::emit(source.kernel, plain));
    }
}

Binary CudaDevice::compile(const emit::Source& source) {
    if (source.dialect == emit::Dialect::ptx) return compile_ptx(source);
    const Nvrtc& nvrtc = loaded_nvrtc();
    if (ptx_ != emit::PtxUse::wherever_possible) return compile_text(source);
    if (!nvrtc.problem.empty())
        throw BackendError("cuda: kernel " + source.entry + " needs NVRTC (" + source.why_not_ptx + "), and " +
                           nvrtc.problem + "; " + nvrtc.remedy);
    emit::Source known = source;  // of a card that NVRTC may not know
    known.architecture = compiler_target(nvrtc, capability_);
    return compile_text(known);
}

Binary CudaDevice::compile_text(const emit::Source& source) const {
    Binary binary = compile_with_nvrtc(loaded_nvrtc(), source);
    return is_linked(source) ? link_functions(loaded_linker(), source, binary, "sm_" + std::to_string(capability_))
                             : binary;
}

std::shared_ptr<Module> CudaDevice::load(const emit::Source& source, const Binary& binary) {
    return load_module(session_, source, binary);
}

std::shared_ptr<Buffer> CudaDevice::allocate(std::uint64_t bytes) { return allocate_buffer(session_, bytes); }

std::shared_ptr<HostMemory> CudaDevice::allocate_host(std::uint64_t bytes) {
    return allocate_host_memory(session_, bytes);
}

std::shared_ptr<Queue> CudaDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::cuda
