#include "cuda_driver.hpp"

#include "loaded_library.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::distributed::cuda_driver {

namespace {

Driver load() {
    Driver driver;
    LoadedLibrary library({"libcuda.so.1", "libcuda.so"});
#define SEICHE_TAKE(name, exported, parameters) library.find(driver.name, exported);
    SEICHE_PEER_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    driver.problem = library.problem();
    return driver;
}

}  // namespace

const Driver& driver() {
    static const Driver* const loaded = new Driver(load());  // never destroyed: events that end later call through it
    return *loaded;
}

void check(Result code, const char* call) {
    if (code == success) return;
    const char* name = nullptr;
    driver().error_name(code, &name);
    throw BackendError("cuda: " + std::string(call) + " failed with " +
                       (name == nullptr ? "code " + std::to_string(code) : name));
}

void copy_rows(Queue& queue, const Device& to_device, const BufferView& to, const Device& from_device,
               const BufferView& from, const Rows& rows) {
    if (rows.rows == 1 && rows.slices == 1) {
        queue.copy({to.buffer, to.byte_offset + rows.to}, {from.buffer, from.byte_offset + rows.from}, rows.bytes);
        return;
    }
    Copy3d copy;
    copy.source = cuda::untyped::address(from.buffer) + from.byte_offset + rows.from;
    copy.target = cuda::untyped::address(to.buffer) + to.byte_offset + rows.to;
    copy.source_context = context_of(from_device);
    copy.target_context = context_of(to_device);
    // A slice is a whole number of rows further on, as everywhere in a dense array.
    copy.source_pitch = rows.from_row;
    copy.target_pitch = rows.to_row;
    copy.source_height = rows.slices > 1 ? rows.from_slice / copy.source_pitch : rows.rows;
    copy.target_height = rows.slices > 1 ? rows.to_slice / copy.target_pitch : rows.rows;
    copy.bytes = rows.bytes;
    copy.rows = rows.rows;
    copy.slices = rows.slices;
    const Current current(copy.target_context);
    check(driver().copy_rows(&copy, cuda::untyped::stream(queue)), "cuMemcpy3DPeerAsync");
}

Context context_of(const Device& device) { return static_cast<Context>(cuda::untyped::context(device)); }

Current::Current(Context context) { check(driver().push_context(context), "cuCtxPushCurrent"); }

Current::~Current() {
    Context popped = nullptr;
    driver().pop_context(&popped);
}

int card_of(const Device& device) {
    const Current current(context_of(device));
    int card = 0;
    check(driver().device_of_context(&card), "cuCtxGetDevice");
    return card;
}

}  // namespace seiche::distributed::cuda_driver
