// OpenGL devices: the list of them, and one that is open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/opengl/session.hpp"

namespace seiche::runtime::opengl {

class OpenglDevice final : public Device {
public:
    OpenglDevice(std::shared_ptr<Session> session, DeviceInfo info);

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override;
    Binary compile(const emit::Source& source) override;
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    std::shared_ptr<Module> build(const emit::Source& source) override;
    bool keeps_binaries() const override { return session_->facts.keeps_binaries; }
    bool needs_callers_context() const override { return session_->is_callers; }
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<Image> allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) override;
    std::shared_ptr<Queue> create_queue() override;

    const std::shared_ptr<Session>& session() const { return session_; }

private:
    std::shared_ptr<Session> session_;
    DeviceInfo info_;
};

/// Of each display OpenGL, then OpenGL ES; or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

/// What planning needs to know of a context; its name is left empty.
DeviceInfo describe(const Facts& facts);

}  // namespace seiche::runtime::opengl
