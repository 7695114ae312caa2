// Devices, queues and buffers: where a transform runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "seiche/image.hpp"
#include "seiche/tables.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

SEICHE_EXPORT_END
namespace runtime {
class Device;  // the backend's side, src/runtime/backend.hpp
class Queue;
class Buffer;
class HostMemory;
class Event;
}  // namespace runtime
SEICHE_EXPORT_BEGIN

enum class Backend { reference, cuda, hip, level_zero, vulkan, opencl, opengl, cpu };
const char* to_string(Backend backend) noexcept;

/// How a device computes, which decides the shape of the kernels.
enum class Vectors {
    subgroups,      ///< A GPU: threads in lockstep, registers private, barriers cheap.
    explicit_simd,  ///< A CPU: one work-item carries whole SIMD registers, groups of one, no barrier.
    implicit_simd,  ///< A CPU whose driver turns invocations into SIMD lanes, which go to memory one by one.
};

/// What planning needs to know of a device: plain numbers, so that a plan can be made for a device that is not there.
/// Planning throws InvalidProblem, naming the field, for numbers that no device has, such as groups of 0 threads.
struct DeviceLimits {
    std::string architecture = "generic";  ///< Compiler target, e.g. "sm_90".
    Vectors vectors = Vectors::subgroups;
    std::uint32_t subgroup_size = 32;                 ///< Threads in lockstep.
    std::uint32_t vector_bytes = 64;                  ///< SIMD register of an explicit_simd device.
    std::uint32_t max_group_size = 1024;              ///< Threads in a group.
    std::uint32_t shared_bytes = 48 * 1024;           ///< Shared memory that one group may have.
    std::uint32_t shared_bytes_per_unit = 96 * 1024;  ///< Shared memory of one compute unit.
    std::uint32_t registers_per_thread = 255;         ///< 32-bit registers.
    std::uint32_t compute_units = 1;
    std::uint32_t max_cluster_size = 1;  ///< Groups that can share memory.
    std::uint64_t max_allocation_bytes = 1ull << 31;
    std::uint64_t max_buffer_bytes = 0;  ///< That one buffer argument of a kernel may have; 0: as many as it likes.
    std::uint64_t max_addressed_bytes =
        0;  ///< The same of one that the kernel is told the address of; 0: it cannot be.
    std::uint64_t memory_bytes = 1ull << 32;
    std::uint64_t memory_bytes_per_second = 0;  ///< That memory moves at most; 0: the driver does not tell.
    std::uint64_t cache_bytes = 1ull << 21;     ///< Last level that all units share.
    std::uint64_t unit_cache_bytes = 0;         ///< Largest cache that a unit has for itself; 0: not known.
    std::uint32_t sector_bytes = 32;            ///< Smallest piece of memory moved.
    std::uint32_t shared_banks = 32;            ///< Of 4 bytes each.
    bool fp64 = true;
    /// fp64 is rounded once to nearest, fma included, and keeps denormals, by what the driver says: f64x2 needs that,
    /// and a plan for it tries it on the device.
    bool exact_fp64 = true;
    bool fp16_storage = true;
    bool fp16_arithmetic = false;
    bool fast_fma = true;
    /// A group may wait for what another wrote that began before it: there are atomics and fences of the whole device
    /// that acquire and release, and a group that has begun goes on.
    bool waits_for_groups = true;
    /// The compiler heeds how many groups a unit should hold, and spares registers for it: CUDA's and HIP's do.
    bool bounds_registers = true;
    /// Subgroups have the size above for certain, and are neighbouring threads: they may have a barrier of their own.
    bool fixed_subgroups = false;
    bool part_barriers = false;  ///< Parts of a group of several subgroups have barriers of their own.
    /// What was measured beside what the library knows, the first table to be asked first; at most 8.
    std::vector<MeasuredTable> tables = {};
};

/// One line of the list of devices; `available` false means the backend is absent and `remedy` says what would mend it.
struct DeviceInfo {
    std::string name;         ///< What to pass to `Device::open`, e.g. "cuda:0".
    std::string description;  ///< The driver's own name for the device.
    Backend backend = Backend::reference;
    bool available = false;
    bool is_gpu = false;
    std::string driver;   ///< Driver and compiler versions.
    std::string problem;  ///< Why it is not available; empty otherwise.
    std::string remedy;   ///< What would mend that.
    DeviceLimits limits;
};

/// Every device of every backend that this build carries, in the order in which the default is chosen; then the absent
/// backends.
std::vector<DeviceInfo> devices();

/// Device memory. A value that shares ownership; empty when default-constructed.
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::shared_ptr<runtime::Buffer> impl) : impl_(std::move(impl)) {}
    std::uint64_t bytes() const;
    explicit operator bool() const noexcept { return impl_ != nullptr; }
    const std::shared_ptr<runtime::Buffer>& impl() const noexcept { return impl_; }

private:
    std::shared_ptr<runtime::Buffer> impl_;
};

