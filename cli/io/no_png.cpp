// PNG files for a tool that was built without libpng: none is read or written.
#include "cli/io/png.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

constexpr const char* without = "this tool was built without libpng (SEICHE_CLI_PICTURES=OFF)";

}  // namespace

Raster read_png(InputFile& file) { file.refuse(std::string(without) + " and reads no pictures"); }
Picture read_png(const std::string& path) {
    InputFile file(path);
    return to_picture(read_png(file));
}
std::uint64_t write_raster(OutputFile&, const Raster&) {
    throw Failure(std::string(without) + " and writes no pictures");
}

}  // namespace seiche::cli::io
