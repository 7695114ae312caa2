// Your own Level Zero driver, context, device, command lists and memory, and plans recorded into your own command
// lists. No header of Level Zero is needed or included: every handle is a `void*`, which ze_..._handle_t converts to.
// Seiche takes nothing over: what you bring must outlive what is made from it.
#pragma once

#include <cstdint>

#include "seiche/convolution.hpp"
#include "seiche/device.hpp"
#include "seiche/plan.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::level_zero {

/// Your device. Nothing of it is ever destroyed.
struct NativeDevice {
    void* driver = nullptr;   ///< ze_driver_handle_t.
    void* context = nullptr;  ///< ze_context_handle_t, which memory, modules and events of Seiche's are made in.
    void* device = nullptr;   ///< ze_device_handle_t of that driver and in that context; a sub-device will do.
};

/// A device of Seiche's on yours. Throws InvalidProblem for a null handle, Unsupported for a device that cannot be
/// used, with the remedy.
Device device(const NativeDevice& native);

/// Work goes to your immediate command list (zeCommandListCreateImmediate), whose queue group computes; Level Zero lets
/// one thread at a time use it. Seiche puts a barrier before each command, and waits by an event of its own. Until its
/// work there has been waited for, whatever thread gives up a buffer, event or plan of the device appends to the list
/// and waits. Throws InvalidProblem for null.
Queue queue(const Device& device, void* command_list);

/// `bytes` bytes of device, shared or host memory of the device's context from `address` on, aligned to one complex
/// element. Throws InvalidProblem for null, and for memory that is not the context's.
Buffer buffer(const Device& device, void* address, std::uint64_t bytes);

/// Appends an execution to a command list that is being recorded, or to an immediate one; as often as you like, for the
/// arguments are taken down at once. Before each kernel and after the last there is a barrier, so that commands before
/// and after it in the list are in order with it. Plan, buffers and workspace must live until the commands have run for
/// the last time. Checks the arguments as Plan::execute does; where it throws, a part may have been appended. Throws
/// InvalidProblem for null and for what is of another device.
void record(const Plan& plan, const Execution& execution, void* command_list);
void record(const ConvolutionPlan& plan, const ConvolutionExecution& execution, void* command_list);

/// The native objects behind Seiche's own. Throw InvalidProblem for those of another backend.
void* context_handle(const Device& device);
void* device_handle(const Device& device);
void* command_list_handle(const Queue& queue);
void* address(const Buffer& buffer);

}  // namespace seiche::level_zero
SEICHE_EXPORT_END
