// The caller's HIP objects as Seiche's, and the other way round. Declared, with the vendor's types, in
// seiche/interop/hip.hpp.
#include "runtime/hip/device.hpp"
#include "runtime/hip/queue.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::hip::untyped {

namespace {

using runtime::hip::HipBuffer;
using runtime::hip::HipDevice;
using runtime::hip::HipQueue;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr) throw InvalidProblem(std::string("hip interop: expected a ") + what + " of the HIP backend");
    if constexpr (std::is_base_of_v<runtime::OfProcess, Own>) native->expect_own_process(what);
    return *native;
}

}  // namespace

Queue queue(const Device& device, void* stream) {
    const int ordinal = own<HipDevice>(device, "device").ordinal();
    return Queue(runtime::make_owned<HipQueue>(ordinal, static_cast<runtime::hip::Stream>(stream), false));
}

Buffer buffer(const Device& device, void* address, std::uint64_t bytes) {
    const int ordinal = own<HipDevice>(device, "device").ordinal();
    if (address == nullptr && bytes != 0) throw InvalidProblem("hip interop: the buffer's address is null");
    return Buffer(runtime::make_owned<HipBuffer>(ordinal, address, bytes, false));
}

void wait_for(Queue& queue, void* event) {
    if (event == nullptr) throw InvalidProblem("hip interop: the event to wait for is null");
    own<HipQueue>(queue, "queue").wait_for(static_cast<runtime::hip::EventHandle>(event));
}

void record(Queue& queue, void* event) {
    if (event == nullptr) throw InvalidProblem("hip interop: the event to record is null");
    own<HipQueue>(queue, "queue").record(static_cast<runtime::hip::EventHandle>(event));
}

int ordinal(const Device& device) { return own<HipDevice>(device, "device").ordinal(); }
void* stream(const Queue& queue) { return own<HipQueue>(queue, "queue").handle(); }
void* address(const Buffer& buffer) { return own<HipBuffer>(buffer, "buffer").address(); }

}  // namespace seiche::hip::untyped
