// A window on a display, by GLFW, which is loaded at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ocean/gpu.hpp"

namespace seiche::ocean {

/// Used by the main thread, one at a time.
class Window {
public:
    struct Size {
        std::uint32_t width = 0, height = 0;
        bool operator==(const Size&) const = default;
    };

    /// Throws cli::Failure where this program was built without windows, or where GLFW or a display is missing.
    Window(const std::string& title, Size size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    const Showing& showing() const;
    /// The caller destroys it before the instance.
    VkSurfaceKHR surface(const Gpu& gpu) const;
    /// In pixels; nothing while it is minimised.
    Size size() const;
    /// Until Esc or its button.
    bool is_open() const;
    void set_title(const std::string& title);
    /// Takes what the person did; at most `seconds` go by until somebody does something.
    void wait(double seconds);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace seiche::ocean
