// What is to be seen: the sea's settings, and the camera, sun and patches as the shaders know them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ocean/spectrum.hpp"

namespace seiche::ocean {

constexpr int most_patches = 3;
constexpr std::uint32_t least_pixels = 16, most_pixels = 8192;  ///< Of a side of a picture.

struct Settings {
    SpectrumKind spectrum = SpectrumKind::jonswap;
    Wind wind{12, 1.15, 300'000};
    std::uint32_t size = 512;  ///< Points of a side of a patch; even, 16 to 4096.
    std::uint32_t patches_wanted = most_patches;
    double choppiness = 1.0;
    std::uint64_t seed = 1;
    std::uint32_t width = 1280, height = 720;
    double frames_per_second = 30;
};

/// A patch with its waves.
struct PatchOfWaves {
    Patch patch;
    std::vector<Amplitude> amplitudes;
    double height_variance = 0;  ///< m^2, as drawn, on the average of all times.
    double slope_variance = 0;   ///< Of both slopes together; also that of the divergence of displacement.
};
std::vector<PatchOfWaves> make_waves(const Settings& settings);

/// Four times the standard deviation of the height: about the mean of the highest third of the waves, in m.
double significant_height(const std::vector<PatchOfWaves>& waves);

using Vector = std::array<float, 4>;

/// The uniform block of shaders/scene.glsl.
struct Scene {
    std::array<float, 16> to_clip{};
    Vector camera{}, right{}, up{}, ahead{}, sun{}, grid{}, sea{}, foam{};
    std::array<Vector, most_patches> patches{};
    Vector steepness{};
};
static_assert(sizeof(Scene) == 64 + 12 * 16);

/// The scene at time 0.
Scene make_scene(const Settings& settings, const std::vector<PatchOfWaves>& waves);

/// What is left of foam after this time.
float foam_left(double seconds);

/// The line of the picture, counted from its top, where the still sea ends.
double horizon_line(const Settings& settings);

}  // namespace seiche::ocean
