// Pictures of the sea: the same from the same seed, and what a person would expect to see, as statistics.
#include "ocean/sea.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/text/failure.hpp"
#include "tests/support/environment.hpp"

namespace seiche::ocean {
namespace {

const Gpu& gpu() {
    static const Gpu only("vulkan");
    return only;
}

Settings small_sea() {
    Settings settings;
    settings.size = 64;
    settings.width = 160;
    settings.height = 90;
    return settings;
}

struct Frame {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

Frame draw(const Settings& settings) {
    Sea sea(gpu(), settings, {automatic});
    for (int i = 8; i > 0; --i) sea.advance(-i / 4.0);
    const FrameTime time = sea.draw(0);
    if (gpu().has_timestamps()) {
        EXPECT_GT(time.transforms, 0);
        EXPECT_GT(time.rest, 0);
    }
    return {settings.width, settings.height, {sea.pixels(), sea.pixels() + 4 * settings.width * settings.height}};
}

struct Area {
    std::uint32_t left = 0, right = 0, top = 0, bottom = 0;
};

struct Statistics {
    double mean[3] = {}, deviation = 0;  ///< Of red, green, blue; of the brightness.
    double white = 0;                    ///< Share of pixels that are bright and grey.
};

Statistics statistics(const Frame& frame, const Area& area) {
    Statistics all;
    double sum = 0, squares = 0, count = 0;
    for (std::uint32_t y = area.top; y < area.bottom; ++y)
        for (std::uint32_t x = area.left; x < area.right; ++x) {
            const std::uint8_t* pixel = &frame.pixels[4 * (std::size_t{y} * frame.width + x)];
            double bright = 0;
            for (int c = 0; c < 3; ++c) {
                all.mean[c] += pixel[c];
                bright += pixel[c] / 3.0;
            }
            EXPECT_EQ(pixel[3], 255);
            sum += bright, squares += bright * bright, count += 1;
            all.white += std::min(pixel[0], pixel[2]) > 165 ? 1 : 0;
        }
    for (double& mean : all.mean) mean /= count;
    all.white /= count;
    all.deviation = std::sqrt(squares / count - sum / count * sum / count);
    return all;
}

TEST(OceanPicture, TheSameSeedIsTheSameFrame) {
    Settings settings = small_sea();
    const Frame first = draw(settings);
    EXPECT_EQ(first.pixels, draw(settings).pixels);
    settings.seed = 2;
    EXPECT_NE(first.pixels, draw(settings).pixels);
}

TEST(OceanPicture, SkyAboveSeaBelow) {
    for (const SpectrumKind kind : {SpectrumKind::jonswap, SpectrumKind::phillips}) {
        Settings settings = small_sea();
        settings.spectrum = kind;
        const Frame frame = draw(settings);
        const auto line = static_cast<std::uint32_t>(horizon_line(settings));
        ASSERT_GT(line, 20u);
        ASSERT_LT(line, 50u);
        // On the left, where the sun isn't. Distant crests may rise a little above the line.
        const Statistics sky = statistics(frame, {0, 90, 0, line - 5}), sea = statistics(frame, {0, 90, line + 12, 90});
        EXPECT_GT(sky.mean[2], sea.mean[2] + 30);
        EXPECT_GT(sky.mean[0], sea.mean[0] + 50);
        EXPECT_GT(sea.mean[2], sea.mean[0] + 15) << "the sea is blue";
        EXPECT_GT(sea.deviation, 10);
        // Where the sun is low ahead, its light is broken on the sea.
        const Statistics glitter = statistics(frame, {115, 145, line + 2, 90});
        EXPECT_GT(glitter.mean[0], sea.mean[0] + 30);
    }
}

TEST(OceanPicture, AStrongWindMakesFoam) {
    Settings settings = small_sea();
    const auto foam = [&](double wind) {
        settings.wind.speed = wind;
        return statistics(draw(settings), {0, 90, 50, 90}).white;
    };
    EXPECT_LT(foam(4), 0.005);
    EXPECT_GT(foam(22), 0.03);
}

TEST(OceanPicture, AnyEvenSizeAndAnyPicture) {
    Settings settings = small_sea();
    settings.size = 90;
    settings.width = 63;
    settings.height = 37;
    settings.patches_wanted = 1;
    const Frame frame = draw(settings);
    EXPECT_GT(statistics(frame, {0, 63, 20, 37}).deviation, 3);
}

TEST(OceanDevice, WhatDoesNotFitIsRefused) {
    Settings settings = small_sea();
    EXPECT_NO_THROW(check_fits(gpu(), settings));
    settings.size = 32768;  // 96 GiB in one buffer
    EXPECT_THROW(check_fits(gpu(), settings), cli::Failure);
    settings = small_sea();
    settings.height = gpu().properties().limits.maxImageDimension2D + 1;
    EXPECT_THROW(check_fits(gpu(), settings), cli::Failure);
}

TEST(OceanDevice, OtherDevicesAreRefused) {
    EXPECT_THROW(Gpu("cuda:0"), cli::UsageError);
    EXPECT_THROW(Gpu("vulkan:99"), cli::Failure);
    set_environment("SEICHE_VULKAN_LIBRARY", "/nowhere/libvulkan.so");
    EXPECT_THROW(Gpu("vulkan"), cli::Failure);
    unset_environment("SEICHE_VULKAN_LIBRARY");
}

}  // namespace
}  // namespace seiche::ocean
