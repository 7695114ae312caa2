// The host's memory as if it were a card's.
#include <cstdlib>
#include <new>
#include <string>

#include "entry.hpp"
#include "seiche/interop/cpu.hpp"
#include "site.hpp"

namespace seiche::compat {

namespace {

class HostSite : public Site {
public:
    explicit HostSite(Device device) : Site(std::move(device)) {}
    int ordinal() const override { return 0; }
    bool is_current() const override { return true; }
    Queue queue(void*) const override { return device().create_queue(); }
    Allocation allocate(std::uint64_t bytes) const override {
        constexpr std::uint64_t alignment = 256;
        if (bytes > UINT64_MAX - alignment) throw std::bad_alloc();
        void* const pointer = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
        if (pointer == nullptr) throw std::bad_alloc();
        return {pointer, bytes, std::shared_ptr<void>(pointer, std::free)};
    }
};

/// The processor computes in the program's own memory.
class ProcessorSite final : public HostSite {
public:
    using HostSite::HostSite;
    Buffer buffer(void* pointer, std::uint64_t bytes) const override { return cpu::buffer(device(), pointer, bytes); }
    void finish(Queue& queue, void*, const Buffer&) const override { queue.wait(); }
};

/// The interpreter has memory of its own, which is copied there and back.
class InterpreterSite final : public HostSite {
public:
    using HostSite::HostSite;
    bool keeps_buffers() const override { return false; }
    Buffer buffer(void* pointer, std::uint64_t bytes) const override {
        Buffer copy = device().allocate(bytes);
        Queue queue = device().create_queue();
        if (bytes != 0) queue.upload(copy, pointer, bytes);
        return copy;
    }
    void finish(Queue& queue, void* pointer, const Buffer& buffer) const override {
        if (buffer.bytes() != 0) queue.download(pointer, buffer, buffer.bytes());
    }
};

}  // namespace

std::shared_ptr<const Site> host_site(const std::string& name) {
    const auto open = [&name]() -> std::shared_ptr<const Site> {
        const bool is_processor = name == "cpu";
        if (!is_processor && name != "reference")
            throw Refused{setup_failed, "the device asked for is '" + name + "', expected cpu or reference"};
        try {
            Device device = Device::open(name);
            if (is_processor) return std::make_shared<ProcessorSite>(std::move(device));
            return std::make_shared<InterpreterSite>(std::move(device));
        } catch (const Error& error) {
            throw Refused{setup_failed, error.reason()};
        }
    };
    static auto* const site = new std::shared_ptr<const Site>(open());  // never freed: calls may come at the very end
    return *site;
}

}  // namespace seiche::compat