/// A buffer and a byte offset into it; a Buffer converts to one.
struct BufferView {
    Buffer buffer;
    std::uint64_t byte_offset = 0;
    BufferView() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a whole buffer is a view of itself
    BufferView(Buffer b, std::uint64_t offset = 0) : buffer(std::move(b)), byte_offset(offset) {}
};

/// Memory of the host that a device copies from and to by itself (pinned), where it has such a thing: CUDA, HIP,
/// OpenCL. Elsewhere ordinary memory. It must live until the copies have run. A value that shares ownership; empty when
/// default-constructed.
class HostMemory {
public:
    HostMemory() = default;
    explicit HostMemory(std::shared_ptr<runtime::HostMemory> impl) : impl_(std::move(impl)) {}
    /// Aligned to a page. Null if empty.
    void* data() const;
    std::uint64_t bytes() const;
    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    std::shared_ptr<runtime::HostMemory> impl_;
};

/// A point in a queue's order, for timing.
class Event {
public:
    Event() = default;
    explicit Event(std::shared_ptr<runtime::Event> impl) : impl_(std::move(impl)) {}
    const std::shared_ptr<runtime::Event>& impl() const noexcept { return impl_; }

private:
    std::shared_ptr<runtime::Event> impl_;
};

/// An ordered sequence of work on a device. A value that shares ownership. Not to be used from two threads at once.
class Queue {
public:
    Queue() = default;
    explicit Queue(std::shared_ptr<runtime::Queue> impl) : impl_(std::move(impl)) {}
    /// Copies host memory to the device; returns when the host memory may be reused.
    void upload(const BufferView& to, const void* from, std::size_t bytes);
    /// Copies device memory to the host; returns when the data is there.
    void download(void* to, const BufferView& from, std::size_t bytes);
    /// The same, enqueued: return at once where the device can (from and to HostMemory on CUDA, HIP and OpenCL; else
    /// they may wait), so that copies of one queue overlap with the work of another. Until the queue has been waited
    /// for, `from` must stay as it is, `to` has no meaning yet, and both must live.
    void enqueue_upload(const BufferView& to, const void* from, std::size_t bytes);
    void enqueue_download(void* to, const BufferView& from, std::size_t bytes);
    /// Copies on the device, in order with the rest of the queue.
    void copy(const BufferView& to, const BufferView& from, std::uint64_t bytes);
    /// Calls `work`, which enqueues on this queue. What it enqueues is handed to the driver together where that spares
    /// time (Vulkan: one submission for many executions), so nothing of it need have begun before `work` returns, and
    /// what it uses has to be there until then.
    void batch(const std::function<void()>& work);
    /// Returns when everything before it has run; throws BackendError if something failed.
    void wait();
    /// Marks this point of the queue.
    Event record();
    /// Device time in milliseconds between two marks of this queue; waits for the later.
    double milliseconds(const Event& from, const Event& to);
    const std::shared_ptr<runtime::Queue>& impl() const noexcept { return impl_; }

private:
    std::shared_ptr<runtime::Queue> impl_;
};

/// A device that was opened. A value that shares ownership; safe to use from many threads. After fork:
/// docs/explanation/trust.md.
class Device {
public:
    Device() = default;
    explicit Device(std::shared_ptr<runtime::Device> impl) : impl_(std::move(impl)) {}

    /// Opens a device by name: `backend`, `backend:index` or `backend:part-of-its-name` ("cuda:0", "opencl:pocl",
    /// "reference"). Empty: the variable SEICHE_DEVICE, else the first GPU, else the first CPU device; never silently
    /// `reference`. Throws Unsupported, naming what was found instead. `note`, if given, receives a line when a GPU had
    /// to be passed over (one without its run-time compiler, say), and why; else it is made empty. The device has the
    /// tables of SEICHE_TABLES (environment_tables).
    static Device open(const std::string& name = {}, std::string* note = nullptr);

    const DeviceInfo& info() const;
    const DeviceLimits& limits() const { return info().limits; }
    /// The same device, whose plans look at these tables before those that it has (DeviceLimits::tables).
    Device with_tables(const std::vector<MeasuredTable>& tables) const;
    /// Allocates device memory; throws BackendError when there is not enough.
    Buffer allocate(std::uint64_t bytes) const;
    /// A two-dimensional image of so many texels, whose contents have no meaning yet (see seiche/image.hpp). Throws
    /// Unsupported on backends without images and for more texels than a row or a column of one may have.
    Image allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) const;
    /// Host memory for copies that overlap with other work; throws BackendError when there is not enough.
    HostMemory allocate_host(std::uint64_t bytes) const;
    Queue create_queue() const;
    explicit operator bool() const noexcept { return impl_ != nullptr; }
    const std::shared_ptr<runtime::Device>& impl() const noexcept { return impl_; }

private:
    std::shared_ptr<runtime::Device> impl_;
    std::shared_ptr<const DeviceInfo> info_;  ///< In place of the backend's; null: its own.
};

}  // namespace seiche
SEICHE_EXPORT_END
