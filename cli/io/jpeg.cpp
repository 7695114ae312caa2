// Pictures in JPEG files, through libjpeg.
#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it before
#include <cstdlib>
#include <cstring>
#include <exception>

#include <jerror.h>
#include <jpeglib.h>

#include "cli/io/photographs.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

constexpr double metres_of_inch = 0.0254, metres_of_centimetre = 0.01;
constexpr unsigned density_inch = 1, density_centimetre = 2;
constexpr int exif_marker = JPEG_APP0 + 1, profile_marker = JPEG_APP0 + 2;

/// libjpeg leaves by longjmp, so no object with a destructor may be made between setjmp and its calls: that is why all
/// state lives in Reader and Writer.
struct Errors {
    jpeg_error_mgr manager{};  ///< The first member, so that libjpeg's pointer to it is one to this.
    std::jmp_buf away{};
    std::array<char, JMSG_LENGTH_MAX> text{};
};

[[noreturn]] void on_error(j_common_ptr info) {
    auto* errors = reinterpret_cast<Errors*>(info->err);
    info->err->format_message(info, errors->text.data());
    std::longjmp(errors->away, 1);
}

/// Data that are missing or wrong are warnings too, and libjpeg fills them with grey: all but these are no picture.
void on_message(j_common_ptr info, int level) {
    constexpr std::array harmless{JWRN_ADOBE_XFORM, JWRN_BOGUS_PROGRESSION, JWRN_EXTRANEOUS_DATA, JWRN_JFIF_MAJOR,
                                  JWRN_TOO_MUCH_DATA};
    if (level < 0 && std::find(harmless.begin(), harmless.end(), info->err->msg_code) == harmless.end()) on_error(info);
}

void on_message_of_profile(j_common_ptr, int) {}

void set_up(Errors& errors) {
    jpeg_std_error(&errors.manager);
    errors.manager.error_exit = on_error;
    errors.manager.emit_message = on_message;
}

struct Reader {
    jpeg_decompress_struct info{};
    Errors errors;
    std::vector<std::uint8_t> file, pixels;
    JOCTET* profile = nullptr;
    unsigned profile_bytes = 0;
    JSAMPROW row = nullptr;
    int orientation = 1;

    Reader() = default;
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() {
        jpeg_destroy_decompress(&info);
        std::free(profile);
    }
};

bool read_header(Reader& r) {
    set_up(r.errors);
    r.info.err = &r.errors.manager;
    if (setjmp(r.errors.away) != 0) return false;
    jpeg_create_decompress(&r.info);
    jpeg_mem_src(&r.info, r.file.data(), r.file.size());
    jpeg_save_markers(&r.info, exif_marker, 0xFFFF);
    jpeg_save_markers(&r.info, profile_marker, 0xFFFF);
    jpeg_read_header(&r.info, TRUE);
    switch (r.info.jpeg_color_space) {
        case JCS_GRAYSCALE: r.info.out_color_space = JCS_GRAYSCALE; break;
        case JCS_CMYK:
        case JCS_YCCK: r.info.out_color_space = JCS_CMYK; break;
        default: r.info.out_color_space = JCS_RGB; break;
    }
    jpeg_calc_output_dimensions(&r.info);
    return true;
}

int orientation_of(const Reader& r) {
    constexpr char name[] = "Exif\0";  // and another 0
    constexpr std::size_t name_bytes = sizeof name;
    for (jpeg_saved_marker_ptr marker = r.info.marker_list; marker != nullptr; marker = marker->next)
        if (marker->marker == exif_marker && marker->data_length > name_bytes &&
            std::memcmp(marker->data, name, name_bytes) == 0)
            return exif_orientation(marker->data + name_bytes, marker->data_length - name_bytes);
    return 1;
}

bool read_pixels(Reader& r) {
    if (setjmp(r.errors.away) != 0) return false;
    jpeg_start_decompress(&r.info);
    const std::size_t row_bytes = std::size_t{r.info.output_width} * static_cast<std::size_t>(r.info.output_components);
    while (r.info.output_scanline < r.info.output_height) {
        r.row = r.pixels.data() + r.info.output_scanline * row_bytes;
        jpeg_read_scanlines(&r.info, &r.row, 1);
    }
    r.errors.manager.emit_message = on_message_of_profile;  // a damaged profile is left out
    jpeg_read_icc_profile(&r.info, &r.profile, &r.profile_bytes);
    r.orientation = orientation_of(r);
    jpeg_finish_decompress(&r.info);  // which forgets the markers
    return true;
}

PictureTags tags_of(const Reader& r) {
    PictureTags tags;
    if (r.profile != nullptr && r.info.out_color_space != JCS_CMYK)
        tags.profile.assign(reinterpret_cast<const char*>(r.profile), r.profile_bytes);
    if (r.info.saw_JFIF_marker && r.info.X_density > 0 && r.info.Y_density > 0) {
        const double unit = r.info.density_unit == density_inch         ? metres_of_inch
                            : r.info.density_unit == density_centimetre ? metres_of_centimetre
                                                                        : 1;
        const bool is_ratio = r.info.density_unit != density_inch && r.info.density_unit != density_centimetre;
        // Square pixels of no size are what writers put that know nothing.
        if (!is_ratio || r.info.X_density != r.info.Y_density)
            tags.density = {r.info.X_density / unit, r.info.Y_density / unit, is_ratio};
    }
    return tags;
}

