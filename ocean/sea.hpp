// Frames of the sea: waves and picture in one command buffer, recorded once and run for each frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ocean/waves.hpp"

namespace seiche::ocean {

/// Milliseconds of one frame on the device: transforms, and everything else from the spectra to the picture.
struct FrameTime {
    double transforms = 0, rest = 0;
};

/// Throws cli::Failure where frames or patches of these sizes are more than the device takes.
void check_fits(const Gpu& gpu, const Settings& settings);

class Sea {
public:
    /// Throws what Waves and Vulkan throw.
    Sea(const Gpu& gpu, const Settings& settings, const Algorithm& algorithm);

    /// The waves alone, for foam that is there already when the first frame comes.
    void advance(double seconds);
    /// Draws the sea at this time.
    FrameTime draw(double seconds);
    /// Of the last frame: height x width x 4 bytes, red, green, blue and 255.
    const std::uint8_t* pixels() const { return static_cast<const std::uint8_t*>(pixels_.mapped); }

    const Settings& settings() const { return settings_; }
    const std::vector<PatchOfWaves>& patches() const { return patches_; }
    const Waves& waves() const { return waves_; }

private:
    void make_picture();
    void bake_sky(const Image& sky);
    void record_frame(VkCommandBuffer commands) const;
    void set_time(double seconds);

    const Gpu& gpu_;
    Settings settings_;
    std::vector<PatchOfWaves> patches_;
    Scene scene_;
    Resources resources_;
    Buffer scene_buffer_;
    Waves waves_;
    VkQueryPool times_;
    Image colour_;
    Buffer pixels_, mesh_;
    std::uint32_t mesh_indices_ = 0;
    Picture picture_;
    BoundSet set_;
    VkPipeline sea_pipeline_ = VK_NULL_HANDLE, sky_pipeline_ = VK_NULL_HANDLE;
    VkCommandBuffer frame_ = nullptr, waves_alone_ = nullptr;
};

}  // namespace seiche::ocean
