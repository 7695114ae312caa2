// Pictures in PNG files, through libpng.
#include "cli/io/png.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <exception>
#include <memory>
#include <new>

#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

/// Deflate makes at most this of one byte (1 bit each for length 258 and distance).
constexpr std::uint64_t most_inflation = 1040;

constexpr png_alloc_size_t most_of_chunk = 16 << 20;  // a profile's bytes

/// libpng reports through C callbacks; they leave by longjmp, so no object with a destructor may be made between
/// setjmp and the calls of libpng: that is why all state lives here.
struct Reader {
    InputFile& file;
    std::string error;
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::vector<png_byte> pixels;  ///< Samples of 16 bits are big-endian.
    std::vector<png_bytep> rows;

    explicit Reader(InputFile& f) : file(f) {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp message) {
    *static_cast<std::string*>(png_get_error_ptr(png)) = message;
    png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, std::size_t bytes) {
    auto* reader = static_cast<Reader*>(png_get_io_ptr(png));
    if (reader->file.read_some(to, bytes) != bytes) png_error(png, "truncated");
}

/// Everything up to the header; false if libpng found an error.
bool read_header(Reader& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) return false;
    png_set_read_fn(r.png, &r, on_read);
    png_set_user_limits(r.png, longest_side, longest_side);
    png_set_chunk_malloc_max(r.png, most_of_chunk);
    png_read_info(r.png, r.info);
    return true;
}

/// Asks for what is stored, in whole bytes and without a palette; false if libpng found an error.
bool ask_for_all(Reader& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) return false;
    png_set_expand(r.png);
    png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
    return true;
}

bool read_pixels(Reader& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) return false;
    png_read_image(r.png, r.rows.data());
    png_read_end(r.png, nullptr);
    return true;
}

void check_size(const Reader& r) {
    const std::uint64_t width = png_get_image_width(r.png, r.info), height = png_get_image_height(r.png, r.info);
    if (width * height > most_pixels)
        r.file.refuse("expected at most 2^28 pixels, got " + std::to_string(width) + " x " + std::to_string(height));
    // What is stored, before any conversion: a few bytes of file cannot hold more.
    const std::uint64_t bits = width * png_get_bit_depth(r.png, r.info) * png_get_channels(r.png, r.info);
    if ((bits + 7) / 8 * height > r.file.bytes() * most_inflation)
        r.file.refuse("malformed: " + std::to_string(r.file.bytes()) + " bytes cannot hold " + std::to_string(width) +
                      " x " + std::to_string(height) + " pixels");
}

void prepare_rows(Reader& r) {
    const std::size_t row_bytes = png_get_rowbytes(r.png, r.info);
    r.rows.resize(png_get_image_height(r.png, r.info));
    r.pixels.resize(row_bytes * r.rows.size());
    for (std::size_t y = 0; y < r.rows.size(); ++y) r.rows[y] = r.pixels.data() + y * row_bytes;
}

/// What the file says of its colours and its size. Of an sRGB picture libpng makes up the rest.
PictureTags tags_of(const Reader& r) {
    PictureTags tags;
    png_charp name = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 bytes = 0, x = 0, y = 0;
    int number = 0;
    if (png_get_iCCP(r.png, r.info, &name, &number, &profile, &bytes) != 0)
        tags.profile.assign(reinterpret_cast<const char*>(profile), bytes);
    if (png_get_sRGB(r.png, r.info, &number) != 0) {
        tags.srgb_intent = static_cast<std::uint8_t>(number);
    } else {
        png_fixed_point gamma = 0;
        if (png_get_gAMA_fixed(r.png, r.info, &gamma) != 0 && gamma > 0) tags.gamma = static_cast<std::uint32_t>(gamma);
        std::array<png_fixed_point, 8> c{};
        if (png_get_cHRM_fixed(r.png, r.info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0) {
            tags.chromaticities.emplace();
            std::copy(c.begin(), c.end(), tags.chromaticities->begin());
        }
    }
    if (png_get_pHYs(r.png, r.info, &x, &y, &number) != 0)
        tags.density = {static_cast<double>(x), static_cast<double>(y), number != PNG_RESOLUTION_METER};
    return tags;
}

int orientation_of(const Reader& r) {
#ifdef PNG_eXIf_SUPPORTED
    png_uint_32 bytes = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(r.png, r.info, &bytes, &exif) != 0) return exif_orientation(exif, bytes);
#else
    static_cast<void>(r);
#endif
    return 1;
}

/// Reads all of the file.
void read_all(Reader& r) {
    InputFile& file = r.file;
    std::array<png_byte, 8> signature{};
    if (file.bytes() < signature.size() || (file.read(signature.data(), signature.size(), "the signature"),
                                            png_sig_cmp(signature.data(), 0, signature.size()) != 0))
        file.refuse("expected a PNG file");
    file.seek(0);
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r.error, on_error, on_warning);
    r.info = r.png != nullptr ? png_create_info_struct(r.png) : nullptr;
    if (r.info == nullptr) throw std::bad_alloc();
    const auto check = [&](bool ok) {
        if (!ok) file.refuse("damaged PNG: " + r.error);
    };
    check(read_header(r));
    check_size(r);
    check(ask_for_all(r));
    prepare_rows(r);
    check(read_pixels(r));
}

