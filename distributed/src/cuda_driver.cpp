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
