// The caller's Level Zero objects as Seiche's, and executions recorded into the caller's command lists.
#include "seiche/interop/level_zero.hpp"

#include <string>

#include "runtime/level_zero/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::level_zero {

namespace {

using runtime::level_zero::api;
using runtime::level_zero::check;
using runtime::level_zero::LevelZeroBuffer;
using runtime::level_zero::LevelZeroDevice;
using runtime::level_zero::LevelZeroQueue;
using runtime::level_zero::Session;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr)
        throw InvalidProblem(std::string("level_zero interop: expected a ") + what + " of the Level Zero backend");
    if constexpr (std::is_base_of_v<runtime::OfProcess, Own>) native->expect_own_process(what);
    return *native;
}

/// Appends the launches of one execution to a list that somebody else runs.
class Recorder final : public runtime::Queue {
public:
    Recorder(std::shared_ptr<Session> session, runtime::level_zero::CommandList list)
        : session_(std::move(session)), list_(list) {}

    void upload(runtime::Buffer&, std::uint64_t, const void*, std::size_t) override { refuse(); }
    void download(void*, runtime::Buffer&, std::uint64_t, std::size_t) override { refuse(); }
    void copy(runtime::Buffer&, std::uint64_t, runtime::Buffer&, std::uint64_t, std::uint64_t) override { refuse(); }
    void launch(const runtime::Launch& launch) override {
        runtime::level_zero::append_launch(*session_, list_, launch);
    }
    void wait() override { refuse(); }
    std::shared_ptr<runtime::Event> record() override { refuse(); }
    double milliseconds(const runtime::Event&, const runtime::Event&) override { refuse(); }

private:
    [[noreturn]] static void refuse() { throw InternalError("level_zero interop: an execution does more than launch"); }

    std::shared_ptr<Session> session_;
    runtime::level_zero::CommandList list_;
};

template <class SomePlan, class SomeExecution>
void append(const SomePlan& plan, const SomeExecution& execution, void* command_list) {
    if (command_list == nullptr) throw InvalidProblem("level_zero interop: the command list is null");
    const auto list = static_cast<runtime::level_zero::CommandList>(command_list);
    Queue queue(runtime::make_owned<Recorder>(own<LevelZeroDevice>(plan.device(), "plan").session(), list));
    plan.execute(queue, execution);
    runtime::level_zero::append_barrier(list);
}

}  // namespace

Device device(const NativeDevice& native) {
    if (native.driver == nullptr || native.context == nullptr || native.device == nullptr)
        throw InvalidProblem("level_zero interop: expected a driver, a context and a device, got null");
    return Device(runtime::level_zero::adopt(static_cast<runtime::level_zero::Driver>(native.driver),
                                             static_cast<runtime::level_zero::Context>(native.context),
                                             static_cast<runtime::level_zero::DeviceHandle>(native.device)));
}

Queue queue(const Device& device, void* command_list) {
    const auto& session = own<LevelZeroDevice>(device, "device").session();
    if (command_list == nullptr) throw InvalidProblem("level_zero interop: the command list is null");
    const auto list = static_cast<runtime::level_zero::CommandList>(command_list);
    return Queue(runtime::make_owned<LevelZeroQueue>(session, list, false));
}

Buffer buffer(const Device& device, void* address, std::uint64_t bytes) {
    const auto& session = own<LevelZeroDevice>(device, "device").session();
    if (address == nullptr) throw InvalidProblem("level_zero interop: the buffer's address is null");
    runtime::level_zero::AllocationProperties properties;
    check(api().zeMemGetAllocProperties(session->context(), address, &properties, nullptr), "zeMemGetAllocProperties");
    if (properties.type == runtime::level_zero::memory_unknown)
        throw InvalidProblem(
            "level_zero interop: the buffer's address is of no allocation of the device's context: expected memory of "
            "zeMemAllocDevice, zeMemAllocShared or zeMemAllocHost");
    return Buffer(runtime::make_owned<LevelZeroBuffer>(session, address, bytes, false));
}

void record(const Plan& plan, const Execution& execution, void* command_list) { append(plan, execution, command_list); }
void record(const ConvolutionPlan& plan, const ConvolutionExecution& execution, void* command_list) {
    append(plan, execution, command_list);
}

void* context_handle(const Device& device) { return own<LevelZeroDevice>(device, "device").session()->context(); }
void* device_handle(const Device& device) { return own<LevelZeroDevice>(device, "device").session()->device(); }
void* command_list_handle(const Queue& queue) { return own<LevelZeroQueue>(queue, "queue").handle(); }
void* address(const Buffer& buffer) { return own<LevelZeroBuffer>(buffer, "buffer").address(); }

}  // namespace seiche::level_zero
