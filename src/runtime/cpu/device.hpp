// The processor as a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/cpu/features.hpp"

namespace seiche::runtime::cpu {

class CpuDevice final : public Device {
public:
    /// `functions`: what kernels call for elementary functions, as Call::functions; it must live as long as they do.
    explicit CpuDevice(DeviceInfo info, const void* const* functions = nullptr)
        : info_(std::move(info)), functions_(functions) {}

    bool survives_fork() const override { return true; }
    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override { return info_.limits.architecture; }
    /// The source has the machine code already.
    Binary compile(const emit::Source&) override { return {}; }
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    /// Machine code is made again sooner than it is found in a cache.
    bool keeps_binaries() const override { return false; }
    FunctionForm functions() const override { return FunctionForm::host; }
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<Queue> create_queue() override;

private:
    DeviceInfo info_;
    const void* const* functions_;
};

/// "cpu:0" with so many threads; available where `features` suffice.
DeviceInfo describe(const Features& features, unsigned threads);

/// What is wrong with SEICHE_CPU_THREADS or SEICHE_CPU_FEATURES, in one line; empty if nothing is.
std::string why_variables_are_wrong();

/// The one device, or why there is none.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

}  // namespace seiche::runtime::cpu
