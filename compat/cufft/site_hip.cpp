// The card that hipGetDevice names, found through HIP's runtime, which is loaded when it is asked for.
#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "entry.hpp"
#include "seiche/interop/untyped.hpp"
#include "site.hpp"

namespace seiche::compat {

namespace {

using GetDevice = int (*)(int*);

GetDevice load_get_device() {
    // The program's own, whatever it is called; else what the library would load.
    if (void* const own = dlsym(RTLD_DEFAULT, "hipGetDevice")) return reinterpret_cast<GetDevice>(own);
    std::vector<std::string> names{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
                                   "/opt/rocm/lib/libamdhip64.so"};
    if (const std::string named = environment("SEICHE_HIP_LIBRARY"); !named.empty()) names = {named};
    for (const std::string& name : names)
        if (void* const library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL))
            if (void* const function = dlsym(library, "hipGetDevice")) return reinterpret_cast<GetDevice>(function);
    return nullptr;
}

int current_card() {
    static const GetDevice get_device = load_get_device();
    if (get_device == nullptr) throw Refused{setup_failed, "HIP's runtime (libamdhip64.so) was not found"};
    int ordinal = 0;
    if (const int code = get_device(&ordinal); code != 0)
        throw Refused{setup_failed, "hipGetDevice failed with code " + std::to_string(code)};
    return ordinal;
}

class HipSite final : public Site {
public:
    HipSite(Device device, int ordinal) : Site(std::move(device)), ordinal_(ordinal) {}

    int ordinal() const override { return ordinal_; }
    bool is_current() const override { return current_card() == ordinal_; }
    Queue queue(void* stream) const override { return hip::untyped::queue(device(), stream); }
    Buffer buffer(void* pointer, std::uint64_t bytes) const override {
        return hip::untyped::buffer(device(), pointer, bytes);
    }
    void finish(Queue&, void*, const Buffer&) const override {}
    Allocation allocate(std::uint64_t bytes) const override {
        auto buffer = std::make_shared<Buffer>(device().allocate(bytes));
        return {hip::untyped::address(*buffer), bytes, buffer};
    }

private:
    int ordinal_;
};

}  // namespace

std::shared_ptr<const Site> site_of_card(int ordinal) {
    if (const std::string name = setting("DEVICE"); !name.empty()) return host_site(name);
    static std::mutex mutex;
    static auto* const sites = new std::map<int, std::shared_ptr<const Site>>;  // never freed, as drivers go first
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Site>& site = (*sites)[ordinal];
    if (site) return site;
    try {
        site = std::make_shared<HipSite>(Device::open("hip:" + std::to_string(ordinal)), ordinal);
    } catch (const Error& error) {
        throw Refused{setup_failed, error.reason()};
    }
    return site;
}

std::shared_ptr<const Site> current_site() {
    if (const std::string name = setting("DEVICE"); !name.empty()) return host_site(name);
    return site_of_card(current_card());
}

}  // namespace seiche::compat
