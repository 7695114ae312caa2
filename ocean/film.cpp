// Frames as files: pictures, and a video where ffmpeg is there.
#include "ocean/film.hpp"

#include <filesystem>
#include <sstream>

#include "cli/io/png.hpp"
#include "cli/system/child_process.hpp"
#include "cli/system/environment.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::ocean {

namespace {

/// Where a program lies in the folders of PATH; empty if in none.
std::string find_program(const std::string& name) {
    std::istringstream list(cli::environment("PATH"));
    for (std::string folder; std::getline(list, folder, ':');) {
        const auto path = std::filesystem::path(folder) / name;
        std::error_code ignored;
        if (!folder.empty() && std::filesystem::is_regular_file(path, ignored)) return path.string();
    }
    return {};
}

}  // namespace

Film::Film(const std::string& folder, double frames_per_second)
    : folder_(folder), frames_per_second_(frames_per_second) {
    std::error_code error;
    std::filesystem::create_directories(cli::path_of(folder), error);
    if (error || !std::filesystem::is_directory(cli::path_of(folder)))
        throw cli::Failure("cannot make the folder '" + folder + "'" + (error ? ": " + error.message() : ""));
}

std::string Film::path_of_frame(const std::string& number) const {
    return (cli::path_of(folder_) / ("frame_" + number + ".png")).string();
}

void Film::add(const std::uint8_t* pixels, std::uint32_t width, std::uint32_t height) {
    cli::io::Raster raster;
    raster.width = width, raster.height = height, raster.channels = 3;
    raster.samples.reserve(std::size_t{3} * width * height);
    for (std::size_t i = 0; i < std::size_t{4} * width * height; ++i)
        if (i % 4 != 3) raster.samples.push_back(static_cast<float>(pixels[i]) / 255.0f);
    const std::string number = std::to_string(frames_);
    cli::io::OutputFile file(path_of_frame(std::string(number.size() < 4 ? 4 - number.size() : 0, '0') + number));
    cli::io::write_raster(file, raster);
    file.commit();
    ++frames_;
}

std::string Film::make_video() const {
    const std::string program = find_program("ffmpeg");
    if (program.empty()) return {};
    const std::string video = (cli::path_of(folder_) / "ocean.mp4").string();
    cli::remove_file(video.c_str());
    {  // its end is waited for
        const cli::ChildProcess run({program, "-y", "-framerate", cli::shortest(frames_per_second_), "-i",
                                     path_of_frame("%04d"), "-frames:v", std::to_string(frames_), "-c:v", "libx264",
                                     "-crf", "18", "-pix_fmt", "yuv420p", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                     video});
    }
    if (!std::filesystem::exists(cli::path_of(video))) throw cli::Failure(program + " made no " + video);
    return video;
}

}  // namespace seiche::ocean
