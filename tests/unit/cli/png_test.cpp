// The reader of PNG: every kind of pixel, and files that are damaged or lie; what is written is read back.
#include "cli/io/png.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>

#include "tests/unit/cli/temporary.hpp"

namespace seiche::cli::io {
namespace {

struct Kind {
    int colour = PNG_COLOR_TYPE_GRAY, depth = 8;
    bool interlaced = false;
};

/// A picture of 5 x 3 pixels whose bytes count up, as libpng writes it.
std::string encode(const Kind& kind, const std::vector<png_byte>& bytes, png_uint_32 width = 5,
                   png_uint_32 height = 3) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    std::string out;
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep data, std::size_t size) {
            static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, width, height, kind.depth, kind.colour,
                 kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    const std::vector<png_color> palette{{10, 20, 30}, {255, 128, 0}};
    if (kind.colour == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette.data(), 2);
    png_write_info(png, info);
    const std::size_t row = png_get_rowbytes(png, info);
    std::vector<png_bytep> rows;
    for (std::size_t y = 0; y < height; ++y) rows.push_back(const_cast<png_bytep>(bytes.data()) + y * row);
    png_write_image(png, rows.data());
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return out;
}

Picture decode(const std::string& bytes) {
    TemporaryFolder folder;
    return read_png(folder.write("a.png", bytes));
}

std::vector<png_byte> counting(std::size_t count) {
    std::vector<png_byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<png_byte>(7 * i);
    return bytes;
}

TEST(Png, ReadsGreyAndColour) {
    const auto bytes = counting(5 * 3 * 8);
    for (const bool interlaced : {false, true}) {
        const Picture grey = decode(encode({PNG_COLOR_TYPE_GRAY, 8, interlaced}, bytes));
        const Picture colour = decode(encode({PNG_COLOR_TYPE_RGB, 8, interlaced}, bytes));
        const Picture alpha = decode(encode({PNG_COLOR_TYPE_RGB_ALPHA, 16, interlaced}, bytes));
        EXPECT_TRUE(grey.grey);
        EXPECT_FALSE(colour.grey);
        ASSERT_EQ(grey.rgb.size(), 45u);
        for (std::size_t i = 0; i < 45; ++i) {
            EXPECT_FLOAT_EQ(grey.rgb[i], static_cast<float>(bytes[i / 3]) / 255);
            EXPECT_FLOAT_EQ(colour.rgb[i], static_cast<float>(bytes[i]) / 255);
            const std::size_t at = 2 * (i / 3 * 4 + i % 3);
            EXPECT_FLOAT_EQ(alpha.rgb[i], static_cast<float>(bytes[at] * 256 + bytes[at + 1]) / 65535);
        }
    }
}

TEST(Png, ReadsPaletteAndBits) {
    const Picture palette = decode(encode({PNG_COLOR_TYPE_PALETTE, 8}, std::vector<png_byte>(15, 1)));
    EXPECT_FLOAT_EQ(palette.rgb[0], 1.0f);
    EXPECT_FLOAT_EQ(palette.rgb[1], 128.0f / 255);
    EXPECT_FLOAT_EQ(palette.rgb[2], 0.0f);
    const Picture bits = decode(encode({PNG_COLOR_TYPE_GRAY, 1}, {0xA8, 0, 0xF8}));
    EXPECT_EQ(bits.rgb[0], 1.0f);
    EXPECT_EQ(bits.rgb[3], 0.0f);
    EXPECT_EQ(bits.rgb[15], 0.0f);
    EXPECT_EQ(bits.rgb[44], 1.0f);
}

TEST(Png, RefusesDamage) {
    const std::string good = encode({PNG_COLOR_TYPE_RGB, 8}, counting(45));
    TemporaryFolder folder;
    const auto refusal = [&](const std::string& bytes) {
        return failure_of([&] { read_png(folder.write("a.png", bytes)); });
    };
    EXPECT_EQ(refusal(good), "");
    for (std::size_t kept = 0; kept < good.size(); ++kept) EXPECT_NE(refusal(good.substr(0, kept)), "") << kept;
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string changed = good;
        changed[at] = static_cast<char>(changed[at] ^ 0x55);
        EXPECT_NE(refusal(changed), "") << at;
    }
    EXPECT_NE(refusal("not a picture at all").find("expected a PNG file"), std::string::npos);
}

