// WebP files for a tool that was built without libwebp: none is read or written.
#include "cli/io/photographs.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

constexpr const char* without =
    "this tool was built without libwebp and knows no WebP pictures: convert it to PNG, or install libwebp's "
    "development "
    "package (libwebp-dev) and build again";

}  // namespace

Raster read_webp(InputFile& file) { file.refuse(without); }
std::uint64_t write_webp(OutputFile&, const Raster&) { throw Failure(without); }

}  // namespace seiche::cli::io
