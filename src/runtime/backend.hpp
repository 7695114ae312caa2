// The contract of a backend: devices, queues, buffers, and modules made from emitted source.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "runtime/process.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/image.hpp"

namespace seiche::runtime {

class Buffer {
public:
    virtual ~Buffer() = default;
    virtual std::uint64_t bytes() const = 0;
};

/// Memory of the host.
class HostMemory {
public:
    virtual ~HostMemory() = default;
    virtual void* data() const = 0;
    virtual std::uint64_t bytes() const = 0;
};

/// A caller's image.
class Image {
public:
    Image(ImageFormat format, std::uint32_t width, std::uint32_t height)
        : format_(format), width_(width), height_(height) {}
    virtual ~Image() = default;
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    ImageFormat format() const { return format_; }
    std::uint32_t width() const { return width_; }
    std::uint32_t height() const { return height_; }
    /// Whether both are the same native image, or may be.
    virtual bool is_same(const Image& other) const { return this == &other; }

private:
    ImageFormat format_;
    std::uint32_t width_, height_;
};

/// A compiled kernel as a driver takes it: cubin, PTX, OpenCL program binary; for `reference` nothing.
struct Binary {
    std::vector<std::byte> bytes;
};

/// A loaded kernel. Safe to launch from several threads on several queues.
class Module {
public:
    virtual ~Module() = default;
};

struct BufferArgument {
    Buffer* buffer = nullptr;
    std::uint64_t byte_offset = 0;  ///< A multiple of the parameter's element size.
};

/// One launch; everything is borrowed for the call only.
struct Launch {
    const Module* module = nullptr;
    std::array<std::uint32_t, 3> groups{1, 1, 1};
    const BufferArgument* buffers = nullptr;
    std::size_t buffer_count = 0;
    const std::uint64_t* scalars = nullptr;  ///< One word per scalar parameter; narrower ones in the low bytes.
    std::size_t scalar_count = 0;
    Image* const* images = nullptr;  ///< In the order of the kernel's.
    std::size_t image_count = 0;
    std::uint64_t bytes_written = 0;  ///< To global memory, about; 0: not known.
    bool is_read_next = false;        ///< The next launch reads what this one writes.
};

/// A point in a queue's order, for timing.
class Event {
public:
    virtual ~Event() = default;
};

class Queue : public OfProcess {
public:
    virtual void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) = 0;
    virtual void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) = 0;
    /// The same without waiting, where there is a way; the caller keeps the memory until the queue has been waited for.
    virtual void enqueue_upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
        upload(to, offset, from, bytes);
    }
    virtual void enqueue_download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
        download(to, from, offset, bytes);
    }
    virtual void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                      std::uint64_t bytes) = 0;
    /// Enqueues; allocates nothing, waits for nothing.
    virtual void launch(const Launch& launch) = 0;
    /// Until as many ends as beginnings have come, what is enqueued may wait to be handed to the driver, all at once.
    virtual void begin_batch() {}
    virtual void end_batch() {}
    virtual void wait() = 0;
    virtual std::shared_ptr<Event> record() = 0;
    /// Device time between two recorded events; waits for the later.
    virtual double milliseconds(const Event& from, const Event& to) = 0;
};

/// What is enqueued in `work` is one batch. Where `work` throws, what it has enqueued is handed over nevertheless.
template <class Work>
void in_one_batch(Queue& queue, const Work& work) {
    queue.begin_batch();
    try {
        work();
    } catch (...) {
        try {
            queue.end_batch();
        } catch (...) {  // the first fault is the one to tell of
        }
        throw;
    }
    queue.end_batch();
}

/// The device has no room for a cluster that its limits allow: of such groups, with so much shared memory.
struct NoSuchCluster : Unsupported {
    NoSuchCluster(const std::string& kernel, std::uint32_t groups_of_cluster, std::uint64_t shared_bytes)
        : Unsupported("kernel " + kernel + ": the device has no room for a cluster of " +
                      std::to_string(groups_of_cluster) + " groups of " + std::to_string(shared_bytes) +
                      " bytes of shared memory"),
          groups(groups_of_cluster) {}
    std::uint32_t groups;
};

struct LoadedModules;

/// Which form of a user's function a device's kernels can call.
enum class FunctionForm : std::uint8_t { none, code, host };

