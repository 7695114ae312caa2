// Pictures in PNG files: read as samples in [0, 1].
#include "cli/io/png.hpp"

#include <png.h>

#include <array>
#include <csetjmp>
#include <memory>
#include <new>
#include <utility>

#include "cli/io/input_file.hpp"

namespace seiche::cli::io {
namespace {

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 28;
constexpr std::uint32_t longest_side = 1'000'000;
/// Deflate makes at most this of one byte (1 bit each for length 258 and distance).
constexpr std::uint64_t most_inflation = 1040;

/// libpng reports through C callbacks; they leave by longjmp, so no object with a destructor may be made between
/// setjmp and the calls of libpng: that is why all state lives here.
struct Reader {
    InputFile& file;
    std::string error;
    png_structp png = nullptr;
    png_infop info = nullptr;
    Picture picture;
    std::vector<png_byte> pixels;  ///< 16-bit big-endian RGB
    std::vector<png_bytep> rows;

    explicit Reader(InputFile& f) : file(f) {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp message) {
    static_cast<Reader*>(png_get_error_ptr(png))->error = message;
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
bool set_conversions(Reader& r) {
    if (setjmp(png_jmpbuf(r.png)) != 0) return false;
    png_set_expand_16(r.png);  // palette and small samples too
    png_set_strip_alpha(r.png);
    png_set_gray_to_rgb(r.png);
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
    r.picture.width = png_get_image_width(r.png, r.info);
    r.picture.height = png_get_image_height(r.png, r.info);
    const std::size_t row_bytes = png_get_rowbytes(r.png, r.info);
    if (row_bytes != r.picture.width * 6) r.file.refuse("cannot be converted to 16-bit RGB");
    r.pixels.resize(row_bytes * r.picture.height);
    r.rows.resize(r.picture.height);
    for (std::size_t y = 0; y < r.rows.size(); ++y) r.rows[y] = r.pixels.data() + y * row_bytes;
}

void to_floats(Reader& r) {
    r.picture.rgb.resize(r.pixels.size() / 2);
    for (std::size_t i = 0; i < r.picture.rgb.size(); ++i) {
        const unsigned value = static_cast<unsigned>(r.pixels[2 * i]) << 8 | r.pixels[2 * i + 1];
        r.picture.rgb[i] = static_cast<float>(value) / 65535.0f;
    }
}

}  // namespace

Picture read_png(const std::string& path) {
    InputFile file(path);
    Reader r(file);
    std::array<png_byte, 8> signature{};
    if (file.bytes() < signature.size() || (file.read(signature.data(), signature.size(), "the signature"),
                                            png_sig_cmp(signature.data(), 0, signature.size()) != 0))
        file.refuse("expected a PNG file");
    file.seek(0);
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    r.info = r.png != nullptr ? png_create_info_struct(r.png) : nullptr;
    if (r.info == nullptr) throw std::bad_alloc();
    const auto check = [&](bool ok) {
        if (!ok) file.refuse("damaged PNG: " + r.error);
    };
    check(read_header(r));
    check_size(r);
    const bool grey = (png_get_color_type(r.png, r.info) & PNG_COLOR_MASK_COLOR) == 0;
    check(set_conversions(r));
    prepare_rows(r);
    check(read_pixels(r));
    to_floats(r);
    r.picture.grey = grey;
    return std::move(r.picture);
}

}  // namespace seiche::cli::io
