// The reference backend. Its limits are those of a large GPU, so that what is tested here is what runs there.
#include "runtime/reference/device.hpp"

#include <new>
#include <thread>

#include "runtime/reference/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::reference {

namespace {

DeviceLimits large_gpu() {
    DeviceLimits limits;
    limits.architecture = "interpreter";
    limits.fp16_arithmetic = true;
    limits.fixed_subgroups = limits.part_barriers = true;
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    limits.compute_units = 132;
    limits.max_cluster_size = 16;
    limits.max_allocation_bytes = std::uint64_t{1} << 36;
    limits.memory_bytes = std::uint64_t{1} << 36;
    limits.cache_bytes = std::uint64_t{50} << 20;
    return limits;
}

class ReferenceDevice final : public Device {
public:
    bool survives_fork() const override { return true; }
    explicit ReferenceDevice(DeviceInfo info) : info_(std::move(info)) {}
    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override {
        emit::Target target;
        target.architecture = info_.limits.architecture;
        return target;
    }
    std::string compiler_version() const override { return "interpreter"; }
    Binary compile(const emit::Source&) override { return {}; }
    std::shared_ptr<Module> load(const emit::Source& source, const Binary&) override {
        return std::make_shared<ReferenceModule>(*source.kernel);
    }
    bool keeps_binaries() const override { return false; }
    FunctionForm functions() const override { return FunctionForm::host; }
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override {
        try {
            return std::make_shared<ReferenceBuffer>(bytes);
        } catch (const std::bad_alloc&) {
            throw BackendError("reference: the host has not enough memory for a buffer of " + std::to_string(bytes) +
                               " bytes");
        } catch (const std::length_error&) {
            throw BackendError("reference: a buffer of " + std::to_string(bytes) +
                               " bytes is beyond any host's memory");
        }
    }
    std::shared_ptr<Image> allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) override {
        auto memory = std::make_shared<ReferenceBuffer>(std::uint64_t{width} * height * texel_bytes(format));
        return std::make_shared<ReferenceImage>(std::move(memory), format, width, height);
    }
    std::shared_ptr<Queue> create_queue() override { return std::make_shared<ReferenceQueue>(); }

private:
    DeviceInfo info_;
};

}  // namespace

std::vector<DeviceInfo> list() {
    DeviceInfo info;
    info.name = "reference";
    info.description = "interpreter of the intermediate representation, on the host";
    info.backend = Backend::reference;
    info.available = true;
    info.driver = "none needed";
    info.limits = large_gpu();
    return {info};
}

std::shared_ptr<Device> open(const DeviceInfo& info) { return std::make_shared<ReferenceDevice>(info); }

}  // namespace seiche::runtime::reference