std::vector<float> to_floats(const std::vector<png_byte>& pixels, std::uint32_t bits) {
    if (bits == 8) return from_stored(pixels);
    std::vector<std::uint16_t> wide(pixels.size() / 2);
    for (std::size_t i = 0; i < wide.size(); ++i)
        wide[i] = static_cast<std::uint16_t>(pixels[2 * i] << 8 | pixels[2 * i + 1]);
    return from_stored(wide);
}

/// What libpng writes, under the same rule as Reader.
struct Writer {
    OutputFile& file;
    std::string error;
    std::exception_ptr failure;  ///< Of the file.
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::vector<png_byte> row;

    explicit Writer(OutputFile& f) : file(f) {}
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { png_destroy_write_struct(&png, &info); }
};

bool hand_on(Writer& w, const png_byte* data, std::size_t bytes) noexcept {
    try {
        w.file.write(data, bytes);
        return true;
    } catch (...) {
        w.failure = std::current_exception();
        return false;
    }
}

void on_write(png_structp png, png_bytep data, std::size_t bytes) {
    if (!hand_on(*static_cast<Writer*>(png_get_io_ptr(png)), data, bytes)) png_error(png, "cannot write");
}

void on_flush(png_structp) {}

void set_tags(Writer& w, const PictureTags& tags) {
    if (!tags.profile.empty())
        png_set_iCCP(w.png, w.info, "ICC profile", PNG_COMPRESSION_TYPE_BASE,
                     reinterpret_cast<png_const_bytep>(tags.profile.data()),
                     static_cast<png_uint_32>(tags.profile.size()));
    if (tags.srgb_intent) png_set_sRGB(w.png, w.info, *tags.srgb_intent);
    if (tags.gamma) png_set_gAMA_fixed(w.png, w.info, static_cast<png_fixed_point>(*tags.gamma));
    if (const auto& c = tags.chromaticities)
        png_set_cHRM_fixed(w.png, w.info, (*c)[0], (*c)[1], (*c)[2], (*c)[3], (*c)[4], (*c)[5], (*c)[6], (*c)[7]);
    constexpr double most = 2147483647;
    if (const auto& d = tags.density; d && d->x <= most && d->y <= most)
        png_set_pHYs(w.png, w.info, static_cast<png_uint_32>(d->x + 0.5), static_cast<png_uint_32>(d->y + 0.5),
                     d->is_ratio ? PNG_RESOLUTION_UNKNOWN : PNG_RESOLUTION_METER);
}

bool write_header(Writer& w, const Raster& raster) {
    constexpr std::array<int, 4> colours{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                         PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(w.png)) != 0) return false;
    png_set_write_fn(w.png, &w, on_write, on_flush);
    png_set_user_limits(w.png, longest_side, longest_side);
    png_set_benign_errors(w.png, 1);  // a profile that libpng doubts is left out
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(raster.width), static_cast<png_uint_32>(raster.height),
                 static_cast<int>(raster.bits), colours[raster.channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_tags(w, raster.tags);
    png_write_info(w.png, w.info);
    return true;
}

bool write_row(Writer& w) {
    if (setjmp(png_jmpbuf(w.png)) != 0) return false;
    png_write_row(w.png, w.row.data());
    return true;
}

bool write_end(Writer& w) {
    if (setjmp(png_jmpbuf(w.png)) != 0) return false;
    png_write_end(w.png, nullptr);
    return true;
}

/// Row y in the file's form; adds to how many samples were clipped.
void encode_row(const Raster& raster, std::uint64_t y, std::vector<png_byte>& row, std::uint64_t& clipped) {
    const std::size_t count = raster.width * raster.channels;
    row.clear();
    for (const std::uint16_t value : to_stored(raster, y * count, count, raster.full_scale(), clipped)) {
        if (raster.bits == 16) row.push_back(static_cast<png_byte>(value >> 8));
        row.push_back(static_cast<png_byte>(value & 0xFF));
    }
}

}  // namespace

Raster read_png(InputFile& file) {
    Reader r(file);
    Raster raster;
    read_all(r);
    raster.height = r.rows.size();
    raster.width = png_get_image_width(r.png, r.info);
    raster.channels = png_get_channels(r.png, r.info);
    raster.bits = png_get_bit_depth(r.png, r.info);
    raster.samples = to_floats(r.pixels, raster.bits);
    raster.tags = tags_of(r);
    set_upright(raster, orientation_of(r));
    return raster;
}

Picture read_png(const std::string& path) {
    InputFile file(path);
    return to_picture(read_png(file));
}

std::uint64_t write_raster(OutputFile& file, const Raster& raster) {
    Writer w(file);
    w.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &w.error, on_error, on_warning);
    w.info = w.png != nullptr ? png_create_info_struct(w.png) : nullptr;
    if (w.info == nullptr) throw std::bad_alloc();
    const auto check = [&](bool ok) {
        if (w.failure) std::rethrow_exception(w.failure);
        if (!ok) throw Failure("cannot write a PNG picture: " + w.error);
    };
    check(write_header(w, raster));
    std::uint64_t clipped = 0;
    for (std::uint64_t y = 0; y < raster.height; ++y) {
        encode_row(raster, y, w.row, clipped);
        check(write_row(w));
    }
    check(write_end(w));
    return clipped;
}

}  // namespace seiche::cli::io
