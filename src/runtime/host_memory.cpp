// Ordinary memory, for devices that have no other on the host.
#include <algorithm>
#include <new>

#include "runtime/backend.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime {

namespace {

constexpr std::align_val_t page{4096};

class OrdinaryMemory final : public HostMemory {
public:
    explicit OrdinaryMemory(std::uint64_t bytes)
        : data_(::operator new(std::max<std::uint64_t>(bytes, 1), page)), bytes_(bytes) {}
    ~OrdinaryMemory() override { ::operator delete(data_, page); }
    OrdinaryMemory(const OrdinaryMemory&) = delete;
    OrdinaryMemory& operator=(const OrdinaryMemory&) = delete;

    void* data() const override { return data_; }
    std::uint64_t bytes() const override { return bytes_; }

private:
    void* data_;
    std::uint64_t bytes_;
};

}  // namespace

std::shared_ptr<Image> Device::allocate_image(ImageFormat, std::uint32_t, std::uint32_t) {
    throw Unsupported("images: expected a device of Vulkan, OpenGL or the interpreter, got " + info().name);
}

std::shared_ptr<HostMemory> Device::allocate_host(std::uint64_t bytes) {
    const auto refuse = [&] {
        throw BackendError(info().name + ": the host has not " + std::to_string(bytes) + " bytes of memory");
    };
    // Asked for more than there can be, an allocator may end the process (a sanitizer's does).
    if (const std::uint64_t all = memory_limit(); all != 0 && bytes > all) refuse();
    try {
        return std::make_shared<OrdinaryMemory>(bytes);
    } catch (const std::bad_alloc&) {
        refuse();
    }
    return nullptr;
}

}  // namespace seiche::runtime
