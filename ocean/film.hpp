// Frames as files: pictures, and a video where ffmpeg is there.
#pragma once

#include <cstdint>
#include <string>

namespace seiche::ocean {

class Film {
public:
    /// Makes the folder if it is not there. Throws cli::Failure if it cannot.
    Film(const std::string& folder, double frames_per_second);

    /// Writes frame_NNNN.png from height x width x 4 bytes; the fourth is left out.
    void add(const std::uint8_t* pixels, std::uint32_t width, std::uint32_t height);
    /// Makes ocean.mp4 of all frames and returns its path; an empty one where there is no ffmpeg. Throws cli::Failure
    /// where ffmpeg makes none.
    std::string make_video() const;

    std::uint64_t frames() const { return frames_; }

private:
    std::string path_of_frame(const std::string& number) const;

    std::string folder_;
    double frames_per_second_ = 30;
    std::uint64_t frames_ = 0;
};

}  // namespace seiche::ocean
