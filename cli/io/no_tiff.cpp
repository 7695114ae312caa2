// TIFF files for a tool that was built without libtiff: none is read or written.
#include "cli/io/photographs.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {
namespace {

constexpr const char* without =
    "this tool was built without libtiff and knows no TIFF pictures: convert it to PNG, or install libtiff's "
    "development "
    "package (libtiff-dev) and build again";

}  // namespace

Raster read_tiff(InputFile& file) { file.refuse(without); }
std::uint64_t write_tiff(OutputFile&, const Raster&) { throw Failure(without); }

}  // namespace seiche::cli::io
