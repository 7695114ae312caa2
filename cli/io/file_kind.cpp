// What a file is, by its name and by what it begins with.
#include "cli/io/file_kind.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

struct Extension {
    std::string_view name;
    FileKind kind;
};
constexpr std::array extensions{
    Extension{".wav", FileKind::sound},   Extension{".wave", FileKind::sound},   Extension{".rf64", FileKind::sound},
    Extension{".w64", FileKind::sound},   Extension{".flac", FileKind::sound},   Extension{".ogg", FileKind::sound},
    Extension{".oga", FileKind::sound},   Extension{".opus", FileKind::sound},   Extension{".mp3", FileKind::sound},
    Extension{".aif", FileKind::sound},   Extension{".aiff", FileKind::sound},   Extension{".aifc", FileKind::sound},
    Extension{".au", FileKind::sound},    Extension{".caf", FileKind::sound},    Extension{".png", FileKind::picture},
    Extension{".jpg", FileKind::picture}, Extension{".jpeg", FileKind::picture}, Extension{".webp", FileKind::picture},
    Extension{".tif", FileKind::picture}, Extension{".tiff", FileKind::picture}, Extension{".npy", FileKind::array}};

/// A frame of MPEG audio, layer III: its sync word and no field that is forbidden.
bool is_mp3(std::string_view head) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
    return byte(0) == 0xFF && (byte(1) & 0xE6) == 0xE2 && (byte(1) & 0x18) != 0x08 && (byte(2) & 0xF0) != 0xF0 &&
           (byte(2) & 0xF0) != 0 && (byte(2) & 0x0C) != 0x0C;
}

Format format_by(std::string_view head) {
    const auto starts = [&](std::string_view magic, std::size_t at = 0) {
        return head.size() >= at && head.substr(at, magic.size()) == magic;
    };
    const bool is_wave = starts("WAVE", 8);
    if (is_wave && (starts("RIFF") || starts("RIFX") || starts("RF64") || starts("BW64"))) return Format::wav;
    if (starts("RIFF") && starts("WEBP", 8)) return Format::webp;
    if (starts("\x89PNG\r\n\x1a\n")) return Format::png;
    if (starts("\xFF\xD8\xFF")) return Format::jpeg;
    for (const std::string_view magic : {std::string_view("II*\0", 4), std::string_view("MM\0*", 4),
                                         std::string_view("II+\0", 4), std::string_view("MM\0+", 4)})
        if (starts(magic)) return Format::tiff;
    if (starts("\x93NUMPY")) return Format::npy;
    const bool is_aiff = starts("FORM") && (starts("AIFF", 8) || starts("AIFC", 8));
    for (const std::string_view magic : {"fLaC", "OggS", "ID3", "caff", ".snd", "riff"})
        if (starts(magic)) return Format::decoded_sound;
    return is_aiff || (head.size() >= 3 && is_mp3(head)) ? Format::decoded_sound : Format::unknown;
}

bool can_be_read(const std::string& path) {
    namespace fs = std::filesystem;
    if (is_standard_input(path)) return true;
    std::error_code error;
    const fs::file_status status = fs::status(path_of(path), error);
    return fs::is_regular_file(status) || fs::is_fifo(status);
}

}  // namespace

Format format_of(InputFile& file) {
    std::array<char, 12> head{};
    file.seek(0);
    const std::uint64_t got = file.read_some(head.data(), head.size());
    file.seek(0);
    return format_by({head.data(), got});
}

FileKind kind_of(const std::string& path) {
    const std::string name = extension(path);
    for (const Extension& known : extensions)
        if (known.name == name) return known.kind;
    if (!can_be_read(path)) return FileKind::unknown;
    InputFile file(path);
    switch (format_of(file)) {
        case Format::wav:
        case Format::decoded_sound: return FileKind::sound;
        case Format::png:
        case Format::jpeg:
        case Format::webp:
        case Format::tiff: return FileKind::picture;
        case Format::npy: return FileKind::array;
        case Format::unknown: break;
    }
    return FileKind::unknown;
}

}  // namespace seiche::cli::io
