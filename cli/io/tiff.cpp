// Pictures in TIFF files, through libtiff.
#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/io/photographs.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

constexpr double metres_of_inch = 0.0254, metres_of_centimetre = 0.01;

struct Closer {
    void operator()(TIFF* tiff) const noexcept { TIFFClose(tiff); }
};
using Handle = std::unique_ptr<TIFF, Closer>;

/// The first thing that the library found wrong; its handlers are the process's.
thread_local std::string first_error;

std::string text_of(const char* format, std::va_list arguments) {
    char text[400];
    std::vsnprintf(text, sizeof text, format, arguments);
    return printable(one_line(text));
}

void on_error(const char*, const char* format, std::va_list arguments) {
    if (first_error.empty()) first_error = text_of(format, arguments);
}

/// Most warnings are of fields that libtiff does not know; here count those of fields that it cannot read.
void on_warning(const char*, const char* format, std::va_list arguments) {
    const std::string text = text_of(format, arguments);
    if (first_error.empty() && text.find("ignored") != std::string::npos) first_error = text;
}

void set_handlers() {
    TIFFSetErrorHandler(on_error);
    TIFFSetWarningHandler(on_warning);
    first_error.clear();
}

// What libtiff calls to read; none may throw.
tmsize_t read_from(thandle_t file, void* to, tmsize_t count) {
    return count <= 0
               ? 0
               : static_cast<tmsize_t>(static_cast<InputFile*>(file)->read_some(to, static_cast<std::uint64_t>(count)));
}
tmsize_t write_nothing(thandle_t, void*, tmsize_t) { return -1; }
toff_t seek_in(thandle_t user, toff_t offset, int whence) {
    auto* file = static_cast<InputFile*>(user);
    const std::uint64_t base = whence == SEEK_SET ? 0 : whence == SEEK_END ? file->bytes() : file->position();
    if (offset > file->bytes() - base) return static_cast<toff_t>(-1);
    file->seek(base + offset);
    return base + offset;
}
int close_nothing(thandle_t) { return 0; }
toff_t size_of(thandle_t file) { return static_cast<InputFile*>(file)->bytes(); }

Handle open_to_read(InputFile& file) {
    set_handlers();
    file.seek(0);
    Handle tiff(TIFFClientOpen(file.path().c_str(), "rm", &file, read_from, write_nothing, seek_in, close_nothing,
                               size_of, nullptr, nullptr));
    if (!tiff) file.refuse("damaged TIFF: " + first_error);
    return tiff;
}

/// How the pixels of the first picture are stored.
struct Form {
    std::uint32_t width = 0, height = 0;
    std::uint16_t bits = 1, samples = 1, planes = PLANARCONFIG_CONTIG, colours = PHOTOMETRIC_MINISBLACK;
    std::uint16_t sample_format = SAMPLEFORMAT_UINT, orientation = ORIENTATION_TOPLEFT;
    bool has_alpha = false, is_weighed = false;  ///< The latter: colours are multiplied by alpha.

    bool is_apart() const { return planes == PLANARCONFIG_SEPARATE; }
    /// Read as it is; all else libtiff makes 8-bit RGB of.
    bool is_plain() const {
        const bool is_grey = colours == PHOTOMETRIC_MINISBLACK || colours == PHOTOMETRIC_MINISWHITE;
        const unsigned expected = (is_grey ? 1u : 3u) + (has_alpha ? 1u : 0u);
        return (bits == 8 || bits == 16) && (is_grey || colours == PHOTOMETRIC_RGB) && samples == expected;
    }
};

Form form_of(TIFF* tiff, const InputFile& file) {
    Form form;
    if (TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &form.width) == 0 ||
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &form.height) == 0)
        file.refuse("damaged TIFF: it does not say its size");
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &form.bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &form.samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &form.planes);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &form.sample_format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &form.orientation);
    TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &form.colours);
    std::uint16_t extra = 0;
    const std::uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &extra, &kinds);
    form.has_alpha = extra == 1 && kinds != nullptr && kinds[0] != EXTRASAMPLE_UNSPECIFIED;
    form.is_weighed = form.has_alpha && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    return form;
}

/// Puts a strip or tile to its place in the whole picture; `plane` is the sample that it has, where they lie apart.
void place(const Form& form, const std::vector<std::uint8_t>& block, std::uint64_t block_width, std::uint64_t x0,
           std::uint64_t y0, std::uint64_t rows, std::uint16_t plane, std::vector<std::uint8_t>& pixels) {
    const std::uint64_t bytes = form.bits / 8, step = form.is_apart() ? 1 : form.samples;
    const std::uint64_t columns = std::min<std::uint64_t>(block_width, form.width - x0);
    for (std::uint64_t y = 0; y < std::min<std::uint64_t>(rows, form.height - y0); ++y)
        for (std::uint64_t x = 0; x < columns; ++x) {
            const std::uint64_t to = ((y0 + y) * form.width + x0 + x) * form.samples + plane;
            std::memcpy(pixels.data() + to * bytes, block.data() + (y * block_width + x) * step * bytes, step * bytes);
        }
}

