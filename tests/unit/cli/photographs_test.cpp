// JPEG, WebP and TIFF: what is written is read back with its tags, and damage is refused.
#include "cli/io/photographs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::io {
namespace {

/// A picture of slow waves, which JPEG keeps nearly.
Raster waves(std::uint32_t channels, std::uint32_t bits, std::uint64_t width = 37, std::uint64_t height = 21) {
    Raster raster{width, height, channels, bits, {}};
    for (std::uint64_t y = 0; y < height; ++y)
        for (std::uint64_t x = 0; x < width; ++x)
            for (std::uint32_t c = 0; c < channels; ++c) {
                const double value =
                    0.5 + 0.4 * std::cos(0.1 * static_cast<double>(x + c) + 0.15 * static_cast<double>(y));
                const float full = raster.full_scale();
                raster.samples.push_back(std::nearbyint(static_cast<float>(value) * full) / full);
            }
    return raster;
}

std::string written(const Raster& raster, const std::string& extension, std::uint64_t clipped = 0) {
    TemporaryFolder folder;
    const std::string path = folder.file("a" + extension);
    OutputFile file(path);
    EXPECT_EQ(write_raster(file, raster, extension), clipped);
    file.commit();
    return read_all(path);
}

Raster read_back(const std::string& bytes) {
    TemporaryFolder folder;
    return read_raster(folder.write("a", bytes));
}

float largest_difference(const Raster& a, const Raster& b) {
    float largest = a.samples.size() == b.samples.size() ? 0.0f : 1.0f;
    for (std::size_t i = 0; i < std::min(a.samples.size(), b.samples.size()); ++i)
        largest = std::max(largest, std::fabs(a.samples[i] - b.samples[i]));
    return largest;
}

TEST(Photographs, WithoutLoss) {
    for (const char* extension : {".png", ".tif", ".webp"})
        for (std::uint32_t channels = 1; channels <= 4; ++channels)
            for (const std::uint32_t bits : {8u, 16u}) {
                if (std::string(extension) == ".webp" && (bits == 16 || channels < 3)) continue;
                const Raster raster = waves(channels, bits);
                const Raster again = read_back(written(raster, extension));
                EXPECT_EQ(again.samples, raster.samples) << extension << channels << " " << bits;
                EXPECT_EQ(again.width, raster.width);
                EXPECT_EQ(again.height, raster.height);
                EXPECT_EQ(again.channels, channels);
                EXPECT_EQ(again.bits, bits);
            }
    // WebP has neither grey nor 16 bits.
    const Raster grey = read_back(written(waves(2, 16), ".webp"));
    EXPECT_EQ(grey.channels, 4u);
    EXPECT_EQ(grey.samples[0], grey.samples[1]);
    EXPECT_LT(std::fabs(grey.samples[3] - waves(2, 16).samples[1]), 0.51f / 255);
}

TEST(Photographs, JpegIsNear) {
    for (const std::uint32_t channels : {1u, 3u}) {
        const Raster raster = waves(channels, 8), again = read_back(written(raster, ".jpg"));
        EXPECT_EQ(again.channels, channels);
        EXPECT_LT(largest_difference(again, raster), 0.03f);
    }
    TemporaryFolder folder;
    OutputFile file(folder.file("a.jpg"));
    EXPECT_NE(failure_of([&] { write_raster(file, waves(4, 8), ".jpg"); }).find("without alpha"), std::string::npos);
}

TEST(Photographs, ClipsAndCounts) {
    for (const char* extension : {".jpg", ".webp", ".tif", ".png"}) {
        Raster raster = waves(3, 8, 8, 8);
        std::fill(raster.samples.begin(), raster.samples.end(), 1.5f);
        EXPECT_EQ(read_back(written(raster, extension, raster.samples.size())).samples,
                  std::vector<float>(raster.samples.size(), 1.0f))
            << extension;
    }
}

/// A profile that libpng takes: a header of 128 bytes, one tag with something that does not compress, big-endian.
std::string profile() {
    std::string icc(144, '\0');
    std::mt19937 random(3);
    for (int i = 0; i < 112; ++i) icc += static_cast<char>(random());
    const auto put = [&](std::size_t at, const std::string& bytes) { icc.replace(at, bytes.size(), bytes); };
    put(0, std::string("\0\0\1\0", 4));
    put(8, std::string("\x02\x10\0\0", 4));
    put(12, "mntrRGB XYZ ");
    put(36, "acsp");
    put(68, std::string("\0\0\xF6\xD6\0\1\0\0\0\0\xD3\x2D", 12));  // D50
    put(128, std::string("\0\0\0\1", 4));
    put(132, std::string("test\0\0\0\x90\0\0\0\x70", 12));
    return icc;
}

TEST(Photographs, KeepTheirTags) {
    Raster raster = waves(3, 8);
    raster.tags.profile = profile();
    raster.tags.density = {11811, 5906, false};  // 300 and 150 dots per inch
    for (const char* extension : {".png", ".jpg", ".webp", ".tif"}) {
        const PictureTags tags = read_back(written(raster, extension)).tags;
        EXPECT_EQ(tags.profile, raster.tags.profile) << extension;
        if (std::string(extension) == ".webp") continue;  // has no place for it
        ASSERT_TRUE(tags.density.has_value()) << extension;
        EXPECT_NEAR(tags.density->x, 11811, 1);
        EXPECT_NEAR(tags.density->y, 5906, 1);
        EXPECT_FALSE(tags.density->is_ratio);
    }
    EXPECT_EQ(lost_in(".webp", raster), "the resolution is left out (the format has no place for it)");
    EXPECT_EQ(lost_in(".tif", raster), "");
}

TEST(Photographs, PngKeepsGammaAndPrimaries) {
    Raster raster = waves(3, 16);
    raster.tags.gamma = 100000;
    raster.tags.chromaticities = {{31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000}};
    raster.tags.density = {2, 1, true};
    const PictureTags tags = read_back(written(raster, ".png")).tags;
    EXPECT_EQ(tags.gamma, 100000u);
    EXPECT_EQ(tags.chromaticities, raster.tags.chromaticities);
    EXPECT_EQ(tags.srgb_intent, std::nullopt);
    ASSERT_TRUE(tags.density.has_value());
    EXPECT_TRUE(tags.density->is_ratio);
    EXPECT_EQ(tags.density->x, 2);
    raster.tags = {};
    raster.tags.srgb_intent = 1;
    const std::string bytes = written(raster, ".png");
    EXPECT_EQ(read_back(bytes).tags.srgb_intent, 1);
    EXPECT_EQ(bytes.find("gAMA"), std::string::npos);
    EXPECT_EQ(lost_in(".jpg", waves(3, 16)), "samples of 16 bits became 8 (the format has no place for it)");
}

/// Exif data that say an orientation, in either byte order.
std::string exif(int orientation, bool is_big) {
    const auto number = [&](int value, int bytes) {
        std::string text(static_cast<std::size_t>(bytes), '\0');
        text[static_cast<std::size_t>(is_big ? bytes - 1 : 0)] = static_cast<char>(value);
        return text;
    };
    const std::string tag = is_big ? std::string("\1\x12", 2) : std::string("\x12\1", 2);
    return (is_big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(1, 2) + tag + number(3, 2) + number(1, 4) +
           number(orientation, 2) + number(0, 2) + number(0, 4);
}

TEST(Photographs, OrientationIsReadAndUndone) {
    const auto orientation = [](const std::string& bytes) {
        return exif_orientation(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    };
    for (const bool is_big : {false, true})
        for (int i = 1; i <= 8; ++i) {
            const std::string good = exif(i, is_big);
            EXPECT_EQ(orientation(good), i);
            for (std::size_t kept = 0; kept < 22; ++kept) EXPECT_EQ(orientation(good.substr(0, kept)), 1);
        }
    EXPECT_EQ(orientation(exif(9, false)), 1);
    // a b c      What stands upright as this, stored by each orientation's rows and columns.
    // d e f
    const std::pair<int, std::vector<float>> stored[] = {
        {1, {1, 2, 3, 4, 5, 6}}, {2, {3, 2, 1, 6, 5, 4}}, {3, {6, 5, 4, 3, 2, 1}}, {4, {4, 5, 6, 1, 2, 3}},
        {5, {1, 4, 2, 5, 3, 6}}, {6, {3, 6, 2, 5, 1, 4}}, {7, {6, 3, 5, 2, 4, 1}}, {8, {4, 1, 5, 2, 6, 3}}};
    for (const auto& [number, samples] : stored) {
        Raster raster{number < 5 ? 3u : 2u, number < 5 ? 2u : 3u, 1, 8, samples};
        set_upright(raster, number);
        EXPECT_EQ(raster.samples, (std::vector<float>{1, 2, 3, 4, 5, 6})) << number;
        EXPECT_EQ(raster.width, 3u);
        EXPECT_EQ(raster.height, 2u);
    }
}

TEST(Photographs, JpegsStandUpright) {
    // Exif data in a marker behind the first.
    const std::string bytes = written(waves(1, 8, 16, 8), ".jpg");
    const std::string body = std::string("Exif\0\0", 6) + exif(6, true);
    const std::string marker = std::string("\xFF\xE1\0", 3) + static_cast<char>(body.size() + 2) + body;
    const Raster turned = read_back(bytes.substr(0, 2) + marker + bytes.substr(2)), plain = read_back(bytes);
    EXPECT_EQ(turned.width, 8u);
    EXPECT_EQ(turned.height, 16u);
    EXPECT_EQ(turned.samples[7], plain.samples[0]);  // the top left one is at the top right
}

TEST(Photographs, DamageIsRefusedOrRead) {
    constexpr unsigned rounds = 300;
    for (const char* extension : {".jpg", ".webp", ".tif"}) {
        Raster raster = waves(3, 8, 64, 48);
        raster.tags.profile = profile();
        const std::string good = written(raster, extension);
        TemporaryFolder folder;
        for (std::size_t kept = 0; kept < good.size(); kept += 1 + good.size() / 60)
            EXPECT_NE(failure_of([&] {
                          // Where only what says nothing of pixels is missing, the picture is read and a word said.
                          const Raster read = read_raster(folder.write("a", good.substr(0, kept)));
                          if (!read.remark.empty()) throw Failure(read.remark);
                      }),
                      "")
                << extension << " " << kept;
        for (unsigned seed = 0; seed < rounds; ++seed) {
            std::mt19937 random(seed);
            std::string changed = good;
            for (unsigned i = 0; i < 1 + seed % 4; ++i)
                changed[random() % changed.size()] = static_cast<char>(random());
            const std::string message = failure_of([&] { read_raster(folder.write("a", changed)); });
            EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        }
    }
}

TEST(Photographs, SizesThatAreTooLarge) {
    const auto refusal = [](std::string bytes, std::size_t at, const std::string& size) {
        bytes.replace(at, size.size(), size);
        return failure_of([&] { read_back(bytes); });
    };
    const std::string jpeg = written(waves(1, 8), ".jpg");
    const std::size_t frame = jpeg.find("\xFF\xC0");
    ASSERT_NE(frame, std::string::npos);
    EXPECT_NE(refusal(jpeg, frame + 5, "\xFF\xDC\xFF\xDC").find("at most 2^28 pixels"), std::string::npos);
    EXPECT_NE(refusal(jpeg, frame + 5, "\x20\x20\x20\x20").find("cannot hold 8224 x 8224"), std::string::npos);
    TemporaryFolder folder;
    EXPECT_NE(failure_of([&] {
                  read_raster(folder.write("a.png", "no picture at all"));
              }).find("expected a picture in PNG, JPEG, WebP or TIFF"),
              std::string::npos);
}

}  // namespace
}  // namespace seiche::cli::io
