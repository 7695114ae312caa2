// What exchanges need of CUDA's driver beyond Seiche's interop: events, access between cards, and memory of other
// processes. Loaded at run time and declared here, as the CUDA driver API 12.0 has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "seiche/device.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed::cuda_driver {

using Result = int;
using Address = std::uint64_t;
using Context = struct ContextTag*;
using Event = struct EventTag*;

/// What other processes open memory and events by; passed by value.
struct IpcHandle {
    char bytes[64] = {};
};

/// CUDA_MEMCPY3D_PEER, of device memory alone.
struct Copy3d {
    std::size_t source_x = 0, source_y = 0, source_z = 0, source_lod = 0;
    std::uint32_t source_type = 2;
    const void* source_host = nullptr;
    Address source = 0;
    void* source_array = nullptr;
    Context source_context = nullptr;
    std::size_t source_pitch = 0, source_height = 0;
    std::size_t target_x = 0, target_y = 0, target_z = 0, target_lod = 0;
    std::uint32_t target_type = 2;
    void* target_host = nullptr;
    Address target = 0;
    void* target_array = nullptr;
    Context target_context = nullptr;
    std::size_t target_pitch = 0, target_height = 0;
    std::size_t bytes = 0, rows = 1, slices = 1;
};

inline constexpr std::uint32_t event_without_time = 2, event_between_processes = 4, ipc_enables_peer_access = 1;
inline constexpr Result success = 0, access_is_enabled = 704;

// member, exported name, parameters; every one gives a Result
#define SEICHE_PEER_SYMBOLS(X)                                                     \
    X(error_name, "cuGetErrorName", (Result, const char**))                        \
    X(push_context, "cuCtxPushCurrent_v2", (Context))                              \
    X(pop_context, "cuCtxPopCurrent_v2", (Context*))                               \
    X(device_of_context, "cuCtxGetDevice", (int*))                                 \
    X(can_access_peer, "cuDeviceCanAccessPeer", (int*, int, int))                  \
    X(enable_peer_access, "cuCtxEnablePeerAccess", (Context, std::uint32_t))       \
    X(create_event, "cuEventCreate", (Event*, std::uint32_t))                      \
    X(destroy_event, "cuEventDestroy_v2", (Event))                                 \
    X(copy_rows, "cuMemcpy3DPeerAsync", (const Copy3d*, void*))                    \
    X(address_range, "cuMemGetAddressRange_v2", (Address*, std::size_t*, Address)) \
    X(share_memory, "cuIpcGetMemHandle", (IpcHandle*, Address))                    \
    X(open_memory, "cuIpcOpenMemHandle_v2", (Address*, IpcHandle, std::uint32_t))  \
    X(close_memory, "cuIpcCloseMemHandle", (Address))                              \
    X(share_event, "cuIpcGetEventHandle", (IpcHandle*, Event))                     \
    X(open_event, "cuIpcOpenEventHandle", (Event*, IpcHandle))

struct Driver {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define SEICHE_DECLARE(name, exported, parameters) Result(*name) parameters = nullptr;
    SEICHE_PEER_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    std::string problem;  ///< Why it cannot be used; empty if it can.
};

/// Loaded once. Seiche's core has started it where a device of CUDA is open.
const Driver& driver();

/// Copies of shorter rows move fewer bytes in a time than a kernel that packs them.
inline constexpr std::uint64_t shortest_fast_row = 512;

/// Bytes in rows between any two contexts, in the queue.
void copy_rows(Queue& queue, const Device& to_device, const BufferView& to, const Device& from_device,
               const BufferView& from, const Rows& rows);

/// Throws BackendError naming the call and the driver's error, unless `code` is success.
void check(Result code, const char* call);

Context context_of(const Device& device);

/// Makes a context current on this thread while it lives.
class Current {
public:
    explicit Current(Context context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
};

/// The number of the card that a device's context belongs to.
int card_of(const Device& device);

}  // namespace seiche::distributed::cuda_driver