/// Adobe's, which is what there is, stores how much light is left: the product of ink and black.
std::vector<std::uint8_t> rgb_of_cmyk(const std::vector<std::uint8_t>& cmyk, bool is_inverted) {
    constexpr unsigned full = 255;
    std::vector<std::uint8_t> rgb(cmyk.size() / 4 * 3);
    const auto light = [&](std::uint8_t value) { return is_inverted ? value : full - value; };
    for (std::size_t i = 0; i < cmyk.size() / 4; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            rgb[3 * i + c] =
                static_cast<std::uint8_t>((light(cmyk[4 * i + c]) * light(cmyk[4 * i + 3]) + full / 2) / full);
    return rgb;
}

struct Writer {
    jpeg_compress_struct info{};
    Errors errors;
    std::vector<std::uint8_t> row;
    JSAMPROW row_pointer = nullptr;
    unsigned char* bytes = nullptr;
    unsigned long count = 0;

    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() {
        jpeg_destroy_compress(&info);
        std::free(bytes);
    }
};

void set_density(jpeg_compress_struct& info, const PictureTags::Density& density) {
    constexpr double most = 65535;
    const auto whole = [](double value) { return static_cast<UINT16>(value + 0.5); };
    if (density.is_ratio) {
        const double scale = std::min(1.0, most / std::max(density.x, density.y));
        info.density_unit = 0;
        info.X_density = std::max<UINT16>(1, whole(density.x * scale));
        info.Y_density = std::max<UINT16>(1, whole(density.y * scale));
        return;
    }
    const double x = density.x * metres_of_inch, y = density.y * metres_of_inch;
    if (x < 0.5 || y < 0.5 || x > most || y > most) return;
    info.density_unit = density_inch;
    info.X_density = whole(x);
    info.Y_density = whole(y);
}

bool write_header(Writer& w, const Raster& raster) {
    constexpr int quality = 95;
    set_up(w.errors);
    w.info.err = &w.errors.manager;
    if (setjmp(w.errors.away) != 0) return false;
    jpeg_create_compress(&w.info);
    jpeg_mem_dest(&w.info, &w.bytes, &w.count);
    w.info.image_width = static_cast<JDIMENSION>(raster.width);
    w.info.image_height = static_cast<JDIMENSION>(raster.height);
    w.info.input_components = static_cast<int>(raster.channels);
    w.info.in_color_space = raster.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&w.info);
    jpeg_set_quality(&w.info, quality, TRUE);
    for (int c = 0; c < w.info.num_components; ++c)
        w.info.comp_info[c].h_samp_factor = w.info.comp_info[c].v_samp_factor = 1;
    if (raster.tags.density) set_density(w.info, *raster.tags.density);
    jpeg_start_compress(&w.info, TRUE);
    if (!raster.tags.profile.empty())
        jpeg_write_icc_profile(&w.info, reinterpret_cast<const JOCTET*>(raster.tags.profile.data()),
                               static_cast<unsigned>(raster.tags.profile.size()));
    return true;
}

bool write_row(Writer& w) {
    if (setjmp(w.errors.away) != 0) return false;
    w.row_pointer = w.row.data();
    jpeg_write_scanlines(&w.info, &w.row_pointer, 1);
    return true;
}

bool write_end(Writer& w) {
    if (setjmp(w.errors.away) != 0) return false;
    jpeg_finish_compress(&w.info);
    return true;
}

}  // namespace

Raster read_jpeg(InputFile& file) {
    // The least that is stored: some two bits for a block of 8 x 8 samples, of colours for one of 32 x 32 pixels.
    constexpr std::uint64_t most_per_byte = 4096;
    Reader r;
    r.file = read_whole(file);
    const auto check = [&](bool ok) {
        if (!ok) file.refuse("damaged JPEG: " + std::string(r.errors.text.data()));
    };
    check(read_header(r));
    check_picture_size(file, r.info.output_width, r.info.output_height, most_per_byte);
    const bool is_cmyk = r.info.out_color_space == JCS_CMYK;
    Raster raster{r.info.output_width, r.info.output_height, r.info.out_color_space == JCS_GRAYSCALE ? 1u : 3u, 8, {}};
    r.pixels.resize(raster.width * raster.height * (is_cmyk ? 4 : raster.channels));
    check(read_pixels(r));
    raster.samples = from_stored(is_cmyk ? rgb_of_cmyk(r.pixels, r.info.saw_Adobe_marker) : r.pixels);
    raster.tags = tags_of(r);
    set_upright(raster, r.orientation);
    return raster;
}

std::uint64_t write_jpeg(OutputFile& file, const Raster& raster) {
    if (raster.has_alpha())
        throw Failure("expected a picture without alpha for JPEG, got one with it: write .png or .tif");
    if (raster.width > JPEG_MAX_DIMENSION || raster.height > JPEG_MAX_DIMENSION)
        throw Failure("expected sides of at most " + std::to_string(JPEG_MAX_DIMENSION) + " pixels for JPEG, got " +
                      std::to_string(raster.width) + " x " + std::to_string(raster.height));
    Writer w;
    const auto check = [&](bool ok) {
        if (!ok) throw Failure("cannot write a JPEG picture: " + std::string(w.errors.text.data()));
    };
    check(write_header(w, raster));
    std::uint64_t clipped = 0;
    const std::uint64_t count = raster.width * raster.channels;
    for (std::uint64_t y = 0; y < raster.height; ++y) {
        const std::vector<std::uint16_t> row = to_stored(raster, y * count, count, 255, clipped);
        w.row.assign(row.begin(), row.end());
        check(write_row(w));
    }
    check(write_end(w));
    file.write(w.bytes, w.count);
    return clipped;
}

}  // namespace seiche::cli::io
