// PNG files for a tool that was built without libpng: none is read or written.
#include "cli/failure.hpp"
#include "cli/io/png.hpp"

namespace seiche::cli::io {
namespace {

constexpr const char* without = "this tool was built without libpng (SEICHE_CLI_PICTURES=OFF)";

}  // namespace

Picture read_png(const std::string& path) { throw Failure("'" + path + "': " + without + " and reads no pictures"); }
Raster read_raster(const std::string& path) { throw Failure("'" + path + "': " + without + " and reads no pictures"); }
std::uint64_t write_raster(OutputFile&, const Raster&) {
    throw Failure(std::string(without) + " and writes no pictures");
}

}  // namespace seiche::cli::io
