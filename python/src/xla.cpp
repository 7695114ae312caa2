// The transform as a target of XLA's foreign function interface, for seichefft.jax: a library by itself, which knows no
// Python. XLA gives the memory of both arrays, the stream of the card and scratch memory; the problem is an attribute.
#include <xla/ffi/api/ffi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <seiche/interop/cpu.hpp>
#include <seiche/interop/untyped.hpp>
#include <seiche/seiche.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

namespace ffi = xla::ffi;

namespace {

constexpr std::size_t alignment = 64;
/// The most that XLA promises of its scratch memory; more it refuses. A complex number needs no more.
constexpr std::size_t scratch_alignment = 16;

struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{alignment}); }
};
using AlignedBytes = std::unique_ptr<std::byte, FreeAligned>;

seiche::Device device_of(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, seiche::Device> devices;
    const std::lock_guard lock(mutex);
    const auto found = devices.find(name);
    return found != devices.end() ? found->second : devices.emplace(name, seiche::Device::open(name)).first->second;
}

/// The plans that were used lately, of all devices together.
class Plans {
public:
    using Key = std::tuple<std::string, std::string, std::string>;
    static constexpr std::size_t most = 128;

    std::optional<seiche::Plan> find(const Key& key) {
        const std::lock_guard lock(mutex_);
        const auto found = plans_.find(key);
        if (found == plans_.end()) return {};
        found->second.last_use = ++uses_;
        return found->second.plan;
    }

    /// The one that is kept, which another thread may have made meanwhile.
    seiche::Plan keep(const Key& key, seiche::Plan plan) {
        const std::lock_guard lock(mutex_);
        seiche::Plan kept = plans_.try_emplace(key, Entry{std::move(plan), ++uses_}).first->second.plan;
        if (plans_.size() > most)
            plans_.erase(std::min_element(plans_.begin(), plans_.end(), [](const auto& a, const auto& b) {
                return a.second.last_use < b.second.last_use;
            }));
        return kept;
    }

    std::size_t count() {
        const std::lock_guard lock(mutex_);
        return plans_.size();
    }

private:
    struct Entry {
        seiche::Plan plan;
        std::uint64_t last_use;
    };
    std::mutex mutex_;
    std::map<Key, Entry> plans_;
    std::uint64_t uses_ = 0;
};

Plans& plans() {
    static Plans all;
    return all;
}

/// The plan of a problem on a device.
seiche::Plan plan_of(const std::string& device, std::string_view text, std::string_view direction) {
    const Plans::Key key(device, text, direction);
    if (std::optional<seiche::Plan> known = plans().find(key)) return *std::move(known);
    const seiche::Problem problem = seiche::parse_problem(std::string(text));
    seiche::PlanOptions options;
    options.directions = direction == "forward" ? seiche::Directions::forward : seiche::Directions::inverse;
    return plans().keep(key, seiche::Plan(device_of(device), problem, options));
}

/// What both platforms do. `wrap` makes a buffer of an address.
template <typename Wrap>
void execute(const seiche::Plan& plan, seiche::Queue& queue, std::string_view direction, const ffi::AnyBuffer& input,
             ffi::AnyBuffer& output, void* workspace, const Wrap& wrap) {
    if (input.size_bytes() < plan.input_bytes() || output.size_bytes() < plan.output_bytes())
        throw seiche::InvalidProblem("array: expected the bytes of the problem, got fewer");
    seiche::Execution execution;
    execution.direction = direction == "forward" ? seiche::Direction::forward : seiche::Direction::inverse;
    execution.input = wrap(input.untyped_data(), plan.input_bytes());
    execution.output = wrap(output.untyped_data(), plan.output_bytes());
    if (workspace != nullptr) execution.workspace = wrap(workspace, plan.workspace_bytes());
    plan.execute(queue, execution);
}

ffi::Error failed(const std::exception& error) {
    return ffi::Error(ffi::ErrorCode::kInternal, std::string("seichefft: ") + error.what());
}

ffi::Error on_processor(ffi::AnyBuffer input, ffi::Result<ffi::AnyBuffer> output, std::string_view problem,
                        std::string_view direction) {
    try {
        const seiche::Plan plan = plan_of("cpu", problem, direction);
        const seiche::Device device = plan.device();
        seiche::Queue queue = device.create_queue();
        AlignedBytes workspace;
        if (const std::uint64_t bytes = plan.workspace_bytes(); bytes != 0)
            workspace.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment})));
        execute(plan, queue, direction, input, *output, workspace.get(), [&](void* address, std::uint64_t bytes) {
            return seiche::BufferView(seiche::cpu::buffer(device, address, bytes));
        });
        queue.wait();
    } catch (const std::exception& error) {
        return failed(error);
    }
    return ffi::Error::Success();
}

ffi::Error on_card(void* stream, std::int32_t ordinal, ffi::ScratchAllocator scratch, ffi::AnyBuffer input,
                   ffi::Result<ffi::AnyBuffer> output, std::string_view problem, std::string_view direction) {
    try {
        const seiche::Plan plan = plan_of("cuda:" + std::to_string(ordinal), problem, direction);
        const seiche::Device device = plan.device();
        seiche::Queue queue = seiche::cuda::untyped::queue(device, stream);
        void* workspace = nullptr;
        if (const std::uint64_t bytes = plan.workspace_bytes(); bytes != 0) {
            const std::optional<void*> memory = scratch.Allocate(bytes, scratch_alignment);
            if (!memory) throw std::runtime_error("workspace: XLA has no " + std::to_string(bytes) + " bytes left");
            workspace = *memory;
        }
        execute(plan, queue, direction, input, *output, workspace, [&](void* address, std::uint64_t bytes) {
            const auto number = reinterpret_cast<std::uintptr_t>(address);
            return seiche::BufferView(seiche::cuda::untyped::buffer(device, number, bytes));
        });
    } catch (const std::exception& error) {
        return failed(error);
    }
    return ffi::Error::Success();
}

}  // namespace

#if defined(_WIN32)
#define SEICHEFFT_EXPORT __declspec(dllexport)
#else
#define SEICHEFFT_EXPORT __attribute__((visibility("default")))
#endif
extern "C" SEICHEFFT_EXPORT XLA_FFI_Error* seichefft_xla_cpu(XLA_FFI_CallFrame* frame);
extern "C" SEICHEFFT_EXPORT XLA_FFI_Error* seichefft_xla_cuda(XLA_FFI_CallFrame* frame);
extern "C" SEICHEFFT_EXPORT std::size_t seichefft_xla_plans();

/// How many plans are kept now.
std::size_t seichefft_xla_plans() { return plans().count(); }

XLA_FFI_DEFINE_HANDLER_SYMBOL(seichefft_xla_cpu, on_processor,
                              ffi::Ffi::Bind()
                                  .Arg<ffi::AnyBuffer>()
                                  .Ret<ffi::AnyBuffer>()
                                  .Attr<std::string_view>("problem")
                                  .Attr<std::string_view>("direction"));
XLA_FFI_DEFINE_HANDLER_SYMBOL(seichefft_xla_cuda, on_card,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<void*>>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Ctx<ffi::ScratchAllocator>()
                                  .Arg<ffi::AnyBuffer>()
                                  .Ret<ffi::AnyBuffer>()
                                  .Attr<std::string_view>("problem")
                                  .Attr<std::string_view>("direction"));
