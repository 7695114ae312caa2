// The transforms of frames once more, through OpenGL on pairs of images, as the text mota2022 has them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ocean/scene.hpp"
#include "ocean/waves.hpp"

namespace seiche::ocean {

struct OpenglTimes {
    std::string device;                ///< "opengl:0 (the driver's own name)".
    std::vector<double> milliseconds;  ///< Of each frame's transforms, on the device.
    /// Of OpenGL's fields from Vulkan's: relative L2, the largest of any transform of any frame.
    double difference = 0;
    double wave_height = 0;
};

/// Makes the spectra of frames in Vulkan, as drawing does, and transforms them in Vulkan by the planner's own choice,
/// and in OpenGL, on images of rg32f, by a recipe: on the card of the same name, if OpenGL has one, else on its first.
/// `at` is called after each frame with its number. Throws Unsupported where there is no OpenGL or the recipe cannot,
/// cli::Failure where the fields differ by more than both ways may err.
OpenglTimes time_on_opengl(const Gpu& gpu, const Settings& settings, const std::string& recipe, std::uint32_t frames,
                           const std::function<void(std::uint32_t)>& at);

}  // namespace seiche::ocean
