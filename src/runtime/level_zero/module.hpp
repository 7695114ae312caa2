// Modules made by a Level Zero driver, and their kernels with the argument state that each holds.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/level_zero/device.hpp"

namespace seiche::runtime::level_zero {

/// A module and a pool of its kernel. A kernel object holds arguments until a launch is appended, and is used by one
/// thread at a time, so each launch takes one from the pool and puts it back.
class LevelZeroModule final : public Module {
public:
    /// Takes over the module, even where it throws.
    LevelZeroModule(std::shared_ptr<Session> session, ModuleHandle module, const emit::Source& source);
    ~LevelZeroModule() override;
    LevelZeroModule(const LevelZeroModule&) = delete;
    LevelZeroModule& operator=(const LevelZeroModule&) = delete;

    KernelHandle take() const;
    void put_back(KernelHandle kernel) const;
    const ir::Kernel& kernel() const { return *kernel_; }
    const Session& session() const { return *session_; }

private:
    KernelHandle create() const;

    std::shared_ptr<Session> session_;
    ModuleHandle module_;
    std::shared_ptr<const ir::Kernel> kernel_;
    mutable std::mutex mutex_;
    mutable std::vector<KernelHandle> idle_;
};

/// From SPIR-V to the driver's native binary.
Binary compile_module(const Session& session, const emit::Source& source);
/// From SPIR-V to a loaded kernel, without a binary.
std::shared_ptr<Module> build_module(const std::shared_ptr<Session>& session, const emit::Source& source);
std::shared_ptr<Module> load_module(const std::shared_ptr<Session>& session, const emit::Source& source,
                                    const Binary& binary);

}  // namespace seiche::runtime::level_zero
