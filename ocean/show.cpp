// The sea in a window, frame after frame.
#include "ocean/show.hpp"

#include <algorithm>

#include "cli/command/report.hpp"
#include "cli/text/text.hpp"
#include "ocean/screen.hpp"

namespace seiche::ocean {

namespace {

/// A title that tells, once a second, what frames take.
class Title {
public:
    Title(Window& window, const Gpu& gpu) : window_(window), has_times_(gpu.has_timestamps()) {}

    void frame_at(double now, const FrameTime& time) {
        ++frames_;
        if (now - since_ < 1) return;
        const std::string times = has_times_ ? ", transforms " + cli::fixed(time.transforms, 3) + " ms, rest " +
                                                   cli::fixed(time.rest, 3) + " ms"
                                             : "";
        window_.set_title("seiche ocean: " + cli::fixed(frames_ / (now - since_), 1) + " frames/s" + times);
        since_ = now, frames_ = 0;
    }

private:
    Window& window_;
    bool has_times_;
    double since_ = cli::now_seconds(), frames_ = 0;
};

/// Makes screen and picture for a window of this size; the picture has no less and no more pixels than frames may have.
void fit(const Gpu& gpu, Screen& screen, Sea& sea, Window::Size window) {
    const VkPhysicalDeviceLimits& limits = gpu.properties().limits;
    const auto within = [&](std::uint32_t pixels, std::uint32_t most) {
        return std::clamp(pixels, least_pixels, std::min({most, limits.maxImageDimension2D, most_pixels}));
    };
    const Window::Size picture{within(window.width, limits.maxFramebufferWidth),
                               within(window.height, limits.maxFramebufferHeight)};
    if (picture != Window::Size{sea.settings().width, sea.settings().height}) sea.resize(picture.width, picture.height);
    screen.fit(sea.picture());
}

}  // namespace

Shown show(const Gpu& gpu, Window& window, Sea& sea, const Pace& pace) {
    Screen screen(gpu, window.surface(gpu));
    Title title(window, gpu);
    Shown shown;
    Window::Size fitted;
    bool has_asked_again = false;
    double first = 0, last = 0;
    const double interval = pace.frames_per_second > 0 ? 1 / pace.frames_per_second : 0;
    while (pace.frames == 0 || shown.frames.size() < pace.frames) {
        window.wait(0);
        if (!window.is_open()) break;
        const Window::Size size = window.size();
        if (size.width == 0 || size.height == 0) {
            window.wait(1);
            continue;
        }
        if (size != fitted) {
            fit(gpu, screen, sea, size);
            // The window may be of another size by now, which it tells with its next events: none of its frames is a
            // picture of the old size, stretched.
            const bool has_changed = Window::Size{screen.extent().width, screen.extent().height} != size;
            if (has_changed && !has_asked_again) {
                has_asked_again = true;
                fitted = {};
                continue;
            }
        }
        has_asked_again = false;
        fitted = size;
        const double now = cli::now_seconds();
        if (shown.frames.empty()) first = now, last = now - 1 / sea.settings().frames_per_second;
        sea.set_time(now - first, now - last);
        const Screen::Shown result = screen.show(sea.frame());
        if (!result.fits) fitted = {};
        if (!result.is_drawn) continue;
        last = now;
        shown.frames.push_back(sea.time_of_frame());
        title.frame_at(now, shown.frames.back());
        // What is done to the window may be a new size, which is drawn at once.
        while (window.is_open() && window.size() == size && cli::now_seconds() < now + interval)
            window.wait(now + interval - cli::now_seconds());
        shown.seconds.push_back(cli::now_seconds() - now);
    }
    return shown;
}

}  // namespace seiche::ocean
