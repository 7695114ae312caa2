// Frames of the sea: waves and picture in one command buffer, recorded once and run for each frame.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ocean/waves.hpp"

namespace seiche::ocean {

/// Milliseconds of one frame on the device: transforms, and everything else from the spectra to the picture.
struct FrameTime {
    double transforms = 0, rest = 0;
};

/// Where pictures are wanted: in memory that the host reads, or only as an image of the device.
enum class PicturesIn { host, device };

/// Throws cli::Failure where frames or patches of these sizes are more than the device takes.
void check_fits(const Gpu& gpu, const Settings& settings);

class Sea {
public:
    /// Throws what Waves and Vulkan throw.
    Sea(const Gpu& gpu, const Settings& settings, const Algorithm& algorithm, PicturesIn pictures = PicturesIn::host);

    /// The waves alone, for foam that is there already when the first frame comes.
    void advance(double seconds);
    /// What is transformed at this time (see Waves::fields for the order).
    std::vector<std::complex<float>> spectra(double seconds);
    /// Draws the sea at this time.
    FrameTime draw(double seconds);
    /// What draw does, in steps, for one who runs the commands: the time, and how long ago the frame before was; the
    /// commands; how long they took, once they have ended.
    void set_time(double seconds, double since_last);
    VkCommandBuffer frame() const { return frame_; }
    FrameTime time_of_frame() const;
    /// The picture that the commands leave, to be copied from, in VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL.
    const Image& picture() const { return colour_; }
    /// Makes the picture and its commands anew in this size; the waves go on. Nothing may be running.
    void resize(std::uint32_t width, std::uint32_t height);
    /// Of the last frame, in the host's memory: height x width x 4 bytes, red, green, blue and 255.
    const std::uint8_t* pixels() const { return static_cast<const std::uint8_t*>(pixels_.mapped); }

    const Settings& settings() const { return settings_; }
    const std::vector<PatchOfWaves>& patches() const { return patches_; }
    const Waves& waves() const { return waves_; }

private:
    void make_sky();
    void make_picture();
    void record_frame(VkCommandBuffer commands) const;
    void set_time(double seconds);

    const Gpu& gpu_;
    Settings settings_;
    std::vector<PatchOfWaves> patches_;
    Scene scene_;
    PicturesIn pictures_;
    Resources resources_;
    Buffer scene_buffer_;
    Waves waves_;
    VkQueryPool times_;
    BoundSet set_;
    VkCommandBuffer waves_alone_ = nullptr;
    // Of a picture's size:
    std::unique_ptr<Resources> sized_;
    Image colour_;
    Buffer pixels_, mesh_;
    std::uint32_t mesh_indices_ = 0;
    Picture picture_;
    VkPipeline sea_pipeline_ = VK_NULL_HANDLE, sky_pipeline_ = VK_NULL_HANDLE;
    VkCommandBuffer frame_ = nullptr;
};

}  // namespace seiche::ocean
