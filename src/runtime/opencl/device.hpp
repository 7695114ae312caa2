// OpenCL devices: the list of them, and one that is open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/opencl/api.hpp"

namespace seiche::runtime::opencl {

/// A context and one of its devices, kept alive by everything that was made from them.
struct Session {
    Session(Context c, DeviceId d) : context(c), device(d) {}
    ~Session() { api().clReleaseContext(context); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Context context;
    DeviceId device;
};

class OpenclDevice final : public Device {
public:
    OpenclDevice(std::shared_ptr<Session> session, DeviceInfo info);

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override;
    Binary compile(const emit::Source& source) override;
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    std::shared_ptr<Module> build(const emit::Source& source) override;
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<HostMemory> allocate_host(std::uint64_t bytes) override;
    std::shared_ptr<Queue> create_queue() override;

    const std::shared_ptr<Session>& session() const { return session_; }

private:
    std::string options_for(const emit::Source& source) const;

    std::shared_ptr<Session> session_;
    DeviceInfo info_;
    unsigned c_version_;  ///< The newest OpenCL C, as 102 or 300.
    std::string build_options_;
    std::uint32_t stated_lanes_ = 0;  ///< Target::subgroup_size.
};

/// Every device of every platform, or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

/// What `list` says of this device; the name is "opencl" if it is not one of the list.
DeviceInfo describe(DeviceId device);

std::string text_info(DeviceId device, Uint what);

}  // namespace seiche::runtime::opencl
