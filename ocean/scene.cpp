// What is to be seen: camera, sun and patches as the shaders know them.
#include "ocean/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace seiche::ocean {

namespace {

// The camera looks along -z and a little down; the sun is low, ahead and to the right.
constexpr double pitch = -0.075, tangent_up = 0.29, sun_height = 0.15, sun_aside = 0.30;
constexpr double far_edge = 30'000;  // metres
constexpr double pixels_per_cell = 3.5;

float narrow(double x) { return static_cast<float>(x); }

/// Share of the sea that whitecaps cover by wind: E. C. Monahan and I. O'Muircheartaigh, 1980.
double whitecaps(double wind_speed) { return std::min(3.84e-6 * std::pow(wind_speed, 3.41), 0.3); }

/// How many standard deviations above its mean a Gaussian number is with this chance.
double deviations(double chance) {
    double low = 0, high = 9;
    for (int step = 0; step < 50; ++step) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(middle / std::numbers::sqrt2) > chance ? low : high) = middle;
    }
    return low;
}

double eye_height(double waves) { return 1.8 + 0.8 * waves; }

void place_camera(Scene& scene, const Settings& settings, double eye) {
    const double tangent_right = tangent_up * settings.width / settings.height;
    const double c = std::cos(pitch), s = std::sin(pitch);
    scene.camera = {0, narrow(eye), 0, narrow(far_edge)};
    scene.right = {narrow(tangent_right), 0, 0, 0};
    scene.up = {0, narrow(tangent_up * c), narrow(tangent_up * s), 0};
    scene.ahead = {0, narrow(s), narrow(-c), 0};
    // Rows of the matrix: across, down, depth (near over distance, 1 at the nearest), distance.
    const double near_edge = 0.3;
    const std::array<std::array<double, 4>, 4> rows{{{1 / tangent_right, 0, 0, 0},
                                                     {0, -c / tangent_up, -s / tangent_up, eye * c / tangent_up},
                                                     {0, 0, 0, near_edge},
                                                     {0, s, -c, -eye * s}}};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 4; ++column) scene.to_clip[4 * column + row] = narrow(rows[row][column]);
}

void place_patches(Scene& scene, const Settings& settings, const std::vector<PatchOfWaves>& waves) {
    const double chance = whitecaps(settings.wind.speed);
    double resolved = 0;
    for (std::size_t p = 0; p < waves.size(); ++p) {
        const Patch& patch = waves[p].patch;
        // The Jacobian is 1 plus, to first order, choppiness times the divergence of displacement.
        const double deviation = settings.choppiness * std::sqrt(waves[p].slope_variance);
        const double limit = deviations(p == 1 ? chance : chance / 4);  // the longest and the shortest seldom break
        scene.patches[p] = {narrow(patch.length), narrow(std::cos(patch.rotation)), narrow(std::sin(patch.rotation)),
                            narrow(1 - limit * deviation)};
        scene.steepness[p] = narrow(std::max(0.7 * deviation, 1e-6));
        resolved += waves[p].slope_variance;
    }
    // C. Cox and W. Munk, 1954: slopes of all waves, down to the smallest; what the patches lack of them.
    const double all = 0.003 + 0.00512 * settings.wind.speed;
    scene.sun[3] = narrow(std::max(all - resolved, 0.002));
}

}  // namespace

std::vector<PatchOfWaves> make_waves(const Settings& settings) {
    const Spectrum spectrum(settings.spectrum, settings.wind);
    std::vector<PatchOfWaves> all;
    for (const Patch& patch : patches(spectrum, static_cast<int>(settings.patches_wanted), settings.size)) {
        PatchOfWaves& one = all.emplace_back();
        one.patch = patch;
        one.amplitudes = amplitudes(spectrum, patch, settings.size, settings.seed);
        const double unit = 2 * std::numbers::pi / patch.length;
        const std::size_t size = settings.size;
        for (std::size_t i = 0; i < one.amplitudes.size(); ++i) {
            const Amplitude& a = one.amplitudes[i];
            const double power =
                static_cast<double>(a.with_re) * a.with_re + static_cast<double>(a.with_im) * a.with_im;
            const std::size_t row = i / size, column = i % size;
            const double z = static_cast<double>(std::min(row, size - row)),
                         x = static_cast<double>(std::min(column, size - column));
            one.height_variance += 2 * power;
            one.slope_variance += 2 * power * unit * unit * (x * x + z * z);
        }
    }
    return all;
}

double significant_height(const std::vector<PatchOfWaves>& waves) {
    double variance = 0;
    for (const PatchOfWaves& one : waves) variance += one.height_variance;
    return 4 * std::sqrt(variance);
}

float foam_left(double seconds) { return narrow(std::exp(-seconds / 2.2)); }

double horizon_line(const Settings& settings) { return (0.5 + std::tan(pitch) / (2 * tangent_up)) * settings.height; }

Scene make_scene(const Settings& settings, const std::vector<PatchOfWaves>& waves) {
    Scene scene;
    const double height = significant_height(waves);
    place_camera(scene, settings, eye_height(height));
    scene.sun = {narrow(std::sin(sun_aside) * std::cos(sun_height)), narrow(std::sin(sun_height)),
                 narrow(-std::cos(sun_aside) * std::cos(sun_height)), 0};
    // The mesh is wider than the picture by a quarter to each side and goes on below it, for what waves move there.
    const double first = horizon_line(settings) / settings.height + 0.0005, last = 1.5;
    scene.grid = {narrow(std::ceil(1.25 * settings.width / pixels_per_cell)),
                  narrow(std::ceil((last - first) * settings.height / pixels_per_cell)), narrow(first), narrow(last)};
    scene.sea = {0, narrow(settings.choppiness), narrow(settings.size), narrow(std::max(height, 0.01))};
    scene.foam = {foam_left(1 / settings.frames_per_second),
                  narrow(0.7 / std::sqrt(std::max(waves.back().slope_variance, 1e-6))), 0, 0};
    place_patches(scene, settings, waves);
    return scene;
}

}  // namespace seiche::ocean
