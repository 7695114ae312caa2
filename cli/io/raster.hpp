// Pictures as samples in [0, 1], whatever their file's format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/input_file.hpp"
#include "cli/io/output_file.hpp"

namespace seiche::cli::io {

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 28;
constexpr std::uint32_t longest_side = 1'000'000;

/// What a picture's file says of its colours and its size on paper; it goes along with the picture.
struct PictureTags {
    std::string profile;                      ///< An ICC profile; empty: none.
    std::optional<std::uint8_t> srgb_intent;  ///< The colours are sRGB's; the rendering intent, 0 to 3.
    std::optional<std::uint32_t> gamma;       ///< Of the samples, times 100000 (PNG's gAMA).
    /// Of the white point, red, green and blue: x and y, times 100000 (PNG's cHRM).
    std::optional<std::array<std::int32_t, 8>> chromaticities;
    struct Density {
        double x = 0, y = 0;  ///< Pixels per metre; or only their ratio counts.
        bool is_ratio = false;
    };
    std::optional<Density> density;
};

/// A picture with all its channels: grey, grey and alpha, red, green and blue, or these and alpha.
struct Raster {
    std::uint64_t width = 0, height = 0;
    std::uint32_t channels = 0, bits = 8;  ///< 1 to 4; 8 or 16.
    std::vector<float> samples;            ///< height x width x channels, as stored and divided by the largest value.
    PictureTags tags = {};
    std::string remark = {};  ///< What is odd about the file but does no harm, one line; empty if nothing.

    bool has_alpha() const noexcept { return channels == 2 || channels == 4; }
    /// The largest stored value.
    float full_scale() const noexcept { return bits == 8 ? 255.0f : 65535.0f; }
};

struct Picture {
    std::uint64_t width = 0, height = 0;
    bool grey = false;       ///< Red, green and blue are the same.
    std::vector<float> rgb;  ///< height x width x 3, as stored (gamma-encoded) and divided by the largest value.
};

/// The colours alone.
Picture to_picture(const Raster& raster);

/// Reads PNG, JPEG, WebP or TIFF, whatever the name says: palettes become colours, samples of fewer than 8 bits have 8,
/// and the picture stands upright as its file says. Throws Failure: another format, truncated, damaged, larger than its
/// bytes can hold or than 2^28 pixels.
Raster read_raster(const std::string& path);

/// Writes the format of that extension: .png, .jpg, .jpeg, .webp, .tif or .tiff. Samples are rounded to nearest and
/// clipped to [0, 1]; returns how many were clipped. Throws Failure for what the format cannot hold.
std::uint64_t write_raster(OutputFile& file, const Raster& raster, const std::string& extension);

/// What a format that is written leaves out of a picture, one line; empty if nothing.
std::string lost_in(const std::string& extension, const Raster& raster);

/// Samples of 8 bits, or of 16 in this machine's order, to [0, 1].
std::vector<float> from_stored(const std::vector<std::uint8_t>& samples);
std::vector<float> from_stored(const std::vector<std::uint16_t>& samples);
/// The way back, rounded and clipped to 0 up to `full`, for `count` samples from `first`; adds to `clipped`.
std::vector<std::uint16_t> to_stored(const Raster& raster, std::uint64_t first, std::uint64_t count, float full,
                                     std::uint64_t& clipped);

/// Throws Failure for more pixels than are accepted, or than the file can hold where a byte of it makes at most
/// `most_per_byte`.
void check_picture_size(const InputFile& file, std::uint64_t width, std::uint64_t height, std::uint64_t most_per_byte);

/// The orientation, 1 to 8, that Exif data say (from the TIFF header on); 1 where they say none.
int exif_orientation(const std::uint8_t* exif, std::size_t bytes) noexcept;
/// Turns and mirrors the picture as an orientation of 2 to 8 asks for.
void set_upright(Raster& raster, int orientation);

/// The whole file in memory. Throws Failure for one of more than 1 GiB.
std::vector<std::uint8_t> read_whole(InputFile& file);

}  // namespace seiche::cli::io
