// Loads machine code or PTX and makes its kernel ready, so that the first launch has nothing left to do.
#include "runtime/cuda/module.hpp"

#include <algorithm>
#include <iterator>

#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace {

constexpr std::uint32_t portable_cluster = 8;

}  // namespace

CudaModule::CudaModule(std::shared_ptr<Session> session, ModuleHandle module, const emit::Source& source)
    : session_(std::move(session)),
      module_(module),
      kernel_(source.kernel),
      waits_for_previous_(source.waits_for_previous) {
    if (source.dynamic_shared) dynamic_shared_bytes_ = static_cast<std::uint32_t>(source.shared_bytes);
    try {
        // Getting the function loads its code, also where the driver loads modules lazily.
        check(api().cuModuleGetFunction(&function_, module_, source.entry.c_str()), "cuModuleGetFunction",
              source.entry);
        if (dynamic_shared_bytes_ != 0)
            check(api().cuFuncSetAttribute(function_, function_max_dynamic_shared,
                                           static_cast<int>(dynamic_shared_bytes_)),
                  "cuFuncSetAttribute",
                  std::to_string(dynamic_shared_bytes_) + " bytes of shared memory for " + source.entry);
        const std::uint32_t groups = source.cluster[0] * source.cluster[1] * source.cluster[2];
        if (groups > portable_cluster)
            check(api().cuFuncSetAttribute(function_, function_any_cluster_size, 1), "cuFuncSetAttribute",
                  source.entry);
        if (groups > 1) check_cluster(source);
        int local_bytes = 0;
        check(api().cuFuncGetAttribute(&local_bytes, function_local_bytes, function_), "cuFuncGetAttribute",
              source.entry);
    } catch (...) {
        api().cuModuleUnload(module_);
        throw;
    }
}

void CudaModule::check_cluster(const emit::Source& source) const {
    LaunchConfig config;
    LaunchAttribute cluster;
    cluster.id = launch_cluster;
    std::copy(std::begin(source.cluster), std::end(source.cluster), cluster.value.cluster);
    std::copy(std::begin(source.cluster), std::end(source.cluster), config.grid);
    std::copy(std::begin(source.group), std::end(source.group), config.block);
    config.shared_bytes = dynamic_shared_bytes_;
    config.attributes = &cluster;
    config.attribute_count = 1;
    int clusters = 0;
    check(api().cuOccupancyMaxActiveClusters(&clusters, function_, &config), "cuOccupancyMaxActiveClusters",
          source.entry);
    const std::uint32_t groups = source.cluster[0] * source.cluster[1] * source.cluster[2];
    if (clusters == 0) throw NoSuchCluster(source.entry, groups, source.shared_bytes);
}

CudaModule::~CudaModule() {
    Context popped = nullptr;
    if (api().cuCtxPushCurrent(session_->context) != success)
        return;  // the caller's context is gone, and the module with it
    api().cuModuleUnload(module_);
    api().cuCtxPopCurrent(&popped);
}

std::shared_ptr<Module> load_module(const std::shared_ptr<Session>& session, const emit::Source& source,
                                    const Binary& binary) {
    if (binary.bytes.empty()) throw BackendError("cuda: the binary of kernel " + source.entry + " is empty");
    const Current current(*session);
    ModuleHandle module = nullptr;
    check(api().cuModuleLoadData(&module, binary.bytes.data()), "cuModuleLoadData", source.entry);
    return make_owned<CudaModule>(session, module, source);
}

}  // namespace seiche::runtime::cuda
