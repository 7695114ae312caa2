// The transforms of frames once more, through OpenGL on pairs of images, as the text mota2022 has them.
#include "ocean/opengl.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "cli/check/image_memory.hpp"
#include "cli/command/report.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "ocean/sea.hpp"
#include "seiche/error.hpp"

namespace seiche::ocean {

namespace {

using Fields = std::vector<std::complex<float>>;

/// OpenGL's device of the card that Vulkan calls `name`: both begin with its name, and go on each in its own way.
seiche::Device opengl_device(const std::string& name) {
    try {
        return seiche::Device::open("opengl:" + name.substr(0, name.find(" (")));
    } catch (const Unsupported&) {
        return seiche::Device::open("opengl");
    }
}

/// A plan in images with its images.
class Transforms {
public:
    Transforms(const seiche::Device& device, std::uint32_t size, std::uint32_t count, const std::string& recipe)
        : queue_(device.create_queue()),
          plan_(plan_of_fields(device, size, count, {recipe, Arrays::images})),
          spectra_(device, ImageFormat::rg32f, plan_.input_texels()),
          fields_(device, ImageFormat::rg32f, plan_.output_texels()) {
        execution_.direction = Direction::inverse;
        execution_.input_image = spectra_.image();
        execution_.output_image = fields_.image();
        if (const ImageSize texels = plan_.workspace_texels(); texels.width != 0)
            execution_.workspace_image =
                device.allocate_image(ImageFormat::rg32f, static_cast<std::uint32_t>(texels.width),
                                      static_cast<std::uint32_t>(texels.height));
        if (const std::uint64_t bytes = plan_.workspace_bytes(); bytes != 0)
            execution_.workspace = device.allocate(bytes);
        fields_.fill_with_poison(queue_);
    }

    double transform(const Fields& spectra, Fields& fields) {
        spectra_.upload(queue_, spectra.data(), spectra.size() * sizeof spectra[0]);
        if (!is_warm_) plan_.execute(queue_, execution_);
        is_warm_ = true;
        Event before, after;
        queue_.batch([&] {
            before = queue_.record();
            plan_.execute(queue_, execution_);
            after = queue_.record();
        });
        const double milliseconds = queue_.milliseconds(before, after);
        fields.resize(spectra.size());
        if (!fields_.download(queue_, fields.data(), fields.size() * sizeof fields[0]))
            throw cli::Failure("a defect of Seiche: OpenGL wrote texels beside the fields");
        return milliseconds;
    }

private:
    Queue queue_;
    Plan plan_;
    cli::ImageMemory spectra_, fields_;
    Execution execution_;
    bool is_warm_ = false;
};

/// Relative L2 of arrays of `area` numbers, the largest.
double largest_difference(const Fields& a, const Fields& b, std::size_t area) {
    double largest = 0;
    for (std::size_t first = 0; first < a.size(); first += area) {
        double fault = 0, power = 0;
        for (std::size_t i = first; i < first + area; ++i) {
            const std::complex<double> x = a[i], y = b[i];
            fault += std::norm(x - y);
            power += std::norm(x);
        }
        largest = std::max(largest, std::sqrt(fault / power));
    }
    return largest;
}

/// What two ways may differ by: the contract of accuracy for any plan, and three times that of smooth lengths for a
/// textbook recipe.
double allowed(std::uint32_t size, const std::string& recipe) {
    constexpr double any_plan = 2.5, textbook = 3;
    return (any_plan + (recipe == automatic ? any_plan : textbook)) * std::ldexp(1, -24) *
           std::sqrt(2 * std::log2(static_cast<double>(size)));
}

}  // namespace

OpenglTimes time_on_opengl(const Gpu& gpu, const Settings& settings, const std::string& recipe, std::uint32_t frames,
                           const std::function<void(std::uint32_t)>& at) {
    const seiche::Device device = opengl_device(gpu.properties().deviceName);
    Transforms transforms(device, settings.size, settings.patches_wanted * Waves::transforms_per_patch, recipe);
    Sea sea(gpu, settings, {}, PicturesIn::device);
    OpenglTimes times;
    times.device = cli::device_text(device);
    times.wave_height = significant_height(sea.patches());
    const std::size_t area = std::size_t{settings.size} * settings.size;
    Fields fields;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        const double time = frame / settings.frames_per_second;
        times.milliseconds.push_back(transforms.transform(sea.spectra(time), fields));
        sea.advance(time);
        times.difference = std::max(times.difference, largest_difference(sea.waves().fields(), fields, area));
        if (const double most = allowed(settings.size, recipe); !(times.difference <= most))
            throw cli::Failure("a defect of Seiche: by " + recipe + " on " + times.device +
                               " fields differ from Vulkan's by " + cli::significant(times.difference, 3) +
                               ", expected at most " + cli::significant(most, 3));
        at(frame + 1);
    }
    return times;
}

}  // namespace seiche::ocean
