// Pictures in PNG files, as samples in [0, 1].
#include "cli/io/png.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "cli/failure.hpp"
#include "cli/io/input_file.hpp"

namespace seiche::cli::io {
namespace {

/// Deflate makes at most this of one byte (1 bit each for length 258 and distance).
constexpr std::uint64_t most_inflation = 1040;

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
    if (std::fread(to, 1, bytes, reader->file.stream()) != bytes) png_error(png, "truncated");
}

/// Everything up to the header; false if libpng found an error.
bool read_header(Reader& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) return false;
    png_set_read_fn(r.png, &r, on_read);
    png_set_user_limits(r.png, longest_side, longest_side);
    png_read_info(r.png, r.info);
    return true;
}

/// Asks for 16-bit RGB, whatever is stored; false if libpng found an error.
bool ask_for_rgb(Reader& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) return false;
    png_set_expand_16(r.png);  // palette and small samples too
    png_set_strip_alpha(r.png);
    png_set_gray_to_rgb(r.png);
    png_set_interlace_handling(r.png);
    png_read_update_info(r.png, r.info);
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

/// Opens the file and reads all of it, in the form that `ask` asks for; returns whether it stores grey values.
bool read_all(Reader& r, bool (*ask)(Reader&)) {
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
    const bool grey = (png_get_color_type(r.png, r.info) & PNG_COLOR_MASK_COLOR) == 0;
    check(ask(r));
    prepare_rows(r);
    check(read_pixels(r));
    return grey;
}

std::vector<float> to_floats(const std::vector<png_byte>& pixels, std::uint32_t bits) {
    const std::size_t bytes = bits / 8;
    std::vector<float> samples(pixels.size() / bytes);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const unsigned first = pixels[bytes * i];
        samples[i] = bits == 8 ? static_cast<float>(first) / 255.0f
                               : static_cast<float>(first << 8 | pixels[bytes * i + 1]) / 65535.0f;
    }
    return samples;
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

bool write_header(Writer& w, const Raster& raster) {
    constexpr std::array<int, 4> colours{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                         PNG_COLOR_TYPE_RGB_ALPHA};
    if (setjmp(png_jmpbuf(w.png)) != 0) return false;
    png_set_write_fn(w.png, &w, on_write, on_flush);
    png_set_user_limits(w.png, longest_side, longest_side);
    png_set_IHDR(w.png, w.info, static_cast<png_uint_32>(raster.width), static_cast<png_uint_32>(raster.height),
                 static_cast<int>(raster.bits), colours[raster.channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
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

/// Row y in the file's form; returns how many samples were clipped.
std::uint64_t encode_row(const Raster& raster, std::uint64_t y, std::vector<png_byte>& row) {
    const std::size_t count = raster.width * raster.channels;
    const float full = raster.full_scale();
    std::uint64_t clipped = 0;
    row.clear();
    for (std::size_t i = y * count; i < (y + 1) * count; ++i) {
        const float rounded = std::nearbyint(raster.samples[i] * full), held = std::clamp(rounded, 0.0f, full);
        if (held != rounded) ++clipped;
        const auto value = static_cast<unsigned>(held);
        if (raster.bits == 16) row.push_back(static_cast<png_byte>(value >> 8));
        row.push_back(static_cast<png_byte>(value & 0xFF));
    }
    return clipped;
}

}  // namespace

Picture read_png(const std::string& path) {
    InputFile file(path);
    Reader r(file);
    Picture picture;
    picture.grey = read_all(r, ask_for_rgb);
    picture.height = r.rows.size();
    picture.width = png_get_image_width(r.png, r.info);
    if (r.pixels.size() != picture.width * picture.height * 6) file.refuse("cannot be converted to 16-bit RGB");
    picture.rgb = to_floats(r.pixels, 16);
    return picture;
}

Raster read_raster(const std::string& path) {
    InputFile file(path);
    Reader r(file);
    Raster raster;
    static_cast<void>(read_all(r, ask_for_all));
    raster.height = r.rows.size();
    raster.width = png_get_image_width(r.png, r.info);
    raster.channels = png_get_channels(r.png, r.info);
    raster.bits = png_get_bit_depth(r.png, r.info);
    raster.samples = to_floats(r.pixels, raster.bits);
    return raster;
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
        clipped += encode_row(raster, y, w.row);
        check(write_row(w));
    }
    check(write_end(w));
    return clipped;
}

}  // namespace seiche::cli::io
