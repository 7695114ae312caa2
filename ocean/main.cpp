// seiche-ocean, which `seiche ocean` runs: frames of a sea, and what its transforms cost by which algorithm.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "cli/command/command_line.hpp"
#include "cli/command/report.hpp"
#include "cli/system/environment.hpp"
#include "cli/system/system.hpp"
#include "cli/text/text.hpp"
#include "ocean/film.hpp"
#include "ocean/opengl.hpp"
#include "ocean/show.hpp"
#include "seiche/error.hpp"
#include "seiche/textbook.hpp"
#include "seiche/version.hpp"

namespace {

using namespace seiche::ocean;
using seiche::cli::Failure;
using seiche::cli::fixed;
using seiche::cli::Json;
using seiche::cli::note;
using seiche::cli::print_formatted;
using seiche::cli::UsageError;

struct Request {
    Settings settings;
    std::string spectrum = "jonswap", device, output;
    std::vector<std::string> recipes;
    std::string arrays = "buffers";
    std::optional<std::uint32_t> frames;
    std::optional<double> frames_per_second;
    double fetch_km = 300, direction_degrees = 66;
    bool window = false, json = false;
};

constexpr std::uint32_t usual_frames = 120;

/// What one algorithm took; medians over the frames.
struct Result {
    Algorithm algorithm;
    std::string problem;  ///< Empty where it ran.
    FrameTime time;
    double frames_per_second = 0, wave_height = 0;
    std::size_t frames = 0;
    // Where OpenGL transformed:
    std::string opengl;     ///< Its device.
    double difference = 0;  ///< Of its fields from Vulkan's.
};

void add_options(seiche::cli::Command& command, Request& request) {
    Settings& settings = request.settings;
    command.add_option("-o,--output", request.output, "Write the frames to this folder (default: only report times)")
        .value("FOLDER");
    command.add_option("--size", settings.size, "Points per side of a patch, even, 16 to 4096").capture_default_str();
    command.add_flag("--window", request.window, "Show the sea in a window, in real time, until it is closed (Esc)");
    command.add_option("--frames", request.frames, "Number of frames (default: 120; in a window, until it is closed)")
        .positive();
    command.add_option("--fps", request.frames_per_second,
                       "Frames per second (default: 30; in a window, as many as the display takes)");
    command.add_option("--wind", settings.wind.speed, "Wind speed in m/s, 1 to 40").capture_default_str();
    command
        .add_option("--direction", request.direction_degrees,
                    "Where the wind blows to, in degrees: 0 is to the right, 90 towards the viewer")
        .capture_default_str();
    command.add_option("--spectrum", request.spectrum, "Spectrum of the waves")
        .value("NAME")
        .one_of({"phillips", "jonswap"})
        .capture_default_str();
    command.add_option("--fetch", request.fetch_km, "Kilometres of open water, for jonswap").capture_default_str();
    command.add_option("--choppiness", settings.choppiness, "How sharp the crests are, 0 to 2").capture_default_str();
    command.add_option("--patches", settings.patches_wanted, "Patches of waves to superpose, 1 to 3")
        .capture_default_str();
    command.add_option("--seed", settings.seed, "Seed of the waves").capture_default_str();
    command.add_option("--width", settings.width, "Width of a frame in pixels, 16 to 8192").capture_default_str();
    command.add_option("--height", settings.height, "Height of a frame in pixels, 16 to 8192").capture_default_str();
    command
        .add_option("--recipe", request.recipes,
                    "The recipes to time: automatic (default), names of textbook recipes, or mota2022 for all of "
                    "that text. The first one draws the frames")
        .value("NAME")
        .delimiter(',');
    command
        .add_option("--arrays", request.arrays,
                    "Where the data are: buffers, images (rg32f, as in mota2022), both in turn, opengl-images (the "
                    "same through OpenGL, times only), or all")
        .value("NAME")
        .one_of({"buffers", "images", "both", "opengl-images", "all"})
        .capture_default_str();
    command.add_option("--device", request.device, "The Vulkan device, e.g. vulkan:0; `seiche devices` lists them")
        .value("NAME");
    seiche::cli::add_json_option(command, request.json);
}

void demand(bool holds, const char* option, const char* expected, double got) {
    if (holds) return;
    throw UsageError(std::string(option) + ": expected " + expected + ", got " + seiche::cli::shortest(got));
}

void check(Request& request) {
    Settings& s = request.settings;
    if (request.frames_per_second) s.frames_per_second = *request.frames_per_second;
    demand(s.size >= 16 && s.size <= 4096 && s.size % 2 == 0, "--size", "an even number from 16 to 4096", s.size);
    const auto fits = [](std::uint32_t pixels) { return pixels >= least_pixels && pixels <= most_pixels; };
    demand(fits(s.width), "--width", "16 to 8192", s.width);
    demand(fits(s.height), "--height", "16 to 8192", s.height);
    demand(s.wind.speed >= 1 && s.wind.speed <= 40, "--wind", "1 to 40 m/s", s.wind.speed);
    demand(s.choppiness >= 0 && s.choppiness <= 2, "--choppiness", "0 to 2", s.choppiness);
    demand(s.frames_per_second > 0 && s.frames_per_second <= 1000, "--fps", "0 to 1000", s.frames_per_second);
    demand(request.fetch_km >= 1 && request.fetch_km <= 10'000, "--fetch", "1 to 10000 km", request.fetch_km);
    demand(s.patches_wanted >= 1 && s.patches_wanted <= most_patches, "--patches", "1 to 3", s.patches_wanted);
    demand(std::isfinite(request.direction_degrees), "--direction", "degrees", request.direction_degrees);
    s.spectrum = request.spectrum == "phillips" ? SpectrumKind::phillips : SpectrumKind::jonswap;
    s.wind.fetch = 1000 * request.fetch_km;
    s.wind.direction = request.direction_degrees / 180 * std::numbers::pi;
    if (request.device.empty()) request.device = seiche::cli::environment("SEICHE_DEVICE");
}

/// Automatic and the textbook recipes that were asked for by name or by text.
std::vector<std::string> names(const Request& request) {
    if (request.recipes.empty()) return {automatic};
    const auto known = seiche::textbook_recipes();
    std::vector<std::string> all;
    for (const std::string& name : request.recipes) {
        const std::size_t before = all.size();
        if (name == automatic) all.push_back(name);
        for (const auto& recipe : known)
            if (recipe.name == name || recipe.text == name) all.push_back(recipe.name);
        if (all.size() == before)
            throw UsageError("--recipe: expected automatic, a textbook recipe or the key of a text, got '" + name +
                             "' (see seiche plan --help)");
    }
    return all;
}

std::vector<Algorithm> algorithms(const Request& request) {
    std::vector<Algorithm> all;
    const std::string& wanted = request.arrays;
    const bool all_kinds = wanted == "all", both = all_kinds || wanted == "both";
    for (const std::string& name : names(request)) {
        if (both || wanted == "buffers") all.push_back({name, Arrays::buffers});
        if (both || wanted == "images") all.push_back({name, Arrays::images});
        if (all_kinds || wanted == "opengl-images") all.push_back({name, Arrays::opengl_images});
    }
    return all;
}

std::string arrays_text(Arrays arrays) {
    return arrays == Arrays::buffers ? "buffers" : arrays == Arrays::images ? "images" : "opengl-images";
}

std::string title(const Algorithm& algorithm) {
    if (algorithm.arrays == Arrays::buffers) return algorithm.name;
    return algorithm.name + (algorithm.arrays == Arrays::images ? ", images" : ", OpenGL images");
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Foam of two seconds before the first frame.
void let_foam(Sea& sea) {
    constexpr int before = 24;
    for (int i = before; i > 0; --i) sea.advance(-i * 2.0 / before);
}

Result summary(const Sea& sea, const Algorithm& algorithm, const std::vector<FrameTime>& frames,
               const std::vector<double>& seconds) {
    Result result;
    result.algorithm = algorithm;
    result.wave_height = significant_height(sea.patches());
    result.frames = frames.size();
    if (frames.empty()) return result;
    std::vector<double> transforms, rest;
    for (const FrameTime& time : frames) transforms.push_back(time.transforms), rest.push_back(time.rest);
    result.time = {median(transforms), median(rest)};
    result.frames_per_second = 1 / median(seconds);
    return result;
}

/// The transforms alone of all frames, by one algorithm, in OpenGL.
Result run_on_opengl(const Gpu& gpu, const Request& request, const Algorithm& algorithm) {
    const std::uint32_t count = request.frames.value_or(usual_frames);
    seiche::cli::Progress progress("ocean, " + title(algorithm));
    const OpenglTimes times = time_on_opengl(gpu, request.settings, algorithm.name, count,
                                             [&](std::uint32_t frame) { progress.at(frame, count); });
    Result result;
    result.algorithm = algorithm;
    result.time.transforms = median(times.milliseconds);
    result.wave_height = times.wave_height;
    result.frames = count;
    result.opengl = times.device;
    result.difference = times.difference;
    return result;
}

/// All frames by one algorithm; those of the first become files.
Result run(const Gpu& gpu, const Request& request, const Algorithm& algorithm, Film* film) {
    const double step = 1 / request.settings.frames_per_second;
    const std::uint32_t count = request.frames.value_or(usual_frames);
    Sea sea(gpu, request.settings, algorithm);
    let_foam(sea);
    std::vector<FrameTime> frames;
    std::vector<double> seconds;
    seiche::cli::Progress progress("ocean, " + title(algorithm));
    for (std::uint32_t frame = 0; frame < count; ++frame) {
        const double began = seiche::cli::now_seconds();
        frames.push_back(sea.draw(frame * step));
        seconds.push_back(seiche::cli::now_seconds() - began);
        if (film != nullptr) film->add(sea.pixels(), request.settings.width, request.settings.height);
        progress.at(frame + 1, count);
    }
    return summary(sea, algorithm, frames, seconds);
}

Json as_json(const Gpu& gpu, const Request& request, const std::vector<Result>& results, const std::string& video) {
    const Settings& s = request.settings;
    Json json;
    json["device"] = gpu.name();
    json["description"] = gpu.properties().deviceName;
    json["spectrum"] = request.spectrum;
    json["wind"] = s.wind.speed;
    json["size"] = s.size;
    json["patches"] = s.patches_wanted;
    json["significant_height"] = results.front().wave_height;
    json["transforms_of_a_frame"] = s.patches_wanted * Waves::transforms_per_patch;
    json["width"] = s.width;
    json["height"] = s.height;
    json["frames"] = results.front().frames;
    json["results"] = Json::array();
    for (const Result& result : results) {
        Json one{{"algorithm", result.algorithm.name}, {"arrays", arrays_text(result.algorithm.arrays)}};
        if (!result.problem.empty()) {
            one["unsupported"] = result.problem;
        } else if (!result.opengl.empty()) {
            one["device"] = result.opengl;
            one["transforms_ms"] = result.time.transforms;
            one["difference"] = result.difference;
        } else {
            one["transforms_ms"] = gpu.has_timestamps() ? Json(result.time.transforms) : Json();
            one["rest_ms"] = gpu.has_timestamps() ? Json(result.time.rest) : Json();
            one["frames_per_second"] = result.frames_per_second;
        }
        json["results"].push_back(one);
    }
    if (!request.output.empty()) json["output"] = request.output;
    if (!video.empty()) json["video"] = video;
    return json;
}

void print(const Gpu& gpu, const Request& request, const std::vector<Result>& results) {
    const Settings& s = request.settings;
    print_formatted("%s (%s)\n", gpu.name().c_str(), gpu.properties().deviceName);
    print_formatted(
        "%s, wind %s m/s, significant wave height %s m; %u transforms of %u x %u a frame; %zu frames of %u x %u\n",
        request.spectrum.c_str(), seiche::cli::shortest(s.wind.speed).c_str(),
        fixed(results.front().wave_height, 2).c_str(), s.patches_wanted * Waves::transforms_per_patch, s.size, s.size,
        results.front().frames, s.width, s.height);
    print_formatted("%-40s%14s%10s%12s\n", "", "transforms ms", "rest ms", "frames/s");
    std::string opengl;
    double difference = 0;
    for (const Result& result : results) {
        const std::string name = title(result.algorithm);
        const bool draws = result.opengl.empty(), timed = gpu.has_timestamps() || !draws;
        if (!result.problem.empty()) {
            print_formatted("%-40s%s\n", name.c_str(), result.problem.c_str());
            continue;
        }
        print_formatted("%-40s%14s%10s%12s\n", name.c_str(), timed ? fixed(result.time.transforms, 3).c_str() : "-",
                        timed && draws ? fixed(result.time.rest, 3).c_str() : "-",
                        draws ? fixed(result.frames_per_second, 1).c_str() : "-");
        if (!draws) opengl = result.opengl, difference = std::max(difference, result.difference);
    }
    if (!opengl.empty())
        print_formatted("OpenGL: %s, the same spectra; fields differ from Vulkan's by %s at most\n", opengl.c_str(),
                        seiche::cli::significant(difference, 2).c_str());
}

void report(const Gpu& gpu, const Request& request, const std::vector<Result>& results, const std::string& video) {
    if (request.json)
        seiche::cli::print_json(as_json(gpu, request, results, video));
    else
        print(gpu, request, results);
}

const char* const drawn_by_vulkan =
    "--arrays: expected buffers or images to draw by, got opengl-images, which are for times only";

/// The sea in a window.
void show_ocean(const Request& request) {
    const std::vector<Algorithm> wanted = algorithms(request);
    if (!request.output.empty()) throw UsageError("--window: expected no -o, which writes frames that nobody resizes");
    if (request.arrays == "opengl-images") throw UsageError(drawn_by_vulkan);
    if (wanted.size() != 1)
        throw UsageError("--window: expected one algorithm to draw by, got " + std::to_string(wanted.size()) +
                         " of --recipe and --arrays");
    const Settings& settings = request.settings;
    Window window("seiche ocean", {settings.width, settings.height});
    const Gpu gpu(request.device, &window.showing());
    check_fits(gpu, settings);
    note("using " + gpu.name() + " (" + gpu.properties().deviceName + ")");
    Sea sea(gpu, settings, wanted.front(), PicturesIn::device);
    let_foam(sea);
    const Shown shown = show(gpu, window, sea, {request.frames.value_or(0), request.frames_per_second.value_or(0)});
    Request as_shown = request;
    as_shown.settings = sea.settings();
    report(gpu, as_shown, {summary(sea, wanted.front(), shown.frames, shown.seconds)}, {});
}

/// Frames as files, or none but their times.
void make_ocean(const Request& request) {
    if (request.arrays == "opengl-images" && !request.output.empty()) throw UsageError(drawn_by_vulkan);
    const std::vector<Algorithm> wanted = algorithms(request);
    const Gpu gpu(request.device);
    check_fits(gpu, request.settings);
    note("using " + gpu.name() + " (" + gpu.properties().deviceName + ")");
    std::optional<Film> film;
    if (!request.output.empty()) film.emplace(request.output, request.settings.frames_per_second);
    std::vector<Result> results;
    for (const Algorithm& algorithm : wanted) {
        Film* const drawn = film && results.empty() ? &*film : nullptr;
        try {
            results.push_back(algorithm.arrays == Arrays::opengl_images ? run_on_opengl(gpu, request, algorithm)
                                                                        : run(gpu, request, algorithm, drawn));
        } catch (const seiche::Unsupported& error) {
            if (results.empty()) throw;  // nothing to draw by
            results.push_back({algorithm, error.what(), {}, 0, 0, 0, {}, 0});
        }
    }
    std::string video;
    if (film) {
        video = film->make_video();
        note(std::to_string(film->frames()) + " frames in " + request.output +
             (video.empty() ? "; no video: ffmpeg is not in PATH" : ", video " + video));
    }
    report(gpu, request, results, video);
}

void run_command(const std::vector<std::string>& arguments) {
    seiche::cli::CommandLine app("Draw a sea of Tessendorf waves with Vulkan, and time its transforms", "seiche ocean",
                                 std::string("seiche ") + seiche::version(), false);
    Request request;
    add_options(app, request);
    app.callback([&request] {
        check(request);
        request.window ? show_ocean(request) : make_ocean(request);
    });
    app.run(arguments);
}

}  // namespace

int main(int argc, char** argv) {
    return seiche::cli::guarded([argc, argv] { run_command(seiche::cli::start_process(argc, argv)); });
}
