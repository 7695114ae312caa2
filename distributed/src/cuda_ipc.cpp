// CUDA's memory and events in other processes of the machine.
#include <fstream>
#include <memory>
#include <random>

#include "cuda_driver.hpp"
#include "cuda_mark.hpp"
#include "seiche/distributed/ipc.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::distributed {

namespace {

using namespace cuda_driver;

std::string text_of(const IpcHandle& handle) { return {handle.bytes, sizeof(handle.bytes)}; }

IpcHandle handle_of(const std::string& text) {
    IpcHandle handle;
    if (text.size() != sizeof(handle.bytes))
        throw InternalError("ipc: expected a handle of " + std::to_string(sizeof(handle.bytes)) + " bytes, got " +
                            std::to_string(text.size()));
    text.copy(handle.bytes, sizeof(handle.bytes));
    return handle;
}

/// Memory of another process, mapped for as long as it lives.
struct Mapping {
    Mapping(const Device& of, const Ipc::Shared& shared) : device(of) {
        const Current current(context_of(device));
        cuda_driver::check(driver().open_memory(&address, handle_of(shared.handle), ipc_enables_peer_access),
                           "cuIpcOpenMemHandle");
        buffer = cuda::untyped::buffer(device, address, shared.bytes);
    }
    ~Mapping() {
        try {
            const Current current(context_of(device));
            driver().close_memory(address);
        } catch (const Error&) {
            return;  // the context is gone, and the mapping with it
        }
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    Device device;
    Address address = 0;
    Buffer buffer;
};

class CudaIpc final : public CudaMarks<Ipc> {
public:
    void check(const Device& device) override {
        if (!device || device.info().backend != Backend::cuda)
            throw Unsupported("ipc: expected a device of CUDA, got " +
                              (device ? device.info().name : std::string("none")));
    }
    std::shared_ptr<Mark> make_mark(const Device& device) override {
        return std::make_shared<CudaMark>(device, event_without_time | event_between_processes);
    }
    std::string share(Mark& mark) override {
        const Current current(context_of(cuda_mark(mark).device()));
        IpcHandle handle;
        cuda_driver::check(driver().share_event(&handle, event_of(mark)), "cuIpcGetEventHandle");
        return text_of(handle);
    }
    std::shared_ptr<Mark> open_mark(const Device& device, const std::string& handle) override {
        return std::make_shared<CudaMark>(device, handle_of(handle));
    }
    Shared share(const Device& device, const BufferView& view) override {
        const Current current(context_of(device));
        const Address address = cuda::untyped::address(view.buffer) + view.byte_offset;
        Address base = 0;
        std::size_t bytes = 0;
        cuda_driver::check(driver().address_range(&base, &bytes, address), "cuMemGetAddressRange");
        IpcHandle handle;
        cuda_driver::check(driver().share_memory(&handle, base), "cuIpcGetMemHandle");
        return {text_of(handle), address - base, bytes};
    }
    std::shared_ptr<const Buffer> open_memory(const Device& device, const Shared& shared) override {
        auto mapping = std::make_shared<const Mapping>(device, shared);
        const Buffer* const buffer = &mapping->buffer;
        return {std::move(mapping), buffer};
    }
    std::string process() const override { return process_; }
    std::string machine() const override { return machine_; }

private:
    static std::string random_name() {
        std::random_device random;
        return std::to_string(random()) + "." + std::to_string(random());
    }
    static std::string name_of_boot() {
        std::ifstream file("/proc/sys/kernel/random/boot_id");
        std::string name;
        std::getline(file, name);
        return name;
    }

    // Not the process's number: in containers several have the same.
    const std::string process_ = random_name(), machine_ = name_of_boot();
};

}  // namespace

std::shared_ptr<Ipc> cuda_ipc() {
    if (!driver().problem.empty()) return nullptr;
    static const auto ipc = std::make_shared<CudaIpc>();
    return ipc;
}

}  // namespace seiche::distributed