class Device : public OfProcess {
public:
    Device();
    ~Device() override;
    virtual const DeviceInfo& info() const = 0;
    /// How to emit for this device.
    virtual emit::Target target() const = 0;
    /// Names compiler and driver versions; part of the cache key.
    virtual std::string compiler_version() const = 0;
    /// Compiles. Throws BackendError with the compiler's first error line and where the source was dumped. Safe from
    /// many threads.
    virtual Binary compile(const emit::Source& source) = 0;
    virtual std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) = 0;
    /// Compiles and loads at once, for when no binary is to be kept: some drivers make binaries at great cost.
    virtual std::shared_ptr<Module> build(const emit::Source& source) { return load(source, compile(source)); }
    /// False where a binary is not worth keeping (the reference backend).
    virtual bool keeps_binaries() const { return true; }
    /// True where all that is made here must be made, used and given up with a context of the caller's, in a thread
    /// that has it: nothing is then compiled in other threads or kept for later.
    virtual bool needs_callers_context() const { return false; }
    /// True where the caller ends the native device: nothing is kept on it that the caller has let go of.
    virtual bool belongs_to_caller() const { return false; }
    virtual FunctionForm functions() const { return FunctionForm::none; }
    virtual std::shared_ptr<Buffer> allocate(std::uint64_t bytes) = 0;
    /// Where there are no images it throws Unsupported.
    virtual std::shared_ptr<Image> allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height);
    /// Memory that the device copies from and to by itself; where there is none, ordinary memory.
    virtual std::shared_ptr<HostMemory> allocate_host(std::uint64_t bytes);
    virtual std::shared_ptr<Queue> create_queue() = 0;
    /// Calls `work` with a queue for what making plans moves, waits for what it has enqueued, and throws what fails.
    /// The queue is made at first use and kept until the device ends, since some drivers take milliseconds to make and
    /// end one; threads have it one after the other, and after a failure the next gets a new one. Where the caller ends
    /// the device, or must have its context current for that, each call makes a queue and ends it.
    void use_queue(const std::function<void(Queue&)>& work);
    /// The kernels that compile_cached has loaded here.
    LoadedModules& loaded() { return *loaded_; }

private:
    std::unique_ptr<LoadedModules> loaded_;
    std::mutex using_queue_;
    std::shared_ptr<Queue> queue_;  ///< Holds what it needs of the native device, never this object.
};

/// One kind of device. `name` is the prefix of its devices' names.
struct BackendEntry {
    Backend backend;
    const char* name;
    /// Lists the devices, or one entry with available = false that says why there are none. Never throws.
    std::vector<DeviceInfo> (*list)();
    /// Opens the device whose DeviceInfo::name is given.
    std::shared_ptr<Device> (*open)(const DeviceInfo& info);
};

/// All backends of this build, in the order in which a default is sought.
const std::vector<BackendEntry>& registry();

/// To be called when a device is made other than by the entry's `open`: in a child that fork makes its driver does not
/// work any more, and the lists below say so instead of calling it.
void note_driver_in_use(Backend backend);

/// Every device, then the absent backends; GPUs first in the registry's order, then the processor by itself, then CPU
/// devices of drivers, `reference` last.
std::vector<DeviceInfo> list_devices();

/// As seiche::Device::open. `note` receives a line when a better choice had to be passed over (a card that is too old,
/// say).
std::shared_ptr<Device> open_device(const std::string& name, std::string* note = nullptr);

/// Where a kernel came from; neither: from a cache.
struct CompileResult {
    std::shared_ptr<Module> module;
    bool compiled = false;  ///< Now.
    bool given = false;     ///< It is the binary that was given.
    bool refused = false;   ///< The driver did not take that.
};
/// Compiles through the cache on disk and in the process: identical concurrent compiles happen once. A binary that the
/// caller has kept of this source is tried first, where the process has not loaded the kernel already.
CompileResult compile_cached(const std::shared_ptr<Device>& device, const emit::Source& source,
                             const Binary* given = nullptr);

/// What stands for everything that decides the binary of a source on this device.
std::string kernel_key(const Device& device, const emit::Source& source);

/// The binary to keep of a source: from the cache on disk, else compiled.
Binary kept_binary(Device& device, const emit::Source& source);

}  // namespace seiche::runtime
