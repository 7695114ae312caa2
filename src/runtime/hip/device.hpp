// HIP devices: the list of them, and one that is open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/hip/api.hpp"

namespace seiche::runtime::hip {

/// Makes a card the thread's current one while it lives, and then the one from before.
class Current {
public:
    explicit Current(int ordinal) : ordinal_(ordinal) {
        check(api().hipGetDevice(&before_), "hipGetDevice");
        if (before_ != ordinal) check(api().hipSetDevice(ordinal), "hipSetDevice");
    }
    ~Current() {
        if (before_ != ordinal_) api().hipSetDevice(before_);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    int ordinal_, before_ = 0;
};

class HipDevice final : public Device {
public:
    HipDevice(int ordinal, DeviceInfo info) : ordinal_(ordinal), info_(std::move(info)) {}

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override;
    Binary compile(const emit::Source& source) override;
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<HostMemory> allocate_host(std::uint64_t bytes) override;
    std::shared_ptr<Queue> create_queue() override;

    int ordinal() const { return ordinal_; }

private:
    int ordinal_;
    DeviceInfo info_;
};

/// Every card, usable or not with the reason, or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

/// The compiler's name of a card in its properties, e.g. "gfx90a:sramecc+:xnack-", whatever the version of their
/// layout; empty if there is none.
std::string architecture_in(const std::string& properties);

}  // namespace seiche::runtime::hip
