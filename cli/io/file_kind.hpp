// What a file is, by its name and by what it begins with.
#pragma once

#include <string>

#include "cli/io/input_file.hpp"

namespace seiche::cli::io {

enum class FileKind { unknown, sound, picture, array };

/// By the name's extension; where that tells nothing (no extension, standard input, a pipe) by the first bytes. What is
/// no file is unknown; throws Failure for a file that cannot be read.
FileKind kind_of(const std::string& path);

enum class Format {
    unknown,
    wav,
    decoded_sound,  ///< FLAC, Ogg, MP3, AIFF and their like, for which there is a library.
    png,
    jpeg,
    webp,
    tiff,
    npy
};

/// By the first bytes; the file is at its beginning again.
Format format_of(InputFile& file);

}  // namespace seiche::cli::io
