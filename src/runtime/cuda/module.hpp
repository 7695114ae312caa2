// Loaded CUDA kernels.
#pragma once

#include <memory>

#include "runtime/cuda/device.hpp"

namespace seiche::runtime::cuda {

class CudaModule final : public Module {
public:
    CudaModule(std::shared_ptr<Session> session, ModuleHandle module, const emit::Source& source);
    ~CudaModule() override;
    CudaModule(const CudaModule&) = delete;
    CudaModule& operator=(const CudaModule&) = delete;

    Function function() const { return function_; }
    const Session& session() const { return *session_; }
    const ir::Kernel& kernel() const { return *kernel_; }
    std::uint32_t dynamic_shared_bytes() const { return dynamic_shared_bytes_; }
    /// Whether it may be launched before what is ahead of it in its stream has ended.
    bool waits_for_previous() const { return waits_for_previous_; }

private:
    /// Throws NoSuchCluster where the card has no room for one of its clusters.
    void check_cluster(const emit::Source& source) const;

    std::shared_ptr<Session> session_;
    ModuleHandle module_;
    Function function_ = nullptr;
    std::shared_ptr<const ir::Kernel> kernel_;
    std::uint32_t dynamic_shared_bytes_ = 0;
    bool waits_for_previous_ = false;
};

std::shared_ptr<Module> load_module(const std::shared_ptr<Session>& session, const emit::Source& source,
                                    const Binary& binary);

}  // namespace seiche::runtime::cuda
