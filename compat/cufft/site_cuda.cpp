// The card of the calling thread's CUDA context, found through the driver, which is loaded when it is asked for.
#include <dlfcn.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entry.hpp"
#include "seiche/interop/untyped.hpp"
#include "site.hpp"

namespace seiche::compat {

namespace {

using Context = void*;

struct Driver {
    int (*init)(unsigned) = nullptr;
    int (*current)(Context*) = nullptr;
    int (*set_current)(Context) = nullptr;
    int (*device_of_current)(int*) = nullptr;
    int (*device_get)(int*, int) = nullptr;
    int (*retain_primary)(Context*, int) = nullptr;
    int (*context_id)(Context, unsigned long long*) = nullptr;  // since CUDA 12
    bool is_there = false;
};

Driver load_driver() {
    Driver driver;
    void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return driver;
    const auto find = [library](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        return function != nullptr;
    };
    const bool has_all = find(driver.init, "cuInit") && find(driver.current, "cuCtxGetCurrent") &&
                         find(driver.set_current, "cuCtxSetCurrent") &&
                         find(driver.device_of_current, "cuCtxGetDevice") && find(driver.device_get, "cuDeviceGet") &&
                         find(driver.retain_primary, "cuDevicePrimaryCtxRetain");
    find(driver.context_id, "cuCtxGetId");
    driver.is_there = has_all && driver.init(0) == 0;
    return driver;
}

const Driver& driver() {
    static const Driver driver = load_driver();
    if (!driver.is_there) throw Refused{setup_failed, "the NVIDIA driver (libcuda.so.1) was not found, or has no card"};
    return driver;
}

class CudaSite final : public Site {
public:
    CudaSite(Device device, Context context, int ordinal)
        : Site(std::move(device)), context_(context), ordinal_(ordinal) {}

    int ordinal() const override { return ordinal_; }
    bool is_current() const override {
        Context context = nullptr;
        if (driver().current(&context) == 0 && context == context_) return true;
        int ordinal = 0;  // a thread without a context gets that of the first card, as CUDA's runtime has it
        if (context != nullptr && driver().device_of_current(&ordinal) != 0) return false;
        return ordinal == ordinal_;
    }
    Queue queue(void* stream) const override { return cuda::untyped::queue(device(), stream); }
    Buffer buffer(void* pointer, std::uint64_t bytes) const override {
        return cuda::untyped::buffer(device(), reinterpret_cast<std::uintptr_t>(pointer), bytes);
    }
    void finish(Queue&, void*, const Buffer&) const override {}
    Allocation allocate(std::uint64_t bytes) const override {
        auto buffer = std::make_shared<Buffer>(device().allocate(bytes));
        void* const pointer = reinterpret_cast<void*>(static_cast<std::uintptr_t>(cuda::untyped::address(*buffer)));
        return {pointer, bytes, buffer};
    }

private:
    Context context_;
    int ordinal_;
};

/// A new context may get the address of one that is gone, but never its number.
unsigned long long number_of(Context context) {
    unsigned long long id = 0;
    if (driver().context_id == nullptr || driver().context_id(context, &id) != 0) return 0;
    return id;
}

struct Known {
    unsigned long long number = 0;
    std::shared_ptr<const Site> site;
    std::vector<std::shared_ptr<const Site>> gone;  // of contexts that were here before: nothing of them can be freed
};

std::shared_ptr<const Site> site_of_context(Context context, int ordinal) {
    static std::mutex mutex;
    static auto* const sites = new std::map<Context, Known>;  // never freed: drivers may be gone before it would be
    const std::lock_guard lock(mutex);
    Known& known = (*sites)[context];
    const unsigned long long number = number_of(context);
    if (known.site && known.number == number) return known.site;
    if (known.site) known.gone.push_back(std::move(known.site));
    try {
        const Device device = cuda::untyped::device(context).with_tables(environment_tables());
        known.site = std::make_shared<CudaSite>(device, context, ordinal);
        known.number = number;
    } catch (const Error& error) {
        throw Refused{setup_failed, error.reason()};
    }
    return known.site;
}

/// The primary one of a card, as CUDA's runtime has it; that of the first a thread gets that has chosen none.
Context primary_context(int ordinal) {
    int device = 0;
    Context context = nullptr;
    if (driver().device_get(&device, ordinal) != 0 || driver().retain_primary(&context, device) != 0)
        throw Refused{invalid_device, "CUDA card " + std::to_string(ordinal) + " cannot be used"};
    return context;
}

}  // namespace

std::shared_ptr<const Site> site_of_card(int ordinal) {
    if (const std::string name = setting("DEVICE"); !name.empty()) return host_site(name);
    return site_of_context(primary_context(ordinal), ordinal);
}

std::shared_ptr<const Site> current_site() {
    if (const std::string name = setting("DEVICE"); !name.empty()) return host_site(name);
    Context context = nullptr;
    if (driver().current(&context) != 0) throw Refused{setup_failed, "the NVIDIA driver does not answer"};
    if (context == nullptr) {
        context = primary_context(0);
        if (driver().set_current(context) != 0)
            throw Refused{setup_failed, "the context of the first CUDA card cannot be used"};
    }
    int ordinal = 0;
    if (driver().device_of_current(&ordinal) != 0)
        throw Refused{setup_failed, "the current CUDA context cannot be used"};
    return site_of_context(context, ordinal);
}

}  // namespace seiche::compat
