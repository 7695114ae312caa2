// The sea in a window, frame after frame.
#pragma once

#include <cstdint>
#include <vector>

#include "ocean/sea.hpp"
#include "ocean/window.hpp"

namespace seiche::ocean {

struct Pace {
    std::uint32_t frames = 0;      ///< Ends after as many; 0: when the window is closed.
    double frames_per_second = 0;  ///< At most; 0: as fast as the display takes them.
};

struct Shown {
    std::vector<FrameTime> frames;  ///< What each took on the device.
    std::vector<double> seconds;    ///< From each to the next; of the last until it was done.
};

/// Shows the sea until the window is closed or its frames have been shown. The sea moves by the clock. Its first frame
/// is that of time 0. `sea` has its pictures on the device. Throws cli::Failure.
Shown show(const Gpu& gpu, Window& window, Sea& sea, const Pace& pace);

}  // namespace seiche::ocean
