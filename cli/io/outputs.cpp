// The files a command was told to write, by what their names end in.
#include "cli/io/outputs.hpp"

#include <algorithm>

#include "cli/io/output_file.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {

Outputs sort_outputs(const std::vector<std::string>& names) {
    Outputs outputs;
    outputs.all = names;
    for (const std::string& name : names) {
        const std::string kind = io::output_extension(name, ".png");
        if (kind != ".png" && kind != ".csv" && kind != ".npy")
            throw UsageError("expected an output that ends in .png, .csv or .npy, got '" + name + "'");
        (kind == ".png" ? outputs.png : kind == ".csv" ? outputs.csv : outputs.npy).push_back(name);
    }
    return outputs;
}

std::string output_kind(const std::string& name, io::FileKind kind, bool or_array) {
    std::vector<std::string> known;
    if (kind == io::FileKind::sound) known = {".wav", ".flac", ".aiff", ".aif", ".ogg", ".mp3"};
    if (kind == io::FileKind::picture) known = {".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff"};
    if (kind == io::FileKind::array || or_array) known.emplace_back(".npy");
    const std::string extension = io::output_extension(name, known.front());
    if (std::find(known.begin(), known.end(), extension) != known.end()) return extension;
    std::string list;
    for (std::size_t i = 0; i < known.size(); ++i)
        list += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + known[i];
    throw UsageError("expected an output that ends in " + list + ", got '" + name + "'");
}

}  // namespace seiche::cli
