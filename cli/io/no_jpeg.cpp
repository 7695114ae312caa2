// JPEG files for a tool that was built without libjpeg: none is read or written.
#include "cli/io/photographs.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

constexpr const char* without =
    "this tool was built without libjpeg and knows no JPEG pictures: convert it to PNG, or install libjpeg's "
    "development "
    "package (libjpeg-dev) and build again";

}  // namespace

Raster read_jpeg(InputFile& file) { file.refuse(without); }
std::uint64_t write_jpeg(OutputFile&, const Raster&) { throw Failure(without); }

}  // namespace seiche::cli::io
