// Pictures that commands read and write, with what is to be said of their files.
#include "cli/picture/raster_file.hpp"

#include "cli/command/report.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/outputs.hpp"

namespace seiche::cli {

io::Raster open_raster(const std::string& path) {
    io::Raster raster = io::read_raster(path);
    if (!raster.remark.empty()) note("'" + path + "': " + raster.remark);
    return raster;
}

std::uint64_t save_raster(const std::string& path, const io::Raster& raster) {
    const std::string kind = output_kind(path, io::FileKind::picture);
    io::OutputFile file(path);
    const std::uint64_t clipped = io::write_raster(file, raster, kind);
    file.commit();
    if (const std::string lost = io::lost_in(kind, raster); !lost.empty()) note("'" + path + "': " + lost);
    return clipped;
}

}  // namespace seiche::cli