/// CRC-32 as PNG has it, so that a lie passes the checksum.
std::uint32_t crc(const std::string& bytes) {
    std::uint32_t c = 0xFFFFFFFF;
    for (const char byte : bytes) {
        c ^= static_cast<unsigned char>(byte);
        for (int i = 0; i < 8; ++i) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    }
    return ~c;
}

TEST(Png, RefusesSizesThatItsBytesCannotHold) {
    const auto big = [](std::uint32_t v) {
        return std::string{static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
                           static_cast<char>(v)};
    };
    const std::string good = encode({PNG_COLOR_TYPE_RGB, 8}, counting(45));
    TemporaryFolder folder;
    const auto refusal = [&](std::uint32_t width, std::uint32_t height) {
        std::string changed = good;
        changed.replace(16, 8, big(width) + big(height));
        changed.replace(29, 4, big(crc(changed.substr(12, 17))));
        return failure_of([&] { read_png(folder.write("a.png", changed)); });
    };
    EXPECT_NE(refusal(16000, 16000).find("cannot hold 16000 x 16000"), std::string::npos) << refusal(16000, 16000);
    EXPECT_NE(refusal(100000, 100000).find("at most 2^28 pixels"), std::string::npos);
    EXPECT_NE(refusal(0xFFFFFFFF, 1).find("damaged PNG"), std::string::npos);
    EXPECT_NE(refusal(0, 4).find("damaged PNG"), std::string::npos);
}

TEST(Png, RastersKeepChannelsAndBits) {
    const auto bytes = counting(5 * 3 * 8);
    TemporaryFolder folder;
    const std::vector<int> colours{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                   PNG_COLOR_TYPE_RGB_ALPHA};
    for (std::uint32_t channels = 1; channels <= 4; ++channels)
        for (const std::uint32_t bits : {8u, 16u}) {
            const Kind kind{colours[channels - 1], static_cast<int>(bits), channels % 2 == 0};
            const Raster raster = read_raster(folder.write("a.png", encode(kind, bytes)));
            EXPECT_EQ(raster.channels, channels);
            EXPECT_EQ(raster.bits, bits);
            ASSERT_EQ(raster.samples.size(), 15 * channels);
            for (std::size_t i = 0; i < raster.samples.size(); ++i)
                EXPECT_FLOAT_EQ(raster.samples[i] * raster.full_scale(),
                                static_cast<float>(bits == 8 ? bytes[i] : bytes[2 * i] * 256 + bytes[2 * i + 1]));
            const std::string path = folder.file("b.png");
            OutputFile file(path);
            EXPECT_EQ(write_raster(file, raster), 0u);
            file.commit();
            const Raster again = read_raster(path);
            EXPECT_EQ(again.width, 5u);
            EXPECT_EQ(again.height, 3u);
            EXPECT_EQ(again.channels, channels);
            EXPECT_EQ(again.bits, bits);
            EXPECT_EQ(again.samples, raster.samples);
        }
}

TEST(Png, RastersOfPalettesAndFewBits) {
    TemporaryFolder folder;
    const auto raster = [&](const Kind& kind, const std::vector<png_byte>& bytes) {
        return read_raster(folder.write("a.png", encode(kind, bytes)));
    };
    const Raster palette = raster({PNG_COLOR_TYPE_PALETTE, 8}, std::vector<png_byte>(15, 1));
    EXPECT_EQ(palette.channels, 3u);
    EXPECT_EQ(palette.samples[1], 128.0f / 255);
    const Raster bits = raster({PNG_COLOR_TYPE_GRAY, 1}, {0xA8, 0, 0xF8});
    EXPECT_EQ(bits.channels, 1u);
    EXPECT_EQ(bits.bits, 8u);
    EXPECT_EQ(bits.samples, (std::vector<float>{1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
}

TEST(Png, RastersAreRoundedAndClipped) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.png");
    OutputFile file(path);
    const Raster raster{2, 2, 1, 8, {-0.001f, -0.1f, 0.5f, 1.01f}};
    EXPECT_EQ(write_raster(file, raster), 2u);
    file.commit();
    EXPECT_EQ(read_raster(path).samples, (std::vector<float>{0, 0, 128.0f / 255, 1}));
}

}  // namespace
}  // namespace seiche::cli::io