/// Whole strips or tiles; false where libtiff found an error.
bool read_plain(TIFF* tiff, const Form& form, std::vector<std::uint8_t>& pixels) {
    const bool tiled = TIFFIsTiled(tiff) != 0;
    std::uint32_t width = form.width, height = form.height;
    if (tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &height);
        height = std::min(height, form.height);
    }
    if (width == 0 || height == 0 || width > longest_side || height > longest_side ||
        std::uint64_t{width} * height > most_pixels)
        return false;
    const std::uint64_t pixel_bytes = (form.is_apart() ? 1u : form.samples) * (form.bits / 8u);
    std::vector<std::uint8_t> block(width * height * pixel_bytes);
    for (std::uint16_t plane = 0; plane < (form.is_apart() ? form.samples : 1); ++plane)
        for (std::uint32_t y = 0; y < form.height; y += height)
            for (std::uint32_t x = 0; x < form.width; x += width) {
                const std::uint32_t rows = tiled ? height : std::min(height, form.height - y);
                const auto wanted = static_cast<tmsize_t>(pixel_bytes * width * rows);
                const tmsize_t got =
                    tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), block.data(), wanted)
                          : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), block.data(), wanted);
                if (got != wanted) return false;
                place(form, block, width, x, y, rows, plane, pixels);
            }
    return true;
}

/// What is stored, turned round where 0 is white.
Raster plain_raster(TIFF* tiff, const Form& form, const InputFile& file) {
    Raster raster{form.width, form.height, form.samples, form.bits, {}};
    std::vector<std::uint8_t> pixels(raster.width * raster.height * form.samples * (form.bits / 8));
    if (!read_plain(tiff, form, pixels)) file.refuse("damaged TIFF: " + first_error);
    if (form.bits == 8) {
        raster.samples = from_stored(pixels);
    } else {
        std::vector<std::uint16_t> wide(pixels.size() / 2);
        std::memcpy(wide.data(), pixels.data(), pixels.size());  // libtiff gives this machine's order
        raster.samples = from_stored(wide);
    }
    if (form.colours == PHOTOMETRIC_MINISWHITE)
        for (std::size_t i = 0; i < raster.samples.size(); i += raster.channels)
            raster.samples[i] = 1 - raster.samples[i];
    if (form.is_weighed)
        for (std::size_t i = 0; i < raster.samples.size(); i += raster.channels) {
            const float alpha = raster.samples[i + raster.channels - 1];
            for (std::size_t c = 0; alpha > 0 && c + 1 < raster.channels; ++c)
                raster.samples[i + c] = std::min(1.0f, raster.samples[i + c] / alpha);
        }
    return raster;
}

/// What libtiff converts, without alpha.
Raster converted_raster(TIFF* tiff, const Form& form, const InputFile& file) {
    char why[1024] = "";
    if (TIFFRGBAImageOK(tiff, why) == 0) file.refuse("expected another kind of TIFF: " + printable(one_line(why)));
    std::vector<std::uint32_t> pixels(std::uint64_t{form.width} * form.height);
    // Asked for the picture as it lies: libtiff mirrors, but does not exchange rows and columns.
    if (TIFFReadRGBAImageOriented(tiff, form.width, form.height, pixels.data(), form.orientation, 1) == 0)
        file.refuse("damaged TIFF: " + first_error);
    const bool is_grey = form.colours == PHOTOMETRIC_MINISBLACK || form.colours == PHOTOMETRIC_MINISWHITE;
    Raster raster{form.width, form.height, is_grey ? 1u : 3u, 8, {}};
    std::vector<std::uint8_t> samples;
    samples.reserve(pixels.size() * raster.channels);
    for (const std::uint32_t pixel : pixels) {
        samples.push_back(static_cast<std::uint8_t>(TIFFGetR(pixel)));
        if (!is_grey) {
            samples.push_back(static_cast<std::uint8_t>(TIFFGetG(pixel)));
            samples.push_back(static_cast<std::uint8_t>(TIFFGetB(pixel)));
        }
    }
    raster.samples = from_stored(samples);
    return raster;
}

PictureTags tags_of(TIFF* tiff, bool keeps_profile) {
    PictureTags tags;
    std::uint32_t bytes = 0;
    const void* profile = nullptr;
    if (keeps_profile && TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &bytes, &profile) != 0 && profile != nullptr)
        tags.profile.assign(static_cast<const char*>(profile), bytes);
    float x = 0, y = 0;
    std::uint16_t unit = RESUNIT_INCH;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) != 0 && TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) != 0 && x > 0 &&
        y > 0 && x < 1e9f && y < 1e9f) {
        const double metres = unit == RESUNIT_INCH         ? metres_of_inch
                              : unit == RESUNIT_CENTIMETER ? metres_of_centimetre
                                                           : 1;
        tags.density = {static_cast<double>(x) / metres, static_cast<double>(y) / metres,
                        unit != RESUNIT_INCH && unit != RESUNIT_CENTIMETER};
    }
    return tags;
}

