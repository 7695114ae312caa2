// OpenGL devices: finding them without a display, and what planning needs to know of each.
#include "runtime/opengl/device.hpp"

#include <algorithm>
#include <mutex>

#include "runtime/opengl/module.hpp"
#include "runtime/opengl/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opengl {

namespace {

constexpr const char* remedy =
    "install a driver; on Debian and Ubuntu `apt install libegl1 libgl1-mesa-dri` runs on any CPU";
constexpr Int most_displays = 16;

DeviceInfo absent(const std::string& problem, const std::string& way_out) {
    DeviceInfo info;
    info.name = "opengl";
    info.backend = Backend::opengl;
    info.problem = problem;
    info.remedy = way_out;
    return info;
}

/// A display whose contexts need neither a surface nor a configuration; null: this is none, and `why` says why.
Display usable(Display display, std::string& why) {
    Int major = 0, minor = 0;
    const auto refused = [&](const char* call) {
        why = std::string(call) + " failed with " + egl_error_name(egl().eglGetError());
        return nullptr;
    };
    if (display == nullptr) return refused("eglGetDisplay");
    if (egl().eglInitialize(display, &major, &minor) == 0) return refused("eglInitialize");
    const char* extensions = egl().eglQueryString(display, egl_extensions);
    if (extensions == nullptr) return refused("eglQueryString");
    const bool headless =
        lists(extensions, "EGL_KHR_surfaceless_context") &&
        (lists(extensions, "EGL_KHR_no_config_context") || lists(extensions, "EGL_MESA_configless_context"));
    if (!headless) why = "its contexts want a surface";
    return headless ? display : nullptr;
}

/// One for each card, else the one without a window system, else the default. They are never terminated: others in this
/// process may use the same.
std::vector<Display> find_displays(std::string& why) {
    std::vector<Display> found;
    const auto add = [&](Display display) {
        if (usable(display, why) != nullptr && std::find(found.begin(), found.end(), display) == found.end())
            found.push_back(display);
    };
    const char* extensions = egl().eglQueryString(nullptr, egl_extensions);
    const bool by_platform = egl().eglGetPlatformDisplayEXT != nullptr;
    if (by_platform && egl().eglQueryDevicesEXT != nullptr && lists(extensions, "EGL_EXT_platform_device")) {
        EglDevice devices[most_displays];
        Int count = 0;
        if (egl().eglQueryDevicesEXT(most_displays, devices, &count) != 0)
            for (Int i = 0; i < count; ++i)
                add(egl().eglGetPlatformDisplayEXT(egl_platform_device, devices[i], nullptr));
    }
    if (found.empty() && by_platform && lists(extensions, "EGL_MESA_platform_surfaceless"))
        add(egl().eglGetPlatformDisplayEXT(egl_platform_surfaceless, nullptr, nullptr));
    if (found.empty()) add(egl().eglGetDisplay(nullptr));
    egl().eglGetError();
    return found;
}

struct Found {
    Display display;
    bool es;
    DeviceInfo info;
};

struct List {
    std::vector<Found> found;
    std::string why_none;  ///< The last reason against one, as long as there is none.
};

std::string version_text(const Facts& facts) {
    return std::string(facts.es ? "OpenGL ES " : "OpenGL ") + std::to_string(facts.major) + "." +
           std::to_string(facts.minor);
}

/// Lists once in a process: making contexts takes a while, and cards do not come and go.
const List& all_found() {
    static const List* const all = [] {
        auto* list = new List;
        std::vector<Found>* const found = &list->found;
        for (Display display : find_displays(list->why_none))
            for (const bool es : {false, true}) {
                try {
                    const Session session(display, es);
                    DeviceInfo info = describe(session.facts);
                    info.name = "opengl:" + std::to_string(found->size());
                    found->push_back({display, es, info});
                } catch (const Error& error) {  // this display has not both
                    list->why_none = error.what();
                }
            }
        // Drivers on the CPU behind the cards.
        std::stable_sort(found->begin(), found->end(),
                         [](const Found& a, const Found& b) { return a.info.is_gpu && !b.info.is_gpu; });
        for (std::size_t i = 0; i < found->size(); ++i) (*found)[i].info.name = "opengl:" + std::to_string(i);
        return list;
    }();
    return *all;
}

/// "llvmpipe (LLVM 15.0.6, 256 bits)" has registers of 8 floats.
std::uint32_t lanes_of(const Facts& facts) {
    const std::size_t bits = facts.renderer.find(" bits");
    if (!facts.is_software || bits == std::string::npos) return facts.is_software ? 4 : 32;
    const std::size_t space = facts.renderer.rfind(' ', bits - 1);
    std::uint32_t number = 0;
    for (std::size_t at = space + 1; at < bits; ++at) {
        const char digit = facts.renderer[at];
        if (digit < '0' || digit > '9') return 4;
        number = 10 * number + static_cast<std::uint32_t>(digit - '0');
    }
    return std::clamp(number / 32, 1u, 64u);
}

/// OpenGL itself has no question for it.
std::uint32_t units_of(const Facts& facts) {
    if (facts.is_software) return 1;
    return facts.compute_units > 0 ? static_cast<std::uint32_t>(facts.compute_units) : 32;
}

DeviceLimits limits_of(const Facts& facts) {
    constexpr std::uint64_t most_bytes = (std::uint64_t{1} << 31) - 1;
    DeviceLimits limits;
    limits.architecture = facts.renderer;
    limits.subgroup_size = lanes_of(facts);
    limits.max_group_size = static_cast<std::uint32_t>(std::min(facts.group_invocations, facts.group_size));
    limits.shared_bytes = limits.shared_bytes_per_unit = static_cast<std::uint32_t>(facts.shared_bytes);
    limits.registers_per_thread = 128;  // OpenGL does not say; what nearly every GPU has without spilling
    limits.compute_units = units_of(facts);
    if (facts.memory_bytes != 0) limits.memory_bytes = facts.memory_bytes;
    // A binding reaches no further than a block may, a buffer as far as drivers count.
    limits.max_allocation_bytes = most_bytes;
    // It begins at a multiple of the alignment before the array, or of the widest element, and must reach its end.
    constexpr std::int64_t widest_element = 16;
    const std::int64_t ahead = std::max<std::int64_t>(facts.storage_alignment, widest_element);
    limits.max_buffer_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(facts.storage_block_bytes - ahead, 0));
    limits.fp64 = !facts.es;
    // OpenGL promises no single rounding of an fma; on the CPU it is two operations, elsewhere a plan tries it.
    limits.fast_fma = !facts.es && !facts.is_software;
    limits.exact_fp64 = limits.fp64 && limits.fast_fma;
    limits.fp16_storage = true;
    limits.bounds_registers = false;
    limits.waits_for_groups = !facts.is_software;  // llvmpipe ends loops after 65535 rounds
    return limits;
}

}  // namespace

