// Pictures in WebP files, through libwebp.
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <memory>

#include "cli/io/photographs.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

struct Closer {
    void operator()(WebPDemuxer* demuxer) const noexcept { WebPDemuxDelete(demuxer); }
    void operator()(WebPMux* mux) const noexcept { WebPMuxDelete(mux); }
};

/// The content of a chunk of the container; empty if there is none.
std::string chunk_of(const WebPDemuxer* demuxer, const char* name) {
    WebPChunkIterator chunk{};
    std::string content;
    if (WebPDemuxGetChunk(demuxer, name, 1, &chunk) != 0)
        content.assign(reinterpret_cast<const char*>(chunk.chunk.bytes), chunk.chunk.size);
    WebPDemuxReleaseChunkIterator(&chunk);
    return content;
}

/// Exif data may begin with JPEG's name of them.
int orientation_of(std::string exif) {
    constexpr std::string_view name{"Exif\0\0", 6};
    if (exif.substr(0, name.size()) == name) exif.erase(0, name.size());
    return exif_orientation(reinterpret_cast<const std::uint8_t*>(exif.data()), exif.size());
}

/// A picture of one side's length is what all encoders of the library take.
struct Encoder {
    WebPPicture picture{};
    WebPMemoryWriter memory{};
    WebPConfig config{};

    Encoder() {
        WebPMemoryWriterInit(&memory);
        if (WebPPictureInit(&picture) == 0 || WebPConfigInit(&config) == 0)
            throw Failure("cannot write a WebP picture: another version of libwebp than this tool was built with");
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        WebPPictureFree(&picture);
        WebPMemoryWriterClear(&memory);
    }
};

}  // namespace

Raster read_webp(InputFile& file) {
    constexpr std::uint64_t most_per_byte = 1 << 16;  // a picture of one colour takes a few bytes, whatever its size
    const std::vector<std::uint8_t> bytes = read_whole(file);
    const WebPData data{bytes.data(), bytes.size()};
    WebPBitstreamFeatures features{};
    if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK) file.refuse("damaged WebP");
    if (features.has_animation != 0) file.refuse("expected a still picture, got a moving one");
    check_picture_size(file, static_cast<std::uint64_t>(features.width), static_cast<std::uint64_t>(features.height),
                       most_per_byte);
    const std::unique_ptr<WebPDemuxer, Closer> demuxer(WebPDemux(&data));
    if (!demuxer) file.refuse("damaged WebP: truncated, or no pictures in it");
    Raster raster{static_cast<std::uint64_t>(features.width),
                  static_cast<std::uint64_t>(features.height),
                  features.has_alpha != 0 ? 4u : 3u,
                  8,
                  {}};
    std::vector<std::uint8_t> pixels(raster.width * raster.height * raster.channels);
    const int stride = static_cast<int>(raster.width * raster.channels);
    const auto decode = raster.channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
    if (decode(bytes.data(), bytes.size(), pixels.data(), pixels.size(), stride) == nullptr)
        file.refuse("damaged WebP: its pixels cannot be decoded");
    raster.samples = from_stored(pixels);
    raster.tags.profile = chunk_of(demuxer.get(), "ICCP");
    set_upright(raster, orientation_of(chunk_of(demuxer.get(), "EXIF")));
    return raster;
}

std::uint64_t write_webp(OutputFile& file, const Raster& raster) {
    if (raster.width > WEBP_MAX_DIMENSION || raster.height > WEBP_MAX_DIMENSION)
        throw Failure("expected sides of at most " + std::to_string(WEBP_MAX_DIMENSION) + " pixels for WebP, got " +
                      std::to_string(raster.width) + " x " + std::to_string(raster.height));
    std::uint64_t clipped = 0;
    const bool is_grey = raster.channels <= 2;
    const std::uint64_t out = raster.has_alpha() ? 4 : 3, pixels = raster.width * raster.height;
    const std::vector<std::uint16_t> stored = to_stored(raster, 0, raster.samples.size(), 255, clipped);
    std::vector<std::uint8_t> bytes(pixels * out);
    for (std::uint64_t i = 0; i < pixels; ++i)
        for (std::uint64_t c = 0; c < out; ++c) {
            const std::uint64_t from = c == 3 ? raster.channels - 1 : is_grey ? 0 : c;
            bytes[i * out + c] = static_cast<std::uint8_t>(stored[i * raster.channels + from]);
        }
    Encoder encoder;
    encoder.config.lossless = 1;
    encoder.config.exact = 1;  // colours below what is transparent stay too
    WebPPicture& picture = encoder.picture;
    picture.use_argb = 1;
    picture.width = static_cast<int>(raster.width);
    picture.height = static_cast<int>(raster.height);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &encoder.memory;
    const auto import = out == 4 ? WebPPictureImportRGBA : WebPPictureImportRGB;
    if (import(&picture, bytes.data(), static_cast<int>(raster.width * out)) == 0 ||
        WebPEncode(&encoder.config, &picture) == 0)
        throw Failure("cannot write a WebP picture: libwebp's error " + std::to_string(picture.error_code));
    if (raster.tags.profile.empty()) {
        file.write(encoder.memory.mem, encoder.memory.size);
        return clipped;
    }
    const WebPData image{encoder.memory.mem, encoder.memory.size},
        profile{reinterpret_cast<const std::uint8_t*>(raster.tags.profile.data()), raster.tags.profile.size()};
    const std::unique_ptr<WebPMux, Closer> mux(WebPMuxNew());
    WebPData whole{};
    if (!mux || WebPMuxSetImage(mux.get(), &image, 0) != WEBP_MUX_OK ||
        WebPMuxSetChunk(mux.get(), "ICCP", &profile, 0) != WEBP_MUX_OK ||
        WebPMuxAssemble(mux.get(), &whole) != WEBP_MUX_OK)
        throw Failure("cannot write a WebP picture with its profile");
    const std::unique_ptr<WebPData, void (*)(WebPData*)> owner(&whole, WebPDataClear);
    file.write(whole.bytes, whole.size);
    return clipped;
}

}  // namespace seiche::cli::io
