// Pictures as samples in [0, 1], whatever their file's format.
#include "cli/io/raster.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/io/file_kind.hpp"
#include "cli/io/photographs.hpp"
#include "cli/io/png.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

template <class T>
std::vector<float> divided(const std::vector<T>& stored, float full) {
    std::vector<float> samples(stored.size());
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<float>(stored[i]) / full;
    return samples;
}

bool is_jpeg(const std::string& extension) { return extension == ".jpg" || extension == ".jpeg"; }

}  // namespace

Picture to_picture(const Raster& raster) {
    Picture picture{raster.width, raster.height, raster.channels <= 2, {}};
    const std::size_t channels = raster.channels, pixels = raster.samples.size() / channels;
    picture.rgb.resize(3 * pixels);
    for (std::size_t i = 0; i < pixels; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            picture.rgb[3 * i + c] = raster.samples[i * channels + (picture.grey ? 0 : c)];
    return picture;
}

Raster read_raster(const std::string& path) {
    InputFile file(path);
    switch (format_of(file)) {
        case Format::png: return read_png(file);
        case Format::jpeg: return read_jpeg(file);
        case Format::webp: return read_webp(file);
        case Format::tiff: return read_tiff(file);
        default: file.refuse("expected a picture in PNG, JPEG, WebP or TIFF, got another file");
    }
}

std::uint64_t write_raster(OutputFile& file, const Raster& raster, const std::string& extension) {
    if (extension == ".png") return write_raster(file, raster);
    if (is_jpeg(extension)) return write_jpeg(file, raster);
    return extension == ".webp" ? write_webp(file, raster) : write_tiff(file, raster);
}

std::string lost_in(const std::string& extension, const Raster& raster) {
    const bool keeps_all = extension == ".png" || extension == ".tif" || extension == ".tiff";
    std::string lost;
    if (!keeps_all && raster.bits == 16) lost = "samples of 16 bits became 8";
    if (extension == ".webp" && raster.tags.density)
        lost += (lost.empty() ? "" : ", and ") + std::string("the resolution is left out");
    if (extension != ".png" && raster.tags.gamma && !raster.tags.srgb_intent && raster.tags.profile.empty())
        lost += (lost.empty() ? "" : ", and ") + std::string("the gamma is left out");
    return lost.empty() ? lost : lost + " (the format has no place for it)";
}

std::vector<float> from_stored(const std::vector<std::uint8_t>& samples) { return divided(samples, 255.0f); }
std::vector<float> from_stored(const std::vector<std::uint16_t>& samples) { return divided(samples, 65535.0f); }

std::vector<std::uint16_t> to_stored(const Raster& raster, std::uint64_t first, std::uint64_t count, float full,
                                     std::uint64_t& clipped) {
    std::vector<std::uint16_t> stored(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const float rounded = std::nearbyint(raster.samples[first + i] * full), held = std::clamp(rounded, 0.0f, full);
        if (held != rounded) ++clipped;
        stored[i] = static_cast<std::uint16_t>(held);
    }
    return stored;
}

void check_picture_size(const InputFile& file, std::uint64_t width, std::uint64_t height, std::uint64_t most_per_byte) {
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0 || width > longest_side || height > longest_side)
        file.refuse("expected sides of 1 to " + std::to_string(longest_side) + " pixels, got " + size);
    if (width * height > most_pixels) file.refuse("expected at most 2^28 pixels, got " + size);
    if (width * height / most_per_byte > file.bytes())
        file.refuse("malformed: " + std::to_string(file.bytes()) + " bytes cannot hold " + size + " pixels");
}

int exif_orientation(const std::uint8_t* exif, std::size_t bytes) noexcept {
    constexpr std::size_t header = 8, entry_bytes = 12;
    constexpr unsigned orientation_tag = 0x0112, short_type = 3;
    if (bytes < header || exif[0] != exif[1] || (exif[0] != 'I' && exif[0] != 'M')) return 1;
    const bool is_big = exif[0] == 'M';
    const auto number = [&](std::size_t at, std::size_t count) {
        std::size_t value = 0;
        for (std::size_t i = 0; i < count; ++i) value = value << 8 | exif[at + (is_big ? i : count - 1 - i)];
        return value;
    };
    const std::size_t list = number(4, 4);
    if (list > bytes - 2) return 1;
    const std::size_t entries = std::min(number(list, 2), (bytes - list - 2) / entry_bytes);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t at = list + 2 + i * entry_bytes;
        if (number(at, 2) != orientation_tag || number(at + 2, 2) != short_type) continue;
        const std::size_t value = number(at + 8, 2);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

void set_upright(Raster& raster, int orientation) {
    if (orientation < 2 || orientation > 8) return;
    // Exif's numbers say where row 0 and column 0 are: from 5 on rows are columns.
    const bool turned = orientation >= 5;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8,
               from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const std::uint64_t width = raster.width, height = raster.height, channels = raster.channels;
    std::vector<float> samples(raster.samples.size());
    std::uint64_t to = 0;
    for (std::uint64_t y = 0; y < (turned ? width : height); ++y)
        for (std::uint64_t x = 0; x < (turned ? height : width); ++x) {
            std::uint64_t column = turned ? y : x, row = turned ? x : y;
            if (from_right) column = width - 1 - column;
            if (from_bottom) row = height - 1 - row;
            const auto from = raster.samples.begin() + static_cast<std::ptrdiff_t>((row * width + column) * channels);
            std::copy_n(from, channels, samples.begin() + static_cast<std::ptrdiff_t>(to));
            to += channels;
        }
    raster.samples = std::move(samples);
    if (!turned) return;
    std::swap(raster.width, raster.height);
    if (raster.tags.density) std::swap(raster.tags.density->x, raster.tags.density->y);
}

std::vector<std::uint8_t> read_whole(InputFile& file) {
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    if (file.bytes() > most) file.refuse("expected a picture of at most 1 GiB, got " + byte_text(file.bytes()));
    std::vector<std::uint8_t> bytes(file.bytes());
    file.seek(0);
    file.read(bytes.data(), bytes.size(), "the picture");
    return bytes;
}

}  // namespace seiche::cli::io