/// What libtiff writes, which goes back to what it wrote before.
struct Memory {
    std::vector<std::uint8_t> bytes;
    std::uint64_t position = 0;
};
tmsize_t read_memory(thandle_t, void*, tmsize_t) { return -1; }
tmsize_t write_memory(thandle_t user, void* from, tmsize_t count) {
    auto* memory = static_cast<Memory*>(user);
    try {
        const std::uint64_t end = memory->position + static_cast<std::uint64_t>(count);
        if (end > memory->bytes.size()) memory->bytes.resize(end);
    } catch (const std::exception&) {
        return -1;
    }
    std::memcpy(memory->bytes.data() + memory->position, from, static_cast<std::size_t>(count));
    memory->position += static_cast<std::uint64_t>(count);
    return count;
}
toff_t seek_memory(thandle_t user, toff_t offset, int whence) {
    auto* memory = static_cast<Memory*>(user);
    memory->position = offset + (whence == SEEK_SET ? 0 : whence == SEEK_END ? memory->bytes.size() : memory->position);
    return memory->position;
}
toff_t size_of_memory(thandle_t user) { return static_cast<Memory*>(user)->bytes.size(); }

void set_fields(TIFF* tiff, const Raster& raster) {
    constexpr std::uint64_t strip_bytes = 1 << 16;
    const std::uint64_t row_bytes = raster.width * raster.channels * raster.bits / 8;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(raster.width));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(raster.height));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(raster.bits));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<int>(raster.channels));
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, raster.channels <= 2 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP,
                 static_cast<std::uint32_t>(std::clamp<std::uint64_t>(strip_bytes / row_bytes, 1, raster.height)));
    if (raster.has_alpha()) {
        const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    if (const std::string& profile = raster.tags.profile; !profile.empty())
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()), profile.data());
    if (const auto& density = raster.tags.density) {
        const double unit = density->is_ratio ? 1 : metres_of_inch;
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, density->is_ratio ? RESUNIT_NONE : RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, density->x * unit);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, density->y * unit);
    }
}

}  // namespace

Raster read_tiff(InputFile& file) {
    constexpr std::uint64_t most_per_byte = 1 << 16;  // fax codes and zstd make much of little
    const Handle tiff = open_to_read(file);
    const Form form = form_of(tiff.get(), file);
    check_picture_size(file, form.width, form.height, most_per_byte);
    if (form.sample_format != SAMPLEFORMAT_UINT && form.sample_format != SAMPLEFORMAT_VOID)
        file.refuse("expected unsigned integers as samples, got others");
    const bool is_ink = form.colours == PHOTOMETRIC_SEPARATED;
    Raster raster = form.is_plain() ? plain_raster(tiff.get(), form, file) : converted_raster(tiff.get(), form, file);
    raster.tags = tags_of(tiff.get(), !is_ink);
    set_upright(raster, form.orientation);
    if (!first_error.empty()) raster.remark = "a part of it beside the pixels is damaged (" + first_error + ")";
    if (TIFFLastDirectory(tiff.get()) == 0) raster.remark = "only the first of its pictures is read";
    return raster;
}

std::uint64_t write_tiff(OutputFile& file, const Raster& raster) {
    set_handlers();
    Memory memory;
    std::uint64_t clipped = 0;
    const auto check = [](bool ok) {
        if (!ok) throw Failure("cannot write a TIFF picture: " + first_error);
    };
    {
        const Handle tiff(TIFFClientOpen("picture", "w", &memory, read_memory, write_memory, seek_memory, close_nothing,
                                         size_of_memory, nullptr, nullptr));
        check(tiff != nullptr);
        set_fields(tiff.get(), raster);
        const std::uint64_t count = raster.width * raster.channels;
        for (std::uint64_t y = 0; y < raster.height; ++y) {
            std::vector<std::uint16_t> row = to_stored(raster, y * count, count, raster.full_scale(), clipped);
            std::vector<std::uint8_t> narrow;
            if (raster.bits == 8) narrow.assign(row.begin(), row.end());
            void* from = raster.bits == 8 ? static_cast<void*>(narrow.data()) : row.data();
            check(TIFFWriteScanline(tiff.get(), from, static_cast<std::uint32_t>(y), 0) == 1);
        }
        check(TIFFFlush(tiff.get()) == 1);
    }
    check(first_error.empty());
    file.write(memory.bytes.data(), memory.bytes.size());
    return clipped;
}

}  // namespace seiche::cli::io