DeviceInfo describe(const Facts& facts) {
    DeviceInfo info;
    info.backend = Backend::opengl;
    info.description = facts.renderer;
    info.driver = facts.version.rfind("OpenGL", 0) == 0 ? facts.version : "OpenGL " + facts.version;
    info.is_gpu = !facts.is_software;
    info.available = facts.has_compute;
    if (!info.available) {
        info.problem = "its driver knows " + version_text(facts) + ", expected OpenGL 4.3 or OpenGL ES 3.1";
        info.remedy = "install a newer driver of this device";
        return info;
    }
    info.limits = limits_of(facts);
    return info;
}

std::vector<DeviceInfo> list() {
    if (!egl().problem.empty()) return {absent(egl().problem, egl().remedy)};
    static std::mutex mutex;  // drivers load; some do not like two threads then
    const std::lock_guard lock(mutex);
    std::vector<DeviceInfo> infos;
    for (const Found& found : all_found().found) infos.push_back(found.info);
    if (infos.empty())
        infos.push_back(absent("EGL is here, but no driver offers OpenGL 4.3 or OpenGL ES 3.1 without a window (" +
                                   all_found().why_none + ")",
                               remedy));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    for (const Found& found : all_found().found)
        if (found.info.name == info.name)
            return make_owned<OpenglDevice>(make_owned<Session>(found.display, found.es), info);
    throw Unsupported("opengl: there is no device " + info.name + " any more");
}

OpenglDevice::OpenglDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)), info_(std::move(info)) {}

emit::Target OpenglDevice::target() const {
    emit::Target target;
    target.dialect = session_->facts.es ? emit::Dialect::glsl_es : emit::Dialect::glsl;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    return target;
}

std::string OpenglDevice::compiler_version() const {
    return session_->facts.vendor + ", " + session_->facts.renderer + ", " + session_->facts.version;
}

Binary OpenglDevice::compile(const emit::Source& source) { return compile_program(session_, source); }

std::shared_ptr<Module> OpenglDevice::load(const emit::Source& source, const Binary& binary) {
    return load_program(session_, source, binary);
}

std::shared_ptr<Module> OpenglDevice::build(const emit::Source& source) { return build_program(session_, source); }

std::shared_ptr<Buffer> OpenglDevice::allocate(std::uint64_t bytes) {
    if (bytes > info_.limits.max_allocation_bytes)
        throw BackendError("opengl: a buffer of " + std::to_string(bytes) + " bytes, expected at most " +
                           std::to_string(info_.limits.max_allocation_bytes) + " on " + info_.name);
    return allocate_buffer(session_, bytes);
}

std::shared_ptr<Image> OpenglDevice::allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) {
    return make_owned<OpenglImage>(session_, format, width, height);
}

std::shared_ptr<Queue> OpenglDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::opengl
