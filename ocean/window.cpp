// A window on a display, by GLFW, which is loaded at run time.
#include "ocean/window.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <type_traits>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "cli/system/environment.hpp"
#include "cli/text/failure.hpp"

namespace seiche::ocean {

namespace {

#define SEICHE_OCEAN_GLFW(take)          \
    take(Init);                          \
    take(Terminate);                     \
    take(GetError);                      \
    take(GetRequiredInstanceExtensions); \
    take(GetInstanceProcAddress);        \
    take(CreateWindowSurface);           \
    take(WindowHint);                    \
    take(CreateWindow);                  \
    take(DestroyWindow);                 \
    take(WindowShouldClose);             \
    take(SetWindowShouldClose);          \
    take(SetWindowTitle);                \
    take(GetFramebufferSize);            \
    take(SetInputMode);                  \
    take(GetKey);                        \
    take(WaitEventsTimeout);             \
    take(PollEvents);                    \
    take(GetPhysicalDevicePresentationSupport)

struct Glfw {
#define SEICHE_OCEAN_TAKE(name) decltype(&glfw##name) name = nullptr
    SEICHE_OCEAN_GLFW(SEICHE_OCEAN_TAKE);
#undef SEICHE_OCEAN_TAKE
};

Glfw load() {
    const std::string named = cli::environment("SEICHE_GLFW_LIBRARY");
    void* library = nullptr;
    for (const char* file : {"libglfw.so.3", "libglfw.so", "libglfw.3.dylib"})
        if (library == nullptr) library = dlopen(named.empty() ? file : named.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw cli::Failure(
            "--window: GLFW was not found: expected libglfw.so.3 (on Debian and Ubuntu the package libglfw3), or one "
            "that SEICHE_GLFW_LIBRARY names");
    Glfw glfw;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (function == nullptr) throw cli::Failure(std::string("--window: GLFW has no ") + name + ", expected 3.2");
    };
#define SEICHE_OCEAN_TAKE(name) take(glfw.name, "glfw" #name)
    SEICHE_OCEAN_GLFW(SEICHE_OCEAN_TAKE);
#undef SEICHE_OCEAN_TAKE
    return glfw;
}

std::string last_error(const Glfw& glfw) {
    const char* text = nullptr;
    glfw.GetError(&text);
    return text != nullptr ? text : "no reason given";
}

}  // namespace

struct Window::Parts {
    Glfw glfw = load();
    bool is_started = false;
    GLFWwindow* window = nullptr;
    Showing showing;

    void start();
    void open(const std::string& title, Size size);
    Parts() = default;
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts() {
        if (window != nullptr) glfw.DestroyWindow(window);
        if (is_started) glfw.Terminate();
    }
};

void Window::Parts::start() {
    if (glfw.Init() == GLFW_FALSE)
        throw cli::Failure(
            "--window: no display to open a window on: expected one that $DISPLAY or $WAYLAND_DISPLAY "
            "names, got \"" +
            last_error(glfw) + "\" from GLFW. -o FOLDER writes frames without one");
    is_started = true;
    std::uint32_t count = 0;
    const char** extensions = glfw.GetRequiredInstanceExtensions(&count);
    if (extensions == nullptr)
        throw cli::Failure("--window: expected a Vulkan loader and driver that show pictures on this display, got \"" +
                           last_error(glfw) + "\" from GLFW");
    showing.extensions.assign(extensions, extensions + count);
    showing.can_show = [this](VkInstance instance, VkPhysicalDevice device, std::uint32_t family) {
        return glfw.GetPhysicalDevicePresentationSupport(instance, device, family) == GLFW_TRUE;
    };
}

void Window::Parts::open(const std::string& title, Size size) {
    glfw.WindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    window =
        glfw.CreateWindow(static_cast<int>(size.width), static_cast<int>(size.height), title.c_str(), nullptr, nullptr);
    if (window == nullptr)
        throw cli::Failure("--window: the display opened no window: GLFW says \"" + last_error(glfw) + "\"");
    glfw.SetInputMode(window, GLFW_STICKY_KEYS, GLFW_TRUE);  // a short press between two looks counts too
}

Window::Window(const std::string& title, Size size) : parts_(std::make_unique<Parts>()) {
    parts_->start();
    parts_->open(title, size);
}

Window::~Window() = default;

const Showing& Window::showing() const { return parts_->showing; }

VkSurfaceKHR Window::surface(const Gpu& gpu) const {
    const Glfw& glfw = parts_->glfw;
    // GLFW loads the loader by itself. Handles of one mean nothing to another.
    if (reinterpret_cast<void*>(glfw.GetInstanceProcAddress(nullptr, "vkCreateInstance")) !=
        reinterpret_cast<void*>(gpu.vk().CreateInstance))
        throw cli::Failure(
            "--window: expected the Vulkan loader that GLFW uses, got another: unset "
            "SEICHE_VULKAN_LIBRARY");
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    check(glfw.CreateWindowSurface(gpu.instance(), parts_->window, nullptr, &surface), "CreateSurfaceKHR");
    return surface;
}

Window::Size Window::size() const {
    int width = 0, height = 0;
    parts_->glfw.GetFramebufferSize(parts_->window, &width, &height);
    return {static_cast<std::uint32_t>(std::max(width, 0)), static_cast<std::uint32_t>(std::max(height, 0))};
}

bool Window::is_open() const { return parts_->glfw.WindowShouldClose(parts_->window) == GLFW_FALSE; }

void Window::set_title(const std::string& title) { parts_->glfw.SetWindowTitle(parts_->window, title.c_str()); }

void Window::wait(double seconds) {
    if (seconds > 0)
        parts_->glfw.WaitEventsTimeout(seconds);
    else
        parts_->glfw.PollEvents();
    if (parts_->glfw.GetKey(parts_->window, GLFW_KEY_ESCAPE) == GLFW_PRESS)
        parts_->glfw.SetWindowShouldClose(parts_->window, GLFW_TRUE);
}

}  // namespace seiche::ocean
