// For a program that was built without GLFW's header: no window opens.
#include "cli/text/failure.hpp"
#include "ocean/window.hpp"

namespace seiche::ocean {

struct Window::Parts {
    Showing showing;
};

Window::Window(const std::string&, Size) {
    throw cli::Failure(
        "--window: this seiche-ocean has no windows: expected GLFW's header (libglfw3-dev) where it was built, got "
        "none. -o FOLDER writes frames");
}
Window::~Window() = default;
const Showing& Window::showing() const { return parts_->showing; }
VkSurfaceKHR Window::surface(const Gpu&) const { return VK_NULL_HANDLE; }
Window::Size Window::size() const { return {}; }
bool Window::is_open() const { return false; }
void Window::set_title(const std::string&) {}
void Window::wait(double) {}

}  // namespace seiche::ocean
