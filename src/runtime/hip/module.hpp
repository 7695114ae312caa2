// Loaded HIP kernels.
#pragma once

#include <memory>

#include "runtime/hip/device.hpp"

namespace seiche::runtime::hip {

class HipModule final : public Module {
public:
    HipModule(int ordinal, ModuleHandle module, const emit::Source& source);
    ~HipModule() override;
    HipModule(const HipModule&) = delete;
    HipModule& operator=(const HipModule&) = delete;

    Function function() const { return function_; }
    const ir::Kernel& kernel() const { return *kernel_; }
    std::uint32_t dynamic_shared_bytes() const { return dynamic_shared_bytes_; }
    int ordinal() const { return ordinal_; }

private:
    int ordinal_;
    ModuleHandle module_;
    Function function_ = nullptr;
    std::shared_ptr<const ir::Kernel> kernel_;
    std::uint32_t dynamic_shared_bytes_ = 0;
};

std::shared_ptr<Module> load_module(int ordinal, const emit::Source& source, const Binary& binary);

}  // namespace seiche::runtime::hip
